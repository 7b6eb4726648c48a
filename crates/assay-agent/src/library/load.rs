//! The library of a project: its own agents and skills over the built-in ones.

use std::path::{Path, PathBuf};

use assay_suite::{Agent, NamedSkills, Problem, Skill, load_agents, parse_agent, parse_skill};
use assay_tools::catalogue;

use super::built_in::{built_in_agent_texts, built_in_skill_texts};

/// All agents and skills that there are in a place.
#[derive(Debug, Clone, Default)]
pub struct Library {
    pub agents: Vec<Agent>,
    pub skills: Vec<Skill>,
    /// Mistakes in the files of the project.
    pub problems: Vec<Problem>,
    /// The folder of the project.
    pub folder: PathBuf,
}

/// A name that nothing has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LibraryTrouble {
    #[error("there is no agent `{name}`; there are: {}", known.join(", "))]
    NoAgent { name: String, known: Vec<String> },
    #[error("there is no skill `{name}`; there are: {}", known.join(", "))]
    NoSkill { name: String, known: Vec<String> },
}

impl Library {
    /// Only what comes with assay.
    pub fn built_in() -> Library {
        let tools = tool_names();
        let mut problems = Vec::new();
        let mut skills = Vec::new();
        for (name, text) in built_in_skill_texts() {
            match parse_skill(text, &Path::new("skills/agents").join(format!("{name}.yaml")), &tools) {
                Ok(skill) => skills.push(skill),
                Err(found) => problems.extend(found),
            }
        }
        let names: Vec<&str> = skills.iter().map(|skill| skill.name.as_str()).collect();
        let mut agents = Vec::new();
        for (name, text) in built_in_agent_texts() {
            match parse_agent(text, &Path::new("agents").join(format!("{name}.yaml")), &names) {
                Ok(agent) => agents.push(agent),
                Err(found) => problems.extend(found),
            }
        }
        Library { agents, skills, problems, folder: PathBuf::new() }
    }

    /// With those of the project around `here`: one of the same name replaces a built-in one.
    pub fn of_project(here: &Path, home: Option<&Path>) -> Library {
        let mut library = Library::built_in();
        let tools = tool_names();
        let names: Vec<String> = library.skills.iter().map(|skill| skill.name.clone()).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let own = load_agents(here, home, NamedSkills { tools: &tools, skills: &names });
        for skill in own.skills {
            match library.skills.iter_mut().find(|known| known.name == skill.name) {
                Some(known) => *known = skill,
                None => library.skills.push(skill),
            }
        }
        for agent in own.agents {
            match library.agents.iter_mut().find(|known| known.id == agent.id) {
                Some(known) => *known = agent,
                None => library.agents.push(agent),
            }
        }
        library.problems.extend(own.problems);
        library.folder = own.folder;
        library
    }

    /// An agent by its id or its nickname.
    pub fn agent(&self, name: &str) -> Result<&Agent, LibraryTrouble> {
        let named = |agent: &&Agent| agent.id == name || agent.nickname.eq_ignore_ascii_case(name);
        self.agents.iter().find(named).ok_or_else(|| LibraryTrouble::NoAgent {
            name: name.to_string(),
            known: self.agents.iter().map(|agent| agent.id.clone()).collect(),
        })
    }

    /// The agent that answers where nobody names one. One of the project comes before the built-in one.
    pub fn default_agent(&self) -> Result<&Agent, LibraryTrouble> {
        let defaults = || self.agents.iter().filter(|agent| agent.is_default && agent.is_selectable);
        let own = defaults().find(|agent| agent.file.is_some());
        own.or_else(|| defaults().next()).map_or_else(|| self.agent("assistant"), Ok)
    }

    pub fn skill(&self, name: &str) -> Result<&Skill, LibraryTrouble> {
        self.skills.iter().find(|skill| skill.name == name).ok_or_else(|| LibraryTrouble::NoSkill {
            name: name.to_string(),
            known: self.skills.iter().map(|skill| skill.name.clone()).collect(),
        })
    }

    /// The skills that an agent may load. One whose file has a mistake is left out; one of the project that no agent
    /// names is for the agent that answers by default.
    pub fn skills_of(&self, agent: &Agent) -> Vec<&Skill> {
        let mut skills: Vec<&Skill> = agent.skills.iter().filter_map(|name| self.skill(name).ok()).collect();
        if self.default_agent().is_ok_and(|default| default.id == agent.id) {
            let is_free =
                |skill: &&Skill| !self.agents.iter().any(|agent| agent.skills.contains(&skill.name));
            skills.extend(self.skills.iter().filter(|skill| skill.file.is_some()).filter(is_free));
        }
        skills
    }

    /// The skills of the other agents that are switched on, for an agent that answers by default: it hands over.
    pub fn skills_beside(&self, agent: &Agent) -> Vec<&Skill> {
        if !agent.is_default {
            return Vec::new();
        }
        let others = self.agents.iter().filter(|other| other.id != agent.id && other.config.is_enabled);
        let mut skills: Vec<&Skill> = others.flat_map(|other| self.skills_of(other)).collect();
        let own = self.skills_of(agent);
        skills.retain(|skill| !own.iter().any(|one| one.name == skill.name));
        skills.dedup_by_key(|skill| skill.name.clone());
        skills
    }

    /// The agent that a request goes to that needs this skill: the one that was asked, or the first that has it.
    pub fn agent_for<'l>(&'l self, skill: &str, asked: &'l Agent) -> &'l Agent {
        let has = |agent: &Agent| self.skills_of(agent).iter().any(|one| one.name == skill);
        let is_other = |other: &&Agent| other.id != asked.id && other.config.is_enabled && has(other);
        if has(asked) { asked } else { self.agents.iter().find(is_other).unwrap_or(asked) }
    }
}

fn tool_names() -> Vec<&'static str> {
    catalogue().iter().map(|tool| tool.name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_agents_have_the_skills_and_tools_that_they_should() {
        let library = Library::built_in();
        let problems: Vec<String> = library.problems.iter().map(ToString::to_string).collect();
        assert_eq!(problems, Vec::<String>::new());
        let count = |agent: &str| library.skills_of(library.agent(agent).unwrap()).len();
        assert_eq!((count("assistant"), count("monitor"), count("analyzer")), (9, 3, 3));
        let tools = |skill: &str| library.skill(skill).unwrap().tools.join(" ");
        assert_eq!(tools("run-script"), "get_compatible_hosts execute_script");
        assert_eq!(tools("run-testcase"), "get_compatible_hosts execute_testcase");
        assert_eq!(tools("list-resources"), "list_scripts list_testcases list_hosts list_userinterfaces");
        assert_eq!(tools("device-status"), "get_device_info get_compatible_hosts");
        assert_eq!(
            tools("create-testcase"),
            "list_userinterfaces generate_and_save_testcase save_testcase list_testcases"
        );
        assert_eq!(
            tools("manage-requirements"),
            "create_requirement list_requirements link_testcase_to_requirement get_coverage_summary \
             get_uncovered_requirements"
        );
        assert_eq!(
            tools("incident-response"),
            "take_control release_control capture_screenshot get_device_info"
        );
        assert_eq!(tools("health-check"), "list_hosts get_device_info");
        assert_eq!(tools("alert-triage"), "get_device_info capture_screenshot");
        assert_eq!(tools("validate-result"), "get_execution_status load_testcase");
        assert_eq!(tools("detect-false-positive"), "get_execution_status load_testcase");
        assert_eq!(tools("generate-report"), "get_execution_status list_testcases get_coverage_summary");
        let numbers = ["explore-mobile", "explore-web", "explore-stb"]
            .map(|skill| library.skill(skill).unwrap().tools.len());
        assert_eq!(numbers, [8, 8, 7]);
    }

    #[test]
    fn agents_are_found_by_id_and_nickname() {
        let library = Library::built_in();
        assert_eq!(library.agent("sherlock").unwrap().id, "analyzer");
        assert_eq!(library.default_agent().unwrap().nickname, "Atlas");
        let trouble = library.agent("nobody").unwrap_err().to_string();
        assert_eq!(trouble, "there is no agent `nobody`; there are: assistant, monitor, analyzer");
    }
}
