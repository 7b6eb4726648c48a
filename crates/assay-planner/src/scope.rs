//! What is to be tested, what is not, and what has to be asked first.

/// The outcome of a triage, whoever made it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TestScope {
    /// What is left to test, in the words of those who asked for it.
    pub included: Vec<String>,
    pub excluded: Vec<Exclusion>,
    pub ambiguous: Vec<Ambiguity>,
    pub questions: Vec<OpenQuestion>,
}

impl TestScope {
    pub fn blocking(&self) -> impl Iterator<Item = &OpenQuestion> {
        self.questions.iter().filter(|question| question.is_blocking)
    }

    /// Adds what somebody else found, each thing once.
    pub fn join(&mut self, other: TestScope) {
        let TestScope { included, excluded, ambiguous, questions } = other;
        if !included.is_empty() {
            self.included = included;
        }
        excluded.into_iter().for_each(|one| push_new(&mut self.excluded, one));
        ambiguous.into_iter().for_each(|one| push_new(&mut self.ambiguous, one));
        questions.into_iter().for_each(|one| push_new(&mut self.questions, one));
    }
}

fn push_new<T: PartialEq>(list: &mut Vec<T>, one: T) {
    if !list.contains(&one) {
        list.push(one);
    }
}

/// Something for which no test is written, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exclusion {
    pub what: String,
    pub why: String,
}

impl Exclusion {
    pub fn new(what: impl Into<String>, why: impl Into<String>) -> Exclusion {
        Exclusion { what: what.into(), why: why.into() }
    }
}

/// Something that could be meant in several ways. No test is written for it until somebody says which.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ambiguity {
    pub point: String,
    pub why: String,
}

/// Something that only a person can answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenQuestion {
    /// By which it is answered: `--answer "address: http://…"`.
    pub id: String,
    pub text: String,
    pub why: String,
    /// Without an answer nothing is written, and nothing is spent.
    pub is_blocking: bool,
}
