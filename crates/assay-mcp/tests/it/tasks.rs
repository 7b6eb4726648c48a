//! Work that goes on as a task, for clients that follow tasks.

use serde_json::{Value, json};

use crate::context::{Streams, meta, modern_call, text};

fn follows() -> Value {
    json!({"extensions": {"io.modelcontextprotocol/tasks": {}}, "elicitation": {"form": {}}})
}

fn of_task(streams: &mut Streams, method: &str, id: &str, more: Value) -> Value {
    let mut params = json!({"taskId": id, "_meta": meta(follows())});
    params.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    streams.ask("look", method, params)
}

fn begun(streams: &mut Streams, tool: &str, arguments: Value) -> String {
    let answer = streams.ask("begin", "tools/call", modern_call(tool, arguments, follows()));
    assert_eq!(answer["result"]["resultType"], "task", "{answer}");
    answer["result"]["taskId"].as_str().unwrap().to_string()
}

#[test]
fn a_cancelled_task_stops() {
    let mut streams = Streams::start();
    let id = begun(&mut streams, "test_wait", json!({"name": "t"}));
    assert_eq!(of_task(&mut streams, "tasks/get", &id, json!({}))["result"]["status"], "working");
    assert_eq!(of_task(&mut streams, "tasks/cancel", &id, json!({}))["result"]["resultType"], "complete");
    let stopped = modern_call("test_stopped", json!({"name": "t"}), json!({}));
    assert_eq!(text(&streams.ask(1, "tools/call", stopped)), "stopped");
    assert_eq!(of_task(&mut streams, "tasks/get", &id, json!({}))["result"]["status"], "cancelled");
}

#[test]
fn a_task_asks_and_goes_on_with_the_answer() {
    let mut streams = Streams::start();
    let id = begun(&mut streams, "confirm_delete", json!({"filename": "a.txt"}));
    let status = |streams: &mut Streams, wanted: &str| loop {
        let task = of_task(streams, "tasks/get", &id, json!({}))["result"].take();
        if task["status"] == wanted {
            return task;
        }
    };
    let asking = status(&mut streams, "input_required");
    assert_eq!(asking["inputRequests"]["answer"]["params"]["message"], "Delete a.txt?", "{asking}");
    let answers = json!({"inputResponses": {"other": {}, "answer": {"action": "decline"}}});
    of_task(&mut streams, "tasks/update", &id, answers);
    let task = status(&mut streams, "completed");
    assert_eq!(task["result"]["content"][0]["text"], "kept a.txt", "{task}");
}

#[test]
fn who_does_not_follow_tasks_waits_and_has_none() {
    let mut streams = Streams::start();
    let waited = streams.ask(1, "tools/call", modern_call("slow_compute", json!({}), json!({})));
    assert_eq!(text(&waited), "computed");
    let refused = streams.ask(2, "tasks/get", json!({"taskId": "x", "_meta": meta(json!({}))}));
    assert_eq!(refused["error"]["code"], -32021, "{refused}");
    let unknown = of_task(&mut streams, "tasks/get", "x", json!({}));
    assert_eq!(unknown["error"]["code"], -32602, "{unknown}");
    let mut greeted = Streams::greeted(follows());
    assert_eq!(text(&greeted.call("3", "slow_compute", json!({}))), "computed", "there were no tasks before");
}

#[test]
fn tasks_end_with_their_server() {
    let mut streams = Streams::start();
    begun(&mut streams, "test_wait", json!({"name": "t"}));
    assert!(streams.end().0);
}
