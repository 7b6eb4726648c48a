//! Goals that assay carries out by itself in a session.

use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use assay_testkit::{Request, Response, Server};
use serde_json::Value;

use crate::context::Context;

/// A shop with a navigation, orders that can be cancelled, and two lamps of one name.
struct Shop {
    server: Server,
    cancelled: Arc<AtomicUsize>,
}

const MENU: &str = "<nav><a href=/>Home</a> <a href=/orders>Orders</a> <a href=/account>Account</a></nav>";

impl Shop {
    fn open() -> Shop {
        let cancelled = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&cancelled);
        let page = |title: &str, body: &str| {
            Response::html(format!("<!doctype html><title>{title}</title>{MENU}<h1>{title}</h1>{body}"))
        };
        let server = Server::start(move |request: &Request| match request.path.as_str() {
            "/" => page(
                "Shop",
                "<p>Lamp <button>Add to cart</button></p><p>Desk <button>Add to cart</button></p>",
            ),
            "/orders" => page(
                "Your orders",
                "<form method=post action=/cancel><button>Cancel order 17</button></form>",
            ),
            "/cancel" => {
                counted.fetch_add(1, Ordering::SeqCst);
                page("Your orders", "<p role=status>Order 17 was cancelled</p>")
            }
            "/account" => page("Account", "<label>Name <input value=Ada></label>"),
            _ => Response::status(404),
        });
        Shop { server, cancelled }
    }

    fn cancelled(&self) -> usize {
        self.cancelled.load(Ordering::SeqCst)
    }
}

fn exported(context: &Context) -> Value {
    serde_json::from_str(&context.ok(&["task", "export"])).unwrap()
}

fn statuses(context: &Context) -> Vec<String> {
    let state = exported(context);
    let subtasks = state["taskContext"]["subtasks"].as_array().unwrap();
    subtasks.iter().map(|subtask| subtask["status"].as_str().unwrap().to_string()).collect()
}

#[test]
fn a_goal_is_carried_out_part_by_part_and_finds_its_way_through_the_navigation() {
    let (context, shop) = (Context::new(), Shop::open());
    let goal = format!(
        "Go to {}, then click the \"Cancel order 17\" button. The text \"Order 17 was cancelled\" is shown.",
        shop.server.url("/")
    );
    let said = context.run(&["task", "start", &goal]);
    assert_eq!(said.code, 0, "{}\n{}", said.out, said.err);
    assert!(said.err.contains("by way of link \"Orders\""), "{}", said.err);
    assert!(said.out.contains("every part of the goal is done"), "{}", said.out);
    assert_eq!(shop.cancelled(), 1);
    assert_eq!(statuses(&context), ["done", "done", "done"]);
    let state = exported(&context);
    assert_eq!(state["taskContext"]["status"], "finished");
    let acts: Vec<&str> = state["actionHistory"]
        .as_array()
        .unwrap()
        .iter()
        .map(|act| act["command"].as_str().unwrap())
        .collect();
    assert_eq!(acts.len(), 3, "{acts:?}");
    assert!(state["taskContext"]["relevantTabs"].to_string().contains("/cancel"), "{state:#}");
    assert_eq!(state["taskContext"]["errors"].as_array().unwrap().len(), 1, "{state:#}");
    assert!(state["taskContext"]["collectedData"]["subtask 3"]["url"].as_str().unwrap().ends_with("/cancel"));
}

#[test]
fn a_claim_that_does_not_hold_fails_and_can_be_judged_again() {
    let (context, shop) = (Context::new(), Shop::open());
    context.ok(&["go", &shop.server.url("/account")]);
    let said = context.run(&["task", "start", "The heading is \"Billing\". Click the \"Orders\" link."]);
    assert_eq!(said.code, 1, "{}\n{}", said.out, said.err);
    assert_eq!(statuses(&context), ["failed", "pending"]);
    assert!(context.ok(&["url"]).ends_with("/account"), "nothing is done after a failure");
    // By hand the page becomes as it should be.
    context.ok(&["eval", "document.querySelector('h1').textContent = 'Billing'"]);
    let said = context.run(&["task", "resume"]);
    assert_eq!(said.code, 0, "{}\n{}", said.out, said.err);
    assert!(context.ok(&["url"]).ends_with("/orders"));
}

#[test]
fn what_may_mean_several_elements_is_asked_and_left_out_on_demand() {
    let (context, shop) = (Context::new(), Shop::open());
    context.ok(&["go", &shop.server.url("/")]);
    let said =
        context.run(&["task", "start", "Click the \"Add to cart\" button. Click the \"Account\" link."]);
    assert_eq!(said.code, 3, "{}\n{}", said.out, said.err);
    assert_eq!(said.out.matches("- button \"Add to cart\"").count(), 2, "{}", said.out);
    assert!(context.ok(&["task", "list"]).contains("paused"));
    let said = context.run(&["task", "resume", "--skip"]);
    assert_eq!(said.code, 0, "{}\n{}", said.out, said.err);
    assert!(context.ok(&["url"]).ends_with("/account"));
}

#[test]
fn a_goal_that_nothing_on_the_page_serves_is_a_question_and_does_nothing() {
    let (context, shop) = (Context::new(), Shop::open());
    context.ok(&["go", &shop.server.url("/account")]);
    let said = context.run(&["task", "start", "Translate the manual into Latin", "--json"]);
    assert_eq!(said.code, 3, "{}\n{}", said.out, said.err);
    let answer: Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!((&answer["ok"], &answer["data"]["end"]), (&Value::Bool(false), &Value::from("asks")));
    assert_eq!(answer["data"]["state"]["actionHistory"].as_array().unwrap().len(), 0);
    assert!(context.ok(&["url"]).ends_with("/account"));
}

#[test]
fn a_worker_that_was_killed_is_continued_and_no_part_is_done_twice() {
    let (context, shop) = (Context::new(), Shop::open());
    context.ok(&["go", &shop.server.url("/orders")]);
    let goal = "Click the \"Cancel order 17\" button. Wait 60 seconds. Click the \"Account\" link.";
    let mut command = context.command(&["task", "start", goal]);
    let mut worker = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    while shop.cancelled() == 0 || statuses(&context)[0] != "done" {
        std::thread::sleep(Duration::from_millis(30));
    }
    let busy = context.fails(2, &["task", "resume", "1"]);
    assert!(busy.contains("task 1 is running"), "{busy}");
    worker.kill().unwrap();
    worker.wait().unwrap();
    let said = context.run(&["task", "resume", "--skip"]);
    assert_eq!(said.code, 0, "{}\n{}", said.out, said.err);
    assert_eq!(shop.cancelled(), 1);
    assert_eq!(statuses(&context), ["done", "done", "done"]);
}

#[test]
fn a_state_is_exported_where_nothing_was_done_yet() {
    let context = Context::new();
    let state = exported(&context);
    assert_eq!(state, serde_json::json!({ "taskContext": {}, "actionHistory": [] }));
    let sent: Value =
        serde_json::from_str(&context.ok(&["task", "send", r#"{"type":"GET_STATE"}"#])).unwrap();
    let parts = ["taskContext", "actionHistory"];
    assert_eq!(parts.map(|part| &sent[part]), parts.map(|part| &state[part]), "{sent}");
    let unknown = context.fails(2, &["task", "export", "7"]);
    assert!(unknown.contains("task 7"), "{unknown}");
}

#[test]
fn wrong_words_start_nothing() {
    let context = Context::new();
    for (arguments, part) in [
        (&["task", "start", " . "][..], "says nothing to do"),
        (&["task", "start", "Click \"A\"", "--seconds", "0"], "--seconds"),
        (&["task", "start", "Click \"A\"", "--seconds", "soon"], "soon"),
    ] {
        let said = context.fails(2, arguments);
        assert!(said.contains(part), "{arguments:?}: {said}");
    }
    assert!(!context.ok(&["task", "export"]).contains("status"));
}
