//! Socket.IO, as its own clients speak it.

use std::time::Duration;

use assay_protocol::{RunEvent, RunFact};
use assay_server::{Limits, Role, ServeOptions};
use serde_json::{Value, json};

use crate::client::ask;
use crate::context::{Home, Running};
use crate::socket_client::{Language, SocketClient, Way, every_client};

const OPEN: &str = "/socket.io/?EIO=4&transport=polling";

fn begun(service: &Running) -> String {
    let order = service.post("/server/runs", "{}").with(202).json();
    let run = order["run"].as_str().unwrap().to_string();
    service.gate.open(1);
    service.wait_for(&format!("/server/runs/{run}"), |run| run["status"] == "running");
    run
}

fn session(service: &Running) -> i64 {
    let session = service.post("/server/agent/sessions", "{}").with(201).json();
    session["session_id"].as_i64().unwrap()
}

fn event_names(client: &mut SocketClient, count: usize) -> Vec<(u64, String)> {
    (0..count)
        .map(|_| {
            let said = client.event("run_event");
            (said["number"].as_u64().unwrap(), said["event"]["event"].as_str().unwrap().to_string())
        })
        .collect()
}

#[test]
fn a_run_is_followed_to_its_end_by_every_client() {
    let home = Home::new();
    let service = Running::start(&home);
    for client in every_client() {
        let run = begun(&service);
        let mut socket = SocketClient::connect(&service, client, &["/runs"], json!({}));
        assert_eq!(socket.event("connected"), json!({"status": "ok"}), "{client:?}");
        let name = if client.1 == Way::Polling { "polling" } else { "websocket" };
        assert_eq!(socket.heard("transport")["name"], name, "{client:?}");
        assert_eq!(
            socket.ask("/runs", "join_run", json!({"run": run})),
            json!({"accepted": true, "run": run})
        );
        assert_eq!(socket.event("joined")["run"], run.as_str());
        service.gate.open(1);
        let mut events = event_names(&mut socket, 3);
        if client.0 == Language::Python {
            events.sort();
        }
        let kinds: Vec<String> = events.into_iter().map(|(_, kind)| kind).collect();
        assert_eq!(kinds, ["run-started", "test-finished", "run-finished"], "{client:?}");
        let line = socket.event("console_line");
        assert_eq!(
            (&line["kind"], &line["text"], &line["test"]),
            (&json!("good"), &json!("passed"), &json!("login"))
        );
        assert_eq!(socket.event("run_end"), json!({"run": run}));
    }
}

/// Writes events of a run, as the process that carries it out does.
fn record(home: &Home, run: &str, numbers: std::ops::Range<usize>) {
    let coordinator = home.coordinator();
    let task = coordinator.run_named(run).unwrap().task;
    for number in numbers {
        let note = RunFact::Note { test: "login".to_string(), step: None, text: number.to_string() };
        coordinator.record(task, &RunEvent { at: 1, what: note }).unwrap();
    }
}

/// So many notes with their numbers, each of which comes once. The client in Python hands every event to a thread of its
/// own, so only the other one keeps their order.
fn notes(client: &mut SocketClient, language: Language, count: usize) -> (u64, Vec<usize>) {
    let mut notes: Vec<(u64, usize)> = (0..count)
        .map(|_| {
            let is_note =
                |line: &Value| line["name"] == "run_event" && line["data"][0]["event"]["event"] == "note";
            let said = client.wait_for("a note", is_note)["data"][0].clone();
            (said["number"].as_u64().unwrap(), said["event"]["text"].as_str().unwrap().parse().unwrap())
        })
        .collect();
    if language == Language::Python {
        notes.sort_unstable();
    }
    assert!(notes.windows(2).all(|pair| pair[0].0 < pair[1].0), "numbers grow: {notes:?}");
    (notes.last().unwrap().0, notes.into_iter().map(|(_, note)| note).collect())
}

#[test]
fn whoever_comes_back_while_a_run_goes_on_misses_nothing_and_hears_nothing_twice() {
    let home = Home::new();
    let service = Running::start(&home);
    for client in every_client() {
        let run = begun(&service);
        let mut first = SocketClient::connect(&service, client, &["/runs"], json!({}));
        first.ask("/runs", "join_run", json!({"run": run, "parts": ["events"]}));
        record(&home, &run, 0..40);
        let (last, heard) = notes(&mut first, client.0, 40);
        assert_eq!(heard, (0..40).collect::<Vec<_>>(), "{client:?}");
        // It is killed, and so says nothing.
        drop(first);
        record(&home, &run, 40..150);
        let auth = json!({"auth": {"join": [{"run": run, "after": last, "parts": ["events"]}]}});
        let mut second = SocketClient::connect(&service, client, &["/runs"], auth);
        assert_eq!(second.event("joined"), json!({"run": run, "after": last}));
        std::thread::scope(|scope| {
            scope.spawn(|| record(&home, &run, 150..250));
            let (_, heard) = notes(&mut second, client.0, 210);
            assert_eq!(heard, (40..250).collect::<Vec<_>>(), "{client:?}");
        });
        service.gate.open(1);
        second.event("run_end");
    }
}

#[test]
fn a_conversation_is_heard_by_who_sends_and_by_who_joins() {
    let home = Home::new();
    let service = Running::start(&home);
    for client in every_client() {
        let session = session(&service);
        let mut listener = SocketClient::connect(&service, client, &["/agent"], json!({}));
        let joined = listener.ask("/agent", "join_session", json!({"session_id": session}));
        assert_eq!(joined, json!({"accepted": true, "session_id": session}));
        assert_eq!(listener.event("joined"), json!({"session_id": session, "after": 0}));
        let mut sender = SocketClient::connect(&service, client, &["/agent"], json!({}));
        let said = json!({"session_id": session.to_string(), "message": "Run login", "agent_id": "assistant",
                          "team_id": null, "current_page": "/", "allow_auto_navigation": false});
        let sent = sender.ask("/agent", "send_message", said);
        assert_eq!((&sent["accepted"], &sent["session_id"]), (&json!(true), &json!(session)), "{sent}");
        for socket in [&mut listener, &mut sender] {
            let mut kinds: Vec<Value> = (0..3).map(|_| socket.event("agent_event")).collect();
            kinds.sort_by_key(|event| event["number"].as_u64());
            let of = |name: &str| kinds.iter().map(|event| event[name].clone()).collect::<Vec<Value>>();
            assert_eq!(of("type"), ["session_started", "message", "session_ended"], "{client:?}");
            assert_eq!(kinds[1]["content"], "you said: Run login");
            assert!(of("session_id").iter().all(|number| *number == session));
        }
        let cleared = sender.ask("/agent", "clear_session", json!({"session_id": session}));
        assert_eq!((&cleared["accepted"], &cleared["status"]), (&json!(true), &json!("idle")));
        let stopped = sender.ask("/agent", "stop_generation", json!({"session_id": session}));
        assert_eq!((&stopped["accepted"], &stopped["status"]), (&json!(true), &json!("idle")));
        // Nothing waits for a decision.
        let approved = sender.ask("/agent", "approve", json!({"session_id": session, "approved": true}));
        assert_eq!((&approved["accepted"], &approved["code"]), (&json!(false), &json!("conflict")));
        assert_eq!(sender.event("error")["event"], "approve");
        assert_eq!(sender.ask("/agent", "leave_session", json!({"session_id": session}))["accepted"], true);
        // Another client that knows how far it came hears the rest.
        let auth = json!({"auth": {"join": [{"session_id": session, "after": 1}]}});
        let mut late = SocketClient::connect(&service, client, &["/agent"], auth);
        assert!(late.event("agent_event")["number"].as_u64().unwrap() > 1);
    }
    let audit = service.get("/server/audit?limit=500");
    let paths: Vec<&str> =
        audit["items"].as_array().unwrap().iter().map(|entry| entry["path"].as_str().unwrap()).collect();
    assert!(paths.iter().any(|path| path.ends_with("/messages")), "{paths:?}");
}

#[test]
fn mistakes_are_answered_and_the_connection_stays() {
    let home = Home::new();
    let service = Running::start(&home);
    for client in every_client() {
        let mut socket = SocketClient::connect(&service, client, &["/agent"], json!({}));
        for (event, data, code) in [
            ("send_message", json!({"session_id": 1}), "usage"),
            ("send_message", json!({"session_id": "x", "message": "hi"}), "usage"),
            ("send_message", json!({"session_id": 999, "message": "hi"}), "not_found"),
            ("join_session", json!("nothing"), "usage"),
            ("make_coffee", json!({}), "not_found"),
        ] {
            let answer = socket.ask("/agent", event, data.clone());
            assert_eq!(
                (&answer["accepted"], &answer["code"]),
                (&json!(false), &json!(code)),
                "{event} {data}"
            );
            assert_eq!(socket.event("error")["event"], event);
        }
        let answer = socket.ask_binary("/agent", "send_message");
        assert_eq!((&answer["accepted"], &answer["code"]), (&json!(false), &json!("usage")), "{client:?}");
        let number = session(&service);
        assert_eq!(socket.ask("/agent", "join_session", json!({"session_id": number}))["accepted"], true);
    }
}

#[test]
fn a_namespace_that_is_not_there_is_refused() {
    let home = Home::new();
    let service = Running::start(&home);
    for client in every_client() {
        let mut socket = SocketClient::connect(&service, client, &["/nowhere"], json!({}));
        let refused = socket.heard("connect_error");
        let said =
            refused["data"].as_str().map(Value::from).unwrap_or_else(|| refused["data"]["message"].clone());
        assert_eq!(said, "Invalid namespace", "{refused}");
    }
}

#[test]
fn a_token_counts_in_auth_and_in_a_header_and_a_wrong_one_is_refused() {
    let home = Home::new();
    let service = Running::start(&home);
    let token = |role: Role| home.tokens().create(role.name(), role).unwrap().secret;
    let (read, run) = (token(Role::Read), token(Role::Run));
    let session = session(&service);
    let hi = json!({"session_id": session, "message": "hi"});
    for client in every_client() {
        let connect = |more: Value| SocketClient::connect(&service, client, &["/agent"], more);
        let mut reader = connect(json!({"auth": {"token": read}}));
        assert_eq!(reader.ask("/agent", "join_session", json!({"session_id": session}))["accepted"], true);
        assert_eq!(reader.ask("/agent", "send_message", hi.clone())["code"], "forbidden", "{client:?}");
        let mut runner = connect(json!({"headers": {"Authorization": format!("Bearer {run}")}}));
        assert_eq!(runner.ask("/agent", "clear_session", json!({"session_id": session}))["accepted"], true);
        let wrong = connect(json!({"auth": {"token": "assay_1_2"}})).heard("connect_error");
        let said =
            wrong["data"].as_str().map(Value::from).unwrap_or_else(|| wrong["data"]["message"].clone());
        assert_eq!(said, "unauthorized", "{wrong}");
    }
    for client in every_client() {
        let wrong = json!({"headers": {"Authorization": "Bearer assay_1_2"}});
        SocketClient::connect(&service, client, &["/agent"], wrong).heard("refused");
    }
    // What it may do is looked at with everything it asks.
    let client = (Language::Python, Way::Websocket);
    let mut socket = SocketClient::connect(&service, client, &["/agent"], json!({"auth": {"token": run}}));
    socket.event("connected");
    home.tokens().revoke("run").unwrap();
    let refused = socket.ask("/agent", "clear_session", json!({"session_id": session}));
    assert!(refused["code"] == "unauthorized" || refused["code"] == "rate_limited", "{refused}");
}

#[test]
fn a_stranger_may_only_show_a_token() {
    let home = Home::new();
    let service = Running::start(&home);
    let token = home.tokens().create("ci", Role::Read).unwrap().secret;
    let away = json!({"X-Forwarded-For": "10.0.0.1"});
    for client in every_client() {
        let connect = |auth: Value| {
            SocketClient::connect(&service, client, &["/runs"], json!({"headers": away, "auth": auth}))
        };
        assert!(connect(json!({})).heard("connect_error").to_string().contains("unauthorized"), "{client:?}");
        connect(json!({"token": token})).event("connected");
    }
}

#[test]
fn pages_of_other_origins_are_refused_over_every_transport() {
    let home = Home::new();
    let service = Running::with(
        &home,
        ServeOptions { origins: vec!["https://console.example".to_string()], ..ServeOptions::default() },
    );
    for client in every_client() {
        let connect = |origin: &str| {
            SocketClient::connect(&service, client, &["/runs"], json!({"headers": {"Origin": origin}}))
        };
        connect("http://evil.example").heard("refused");
        connect("https://console.example").event("connected");
    }
    let websocket = [
        ("Connection", "Upgrade"),
        ("Upgrade", "websocket"),
        ("Sec-WebSocket-Version", "13"),
        ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="),
        ("Origin", "http://localhost:3000"),
    ];
    for (path, headers) in [
        (OPEN, &websocket[4..]),
        ("/socket.io/?EIO=4&transport=websocket", &websocket[..]),
        (OPEN, &[("Host", "evil.example")]),
    ] {
        let answer = service.ask("GET", path, headers, "").with(403);
        assert_eq!(answer.json(), json!({"code": 4, "message": "Forbidden"}));
        assert_eq!(answer.header("access-control-allow-origin"), None);
    }
    let allowed =
        [("Origin", "https://console.example"), ("Access-Control-Request-Headers", "authorization")];
    let answer = service.ask("OPTIONS", OPEN, &allowed, "").with(200);
    assert_eq!(answer.header("access-control-allow-origin"), Some("https://console.example"));
    assert_eq!(answer.header("access-control-allow-headers"), Some("authorization"));
    assert_eq!(answer.header("access-control-allow-methods"), Some("OPTIONS, GET, POST"));
    assert_eq!(answer.header("access-control-allow-credentials"), Some("true"));
}

#[test]
fn what_is_no_handshake_is_refused_in_the_words_that_clients_know() {
    let home = Home::new();
    let service = Running::start(&home);
    for (method, path, code, message) in [
        ("GET", "/socket.io/?EIO=3&transport=polling", 5, "Unsupported protocol version"),
        ("GET", "/socket.io/?transport=polling", 5, "Unsupported protocol version"),
        ("GET", "/socket.io/?EIO=4&transport=grpc", 0, "Transport unknown"),
        ("GET", "/socket.io/", 0, "Transport unknown"),
        ("POST", OPEN, 2, "Bad handshake method"),
        ("GET", "/socket.io/?EIO=4&transport=polling&sid=none", 1, "Session ID unknown"),
        ("GET", "/socket.io/?EIO=4&transport=websocket", 3, "Bad request"),
    ] {
        let answer = service.ask(method, path, &[], "").with(400);
        assert_eq!(answer.json(), json!({"code": code, "message": message}), "{method} {path}");
    }
    let answer = service.ask("GET", OPEN, &[("Authorization", "Bearer assay_1_2")], "").with(401);
    assert_eq!(answer.json()["code"], 4);
    assert_eq!(service.ask("GET", "/socket.io/else", &[], "").status, 404);
}

fn opened(service: &Running, headers: &[(&str, &str)]) -> String {
    let answer = service.ask("GET", OPEN, headers, "").with(200).text();
    let packet: Value = serde_json::from_str(answer.strip_prefix('0').unwrap()).unwrap();
    assert_eq!(packet["upgrades"], json!(["websocket"]));
    format!("{OPEN}&sid={}", packet["sid"].as_str().unwrap())
}

#[test]
fn a_session_belongs_to_who_opened_it_and_a_body_has_a_limit() {
    let home = Home::new();
    let service = Running::start(&home);
    let token = home.tokens().create("ci", Role::Read).unwrap().secret;
    let bearer = format!("Bearer {token}");
    let of_token = [("Authorization", bearer.as_str())];
    let plain = ("Content-Type", "text/plain");
    let path = opened(&service, &of_token);
    let other = home.tokens().create("other", Role::Admin).unwrap().secret;
    let of_other = format!("Bearer {other}");
    let answer = service.ask("POST", &path, &[plain, ("Authorization", &of_other)], "40/agent,").with(400);
    assert_eq!(answer.json(), json!({"code": 1, "message": "Session ID unknown"}));
    service.ask("POST", &path, &[plain, of_token[0]], "40/agent,").with(200);
    let long = "4".repeat(1_000_001);
    service.ask("POST", &path, &[plain, of_token[0]], &long).with(413);
    // What breaks the protocol ends the session.
    service.ask("POST", &path, &[plain, of_token[0]], "9nothing").with(400);
    assert_eq!(service.ask("GET", &path, &of_token, "").with(400).json()["code"], 1);
}

fn sockets(service: &Running) -> u64 {
    let numbers = service.ask("GET", "/metrics", &[], "").text();
    let line = numbers.lines().find(|line| line.starts_with("assay_sockets ")).unwrap().to_string();
    line.rsplit_once(' ').unwrap().1.parse().unwrap()
}

#[track_caller]
fn wait_until_nobody_is_there(service: &Running) {
    let begun = std::time::Instant::now();
    while sockets(service) > 0 {
        assert!(begun.elapsed() < Duration::from_secs(30), "{} are there", sockets(service));
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn impatient() -> ServeOptions {
    let limits = Limits {
        ping_every: Duration::from_millis(300),
        pong_within: Duration::from_millis(700),
        ..Limits::default()
    };
    ServeOptions { limits, ..ServeOptions::default() }
}

#[test]
fn a_client_that_answers_no_ping_loses_its_session() {
    let home = Home::new();
    let service = Running::with(&home, impatient());
    for client in every_client() {
        let mut socket = SocketClient::connect(&service, client, &["/runs"], json!({}));
        socket.event("connected");
        socket.heard("transport");
        assert_eq!(sockets(&service), 1, "{client:?}");
        let process = libc::pid_t::try_from(socket.child.id()).unwrap();
        // SAFETY: a signal to a process of this test.
        assert_eq!(unsafe { libc::kill(process, libc::SIGSTOP) }, 0);
        wait_until_nobody_is_there(&service);
        // SAFETY: as before.
        assert_eq!(unsafe { libc::kill(process, libc::SIGCONT) }, 0);
    }
}

#[test]
fn a_client_that_answers_stays_and_one_that_is_killed_leaves_nothing() {
    let home = Home::new();
    let service = Running::with(&home, impatient());
    for client in every_client() {
        let mut socket = SocketClient::connect(&service, client, &["/runs"], json!({}));
        socket.event("connected");
        let run = begun(&service);
        // Longer than a client may be silent.
        std::thread::sleep(Duration::from_millis(1500));
        socket.ask("/runs", "join_run", json!({"run": run}));
        assert_eq!(socket.event("run_event")["event"]["event"], "run-started", "{client:?}");
        drop(socket);
        wait_until_nobody_is_there(&service);
        service.gate.open(1);
    }
}

#[test]
fn clients_are_told_when_the_service_stops() {
    let home = Home::new();
    for client in every_client() {
        let service = Running::start(&home);
        let mut socket = SocketClient::connect(&service, client, &["/agent", "/runs"], json!({}));
        for _ in ["/agent", "/runs"] {
            socket.event("connected");
        }
        socket.heard("transport");
        let address = service.address;
        service.stop();
        socket.heard("disconnect");
        assert!(std::panic::catch_unwind(|| ask(address, "GET", OPEN, &[], "")).is_err());
    }
}
