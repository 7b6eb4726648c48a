//! The changing state of a test: over the whole attempt, and in one step.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::time::{Duration, Instant};

use assay_language::Target;
use assay_protocol::{Action, LockedEntry, Part, Scene, Secrets};

use crate::acting_slots::ActingSlot;
use crate::history::History;
use crate::locking::{ActInProgress, LockCursor, RecordNumbers};
use crate::looks::Looks;
use crate::picture::{LastPicture, PictureUnderWay};
use crate::pilots::{AvailablePilots, PassedByModel};
use crate::proving::{Observed, Trial};
use crate::witness::LastSight;

/// From the first step to the last.
#[derive(Default)]
pub(crate) struct AttemptState {
    /// The page still had open requests when the last command was answered.
    pub busy: bool,
    /// When the last act on the page ended.
    pub acted_at: Option<Instant>,
    /// The last act changed nothing that could be seen.
    pub acted_in_vain: bool,
    /// A precondition led to a screen: the test begins there, and not at the base address.
    pub is_placed: bool,
    /// Claims that held until the page took away what they speak of, and put nothing in its place.
    pub vanished: Vec<String>,
    /// The tab that the last act has opened.
    pub new_tab: Option<String>,
    /// The status of the document that is shown, where it is an error.
    pub error_status: Option<u16>,
    /// Requests of the page that failed because of the last act.
    pub failed_requests: Vec<String>,
    /// Refs that were used to close an obstacle: each at most once per test.
    pub put_aside: BTreeSet<String>,
    /// A command that commits something was begun and has not ended.
    pub committing: Option<String>,
    /// Keys of `selectors` that matched nothing. Each is reported once.
    pub stale: BTreeSet<String>,
    pub history: History,
    pub last_picture: LastPicture,
    pub picture_under_way: Option<PictureUnderWay>,
    pub last_look: Option<Rc<Scene>>,
    /// What a witness saw after the step before.
    pub last_sight: Option<LastSight>,
    /// What the sentence before was about.
    pub mentioned: Option<Target>,
    /// The looks since the last act on the page.
    pub looks: Looks,
    /// The lock of the test, where it has one.
    pub lock: Option<LockCursor>,
    /// The records that the test has made, in the lock and in this run.
    pub records: RecordNumbers,
    /// The entries that this attempt has resolved so far.
    pub resolved: Vec<LockedEntry>,
    /// Something was healed: from then on all effects must be of the recorded kinds.
    pub is_healed: bool,
    /// The fault of this attempt, if any.
    pub trial: Option<Trial>,
    /// The acts and claims, if a proof follows.
    pub observed: Option<Observed>,
    /// The acting slot, if the test may free it as soon as only claims are left.
    pub slot: Option<ActingSlot>,
    /// The pilots for steps that the interpreter is not sure of.
    pub available: AvailablePilots,
    /// What was typed into fields for secrets: pilots and judges do not get it.
    pub typed_secrets: Secrets,
    /// The claims that a judge found true.
    pub passed_by_model: Vec<PassedByModel>,
}

/// One step. Every step gets a new one.
pub(crate) struct StepState {
    /// From 1.
    pub number: usize,
    pub part: Part,
    /// The number of recorded commands.
    pub commands: usize,
    /// How many questions to models it has had.
    pub turns: Cell<usize>,
    /// Acts that are done.
    pub acts_done: usize,
    /// The commands of the current act.
    pub act_in_progress: ActInProgress,
    /// The time that pilots and judges took: it is not the page's, so the step gets it back.
    pub asked_for: Duration,
    /// The pilots were asked about the current act.
    pub was_asked: bool,
    /// The pilot that was asked and has not answered yet.
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
            asked_for: Duration::ZERO,
            was_asked: false,
            waits_for: None,
            last_command: None,
        }
    }
}
