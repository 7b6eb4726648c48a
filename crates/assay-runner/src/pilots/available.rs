//! The pilots and judges that are available in a test besides the interpreter.

use std::time::Duration;

use super::judge::Judge;
use super::pilot::Pilot;

/// Provides the pilots of a run, and enforces its budget.
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
    /// Acts of a vision pilot, for one step.
    pub actions: Option<u32>,
    pub tokens: Option<u64>,
    /// In US dollars.
    pub money: Option<f64>,
    /// Safety checks of a provider that do not stop a step, by their codes.
    pub allowed_safety_checks: Vec<String>,
}

/// Who decides what a step does. In every case, the lock of the test comes first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Steering {
    /// The interpreter, then the pilots in their order.
    #[default]
    Ladder,
    /// Only the lock.
    ReplayOnly,
    /// Only the interpreter.
    BuiltinOnly,
    /// This pilot alone. The interpreter still judges claims.
    PilotOnly(String),
}

/// The available pilots and judge.
#[derive(Default)]
pub struct AvailablePilots {
    pub pilots: Vec<Box<dyn Pilot>>,
    pub judge: Option<Box<dyn Judge>>,
    /// Why a requested pilot is not available: `no key for anthropic was found`.
    pub absent: Option<String>,
}

/// No pilots: only the interpreter and the locks.
#[derive(Debug)]
pub struct NoPilots;

impl Pilots for NoPilots {
    fn invite(&self, _: &PilotTerms) -> AvailablePilots {
        AvailablePilots::default()
    }
}
