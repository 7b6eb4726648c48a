//! `assay mcp`: a client on the standard streams drives a browser, and owns tests.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

use crate::context::Context;

/// A client of the revision with a handshake.
pub struct Client {
    server: Child,
    to: Option<ChildStdin>,
    from: BufReader<ChildStdout>,
    next: u64,
    /// Notifications that came before an answer.
    heard: Vec<Value>,
    /// What its user answers to every question of a form.
    pub says: Value,
}

impl Client {
    fn start(context: &Context, arguments: &[&str]) -> Client {
        Client::able(context, arguments, &json!({}))
    }

    /// A client with these capabilities.
    fn able(context: &Context, arguments: &[&str], capabilities: &Value) -> Client {
        Client::of(context.command(&[&["mcp"], arguments].concat()), capabilities)
    }

    /// A client of the server that this command starts.
    pub fn of(mut server: Command, capabilities: &Value) -> Client {
        let mut server = server.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let to = server.stdin.take();
        let from = BufReader::new(server.stdout.take().unwrap());
        let mut client =
            Client { server, to, from, next: 1, heard: Vec::new(), says: json!({ "allow": true }) };
        let opening = json!({
            "protocolVersion": "2025-11-25", "capabilities": capabilities, "clientInfo": { "name": "test", "version": "1" },
        });
        assert_eq!(client.ask("initialize", opening)["serverInfo"]["name"], "assay");
        client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        client
    }

    fn send(&mut self, message: &Value) {
        let to = self.to.as_mut().unwrap();
        writeln!(to, "{message}").unwrap();
        to.flush().unwrap();
    }

    /// The result of a request.
    fn ask(&mut self, method: &str, params: Value) -> Value {
        let answer = self.answer(method, params);
        assert!(answer.get("error").is_none(), "{method}: {answer}");
        answer["result"].clone()
    }

    fn answer(&mut self, method: &str, params: Value) -> Value {
        let id = self.next;
        self.next += 1;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        loop {
            let mut line = String::new();
            assert!(self.from.read_line(&mut line).unwrap() > 0, "the server ended");
            let message: Value = serde_json::from_str(&line).unwrap();
            if message["method"] == "elicitation/create" {
                let content = json!({ "action": "accept", "content": self.says });
                self.send(&json!({ "jsonrpc": "2.0", "id": message["id"], "result": content }));
            } else if message["id"] == id {
                return message;
            }
            self.heard.push(message);
        }
    }

    pub fn call(&mut self, tool: &str, arguments: Value) -> Value {
        self.ask(
            "tools/call",
            json!({ "name": tool, "arguments": arguments, "_meta": { "progressToken": 1 } }),
        )
    }

    /// The text of a call that worked.
    fn text(&mut self, tool: &str, arguments: Value) -> String {
        let result = self.call(tool, arguments);
        assert_ne!(result["isError"], true, "{tool}: {result}");
        result["content"][0]["text"].as_str().unwrap().to_string()
    }

    /// The text of a call that did not.
    fn refusal(&mut self, tool: &str, arguments: Value) -> String {
        let result = self.call(tool, arguments);
        assert_eq!(result["isError"], true, "{tool}: {result}");
        result["content"][0]["text"].as_str().unwrap().to_string()
    }

    pub fn hang_up(mut self) {
        drop(self.to.take());
        assert!(self.server.wait().unwrap().success());
    }
}

fn sessions(context: &Context) -> usize {
    context.json(&["session", "list"])["data"]["sessions"].as_array().unwrap().len()
}

#[test]
fn a_browser_of_a_client_that_dies_is_one_alert_at_once_and_an_incident() {
    let context = Context::new();
    context.ok(&["event", "publish", "my_team.begin"]);
    let mut client = Client::start(&context, &[]);
    client.text("go", json!({ "url": context.url("/login") }));
    let alerts = || {
        let listed = context.json(&["event", "list", "--type", "alert.app_crash"]);
        listed["data"]["events"].as_array().unwrap().clone()
    };
    assert_eq!(alerts().len(), 0);
    let session = context.json(&["session", "list"])["data"]["sessions"][0].clone();
    let pid = i32::try_from(session["browser_pid"].as_i64().unwrap()).unwrap();
    // SAFETY: a plain system call; the browser is that of this test's own client.
    unsafe { libc::kill(pid, libc::SIGKILL) };
    // Nobody asks the browser for anything meanwhile.
    let begun = std::time::Instant::now();
    while alerts().is_empty() {
        assert!(begun.elapsed() < std::time::Duration::from_secs(20), "no alert came");
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    let lost = client.refusal("click", json!({ "target": "button \"Log in\"" }));
    assert!(lost.contains("had ended"), "{lost}");
    client.text("go", json!({ "url": context.url("/login") }));
    let told = alerts();
    assert_eq!(told.len(), 1, "{told:#?}");
    let device = format!("session:{}", session["session"].as_str().unwrap());
    assert_eq!((&told[0]["device"], &told[0]["payload"]["code"]), (&device.into(), &"browser_lost".into()));
    let watched = context.run(&["agent", "watch", "--once"]);
    assert!(watched.out.contains("alert.app_crash → incident 1"), "{watched:?}");
    assert_eq!(alerts().len(), 1, "Guardian's own look is no alert");
    client.hang_up();
}

#[test]
fn a_client_logs_in_and_sees_what_each_act_changed() {
    let context = Context::new();
    let mut client = Client::start(&context, &[]);
    let listed = client.ask("tools/list", json!({}));
    let names: Vec<&str> =
        listed["tools"].as_array().unwrap().iter().filter_map(|tool| tool["name"].as_str()).collect();
    assert!(names.contains(&"click") && !names.contains(&"execute_testcase"), "{names:?}");
    client.text("go", json!({ "url": context.url("/login") }));
    assert!(client.text("map", json!({})).contains("button \"Log in\""));
    client.text("fill", json!({ "target": "Email", "text": "ada@example.com" }));
    client.text("fill", json!({ "target": "Password", "text": "correct horse" }));
    let effect = client.text("click", json!({ "target": "button \"Log in\"" }));
    assert!(effect.contains("clicked"), "{effect}");
    let shot = client.call("screenshot", json!({}));
    assert_eq!(shot["content"][1]["mimeType"], "image/png", "{shot}");
    let refused = client.refusal("click", json!({ "target": "no such thing" }));
    assert!(refused.contains("no element matches"), "{refused}");
    let refused = client.refusal("click", json!({ "targt": "e1" }));
    assert!(refused.contains("unknown argument `targt`"), "{refused}");
    let unknown = client.answer("tools/call", json!({ "name": "execute_testcase", "arguments": {} }));
    assert_eq!(unknown["error"]["code"], -32602, "{unknown}");
    client.hang_up();
    assert_eq!(sessions(&context), 0, "the browser of a client that has gone is still there");
}

#[test]
fn two_clients_have_two_browsers() {
    let context = Context::new();
    let (mut one, mut other) = (Client::start(&context, &[]), Client::start(&context, &[]));
    one.text("go", json!({ "url": context.url("/login") }));
    other.text("go", json!({ "url": context.url("/table") }));
    assert_eq!(sessions(&context), 2);
    let tabs = |client: &mut Client| client.text("tabs", json!({}));
    assert!(tabs(&mut one).contains("/login") && !tabs(&mut one).contains("/table"));
    assert!(tabs(&mut other).contains("/table") && !tabs(&mut other).contains("/login"));
    // Nobody else drives the browser of a client, whatever name is given.
    let theirs = context.json(&["session", "list"])["data"]["sessions"][0]["session"].clone();
    let refused = context.fails(4, &["title", "--session", theirs.as_str().unwrap()]);
    assert!(refused.contains("controls `session:mcp-"), "{refused}");
    one.hang_up();
    assert!(tabs(&mut other).contains("/table"));
    other.hang_up();
}

#[test]
fn nothing_is_left_of_a_server_that_is_killed() {
    let context = Context::new();
    let mut client = Client::start(&context, &[]);
    client.text("go", json!({ "url": context.url("/login") }));
    let status = context.json(&["session", "list"])["data"]["sessions"][0].clone();
    client.server.kill().unwrap();
    client.server.wait().unwrap();
    for key in ["pid", "browser_pid"] {
        let process = format!("/proc/{}", status[key].as_u64().unwrap());
        let is_gone = || !std::path::Path::new(&process).exists();
        // The guards need a moment.
        let mut tries = 0;
        while !is_gone() && tries < 600 {
            std::thread::sleep(std::time::Duration::from_millis(50));
            tries += 1;
        }
        assert!(is_gone(), "{key} is still running");
    }
}

/// The processes whose command line or variables speak of a runtime folder: daemons, their guards and browsers.
fn processes_of(folder: &std::path::Path) -> Vec<String> {
    let mark = folder.display().to_string();
    let own = std::process::id().to_string();
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    let of = |entry: std::fs::DirEntry| {
        let pid = entry.file_name().into_string().ok()?;
        let line = std::fs::read(entry.path().join("cmdline")).ok()?;
        let line = String::from_utf8_lossy(&line).replace('\0', " ");
        (pid != own && pid.parse::<u32>().is_ok() && line.contains(&mark)).then(|| format!("{pid} {line}"))
    };
    entries.filter_map(of).collect()
}

#[test]
fn nothing_is_left_of_a_server_that_is_killed_while_its_first_browser_starts() {
    for milliseconds in [20, 100, 200, 300, 450, 600, 800, 1000] {
        let context = Context::new();
        let runtime = context.folder().join("r");
        let mut client = Client::start(&context, &[]);
        let go = json!({ "name": "go", "arguments": { "url": context.url("/login") } });
        client.send(&json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": go }));
        // There is no right moment: each of them is another one in the start of a browser.
        std::thread::sleep(std::time::Duration::from_millis(milliseconds));
        client.server.kill().unwrap();
        client.server.wait().unwrap();
        let begun = std::time::Instant::now();
        while !processes_of(&runtime).is_empty() {
            let left = processes_of(&runtime);
            assert!(begun.elapsed() < std::time::Duration::from_secs(30), "{milliseconds} ms: {left:#?}");
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
    }
}

#[test]
fn a_cancelled_call_keeps_nobody_waiting_and_calls_take_turns() {
    let context = Context::new();
    let mut client = Client::start(&context, &["--profile", "all"]);
    client.text("go", json!({ "url": context.url("/login") }));
    for round in 0..2 {
        let id = 900 + round;
        let wait = json!({ "name": "wait", "arguments": { "for": "text", "text": "never shown" } });
        client.send(&json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": wait }));
        while context.json(&["session", "list"])["data"]["sessions"][0]["busy"].is_null() {}
        let cancel = json!({ "requestId": id });
        client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": cancel }));
        let begun = std::time::Instant::now();
        client.text("url", json!({}));
        // The wait would go on for half a minute, and the clean-up of a call for five seconds.
        assert!(begun.elapsed() < std::time::Duration::from_secs(4), "{:?}", begun.elapsed());
    }
    // A call that another one keeps waiting begins after it, with all of its own time.
    let wait = json!({ "name": "wait", "arguments": { "for": "text", "text": "never shown" } });
    client.send(&json!({ "jsonrpc": "2.0", "id": 950, "method": "tools/call", "params": wait }));
    client.text("fill", json!({ "target": "Email", "text": "ada@example.com" }));
    let waited = client.heard.iter().find(|message| message["id"] == 950).unwrap();
    let said = waited["result"]["content"][0]["text"].as_str().unwrap();
    assert!(said.contains("never shown") && !said.contains("--"), "{said}");
    client.hang_up();
}

#[test]
fn tests_are_saved_checked_run_and_read_again() {
    let context = Context::new();
    let mut client = Client::start(&context, &["--profile", "tests"]);
    let test = format!(
        "test: Login page\nsteps:\n  - Open {}\nexpected:\n  - I should see \"Log in\"\n",
        context.url("/login")
    );
    let saved = client.call("save_testcase", json!({ "path": "tests/login.yaml", "text": test }));
    let version = saved["structuredContent"]["version"].as_str().unwrap().to_string();
    let refused = client.refusal("save_testcase", json!({ "path": "tests/login.yaml", "text": test }));
    assert!(refused.contains("give its version"), "{refused}");
    let refused =
        client.refusal("save_testcase", json!({ "path": "tests/login.yaml", "text": test, "version": "0" }));
    assert!(refused.contains("was changed since"), "{refused}");
    let refused = client.refusal("save_testcase", json!({ "path": "tests/bad.yaml", "text": "steps: 7\n" }));
    assert!(refused.contains("tests/bad.yaml"), "{refused}");
    assert!(!context.folder().join("tests/bad.yaml").exists());
    let refused = client.refusal("save_testcase", json!({ "path": "../out.yaml", "text": test }));
    assert!(refused.contains("inside the project"), "{refused}");
    let loaded = client.call("load_testcase", json!({ "path": "tests/login.yaml" }));
    assert_eq!(loaded["structuredContent"]["text"], Value::String(test));
    assert_eq!(loaded["structuredContent"]["version"], Value::String(version));
    let listed = client.call("list_testcases", json!({}));
    assert_eq!(listed["structuredContent"]["tests"].as_array().unwrap().len(), 1, "{listed}");
    let checked = client.text("check_testcases", json!({ "paths": ["tests/login.yaml"] }));
    assert!(checked.contains("Log in"), "{checked}");
    let ran = client.call("execute_testcase", json!({}));
    assert_eq!(ran["structuredContent"]["tests"][0]["status"], "passed", "{ran}");
    assert!(client.heard.iter().any(|message| message["method"] == "notifications/progress"));
    let shown = client.call("get_execution_status", json!({}));
    assert_ne!(shown["isError"], true, "{shown}");
    client.hang_up();
}

#[test]
fn one_tool_takes_command_lines() {
    let context = Context::new();
    let mut client = Client::start(&context, &["--profile", "cli"]);
    let listed = client.ask("tools/list", json!({}));
    assert_eq!(listed["tools"].as_array().unwrap().len(), 1);
    client.text("assay", json!({ "arguments": format!("go {}", context.url("/login")) }));
    assert!(client.text("assay", json!({ "arguments": "map" })).contains("button \"Log in\""));
    let refused = client.refusal("assay", json!({ "arguments": "clik e1" }));
    assert!(refused.contains("did you mean click?"), "{refused}");
    client.hang_up();
    assert_eq!(sessions(&context), 0);
}

/// The capabilities of a client that can ask its user.
pub fn asks_its_user() -> Value {
    json!({ "elicitation": { "form": {} } })
}

#[test]
fn what_pays_or_deletes_needs_the_consent_of_a_user() {
    let context = Context::new();
    let page = context.folder().join("page.html");
    let html = "<button onclick=\"document.title = 'gone'\">Delete all</button><a href='#x'>Orders</a>\
                <form onsubmit=\"event.preventDefault(); document.title = 'paid'\"><input aria-label=Card><button>Pay</button></form>";
    std::fs::write(&page, html).unwrap();
    let address = json!({ "url": format!("file://{}", page.display()) });
    let delete = || json!({ "target": "Delete all" });

    // A client that cannot ask is refused, with what helps.
    let mut mute = Client::start(&context, &["--allow", "file"]);
    mute.text("go", address.clone());
    for (tool, arguments) in [
        ("click", delete()),
        ("click", json!({ "target": "button \"Pay\"" })),
        ("press", json!({ "target": "Card", "keys": ["Enter"] })),
        ("do", json!({ "sentence": "Click the Delete all button" })),
        ("eval", json!({ "expression": "document.title = 'gone'" })),
    ] {
        let refused = mute.refusal(tool, arguments);
        assert!(refused.contains("a user has to allow this"), "{tool}: {refused}");
        assert!(refused.contains("--allow-destructive"), "{tool}: {refused}");
    }
    assert!(!mute.text("tabs", json!({})).contains("gone"));
    mute.hang_up();

    let mut asking = Client::able(&context, &["--allow", "file"], &asks_its_user());
    asking.text("go", address.clone());
    asking.says = json!({ "allow": false });
    let refused = asking.refusal("click", delete());
    assert!(refused.contains("the user did not allow it"), "{refused}");
    assert!(!asking.text("tabs", json!({})).contains("gone"));
    asking.says = json!({ "allow": true });
    asking.text("click", delete());
    assert!(asking.text("tabs", json!({})).contains("gone"));
    asking.text("press", json!({ "target": "Card", "keys": ["Enter"] }));
    assert!(asking.text("tabs", json!({})).contains("paid"));
    asking.hang_up();

    let mut free = Client::start(&context, &["--allow", "file", "--allow-destructive"]);
    free.text("go", address);
    free.text("click", delete());
    free.text("eval", json!({ "expression": "1" }));
    free.hang_up();
}

#[test]
fn files_of_the_project_are_deleted_with_the_consent_of_a_user() {
    let context = Context::new();
    let tree = context.folder().join("navigation/shop.yaml");
    let create = || json!({ "name": "shop", "base_url": "http://127.0.0.1:1" });
    let delete = || json!({ "name": "shop" });

    let mut mute = Client::start(&context, &["--profile", "all"]);
    mute.text("create_tree", create());
    let refused = mute.refusal("delete_tree", delete());
    assert!(refused.contains("Delete a navigation tree"), "{refused}");
    assert!(refused.contains("--allow-destructive"), "{refused}");
    assert!(tree.exists());
    mute.hang_up();

    let mut asking = Client::able(&context, &["--profile", "all"], &asks_its_user());
    asking.says = json!({ "allow": false });
    asking.refusal("delete_tree", delete());
    assert!(tree.exists());
    asking.says = json!({ "allow": true });
    asking.text("delete_tree", delete());
    assert!(!tree.exists());
    asking.hang_up();
}

#[test]
fn a_client_uses_files_of_its_folder_only() {
    let context = Context::new();
    let mut client = Client::start(&context, &["--allow-destructive"]);
    client.text("go", json!({ "url": context.url("/login") }));
    let outside = std::env::temp_dir().join(format!("assay-outside-{}.png", std::process::id()));
    let refused = client.refusal("screenshot", json!({ "path": outside.display().to_string() }));
    assert!(refused.contains("is not a file of the project"), "{refused}");
    assert!(!outside.exists());
    client.text("screenshot", json!({ "path": "inside.png" }));
    assert!(context.folder().join("inside.png").exists());
    let refused = client.refusal("upload", json!({ "target": "Email", "files": ["/etc/hostname"] }));
    assert!(refused.contains("may not be uploaded"), "{refused}");
    client.hang_up();
}

#[test]
fn a_client_takes_over_the_browser_of_its_user_and_gives_it_back() {
    let context = Context::on("/login");
    let mut client = Client::able(&context, &["--profile", "all"], &asks_its_user());
    client.text("go", json!({ "url": context.url("/table") }));
    client.says = json!({ "allow": false });
    client.refusal("take_control", json!({ "device": "session:default" }));
    client.says = json!({ "allow": true });
    let unknown = client.refusal("take_control", json!({ "device": "session:nobody" }));
    assert!(unknown.contains("there is no device `session:nobody`"), "{unknown}");
    let lock = client.call("take_control", json!({ "device": "session:default", "purpose": "look" }));
    assert_eq!(lock["structuredContent"]["purpose"], "look", "{lock}");
    assert!(client.text("tabs", json!({})).contains("/login"));
    let refused = context.fails(4, &["title"]);
    assert!(refused.contains("controls `session:default` (look)"), "{refused}");
    // A sentence acts there as well, and the browser stays its user's.
    client.text("do", json!({ "sentence": "Enter \"ada@example.com\" into the Email field" }));
    let mut other = Client::able(&context, &["--profile", "all"], &asks_its_user());
    let theirs = context.json(&["device", "list"])["data"]["hosts"][0]["devices"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|device| device["device"].as_str().map(str::to_string))
        .find(|device| device.starts_with("session:mcp-"))
        .unwrap();
    let refused = other.refusal("take_control", json!({ "device": theirs }));
    assert!(refused.contains("belongs to a client"), "{refused}");
    let busy = other.refusal("take_control", json!({ "device": "session:default" }));
    assert!(busy.contains("controls `session:default`"), "{busy}");
    other.hang_up();
    client.text("release_control", json!({ "device": "session:default" }));
    assert!(client.text("tabs", json!({})).contains("/table"));
    context.ok(&["title"]);
    // Whoever lost control drives it no more.
    client.text("take_control", json!({ "device": "session:default" }));
    context.ok(&["device", "release", "session:default", "--force"]);
    let refused = client.refusal("go", json!({ "url": context.url("/table") }));
    assert!(refused.contains("your control of `session:default` has ended"), "{refused}");
    assert!(context.ok(&["tabs"]).contains("/login"));
    // What a killed server controlled is free, and still open.
    client.text("take_control", json!({ "device": "session:default" }));
    client.text("do", json!({ "sentence": "The Email field contains \"ada@example.com\"" }));
    client.server.kill().unwrap();
    client.server.wait().unwrap();
    let value = context.ok(&["value", "Email"]);
    assert!(value.contains("ada@example.com"), "{value}");
}

#[test]
fn consent_is_for_one_act_and_nothing_is_done_twice() {
    let context = Context::new();
    let page = context.folder().join("page.html");
    let html = "<title>Log</title><script>const add = (what) => document.title += ' ' + what</script>\
                <button onclick=\"add('added')\">Add item</button><button onclick=\"add('deleted')\">Delete list</button>\
                <form method=post action='/lists/7/delete'><button>Yes, I am sure</button></form>\
                <button onclick=\"add('other')\" aria-label='Close this very long panel with all of its many notes and also delete the whole list'>x</button>\
                <form method=post action='/lists/7/pay'><button>Go on</button></form>\
                <button style='text-transform:uppercase' onclick=\"add('removed')\">Remove upper</button>\
                <button onclick=\"add('cleared')\"><i aria-hidden=true>delete</i> Remove hidden</button>\
                <button onclick=\"add('gone')\" aria-label='Remove it'>Delete this</button>";
    std::fs::write(&page, html).unwrap();
    let address = json!({ "url": format!("file://{}", page.display()) });
    let mut client = Client::able(&context, &["--profile", "all", "--allow", "file"], &asks_its_user());
    client.text("go", address);
    // A sentence whose first act is done is not repeated.
    let both = client.refusal("do", json!({ "sentence": "Click \"Add item\" and click \"Delete list\"" }));
    assert!(both.contains("Add item") && both.contains("has to allow"), "{both}");
    assert!(client.text("title", json!({})).ends_with("Log added"));
    client.says = json!({ "allow": false });
    for target in
        ["button \"Yes, I am sure\"", "button \"Go on\"", "button \"x\" >> nth=0", "css=button[aria-label]"]
    {
        let answer = client.call("click", json!({ "target": target }));
        assert_eq!(answer["isError"], true, "{target}: {answer}");
    }
    client.refusal("route", json!({ "pattern": "**/app.js", "reply": "answer", "status": 200, "body": "x" }));
    assert!(client.text("title", json!({})).ends_with("Log added"));
    // One question is enough, however many words of the page weigh.
    client.says = json!({ "allow": true });
    for target in ["Remove upper", "Remove hidden", "Remove it"] {
        client.text("click", json!({ "target": format!("button \"{target}\"") }));
    }
    assert!(client.text("title", json!({})).ends_with("Log added removed cleared gone"));
    client.hang_up();

    let mut line = Client::able(&context, &["--profile", "cli", "--allow", "file"], &asks_its_user());
    let say = |client: &mut Client, line: &str| client.call("assay", json!({ "arguments": line }));
    assert_ne!(say(&mut line, &format!("go file://{}", page.display()))["isError"], true);
    assert_ne!(say(&mut line, "click \"Delete list\"")["isError"], true);
    assert!(say(&mut line, "title")["content"][0]["text"].as_str().unwrap().ends_with("Log deleted"));
    line.says = json!({ "allow": false });
    for beyond in
        ["click \"Delete list\"", "--json trust", "--json session list", "device list", "run /etc/passwd"]
    {
        assert_eq!(say(&mut line, beyond)["isError"], true, "{beyond}");
    }
    line.hang_up();
    assert_eq!(sessions(&context), 0);
}

#[test]
fn resources_prompts_and_completion_know_the_project() {
    let context = Context::new();
    let mut client = Client::start(&context, &["--profile", "tests"]);
    let test = format!(
        "test: Login page\nsteps:\n  - Open {}\nexpected:\n  - I should see \"Log out\"\n",
        context.url("/login")
    );
    client.text("save_testcase", json!({ "path": "tests/login.yaml", "text": test }));
    let ran = client.call("execute_testcase", json!({}));
    assert_eq!(ran["structuredContent"]["totals"]["passed"], 0, "{ran}");
    let listed = client.ask("resources/list", json!({}))["resources"].clone();
    let uris: Vec<&str> =
        listed.as_array().unwrap().iter().filter_map(|known| known["uri"].as_str()).collect();
    for uri in ["assay://skill/assay", "assay://test/tests/login.yaml", "assay://run/1/report"] {
        assert!(uris.contains(&uri), "{uri}: {uris:?}");
    }
    let mut read = |uri: &str| client.ask("resources/read", json!({ "uri": uri }))["contents"][0].clone();
    assert_eq!(read("assay://test/tests/login.yaml")["text"], test);
    let failures = read("assay://run/latest/failures")["text"].as_str().unwrap().to_string();
    assert!(failures.contains("tests/login.yaml") && failures.contains("Log out"), "{failures}");
    let picture = failures.split_whitespace().find(|word| word.contains("/screenshot/")).unwrap().to_string();
    assert_eq!(read(&picture)["mimeType"], "image/png");
    let report: Value = serde_json::from_str(read("assay://run/1/report")["text"].as_str().unwrap()).unwrap();
    assert_eq!(report["tests"].as_array().unwrap().len(), 1);
    for uri in
        ["assay://test/../assay.yaml", "assay://run/1/screenshot/../journal.jsonl", "assay://run/9/report"]
    {
        let missing = client.answer("resources/read", json!({ "uri": uri }));
        assert_eq!(missing["error"]["code"], -32002, "{uri}: {missing}");
    }
    let prompt =
        client.ask("prompts/get", json!({ "name": "mend_test", "arguments": { "testcase": "login" } }));
    let text = prompt["messages"][0]["content"]["text"].as_str().unwrap();
    assert!(text.contains("Test: login") && !text.contains("{testcase}"), "{text}");
    let argument = json!({ "name": "testcase", "value": "lo" });
    let reference = json!({ "type": "ref/prompt", "name": "mend_test" });
    let completed = client.ask("completion/complete", json!({ "ref": reference, "argument": argument }));
    assert_eq!(completed["completion"]["values"].as_array().unwrap().len(), 1, "{completed}");
    client.hang_up();
}

/// The official client checks every structured answer against the schema of its tool.
#[track_caller]
fn judged_by_the_official_client(mode: &str, over_http: bool) {
    let context = Context::new();
    std::fs::create_dir_all(context.folder().join("tests")).unwrap();
    let test = format!(
        "test: Login page\nsteps:\n  - Open {}\nexpected:\n  - I should see \"Log in\"\n",
        context.url("/login")
    );
    std::fs::write(context.folder().join("tests/login.yaml"), test).unwrap();
    // Whether the application or the test is wrong, the evidence does not decide.
    let undecided = format!(
        "test: Undecided\nsteps:\n  - Open {}\nexpected:\n  - I should see \"Log in\"\n",
        context.url("/no-such-page")
    );
    std::fs::write(context.folder().join("tests/undecided.yaml"), undecided).unwrap();
    let packages = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/mcp-python");
    assert!(std::path::Path::new(packages).exists(), "run scripts/ensure-packages");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/clients/official_client.py");
    let mut server = None;
    let mut client = context.command(&[]);
    let client_variables: Vec<_> =
        client.get_envs().map(|(name, value)| (name.to_os_string(), value.map(ToOwned::to_owned))).collect();
    client = Command::new("python3");
    for (name, value) in client_variables {
        match value {
            Some(value) => client.env(name, value),
            None => client.env_remove(name),
        };
    }
    client.env("PYTHONPATH", packages).current_dir(context.folder());
    client.args([script, mode, &context.url("/login")]);
    if over_http {
        let mut started = context
            .command(&["mcp", "--profile", "all", "--http", "127.0.0.1:0"])
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(started.stderr.take().unwrap()).read_line(&mut line).unwrap();
        client.arg(line.trim().strip_prefix("assay: ").unwrap());
        server = Some(started);
    } else {
        client.args([env!("CARGO_BIN_EXE_assay"), "mcp", "--profile", "all"]);
    }
    let output = client.output().unwrap();
    if let Some(mut server) = server {
        // SAFETY: a plain system call; the server has not been waited for, so its number is its own.
        unsafe { libc::kill(server.id() as i32, libc::SIGINT) };
        server.wait().unwrap();
    }
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    let seen: Value = serde_json::from_str(&said).unwrap();
    assert!(seen["tools"].as_u64().unwrap() >= 70, "{seen}");
    assert!(seen["eval"].as_str().unwrap().ends_with("42"), "{seen}");
    assert_eq!(seen["history"], 1);
    assert_eq!(seen["undecided"], 1, "{seen}");
    assert_eq!(seen["prompts"], 4);
    let kinds = seen["resources"].as_array().unwrap();
    assert!(["run", "skill", "test"].iter().all(|kind| kinds.contains(&json!(kind))), "{seen}");
    assert_eq!(sessions(&context), 0, "a browser is left");
}

#[test]
fn the_official_client_finds_every_answer_in_its_schema() {
    judged_by_the_official_client("auto", false);
    judged_by_the_official_client("legacy", false);
}

#[test]
fn the_official_client_finds_the_same_over_http() {
    judged_by_the_official_client("auto", true);
    judged_by_the_official_client("legacy", true);
}
