//! Waiting only where it was asked for, and never past the deadline.

use std::time::{Duration, Instant};

use crate::context::Context;

#[test]
fn wait_follows_what_the_page_does() {
    let context = Context::on("/delayed");
    context.ok(&["click", "#again"]);
    context.ok(&["wait", "#appears"]);
    context.ok(&["click", "#again"]);
    context.ok(&["wait", "#vanishes", "--gone"]);
    context.ok(&["wait", "#vanishes", "--state", "hidden"]);
    context.ok(&["click", "#again"]);
    context.ok(&["wait", "#later", "--state", "enabled"]);
    context.ok(&["click", "#t300"]);
    context.ok(&["wait", "--text", "Done: t300"]);
    context.ok(&["wait", "--url", "/delayed"]);
    let failed = context.fails(1, &["wait", "#never", "--timeout", "2000"]);
    assert!(
        failed.contains("`#never` did not become visible") && failed.contains("nothing matches it"),
        "{failed}"
    );
    assert!(
        context
            .fails(1, &["wait", "--text", "no such words", "--timeout", "1500"])
            .contains("did not appear")
    );
    assert!(context.fails(1, &["wait", "--url", "*/elsewhere", "--timeout", "1500"]).contains("it is http"));
}

#[test]
fn a_timeout_waits_for_a_target_that_is_not_there_yet() {
    let context = Context::on("/crash");
    let later = "setTimeout(() => { const b = document.createElement('button'); b.textContent = 'Newcomer'; \
                 b.onclick = () => window.log.push('newcomer'); document.body.append(b) }, 400); 0";
    context.ok(&["eval", later]);
    assert!(context.fails(1, &["click", "Newcomer"]).contains("no element matches"));
    context.ok(&["click", "Newcomer", "--timeout", "5000"]);
    assert_eq!(context.log().last().unwrap(), "newcomer");
}

/// Not a measure of speed: only that deadlines are kept at all.
#[test]
fn nothing_hangs_past_its_deadline() {
    let context = Context::on("/crash");
    let limit = Duration::from_secs(8);
    let within = |arguments: &[&str], code: i32| {
        let started = Instant::now();
        let said = context.run(arguments);
        assert!(started.elapsed() < limit, "{arguments:?} took {:?}", started.elapsed());
        assert_eq!(said.code, code, "{arguments:?}: {said:?}");
        said.err
    };
    let failed = within(&["go", &context.url("/never"), "--timeout", "700"], 1);
    assert!(failed.contains("did not respond in time"), "{failed}");
    let failed = within(&["eval", "new Promise(() => {})", "--timeout", "500"], 3);
    assert!(failed.contains("effect is unknown"), "{failed}");
    within(&["go", &context.url("/wedge"), "--timeout", "5000"], 0);
    let said = context.run(&["click", "#wedge", "--timeout", "1000"]);
    assert!(said.code == 3 || said.out.contains("still busy"), "{said:?}");
    // The page is stuck for ever now; control verbs answer, questions end in time, and it can be left.
    assert!(context.ok(&["daemon", "status"]).contains("pid"));
    let failed = within(&["text", "--timeout", "500"], 1);
    assert!(failed.contains("did not respond in time"), "{failed}");
    context.ok(&["tabs"]);
    context.ok(&["tab-close"]);
    within(&["go", &context.url("/list"), "--timeout", "6000"], 0);
}

#[test]
fn a_daemon_with_a_wedged_page_stops() {
    let context = Context::on("/wedge");
    context.run(&["click", "#wedge", "--timeout", "500"]);
    context.ok(&["daemon", "stop"]);
    assert!(context.run(&["daemon", "status"]).out.contains("not running"));
}
