//! What comes of a request for another address.
//!
//! WebKit answers such a request before anything has happened; what comes of it is told by events. Knows the
//! order of those events, and nothing else of a page.

use assay_driver::Navigation;
use serde_json::value::RawValue;
use tokio::sync::oneshot;

use crate::protocol::{LoadingEnded, RequestWillBeSent, ResponseReceived, read};

/// A navigation that was asked for and has come to nothing yet.
pub(crate) struct NavigationAttempt {
    url: String,
    /// Where the page was when it was asked.
    from: String,
    request: Option<String>,
    status: Option<u16>,
    /// Why, when the browser said so beforehand.
    refused: Option<String>,
    sender: Option<oneshot::Sender<Navigation>>,
}

impl NavigationAttempt {
    pub fn new(url: String, from: String) -> (NavigationAttempt, oneshot::Receiver<Navigation>) {
        let (sender, receiver) = oneshot::channel();
        (
            NavigationAttempt { url, from, request: None, status: None, refused: None, sender: Some(sender) },
            receiver,
        )
    }

    pub fn is_over(&self) -> bool {
        self.sender.is_none()
    }

    pub fn url(&self) -> &str {
        &self.url
    }

    fn comes_to(&mut self, outcome: Navigation) {
        if let Some(sender) = self.sender.take() {
            let _caller_may_have_left = sender.send(outcome);
        }
    }

    /// The document itself is asked for; a redirect keeps its number.
    pub fn requested(&mut self, request: &str) {
        if self.request.is_none() {
            self.request = Some(request.to_string());
        }
    }

    pub fn answered(&mut self, request: &str, status: u16) {
        if self.request.as_deref() == Some(request) {
            self.status = Some(status);
        }
    }

    /// Another process goes on with it, and tells of it under numbers of its own: to this one it is cancelled.
    pub fn handed_over(&mut self) {
        self.request = None;
        self.status = None;
    }

    /// Words of the browser that explain why nothing will be asked for.
    pub fn refused(&mut self, why: &str) {
        self.refused = Some(why.to_string());
    }

    pub fn failed(&mut self, request: &str, why: &str, cancelled: bool) {
        if self.request.as_deref() != Some(request) {
            return;
        }
        self.ended(why, cancelled);
    }

    fn ended(&mut self, why: &str, cancelled: bool) {
        let outcome = match (cancelled, self.status) {
            (true, Some(204 | 205)) => {
                Navigation::Failed { reason: "the server sent no document".to_string() }
            }
            (true, Some(_)) => Navigation::Download,
            (true, None) | (false, _) => Navigation::Failed { reason: in_words(why) },
        };
        self.comes_to(outcome);
    }

    /// What a process told of the network that never came to show anything.
    pub fn told(&mut self, method: &str, params: &RawValue) -> Option<()> {
        match method {
            "Network.requestWillBeSent" => self.requested(&read::<RequestWillBeSent>(params)?.request_id),
            "Network.responseReceived" => {
                let event: ResponseReceived = read(params)?;
                self.answered(&event.request_id, event.response.status);
            }
            "Network.loadingFailed" => {
                let event: LoadingEnded = read(params)?;
                self.failed(&event.request_id, &event.error_text, event.canceled);
            }
            _ => {}
        }
        Some(())
    }

    /// The process that went on with it is gone.
    pub fn given_up(&mut self) {
        self.ended("the browser cancelled it", true);
    }

    pub fn committed(&mut self, url: &str) {
        // The browser's own page about a failure has this address.
        let instead = url == "about:blank" && self.url != url && self.request.is_none();
        let outcome = match (instead, self.refused.take()) {
            (true, Some(reason)) => Navigation::Failed { reason: in_words(&reason) },
            (true, None) => {
                Navigation::Failed { reason: "the browser does not open this address".to_string() }
            }
            (false, _) => Navigation::NewDocument,
        };
        self.comes_to(outcome);
    }

    /// The browser says that something about the page's address is new, without a new document.
    pub fn moved(&mut self) {
        let page = |url: &str| url.split('#').next().unwrap_or_default().to_string();
        if self.request.is_none() && self.url.contains('#') && page(&self.url) == page(&self.from) {
            self.comes_to(Navigation::SameDocument);
        }
    }
}

fn in_words(why: &str) -> String {
    if why.contains("Connection refused") {
        "nothing listens there (connection refused)".to_string()
    } else if why.contains("Error resolving") {
        "there is no such host".to_string()
    } else if why.contains("restricted network port") {
        "browsers block this port".to_string()
    } else {
        why.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(url: &str, events: impl FnOnce(&mut NavigationAttempt), expected: Option<Navigation>) {
        let (mut attempt, mut receiver) =
            NavigationAttempt::new(url.to_string(), "http://site/list".to_string());
        events(&mut attempt);
        assert_eq!(receiver.try_recv().ok(), expected);
    }

    fn failed(reason: &str) -> Option<Navigation> {
        Some(Navigation::Failed { reason: reason.to_string() })
    }

    #[test]
    fn a_document_that_comes_is_new() {
        let events = |attempt: &mut NavigationAttempt| {
            attempt.requested("7");
            attempt.answered("7", 404);
            attempt.committed("http://site/missing");
        };
        check("http://site/missing", events, Some(Navigation::NewDocument));
        check("about:blank", |attempt| attempt.committed("about:blank"), Some(Navigation::NewDocument));
    }

    #[test]
    fn an_answer_that_is_not_shown_is_a_download() {
        let answered = |status: u16| {
            move |attempt: &mut NavigationAttempt| {
                attempt.requested("7");
                attempt.answered("7", status);
                attempt.failed("7", "Frame load interrupted", true);
            }
        };
        check("http://site/file", answered(200), Some(Navigation::Download));
        check("http://site/file", answered(204), failed("the server sent no document"));
    }

    #[test]
    fn a_failure_says_why() {
        let refused = |attempt: &mut NavigationAttempt| {
            attempt.requested("7");
            attempt.failed("6", "another request", false);
            attempt.failed("7", "Could not connect to 127.0.0.1: Connection refused", false);
        };
        check("http://site:1/", refused, failed("nothing listens there (connection refused)"));
        let port = |attempt: &mut NavigationAttempt| {
            attempt.refused("Not allowed to use restricted network port 9: http://site:9/");
            attempt.committed("about:blank");
        };
        check("http://site:9/", port, failed("browsers block this port"));
    }

    #[test]
    fn what_another_process_goes_on_with_is_not_cancelled() {
        let events = |attempt: &mut NavigationAttempt| {
            attempt.requested("28");
            attempt.handed_over();
            attempt.failed("28", "Load request cancelled", true);
            attempt.requested("7");
            attempt.answered("7", 200);
        };
        let shown = |attempt: &mut NavigationAttempt| {
            events(attempt);
            attempt.committed("http://site/alone");
        };
        check("http://site/alone", shown, Some(Navigation::NewDocument));
        let cut_off = |attempt: &mut NavigationAttempt| {
            events(attempt);
            attempt.failed("7", "The network connection was lost", false);
        };
        check("http://site/alone", cut_off, failed("The network connection was lost"));
    }

    #[test]
    fn only_another_place_in_the_same_page_is_the_same_document() {
        check("http://site/list#two", NavigationAttempt::moved, Some(Navigation::SameDocument));
        // Late news of the page before.
        check("http://site/other", NavigationAttempt::moved, None);
        check("http://site/other#two", NavigationAttempt::moved, None);
    }
}
