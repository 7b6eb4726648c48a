//! Selections of tools, by what they cost a reader of the list.

use crate::tool::{Group, Tool};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Profile {
    /// One tool that takes command lines.
    Cli,
    /// The verbs that most tasks need.
    Browser,
    /// Writing, running and mending tests.
    Tests,
    /// What agents that watch over tests and devices need, by the names that they know.
    Agents,
    All,
}

impl Profile {
    pub const ALL: [Profile; 5] =
        [Profile::Cli, Profile::Browser, Profile::Tests, Profile::Agents, Profile::All];

    pub fn name(self) -> &'static str {
        match self {
            Profile::Cli => "cli",
            Profile::Browser => "browser",
            Profile::Tests => "tests",
            Profile::Agents => "agents",
            Profile::All => "all",
        }
    }

    pub fn named(name: &str) -> Option<Profile> {
        Profile::ALL.into_iter().find(|profile| profile.name() == name)
    }

    pub(crate) fn holds(self, tool: &Tool) -> bool {
        match self {
            Profile::Cli => tool.group == Group::CommandLine,
            Profile::Browser => USUAL_VERBS.contains(&tool.name),
            Profile::Tests => {
                matches!(
                    tool.group,
                    Group::Tests
                        | Group::Runs
                        | Group::Heals
                        | Group::History
                        | Group::Planning
                        | Group::Requirements
                        | Group::Scripts
                ) || TO_WRITE_TESTS.contains(&tool.name)
            }
            Profile::Agents => {
                matches!(
                    tool.group,
                    Group::Devices | Group::Requirements | Group::Scripts | Group::Navigation
                ) || FOR_AGENTS.contains(&tool.name)
            }
            Profile::All => tool.group != Group::CommandLine,
        }
    }
}

const USUAL_VERBS: &[&str] = &[
    "go",
    "back",
    "map",
    "text",
    "click",
    "fill",
    "type",
    "press",
    "select",
    "check",
    "uncheck",
    "hover",
    "scroll",
    "drag",
    "upload",
    "dialog",
    "wait",
    "screenshot",
    "tabs",
    "tab-switch",
    "eval",
    "console",
    "network",
    "do",
];

/// What an author of tests looks at and tries.
const TO_WRITE_TESTS: &[&str] = &["go", "map", "do", "screenshot", "list_nodes", "navigate_to_node"];

pub(crate) const FOR_AGENTS: &[&str] = &[
    "dump_ui_elements",
    "capture_screenshot",
    "do",
    "execute_testcase",
    "list_testcases",
    "load_testcase",
    "save_testcase",
    "generate_and_save_testcase",
    "get_execution_status",
    "list_runs",
    "list_flaky_testcases",
    "get_testcase_history",
];
