//! Mistakes in the files of agents and skills, with their positions.

use std::path::Path;

use serde_json::json;

use super::{ToolShape, parse_agent, parse_skill};

fn tools() -> Vec<ToolShape> {
    let device = json!({"properties": {"device": {}, "host": {}}, "required": ["device"]});
    vec![
        ToolShape { name: "list_hosts".to_string(), ..ToolShape::default() },
        ToolShape::of_schema("get_device_info", &device),
        ToolShape { name: "execute_testcase".to_string(), ..ToolShape::default() },
    ]
}

const SKILL: &str = "name: look\ndescription: Looks\ntriggers: [look]\nsystem_prompt: Look.\ntools: [list_hosts, get_device_info]\n";

#[track_caller]
fn check_skill(text: &str, expected: &str) {
    let found = match parse_skill(text, Path::new("s.yaml"), &tools()) {
        Ok(skill) => format!("{} {}", skill.name, skill.tools.len()),
        Err(problems) => problems
            .iter()
            .map(|problem| {
                let place = problem.position.map(|place| place.to_string()).unwrap_or_default();
                let hint = problem.hint().map(|hint| format!(" ({hint})")).unwrap_or_default();
                format!("{place} {}{hint}", problem.mistake)
            })
            .collect::<Vec<_>>()
            .join("; "),
    };
    assert_eq!(found, expected);
}

#[track_caller]
fn check_agent(text: &str, expected: &str) {
    let found = match parse_agent(text, Path::new("a.yaml"), &["look", "run-testcase"]) {
        Ok(agent) => format!("{} {}", agent.id, agent.skills.join(",")),
        Err(problems) => problems
            .iter()
            .map(|problem| {
                let place = problem.position.map(|place| place.to_string()).unwrap_or_default();
                let hint = problem.hint().map(|hint| format!(" ({hint})")).unwrap_or_default();
                format!("{place} {}{hint}", problem.mistake)
            })
            .collect::<Vec<_>>()
            .join("; "),
    };
    assert_eq!(found, expected);
}

#[test]
fn a_skill_needs_two_to_eight_tools_that_exist() {
    check_skill(SKILL, "look 2");
    check_skill(
        &SKILL.replace("[list_hosts, get_device_info]", "[list_hosts]"),
        "5:8 expected 2 to 8 tools, found 1 (a model works best with a handful: split the skill, or give it another tool)",
    );
    check_skill(
        &SKILL.replace("[list_hosts, get_device_info]", "[list_hosts, get_device_inf]"),
        "5:21 there is no tool `get_device_inf` (did you mean `get_device_info`?)",
    );
    check_skill(
        &SKILL.replace("[list_hosts, get_device_info]", "[list_hosts, list_hosts]"),
        "5:21 the tool `list_hosts` is named twice",
    );
    let nine = "[list_hosts, a, b, c, d, e, f, g, h]";
    let text = SKILL.replace("[list_hosts, get_device_info]", nine);
    let problems = parse_skill(&text, Path::new("s.yaml"), &tools()).unwrap_err();
    assert!(problems.iter().any(|problem| problem.mistake.to_string() == "expected 2 to 8 tools, found 9"));
}

#[test]
fn a_skill_needs_triggers_and_known_keys() {
    check_skill(
        &SKILL.replace("triggers: [look]\n", ""),
        "1:1 expected a skill with `name`, `description`, `triggers`, `system_prompt` and `tools`, found `name`, \
         `description`, `system_prompt`, `tools`",
    );
    check_skill(
        &SKILL.replace("[look]", "[]"),
        "3:11 expected a list of phrases, such as `run testcase`, found a list",
    );
    check_skill(
        &format!("{SKILL}timout_seconds: 3\n"),
        "6:1 unknown key `timout_seconds` (did you mean `timeout_seconds`?)",
    );
    check_skill(
        &format!("{SKILL}timeout_seconds: soon\n"),
        "6:18 expected a whole number from 1 to 86400, found the text `soon`",
    );
    check_skill(
        &format!("{SKILL}platform: phone\n"),
        "6:11 unknown platform `phone` (valid: `web`, `mobile`, `stb`)",
    );
    check_skill(
        &SKILL.replace("name: look", "name: Look!"),
        "1:7 expected a name of at most 64 lower-case letters, digits and `-`, found the text `Look!`",
    );
}

#[test]
fn a_workflow_uses_the_tools_and_slots_of_its_skill() {
    let with = |rest: &str| format!("{SKILL}slots: {{device: {{kind: device}}}}\n{rest}");
    check_skill(&with("workflow: [{tool: get_device_info, with: {device: \"{device}\"}}]\n"), "look 2");
    check_skill(
        &with("workflow: [{tool: execute_testcase}]\n"),
        "7:19 unknown tool of the skill `execute_testcase` (valid: `list_hosts`, `get_device_info`)",
    );
    check_skill(
        &with("workflow: [{tool: get_device_info, with: {device: \"{devise}\"}}]\n"),
        "7:51 unknown placeholder `devise` (did you mean `device`?)",
    );
    check_skill(
        &with("workflow: [{tool: get_device_info, with: {device: \"{device}\", hots: local}}]\n"),
        "7:63 unknown argument of the tool `hots` (did you mean `host`?)",
    );
    check_skill(
        &with("workflow: [{tool: get_device_info, with: {host: local}}]\n"),
        "7:43 expected `with` with the argument `device`, which `get_device_info` needs, found `host`",
    );
    check_skill(
        &with("workflow: [{tool: get_device_info}]\n"),
        "7:13 expected `with` with the argument `device`, which `get_device_info` needs, found `tool`",
    );
    check_skill(
        &with("workflow: [{tool: list_hosts, when: {divice: any}}]\n"),
        "7:38 unknown slot `divice` (did you mean `device`?)",
    );
    check_skill(
        &with("answer: \"{device\"\n"),
        "7:9 expected a placeholder such as `{testcase}` or `{item.name|upper}`, found `{device`",
    );
}

#[test]
fn an_agent_names_skills_and_events() {
    const AGENT: &str = "agent: bee\nnickname: Bee\ndescription: Works\nskills: [look]\n";
    check_agent(AGENT, "bee look");
    check_agent(
        &AGENT.replace("[look]", "[look, run-testcas]"),
        "4:16 unknown skill `run-testcas` (did you mean `run-testcase`?)",
    );
    check_agent(
        &format!("{AGENT}triggers: [{{event: boom}}]\n"),
        "5:20 expected an event such as `alert.app_crash`, or `alert.*`, found the text `boom`",
    );
    check_agent(
        &format!("{AGENT}triggers: [{{event: a.b, priority: urgent}}]\n"),
        "5:35 unknown priority `urgent` (valid: `critical`, `high`, `normal`, `low`)",
    );
    check_agent(
        &format!("{AGENT}config: {{max_parallel_tasks: 0}}\n"),
        "5:30 expected a whole number from 1 to 64, found the number 0",
    );
    check_agent(
        &AGENT.replace("nickname: Bee\n", ""),
        "1:1 expected an agent with `agent`, `nickname`, `description` and `skills`, found `agent`, `description`, `skills`",
    );
}
