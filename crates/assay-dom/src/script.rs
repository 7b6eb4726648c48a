//! The two scripts, ready to be installed by a driver.

/// What a driver installs in every document before the page's own scripts: `main` in the
/// page's world first, then `isolated` in a world of our own.
#[derive(Debug, Clone)]
pub struct PageScripts {
    pub main: String,
    pub isolated: String,
}

/// `key` is the word by which the two worlds find each other. It must be hard to guess, so
/// that no page can listen for it.
pub fn page_scripts(key: &str) -> PageScripts {
    PageScripts {
        main: include_str!("pulse.js").replace("__ASSAY_KEY__", key),
        isolated: include_str!("page.js").replace("__ASSAY_KEY__", key),
    }
}

/// Hard to guess for a page; the kernel's randomness by way of the hasher's seed.
pub fn random_key() -> String {
    use std::hash::{BuildHasher, Hasher};
    let one = std::hash::RandomState::new().build_hasher().finish();
    let two = std::hash::RandomState::new().build_hasher().finish();
    format!("k{one:016x}{two:016x}")
}
