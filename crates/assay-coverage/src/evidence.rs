//! What a test shows now: its last results, if they are those of the test as it is.

use assay_protocol::Verdict;
use serde::Serialize;

/// A result on record, of one test in one browser.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LastResult {
    /// Results with the same number are of one run; a greater number is a later run.
    pub run: i64,
    pub verdict: Verdict,
    /// The hash of the test's definition at the time.
    pub fingerprint: Option<String>,
    /// In milliseconds since 1970.
    pub at: u64,
}

/// A test that exists.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TestEvidence {
    /// The hash of its definition now.
    pub fingerprint: Option<String>,
    /// It claims nothing, so a pass shows nothing.
    pub claims_nothing: bool,
    /// In any order.
    pub results: Vec<LastResult>,
}

/// How a test stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Standing {
    Failed,
    /// The run broke: nothing was learnt about the application.
    Error,
    Inconclusive,
    NeverRun,
    /// It passed and claims nothing.
    ProvesNothing,
    /// It passed, and has changed since.
    Stale,
    Passed,
}

impl Standing {
    pub const ALL: [Standing; 7] = [
        Standing::Failed,
        Standing::Error,
        Standing::Inconclusive,
        Standing::NeverRun,
        Standing::ProvesNothing,
        Standing::Stale,
        Standing::Passed,
    ];

    /// In words, as in "2 failed".
    pub fn words(self) -> &'static str {
        match self {
            Standing::Failed => "failed",
            Standing::Error => "ended in an error",
            Standing::Inconclusive => "inconclusive",
            Standing::NeverRun => "never run",
            Standing::ProvesNothing => "passed without an expectation",
            Standing::Stale => "passed, but changed since",
            Standing::Passed => "passed",
        }
    }
}

/// The standing of a test with its moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Evidence {
    pub standing: Standing,
    /// The last run that it was in, in milliseconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<u64>,
    /// The test is another one than at its last run.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub changed_since: bool,
}

impl TestEvidence {
    /// The worst result of its last run: in each browser and each repetition it has to pass.
    pub fn weighed(&self) -> Evidence {
        let Some(last) = self.results.iter().map(|result| result.run).max() else {
            return Evidence { standing: Standing::NeverRun, at: None, changed_since: false };
        };
        let results: Vec<&LastResult> = self.results.iter().filter(|result| result.run == last).collect();
        // Without both hashes nobody can say that it is the same test.
        let is_same =
            |result: &&LastResult| self.fingerprint.is_some() && result.fingerprint == self.fingerprint;
        let changed_since = !results.iter().all(is_same);
        let worst =
            results.iter().map(|result| standing_of(result.verdict)).min().unwrap_or(Standing::NeverRun);
        let standing = match worst {
            Standing::Passed if self.claims_nothing => Standing::ProvesNothing,
            Standing::Passed if changed_since => Standing::Stale,
            other => other,
        };
        Evidence { standing, at: results.iter().map(|result| result.at).max(), changed_since }
    }
}

fn standing_of(verdict: Verdict) -> Standing {
    match verdict {
        Verdict::Passed => Standing::Passed,
        Verdict::Failed => Standing::Failed,
        Verdict::Inconclusive => Standing::Inconclusive,
        Verdict::Error => Standing::Error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(now: Option<&str>, claims_nothing: bool, results: &[(i64, Verdict, &str)], expected: Standing) {
        let results = results.iter().map(|(run, verdict, fingerprint)| LastResult {
            run: *run,
            verdict: *verdict,
            fingerprint: (!fingerprint.is_empty()).then(|| fingerprint.to_string()),
            at: *run as u64,
        });
        let evidence =
            TestEvidence { fingerprint: now.map(str::to_string), claims_nothing, results: results.collect() };
        assert_eq!(evidence.weighed().standing, expected);
    }

    #[test]
    fn only_a_pass_of_the_same_test_shows_something() {
        use Verdict::{Error, Failed, Inconclusive, Passed};
        check(Some("a"), false, &[], Standing::NeverRun);
        check(Some("a"), false, &[(1, Passed, "a")], Standing::Passed);
        check(Some("a"), false, &[(1, Passed, "b")], Standing::Stale);
        check(Some("a"), false, &[(1, Passed, "")], Standing::Stale);
        check(None, false, &[(1, Passed, "")], Standing::Stale);
        check(Some("a"), true, &[(1, Passed, "a")], Standing::ProvesNothing);
        check(Some("a"), false, &[(1, Inconclusive, "a")], Standing::Inconclusive);
        check(Some("a"), false, &[(1, Error, "a")], Standing::Error);
        // A failure stays one after a change of the test: nothing has shown the contrary.
        check(Some("a"), false, &[(1, Failed, "b")], Standing::Failed);
    }

    #[test]
    fn the_worst_of_the_last_run_counts() {
        use Verdict::{Failed, Inconclusive, Passed};
        check(Some("a"), false, &[(2, Passed, "a"), (1, Failed, "a")], Standing::Passed);
        check(Some("a"), false, &[(2, Passed, "a"), (2, Failed, "a")], Standing::Failed);
        check(Some("a"), false, &[(2, Inconclusive, "a"), (2, Passed, "a")], Standing::Inconclusive);
        check(Some("a"), false, &[(2, Passed, "a"), (2, Passed, "b")], Standing::Stale);
    }
}
