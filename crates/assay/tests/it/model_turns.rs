//! Traces of turns: what a model answered and what was done about it, a line a turn, with a marked picture.

use std::path::Path;
use std::process::Stdio;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use assay_testkit::models::{Api, Misbehaviour};
use serde_json::{Value, json};

use crate::context::said;
use crate::models::{Bench, KEY, SECRET, TEST, call, click, enter, nowhere_in, sensible};

/// The colour of the mark around what a model did.
const MARK: [u8; 3] = [0xd6, 0x00, 0x6c];

fn lines(results: &Path, report: &Value) -> Vec<Value> {
    let text = std::fs::read_to_string(results.join(report["turns_file"].as_str().unwrap())).unwrap();
    assert!(text.ends_with('\n'), "the last line is whole");
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

struct Picture {
    width: usize,
    height: usize,
    colours: Vec<[u8; 3]>,
}

fn opened(path: &Path) -> Picture {
    let mut decoder = png::Decoder::new(std::io::BufReader::new(std::fs::File::open(path).unwrap()));
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    let frame = reader.next_frame(&mut bytes).unwrap();
    let samples = frame.color_type.samples();
    let colours = bytes.chunks_exact(samples).map(|it| [it[0], it[1], it[2]]).collect();
    Picture { width: frame.width as usize, height: frame.height as usize, colours }
}

impl Picture {
    fn at(&self, x: i64, y: i64) -> [u8; 3] {
        self.colours[y as usize * self.width + x as usize]
    }
}

#[test]
fn every_turn_leaves_a_line_and_a_picture_with_what_it_was_aimed_at() {
    let bench = Bench::new(Api::Anthropic);
    sensible(&bench.stand_in);
    bench.write("herring.yaml", TEST);
    let said = bench.run(&["herring.yaml"]);
    assert_eq!(said.code, 0, "{said:?}");
    let (results, report) = (bench.context.folder().join("assay-results"), bench.report());
    let lines = lines(&results, &report);
    assert_eq!(lines.len(), 3);
    let labels: Vec<&Value> = lines.iter().map(|line| &line["actions"][0]["label"]).collect();
    assert_eq!(labels, [&json!("fill \"Nickname\""), &json!("click \"Onward\""), &Value::Null]);
    for (turn, line) in (1..).zip(&lines) {
        assert_eq!((&line["version"], &line["turn"], &line["step"]), (&json!(1), &json!(turn), &json!(2)));
        assert_eq!(line["model"], "anthropic/claude-sonnet-5-5");
        assert_eq!(line["request_id"], "req_stand_in");
        assert!(line["response_id"].as_str().is_some_and(|id| !id.is_empty()), "{line}");
        assert!(line["usage"]["output"].as_u64().unwrap() > 0 && line["latency_ms"].is_u64(), "{line}");
        let picture = opened(&results.join(line["picture"].as_str().unwrap()));
        let page = opened(&results.join(line["page"].as_str().unwrap()));
        assert_eq!((picture.width, picture.height), (page.width, page.height));
        assert_eq!(page.colours.iter().filter(|colour| **colour == MARK).count(), 0, "the page has no marks");
        let target = &line["actions"][0]["target"];
        if let (Some(x), Some(y)) = (target["x"].as_i64(), target["y"].as_i64()) {
            assert_eq!(picture.at(x + 5, y - 3), MARK, "turn {turn}: a line above the target");
            assert_ne!(picture.at(x + 5, y + 3), MARK, "turn {turn}: what is in the box can be read");
        } else {
            assert_eq!(turn, 3, "only the last act has no target: {line}");
        }
    }
    assert_eq!(lines[0]["actions"][0]["action"]["text"], "⟦value 1⟧", "values are references");
    assert_eq!(lines[1]["actions"][0]["outcome"], "done");
    assert!(lines[1]["events"][0].as_str().unwrap().starts_with("[CACHE]"), "{}", lines[1]);
    let turns = report["tests"][0]["steps"][1]["turns"].as_array().unwrap();
    assert_eq!(turns.len(), 3);
    assert_eq!(turns[1]["marked_picture"], lines[1]["picture"]);
    assert!(results.join(turns[1]["marked_picture"].as_str().unwrap()).is_file());
    let html = std::fs::read_to_string(results.join("report.html")).unwrap();
    assert!(html.contains("/turns.jsonl") && html.contains("turn_2.png"));
    nowhere_in(bench.context.folder(), KEY);
}

#[test]
fn a_page_on_which_a_secret_can_be_read_gives_no_picture() {
    let bench = Bench::new(Api::Anthropic);
    let turn = AtomicUsize::new(0);
    bench.stand_in.always(move |asked| match turn.fetch_add(1, Ordering::SeqCst) {
        0 => enter(asked, "textbox \"Nickname\"", 1),
        1 => click(asked, "button \"Onward\""),
        _ => call("done", json!({"evidence": "herring", "message": "sent"})),
    });
    bench.write(
        "herring.yaml",
        "test: Herring\nsecrets: [PHRASE]\nsteps:\n  - Go to /\n  - Frobnicate \"${PHRASE}\" onto the \
         herring\nexpected:\n  - The text \"herring is on its way\" is shown\n",
    );
    let said = bench.run(&["herring.yaml", "--trust"]);
    assert_eq!(said.code, 0, "{said:?}");
    let results = bench.context.folder().join("assay-results");
    let lines = lines(&results, &bench.report());
    assert!(lines[0]["picture"].is_string(), "nothing can be read yet: {}", lines[0]);
    for line in &lines[1..] {
        assert!(line["picture"].is_null(), "{line}");
        assert!(line["no_picture"].as_str().unwrap().contains("a secret can be read in"), "{line}");
    }
    let traces = results.join("debug_screenshots");
    nowhere_in(&traces, SECRET);
    nowhere_in(&traces, KEY);
}

#[test]
fn what_a_model_may_not_do_is_traced_as_refused() {
    let bench = Bench::new(Api::Anthropic);
    bench.stand_in.always(|asked| click(asked, "button \"Delete everything\""));
    bench.write("herring.yaml", TEST);
    let said = bench.run(&["herring.yaml"]);
    assert_eq!(said.code, 3, "{said:?}");
    let results = bench.context.folder().join("assay-results");
    let lines = lines(&results, &bench.report());
    assert_eq!(lines.len(), 1);
    let act = &lines[0]["actions"][0];
    assert_eq!((&act["outcome"], &act["code"]), (&json!("stopped"), &json!("deleting")));
    assert_eq!(lines[0]["safety"][0]["code"], "deleting");
    let picture = opened(&results.join(lines[0]["picture"].as_str().unwrap()));
    let (x, y) = (act["target"]["x"].as_i64().unwrap(), act["target"]["y"].as_i64().unwrap());
    assert_eq!(picture.at(x + 5, y - 3), [0xb9, 0x23, 0x23]);
}

#[test]
fn a_run_that_was_killed_keeps_the_turns_that_ended() {
    let bench = Bench::new(Api::Anthropic);
    let turn = AtomicUsize::new(0);
    bench.stand_in.always(move |asked| match turn.fetch_add(1, Ordering::SeqCst) {
        0 | 2 => enter(asked, "textbox \"Nickname\"", 1),
        1 => Misbehaviour::NoAnswer.into(),
        3 => click(asked, "button \"Onward\""),
        _ => call("done", json!({"evidence": "Hello Ada", "message": "sent"})),
    });
    bench.write("herring.yaml", TEST);
    let mut command = bench.command(&["herring.yaml"]);
    let mut run = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    // The second question hangs: then the first turn has ended.
    while bench.stand_in.asked().len() < 2 {
        std::thread::sleep(Duration::from_millis(30));
    }
    run.kill().unwrap();
    run.wait().unwrap();
    let results = bench.context.folder().join("assay-results");
    let folder =
        std::fs::read_dir(results.join("debug_screenshots")).unwrap().next().unwrap().unwrap().path();
    let left = std::fs::read_to_string(folder.join("turns.jsonl")).unwrap();
    assert!(left.ends_with('\n') && left.lines().count() == 1, "{left}");

    let mut command = bench.command(&[]);
    let environment: Vec<_> =
        command.get_envs().map(|(name, value)| (name.to_owned(), value.map(ToOwned::to_owned))).collect();
    command = bench.context.command(&["resume"]);
    for (name, value) in environment {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    let resumed = said(command);
    assert_eq!(resumed.code, 0, "{resumed:?}");
    let report = bench.report();
    let lines = lines(&results, &report);
    assert_eq!(lines.iter().map(|line| line["attempt"].as_u64().unwrap()).collect::<Vec<_>>(), [1, 2, 2, 2]);
    for line in &lines {
        assert!(results.join(line["picture"].as_str().unwrap()).is_file(), "{line}");
    }
    let first = &report["tests"][0]["earlier_attempts"][0]["steps"][1]["turns"][0];
    assert_eq!(first["marked_picture"], lines[0]["picture"], "the turn of before is linked: {first}");
}

#[test]
fn turns_are_traced_on_every_engine() {
    for browser in ["firefox", "webkit"] {
        let bench = Bench::new(Api::Anthropic);
        sensible(&bench.stand_in);
        bench.write("herring.yaml", TEST);
        let said = bench.run(&["herring.yaml", "--browser", browser]);
        assert_eq!(said.code, 0, "{browser}: {said:?}");
        let (results, report) = (bench.context.folder().join("assay-results"), bench.report());
        assert_eq!(report["tests"][0]["browser"], browser);
        let lines = lines(&results, &report);
        assert_eq!(lines.len(), 3, "{browser}");
        for line in &lines[..2] {
            let picture = opened(&results.join(line["picture"].as_str().unwrap()));
            let target = &line["actions"][0]["target"];
            let (x, y) = (target["x"].as_i64().unwrap(), target["y"].as_i64().unwrap());
            assert_eq!(picture.at(x + 5, y - 3), MARK, "{browser}: {line}");
        }
    }
}
