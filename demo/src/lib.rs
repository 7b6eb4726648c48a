//! Harbor Tickets: the small web application that assay is shown and tried on.
//!
//! Knows nothing of assay. Everything is kept in memory, and each browser
//! profile has its own tickets, so that tests may run side by side.

mod app;
mod page;
mod state;

pub use app::start;
