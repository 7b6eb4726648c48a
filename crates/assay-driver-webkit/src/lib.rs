//! WebKit over its own remote-inspector socket: no driver program in between.
//!
//! `gvariant`, `framing`, `connection` and `protocol` follow WebKit and know nothing of assay; the other files map
//! them onto the seam. Knows one browser; decides nothing about elements.

mod bootstrap;
mod browser;
mod connection;
mod dialogs;
mod documents;
mod downloads;
mod driver;
mod emulation;
mod events;
mod fault;
mod find;
mod frames;
mod framing;
mod gvariant;
mod hand_over;
mod input;
mod launch;
mod navigation;
mod protocol;
mod refusal;
mod surface;
mod window;

pub use driver::WebKitDriver;
pub use find::missing_packages;
pub use launch::Surroundings;
