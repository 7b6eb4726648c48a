//! Weighs outcomes against the known gaps.

use std::fmt;

use super::{Gap, Outcome};

/// What a run of cases comes to for one engine.
#[derive(Debug)]
pub struct Verdict {
    pub cases: usize,
    pub passed: usize,
    /// What has to be done about it; none when all is as expected.
    pub complaints: Vec<String>,
}

impl fmt::Display for Verdict {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Verdict { cases, passed, complaints } = self;
        write!(formatter, "{passed} of {cases} cases passed, {} as expected", cases - complaints.len())
    }
}

/// Outcomes of one engine: a failure needs a gap, and a gap needs a failure.
pub fn judge(engine: &str, outcomes: &[Outcome], gaps: &[Gap]) -> Verdict {
    let complaint = |outcome: &Outcome| {
        let gap = gaps.iter().find(|gap| gap.engine == engine && gap.case == outcome.case);
        match (&outcome.problem, gap) {
            (Some(problem), None) => Some(format!("{engine}: {} failed at {problem}", outcome.case)),
            (None, Some(gap)) => Some(format!(
                "{engine}: {} passed, although a gap says `{}`: remove the line",
                outcome.case, gap.why
            )),
            (None, None) | (Some(_), Some(_)) => None,
        }
    };
    Verdict {
        cases: outcomes.len(),
        passed: outcomes.iter().filter(|outcome| outcome.problem.is_none()).count(),
        complaints: outcomes.iter().filter_map(complaint).collect(),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::conformance::{GAPS, Problem, all_cases};

    const GAP: Gap = Gap { engine: "lynx", case: "it_draws", why: "it has no screen" };

    fn outcome(passed: bool) -> Outcome {
        let problem = || Problem {
            step: 1,
            command: "click #a".to_string(),
            expected: "`click a`".to_string(),
            found: "``".to_string(),
        };
        Outcome { case: "it_draws", took: Duration::ZERO, problem: (!passed).then(problem) }
    }

    #[track_caller]
    fn check(passed: bool, gaps: &[Gap], expected: &[&str]) {
        assert_eq!(judge("lynx", &[outcome(passed)], gaps).complaints, expected);
    }

    #[test]
    fn a_failure_needs_a_gap_and_a_gap_needs_a_failure() {
        check(true, &[], &[]);
        check(false, &[GAP], &[]);
        check(
            false,
            &[],
            &["lynx: it_draws failed at step 1: assay click #a\n  expected `click a`\n  found ``"],
        );
        check(
            true,
            &[GAP],
            &["lynx: it_draws passed, although a gap says `it has no screen`: remove the line"],
        );
    }

    #[test]
    fn a_gap_of_another_engine_does_not_count() {
        let gaps = [Gap { engine: "mosaic", ..GAP }];
        assert_eq!(judge("lynx", &[outcome(false)], &gaps).complaints.len(), 1);
    }

    /// How many of a hundred cases each engine must pass: what its gaps leave.
    const AIMS: [(&str, usize); 3] = [("chromium", 100), ("firefox", 97), ("webkit", 90)];

    #[test]
    fn no_engine_has_more_gaps_than_its_aim_allows() {
        let cases = all_cases().count();
        for gap in GAPS {
            assert!(AIMS.iter().any(|(engine, _)| *engine == gap.engine), "{gap:?} names no engine");
        }
        for (engine, aim) in AIMS {
            let gaps = GAPS.iter().filter(|gap| gap.engine == engine).count();
            assert!((cases - gaps) * 100 >= aim * cases, "{engine} has {gaps} gaps in {cases} cases");
        }
    }

    #[test]
    fn every_gap_names_a_case_once_and_has_a_reason() {
        for (at, gap) in GAPS.iter().enumerate() {
            assert!(all_cases().any(|case| case.name == gap.case), "{gap:?} names no case");
            assert!(!gap.why.trim().is_empty(), "{gap:?} has no reason");
            let again = GAPS[..at].iter().any(|one| one.engine == gap.engine && one.case == gap.case);
            assert!(!again, "{gap:?} stands there twice");
        }
    }
}
