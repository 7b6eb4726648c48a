//! What earlier runs say about a result: flakiness, and durations out of the usual.

use assay_coordinator::PastResult;
use assay_protocol::Verdict;
use assay_report::{TestSummary, duration_words};

/// A pass that takes so many times as long as usual is worth a note.
const SLOW: u64 = 3;
/// Below this, the machine explains more than the application.
const LEAST_MS: u64 = 1_000;

/// Why a failure may be a false one, or a pass. One change from pass to failure may as well be a defect that came.
pub fn suspicions(test: &TestSummary, past: &[PastResult]) -> Vec<String> {
    let mut suspicions = Vec::new();
    if test.is_flaky() {
        suspicions.push("it passed on a retry".to_owned());
    }
    let Some(fingerprint) = &test.line.fingerprint else { return suspicions };
    let counts = |verdict: Verdict| matches!(verdict, Verdict::Passed | Verdict::Failed | Verdict::Error);
    let unchanged: Vec<bool> = past
        .iter()
        .filter(|past| past.fingerprint.as_ref() == Some(fingerprint) && counts(past.verdict))
        .map(|past| past.verdict == Verdict::Passed)
        .collect();
    let now = test.verdict().filter(|verdict| counts(*verdict)).map(|verdict| verdict == Verdict::Passed);
    let all: Vec<bool> = now.into_iter().chain(unchanged.iter().copied()).collect();
    let changes = all.windows(2).filter(|pair| pair[0] != pair[1]).count();
    if changes >= 2 {
        let passes = unchanged.iter().filter(|passed| **passed).count();
        suspicions.push(format!(
            "the unchanged test passed in {passes} of {} earlier runs and changed its mind {changes} times",
            unchanged.len()
        ));
    }
    suspicions
}

/// A note on a pass that took much longer than usual.
pub fn slowness(test: &TestSummary, past: &[PastResult]) -> Option<String> {
    let mut durations: Vec<u64> =
        past.iter().filter(|past| past.verdict == Verdict::Passed).map(|past| past.duration_ms).collect();
    if durations.len() < 3 {
        return None;
    }
    durations.sort_unstable();
    let (usual, now) = (durations[durations.len() / 2], test.duration_ms());
    (now >= LEAST_MS && now > usual.saturating_mul(SLOW))
        .then(|| format!("it took {}, usually {}", duration_words(now), duration_words(usual)))
}
