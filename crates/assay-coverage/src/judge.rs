//! Requirements and tests in, judgements out.

use assay_protocol::{CoverageKind, Requirement, RequirementLink};

use crate::coverage::{Coverage, CoveredRequirement, LinkedTest};
use crate::evidence::{Standing, TestEvidence};

/// A test that exists, as far as coverage needs it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TestInput {
    pub id: String,
    pub name: String,
    pub file: String,
    pub links: Vec<RequirementLink>,
    pub evidence: TestEvidence,
}

/// A requirement with the file that it stands in.
#[derive(Debug, Clone, PartialEq)]
pub struct RequirementInput {
    pub requirement: Requirement,
    pub file: String,
}

/// Judges each requirement by the tests that exist. Codes that only tests know come last.
pub fn judge(requirements: &[RequirementInput], tests: &[TestInput]) -> Vec<CoveredRequirement> {
    let mut judged: Vec<CoveredRequirement> = requirements
        .iter()
        .map(|one| covered(one.requirement.clone(), Some(one.file.clone()), tests))
        .collect();
    let mut unknown: Vec<&RequirementLink> = tests.iter().flat_map(|test| &test.links).collect();
    unknown.retain(|link| !requirements.iter().any(|one| one.requirement.code == link.code));
    unknown.sort_by(|one, other| one.code.cmp(&other.code));
    unknown.dedup_by(|one, other| one.code == other.code);
    judged.extend(unknown.into_iter().map(|link| {
        let requirement = Requirement { code: link.code.clone(), ..Requirement::default() };
        covered(requirement, None, tests)
    }));
    judged
}

fn covered(requirement: Requirement, file: Option<String>, tests: &[TestInput]) -> CoveredRequirement {
    let linked: Vec<LinkedTest> = tests
        .iter()
        .filter_map(|test| {
            let link = test.links.iter().find(|link| link.code == requirement.code)?;
            Some(LinkedTest {
                id: test.id.clone(),
                name: test.name.clone(),
                file: test.file.clone(),
                coverage: link.coverage,
                evidence: test.evidence.weighed(),
            })
        })
        .collect();
    let has = |kind: CoverageKind| linked.iter().any(|test| test.coverage == kind);
    let coverage = if has(CoverageKind::Full) {
        Coverage::Full
    } else if has(CoverageKind::Partial) {
        Coverage::Partial
    } else if has(CoverageKind::Negative) {
        Coverage::NegativeOnly
    } else {
        Coverage::None
    };
    let all_passed = linked.iter().all(|test| test.evidence.standing == Standing::Passed);
    let is_shown = coverage == Coverage::Full && all_passed;
    CoveredRequirement { requirement, file, coverage, is_shown, tests: linked }
}

#[cfg(test)]
mod tests {
    use assay_protocol::{RequirementStatus, Verdict};

    use super::*;
    use crate::coverage::CoverageTotals;
    use crate::evidence::LastResult;

    fn requirement(code: &str) -> RequirementInput {
        let requirement = Requirement { code: code.into(), name: "N".into(), ..Requirement::default() };
        RequirementInput { requirement, file: "r.yaml".into() }
    }

    fn test(id: &str, code: &str, coverage: CoverageKind, verdict: Option<Verdict>) -> TestInput {
        let result = |verdict| LastResult { run: 1, verdict, fingerprint: Some("a".into()), at: 1 };
        TestInput {
            id: id.into(),
            links: vec![RequirementLink { code: code.into(), name: None, coverage }],
            evidence: TestEvidence {
                fingerprint: Some("a".into()),
                claims_nothing: false,
                results: verdict.map(result).into_iter().collect(),
            },
            ..TestInput::default()
        }
    }

    #[track_caller]
    fn check(tests: &[TestInput], expected: &str) {
        let judged = judge(&[requirement("R-1")], tests);
        let one = &judged[0];
        let shown = if one.is_shown { ", shown" } else { "" };
        assert_eq!(format!("{} [{}]{shown}", one.coverage.words(), one.words()), expected);
    }

    #[test]
    fn a_requirement_is_judged_by_its_tests() {
        use CoverageKind::{Full, Negative, Partial};
        use Verdict::{Error, Failed, Inconclusive, Passed};
        check(&[], "none []");
        check(&[test("a", "R-2", Full, Some(Passed))], "none []");
        check(&[test("a", "R-1", Full, Some(Passed))], "full [1 test, last run passed], shown");
        check(&[test("a", "R-1", Partial, Some(Passed))], "partial [1 test, last run passed]");
        check(&[test("a", "R-1", Negative, Some(Passed))], "negative only [1 test, last run passed]");
        check(&[test("a", "R-1", Full, None)], "full [1 test, never run]");
        check(&[test("a", "R-1", Full, Some(Error))], "full [1 test, last run ended in an error]");
        check(
            &[test("a", "R-1", Full, Some(Passed)), test("b", "R-1", Negative, Some(Failed))],
            "full [2 tests: 1 failed; 1 passed]",
        );
        check(
            &[test("a", "R-1", Full, Some(Passed)), test("b", "R-1", Partial, Some(Inconclusive))],
            "full [2 tests: 1 inconclusive; 1 passed]",
        );
        check(
            &[test("a", "R-1", Full, Some(Passed)), test("b", "R-1", Negative, Some(Passed))],
            "full [2 tests, last run passed], shown",
        );
    }

    #[test]
    fn codes_that_only_tests_know_are_listed_last() {
        let tests = [
            test("a", "R-9", CoverageKind::Full, None),
            test("b", "R-8", CoverageKind::Full, None),
            test("c", "R-9", CoverageKind::Full, None),
        ];
        let judged = judge(&[requirement("R-1")], &tests);
        let codes: Vec<&str> = judged.iter().map(|one| one.requirement.code.as_str()).collect();
        assert_eq!(codes, ["R-1", "R-8", "R-9"]);
        assert_eq!((judged[2].tests.len(), &judged[2].file), (2, &None));
    }

    #[test]
    fn the_exit_code_says_whether_all_is_shown() {
        let code = |requirements: &[RequirementInput], tests: &[TestInput]| {
            let totals = CoverageTotals::of(&judge(requirements, tests));
            (totals.exit_code(), totals.words())
        };
        let passed = test("a", "R-1", CoverageKind::Full, Some(Verdict::Passed));
        let failed = test("b", "R-1", CoverageKind::Full, Some(Verdict::Failed));
        assert_eq!(
            code(&[requirement("R-1")], std::slice::from_ref(&passed)),
            (0, "1 requirement: 1 full (1 shown by the last run)".to_string())
        );
        assert_eq!(code(&[requirement("R-1"), requirement("R-2")], std::slice::from_ref(&passed)).0, 3);
        assert_eq!(code(&[requirement("R-1"), requirement("R-2")], &[failed]).0, 1);
        assert_eq!(code(&[], &[]).0, 3);
        let mut retired = requirement("R-2");
        retired.requirement.status = Some(RequirementStatus::Retired);
        assert_eq!(
            code(&[requirement("R-1"), retired], &[passed]),
            (0, "1 requirement: 1 full (1 shown by the last run), 1 retired and not counted".to_string())
        );
    }
}
