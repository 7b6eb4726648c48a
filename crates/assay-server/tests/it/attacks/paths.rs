//! What is put into paths and queries: ways out of the project, and words of other languages.

use super::*;

/// Ways out of a folder, as they stand in an address.
const WAYS_OUT: [&str; 22] = [
    "..",
    "../outside.txt",
    "..%2foutside.txt",
    "..%2f..%2foutside.txt",
    "%2e%2e%2f%2e%2e%2foutside.txt",
    "%252e%252e%252foutside.txt",
    "..%255c..%255coutside.txt",
    "....//....//outside.txt",
    "..;/outside.txt",
    "%2fetc%2fpasswd",
    "/etc/passwd",
    "file:%2f%2f%2fetc%2fpasswd",
    "tests%2flink.yaml",
    "link.txt",
    "up%2foutside.txt",
    "..%5coutside.txt",
    "C:%5cwindows%5cwin.ini",
    "%5c%5chost%5cshare",
    "CON",
    "x%00.yaml",
    "%c0%ae%c0%ae%c0%afoutside.txt",
    "%uff0e%uff0e%u2215outside.txt",
];

/// Text that means something to a database, a shell, a template, a terminal or a browser.
const WORDS: [&str; 14] = [
    "'%20OR%20'1'='1",
    "1;DROP%20TABLE%20run;--",
    "x%27%20UNION%20SELECT%20sql%20FROM%20sqlite_schema--",
    "%25%25%25_",
    "$(touch%20pwned)",
    "%60touch%20pwned%60",
    ";touch%20pwned",
    "%7Ctouch%20pwned",
    "%24%7B7*7%7D%7B%7B7*7%7D",
    "%3Cscript%3Ealert(1)%3C/script%3E",
    "a%0d%0aX-Injected:%201%0d%0a%0d%0a<html>",
    "a%0aX-Injected:%201",
    "%1b%5b2J%9b31m",
    "-1",
];

fn attack(stage: &Stage, payloads: &[&str]) {
    let mut asked = 0;
    for route in &stage.routes {
        let body = if route.writes() && route.body.is_some() { "{}" } else { "" };
        for payload in payloads {
            if route.has_parts() {
                stage.send(route, &route.filled(payload), body);
                asked += 1;
            }
            for name in &route.query {
                stage.send(route, &format!("{}?{name}={payload}", route.filled("x")), body);
                asked += 1;
            }
        }
    }
    assert!(asked > 500, "{asked}");
    for payload in payloads {
        for before in
            ["/console/", "/shown/", "/shown/x/", "/server/hooks/", "/", "/server/runs/1/artifacts/"]
        {
            stage.ask("GET", &format!("{before}{payload}"), &[], b"");
            stage.ask(
                "GET",
                &format!("{before}{payload}"),
                &[("Accept", "text/html"), ("Via", "1.1 x")],
                b"",
            );
        }
        stage.ask("POST", &format!("/server/hooks/{payload}"), &[("webhook-id", "1")], b"{}");
    }
    stage.check_it_lives();
}

#[test]
fn no_path_leads_out_of_the_project() {
    attack(&Stage::new(), &WAYS_OUT);
}

#[test]
fn words_of_other_languages_are_words() {
    attack(&Stage::new(), &WORDS);
}

#[test]
fn links_in_the_project_and_in_results_are_not_followed() {
    let stage = Stage::new();
    let runs = stage.service.get("/server/runs");
    let run = runs["items"][0]["run"].as_str().unwrap();
    for path in ["link.txt", "up/outside.txt", "up", "up/project/assay.yaml"] {
        let answer = stage.ask("GET", &format!("/server/runs/{run}/artifacts/{path}"), &[], b"");
        assert!((400..500).contains(&answer.status), "{path}: {}", answer.text());
    }
    stage.ask("GET", &format!("/server/runs/{run}/artifacts/report.html"), &[], b"").with(200);
    for path in ["tests/link.yaml", "up/outside.txt", "../outside.txt"] {
        let answer = stage.ask("GET", &format!("/server/tests/file?path={path}"), &[], b"");
        assert!((400..500).contains(&answer.status), "{path}: {}", answer.text());
    }
}
