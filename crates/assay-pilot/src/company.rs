//! The models that a run can ask, as the company of its tests.

use std::sync::Arc;

use assay_provider::{Budget, Limits, Money, Provider};
use assay_runner::{Company, Guest, GuestTerms, Invited, Steering};

use crate::asking::Asking;
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
    recovery: RecoveryWish,
}

impl Models {
    pub fn new(wiring: Wiring, budget: Budget) -> Models {
        Models { wiring, budget, recovery: RecoveryWish::default() }
    }

    #[must_use]
    pub fn with_recovery(mut self, recovery: RecoveryWish) -> Models {
        self.recovery = recovery;
        self
    }

    /// Those of this test, in the order in which they are asked.
    fn guests(&self, asking: &Asking, terms: &GuestTerms) -> Vec<Box<dyn Guest>> {
        let all: [(&str, Box<dyn Guest>); 1] = [(model::NAME, Box::new(ModelPilot::new(asking.clone())))];
        let is_wanted = |name: &str| match &terms.steering {
            Steering::Ladder => true,
            Steering::GuestOnly(only) => only == name,
            Steering::ReplayOnly | Steering::BuiltinOnly => false,
        };
        all.into_iter().filter(|(name, _)| is_wanted(name)).map(|(_, guest)| guest).collect()
    }
}

impl Company for Models {
    fn invite(&self, terms: &GuestTerms) -> Invited {
        if matches!(terms.steering, Steering::ReplayOnly | Steering::BuiltinOnly) {
            return Invited::default();
        }
        let provider = match &self.wiring {
            Wiring::Model(provider) => Arc::clone(provider),
            Wiring::Absent(why) => return absent(why.clone()),
            Wiring::None => {
                return match &terms.steering {
                    Steering::GuestOnly(name) => {
                        absent(format!("`pilot: {name}` needs a model, and none is named"))
                    }
                    Steering::Ladder | Steering::ReplayOnly | Steering::BuiltinOnly => Invited::default(),
                };
            }
        };
        let limits = Limits {
            money: terms.money.map(Money::dollars),
            calls: terms.turns.map(u64::from),
            tokens: terms.tokens,
        };
        let asking = Asking { provider, budget: self.budget.part(limits) };
        let mut guests = self.guests(&asking, terms);
        guests.extend(self.recovery.guests(&asking, &terms.steering));
        let absent = match &terms.steering {
            Steering::GuestOnly(name) if guests.is_empty() => {
                Some(format!("the pilot `{name}` is not there yet"))
            }
            _ => None,
        };
        Invited { guests, judge: Some(Box::new(ModelJudge::new(asking))), absent }
    }
}

fn absent(why: String) -> Invited {
    Invited { absent: Some(why), ..Invited::default() }
}
