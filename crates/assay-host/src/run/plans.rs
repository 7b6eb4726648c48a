//! Turns the tests of files into plans for the runner.

use std::path::PathBuf;

use assay_actions::{Clipboard, Policy, policy_key};
use assay_coordinator::fingerprint;
use assay_driver::Capability;
use assay_protocol::{Action, BrowserSettings, Failure, Part, TestLine};
use assay_runner::{
    PilotTerms, Plan, PlanStep, Precondition, PreconditionMeans, Steering, StepBody, Timeouts,
};
use assay_suite::{Instruction, PilotChoice, StandingClaims, TestCase, TestStep, Way};

use super::preconditions::PreconditionMaker;
use crate::context::Drivers;

/// Turns the words of an exact command into an action.
type ReadCommand<'a> = &'a dyn Fn(&str) -> Result<Action, Failure>;

/// A plan for each browser, or file and message for an invalid exact command.
pub fn plans_of(
    test: &TestCase,
    browsers: &[String],
    pilots: &ModelWish,
    makers: &mut Vec<PreconditionMaker>,
    read: ReadCommand<'_>,
) -> Result<Vec<Plan>, (String, String)> {
    let defaults = Timeouts::default();
    let mut notes = Vec::new();
    if let Some(device) = &test.device {
        notes.push(format!("device: {device} is not supported yet; the test runs in the browser"));
    }
    if let Some(platform) = &test.platform {
        notes.push(format!("platform: {platform} is not supported yet; the test runs in the browser"));
    }
    let budget = &test.budget;
    let has_limits = budget.turns.is_some() || budget.tokens.is_some() || budget.money.is_some();
    if has_limits && !pilots.has_model {
        notes.push(
            "budget: limits on turns, tokens and money apply only to models, and this run uses none"
                .to_string(),
        );
    }
    let most = test.timeouts.test.unwrap_or(defaults.test);
    let whole_test = budget.seconds.map_or(most, |seconds| most.min(seconds));
    let mut preconditions = Vec::new();
    for precondition in &test.preconditions {
        let made = match &precondition.way {
            Way::Assumed => PreconditionMeans::Assumed,
            Way::Command(command) => by(makers, PreconditionMaker::Command(command.clone())),
            Way::Request(request) => by(
                makers,
                PreconditionMaker::Request { request: request.clone(), base_url: test.base_url.clone() },
            ),
            Way::Steps(steps) => PreconditionMeans::Steps(steps_of(steps, read)?),
        };
        preconditions.push(Precondition { text: precondition.step.shown(), made });
    }
    let policy = policy_of(test)?;
    let fingerprint = fingerprint_of(&test.path);
    let several = browsers.len() > 1;
    let mut plans = Vec::new();
    for browser in browsers {
        let id = if several { format!("{} ({browser})", test.id) } else { test.id.clone() };
        let plan = Plan {
            line: TestLine {
                id,
                name: test.name.clone(),
                file: test.file.display().to_string(),
                browser: browser.clone(),
                tags: test.tags.clone(),
                requirements: test.requirements.iter().map(|link| link.code.clone()).collect(),
                links: test.requirements.clone(),
                fingerprint: fingerprint.clone(),
                basis: Default::default(),
            },
            base_url: test.base_url.clone(),
            folder: test.path.parent().map(PathBuf::from).unwrap_or_default(),
            world: test.world.clone(),
            viewport: test.viewport.map(|view| (view.width, view.height, view.scale)),
            timeouts: Timeouts { step: test.timeouts.step.unwrap_or(defaults.step), test: whole_test },
            retries: test.retries,
            standing_allowed: test.standing == StandingClaims::Allowed,
            secrets: test.secrets.clone(),
            policy: policy.clone(),
            selectors: test.selectors.clone(),
            preconditions: preconditions.clone(),
            setup: steps_of(&test.setup, read)?,
            steps: steps_of(&test.steps, read)?,
            expected: steps_of(&test.expected, read)?,
            teardown: steps_of(&test.teardown, read)?,
            notes: notes.clone(),
            attempts_before: 0,
            resumed: None,
            withheld: None,
            pilots: guest_terms(test, pilots),
            lock: None,
        };
        plans.push(plan.with_passwords_hidden());
    }
    Ok(plans)
}

fn policy_of(test: &TestCase) -> Result<Policy, (String, String)> {
    let keys = |names: &[String]| {
        let read = |name: &String| {
            policy_key(name).map_err(|err| {
                let file = test.file.display().to_string();
                let message = format!("{file}: expected a key in `policy`, found `{name}`: {err}");
                (file, message)
            })
        };
        names.iter().map(read).collect::<Result<Vec<_>, _>>()
    };
    let said = &test.policy;
    Ok(Policy {
        allowed_domains: said.allowed_domains.clone(),
        blocked_domains: said.blocked_domains.clone(),
        allowed_keys: keys(&said.allowed_keys)?,
        blocked_keys: keys(&said.blocked_keys)?,
        clipboard: match said.clipboard {
            None => Clipboard::AsTheTestSays,
            Some(assay_suite::ClipboardSetting::ReadWrite) => Clipboard::ReadAndWrite,
            Some(assay_suite::ClipboardSetting::Read) => Clipboard::ReadOnly,
            Some(assay_suite::ClipboardSetting::Write) => Clipboard::WriteOnly,
            Some(assay_suite::ClipboardSetting::None) => Clipboard::Nothing,
        },
        ..Policy::default()
    })
}

/// Notes with each plan whose browser cannot be held to its domains at the network, and gives back what is to be said
/// before the run begins: a policy that only seems to hold is worse than none.
pub fn note_open_gates(
    plans: &mut [Plan],
    settings: &BrowserSettings,
    drivers: &dyn Drivers,
) -> Result<Vec<String>, Failure> {
    let mut said = Vec::new();
    for plan in plans.iter_mut().filter(|plan| plan.policy.limits_domains()) {
        let browser = BrowserSettings { engine: Some(plan.line.browser.clone()), ..settings.clone() };
        let is_ours = settings.connect.is_none();
        if is_ours && drivers.driver(&browser)?.capabilities().contains(&Capability::DomainGate) {
            continue;
        }
        let why = if is_ours { "cannot block them" } else { "was not started by assay" };
        let note = format!(
            "policy: pages on other domains are left at once, but resources from them are not blocked: {} {why}",
            plan.line.browser
        );
        if !said.contains(&note) {
            said.push(note.clone());
        }
        plan.notes.push(note);
    }
    Ok(said)
}

/// The model settings of the command line.
pub struct ModelWish {
    pub pilot: Option<PilotChoice>,
    pub has_model: bool,
}

/// The default maximum of questions to models in one test: more would not help.
const MOST_TURNS: u32 = 60;

fn guest_terms(test: &TestCase, pilots: &ModelWish) -> PilotTerms {
    let steering = match pilots.pilot.unwrap_or(test.pilot) {
        PilotChoice::Auto => Steering::Ladder,
        PilotChoice::Replay => Steering::ReplayOnly,
        PilotChoice::Builtin => Steering::BuiltinOnly,
        pilot @ (PilotChoice::Model | PilotChoice::ComputerUse | PilotChoice::Grid) => {
            Steering::PilotOnly(pilot.name().to_string())
        }
    };
    PilotTerms {
        steering,
        turns: Some(test.budget.turns.unwrap_or(MOST_TURNS)),
        // A model that does not answer must not use up the time of the whole test: that would be a failure of the page.
        step_time: test.budget.seconds.map(|seconds| seconds / 2),
        actions: test.budget.actions,
        tokens: test.budget.tokens,
        money: test.budget.money,
        allowed_safety_checks: test.policy.allowed_safety_checks.clone(),
    }
}

/// The fingerprint that distinguishes results of a test from those of its changed version.
fn fingerprint_of(file: &std::path::Path) -> Option<String> {
    Some(fingerprint([std::fs::read(file).ok()?.as_slice()]))
}

fn by(makers: &mut Vec<PreconditionMaker>, maker: PreconditionMaker) -> PreconditionMeans {
    makers.push(maker);
    PreconditionMeans::ByHost(makers.len() - 1)
}

fn steps_of(steps: &[TestStep], read: ReadCommand<'_>) -> Result<Vec<PlanStep>, (String, String)> {
    steps
        .iter()
        .map(|step| {
            let what = match &step.instruction {
                Instruction::Sentence(text) => StepBody::Sentence(text.clone()),
                Instruction::Command(text) => StepBody::Exact(read(text).map_err(|failure| {
                    let file = step.file.display().to_string();
                    let place = format!("{file}:{}:{}", step.position.line, step.position.column);
                    // The words of the command, with the values of secrets in them, may stand in the message.
                    (file, format!("{place}: {}", step.secrets.mask(&failure.message)))
                })?),
            };
            Ok(PlanStep { part: step.part, text: step.shown(), what, timeout: step.timeout })
        })
        .collect()
}

/// The meaning of a sentence, for `--dry-run`.
pub fn part_name(part: Part) -> &'static str {
    match part {
        Part::Precondition => "precondition",
        Part::Setup => "setup",
        Part::Step => "step",
        Part::Expected => "expected",
        Part::Teardown => "teardown",
    }
}
