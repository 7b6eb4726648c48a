//! One sample of every event, with a text in every field that has one: no secret is left in any of them.

use std::collections::BTreeSet;

use super::*;
use crate::{
    ActOutcome, Action, Basis, CallUsage, ElementMark, ErrorCode, FaultOutcome, LastingAct, LockedEntry,
    LockedTest, MarkedPicture, Part, PilotEnding, Retry, Selector, TargetMark, Verdict,
};

/// Stands in every text of the samples, where the test puts a secret.
const TEXT: &str = "TEXT";

/// Fields that assay makes itself, by the end of their paths: names of kinds, ids, refs, pictures.
const STAYS: &[&str] = &[
    "event",
    "test",
    "run",
    "suite",
    "file",
    "browser",
    "fingerprint",
    "basis.base_url",
    "basis.login.base_url",
    "tests[].id",
    "part",
    "pilot",
    "guest",
    "retry",
    "code",
    "ending",
    "turn-ended.acts[].outcome",
    "target.on",
    "marks[].on",
    "before",
    "after",
    "picture",
    "screenshot.path",
    "last_page.screenshot",
    "guest-left.failure",
    "verdict",
    "role",
    "ref",
    "elements[].states[]",
    "effect.opens[]",
    "faults[].outcome",
    "run-resumed.tests[]",
    "lasting.action.verb",
    "links[].coverage",
];

/// Whole parts that stay: a ref, and entries of locks, which are never made with a secret in them.
const STAYS_WHOLE: &[&str] =
    &["command-started.lasting.action.target", "resolved.locked", "healed.healing.was", "healed.healing.now"];

fn text() -> String {
    format!("a {TEXT} b")
}

fn test() -> String {
    "login".to_string()
}

fn entry() -> LockedEntry {
    LockedEntry {
        part: Part::Step,
        step: "Click".to_string(),
        nth: 1,
        acts: Vec::new(),
        effect: EffectKind::default(),
    }
}

fn signature() -> Signature {
    Signature {
        role: "button".to_string(),
        name: text(),
        marks: [("id".to_string(), text())].into(),
        within: vec![text()],
        near: vec![text()],
        place: (1, 1),
        kind: (1, 1),
    }
}

fn lasting() -> LastingAct {
    let target = Selector::parse("e1").expect("a ref");
    LastingAct {
        action: Action::Fill { target, text: text() },
        elements: [("e1".to_string(), signature())].into(),
    }
}

fn failed_request() -> FailedRequest {
    FailedRequest { method: text(), url: text(), why: text() }
}

fn mark() -> TargetMark {
    TargetMark {
        x: 0,
        y: 0,
        width: 1,
        height: 1,
        at_x: Some(0),
        at_y: Some(0),
        view_width: 9,
        view_height: 9,
        on: MarkedPicture::After,
    }
}

fn record() -> CommandRecord {
    let shape = RequestShape {
        method: "POST".to_string(),
        path: format!("/{TEXT}"),
        query: vec![TEXT.to_string()],
        fields: Some(vec![TEXT.to_string()]),
    };
    CommandRecord {
        command: text(),
        pilot: "builtin".to_string(),
        because: text(),
        score: Some(0.5),
        margin: Some(0.5),
        runner_up: Some(text()),
        ok: false,
        outcome: text(),
        code: Some(ErrorCode::NotFound),
        commits: true,
        url: Some(text()),
        failed_requests: vec![failed_request()],
        console_errors: vec![text()],
        effect: EffectKind {
            lands: Some(text()),
            requests: vec![shape],
            opens: vec!["tab".to_string()],
            changes: vec![text()],
        },
        target: Some(mark()),
        before: Some("1.png".to_string()),
        after: Some("2.png".to_string()),
        duration_ms: 1,
    }
}

fn call() -> ModelCall {
    ModelCall {
        pilot: "model".to_string(),
        model: text(),
        request_id: Some(text()),
        answer_id: Some(text()),
        decided: text(),
        failure: Some(text()),
        usage: CallUsage::default(),
        lines: vec![text()],
        duration_ms: 1,
    }
}

fn safety() -> SafetyEvent {
    SafetyEvent { code: "paying".to_string(), message: text(), allowed: true }
}

fn turn() -> PilotTurn {
    let act = TurnAct {
        action: serde_json::json!({ "do": text(), "keys": [text()] }),
        label: text(),
        because: text(),
        outcome: ActOutcome::Failed,
        told: text(),
        code: Some("not_found".to_string()),
        target: Some(mark()),
        duration_ms: 1,
    };
    PilotTurn {
        turn: 1,
        pilot: "model".to_string(),
        acts: vec![act],
        told: Some(text()),
        safety: vec![safety()],
        picture: Some("1.png".to_string()),
        no_picture: Some(text()),
        duration_ms: 1,
    }
}

fn judgement() -> Judgement {
    let element = ElementLine {
        reference: "e1".to_string(),
        role: "textbox".to_string(),
        name: text(),
        value: Some(text()),
        states: vec!["focused".to_string()],
    };
    Judgement {
        claim: text(),
        verdict: Verdict::Failed,
        standing: true,
        may_stand: true,
        reason: text(),
        expected: Some(text()),
        found: Some(text()),
        elements: vec![element],
    }
}

fn healing() -> Healing {
    let found = FoundAgain {
        was: signature(),
        now: signature(),
        score: 0.5,
        margin: 0.5,
        runner_up: Some(text()),
        because: text(),
    };
    Healing { was: entry(), now: entry(), found: vec![found] }
}

fn proof() -> Proof {
    let fault = FaultTried {
        step: 1,
        at: text(),
        fault: text(),
        outcome: FaultOutcome::Missed,
        reason: text(),
        claim: Some(text()),
    };
    Proof { faults: vec![fault], left_out: vec![text()], void: Some(text()), hollow: Some(text()) }
}

fn line() -> TestLine {
    TestLine {
        id: test(),
        name: text(),
        file: "login.yaml".to_string(),
        browser: "chromium".to_string(),
        tags: vec![text()],
        requirements: vec![text()],
        links: vec![RequirementLink { code: text(), name: Some(text()), coverage: Default::default() }],
        fingerprint: Some("abc".to_string()),
        basis: basis(),
    }
}

fn basis() -> Basis {
    [("base_url".to_string(), "0f".to_string())].into()
}

fn last_page() -> LastPage {
    LastPage {
        url: text(),
        text: text(),
        screenshot: Some("1.png".to_string()),
        console_errors: vec![text()],
        failed_requests: vec![failed_request()],
    }
}

fn samples() -> Vec<RunFact> {
    let report = PilotReport {
        pilot: "model".to_string(),
        ending: PilotEnding::Stopped,
        message: text(),
        turns: 1,
        safety: vec![safety()],
        degraded: true,
        failure: Some(ErrorCode::NotFound),
    };
    let element_mark = ElementMark { reference: "e1".to_string(), mark: mark() };
    vec![
        RunFact::RunStarted { run: test(), suite: test(), tests: vec![line()], workers: 1, strict: true },
        RunFact::FileRejected { file: "login.yaml".to_string(), message: text() },
        RunFact::TestStarted { test: test(), attempt: 1, worker: 1 },
        RunFact::StepStarted { test: test(), step: 1, part: Part::Step, text: text() },
        RunFact::CommandStarted {
            test: test(),
            step: 1,
            command: text(),
            pilot: "builtin".to_string(),
            commits: true,
            lasting: Some(Box::new(lasting())),
        },
        RunFact::Command { test: test(), step: 1, record: Box::new(record()) },
        RunFact::Retried { test: test(), step: 1, retry: Retry::GivenUp, reason: text() },
        RunFact::ModelCalled { test: test(), step: 1, call: Box::new(call()) },
        RunFact::TurnEnded { test: test(), step: 1, turn: Box::new(turn()) },
        RunFact::PilotLeft { test: test(), step: 1, report: Box::new(report) },
        RunFact::LockMissed { test: test(), step: 1, reason: text() },
        RunFact::Healed { test: test(), step: 1, healing: Box::new(healing()) },
        RunFact::Resolved {
            test: test(),
            locked: Box::new(LockedTest { entries: vec![entry()], refused: Vec::new() }),
        },
        RunFact::Recovered { test: test(), step: 1, tier: 1, reason: text() },
        RunFact::WayBroken { test: test(), step: 1, from: text(), to: text(), acts: text(), reason: text() },
        RunFact::Blocked {
            test: test(),
            step: 1,
            blocked: vec![BlockedRequests { host: text(), requests: 1 }],
        },
        RunFact::Screenshot { test: test(), step: 1, path: "1.png".to_string(), after: Some(1) },
        RunFact::Note { test: test(), step: Some(1), text: text() },
        RunFact::StepFinished {
            test: test(),
            step: 1,
            verdict: Verdict::Failed,
            reason: text(),
            judgements: vec![judgement()],
            marks: vec![element_mark],
            duration_ms: 1,
            own_us: Some(1),
        },
        RunFact::TestFinished {
            test: test(),
            attempt: 1,
            verdict: Verdict::Failed,
            reason: text(),
            flaky: true,
            will_retry: true,
            interrupted: true,
            claims_nothing: true,
            last_page: Some(last_page()),
            duration_ms: 1,
        },
        RunFact::Proved { test: test(), proof: Box::new(proof()) },
        RunFact::RunResumed { tests: vec![test()], basis: [(test(), basis())].into() },
        RunFact::RunFinished { interrupted: true, duration_ms: 1 },
    ]
}

/// A new event does not compile here until it has a number; then it needs a sample.
fn number(fact: &RunFact) -> usize {
    match fact {
        RunFact::RunStarted { .. } => 0,
        RunFact::FileRejected { .. } => 1,
        RunFact::TestStarted { .. } => 2,
        RunFact::StepStarted { .. } => 3,
        RunFact::CommandStarted { .. } => 4,
        RunFact::Command { .. } => 5,
        RunFact::Retried { .. } => 6,
        RunFact::ModelCalled { .. } => 7,
        RunFact::TurnEnded { .. } => 8,
        RunFact::PilotLeft { .. } => 9,
        RunFact::LockMissed { .. } => 10,
        RunFact::Healed { .. } => 11,
        RunFact::Resolved { .. } => 12,
        RunFact::Recovered { .. } => 13,
        RunFact::Blocked { .. } => 14,
        RunFact::Screenshot { .. } => 15,
        RunFact::Note { .. } => 16,
        RunFact::StepFinished { .. } => 17,
        RunFact::TestFinished { .. } => 18,
        RunFact::Proved { .. } => 19,
        RunFact::RunResumed { .. } => 20,
        RunFact::RunFinished { .. } => 21,
        RunFact::WayBroken { .. } => 22,
    }
}

/// The paths of all texts: `turn-ended.acts[].label`.
fn texts<'v>(value: &'v Value, path: &str, found: &mut Vec<(String, &'v str)>) {
    match value {
        Value::String(text) => found.push((path.to_string(), text)),
        Value::Array(items) => items.iter().for_each(|item| texts(item, &format!("{path}[]"), found)),
        Value::Object(fields) => {
            fields.iter().for_each(|(key, field)| texts(field, &format!("{path}.{key}"), found));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn stays(path: &str) -> bool {
    // Other codes are assay's own.
    if path.ends_with("links[].code") {
        return false;
    }
    let ends_so = |end: &&&str| path.strip_suffix(**end).is_some_and(|before| before.ends_with(['.', ']']));
    STAYS.iter().any(|end| path == *end || ends_so(&end))
        || STAYS_WHOLE.iter().any(|part| path.starts_with(part))
}

#[test]
fn every_text_of_every_event_has_a_sample() {
    let samples = samples();
    let numbers: BTreeSet<usize> = samples.iter().map(number).collect();
    assert!(numbers.into_iter().eq(0..samples.len()), "an event has no sample");
    for sample in samples {
        let value = serde_json::to_value(&sample).expect("an event is JSON");
        let event = value["event"].as_str().expect("an event has its name").to_string();
        let mut found = Vec::new();
        texts(&value, &event, &mut found);
        for (path, text) in found {
            assert!(text.contains(TEXT) != stays(&path), "is `{path}` masked, or does it stay? ({text})");
        }
    }
}

#[test]
fn no_secret_is_left_in_any_event() {
    for secret in ["hunter2", "pa$s\"w\"<rd"] {
        let secrets: Secrets = [secret].into_iter().collect();
        for sample in samples() {
            let mut value = serde_json::to_value(&sample).expect("an event is JSON");
            change_texts(&mut value, &|text| text.replace(TEXT, secret));
            let mut fact: RunFact = serde_json::from_value(value).expect("still an event");
            fact.mask_text(&secrets);
            let masked = serde_json::to_string(&fact).expect("an event is JSON");
            assert!(!secrets.are_in(&masked), "{masked}");
            assert!(!masked.contains("hunter2") && !masked.contains("pa$s"), "{masked}");
        }
    }
}

#[test]
fn what_assay_names_itself_stays_whatever_the_secret_is() {
    // What is carried out again has references instead of masks.
    for sample in samples().into_iter().filter(|fact| !matches!(fact, RunFact::CommandStarted { .. })) {
        let mut fact = sample.clone();
        fact.mask_text(&["login", "passed", "step", "e1", "model", "1.png", "button"].into_iter().collect());
        assert_eq!(fact, sample);
    }
}
