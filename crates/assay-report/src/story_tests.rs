use assay_protocol::{CommandRecord, FailedRequest, Judgement, Retry, RunFact, Verdict};

use super::*;
use crate::sample::{Story, element, failed_login, judged};
use crate::summary::Summary;

#[track_caller]
fn check(events: &[assay_protocol::RunEvent], expected: &str) {
    assert_eq!(story(&Summary::of(events).tests[0]), expected);
}

#[test]
fn a_failure_is_told_from_the_first_step_to_what_would_make_it_clear() {
    check(
        &failed_login(),
        r#"# login expired account

**failed**: Expected "Account expired", got "Welcome"

**product defect**: step 2 found "Welcome"; every earlier step was fine

- Test: `login_expired_account`
- File: `login.yaml`
- Browser: `chromium`

## What happened

- **step 1**: Click the login button → passed
  - builtin chose `click e5` because the only button named \`Log in\`; done in 0.1s: url changed to /dashboard
  - Something was in the way (tier 2): closed the cookie banner
- **step 2**: Verify the message "Account expired" → failed
  - Reason: Expected "Account expired", got "Welcome"
  - Claim `The message says "Account expired"`: failed
    - Expected "Account expired", got "Welcome"
    - expected: `Account expired`
    - found: `Welcome`
    - looked at `heading "Welcome" e3`

Finished after 5.1s: failed.

## What to do next

- The page shows `Welcome` where the test expects `Account expired`: one of the two is wrong.
"#,
    );
}

#[test]
fn an_inconclusive_step_asks_which_is_meant() {
    let judgement = Judgement {
        elements: vec![element("e1", "button", "Save"), element("e2", "link", "Save")],
        ..judged("Click Save", Verdict::Inconclusive, "2 candidates")
    };
    let events = Story::of(&["a"])
        .start("a", 1)
        .step("a", 1, "Click Save")
        .step_ends("a", 1, Verdict::Inconclusive, vec![judgement])
        .end("a", Verdict::Inconclusive, "2 candidates", 10)
        .finish();
    let text = story(&Summary::of(&events).tests[0]);
    assert!(
        text.ends_with("- Say which of these you mean: `button \"Save\" e1`, `link \"Save\" e2`.\n"),
        "{text}"
    );
}

#[test]
fn what_failed_behind_an_act_and_each_retry_is_told() {
    let record = CommandRecord {
        command: "click e5".into(),
        pilot: "builtin".into(),
        ok: true,
        failed_requests: vec![FailedRequest {
            method: "POST".into(),
            url: "http://a/api".into(),
            why: "500".into(),
        }],
        console_errors: vec!["Uncaught <b>".into()],
        ..CommandRecord::default()
    };
    let retried = |retry| RunFact::Retried { test: "a".into(), step: 1, retry, reason: "it is gone".into() };
    let events = Story::of(&["a"])
        .start("a", 1)
        .step("a", 1, "Click Save")
        .and(RunFact::Command { test: "a".into(), step: 1, record: Box::new(record) })
        .and(retried(Retry::MapRefreshed))
        .and(RunFact::CommandStarted {
            test: "a".into(),
            step: 1,
            command: "click e6".into(),
            pilot: "builtin".into(),
            commits: true,
            lasting: None,
        })
        .cut_off();
    let text = story(&Summary::of(&events).tests[0]);
    for line in [
        "    - Failed request: `POST http://a/api`: 500\n",
        "    - Console error: Uncaught \\<b>\n",
        "  - Looked at the page again: it is gone\n",
        "  - `click e6` started, but its result was not recorded\n",
    ] {
        assert!(text.contains(line), "{text}");
    }
}
