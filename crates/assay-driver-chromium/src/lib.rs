//! Chromium over the DevTools protocol, directly: no driver program in between.
//!
//! `protocol/` follows the specification and knows nothing of assay; the other files
//! map it onto the seam. Knows one browser; decides nothing about elements.

mod browser;
mod driver;
mod emulation;
mod fault;
mod find;
mod frames;
mod input;
mod launch;
mod opening;
mod protocol;
mod refusal;
mod remote;
mod surface;
mod worlds;

pub use driver::ChromiumDriver;
pub use find::missing_packages;
