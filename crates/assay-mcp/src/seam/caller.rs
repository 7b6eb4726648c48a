//! Who is asking.

use std::fmt;

/// The client behind a request.
#[derive(Debug, Clone)]
pub struct Caller {
    pub id: CallerId,
    /// Who sent the request, as far as the door has checked that.
    pub principal: String,
    /// As the client calls itself; empty if it does not say.
    pub name: String,
    pub version: String,
    pub era: Era,
    pub abilities: Abilities,
    /// Whether this id stands for one client until [`Service::caller_gone`](super::Service::caller_gone). It does not
    /// for stateless requests over HTTP: all of them share one id, so whatever lasts needs a handle of its own.
    pub lasts: bool,
}

/// Tells clients apart. It is no secret: it opens nothing.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CallerId(String);

impl CallerId {
    pub(crate) fn new(id: impl Into<String>) -> CallerId {
        CallerId(id.into())
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for CallerId {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(&self.0)
    }
}

/// The two ways in which the protocol is spoken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Era {
    /// 2025-11-25 and before: with a handshake, and with requests from the server.
    Legacy,
    /// 2026-07-28: every request stands alone.
    Modern,
}

/// What a client can be asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ability {
    /// Put a form to its user.
    Form,
    /// Send its user to an address.
    Link,
    /// Ask its model. The protocol is giving this up.
    Sample,
    /// List the folders it works in. The protocol is giving this up.
    Roots,
    /// Look after work that takes long, instead of waiting.
    Tasks,
}

/// What one client can be asked for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Abilities {
    pub form: bool,
    pub link: bool,
    pub sample: bool,
    pub roots: bool,
    pub tasks: bool,
}

impl Abilities {
    pub fn has(self, ability: Ability) -> bool {
        match ability {
            Ability::Form => self.form,
            Ability::Link => self.link,
            Ability::Sample => self.sample,
            Ability::Roots => self.roots,
            Ability::Tasks => self.tasks,
        }
    }
}
