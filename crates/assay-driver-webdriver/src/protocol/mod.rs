//! WebDriver as its specification has it. Knows nothing of assay.

mod address;
mod capabilities;
mod client;
mod trouble;

pub(crate) use address::{Address, BadAddress};
pub(crate) use capabilities::{SessionAnswer, new_session};
pub(crate) use client::{Client, Method};
pub(crate) use trouble::{Code, Trouble};

/// By this key a reference to an element is known.
pub(crate) const ELEMENT_KEY: &str = "element-6066-11e4-a52e-4f735466cecf";
