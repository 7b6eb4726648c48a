//! What is put into bodies: too much, too deep, twice, of another kind, and words of other languages.

use super::*;

const JSON: (&str, &str) = ("Content-Type", "application/json");

fn writes(stage: &Stage) -> impl Iterator<Item = &Route> {
    stage.routes.iter().filter(|route| route.writes())
}

#[test]
fn bodies_that_are_none_are_refused() {
    let stage = Stage::new();
    let deep = "[".repeat(200_000);
    let deep_objects = "{\"a\":".repeat(100_000);
    let wide =
        format!("{{{}\"z\":1}}", (0..50_000).map(|number| format!("\"k{number}\":1,")).collect::<String>());
    for route in writes(&stage).filter(|route| route.body.is_some()) {
        for body in [
            "{",
            "[]",
            "\"x\"",
            "0",
            "{\"a\":1e999}",
            "{\"a\":NaN}",
            "\u{feff}{}",
            "{}{}",
            "{'a':1}",
            &deep,
            &deep_objects,
            &wide,
        ] {
            let answer = stage.send(route, &route.filled("x"), body);
            assert!(
                (400..500).contains(&answer.status),
                "{} {}: {}",
                route.method,
                route.path,
                answer.text()
            );
        }
        let answer = stage.ask(&route.method, &route.filled("x"), &[JSON], b"{\"a\":\"\xff\xfe\"}");
        assert!((400..500).contains(&answer.status), "{}: {}", route.path, answer.text());
        for name in route.body.iter().flatten() {
            let twice = format!("{{\"{name}\":\"a\",\"{name}\":\"b\"}}");
            let answer = stage.send(route, &route.filled("x"), &twice);
            assert!((400..500).contains(&answer.status), "{} {twice}: {}", route.path, answer.text());
        }
    }
    stage.check_it_lives();
}

#[test]
fn a_form_of_another_page_is_no_request() {
    let stage = Stage::new();
    for route in writes(&stage).filter(|route| route.body.is_some()) {
        // What a page may send without asking first.
        for kind in [
            "text/plain",
            "application/x-www-form-urlencoded",
            "multipart/form-data; boundary=x",
            "text/plain; application/json",
            "application/jsonp",
            "application/xml",
            "",
        ] {
            let answer = stage.ask(&route.method, &route.filled("x"), &[("Content-Type", kind)], b"{}");
            let is_refused = matches!(answer.status, 401 | 404 | 415 | 422);
            assert!(
                is_refused,
                "{} {} `{kind}`: {} {}",
                route.method,
                route.path,
                answer.status,
                answer.text()
            );
            let site = [("Content-Type", kind), ("Sec-Fetch-Site", "cross-site")];
            stage.ask(&route.method, &route.filled("x"), &site, b"{}").with(403);
        }
    }
    assert_eq!(stage.service.get("/server/runs")["items"].as_array().unwrap().len(), 1);
    stage.check_it_lives();
}

#[test]
fn words_of_other_languages_are_words_in_bodies_too() {
    let stage = Stage::new();
    let payloads = [
        "../../outside.txt",
        "/etc/passwd",
        "tests/link.yaml",
        "'; DROP TABLE run; --",
        "$(touch pwned)",
        "`touch pwned`",
        "--help",
        "-rf",
        MARKUP,
        "a\r\nX-Injected: 1\r\n\r\n",
        "\0",
        "\u{1b}[2J",
        "${PASSWORD}",
        "http://169.254.169.254/latest/meta-data",
        "file:///etc/passwd",
    ];
    for route in writes(&stage) {
        for payload in payloads {
            for (number, name) in route.body.iter().flatten().enumerate() {
                let value = if number % 2 == 0 { json!(payload) } else { json!([payload]) };
                stage.send(route, &route.filled("login"), &json!({ name: value }).to_string());
            }
        }
        let all: serde_json::Map<String, Value> =
            route.body.iter().flatten().map(|name| (name.clone(), json!({ MARKUP: payloads[3] }))).collect();
        stage.send(route, &route.filled("login"), &Value::Object(all).to_string());
    }
    // What was accepted may be asked for now.
    for route in stage.routes.iter().filter(|route| !route.writes() && !route.has_parts()) {
        stage.send(route, &route.path, "");
    }
    stage.check_it_lives();
}

#[test]
fn a_body_has_an_end() {
    let stage = Stage::new();
    let huge = vec![b'x'; 5 * 1024 * 1024];
    for route in writes(&stage) {
        let answer = stage.ask(&route.method, &route.filled("x"), &[JSON], &huge);
        assert_eq!(answer.status, 413, "{} {}: {}", route.method, route.path, answer.text());
    }
    // Without saying so before.
    let address = stage.service.address;
    let head = format!(
        "POST /server/runs HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nContent-Type: application/json\r\n\
         Transfer-Encoding: chunked\r\n\r\n"
    );
    let chunk = [format!("{:x}\r\n", huge.len()).as_bytes(), &huge, b"\r\n"].concat();
    let sent = [head.as_bytes(), &chunk, b"0\r\n\r\n"].concat();
    let answer = parse(&exchange(address, &sent)).unwrap();
    stage.check(&answer, "a long chunk");
    assert_eq!(answer.status, 413);
}

#[test]
fn whoever_sends_nothing_more_is_not_waited_for() {
    let stage = Stage::new();
    let address = stage.service.address;
    // A body that does not come, and headers that do not.
    let head = format!("POST /server/runs HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\n");
    let answer =
        parse(&exchange(address, format!("{head}Content-Length: 100\r\n\r\n{{").as_bytes())).unwrap();
    assert_eq!(answer.status, 408);
    stage.check(&answer, "a slow body");
    let said = exchange(address, head.as_bytes());
    assert!(parse(&said).is_none_or(|answer| answer.status == 408), "{}", String::from_utf8_lossy(&said));
    stage.check_it_lives();
}
