//! What the caller knows beside the page: the author's names (the keys of `selectors`), the page before, and the act
//! before.

use std::collections::BTreeMap;
use std::rc::Rc;

use assay_protocol::Scene;

use crate::Target;

/// Names that mean something on this page or in this suite, looked up by the caller.
#[derive(Debug, Clone, Default)]
pub struct Hints {
    /// Keys that hold an address: `login_page` → `https://app.example.com/login`.
    pub pages: BTreeMap<String, String>,
    /// Keys that hold a selector, with the refs of the elements that match it in the scene at hand; none when the
    /// selector is stale.
    pub elements: BTreeMap<String, Vec<String>>,
    /// The page before the first and before the last act that a claim follows, for claims about a change.
    pub before: Option<(Rc<Scene>, Rc<Scene>)>,
    /// What the sentence before was about, for one that says "this row".
    pub mentioned: Option<Target>,
    /// The last act on this document, for sentences that refer to it; none where no act is known.
    pub acted: Option<LastAct>,
}

/// An act on an element, and the page as it was then.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LastAct {
    /// The ref of the element.
    pub reference: String,
    /// Where the element was: left, top, width, height.
    pub area: [f64; 4],
    /// The refs of the elements that the page had before the act.
    pub known: Vec<String>,
    /// The ref of the element that something was dragged to.
    pub onto: Option<String>,
    /// The element was double-clicked, which opens an editor where there is one.
    pub opens_editor: bool,
}
