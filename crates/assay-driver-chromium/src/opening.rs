//! What comes of the address that a tab is opened at. Nobody answers for it: it is told by what happens to the tab.

use std::time::Duration;

use assay_driver::Navigation;

/// The address of the browser's own page about what did not load.
const ABOUT_FAILURE: &str = "chrome-error:";

#[derive(Default, Clone)]
pub(crate) struct Opening {
    status: Option<u16>,
    failed: Option<String>,
    has_stopped: bool,
    is_file: bool,
    /// The address of its first document.
    document: Option<String>,
}

#[derive(Debug, PartialEq)]
pub(crate) enum Outcome {
    Unknown,
    /// That it is a file instead, or that there is a page about the failure, is told last of all.
    Doubtful(Navigation),
    Known(Navigation),
}

impl Opening {
    /// A file is told of in this time after there was no document.
    pub const DOUBT: Duration = Duration::from_secs(2);

    pub fn answered(&mut self, status: u16) {
        self.status.get_or_insert(status);
    }

    pub fn failed(&mut self, reason: &str) {
        self.failed.get_or_insert_with(|| reason.to_string());
    }

    pub fn stopped(&mut self) {
        self.has_stopped = true;
    }

    pub fn became_file(&mut self) {
        self.is_file = true;
    }

    /// The empty document that every tab begins with is none that an address leads to.
    pub fn arrived(&mut self, url: &str) {
        if !matches!(url, "" | ":" | "about:blank") {
            self.document.get_or_insert_with(|| url.to_string());
        }
    }

    pub fn has_document(&self) -> bool {
        self.document.is_some()
    }

    pub fn outcome(&self) -> Outcome {
        let failed = || Navigation::Failed {
            reason: self.failed.clone().unwrap_or_else(|| "net::ERR_FAILED".to_string()),
        };
        match &self.document {
            Some(url) if url.starts_with(ABOUT_FAILURE) => Outcome::Known(failed()),
            Some(_) => Outcome::Known(Navigation::NewDocument),
            None if self.is_file => Outcome::Known(Navigation::Download),
            None if self.has_stopped && self.failed.is_some() => match self.status {
                Some(204 | 205) => Outcome::Known(failed()),
                _ => Outcome::Doubtful(failed()),
            },
            None => Outcome::Unknown,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failed(reason: &str) -> Navigation {
        Navigation::Failed { reason: reason.to_string() }
    }

    #[test]
    fn a_document_is_an_arrival_whatever_fails_in_it_later() {
        let mut opening = Opening::default();
        opening.arrived("about:blank");
        opening.answered(200);
        assert_eq!(opening.outcome(), Outcome::Unknown);
        opening.arrived("http://shop.test/");
        opening.failed("net::ERR_CONNECTION_REFUSED");
        opening.stopped();
        assert_eq!(opening.outcome(), Outcome::Known(Navigation::NewDocument));
    }

    #[test]
    fn the_browsers_page_about_a_failure_is_no_arrival() {
        let mut opening = Opening::default();
        opening.failed("net::ERR_CONNECTION_REFUSED");
        assert_eq!(opening.outcome(), Outcome::Unknown);
        opening.arrived("chrome-error://chromewebdata/");
        assert_eq!(opening.outcome(), Outcome::Known(failed("net::ERR_CONNECTION_REFUSED")));
    }

    #[test]
    fn what_led_to_no_document_may_still_be_a_file() {
        let mut opening = Opening::default();
        opening.answered(200);
        opening.failed("net::ERR_ABORTED");
        opening.stopped();
        assert_eq!(opening.outcome(), Outcome::Doubtful(failed("net::ERR_ABORTED")));
        opening.became_file();
        assert_eq!(opening.outcome(), Outcome::Known(Navigation::Download));
    }

    #[test]
    fn an_answer_without_content_is_no_file() {
        let mut opening = Opening::default();
        opening.answered(204);
        opening.failed("net::ERR_ABORTED");
        opening.stopped();
        assert_eq!(opening.outcome(), Outcome::Known(failed("net::ERR_ABORTED")));
    }
}
