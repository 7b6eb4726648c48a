//! The background process that keeps one browser for one session name, and the
//! same work without a background process (oneshot).
//!
//! Knows requests, drivers through the seam, and the file system places that were
//! handed in. Does not read the environment or the command line, and names no
//! concrete driver.

mod engine;
mod gate;
mod guard;
mod hire;
mod house;
mod oneshot;
mod place;
mod pool;
mod reaper;
mod serve;
mod socks;
mod switchboard;
mod witness;
mod worker;

pub use guard::{Guard, fork_guard};
pub use hire::{Agency, Hired, Sharing};
pub use oneshot::run_once;
pub use place::{Place, remove_private_tree};
pub use reaper::{Leftover, find_leftovers, reap};
pub use serve::{Settings, serve};
pub use witness::{CallWitness, Witness};
