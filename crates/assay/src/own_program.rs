//! This program as the one that carries tools out: actions go to the daemons of sessions, commands to processes of their
//! own.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeSet, HashMap};
use std::io::{BufRead, BufReader, Read};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use assay_client::{Client, IsStopped, ask_running};
use assay_coordinator::{ControlWish, this_process};
use assay_daemon::{Guard, Keeper};
use assay_host::{applications, session_device, session_of_device, state_failure};
use assay_protocol::{
    Action, Ask, Control, DeviceLock, ErrorCode, Failure, Format, GuestLimits, HostInfo, LockPriority,
    Outcome, PROTOCOL_VERSION, Reply, Request, RequestedBy, UserInterface,
};
use assay_tools::{CallSpec, CommandRun, DeviceWish, Program};
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;

use crate::command::{Command, Invocation};
use crate::connect::runtime_folder;
use crate::device::TakeOrder;
use crate::environment::{Environment, build, this_program};
use crate::guest_lines::{self, Reach};
use crate::{daemon, device, host};

/// How long a command may take to end after it was asked to.
const TIME_TO_END: Duration = Duration::from_secs(20);
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// Control of a client's own session lasts as long as the server, however long the client thinks.
const AS_LONG_AS_WE_LIVE: Duration = Duration::from_secs(7 * 24 * 3600);

pub struct OwnProgram {
    invocation: Invocation,
    environment: Environment,
    /// What belongs to guests, if callers are guests.
    guests: Option<Mutex<Guests>>,
    /// The folder for pictures, once it was made.
    pictures: OnceLock<String>,
    /// The model of a conversation, for commands that ask one.
    model: Option<String>,
    /// Whether the user trusts our folder, and when that was read.
    trust: Mutex<Option<(Instant, bool)>>,
    /// Its callers only look after browsers: failures that they meet are no alerts.
    is_caretaker: bool,
}

/// How long what was read of the trusted folders counts: a client may act a hundred times a second.
const TRUST_COUNTS: Duration = Duration::from_secs(1);

/// What a server keeps for its clients.
struct Guests {
    watch: Watch,
    /// The device that a client drives instead of its own browser, by its session.
    driven: HashMap<String, Driven>,
    /// Connections between requests, by the sessions that they lead to.
    idle: HashMap<String, Connected>,
    /// Sessions that end sooner than others when nobody uses them, and after how many seconds.
    brief: HashMap<String, u64>,
}

/// A connection to a session, and the watch over it that the runtime keeps from one act to the next.
struct Connected {
    client: Client,
    watched: Option<AsyncFd<OwnedFd>>,
}

/// A device that a client took.
#[derive(Clone)]
struct Driven {
    device: String,
    session: String,
    /// The browser to open there; as it is, for a session of somebody else.
    browser: Option<String>,
    /// Somebody else controls it, and lets the client act there.
    is_lent: bool,
}

/// A request, and the invocation that would start its session.
struct Prepared {
    invocation: Invocation,
    request: Request,
}

/// An act that a daemon was asked for.
pub struct BegunAct {
    connected: Connected,
    prepared: Prepared,
    caller: String,
}

/// So many tokens of a log answer one call.
const LONGEST_LOG: usize = 400;

impl BegunAct {
    /// Waits without a thread of its own until the reply is there: most of the time of a short act would be spent on
    /// waking it. What cannot be watched, and a daemon that stays silent, is found out by reading.
    pub async fn replied(&mut self) {
        let time = Duration::from_millis(self.prepared.request.deadline_ms);
        if self.connected.watched.is_none() {
            let own =
                self.connected.client.reply_source().and_then(|source| source.try_clone_to_owned().ok());
            self.connected.watched = own.and_then(|own| {
                // SAFETY: the watch owns the descriptor, so it is open and the same for as long as it is watched.
                unsafe { AsyncFd::register_with_interest(own, Interest::READABLE) }.ok()
            });
        }
        let Some(watched) = &self.connected.watched else { return };
        let has_come = async {
            // Readiness may be left from the reply before.
            while let Ok(mut ready) = watched.readable().await {
                if ready.try_io(|source| has_bytes(source.as_fd())).is_ok() {
                    return;
                }
            }
        };
        let _silent = tokio::time::timeout(time, has_come).await;
    }
}

/// Whether something can be read, or the other side is gone; an error while it is neither.
fn has_bytes(source: BorrowedFd<'_>) -> std::io::Result<()> {
    let mut byte = 0_u8;
    let flags = libc::MSG_PEEK | libc::MSG_DONTWAIT;
    // SAFETY: the byte is ours, and the kernel writes no more than that one.
    let read = unsafe { libc::recv(source.as_raw_fd(), (&raw mut byte).cast(), 1, flags) };
    if read < 0 { Err(std::io::Error::last_os_error()) } else { Ok(()) }
}

impl OwnProgram {
    /// For the user at a terminal.
    pub fn of_user(invocation: &Invocation, environment: &Environment) -> OwnProgram {
        OwnProgram {
            invocation: invocation.clone(),
            environment: environment.clone(),
            guests: None,
            pictures: OnceLock::new(),
            model: None,
            trust: Mutex::default(),
            is_caretaker: false,
        }
    }

    /// For clients of a server. Their browsers end with this process.
    pub fn of_guests(invocation: &Invocation, environment: &Environment, guard: Guard) -> OwnProgram {
        let watch = Watch { guard, daemons: HashMap::new() };
        let guests = Guests { watch, driven: HashMap::new(), idle: HashMap::new(), brief: HashMap::new() };
        // Without it, the watch begins when the first act is done.
        let mut environment = environment.clone();
        environment.keeper = Keeper::this_process().ok();
        OwnProgram { guests: Some(Mutex::new(guests)), ..OwnProgram::of_user(invocation, &environment) }
    }

    /// Commands of tools may ask this model.
    #[must_use]
    pub fn with_model(mut self, model: String) -> OwnProgram {
        self.model = Some(model);
        self
    }

    /// A caller of ours controls the device of an open session, and lets this client act there: under the caller's name, and
    /// without giving control back.
    pub fn act_on_lent(&self, owner: &str, device: &str, session: &str) {
        let driven =
            Driven { device: device.to_string(), session: session.to_string(), browser: None, is_lent: true };
        if let Some(mut guests) = self.guests() {
            guests.driven.insert(owner.to_string(), driven);
        }
    }

    /// For an agent that looks at browsers because they failed.
    pub fn of_caretaker(invocation: &Invocation, environment: &Environment, guard: Guard) -> OwnProgram {
        OwnProgram { is_caretaker: true, ..OwnProgram::of_guests(invocation, environment, guard) }
    }

    fn guests(&self) -> Option<MutexGuard<'_, Guests>> {
        self.guests.as_ref().map(|guests| guests.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Ends a client's own browsers, and gives back what it controls.
    pub fn end_session(&self, session: &str) -> Result<(), Failure> {
        let driven = self.guests().and_then(|mut guests| {
            guests.brief.remove(session);
            guests.driven.remove(session)
        });
        // A lock that has ended already keeps nothing from ending.
        let let_go = driven.map(|driven| self.let_go(session, &driven));
        self.stop_session(session, session)?;
        self.sweep(session);
        let_go.transpose().map(drop).or_else(|failure| match failure.code {
            ErrorCode::Usage | ErrorCode::DeviceBusy => Ok(()),
            _ => Err(failure),
        })
    }

    /// A client for one request to a session. Requests at the same time have connections of their own.
    fn client(&self, session: &str) -> Result<Client, Failure> {
        if let Some(kept) = self.guests().and_then(|mut guests| guests.idle.remove(session)) {
            return Ok(kept.client);
        }
        Ok(Client::new(runtime_folder(&self.environment)?.socket(session)?))
    }

    /// Asks for an act without waiting for what comes of it, where a connection to the session is open. Otherwise nothing
    /// is asked.
    pub fn begin_act(&self, spec: &CallSpec<'_>, action: Action) -> Option<BegunAct> {
        let session = self.driven_by(spec.session).session;
        let mut connected = self.guests()?.idle.remove(&session)?;
        let prepared = self.prepare(spec, action).ok()?;
        connected.client.begin(&prepared.request).then(|| BegunAct {
            connected,
            prepared,
            caller: spec.session.to_string(),
        })
    }

    /// The reply to an act that was asked for.
    pub fn finish_act(&self, begun: BegunAct) -> Result<Reply, Failure> {
        let BegunAct { mut connected, prepared, caller } = begun;
        match connected.client.finish(&prepared.request)? {
            Some(reply) => {
                self.keep(&prepared.invocation.session, connected);
                Ok(reply)
            }
            None => self.ask(connected.client, &prepared, &caller, None),
        }
    }

    fn keep(&self, session: &str, connected: Connected) {
        if let Some(mut guests) = self.guests() {
            guests.idle.insert(session.to_string(), connected);
        }
    }

    fn prepare(&self, spec: &CallSpec<'_>, action: Action) -> Result<Prepared, Failure> {
        let Driven { session, browser, .. } = self.driven_by(spec.session);
        let mut invocation = Invocation { session, ..self.invocation.clone() };
        if let Some(engine) = browser {
            invocation.browser.path =
                self.environment.program(crate::engines::engine(Some(&engine))?).map(str::to_string);
            invocation.browser.engine = Some(engine);
        }
        // Logs grow as long as a page is open; a guest gets the newest lines.
        let is_log = matches!(action, Action::Network { .. } | Action::Console { .. });
        let most = (is_log && self.guests.is_some()).then_some(LONGEST_LOG);
        let request = Request {
            version: PROTOCOL_VERSION,
            build: build(),
            deadline_ms: action.entry().time_ms,
            ask: Ask::Act(action),
            wait: false,
            budget: invocation.budget.or(most),
            format: Format::Text,
            browser: invocation.browser.clone(),
            allow: invocation.allow.clone(),
            by: self.requested_by(spec),
        };
        Ok(Prepared { invocation, request })
    }

    /// Asks the session, which is started if there is none.
    fn ask(
        &self,
        mut client: Client,
        prepared: &Prepared,
        caller: &str,
        is_stopped: IsStopped<'_>,
    ) -> Result<Reply, Failure> {
        let Prepared { invocation, request } = prepared;
        let session = &invocation.session;
        let started = Cell::new(false);
        let start = || {
            started.set(true);
            let environment = self.environment_of(caller);
            daemon::start(invocation, &environment, &runtime_folder(&environment)?)?;
            // The lock comes before the first act, so the daemon refuses everyone else.
            if self.guests.is_some() { self.keep_to_itself(caller, session) } else { Ok(()) }
        };
        let reply = client.ask_until(request, &start, is_stopped);
        if started.get() {
            self.watch(session);
        }
        self.keep(session, Connected { client, watched: None });
        reply
    }

    /// Asks an open session for data, in the name of a session of a client. Nothing is started: a session that has ended
    /// has no page.
    pub fn ask_session(
        &self,
        caller: &str,
        session: &str,
        action: Action,
        time: Duration,
    ) -> Result<Reply, Failure> {
        let agreed = assay_protocol::Agreed::Everything;
        let spec = CallSpec { session: caller, agreed: &agreed, tell: &|_| {}, is_stopped: &|| false };
        let invocation = Invocation { session: session.to_string(), ..self.invocation.clone() };
        let request = Request {
            version: PROTOCOL_VERSION,
            build: build(),
            deadline_ms: time.as_millis().max(200) as u64,
            ask: Ask::Act(action),
            wait: false,
            budget: None,
            format: Format::Json,
            browser: invocation.browser.clone(),
            allow: invocation.allow.clone(),
            by: self.requested_by(&spec),
        };
        let over = || -> Result<(), Failure> {
            Err(Failure::new(ErrorCode::BrowserLost, format!("the session `{session}` has ended")))
        };
        let mut client = self.client(session)?;
        let reply = client.ask(&request, &over)?;
        self.keep(session, Connected { client, watched: None });
        Ok(reply)
    }

    /// From now on the browsers of a client's session end after so many seconds without a call.
    pub fn ends_when_idle(&self, session: &str, seconds: u64) {
        if let Some(mut guests) = self.guests() {
            guests.brief.insert(session.to_string(), seconds);
        }
    }

    /// The environment of what is started for a client's session.
    fn environment_of(&self, session: &str) -> Environment {
        let brief = self.guests().and_then(|guests| guests.brief.get(session).copied());
        let mut environment = self.environment.clone();
        environment.idle_seconds = environment.idle_seconds.min(brief.unwrap_or(u64::MAX));
        environment
    }

    fn stop_session(&self, owner: &str, session: &str) -> Result<(), Failure> {
        let socket = runtime_folder(&self.environment)?.socket(session)?;
        ask_running(&socket, Control::Stop, Duration::from_secs(10))?;
        if let Some(mut guests) = self.guests() {
            guests.watch.over(session, None);
            guests.idle.remove(session);
        }
        // It ends with this process anyway.
        let _released = device::control(&self.environment)?.release(&session_device(session), owner, false);
        Ok(())
    }

    /// Ends control of a device, and the session that was opened for it.
    fn let_go(&self, owner: &str, driven: &Driven) -> Result<DeviceLock, Failure> {
        if driven.is_lent {
            let message = format!("`{}` is only lent: whoever lent it gives it back", driven.device);
            return Err(Failure::new(ErrorCode::DeviceBusy, message));
        }
        if driven.browser.is_some() {
            self.stop_session(owner, &driven.session)?;
        }
        device::control(&self.environment)?.release(&driven.device, owner, false)
    }

    /// What a client drives now: its own session, or the device that it took.
    fn driven_by(&self, session: &str) -> Driven {
        let driven = self.guests().and_then(|guests| guests.driven.get(session).cloned());
        driven.unwrap_or_else(|| Driven {
            device: session_device(session),
            session: session.to_string(),
            browser: None,
            is_lent: false,
        })
    }

    /// Has the daemon of a session ended with us, should we be killed.
    fn watch(&self, session: &str) {
        if self.guests.is_none() {
            return;
        }
        let status = runtime_folder(&self.environment)
            .and_then(|folder| folder.socket(session))
            .and_then(|socket| ask_running(&socket, Control::Status, Duration::from_secs(5)));
        if let (Ok(Some(Reply { outcome: Outcome::Status(status), .. })), Some(mut guests)) =
            (status, self.guests())
        {
            guests.watch.over(session, Some(status.pid));
        }
    }

    /// Nobody else drives the browser of a client.
    fn keep_to_itself(&self, owner: &str, session: &str) -> Result<(), Failure> {
        let wish = ControlWish {
            device: session_device(session),
            owner: owner.to_string(),
            purpose: "a client of the MCP server".to_string(),
            priority: LockPriority::Normal,
            period: AS_LONG_AS_WE_LIVE,
            process: Some(this_process("assay mcp").map_err(state_failure)?),
        };
        device::control(&self.environment)?.take(&wish, None, &|| false).map(drop)
    }

    fn is_trusted(&self, folder: &Path) -> bool {
        let mut known = self.trust.lock().unwrap_or_else(PoisonError::into_inner);
        match *known {
            Some((at, is_trusted)) if at.elapsed() < TRUST_COUNTS => is_trusted,
            _ => {
                let is_trusted = host::trusted(&self.environment).contains(folder);
                *known = Some((Instant::now(), is_trusted));
                is_trusted
            }
        }
    }

    /// Guests are their sessions; a user has a name.
    fn requested_by(&self, spec: &CallSpec<'_>) -> RequestedBy {
        if self.guests.is_none() {
            return self.environment.requested_by();
        }
        let folder = self.folder();
        let limits = GuestLimits {
            agreed: spec.agreed.clone(),
            is_trusted: self.is_trusted(&folder),
            folder: folder.display().to_string(),
            pictures: self.pictures.get_or_init(|| self.temporary().display().to_string()).clone(),
        };
        let driven = self.driven_by(spec.session);
        let controls = (driven.session != spec.session).then_some(driven.device);
        let project = (!self.is_caretaker).then(|| folder.display().to_string());
        RequestedBy { owner: spec.session.to_string(), controls, guest: Some(limits), project }
    }

    /// The same limits for a command in a process of its own.
    fn variables_for(&self, spec: &CallSpec<'_>) -> Vec<(&'static str, String)> {
        if self.guests.is_none() {
            // A command of the user works where this program would.
            let engine = self.invocation.browser.engine.clone();
            let session = ("ASSAY_SESSION", self.invocation.session.clone());
            return std::iter::once(session).chain(engine.map(|engine| ("ASSAY_BROWSER", engine))).collect();
        }
        let Driven { session, browser, .. } = self.driven_by(spec.session);
        let guest = serde_json::to_string(&self.requested_by(spec)).unwrap_or_default();
        let mut variables = vec![
            ("ASSAY_OWNER", spec.session.to_string()),
            ("ASSAY_GUEST", guest),
            ("ASSAY_SESSION", session),
        ];
        let Environment { keeper, idle_seconds, .. } = self.environment_of(spec.session);
        variables.push(("ASSAY_IDLE", idle_seconds.to_string()));
        variables.extend(keeper.map(|keeper| ("ASSAY_KEEPER", keeper.to_string())));
        variables.extend(browser.map(|browser| ("ASSAY_BROWSER", browser)));
        variables.extend(self.model.clone().map(|model| ("DEFAULT_MODEL", model)));
        variables
    }

    /// Refuses a guest the browsers of others.
    fn check_reach(&self, device: &str) -> Result<(), Failure> {
        let is_of_other = session_of_device(device).is_some_and(|name| name.starts_with("mcp-"));
        if self.guests.is_some() && is_of_other {
            let message = format!("`{device}` belongs to a client of an MCP server");
            return Err(Failure::new(ErrorCode::BlockedByPolicy, message));
        }
        Ok(())
    }

    /// Removes what an ended session of a client left. Its downloads stay.
    fn sweep(&self, session: &str) {
        let Ok(folder) = runtime_folder(&self.environment) else { return };
        for ending in ["log", "lock"] {
            // What cannot be removed is small.
            let _gone = std::fs::remove_file(folder.path().join(format!("{session}.{ending}")));
        }
        let _kept_if_full = std::fs::remove_dir(folder.path().join("downloads").join(session));
    }

    /// Removes what servers that were killed have left.
    pub fn sweep_the_dead(&self) {
        let Ok(folder) = runtime_folder(&self.environment) else { return };
        let entries = std::fs::read_dir(folder.path()).into_iter().flatten().flatten();
        let dead: BTreeSet<String> = entries
            .filter_map(|entry| {
                let name = entry.file_name().to_string_lossy().into_owned();
                let session = name.strip_suffix(".log")?.to_string();
                let numbers = session.strip_prefix("mcp-").or_else(|| session.strip_prefix("agent-"))?;
                let pid: u32 = numbers.split('-').next()?.parse().ok()?;
                let is_dead = !PathBuf::from(format!("/proc/{pid}")).exists();
                (is_dead && !folder.path().join(format!("{session}.sock")).exists()).then_some(session)
            })
            .collect();
        dead.iter().for_each(|session| self.sweep(session));
        let pictures = std::fs::read_dir(folder.path().join("pictures")).into_iter().flatten().flatten();
        for picture in pictures {
            let name = picture.file_name().to_string_lossy().into_owned();
            let pid = name.strip_prefix("assay-screenshot-").and_then(|rest| rest.split('-').next());
            if pid.is_some_and(|pid| !PathBuf::from(format!("/proc/{pid}")).exists()) {
                let _gone = std::fs::remove_file(picture.path());
            }
        }
    }
}

/// The daemons that end with this process, by their sessions.
struct Watch {
    guard: Guard,
    daemons: HashMap<String, u32>,
}

impl Watch {
    fn knows(&self, session: &str) -> bool {
        self.daemons.contains_key(session)
    }

    /// The daemon of a session is this one now, or none.
    fn over(&mut self, session: &str, pid: Option<u32>) {
        let before = self.daemons.get(session).copied();
        if before == pid {
            return;
        }
        // If the guard is gone, each daemon still stops when it is idle.
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

    /// A folder of our own: guests may not use other files there.
    fn temporary(&self) -> PathBuf {
        let folder = runtime_folder(&self.environment).map(|folder| folder.path().join("pictures"));
        match folder {
            Ok(folder) if std::fs::create_dir_all(&folder).is_ok() => folder,
            _ => self.environment.temporary.clone(),
        }
    }

    fn act(&self, spec: &CallSpec<'_>, action: Action) -> Result<Reply, Failure> {
        let prepared = self.prepare(spec, action)?;
        let client = self.client(&prepared.invocation.session)?;
        self.ask(client, &prepared, spec.session, Some(spec.is_stopped))
    }

    fn run_command(&self, spec: &CallSpec<'_>, words: &[String]) -> Result<CommandRun, Failure> {
        let driven = self.driven_by(spec.session);
        let is_own = driven.browser.is_some() || driven.session == spec.session;
        if self.guests.is_some() {
            let folder = self.folder();
            let is_trusted = host::trusted(&self.environment).contains(&folder);
            guest_lines::check_files(words, &self.environment, &folder, is_trusted)?;
            if is_own && self.guests().is_some_and(|guests| !guests.watch.knows(&driven.session)) {
                self.keep_to_itself(spec.session, &driven.session)?;
            }
        }
        let failed = |what: &str, err: std::io::Error| {
            Failure::new(ErrorCode::Io, format!("could not {what} assay {}: {err}", words.join(" ")))
        };
        let mut command = this_program().map_err(|err| failed("find", err))?;
        command
            .args(words)
            .env("NO_COLOR", "1")
            .envs(self.variables_for(spec))
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
                (spec.tell)(&line);
            }
            if let Some(status) = child.try_wait().map_err(|err| failed("wait for", err))? {
                break status;
            }
            end_if_stopped(&mut child, (spec.is_stopped)(), &asked_to_end);
            std::thread::sleep(LOOK_EVERY);
        };
        // The browser of a user does not end with a client that borrowed it.
        if is_own {
            self.watch(&driven.session);
        }
        let crashed = |_| Failure::new(ErrorCode::Internal, "reading the output of a command failed");
        let (data, talk) = (data.join().map_err(crashed)?, talk.join().map_err(crashed)?);
        lines.try_iter().for_each(|line| (spec.tell)(&line));
        // Ended by a signal: 128 and its number, as shells say it.
        let by_signal = std::os::unix::process::ExitStatusExt::signal(&status).map(|signal| 128 + signal);
        Ok(CommandRun { data, talk, exit_code: status.code().or(by_signal).unwrap_or(4) })
    }

    fn host(&self) -> Result<HostInfo, Failure> {
        device::local_host(&self.environment)
    }

    fn take_control(&self, spec: &CallSpec<'_>, wish: DeviceWish) -> Result<DeviceLock, Failure> {
        let is_guest = self.guests.is_some();
        self.check_reach(&wish.device)?;
        let owner = if is_guest { spec.session } else { &self.environment.owner };
        let process = if is_guest { Some(this_process("assay mcp").map_err(state_failure)?) } else { None };
        let order = TakeOrder {
            device: wish.device,
            owner: Some(owner.to_string()),
            period: wish.period,
            wait: wish.wait,
            priority: wish.priority,
            purpose: wish.purpose,
        };
        let lock = device::take(&order, process, &self.environment, spec.is_stopped)?;
        let driven = match session_of_device(&order.device) {
            Some(session) => Driven {
                device: order.device.clone(),
                session: session.to_string(),
                browser: None,
                is_lent: false,
            },
            None => Driven {
                session: format!("{}-{}", spec.session, order.device),
                browser: Some(order.device.clone()),
                device: order.device.clone(),
                is_lent: false,
            },
        };
        let before =
            self.guests().and_then(|mut guests| guests.driven.insert(spec.session.to_string(), driven));
        // One device at a time. A lock that has ended already is no trouble.
        if let Some(before) = before.filter(|before| before.device != order.device) {
            let _over = self.let_go(spec.session, &before);
        }
        Ok(lock)
    }

    fn check_control(&self, spec: &CallSpec<'_>, device: &str) -> Result<(), Failure> {
        self.check_reach(device)?;
        device::check_there(device, &self.environment)?;
        let owner = if self.guests.is_some() { spec.session } else { &self.environment.owner };
        device::control(&self.environment)?.check(&[device], owner)
    }

    fn release_control(&self, spec: &CallSpec<'_>, device: &str) -> Result<DeviceLock, Failure> {
        if self.guests.is_none() {
            return device::control(&self.environment)?.release(device, &self.environment.owner, false);
        }
        let driven = self.driven_by(spec.session);
        if driven.device != device || driven.session == spec.session {
            // Says who controls it, if anybody does.
            return device::control(&self.environment)?.release(device, spec.session, false);
        }
        let lock = self.let_go(spec.session, &driven)?;
        if let Some(mut guests) = self.guests() {
            guests.driven.remove(spec.session);
        }
        Ok(lock)
    }

    fn action_of(&self, words: &[String]) -> Option<Action> {
        let plain = crate::argv::parse(&["title".to_string()], &self.environment).ok()?;
        let invocation = crate::argv::parse(words, &self.environment).ok()?;
        let is_plain = invocation.format == plain.format
            && invocation.wait == plain.wait
            && invocation.budget == plain.budget
            && invocation.browser == plain.browser
            && invocation.allow == plain.allow;
        match invocation.command {
            Command::Act(action) if is_plain => Some(action),
            _ => None,
        }
    }

    fn reach_of(&self, words: &[String]) -> Result<Option<&'static str>, Failure> {
        match &self.guests {
            None => Ok(None),
            Some(_) => Ok(match guest_lines::reach_of(words, &self.environment)? {
                Reach::Usual => None,
                Reach::Beyond(what) => Some(what),
            }),
        }
    }

    fn applications(&self) -> Result<Vec<UserInterface>, Failure> {
        let folder = host::here()?;
        Ok(applications(&host::context(&self.environment)?, &folder))
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
