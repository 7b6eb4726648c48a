//! Who can be asked in a test besides the interpreter.

use std::time::Duration;

use super::judge::Judge;
use super::pilot::Pilot;

/// Knows the pilots that this run can have. What a run may spend is its business.
pub trait Pilots {
    fn invite(&self, terms: &PilotTerms) -> AvailablePilots;
}

/// What a test says about pilots.
#[derive(Debug, Clone, Default)]
pub struct PilotTerms {
    pub steering: Steering,
    /// Questions to models, for the whole test.
    pub turns: Option<u32>,
    /// How long a pilot may take for one step.
    pub step_time: Option<Duration>,
    /// Acts of a pilot that goes by pictures, for one step.
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
    /// The interpreter, then the pilots in their order.
    #[default]
    Ladder,
    /// What is locked, and nothing else.
    ReplayOnly,
    /// The interpreter, and nobody after it.
    BuiltinOnly,
    /// This pilot alone. Claims are the interpreter's all the same.
    PilotOnly(String),
}

/// Those who came.
#[derive(Default)]
pub struct AvailablePilots {
    pub pilots: Vec<Box<dyn Pilot>>,
    pub judge: Option<Box<dyn Judge>>,
    /// Why somebody who was wanted did not come: `no key for anthropic was found`.
    pub absent: Option<String>,
}

/// Nobody: the interpreter and the locks have to do.
#[derive(Debug)]
pub struct NoPilots;

impl Pilots for NoPilots {
    fn invite(&self, _: &PilotTerms) -> AvailablePilots {
        AvailablePilots::default()
    }
}
