use assay_provider::conversation::{Message, Part};
use serde_json::json;

use super::*;

/// Entries as they are written, by their kinds and bodies.
struct Book {
    entries: Vec<AgentEntry>,
}

impl Book {
    fn new() -> Book {
        Book { entries: Vec::new() }
    }

    fn add(&mut self, kind: AgentEntryKind, refers: Option<u64>, body: Value) -> u64 {
        let number = self.entries.len() as u64 + 1;
        self.entries.push(AgentEntry { number, at: 0, kind, refers, body });
        number
    }

    fn step(&mut self, step: &Step) -> u64 {
        self.add(AgentEntryKind::Message, None, serde_json::to_value(step).unwrap())
    }

    fn request(&mut self, text: &str) -> u64 {
        self.step(&Step::Request { text: text.to_string() })
    }

    /// The model calls a tool and its answer comes.
    fn call(&mut self, tool: &str, arguments: Value, facts: &[&str]) {
        let said = self.said(tool, arguments.clone());
        let begun = self.begin(said, tool, arguments);
        let facts = facts.iter().map(ToString::to_string).collect();
        let end = EndedStep { is_error: false, exit_code: 0, facts, ..EndedStep::failed("result") };
        self.add(AgentEntryKind::Ended, Some(begun), serde_json::to_value(end).unwrap());
    }

    fn said(&mut self, tool: &str, arguments: Value) -> u64 {
        let body = json!({"step": "said", "format": "chat", "raw": [{"tool": tool}],
                          "items": [{"item": "call", "id": "c1", "name": tool, "input": arguments}]});
        self.add(AgentEntryKind::Message, None, body)
    }

    fn begin(&mut self, said: u64, tool: &str, arguments: Value) -> u64 {
        let begun = BegunStep { said, index: 0, tool: tool.to_string(), arguments, has_effect: true };
        self.add(AgentEntryKind::Begun, None, serde_json::to_value(begun).unwrap())
    }

    fn says(&mut self, text: &str) {
        let body = json!({"step": "said", "format": "chat", "raw": [{"text": text}],
                          "items": [{"item": "text", "text": text}]});
        self.add(AgentEntryKind::Message, None, body);
        self.step(&Step::Done { answer: text.to_string() });
    }

    fn history(&self) -> History {
        History::of(&self.entries).unwrap()
    }
}

fn texts(history: &History) -> String {
    let of_parts = |parts: &[Part]| -> String {
        parts.iter().map(|part| if let Part::Text(text) = part { text.as_str() } else { "" }).collect()
    };
    let text = |message: &Message| match message {
        Message::User(parts) => format!("U:{}", of_parts(parts)),
        Message::Assistant(turn) => format!("A:{:?}", turn.raw),
        Message::Results { results, .. } => {
            results.iter().map(|result| format!("R:{}", of_parts(&result.parts))).collect()
        }
    };
    history.messages().iter().map(text).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_turn_is_shown_as_it_was() {
    let mut book = Book::new();
    book.request("run goto");
    book.step(&Step::Skill { name: "run-script".into() });
    book.call("execute_script", json!({"script": "goto"}), &["run=7"]);
    let history = book.history();
    assert_eq!(history.skill.as_deref(), Some("run-script"));
    assert_eq!(texts(&history), "U:run goto\nA:[Object {\"tool\": String(\"execute_script\")}]\nR:result");
    assert!(history.open.is_none() && history.calls.len() == 1);
}

#[test]
fn a_call_that_was_cut_off_is_open() {
    let mut book = Book::new();
    book.request("run goto");
    let said = book.said("execute_script", json!({"script": "goto"}));
    assert_eq!(book.history().open.unwrap().begun, [None], "not begun");
    let begun = book.begin(said, "execute_script", json!({"script": "goto"}));
    let open = book.history().open.unwrap();
    assert_eq!((open.begun, open.results.len()), (vec![Some(begun)], 1));
    let repeated = EndedStep { is_repeated: true, ..EndedStep::failed("outcome unknown") };
    book.add(AgentEntryKind::Ended, Some(begun), serde_json::to_value(repeated).unwrap());
    let open = book.history().open.unwrap();
    assert_eq!((open.begun, open.results), (vec![None], vec![None]), "it may be begun again");
}

#[test]
fn another_skill_sees_facts_and_none_of_the_calls() {
    let mut book = Book::new();
    book.request("run goto");
    book.step(&Step::Skill { name: "run-script".into() });
    book.call("execute_script", json!({"script": "goto"}), &["run=7", "report=assay-results/r7.html"]);
    book.says("**goto** passed");
    book.request("now cover REQ-1 with it");
    book.step(&Step::Skill { name: "manage-requirements".into() });
    let shown = texts(&book.history());
    assert!(!shown.contains("R:") && !shown.contains("A:"), "{shown}");
    for fact in ["user: run goto", "run=7", "report=assay-results/r7.html", "you: **goto** passed"] {
        assert!(shown.contains(fact), "{fact}: {shown}");
    }
    assert!(shown.ends_with("Now: now cover REQ-1 with it"), "{shown}");
    assert_eq!(book.history().messages().len(), 1);
}

#[test]
fn what_was_done_for_a_request_goes_along_to_another_skill() {
    let mut book = Book::new();
    book.request("check the device, then run goto");
    book.step(&Step::Skill { name: "device-status".into() });
    book.call("get_device_info", json!({"device": "chromium"}), &["state=ready"]);
    book.step(&Step::Skill { name: "run-script".into() });
    let shown = texts(&book.history());
    assert!(shown.contains("Done for this so far:\n- get_device_info"), "{shown}");
    assert!(shown.contains("state=ready"), "{shown}");
}

#[test]
fn thirty_turns_later_the_first_report_is_still_known() {
    let mut book = Book::new();
    book.step(&Step::Skill { name: "run-script".into() });
    for number in 0..30 {
        book.request(&format!("run script {number} {}", "please ".repeat(60)));
        let report = format!("report=assay-results/{number}/report.html");
        let run = format!("run={number}");
        book.call(
            "execute_script",
            json!({"script": format!("s{number}")}),
            &[&report, &run, "status=passed"],
        );
        book.says(&format!("**s{number}** passed. {}", "And so on. ".repeat(40)));
        book.step(&Step::Folded);
    }
    book.request("which was the report of the first run?");
    book.step(&Step::Folded);
    let history = book.history();
    let shown = texts(&history);
    for number in 0..30 {
        assert!(shown.contains(&format!("report=assay-results/{number}/report.html")), "{number}: {shown}");
        assert!(shown.contains(&format!("\"s{number}\"")), "{number}: {shown}");
    }
    assert!(shown.len() < MOST_OF_FACTS + 500, "{}", shown.len());
    assert_eq!(history.messages().len(), 1);
}

#[test]
fn a_conversation_that_was_cleared_is_new() {
    let mut book = Book::new();
    book.request("run goto");
    book.step(&Step::Skill { name: "run-script".into() });
    book.says("done");
    book.add(AgentEntryKind::Cleared, None, json!({}));
    book.request("hello");
    let history = book.history();
    assert_eq!((history.skill.as_deref(), texts(&history).as_str()), (None, "U:hello"));
}

#[test]
fn in_one_long_turn_facts_stand_for_the_calls_that_are_over() {
    let mut book = Book::new();
    book.request("list all tests, suite by suite; where is test 7 of the first suite?");
    book.step(&Step::Skill { name: "list-resources".into() });
    for suite in 0..10 {
        let facts: Vec<String> = (0..40)
            .map(|test| format!("id=s{suite}_t{test} file=s{suite}/t{test}.yaml status=passed"))
            .collect();
        let facts: Vec<&str> = facts.iter().map(String::as_str).collect();
        let said = book.said("list_testcases", json!({"contains": format!("s{suite}")}));
        let begun = book.begin(said, "list_testcases", json!({"contains": format!("s{suite}")}));
        let facts = facts.iter().map(ToString::to_string).collect();
        let text = format!("suite {suite}: {}", "a long listing. ".repeat(375));
        let end = EndedStep { is_error: false, exit_code: 0, facts, ..EndedStep::failed(text) };
        book.add(AgentEntryKind::Ended, Some(begun), serde_json::to_value(end).unwrap());
        let history = book.history();
        // As the turn does it above its limit.
        if history.can_fold_calls() && history.length() > 16_000 {
            book.step(&Step::CallsFolded);
        }
    }
    let history = book.history();
    let shown = texts(&history);
    assert!(shown.contains("id=s0_t7 file=s0/t7.yaml status=passed"), "{shown}");
    for suite in 0..10 {
        let there = format!("id=s{suite}_t39");
        assert!(shown.contains(&there) || shown.contains(&format!("suite {suite}: a long")), "{suite}");
    }
    assert!(shown.starts_with("U:list all tests, suite by suite"), "{shown}");
    let kept = history.messages();
    assert!(kept.len() <= 5 && matches!(kept.last(), Some(Message::Results { .. })), "{}", kept.len());
    assert!(shown.len() < 60_000, "{}", shown.len());
    assert_eq!(history.calls.len(), 10, "verdicts of all calls still count");
}

#[test]
fn the_same_listing_again_is_told_once() {
    let mut book = Book::new();
    book.request("look again and again");
    book.step(&Step::Skill { name: "list-resources".into() });
    for _ in 0..3 {
        book.call("list_testcases", json!({}), &["id=login file=tests/login.yaml"]);
    }
    book.step(&Step::CallsFolded);
    let shown = texts(&book.history());
    assert_eq!(shown.matches("id=login").count(), 1, "{shown}");
    assert!(shown.contains("the same as above"), "{shown}");
}
