//! Judges of claims that the interpreter cannot decide. A judge decides from observations and nothing else.

use assay_driver::Deadline;
use assay_protocol::{Failure, ModelCall, Verdict, in_one_line};

use super::pilot::TestSentence;
use crate::test_surface::LocalFuture;

/// A judge has never acted in the test, remembers nothing from one claim to the next, and sees only its input.
pub trait Judge {
    /// `test` is the test with the claim marked: it says what "it" and "that row" are, and proves nothing. `called` puts
    /// every question to a model on record.
    fn judge<'a>(
        &'a mut self,
        claim: &'a str,
        test: &'a [TestSentence],
        observations: &'a [Observation],
        called: &'a dyn Fn(ModelCall),
        deadline: Deadline,
    ) -> LocalFuture<'a, Result<ModelVerdict, Failure>>;
}

/// One observation. Contains no secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Observation {
    /// `o1`, …
    pub id: String,
    /// Its kind: `address`, `title`, `heading`, `text`, …
    pub what: String,
    /// Its text, as the page shows it.
    pub text: String,
    /// The parts of the page around it: `table "Books" > row 2`. Empty if there are none.
    pub place: String,
}

/// The verdict of a judge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelVerdict {
    pub ruling: Ruling,
    pub reason: String,
    pub evidence: Vec<QuotedEvidence>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ruling {
    Holds,
    DoesNotHold,
    CannotTell,
}

impl Ruling {
    pub(crate) fn verdict(self) -> Verdict {
        match self {
            Ruling::Holds => Verdict::Passed,
            Ruling::DoesNotHold => Verdict::Failed,
            Ruling::CannotTell => Verdict::Inconclusive,
        }
    }
}

/// An observation by its id, and the words in it that show it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuotedEvidence {
    pub observation: String,
    pub quote: String,
}

/// Why a verdict is not credible, if so. Checks the quotations against the observations: a judge that quotes something
/// else has not read them.
pub fn fault_in(verdict: &ModelVerdict, observations: &[Observation]) -> Option<String> {
    if verdict.ruling == Ruling::CannotTell {
        return None;
    }
    if verdict.evidence.is_empty() {
        return Some("it names no observation as evidence".to_string());
    }
    verdict.evidence.iter().find_map(|evidence| {
        let Some(observation) = observations.iter().find(|known| known.id == evidence.observation) else {
            return Some(format!("there is no observation `{}`", evidence.observation));
        };
        let quote = in_one_line(&evidence.quote);
        // The presence of something can be quoted; its absence cannot.
        if quote.is_empty() {
            return (verdict.ruling == Ruling::Holds)
                .then(|| format!("it quotes nothing of `{}`", evidence.observation));
        }
        (!in_one_line(&observation.text).contains(&quote))
            .then(|| format!("`{quote}` does not stand in `{}`", evidence.observation))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(ruling: Ruling, evidence: &[(&str, &str)], expected: Option<&str>) {
        let observations = [Observation {
            id: "o1".to_string(),
            what: "heading".to_string(),
            text: "Thank  you,\nAda".to_string(),
            place: String::new(),
        }];
        let evidence = evidence
            .iter()
            .map(|(observation, quote)| QuotedEvidence {
                observation: observation.to_string(),
                quote: quote.to_string(),
            })
            .collect();
        let verdict = ModelVerdict { ruling, reason: String::new(), evidence };
        assert_eq!(fault_in(&verdict, &observations).as_deref(), expected);
    }

    #[test]
    fn evidence_is_looked_up() {
        check(Ruling::Holds, &[("o1", "Thank you, Ada")], None);
        check(Ruling::Holds, &[("o1", "Thank you, Bob")], Some("`Thank you, Bob` does not stand in `o1`"));
        check(Ruling::Holds, &[("o2", "Ada")], Some("there is no observation `o2`"));
        check(Ruling::Holds, &[("o1", " ")], Some("it quotes nothing of `o1`"));
        check(Ruling::Holds, &[], Some("it names no observation as evidence"));
        check(Ruling::DoesNotHold, &[("o1", "")], None);
        check(Ruling::DoesNotHold, &[], Some("it names no observation as evidence"));
        check(Ruling::CannotTell, &[], None);
    }
}
