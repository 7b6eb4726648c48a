//! Screenshots of locked elements from recorded earlier runs.
//!
//! An earlier run counts only if the test passed in the same browser without a heal, and the act was aimed at the
//! locked element. If there is none, the page says so and shows no other screenshot.

use std::collections::{BTreeMap, BTreeSet};

use assay_coordinator::{Coordinator, RunRecord};
use assay_protocol::{Failure, Signature, TaskId, Verdict};
use assay_report::{HealProposal, HealShot, NoShot, SentencePlace, Summary, TestSummary, earlier_shot};

use super::Proposal;
use crate::run::{folder_of, lock_of};
use crate::state::state_failure;

/// The element to find: one of a proposal.
struct Sought<'a> {
    place: SentencePlace,
    element: &'a Signature,
    found: Result<HealShot, NoShot>,
}

/// For each proposal and each of its elements the latest picture on record, or why there is none.
pub fn earlier_shots(
    coordinator: &Coordinator,
    run: &RunRecord,
    proposals: &[Proposal<'_>],
) -> Result<Vec<Vec<Result<HealShot, NoShot>>>, Failure> {
    let mut all: Vec<Vec<Sought<'_>>> = proposals.iter().map(sought).collect();
    let passes = passes(coordinator, proposals)?;
    for earlier in coordinator.runs().map_err(state_failure)? {
        if earlier.task >= run.task {
            continue;
        }
        let open: Vec<usize> = (0..all.len())
            .filter(|at| all[*at].iter().any(|sought| sought.found.is_err()))
            .filter(|at| passes[&proposals[*at].name].contains(&earlier.task))
            .collect();
        // A run whose folder is not known may be of another project with the same names.
        let Ok(folder) = folder_of(&earlier) else { continue };
        if open.is_empty() {
            continue;
        }
        let summary = Summary::of(&coordinator.events_of(earlier.task).map_err(state_failure)?);
        for at in open {
            let proposal = &proposals[at];
            let is_it = |test: &&TestSummary| {
                test.line.browser == proposal.test.line.browser
                    && lock_of(&test.line, &folder) == (proposal.lock.clone(), proposal.name.clone())
            };
            let Some(test) = summary.tests.iter().find(is_it) else { continue };
            for sought in all[at].iter_mut().filter(|sought| sought.found.is_err()) {
                let number = earlier.task.to_string();
                let shot = earlier_shot(test, &sought.place, sought.element, &number, &earlier.results);
                // Why the latest pass has none says more than that one before it was no pass.
                if shot.is_ok() || sought.found == Err(NoShot::NoEarlierPass) {
                    sought.found = shot;
                }
            }
        }
    }
    Ok(all.into_iter().map(|elements| elements.into_iter().map(|sought| sought.found).collect()).collect())
}

fn sought<'a>(proposal: &Proposal<'a>) -> Vec<Sought<'a>> {
    let place = SentencePlace::of(proposal.test, proposal.step, proposal.healing);
    HealProposal::changes(proposal.healing)
        .into_iter()
        .map(|(was, ..)| Sought { place: place.clone(), element: was, found: Err(NoShot::NoEarlierPass) })
        .collect()
}

/// In which runs each test passed: the events of others need not be read.
fn passes(
    coordinator: &Coordinator,
    proposals: &[Proposal<'_>],
) -> Result<BTreeMap<String, BTreeSet<TaskId>>, Failure> {
    let mut passes = BTreeMap::new();
    for proposal in proposals {
        if passes.contains_key(&proposal.name) {
            continue;
        }
        let results = coordinator.history(&proposal.name, usize::MAX).map_err(state_failure)?;
        let passed = results.into_iter().filter(|result| result.verdict == Verdict::Passed);
        passes.insert(proposal.name.clone(), passed.map(|result| result.task).collect());
    }
    Ok(passes)
}
