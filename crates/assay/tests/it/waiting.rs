//! Waiting only where it was asked for, and never past the deadline.

use std::time::{Duration, Instant};

use assay_testkit::{Request, Response, Server};

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

/// A page that goes on with its work long after it has loaded.
fn busy_page(request: &Request) -> Response {
    match request.path.as_str() {
        "/data" => Response::text("Half").delay(Duration::from_millis(3500)),
        "/never.png" => Response::text("").delay(Duration::from_secs(60)),
        "/hangs" => Response::html("<!doctype html><title>Hangs</title><p>Text</p><img src=/never.png>"),
        _ => Response::html(
            "<!doctype html><title>Busy</title><p id=out>Departures</p><script>\
             fetch('/data').then(r => r.text()).then(t => { out.textContent = t; \
             setTimeout(() => { out.textContent = 'Ready' }, 150) })</script>",
        ),
    }
}

#[test]
fn waiting_for_the_page_waits_for_its_requests_and_until_it_is_quiet() {
    let server = Server::start(busy_page);
    let context = Context::new();
    context.ok(&["go", &server.url("/")]);
    assert_eq!(context.ok(&["text"]), "Departures", "the page is quicker than this test needs");
    context.ok(&["wait", "--load"]);
    assert_eq!(context.ok(&["text"]), "Ready");
    context.ok(&["reload"]);
    assert_eq!(context.ok(&["text"]), "Departures");
    context.ok(&["do", "Wait for the page to load"]);
    assert_eq!(context.ok(&["text"]), "Ready");
}

#[test]
fn waiting_for_the_page_says_what_it_still_does_when_the_time_is_up() {
    let server = Server::start(busy_page);
    let context = Context::new();
    context.ok(&["go", &server.url("/")]);
    let said = context.ok(&["wait", "--load", "--timeout", "400"]);
    assert!(said.contains("still busy: GET /data"), "{said}");
    context.run(&["go", &server.url("/hangs"), "--timeout", "1000"]);
    let failed = context.fails(1, &["wait", "--load", "--timeout", "500"]);
    assert!(failed.contains("did not finish loading"), "{failed}");
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
