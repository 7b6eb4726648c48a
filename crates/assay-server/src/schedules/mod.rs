//! Schedules: work that begins at a time.

mod ticker;
mod timing;

pub use ticker::{ScheduleNews, keep_time};
pub use timing::{Timing, TimingError};
