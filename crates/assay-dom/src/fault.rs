//! Faults inside of pages: what is asked of the page script, and how often they have struck.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};

/// What one element of a page suffers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ElementFault {
    /// Nothing that a user does to it reaches the page or has an effect.
    Deaf,
    /// It is disabled, and stays so even if the page enables it.
    Disabled,
}

/// The faults of a session in the documents it looks at. Texts go along with every question, so that they are
/// taken away in each document before anything is told of it; strikes come back with every answer.
#[derive(Debug, Default)]
pub struct PageFaults {
    /// A text and what is shown in its place.
    texts: Vec<(String, String)>,
    /// The sum that each document has told last.
    struck: Arc<Mutex<HashMap<u64, u32>>>,
}

impl PageFaults {
    /// These texts in place of the ones before; the strikes so far stay counted.
    pub fn with_texts(&self, texts: Vec<(String, String)>) -> PageFaults {
        PageFaults { texts, struck: Arc::clone(&self.struck) }
    }

    pub fn texts(&self) -> &[(String, String)] {
        &self.texts
    }

    pub fn struck(&self) -> u32 {
        self.struck.lock().unwrap_or_else(PoisonError::into_inner).values().sum()
    }

    /// Takes note of what an answer tells. Answers may overtake each other; a sum only grows.
    pub(crate) fn note(&self, answer: &str) {
        #[derive(Deserialize)]
        struct Told {
            struck: Option<(u64, u32)>,
        }
        let Ok(Told { struck: Some((document, sum)) }) = serde_json::from_str(answer) else { return };
        let mut struck = self.struck.lock().unwrap_or_else(PoisonError::into_inner);
        let known = struck.entry(document).or_default();
        *known = sum.max(*known);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strikes_are_summed_over_documents_and_counted_once() {
        let faults = PageFaults::default();
        for answer in ["{\"struck\":[1,2]}", "{\"struck\":[1,1]}", "{\"struck\":[9,1]}", "{\"next\":4}"] {
            faults.note(answer);
        }
        assert_eq!(faults.struck(), 3);
        assert_eq!(faults.with_texts(Vec::new()).struck(), 3);
    }
}
