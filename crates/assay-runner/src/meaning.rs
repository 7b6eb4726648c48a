//! The meaning of a sentence in a test, without a page.

use std::collections::BTreeMap;

use assay_language::{Hints, Intent, read};

use crate::test_context::is_address;

/// One line per intent, or why the sentence is not understood.
pub fn meaning(sentence: &str, selectors: &BTreeMap<String, String>) -> Result<Vec<String>, String> {
    let mut hints = Hints::default();
    for (key, held) in selectors {
        if is_address(held) {
            hints.pages.insert(key.clone(), held.clone());
        } else {
            hints.elements.insert(key.clone(), Vec::new());
        }
    }
    match read(sentence, &hints) {
        Err(err) => Err(err.to_string()),
        Ok(intents) => Ok(intents.iter().map(Intent::meaning).collect()),
    }
}
