//! Two builds of an application, compared step by step.
//!
//! A [`Recording`] holds what was seen of one run. [`compare_steps`] finds the points in which two observations of a
//! step differ; [`Noise`] is learnt from runs of one build against itself and leaves out what varies by itself;
//! [`judge`] finds the first divergence of each test from several rounds.
//!
//! Pure: no browser, no files. Does not know how a run is started or how a result is shown.

mod build;
mod compare;
mod effects;
mod finding;
mod judge;
mod noise;
mod page;
mod picture;
mod record;
mod recording;
mod requests;
mod shape;
mod timing;
mod tree;

pub use build::{APP, BuildAddress};
pub use compare::compare_steps;
pub use finding::{Area, Aspect, Change, Finding, Place};
pub use judge::{Round, StepDifference, TestResult, TwinVerdict, judge, learn};
pub use noise::{Noise, NoiseEntry, Varies};
pub use page::{PageNode, PageSeen};
pub use picture::{Album, Pictures};
pub use record::{Recorder, SightParts};
pub use recording::{EffectSeen, PictureSeen, Recording, RequestSeen, Seen, StepSeen, TestSeen};
pub use shape::{PartKind, Piece, Shape};
