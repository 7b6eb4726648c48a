//! What every test gets: a project in a folder of its own, and a service on a free port whose runs are made up.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use assay_coordinator::{AfterTurn, AgentSessionId, Coordinator, RunOpening, this_process};
use assay_driver::Driver;
use assay_host::{Drivers, HostContext, LivePage, StartCommand, StateFolder, TrustedFolders, state_failure};
use assay_pilot::ComputerToolUse;
use assay_protocol::{
    Action, BrowserSettings, DeviceLock, ErrorCode, Failure, HostInfo, Owner, Reply, RunEvent, RunFact,
    TaskMessage, TaskStatus, UserInterface, Verdict,
};
use assay_provider::transport::HttpTransport;
use assay_server::{
    CallerSessions, LiveCarrier, LiveTest, Role, RunCarrier, RunWork, Seams, ServeOptions, Server,
    TokenStore, role_of,
};
use assay_tools::{CallSpec, CommandRun, DeviceWish, Profile, Program, tools_of};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::client::{self, Answer, Events};

/// The value of a variable that tests use, which nobody is shown.
pub const PASSWORD: &str = "password-of-a-test-user";

/// A folder that goes with its test.
pub struct Home(pub PathBuf);

impl Home {
    pub fn new() -> Home {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("assay-server-{}-{number}", std::process::id()));
        std::fs::create_dir_all(path.join("project/tests")).unwrap();
        let home = Home(path.canonicalize().unwrap());
        home.write("assay.yaml", "suite: Shop\n");
        home.write("tests/login.yaml", "test: Login\ntags: [smoke]\nsteps:\n- Click \"Log in\"\nexpected:\n- The page shows \"Welcome\"\n");
        home
    }

    pub fn project(&self) -> PathBuf {
        self.0.join("project")
    }

    pub fn write(&self, path: &str, text: &str) {
        std::fs::write(self.project().join(path), text).unwrap();
    }

    pub fn tokens(&self) -> TokenStore {
        TokenStore::in_folder(&self.0.join("config"))
    }

    pub fn coordinator(&self) -> Coordinator {
        Coordinator::open(&self.project().join(".assay")).unwrap()
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

struct NoBrowsers;

impl Drivers for NoBrowsers {
    fn names(&self) -> Vec<&str> {
        vec!["chromium"]
    }

    fn default_browser(&self) -> &str {
        "chromium"
    }

    fn driver(&self, _: &BrowserSettings) -> Result<Arc<dyn Driver>, Failure> {
        Err(Failure::new(ErrorCode::BrowserMissing, "there is no browser here"))
    }
}

/// Commands that a test answers itself.
pub struct Commands {
    folder: PathBuf,
}

impl Commands {
    fn take_turn(&self, session: i64, said: &str) -> Result<CommandRun, Failure> {
        let coordinator = Coordinator::open(&self.folder.join(".assay")).map_err(state_failure)?;
        let owner = this_process("a made-up turn").map_err(state_failure)?;
        let begun = coordinator.begin_agent_turn(AgentSessionId(session), &owner, None);
        let (turn, _) = begun.map_err(state_failure)?;
        turn.say(&json!({"step": "request", "text": said})).map_err(state_failure)?;
        let answer = format!("you said: {said}");
        for (kind, words) in [("session_started", ""), ("message", answer.as_str()), ("session_ended", "")] {
            // A turn that dies tells of no end.
            if said == "die" && kind != "session_started" {
                return Ok(CommandRun {
                    data: String::new(),
                    talk: "error: it died".to_string(),
                    exit_code: 4,
                });
            }
            let event = json!({
                "type": kind, "agent": "assistant", "content": words, "timestamp": "2026-11-15T10:48:52.123Z",
            });
            turn.tell(&event).map_err(state_failure)?;
        }
        turn.finish(&AfterTurn::Idle).map_err(state_failure)?;
        Ok(CommandRun { data: String::new(), talk: String::new(), exit_code: 0 })
    }
}

impl Program for Commands {
    fn folder(&self) -> PathBuf {
        self.folder.clone()
    }

    fn temporary(&self) -> PathBuf {
        self.folder.join("..")
    }

    fn act(&self, _: &CallSpec<'_>, _: Action) -> Result<Reply, Failure> {
        Err(Failure::new(ErrorCode::BrowserMissing, "there is no browser here"))
    }

    fn action_of(&self, _: &[String]) -> Option<Action> {
        None
    }

    fn reach_of(&self, words: &[String]) -> Result<Option<&'static str>, Failure> {
        Ok(Some("reaches beyond the project").filter(|_| words[0] != "plan"))
    }

    /// A draft is a test unless it says `broken`. A turn of a conversation says back what was said.
    fn run_command(&self, _: &CallSpec<'_>, words: &[String]) -> Result<CommandRun, Failure> {
        if let [agent, _, session, ..] = words
            && agent == "agent"
        {
            return self.take_turn(session.parse().unwrap(), words.last().unwrap());
        }
        if words[0] == "plan" {
            return Ok(planned(words));
        }
        let draft = words.last().map(PathBuf::from).unwrap_or_default();
        let text = std::fs::read_to_string(&draft).unwrap_or_default();
        let name = draft.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(match text.contains("broken") {
            true => CommandRun {
                data: String::new(),
                talk: format!("error: {name}:1: expected a test"),
                exit_code: 2,
            },
            false => CommandRun {
                data: r#"{"ok": true, "data": {"tests": [{"id": "login"}]}}"#.to_string(),
                talk: String::new(),
                exit_code: 0,
            },
        })
    }

    fn host(&self) -> Result<HostInfo, Failure> {
        Ok(HostInfo {
            host: "local".to_string(),
            machine: "box".to_string(),
            system: "linux".to_string(),
            cores: 2,
            memory_mb: 1024,
            version: "1".to_string(),
            devices: Vec::new(),
        })
    }

    fn take_control(&self, _: &CallSpec<'_>, _: DeviceWish) -> Result<DeviceLock, Failure> {
        Err(Failure::new(ErrorCode::DeviceBusy, "somebody has it"))
    }

    fn check_control(&self, _: &CallSpec<'_>, _: &str) -> Result<(), Failure> {
        Ok(())
    }

    fn release_control(&self, _: &CallSpec<'_>, _: &str) -> Result<DeviceLock, Failure> {
        Err(Failure::new(ErrorCode::Usage, "nobody has it"))
    }

    fn applications(&self) -> Result<Vec<UserInterface>, Failure> {
        Ok(Vec::new())
    }
}

/// A plan asks which user it may log in as, and then has written a file.
fn planned(words: &[String]) -> CommandRun {
    let (exit_code, data) = match words.iter().any(|word| word.starts_with("--answer=user: ")) {
        true => (0, json!({ "files": [{ "file": "tests/shop.yaml" }], "questions": [] })),
        false => {
            let question =
                json!({ "id": "user", "question": "Who logs in?", "why": "a login", "blocking": true });
            (3, json!({ "files": [], "questions": [question] }))
        }
    };
    let data = json!({ "ok": exit_code == 0, "data": data }).to_string();
    CommandRun { data, talk: String::new(), exit_code }
}

/// Tools for clients that speak MCP: each says who calls it.
pub struct SayingTools {
    offered: Vec<assay_mcp::Tool>,
    /// Clients that left.
    pub gone: Mutex<Vec<String>>,
}

impl SayingTools {
    fn new() -> SayingTools {
        let tools =
            tools_of(Profile::All).into_iter().filter(|tool| ["load_testcase", "click"].contains(&tool.name));
        let offered = tools.map(|tool| assay_mcp::Tool {
            name: tool.name.to_string(),
            title: tool.title.to_string(),
            description: tool.description.to_string(),
            input_schema: tool.input.clone(),
            output_schema: None,
            hints: assay_mcp::Hints {
                read_only: tool.effects.reads_only,
                destructive: tool.effects.destroys,
                idempotent: tool.effects.is_idempotent,
                open_world: tool.effects.is_open_world,
            },
            handle: None,
        });
        SayingTools { offered: offered.collect(), gone: Mutex::default() }
    }
}

impl assay_mcp::Service for SayingTools {
    fn about(&self) -> assay_mcp::About {
        assay_mcp::About::new("assay", "assay", "test")
    }

    fn tools(&self) -> &[assay_mcp::Tool] {
        &self.offered
    }

    fn call_tool<'a>(
        &'a self,
        name: &'a str,
        _: serde_json::Map<String, Value>,
        call: &'a assay_mcp::Call,
    ) -> assay_mcp::Reply<'a, Result<assay_mcp::ToolResult, assay_mcp::RequestError>> {
        let caller = call.caller();
        let role = role_of(caller).map(Role::name);
        let said = json!({ "tool": name, "role": role, "client": caller.id.as_str() });
        Box::pin(async move { Ok(assay_mcp::ToolResult::text(said.to_string())) })
    }

    fn caller_gone<'a>(&'a self, caller: &'a assay_mcp::CallerId) -> assay_mcp::Reply<'a, ()> {
        self.gone.lock().unwrap().push(caller.as_str().to_string());
        Box::pin(async {})
    }
}

/// Runs that are made up: they begin when the gate is open, tell of one test, and end when the gate is opened further.
#[derive(Default)]
pub struct Gate {
    open: Mutex<usize>,
    /// Runs do not notice that they are to end.
    is_held: AtomicBool,
    moved: Condvar,
}

impl Gate {
    /// Lets so many more steps happen: a run has two.
    pub fn open(&self, steps: usize) {
        *self.open.lock().unwrap() += steps;
        self.moved.notify_all();
    }

    /// Runs take their time to end, until they are let go.
    pub fn hold(&self, is_held: bool) {
        self.is_held.store(is_held, Ordering::Relaxed);
    }

    /// Waits for a step, unless something else ends it.
    fn pass(&self, is_over: impl Fn() -> bool) -> bool {
        let mut open = self.open.lock().unwrap();
        while *open == 0 {
            if is_over() && !self.is_held.load(Ordering::Relaxed) {
                return false;
            }
            open = self.moved.wait_timeout(open, Duration::from_millis(20)).unwrap().0;
        }
        *open -= 1;
        true
    }
}

pub struct MadeUpRuns {
    folder: PathBuf,
    pub gate: Arc<Gate>,
    is_gone: Arc<dyn Fn() -> bool + Send + Sync>,
}

impl RunCarrier for MadeUpRuns {
    fn check(&self, words: &[String]) -> Result<(), Failure> {
        match words.iter().any(|word| word == "nowhere") {
            true => Err(Failure::new(ErrorCode::Usage, "there is no file `nowhere`")),
            false => Ok(()),
        }
    }

    fn carry_out(&self, work: &RunWork<'_>) -> Result<(), Failure> {
        let coordinator = Coordinator::open(&self.folder.join(".assay")).map_err(state_failure)?;
        if !self.gate.pass(|| (self.is_gone)()) {
            return Ok(());
        }
        let owner = this_process("a made-up run").map_err(state_failure)?;
        let record = |task, what| coordinator.record(task, &RunEvent { at: 1, what }).map_err(state_failure);
        let task = match work.resuming {
            Some(_) => {
                let run = coordinator.run_named(work.name).map_err(state_failure)?;
                coordinator.take_over(run.task, &owner).map_err(state_failure)?.id
            }
            None => {
                let opening = RunOpening {
                    run: work.name.to_string(),
                    suite: "Shop".to_string(),
                    results: self.folder.join("assay-results/runs").join(work.name),
                    order: serde_json::to_value(StartCommand {
                        arguments: work.words.to_vec(),
                        folder: self.folder.clone(),
                    })
                    .unwrap(),
                    owner,
                };
                std::fs::create_dir_all(&opening.results).unwrap();
                std::fs::write(opening.results.join("report.html"), "<h1>report</h1>").unwrap();
                let task = coordinator.begin_run(&opening).map_err(state_failure)?;
                record(task, started(work.name))?;
                task
            }
        };
        (work.note)("a browser is made up");
        let is_told = || coordinator.run(task).is_ok_and(|run| run.status != TaskStatus::Running);
        let is_done = self.gate.pass(|| is_told() || (self.is_gone)());
        if is_done {
            record(task, finished())?;
        } else if !is_told() {
            // As a host does it that is told to end.
            let reason = "made-up runs end so".to_string();
            // The service may have been quicker.
            let _paused = coordinator.handle(TaskMessage::PauseTask { task, reason });
        }
        record(task, RunFact::RunFinished { interrupted: !is_done, duration_ms: 1 })
    }
}

pub fn started(run: &str) -> RunFact {
    RunFact::RunStarted {
        run: run.to_string(),
        suite: "Shop".to_string(),
        workers: 1,
        tests: vec![
            serde_json::from_value(json!({
                "id": "login", "name": "Login", "file": "tests/login.yaml", "browser": "chromium",
            }))
            .unwrap(),
        ],
        strict: false,
    }
}

pub fn finished() -> RunFact {
    RunFact::TestFinished {
        test: "login".to_string(),
        attempt: 1,
        verdict: Verdict::Passed,
        reason: String::new(),
        flaky: false,
        will_retry: false,
        interrupted: false,
        claims_nothing: false,
        last_page: None,
        duration_ms: 1,
    }
}

struct NoSessions;

impl CallerSessions for NoSessions {
    fn session_name(&self, number: u32) -> String {
        format!("test-{number}")
    }

    fn end_session(&self, _: &str) -> Result<(), Failure> {
        Ok(())
    }
}

struct NoLivePages;

impl LiveCarrier for NoLivePages {
    fn open(&self, _: &LiveTest<'_>) -> Result<LivePage, Failure> {
        Err(Failure::new(ErrorCode::BrowserMissing, "there is no browser here"))
    }

    fn open_device(&self, _: &Path, _: &str, _: &str) -> Result<LivePage, Failure> {
        Err(Failure::new(ErrorCode::BrowserMissing, "there is no browser here"))
    }

    fn owner_of(&self, _: &str) -> Result<Owner, Failure> {
        Err(Failure::new(ErrorCode::BrowserMissing, "there is no browser here"))
    }
}

/// A service that ends with its test.
pub struct Running {
    pub address: SocketAddr,
    pub gate: Arc<Gate>,
    log: Arc<Mutex<Vec<String>>>,
    pub mcp: Arc<SayingTools>,
    stop: CancellationToken,
    thread: Option<std::thread::JoinHandle<Result<(), Failure>>>,
}

impl Running {
    pub fn start(home: &Home) -> Running {
        Running::with(home, ServeOptions::default())
    }

    pub fn with(home: &Home, options: ServeOptions) -> Running {
        Running::try_with(home, options).unwrap()
    }

    pub fn try_with(home: &Home, mut options: ServeOptions) -> Result<Running, Failure> {
        options.address.set_port(0);
        let (gate, stop) = (Arc::new(Gate::default()), CancellationToken::new());
        let is_stopped = stop.clone();
        let folder = home.project();
        let runs = MadeUpRuns {
            folder: folder.clone(),
            gate: Arc::clone(&gate),
            is_gone: Arc::new(move || is_stopped.is_cancelled()),
        };
        let log: Arc<Mutex<Vec<String>>> = Arc::default();
        let heard = Arc::clone(&log);
        let mcp = Arc::new(SayingTools::new());
        let seams = Seams {
            context: context_of(home),
            program: Arc::new(Commands { folder: folder.clone() }),
            folder,
            runs: Arc::new(runs),
            sessions: Arc::new(NoSessions),
            mcp: Arc::clone(&mcp) as Arc<dyn assay_mcp::Service>,
            live: Arc::new(NoLivePages),
            model_services: vec!["anthropic".to_string()],
            version: "test",
            log: Arc::new(move |line| {
                eprintln!("{line}");
                heard.lock().unwrap().push(line.to_string());
            }),
        };
        let (sender, bound) = std::sync::mpsc::channel();
        let stopped = stop.clone();
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
            let served = runtime.block_on(async move {
                match Server::bind(seams, options).await {
                    Ok(server) => {
                        sender.send(Ok(server.address())).unwrap();
                        server.serve(stopped).await
                    }
                    Err(failure) => {
                        sender.send(Err(failure)).unwrap();
                        Ok(())
                    }
                }
            });
            runtime.shutdown_timeout(Duration::from_secs(5));
            served
        });
        let address = bound.recv().unwrap()?;
        Ok(Running { address, gate, log, mcp, stop, thread: Some(thread) })
    }

    pub fn ask(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        client::ask(self.address, method, path, headers, body)
    }

    pub fn get(&self, path: &str) -> Value {
        self.ask("GET", path, &[], "").with(200).json()
    }

    pub fn post(&self, path: &str, body: &str) -> Answer {
        self.ask("POST", path, &[], body)
    }

    pub fn follow(&self, path: &str, headers: &[(&str, &str)]) -> Events {
        Events::open(self.address, path, headers)
    }

    /// Asks until the answer is as wanted.
    #[track_caller]
    pub fn wait_for(&self, path: &str, is_it: impl Fn(&Value) -> bool) -> Value {
        let begun = Instant::now();
        loop {
            let answer = self.ask("GET", path, &[], "");
            if answer.status == 200 && is_it(&answer.json()) {
                return answer.json();
            }
            assert!(begun.elapsed() < Duration::from_secs(20), "{}", answer.text());
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// The lines of its log so far.
    pub fn log(&self) -> Vec<String> {
        self.log.lock().unwrap().clone()
    }

    /// Asks it to stop, and does not wait for it.
    pub fn begin_to_stop(&self) {
        self.stop.cancel();
    }

    /// Stops it in order.
    pub fn stop(mut self) {
        self.end();
    }

    fn end(&mut self) {
        self.stop.cancel();
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap().unwrap();
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop.cancel();
        if let Some(thread) = self.thread.take() {
            let _ended = thread.join();
        }
    }
}

fn context_of(home: &Home) -> HostContext {
    HostContext {
        drivers: Arc::new(NoBrowsers),
        transport: Arc::new(HttpTransport::new()),
        computer_tool: ComputerToolUse::Never,
        variables: Arc::new(|name: &str| (name == "PASSWORD").then(|| PASSWORD.to_string())),
        state: StateFolder { named: None, home: Some(home.0.clone()) },
        temporary: home.0.clone(),
        configuration: Some(home.0.join("config")),
        default_model: None,
        trusted: TrustedFolders::default(),
        owner: "ada".to_string(),
    }
}

pub fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap()
}
