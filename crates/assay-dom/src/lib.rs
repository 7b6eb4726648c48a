//! What runs inside a page (`early.js`, `page/*.js`, `pulse.js`) and its typed Rust side.
//!
//! Knows documents: maps, refs, signatures, selectors, actionability, changes. Does
//! not know which engine runs the script, and decides nothing about waiting longer,
//! trying again or giving up.

mod eager;
mod fault;
mod page;
mod refusal;
mod report;
mod script;

pub use fault::{ElementFault, PageFaults};
pub use page::{ArrivalWait, BeginArguments, Document, Greeting, PageError};
pub use refusal::{Answered, TargetRefusal};
pub use report::{
    AtReport, Begun, CalmReport, ChangeRow, DatePart, Edge, ElementReport, FrameRow, MapReport, NodeRow,
    Offer, PageReport, PointReport, QueryReport, Read, ReadReport, Readiness, SceneReport, ScrollReport,
    SettleReport, SettleStatus, StoreItem, StoreReport, WaitReport, to_candidates, to_changes,
    to_element_line, to_map_nodes, to_scene_nodes,
};
pub use script::{ASLEEP, ASLEEP_ANSWER, LEFT, NOT_THERE, PageScripts, Sleep, page_scripts, random_key};
