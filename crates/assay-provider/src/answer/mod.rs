//! What a model answered, whatever it was asked over.

mod action;
mod item;
mod keys;
mod place;
mod stop;
mod whole;

pub use action::{ComputerAction, ComputerButton, Navigation, PageRead, ScrollBy, TabAct};
pub use item::{CallInput, ComputerCall, FunctionCall, Item, SafetyCheck};
pub use keys::Chord;
pub use place::PointerTarget;
pub use stop::Stop;
pub use whole::{ModelAnswer, Note};
