//! `assay model`: whether a model can be asked, and which there are.

mod command;

pub use command::{ModelOperation, run};
