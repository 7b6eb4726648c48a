//! Time limits for waiting for pages.

use std::time::Duration;

/// The default time limit for an existing element to become actionable.
pub(crate) const PATIENCE: Duration = Duration::from_secs(5);
/// The maximum wait for timers of the page after an act.
pub(crate) const TIMER_CAP_MS: u64 = 1100;
/// The maximum wait for requests of the page after an act.
pub(crate) const REQUEST_CAP: Duration = Duration::from_millis(2500);
/// The maximum wait for a loading page; after that, the answer comes without its last parts.
pub(crate) const LOAD_CAP: Duration = Duration::from_secs(15);
/// A missing target may still appear on a page that came within this time and is not at rest.
pub(crate) const YOUNG: Duration = Duration::from_secs(5);
/// The maximum wait for such a target.
pub(crate) const ARRIVING: Duration = Duration::from_secs(2);
/// Waits inside the page end this long before the deadline, so their answer is still in time.
pub(crate) const MARGIN: Duration = Duration::from_millis(80);
pub(crate) const DOWNLOAD_CAP: Duration = Duration::from_secs(3);
/// A browser that follows a link says so within this time, or asks whether the page may be left.
pub(crate) const DEPARTURE_CAP: Duration = Duration::from_secs(3);
/// A link in a frame usually navigates only the frame, and the page does not notice.
pub(crate) const FRAME_DEPARTURE: Duration = Duration::from_millis(250);
