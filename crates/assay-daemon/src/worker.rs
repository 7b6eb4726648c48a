//! Carries out the requests of a session one after another.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use assay_driver::Deadline;
use assay_protocol::{Action, BrowserSettings, ErrorCode, Failure, Outcome, Reply, Request};
use tokio::sync::{mpsc, oneshot};

use crate::alarm::AlarmBell;
use crate::serve::MayDrive;
use crate::session_browser::{SessionBrowser, call_of, outcome};
use crate::witness::{WitnessSeat, locked};

/// A request on its way through the queue.
pub(crate) struct Job {
    pub request: Request,
    pub action: Action,
    pub deadline: Deadline,
    pub answer: oneshot::Sender<Reply>,
    /// Set by whoever comes first: the worker that begins it, or the deadline that gives it up.
    pub begun: Arc<AtomicBool>,
}

/// Whom the worker asks and tells.
pub(crate) struct Desk {
    pub may_drive: MayDrive,
    pub bell: AlarmBell,
    pub seat: WitnessSeat,
}

/// What control verbs tell without asking the worker, which may be busy.
#[derive(Default)]
pub(crate) struct Board {
    state: Mutex<BoardState>,
}

#[derive(Default, Clone)]
pub(crate) struct BoardState {
    pub busy: Option<String>,
    pub queued: usize,
    pub browser: Option<String>,
    pub browser_pid: Option<u32>,
    pub headless: bool,
    pub tabs: usize,
}

impl Board {
    pub fn state(&self) -> MutexGuard<'_, BoardState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Works until nobody can send requests any more, or no browser can be had: then there is nothing to stay for.
pub(crate) async fn work(
    engine: &mut SessionBrowser,
    jobs: &mut mpsc::UnboundedReceiver<Job>,
    board: &Arc<Board>,
    desk: &Desk,
) {
    let Desk { may_drive, bell, seat } = desk;
    // The browser starts before the first request is read: they overlap.
    let mut first = Some(engine.start().await);
    post(engine, board);
    bell.runs(engine.info().and_then(|info| info.pid));
    while let Some(mut job) = next_job(engine, jobs, bell).await {
        {
            let mut state = board.state();
            state.queued = state.queued.saturating_sub(1);
            state.busy = Some(job.action.verb().to_string());
        }
        // Nothing is begun for a client that has left.
        if job.begun.swap(true, Ordering::AcqRel) || job.answer.is_closed() {
            board.state().busy = None;
            continue;
        }
        if let Err(failure) = may_drive(&job.request.by) {
            board.state().busy = None;
            // A client that left does not read it.
            let _unread = job.answer.send(refused(failure));
            continue;
        }
        bell.used(&job.request.by);
        let started = match first.take() {
            Some(result) => result,
            None => engine.start().await,
        };
        let mut notes = Vec::new();
        let mut failed_to_start = false;
        if let Ok(Some(loss)) = &started {
            notes.extend(browser_lost(seat));
            // Whoever opens a page does not hear of it as a failure.
            bell.failed(&Failure::new(ErrorCode::BrowserLost, loss.clone()), Some(&job.request.by));
        }
        let result = match started {
            Err(failure) => {
                failed_to_start = true;
                Some(Err(failure))
            }
            // Nothing may be read off the empty page of a new browser: "is the error gone?" would be "yes".
            Ok(Some(loss)) if !job.action.brings_its_own_page() => {
                Some(Err(
                    Failure::new(ErrorCode::BrowserLost, loss).hint("open the page again: assay go ADDRESS")
                ))
            }
            Ok(loss) => {
                notes.extend(loss);
                match differing_settings(engine.settings(), &job.request.browser) {
                    Some(failure) => Some(Err(failure)),
                    None => match witnessed(engine, &mut job, seat, &mut notes).await {
                        // The browser was dying unnoticed. To open a page, a new one serves as well.
                        Some(Err(failure))
                            if failure.code == ErrorCode::BrowserLost && job.action.brings_its_own_page() =>
                        {
                            match engine.start().await {
                                Ok(loss) => {
                                    if loss.is_some() {
                                        notes.extend(browser_lost(seat));
                                    }
                                    notes.extend(loss);
                                    witnessed(engine, &mut job, seat, &mut notes).await
                                }
                                Err(failure) => Some(Err(failure)),
                            }
                        }
                        other => other,
                    },
                }
            }
        };
        if let Some(Err(failure)) = &result {
            bell.failed(failure, Some(&job.request.by));
        }
        bell.runs(engine.info().and_then(|info| info.pid));
        notes.extend(engine.take_note());
        post(engine, board);
        board.state().busy = None;
        if let Some(result) = result {
            let reply = Reply { outcome: outcome(result, job.request.format, job.request.budget), notes };
            // A client that left does not read it.
            let _unread = job.answer.send(reply);
        }
        if failed_to_start {
            return;
        }
    }
}

/// The next request. A browser that ends meanwhile is told of at once; the request starts another.
async fn next_job(
    engine: &SessionBrowser,
    jobs: &mut mpsc::UnboundedReceiver<Job>,
    bell: &AlarmBell,
) -> Option<Job> {
    let Some(observer) = engine.observer().filter(|_| engine.is_kept_by_us()) else {
        return jobs.recv().await;
    };
    tokio::select! {
        biased;
        job = jobs.recv() => job,
        () = observer.gone() => {
            bell.failed(&Failure::new(ErrorCode::BrowserLost, "the browser ended while nobody used it"), None);
            jobs.recv().await
        }
    }
}

/// An act that changes the page is put on record before and after, where somebody asked for that.
async fn witnessed(
    engine: &mut SessionBrowser,
    job: &mut Job,
    seat: &WitnessSeat,
    notes: &mut Vec<String>,
) -> Option<Result<assay_protocol::Answer, Failure>> {
    let Some(witness) = seat.who().filter(|_| job.action.changes_the_page() && !job.deadline.is_past())
    else {
        return carry_out(engine, job).await;
    };
    let seen = match engine.perform(&Action::Scene, &call_of(&job.request, job.deadline)).await {
        Ok(assay_protocol::Answer::Scene(scene)) => Some(scene),
        // Behind a dialog nothing is seen; the act itself will say what is wrong with it.
        _ => None,
    };
    if let Err(failure) = locked(&witness).begin(&job.action, seen.as_deref()) {
        return Some(Err(failure));
    }
    let result = carry_out(engine, job).await;
    if let Some(result) = &result {
        notes.extend(locked(&witness).end(&job.action, result));
    }
    result
}

/// What was done for a task was done in a browser that is gone.
fn browser_lost(seat: &WitnessSeat) -> Option<String> {
    seat.leave().map(|witness| locked(&witness).lost())
}

/// None when the client left and nothing needed to be finished.
async fn carry_out(
    engine: &mut SessionBrowser,
    job: &mut Job,
) -> Option<Result<assay_protocol::Answer, Failure>> {
    if job.deadline.is_past() {
        return Some(Err(never_begun()));
    }
    let changes_the_page = job.action.changes_the_page();
    let call = call_of(&job.request, job.deadline);
    // Every part of an act ends at the deadline by itself; this is the last resort.
    let limit = job.deadline.instant() + Duration::from_millis(400);
    tokio::select! {
        result = tokio::time::timeout_at(limit, engine.perform(&job.action, &call)) => Some(match result {
            Ok(result) => result,
            Err(_) if changes_the_page => Err(Failure::new(
                ErrorCode::OutcomeUnknown,
                format!("{} did not finish in time; it may or may not have taken effect", job.action.verb()),
            )
            .hint("assay map shows the page as it is now")),
            Err(_) => Err(Failure::new(
                ErrorCode::NotResponding,
                format!("{} did not finish in time", job.action.verb()),
            )),
        }),
        // Nobody waits for a question any more; an act that has begun is finished.
        () = job.answer.closed(), if !changes_the_page => None,
    }
}

fn differing_settings(running: &BrowserSettings, asked: &BrowserSettings) -> Option<Failure> {
    let differ = |what: &str, is: String, wanted: String| {
        Failure::new(
            ErrorCode::SessionBusy,
            format!("this session's browser already runs with a different {what}: {is}, not {wanted}"),
        )
        .hint("stop it with `assay session stop`, or use another session: --session NAME")
    };
    if asked.engine.is_some() && asked.engine != running.engine {
        let is = running.engine.clone().unwrap_or_else(|| "the default".to_string());
        return Some(differ("engine", is, asked.engine.clone().unwrap_or_default()));
    }
    if let Some(headless) = asked.headless
        && headless != running.headless.unwrap_or(true)
    {
        let word = |headless: bool| if headless { "no window" } else { "a window" }.to_string();
        return Some(differ("window setting", word(!headless), word(headless)));
    }
    if asked.path.is_some() && asked.path != running.path {
        let is = running.path.clone().unwrap_or_else(|| "the system's default".to_string());
        return Some(differ("program", is, asked.path.clone().unwrap_or_default()));
    }
    if asked.connect.is_some() && asked.connect != running.connect {
        let is = running.connect.clone().unwrap_or_else(|| "none".to_string());
        return Some(differ("address", is, asked.connect.clone().unwrap_or_default()));
    }
    None
}

fn post(engine: &SessionBrowser, board: &Board) {
    let info = engine.info();
    let mut state = board.state();
    state.browser = info.as_ref().map(|info| info.name.clone());
    state.browser_pid = info.as_ref().and_then(|info| info.pid);
    state.headless = info.as_ref().is_none_or(|info| info.headless);
    state.tabs = engine.observer().map_or(0, |observer| observer.tab_count());
}

pub(crate) fn never_begun() -> Failure {
    Failure::new(
        ErrorCode::NotResponding,
        "the request was not started in time: the browser was still starting or busy with other requests",
    )
    .hint("assay daemon status shows what it is doing")
}

/// The answer to a request that cannot even be queued.
pub(crate) fn refused(failure: Failure) -> Reply {
    Reply { outcome: Outcome::Failed(failure), notes: Vec::new() }
}
