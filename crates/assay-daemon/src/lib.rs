//! The background process that keeps one browser for one session name, and the
//! same work without a background process (oneshot).
//!
//! Knows requests, drivers through the seam, and the file system places that were
//! handed in. Does not read the environment or the command line, and names no
//! concrete driver.

mod alarm;
mod gate;
mod guard;
mod keeper;
mod lending;
mod oneshot;
mod owned_browser;
mod owned_group;
mod pool;
mod reaper;
mod serve;
mod session_browser;
mod session_paths;
mod socks;
mod switchboard;
mod witness;
mod worker;

pub use alarm::{BrowserAlarm, HearAlarm};
pub use guard::{GUARD_ARGUMENT, Guard, fork_guard, stand_guard};
pub use keeper::Keeper;
pub use lending::{BrowserLease, BrowserLender, Sharing};
pub use oneshot::run_once;
pub use owned_group::OwnedGroup;
pub use reaper::{Leftover, find_leftovers};
pub use serve::{Callers, DaemonSettings, MayDrive, serve};
pub use session_paths::{SessionPaths, lock_soon};
pub use witness::{CallWitness, Witness};
