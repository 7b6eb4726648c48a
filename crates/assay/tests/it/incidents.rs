//! Guardian at work on real browsers.

use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::context::{Context, Said};

fn publish(context: &Context, event_type: &str, device: &str) {
    context.ok(&["event", "publish", event_type, "--device", device]);
}

fn watch(context: &Context) -> Said {
    let said = context.run(&["agent", "watch", "--once"]);
    assert_eq!(said.code, 0, "{said:?}");
    said
}

fn incident(context: &Context, number: u64) -> Value {
    context.json(&["incident", "show", &number.to_string()])["data"].clone()
}

/// The tools that were called, with how the calls ended.
fn calls(incident: &Value) -> Vec<(String, String)> {
    let word = |value: &Value| value.as_str().unwrap_or_default().to_string();
    let entries = incident["timeline"].as_array().unwrap().iter();
    let ended = entries.filter(|entry| matches!(entry["kind"].as_str(), Some("done" | "failed")));
    ended.map(|entry| (word(&entry["kind"]), word(&entry["text"]))).collect()
}

fn is_free(context: &Context, device: &str) -> bool {
    context.json(&["device", "info", device])["data"]["lock"].is_null()
}

#[test]
fn a_crash_of_an_open_browser_is_looked_at_and_the_device_is_free_again() {
    let context = Context::on("/login");
    publish(&context, "alert.app_crash", "session:default");
    let said = watch(&context);
    assert!(said.err.contains("LOAD SKILL incident-response"), "{said:?}");
    let seen = incident(&context, 1);
    assert_eq!(
        (&seen["incident"]["class"], &seen["incident"]["severity"]),
        (&"crash".into(), &"major".into())
    );
    let expected = ["take_control", "capture_screenshot", "get_device_info", "release_control", "handled"];
    let expected: Vec<(String, String)> =
        expected.iter().map(|tool| ("done".to_string(), (*tool).to_string())).collect();
    assert_eq!(calls(&seen), expected, "{seen:#}");
    let evidence =
        seen["timeline"].as_array().unwrap().iter().find(|entry| entry["kind"] == "evidence").unwrap();
    let picture = std::fs::read(evidence["body"]["file"].as_str().unwrap()).unwrap();
    assert!(picture.starts_with(b"\x89PNG") && picture.len() > 1000, "a real picture of the page");
    assert!(is_free(&context, "session:default"));
    context.ok(&["title"]);
    // Nothing is left to do.
    assert_eq!(watch(&context).out, "");
    let closed = context.json(&["incident", "close", "1", "--reason", "restarted it"]);
    assert_eq!(
        (&closed["data"]["status"], &closed["data"]["resolution"]),
        (&"closed".into(), &"restarted it".into())
    );
    assert_eq!(context.ok(&["incident", "list", "--open"]), "no incidents");
    context.fails(2, &["incident", "show", "7"]);
}

#[test]
fn a_browser_that_is_not_open_is_tried() {
    let context = Context::new();
    publish(&context, "alert.no_signal", "chromium");
    watch(&context);
    let seen = incident(&context, 1);
    assert!(calls(&seen).contains(&("done".to_string(), "capture_screenshot".to_string())), "{seen:#}");
    assert!(is_free(&context, "chromium"));
}

#[test]
fn a_device_of_somebody_else_is_left_alone() {
    let context = Context::on("/login");
    context.ok(&["device", "take", "session:default", "--owner", "ben"]);
    publish(&context, "alert.anr", "session:default");
    let said = watch(&context);
    assert!(said.out.contains("ben controls session:default; Guardian does not interfere"), "{said:?}");
    let lock = context.json(&["device", "info", "session:default"])["data"]["lock"]["owner"].clone();
    assert_eq!(lock, "ben", "it is still theirs");
    assert!(!calls(&incident(&context, 1)).iter().any(|(_, tool)| tool == "capture_screenshot"));
}

#[test]
fn a_device_that_is_not_there_is_said_to_be_offline() {
    let context = Context::new();
    publish(&context, "alert.no_signal", "session:gone");
    watch(&context);
    let seen = incident(&context, 1);
    assert_eq!(
        (&seen["incident"]["class"], &seen["incident"]["severity"]),
        (&"offline".into(), &"critical".into())
    );
}

#[test]
fn checks_and_other_alerts_are_handled_by_their_own_skills() {
    let context = Context::new();
    publish(&context, "schedule.health_check", "");
    publish(&context, "webhook.ci_failure", "chromium");
    publish(&context, "alert.my_own", "chromium");
    let said = watch(&context);
    let skills: Vec<&str> = said.err.lines().filter_map(|line| line.strip_prefix("LOAD SKILL ")).collect();
    assert_eq!(skills, ["alert-triage", "health-check"], "alerts come first");
    let listed = context.json(&["incident", "list"]);
    let status: Vec<&Value> =
        listed["data"]["incidents"].as_array().unwrap().iter().map(|incident| &incident["status"]).collect();
    assert_eq!(status, ["closed", "open"]);
}

#[test]
fn the_file_of_an_agent_says_which_events_wake_it_where_the_project_is_trusted() {
    let context = Context::new();
    let file = "agent: monitor\nnickname: Warden\ndescription: Ours\ntriggers: [{event: alert.my_own, priority: high}]\n\
                skills: [alert-triage]\n";
    std::fs::create_dir(context.folder().join("agents")).unwrap();
    std::fs::write(context.folder().join("agents/monitor.yaml"), file).unwrap();
    std::fs::write(context.folder().join("assay.yaml"), "suite: shop\n").unwrap();
    publish(&context, "alert.my_own", "chromium");
    let said = watch(&context);
    assert!(said.err.contains("is not used, because the project is not trusted"), "{said:?}");
    assert_eq!(context.ok(&["incident", "list"]), "no incidents");
    context.ok(&["trust"]);
    publish(&context, "alert.app_crash", "chromium");
    let said = watch(&context);
    assert_eq!(said.out.lines().count(), 1, "{said:?}");
    assert!(said.out.contains("alert.my_own → incident 1"), "{said:?}");
}

#[test]
fn a_watch_that_is_killed_at_any_point_leaves_a_free_device_and_an_alert_that_is_handled() {
    let context = Context::on("/login");
    let mut again = 0;
    for round in 0..8_u64 {
        context.ok(&["incident", "list"]);
        publish(&context, "alert.app_crash", "session:default");
        let mut watching = context
            .command(&["agent", "watch", "--once"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(30 + 45 * round));
        watching.kill().unwrap();
        watching.wait().unwrap();
        let until = Instant::now() + Duration::from_secs(5);
        while !is_free(&context, "session:default") {
            assert!(Instant::now() < until, "round {round}: control outlived the process");
        }
        watch(&context);
        let number = round + 1;
        let seen = incident(&context, number);
        let handled = calls(&seen).iter().filter(|(_, text)| text == "handled").count();
        assert_eq!(handled, 1, "round {round}: {seen:#}");
        assert_eq!(seen["incident"]["repeats"], 1, "round {round}: {seen:#}");
        let timeline = seen["timeline"].to_string();
        again += u32::from(timeline.contains("an earlier process ended"));
        // The next alert begins an incident of its own.
        context.ok(&["incident", "close", &number.to_string()]);
    }
    println!("{again} of 8 alerts were begun again");
    context.ok(&["title"]);
}

#[test]
fn a_watch_that_goes_on_handles_what_comes_later() {
    let context = Context::on("/login");
    let mut watching =
        context.command(&["agent", "watch"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    publish(&context, "alert.app_crash", "session:default");
    let until = Instant::now() + Duration::from_secs(60);
    loop {
        let events = context.json(&["event", "list"]);
        let deliveries = &events["data"]["events"][0]["deliveries"];
        if deliveries[0]["done_at"].is_u64() {
            assert_eq!(deliveries[0]["subscriber"], "guardian");
            break;
        }
        assert!(Instant::now() < until, "{events:#}");
        std::thread::sleep(Duration::from_millis(100));
    }
    watching.kill().unwrap();
    watching.wait().unwrap();
}

#[test]
fn a_run_that_has_ended_is_analysed() {
    let context = Context::new();
    let test = format!(
        "test: Login page\nsteps:\n  - Open {}\nexpected:\n  - I should see \"Log in\"\n",
        context.url("/login")
    );
    std::fs::write(context.folder().join("login.yaml"), test).unwrap();
    context.ok(&["run", "login.yaml"]);
    let said = watch(&context);
    assert!(said.out.starts_with("run 1: 1 "), "{said:?}");
    assert_eq!(watch(&context).out, "", "once");
}

#[test]
fn an_agent_of_a_trusted_project_carries_out_the_workflow_of_its_skill_for_its_events() {
    let context = Context::new();
    let agent = "agent: release\nnickname: Rel\ndescription: Runs what a release needs\nselectable: true\n\
        triggers: [{event: deployment.execution_done, priority: normal}]\nskills: [run-testcase, generate-report]\n";
    std::fs::create_dir(context.folder().join("agents")).unwrap();
    std::fs::write(context.folder().join("agents/release.yaml"), agent).unwrap();
    std::fs::write(context.folder().join("assay.yaml"), "suite: shop\ntests: '*.yaml'\n").unwrap();
    let test = format!(
        "test: Login page\nsteps:\n  - Open {}\nexpected:\n  - I should see \"Log in\"\n",
        context.url("/login")
    );
    std::fs::write(context.folder().join("login.yaml"), test).unwrap();
    context.ok(&["run", "login.yaml"]);
    let said = watch(&context);
    assert!(said.err.contains("agents/release.yaml is not used"), "{said:?}");
    assert!(!said.out.contains("Rel"), "{said:?}");
    context.ok(&["trust"]);
    let said = watch(&context);
    assert!(said.out.contains("deployment.execution_done → Rel (generate-report): # Run"), "{said:?}");
    assert_eq!(watch(&context).out, "", "once");
    // The event may name the skill and give it its values.
    let wish = r#"{"skill": "run-testcase", "testcase": "login_page"}"#;
    std::fs::write(context.folder().join("wish.json"), wish).unwrap();
    context.ok(&["event", "publish", "deployment.execution_done", "--payload", "wish.json"]);
    let said = watch(&context);
    assert!(said.out.contains("Rel (run-testcase): **login_page** on local/chromium: PASSED"), "{said:?}");
    assert_eq!(said.out.matches("Rel (").count(), 1, "its own run does not wake it: {said:?}");
    // A name of nothing means nothing, not everything.
    let wish = r#"{"skill": "run-testcase", "testcase": "nope_nope"}"#;
    std::fs::write(context.folder().join("wish.json"), wish).unwrap();
    context.ok(&["event", "publish", "deployment.execution_done", "--payload", "wish.json"]);
    let said = watch(&context);
    assert!(said.out.contains("nothing was done: There is no test `nope_nope`."), "{said:?}");
    assert!(!said.out.contains("PASSED"), "{said:?}");
}

#[test]
fn it_is_said_that_guardian_does_not_use_a_skill_of_the_project() {
    let context = Context::new();
    let skill = "name: health-check\ndescription: Ours\ntriggers: [health check]\nsystem_prompt: Look.\n\
        tools: [list_hosts, get_device_info]\nworkflow: [{tool: list_hosts}]\nanswer: looked\n";
    std::fs::create_dir_all(context.folder().join("skills/agents")).unwrap();
    std::fs::write(context.folder().join("skills/agents/health-check.yaml"), skill).unwrap();
    std::fs::write(context.folder().join("assay.yaml"), "suite: shop\n").unwrap();
    let said = watch(&context);
    assert!(
        said.err
            .contains("skills/agents/health-check.yaml is not used here: Guardian works by its own rules"),
        "{said:?}"
    );
}
