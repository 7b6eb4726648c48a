//! Tools from a shell: the same acts and answers as the verbs, with arguments as JSON.

use crate::context::Context;

#[test]
fn a_tool_answers_as_its_verb_does() {
    let context = Context::on("/login");
    assert_eq!(context.ok(&["tool", "title"]), context.ok(&["title"]));
    assert_eq!(
        context.ok(&["tool", "count", r#"{"target": "css=input"}"#]),
        context.ok(&["count", "css=input"])
    );
    let found = context.json(&["tool", "find-all", r#"{"target": "css=input", "limit": 1}"#]);
    assert_eq!(found["data"], context.json(&["find-all", "css=input", "--limit", "1"])["data"]);
    context.ok(&["tool", "wait", r#"{"for": "load"}"#]);
}

#[test]
fn wrong_arguments_are_named_and_do_nothing() {
    let context = Context::on("/login");
    for (arguments, part) in [
        (&["tool", "click", r#"{"targt": "e1"}"#][..], "unknown argument `targt`"),
        (&["tool", "fill", r#"{"target": "e1"}"#], "`fill` needs `text`"),
        (&["tool", "click", "[1]"], "a JSON object"),
        (&["tool", "click", "{"], "not valid JSON"),
        (&["tool", "press-all"], "there is no tool `press-all`"),
    ] {
        let said = context.fails(2, arguments);
        assert!(said.contains(part), "{arguments:?}: {said}");
    }
}

#[test]
fn tools_are_listed_with_the_schemas_of_their_arguments() {
    let context = Context::new();
    let listed = context.json(&["tools"]);
    let tools = listed["data"]["tools"].as_array().unwrap();
    let click = tools.iter().find(|tool| tool["name"] == "click").unwrap();
    assert_eq!(click["inputSchema"]["required"], serde_json::json!(["target"]));
    assert_eq!(click["annotations"]["readOnlyHint"], false);
    assert!(tools.len() > 50, "{}", tools.len());
}
