//! Healed steps of a run: shown for review, and written to the lock files when the user accepts or refuses them.

mod earlier;
mod words;

use std::path::{Path, PathBuf};

use assay_coordinator::{Coordinator, RunRecord};
use assay_protocol::{EffectKind, ErrorCode, Failure, Healing, LockedEntry, Verdict};
use assay_report::{
    ChangedElement, HealPage, HealProposal, StepRecord, Summary, TestSummary, shot_of, write_heal_page,
};
use assay_suite::LockFile;

pub use words::{heal_json, heal_words};

use crate::record_limits::RecordLimits;
use crate::run::{folder_of, lock_of};
use crate::state::{newest_run, run_called, state_failure};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HealRequest {
    /// Only of these tests; of all when there are none.
    pub tests: Vec<String>,
    pub run: Option<String>,
    /// Only of these changes, by their numbers in the list of the run; of all when there are none.
    pub changes: Vec<usize>,
    pub decision: HealDecision,
}

/// What becomes of the changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HealDecision {
    /// They are only shown.
    Open,
    /// They are written into the lock files.
    Accept,
    /// The lock files say that they are wrong: they are neither proposed nor made again.
    Refuse,
}

/// One entry of a lock file that would change.
struct Proposal<'a> {
    test: &'a TestSummary,
    step: &'a StepRecord,
    healing: &'a Healing,
    lock: PathBuf,
    /// The test's name in the lock file.
    name: String,
    state: HealState,
}

/// The state of a proposal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HealState {
    /// It can be accepted.
    Open,
    /// The lock file says it already.
    Accepted,
    /// The lock file says that it is wrong.
    Refused,
    /// The lock file has another entry by now.
    Overtaken,
}

impl HealState {
    pub fn words(self) -> &'static str {
        match self {
            HealState::Open => "open",
            HealState::Accepted => "accepted",
            HealState::Refused => "refused",
            HealState::Overtaken => "the lock file was changed since",
        }
    }
}

/// Collects the heals of a run, accepts or refuses them on request, and writes the review page. `present` gets the page and its
/// path, or why it was not written.
pub fn heal<R>(
    coordinator: &Coordinator,
    limits: &RecordLimits,
    here: &Path,
    order: &HealRequest,
    present: impl FnOnce(&HealPage<'_>, Result<&Path, &str>) -> R,
) -> Result<R, Failure> {
    let run = match order.run.as_deref() {
        Some(which) => run_called(coordinator, which)?,
        None => newest_run(coordinator)?,
    };
    let summary = summary_of(coordinator, &run)?;
    for test in &order.tests {
        if summary.test(test).is_none() {
            let message = format!("there is no test `{test}` in run {}", run.run);
            return Err(Failure::new(ErrorCode::Usage, message).hint("assay report show lists its tests"));
        }
    }
    let folder = folder_of(&run)?;
    limits.check_folder(&folder)?;
    limits.check_path("results", &run.results)?;
    let mut proposals = proposals(&summary, order, &folder, here)?;
    for proposal in &proposals {
        limits.check_path("a lock file", &proposal.lock)?;
    }
    decide(&mut proposals, order, here)?;
    let page = page_of(coordinator, &run, &summary, &proposals, here)?;
    let written = write_page(&page, &run.results.join("heals.html"));
    Ok(present(&page, written.as_deref().map_err(String::as_str)))
}

/// Carries the user's decision out. What is named by its number may have been refused before; without numbers only open
/// changes are meant.
fn decide(proposals: &mut [Proposal<'_>], order: &HealRequest, here: &Path) -> Result<(), Failure> {
    if let Some(unknown) = order.changes.iter().find(|number| **number == 0 || **number > proposals.len()) {
        let message = format!("there is no change {unknown}: the run has {}", proposals.len());
        return Err(Failure::new(ErrorCode::Usage, message).hint("assay heal lists them with their numbers"));
    }
    let is_named = |at: usize| order.changes.contains(&(at + 1));
    for (at, proposal) in proposals.iter_mut().enumerate() {
        let is_meant = match proposal.state {
            HealState::Open => order.changes.is_empty() || is_named(at),
            HealState::Refused => is_named(at),
            HealState::Accepted | HealState::Overtaken => false,
        };
        if !is_meant {
            continue;
        }
        proposal.state = match order.decision {
            HealDecision::Open => proposal.state,
            HealDecision::Accept => accept(proposal, here)?,
            HealDecision::Refuse => refuse(proposal, here)?,
        };
    }
    Ok(())
}

/// The page only helps with the review. Accepted changes do not depend on it, so a write error is reported but is not a
/// failure.
fn write_page(page: &HealPage<'_>, path: &Path) -> Result<PathBuf, String> {
    if page.proposals.is_empty() {
        return Err("there is nothing to show".to_string());
    }
    match write_heal_page(page, path) {
        Ok(()) => Ok(path.to_path_buf()),
        Err(err) => Err(format!("could not write {}: {err}", path.display())),
    }
}

/// The proposals with both pictures of each element.
fn page_of<'a>(
    coordinator: &Coordinator,
    run: &RunRecord,
    summary: &'a Summary,
    proposals: &[Proposal<'a>],
    here: &Path,
) -> Result<HealPage<'a>, Failure> {
    let number = run.task.to_string();
    let earlier = earlier::earlier_shots(coordinator, run, proposals)?;
    let told = proposals.iter().zip(earlier).map(|(proposal, earlier)| {
        let changes = HealProposal::changes(proposal.healing).into_iter().zip(earlier);
        let elements = changes.map(|((was, now, likeness), recorded)| ChangedElement {
            was,
            now,
            likeness,
            recorded,
            found: shot_of(proposal.step, now, &number, &run.results),
        });
        HealProposal {
            test: &proposal.test.line,
            place: proposal.step.place_words(),
            sentence: &proposal.step.text,
            lock: shown(&proposal.lock, here),
            state: proposal.state.words(),
            healing: proposal.healing,
            elements: elements.collect(),
        }
    });
    Ok(HealPage {
        suite: &summary.suite,
        run: number.clone(),
        started_at: summary.started_at,
        proposals: told.collect(),
    })
}

fn summary_of(coordinator: &Coordinator, run: &RunRecord) -> Result<Summary, Failure> {
    Ok(Summary::of(&coordinator.events_of(run.task).map_err(state_failure)?))
}

/// Only for passing tests: the acts of a failed test are no better than its lock.
fn proposals<'a>(
    summary: &'a Summary,
    order: &HealRequest,
    folder: &Path,
    here: &Path,
) -> Result<Vec<Proposal<'a>>, Failure> {
    let mut proposals: Vec<Proposal<'a>> = Vec::new();
    let wanted = |test: &&TestSummary| {
        test.verdict() == Some(Verdict::Passed)
            && (order.tests.is_empty() || order.tests.contains(&test.line.id))
    };
    for test in summary.tests.iter().filter(wanted) {
        let (lock, name) = lock_of(&test.line, folder);
        for (step, healing) in test.healings() {
            let is_known = |known: &Proposal<'_>| {
                known.lock == lock && known.name == name && known.healing.was == healing.was
            };
            // The same test in another browser.
            if proposals.iter().any(is_known) {
                continue;
            }
            let file = read(&lock, here)?;
            let locked = file.tests.get(&name);
            let entries = locked.map(|locked| locked.entries.as_slice()).unwrap_or_default();
            let is_refused = locked.is_some_and(|locked| locked.refuses(&healing.now));
            let state = match () {
                () if is_refused && entries.contains(&healing.was) => HealState::Refused,
                () if entries.contains(&healing.was) => HealState::Open,
                () if entries.contains(&healing.now) => HealState::Accepted,
                () => HealState::Overtaken,
            };
            proposals.push(Proposal { test, step, healing, lock: lock.clone(), name: name.clone(), state });
        }
    }
    Ok(proposals)
}

fn read(lock: &Path, here: &Path) -> Result<LockFile, Failure> {
    LockFile::load(lock, here).map_err(|problem| Failure::new(ErrorCode::Usage, problem.to_string()))
}

/// Puts the new entry in the place of the old one. What was refused for the old one is over.
fn accept(proposal: &Proposal<'_>, here: &Path) -> Result<HealState, Failure> {
    let mut file = read(&proposal.lock, here)?;
    let Some(locked) = file.tests.get_mut(&proposal.name) else { return Ok(HealState::Overtaken) };
    let was = &proposal.healing.was;
    let Some(entry) = locked.entries.iter_mut().find(|entry| *entry == was) else {
        return Ok(HealState::Overtaken);
    };
    locked.refused.retain(|refused| !refused.is_for(was.part, &was.step, was.nth));
    *entry = LockedEntry {
        effect: entry.effect.opened_for(&proposal.healing.now.effect),
        ..proposal.healing.now.clone()
    };
    save(&file, proposal)?;
    Ok(HealState::Accepted)
}

/// Puts the new entry on the list of what is refused. The old one stays.
fn refuse(proposal: &Proposal<'_>, here: &Path) -> Result<HealState, Failure> {
    let mut file = read(&proposal.lock, here)?;
    let Some(locked) = file.tests.get_mut(&proposal.name) else { return Ok(HealState::Overtaken) };
    if !locked.entries.contains(&proposal.healing.was) {
        return Ok(HealState::Overtaken);
    }
    if !locked.refuses(&proposal.healing.now) {
        // Its effect was the recorded one, so it says nothing.
        let refused = LockedEntry { effect: EffectKind::default(), ..proposal.healing.now.clone() };
        locked.refused.push(refused);
        save(&file, proposal)?;
    }
    Ok(HealState::Refused)
}

fn save(file: &LockFile, proposal: &Proposal<'_>) -> Result<(), Failure> {
    file.save(&proposal.lock).map(drop).map_err(|err| {
        Failure::new(ErrorCode::Io, format!("could not write {}: {err}", proposal.lock.display()))
    })
}

/// Lock files are named as seen from the folder at hand.
fn shown(path: &Path, here: &Path) -> String {
    path.strip_prefix(here).unwrap_or(path).display().to_string()
}
