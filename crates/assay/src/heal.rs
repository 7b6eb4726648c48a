//! `assay heal`: what a run found changed and healed, shown so that somebody can judge it, and put into the lock files
//! when they say so.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use assay_coordinator::{Coordinator, RunRecord};
use assay_protocol::{ErrorCode, Failure, Format, FoundAgain, Healing, LockedEntry, Signature, Verdict};
use assay_report::{Summary, TestSummary};
use assay_suite::LockFile;

use crate::command::Invocation;
use crate::environment::Environment;
use crate::run::{folder_of, lock_of};
use crate::{output, report, state};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Order {
    /// Only of these tests; of all when there are none.
    pub tests: Vec<String>,
    pub run: Option<String>,
    pub apply: bool,
}

pub fn run(order: &Order, invocation: &Invocation, environment: &Environment) -> ExitCode {
    let json = invocation.format == Format::Json;
    match carry_out(order, json, environment) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => output::print_failure(&failure, json),
    }
}

/// One entry of a lock file that would change.
struct Proposal<'a> {
    test: &'a TestSummary,
    /// `step 3: Click the login button`.
    step: String,
    healing: &'a Healing,
    lock: PathBuf,
    /// The test's name in the lock file.
    name: String,
    state: Standing,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Standing {
    /// It can be accepted.
    Open,
    /// The lock file says it already.
    Accepted,
    /// The lock file has another entry by now.
    Overtaken,
}

impl Standing {
    fn words(self) -> &'static str {
        match self {
            Standing::Open => "open",
            Standing::Accepted => "accepted",
            Standing::Overtaken => "the lock file was changed since",
        }
    }
}

fn carry_out(order: &Order, json: bool, environment: &Environment) -> Result<(), Failure> {
    let coordinator = state::ask_here(environment)?;
    let run = report::chosen(&coordinator, order.run.as_deref())?;
    let summary = summary_of(&coordinator, &run)?;
    for test in &order.tests {
        if summary.test(test).is_none() {
            let message = format!("`{test}` is no test of the run {}", run.run);
            return Err(Failure::new(ErrorCode::Usage, message).hint("assay report show names them"));
        }
    }
    let folder = folder_of(&run)?;
    let mut proposals = proposals(&summary, order, &folder)?;
    if order.apply {
        for proposal in proposals.iter_mut().filter(|proposal| proposal.state == Standing::Open) {
            accept(proposal)?;
            proposal.state = Standing::Accepted;
        }
    }
    if json {
        let told: Vec<serde_json::Value> = proposals.iter().map(as_json).collect();
        output::print_json(&serde_json::json!({ "ok": true, "data": told }));
        return Ok(());
    }
    output::print_line(told(&proposals, order.apply).trim_end());
    Ok(())
}

fn summary_of(coordinator: &Coordinator, run: &RunRecord) -> Result<Summary, Failure> {
    Ok(Summary::of(&coordinator.events_of(run.task).map_err(state::failure)?))
}

/// Only of tests that passed: what a test that failed did instead is no better than what is locked.
fn proposals<'a>(summary: &'a Summary, order: &Order, folder: &Path) -> Result<Vec<Proposal<'a>>, Failure> {
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
            let file = read(&lock)?;
            let entries = file.tests.get(&name).map(|locked| locked.entries.as_slice()).unwrap_or_default();
            let state = match () {
                () if entries.contains(&healing.was) => Standing::Open,
                () if entries.contains(&healing.now) => Standing::Accepted,
                () => Standing::Overtaken,
            };
            let step = format!("{}: {}", step.place_words(), step.text);
            proposals.push(Proposal { test, step, healing, lock: lock.clone(), name: name.clone(), state });
        }
    }
    Ok(proposals)
}

fn read(lock: &Path) -> Result<LockFile, Failure> {
    LockFile::load(lock).map_err(|problem| Failure::new(ErrorCode::Usage, problem.to_string()))
}

/// Puts the new entry in the place of the old one.
fn accept(proposal: &Proposal<'_>) -> Result<(), Failure> {
    let mut file = read(&proposal.lock)?;
    let Some(entry) = file
        .tests
        .get_mut(&proposal.name)
        .and_then(|locked| locked.entries.iter_mut().find(|entry| **entry == proposal.healing.was))
    else {
        return Ok(());
    };
    *entry = LockedEntry {
        effect: entry.effect.opened_for(&proposal.healing.now.effect),
        ..proposal.healing.now.clone()
    };
    file.save(&proposal.lock).map(drop).map_err(|err| {
        Failure::new(ErrorCode::Io, format!("could not write {}: {err}", proposal.lock.display()))
    })
}

fn told(proposals: &[Proposal<'_>], applied: bool) -> String {
    if proposals.is_empty() {
        return "nothing was healed: every page that passed is as its lock describes it".to_string();
    }
    let mut text = String::new();
    for proposal in proposals {
        text += &format!("{}  {}\n", proposal.test.line.file, proposal.test.line.id);
        text += &format!("  {}\n", proposal.step);
        for found in &proposal.healing.found {
            text += &of_element(found);
        }
        if proposal.healing.found.is_empty() {
            text += "    the way to do it changed; what it does is the same\n";
        }
        text += &format!("    recorded  {}\n", proposal.healing.was.effect);
        text += &format!("    now       {}\n", proposal.healing.now.effect);
        if proposal.state != Standing::Open {
            text += &format!("    {}\n", proposal.state.words());
        }
        text.push('\n');
    }
    let count = |state| proposals.iter().filter(|proposal| proposal.state == state).count();
    text += &match (count(Standing::Open), applied) {
        (_, true) => format!("{} accepted; commit the lock files\n", counted(count(Standing::Accepted))),
        (0, false) => "nothing is left to accept\n".to_string(),
        (open, false) => format!("{}; `assay heal --apply` accepts them\n", counted(open)),
    };
    text
}

fn counted(number: usize) -> String {
    if number == 1 { "1 change".to_string() } else { format!("{number} changes") }
}

fn of_element(found: &FoundAgain) -> String {
    format!(
        "    was  {}\n    now  {}\n    {:.2} alike, {:.2} ahead of the next: {}\n",
        described(&found.was),
        described(&found.now),
        found.score,
        found.margin,
        found.because
    )
}

/// `button "Log in"  id submit, type submit, in form "Account"`.
fn described(signature: &Signature) -> String {
    let marks = signature.marks.iter().map(|(mark, value)| format!("{mark} {value}"));
    let within = signature.within.iter().take(1).map(|place| format!("in {place}"));
    let told: Vec<String> = marks.chain(within).collect();
    format!("{} \"{}\"  {}", signature.role, signature.name, told.join(", "))
}

fn as_json(proposal: &Proposal<'_>) -> serde_json::Value {
    serde_json::json!({
        "test": proposal.test.line.id,
        "file": proposal.test.line.file,
        "lock": proposal.lock,
        "step": proposal.step,
        "state": proposal.state.words(),
        "found": proposal.healing.found,
        "was": proposal.healing.was,
        "now": proposal.healing.now,
    })
}
