//! Live pages: a browser that somebody looks at and uses, on which a test is stepped through or recorded.
//!
//! A live page runs on a thread of its own, on the runner's road: [`LivePage`] is its handle for any number of threads.
//! Pictures are taken only while somebody waits for them. Nothing that happens here is put on record but the acts of a goal
//! that was given to the page, and the browser ends
//! with the page: when its owner ends it, when nobody has looked for a while, and with the process.

mod desk;
mod hand;
mod open;
mod page;
mod part;
mod recorder;
mod steps;
mod surface;
mod view;
mod walker;

pub use hand::{HandAct, HandDone, ListChoice};
pub(crate) use open::open_page;
pub use page::{ForeignSurface, LivePage, PageSource};
pub use part::PartDone;
pub use view::{
    Candidate, LiveDialog, LiveElement, LiveLog, LivePicture, LiveStep, LiveTab, LiveUpdate, LiveView,
    PageStatus, Recorded, RecordedKind, StepOutcome,
};
