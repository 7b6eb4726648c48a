//! The result of a comparison, for programs and in lines for people.

use std::path::Path;

use assay_protocol::{ErrorCode, Failure};
use assay_twin::{Noise, TestResult, TwinVerdict};
use serde::{Deserialize, Serialize};

use super::carry_out::Pair;
use super::spec::TwinSpec;

/// The version of `twin.json` and `noise.json`.
const VERSION: u32 = 1;

/// What came out of a comparison.
#[derive(Debug, Clone, Serialize)]
pub struct TwinReport {
    pub version: u32,
    pub old: String,
    pub new: String,
    pub rounds: usize,
    pub verdict: TwinVerdict,
    pub tests: Vec<TestResult>,
    /// Files that could not be read, and why.
    pub rejected: Vec<RejectedFile>,
    pub noise: NoiseFile,
}

#[derive(Debug, Clone, Serialize)]
pub struct RejectedFile {
    pub file: String,
    pub message: String,
}

/// What was learnt, as it is kept in a file.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct NoiseFile {
    pub version: u32,
    #[serde(flatten)]
    pub noise: Noise,
}

impl TwinReport {
    pub(super) fn of(
        spec: &TwinSpec,
        rounds: &[Pair],
        mut tests: Vec<TestResult>,
        noise: Noise,
    ) -> TwinReport {
        tests.sort_by(|one, other| (&one.file, &one.test).cmp(&(&other.file, &other.test)));
        let has = |verdict: TwinVerdict| tests.iter().any(|test| test.verdict == verdict);
        let rejected: Vec<RejectedFile> = rounds
            .first()
            .into_iter()
            .flat_map(|round| &round.old.rejected)
            .map(|(file, message)| RejectedFile { file: file.clone(), message: message.clone() })
            .collect();
        let verdict = if has(TwinVerdict::Different) {
            TwinVerdict::Different
        } else if has(TwinVerdict::NotComparable) || !rejected.is_empty() || tests.is_empty() {
            TwinVerdict::NotComparable
        } else {
            TwinVerdict::Same
        };
        TwinReport {
            version: VERSION,
            old: spec.old.clone(),
            new: spec.new.clone(),
            rounds: rounds.len(),
            verdict,
            tests,
            rejected,
            noise: NoiseFile { version: VERSION, noise },
        }
    }

    pub fn count(&self, verdict: TwinVerdict) -> usize {
        self.tests.iter().filter(|test| test.verdict == verdict).count()
    }

    /// For a command line.
    pub fn exit_code(&self) -> u8 {
        match self.verdict {
            TwinVerdict::Different => 1,
            _ if !self.rejected.is_empty() => ErrorCode::Usage.exit_code(),
            TwinVerdict::NotComparable => 3,
            TwinVerdict::Same => 0,
        }
    }
}

/// The lines that a person reads first.
pub fn twin_words(report: &TwinReport) -> String {
    let mut lines = Vec::new();
    for rejected in &report.rejected {
        lines.push(format!("not read: {}", rejected.message));
    }
    for test in &report.tests {
        let steps = if test.steps == 1 { "1 step".to_string() } else { format!("{} steps", test.steps) };
        match &test.first {
            None => {
                let reason =
                    if test.reason.is_empty() { String::new() } else { format!(": {}", test.reason) };
                lines.push(format!("{:<14} {} ({steps}){reason}", test.verdict.name(), test.test));
            }
            Some(first) => {
                lines.push(format!(
                    "{:<14} {} at step {} of {}: {}",
                    test.verdict.name(),
                    test.test,
                    first.step,
                    test.steps,
                    first.text
                ));
                const MOST: usize = 6;
                for finding in first.findings.iter().take(MOST) {
                    lines.push(format!("               {}: {}", finding.aspect, finding.words()));
                }
                if first.findings.len() > MOST {
                    lines.push(format!(
                        "               and {} more in this step",
                        first.findings.len() - MOST
                    ));
                }
                if !test.later.is_empty() {
                    let steps: Vec<String> = test.later.iter().map(usize::to_string).collect();
                    lines.push(format!("               later steps that differ too: {}", steps.join(", ")));
                }
            }
        }
    }
    lines.push(String::new());
    lines.push(totals(report));
    let noise = &report.noise.noise.entries;
    if !noise.is_empty() {
        const MOST: usize = 5;
        lines.push(format!(
            "left out, because the old build varies there by itself ({}):",
            places(noise.len())
        ));
        for entry in noise.iter().take(MOST) {
            lines.push(format!("  {}: {}", entry.test, entry.words()));
        }
        if noise.len() > MOST {
            lines.push(format!("  and {} more, in noise.json", noise.len() - MOST));
        }
    }
    lines.join("\n")
}

pub(super) fn totals(report: &TwinReport) -> String {
    let verdicts = [TwinVerdict::Same, TwinVerdict::Different, TwinVerdict::NotComparable];
    let counts: Vec<String> = verdicts
        .iter()
        .filter(|verdict| report.count(**verdict) > 0)
        .map(|verdict| format!("{} {}", report.count(*verdict), verdict.name()))
        .collect();
    let tests =
        if report.tests.len() == 1 { "1 test".to_string() } else { format!("{} tests", report.tests.len()) };
    let rounds = if report.rounds == 1 { "1 round".to_string() } else { format!("{} rounds", report.rounds) };
    let counts = if counts.is_empty() { "nothing to compare".to_string() } else { counts.join(", ") };
    format!("{tests}: {counts} ({rounds})")
}

fn places(count: usize) -> String {
    if count == 1 { "1 place".to_string() } else { format!("{count} places") }
}

pub(super) fn write_json(value: &impl Serialize, path: &Path) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(value).map_err(|err| {
        Failure::new(ErrorCode::Internal, format!("could not write {}: {err}", path.display()))
    })?;
    write_whole(path, format!("{text}\n").as_bytes())
}

/// A reader never sees half a file.
pub(super) fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let failed = |err: std::io::Error| {
        Failure::new(ErrorCode::Io, format!("could not write {}: {err}", path.display()))
    };
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    let mut fresh = path.as_os_str().to_owned();
    fresh.push(format!(".{}.part", std::process::id()));
    std::fs::write(&fresh, bytes).map_err(failed)?;
    std::fs::rename(&fresh, path).map_err(failed)
}

/// Noise that an earlier comparison has learnt.
pub(super) fn read_noise(path: &Path) -> Result<Noise, Failure> {
    let wrong = |why: String| {
        Failure::new(ErrorCode::Usage, format!("{}: {why}", path.display()))
            .hint("a comparison writes what it learns to noise.json in its results")
    };
    let text = std::fs::read_to_string(path).map_err(|err| wrong(err.to_string()))?;
    let file: NoiseFile =
        serde_json::from_str(&text).map_err(|err| wrong(format!("expected learnt noise: {err}")))?;
    if file.version > VERSION {
        return Err(wrong(format!("expected version {VERSION}, found {}", file.version)));
    }
    Ok(file.noise)
}
