//! How long pages are waited for.

use std::time::Duration;

/// How long an element that is there may take to become actionable when nothing else was asked.
pub(crate) const PATIENCE: Duration = Duration::from_secs(5);
/// Timers of the page that are awaited after an act, at most.
pub(crate) const TIMER_CAP_MS: u64 = 1100;
/// Requests of the page that are awaited after an act, at most.
pub(crate) const REQUEST_CAP: Duration = Duration::from_millis(2500);
/// A page that is loading is awaited so long before its answer is given without its last parts.
pub(crate) const LOAD_CAP: Duration = Duration::from_secs(15);
/// Waits inside the page end so long before the deadline, so that their answer is still in time.
pub(crate) const MARGIN: Duration = Duration::from_millis(80);
pub(crate) const DOWNLOAD_CAP: Duration = Duration::from_secs(3);
/// A browser that follows a link says so within this time, or asks whether the page may be left.
pub(crate) const DEPARTURE_CAP: Duration = Duration::from_secs(3);
/// A link in a frame mostly leads the frame on, and of that the page is not told.
pub(crate) const FRAME_DEPARTURE: Duration = Duration::from_millis(250);
