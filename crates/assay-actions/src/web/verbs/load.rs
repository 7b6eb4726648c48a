//! `wait --load`: until the page has loaded and is quiet.

use std::time::Duration;

use assay_driver::{Deadline, DriverError};
use assay_protocol::{Answer, ErrorCode, Failure};
use tokio::time::Instant;

use crate::call::Call;
use crate::web::context::{TabHandle, WebContext};
use crate::web::failures::{Interrupted, browser_lost};
use crate::web::timing::MARGIN;

/// A page that has not changed for this long, and awaits nothing, is quiet.
const MOMENT: Duration = Duration::from_millis(300);
/// The page script is queried again at least this often, to notice a new document.
const SLICE: Duration = Duration::from_millis(1000);

/// What is seen of a page that is loading.
struct Loading {
    /// Which of the tab's documents it is.
    generation: u64,
    /// How many requests page code has made since the document came.
    requests: usize,
    /// Those that are open.
    waiting: Vec<String>,
}

/// Waits for the load event, and then until the page is quiet. If that takes longer than the time limit, the answer says
/// what the page was still doing.
pub(super) async fn wait_for_load(
    web: &mut WebContext,
    tab: &TabHandle,
    call: &Call,
) -> Result<Answer, Failure> {
    let started = Instant::now();
    let until = Deadline::after(call.deadline.remaining().saturating_sub(MARGIN));
    loop {
        if !is_loaded(web, tab, until).await? {
            return Err(Failure::new(ErrorCode::Timeout, not_loaded(&tab.url))
                .detail(format!("waited {:.1}s", started.elapsed().as_secs_f64())));
        }
        let Some(before) = loading(web, tab) else { return Err(tab_closed()) };
        let since = web.with_tab(tab, |known| known.document_mark).unwrap_or_default();
        web.wait_for_requests(tab, since, before.generation, until).await;
        let is_calm = is_calm(web, tab, until, call).await?;
        let Some(after) = loading(web, tab) else { return Err(tab_closed()) };
        let is_same = after.generation == before.generation;
        if is_calm && is_same && after.waiting.is_empty() && after.requests == before.requests {
            return Ok(Answer::Loaded { still_busy: Vec::new() });
        }
        if until.is_past() {
            let mut still_busy = after.waiting;
            if still_busy.is_empty() {
                still_busy.push("its content keeps changing".to_string());
            }
            return Ok(Answer::Loaded { still_busy });
        }
    }
}

pub(super) fn not_loaded(url: &str) -> String {
    format!("the page did not finish loading: {url}")
}

/// Waits for the load event of the document, or of the one that is on its way. False if it did not come in time.
async fn is_loaded(web: &WebContext, tab: &TabHandle, until: Deadline) -> Result<bool, Failure> {
    loop {
        let seen = web
            .observer
            .until(until.at_most(SLICE), |state| match state.tab(&tab.id) {
                None if state.gone => Some(Err(browser_lost())),
                None => Some(Err(tab_closed())),
                Some(known) if known.crashed => Some(Err(crashed())),
                // The question to the page tells of the dialog.
                Some(known) if known.dialog.is_some() => Some(Ok(true)),
                Some(known) => (known.loaded && !known.is_navigating()).then_some(Ok(true)),
            })
            .await;
        match seen {
            Some(seen) => return seen,
            None if until.is_past() => return Ok(false),
            // A navigation that was requested and never began is over without an event.
            None => {}
        }
    }
}

fn loading(web: &WebContext, tab: &TabHandle) -> Option<Loading> {
    web.with_tab(tab, |known| Loading {
        generation: known.documents,
        requests: known.fetches_since(known.document_mark),
        waiting: known.awaited_requests(known.document_mark),
    })
}

/// Whether the document stays as it is for a moment.
async fn is_calm(
    web: &mut WebContext,
    tab: &TabHandle,
    until: Deadline,
    call: &Call,
) -> Result<bool, Failure> {
    let patience = until.remaining().min(SLICE);
    let document = web.document(tab, tab.surface.main_frame());
    let calm = document.calm(MOMENT.as_millis() as u64, patience.as_millis() as u64, call.deadline);
    match web.unless_dialog(tab, call.deadline, calm).await {
        Ok(report) => {
            web.note_refs(tab, &tab.surface.main_frame(), report.next);
            Ok(report.holds)
        }
        // Another document is coming.
        Err(Interrupted::Driver(DriverError::DocumentGone)) => {
            tokio::time::sleep(Duration::from_millis(10)).await;
            Ok(false)
        }
        Err(interrupted) => Err(interrupted.into_failure("waiting for the page")),
    }
}

fn tab_closed() -> Failure {
    Failure::new(ErrorCode::TabClosed, "waiting for the page: the tab is closed").hint("assay tabs")
}

fn crashed() -> Failure {
    Failure::new(ErrorCode::PageCrashed, "waiting for the page: the page crashed")
        .hint("assay reload, or assay go ADDRESS")
}
