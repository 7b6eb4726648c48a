//! Questions about elements: their answers, and why the page script gave none.

use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::report::ElementReport;

/// What the page script made of a question about elements.
#[derive(Debug, Clone)]
pub struct Answered<T> {
    /// The first ref that is free after it: refusals name candidates by refs too.
    pub next: u32,
    pub outcome: Result<T, TargetRefusal>,
}

/// Why no element was chosen, or why the chosen one does not fit the question.
#[derive(Debug, Clone, Deserialize)]
#[serde(tag = "status", rename_all = "snake_case")]
pub enum TargetRefusal {
    /// The nearest are named, where that was asked for.
    NotFound {
        candidates: Vec<ElementReport>,
    },
    Ambiguous {
        total: usize,
        candidates: Vec<ElementReport>,
    },
    /// The element of a ref is gone, and no element is clearly the same.
    StaleRef {
        was: Option<Past>,
        candidates: Vec<ElementReport>,
    },
    UnknownRef,
    BadSelector {
        message: String,
    },
    BadValue {
        message: String,
    },
    WrongKind {
        message: String,
    },
    /// A list has no such option, or `several`.
    NoOption {
        wanted: String,
        #[serde(default)]
        several: bool,
        options: Vec<String>,
        total: usize,
    },
}

/// What is remembered of an element that is gone.
#[derive(Debug, Clone, Deserialize)]
pub struct Past {
    pub role: String,
    pub name: String,
}

impl<T: DeserializeOwned> Answered<T> {
    /// Reads an answer. The status decides which of the two it is.
    pub(crate) fn read(text: &str) -> serde_json::Result<Answered<T>> {
        #[derive(Deserialize)]
        struct Head<'a> {
            status: &'a str,
            next: u32,
        }
        let head: Head<'_> = serde_json::from_str(text)?;
        let outcome = match head.status {
            "ok" | "ready" | "not_actionable" => Ok(serde_json::from_str(text)?),
            _ => Err(serde_json::from_str(text)?),
        };
        Ok(Answered { next: head.next, outcome })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{Begun, QueryReport, Readiness};

    fn refused(text: &str) -> TargetRefusal {
        Answered::<QueryReport>::read(text).unwrap().outcome.unwrap_err()
    }

    #[test]
    fn the_status_tells_an_answer_from_a_refusal() {
        let answered =
            Answered::<QueryReport>::read(r#"{"status":"ok","next":4,"total":2,"shown":1,"elements":[]}"#)
                .unwrap();
        assert_eq!((answered.next, answered.outcome.unwrap().total), (4, 2));
        let stopped = r#"{"status":"not_actionable","reason":"it is covered","next":7}"#;
        let begun = Answered::<Begun>::read(stopped).unwrap().outcome.unwrap();
        assert_eq!(begun.readiness, Readiness::NotActionable);
    }

    #[test]
    fn every_refusal_of_the_page_script_is_understood() {
        let two = r#"{"status":"ambiguous","total":2,"candidates":[{"ref":3,"role":"link"}],"next":4}"#;
        assert!(
            matches!(refused(two), TargetRefusal::Ambiguous { total: 2, candidates } if candidates.len() == 1)
        );
        let gone = r#"{"status":"stale_ref","was":null,"candidates":[],"next":4}"#;
        assert!(matches!(refused(gone), TargetRefusal::StaleRef { was: None, .. }));
        let unknown = r#"{"status":"unknown_ref","candidates":[],"next":4}"#;
        assert!(matches!(refused(unknown), TargetRefusal::UnknownRef));
        let kind =
            r#"{"status":"wrong_kind","next":4,"ref":2,"role":"link","message":"has no checked state"}"#;
        assert!(
            matches!(refused(kind), TargetRefusal::WrongKind { message } if message == "has no checked state")
        );
        let option =
            r#"{"status":"no_option","next":4,"wanted":"XL","options":["S","M"],"total":2,"struck":[0,0]}"#;
        assert!(matches!(refused(option), TargetRefusal::NoOption { several: false, total: 2, .. }));
    }

    #[test]
    fn a_status_that_nobody_knows_is_no_answer() {
        assert!(Answered::<QueryReport>::read(r#"{"status":"skipped","next":1}"#).is_err());
    }
}
