//! Made-up results, each with the class that the definitions in `docs/assistants.md` give it.

use std::collections::BTreeSet;

use assay_coordinator::{KeptAnalysis, PastResult};
use assay_protocol::{
    CommandRecord, ElementLine, ErrorCode, FailedRequest, Judgement, LastPage, Part, RunEvent, RunFact,
    TaskId, TestLine, Verdict,
};
use assay_report::{Summary, TestSummary};
use serde_json::json;

use super::{Depth, ResultAnalysis, ResultClass, analyse_result};
use ResultClass::{Bug, ExternalBlock, ScriptIssue, SystemIssue, ValidFail, ValidPass};
use Verdict::{Error, Failed, Inconclusive, Passed};

const ID: &str = "buy_a_lantern";

/// A test, told step by step. Each step is ended by the next, with a pass.
struct Tale {
    facts: Vec<RunFact>,
    line: TestLine,
    step: usize,
    attempt: u32,
    past: Vec<PastResult>,
    analyses: Vec<KeptAnalysis>,
    retired: BTreeSet<String>,
}

fn tale() -> Tale {
    let line = TestLine {
        id: ID.into(),
        name: "Buy a lantern".into(),
        file: "shop.yaml".into(),
        browser: "chromium".into(),
        tags: Vec::new(),
        requirements: Vec::new(),
        links: Vec::new(),
        fingerprint: Some("f1".into()),
        basis: Default::default(),
    };
    Tale {
        facts: Vec::new(),
        line,
        step: 0,
        attempt: 0,
        past: Vec::new(),
        analyses: Vec::new(),
        retired: BTreeSet::new(),
    }
    .again()
    .step("Go to http://shop.test/shop")
    .did(done("go http://shop.test/shop", "Shop · http://shop.test/shop"))
}

impl Tale {
    fn and(mut self, fact: RunFact) -> Self {
        self.facts.push(fact);
        self
    }

    fn again(mut self) -> Self {
        (self.attempt, self.step) = (self.attempt + 1, 0);
        let attempt = self.attempt;
        self.and(RunFact::TestStarted { test: ID.into(), attempt, worker: 0 })
    }

    fn tagged(mut self, tag: &str) -> Self {
        self.line.tags.push(tag.into());
        self
    }

    fn part(mut self, part: Part, text: &str) -> Self {
        if self.step > 0 {
            self = self.step_ends(Passed, "", Vec::new());
        }
        self.step += 1;
        let step = self.step;
        self.and(RunFact::StepStarted { test: ID.into(), step, part, text: text.into() })
    }

    fn step(self, text: &str) -> Self {
        self.part(Part::Step, text)
    }

    fn expects(self, text: &str) -> Self {
        self.part(Part::Expected, text)
    }

    fn did(self, record: CommandRecord) -> Self {
        let step = self.step;
        self.and(RunFact::Command { test: ID.into(), step, record: Box::new(record) })
    }

    fn step_ends(self, verdict: Verdict, reason: &str, judgements: Vec<Judgement>) -> Self {
        let step = self.step;
        let (reason, marks) = (reason.into(), Vec::new());
        self.and(RunFact::StepFinished {
            test: ID.into(),
            step,
            verdict,
            reason,
            judgements,
            marks,
            duration_ms: 1,
            own_us: None,
        })
    }

    fn test_ends(self, verdict: Verdict, reason: &str, page: &str, will_retry: bool) -> Self {
        let last_page =
            LastPage { url: "http://shop.test/shop".into(), text: page.into(), ..LastPage::default() };
        let (attempt, reason) = (self.attempt, reason.into());
        self.and(RunFact::TestFinished {
            test: ID.into(),
            attempt,
            verdict,
            reason,
            flaky: false,
            will_retry,
            interrupted: false,
            claims_nothing: false,
            last_page: Some(last_page),
            duration_ms: 1,
        })
    }

    fn ends(self, verdict: Verdict, reason: &str) -> Self {
        self.ends_on(verdict, reason, "Shop")
    }

    fn ends_on(self, verdict: Verdict, reason: &str, page: &str) -> Self {
        self.step_ends(verdict, reason, Vec::new()).test_ends(verdict, reason, page, false)
    }

    fn ends_by(self, judgement: Judgement) -> Self {
        let (verdict, reason) = (judgement.verdict, judgement.reason.clone());
        self.step_ends(verdict, &reason, vec![judgement]).test_ends(verdict, &reason, "Shop", false)
    }

    /// The same test ended so in an earlier run.
    fn after(mut self, verdict: Verdict) -> Self {
        let number = i64::try_from(self.past.len()).unwrap() + 1;
        // Newest first.
        self.past.insert(0, past(number, verdict));
        self
    }

    /// An earlier run ended with this error, and was analysed.
    fn after_analysis(mut self, class: Option<ResultClass>, signature: Option<&str>) -> Self {
        let own = super::signature::signature_of(&self.summary());
        self.analyses.insert(
            0,
            KeptAnalysis {
                task: TaskId(7),
                test_id: ID.into(),
                test: ID.into(),
                browser: "chromium".into(),
                class: class.map(|class| class.name().to_string()),
                signature: signature.map_or(own, str::to_string),
                is_full: true,
                at: 1,
                body: json!({}),
            },
        );
        self
    }

    fn summary(&self) -> TestSummary {
        let started = RunFact::RunStarted {
            run: "r".into(),
            suite: "s".into(),
            tests: vec![self.line.clone()],
            workers: 1,
            strict: false,
        };
        let facts = std::iter::once(started).chain(self.facts.clone()).enumerate();
        let events: Vec<RunEvent> = facts.map(|(at, what)| RunEvent { at: at as u64, what }).collect();
        Summary::of(&events).tests.remove(0)
    }

    fn analysis(&self) -> ResultAnalysis {
        analyse_result(&self.summary(), "r", &self.past, &self.analyses, &self.retired)
    }

    #[track_caller]
    fn is(self, class: ResultClass) -> ResultAnalysis {
        let analysis = self.analysis();
        assert_eq!(analysis.class, Some(class), "{analysis:#?}");
        analysis
    }

    #[track_caller]
    fn stays_open(self, candidates: &[ResultClass]) -> ResultAnalysis {
        let analysis = self.analysis();
        assert_eq!((analysis.class, analysis.candidates.as_slice()), (None, candidates), "{analysis:#?}");
        assert!(!analysis.missing.is_empty());
        analysis
    }
}

fn past(number: i64, verdict: Verdict) -> PastResult {
    PastResult {
        id: number,
        task: TaskId(number),
        run: format!("run-{number}"),
        test: ID.into(),
        test_id: ID.into(),
        name: "Buy a lantern".into(),
        file: "shop.yaml".into(),
        browser: "chromium".into(),
        fingerprint: Some("f1".into()),
        attempt: 1,
        verdict,
        reason: String::new(),
        flaky: false,
        at: number.unsigned_abs(),
        duration_ms: 1,
    }
}

fn done(command: &str, outcome: &str) -> CommandRecord {
    CommandRecord {
        command: command.into(),
        pilot: "builtin".into(),
        ok: true,
        outcome: outcome.into(),
        ..CommandRecord::default()
    }
}

fn failed(command: &str, code: ErrorCode, outcome: &str) -> CommandRecord {
    CommandRecord { ok: false, code: Some(code), ..done(command, outcome) }
}

fn answered(status: &str) -> CommandRecord {
    let request =
        FailedRequest { method: "POST".into(), url: "http://shop.test/api/cart".into(), why: status.into() };
    CommandRecord { failed_requests: vec![request], ..done("click e5", "clicked e5") }
}

fn element(role: &str, name: &str) -> ElementLine {
    ElementLine {
        reference: "e5".into(),
        role: role.into(),
        name: name.into(),
        value: None,
        states: Vec::new(),
    }
}

fn judged(claim: &str, verdict: Verdict, reason: &str) -> Judgement {
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

fn held(claim: &str) -> Judgement {
    Judgement { elements: vec![element("heading", "Thank you")], ..judged(claim, Passed, "") }
}

fn wrong(claim: &str) -> Judgement {
    Judgement {
        expected: Some("12 €".into()),
        found: Some("13 €".into()),
        ..judged(claim, Failed, "Expected \"12 €\", got \"13 €\"")
    }
}

/// An act whose target is missing or not plain.
fn unclear(reason: &str, names: &[&str]) -> Judgement {
    let elements = names.iter().map(|name| element("button", name)).collect();
    Judgement { elements, ..judged("", Inconclusive, reason) }
}

fn crashed() -> Tale {
    tale()
        .step("Open the map")
        .did(failed("click e5", ErrorCode::PageCrashed, "the page crashed"))
        .ends(Failed, "the page crashed")
}

fn false_total() -> Tale {
    tale().expects("The total is 12 €").ends_by(wrong("The total is 12 €"))
}

#[test]
fn a_pass_with_a_claim_that_held_is_valid() {
    let analysis = tale().expects("I see \"Thank you\"").ends_by(held("I see \"Thank you\"")).is(ValidPass);
    assert_eq!(analysis.evidence, ["\"I see \"Thank you\"\" held, seen on heading \"Thank you\""]);
    assert_eq!((analysis.times, analysis.signature.as_str()), (0, ""));
}

#[test]
fn a_pass_without_proof_is_not_believed() {
    tale().ends(Passed, "").stays_open(&[ValidPass, ScriptIssue, Bug]);
    let mut nothing = tale().ends(Passed, "");
    if let Some(RunFact::TestFinished { claims_nothing, .. }) = nothing.facts.last_mut() {
        *claims_nothing = true;
    }
    assert_eq!(nothing.stays_open(&[ValidPass, ScriptIssue, Bug]).rule, "claims-nothing");
    let standing = Judgement { standing: true, ..held("I see \"Shop\"") };
    let told = tale().step("Look").step_ends(Passed, "", vec![standing]).test_ends(Passed, "", "", false);
    told.stays_open(&[ValidPass, ScriptIssue, Bug]);
}

#[test]
fn a_false_claim_is_a_bug() {
    let analysis = false_total().is(Bug);
    assert!(analysis.evidence.iter().any(|line| line.contains("13 €")), "{analysis:?}");
    assert_eq!((analysis.times, analysis.depth), (1, Depth::First));
}

#[test]
fn a_server_error_is_a_bug_also_where_the_sentence_is_unclear_after_it() {
    let broke =
        tale().step("Click Add to cart").did(answered("500 Internal Server Error")).step("Click Checkout");
    broke.ends_by(unclear("nothing is called \"Checkout\"", &["Check out"])).is(Bug);
}

#[test]
fn a_dialog_that_tells_of_a_failure_is_no_issue_of_the_test() {
    let dialog = |message: &str| format!("a browser dialog is open: \"{message}\"");
    let told = |message: &str| tale().step("Click Save").ends(Inconclusive, &dialog(message));
    told("Leave this page?").is(ScriptIssue);
    told("The expense could not be saved.").stays_open(&[Bug, ScriptIssue]);
    told("Error 17").stays_open(&[Bug, ScriptIssue]);
    let broke = tale().step("Click Save").did(answered("500 Internal Server Error"));
    broke.ends(Inconclusive, &dialog("Try again later.")).is(Bug);
}

#[test]
fn a_known_failure_is_valid_as_long_as_it_is_the_same() {
    false_total().tagged("known-failure").is(ValidFail);
    false_total().tagged("known-failure").after_analysis(Some(ValidFail), None).is(ValidFail);
    let other = false_total().tagged("known-failure").after_analysis(Some(ValidFail), Some("another error"));
    assert!(other.is(Bug).notes[0].contains("was another one"));
    let mut retired = false_total();
    retired.line.requirements = vec!["REQ-1".into(), "REQ-2".into()];
    retired.retired.insert("REQ-1".into());
    assert_eq!(retired.analysis().class, Some(Bug), "one is still wanted");
    retired.retired.insert("REQ-2".into());
    retired.is(ValidFail);
    // The mark is about defects: trouble is trouble.
    let away = tale().step("Go on").did(failed(
        "go http://shop.test/",
        ErrorCode::Unreachable,
        "connection refused",
    ));
    away.ends(Error, "connection refused").tagged("known-failure").is(ExternalBlock);
    let passes = tale().tagged("known-failure").expects("It works").ends_by(held("It works")).is(ValidPass);
    assert!(passes.notes[0].contains("remove its tag"), "{passes:?}");
}

#[test]
fn what_no_page_could_satisfy_is_an_issue_of_the_test_whatever_came_before() {
    let unread = || tale().step("Frobnicate wildly").ends(Inconclusive, "not understood: Frobnicate wildly");
    unread().is(ScriptIssue);
    unread().after(Passed).is(ScriptIssue);
    let selector = || {
        tale()
            .step("click css=[")
            .did(failed("click css=[", ErrorCode::BadSelector, "the selector is broken"))
            .ends(Inconclusive, "the selector is broken")
    };
    selector().is(ScriptIssue);
}

#[test]
fn an_ambiguous_sentence_is_an_issue_of_the_test_unless_the_test_has_passed() {
    let two = || {
        tale()
            .step("Click Delete")
            .ends_by(unclear("\"Delete\" could be any of 2 elements", &["Delete", "Delete"]))
    };
    two().is(ScriptIssue);
    two().after(Passed).stays_open(&[Bug, ScriptIssue]);
    // Another test of the same name is no witness.
    let mut changed = two().after(Passed);
    changed.past[0].fingerprint = Some("f0".into());
    changed.is(ScriptIssue);
    let after_error = tale().step("Click Save").did(answered("500")).step("Click Delete");
    let after_error =
        after_error.ends_by(unclear("\"Delete\" could be any of 2 elements", &["Delete", "Delete"]));
    assert_ne!(after_error.analysis().class, Some(ScriptIssue));
}

#[test]
fn a_thing_that_is_there_twice_by_mistake_is_no_issue_of_the_test() {
    let rows = tale().step("Click Delete in the row \"Oak lamp\"");
    rows.ends_by(unclear("could be any of 2 elements", &["Delete", "Delete"]))
        .stays_open(&[ScriptIssue, Bug]);
    let made = tale().step("Enter \"Oak lamp\" in Name").step("Click \"Oak lamp\"");
    made.ends_by(unclear("could be any of 2 elements", &["Oak lamp", "Oak lamp"]))
        .stays_open(&[ScriptIssue, Bug]);
}

#[test]
fn other_words_for_the_same_button_are_changed_wording() {
    let renamed = || {
        tale()
            .step("Click the Log in button")
            .ends_by(unclear("nothing is called \"Log in\"", &["Sign in", "Sign in", "Help"]))
    };
    assert_eq!(renamed().is(ScriptIssue).rule, "changed-wording");
    renamed().after(Passed).is(ScriptIssue);
}

#[test]
fn a_button_that_is_gone_is_never_an_issue_of_the_test() {
    let gone = || {
        tale().step("Click Save").ends_by(unclear("nothing is called \"Save\"", &["Save draft", "Cancel"]))
    };
    gone().stays_open(&[Bug, ScriptIssue]);
    assert!(gone().after(Passed).is(Bug).evidence.iter().any(|line| line.contains("run 1")));
    let exactly = tale().step("Click \"Save\"").ends(Failed, "nothing on the page is called \"Save\"");
    // Nobody has ever seen it there: the name may be wrong.
    exactly.stays_open(&[Bug, ScriptIssue]);
}

#[test]
fn trouble_of_the_browser_is_of_the_system() {
    for code in [ErrorCode::BrowserLost, ErrorCode::BrowserFailed, ErrorCode::Internal, ErrorCode::Io] {
        tale().step("Click Save").did(failed("click e5", code, "gone")).ends(Error, "gone").is(SystemIssue);
    }
    let mut stopped = tale().step("Click Save").ends(Error, "interrupted");
    if let Some(RunFact::TestFinished { interrupted, .. }) = stopped.facts.last_mut() {
        *interrupted = true;
    }
    stopped.is(SystemIssue);
    let mut cut = tale().step("Click Save");
    cut.facts.pop();
    assert_eq!(cut.is(SystemIssue).rule, "not-run");
}

#[test]
fn a_server_that_is_not_there_blocks_from_outside() {
    let away = tale().step("Go on").did(failed(
        "go http://shop.test/",
        ErrorCode::Unreachable,
        "http://shop.test/ did not load: net::ERR_CONNECTION_REFUSED",
    ));
    away.ends(Error, "net::ERR_CONNECTION_REFUSED").is(ExternalBlock);
    let proxy = tale().step("Click Pay").did(answered("503 Service Unavailable")).expects("I see \"Paid\"");
    proxy.ends_by(judged("I see \"Paid\"", Failed, "the page does not say \"Paid\"")).is(ExternalBlock);
    let captcha = tale().expects("I see \"Paid\"");
    captcha
        .ends_on(Failed, "the page does not say \"Paid\"", "Please verify you are human")
        .is(ExternalBlock);
    let model = tale().step("Do it").did(failed("", ErrorCode::ModelFailed, "no answer"));
    model.ends(Error, "no answer").is(ExternalBlock);
}

#[test]
fn a_refused_login_blocks_a_test_that_is_about_something_else() {
    let refused = || {
        tale()
            .step("Log in as Ada")
            .expects("I see \"Orders\"")
            .step_ends(Failed, "the page does not say \"Orders\"", vec![wrong("I see \"Orders\"")])
            .test_ends(Failed, "the page does not say \"Orders\"", "Invalid username or password", false)
    };
    assert_eq!(refused().is(ExternalBlock).rule, "login-refused");
    let mut about = refused();
    about.line.name = "Login works".into();
    about.is(Bug);
}

#[test]
fn a_server_that_asks_for_a_login_blocks_from_outside() {
    let asked =
        || tale().step("Open it").did(done("click e5", "Orders · http://shop.test/orders (status 401)"));
    asked().expects("I see \"Orders\"").ends(Failed, "the page does not say \"Orders\"").is(ExternalBlock);
    let about = asked().expects("I see \"Log in\"").ends(Failed, "the page does not say \"Log in\"");
    about.is(Bug);
}

#[test]
fn a_page_that_breaks_once_is_open_and_twice_is_a_bug() {
    crashed().stays_open(&[SystemIssue, Bug]);
    let again = crashed().after_analysis(None, None).is(Bug);
    assert!(again.evidence.iter().any(|line| line.contains("run 7")), "{again:?}");
    let hangs = || {
        tale()
            .step("Click Save")
            .did(failed(
                "click e5",
                ErrorCode::NotResponding,
                "waiting for e5: the page did not respond in time",
            ))
            .ends(Error, "the page did not respond in time")
    };
    hangs().stays_open(&[SystemIssue, Bug]);
    let sent = "the input was sent, but the page did not respond in time";
    let sent = tale()
        .step("Click Pay")
        .did(failed("click e5", ErrorCode::OutcomeUnknown, sent))
        .ends(Inconclusive, sent);
    sent.stays_open(&[SystemIssue, Bug]);
    hangs().after_analysis(None, None).is(Bug);
}

#[test]
fn a_link_that_leads_nowhere_is_a_bug_and_an_address_of_the_test_stays_open() {
    let link =
        tale().step("Click Offers").did(done("click e5", "Not found · http://shop.test/offers (status 404)"));
    link.expects("I see \"Offers\"").ends(Failed, "the page does not say \"Offers\"").is(Bug);
    let address = || {
        tale()
            .step("Go to http://shop.test/ofers")
            .did(done("go http://shop.test/ofers", "Not found · http://shop.test/ofers (status 404)"))
            .expects("I see \"Offers\"")
            .ends(Failed, "the page does not say \"Offers\"")
    };
    address().stays_open(&[ScriptIssue, Bug]);
    address().after(Passed).is(Bug);
}

#[test]
fn an_address_that_the_server_refuses_is_told_by_its_status() {
    let opened = |status: u16| {
        let outcome = format!("Orders · http://shop.test/orders (status {status})");
        let said = format!(
            "the server answered http://shop.test/orders with {status}; if the test is about that, claim it"
        );
        tale()
            .step("Go to /orders")
            .did(done("go http://shop.test/orders", &outcome))
            .ends(Inconclusive, &said)
    };
    for status in [401, 429, 503] {
        opened(status).is(ExternalBlock);
    }
    opened(500).is(Bug);
    opened(404).stays_open(&[ScriptIssue, Bug]);
    opened(404).after(Passed).is(Bug);
}

#[test]
fn a_program_is_judged_by_its_exit_code_and_its_last_words() {
    let program = |verdict: Verdict, said: &str| {
        let mut tale = tale().step("Run python3 seed.py").ends(verdict, said);
        (tale.line.id, tale.line.browser) = (format!("script:{ID}"), String::new());
        for fact in &mut tale.facts {
            match fact {
                RunFact::TestStarted { test, .. }
                | RunFact::StepStarted { test, .. }
                | RunFact::Command { test, .. }
                | RunFact::StepFinished { test, .. }
                | RunFact::TestFinished { test, .. } => *test = format!("script:{ID}"),
                _ => {}
            }
        }
        tale
    };
    program(Passed, "").is(ValidPass);
    program(Failed, "exit code 1: ModuleNotFoundError: No module named 'shop'").is(ScriptIssue);
    program(Failed, "exit code 1: AssertionError: totals differ").is(Bug);
    program(Failed, "exit code 1: <urlopen error [Errno 111] Connection refused>").is(ExternalBlock);
    program(Failed, "exit code 3").stays_open(&[Bug, ScriptIssue]);
    program(Error, "ended by signal 9").is(SystemIssue);
    program(Error, "the script did not finish within 2 s, and was ended").stays_open(&[
        Bug,
        ExternalBlock,
        ScriptIssue,
    ]);
}

#[test]
fn results_that_change_their_mind_are_suspicious_and_keep_their_class() {
    let flaky = false_total().after(Passed).after(Failed).after(Passed).is(Bug);
    assert_eq!(flaky.suspicions.len(), 1, "{flaky:?}");
    let regression = false_total().after(Passed).after(Passed).is(Bug);
    assert!(regression.suspicions.is_empty(), "one change is a defect that came: {regression:?}");
    let retried = false_total().again().expects("The total is 12 €").ends_by(held("The total is 12 €"));
    let retried = retried.analysis();
    assert_eq!((retried.class, retried.suspicions.len()), (Some(ValidPass), 1), "{retried:?}");
}

#[test]
fn a_repeat_takes_over_the_class_while_the_rules_agree() {
    let repeat = || false_total().after_analysis(Some(Bug), None);
    let second = repeat().is(Bug);
    assert_eq!((second.depth, second.times, second.since), (Depth::Repeat, 2, Some(7)));
    let fifth = repeat().after_analysis(Some(Bug), None).after_analysis(Some(Bug), None);
    assert_eq!(fifth.after_analysis(Some(Bug), None).is(Bug).depth, Depth::Fifth);
    let changed = false_total().after_analysis(Some(SystemIssue), None).is(Bug);
    assert_eq!(changed.depth, Depth::First, "the evidence says otherwise now");
}

#[path = "tests_of_places.rs"]
mod places;
