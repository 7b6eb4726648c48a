//! Navigation trees at work: screens told apart and recognised, ways found, trees compared, joined and drawn, and the
//! decisions of exploring.
//!
//! Pure: scenes and trees in, decisions out. Does not know how a page is opened, where a tree is kept or who asks.

mod address;
mod compare;
mod draw;
mod explore;
mod features;
mod harm;
mod likeness;
mod names;
mod recognise;
mod robots;
mod routes;
mod wall;

pub use address::{origin_of, path_of};
pub use compare::{Comparison, Difference, compare, merge};
pub use draw::{mermaid, svg};
pub use explore::{
    Budget, Discoveries, Explorer, LOGGED_IN, LOGGED_OUT, LeftOut, Press, Rules, Seen, Task, joined,
};
pub use features::trimmed;
pub use harm::{Opening, objection};
pub use names::{NoScreen, screen_called, thing_called};
pub use recognise::{Place, Recognition, contradictions, recognise};
pub use robots::Robots;
pub use routes::{Leg, Routes, Step};
