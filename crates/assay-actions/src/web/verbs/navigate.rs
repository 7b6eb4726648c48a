//! `go`, `back`, `forward`, `reload`.

use std::time::Duration;

use assay_dom::Greeting;
use assay_driver::{Deadline, DriverError, Navigation};
use assay_protocol::{Answer, Effect, ErrorCode, Failure};

use crate::call::Call;
use crate::web::context::{TabHandle, WebContext};
use crate::web::failures::{Interrupted, dialog_open, from_driver};
use crate::web::verbs::effect_answer;

pub(crate) async fn go(web: &mut WebContext, address: &str, call: &Call) -> Result<Answer, Failure> {
    let url = call.policy.check(address)?;
    let first = if web.awaits_tab() && is_of_the_web(&url) {
        web.first_tab_at(&url, call.deadline).await?
    } else {
        None
    };
    let (tab, navigated) = match first {
        Some(tab) => {
            let opened = tab.surface.opening(call.deadline);
            let opened = web.unless_dialog(&tab, call.deadline, opened).await;
            (tab, opened)
        }
        None => {
            web.have_tab(call.deadline).await?;
            let tab = tab_to_leave(web).await?;
            let led = tab.surface.navigate(url.clone(), call.deadline);
            let led = web.unless_dialog(&tab, call.deadline, led).await;
            (tab, led)
        }
    };
    let doing = format!("opening {url}");
    match navigated {
        Ok(Navigation::NewDocument) => wait_for_document(web, &tab, call).await,
        Ok(Navigation::SameDocument) => {}
        Ok(Navigation::Download) => {
            let effect = web.gather(&tab, None, Vec::new(), Vec::new(), call.deadline).await;
            return Ok(effect_answer(effect));
        }
        Ok(Navigation::Failed { reason }) => {
            // The browser's error page replaces the old one; until then the tab accepts no commands.
            let moment = Call { deadline: call.deadline.at_most(Duration::from_secs(1)), ..call.clone() };
            wait_for_document(web, &tab, &moment).await;
            return Err(could_not_load(&url, &reason));
        }
        Err(Interrupted::Dialog(dialog)) => return Err(dialog_open(&dialog)),
        Err(Interrupted::Driver(DriverError::Timeout)) => {
            give_up(&tab).await;
            return Err(Failure::new(ErrorCode::NotResponding, format!("{url} did not respond in time"))
                .hint("--timeout MS waits longer"));
        }
        Err(Interrupted::Driver(err)) => return Err(from_driver(err, &doing)),
    }
    arrival(web, &tab, call).await
}

/// Whether an address is certainly a web address. All others are opened from an empty page, where the browser reports
/// what is wrong with them.
fn is_of_the_web(url: &str) -> bool {
    let Some(rest) = url.strip_prefix("http://").or_else(|| url.strip_prefix("https://")) else {
        return false;
    };
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let (host, port) = authority.split_once(':').unwrap_or((authority, "80"));
    let is_plain = |label: &str| {
        !label.is_empty() && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    let is_number = |label: &str| label.bytes().all(|byte| byte.is_ascii_digit());
    let labels: Vec<&str> = host.split('.').collect();
    // A host that ends like a number is read as one of the four that make an address.
    let ends_like_number =
        labels.last().is_some_and(|last| last.starts_with(|first: char| first.is_ascii_digit()));
    let is_name = labels.iter().all(|label| is_plain(label)) && !ends_like_number;
    (is_name || host.parse::<std::net::Ipv4Addr>().is_ok()) && is_number(port) && port.parse::<u16>().is_ok()
}

pub(crate) async fn step(web: &mut WebContext, delta: i32, call: &Call) -> Result<Answer, Failure> {
    let tab = tab_to_leave(web).await?;
    let moved = web.unless_dialog(&tab, call.deadline, tab.surface.go_in_history(delta, call.deadline)).await;
    if !moved.map_err(|interrupted| interrupted.into_failure("stepping through the history"))? {
        let way = if delta < 0 { "before" } else { "after" };
        return Err(Failure::new(
            ErrorCode::NotFound,
            format!("there is no page {way} this one in the history"),
        ));
    }
    wait_for_change(web, &tab, call).await?;
    arrival(web, &tab, call).await
}

pub(crate) async fn reload(web: &mut WebContext, call: &Call) -> Result<Answer, Failure> {
    let tab = tab_to_leave(web).await?;
    let reloaded = web.unless_dialog(&tab, call.deadline, tab.surface.reload(call.deadline)).await;
    reloaded.map_err(|interrupted| interrupted.into_failure("reloading"))?;
    wait_for_change(web, &tab, call).await?;
    arrival(web, &tab, call).await
}

/// A page that crashed or is stuck can be left; an open dialog must be answered first.
async fn tab_to_leave(web: &mut WebContext) -> Result<TabHandle, Failure> {
    let tab = web.any_tab()?;
    match web.with_tab(&tab, |known| known.dialog.clone()).flatten() {
        Some(dialog) => Err(dialog_open(&dialog)),
        None => {
            web.observer.forget_crash(&tab.id);
            web.unstick(&tab).await;
            Ok(tab)
        }
    }
}

/// The reply to a navigation may come before the events that tell of the new document.
async fn wait_for_document(web: &WebContext, tab: &TabHandle, call: &Call) {
    web.observer
        .until(call.deadline, |state| match state.tab(&tab.id) {
            None => Some(()),
            Some(known) => (known.documents > tab.mark.documents || known.dialog.is_some()).then_some(()),
        })
        .await;
}

/// History and reload answer before anything happens: the new document or the new address follows.
async fn wait_for_change(web: &WebContext, tab: &TabHandle, call: &Call) -> Result<(), Failure> {
    let changed = web
        .observer
        .until(call.deadline, |state| match state.tab(&tab.id) {
            None => Some(()),
            Some(known) => (known.documents > tab.mark.documents
                || known.moves > tab.mark.moves
                || known.dialog.is_some()
                || known.crashed)
                .then_some(()),
        })
        .await;
    if changed.is_some() {
        return Ok(());
    }
    give_up(tab).await;
    Err(Failure::new(ErrorCode::NotResponding, "the page did not respond in time")
        .hint("--timeout MS waits longer"))
}

/// Stops the navigation, so that no page arrives after the answer.
async fn give_up(tab: &TabHandle) {
    let soon = Deadline::after(Duration::from_millis(200));
    // If the browser does not even answer this, there is nothing to stop.
    let _as_good_as_possible = tab.surface.stop_loading(soon).await;
}

async fn arrival(web: &mut WebContext, tab: &TabHandle, call: &Call) -> Result<Answer, Failure> {
    // The answer has the title, and headings repeat it, so drop them. Keep alerts and messages.
    let Some(arrival) = web.arrive(tab, Greeting::Messages, call.deadline).await? else {
        let effect = web.gather(tab, None, Vec::new(), Vec::new(), call.deadline).await;
        return Ok(effect_answer(effect));
    };
    let mut effect = web.gather(tab, Some(arrival.page), arrival.changes, arrival.busy, call.deadline).await;
    effect.changes.retain(|change| change.role != "heading");
    if let Some(page) = &effect.page {
        let own = page.url.clone();
        effect.failed_requests.retain(|failed| failed.url != own);
    }
    // The answer to `go` shows the whole address.
    Ok(effect_answer(Effect { from: None, ..effect }))
}

fn could_not_load(url: &str, reason: &str) -> Failure {
    let words = in_words(reason);
    let code = if is_unreachable(reason) { ErrorCode::Unreachable } else { ErrorCode::NavigationFailed };
    let failure = Failure::new(code, format!("{url} did not load: {words}"));
    if words.contains("connection refused") { failure.hint("is the server running?") } else { failure }
}

/// Whether nothing answered at all, in the words of each engine.
fn is_unreachable(reason: &str) -> bool {
    const WORDS: &[&str] = &[
        "CONNECTION_REFUSED",
        "NAME_NOT_RESOLVED",
        "UNKNOWN_HOST",
        "NET_OFFLINE",
        "ADDRESS_UNREACHABLE",
        "INTERNET_DISCONNECTED",
        "CONNECTION_TIMED_OUT",
        "NET_TIMEOUT",
        "COULD NOT CONNECT",
        "CONNECTION REFUSED",
        "ERROR RESOLVING",
        "NETWORK IS UNREACHABLE",
        // In the words for a connection that a gate could not make.
        "SOCKS_CONNECTION",
        "PROXY_CONNECTION_REFUSED",
    ];
    let reason = reason.to_uppercase();
    WORDS.iter().any(|word| reason.contains(word))
}

fn in_words(reason: &str) -> String {
    let words = match reason {
        "net::ERR_CONNECTION_REFUSED" => "nothing listens there (connection refused)",
        "net::ERR_NAME_NOT_RESOLVED" => "there is no such host",
        "net::ERR_INTERNET_DISCONNECTED" => "there is no network",
        "net::ERR_CONNECTION_RESET" => "the server broke the connection",
        "net::ERR_UNSAFE_PORT" => "browsers block this port",
        "net::ERR_EMPTY_RESPONSE" => "the server sent nothing",
        "net::ERR_ABORTED" => "the load was aborted (a download, or another page took over)",
        other => return other.to_string(),
    };
    words.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_surely_an_address_of_the_web_is_taken_for_one() {
        for url in [
            "http://localhost/",
            "http://localhost:8080/login?next=/#top",
            "https://shop.example.com",
            "http://127.0.0.1:39959/",
            "http://shop-2.test:443?x",
        ] {
            assert!(is_of_the_web(url), "{url}");
        }
        for url in [
            "file:///etc/hostname",
            "about:blank",
            "http://",
            "http://[",
            "http://[::1]/",
            "http://localhost:80800/",
            "http://localhost:/",
            "http://1.2.3.999/",
            "http://1.2.3/",
            "http://shop.0x7f/",
            "http://ada:secret@shop.test/",
            "http://sh op.test/",
            "http://shop..test/",
            "http://b\u{fc}cher.test/",
        ] {
            assert!(!is_of_the_web(url), "{url}");
        }
    }
}
