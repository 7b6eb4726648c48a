//! Made-up stories, each with the one line that triage must say of it.

use assay_protocol::{
    CommandRecord, ErrorCode, FailedRequest, Judgement, LastPage, Part, RunFact, TestLine, Verdict,
};

use super::*;
use crate::Reporter;
use crate::sample::{element, judged};
use crate::summary::Summary;
use Verdict::{Error, Failed, Inconclusive, Passed};

/// One test, told step by step. Each step is ended by the next, with a pass.
struct Tale {
    facts: Vec<RunFact>,
    step: usize,
    attempt: u32,
}

const ID: &str = "t";

fn tale() -> Tale {
    let line = TestLine {
        id: ID.into(),
        name: "Buy a lantern".into(),
        file: "shop.yaml".into(),
        browser: "chromium".into(),
        tags: Vec::new(),
        requirements: Vec::new(),
        links: Vec::new(),
        fingerprint: None,
        basis: Default::default(),
    };
    let tests = vec![line];
    let started =
        RunFact::RunStarted { run: "r".into(), suite: "s".into(), tests, workers: 1, strict: false };
    Tale { facts: vec![started], step: 0, attempt: 0 }.again()
}

/// The usual beginning: the shop is open.
fn at_the_shop() -> Tale {
    tale().step("Go to the shop").did(opened("Shop · http://shop.test/shop"))
}

impl Tale {
    fn and(mut self, fact: RunFact) -> Self {
        self.facts.push(fact);
        self
    }

    /// Another attempt begins.
    fn again(mut self) -> Self {
        (self.attempt, self.step) = (self.attempt + 1, 0);
        let attempt = self.attempt;
        self.and(RunFact::TestStarted { test: ID.into(), attempt, worker: 0 })
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

    fn noted(self, text: &str) -> Self {
        let step = Some(self.step);
        self.and(RunFact::Note { test: ID.into(), step, text: text.into() })
    }

    fn step_ends(self, verdict: Verdict, reason: &str, judgements: Vec<Judgement>) -> Self {
        let step = self.step;
        let reason = reason.into();
        let marks = Vec::new();
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
        let last_page = (!page.is_empty()).then(|| LastPage {
            url: "http://shop.test/shop".into(),
            text: page.into(),
            ..LastPage::default()
        });
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
            last_page,
            duration_ms: 1,
        })
    }

    /// Inconclusive, with an error of the last page's scripts.
    fn test_ends_complaining(self, line: &str) -> Self {
        let mut ended = self.test_ends(Inconclusive, "the step is not clear", "Shop", false);
        if let Some(RunFact::TestFinished { last_page: Some(page), .. }) = ended.facts.last_mut() {
            page.console_errors.push(line.into());
        }
        ended
    }

    /// The step and the test end so.
    fn ends(self, verdict: Verdict, reason: &str) -> Tale {
        self.step_ends(verdict, reason, Vec::new()).test_ends(verdict, reason, "Shop", false)
    }

    fn ends_on(self, verdict: Verdict, reason: &str, page: &str) -> Tale {
        self.step_ends(verdict, reason, Vec::new()).test_ends(verdict, reason, page, false)
    }

    fn ends_by(self, judgement: Judgement) -> Tale {
        let (verdict, reason) = (judgement.verdict, judgement.reason.clone());
        self.step_ends(verdict, &reason, vec![judgement]).test_ends(verdict, &reason, "Shop", false)
    }

    /// As `ends`, and another attempt follows.
    fn ends_and_is_retried(self, verdict: Verdict, reason: &str) -> Tale {
        self.step_ends(verdict, reason, Vec::new()).test_ends(verdict, reason, "Shop", true).again()
    }

    fn triage(self) -> Option<Triage> {
        let mut summary = Summary::default();
        for (at, what) in self.facts.into_iter().enumerate() {
            summary.event(&assay_protocol::RunEvent { at: at as u64, what });
        }
        summary.tests[0].triage()
    }
}

fn opened(outcome: &str) -> CommandRecord {
    CommandRecord {
        command: "go http://shop.test/shop".into(),
        pilot: "builtin".into(),
        ok: true,
        outcome: outcome.into(),
        ..CommandRecord::default()
    }
}

fn clicked() -> CommandRecord {
    CommandRecord { command: "click e5".into(), ..opened("clicked e5 button \"Add\"") }
}

fn answered(method: &str, url: &str, why: &str) -> CommandRecord {
    let request = FailedRequest { method: method.into(), url: url.into(), why: why.into() };
    CommandRecord { failed_requests: vec![request], ..clicked() }
}

fn complained(line: &str) -> CommandRecord {
    CommandRecord { console_errors: vec![line.into()], ..clicked() }
}

fn refused(code: ErrorCode, outcome: &str) -> CommandRecord {
    CommandRecord { ok: false, code: Some(code), outcome: outcome.into(), ..clicked() }
}

/// A claim that is false, with what was there instead.
fn wrong(expected: &str, found: &str) -> Judgement {
    Judgement {
        expected: Some(expected.into()),
        found: Some(found.into()),
        ..judged("The total is right", Failed, &format!("Expected \"{expected}\", got \"{found}\""))
    }
}

/// An act whose target is not plain.
fn unclear(reason: &str, names: &[&str]) -> Judgement {
    let elements = names.iter().map(|name| element("e1", "button", name)).collect();
    Judgement { elements, ..judged("", Inconclusive, reason) }
}

/// All stories: what happened, the rule that decides, and the line that is said.
fn stories() -> Vec<(Tale, &'static str, &'static str)> {
    let own = "http://shop.test/api/cart";
    let stranger = "https://counter.example/hit";
    let standing = Judgement { standing: true, ..judged("The title is \"Shop\"", Passed, "") };
    vec![
        // The application is wrong, and nothing else is.
        (
            at_the_shop().expects("The total is 80").ends_by(wrong("80.10 €", "89.00 €")),
            "claim-is-false",
            "product defect: expectation 1 found \"89.00 €\"; every earlier step was fine",
        ),
        (
            at_the_shop().expects("The note is kept").ends_by(wrong("Fair winds", "")),
            "claim-is-false",
            "product defect: expectation 1 found nothing where it expected something; every earlier step was fine",
        ),
        (
            at_the_shop().expects("The jacket comes first").ends_by(Judgement {
                elements: vec![element("e1", "link", "Jacket")],
                ..judged("The jacket comes first", Failed, "it comes after")
            }),
            "claim-is-false",
            "product defect: expectation 1 checked link \"Jacket\"; every earlier step was fine",
        ),
        (
            at_the_shop().expects("The page shows \"1902\"").ends_by(Judgement {
                expected: Some("1902".into()),
                ..judged("The page shows \"1902\"", Failed, "no text \"1902\" is shown")
            }),
            "claim-is-false",
            "probably product defect: expectation 1 found no match; every earlier step was fine",
        ),
        (
            at_the_shop().step("Wait for the total").ends(Failed, "waited in vain: no text \"80\" is shown"),
            "not-decided",
            "probably product defect: there is no evidence beyond the reason given by step 2",
        ),
        (
            at_the_shop()
                .step("Click Buy")
                .did(refused(ErrorCode::NotActionable, "e5 is disabled"))
                .ends(Failed, "e5 is disabled"),
            "page-said-no",
            "probably product defect: the page blocked the action at step 2",
        ),
        (
            at_the_shop()
                .step("Enter 7")
                .did(refused(ErrorCode::NotAccepted, "it holds \"\""))
                .ends(Failed, "it holds \"\""),
            "page-said-no",
            "probably product defect: the page did not accept the value as entered at step 2",
        ),
        (
            at_the_shop()
                .step("Accept the dialog")
                .did(refused(ErrorCode::NoDialog, "no dialog is open"))
                .ends(Failed, "no dialog is open"),
            "page-said-no",
            "probably product defect: no dialog appeared at step 2",
        ),
        (
            at_the_shop()
                .step("Click Buy")
                .did(refused(ErrorCode::PageCrashed, "the page crashed"))
                .ends(Failed, "the page crashed"),
            "page-said-no",
            "probably product defect: the page crashed at step 2",
        ),
        // It broke earlier than it shows.
        (
            at_the_shop()
                .step("Click Add")
                .did(answered("POST", own, "500"))
                .expects("One item")
                .ends_by(wrong("1", "0")),
            "server-broke",
            "product defect: `POST /api/cart` answered 500 at step 2, then expectation 1 did not pass",
        ),
        (
            at_the_shop()
                .step("Click Add")
                .did(answered("POST", own, "500 Internal Server Error"))
                .step("Click Checkout")
                .ends_by(unclear("nothing on the page matches the checkout button", &["Cart"])),
            "server-broke",
            "probably product defect: `POST /api/cart` answered 500 at step 2, then step 3 did not pass",
        ),
        (
            at_the_shop()
                .step("Click Add")
                .did(answered("GET", own, "500"))
                .step("Click More")
                .did(answered("GET", "http://shop.test/api/more", "501"))
                .expects("Two items")
                .ends_by(wrong("2", "0")),
            "server-broke",
            "product defect: `GET /api/cart` answered 500 at step 2, then expectation 1 did not pass",
        ),
        (
            tale()
                .step("Go to the shop")
                .did(opened("Oops · http://shop.test/shop (status 500)"))
                .step("Click Add")
                .ends(Failed, "nothing on the page matches Add"),
            "server-broke",
            "probably product defect: the page answered 500 at step 1, then step 2 did not pass",
        ),
        (
            tale()
                .step("Go to the shop")
                .did(opened("Application error · http://shop.test/shop"))
                .step("Click Add")
                .ends(Failed, "nothing on the page matches Add"),
            "server-broke",
            "probably product defect: the page says \"application error\" at step 1, then step 2 did not pass",
        ),
        (
            at_the_shop().step("Click Add").ends_on(
                Failed,
                "nothing on the page matches Add",
                "Internal Server Error\nSorry",
            ),
            "server-broke",
            "probably product defect: the page says \"internal server error\" at step 2",
        ),
        (
            at_the_shop().step("Verify the message \"Internal Server Error\"").ends_on(
                Failed,
                "waited in vain",
                "Internal Server Error",
            ),
            "not-decided",
            "probably product defect: there is no evidence beyond the reason given by step 2",
        ),
        (
            at_the_shop()
                .step("Click Add")
                .did(complained("Uncaught TypeError: cart is null"))
                .step("Click Pay")
                .ends_by(unclear("nothing on the page matches Pay", &["Play"])),
            "page-threw",
            "probably product defect: the page's script failed: \"Uncaught TypeError: cart is null\" at step 2, then step 3 did not pass",
        ),
        (
            at_the_shop()
                .did(complained("Uncaught TypeError: cart is null"))
                .step("Click Pay")
                .ends(Inconclusive, "the step is not clear"),
            "page-threw",
            "probably product defect: the page's script failed: \"Uncaught TypeError: cart is null\" at step 1, then step 2 did not pass",
        ),
        // It came after the answer to the act, so only the last page tells of it.
        (
            at_the_shop()
                .step("Click Pay")
                .step_ends(Inconclusive, "the step is not clear", Vec::new())
                .test_ends_complaining("TypeError: cart is null (http://shop.test/app.js:3)"),
            "page-threw",
            "probably product defect: the page's script failed: \"TypeError: cart is null (http://shop.test/app.js:3)\" at step 2",
        ),
        (
            at_the_shop()
                .step("Click Pay")
                .step_ends(Inconclusive, "the step is not clear", Vec::new())
                .test_ends_complaining("TypeError: hit is null (https://counter.example/c.js:3)"),
            "step-not-clear",
            "probably test defect: step 2 cannot be carried out as written",
        ),
        (
            at_the_shop()
                .did(complained("Uncaught TypeError: cart is null"))
                .step("Click Pay")
                .did(CommandRecord {
                    pilot: "replay".into(),
                    ..refused(ErrorCode::NotFound, "nothing matches e5")
                })
                .ends(Inconclusive, "nothing matches e5"),
            "page-threw",
            "probably product defect: the page's script failed: \"Uncaught TypeError: cart is null\" at step 1, then step 2 did not pass",
        ),
        (
            at_the_shop().again().test_ends(Inconclusive, "not repeated: `click e5` was done", "", false),
            "not-repeated",
            "environment: the run was interrupted, and the test was not carried out again",
        ),
        // Nothing was judged.
        (
            at_the_shop()
                .step("Click Add")
                .did(refused(ErrorCode::NotResponding, "waiting for e45: the page did not respond in time"))
                .ends(Error, "waiting for e45: the page did not respond in time"),
            "page-not-responding",
            "probably environment: the page did not respond at step 2, so nothing was judged",
        ),
        (
            at_the_shop()
                .expects("One item")
                .ends(Error, "looking at the page: the page did not respond in time"),
            "page-not-responding",
            "probably environment: the page did not respond at expectation 1, so nothing was judged",
        ),
        (
            at_the_shop()
                .step("Click Add")
                .did(complained("prop `x` is deprecated"))
                .expects("One item")
                .ends_by(wrong("1", "0")),
            "claim-is-false",
            "product defect: expectation 1 found \"0\"; along the way, the console logged \"prop `x` is deprecated\" at step 2",
        ),
        (
            at_the_shop()
                .step("Click Add")
                .did(answered("POST", own, "422"))
                .expects("One item")
                .ends_by(wrong("1", "0")),
            "claim-is-false",
            "product defect: expectation 1 found \"0\"; along the way, `POST /api/cart` answered 422 at step 2",
        ),
        // Failures of others, and those that mean nothing, are no cause.
        (
            at_the_shop()
                .step("Click Add")
                .did(answered("POST", stranger, "500"))
                .expects("One item")
                .ends_by(wrong("1", "0")),
            "claim-is-false",
            "product defect: expectation 1 found \"0\"; every earlier step was fine",
        ),
        (
            at_the_shop()
                .step("Click Add")
                .did(answered("GET", "http://shop.test/favicon.ico", "404"))
                .expects("One item")
                .ends_by(wrong("1", "0")),
            "claim-is-false",
            "product defect: expectation 1 found \"0\"; every earlier step was fine",
        ),
        (
            at_the_shop()
                .step("Click Add")
                .did(answered("GET", own, "net::ERR_ABORTED"))
                .expects("One item")
                .ends_by(wrong("1", "0")),
            "claim-is-false",
            "product defect: expectation 1 found \"0\"; every earlier step was fine",
        ),
        // The surroundings broke.
        (
            at_the_shop()
                .step("Click Add")
                .did(answered("POST", own, "net::ERR_CONNECTION_REFUSED"))
                .expects("One item")
                .ends_by(wrong("1", "0")),
            "server-not-there",
            "probably environment: `POST /api/cart` got no answer (net::ERR_CONNECTION_REFUSED) at step 2, then expectation 1 did not pass",
        ),
        (
            at_the_shop()
                .step("Click Add")
                .did(answered("POST", own, "503"))
                .expects("One item")
                .ends_by(wrong("1", "0")),
            "server-not-there",
            "probably environment: `POST /api/cart` answered 503 at step 2, then expectation 1 did not pass",
        ),
        (
            tale()
                .step("Go to the shop")
                .did(opened("502 Bad Gateway · http://shop.test/shop (status 502)"))
                .step("Click Add")
                .ends(Failed, "nothing on the page matches Add"),
            "server-not-there",
            "probably environment: the page answered 502 at step 1, then step 2 did not pass",
        ),
        (
            at_the_shop()
                .step("Click Add")
                .did(answered("POST", own, "500"))
                .step("Click More")
                .did(answered("POST", own, "503"))
                .expects("Two items")
                .ends_by(wrong("2", "0")),
            "server-broke",
            "product defect: `POST /api/cart` answered 500 at step 2, then expectation 1 did not pass",
        ),
        (
            tale()
                .step("Go to the shop")
                .did(refused(
                    ErrorCode::NavigationFailed,
                    "http://shop.test did not load: nothing listens there (connection refused)",
                ))
                .ends(Error, "x"),
            "page-not-reached",
            "environment: http://shop.test did not load: nothing listens there (connection refused), at step 1",
        ),
        (
            tale()
                .step("Go to the shop")
                .did(CommandRecord {
                    code: None,
                    ..refused(ErrorCode::Io, "http://shop.test did not load: there is no such host")
                })
                .ends(Failed, "x"),
            "page-not-reached",
            "environment: http://shop.test did not load: there is no such host, at step 1",
        ),
        (
            tale()
                .step("Go to the shop")
                .did(refused(
                    ErrorCode::NavigationFailed,
                    "http://shop.test did not load: net::ERR_TOO_MANY_REDIRECTS",
                ))
                .ends(Failed, "x"),
            "page-not-reached",
            "probably product defect: http://shop.test did not load: net::ERR_TOO_MANY_REDIRECTS, at step 1",
        ),
        (
            tale()
                .step("Go to the shop")
                .did(refused(ErrorCode::NavigationFailed, "http://shop.test did not load: odd"))
                .ends(Failed, "x"),
            "page-not-reached",
            "probably environment: http://shop.test did not load: odd, at step 1",
        ),
        (
            at_the_shop()
                .step("Click Add")
                .did(refused(ErrorCode::BrowserLost, "gone"))
                .ends(Error, "the browser ended"),
            "browser-or-assay-broke",
            "environment: the browser was lost at step 2",
        ),
        (
            at_the_shop()
                .step("Upload a file")
                .did(refused(ErrorCode::Io, "no such file"))
                .ends(Error, "no such file"),
            "browser-or-assay-broke",
            "environment: a file could not be read or written at step 2",
        ),
        (
            at_the_shop().step("Click Add").did(refused(ErrorCode::Internal, "a bug")).ends(Error, "a bug"),
            "browser-or-assay-broke",
            "environment: assay itself failed at step 2",
        ),
        (
            tale().test_ends(Error, "the browser did not start", "", false),
            "browser-or-assay-broke",
            "environment: an error occurred before the first step",
        ),
        (
            tale().part(Part::Precondition, "A user exists").ends(Error, "POST /api/users answered 500"),
            "precondition-not-made-true",
            "environment: precondition 1 did not hold, so the test never started",
        ),
        (
            tale()
                .part(Part::Precondition, "Nobody is logged in")
                .ends(Failed, "Expected \"Log in\", got \"Log out\""),
            "precondition-not-made-true",
            "probably environment: precondition 1 did not hold, so the test never started",
        ),
        (
            at_the_shop()
                .step("Click Add")
                .did(refused(ErrorCode::Timeout, "still loading"))
                .ends(Failed, "waited 5s, still loading"),
            "cut-off",
            "probably environment: time ran out at step 2",
        ),
        (
            at_the_shop()
                .step("Click Pay")
                .did(refused(ErrorCode::OutcomeUnknown, "cut off"))
                .ends(Inconclusive, "it commits something, so it is not repeated"),
            "cut-off",
            "probably environment: an action was cut off at step 2",
        ),
        (
            at_the_shop().step("Click Add").and(RunFact::CommandStarted {
                test: ID.into(),
                step: 2,
                command: "click e5".into(),
                pilot: "builtin".into(),
                commits: false,
                lasting: None,
            }),
            "not-run",
            "probably environment: the record stops at step 2, while `click e5` was running; the test did not finish",
        ),
        (
            at_the_shop().step("Click Add").step_ends(Failed, "x", vec![]).test_ends(Passed, "", "", false),
            "reported-against-its-own-steps",
            "environment: assay reported a pass although step 2 did not pass",
        ),
        (
            at_the_shop().step("Click Add").ends(Error, "something"),
            "not-decided",
            "probably environment: there is no evidence beyond the reason given by step 2",
        ),
        // The test does not say what it means.
        (
            at_the_shop()
                .step("Frobnicate")
                .ends(Inconclusive, "not understood: `Frobnicate`; a sentence like it: Click \"Save\""),
            "sentence-not-understood",
            "test defect: step 2 cannot be carried out as written",
        ),
        (
            at_the_shop()
                .step("Click Add")
                .did(answered("POST", own, "500"))
                .step("Frobnicate")
                .ends(Inconclusive, "not understood: `Frobnicate`"),
            "sentence-not-understood",
            "test defect: step 3 cannot be carried out as written",
        ),
        (
            tale()
                .part(Part::Precondition, "All is well")
                .ends(Inconclusive, "not understood: `All is well`"),
            "sentence-not-understood",
            "test defect: precondition 1 cannot be carried out as written",
        ),
        (
            tale()
                .step("Go to /shop")
                .ends(Inconclusive, "`/shop` is a path, and no base_url names the site"),
            "step-not-clear",
            "probably test defect: step 1 cannot be carried out as written",
        ),
        (
            at_the_shop()
                .step("Click Delete")
                .ends_by(unclear("the delete button could be any of 2 elements", &["Delete", "Delete"])),
            "several-could-be-meant",
            "test defect: step 2 does not say which of 2 elements it means",
        ),
        (
            at_the_shop()
                .step("run: click button")
                .did(refused(ErrorCode::Ambiguous, "3 match"))
                .ends(Inconclusive, "3 elements match"),
            "several-could-be-meant",
            "test defect: step 2 does not say which element it means",
        ),
        (
            at_the_shop()
                .step("run: click >>")
                .did(refused(ErrorCode::BadSelector, "`>>` ends too early"))
                .ends(Error, "x"),
            "command-not-valid",
            "test defect: `click e5` at step 2 is not possible as written",
        ),
        (
            at_the_shop()
                .step("run: eval x()")
                .did(refused(ErrorCode::EvalFailed, "x is not defined"))
                .ends(Failed, "x"),
            "command-not-valid",
            "probably test defect: `click e5` at step 2 is not possible as written",
        ),
        (
            at_the_shop()
                .step("Click Add")
                .did(refused(ErrorCode::DialogOpen, "a confirm is open"))
                .ends(Inconclusive, "\"Sure?\" is asked"),
            "dialog-not-answered",
            "test defect: a dialog was open at step 2, and the test does not say how to answer it",
        ),
        (
            at_the_shop().expects("It looks modern").ends_by(judged(
                "It looks modern",
                Inconclusive,
                "assay cannot check whether something is `modern`",
            )),
            "claim-cannot-be-judged",
            "test defect: the claim of expectation 1 cannot be checked on this page",
        ),
        (
            at_the_shop().expects("They are sorted").ends_by(judged(
                "They are sorted",
                Inconclusive,
                "all values are the same, so there is no order to check",
            )),
            "claim-cannot-be-judged",
            "probably test defect: the claim of expectation 1 cannot be checked on this page",
        ),
        (
            at_the_shop().expects("The title is \"Shop\"").step_ends(Passed, "", vec![standing]).test_ends(
                Inconclusive,
                "every claim was already true before the actions",
                "",
                false,
            ),
            "nothing-was-caused",
            "test defect: \"The title is \"Shop\"\" at expectation 1 was already true before the actions that should cause it, and so was everything else",
        ),
        // The page is no longer as the test knows it.
        (
            at_the_shop()
                .step("Click \"Sign in\"")
                .ends_by(unclear("nothing on the page matches \"Sign in\"", &["Log in", "Sign up"])),
            "element-renamed",
            "changed page: the element named in step 2 is not there; nearest: button \"Log in\", button \"Sign up\"",
        ),
        (
            at_the_shop().step("Click \"Sign in\"").ends(Failed, "nothing on the page matches \"Sign in\""),
            "element-gone",
            "probably changed page: the element named in step 2 is not there, nor is anything similar",
        ),
        (
            at_the_shop()
                .step("run: click #pay")
                .did(refused(ErrorCode::NotFound, "no element matches `#pay`"))
                .ends(Failed, "no element matches `#pay`"),
            "element-gone",
            "probably changed page: the element named in step 2 is not there, nor is anything similar",
        ),
        (
            at_the_shop().expects("The button \"Sign in\" is visible").ends_by(judged(
                "x",
                Failed,
                "nothing on the page matches \"Sign in\"; nearest: button \"Log in\"",
            )),
            "element-renamed",
            "probably changed page: the element named in expectation 1 is not there, but a similar one is",
        ),
        (
            at_the_shop()
                .step("Click Pay")
                .did(CommandRecord {
                    pilot: "replay".into(),
                    ..refused(ErrorCode::StaleRef, "no element is clearly the same")
                })
                .ends(Inconclusive, "x"),
            "hint-or-lock-is-stale",
            "changed page: `click e5` was recorded for step 2, but now: no element is clearly the same",
        ),
        (
            at_the_shop()
                .step("Click Pay")
                .noted("the hint `pay_button` is stale: it matches nothing")
                .ends_by(unclear("Pay could be any of 2 elements", &["Pay", "Pay"])),
            "hint-or-lock-is-stale",
            "probably changed page: at step 2: the hint `pay_button` is stale: it matches nothing",
        ),
        (
            tale()
                .step("Go to the shop")
                .did(opened("Not found · http://shop.test/shop (status 404)"))
                .step("Click Add")
                .ends(Failed, "nothing on the page matches Add"),
            "address-moved",
            "probably changed page: the page answered 404 at step 1, then step 2 did not pass",
        ),
        // The test was kept out.
        (
            at_the_shop().step("Click Add").ends_on(
                Failed,
                "nothing on the page matches Add",
                "Verify you are human by completing the action below.",
            ),
            "human-check",
            "external block: at step 2 the page said \"verify you are human\"",
        ),
        (
            tale()
                .step("Go to the shop")
                .did(opened("Attention Required! | Cloudflare · http://shop.test/ (status 403)"))
                .step("Click Add")
                .ends(Failed, "nothing on the page matches Add"),
            "human-check",
            "external block: at step 1 the page said \"attention required! | cloudflare\"",
        ),
        (
            at_the_shop().step("Click Add").ends_on(Failed, "x", "Access Denied. You don’t have permission."),
            "human-check",
            "probably external block: at step 2 the page said \"access denied\"",
        ),
        (
            at_the_shop().step("Check that \"Access denied\" is shown").ends_on(
                Failed,
                "x",
                "Access Denied.",
            ),
            "not-decided",
            "probably product defect: there is no evidence beyond the reason given by step 2",
        ),
        (
            tale()
                .step("Go to the shop")
                .did(opened("Shop · http://shop.test/shop (status 429)"))
                .ends(Failed, "x"),
            "kept-out",
            "external block: the page answered 429 at step 1",
        ),
        (
            at_the_shop()
                .step("Click Add")
                .did(answered("POST", own, "429"))
                .expects("One item")
                .ends_by(wrong("1", "0")),
            "kept-out",
            "probably external block: `POST /api/cart` answered 429 at step 2",
        ),
        (
            tale()
                .step("Go to the shop")
                .did(opened("Shop · http://shop.test/shop (status 403)"))
                .step("Click Add")
                .ends(Failed, "nothing on the page matches Add"),
            "kept-out",
            "probably external block: the page answered 403 at step 1",
        ),
        (
            at_the_shop()
                .step("Click Add")
                .did(answered("POST", own, "403"))
                .step("Click Pay")
                .ends(Failed, "nothing on the page matches Pay"),
            "request-forbidden",
            "probably external block: `POST /api/cart` answered 403 at step 2, then step 3 could not continue",
        ),
        (
            at_the_shop()
                .step("Click Add")
                .did(answered("GET", own, "403"))
                .step("Click Next")
                .did(clicked())
                .step("Click Pay")
                .ends(Failed, "nothing on the page matches Pay"),
            "element-gone",
            "probably changed page: the element named in step 4 is not there, nor is anything similar",
        ),
        (
            at_the_shop()
                .step("Click Log in")
                .did(opened(
                    "clicked e7 button \"Log in\"\n~ e6 textbox \"Password\" = \"\" required invalid",
                ))
                .expects("Hello")
                .ends_by(wrong("Hello", "Log in")),
            "form-not-sent",
            "probably test defect: \"Password\" is required and was empty at step 2, so the page did not send the form, and no step fills it",
        ),
        (
            at_the_shop()
                .step("Click Add")
                .did(answered("POST", own, "403"))
                .expects("The message is right")
                .ends_by(wrong("Not allowed", "Forbidden")),
            "claim-is-false",
            "product defect: expectation 1 found \"Forbidden\"; along the way, `POST /api/cart` answered 403 at step 2",
        ),
        (
            at_the_shop()
                .step("Go to https://elsewhere.test")
                .did(refused(ErrorCode::BlockedByPolicy, "elsewhere.test is not allowed"))
                .ends(Failed, "x"),
            "blocked-by-policy",
            "external block: the policy refused `click e5` at step 2",
        ),
        // Addresses that were only tried are no trouble.
        (
            tale()
                .step("Go to the login page")
                .did(opened("Not found · http://shop.test/login (status 404)"))
                .did(opened("Log in · http://shop.test/signin"))
                .step("Click Send")
                .ends(Failed, "nothing on the page matches Send"),
            "element-gone",
            "probably changed page: the element named in step 2 is not there, nor is anything similar",
        ),
        // What the test is about is no trouble, and a word on an ordinary page is no wall.
        (
            tale()
                .step("Open a page that does not exist")
                .did(opened("Oh no · http://shop.test/x (status 404)"))
                .expects("The heading is \"Lost?\"")
                .ends_by(wrong("Lost?", "Oh no")),
            "claim-is-false",
            "product defect: expectation 1 found \"Oh no\"; every earlier step was fine",
        ),
        (
            tale()
                .step("Open the admin page as a guest, which is forbidden")
                .did(opened("Oh no · http://shop.test/x (status 403)"))
                .expects("The heading is \"Members only\"")
                .ends_by(wrong("Members only", "Oh no")),
            "claim-is-false",
            "product defect: expectation 1 found \"Oh no\"; every earlier step was fine",
        ),
        (
            tale()
                .step("Open the broken report, which answers with a server error")
                .did(opened("Oh no · http://shop.test/x (status 500)"))
                .expects("The heading is \"Sorry\"")
                .ends_by(wrong("Sorry", "Oh no")),
            "claim-is-false",
            "product defect: expectation 1 found \"Oh no\"; every earlier step was fine",
        ),
        (
            at_the_shop().step("Click Send").ends_on(
                Failed,
                "nothing on the page matches Send",
                "Sign up\nThis site is protected by reCAPTCHA and the Privacy Policy",
            ),
            "element-gone",
            "probably changed page: the element named in step 2 is not there, nor is anything similar",
        ),
        (
            at_the_shop()
                .step("Click Add")
                .did(answered("GET", "ws://shop.test:24678/", "net::ERR_CONNECTION_REFUSED"))
                .expects("One item")
                .ends_by(wrong("1", "0")),
            "claim-is-false",
            "product defect: expectation 1 found \"0\"; every earlier step was fine",
        ),
        (
            at_the_shop()
                .step("Click Add")
                .did(complained("Uncaught TypeError: cart is null"))
                .expects("One item")
                .ends_by(wrong("1", "0")),
            "page-threw",
            "product defect: the page's script failed: \"Uncaught TypeError: cart is null\" at step 2, then expectation 1 did not pass",
        ),
        // Now so, now otherwise.
        (
            at_the_shop()
                .step("Click Add")
                .ends_and_is_retried(Failed, "Expected 1, got 0")
                .step("Go to the shop")
                .step_ends(Passed, "", vec![])
                .test_ends(Passed, "", "", false),
            "passed-at-another-attempt",
            "flaky: the test passed on attempt 2, after attempt 1 failed at step 2: Expected 1, got 0",
        ),
        (
            at_the_shop()
                .step("Click Add")
                .ends_and_is_retried(Failed, "Expected 1, got 0")
                .step("Go to the shop")
                .ends_by(wrong("1", "0")),
            "ended-otherwise-before",
            "probably flaky: attempt 2 ended at step 1, but attempt 1 failed at step 2: Expected 1, got 0",
        ),
        (
            at_the_shop()
                .step("Click Add")
                .ends_and_is_retried(Error, "the browser was lost")
                .step("Go to the shop")
                .ends_by(wrong("1", "0")),
            "claim-is-false",
            "product defect: step 1 found \"0\"; every earlier step was fine",
        ),
        (
            tale()
                .expects("The total is 80")
                .ends_and_is_retried(Failed, "Expected 80, got 81")
                .expects("The total is 80")
                .ends_by(wrong("80", "82")),
            "claim-is-false",
            "product defect: expectation 1 found \"82\"; every earlier step was fine",
        ),
    ]
}

#[test]
fn each_story_has_the_class_that_its_evidence_shows() {
    let mut told_otherwise = Vec::new();
    for (number, (tale, rule, line)) in stories().into_iter().enumerate() {
        let triage = tale.triage().unwrap();
        if (triage.rule, triage.line().as_str()) != (rule, line) {
            told_otherwise.push(format!(
                "story {number}\n  {}: {}\n  {rule}: {line}",
                triage.rule,
                triage.line()
            ));
        }
    }
    assert!(told_otherwise.is_empty(), "told, then expected:\n{}", told_otherwise.join("\n"));
}

#[test]
fn every_rule_has_a_story() {
    let told: Vec<&str> = stories().into_iter().map(|(_, rule, _)| rule).collect();
    assert_eq!(rules::names().filter(|name| !told.contains(name)).collect::<Vec<_>>(), Vec::<&str>::new());
}

#[test]
fn a_run_counts_its_classes() {
    let classes = Summary::of(&crate::sample::every_ending()).classes();
    let told: Vec<String> =
        classes.iter().map(|(class, count)| format!("{} {count}", class.name())).collect();
    assert_eq!(told, ["product-defect 2", "test-defect 1", "environment 3", "flaky 1"]);
}

#[test]
fn a_plain_pass_has_no_class() {
    assert_eq!(at_the_shop().step_ends(Passed, "", vec![]).test_ends(Passed, "", "", false).triage(), None);
}

#[test]
fn what_does_not_pass_always_has_a_class() {
    for verdict in [Failed, Inconclusive, Error] {
        let triage = tale().test_ends(verdict, "", "", false).triage().unwrap();
        assert!(!triage.evidence.is_empty());
    }
    let never_started = Summary::of(&crate::sample::Story::of(&["a"]).finish());
    let line = never_started.tests[0].triage().unwrap().line();
    assert_eq!(
        line,
        "probably environment: the test did not start, so it says nothing about the application"
    );
}

#[test]
fn a_reason_is_one_short_line_whatever_the_page_says() {
    let found = format!("\u{1b}[2J\n{}", "x".repeat(5_000));
    let line = at_the_shop().expects("x").ends_by(wrong("y", &found)).triage().unwrap().line();
    assert!(line.chars().count() < 400 && !line.contains(['\n', '\u{1b}']), "{line}");
}
