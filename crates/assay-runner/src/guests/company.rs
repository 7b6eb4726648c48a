//! Who can be asked in a test besides the interpreter.

use std::time::Duration;

use super::guest::Guest;
use super::judge::Judge;

/// Knows the guests that this run can have. What a run may spend is its business.
pub trait Company {
    fn invite(&self, terms: &GuestTerms) -> Invited;
}

/// What a test says about guests.
#[derive(Debug, Clone, Default)]
pub struct GuestTerms {
    pub steering: Steering,
    /// Questions to models, for the whole test.
    pub turns: Option<u32>,
    /// How long a guest may take for one step.
    pub step_time: Option<Duration>,
    /// Acts of a guest that goes by pictures, for one step.
    pub actions: Option<u32>,
    pub tokens: Option<u64>,
    /// In US dollars.
    pub money: Option<f64>,
    /// Safety checks of a provider that do not stop a step, by their codes.
    pub allowed_safety_checks: Vec<String>,
}

/// Who decides what a step does. What the lock of a test has for a step comes first in any case.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Steering {
    /// The interpreter, then the guests in their order.
    #[default]
    Ladder,
    /// What is locked, and nothing else.
    ReplayOnly,
    /// The interpreter, and nobody after it.
    BuiltinOnly,
    /// This guest alone. Claims are the interpreter's all the same.
    GuestOnly(String),
}

/// Those who came.
#[derive(Default)]
pub struct Invited {
    pub guests: Vec<Box<dyn Guest>>,
    pub judge: Option<Box<dyn Judge>>,
    /// Why somebody who was wanted did not come: `no key for anthropic was found`.
    pub absent: Option<String>,
}

/// Nobody: the interpreter and the locks have to do.
#[derive(Debug)]
pub struct NoCompany;

impl Company for NoCompany {
    fn invite(&self, _: &GuestTerms) -> Invited {
        Invited::default()
    }
}
