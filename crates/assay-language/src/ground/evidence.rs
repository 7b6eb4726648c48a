//! Why an element was chosen: the explanation for people, and the certainty.

use std::fmt::Display;

use crate::Sureness;

use super::find::Candidate;
use super::view::View;

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Evidence {
    pub(crate) words: String,
    /// None without a comparison: the only field, or the focused element.
    pub(crate) sureness: Option<Sureness>,
}

impl Evidence {
    /// That of an element which was found among others.
    pub(crate) fn of(view: &View, found: &Candidate) -> Evidence {
        let second = found.second.as_ref();
        let sureness = Sureness {
            // The author's explicit name counts more than anything else, but not twice.
            score: found.score.min(1.0),
            margin: second.map(|(_, score)| (found.score - score).min(1.0)),
            runner_up: second.map(|(at, _)| view.describe(*at)),
        };
        Evidence {
            words: format!("{}: {}", view.describe(found.at), found.because),
            sureness: Some(sureness),
        }
    }

    /// With more to say of how one came from what was found to what is acted on.
    pub(crate) fn and(mut self, more: impl Display) -> Evidence {
        self.words += &format!("; {more}");
        self
    }
}

impl From<String> for Evidence {
    fn from(words: String) -> Evidence {
        Evidence { words, sureness: None }
    }
}
