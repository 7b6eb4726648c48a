//! What assay's tests are run against: a small HTTP server, a site of pages that
//! are hard to automate on purpose, the conformance suite of all browsers, and
//! stand-ins for the servers of models.
//!
//! Knows HTTP and HTML, and the command line only as words that are typed. Uses
//! no other crate of assay, so that a test and the product cannot share a mistake.

pub mod conformance;
pub mod corpora;
mod flows;
pub mod models;
mod multipart;
mod params;
mod request;
mod response;
pub mod schema;
mod server;
mod site;
pub mod traps;

pub use multipart::Upload;
pub use params::{Params, percent_encode};
pub use request::Request;
pub use response::{Ending, Response, json_string};
pub use server::Server;
pub use site::{FixturePage, fixture_pages, fixture_site, watched_fixture_site};
