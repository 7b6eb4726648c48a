//! `tools` and `tool`: what agents can call, from a shell; and this program as the one that carries tools out.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command as Process, ExitCode, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use assay_client::{Client, ask_running};
use assay_daemon::Guard;
use assay_protocol::{
    Action, Ask, Control, ErrorCode, Failure, Format, Outcome, PROTOCOL_VERSION, Reply, Request,
};
use assay_tools::{CallSpec, CommandRun, Profile, Program, Tool, call, find_tool, tools_of};
use serde_json::{Map, Value, json};

use crate::command::Invocation;
use crate::connect::runtime_folder;
use crate::daemon;
use crate::environment::{Environment, build};
use crate::output::{print_failure, print_json, print_line, tell};

/// How long a command may take to end after it was asked to.
const TIME_TO_END: Duration = Duration::from_secs(20);
const LOOK_EVERY: Duration = Duration::from_millis(20);

pub fn list(profile: Profile, invocation: &Invocation) -> ExitCode {
    let tools = tools_of(profile);
    if invocation.format == Format::Json {
        let tools: Vec<Value> = tools.iter().map(|tool| as_json(tool)).collect();
        print_json(&json!({ "ok": true, "data": { "tools": tools } }));
        return ExitCode::SUCCESS;
    }
    let width = tools.iter().map(|tool| tool.name.len()).max().unwrap_or(0);
    for tool in &tools {
        print_line(&format!("{:<width$}  {}", tool.name, tool.description));
        let arguments = arguments(&tool.input);
        if !arguments.is_empty() {
            print_line(&format!("{:<width$}  {}", "", arguments.join(", ")));
        }
    }
    ExitCode::SUCCESS
}

/// A tool as the Model Context Protocol describes one.
fn as_json(tool: &Tool) -> Value {
    json!({
        "name": tool.name,
        "title": tool.title,
        "description": tool.description,
        "group": tool.group.name(),
        "cost": tool.cost.name(),
        "inputSchema": tool.input,
        "annotations": {
            "readOnlyHint": tool.effects.reads_only,
            "destructiveHint": tool.effects.destroys,
            "idempotentHint": tool.effects.is_idempotent,
            "openWorldHint": tool.effects.is_open_world,
        },
    })
}

/// The names of the arguments; a mark on those that may be left out.
fn arguments(schema: &Map<String, Value>) -> Vec<String> {
    let required: Vec<&str> = schema
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let names = schema.get("properties").and_then(Value::as_object).into_iter().flat_map(Map::keys);
    let marked =
        |name: &String| if required.contains(&name.as_str()) { name.clone() } else { format!("{name}?") };
    names.map(marked).collect()
}

/// `assay tool NAME JSON`, for tools that are no verbs of the browser: those answer as their verbs do.
pub fn run(
    name: &str,
    arguments: &Map<String, Value>,
    invocation: &Invocation,
    environment: &Environment,
) -> ExitCode {
    let Some(tool) = find_tool(name) else {
        let failure = Failure::new(ErrorCode::Usage, format!("there is no tool `{name}`"));
        return print_failure(&failure, invocation.format == Format::Json);
    };
    let program =
        OwnProgram { invocation: invocation.clone(), environment: environment.clone(), guard: None };
    let spec = CallSpec { session: &invocation.session, tell: &|line| tell(line), is_stopped: &|| false };
    let answer = call(tool, arguments.clone(), &program, &spec);
    match (invocation.format, &answer.value) {
        (Format::Json, value) => {
            print_json(&json!({ "ok": !answer.is_error, "data": { "text": answer.text, "value": value } }));
        }
        (Format::Text, Some(value)) => print_json(value),
        (Format::Text, None) if answer.is_error => tell(&answer.text),
        (Format::Text, None) => print_line(&answer.text),
    }
    match (answer.exit_code, answer.is_error) {
        (0, true) => ExitCode::from(ErrorCode::Usage.exit_code()),
        (code, _) => ExitCode::from(code),
    }
}

/// This program: actions go to the session's daemon, commands to a process of their own.
pub struct OwnProgram {
    pub invocation: Invocation,
    pub environment: Environment,
    /// Ends the daemons of sessions that were started here, should this process be killed.
    pub guard: Option<Mutex<Watch>>,
}

impl OwnProgram {
    /// Ends a session and its browser.
    pub fn end_session(&self, session: &str) -> Result<(), Failure> {
        let socket = runtime_folder(&self.environment)?.socket(session)?;
        ask_running(&socket, Control::Stop, Duration::from_secs(10))?;
        if let Some(Ok(mut watch)) = self.guard.as_ref().map(Mutex::lock) {
            watch.over(session, None);
        }
        Ok(())
    }

    /// Has the daemon of a session ended with us, should we be killed.
    fn watch(&self, session: &str) {
        let Some(watch) = &self.guard else { return };
        let status = runtime_folder(&self.environment)
            .and_then(|folder| folder.socket(session))
            .and_then(|socket| ask_running(&socket, Control::Status, Duration::from_secs(5)));
        if let (Ok(Some(Reply { outcome: Outcome::Status(status), .. })), Ok(mut watch)) =
            (status, watch.lock())
        {
            watch.over(session, Some(status.pid));
        }
    }
}

/// The daemons that end with this process, by their sessions.
pub struct Watch {
    guard: Guard,
    daemons: HashMap<String, u32>,
}

impl Watch {
    pub fn new(guard: Guard) -> Watch {
        Watch { guard, daemons: HashMap::new() }
    }

    /// The daemon of a session is this one now, or none.
    fn over(&mut self, session: &str, pid: Option<u32>) {
        let before = self.daemons.get(session).copied();
        if before == pid {
            return;
        }
        // A guard that is gone cannot be told; then each daemon still ends when it is idle.
        if let Some(old) = before {
            self.daemons.remove(session);
            let _guard_is_gone = self.guard.forget(None, Some(old));
        }
        if let Some(new) = pid
            && self.guard.watch_group(new).is_ok()
        {
            self.daemons.insert(session.to_string(), new);
        }
    }
}

impl Program for OwnProgram {
    fn folder(&self) -> PathBuf {
        std::env::current_dir().unwrap_or_else(|_| PathBuf::from("."))
    }

    fn temporary(&self) -> PathBuf {
        self.environment.temporary.clone()
    }

    fn act(&self, session: &str, action: Action) -> Result<Reply, Failure> {
        let invocation = Invocation { session: session.to_string(), ..self.invocation.clone() };
        let request = Request {
            version: PROTOCOL_VERSION,
            build: build(),
            deadline_ms: action.entry().time_ms,
            ask: Ask::Act(action),
            wait: false,
            budget: invocation.budget,
            format: Format::Text,
            browser: invocation.browser.clone(),
            allow: invocation.allow.clone(),
        };
        let folder = runtime_folder(&self.environment)?;
        let socket = folder.socket(session)?;
        let started = Cell::new(false);
        let start = || {
            started.set(true);
            daemon::start(&invocation, &self.environment, &folder)
        };
        let reply = Client::new(socket, &start).ask(&request);
        if started.get() {
            self.watch(session);
        }
        reply
    }

    fn run_command(
        &self,
        words: &[String],
        tell: &dyn Fn(&str),
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<CommandRun, Failure> {
        let failed = |what: &str, err: std::io::Error| {
            Failure::new(ErrorCode::Io, format!("could not {what} assay {}: {err}", words.join(" ")))
        };
        let program = std::env::current_exe().map_err(|err| failed("find", err))?;
        let mut command = Process::new(program);
        command
            .args(words)
            .env("NO_COLOR", "1")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        // SAFETY: plain system calls that are async-signal-safe. The command ends as by an interrupt when we die.
        unsafe {
            command.pre_exec(|| {
                libc::setpgid(0, 0);
                libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGINT);
                Ok(())
            });
        }
        let mut child = command.spawn().map_err(|err| failed("start", err))?;
        let (Some(mut out), Some(err)) = (child.stdout.take(), child.stderr.take()) else {
            return Err(Failure::new(ErrorCode::Internal, "the command has no output to read"));
        };
        let data = std::thread::spawn(move || {
            let mut data = String::new();
            // What is not text is left out: the command writes text only.
            let _read = out.read_to_string(&mut data);
            data
        });
        let (sender, lines) = std::sync::mpsc::channel();
        let talk = std::thread::spawn(move || {
            let mut talk = String::new();
            for line in BufReader::new(err).lines().map_while(Result::ok) {
                talk.push_str(&line);
                talk.push('\n');
                // Nobody listens after the command was given up.
                let _unheard = sender.send(line);
            }
            talk
        });
        let asked_to_end: RefCell<Option<Instant>> = RefCell::new(None);
        let status = loop {
            while let Ok(line) = lines.try_recv() {
                tell(&line);
            }
            if let Some(status) = child.try_wait().map_err(|err| failed("wait for", err))? {
                break status;
            }
            end_if_stopped(&mut child, is_stopped(), &asked_to_end);
            std::thread::sleep(LOOK_EVERY);
        };
        let session = words.iter().position(|word| word == "--session").and_then(|at| words.get(at + 1));
        session.into_iter().for_each(|session| self.watch(session));
        let crashed = |_| Failure::new(ErrorCode::Internal, "reading the output of a command failed");
        let (data, talk) = (data.join().map_err(crashed)?, talk.join().map_err(crashed)?);
        lines.try_iter().for_each(|line| tell(&line));
        // Ended by a signal: 128 and its number, as shells say it.
        let by_signal = std::os::unix::process::ExitStatusExt::signal(&status).map(|signal| 128 + signal);
        Ok(CommandRun { data, talk, exit_code: status.code().or(by_signal).unwrap_or(4) })
    }
}

/// A first interrupt lets a command clean up; after a while it is killed, and its guards clean up.
fn end_if_stopped(child: &mut Child, is_stopped: bool, asked: &RefCell<Option<Instant>>) {
    if !is_stopped {
        return;
    }
    let mut asked = asked.borrow_mut();
    match *asked {
        None => {
            // SAFETY: a plain system call; the child has not been waited for, so its number is its own.
            unsafe { libc::kill(child.id() as i32, libc::SIGINT) };
            *asked = Some(Instant::now());
        }
        Some(since) if since.elapsed() > TIME_TO_END => {
            // It has ended by itself if this fails.
            let _ended = child.kill();
        }
        Some(_) => {}
    }
}
