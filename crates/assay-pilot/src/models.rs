//! The models that a run can ask, as the pilots of its tests.

use std::sync::Arc;

use assay_provider::{Budget, Limits, Money, Provider};
use assay_runner::{AvailablePilots, Pilot, PilotTerms, Pilots, Steering};

use crate::asking::{Asking, Sight};
use crate::computer::{self, ComputerUsePilot};
use crate::grid::{self, GridPilot};
use crate::judge::ModelJudge;
use crate::model::{self, ModelPilot};
use crate::recovery::RecoveryWish;

/// What a run was given to ask.
#[derive(Clone)]
pub enum Wiring {
    /// Nobody named a model.
    None,
    /// A model was named and cannot be asked, for this reason.
    Absent(String),
    Model(Arc<dyn Provider>),
}

/// One model for all tests of a run, and one budget that they share.
pub struct Models {
    wiring: Wiring,
    budget: Budget,
    sight: Sight,
    computer_tool: ComputerToolUse,
    recovery: RecoveryWish,
}

/// Whether the computer tool of a provider is used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ComputerToolUse {
    /// Where the provider has one.
    #[default]
    WhereItIs,
    /// Where the provider has one; that for browsers, where it has one beside the one for computers.
    OfBrowsers,
    /// Never: the grid takes its place.
    Never,
}

impl Models {
    pub fn new(wiring: Wiring, budget: Budget) -> Models {
        Models {
            wiring,
            budget,
            sight: Sight::default(),
            computer_tool: ComputerToolUse::default(),
            recovery: RecoveryWish::default(),
        }
    }

    #[must_use]
    pub fn using(mut self, computer_tool: ComputerToolUse) -> Models {
        self.computer_tool = computer_tool;
        self
    }

    /// The model takes no pictures, so nobody offers it any.
    #[must_use]
    pub fn without_pictures(mut self) -> Models {
        self.sight = Sight::none();
        self
    }

    #[must_use]
    pub fn with_recovery(mut self, recovery: RecoveryWish) -> Models {
        self.recovery = recovery;
        self
    }

    /// Those of this test, in the order in which they are asked.
    fn pilots(&self, asking: &Asking, terms: &PilotTerms) -> Vec<Box<dyn Pilot>> {
        let has_tool = computer::Dialect::of(asking.provider.format()).is_some()
            && self.computer_tool != ComputerToolUse::Never;
        let mut computer_use = ComputerUsePilot::new(asking.clone(), terms);
        match self.computer_tool {
            ComputerToolUse::WhereItIs => {}
            ComputerToolUse::OfBrowsers => computer_use = computer_use.with_tools_of_browsers(),
            ComputerToolUse::Never => {
                computer_use = computer_use.without_tool("the configuration forbids the computer tool");
            }
        }
        // The computer tool takes the grid in its place where it fails for good, so that one of them is enough.
        let on_the_ladder = if has_tool { computer::NAME } else { grid::NAME };
        let all: [(&str, Box<dyn Pilot>); 3] = [
            (model::NAME, Box::new(ModelPilot::new(asking.clone()))),
            (computer::NAME, Box::new(computer_use)),
            (grid::NAME, Box::new(GridPilot::new(asking.clone(), terms))),
        ];
        let is_wanted = |name: &str| match &terms.steering {
            Steering::Ladder => name == model::NAME || name == on_the_ladder,
            Steering::PilotOnly(only) => only == name,
            Steering::ReplayOnly | Steering::BuiltinOnly => false,
        };
        all.into_iter().filter(|(name, _)| is_wanted(name)).map(|(_, pilot)| pilot).collect()
    }
}

impl Pilots for Models {
    fn invite(&self, terms: &PilotTerms) -> AvailablePilots {
        if matches!(terms.steering, Steering::ReplayOnly | Steering::BuiltinOnly) {
            return AvailablePilots::default();
        }
        let provider = match &self.wiring {
            Wiring::Model(provider) => Arc::clone(provider),
            Wiring::Absent(why) => return absent(why.clone()),
            Wiring::None => {
                return match &terms.steering {
                    Steering::PilotOnly(name) => {
                        absent(format!("`pilot: {name}` needs a model, and none is configured"))
                    }
                    Steering::Ladder | Steering::ReplayOnly | Steering::BuiltinOnly => {
                        AvailablePilots::default()
                    }
                };
            }
        };
        let limits = Limits {
            money: terms.money.map(Money::dollars),
            calls: terms.turns.map(u64::from),
            tokens: terms.tokens,
        };
        let asking = Asking { provider, budget: self.budget.part(limits), sight: self.sight.clone() };
        let mut pilots = self.pilots(&asking, terms);
        pilots.extend(self.recovery.pilots(&asking, &terms.steering));
        let absent = match &terms.steering {
            Steering::PilotOnly(name) if pilots.is_empty() => {
                Some(format!("the pilot `{name}` does not exist yet"))
            }
            _ => None,
        };
        AvailablePilots { pilots, judge: Some(Box::new(ModelJudge::new(asking))), absent }
    }
}

fn absent(why: String) -> AvailablePilots {
    AvailablePilots { absent: Some(why), ..AvailablePilots::default() }
}
