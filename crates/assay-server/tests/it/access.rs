//! Who is let in, and who is not.

use std::net::{Ipv4Addr, SocketAddr, UdpSocket};

use assay_server::{Limits, Role, ServeOptions};

use crate::client::ask;
use crate::context::{Home, Running};

/// An address of this machine that is not loopback, if it has one. Nothing is sent.
fn outer_address() -> Option<std::net::IpAddr> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9)).ok()?;
    let address = socket.local_addr().ok()?.ip();
    (!address.is_loopback() && !address.is_unspecified()).then_some(address)
}

#[test]
fn the_user_of_this_machine_needs_no_token() {
    let home = Home::new();
    let service = Running::start(&home);
    assert_eq!(service.get("/health")["status"], "ok");
    assert_eq!(service.get("/ready")["ready"], true);
    let answer = service.ask("GET", "/server/runs", &[], "").with(200);
    assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
    assert_eq!(answer.header("x-frame-options"), Some("DENY"));
    assert!(answer.header("content-security-policy").unwrap().starts_with("default-src 'none'"));
    assert_eq!(answer.header("cache-control"), Some("no-store"));
}

#[test]
fn a_foreign_host_or_origin_gets_only_refusals_from_every_route() {
    let home = Home::new();
    let service = Running::start(&home);
    let own = format!("http://{}", service.address);
    let document = service.get("/openapi.json");
    let mut asked = 0;
    for (path, methods) in document["paths"].as_object().unwrap() {
        for method in methods.as_object().unwrap().keys() {
            let method = method.to_uppercase();
            let path = path.replace(['{', '}'], "");
            for headers in [
                vec![("Host", "evil.example")],
                vec![("Host", "localhost.evil.example:80")],
                vec![("Origin", "http://evil.example")],
                vec![("Origin", "null")],
                vec![("Origin", "http://localhost:3000")],
                vec![("Sec-Fetch-Site", "cross-site")],
                vec![("Host", "127.0.0.1"), ("Host", "evil.example")],
            ] {
                let answer = service.ask(&method, &path, &headers, "");
                assert!(matches!(answer.status, 400 | 403), "{method} {path} {headers:?}: {}", answer.status);
                asked += 1;
            }
        }
    }
    assert!(asked > 200, "{asked}");
    service.ask("GET", "/health", &[("Origin", &own)], "").with(200);
    assert_eq!(service.get("/server/audit")["items"].as_array().unwrap().len(), 0, "nothing reached a route");
}

#[test]
fn whoever_speaks_for_others_needs_a_token() {
    let home = Home::new();
    let service = Running::start(&home);
    for header in ["X-Forwarded-For", "Forwarded", "Via", "X-Real-IP"] {
        let answer = service.ask("GET", "/health", &[(header, "10.0.0.1")], "").with(401);
        assert_eq!(answer.header("www-authenticate"), Some("Bearer"));
        assert_eq!(answer.header("content-type"), Some("application/problem+json"));
        assert_eq!(answer.json()["code"], "unauthorized");
    }
}

#[test]
fn from_another_address_nothing_answers_without_a_token() {
    let Some(outer) = outer_address() else { return };
    let home = Home::new();
    let options = ServeOptions { address: SocketAddr::new(outer, 0), ..ServeOptions::default() };
    let service = Running::with(&home, options);
    assert!(!service.address.ip().is_loopback());
    for path in ["/health", "/ready", "/metrics", "/openapi.json", "/", "/server/runs", "/nowhere"] {
        service.ask("GET", path, &[], "").with(401);
    }
    service.post("/server/runs", "{}").with(401);
    let token = home.tokens().create("ci", Role::Run).unwrap().secret;
    let bearer = format!("Bearer {token}");
    service.ask("GET", "/health", &[("Authorization", &bearer)], "").with(200);
    home.tokens().revoke("ci").unwrap();
    service.ask("GET", "/health", &[("Authorization", &bearer)], "").with(401);
}

#[test]
fn a_role_may_do_what_it_may_and_nothing_else() {
    let home = Home::new();
    let service = Running::start(&home);
    let bearer = |role: Role| format!("Bearer {}", home.tokens().create(role.name(), role).unwrap().secret);
    let (read, run, admin) = (bearer(Role::Read), bearer(Role::Run), bearer(Role::Admin));
    let ask = |method: &str, path: &str, bearer: &str, body: &str| {
        service.ask(method, path, &[("Authorization", bearer)], body).status
    };
    assert_eq!(ask("GET", "/server/runs", &read, ""), 200);
    assert_eq!(ask("POST", "/server/runs", &read, "{}"), 403);
    assert_eq!(ask("POST", "/server/runs", &run, "{}"), 202);
    assert_eq!(ask("GET", "/server/audit", &run, ""), 403);
    assert_eq!(ask("GET", "/server/audit", &admin, ""), 200);
    let key = r#"{"api_key": "sk-1"}"#;
    assert_eq!(ask("POST", "/server/agent/api-key", &run, key), 403);
    assert_eq!(ask("POST", "/server/agent/api-key", &admin, key), 200);
    let consent = r#"{"arguments": {"arguments": "eval 1"}, "consent": "yes"}"#;
    assert_eq!(ask("POST", "/server/tools/assay", &run, consent), 403);
    assert_eq!(ask("POST", "/server/tools/click", &read, "{}"), 403);
}

#[test]
fn whoever_guesses_waits() {
    let home = Home::new();
    let service = Running::start(&home);
    let guess = || service.ask("GET", "/health", &[("Authorization", "Bearer assay_1_2")], "").status;
    let statuses: Vec<u16> = (0..25).map(|_| guess()).collect();
    assert_eq!(statuses[0], 401);
    assert_eq!(statuses.last(), Some(&429), "{statuses:?}");
}

#[test]
fn a_caller_has_a_rate_and_a_body_has_a_limit() {
    let home = Home::new();
    let limits = Limits { body: 1000, requests_a_second: 0.001, requests_at_once: 5.0, ..Limits::default() };
    let service = Running::with(&home, ServeOptions { limits, ..ServeOptions::default() });
    let long = format!(r#"{{"grep": "{}"}}"#, "x".repeat(2000));
    service.post("/server/runs", &long).with(413);
    for _ in 0..4 {
        service.ask("GET", "/health", &[], "").with(200);
    }
    let answer = service.ask("GET", "/health", &[], "").with(429);
    assert!(answer.header("retry-after").is_some());
    assert_eq!(answer.json()["code"], "rate_limited");
}

#[test]
fn what_is_not_there_and_what_is_no_request_is_a_problem() {
    let home = Home::new();
    let service = Running::start(&home);
    for (method, path, body, status) in [
        ("GET", "/nowhere", "", 404),
        ("GET", "/server/runs/../../etc/passwd", "", 404),
        ("PUT", "/server/runs", "", 405),
        ("GET", "/server/runs?limit=x", "", 400),
        ("GET", "/server/runs?unknown=1", "", 400),
        ("GET", "/server/runs/999", "", 404),
        ("POST", "/server/runs", "{", 400),
        ("POST", "/server/runs", r#"{"trust": true}"#, 400),
        ("POST", "/server/runs", r#"{"paths": ["nowhere"]}"#, 422),
        ("GET", "/server/runs/%ff", "", 400),
    ] {
        let answer = service.ask(method, path, &[], body);
        assert_eq!(answer.status, status, "{method} {path}: {}", answer.text());
        assert_eq!(answer.header("content-type"), Some("application/problem+json"), "{path}");
        assert_eq!(answer.json()["status"], status, "{path}");
    }
    let plain = [("Content-Type", "text/plain")];
    service.ask("POST", "/server/runs", &plain, "{}").with(415);
}

#[test]
fn one_project_has_one_service() {
    let home = Home::new();
    let service = Running::start(&home);
    let second = Running::try_with(&home, ServeOptions::default());
    assert!(second.is_err());
    service.stop();
    Running::start(&home);
}

#[test]
fn a_stopped_service_answers_nobody() {
    let home = Home::new();
    let service = Running::start(&home);
    let address = service.address;
    service.stop();
    let asked = std::panic::catch_unwind(|| ask(address, "GET", "/health", &[], ""));
    assert!(asked.is_err());
}
