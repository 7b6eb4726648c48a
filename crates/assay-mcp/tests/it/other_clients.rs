//! The official clients of other languages, and the inspector, over both doors.

use std::fs::File;
use std::process::Command;

use serde_json::{Value, json};

use crate::context::{Folder, HttpFixtures, fixtures, installed, node, script};

#[derive(Clone, Copy, PartialEq)]
enum Door {
    Streams,
    Http,
}

/// Lets a client drive the fixtures, and compares what it saw. `modern` says in which era it should.
#[track_caller]
fn check(mut client: Command, door: Door, modern: bool) {
    let server = HttpFixtures::start();
    match door {
        Door::Streams => client.args([fixtures(), "stdio"]),
        Door::Http => client.arg(&server.url),
    };
    let output = client.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    let complained = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}{complained}");
    assert_eq!(complained, "");
    let mut seen: Value = serde_json::from_str(&said).unwrap_or_else(|err| panic!("{err}: {said}"));
    let caller = seen["caller"].take();
    assert_eq!(caller["isModern"], modern, "{caller}");
    assert_eq!(caller["lasts"], !modern || door == Door::Streams, "{caller}");
    // 0 and 0.0 are one number in JSON, but not here.
    let progress: Vec<Vec<Option<f64>>> = serde_json::from_value(seen["progress"].take()).unwrap();
    assert_eq!(progress, [0.0, 50.0, 100.0].map(|done| vec![Some(done), Some(100.0)]));
    assert!(seen["tools"].take().as_u64().unwrap() > 30, "the list is whole");
    let expected = json!({
        "tools": null,
        "caller": null,
        "progress": null,
        "simple": "This is a simple text response for testing.",
        "structured": {"passed": 3, "failed": 0},
        "failed": true,
        "asked": "Hello, Ada!",
        "resource": "This is the content of the static text resource.",
        "prompt": "Prompt with arguments: arg1='hello', arg2='world'",
    });
    assert_eq!(seen, expected);
}

fn python(mode: &str) -> Command {
    let mut python = Command::new("python3");
    python.env("PYTHONPATH", installed("mcp-python")).arg(script("python_client.py")).arg(mode);
    python
}

#[test]
fn the_python_client_finds_the_era_by_itself() {
    check(python("auto"), Door::Streams, true);
    check(python("auto"), Door::Http, true);
}

#[test]
fn the_python_client_shakes_hands() {
    check(python("legacy"), Door::Streams, false);
    check(python("legacy"), Door::Http, false);
}

/// A script that imports from the installed packages: Node looks for them from where it runs a script of its input.
fn javascript(name: &str) -> Command {
    let mut node = node();
    node.current_dir(installed("mcp-packages")).args(["--input-type=module", "-"]);
    node.stdin(File::open(script(name)).unwrap());
    node
}

#[test]
fn the_first_javascript_client_shakes_hands() {
    check(javascript("sdk_client.mjs"), Door::Streams, false);
    check(javascript("sdk_client.mjs"), Door::Http, false);
}

#[test]
fn the_second_javascript_client_speaks_either_way() {
    for (mode, modern) in [("auto", true), ("legacy", false)] {
        for door in [Door::Streams, Door::Http] {
            let mut client = javascript("client_2.mjs");
            client.arg(mode);
            check(client, door, modern);
        }
    }
}

#[test]
fn the_inspector_lists_and_calls() {
    let server = HttpFixtures::start();
    let folder = Folder::new("inspector");
    for target in [vec![fixtures(), "stdio"], vec![server.url.as_str()]] {
        let inspect = |what: &[&str]| -> Value {
            let mut inspector = node();
            inspector.arg(installed(
                "mcp-packages/node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js",
            ));
            inspector.arg("--cli").args(&target).args(what);
            inspector.env("HOME", folder.path()).env("MCP_CATALOG_PATH", folder.path().join("catalog.json"));
            let output = inspector.output().unwrap();
            let said = String::from_utf8_lossy(&output.stdout);
            assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
            serde_json::from_str(&said).unwrap_or_else(|err| panic!("{err}: {said}"))
        };
        let tools = inspect(&["--method", "tools/list"]);
        assert!(tools["tools"].as_array().unwrap().len() > 30, "{tools}");
        let called = inspect(&["--method", "tools/call", "--tool-name", "test_simple_text"]);
        assert_eq!(called["content"][0]["text"], "This is a simple text response for testing.", "{called}");
        let read = inspect(&["--method", "resources/read", "--uri", "test://static-text"]);
        assert_eq!(read["contents"][0]["text"], "This is the content of the static text resource.", "{read}");
    }
}
