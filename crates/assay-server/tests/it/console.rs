//! The console and signing in to it.

use assay_coordinator::{RunOpening, this_process};
use assay_protocol::{RunEvent, RunFact};
use assay_server::Role;

use crate::client::Answer;
use crate::context::{Home, Running, finished, started};

/// As if a server in front spoke for somebody elsewhere: nobody is known by the system then.
const ELSEWHERE: (&str, &str) = ("X-Forwarded-For", "10.0.0.1");

fn sign_in(service: &Running, token: &str, more: &[(&str, &str)]) -> Answer {
    let own = format!("http://{}", service.address);
    let mut headers = vec![ELSEWHERE];
    if !more.iter().any(|(name, _)| *name == "Origin") {
        headers.push(("Origin", &own));
    }
    headers.extend(more.iter().filter(|(_, value)| !value.is_empty()));
    service.ask("POST", "/sign-in", &headers, &format!("to=%2Fconsole%2Fruns&token={token}"))
}

fn cookie_of(answer: &Answer) -> String {
    answer.header("set-cookie").unwrap().split(';').next().unwrap().to_string()
}

#[test]
fn the_console_is_served_with_a_strict_policy_and_a_mark() {
    let home = Home::new();
    let service = Running::start(&home);
    for path in ["/", "/console", "/console/runs/run-1-2-s3", "/console/tests/tests/login.yaml"] {
        let page = service.ask("GET", path, &[], "").with(200);
        assert_eq!(page.header("content-type"), Some("text/html; charset=utf-8"), "{path}");
        let policy = page.header("content-security-policy").unwrap();
        assert!(
            policy.contains("default-src 'self'") && policy.contains("frame-ancestors 'none'"),
            "{policy}"
        );
        assert!(!policy.contains("unsafe"), "{policy}");
    }
    let script = service.ask("GET", "/console/app/main.js", &[], "").with(200);
    assert_eq!(script.header("content-type"), Some("text/javascript; charset=utf-8"));
    let etag = script.header("etag").unwrap().to_string();
    let again = service.ask("GET", "/console/app/main.js", &[("If-None-Match", &etag)], "").with(304);
    assert!(again.body.is_empty());
    service.ask("GET", "/console/app/nothing.js", &[], "").with(404);
    service.ask("GET", "/console/style/../../Cargo.toml", &[], "").with(404);
}

#[test]
fn without_a_token_a_browser_gets_a_form_with_its_refusal_and_no_file() {
    let home = Home::new();
    let service = Running::start(&home);
    let browser = [ELSEWHERE, ("Accept", "text/html,application/xhtml+xml")];
    let page = service.ask("GET", "/console/runs?status=paused&view=all", &browser, "").with(401);
    assert!(page.text().contains("action=\"/sign-in\""), "{}", page.text());
    assert!(page.text().contains("value=\"/console/runs?status=paused&amp;view=all\""), "{}", page.text());
    assert!(
        page.header("content-security-policy").unwrap().starts_with("default-src 'none'; style-src 'sha256-")
    );
    for path in ["/", "/console/app/main.js", "/console/style/base.css", "/server/caller"] {
        let refused = service.ask("GET", path, &[ELSEWHERE], "").with(401);
        assert_eq!(refused.header("content-type"), Some("application/problem+json"), "{path}");
    }
}

#[test]
fn a_page_that_signed_in_speaks_for_its_token_until_that_is_revoked() {
    let home = Home::new();
    let service = Running::start(&home);
    let token = home.tokens().create("ci", Role::Run).unwrap().secret;
    let answer = sign_in(&service, &token, &[]).with(303);
    assert_eq!(answer.header("location"), Some("/console/runs"));
    let set = answer.header("set-cookie").unwrap();
    assert!(set.ends_with("HttpOnly; SameSite=Strict") && !set.contains(&token), "{set}");
    let cookie = cookie_of(&answer);
    let caller = service.ask("GET", "/server/caller", &[ELSEWHERE, ("Cookie", &cookie)], "").with(200).json();
    assert_eq!((&caller["name"], &caller["role"]), (&"token ci".into(), &"run".into()));
    assert_eq!((&caller["is_signed_in"], &caller["suite"]), (&true.into(), &"Shop".into()));
    service.ask("GET", "/console/app/main.js", &[ELSEWHERE, ("Cookie", &cookie)], "").with(200);
    home.tokens().revoke("ci").unwrap();
    service.ask("GET", "/server/caller", &[ELSEWHERE, ("Cookie", &cookie)], "").with(401);
    let signed = service.get("/server/audit")["items"][0].clone();
    assert_eq!((&signed["who"], &signed["path"]), (&"token ci".into(), &"/sign-in".into()));
}

#[test]
fn only_a_page_of_the_service_signs_in_and_changes_something() {
    let home = Home::new();
    let service = Running::start(&home);
    let own = format!("http://{}", service.address);
    let token = home.tokens().create("ci", Role::Run).unwrap().secret;
    for origin in ["http://evil.example", "null", "http://localhost:3000", ""] {
        sign_in(&service, &token, &[("Origin", origin)]).with(403);
    }
    sign_in(&service, "assay_1_2", &[]).with(401);
    let cookie = cookie_of(&sign_in(&service, &token, &[]).with(303));
    let start = |more: (&str, &str)| {
        service.ask("POST", "/server/runs", &[ELSEWHERE, ("Cookie", &cookie), more], "{}")
    };
    start(("Origin", "http://evil.example")).with(403);
    start(("Accept", "*/*")).with(403);
    start(("Origin", &own)).with(202);
    let out =
        service.ask("POST", "/sign-out", &[ELSEWHERE, ("Cookie", &cookie), ("Origin", &own)], "").with(303);
    assert!(out.header("set-cookie").unwrap().contains("Max-Age=0"));
    start(("Origin", &own)).with(401);
}

#[test]
fn whoever_guesses_tokens_in_the_form_waits() {
    let home = Home::new();
    let service = Running::start(&home);
    let statuses: Vec<u16> = (0..25).map(|_| sign_in(&service, "assay_1_2", &[]).status).collect();
    assert_eq!(statuses[0], 401);
    assert_eq!(statuses.last(), Some(&429), "{statuses:?}");
}

#[test]
fn home_is_told_what_is_red_and_runs_have_their_counts() {
    let home = Home::new();
    let service = Running::start(&home);
    assert_eq!(service.get("/server/overview?days=3")["days"].as_array().unwrap().len(), 3);
    let started = service.post("/server/runs", "{}").with(202).json();
    service.gate.open(2);
    let run = started["run"].as_str().unwrap();
    service.wait_for(&format!("/server/runs/{run}"), |run| run["status"] == "finished");
    assert_eq!(service.get("/server/runs")["items"][0]["metrics"]["passed"], 1.0);
    assert_eq!(service.get("/server/flaky")["items"].as_array().unwrap().len(), 0);
    let again = service.post("/server/runs", r#"{"last_failed": true}"#).with(409).json();
    assert_eq!(again["detail"], format!("every test of run `{run}` passed"));
}

#[test]
fn a_report_is_shown_to_whoever_knows_its_address() {
    let home = Home::new();
    let service = Running::start(&home);
    let started = service.post("/server/runs", "{}").with(202).json();
    service.gate.open(2);
    let run = started["run"].as_str().unwrap();
    service.wait_for(&format!("/server/runs/{run}"), |run| run["status"] == "finished");
    let folder = home.project().join("assay-results/runs").join(run);
    std::fs::write(folder.join("picture.png"), "a picture").unwrap();
    std::fs::write(folder.join("events.jsonl"), "what happened").unwrap();
    let shown = service.get(&format!("/server/runs/{run}/report"));
    let address = shown["address"].as_str().unwrap();
    // The frame of a report has an origin of its own, so its requests say that they come from elsewhere.
    let frame = [ELSEWHERE, ("Sec-Fetch-Site", "cross-site")];
    let report = service.ask("GET", address, &frame, "").with(200);
    assert!(report.header("content-security-policy").unwrap().starts_with("sandbox "));
    let beside = |name: &str| service.ask("GET", &address.replace("report.html", name), &frame, "");
    assert_eq!(beside("picture.png").with(200).text(), "a picture");
    for other in ["events.jsonl", "../report.html", "%2e%2e/report.html", "nothing.png"] {
        beside(other).with(404);
    }
    service.ask("GET", address, &[("Host", "evil.example")], "").with(403);
    service.ask("POST", address, &frame, "").with(401);
    service.ask("GET", "/shown/0000/report.html", &frame, "").with(401);
}

#[test]
fn asking_what_a_text_means_is_no_entry_in_the_audit_log() {
    let home = Home::new();
    let service = Running::start(&home);
    service.post("/server/tests/check", r#"{"text": "test: X\n"}"#).with(200);
    assert_eq!(service.get("/server/audit")["items"].as_array().unwrap().len(), 0);
}

#[test]
fn a_run_whose_folder_a_later_run_took_over_is_shown_with_its_own_report() {
    let home = Home::new();
    let service = Running::start(&home);
    let coordinator = home.coordinator();
    let folder = home.project().join("assay-results");
    std::fs::create_dir_all(&folder).unwrap();
    for run in ["run-earlier", "run-later"] {
        let opening = RunOpening {
            run: run.into(),
            suite: "Shop".into(),
            results: folder.clone(),
            order: serde_json::json!({"argv": ["run"]}),
            owner: this_process("a test").unwrap(),
        };
        let task = coordinator.begin_run(&opening).unwrap();
        for what in [started(run), finished(), RunFact::RunFinished { interrupted: false, duration_ms: 1 }] {
            coordinator.record(task, &RunEvent { at: 1, what }).unwrap();
        }
    }
    std::fs::write(folder.join("report.html"), "<h1>run-later, as it was written</h1>").unwrap();
    let shown = |run: &str| {
        let address = service.get(&format!("/server/runs/{run}/report"))["address"].clone();
        service.ask("GET", address.as_str().unwrap(), &[ELSEWHERE], "").with(200).text()
    };
    assert_eq!(shown("run-later"), "<h1>run-later, as it was written</h1>");
    let earlier = shown("run-earlier");
    assert!(earlier.contains("run-earlier") && !earlier.contains("run-later"), "{earlier}");
}
