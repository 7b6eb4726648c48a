//! The judgement of each requirement, with the tests behind it.

use assay_protocol::{CoverageKind, Requirement};
use serde::{Deserialize, Serialize};

use crate::evidence::{Evidence, Standing};

/// How far the tests of a requirement reach, whatever came of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Coverage {
    /// A test covers all of it.
    Full,
    /// Tests cover parts of it.
    Partial,
    /// Tests show only what must not work.
    NegativeOnly,
    None,
}

impl Coverage {
    pub fn words(self) -> &'static str {
        match self {
            Coverage::Full => "full",
            Coverage::Partial => "partial",
            Coverage::NegativeOnly => "negative only",
            Coverage::None => "none",
        }
    }
}

/// A test that names a requirement, and how it stands.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LinkedTest {
    pub id: String,
    pub name: String,
    pub file: String,
    pub coverage: CoverageKind,
    #[serde(flatten)]
    pub evidence: Evidence,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CoveredRequirement {
    #[serde(flatten)]
    pub requirement: Requirement,
    /// None: tests name it, and the project has no such requirement on file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    pub coverage: Coverage,
    /// Fully covered, and all its tests passed as they are now.
    pub is_shown: bool,
    pub tests: Vec<LinkedTest>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct CoverageTotals {
    /// Without those that are retired.
    pub requirements: usize,
    pub full: usize,
    pub partial: usize,
    pub negative_only: usize,
    pub none: usize,
    /// Of those that are fully covered: all their tests passed as they are now.
    pub shown: usize,
    /// With a test that failed in its last run.
    pub failing: usize,
    pub retired: usize,
}

impl CoveredRequirement {
    /// Nothing shows that it works.
    pub fn is_uncovered(&self) -> bool {
        self.requirement.is_wanted() && matches!(self.coverage, Coverage::None | Coverage::NegativeOnly)
    }

    pub fn is_failing(&self) -> bool {
        self.tests.iter().any(|test| test.evidence.standing == Standing::Failed)
    }

    /// `3 tests, last run passed`, `3 tests: 1 failed, 2 passed`; empty without tests.
    pub fn words(&self) -> String {
        let count = match self.tests.len() {
            0 => return String::new(),
            1 => "1 test".to_string(),
            several => format!("{several} tests"),
        };
        let parts: Vec<(Standing, usize)> = Standing::ALL
            .into_iter()
            .map(|standing| {
                (standing, self.tests.iter().filter(|test| test.evidence.standing == standing).count())
            })
            .filter(|(_, number)| *number > 0)
            .collect();
        match parts.as_slice() {
            [(Standing::NeverRun, _)] => format!("{count}, never run"),
            [(only, _)] => format!("{count}, last run {}", only.words()),
            parts => {
                let parts: Vec<String> =
                    parts.iter().map(|(standing, number)| format!("{number} {}", standing.words())).collect();
                format!("{count}: {}", parts.join("; "))
            }
        }
    }
}

impl CoverageTotals {
    pub fn of(requirements: &[CoveredRequirement]) -> CoverageTotals {
        let mut totals = CoverageTotals::default();
        for one in requirements {
            if !one.requirement.is_wanted() {
                totals.retired += 1;
                continue;
            }
            totals.requirements += 1;
            match one.coverage {
                Coverage::Full => totals.full += 1,
                Coverage::Partial => totals.partial += 1,
                Coverage::NegativeOnly => totals.negative_only += 1,
                Coverage::None => totals.none += 1,
            }
            totals.shown += usize::from(one.is_shown);
            totals.failing += usize::from(one.is_failing());
        }
        totals
    }

    /// `12 requirements: 7 full (6 shown by their last run), 2 partial, 3 none`.
    pub fn words(&self) -> String {
        let noun = if self.requirements == 1 { "requirement" } else { "requirements" };
        let shown = match self.full {
            0 => "0 full".to_string(),
            full => format!("{full} full ({} shown by the last run)", self.shown),
        };
        let mut parts = vec![shown];
        let counts = [
            (self.partial, "partial"),
            (self.negative_only, "negative only"),
            (self.none, "none"),
            (self.failing, "with a failing test"),
        ];
        parts.extend(
            counts
                .iter()
                .filter(|(number, _)| *number > 0)
                .map(|(number, words)| format!("{number} {words}")),
        );
        if self.retired > 0 {
            parts.push(format!("{} retired and not counted", self.retired));
        }
        format!("{} {noun}: {}", self.requirements, parts.join(", "))
    }

    /// 1 when a test of a requirement failed; 3 when one is not shown; 0 when all are shown. Nothing to cover is nothing
    /// shown.
    pub fn exit_code(&self) -> u8 {
        match self {
            totals if totals.failing > 0 => 1,
            totals if totals.requirements == 0 || totals.shown < totals.requirements => 3,
            _ => 0,
        }
    }
}
