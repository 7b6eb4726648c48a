//! The meaning of a sentence in a test, without a page.

use std::collections::BTreeMap;

use assay_language::{Hints, Intent, Target, mentioned, read};

use crate::screens::{Screens, begins_on_screen};
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
        screens: Option<&dyn Screens>,
    ) -> Result<Vec<String>, String> {
        let begins = screens.and_then(|screens| begins_on_screen(sentence, screens));
        let (first, sentence) = match begins {
            Some((screen, "")) => return Ok(vec![by_tree(&screen)]),
            Some((screen, rest)) => (Some(by_tree(&screen)), rest),
            None => (None, sentence),
        };
        let hints = Hints { mentioned: self.mentioned.take(), ..names_of(selectors) };
        let read = read(sentence, &hints);
        let before = hints.mentioned.as_ref();
        self.mentioned = read.as_deref().ok().and_then(|intents| mentioned(intents, before));
        match read {
            Err(err) => Err(err.to_string()),
            Ok(intents) => Ok(first.into_iter().chain(intents.iter().map(Intent::meaning)).collect()),
        }
    }
}

/// Going to a screen of a tree, for people.
fn by_tree(screen: &str) -> String {
    format!("go to the screen {screen} of the navigation tree")
}
