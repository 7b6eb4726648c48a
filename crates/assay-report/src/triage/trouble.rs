//! Troubles that did not end the test: the way back to the earliest bad state.
//!
//! A button that is missing at step 6 may be missing because a request failed at
//! step 3. So the troubles of all steps up to the decisive one are collected in
//! the order in which they happened, and the rules ask for the earliest of a kind.

use assay_protocol::{CommandRecord, FailedRequest, LastPage};

use crate::test_summary::{AttemptSummary, StepRecord};

use super::case::short;
use super::site::{Site, path};
use super::words;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TroubleKind {
    /// The application answered with a status of 500 or above, or showed an error page.
    ServerBroke,
    /// Something before the application answered in its place: 502, 503, 504.
    ServerAway,
    /// No answer at all.
    Unreachable,
    /// 429, or 451: kept out, whatever was asked for.
    KeptOut,
    /// 403 for a whole page.
    PageForbidden,
    /// 403 for a request of the page: kept out, or no right to it.
    RequestForbidden,
    /// 404 or 410 for a whole page.
    PageMissing,
    /// A script of the page stopped in the middle.
    Exception,
    /// Another request that was answered with an error, or a complaint in the
    /// console: often harmless, and reported only with other evidence.
    Complaint,
}

pub struct Trouble<'a> {
    pub step: &'a StepRecord,
    pub kind: TroubleKind,
    /// "`POST /api/cart` answered 500".
    pub what: String,
}

impl Trouble<'_> {
    /// "`POST /api/cart` answered 500 at step 3".
    pub fn words(&self) -> String {
        format!("{} at {}", self.what, self.step.place_words())
    }
}

/// The troubles up to and with the step, the earliest first; all of them when no step is decisive.
/// An error page whose words the test itself speaks of is what the test is about, and no trouble.
pub fn troubles_of<'a>(
    attempt: &'a AttemptSummary,
    until: Option<&'a StepRecord>,
    test_speaks_of: &dyn Fn(&str) -> bool,
) -> Vec<Trouble<'a>> {
    let site = Site::of(attempt);
    let last = until.and_then(|until| attempt.steps.iter().position(|step| std::ptr::eq(step, until)));
    let steps = &attempt.steps[..last.map_or(attempt.steps.len(), |last| last + 1)];
    let mut troubles = Vec::new();
    for step in steps {
        // A step may try several addresses: only the page at which it stayed counts.
        let stayed = step.commands.iter().rposition(|command| opened_page(command).is_some());
        for (place, command) in step.commands.iter().enumerate() {
            let page = opened_page(command).filter(|_| stayed == Some(place));
            let found = page.and_then(|page| of_page(page, test_speaks_of)).into_iter();
            let found = found.chain(of_command(command, &site));
            troubles.extend(found.map(|(kind, what)| Trouble { step, kind, what }));
        }
    }
    let page = attempt.ending.as_ref().and_then(|ending| ending.last_page.as_ref());
    if let (Some(step), Some(page)) = (until, page) {
        let late = late_exceptions(page, &troubles, &site);
        let late = late.into_iter().map(|line| (TroubleKind::Exception, script_failed(line)));
        let text = of_page_text(&page.text, test_speaks_of);
        troubles.extend(late.chain(text).map(|(kind, what)| Trouble { step, kind, what }));
    }
    troubles
}

/// The line with which a command tells of the page it led to: `Title · address (status 500)`.
fn opened_page(command: &CommandRecord) -> Option<&str> {
    let line = command.outcome.lines().next().filter(|_| command.ok)?;
    (line.contains(" · ") || document_status(line).is_some()).then_some(line)
}

fn of_page(line: &str, test_speaks_of: &dyn Fn(&str) -> bool) -> Option<(TroubleKind, String)> {
    if let Some(status) = document_status(line) {
        return Some((of_document(status)?, format!("the page answered {status}")));
    }
    of_page_text(line.split_once(" · ")?.0, test_speaks_of)
}

fn of_command(command: &CommandRecord, site: &Site) -> Vec<(TroubleKind, String)> {
    let mut found = Vec::new();
    for request in &command.failed_requests {
        found.extend(of_request(request, site));
    }
    for line in &command.console_errors {
        // Browsers repeat each failed request as a line of the console, of strangers too.
        if words::is_exception(line) {
            found.push((TroubleKind::Exception, script_failed(line)));
        } else if !line.to_lowercase().contains("failed to load resource") {
            found.push((TroubleKind::Complaint, format!("the console logged \"{}\"", short(line))));
        }
    }
    found
}

fn script_failed(line: &str) -> String {
    format!("the page's script failed: \"{}\"", short(line))
}

/// Exceptions that came after the act before them was answered. They are of the last page, so they came before the test
/// ended; those of the acts are known already.
fn late_exceptions<'a>(page: &'a LastPage, known: &[Trouble<'_>], site: &Site) -> Vec<&'a str> {
    let is_new = |line: &&str| {
        // The line ends in its place: `TypeError: x is undefined (http://shop.test/app.js:3)`.
        let (words, place) = line.rsplit_once(" (").unwrap_or((line, ""));
        let is_told = known
            .iter()
            .any(|trouble| trouble.kind == TroubleKind::Exception && trouble.what == script_failed(words));
        words::is_exception(words) && !is_told && site.owns(place)
    };
    page.console_errors.iter().map(String::as_str).filter(is_new).collect()
}

fn document_status(opening: &str) -> Option<u16> {
    opening.strip_suffix(')')?.rsplit_once("(status ")?.1.parse().ok()
}

fn of_document(status: u16) -> Option<TroubleKind> {
    match status {
        404 | 410 => Some(TroubleKind::PageMissing),
        403 => Some(TroubleKind::PageForbidden),
        429 | 451 => Some(TroubleKind::KeptOut),
        502..=504 => Some(TroubleKind::ServerAway),
        500.. => Some(TroubleKind::ServerBroke),
        400.. => Some(TroubleKind::Complaint),
        _ => None,
    }
}

fn of_request(request: &FailedRequest, site: &Site) -> Option<(TroubleKind, String)> {
    let place = path(&request.url);
    // What a page asks for its own ease, and what tools of developers listen to.
    let harmless =
        place.ends_with("/favicon.ico") || place.ends_with(".map") || request.url.starts_with("ws");
    if harmless || !site.owns(&request.url) {
        return None;
    }
    let name = format!("`{} {}`", request.method, short(place));
    // `500`, perhaps with words behind it.
    let status =
        request.why.split(|it: char| !it.is_ascii_digit()).next().and_then(|it| it.parse::<u16>().ok());
    match status {
        Some(status) => {
            let kind = match status {
                429 | 451 => TroubleKind::KeptOut,
                403 => TroubleKind::RequestForbidden,
                502..=504 => TroubleKind::ServerAway,
                500..=599 => TroubleKind::ServerBroke,
                _ => TroubleKind::Complaint,
            };
            Some((kind, format!("{name} answered {status}")))
        }
        None if words::is_unreachable(&request.why) => {
            Some((TroubleKind::Unreachable, format!("{name} got no answer ({})", short(&request.why))))
        }
        // Requests are also given up because the next page is on its way.
        None => None,
    }
}

fn of_page_text(text: &str, test_speaks_of: &dyn Fn(&str) -> bool) -> Option<(TroubleKind, String)> {
    let away = words::gateway_page(text).map(|words| (TroubleKind::ServerAway, words));
    let (kind, words) =
        away.or_else(|| words::error_page(text).map(|words| (TroubleKind::ServerBroke, words)))?;
    (!test_speaks_of(words)).then(|| (kind, format!("the page says \"{words}\"")))
}
