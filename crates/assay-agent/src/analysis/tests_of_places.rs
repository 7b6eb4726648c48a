//! Made-up results for the rules about where a test was, about slips of the pen, and about sampled passes.

use super::*;
use crate::analysis::judge::{Circumstances, examine_pass};

/// Ends at another address than the application's.
fn ends_at(tale: Tale, judgement: Judgement, url: &str, page: &str) -> Tale {
    let (verdict, reason) = (judgement.verdict, judgement.reason.clone());
    let mut told = tale.step_ends(verdict, &reason, vec![judgement]).test_ends(verdict, &reason, page, false);
    if let Some(RunFact::TestFinished { last_page: Some(last), .. }) = told.facts.last_mut() {
        last.url = url.into();
    }
    told
}

fn opened(command: &str, url: &str) -> CommandRecord {
    CommandRecord { url: Some(url.into()), ..done(command, "A page") }
}

const MISSING: &str = "nothing on the page matches the \"Orders\" link";

#[test]
fn what_a_claim_expects_and_the_page_lacks_is_a_bug() {
    let reason = "nothing on the page matches The row \"Canoe hire\"";
    let claim = judged("The row \"Canoe hire\" contains \"96.00\"", Inconclusive, reason);
    tale().expects("The row \"Canoe hire\" contains \"96.00\"").ends_by(claim).is(Bug);
    tale().step("Click the \"Orders\" link").ends_by(unclear(MISSING, &[])).stays_open(&[Bug, ScriptIssue]);
}

#[test]
fn a_page_of_somebody_else_blocks_from_outside() {
    let sent = tale().did(opened("go http://shop.test/login", "http://hotspot.test/portal"));
    let sent = ends_at(
        sent.step("Click the \"Orders\" link"),
        unclear(MISSING, &[]),
        "http://hotspot.test/portal",
        "Room number",
    );
    assert_eq!(sent.is(ExternalBlock).rule, "led-elsewhere");
    let wall = tale().step("Click the \"Orders\" link");
    let wall = ends_at(wall, unclear(MISSING, &[]), "http://identity.test/", "Sign in to your account");
    assert_eq!(wall.is(ExternalBlock).rule, "led-elsewhere");
    // A wrong link of the application is its own mistake.
    let wrong = tale().step("Click the \"Orders\" link");
    ends_at(wrong, unclear(MISSING, &[]), "http://weather.test/", "Rain").stays_open(&[Bug, ScriptIssue]);
    let own = tale().step("Click the \"Orders\" link");
    ends_at(own, unclear(MISSING, &[]), "http://www.shop.test/", "Log in").stays_open(&[Bug, ScriptIssue]);
}

#[test]
fn a_login_that_is_refused_in_any_words_blocks_from_outside() {
    let refused = |page: &str| {
        let login = "http://shop.test/login";
        let told = tale()
            .did(opened("go http://shop.test/login", login))
            .step("Enter \"x\" in the \"Private code\" field")
            .did(done("fill \"e3\" \"x\"", ""))
            .step("Click \"Continue\"")
            .did(opened("click \"e4\"", login))
            .step("Click the \"Orders\" link");
        ends_at(told, unclear(MISSING, &[]), login, page)
    };
    assert_eq!(
        refused("Private code: This private code is not the right one").is(ExternalBlock).rule,
        "login-refused"
    );
    refused("Welcome").stays_open(&[Bug, ScriptIssue]);
    let mut about = refused("The code is wrong");
    about.line.name = "Log in with a code".into();
    about.stays_open(&[Bug, ScriptIssue]);
}

#[test]
fn slips_and_usual_words_in_the_text_of_the_page_are_changed_wording() {
    let told = |sentence: &str, page: &str| {
        tale().step(sentence).ends_on(Failed, "nothing on the page is called that, or anything like it", page)
    };
    assert_eq!(
        told("Click \"Aprove\"", "Team lunch\tApprove Delete").is(ScriptIssue).rule,
        "changed-wording"
    );
    let reason = "nothing on the page is called \"Reson\", or anything like it";
    let field = tale().step("Enter \"Cough\" in the \"Reson\" field");
    field.ends_on(Failed, reason, "Time\nReason").is(ScriptIssue);
    let export = || told("Click \"Export\"", "Ask the experts\nExports");
    export().stays_open(&[Bug, ScriptIssue]);
    export().after(Passed).is(Bug);
    told("Click \"Remove\"", "Approve Delete").after(Passed).is(Bug);
    // The very words are there: something else is missing.
    let place = unclear("nothing on the page matches \"Approve\" in the row of \"Dinner\"", &["Approve"]);
    tale().step("Click \"Approve\" in the row of \"Dinner\"").ends_by(place).stays_open(&[Bug, ScriptIssue]);
}

#[test]
fn a_browser_that_is_lost_while_an_act_commits_is_of_the_system() {
    let told = |code, what: &str| {
        tale()
            .step("Click Pay")
            .did(failed("click e5", code, what))
            .step_ends(Error, what, Vec::new())
            .test_ends(
                Inconclusive,
                &format!("{what}; `click e5` may or may not have been carried out"),
                "",
                false,
            )
    };
    told(ErrorCode::BrowserLost, "the browser ended unexpectedly").is(SystemIssue);
    let crashed = || told(ErrorCode::PageCrashed, "the page crashed");
    crashed().stays_open(&[SystemIssue, Bug]);
    crashed().after_analysis(None, None).is(Bug);
}

#[test]
fn claims_that_no_page_can_show_are_issues_of_the_test() {
    for reason in [
        "assay cannot check `sent by mail`; it can check text, values, states and counts",
        "`Each` cannot be checked here; write one expectation per item",
        "a claim with `or` cannot be checked; say one by one what should be true",
    ] {
        tale().expects("It is so").ends_by(judged("It is so", Inconclusive, reason)).is(ScriptIssue);
    }
}

#[test]
fn an_answer_of_others_that_comes_too_late_blocks_from_outside() {
    let mut late = tale()
        .step("Click Pay")
        .did(done("click e5", "still busy"))
        .expects("I see \"Paid\"")
        .ends_by(wrong("I see \"Paid\""));
    if let Some(RunFact::TestFinished { last_page: Some(last), .. }) = late.facts.last_mut() {
        last.failed_requests = vec![FailedRequest {
            method: "POST".into(),
            url: "http://shop.test/pay".into(),
            why: "504".into(),
        }];
    }
    late.is(ExternalBlock);
}

#[test]
fn a_sampled_pass_is_looked_at_closely() {
    let exam = |tale: &Tale, past: &[PastResult]| {
        let retired = BTreeSet::new();
        let around = Circumstances { past, analyses: &[], signature: "", retired: &retired };
        examine_pass(&tale.summary(), around)
    };
    let clicked = |record: CommandRecord, claim: Judgement| {
        tale().step("Click Save").did(record).expects("I see \"Saved\"").ends_by(claim)
    };
    let works = CommandRecord { url: Some("http://shop.test/saved".into()), ..done("click e5", "clicked") };
    let sound = exam(&clicked(works.clone(), held("I see \"Saved\"")), &[]);
    assert!(sound.finding.is_none() && sound.suspicions.is_empty(), "{sound:?}");
    let idle = done("click e5", "clicked");
    let nothing = exam(&clicked(idle.clone(), held("I see \"Saved\"")), &[]);
    assert!(nothing.suspicions[0].contains("none of its acts changed anything: Click Save"), "{nothing:?}");
    let stood = Judgement { standing: true, ..held("I see \"Saved\"") };
    assert_eq!(exam(&clicked(idle, stood.clone()), &[]).finding.unwrap().rule, "nothing-happened");
    assert_eq!(exam(&clicked(works.clone(), stood), &[]).finding.unwrap().rule, "claims-stood");
    let broke = CommandRecord { url: works.url.clone(), ..answered("500 Internal Server Error") };
    let broke = exam(&clicked(broke, held("I see \"Saved\"")), &[]);
    assert!(broke.suspicions[0].contains("it passed, although"), "{broke:?}");
    // The first pass after a failure is always sampled.
    let after = clicked(done("click e5", "clicked"), held("I see \"Saved\"")).after(Failed).is(ValidPass);
    assert_eq!(after.depth, Depth::Sampled);
    assert!(after.suspicions.iter().any(|why| why.contains("changed anything")), "{after:#?}");
}

#[test]
fn another_cause_of_the_same_words_is_no_known_failure() {
    let known = |rule: &str| {
        let mut told = false_total().tagged("known-failure").after_analysis(Some(ValidFail), None);
        told.analyses[0].body = json!({ "rule": rule });
        told
    };
    known("claim-is-false").is(ValidFail);
    known("server-broke").is(Bug);
}
