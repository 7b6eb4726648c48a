//! The daemon: one socket, one browser, one session name.

use std::os::unix::fs::PermissionsExt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use assay_driver::{Deadline, Driver};
use assay_protocol::{
    Ask, BrowserSettings, Control, DaemonStatus, ErrorCode, Failure, GREETING, Outcome, PROTOCOL_VERSION,
    Reply, Request, RequestedBy,
};
use serde::{Deserialize, Serialize};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::{mpsc, oneshot};

use crate::alarm::{AlarmBell, HearAlarm};
use crate::guard::fork_guard;
use crate::keeper::Keeper;
use crate::reaper::{reap, reap_own};
use crate::session_browser::SessionBrowser;
use crate::session_paths::{SessionPaths, lock_within};
use crate::witness::{CallWitness, WitnessSeat};
use crate::worker::{Board, Desk, Job, never_begun, refused, work};

/// All a daemon is told when it is started.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct DaemonSettings {
    pub place: SessionPaths,
    pub browser: BrowserSettings,
    pub build: String,
    pub idle_seconds: u64,
    /// The process that it ends with, if it belongs to one.
    #[serde(default)]
    pub keeper: Option<Keeper>,
}

/// What a daemon asks and tells its program: who records acts, who may drive, and that the browser failed.
pub struct Callers {
    pub call_witness: CallWitness,
    pub may_drive: MayDrive,
    pub hear_alarm: HearAlarm,
}

/// Refuses requests of callers while somebody else controls the browser of the session.
pub type MayDrive = Box<dyn Fn(&RequestedBy) -> Result<(), Failure> + Send + Sync>;

/// A request line may not be longer.
const LONGEST_REQUEST: u64 = 64 * 1024 * 1024;

/// Runs until it is told to stop, or nobody has asked anything for long. `ready` is called when
/// the socket takes requests.
pub fn serve(
    driver: Arc<dyn Driver>,
    settings: DaemonSettings,
    callers: Callers,
    ready: impl FnOnce(),
) -> Result<(), Failure> {
    let place = settings.place.clone();
    let failed =
        |what: &str, err: std::io::Error| Failure::new(ErrorCode::DaemonFailed, format!("{what}: {err}"));
    let lock = place.open_lock().map_err(|err| failed("could not open the session's lock file", err))?;
    take_lock(&lock)?;
    reap_own(&place);
    reap(&place);
    let mut guard = fork_guard().map_err(|err| failed("could not start the guard", err))?;
    guard.watch_file(&place.socket()).map_err(|err| failed("could not talk to the guard", err))?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|err| failed("could not start the async runtime", err))?;
    let result = runtime.block_on(async {
        // A socket that is left from a crash has no owner: we hold its lock.
        let _removed = std::fs::remove_file(place.socket());
        let listener =
            UnixListener::bind(place.socket()).map_err(|err| failed("could not open the socket", err))?;
        std::fs::set_permissions(place.socket(), std::fs::Permissions::from_mode(0o600))
            .map_err(|err| failed("could not protect the socket", err))?;
        ready();
        let engine =
            SessionBrowser::new(driver, place.clone(), settings.browser.clone(), Arc::new(Mutex::new(guard)));
        run(listener, engine, &settings, callers).await;
        Ok(())
    });
    let _removed = std::fs::remove_file(place.socket());
    drop(lock);
    result
}

/// The guard of a predecessor may still be cleaning up; it holds the same lock.
fn take_lock(lock: &std::fs::File) -> Result<(), Failure> {
    lock_within(Duration::from_secs(5), lock).map_err(|_| {
        Failure::new(ErrorCode::SessionBusy, "another daemon is already running for this session")
    })
}

struct Shared {
    settings: DaemonSettings,
    started: Instant,
    board: Arc<Board>,
    jobs: mpsc::UnboundedSender<Job>,
    stop: mpsc::UnboundedSender<Option<oneshot::Sender<()>>>,
    touched: tokio::sync::Notify,
    call_witness: CallWitness,
    seat: WitnessSeat,
}

async fn run(
    listener: UnixListener,
    mut engine: SessionBrowser,
    settings: &DaemonSettings,
    callers: Callers,
) {
    let Callers { call_witness, may_drive, hear_alarm } = callers;
    let desk = Desk {
        may_drive,
        bell: AlarmBell::new(&settings.place.session, hear_alarm),
        seat: WitnessSeat::default(),
    };
    let (jobs, mut queue) = mpsc::unbounded_channel();
    let (stop, mut stopped) = mpsc::unbounded_channel();
    let board = Arc::new(Board::default());
    board.state().headless = settings.browser.headless.unwrap_or(true);
    let shared = Arc::new(Shared {
        settings: settings.clone(),
        started: Instant::now(),
        board: Arc::clone(&board),
        jobs,
        stop: stop.clone(),
        touched: tokio::sync::Notify::new(),
        call_witness,
        seat: desk.seat.clone(),
    });
    let accepting = tokio::spawn(accept(listener, Arc::clone(&shared)));
    let idle = tokio::spawn(watch_idle(Arc::clone(&shared), Duration::from_secs(settings.idle_seconds)));
    tokio::spawn(watch_signals(stop));
    let waiting = {
        tokio::select! {
            () = work(&mut engine, &mut queue, &board, &desk) => None,
            told = stopped.recv() => told.flatten(),
            () = left_alone(settings.keeper) => None,
        }
    };
    accepting.abort();
    idle.abort();
    // Nobody new is let in; those who wait are told by the end of their connection.
    let _removed = std::fs::remove_file(settings.place.socket());
    queue.close();
    engine.stop().await;
    if let Some(waiting) = waiting {
        engine.forget_refs();
        // The one who asked may have left.
        let _unread = waiting.send(());
    }
    // Let the last answers out.
    tokio::time::sleep(Duration::from_millis(20)).await;
}

/// Ends when the process that the daemon belongs to has ended; never where it belongs to none.
async fn left_alone(keeper: Option<Keeper>) {
    match keeper {
        Some(keeper) => keeper.gone().await,
        None => std::future::pending().await,
    }
}

async fn accept(listener: UnixListener, shared: Arc<Shared>) {
    loop {
        match listener.accept().await {
            Ok((stream, _)) => {
                tokio::spawn(converse(stream, Arc::clone(&shared)));
            }
            // Out of descriptors: those who are here finish first.
            Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
        }
    }
}

async fn watch_idle(shared: Arc<Shared>, limit: Duration) {
    loop {
        let touched = shared.touched.notified();
        if tokio::time::timeout(limit, touched).await.is_ok() {
            continue;
        }
        if shared.board.state().busy.is_none() {
            let _last = shared.stop.send(None);
            return;
        }
    }
}

async fn watch_signals(stop: mpsc::UnboundedSender<Option<oneshot::Sender<()>>>) {
    use tokio::signal::unix::{SignalKind, signal};
    let (Ok(mut terminate), Ok(mut interrupt)) =
        (signal(SignalKind::terminate()), signal(SignalKind::interrupt()))
    else {
        return;
    };
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
    let _last = stop.send(None);
}

/// One client: a request a line, an answer a line, until it leaves.
async fn converse(stream: UnixStream, shared: Arc<Shared>) {
    // The socket is private already; a socket handed around by its owner is still refused to others.
    let same_user = stream.peer_cred().is_ok_and(|peer| {
        // SAFETY: a plain system call.
        peer.uid() == unsafe { libc::geteuid() }
    });
    if !same_user {
        return;
    }
    let (reader, mut writer) = stream.into_split();
    let mut reader = BufReader::new(reader);
    if writer.write_all(GREETING.as_bytes()).await.is_err() {
        return;
    }
    loop {
        let mut line = Vec::new();
        match (&mut reader).take(LONGEST_REQUEST).read_until(b'\n', &mut line).await {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        shared.touched.notify_one();
        let answer = match serde_json::from_slice::<Request>(&line) {
            Ok(request) => {
                // A client that leaves is noticed while its answer is being made.
                tokio::select! {
                    answer = answer(request, &shared) => answer,
                    () = left(&mut reader) => return,
                }
            }
            Err(err) => refused(unreadable(&line, &err)),
        };
        let Ok(mut text) = serde_json::to_vec(&answer) else { return };
        text.push(b'\n');
        if writer.write_all(&text).await.is_err() {
            return;
        }
        shared.touched.notify_one();
    }
}

/// Ends when the client has closed its side. A client that already sent its next request is still there.
async fn left(reader: &mut BufReader<tokio::net::unix::OwnedReadHalf>) {
    match reader.fill_buf().await {
        Ok([]) | Err(_) => {}
        Ok(_) => std::future::pending::<()>().await,
    }
}

/// Another version may have sent it: then the version says so, and nothing was done.
fn unreadable(line: &[u8], err: &serde_json::Error) -> Failure {
    #[derive(Deserialize)]
    struct Versioned {
        version: u32,
    }
    match serde_json::from_slice::<Versioned>(line) {
        Ok(Versioned { version }) if version != PROTOCOL_VERSION => wrong_version(),
        _ => Failure::new(ErrorCode::Usage, format!("expected a request, found something else: {err}")),
    }
}

fn wrong_version() -> Failure {
    Failure::new(ErrorCode::WrongVersion, "the daemon and the client have different versions")
}

async fn answer(request: Request, shared: &Shared) -> Reply {
    match &request.ask {
        // Understood by every version, so that an old daemon can always be stopped.
        Ask::Control(Control::Status) => {
            Reply { outcome: Outcome::Status(status(shared)), notes: Vec::new() }
        }
        Ask::Control(Control::Stop) => {
            let told = status(shared);
            let (done, waiting) = oneshot::channel();
            if shared.stop.send(Some(done)).is_ok() {
                // The sender is dropped when everything is gone: that is as good as an answer.
                let _done = waiting.await;
            }
            Reply { outcome: Outcome::Status(told), notes: Vec::new() }
        }
        Ask::Follow(order) => {
            let called = order.as_ref().map(|order| (shared.call_witness)(order)).transpose();
            match called {
                Ok(witness) => {
                    shared.seat.put(witness);
                    Reply { outcome: Outcome::Status(status(shared)), notes: Vec::new() }
                }
                Err(failure) => refused(failure),
            }
        }
        Ask::Act(_) if request.version != PROTOCOL_VERSION || request.build != shared.settings.build => {
            refused(wrong_version())
        }
        Ask::Act(action) => {
            let action = action.clone();
            let deadline = Deadline::after(Duration::from_millis(request.deadline_ms));
            let (answer, waiting) = oneshot::channel();
            shared.board.state().queued += 1;
            let ending = || {
                refused(
                    Failure::new(ErrorCode::OutcomeUnknown, "the daemon was stopped before it answered")
                        .hint("run the command again if it had no effect"),
                )
            };
            let begun = Arc::new(AtomicBool::new(false));
            let job = Job { request, action, deadline, answer, begun: Arc::clone(&begun) };
            if shared.jobs.send(job).is_err() {
                return ending();
            }
            tokio::pin!(waiting);
            tokio::select! {
                biased;
                reply = &mut waiting => return reply.unwrap_or_else(|_| ending()),
                () = tokio::time::sleep_until(deadline.instant()) => {}
            }
            // Taking the job's place tells the worker to leave it out.
            if !begun.swap(true, Ordering::AcqRel) {
                return refused(never_begun());
            }
            waiting.await.unwrap_or_else(|_| ending())
        }
    }
}

fn status(shared: &Shared) -> DaemonStatus {
    let board = shared.board.state().clone();
    DaemonStatus {
        session: shared.settings.place.session.clone(),
        pid: std::process::id(),
        build: shared.settings.build.clone(),
        browser: board.browser,
        browser_pid: board.browser_pid,
        headless: board.headless,
        tabs: board.tabs,
        uptime_s: shared.started.elapsed().as_secs(),
        busy: board.busy,
        queued: board.queued,
    }
}
