//! Whether the user's own words ask for what a model is about to do. Pages, files and results of tools are read on the way
//! and may give orders of their own; only words of the user count. Pure.

use assay_suite::{Argument, Skill, TemplatePart, WorkflowStep};
use assay_tools::{Group, Tool};
use serde_json::Value;

use crate::matching::{stem, words_of};

/// Words for each kind of act, by the first word of a tool's name.
const ACTS: &[(&[&str], &[&str])] = &[
    (
        &["create", "generate", "save", "add", "record"],
        &[
            "create", "add", "new", "write", "make", "generate", "save", "record", "need", "want", "draft",
            "define", "build", "store", "keep", "set", "enter", "missing", "fix", "change", "update", "edit",
            "mend", "extend", "register",
        ],
    ),
    (
        &["link", "assign", "attach"],
        &[
            "link",
            "cover",
            "connect",
            "attach",
            "tie",
            "assign",
            "map",
            "trace",
            "associate",
            "belong",
            "join",
            "relate",
            "prove",
            "mark",
        ],
    ),
    (&["unlink"], &["unlink", "detach", "remove", "separate", "disconnect", "untie"]),
    (
        &["delete", "remove", "discard", "clear", "close"],
        &["delete", "remove", "discard", "drop", "clear", "clean", "tidy", "close", "erase"],
    ),
    (
        &["update", "edit", "set", "change", "rename", "move"],
        &["update", "edit", "set", "change", "rename", "move", "fix", "mend", "correct", "adapt"],
    ),
    (&["accept", "approve"], &["accept", "approve", "take", "confirm"]),
    (&["heal", "repair"], &["heal", "repair", "fix", "mend"]),
];

/// Words in a line that point back to the request before it.
const POINTS_BACK: &[&str] = &[
    "it", "that", "this", "them", "those", "again", "same", "both", "yes", "ok", "okay", "sure", "now",
    "please",
];

/// Whether a tool does something that outlives the browsers of a turn: programs, files of the project, any command.
pub fn outlives_browsers(tool: &Tool) -> bool {
    match tool.group {
        Group::Browser | Group::Devices | Group::Navigation => false,
        Group::CommandLine => true,
        // A test acts in a browser of its own, as it is written.
        Group::Tests
        | Group::Runs
        | Group::Planning
        | Group::Heals
        | Group::History
        | Group::Requirements
        | Group::Scripts => !tool.effects.reads_only && tool.name != "execute_testcase",
    }
}

/// Whether these words, all of them the user's, ask for the call.
pub fn is_asked_for(tool: &Tool, arguments: &Value, request: &str, before: Option<&str>) -> bool {
    let own = keys(request);
    let points_back = request.split_whitespace().count() <= 3
        || words_of(request).iter().any(|word| POINTS_BACK.contains(&word.as_str()));
    let earlier = before.filter(|_| points_back).map(keys).unwrap_or_default();
    let said: Vec<String> = own.into_iter().chain(earlier).collect();
    let says = |word: &str| said.contains(&stem(word));
    if let Some(script) = arguments.get("script").and_then(Value::as_str) {
        return keys(script).iter().any(|key| key.len() > 2 && said.contains(key));
    }
    let name: Vec<&str> = tool.name.split('_').collect();
    let Some(first) = name.first() else { return false };
    let is_act = says(first)
        || ACTS.iter().any(|(tools, words)| tools.contains(first) && words.iter().any(|word| says(word)));
    let names_a_code = arguments
        .get("code")
        .and_then(Value::as_str)
        .is_some_and(|code| request.to_lowercase().contains(&code.to_lowercase()));
    // A thing by its noun, or by the name that the call gives it.
    let values = arguments.as_object().into_iter().flat_map(|fields| fields.values());
    let names_a_value =
        values.filter_map(Value::as_str).flat_map(keys).any(|key| key.len() > 2 && said.contains(&key));
    let noun = name[1..].iter().any(|word| says(word) || says(word.trim_end_matches("case")));
    is_act && (noun || names_a_value || names_a_code)
}

/// Whether the request says a trigger of the skill, and the skill's workflow has this very call, as it is written there.
pub fn is_part_of(skill: &Skill, tool: &Tool, arguments: &Value, request: &str) -> bool {
    let said = keys(request);
    let is_called = skill.triggers.iter().map(|trigger| keys(trigger)).any(|trigger| {
        !trigger.is_empty() && said.windows(trigger.len()).any(|words| words == trigger.as_slice())
    });
    let given = arguments.as_object();
    let is_it = |step: &&WorkflowStep| {
        step.tool == tool.name
            && given.is_some_and(|given| {
                given.iter().all(|(name, value)| {
                    let written = step.arguments.iter().find(|(known, _)| known == name);
                    written.is_some_and(|(_, written)| is_fixed(written, value))
                })
            })
    };
    is_called && skill.workflow.iter().any(|step| is_it(&step))
}

/// Whether an argument has exactly this value, whatever was found before.
fn is_fixed(written: &Argument, value: &Value) -> bool {
    match written {
        Argument::Fixed(fixed) => fixed == value,
        Argument::Text(template) => {
            matches!(template.parts.as_slice(), [TemplatePart::Text(text)] if value == text.as_str())
        }
        Argument::List(_) => false,
    }
}

fn keys(text: &str) -> Vec<String> {
    words_of(text).iter().map(|word| stem(word)).collect()
}

#[cfg(test)]
mod tests {
    use assay_tools::find_tool;
    use serde_json::json;

    use super::*;

    fn check(tool: &str, arguments: &Value, request: &str) -> bool {
        is_asked_for(find_tool(tool).unwrap(), arguments, request, None)
    }

    #[test]
    fn what_the_user_said_is_asked_for() {
        let wipe = json!({ "script": "wipe_bookings", "parameters": { "room": "all" } });
        assert!(check("execute_script", &wipe, "wipe the bookings of all rooms"));
        assert!(check("execute_script", &json!({ "script": "goto" }), "Run goto script on chromium"));
        let new = json!({ "code": "REQ-2", "name": "Pay" });
        assert!(check("create_requirement", &new, "add a requirement: people pay"));
        assert!(check("create_requirement", &new, "we need REQ-2, people pay"));
        let link = json!({ "requirement": "REQ-1", "testcase": "login_page" });
        assert!(check("link_testcase_to_requirement", &link, "it covers REQ-1"));
        assert!(check("save_testcase", &json!({ "path": "tests/new.yaml" }), "write a test for the login"));
    }

    #[test]
    fn what_a_page_said_is_not() {
        let wipe = json!({ "script": "wipe_bookings", "parameters": { "room": "all" } });
        assert!(!check("execute_script", &wipe, "look at the page in session:pg and note its screens"));
        assert!(!check(
            "create_requirement",
            &json!({ "code": "X-1", "name": "X" }),
            "which requirements are there"
        ));
        assert!(!check("save_testcase", &json!({ "path": "tests/new.yaml" }), "list the tests"));
    }

    #[test]
    fn a_line_that_points_back_stands_for_the_request_before_it() {
        let tool = find_tool("execute_script").unwrap();
        let goto = json!({ "script": "goto" });
        assert!(is_asked_for(tool, &goto, "and again please", Some("run goto")));
        assert!(!is_asked_for(tool, &goto, "look at the page in session one and describe", Some("run goto")));
    }

    #[test]
    fn tests_and_looks_outlive_no_browser() {
        for (tool, outlives) in [
            ("execute_testcase", false),
            ("list_scripts", false),
            ("take_control", false),
            ("explore_interface", false),
            ("execute_script", true),
            ("create_requirement", true),
            ("save_testcase", true),
        ] {
            assert_eq!(outlives_browsers(find_tool(tool).unwrap()), outlives, "{tool}");
        }
    }
}
