//! `wait`: until something holds, or the time is up.

use std::time::Duration;

use assay_dom::{Answered, WaitReport, to_element_line};
use assay_driver::DriverError;
use assay_protocol::{Answer, ErrorCode, Failure, WaitFor, WaitState};
use tokio::time::Instant;

use crate::call::Call;
use crate::web::context::{TabHandle, WebContext};
use crate::web::failures::Interrupted;
use crate::web::target::{Pinned, refusal};
use crate::web::timing::MARGIN;
use crate::web::verbs::load;
use crate::web::verbs::look::frames_of;

/// The page script is queried again at least this often, to notice new documents and frames.
const SLICE_MS: u64 = 200;

pub(crate) async fn wait(web: &mut WebContext, until: &WaitFor, call: &Call) -> Result<Answer, Failure> {
    let tab = web.tab()?;
    match until {
        WaitFor::Url { url } => wait_for_url(web, &tab, url, call).await,
        WaitFor::Load => load::wait_for_load(web, &tab, call).await,
        WaitFor::Element { .. } | WaitFor::Text { .. } => wait_for_page(web, &tab, until, call).await,
    }
}

async fn wait_for_url(
    web: &mut WebContext,
    tab: &TabHandle,
    wanted: &str,
    call: &Call,
) -> Result<Answer, Failure> {
    let found = web
        .observer
        .until(call.deadline, |state| match state.tab(&tab.id) {
            Some(known) if url_matches(&known.url, wanted) => Some(Some(known.url.clone())),
            Some(_) => None,
            None => Some(None),
        })
        .await
        .flatten();
    match found {
        Some(_) => Ok(Answer::Waited { element: None }),
        None => {
            let last = web.with_tab(tab, |known| known.url.clone()).unwrap_or_else(|| tab.url.clone());
            Err(Failure::new(
                ErrorCode::Timeout,
                format!("the address did not become `{wanted}`; it is {last}"),
            ))
        }
    }
}

/// A part of the address, or a pattern in which `*` stands for anything.
fn url_matches(url: &str, wanted: &str) -> bool {
    if !wanted.contains('*') {
        return url.contains(wanted);
    }
    let mut rest = url;
    let mut parts = wanted.split('*').peekable();
    let first = parts.next().unwrap_or_default();
    let anchored = first.contains("://");
    if anchored {
        let Some(after) = rest.strip_prefix(first) else { return false };
        rest = after;
    } else {
        let Some(at) = rest.find(first) else { return false };
        rest = &rest[at + first.len()..];
    }
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return part.is_empty() || rest.ends_with(part);
        }
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    true
}

async fn wait_for_page(
    web: &mut WebContext,
    tab: &TabHandle,
    until: &WaitFor,
    call: &Call,
) -> Result<Answer, Failure> {
    let started = Instant::now();
    let absent = matches!(
        until,
        WaitFor::Element { state: WaitState::Hidden | WaitState::Detached, .. }
            | WaitFor::Text { gone: true, .. }
    );
    // The result of a whole round: reported if the last answer of the page comes too late.
    let mut last_seen = None;
    let mut pinned = Pinned::default();
    loop {
        let frames = match until {
            WaitFor::Element { target, .. } => match pinned.get(tab) {
                Some(frame) => vec![frame],
                None => frames_of(web, tab, target, call, !absent).await?,
            },
            WaitFor::Text { .. } | WaitFor::Url { .. } | WaitFor::Load => {
                tab.surface.frames().into_iter().map(|frame| frame.id).collect()
            }
        };
        if let (WaitFor::Element { target, .. }, [frame]) = (until, frames.as_slice()) {
            pinned.put(target, frame);
        }
        // With one frame the page script itself waits; with several, each is queried in turn.
        let left = call.deadline.remaining().saturating_sub(MARGIN).as_millis() as u64;
        let slice = if frames.len() < 2 { SLICE_MS.min(left) } else { 0 };
        let mut held = Vec::new();
        let mut seen = (0, 0);
        for frame in &frames {
            let document = web.document(tab, frame.clone());
            let report: Result<Answered<WaitReport>, Interrupted> = match until {
                WaitFor::Element { target, state } => {
                    let work = document.wait_for_element(target, *state, slice, call.deadline);
                    web.unless_dialog(tab, call.deadline, work).await
                }
                WaitFor::Text { text, gone } => {
                    let work = document.wait_for_text(text, *gone, slice, call.deadline);
                    web.unless_dialog(tab, call.deadline, work).await
                }
                WaitFor::Url { .. } | WaitFor::Load => {
                    return Err(Failure::new(
                        ErrorCode::Internal,
                        "internal: another wait reached the wait for elements",
                    ));
                }
            };
            match report {
                Ok(report) => {
                    web.note_refs(tab, frame, report.next);
                    let report = match (report.outcome, until) {
                        (Ok(report), _) => report,
                        (Err(why), WaitFor::Element { target, .. }) => {
                            return Err(refusal(target, &why, &tab.url));
                        }
                        (Err(why), WaitFor::Text { .. } | WaitFor::Url { .. } | WaitFor::Load) => {
                            let message = format!("the page script answered {why:?}");
                            return Err(Failure::new(ErrorCode::Internal, message));
                        }
                    };
                    seen = (seen.0 + report.found, seen.1 + report.shown);
                    held.push(report);
                }
                // The next document is asked in the next round.
                Err(Interrupted::Driver(DriverError::DocumentGone)) => {}
                Err(interrupted) => {
                    let late = matches!(interrupted, Interrupted::Driver(DriverError::Timeout));
                    return Err(match last_seen {
                        Some(seen) if late => timed_out(until, seen, started.elapsed(), &tab.url),
                        _ => interrupted.into_failure("waiting"),
                    });
                }
            }
        }
        let holds = if absent {
            !held.is_empty() && held.iter().all(|report| report.holds)
        } else {
            held.iter().any(|report| report.holds)
        };
        if holds {
            let element = held.into_iter().find_map(|report| report.element.filter(|_| report.holds));
            return Ok(Answer::Waited { element: element.filter(|_| !absent).as_ref().map(to_element_line) });
        }
        last_seen = Some(seen);
        if call.deadline.remaining() <= MARGIN {
            return Err(timed_out(until, seen, started.elapsed(), &tab.url));
        }
        if slice == 0 || frames.len() > 1 || held.is_empty() {
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
    }
}

fn timed_out(until: &WaitFor, (found, shown): (usize, usize), waited: Duration, url: &str) -> Failure {
    let message = match until {
        WaitFor::Element { target, state } => {
            let last = match (found, shown) {
                (0, _) => "nothing matches it".to_string(),
                (found, 0) => format!("{found} match, none is visible"),
                (_, shown) => format!("{shown} are visible"),
            };
            format!(
                "`{target}` did not become {} on {url}; last seen: {last}",
                format!("{state:?}").to_lowercase()
            )
        }
        WaitFor::Text { text, gone: false } => format!("the text \"{text}\" did not appear on {url}"),
        WaitFor::Text { text, gone: true } => format!("the text \"{text}\" did not go away on {url}"),
        WaitFor::Url { url } => format!("the address did not become `{url}`"),
        WaitFor::Load => load::not_loaded(url),
    };
    Failure::new(ErrorCode::Timeout, message).detail(format!("waited {:.1}s", waited.as_secs_f64()))
}

#[cfg(test)]
mod tests {
    use super::url_matches;

    #[test]
    fn an_address_is_matched_by_a_part_or_a_pattern() {
        assert!(url_matches("http://a/dashboard?x=1", "/dashboard"));
        assert!(url_matches("http://a/users/7/edit", "/users/*/edit"));
        assert!(url_matches("http://a/users/7", "http://*/users/*"));
        assert!(!url_matches("http://a/users/7/edit/x", "/users/*/edit"));
        assert!(!url_matches("http://a/login", "/dashboard"));
        assert!(!url_matches("https://a/x", "http://*"));
    }
}
