//! Harbor Tickets: the small web application that assay is shown and tried on.
//!
//! Knows nothing of assay. Everything is kept in memory, and each browser
//! profile has its own tickets, so that tests may run side by side.

mod accounts;
mod app;
mod fields;
mod gallery;
mod page;
mod people;
mod shop;
mod shop_pages;
mod state;
mod users_page;

pub use app::start;
