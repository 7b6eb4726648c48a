//! Attacks on every route of the service, as its own description lists them: nobody has to remember a new one here.
//!
//! Every answer is looked at in the same way: it refuses in the form of a problem, never breaks, shows no secret, no file
//! of outside and no markup, and its headers are its own.

mod bodies;
mod doors;
mod paths;
mod wire;

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use assay_server::{Limits, Role, ServeOptions};
use serde_json::{Value, json};

use crate::client::Answer;
use crate::context::{Home, PASSWORD, Running};

/// What no answer may hold, wherever it is kept.
const SECRETS: [&str; 6] = [
    "sk-key-of-a-model-0123456789",
    "secret-of-an-incoming-webhook",
    "secret-of-an-outgoing-webhook",
    "OUTSIDE-THE-PROJECT",
    "root:x:0:0",
    PASSWORD,
];

/// Markup that comes back as markup would run.
const MARKUP: &str = "<script>alert(1)</script>";

/// A route, as it is described.
struct Route {
    method: String,
    path: String,
    /// Names of its parameters in the query.
    query: Vec<String>,
    /// Names in its body; none if it takes no body.
    body: Option<Vec<String>>,
    role: Option<Role>,
}

impl Route {
    /// Its path with each part filled in by the same text.
    fn filled(&self, part: &str) -> String {
        let mut out = String::new();
        for (at, piece) in self.path.split('{').enumerate() {
            match piece.split_once('}') {
                Some((_, rest)) if at > 0 => out.push_str(&format!("{part}{rest}")),
                _ => out.push_str(piece),
            }
        }
        out
    }

    fn has_parts(&self) -> bool {
        self.path.contains('{')
    }

    fn writes(&self) -> bool {
        self.method != "GET"
    }
}

/// A service with secrets in every place that has some.
struct Stage {
    service: Running,
    routes: Vec<Route>,
    /// The tokens of the three roles, and theirs are secrets as well.
    tokens: Vec<(Role, String)>,
    home: Home,
}

impl Stage {
    fn new() -> Stage {
        let home = Home::new();
        std::fs::write(home.0.join("outside.txt"), SECRETS[3]).unwrap();
        std::os::unix::fs::symlink("../../outside.txt", home.project().join("tests/link.yaml")).unwrap();
        std::os::unix::fs::symlink("..", home.project().join("up")).unwrap();
        let test = "test: Secret\nsteps:\n- Enter \"${PASSWORD}\" into \"Password\"\nexpected:\n- The page shows \"Welcome\"\n";
        home.write("tests/secret.yaml", test);
        let tokens: Vec<(Role, String)> = Role::ALL
            .into_iter()
            .map(|role| (role, home.tokens().create(role.name(), role).unwrap().secret))
            .collect();
        let limits = Limits {
            requests_a_second: 1e6,
            requests_at_once: 1e6,
            reading: Duration::from_millis(1500),
            ..Limits::default()
        };
        let service = Running::with(&home, ServeOptions { limits, ..ServeOptions::default() });
        let post = |path: &str, body: Value, status: u16| {
            service.post(path, &body.to_string()).with(status);
        };
        post("/server/agent/api-key", json!({ "api_key": SECRETS[0] }), 200);
        post(
            "/server/webhooks/incoming",
            json!({ "name": "in", "secret": SECRETS[1], "source": "generic" }),
            201,
        );
        let out = json!({ "name": "out", "url": "https://example.org/", "secret": SECRETS[2], "tells": ["run.finished"] });
        post("/server/webhooks/outgoing", out, 201);
        let routes = routes_of(&service.get("/openapi.json"));
        let stage = Stage { service, routes, tokens, home };
        stage.a_run_that_is_over();
        stage
    }

    fn a_run_that_is_over(&self) {
        self.service.gate.open(2);
        let run =
            self.service.post("/server/runs", "{}").with(202).json()["run"].as_str().unwrap().to_string();
        self.service.wait_for(&format!("/server/runs/{run}"), |run| run["status"] == "finished");
        let results = self.home.project().join("assay-results/runs").join(run);
        std::os::unix::fs::symlink("../../../../outside.txt", results.join("link.txt")).unwrap();
        std::os::unix::fs::symlink("../../../..", results.join("up")).unwrap();
    }

    fn bearer(&self, role: Role) -> String {
        let token = self.tokens.iter().find(|(known, _)| *known == role).map(|(_, token)| token);
        format!("Bearer {}", token.unwrap())
    }

    /// Asks, and looks at the answer.
    #[track_caller]
    fn ask(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
        let mut head = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n");
        if !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("host")) {
            head.push_str(&format!("Host: {}\r\n", self.service.address));
        }
        for (name, value) in headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        head.push_str(&format!("Content-Length: {}\r\n\r\n", body.len()));
        let sent = [head.as_bytes(), body].concat();
        let said =
            format!("{method} {path} {headers:?} {}", String::from_utf8_lossy(&body[..body.len().min(300)]));
        let answer =
            parse(&exchange(self.service.address, &sent)).unwrap_or_else(|| panic!("no answer to {said}"));
        self.check(&answer, &said);
        answer
    }

    /// With a JSON body, as the user of this machine.
    #[track_caller]
    fn send(&self, route: &Route, path: &str, body: &str) -> Answer {
        let json: &[(&str, &str)] = &[("Content-Type", "application/json")];
        self.ask(&route.method, path, if body.is_empty() { &[] } else { json }, body.as_bytes())
    }

    #[track_caller]
    fn check(&self, answer: &Answer, said: &str) {
        let text = answer.text();
        let head: String = answer.headers.iter().map(|(name, value)| format!("{name}: {value}\n")).collect();
        let tokens = self.tokens.iter().map(|(_, token)| token.as_str());
        for secret in SECRETS.into_iter().chain(tokens) {
            assert!(
                !text.contains(secret) && !head.contains(secret),
                "{said} shows `{secret}`:\n{head}\n{text}"
            );
        }
        assert!(
            !head.to_lowercase().contains("x-injected"),
            "{said} takes headers from the request:\n{head}"
        );
        assert!(!head.to_lowercase().contains("access-control-"), "{said} lets other origins in:\n{head}");
        let kind = answer.header("content-type").unwrap_or_default();
        assert!(
            !kind.starts_with("text/html") || !text.contains(MARKUP),
            "{said} gives markup back:\n{text}"
        );
        if answer.status >= 500 {
            // There is no browser in this test, and that is the truth.
            let is_true = answer.status == 502 && answer.json()["code"] == "browser_missing";
            assert!(is_true, "{said}: {} {text}", answer.status);
        }
        // What is no HTTP is refused before anybody reads it.
        let is_no_http =
            matches!(answer.status, 414 | 431) || (answer.status == 400 && answer.body.is_empty());
        if !is_no_http {
            assert_eq!(answer.header("x-content-type-options"), Some("nosniff"), "{said}: {head}");
            assert!(answer.header("content-security-policy").is_some(), "{said}: {head}");
            // Files of runs stay with the browser of who asked, which asks again each time.
            let kept = answer.header("cache-control").unwrap_or_default();
            let is_kept = !kept.contains("no-store") && kept != "private, no-cache";
            assert!(!is_kept || said.contains("/console/"), "{said} may be kept: {head}");
            if answer.status >= 400 && !kind.starts_with("text/html") {
                assert_eq!(kind, "application/problem+json", "{said}: {text}");
                assert_eq!(answer.json()["status"], answer.status, "{said}: {text}");
            }
        }
    }

    /// After an attack: everything is there, and nothing else happened.
    #[track_caller]
    fn check_it_lives(&self) {
        assert_eq!(self.service.get("/health")["status"], "ok");
        self.home.coordinator().verify().unwrap();
        assert_eq!(self.service.get("/server/webhooks/incoming")["items"].as_array().unwrap().len(), 1);
        assert_eq!(std::fs::read_to_string(self.home.0.join("outside.txt")).unwrap(), SECRETS[3]);
        for name in ["pwned", "project/pwned"] {
            assert!(!self.home.0.join(name).exists(), "a shell has carried something out");
        }
    }
}

fn routes_of(document: &Value) -> Vec<Route> {
    let mut routes = Vec::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let query = operation["parameters"].as_array().unwrap().iter().filter(|one| one["in"] == "query");
            let description = operation["description"].as_str().unwrap();
            let role = description.strip_prefix("Needs the role `").and_then(|rest| rest.split('`').next());
            let body = operation["requestBody"]["content"]["application/json"]["schema"].as_object();
            routes.push(Route {
                method: method.to_uppercase(),
                path: path.clone(),
                query: query.map(|one| one["name"].as_str().unwrap().to_string()).collect(),
                body: body.map(|schema| properties_of(&Value::Object(schema.clone()), document)),
                role: role.and_then(Role::named),
            });
        }
    }
    assert!(routes.len() > 60, "{}", routes.len());
    routes
}

/// The names of the fields of a schema, wherever they are described.
fn properties_of(schema: &Value, document: &Value) -> Vec<String> {
    if let Some(reference) = schema["$ref"].as_str() {
        return properties_of(document.pointer(reference.trim_start_matches('#')).unwrap(), document);
    }
    let own = schema["properties"].as_object().into_iter().flat_map(|fields| fields.keys().cloned());
    let parts = ["allOf", "anyOf", "oneOf"].into_iter().filter_map(|kind| schema[kind].as_array()).flatten();
    own.chain(parts.flat_map(|part| properties_of(part, document))).collect()
}

/// Sends bytes, and reads until the other end closes or says nothing more.
fn exchange(address: SocketAddr, sent: &[u8]) -> Vec<u8> {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    // A server that refuses early may close before it was sent everything.
    let _refused = stream.write_all(sent);
    let mut answer = Vec::new();
    let _reset = stream.read_to_end(&mut answer);
    answer
}

fn parse(bytes: &[u8]) -> Option<Answer> {
    let end = bytes.windows(4).position(|window| window == b"\r\n\r\n")?;
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let mut lines = head.split("\r\n");
    let status = lines.next()?.split(' ').nth(1)?.parse().ok()?;
    let headers: Vec<(String, String)> = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_string(), value.trim().to_string()))
        .collect();
    let is_chunked = headers.iter().any(|(name, value)| name == "transfer-encoding" && value == "chunked");
    let body = bytes[end + 4..].to_vec();
    Some(Answer { status, headers, body: if is_chunked { joined(&body) } else { body } })
}

fn joined(mut chunked: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    while let Some(end) = chunked.windows(2).position(|window| window == b"\r\n") {
        let size = String::from_utf8_lossy(&chunked[..end]).into_owned();
        let Some(size) = usize::from_str_radix(&size, 16).ok().filter(|size| *size > 0) else { break };
        let Some(part) = chunked.get(end + 2..end + 2 + size) else { break };
        body.extend(part);
        chunked = chunked.get(end + 4 + size..).unwrap_or_default();
    }
    body
}
