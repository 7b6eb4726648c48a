//! The author's hints about names: the keys of `selectors`.

use std::collections::BTreeMap;

/// Names that mean something on this page or in this suite, looked up by the caller.
#[derive(Debug, Clone, Default)]
pub struct Hints {
    /// Keys that hold an address: `login_page` → `https://app.example.com/login`.
    pub pages: BTreeMap<String, String>,
    /// Keys that hold a selector, with the refs of the elements that match it in the scene at hand; none when the
    /// selector is stale.
    pub elements: BTreeMap<String, Vec<String>>,
}
