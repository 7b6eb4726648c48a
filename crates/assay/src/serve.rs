//! `assay serve`: the service of a team, and the tokens of those who use it from elsewhere.

use std::process::ExitCode;
use std::sync::Arc;

use assay_daemon::fork_guard;
use assay_host::{Host, News, Resuming};
use assay_protocol::{ErrorCode, Failure, Format};
use assay_provider::SERVICES;
use assay_server::{
    CallerSessions, LogFormat, Role, RunCarrier, RunWork, Seams, ServeOptions, Server, TokenError, TokenInfo,
    TokenStore,
};
use serde_json::json;
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;

use crate::command::Invocation;
use crate::environment::{Environment, VERSION};
use crate::live_page::LivePages;
use crate::mcp::Tools;
use crate::own_program::OwnProgram;
use crate::{host, output, run, serve_check, state};

#[derive(Debug, Clone, PartialEq)]
pub enum ServeOperation {
    Serve(ServeOptions),
    /// Says whether the service could be started, and starts nothing.
    Check(ServeOptions),
    Token(TokenOperation),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TokenOperation {
    /// By default under the first name that is free.
    Create {
        name: Option<String>,
        role: Role,
    },
    List,
    Revoke {
        name: String,
    },
}

pub fn run(operation: &ServeOperation, invocation: &Invocation, environment: &Environment) -> ExitCode {
    let json = invocation.format == Format::Json;
    let done = match operation {
        ServeOperation::Serve(options) => serve(options, Purpose::Serve, invocation, environment),
        ServeOperation::Check(options) => serve(options, Purpose::Check, invocation, environment),
        ServeOperation::Token(operation) => tokens(operation, json, environment),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => output::print_failure(&failure, json),
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Purpose {
    Serve,
    Check,
}

fn serve(
    options: &ServeOptions,
    purpose: Purpose,
    invocation: &Invocation,
    environment: &Environment,
) -> Result<(), Failure> {
    let internal = |what: &str, err: std::io::Error| {
        Failure::new(ErrorCode::Internal, format!("could not {what}: {err}"))
    };
    let tokens =
        token_store(environment).ok().map(|store| store.list()).transpose().map_err(token_failure)?;
    let tokens = tokens.map_or(0, |list| list.len());
    if !options.address.ip().is_loopback() && tokens == 0 {
        let message = format!("others can reach {}, and there is no token for them", options.address.ip());
        return Err(Failure::new(ErrorCode::Usage, message).hint("assay serve token"));
    }
    // A client that goes away in the middle of an answer must not end the service.
    // SAFETY: sets a signal's disposition before any thread exists.
    unsafe { libc::signal(libc::SIGPIPE, libc::SIG_IGN) };
    // Each forks: before any thread exists.
    let host = host::host(environment)?;
    let guard = fork_guard().map_err(|err| internal("start the guard", err))?;
    let program = Arc::new(OwnProgram::of_guests(invocation, environment, guard));
    program.sweep_the_dead();
    let tools = Arc::new(Tools::of_service(Arc::clone(&program), environment));
    let seams = Seams {
        context: host::context(environment)?,
        folder: host::here()?,
        live: Arc::new(LivePages {
            host: host.clone(),
            program: Arc::clone(&program),
            environment: environment.clone(),
        }),
        runs: Arc::new(Runs { host, environment: environment.clone() }),
        sessions: Arc::new(Sessions { program: Arc::clone(&program) }),
        mcp: Arc::clone(&tools) as Arc<dyn assay_mcp::Service>,
        program,
        model_services: SERVICES.iter().map(|service| service.name.to_string()).collect(),
        version: VERSION,
        log: Arc::new(output::tell),
    };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|err| internal("start the async runtime", err))?;
    let is_for_people = options.log == LogFormat::Text;
    let served = runtime.block_on(async {
        // Before it is said that the service listens: whoever reads that may stop it at once.
        let stop = stopped(is_for_people).map_err(|err| internal("listen for interrupts", err))?;
        let server = Server::bind(seams, options.clone()).await?;
        let address = server.address();
        if purpose == Purpose::Check {
            return serve_check::check(address, tokens, invocation, environment);
        }
        // Programs read it from the log.
        if is_for_people {
            output::tell(&format!("assay: http://{address}   (token for other hosts: assay serve token)"));
        }
        server.serve(stop).await
    });
    tools.end_all();
    // Work that nobody waits for any more must not keep the program.
    runtime.shutdown_timeout(std::time::Duration::from_secs(20));
    served
}

/// Cancelled by an interrupt, or by whoever manages services.
fn stopped(is_for_people: bool) -> std::io::Result<CancellationToken> {
    let stop = CancellationToken::new();
    let cancelled = stop.clone();
    let (mut interrupts, mut ends) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    tokio::spawn(async move {
        tokio::select! {
            _ = interrupts.recv() => {}
            _ = ends.recv() => {}
        }
        if is_for_people {
            output::tell("assay: stopping; runs under way are paused");
        }
        cancelled.cancel();
        // Whoever asks a second time does not want to wait.
        tokio::select! {
            _ = interrupts.recv() => {}
            _ = ends.recv() => {}
        }
        std::process::exit(i32::from(ErrorCode::Stopped.exit_code()));
    });
    Ok(stop)
}

/// Runs of the service, started in this process.
struct Runs {
    host: Host,
    environment: Environment,
}

impl RunCarrier for Runs {
    fn check(&self, words: &[String]) -> Result<(), Failure> {
        run::check_words(words, &self.environment).map(drop)
    }

    fn carry_out(&self, work: &RunWork<'_>) -> Result<(), Failure> {
        let resuming = match work.resuming {
            None => None,
            Some(resume) => {
                let coordinator = state::open_here(&self.environment)?;
                let found = Resuming::find(coordinator, Some(work.name), resume.granularity, resume.repeats)?;
                Some(found)
            }
        };
        let spec = run::spec_for_service(work.words, work.name, resuming, &self.environment)?;
        let mut job = self.host.start(spec)?;
        while let Some(news) = job.news.blocking_recv() {
            match news {
                News::Note(text) => (work.note)(&text),
                News::Warning(text) => (work.note)(&format!("warning: {text}")),
                // They are on record, where those who follow the run read them.
                News::Event(_) | News::Earlier(_) | News::Over => {}
            }
        }
        tokio::runtime::Handle::current().block_on(job.wait()).map(drop)
    }
}

/// The browsers of those who call tools, named as those of MCP clients: the same rules keep them apart.
struct Sessions {
    program: Arc<OwnProgram>,
}

impl CallerSessions for Sessions {
    fn session_name(&self, number: u32) -> String {
        format!("mcp-{}-web{number}", std::process::id())
    }

    fn end_session(&self, session: &str) -> Result<(), Failure> {
        self.program.end_session(session)
    }
}

fn token_store(environment: &Environment) -> Result<TokenStore, Failure> {
    let folder = environment
        .configuration
        .as_deref()
        .ok_or_else(|| Failure::new(ErrorCode::Io, "expected HOME or XDG_CONFIG_HOME, found neither"))?;
    Ok(TokenStore::in_folder(folder))
}

fn token_failure(error: TokenError) -> Failure {
    let code = match &error {
        TokenError::Name(_) | TokenError::Exists(_) | TokenError::Unknown(_) => ErrorCode::Usage,
        TokenError::Unusable { .. } | TokenError::Wrong { .. } => ErrorCode::Io,
        TokenError::Random => ErrorCode::Internal,
    };
    Failure::new(code, error.to_string())
}

fn tokens(operation: &TokenOperation, json: bool, environment: &Environment) -> Result<(), Failure> {
    let store = token_store(environment)?;
    match operation {
        TokenOperation::Create { name, role } => {
            let name = match name {
                Some(name) => name.clone(),
                None => free_name(&store.list().map_err(token_failure)?),
            };
            let made = store.create(&name, *role).map_err(token_failure)?;
            match json {
                true => output::print_json(
                    &json!({ "ok": true, "data": { "token": made.info, "secret": made.secret } }),
                ),
                false => {
                    output::print_line(&made.secret);
                    output::tell(&format!(
                        "token `{name}` with the role `{}`; it is shown only now: `Authorization: Bearer TOKEN`",
                        role.name()
                    ));
                }
            }
        }
        TokenOperation::List => {
            let tokens = store.list().map_err(token_failure)?;
            match json {
                true => output::print_json(&json!({ "ok": true, "data": { "tokens": tokens } })),
                false if tokens.is_empty() => {
                    output::tell("there is no token yet; assay serve token makes one")
                }
                false => tokens.iter().for_each(|token| output::print_line(&token_line(token))),
            }
        }
        TokenOperation::Revoke { name } => {
            let gone = store.revoke(name).map_err(token_failure)?;
            match json {
                true => output::print_json(&json!({ "ok": true, "data": { "token": gone } })),
                false => output::print_line(&format!("token `{name}` is refused from now on")),
            }
        }
    }
    Ok(())
}

fn free_name(known: &[TokenInfo]) -> String {
    let is_free = |name: &String| known.iter().all(|token| token.name != *name);
    (1..).map(|number| format!("token-{number}")).find(is_free).unwrap_or_default()
}

fn token_line(token: &TokenInfo) -> String {
    let at = assay_report::rfc3339(token.created_at);
    let day = at.get(..10).unwrap_or(&at);
    format!("{:<24}  {:<5}  since {day}", token.name, token.role.name())
}
