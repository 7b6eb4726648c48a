//! Guests: those who may be asked where the interpreter is not sure. The runner owns what they can see and do; it does
//! not know that some of them are language models.

mod cockpit;
mod company;
mod elsewhere;
mod guest;
mod helm;
mod judge;
mod ladder;
mod observed;
mod pressing;
mod raw;
mod refusal;
mod rules;
mod turns;
mod values;
mod verdicts;

pub use cockpit::{Cockpit, Denied, PageView, Performed};
pub use company::{Company, GuestTerms, Invited, NoCompany, Steering};
pub use guest::{Guest, GuestEnd, Left, Recovery, StepTask};
pub use judge::{Evidence, Judge, ModelVerdict, Observation, Ruling, fault_in};
pub use refusal::Refusal;
pub use values::{NamedValue, ValueFrom};

pub(crate) use ladder::Wanted;
pub(crate) use verdicts::PassedByModel;
