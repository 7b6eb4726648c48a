//! The verbs of the browser as tools, made from the catalogue of actions.

use assay_protocol::actions::{ACTIONS, ActionEntry, EffectClass};
use serde_json::{Map, Value};

use crate::tool::{Cost, Does, Effects, Group, Tool};

pub(crate) fn tools() -> impl Iterator<Item = Tool> {
    ACTIONS.iter().map(|entry| tool_of(entry)).chain(SYNONYMS.iter().filter_map(synonym))
}

fn tool_of(entry: &'static ActionEntry) -> Tool {
    let reads = entry.effect == EffectClass::Reads;
    Tool {
        name: entry.name(),
        title: title_of(entry.name()),
        description: for_tools(entry.syntax.summary),
        input: input_of(entry),
        output: None,
        effects: Effects {
            reads_only: reads,
            destroys: entry.effect == EffectClass::Commits,
            is_idempotent: reads,
            is_open_world: true,
        },
        group: Group::Browser,
        cost: if reads { Cost::Quick } else { Cost::Moderate },
        says: None,
        shows_first: None,
        does: Does::Act(entry),
    }
}

/// A name as words: `tab-switch` is `Tab switch`. A name lives as long as the catalogue, and so does its title.
fn title_of(name: &'static str) -> &'static str {
    let words = name.replace(['-', '_'], " ").replace("ui", "UI");
    let mut letters = words.chars();
    let title = letters.next().map(|first| first.to_uppercase().chain(letters).collect::<String>());
    title.map_or(name, |title| Box::leak(title.into_boxed_str()))
}

/// A summary without what only a command line has: flags, and standard input.
fn for_tools(summary: &'static str) -> &'static str {
    let of_lines = ["; - reads", " (30 s unless --"];
    let ends = of_lines.iter().filter_map(|words| summary.find(words)).min();
    ends.map_or(summary, |end| &summary[..end])
}

pub(crate) const SCREENSHOT: &str = "screenshot";
pub(crate) const PATH: &str = "path";

/// A screenshot needs no file: its caller sees it.
fn input_of(entry: &ActionEntry) -> Map<String, Value> {
    let mut input = object(entry.tool_parameters());
    if entry.name() == SCREENSHOT
        && let Some(Value::Array(required)) = input.get_mut("required")
    {
        required.retain(|name| name != PATH);
    }
    input.retain(|key, value| key != "required" || value.as_array().is_none_or(|names| !names.is_empty()));
    input
}

/// Names under which agents may know a verb.
struct Synonym {
    name: &'static str,
    verb: &'static str,
    description: &'static str,
}

const SYNONYMS: &[Synonym] = &[
    Synonym {
        name: "dump_ui_elements",
        verb: "map",
        description: "List the elements of the page that can be acted on, with refs",
    },
    Synonym {
        name: "capture_screenshot",
        verb: "screenshot",
        description: "Take a screenshot of the page or of an element",
    },
];

fn synonym(synonym: &'static Synonym) -> Option<Tool> {
    let entry = ACTIONS.iter().find(|entry| entry.name() == synonym.verb)?;
    Some(Tool {
        name: synonym.name,
        title: title_of(synonym.name),
        description: synonym.description,
        ..tool_of(entry)
    })
}

pub(crate) fn object(schema: Value) -> Map<String, Value> {
    match schema {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::call::plain_action;
    use crate::catalogue::find_tool;

    #[test]
    fn a_title_is_the_name_in_words() {
        let titles = ["go", "tab-switch", "dump_ui_elements"].map(|name| find_tool(name).unwrap().title);
        assert_eq!(titles, ["Go", "Tab switch", "Dump UI elements"]);
    }

    #[test]
    fn one_distance_is_enough_to_scroll() {
        let scroll = find_tool("scroll").unwrap();
        for given in [json!({ "to": "by", "y": 300 }), json!({ "to": "by", "x": 40 })] {
            assert!(plain_action(scroll, given.as_object().unwrap()).is_some(), "{given}");
        }
    }
}
