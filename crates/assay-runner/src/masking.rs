//! All events of a test leave through this module, with secrets masked.
//!
//! Knows nothing about the events it passes on. [`MaskText`] decides what is masked in which event, field by field.

use assay_protocol::{Failure, MaskText, RunFact, Secrets};

use crate::listener::Listener;

/// Passes events on with the secrets of one test masked.
#[derive(Clone, Copy)]
pub(crate) struct MaskingListener<'a> {
    listener: &'a dyn Listener,
    secrets: &'a Secrets,
}

impl<'a> MaskingListener<'a> {
    pub fn new(listener: &'a dyn Listener, secrets: &'a Secrets) -> MaskingListener<'a> {
        MaskingListener { listener, secrets }
    }

    /// Returns when the event is recorded.
    pub fn event(&self, mut fact: RunFact) {
        if !self.secrets.is_empty() {
            fact.mask_text(self.secrets);
        }
        self.listener.event(fact);
    }

    /// Why recording is no longer possible.
    pub fn trouble(&self) -> Option<Failure> {
        self.listener.trouble()
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    #[test]
    fn the_secrets_of_the_test_are_masked_on_the_way_out() {
        let heard = RefCell::new(Vec::new());
        let listener = |fact: RunFact| heard.borrow_mut().push(fact);
        let note =
            |text: &str| RunFact::Note { test: "hush".to_string(), step: None, text: text.to_string() };
        let secrets = Secrets::from_iter(["hush"]);
        MaskingListener::new(&listener, &secrets).event(note("hush, it is a secret"));
        MaskingListener::new(&listener, &Secrets::default()).event(note("hush, it is none"));
        assert_eq!(heard.into_inner(), [note("•••, it is a secret"), note("hush, it is none")]);
    }
}
