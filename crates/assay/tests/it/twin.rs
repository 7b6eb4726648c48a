//! `assay twin`: two builds of a small site, and what must be found between them.

use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use assay_testkit::{Request, Response, Server};
use serde_json::Value;

use crate::context::{Context, Said, said};

/// What a build does: each page has one difference, where it is asked for.
#[derive(Clone, Copy, PartialEq)]
enum Build {
    Old,
    New,
}

const STYLE: &str =
    "<style>body{font:16px sans-serif;margin:20px}.box{width:200px;height:80px;background:#0b6e7f}</style>";

fn page(title: &str, body: &str) -> Response {
    Response::html(format!("<!doctype html><title>{title}</title>{STYLE}<h1>{title}</h1>{body}"))
}

/// One page for each kind of difference.
fn site(build: Build, request: &Request) -> Response {
    let pick = |old: &'static str, new: &'static str| if build == Build::Old { old } else { new };
    match request.path.as_str() {
        "/word" => page("Word", pick("<p>Your order is on its way</p>", "<p>Your order was on its way</p>")),
        "/total" => page(
            "Total",
            &format!(
                "<table aria-label=Cart><tr><th scope=row>Total</th><td>{}</td></tr></table>",
                pick("39.50", "38.50")
            ),
        ),
        "/rows" => {
            page("Rows", pick("<ul><li>Lamp<li>Rope<li>Flag</ul>", "<ul><li>Rope<li>Lamp<li>Flag</ul>"))
        }
        "/role" => page("Role", pick("<button>Pay</button>", "<span>Pay</span>")),
        "/name" => page("Name", pick("<input aria-label=Email>", "<input>")),
        "/disabled" => page("Disabled", pick("<button>Pay</button>", "<button disabled>Pay</button>")),
        "/colour" => {
            page("Colour", pick("<div class=box></div>", "<div class=box style='background:#7f0b6e'></div>"))
        }
        "/moved" => {
            page("Moved", pick("<button>Pay</button>", "<button style='margin-left:120px'>Pay</button>"))
        }
        "/below" => page(
            "Below",
            &format!(
                "<div style='height:1800px'></div><div class=box {}></div>",
                pick("", "style='width:260px'")
            ),
        ),
        "/request" => page(
            "Request",
            pick(
                "<button onclick=\"fetch('/log',{method:'POST',body:new URLSearchParams({what:'x'})})\">Send</button>",
                "<button>Send</button>",
            ),
        ),
        "/status" => page(
            "Status",
            "<button onclick=\"fetch('/save').then(()=>out.textContent='Saved')\">Save</button><p id=out role=status></p>",
        ),
        "/save" => Response::text("ok").with_status(if build == Build::Old { 200 } else { 202 }),
        "/message" => page(
            "Message",
            pick(
                "<button onclick=\"out.textContent='Saved'\">Save</button><p id=out role=status></p>",
                "<button>Save</button><p id=out role=status></p>",
            ),
        ),
        "/log" => Response::text("ok"),
        "/equal" => page("Equal", "<p>The same on both</p><a href=/word>Word</a>"),
        _ => Response::status(404),
    }
}

struct Builds {
    old: Server,
    new: Server,
}

impl Builds {
    fn differing() -> Builds {
        let start = |build: Build| Server::start(move |request: &Request| site(build, request));
        Builds { old: start(Build::Old), new: start(Build::New) }
    }

    /// Both answer by the same function; its number counts requests of each on its own.
    fn alike(answer: fn(&Request, u32) -> Response) -> Builds {
        let start = || {
            let count = AtomicU32::new(1041);
            Server::start(move |request: &Request| answer(request, count.fetch_add(1, Ordering::Relaxed)))
        };
        Builds { old: start(), new: start() }
    }

    fn twin(&self, context: &Context, more: &[&str]) -> (Said, Value) {
        let (old, new) = (self.old.url("/"), self.new.url("/"));
        let words = [&["twin", "--old", &old, "--new", &new, "--json"], more].concat();
        let said = context.run(&words);
        let report = serde_json::from_str(&said.out).unwrap_or_else(|err| panic!("{err}: {said:?}"));
        (said, report)
    }
}

fn write(context: &Context, name: &str, text: &str) {
    std::fs::write(context.folder().join(name), text).unwrap();
}

/// The test with this id in a report.
fn test<'a>(report: &'a Value, id: &str) -> &'a Value {
    let tests = report["data"]["tests"].as_array().unwrap();
    tests.iter().find(|test| test["test"] == id).unwrap_or_else(|| panic!("no {id} in {report:#}"))
}

/// `aspect: place: old → new` of the first step that differs.
fn found(test: &Value) -> Vec<String> {
    let findings = test["first"]["findings"].as_array().cloned().unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
    findings
        .iter()
        .map(|one| {
            format!(
                "{}: {}: {} → {}",
                text(&one["aspect"]),
                text(&one["place"]["shown"]),
                text(&one["old"]),
                text(&one["new"])
            )
        })
        .collect()
}

#[test]
fn each_difference_is_found_at_its_first_step() {
    let (context, builds) = (Context::new(), Builds::differing());
    let pages = [
        ("word", "Go to /word", 1, "text: main > page"),
        ("total", "Go to /total", 1, "text: table \"Cart\" > row > cell \"39.50\": 39.50 → 38.50"),
        ("rows", "Go to /rows", 1, "text: order in list: Lamp | Rope | Flag → "),
        ("role", "Go to /role", 1, "structure: "),
        ("name", "Go to /name", 1, "structure: name of textbox \"Email\": Email → "),
        ("disabled", "Go to /disabled", 1, "structure: states of button \"Pay\":  → disabled"),
        ("colour", "Go to /colour", 1, "picture: "),
        ("moved", "Go to /moved", 1, "picture: picture at button \"Pay\": "),
        ("below", "Go to /below", 1, "picture: "),
        ("request", "Click \"Send\"", 2, "requests: POST /log: POST {app}/log (what) → 200 → "),
        ("status", "Click \"Save\"", 2, "requests: status of GET /save: 200 → 202"),
        ("message", "Click \"Save\"", 2, "text: "),
        ("equal", "Go to /equal", 0, ""),
    ];
    let tests: Vec<String> = pages
        .iter()
        .map(|(name, sentence, step, _)| {
            let act = if *step == 2 { format!("  - {sentence}\n") } else { String::new() };
            format!("test: {name}\nstanding: allowed\nsteps:\n  - Go to /{name}\n{act}  - Verify that the heading is visible\n")
        })
        .collect();
    write(&context, "differences.yaml", &tests.join("---\n"));
    let (said, report) = builds.twin(&context, &["differences.yaml"]);
    assert_eq!(said.code, 1, "{said:?}");
    let mut wrong = Vec::new();
    for (name, _, step, words) in pages {
        let one = test(&report, &format!("differences_{name}"));
        if step == 0 {
            assert_eq!(one["verdict"], "same", "{one:#}");
            continue;
        }
        let found = found(one);
        let is_found = found
            .iter()
            .any(|line| line.starts_with(words) || (name == "word" && line.contains("is on its way → ")));
        if one["verdict"] != "different" || one["first"]["step"] != step || !is_found {
            wrong.push(format!("{name}: {one:#}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let html = std::fs::read_to_string(context.folder().join("assay-results/twin/twin.html")).unwrap();
    assert!(html.contains("38.50") && html.contains("data:image/png;base64,") && !html.contains("<script"));
    assert!(context.folder().join("assay-results/twin/noise.json").is_file());
}

/// A counter, the time, a token, a list in random order, and words that stay.
fn noisy(request: &Request, count: u32) -> Response {
    let rows = ["<li>Red lamp", "<li>Blue rope", "<li>Green flag"];
    let turned: String = (0..3).map(|at| rows[(at + count as usize / 2) % 3]).collect();
    let time = Instant::now();
    let token = format!("{:x}", count.wrapping_mul(0x9e37_79b1));
    match request.path.as_str() {
        "/noisy" => page(
            "Noisy",
            &format!(
                "<p>Order {count} of {:02}:{:02}:{:02}</p><p>Token {token:0>8}</p><ul>{turned}</ul><p>You pay 12.00</p>\
                 <input type=hidden value='{time:?}'><a href='/orders/{count}?t={token}'>Details</a>",
                count % 24,
                count % 60,
                (count * 7) % 60
            ),
        ),
        _ => Response::status(404),
    }
}

/// The same with another price.
fn noisy_and_dearer(request: &Request, count: u32) -> Response {
    let noise = noisy(request, count);
    let body = String::from_utf8_lossy(noise.body()).replace("You pay 12.00", "You pay 13.00");
    Response::html(body)
}

const NOISY: &str = "test: Noisy\nsteps:\n  - Go to /noisy\n  - Verify that the heading is \"Noisy\"\n";

#[test]
fn what_varies_by_itself_is_learnt_and_told() {
    let (context, builds) = (Context::new(), Builds::alike(noisy));
    write(&context, "noisy.yaml", NOISY);
    let (said, report) = builds.twin(&context, &["noisy.yaml"]);
    assert_eq!(said.code, 0, "{}", said.out);
    let noise = report["data"]["noise"]["entries"].as_array().unwrap();
    let shapes: Vec<String> = noise.iter().map(|entry| entry["varies"].to_string()).collect();
    let all = shapes.join("\n");
    assert!(all.contains("\"number\":0") && all.contains("\"time\"") && all.contains("\"id\""), "{all}");
    assert!(!all.contains("pay"), "what stays is no noise: {all}");
    // What was learnt saves the second round.
    let kept = context.folder().join("noise.json");
    std::fs::copy(context.folder().join("assay-results/twin/noise.json"), &kept).unwrap();
    let (said, report) = builds.twin(&context, &["noisy.yaml", "--noise", "noise.json"]);
    assert_eq!(said.code, 0, "{}", said.out);
    assert_eq!(report["data"]["rounds"], 1);
}

#[test]
fn noise_hides_nothing_beside_it() {
    let context = Context::new();
    let builds = Builds { new: Builds::alike(noisy_and_dearer).new, ..Builds::alike(noisy) };
    write(&context, "noisy.yaml", NOISY);
    let (said, report) = builds.twin(&context, &["noisy.yaml"]);
    assert_eq!(said.code, 1, "{}", said.out);
    let found = found(test(&report, "noisy"));
    assert!(found[0].contains("You pay 12.00 → You pay 13.00"), "{found:?}");
    assert!(found.iter().all(|line| line.contains("You pay") || line.starts_with("picture")), "{found:?}");
}

#[test]
fn a_build_is_like_itself_on_every_engine() {
    let (context, builds) = (Context::new(), Builds::alike(noisy));
    write(&context, "noisy.yaml", NOISY);
    for browser in ["chromium", "firefox", "webkit"] {
        let (said, _) = builds.twin(&context, &["noisy.yaml", "--browser", browser]);
        assert_eq!(said.code, 0, "{browser}: {}\n{}", said.out, said.err);
    }
}

#[test]
fn the_demo_is_like_itself() {
    let context = Context::new();
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../demo");
    let (old, new) = (assay_demo::start(0).unwrap(), assay_demo::start(0).unwrap());
    let words = ["twin", "--old", &old.url("/"), "--new", &new.url("/")];
    let tests = folder.join("tests/shop.yaml");
    let more = [tests.to_str().unwrap(), "--grep", "cheapest", "--trust"];
    let said = context.run(&[&words[..], &more].concat());
    assert_eq!(said.code, 0, "{}\n{}", said.out, said.err);
    assert!(said.out.contains("same           shop_cheapest_comes_first"), "{}", said.out);
}

#[test]
fn a_test_that_neither_build_passes_is_not_comparable() {
    let (context, builds) = (Context::new(), Builds::alike(noisy));
    write(&context, "t.yaml", "test: Missing\nsteps:\n  - Go to /noisy\n  - Click \"Nobody has this\"\n");
    let (said, report) = builds.twin(&context, &["t.yaml"]);
    assert_eq!(said.code, 3, "{}", said.out);
    let one = test(&report, "t_missing");
    assert_eq!(one["verdict"], "not-comparable");
    assert!(one["reason"].as_str().unwrap().starts_with("neither build passes it: step 2 "), "{one:#}");
}

#[test]
fn mistakes_are_said_before_anything_runs() {
    let context = Context::new();
    write(&context, "t.yaml", NOISY);
    let free = Server::start(|_: &Request| Response::text("x"));
    let there = free.url("/");
    let err = context.fails(2, &["twin", "--old", &there]);
    assert!(err.contains("--new with the address of a build"), "{err}");
    let err = context.fails(2, &["twin", "--old", &there, "--new", "shop"]);
    assert!(err.contains("after --new, found `shop`"), "{err}");
    let gone = Server::start(|_: &Request| Response::text("x")).url("/");
    let err = context.fails(4, &["twin", "--old", &there, "--new", &gone, "t.yaml"]);
    assert!(err.contains("the new build does not answer at"), "{err}");
    let err = context.fails(2, &["twin", "--old", &there, "--new", &there, "t.yaml", "--reset-new", "true"]);
    assert!(err.contains("is not trusted"), "{err}");
    let err = context.fails(2, &["twin", "--old", &there, "--new", &there, "t.yaml", "--noise", "t.yaml"]);
    assert!(err.contains("expected learnt noise"), "{err}");
    let err = context.fails(2, &["twin", "--old", &there, "--new", &there, "no_such_test"]);
    assert!(err.contains("no_such_test"), "{err}");
}

#[test]
fn resets_run_before_each_round() {
    let (context, builds) = (Context::new(), Builds::alike(noisy));
    write(&context, "noisy.yaml", NOISY);
    let more =
        ["noisy.yaml", "--trust", "--reset-old", "echo old >> resets", "--reset-new", "echo new >> resets"];
    let (said, _) = builds.twin(&context, &more);
    assert_eq!(said.code, 0, "{}", said.err);
    assert_eq!(std::fs::read_to_string(context.folder().join("resets")).unwrap(), "old\nnew\nold\nnew\n");
    let (said, _) = builds.twin(&context, &["noisy.yaml", "--trust", "--reset-new", "echo no >&2; exit 3"]);
    assert_eq!(said.code, 4, "{}", said.out);
    assert!(said.out.contains("--reset-new"), "{}", said.out);
}

#[test]
fn secrets_stay_secret() {
    let context = Context::new();
    let answer = |request: &Request, _: u32| match request.path.as_str() {
        "/echo" => page("Echo", &format!("<p>You said {}</p>", request.param("q").unwrap_or("nothing"))),
        _ => page("Form", "<form action=/echo><input name=q aria-label=Word><button>Send</button></form>"),
    };
    let builds = Builds::alike(answer);
    let text = "test: Secret\nsecrets: [TWIN_WORD]\nsteps:\n  - Go to /\n  - Enter \"${TWIN_WORD}\" into Word\n  - Click \"Send\"\n  \
                - Verify that the heading is \"Echo\"\n";
    write(&context, "secret.yaml", text);
    let (old, new) = (builds.old.url("/"), builds.new.url("/"));
    let mut command = context.command(&["twin", "--old", &old, "--new", &new, "secret.yaml", "--trust"]);
    command.env("TWIN_WORD", "xyzzy-plugh-7");
    let said = said(command);
    assert_eq!(said.code, 0, "{}\n{}", said.out, said.err);
    for file in ["twin.json", "twin.html", "noise.json"] {
        let text = std::fs::read_to_string(context.folder().join("assay-results/twin").join(file)).unwrap();
        assert!(!text.contains("xyzzy"), "{file}");
    }
    assert!(!said.out.contains("xyzzy") && !said.err.contains("xyzzy"));
}

#[test]
fn a_killed_comparison_leaves_nothing_running() {
    let context = Context::new();
    let slow = Arc::new(AtomicU32::new(0));
    let seen = Arc::clone(&slow);
    let handler = move |_: &Request| {
        seen.fetch_add(1, Ordering::Relaxed);
        Response::html("<title>Wait</title><h1>Wait</h1>")
    };
    let (old, new) = (Server::start(handler.clone()), Server::start(handler));
    write(
        &context,
        "t.yaml",
        "test: Wait\nsteps:\n  - Go to /\n  - Verify that the text \"Never\" is shown\n",
    );
    let words = ["twin", "--old", &old.url("/"), "--new", &new.url("/"), "t.yaml"];
    let mut child = context.command(&words).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let end = Instant::now() + Duration::from_secs(60);
    // One request of each side is the look whether it answers; the next ones are those of the browsers.
    while slow.load(Ordering::Relaxed) < 4 {
        assert!(Instant::now() < end, "no browser came");
        std::thread::sleep(Duration::from_millis(20));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let end = Instant::now() + Duration::from_secs(10);
    loop {
        let left = processes_in(context.folder());
        if left.is_empty() {
            break;
        }
        assert!(Instant::now() < end, "{left:?}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Everything that was started for a folder, which its environment names.
fn processes_in(folder: &std::path::Path) -> Vec<String> {
    let folder = folder.display().to_string();
    let own = std::process::id().to_string();
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    entries
        .filter(|entry| {
            entry.file_name().to_string_lossy().parse::<u32>().is_ok_and(|pid| pid.to_string() != own)
        })
        .filter_map(|entry| {
            let read = |what: &str| {
                String::from_utf8_lossy(&std::fs::read(entry.path().join(what)).unwrap_or_default())
                    .to_string()
            };
            let is_gone =
                read("stat").rsplit(')').next().is_some_and(|rest| rest.trim_start().starts_with('Z'));
            let line = read("cmdline").replace('\0', " ");
            let is_ours = read("environ").contains(&folder) || line.contains(&folder);
            (is_ours && !is_gone).then_some(line)
        })
        .collect()
}
