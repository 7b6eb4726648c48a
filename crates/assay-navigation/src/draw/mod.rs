//! Trees as pictures.

mod layers;
mod mermaid;
mod svg;

pub use mermaid::mermaid;
pub use svg::svg;
