//! What changes while one test is carried out: over the whole attempt, and in one step.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::rc::Rc;

use assay_protocol::{Action, LockedEntry, Part, Scene};

use crate::acting_slots::ActingSlot;
use crate::history::History;
use crate::locking::{ActInProgress, LockCursor};
use crate::looks::Looks;
use crate::picture::{LastPicture, PictureUnderWay};
use crate::pilots::{AvailablePilots, PassedByModel};
use crate::proving::{Observed, Trial};

/// From the first step to the last.
#[derive(Default)]
pub(crate) struct AttemptState {
    /// The page was still asking the network for something when the last command was answered.
    pub busy: bool,
    /// Refs by which something in the way was closed: each once a test.
    pub put_aside: BTreeSet<String>,
    /// A command that commits something was begun and has not ended.
    pub committing: Option<String>,
    /// Keys of `selectors` that matched nothing. Each is reported once.
    pub stale: BTreeSet<String>,
    pub history: History,
    pub last_picture: LastPicture,
    pub picture_under_way: Option<PictureUnderWay>,
    pub last_look: Option<Rc<Scene>>,
    /// What was seen since the page was last acted on.
    pub looks: Looks,
    /// The lock of the test, where it has one.
    pub lock: Option<LockCursor>,
    /// What this attempt resolved so far.
    pub resolved: Vec<LockedEntry>,
    /// Something was healed: from then on all effects must be of the recorded kinds.
    pub is_healed: bool,
    /// What is broken on purpose in this attempt.
    pub trial: Option<Trial>,
    /// What was done and claimed, where somebody wants to break it afterwards.
    pub observed: Option<Observed>,
    /// The place among the acting tests, where it may be given up as soon as only claims are left.
    pub slot: Option<ActingSlot>,
    /// Who is asked where the interpreter is not sure.
    pub available: AvailablePilots,
    /// What a judge found to hold.
    pub passed_by_model: Vec<PassedByModel>,
}

/// One step. Every step gets a new one.
pub(crate) struct StepState {
    /// From 1.
    pub number: usize,
    pub part: Part,
    /// How many commands were put on record.
    pub commands: usize,
    /// How many questions to models it has had.
    pub turns: Cell<usize>,
    /// Acts that are done.
    pub acts_done: usize,
    /// What is being done for the act under way.
    pub act_in_progress: ActInProgress,
    /// Who was asked and has not answered yet.
    pub waits_for: Option<&'static str>,
    /// The action that was carried out last, as the surface got it.
    pub last_command: Option<Action>,
}

impl StepState {
    pub fn new(number: usize, part: Part) -> StepState {
        StepState {
            number,
            part,
            commands: 0,
            turns: Cell::new(0),
            acts_done: 0,
            act_in_progress: ActInProgress::default(),
            waits_for: None,
            last_command: None,
        }
    }
}
