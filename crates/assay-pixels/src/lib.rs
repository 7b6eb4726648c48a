//! Pictures of pages as pixels: read, scaled, compared, marked, written.
//!
//! Knows colours and places in a picture. Does not know what a page, an element or a model is.

mod difference;
mod font;
mod looks;
mod paint;
mod pixels;
mod regions;
mod scaling;

pub use difference::differing;
pub use looks::{LooksError, alike, looks_at};
pub use paint::Colour;
pub use pixels::{PixelError, Pixels};
pub use regions::{Region, differing_regions};
