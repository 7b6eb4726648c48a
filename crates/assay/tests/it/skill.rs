//! The skill: its size, its format, and that its commands exist.

use crate::context::Context;

#[test]
fn the_skill_is_short_and_has_the_promised_format() {
    let context = Context::new();
    let text = context.ok(&["skill", "show", "assay"]);
    let rest = text.strip_prefix("---\n").unwrap();
    let (front, body) = rest.split_once("\n---\n").unwrap();
    assert!(front.lines().any(|line| line == "name: assay"));
    let description = front.lines().find_map(|line| line.strip_prefix("description: ")).unwrap();
    assert!((1..=1024).contains(&description.len()) && !description.contains(['<', '>']), "{description}");
    for line in front.lines().filter(|line| !line.starts_with(' ')) {
        let key = line.split(':').next().unwrap();
        assert!(
            ["name", "description", "license", "compatibility", "metadata", "allowed-tools"].contains(&key),
            "{key} is no key of the format"
        );
    }
    assert!(body.lines().count() < 500);
    // Chapters are shown on demand.
    for line in context.ok(&["skill", "list"]).lines() {
        let name = line.split_whitespace().next().unwrap();
        assert!(!context.ok(&["skill", "show", name]).is_empty());
    }
    assert!(context.fails(2, &["skill", "show", "cooking"]).contains("there is no chapter `cooking`"));
}

/// Every command in every fenced block is one that the binary understands.
#[test]
fn the_commands_of_the_skill_exist() {
    let context = Context::new();
    let mut checked = 0;
    for line in context.ok(&["skill", "list"]).lines() {
        let name = line.split_whitespace().next().unwrap();
        let mut fenced = false;
        for line in context.ok(&["skill", "show", name]).lines() {
            if line.starts_with("```") {
                fenced = !fenced;
                continue;
            }
            let command = line.trim_start().trim_start_matches("$ ");
            if fenced && command.starts_with("assay ") {
                let verb = command.split_whitespace().nth(1).unwrap();
                if !verb.starts_with('-') {
                    context.ok(&[verb, "--help"]);
                    checked += 1;
                }
            }
        }
    }
    assert!(checked > 10, "{checked}");
}

#[test]
fn the_skill_is_installed_where_agents_look() {
    let context = Context::new();
    let said = context.ok(&["skill", "install"]);
    assert_eq!(said.lines().count(), 2, "{said}");
    for folder in [".claude/skills/assay", ".agents/skills/assay"] {
        assert!(context.folder().join(folder).join("SKILL.md").exists());
        for chapter in ["targets", "answers", "sessions", "tests", "healing", "ci", "troubles"] {
            assert!(context.folder().join(folder).join(format!("references/{chapter}.md")).exists());
        }
    }
    context.ok(&["skill", "install", "--user", "--agent", "goose"]);
    assert!(context.folder().join(".config/goose/skills/assay/SKILL.md").exists());
    assert!(context.fails(2, &["skill", "install", "--agent", "clippy"]).contains("expected an agent"));
}
