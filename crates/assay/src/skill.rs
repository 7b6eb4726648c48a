//! `skill`: texts that teach coding agents to use assay, built into the binary.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use assay_protocol::{ErrorCode, Failure, Format};

use crate::command::{Invocation, SkillOperation};
use crate::environment::Environment;
use crate::output::{print_failure, print_json, print_line};

const SKILL: &str = include_str!("../../../skills/assay/SKILL.md");

/// (name, what it is for, text); the first is the skill, the others are its chapters on demand.
const CHAPTERS: &[(&str, &str, &str)] = &[
    ("assay", "the skill itself", SKILL),
    ("targets", "all ways to name an element", include_str!("../../../skills/assay/references/targets.md")),
    ("answers", "what answers and errors mean", include_str!("../../../skills/assay/references/answers.md")),
    (
        "sessions",
        "sessions, tabs, logins, emulation",
        include_str!("../../../skills/assay/references/sessions.md"),
    ),
    (
        "tests",
        "writing, running, mending and proving tests",
        include_str!("../../../skills/assay/references/tests.md"),
    ),
    (
        "healing",
        "lock files, reviewing and accepting heals",
        include_str!("../../../skills/assay/references/healing.md"),
    ),
    ("ci", "tests in CI", include_str!("../../../skills/assay/references/ci.md")),
    (
        "troubles",
        "when something does not work",
        include_str!("../../../skills/assay/references/troubles.md"),
    ),
];

/// (agent, folder in a project, folder of a user). The first two reach nearly all agents.
const AGENTS: &[(&str, &str, &str)] = &[
    ("claude", ".claude/skills", ".claude/skills"),
    ("codex", ".agents/skills", ".agents/skills"),
    ("cursor", ".agents/skills", ".cursor/skills"),
    ("gemini", ".agents/skills", ".gemini/skills"),
    ("copilot", ".agents/skills", ".copilot/skills"),
    ("opencode", ".agents/skills", ".config/opencode/skills"),
    ("amp", ".agents/skills", ".config/agents/skills"),
    ("windsurf", ".windsurf/skills", ".codeium/windsurf/skills"),
    ("goose", ".goose/skills", ".config/goose/skills"),
];
const DEFAULT_AGENTS: &[&str] = &["claude", "codex"];

/// The name of the skill itself among its topics.
pub const MAIN: &str = "assay";

/// Name and purpose of each text.
pub fn topics() -> impl Iterator<Item = (&'static str, &'static str)> {
    CHAPTERS.iter().map(|(name, purpose, _)| (*name, *purpose))
}

/// A text by its name.
pub fn topic(name: &str) -> Option<&'static str> {
    CHAPTERS.iter().find(|(known, _, _)| *known == name).map(|(_, _, text)| *text)
}

pub fn run(operation: &SkillOperation, invocation: &Invocation, environment: &Environment) -> ExitCode {
    let json = invocation.format == Format::Json;
    match operation {
        SkillOperation::List => {
            if json {
                let list: Vec<_> = CHAPTERS
                    .iter()
                    .map(|(name, purpose, _)| serde_json::json!({ "name": name, "purpose": purpose }))
                    .collect();
                print_json(&serde_json::json!({ "ok": true, "data": { "chapters": list } }));
            } else {
                for (name, purpose, _) in CHAPTERS {
                    print_line(&format!("{name:<10} {purpose}"));
                }
            }
            ExitCode::SUCCESS
        }
        SkillOperation::Show { name } => match CHAPTERS.iter().find(|(known, _, _)| known == name) {
            Some((_, _, text)) if json => {
                print_json(&serde_json::json!({ "ok": true, "data": { "name": name, "text": text } }));
                ExitCode::SUCCESS
            }
            Some((_, _, text)) => {
                print_line(text.trim_end());
                ExitCode::SUCCESS
            }
            None => {
                let names: Vec<&str> = CHAPTERS.iter().map(|(name, _, _)| *name).collect();
                let failure = Failure::new(ErrorCode::Usage, format!("there is no chapter `{name}`"))
                    .detail(format!("chapters: {}", names.join(", ")));
                print_failure(&failure, json)
            }
        },
        SkillOperation::Install { agents, user } => match install(agents, *user, environment) {
            Ok(written) => {
                if json {
                    let paths: Vec<String> = written.iter().map(|path| path.display().to_string()).collect();
                    print_json(&serde_json::json!({ "ok": true, "data": { "written": paths } }));
                } else {
                    for path in &written {
                        print_line(&path.display().to_string());
                    }
                }
                ExitCode::SUCCESS
            }
            Err(failure) => print_failure(&failure, json),
        },
    }
}

fn install(agents: &[String], user: bool, environment: &Environment) -> Result<Vec<PathBuf>, Failure> {
    let mut folders: Vec<PathBuf> = Vec::new();
    for (agent, in_project, of_user) in chosen_agents(agents)? {
        let folder = if user {
            let home = environment.home.as_ref().ok_or_else(|| {
                Failure::new(ErrorCode::Io, format!("could not install for {agent}: HOME is not set"))
            })?;
            home.join(of_user)
        } else {
            PathBuf::from(in_project)
        };
        let folder = folder.join("assay");
        if !folders.contains(&folder) {
            folders.push(folder);
        }
    }
    for folder in &folders {
        write_skill(folder).map_err(|err| {
            Failure::new(ErrorCode::Io, format!("could not write {}: {err}", folder.display()))
        })?;
    }
    Ok(folders.into_iter().map(|folder| folder.join("SKILL.md")).collect())
}

type Agent = (&'static str, &'static str, &'static str);

fn chosen_agents(names: &[String]) -> Result<Vec<Agent>, Failure> {
    if names.iter().any(|name| name == "all") {
        return Ok(AGENTS.to_vec());
    }
    let default: Vec<String> = DEFAULT_AGENTS.iter().map(|name| (*name).to_string()).collect();
    let names = if names.is_empty() { &default } else { names };
    names
        .iter()
        .map(|name| {
            AGENTS.iter().find(|(known, _, _)| known == name).copied().ok_or_else(|| {
                let known: Vec<&str> = AGENTS.iter().map(|(name, _, _)| *name).collect();
                Failure::new(
                    ErrorCode::Usage,
                    format!("expected an agent ({}, all), found `{name}`", known.join(", ")),
                )
            })
        })
        .collect()
}

fn write_skill(folder: &Path) -> std::io::Result<()> {
    let references = folder.join("references");
    std::fs::create_dir_all(&references)?;
    std::fs::write(folder.join("SKILL.md"), SKILL)?;
    for (name, _, text) in &CHAPTERS[1..] {
        std::fs::write(references.join(format!("{name}.md")), text)?;
    }
    Ok(())
}
