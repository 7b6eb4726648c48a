//! The meaning of a sentence in a test, without a page.

use std::collections::BTreeMap;

use assay_language::{Hints, Intent, Target, mentioned, read};

use crate::test_context::is_address;

/// Reads the sentences of a test one after the other, as one may refer to the one before.
#[derive(Debug, Default)]
pub struct Meanings {
    mentioned: Option<Target>,
}

impl Meanings {
    /// One line per intent, or why the sentence is not understood.
    pub fn of(
        &mut self,
        sentence: &str,
        selectors: &BTreeMap<String, String>,
    ) -> Result<Vec<String>, String> {
        let mut hints = Hints { mentioned: self.mentioned.take(), ..Hints::default() };
        for (key, held) in selectors {
            if is_address(held) {
                hints.pages.insert(key.clone(), held.clone());
            } else {
                hints.elements.insert(key.clone(), Vec::new());
            }
        }
        let read = read(sentence, &hints);
        self.mentioned = read.as_deref().ok().and_then(mentioned);
        match read {
            Err(err) => Err(err.to_string()),
            Ok(intents) => Ok(intents.iter().map(Intent::meaning).collect()),
        }
    }
}
