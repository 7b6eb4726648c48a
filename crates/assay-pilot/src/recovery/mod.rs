//! Ways out of trouble that need a model: a look at the screen, and a closer look at the page. Both act through the
//! controls like every pilot, and are asked only when nobody else was sure.

mod outside;
mod screen;
mod tree;

use std::rc::Rc;

use assay_runner::{Pilot, Steering};

use crate::asking::Asking;

pub use outside::{Attached, OutsideTool, OutsideTools};
pub use screen::ScreenPilot;
pub use tree::TreePilot;

/// How far a step that nobody is sure of is looked into.
#[derive(Clone)]
pub struct RecoveryWish {
    /// 1: no further; 2: with a picture; 3: with the whole page as well.
    pub tiers: u8,
    /// Who can tell more about a page.
    pub outside: Option<Rc<dyn OutsideTools>>,
}

impl Default for RecoveryWish {
    fn default() -> RecoveryWish {
        RecoveryWish { tiers: 3, outside: None }
    }
}

impl RecoveryWish {
    /// Those who are asked when no pilot was sure. Who fixed the choice gets nobody else.
    pub(crate) fn pilots(&self, asking: &Asking, steering: &Steering) -> Vec<Box<dyn Pilot>> {
        let mut pilots: Vec<Box<dyn Pilot>> = Vec::new();
        if *steering != Steering::Ladder {
            return pilots;
        }
        if self.tiers >= 2 {
            pilots.push(Box::new(ScreenPilot::new(asking.clone())));
        }
        if self.tiers >= 3 {
            pilots.push(Box::new(TreePilot::new(asking.clone(), self.outside.clone())));
        }
        pilots
    }
}
