//! The meaning of a sentence in a test, without a page.

use std::collections::BTreeMap;

use assay_language::{Hints, Intent, Target, mentioned, read};

use crate::test_context::names_of;

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
        let hints = Hints { mentioned: self.mentioned.take(), ..names_of(selectors) };
        let read = read(sentence, &hints);
        let before = hints.mentioned.as_ref();
        self.mentioned = read.as_deref().ok().and_then(|intents| mentioned(intents, before));
        match read {
            Err(err) => Err(err.to_string()),
            Ok(intents) => Ok(intents.iter().map(Intent::meaning).collect()),
        }
    }
}
