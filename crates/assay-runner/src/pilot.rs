//! Who decides the next command for an act.

use assay_language::{Act, Decision, Hints, ground};
use assay_protocol::Scene;

/// What a pilot may know when it decides.
#[derive(Debug)]
pub struct Moment<'a> {
    pub act: &'a Act,
    pub scene: &'a Scene,
    pub hints: &'a Hints,
    /// Why the last try of this act failed, if it did.
    pub failure: Option<&'a str>,
}

/// The runner asks the pilots in order and takes the first that is sure.
pub trait Pilot {
    fn name(&self) -> &'static str;

    /// Owes a decision that is sure, or one that says why there is none: never a guess.
    fn decide(&self, moment: &Moment<'_>) -> Decision;
}

/// The built-in interpreter.
#[derive(Debug)]
pub struct Builtin;

impl Pilot for Builtin {
    fn name(&self) -> &'static str {
        "builtin"
    }

    fn decide(&self, moment: &Moment<'_>) -> Decision {
        ground(moment.act, moment.scene, moment.hints)
    }
}
