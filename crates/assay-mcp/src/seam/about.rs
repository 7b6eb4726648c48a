//! How a service introduces itself.

/// The name of a service, what it offers and how long its lists stay fresh.
#[derive(Debug, Clone)]
pub struct About {
    pub name: String,
    pub title: String,
    pub version: String,
    /// What a model should know before it calls the first tool.
    pub instructions: Option<String>,
    pub offers: Offers,
    pub cache: CacheHint,
}

impl About {
    pub fn new(name: impl Into<String>, title: impl Into<String>, version: impl Into<String>) -> About {
        About {
            name: name.into(),
            title: title.into(),
            version: version.into(),
            instructions: None,
            offers: Offers::default(),
            cache: CacheHint::default(),
        }
    }
}

/// What is offered besides tools. Methods that are not offered are unknown methods.
#[derive(Debug, Clone, Copy, Default)]
pub struct Offers {
    pub resources: bool,
    pub prompts: bool,
    pub completion: bool,
    /// Some work takes long: see [`Call::takes_long`](super::Call::takes_long).
    pub tasks: bool,
    /// Log messages, for clients that ask for them. The protocol is giving them up.
    pub logging: bool,
}

/// How long the lists of a service may be kept, and by whom.
#[derive(Debug, Clone, Copy)]
pub struct CacheHint {
    pub milliseconds: u64,
    pub scope: CacheScope,
}

impl Default for CacheHint {
    /// Nothing is kept.
    fn default() -> CacheHint {
        CacheHint { milliseconds: 0, scope: CacheScope::Private }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CacheScope {
    /// The same for everyone.
    Public,
    /// For the client that asked.
    Private,
}
