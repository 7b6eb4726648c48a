//! The part of the DevTools protocol that is in use, as its specification names it.

mod events;
mod replies;

pub(crate) use events::*;
pub(crate) use replies::*;
