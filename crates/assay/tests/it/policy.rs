//! What the policy of a test holds back, with real browsers: nothing reaches a server that it does not allow.

use std::collections::BTreeSet;
use std::net::UdpSocket;
use std::sync::{Arc, Mutex};

use assay_testkit::{Request, Response, Server};
use serde_json::Value;

use crate::context::{Context, Said};

const ALL_ENGINES: &str = "browser: [chromium, firefox, webkit]\n";
const HOME_ONLY: &str = "policy:\n  allowed_domains: [127.0.0.1]\n";
const REFUSED: &str = "`localhost` may not be opened: the policy allows 127.0.0.1";

/// A server that nobody may reach, by the name `localhost`, with all that reached it nevertheless.
struct Elsewhere {
    server: Server,
    reached: Arc<Mutex<BTreeSet<String>>>,
    /// What comes by UDP to the same port.
    datagrams: UdpSocket,
}

impl Elsewhere {
    fn start() -> Elsewhere {
        let reached: Arc<Mutex<BTreeSet<String>>> = Arc::default();
        let seen = Arc::clone(&reached);
        let server = Server::start(move |request| {
            seen.lock().unwrap().insert(request.path.clone());
            Response::text("/* reached */").header("Access-Control-Allow-Origin", "*")
        });
        let datagrams = UdpSocket::bind(("127.0.0.1", server.port())).unwrap();
        datagrams.set_nonblocking(true).unwrap();
        Elsewhere { server, reached, datagrams }
    }

    fn origin(&self) -> String {
        format!("http://localhost:{}", self.server.port())
    }

    fn reached(&self) -> BTreeSet<String> {
        let mut reached = self.reached.lock().unwrap().clone();
        if self.datagrams.recv(&mut [0; 2048]).is_ok() {
            reached.insert("a datagram".to_string());
        }
        reached
    }
}

/// A site whose pages want to reach `elsewhere` in every way there is.
fn site(elsewhere: &str) -> Server {
    let elsewhere = elsewhere.to_string();
    Server::start(move |request: &Request| {
        let filled = |text: &str| text.replace("ELSEWHERE", &elsewhere);
        let script = |text: &str| Response::bytes("text/javascript", filled(text));
        match request.path.as_str() {
            "/" => Response::html(filled(GREEDY)),
            "/ways" => Response::html(filled(WAYS)),
            "/redirect" => Response::redirect(&filled("ELSEWHERE/redirected")),
            "/shared.js" => script(
                "onconnect = (event) => fetch('ELSEWHERE/shared').catch(() => 0).then(() => event.ports[0].postMessage('shared'))",
            ),
            "/service.js" => {
                script("oninstall = (event) => event.waitUntil(fetch('ELSEWHERE/service').catch(() => 0))")
            }
            _ => Response::status(404),
        }
    })
}

/// Tries everything as it loads, and says so when all that can be waited for has come to something.
const GREEDY: &str = r#"<!doctype html><title>Greedy</title><h1>Greedy</h1>
<link rel=stylesheet href="ELSEWHERE/style"><link rel=preconnect href="ELSEWHERE"><link rel=preload as=image href="ELSEWHERE/preload">
<img src="ELSEWHERE/image"><iframe src="ELSEWHERE/frame"></iframe><iframe src="/redirect"></iframe><video src="ELSEWHERE/video"></video>
<script src="ELSEWHERE/script"></script>
<button id=check>Check</button><p id=out></p>
<script>
  const waited = new Set(['fetch', 'socket', 'worker', 'shared', 'service']);
  let tried = false;
  const over = (name) => { waited.delete(name); tried = waited.size === 0; };
  check.onclick = () => { const look = () => tried ? out.textContent = 'All was tried' : setTimeout(look, 50); look(); };
  fetch('ELSEWHERE/fetch').catch(() => 0).then(() => over('fetch'));
  navigator.sendBeacon('ELSEWHERE/beacon', 'x');
  new EventSource('ELSEWHERE/stream');
  const socket = new WebSocket('ELSEWHERE/socket'.replace('http', 'ws'));
  socket.onerror = socket.onopen = () => over('socket');
  const code = "fetch('ELSEWHERE/worker').catch(() => 0).then(() => postMessage(0)); importScripts('ELSEWHERE/import')";
  new Worker(URL.createObjectURL(new Blob([code]))).onmessage = () => over('worker');
  new SharedWorker('/shared.js').port.onmessage = () => over('shared');
  navigator.serviceWorker.register('/service.js').then(() => navigator.serviceWorker.ready).then(() => over('service'));
  if (window.RTCPeerConnection) {
    const call = new RTCPeerConnection({ iceServers: [{ urls: 'stun:' + 'ELSEWHERE'.replace('http://', '') }] });
    call.createDataChannel('x');
    call.createOffer().then((offer) => call.setLocalDescription(offer));
  }
</script>"#;

/// Ways for a user to leave.
const WAYS: &str = r#"<!doctype html><title>Ways</title><h1>Ways</h1>
<a href="ELSEWHERE/link">Leave</a> <a href="/redirect">Be led away</a> <a target=_blank href="ELSEWHERE/popup">Open beside</a>
<a download href="ELSEWHERE/file">Download</a> <form method=post action="ELSEWHERE/form"><button>Send</button></form>"#;

/// Runs the tests of these files and gives back what was said, and the report.
fn run(context: &Context, files: &[(&str, String)], options: &[&str]) -> (Said, Value) {
    for (name, text) in files {
        std::fs::write(context.folder().join(format!("{name}.yaml")), text).unwrap();
    }
    let names: Vec<String> = files.iter().map(|(name, _)| format!("{name}.yaml")).collect();
    let arguments: Vec<&str> =
        ["run"].into_iter().chain(options.iter().copied()).chain(names.iter().map(String::as_str)).collect();
    let said = context.run(&arguments);
    let report = std::fs::read_to_string(context.folder().join("assay-results/report.json"));
    let report = report.unwrap_or_else(|err| panic!("{err}: {said:?}"));
    (said, serde_json::from_str(&report).unwrap())
}

fn tests(report: &Value) -> &[Value] {
    report["tests"].as_array().unwrap()
}

fn greedy(head: &str, site: &Server) -> String {
    format!(
        "test: Greedy\n{head}steps:\n  - Open {}\n  - Click the \"Check\" button\nexpected:\n  - The text \"All was tried\" is shown\n",
        site.url("/")
    )
}

#[test]
fn nothing_that_a_page_asks_for_reaches_another_domain() {
    let (context, elsewhere) = (Context::new(), Elsewhere::start());
    let site = site(&elsewhere.origin());
    let test = greedy(&format!("{ALL_ENGINES}{HOME_ONLY}"), &site);
    let (said, report) = run(&context, &[("greedy", test)], &[]);
    assert_eq!(said.code, 0, "{}", said.out);
    assert_eq!(elsewhere.reached(), BTreeSet::new());
    for test in tests(&report) {
        let blocked = &test["blocked"][0];
        assert_eq!(blocked["host"], "localhost", "{test:#}");
        assert!(blocked["requests"].as_u64().unwrap() >= 14, "{}", test["blocked"]);
        assert_eq!(test["blocked"].as_array().unwrap().len(), 1, "{}", test["blocked"]);
        let opened = test["steps"][0]["commands"][0]["outcome"].as_str().unwrap();
        assert!(opened.contains("requests to localhost by policy"), "{opened}");
        assert!(test["steps"][0]["commands"][0]["failed_requests"].is_null(), "{test:#}");
    }
    assert!(said.out.contains("  blocked: "), "{}", said.out);
    let html = std::fs::read_to_string(context.folder().join("assay-results/report.html")).unwrap();
    assert!(html.contains("requests to localhost by policy"));
}

/// By which it is known that the test above tries what it says.
#[test]
fn without_a_policy_all_of_it_is_reached() {
    for engine in ["chromium", "firefox", "webkit"] {
        let (context, elsewhere) = (Context::new(), Elsewhere::start());
        let site = site(&elsewhere.origin());
        let (said, report) =
            run(&context, &[("greedy", greedy(&format!("browser: {engine}\n"), &site))], &[]);
        assert_eq!(said.code, 0, "{}", said.out);
        assert!(tests(&report)[0]["blocked"].is_null());
        let reached = elsewhere.reached();
        let tried = [
            "/style", "/image", "/frame", "/video", "/script", "/fetch", "/beacon", "/stream", "/socket",
            "/worker", "/import", "/shared", "/service",
        ];
        for path in tried {
            assert!(reached.contains(path), "{engine} did not reach {path}: {reached:?}");
        }
    }
}

#[test]
fn an_act_that_leads_to_another_domain_fails() {
    let (context, elsewhere) = (Context::new(), Elsewhere::start());
    let site = site(&elsewhere.origin());
    let ways = [
        ("link", "Click the \"Leave\" link"),
        ("redirect", "Click the \"Be led away\" link"),
        ("popup", "Click the \"Open beside\" link"),
        ("download", "Click the \"Download\" link"),
        ("form", "Click the \"Send\" button"),
    ];
    let mut files: Vec<(&str, String)> = ways
        .iter()
        .map(|(name, step)| {
            let steps = format!("steps:\n  - Open {}\n  - {step}\n", site.url("/ways"));
            (*name, format!("test: {name}\n{ALL_ENGINES}{HOME_ONLY}{steps}"))
        })
        .collect();
    let opened =
        format!("test: opened\n{ALL_ENGINES}{HOME_ONLY}steps:\n  - Open {}\n", site.url("/redirect"));
    files.push(("opened", opened));
    let (said, report) = run(&context, &files, &[]);
    assert_eq!(said.code, 1, "{}", said.out);
    assert_eq!(elsewhere.reached(), BTreeSet::new());
    for test in tests(&report) {
        assert_eq!(test["reason"], REFUSED, "{}: {}", test["id"], said.out);
        let last = test["steps"].as_array().unwrap().last().unwrap();
        assert_eq!(
            last["commands"].as_array().unwrap().last().unwrap()["code"],
            "blocked_by_policy",
            "{last:#}"
        );
    }
}

#[test]
fn each_test_is_held_to_its_own_policy() {
    let (context, elsewhere) = (Context::new(), Elsewhere::start());
    let site = site(&elsewhere.origin());
    let leaving = |name: &str, policy: &str| {
        let steps = format!("steps:\n  - Open {}\n  - Click the \"Leave\" link\n", site.url("/ways"));
        format!("test: {name}\n{policy}{steps}expected:\n  - The text \"reached\" is shown\n")
    };
    let files = [
        ("a_held", leaving("held", HOME_ONLY)),
        ("b_free", leaving("free", "")),
        ("c_held", leaving("held again", HOME_ONLY)),
        ("d_held", leaving("and again", HOME_ONLY)),
        ("e_blocked", leaving("blocked", "policy:\n  blocked_domains: [localhost]\n")),
        ("f_wide", leaving("wide", "policy:\n  allowed_domains: [127.0.0.1, localhost]\n")),
    ];
    let (said, report) = run(&context, &files, &["--workers", "1"]);
    let statuses: Vec<&str> = tests(&report).iter().map(|test| test["status"].as_str().unwrap()).collect();
    assert_eq!(statuses, ["failed", "passed", "failed", "failed", "failed", "passed"], "{}", said.out);
}

#[test]
fn keys_and_the_clipboard_are_held_to_the_policy() {
    let context = Context::new();
    let pressing = |policy: &str, key: &str| {
        format!(
            "test: {key}\npolicy: {policy}\nsteps:\n  - Open {}\n  - Press {key}\n",
            context.url("/keyboard")
        )
    };
    let files = [
        ("a", pressing("{blocked_keys: [Ctrl+K, F2]}", "Ctrl+k")),
        ("b", pressing("{clipboard: none}", "Ctrl+v")),
        ("c", pressing("{clipboard: read}", "Ctrl+v")),
        ("d", pressing("{clipboard: read}", "Ctrl+c")),
    ];
    let (said, report) = run(&context, &files, &[]);
    let reasons: Vec<&str> = tests(&report).iter().map(|test| test["reason"].as_str().unwrap()).collect();
    let expected = [
        "may not be pressed: the policy blocks it",
        "may not be pressed: it reads the clipboard",
        "",
        "may not be pressed: it writes to the clipboard",
    ];
    for (reason, expected) in reasons.iter().zip(expected) {
        assert!(reason.ends_with(expected) && reason.is_empty() == expected.is_empty(), "{}", said.out);
    }
    let (said, _) = run(&context, &[("a", pressing("{blocked_keys: [Hyper+x]}", "Tab"))], &[]);
    assert!(said.out.contains("expected a key in `policy`, found `Hyper+x`"), "{}", said.out);
}

#[test]
fn the_page_that_talks_to_models_is_a_shop_to_everybody_else() {
    let context = Context::new();
    let head = format!("{ALL_ENGINES}{HOME_ONLY}steps:\n  - Open {}\n", context.url("/injection"));
    let buying = format!(
        "test: Find rope\n{head}  - Enter \"rope\" into the \"Search the shop\" field\n  - Click the \"Search\" button\n  \
         - Click the \"Hemp rope\" link\nexpected:\n  - The heading \"Hemp rope\" is shown\n  \
         - The text \"24 crowns\" is shown\n"
    );
    let leaving = format!("test: Leave\n{head}  - Click the \"Go on at our partner\" link\n");
    let (said, report) = run(&context, &[("rope", buying), ("leave", leaving)], &[]);
    for test in tests(&report) {
        let (status, reason) = match test["title"].as_str() {
            Some("Leave") => ("failed", REFUSED),
            _ => ("passed", ""),
        };
        assert_eq!(
            (&test["status"], &test["reason"]),
            (&Value::from(status), &Value::from(reason)),
            "{}",
            said.out
        );
    }
    assert_eq!(tests(&report).len(), 6);
}
