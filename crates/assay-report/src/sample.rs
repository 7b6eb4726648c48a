//! Made-up runs for the tests of this crate: one for each way to end.

use assay_protocol::{
    CommandRecord, ElementLine, Judgement, LastPage, Part, RunEvent, RunFact, TestLine, Verdict,
};

pub const START: u64 = 1_794_739_732_123;

/// Events of one run, a hundred milliseconds apart.
pub struct Story {
    events: Vec<RunEvent>,
}

impl Story {
    pub fn of(ids: &[&str]) -> Self {
        let tests = ids
            .iter()
            .map(|id| TestLine {
                id: id.to_string(),
                name: id.replace('_', " "),
                file: "login.yaml".to_string(),
                browser: "chromium".to_string(),
                tags: vec!["smoke".to_string()],
                requirements: Vec::new(),
                links: Vec::new(),
                fingerprint: None,
                basis: Default::default(),
            })
            .collect();
        let story = Story { events: Vec::new() };
        story.and(RunFact::RunStarted {
            run: "r1".into(),
            suite: "demo".into(),
            tests,
            workers: 2,
            strict: false,
        })
    }

    pub fn and(mut self, what: RunFact) -> Self {
        self.events.push(RunEvent { at: START + 100 * self.events.len() as u64, what });
        self
    }

    pub fn start(self, test: &str, attempt: u32) -> Self {
        self.and(RunFact::TestStarted { test: test.into(), attempt, worker: 0 })
    }

    pub fn step(self, test: &str, step: usize, text: &str) -> Self {
        self.and(RunFact::StepStarted { test: test.into(), step, part: Part::Step, text: text.into() })
    }

    pub fn step_ends(self, test: &str, step: usize, verdict: Verdict, judgements: Vec<Judgement>) -> Self {
        let reason = judgements.first().map(|it| it.reason.clone()).unwrap_or_default();
        self.and(RunFact::StepFinished {
            test: test.into(),
            step,
            verdict,
            reason,
            judgements,
            marks: Vec::new(),
            duration_ms: 40,
            own_us: None,
        })
    }

    pub fn end(self, test: &str, verdict: Verdict, reason: &str, duration_ms: u64) -> Self {
        self.ending(test, 1, verdict, reason, false, duration_ms)
    }

    pub fn ending(
        self,
        test: &str,
        attempt: u32,
        verdict: Verdict,
        reason: &str,
        will_retry: bool,
        duration_ms: u64,
    ) -> Self {
        let last_page = (verdict != Verdict::Passed).then(|| LastPage {
            url: "http://127.0.0.1:1/dashboard".into(),
            text: "Welcome".into(),
            screenshot: Some("shots/last.png".into()),
            ..LastPage::default()
        });
        self.and(RunFact::TestFinished {
            test: test.into(),
            attempt,
            verdict,
            reason: reason.into(),
            flaky: attempt > 1 && verdict == Verdict::Passed,
            will_retry,
            interrupted: false,
            claims_nothing: false,
            last_page,
            duration_ms,
        })
    }

    /// The test passes, and claims nothing.
    pub fn passes_without_claims(self, test: &str) -> Self {
        let mut story = self.end(test, Verdict::Passed, "", 800);
        if let Some(RunEvent { what: RunFact::TestFinished { claims_nothing, .. }, .. }) =
            story.events.last_mut()
        {
            *claims_nothing = true;
        }
        story
    }

    /// A user stops the run during this attempt.
    pub fn interrupt(self, test: &str, attempt: u32) -> Self {
        let mut story = self.ending(test, attempt, Verdict::Error, "interrupted", false, 300);
        if let Some(RunEvent { what: RunFact::TestFinished { interrupted, .. }, .. }) =
            story.events.last_mut()
        {
            *interrupted = true;
        }
        story
    }

    /// As far as it came.
    pub fn events(self) -> Vec<RunEvent> {
        self.events
    }

    pub fn finish(self) -> Vec<RunEvent> {
        self.and(RunFact::RunFinished { interrupted: false, duration_ms: 9_000 }).events
    }

    pub fn interrupted(self) -> Vec<RunEvent> {
        self.and(RunFact::RunFinished { interrupted: true, duration_ms: 9_000 }).events
    }

    pub fn cut_off(self) -> Vec<RunEvent> {
        self.events
    }
}

pub fn judged(claim: &str, verdict: Verdict, reason: &str) -> Judgement {
    Judgement {
        claim: claim.into(),
        verdict,
        standing: false,
        may_stand: false,
        reason: reason.into(),
        expected: None,
        found: None,
        elements: Vec::new(),
    }
}

pub fn element(reference: &str, role: &str, name: &str) -> ElementLine {
    ElementLine {
        reference: reference.into(),
        role: role.into(),
        name: name.into(),
        value: None,
        states: Vec::new(),
    }
}

pub const EXPIRED: &str = "Expected \"Account expired\", got \"Welcome\"";

/// One test that fails at its second step.
pub fn failed_login() -> Vec<RunEvent> {
    let id = "login_expired_account";
    let judgement = Judgement {
        expected: Some("Account expired".into()),
        found: Some("Welcome".into()),
        elements: vec![element("e3", "heading", "Welcome")],
        ..judged("The message says \"Account expired\"", Verdict::Failed, EXPIRED)
    };
    Story::of(&[id])
        .start(id, 1)
        .step(id, 1, "Click the login button")
        .and(RunFact::Command {
            test: id.into(),
            step: 1,
            record: Box::new(CommandRecord {
                command: "click e5".into(),
                pilot: "builtin".into(),
                because: "the only button named `Log in`".into(),
                ok: true,
                outcome: "url changed to /dashboard".into(),
                duration_ms: 120,
                ..CommandRecord::default()
            }),
        })
        .and(RunFact::Recovered {
            test: id.into(),
            step: 1,
            tier: 2,
            reason: "closed the cookie banner".into(),
        })
        .and(RunFact::Screenshot { test: id.into(), step: 1, path: "shots/1.png".into(), after: Some(1) })
        .step_ends(id, 1, Verdict::Passed, Vec::new())
        .step(id, 2, "Verify the message \"Account expired\"")
        .step_ends(id, 2, Verdict::Failed, vec![judgement])
        .end(id, Verdict::Failed, EXPIRED, 5_120)
        .finish()
}

/// A run in which every way to end occurs once: see the names of the tests.
pub fn every_ending() -> Vec<RunEvent> {
    let names = ["passed", "failed", "unclear", "broken", "not_started", "cut_off", "flaky", "twice"];
    Story::of(&names)
        .and(RunFact::FileRejected {
            file: "bad.yaml".into(),
            message: "bad.yaml:2:1: unknown key `stepz`\n  2 | stepz:".into(),
        })
        .start("passed", 1)
        .end("passed", Verdict::Passed, "", 2_300)
        .start("failed", 1)
        .end("failed", Verdict::Failed, EXPIRED, 5_100)
        .start("unclear", 1)
        .end("unclear", Verdict::Inconclusive, "2 candidates", 700)
        .start("broken", 1)
        .end("broken", Verdict::Error, "the browser did not start", 9)
        .start("cut_off", 1)
        .step("cut_off", 1, "Click")
        .start("flaky", 1)
        .ending("flaky", 1, Verdict::Failed, "why", true, 10)
        .start("flaky", 2)
        .ending("flaky", 2, Verdict::Passed, "", false, 20)
        .start("twice", 1)
        .ending("twice", 1, Verdict::Failed, "why", true, 10)
        .start("twice", 2)
        .ending("twice", 2, Verdict::Failed, "why", false, 10)
        .finish()
}
