//! The accepted parts of a server: tools that declare themselves read-only, and arguments that cannot write.

use assay_mcp::ToolOffer;
use assay_pilot::OutsideTool;
use serde_json::{Map, Value, json};

/// Tools that are known, with the arguments that are passed on. Some can write what they read to a file; that is not
/// among them.
const KNOWN: &[(&str, &[&str])] = &[
    ("browser_snapshot", &["target", "depth"]),
    ("browser_find", &["text", "regex"]),
    ("browser_console_messages", &["level", "all"]),
    ("browser_network_requests", &["static", "filter"]),
];
/// No argument with this name is passed on, for any tool.
const NEVER: &[&str] = &["filename", "file", "path", "paths", "output"];

/// The tool as it is offered to a model, if it is taken. `named` are those that the project names.
pub fn taken(tool: &ToolOffer, named: &[String]) -> Option<OutsideTool> {
    let name = tool.name.as_str();
    if !tool.read_only || name.len() > 50 || !name.chars().all(is_of_name) {
        return None;
    }
    let known = KNOWN.iter().find(|(known, _)| *known == name).map(|(_, arguments)| *arguments);
    if known.is_none() && !named.iter().any(|own| own == name) {
        return None;
    }
    let is_passed = |argument: &str| match known {
        Some(arguments) => arguments.contains(&argument),
        None => !NEVER.contains(&argument),
    };
    let schema = &tool.input_schema;
    let properties: Map<String, Value> = schema
        .get("properties")
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
        .filter(|(argument, _)| is_passed(argument))
        .map(|(argument, about)| (argument.clone(), about.clone()))
        .collect();
    let required: Vec<&Value> = schema
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter(|argument| argument.as_str().is_some_and(is_passed))
        .collect();
    Some(OutsideTool {
        name: name.to_string(),
        description: tool.description.clone(),
        schema: json!({
            "type": "object",
            "properties": properties,
            "required": required,
            "additionalProperties": false,
        }),
    })
}

/// Whether a call keeps to what was offered.
pub fn check(input: &Value, tool: &OutsideTool) -> Result<(), String> {
    let Some(arguments) = input.as_object() else {
        return Err("expected an object as arguments".to_string());
    };
    match arguments.keys().find(|argument| tool.schema["properties"].get(argument.as_str()).is_none()) {
        Some(argument) => Err(format!("`{}` takes no `{argument}`", tool.name)),
        None => Ok(()),
    }
}

/// The number of the one tab that shows this page, from a list such as `- 1: (current) [Shop](http://shop.test/)`.
pub fn tab_showing(list: &str, page: &str) -> Option<u64> {
    let mut showing = list.lines().filter_map(|line| {
        let (index, rest) = line.trim().strip_prefix("- ")?.split_once(':')?;
        rest.trim_end().ends_with(&format!("]({page})")).then(|| index.parse().ok())?
    });
    let first = showing.next()?;
    showing.next().is_none().then_some(first)
}

/// Whether every provider accepts the name of a tool.
fn is_of_name(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_' || letter == '-'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tool(name: &str, read_only: bool) -> ToolOffer {
        let schema = json!({
            "type": "object",
            "properties": {"depth": {"type": "number"}, "filename": {"type": "string"}},
            "required": ["filename"],
        });
        let input_schema = schema.as_object().unwrap().clone();
        ToolOffer { name: name.to_string(), description: "…".to_string(), input_schema, read_only }
    }

    #[test]
    fn only_what_reads_is_taken_and_never_what_writes_files() {
        let snapshot = taken(&tool("browser_snapshot", true), &[]).unwrap();
        assert_eq!(snapshot.schema["properties"], json!({"depth": {"type": "number"}}));
        assert_eq!(snapshot.schema["required"], json!([]));
        assert_eq!(check(&json!({"depth": 3}), &snapshot), Ok(()));
        assert!(check(&json!({"filename": "/etc/passwd"}), &snapshot).is_err());
        assert_eq!(taken(&tool("browser_snapshot", false), &[]), None, "it does not say that it only reads");
        assert_eq!(taken(&tool("browser_click", false), &["browser_click".to_string()]), None);
        assert_eq!(taken(&tool("styles", true), &[]), None, "nobody named it");
        let named = taken(&tool("styles", true), &["styles".to_string()]).unwrap();
        assert!(named.schema["properties"].get("filename").is_none());
    }

    #[test]
    fn the_tab_of_the_page_is_told_from_others() {
        let list = "### Result\n- 0: (current) [](about:blank)\n- 1: [A (b)](http://a.test/?x=(1))\n- 2: [C](http://c.test/)";
        assert_eq!(tab_showing(list, "http://a.test/?x=(1)"), Some(1));
        assert_eq!(tab_showing(list, "http://a.test/"), None);
        assert_eq!(tab_showing("- 0: [A](x:1)\n- 1: [A](x:1)", "x:1"), None, "two show it");
    }
}
