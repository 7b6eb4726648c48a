//! Daemon, oneshot, sessions, attaching, versions.

use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::UnixStream;
use std::process::{Command, Stdio};

use crate::context::{Context, said};

#[test]
fn sessions_have_browsers_of_their_own() {
    let context = Context::new();
    context.ok(&["go", &context.url("/list"), "--session", "one"]);
    context.ok(&["go", &context.url("/table"), "-s", "two"]);
    assert!(context.ok(&["url", "-s", "one"]).ends_with("/list"));
    let list = context.ok(&["session", "list"]);
    assert_eq!(list.lines().count(), 2, "{list}");
    context.ok(&["session", "stop", "one"]);
    assert_eq!(context.ok(&["session", "list"]).lines().count(), 1);
    assert!(context.ok(&["url", "-s", "two"]).ends_with("/table"));
}

#[test]
fn oneshot_leaves_nothing_behind() {
    let context = Context::new();
    let mut command = context.command(&["go", &context.url("/list")]);
    command.env("ASSAY_ONESHOT", "1");
    let answer = said(command);
    assert_eq!(answer.code, 0, "{answer:?}");
    assert!(answer.out.contains("/list"), "{answer:?}");
    let left: Vec<_> = std::fs::read_dir(context.folder().join("r"))
        .unwrap()
        .flatten()
        .map(|entry| entry.file_name())
        .collect();
    assert!(left.is_empty(), "{left:?}");
    // CI is oneshot by default; many commands in one browser go through batch.
    let mut command = context.command(&["batch"]);
    command.env("CI", "true").stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let script = format!("go {}\nclick \"Add brass lantern\"\ntext #count\n", context.url("/list"));
    child.stdin.take().unwrap().write_all(script.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).to_string();
    assert!(output.status.success(), "{text}");
    assert!(text.contains("clicked e") && text.trim_end().ends_with('1'), "{text}");
}

#[test]
fn batch_answers_each_line_and_stops_where_asked() {
    let context = Context::on("/list");
    let run = |arguments: &[&str], script: &str| {
        let mut command = context.command(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(script.as_bytes()).unwrap();
        child.wait_with_output().unwrap()
    };
    let output = run(&["batch"], "# a comment\n\ncount h1\nclick \"No such thing\"\nassay url\n");
    let text = String::from_utf8_lossy(&output.stdout).to_string();
    assert!(text.starts_with("1\n") && text.trim_end().ends_with("/list"), "{text}");
    assert_eq!(output.status.code(), Some(1));
    let output = run(&["batch", "--bail"], "click \"No such thing\"\nurl\n");
    assert!(output.stdout.is_empty());
    let output = run(&["batch", "--json"], "url\ncount h1\n");
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        assert_eq!(serde_json::from_str::<serde_json::Value>(line).unwrap()["ok"], true);
    }
    let output = run(&["batch"], "daemon stop\n");
    assert_eq!(output.status.code(), Some(2));
}

/// A browser that is not assay's; it ends with the test.
struct Theirs(std::process::Child);

impl Drop for Theirs {
    fn drop(&mut self) {
        let _ended_already = self.0.kill();
        let _reaped = self.0.wait();
    }
}

#[test]
fn a_running_browser_is_attached_to_and_left_running() {
    let context = Context::new();
    let program =
        ["/usr/lib/chromium/chromium-headless-shell", "/usr/lib/chromium/chromium", "/usr/bin/chromium"]
            .into_iter()
            .find(|path| std::path::Path::new(path).exists())
            .unwrap();
    let mut browser = Theirs(
        Command::new(program)
            .args([
                "--headless",
                "--no-sandbox",
                "--remote-debugging-port=0",
                "--disable-background-networking",
            ])
            .arg(format!("--user-data-dir={}", context.folder().join("theirs").display()))
            .arg(context.url("/list"))
            .stderr(Stdio::piped())
            .spawn()
            .unwrap(),
    );
    let mut address = String::new();
    for line in BufReader::new(browser.0.stderr.take().unwrap()).lines() {
        let line = line.unwrap();
        if let Some(found) = line.strip_prefix("DevTools listening on ") {
            address = found.to_string();
            break;
        }
    }
    let port = address.split(':').nth(2).unwrap().split('/').next().unwrap().to_string();
    context.ok(&["wait", "--url", "/list", "--connect", &port]);
    let said = context.ok(&["click", "Add brass lantern", "--timeout", "5000"]);
    assert!(said.contains("clicked e"), "{said}");
    context.ok(&["daemon", "stop"]);
    assert!(browser.0.try_wait().unwrap().is_none(), "a browser that is not ours was ended");
    context.ok(&["url", "--connect", &address]);
    context.ok(&["daemon", "stop"]);
    drop(browser);
    let refused = context.fails(4, &["url", "--connect", &port]);
    assert!(refused.contains("could not connect"), "{refused}");
}

#[test]
fn another_window_setting_is_refused_while_a_browser_runs() {
    let context = Context::on("/list");
    let refused = context.fails(4, &["url", "--headed"]);
    assert!(refused.contains("assay session stop"), "{refused}");
}

#[test]
fn a_client_of_another_version_replaces_the_daemon_with_a_sentence() {
    let context = Context::on("/list");
    // What a client of another build would send.
    let socket = context.folder().join("r/default.sock");
    let say = |request: &str| {
        let mut stream = UnixStream::connect(&socket).unwrap();
        writeln!(stream, "{request}").unwrap();
        let mut lines = BufReader::new(stream).lines();
        assert_eq!(lines.next().unwrap().unwrap(), "assay");
        lines.next().unwrap().unwrap()
    };
    let request = r#"{"version":1,"build":"0.0.0-other","ask":{"act":{"verb":"click","target":{"source":"a","steps":[]},"button":"left","modifiers":[]}},"deadline_ms":1000,"format":"text"}"#;
    let line = say(request);
    assert!(line.contains("wrong_version"), "{line}");
    let line = say("{\"version\":99,\"what\":\"ever\"}");
    assert!(line.contains("wrong_version"), "{line}");
    let line = say("this is not a request");
    assert!(line.contains("expected a request"), "{line}");
    assert!(context.ok(&["url"]).ends_with("/list"));
}

#[test]
fn the_socket_is_for_its_owner_only() {
    use std::os::unix::fs::PermissionsExt;
    let context = Context::on("/list");
    let folder = context.folder().join("r");
    let mode = |path: &std::path::Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&folder), 0o700);
    assert_eq!(mode(&folder.join("default.sock")), 0o600);
}

#[test]
fn a_crashed_page_is_told_and_left() {
    let context = Context::on("/crash");
    let said = context.run(&["go", "chrome://crash", "--allow", "chrome", "--timeout", "5000"]);
    assert_ne!(said.code, 0, "{said:?}");
    let told = context.fails(1, &["text"]);
    assert!(told.contains("crashed") && told.contains("assay reload"), "{told}");
    context.go("/list");
    assert!(context.ok(&["map"]).contains("list of 50"));
}
