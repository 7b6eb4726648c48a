//! A turn of a conversation with a model, from a terminal.

use std::io::{self, BufRead, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use assay_agent::{
    AgentListener, ApprovalKind, ApprovalQuestion, AskedModel, Conversation, ConversationEnd,
    ConversationError, ConversationReport, ConversationTerms, Decision, Library, Surroundings,
};
use assay_coordinator::{AgentSessionId, Coordinator, NewAgentSession};
use assay_daemon::fork_guard;
use assay_host::{
    Cassette, ChosenModel, ModelOptions, ProjectTrees, Tape, choose_model, connect_model, state_failure,
};
use assay_protocol::{ErrorCode, Failure, Format, Secrets};
use assay_provider::conversation::CacheLife;
use assay_provider::{Limits, ModelName, Money, PriceList};
use assay_report::one_line;
use assay_suite::{
    Agent, CacheTime, Loaded, LoadedScripts, Script, ScriptParameter, UserSettings, load, load_scripts,
};
use assay_tools::Program;
use serde_json::json;

use super::AskOptions;
use super::ask::is_trusted;
use super::console::Console;
use super::dialogue::{LAST_WORDS, greet, print_history};
use crate::command::Invocation;
use crate::environment::Environment;
use crate::hidden::secrets_of;
use crate::own_program::OwnProgram;
use crate::{host, output, state};

/// How an agent is talked to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TalkOptions {
    pub model: Option<String>,
    /// The default agent without it.
    pub agent: Option<String>,
    /// An earlier conversation to go on with.
    pub session: Option<i64>,
    /// Calls that need consent have it.
    pub agrees: bool,
    pub cassette: Option<Cassette>,
    /// Nothing is done: the skill and its values are shown.
    pub is_dry: bool,
}

impl TalkOptions {
    /// The same for a request that is understood by rules.
    pub fn by_rules(&self) -> AskOptions {
        AskOptions {
            agent: self.agent.clone(),
            is_agreed: self.agrees,
            is_dry: self.is_dry,
            session: self.session,
        }
    }
}

/// Whether a model is configured for this request. What was begun with one, goes on with one.
pub fn has_model(options: &TalkOptions, environment: &Environment) -> Result<bool, Failure> {
    if options.is_dry {
        return Ok(false);
    }
    if let Some(session) = options.session {
        return is_with_model(AgentSessionId(session), options, environment);
    }
    if options.model.is_some() || options.cassette.is_some() {
        return Ok(true);
    }
    let context = host::context(environment)?;
    let loaded = load(&[], &context.drivers.names(), &*context.variables);
    let models = named(options, environment)?;
    Ok(choose_model(&context, &models, loaded.project.model.as_deref())?.is_some())
}

/// What was begun by rules, goes on by rules.
pub fn is_with_model(
    session: AgentSessionId,
    options: &TalkOptions,
    environment: &Environment,
) -> Result<bool, Failure> {
    let coordinator = state::ask_here(environment)?;
    let found = coordinator.agent_session(session).map_err(state_failure)?;
    if found.model.is_none() && (options.model.is_some() || options.cassette.is_some()) {
        let message = format!("session {session} works by rules, so it cannot go on with a model");
        return Err(Failure::new(ErrorCode::Usage, message).hint("begin another session: leave `--in` out"));
    }
    Ok(found.model.is_some())
}

fn named(options: &TalkOptions, environment: &Environment) -> Result<ModelOptions, Failure> {
    let said = ModelOptions {
        model: options.model.clone(),
        cassette: options.cassette.clone(),
        ..ModelOptions::default()
    };
    host::models(&said, environment)
}

/// One request: in a new session, or in an earlier one.
pub fn talk_once(
    request: &str,
    options: &TalkOptions,
    invocation: &Invocation,
    environment: &Environment,
) -> Result<ExitCode, Failure> {
    let desk = Desk::open(options, invocation, environment)?;
    let session = match options.session {
        Some(number) => AgentSessionId(number),
        None => desk.new_session(request)?,
    };
    let done = desk.with_conversation(session, |talk| talk.ask(session, request))?;
    desk.show(session, &done)
}

/// Goes on with a session that was cut off, or that waited for a decision.
pub fn go_on(
    session: AgentSessionId,
    decision: Option<bool>,
    options: &TalkOptions,
    invocation: &Invocation,
    environment: &Environment,
) -> Result<ExitCode, Failure> {
    let desk = Desk::open(options, invocation, environment)?;
    let done = desk.with_conversation(session, |talk| talk.resume(session, decision))?;
    desk.show(session, &done)
}

/// Requests from standard input, a line each, in one session, until it ends or somebody says `exit`.
pub fn converse(
    options: &TalkOptions,
    invocation: &Invocation,
    environment: &Environment,
) -> Result<ExitCode, Failure> {
    let mut desk = Desk::open(options, invocation, environment)?;
    desk.is_conversation = true;
    let agent = desk.agent(options.agent.as_deref())?;
    if io::stdin().is_terminal() {
        greet(agent);
    }
    let mut history: Vec<String> = Vec::new();
    let mut session = options.session.map(AgentSessionId);
    let mut code = ExitCode::SUCCESS;
    loop {
        if io::stdin().is_terminal() {
            // A prompt that cannot be written is no loss.
            let _prompted = write!(io::stderr(), "> ").and_then(|()| io::stderr().flush());
        }
        let mut line = String::new();
        let read = io::stdin().lock().read_line(&mut line);
        let read =
            read.map_err(|err| Failure::new(ErrorCode::Io, format!("could not read the request: {err}")))?;
        let request = line.trim();
        if read == 0 || LAST_WORDS.contains(&request.to_lowercase().as_str()) {
            return Ok(code);
        }
        match request {
            "" => continue,
            "help" | "?" => {
                greet(agent);
                continue;
            }
            "history" => {
                print_history(&history);
                continue;
            }
            _ => history.push(request.to_string()),
        }
        let number = match session {
            Some(number) => number,
            None => *session.insert(desk.new_session(request)?),
        };
        INTERRUPTED.store(false, Ordering::Relaxed);
        match desk.with_conversation(number, |talk| talk.ask(number, request)) {
            Ok(done) => code = desk.show(number, &done)?,
            // The next request may work: a server that is busy, a budget that another request keeps to.
            Err(failure) => code = output::print_failure(&failure, desk.json),
        }
    }
}

/// What a turn needs, put together once.
struct Desk<'a> {
    options: &'a TalkOptions,
    environment: &'a Environment,
    json: bool,
    program: OwnProgram,
    coordinator: Coordinator,
    library: Library,
    loaded: Loaded,
    scripts: LoadedScripts,
    model: AskedModel,
    tape: Option<Tape>,
    name: ModelName,
    user: UserSettings,
    browser_session: String,
    /// Requests come line by line.
    is_conversation: bool,
}

impl Drop for Desk<'_> {
    /// The browsers of a conversation end with it, and control of devices.
    fn drop(&mut self) {
        if let Err(failure) = self.program.end_session(&self.browser_session) {
            output::tell(&format!("note: {}", failure.message));
        }
    }
}

/// Who lets us act on a device that they control, and which it is.
fn lent_device(environment: &Environment) -> Option<(&str, &str)> {
    let guest = environment.guest.as_ref()?;
    Some((&guest.owner, guest.controls.as_deref()?))
}

impl<'a> Desk<'a> {
    fn open(
        options: &'a TalkOptions,
        invocation: &Invocation,
        environment: &'a Environment,
    ) -> Result<Desk<'a>, Failure> {
        let internal = |what: &str, err: io::Error| {
            Failure::new(ErrorCode::Internal, format!("could not {what}: {err}"))
        };
        // Forks: before any thread exists.
        let guard = fork_guard().map_err(|err| internal("start the guard", err))?;
        let program = OwnProgram::of_guests(invocation, environment, guard);
        program.sweep_the_dead();
        let context = host::context(environment)?;
        let here = host::here()?;
        let library = Library::of_project(&here, environment.home.as_deref());
        for problem in &library.problems {
            output::tell(&format!("note: left out, because of a mistake: {problem}"));
        }
        let loaded = load(&[], &context.drivers.names(), &*context.variables);
        let scripts = load_scripts(&here, &context.drivers.names(), &*context.variables);
        let models = named(options, environment)?;
        let Some(chosen) = choose_model(&context, &models, loaded.project.model.as_deref())? else {
            let message = "no model is configured: expected --model, DEFAULT_MODEL or `model:` in the settings, found none";
            return Err(Failure::new(ErrorCode::Usage, message).hint("assay model list"));
        };
        let ChosenModel { name, user, .. } = chosen;
        let name = name.map_err(|why| Failure::new(ErrorCode::Usage, why).hint("assay model list"))?;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|err| internal("start the async runtime", err))?;
        let connected = runtime.block_on(connect_model(&context, &name, &user, models.cassette.as_ref()))?;
        let (client, tape) = connected;
        let client = client.map_err(|error| model_failure(&error.to_string(), error.hint()))?;
        let model =
            AskedModel::new(Box::new(client)).map_err(|err| internal("start the async runtime", err))?;
        listen_for_interrupts();
        let full_name = format!("{}/{}", name.service.name, name.model);
        let browser_session = match lent_device(environment) {
            Some((owner, device)) => {
                program.act_on_lent(owner, device, &invocation.session);
                owner.to_string()
            }
            None => format!("agent-{}", std::process::id()),
        };
        Ok(Desk {
            options,
            environment,
            json: invocation.format == Format::Json,
            program: program.with_model(full_name),
            coordinator: state::open_here(environment)?,
            library,
            loaded,
            scripts,
            model,
            tape,
            name,
            user,
            browser_session,
            is_conversation: false,
        })
    }

    fn agent(&self, name: Option<&str>) -> Result<&Agent, Failure> {
        let found = match name {
            Some(name) => self.library.agent(name),
            None => self.library.default_agent(),
        };
        let agent =
            found.map_err(|err| Failure::new(ErrorCode::Usage, err.to_string()).hint("assay agent list"))?;
        match agent.config.is_enabled {
            true => Ok(agent),
            false => Err(Failure::new(ErrorCode::Usage, format!("agent `{}` is not enabled", agent.id))),
        }
    }

    fn new_session(&self, request: &str) -> Result<AgentSessionId, Failure> {
        let agent = self.agent(self.options.agent.as_deref())?;
        let secrets = self.secrets();
        let new = NewAgentSession {
            agent: &agent.id,
            model: Some(&self.model.full_name()),
            title: &secrets.mask(&one_line(request)),
        };
        self.coordinator.open_agent_session(&new).map_err(state_failure)
    }

    fn with_conversation(
        &self,
        session: AgentSessionId,
        work: impl FnOnce(&Conversation<'_>) -> Result<ConversationReport, ConversationError>,
    ) -> Result<ConversationReport, Failure> {
        let of_session = self.coordinator.agent_session(session).map_err(state_failure)?.agent;
        let agent = self.agent(Some(self.options.agent.as_deref().unwrap_or(&of_session)))?;
        let secrets = self.secrets();
        if let Some(tape) = &self.tape {
            tape.keep_out(secrets.forms().to_vec());
        }
        let price = PriceList::built_in().of(&self.name.model, 1);
        let budget = &self.user.budget;
        let listener: &dyn AgentListener = &match self.is_conversation {
            true => Console::of_conversation(),
            false => Console::of_request(false),
        };
        let talk = Conversation {
            library: &self.library,
            agent,
            model: &self.model,
            program: &self.program,
            coordinator: &self.coordinator,
            listener,
            note: &output::tell,
            secrets: &secrets,
            decide: &|asked| decide(asked, self.options.agrees, true),
            is_stopped: &|| INTERRUPTED.load(Ordering::Relaxed),
            terms: ConversationTerms {
                browser_session: self.browser_session.clone(),
                is_trusted: is_trusted(&self.library, self.environment),
                cache: match self.user.cache {
                    CacheTime::FiveMinutes => CacheLife::Minutes,
                    CacheTime::OneHour => CacheLife::Hour,
                },
                limits: Limits {
                    money: budget.money.map(Money::dollars),
                    calls: budget.turns.map(u64::from),
                    tokens: budget.tokens,
                },
                has_price: price.is_some() || self.name.service.is_local,
                pictures: self.user.pictures != Some(false),
                surroundings: self.surroundings(),
            },
        };
        let done = work(&talk);
        if let Some(tape) = &self.tape {
            output::tell(&format!("note: {}", tape.finish()?));
        }
        done.map_err(|error| match error {
            ConversationError::State(error) => state_failure(error),
            ConversationError::Model(error) => model_failure(&error.to_string(), error.hint())
                .hint(format!("assay agent sessions resume {session}")),
            other => Failure::new(ErrorCode::Internal, other.to_string()),
        })
    }

    /// The values of all secrets of the project, and of variables that are called like secrets.
    fn secrets(&self) -> Secrets {
        secrets_of(&self.loaded, &self.scripts)
    }

    /// Names that a request may mean.
    fn surroundings(&self) -> Surroundings {
        let scripts = self.scripts.scripts.iter().map(script_line).collect();
        let applications = self.program.applications().unwrap_or_default();
        let devices = self.program.host().map(|host| host.devices).unwrap_or_default();
        let devices = devices.iter().map(|device| device.device.clone());
        let trees = host::here()
            .and_then(|here| ProjectTrees::around(&state::folder(self.environment), &here))
            .map(|trees| trees.files())
            .unwrap_or_default();
        let name = |file: &PathBuf| Some(file.file_stem()?.to_string_lossy().into_owned());
        Surroundings {
            scripts,
            trees: trees.iter().filter_map(name).collect(),
            tests: self.loaded.tests.iter().map(|test| test.id.clone()).collect(),
            applications: applications
                .iter()
                .map(|known| format!("{} ({})", known.userinterface, known.base_url))
                .collect(),
            // Sessions come and go.
            devices: devices.filter(|device| !device.starts_with("session:")).collect(),
        }
    }

    fn show(&self, session: AgentSessionId, done: &ConversationReport) -> Result<ExitCode, Failure> {
        let found = self.coordinator.agent_session(session).map_err(state_failure)?;
        let (end, answer, question) = match &done.end {
            ConversationEnd::Answered(text) => ("answered", Some(text), None),
            ConversationEnd::Asks(text) => ("asks", None, Some(text)),
            ConversationEnd::Waits(text) => ("waits", None, Some(text)),
            ConversationEnd::Stopped(why) => ("stopped", Some(why), None),
            ConversationEnd::Nothing => ("nothing", None, None),
        };
        let code = done.exit_code();
        if self.json {
            let data = json!({
                "session": session, "agent": found.agent, "model": found.model, "skill": done.skill,
                "calls": done.calls, "end": end, "answer": answer, "question": question, "used": found.used,
            });
            output::print_json(&json!({ "ok": code == 0, "data": data }));
            return Ok(ExitCode::from(code));
        }
        match &done.end {
            ConversationEnd::Answered(text) | ConversationEnd::Asks(text) => output::print_line(text),
            ConversationEnd::Waits(text) => {
                output::print_line(text);
                output::tell(&format!(
                    "hint: assay agent sessions approve {session}, or with --no to refuse it"
                ));
            }
            ConversationEnd::Stopped(why) => {
                output::tell(&format!("stopped: {}", one_line(why)));
            }
            ConversationEnd::Nothing => output::tell(&format!("session {session} has nothing to go on with")),
        }
        output::tell(&format!("session {session}"));
        Ok(ExitCode::from(code))
    }
}

/// `fill_cart(tickets!: integer, category: standing|vip = standing)`
fn script_line(script: &Script) -> String {
    let parameters: Vec<String> = script.parameters.iter().map(parameter_line).collect();
    format!("{}({})", script.name, parameters.join(", "))
}

fn parameter_line(parameter: &ScriptParameter) -> String {
    let required = if parameter.is_required { "!" } else { "" };
    let kind = match parameter.allowed.is_empty() {
        true => parameter.kind.name().to_string(),
        false => parameter.allowed.join("|"),
    };
    // A default of a secret is one as well.
    let default = parameter.default.as_ref().filter(|_| !parameter.is_secret);
    let default = default.map(|value| format!(" = {value}")).unwrap_or_default();
    format!("{}{required}: {kind}{default}", parameter.name)
}

fn model_failure(message: &str, hint: Option<String>) -> Failure {
    let failure = Failure::new(ErrorCode::ModelFailed, message);
    match hint {
        Some(hint) => failure.hint(hint),
        None => failure,
    }
}

/// Somebody at the terminal decides. A call that was cut off is nobody's to repeat but theirs.
pub(super) fn decide(asked: &ApprovalQuestion, agrees: bool, can_ask: bool) -> Decision {
    if agrees && asked.what == ApprovalKind::Call {
        return Decision::Yes;
    }
    if !can_ask || !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        return Decision::Later;
    }
    let mut said = String::new();
    let mut talk = io::stderr();
    let asked = write!(talk, "{}\nAllow it? [y/N] ", one_line(&asked.question)).and_then(|()| talk.flush());
    match asked.and_then(|()| io::stdin().lock().read_line(&mut said)) {
        Ok(0) | Err(_) => Decision::Later,
        Ok(_) if matches!(said.trim().to_lowercase().as_str(), "y" | "yes") => Decision::Yes,
        Ok(_) => Decision::No,
    }
}

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

extern "C" fn on_interrupt(_: i32) {
    INTERRUPTED.store(true, Ordering::Relaxed);
}

/// An interrupt ends the turn, and its tools with it.
fn listen_for_interrupts() {
    // SAFETY: the handler only stores into an atomic.
    unsafe { libc::signal(libc::SIGINT, on_interrupt as *const () as libc::sighandler_t) };
}
