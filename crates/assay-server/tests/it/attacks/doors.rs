//! Who is at the door: hosts, origins, tokens, roles, cookies and methods.

use assay_server::Role;

use super::*;

#[test]
fn no_name_that_somebody_else_owns_and_no_page_of_somebody_else_reaches_a_route() {
    let stage = Stage::new();
    let others = ["/", "/console/", "/console/main.js", "/sign-in", "/nowhere", "/shown/x/report.html"];
    let asked = stage.routes.iter().map(|route| (route.method.as_str(), route.filled("x")));
    let asked: Vec<(&str, String)> = asked.chain(others.map(|path| ("GET", path.to_string()))).collect();
    for (method, path) in &asked {
        for host in [
            "evil.example",
            "127.0.0.1.nip.io",
            "localhost.evil.example:80",
            "evil.example:7357",
            "localhost@evil.example",
            "localhost%00.evil.example",
            "127.1",
            "2130706433",
            "0.0.0.0",
            "[::ffff:7f00:1]",
            "localhost:80:90",
            "",
        ] {
            let answer = stage.ask(method, path, &[("Host", host)], b"");
            assert!(matches!(answer.status, 400 | 403), "{method} {path} as {host}: {}", answer.status);
        }
        for origin in [
            "null",
            "http://evil.example",
            "http://localhost:3000",
            "https://127.0.0.1.nip.io",
            "file://",
            "http://localhost.evil.example",
            "chrome-extension://abcdef",
            "http://[::1",
        ] {
            // The address of a shown report is its key, and a report may be framed.
            if path.starts_with("/shown/") {
                continue;
            }
            let answer = stage.ask(method, path, &[("Origin", origin)], b"");
            assert_eq!(answer.status, 403, "{method} {path} from {origin}");
        }
    }
    assert_eq!(stage.service.get("/server/runs")["items"].as_array().unwrap().len(), 1);
    stage.check_it_lives();
}

#[test]
fn without_a_token_nothing_answers_those_who_are_spoken_for() {
    let stage = Stage::new();
    for route in &stage.routes {
        for headers in [
            vec![("X-Forwarded-For", "127.0.0.1")],
            vec![("X-Forwarded-For", "10.0.0.9"), ("Authorization", "Bearer assay_1_2")],
            vec![("Via", "1.1 proxy"), ("Authorization", "Basic YWRtaW46YWRtaW4=")],
            vec![("Forwarded", "for=127.0.0.1"), ("Cookie", "assay-session=1; session=admin")],
            vec![("X-Real-IP", "127.0.0.1"), ("Authorization", "Bearer ")],
        ] {
            let answer = stage.ask(&route.method, &route.filled("x"), &headers, b"");
            // Whoever guesses too often waits.
            assert!(matches!(answer.status, 401 | 429), "{} {}: {}", route.method, route.path, answer.status);
        }
    }
}

#[test]
fn each_role_is_refused_what_it_may_not() {
    let stage = Stage::new();
    let mut refused = 0;
    for route in &stage.routes {
        let Some(needed) = route.role else { continue };
        for role in Role::ALL {
            let bearer = stage.bearer(role);
            let headers = [("Authorization", bearer.as_str()), ("Content-Type", "application/json")];
            // Nothing that a route would carry out.
            let answer = stage.ask(&route.method, &route.filled("x"), &headers, b"[]");
            let is_refused = answer.status == 403 && answer.json()["code"] == "forbidden";
            assert_eq!(
                is_refused,
                role < needed,
                "{} {} as {}: {}",
                route.method,
                route.path,
                role.name(),
                answer.text()
            );
            refused += usize::from(is_refused);
        }
    }
    assert!(refused > 30, "{refused}");
    stage.check_it_lives();
}

#[test]
fn cookies_of_other_programs_open_nothing() {
    let stage = Stage::new();
    // Whatever our cookie is called, nobody guesses its value; cookies of other ports come along with it.
    for cookie in ["assay=1", "session=admin; assay_session=x", "a=\"; x-injected: 1", &"x=y; ".repeat(500)] {
        let headers = [("Cookie", cookie), ("X-Forwarded-For", "10.0.0.9")];
        assert!(matches!(stage.ask("GET", "/server/runs", &headers, b"").status, 401 | 429), "{cookie}");
    }
    // Where the program itself is let in, a cookie changes nothing.
    stage.ask("GET", "/server/runs", &[("Cookie", "session=admin")], b"").with(200);
}

#[test]
fn methods_are_those_of_the_request_line() {
    let stage = Stage::new();
    let schedule = json!({ "name": "nightly", "cron": "0 3 * * *", "work": { "run": {} } }).to_string();
    stage.service.post("/server/schedules", &schedule).with(201);
    let path = "/server/schedules/nightly";
    for name in ["X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override"] {
        stage.ask("GET", path, &[(name, "DELETE")], b"").with(200);
        let with_query = format!("{path}?_method=DELETE");
        let _refused = stage.ask("GET", &with_query, &[(name, "DELETE")], b"");
        stage.ask("GET", path, &[], b"").with(200);
    }
    for route in &stage.routes {
        for method in ["OPTIONS", "TRACE", "PATCH", "PROPFIND", "DEBUG", "get", "GETT"] {
            let preflight = [("Origin", "http://evil.example"), ("Access-Control-Request-Method", "POST")];
            let answer = stage.ask(method, &route.filled("x"), &preflight, b"");
            assert!(matches!(answer.status, 400 | 403), "{method} {}: {}", route.path, answer.status);
            let answer = stage.ask(method, &route.filled("x"), &[("X-Echo", MARKUP)], b"");
            assert!((400..500).contains(&answer.status), "{method} {}: {}", route.path, answer.status);
            assert!(!answer.text().contains(MARKUP), "{method} gives the request back");
        }
    }
    stage.check_it_lives();
}
