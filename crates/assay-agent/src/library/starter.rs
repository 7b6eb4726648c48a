//! The file that a new skill begins with.

/// A skill that can be loaded as it is, with what to change in comments.
pub fn starter(name: &str) -> String {
    let words = name.replace('-', " ");
    format!(
        "name: {name}
version: 1.0.0
description: List the tests and scripts of the project
# A request that says one of these loads the skill.
triggers:
  - {words}
# For a model that works with the skill. Without a model, `workflow` does the work.
system_prompt: |
  List tests and scripts.
  1. list_testcases(contains)
  2. list_scripts()
  RESPONSE FORMAT: one line a test, then how many scripts there are.
# Two to eight; `assay tools` lists them.
tools:
  - list_testcases
  - list_scripts
platform: null
requires_device: false
timeout_seconds: 600
# What the workflow takes from a request.
slots:
  words: {{kind: text, after: [with, about]}}
workflow:
  - tool: list_testcases
    with: {{contains: \"{{words}}\"}}
  - tool: list_scripts
answer:
  - each: list_testcases.tests
    say: \"- {{item.id}}\"
    none: There is no such test.
  - \"{{list_scripts.scripts|count}} scripts\"
"
    )
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn a_new_skill_can_be_loaded() {
        let tools = crate::tool_shapes();
        let skill = assay_suite::parse_skill(&starter("nightly-check"), Path::new("x.yaml"), &tools).unwrap();
        assert_eq!((skill.name.as_str(), skill.workflow.len()), ("nightly-check", 2));
        assert_eq!(skill.triggers, ["nightly check"]);
    }
}
