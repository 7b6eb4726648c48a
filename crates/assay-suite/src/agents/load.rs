//! Finds the agents and skills of a project, and reads one from text.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::agent::Agent;
use super::read_agent::read_agent;
use super::read_skill::read_skill;
use super::skill::Skill;
use super::tool_shape::ToolShape;
use crate::files::{self, Root};
use crate::mistake::Mistake;
use crate::node::Node;
use crate::problem::{Problem, Problems};
use crate::search::is_shared;
use crate::source::Source;
use crate::yaml;

pub(crate) const AGENTS_FOLDER: &str = "agents";
pub(crate) const SKILLS_FOLDER: &str = "skills/agents";

/// The agents and skills of a project. One with a mistake is not among them.
#[derive(Debug, Default)]
pub struct LoadedAgents {
    pub agents: Vec<Agent>,
    pub skills: Vec<Skill>,
    pub problems: Vec<Problem>,
    /// The folder of the project.
    pub folder: PathBuf,
}

/// What a project's files may name beside its own.
#[derive(Debug, Clone, Copy)]
pub struct NamedSkills<'a> {
    pub tools: &'a [ToolShape],
    /// Skills that are built in.
    pub skills: &'a [&'a str],
}

/// The agent of a text, or all mistakes in it.
pub fn parse_agent(text: &str, shown: &Path, skills: &[&str]) -> Result<Agent, Vec<Problem>> {
    let mut problems = Problems::default();
    let agent = read_agent(&source_of(text, shown), skills, &mut problems);
    agent.ok_or_else(|| problems.into_vec())
}

/// The skill of a text, or all mistakes in it.
pub fn parse_skill(text: &str, shown: &Path, tools: &[ToolShape]) -> Result<Skill, Vec<Problem>> {
    let mut problems = Problems::default();
    let skill = read_skill(&source_of(text, shown), tools, &mut problems);
    skill.ok_or_else(|| problems.into_vec())
}

fn source_of(text: &str, shown: &Path) -> Arc<Source> {
    Arc::new(Source::new(shown.to_path_buf(), shown.to_path_buf(), text.to_string()))
}

/// The agents and skills of the project around `here`. Nothing is read from a folder that everybody can write to.
pub fn load_agents(here: &Path, home: Option<&Path>, known: NamedSkills<'_>) -> LoadedAgents {
    let here = fs::canonicalize(here).unwrap_or_else(|_| here.to_path_buf());
    let root = Root::of(&here, home);
    let mut loaded = LoadedAgents { folder: root.folder.clone(), ..LoadedAgents::default() };
    let folders = [SKILLS_FOLDER, AGENTS_FOLDER].map(|name| root.folder.join(name));
    if !folders.iter().any(|folder| folder.is_dir()) {
        return loaded;
    }
    if is_shared(&root.folder) {
        let mistake = Mistake::SharedFolder { folder: root.folder.display().to_string() };
        let shown = files::shown(&root.folder, Some(&here));
        loaded.problems.push(Problem::of_file(shown, mistake));
        return loaded;
    }
    let mut problems = Problems::default();
    for source in sources(&folders[0], &root, &here, &mut loaded.problems) {
        if let Some(skill) = read_skill(&source, known.tools, &mut problems) {
            let first = loaded.skills.iter().find(|other| other.name == skill.name);
            if let Some(first) = first.and_then(|first| first.file.clone()) {
                let mistake = Mistake::DuplicateName { what: "skill", name: skill.name, first };
                problems.push(Problem::at(&source, source.span(0, 1), mistake));
                continue;
            }
            loaded.skills.push(Skill { file: Some(source.shown.clone()), ..skill });
        }
    }
    // A skill with a mistake is known by its file: agents that name it are right.
    let own: Vec<String> = yaml_names(&folders[0]);
    let names: Vec<&str> = known
        .skills
        .iter()
        .copied()
        .chain(loaded.skills.iter().map(|skill| skill.name.as_str()))
        .chain(own.iter().map(String::as_str))
        .collect();
    for source in sources(&folders[1], &root, &here, &mut loaded.problems) {
        if let Some(agent) = read_agent(&source, &names, &mut problems) {
            let first = loaded.agents.iter().find(|other| other.id == agent.id);
            if let Some(first) = first.and_then(|first| first.file.clone()) {
                let mistake = Mistake::DuplicateName { what: "agent", name: agent.id, first };
                problems.push(Problem::at(&source, source.span(0, 1), mistake));
                continue;
            }
            loaded.agents.push(Agent { file: Some(source.shown.clone()), ..agent });
        }
    }
    loaded.problems.extend(problems.into_vec());
    loaded
}

fn sources(folder: &Path, root: &Root, here: &Path, problems: &mut Vec<Problem>) -> Vec<Arc<Source>> {
    if !folder.is_dir() {
        return Vec::new();
    }
    let paths = files::yaml_files(folder, root, Some(here), problems);
    let mut sources = Vec::new();
    for path in paths {
        match files::read(&path, files::shown(&path, Some(here))) {
            Ok(source) => sources.push(source),
            Err(problem) => problems.push(*problem),
        }
    }
    sources
}

fn yaml_names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter_map(|entry| Some(entry.path().file_stem()?.to_string_lossy().into_owned())).collect()
}

/// The one document of a file.
pub(super) fn only_document(source: &Source, expected: &str, problems: &mut Problems) -> Option<Node> {
    let before = problems.len();
    let mut documents = yaml::documents(source, problems);
    if documents.len() == 1 {
        return documents.pop();
    }
    if problems.len() == before {
        let found = if documents.is_empty() { "nothing" } else { "several documents" };
        let mistake =
            Mistake::Expected { expected: expected.to_string(), found: found.to_string(), hint: None };
        problems.push(Problem::at(source, source.span(0, 0), mistake));
    }
    None
}
