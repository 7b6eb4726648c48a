//! The pieces of an intent: the elements, texts and numbers it names, in a form for visitors.
//!
//! The role of a piece says how the sentence uses it, so a rule about elements or texts applies to every form without
//! naming one.

use super::{Act, Claim, Matcher, NumberIs, Target};

/// How a form uses an element that it names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TargetRole {
    /// The element that the act or claim is on. A place in front of the verb narrows it.
    Main,
    /// An element that stands for itself: where something is dragged to.
    Other,
}

/// The element that a sentence means when it names none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unnamed {
    /// The element with the focus. Only a place that takes a value can stand in for it.
    Focus,
    /// Whichever list offers the options.
    AnyList,
    /// The only one there. A place in front of the verb is the element itself.
    OnlyOne,
    /// The page as a whole. A place in front of the verb does not change that.
    WholePage,
    /// Anywhere on the page, or inside the place in front of the verb.
    Anywhere,
}

/// What a text is to an act or a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextRole {
    /// It goes into the element.
    Value,
    /// A user or a password.
    Credential,
    Key,
    File,
    Url,
    /// The name of something: an option, a page, a column.
    Name,
}

/// What must be as a matcher says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MatcherRole {
    /// What the page or an element shows.
    Shown,
    /// What a message says. That there is one is claimed as well.
    Message,
    /// The address of the page.
    Address,
}

macro_rules! pieces {
    ($(#[$doc:meta])* $name:ident $(, $mutable:tt)?) => {
        $(#[$doc])*
        #[derive(Debug)]
        pub enum $name<'a> {
            Target(&'a $($mutable)? Target, TargetRole),
            MaybeTarget(&'a $($mutable)? Option<Target>, Unnamed),
            Text(&'a $($mutable)? String, TextRole),
            /// Words that belong together, in any order.
            Words(&'a $($mutable)? Vec<String>),
            Matcher(&'a $($mutable)? Matcher, MatcherRole),
            Number(&'a $($mutable)? NumberIs),
            /// A claim that ends the act. Its own pieces are not visited.
            Claim(&'a $($mutable)? Claim),
            /// An act among several. Its own pieces are not visited.
            Act(&'a $($mutable)? Act),
        }
    };
}

pieces!(
    /// One piece of an intent.
    Piece
);
pieces!(
    /// One piece of an intent, open to change.
    PieceMut,
    mut
);
