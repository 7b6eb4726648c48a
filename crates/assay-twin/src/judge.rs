//! From rounds of recordings to one result for each test.
//!
//! In each round the old and the new build run side by side. A difference counts if no noise explains it and every round
//! shows it. What only some rounds show is no difference and not nothing: such a test is not comparable, with evidence.

use assay_protocol::{Part, Verdict};
use serde::{Deserialize, Serialize};

use crate::compare::{compare_steps, describe_all};
use crate::effects::ended;
use crate::finding::{Aspect, Change, Finding, Place};
use crate::noise::Noise;
use crate::picture::{Album, Pictures};
use crate::recording::{Recording, StepSeen, TestSeen};
use crate::timing::compare_times;

/// One run of each build, at the same time.
pub struct Round<'a> {
    pub old: &'a Recording,
    pub new: &'a Recording,
    pub old_album: &'a dyn Album,
    pub new_album: &'a dyn Album,
}

/// A slow moment can look like a slow build twice.
const ROUNDS_FOR_TIMES: usize = 3;
/// A short list in any order can come in one order twice.
const ROUNDS_FOR_ORDER: usize = 3;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TwinVerdict {
    Same,
    Different,
    NotComparable,
}

impl TwinVerdict {
    pub fn name(self) -> &'static str {
        match self {
            TwinVerdict::Same => "same",
            TwinVerdict::Different => "different",
            TwinVerdict::NotComparable => "not comparable",
        }
    }
}

/// What was found for one test.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TestResult {
    pub test: String,
    pub name: String,
    pub file: String,
    pub verdict: TwinVerdict,
    /// Why it is not comparable, or what else should be known.
    pub reason: String,
    /// Steps that were compared.
    pub steps: usize,
    /// In how many rounds it ran.
    pub rounds: usize,
    /// The first step in which the builds differ.
    pub first: Option<StepDifference>,
    /// The later steps in which they differ as well.
    pub later: Vec<usize>,
    /// What differed in some rounds only, or could be observed on one side only.
    pub unsteady: Vec<StepDifference>,
}

/// A step in which the builds differ.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StepDifference {
    pub step: usize,
    pub part: Part,
    pub text: String,
    /// The round whose evidence this is, from 1.
    pub round: usize,
    /// In how many rounds it was seen.
    pub rounds: usize,
    pub findings: Vec<Finding>,
}

/// What varies by itself: everything in which runs of the old build differ from each other.
pub fn learn(rounds: &[Round<'_>], given: &Noise) -> Noise {
    let mut noise = given.clone();
    for (at, earlier) in rounds.iter().enumerate() {
        for later in &rounds[at + 1..] {
            let pictures = Pictures { old: earlier.old_album, new: later.old_album };
            for test in &earlier.old.tests {
                let Some(again) = later.old.test(&test.id) else { continue };
                if trouble_of(test).or_else(|| trouble_of(again)).is_some() {
                    continue;
                }
                for (one, other) in pairs(test, again) {
                    noise.learn(&test.id, one.number, &compare_steps(one, other, &pictures));
                }
            }
        }
    }
    noise
}

/// Steps with the same number and the same words.
fn pairs<'a>(one: &'a TestSeen, other: &'a TestSeen) -> impl Iterator<Item = (&'a StepSeen, &'a StepSeen)> {
    one.steps.iter().filter_map(|step| {
        let again =
            other.steps.iter().find(|again| again.number == step.number && again.text == step.text)?;
        Some((step, again))
    })
}

/// The result of each test, and the tests of which another round would say more.
pub fn judge(rounds: &[Round<'_>], noise: &Noise) -> (Vec<TestResult>, Vec<String>) {
    let mut results = Vec::new();
    let mut open = Vec::new();
    let mut ids: Vec<&str> = Vec::new();
    for round in rounds {
        for test in round.old.tests.iter().chain(&round.new.tests) {
            if !ids.contains(&test.id.as_str()) {
                ids.push(&test.id);
            }
        }
    }
    for id in ids {
        let (result, is_open) = judge_test(id, rounds, noise);
        if is_open {
            open.push(id.to_string());
        }
        results.push(result);
    }
    (results, open)
}

/// One test in one round.
struct Pair<'a> {
    round: usize,
    old: &'a TestSeen,
    new: &'a TestSeen,
    pictures: Pictures<'a>,
}

impl Pair<'_> {
    /// Why nothing can be said about it, for reasons that have nothing to do with the builds.
    fn trouble(&self) -> Option<String> {
        [("old", self.old), ("new", self.new)]
            .into_iter()
            .find_map(|(side, test)| trouble_of(test).map(|trouble| format!("{trouble} on the {side} build")))
    }
}

fn trouble_of(test: &TestSeen) -> Option<String> {
    match test.verdict {
        None => Some("it did not come to an end".to_string()),
        Some(Verdict::Error) => Some(format!("it could not be run ({})", test.reason)),
        Some(_) => None,
    }
}

fn judge_test(id: &str, rounds: &[Round<'_>], noise: &Noise) -> (TestResult, bool) {
    let ran: Vec<Pair<'_>> = (1..)
        .zip(rounds)
        .filter_map(|(round, recorded)| {
            let (old, new) = (recorded.old.test(id)?, recorded.new.test(id)?);
            let pictures = Pictures { old: recorded.old_album, new: recorded.new_album };
            Some(Pair { round, old, new, pictures })
        })
        .collect();
    let any = rounds.iter().find_map(|round| round.old.test(id).or_else(|| round.new.test(id)));
    let mut result = TestResult {
        test: id.to_string(),
        name: any.map(|test| test.name.clone()).unwrap_or_default(),
        file: any.map(|test| test.file.clone()).unwrap_or_default(),
        verdict: TwinVerdict::NotComparable,
        reason: String::new(),
        steps: 0,
        rounds: ran.len(),
        first: None,
        later: Vec::new(),
        unsteady: Vec::new(),
    };
    if ran.is_empty() {
        result.reason = "it ran on one side only".to_string();
        return (result, false);
    }
    // A browser that did not start says nothing, and may start the next time.
    let (ran, troubled): (Vec<Pair<'_>>, Vec<Pair<'_>>) =
        ran.into_iter().partition(|pair| pair.trouble().is_none());
    if ran.is_empty() {
        result.reason = troubled.iter().find_map(Pair::trouble).unwrap_or_default();
        return (result, true);
    }
    if let Some(reason) = broken(&ran) {
        result.reason = reason;
        return (result, false);
    }
    result.steps = ran.iter().map(|pair| pairs(pair.old, pair.new).count()).min().unwrap_or_default();
    let found: Vec<Vec<StepDifference>> = ran.iter().map(|pair| differences(id, pair, noise)).collect();
    let (mut confirmed, unsteady) = sorted(&found);
    add_times(&mut confirmed, &ran);
    let is_open =
        wants_more(&ran, &confirmed, &unsteady, &found, |step, finding| noise.touches(id, step, finding));
    result.unsteady = unsteady;
    if ran.len() < ROUNDS_FOR_TIMES && !is_open {
        confirmed
            .iter_mut()
            .for_each(|step| step.findings.retain(|finding| finding.aspect != Aspect::Timing));
        confirmed.retain(|step| !step.findings.is_empty());
    }
    let mut confirmed = confirmed.into_iter();
    if let Some(first) = confirmed.next() {
        result.verdict = TwinVerdict::Different;
        result.later = confirmed.map(|step| step.step).collect();
        result.first = Some(first);
        return (result, is_open);
    }
    (result.verdict, result.reason) = without_difference(&ran, &result.unsteady);
    (result, is_open)
}

/// Why nothing can be said about a test, whatever its steps show.
fn broken(ran: &[Pair<'_>]) -> Option<String> {
    for pair in ran {
        for (side, test) in [("old", pair.old), ("new", pair.new)] {
            let elsewhere = |step: &&StepSeen| step.page.there().is_some_and(|page| page.is_of_other_build);
            if let Some(step) = test.steps.iter().find(elsewhere) {
                return Some(format!(
                    "step {} on the {side} build was at the address of the other build",
                    step.number
                ));
            }
        }
    }
    let first = &ran[0];
    let unlike = ran.iter().find(|pair| {
        let ends = |test: &TestSeen| test.steps.last().map(|step| (step.number, step.verdict));
        (pair.old.verdict, ends(pair.old)) != (first.old.verdict, ends(first.old))
    })?;
    Some(format!(
        "the old build is not like itself: {} in round {}, {} in round {}; if the data of the runs differ, reset them with \
         --reset-old and --reset-new",
        outcome(first.old),
        first.round,
        outcome(unlike.old),
        unlike.round
    ))
}

fn outcome(test: &TestSeen) -> String {
    let verdict = test.verdict.map_or("no result", Verdict::name);
    if test.reason.is_empty() { verdict.to_string() } else { format!("{verdict} ({})", test.reason) }
}

/// The steps of a round in which the builds differ, beyond noise.
fn differences(id: &str, pair: &Pair<'_>, noise: &Noise) -> Vec<StepDifference> {
    let both: Vec<(&StepSeen, &StepSeen)> = pairs(pair.old, pair.new).collect();
    let mut all: Vec<Vec<Finding>> =
        both.iter().map(|(old, new)| compare_steps(old, new, &pair.pictures)).collect();
    drop_late_requests(&mut all);
    let mut steps: Vec<StepDifference> = Vec::new();
    for ((old, new), findings) in both.iter().zip(all) {
        let mut findings = noise.without(id, findings, old, new);
        describe_all(&mut findings, old, new);
        if !findings.is_empty() {
            steps.push(difference_of(old, pair.round, findings));
        }
    }
    if pair.old.verdict != pair.new.verdict && !steps.iter().any(|step| step.findings.iter().any(is_verdict))
    {
        let key = "#verdict of the test".to_string();
        let place = Place {
            page: String::new(),
            new_key: key.clone(),
            key,
            shown: "verdict of the test".to_string(),
        };
        let finding =
            Finding::new(Aspect::Effect, Change::Said, place, &outcome(pair.old), &outcome(pair.new));
        match (steps.last_mut(), both.last()) {
            (Some(step), Some((last, _))) if step.step == last.number => step.findings.insert(0, finding),
            (_, Some((last, _))) => steps.push(difference_of(last, pair.round, vec![finding])),
            (_, None) => {}
        }
    }
    steps
}

fn is_verdict(finding: &Finding) -> bool {
    finding.place.key.starts_with("#verdict")
}

fn difference_of(step: &StepSeen, round: usize, findings: Vec<Finding>) -> StepDifference {
    StepDifference { step: step.number, part: step.part, text: step.text.clone(), round, rounds: 1, findings }
}

/// A request that comes a moment later belongs to the next step on one side: what is missing in one step and new in the
/// next one, or the other way round, is the same request.
fn drop_late_requests(steps: &mut [Vec<Finding>]) {
    for at in 1..steps.len() {
        let (ahead, behind) = steps.split_at_mut(at);
        let (one, other) = (&mut ahead[at - 1], &mut behind[0]);
        one.retain(|finding| {
            let opposite = match finding.change {
                Change::Missing => Change::Extra,
                Change::Extra => Change::Missing,
                _ => return true,
            };
            if finding.aspect != Aspect::Requests {
                return true;
            }
            let request = |one: &Finding| format!("{}{}", one.old, one.new);
            let twin = other.iter().position(|next| {
                next.aspect == Aspect::Requests
                    && next.change == opposite
                    && request(next) == request(finding)
            });
            twin.map(|at| other.remove(at)).is_none()
        });
    }
}

/// What every round shows, and what only some show or one side could not observe.
fn sorted(found: &[Vec<StepDifference>]) -> (Vec<StepDifference>, Vec<StepDifference>) {
    let mut confirmed: Vec<StepDifference> = Vec::new();
    let mut unsteady: Vec<StepDifference> = Vec::new();
    let seen_in = |step: usize, finding: &Finding| {
        found
            .iter()
            .filter(|round| {
                round.iter().any(|other| {
                    other.step == step && other.findings.iter().any(|again| again.is_like(finding))
                })
            })
            .count()
    };
    for round in found.iter().rev() {
        for step in round {
            for finding in &step.findings {
                let rounds = seen_in(step.step, finding);
                let is_known = |list: &[StepDifference]| {
                    list.iter().any(|other| {
                        other.step == step.step
                            && other.round != step.round
                            && other.findings.iter().any(|again| again.is_like(finding))
                    })
                };
                let is_sure = rounds == found.len() && finding.change != Change::Unseen;
                let list = if is_sure { &mut confirmed } else { &mut unsteady };
                if is_known(list) {
                    continue;
                }
                match list.iter_mut().find(|other| other.step == step.step && other.round == step.round) {
                    Some(entry) => entry.findings.push(finding.clone()),
                    None => {
                        list.push(StepDifference { rounds, findings: vec![finding.clone()], ..step.clone() })
                    }
                }
            }
        }
    }
    for list in [&mut confirmed, &mut unsteady] {
        list.sort_by_key(|step| (step.step, step.round));
    }
    (confirmed, unsteady)
}

/// Adds the steps that take another time in all rounds together. A step that stopped early is no quicker.
fn add_times(confirmed: &mut Vec<StepDifference>, ran: &[Pair<'_>]) {
    let Some(last) = ran.last() else { return };
    for (step, _) in pairs(last.old, last.new) {
        let times: Option<Vec<(u64, u64)>> = ran
            .iter()
            .map(|pair| {
                let (old, new) = pairs(pair.old, pair.new).find(|(old, _)| old.number == step.number)?;
                (old.verdict == Verdict::Passed && new.verdict == Verdict::Passed)
                    .then_some((old.took_ms, new.took_ms))
            })
            .collect();
        let (old, new): (Vec<u64>, Vec<u64>) = times.unwrap_or_default().into_iter().unzip();
        let Some(finding) = compare_times(&old, &new) else { continue };
        match confirmed.iter_mut().find(|other| other.step == step.number) {
            Some(other) => other.findings.push(finding),
            None => confirmed
                .push(StepDifference { rounds: ran.len(), ..difference_of(step, last.round, vec![finding]) }),
        }
    }
    confirmed.sort_by_key(|step| (step.step, step.round));
}

/// Whether another round would say more: something differs now and then, only the time differs, or the place of the
/// difference varies on its own.
fn wants_more(
    ran: &[Pair<'_>],
    confirmed: &[StepDifference],
    unsteady: &[StepDifference],
    found: &[Vec<StepDifference>],
    touches: impl Fn(usize, &Finding) -> bool,
) -> bool {
    let rounds = found.len();
    let Some(first) = confirmed.first() else { return !unsteady.is_empty() };
    if rounds < 2 {
        return true;
    }
    let is_firm = |finding: &Finding| {
        let needed = match (finding.aspect, finding.change) {
            (Aspect::Timing, _) => ROUNDS_FOR_TIMES,
            (_, Change::Order) => ROUNDS_FOR_ORDER,
            _ => 2,
        };
        let is_restless = finding.aspect != Aspect::Timing
            && (touches(first.step, finding)
                || varies_in_new(first.step, finding, found)
                || is_unlike_itself(ran, first.step, finding));
        rounds >= needed && !is_restless
    };
    !first.findings.iter().any(is_firm)
}

/// Whether two runs of the new build differ at that place as well: then the old build may vary there, too, and was the
/// same by chance.
fn is_unlike_itself(ran: &[Pair<'_>], step: usize, finding: &Finding) -> bool {
    let step_of = |pair: &Pair<'_>| pair.new.steps.iter().find(|seen| seen.number == step).cloned();
    ran.iter().enumerate().any(|(at, earlier)| {
        ran[at + 1..].iter().any(|later| {
            let (Some(one), Some(other)) = (step_of(earlier), step_of(later)) else { return false };
            let pictures = Pictures { old: earlier.pictures.new, new: later.pictures.new };
            compare_steps(&one, &other, &pictures).iter().any(|again| again.is_at(finding))
        })
    })
}

/// Whether the new build says something else there in each round.
fn varies_in_new(step: usize, finding: &Finding, found: &[Vec<StepDifference>]) -> bool {
    let in_rounds = found.iter().flatten().filter(|other| other.step == step);
    let alike = in_rounds.flat_map(|other| &other.findings).filter(|other| other.is_like(finding));
    finding.change == Change::Said && alike.into_iter().any(|other| other.new != finding.new)
}

/// The verdict of a test in which no difference was found.
fn without_difference(ran: &[Pair<'_>], unsteady: &[StepDifference]) -> (TwinVerdict, String) {
    if let Some(step) = unsteady.first() {
        let finding = &step.findings[0];
        let reason = match finding.change {
            Change::Unseen => format!("step {}, {}: {}", step.step, finding.aspect, finding.words()),
            _ => format!(
                "step {}, {}: {}; this was so in {} of {} rounds",
                step.step,
                finding.aspect,
                finding.words(),
                step.rounds,
                ran.len()
            ),
        };
        return (TwinVerdict::NotComparable, reason);
    }
    let old = ran[0].old;
    if old.verdict == Some(Verdict::Passed) {
        return (TwinVerdict::Same, String::new());
    }
    let at = match old.steps.last() {
        Some(step) if step.verdict != Verdict::Passed => format!("step {} {}", step.number, ended(step)),
        _ => outcome(old),
    };
    let reason =
        format!("neither build passes it: {at}; up to there both are the same, later steps were not reached");
    (TwinVerdict::NotComparable, reason)
}

#[cfg(test)]
#[path = "judge_tests.rs"]
mod tests;
