//! A hostile page steers no terminal: nothing that assay prints holds a control character or reverses the writing.

use assay_testkit::{Request, Response, Server};
use serde_json::Value;

use crate::context::{Context, Said};

/// Clears the screen, sets a title, begins a sequence with one byte, reverses the writing, forges a line.
const HOSTILE: &str = "\\u001b[2J\\u001b]0;owned\\u0007\\u009b31m\\u202eSSAP\\u2066\\u0000\\u007f\\rPASS";

/// Every place of a page that a command tells: texts, names, values, title, address, console, requests, dialogs, frames,
/// storage, downloads.
fn site() -> Server {
    Server::start(|request: &Request| match request.path.as_str() {
        "/" => Response::html(PAGE.replace("HOSTILE", HOSTILE)),
        path if path.starts_with("/file") => Response::text("x").attachment("a\u{1b}[31mb.txt"),
        _ => Response::status(404),
    })
}

const PAGE: &str = r##"<!doctype html><meta charset=utf-8><body><script>
const bad = "HOSTILE";
document.title = "Title " + bad;
const add = (tag, text, attributes = {}) => {
  const element = document.createElement(tag);
  element.textContent = text;
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  document.body.append(element);
  return element;
};
add("h1", "Heading " + bad);
add("p", "Text " + bad);
add("button", "Press " + bad).onclick = () => {
  add("p", "Pressed " + bad);
  console.error("pressed " + bad);
  document.title = "Pressed " + bad;
};
add("button", "Twin " + bad); add("button", "Twin " + bad);
add("button", "Ask", {id: "ask"}).onclick = () => setTimeout(() => alert("Really? " + bad));
add("button", "Fetch", {id: "fetch"}).onclick = () => fetch("/missing?" + encodeURIComponent(bad));
add("a", "File " + bad, {href: "/file", id: "file"});
const field = add("input", "", {"aria-label": "Field " + bad, id: "field"});
field.value = "Value " + bad;
add("select", "", {id: "list"}).append(new Option("Option " + bad));
add("iframe", "", {name: "Frame " + bad, srcdoc: "<p>in</p>", title: bad});
console.log("log " + bad); console.warn(bad);
try { localStorage.setItem(bad, bad); } catch {}
document.cookie = "plain=1";
history.replaceState(null, "", "/#" + bad);
</script>"##;

#[track_caller]
fn is_plain(what: &str, text: &str) {
    let steers = |letter: char| {
        (letter.is_control() && !matches!(letter, '\n' | '\t'))
            || matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    assert!(!text.contains(steers), "{what}: {text:?}");
}

#[track_caller]
fn told(context: &Context, arguments: &[&str]) -> Said {
    let said = context.run(arguments);
    is_plain(&format!("{arguments:?} out"), &said.out);
    is_plain(&format!("{arguments:?} err"), &said.err);
    said
}

#[test]
fn no_verb_prints_what_a_page_says_as_it_is() {
    let (context, site) = (Context::new(), site());
    let opened = told(&context, &["go", &site.url("/")]);
    assert!(opened.code == 0 && opened.out.contains("\\u{9b}31m\\u{202e}SSAP"), "{opened:?}");
    let text = told(&context, &["text"]).out;
    assert!(text.contains("\\u{1b}[2J\\u{1b}]0;owned\\u{7}"), "the test is about something: {text:?}");
    let reading: &[&[&str]] = &[
        &["map"],
        &["map", "--all"],
        &["text"],
        &["text", "h1"],
        &["html"],
        &["html", "h1"],
        &["title"],
        &["url"],
        &["find", "h1"],
        &["find-all", "button"],
        &["count", "button"],
        &["value", "#field"],
        &["attr", "#field", "aria-label"],
        &["is", "visible", "h1"],
        &["eval", "document.title"],
        &["eval", "({ [document.title]: document.title })"],
        &["eval", "throw new Error(document.title)"],
        &["console"],
        &["tabs"],
        &["frames"],
        &["cookies", "list"],
        &["diff"],
        &["click", "Twin"],
        &["click", "button \"Nothing is called so\""],
        &["select", "#list", "Nothing"],
        &["wait", "--text", "never", "--timeout", "200"],
        &["do", "The text \"Nothing\" is shown"],
        &["do", "Click \"Twin\""],
    ];
    let acting: &[&[&str]] = &[
        &["click", "button >> nth=0"],
        &["click", "#fetch"],
        &["network"],
        &["network", "--failed"],
        &["fill", "#field", "x"],
        &["click", "#ask"],
        &["dialog"],
        &["click", "h1"],
        &["dialog", "accept"],
        &["click", "#file"],
        &["console"],
        &["do", "Click the button \"Fetch\""],
        &["reload"],
        &["status"],
        &["session", "list"],
    ];
    for arguments in reading.iter().chain(acting) {
        told(&context, arguments);
        let dialog = arguments == &["click", "#ask"];
        if !dialog && !arguments.contains(&"accept") {
            let said = told(&context, &[arguments, ["--json"].as_slice()].concat());
            let parsed: Result<Value, _> = serde_json::from_str(&said.out);
            assert!(parsed.is_ok() || said.out.is_empty(), "{arguments:?}: {said:?}");
        }
    }
    let data = context.json(&["text", "h1"])["data"].to_string();
    assert!(data.contains("\\u001b[2J") && data.contains('\u{202e}'), "as data it is what it is: {data}");
}

#[test]
fn no_run_prints_what_a_page_says_as_it_is() {
    let (context, site) = (Context::new(), site());
    let test = |name: &str, steps: &str, expected: &str| {
        let text =
            format!("test: {name}\nsteps:\n  - Go to {}\n{steps}expected:\n  - {expected}\n", site.url("/"));
        std::fs::write(context.folder().join(format!("{name}.yaml")), text).unwrap();
    };
    test("fails", "  - Click \"Fetch\"\n", "The title is \"Nothing\"");
    test("unclear", "  - Click the \"Twin\" button\n", "The text \"Nothing\" is shown");
    test("heading", "", "The heading says \"Nothing\"");
    test("field", "", "The field contains \"Nothing\"");
    test("dialog", "  - Click \"Ask\"\n  - Click \"Fetch\"\n", "The text \"Nothing\" is shown");
    for arguments in [
        ["run", "."].as_slice(),
        &["run", ".", "--json"],
        &["run", ".", "--list"],
        &["run", ".", "--dry-run"],
        &["report", "list"],
        &["report", "show"],
        &["report", "show", "--json"],
        &["history", "fails"],
        &["history", "fails", "--json"],
        &["flaky"],
        &["stats"],
        &["heal"],
        &["task", "list"],
        &["task", "status"],
        &["task", "export"],
    ] {
        told(&context, arguments);
    }
    let mut command = context.command(&["run", "."]);
    command.env("GITHUB_ACTIONS", "true");
    let said = crate::context::said(command);
    is_plain("annotations", &said.out);
    assert!(said.code != 0);
}

#[test]
fn files_of_a_stranger_steer_nothing_either() {
    let context = Context::new();
    let test =
        "test: \"\\e[2JPASS \\x9b31m\"\nsteps:\n  - \"Frobnicate \\e]0;x\\a\"\n  - run: \"click \\e[31m\"\n";
    std::fs::write(context.folder().join("a\u{1b}[31m.yaml"), test).unwrap();
    std::fs::write(context.folder().join("b.yaml"), "test: T\nstep\u{9b}s: [x]\n").unwrap();
    for arguments in [["run", ".", "--list"].as_slice(), &["run", ".", "--dry-run"], &["run", "."]] {
        told(&context, arguments);
    }
}
