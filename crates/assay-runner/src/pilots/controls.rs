//! The view and the actions of a pilot. Its actions take the same road as every other command: policy, deadline,
//! journal, screenshots, effects, locks. The controls refuse forbidden actions, whatever the pilot was told to do.

use std::rc::Rc;

use assay_protocol::{Action, Failure, ModelCall, Scene};

use super::refusal::ActionRefusal;
use crate::test_surface::LocalFuture;

/// The current page, for one pilot and one step.
pub trait Controls {
    /// Everything that is visible now, with secrets masked. Actions use its refs.
    fn look(&mut self) -> LocalFuture<'_, Result<Rc<Scene>, Failure>>;

    /// A screenshot of the current page.
    fn picture(&mut self) -> LocalFuture<'_, Result<PageView, Failure>>;

    /// Carries out one action, with the reason for the reports.
    ///
    /// A text to be typed is one of the task's values, by its reference ([`NamedValue::reference`]) or letter for letter,
    /// or words of the sentence. An element is named by its ref.
    ///
    /// [`NamedValue::reference`]: super::NamedValue::reference
    fn perform<'a>(
        &'a mut self,
        action: &'a Action,
        because: &'a str,
    ) -> LocalFuture<'a, Result<Performed, NotPerformed>>;

    /// The address at which other programs may attach to the browser, if any.
    fn endpoint(&self) -> Option<String> {
        None
    }

    /// The outcomes of this pilot's acts, latest last.
    fn effects(&self) -> Vec<String>;

    /// A model is about to be asked again, so the previous turn is over. Returns when that is recorded.
    fn asking(&mut self) -> LocalFuture<'_, ()> {
        Box::pin(async {})
    }

    /// A model was asked. Returns when that is recorded.
    fn called(&mut self, call: ModelCall);

    /// The pilot's message to a model whose answer led to no action. For the record.
    fn replied(&mut self, _reply: &str) {}

    /// The text with secrets masked.
    fn mask(&self, text: &str) -> String;

    /// Whether a pilot's text contains a secret, which the pilot never received. Such a text goes nowhere, not even
    /// back to the pilot.
    fn repeats_a_secret(&self, text: &str) -> bool {
        self.mask(text) != text
    }
}

/// A screenshot, and how its pixels map to the page.
#[derive(Debug, Clone)]
pub struct PageView {
    pub png: Vec<u8>,
    /// Width and height of the view, in CSS pixels: what actions count in.
    pub view: [f64; 2],
    /// Pixels of the picture for one of the view.
    pub scale: f64,
}

/// An action was carried out.
#[derive(Debug, Clone)]
pub struct Performed {
    /// Its effect as text, with secrets masked.
    pub outcome: String,
    /// Whether anything of the page changed.
    pub changed: bool,
}

/// An action was not carried out, or its outcome is unknown.
#[derive(Debug, Clone, thiserror::Error)]
pub enum NotPerformed {
    /// The page or the browser did not do it.
    #[error("{0}")]
    Failed(Failure),
    /// A pilot may not do this; it can try something else.
    #[error("not allowed: {0}")]
    Refused(ActionRefusal),
    /// The step is over, whatever the pilot says now.
    #[error("the step was stopped: {0}")]
    Stopped(ActionRefusal),
}
