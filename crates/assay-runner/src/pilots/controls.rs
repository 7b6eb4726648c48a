//! What a pilot can see and do. Everything it does goes the way of every other command: policy, deadline, journal,
//! pictures, effects, locks; and what a pilot may not do is refused here, whatever it was told to do.

use std::rc::Rc;

use assay_protocol::{Action, Failure, ModelCall, Scene};

use super::refusal::ActionRefusal;
use crate::test_surface::LocalFuture;

/// The page at hand, for one pilot and one step.
pub trait Controls {
    /// Everything that is seen now, with secrets masked. Its refs are those that actions name.
    fn look(&mut self) -> LocalFuture<'_, Result<Rc<Scene>, Failure>>;

    /// A picture of the page as it is now.
    fn picture(&mut self) -> LocalFuture<'_, Result<PageView, Failure>>;

    /// Carries out one action, with the reason that stands in the reports.
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

    /// Where others can attach to the browser at hand, where they may.
    fn endpoint(&self) -> Option<String> {
        None
    }

    /// What the acts of this pilot came to, the last of them last.
    fn effects(&self) -> Vec<String>;

    /// A model is about to be asked again: the turn before is over. It is on record when this returns.
    fn asking(&mut self) -> LocalFuture<'_, ()> {
        Box::pin(async {})
    }

    /// A model was asked. It is on record when this returns.
    fn called(&mut self, call: ModelCall);

    /// What the pilot tells a model whose answer it did nothing about. For the record.
    fn replied(&mut self, _reply: &str) {}

    /// The text with secrets masked.
    fn mask(&self, text: &str) -> String;

    /// Whether a text that a pilot wrote holds a secret, which it was never told. Such a text goes nowhere, not even back
    /// to whoever wrote it.
    fn repeats_a_secret(&self, text: &str) -> bool {
        self.mask(text) != text
    }
}

/// A picture, and how its pixels lie on the page.
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
    /// What came of it, in words; secrets masked.
    pub outcome: String,
    /// Whether anything of the page changed.
    pub changed: bool,
}

/// An action was not carried out, or nobody knows.
#[derive(Debug, Clone, thiserror::Error)]
pub enum NotPerformed {
    /// The page or the browser did not do it.
    #[error("{0}")]
    Failed(Failure),
    /// A pilot may not do this; it may do something else.
    #[error("not allowed: {0}")]
    Refused(ActionRefusal),
    /// The step is over, whatever the pilot says now.
    #[error("the step was stopped: {0}")]
    Stopped(ActionRefusal),
}
