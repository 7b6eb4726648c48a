//! The agents and skills that there are, checked and shown; and a new one.

use std::path::Path;

use assay_agent::{Library, LibraryTrouble, starter, tool_shapes};
use assay_protocol::{ErrorCode, Failure};
use assay_suite::{Agent, Problem, Skill, parse_agent, parse_skill};
use serde_json::{Value, json};

use crate::environment::Environment;
use crate::host;
use crate::output::{print_json, print_line, tell};

pub fn library_here() -> Result<Library, Failure> {
    let home = Environment::variable("HOME");
    Ok(Library::of_project(&host::here()?, home.as_deref().map(Path::new)))
}

pub fn trouble(trouble: LibraryTrouble) -> Failure {
    Failure::new(ErrorCode::Usage, trouble.to_string())
}

fn problems_code(library: &Library) -> u8 {
    library.problems.iter().for_each(|problem| tell(&problem.to_string()));
    if library.problems.is_empty() { 0 } else { ErrorCode::Usage.exit_code() }
}

pub fn list(json: bool) -> Result<u8, Failure> {
    let library = library_here()?;
    let code = problems_code(&library);
    if json {
        let agents: Vec<Value> = library.agents.iter().map(|agent| json!(agent)).collect();
        print_json(&json!({ "ok": code == 0, "data": { "agents": agents } }));
        return Ok(code);
    }
    for agent in &library.agents {
        let mark = if agent.is_default { " (default)" } else { "" };
        print_line(&format!("{}  {}{mark}: {}", agent.id, agent.nickname, agent.description));
        print_line(&format!("  skills: {}", agent.skills.join(", ")));
    }
    Ok(code)
}

pub fn show(name: &str, json: bool) -> Result<u8, Failure> {
    let library = library_here()?;
    let agent = library.agent(name).map_err(trouble)?;
    if json {
        print_json(&json!({ "ok": true, "data": agent }));
        return Ok(0);
    }
    agent_lines(agent, &library).iter().for_each(|line| print_line(line));
    Ok(0)
}

fn agent_lines(agent: &Agent, library: &Library) -> Vec<String> {
    let source = agent.file.as_ref().map_or("built in".to_string(), |file| file.display().to_string());
    let mut lines = vec![format!("{} ({}), {source}", agent.nickname, agent.id), agent.description.clone()];
    for trigger in &agent.triggers {
        lines.push(format!("wakes on {} ({})", trigger.event, trigger.priority.name()));
    }
    for skill in library.skills_of(agent) {
        lines.push(format!("- {}: {} ({} tools)", skill.name, skill.description, skill.tools.len()));
    }
    lines.extend(agent.suggestions.iter().map(|text| format!("try: {text}")));
    lines
}

/// All files of the project, or these.
pub fn check(files: &[String], json: bool) -> Result<u8, Failure> {
    let library = library_here()?;
    let mut problems: Vec<Problem> = Vec::new();
    let mut checked = Vec::new();
    if files.is_empty() {
        problems.extend(library.problems.iter().cloned());
        let agents = library.agents.iter().filter_map(|agent| agent.file.as_ref());
        let own = agents.chain(library.skills.iter().filter_map(|skill| skill.file.as_ref()));
        checked.extend(own.map(|file| file.display().to_string()));
    }
    let tools = tool_shapes();
    let skills: Vec<&str> = library.skills.iter().map(|skill| skill.name.as_str()).collect();
    for file in files {
        let text = std::fs::read_to_string(file)
            .map_err(|err| Failure::new(ErrorCode::Io, format!("could not read {file}: {err}")))?;
        let is_agent = text.lines().any(|line| line.starts_with("agent:"));
        let found = match is_agent {
            true => parse_agent(&text, Path::new(file), &skills).err(),
            false => parse_skill(&text, Path::new(file), &tools).err(),
        };
        match found {
            Some(found) => problems.extend(found),
            None => checked.push(file.clone()),
        }
    }
    let words: Vec<String> = problems.iter().map(ToString::to_string).collect();
    if json {
        print_json(&json!({ "ok": words.is_empty(), "data": { "files": checked, "problems": words } }));
    } else {
        words.iter().for_each(|line| tell(line));
        if words.is_empty() {
            print_line(&match checked.len() {
                1 => "1 file is right".to_string(),
                number => format!("{number} files are right"),
            });
        }
    }
    Ok(if words.is_empty() { 0 } else { ErrorCode::Usage.exit_code() })
}

pub fn skill_list(json: bool) -> Result<u8, Failure> {
    let library = library_here()?;
    let code = problems_code(&library);
    if json {
        let skills: Vec<Value> = library.skills.iter().map(as_json).collect();
        print_json(&json!({ "ok": code == 0, "data": { "skills": skills } }));
        return Ok(code);
    }
    let width = library.skills.iter().map(|skill| skill.name.len()).max().unwrap_or(0);
    for skill in &library.skills {
        let own = if skill.file.is_some() { " (of this project)" } else { "" };
        print_line(&format!(
            "{:width$}  {} tools  {}{own}",
            skill.name,
            skill.tools.len(),
            skill.description
        ));
    }
    Ok(code)
}

pub fn skill_show(name: &str, json: bool) -> Result<u8, Failure> {
    let library = library_here()?;
    let skill = library.skill(name).map_err(trouble)?;
    if json {
        print_json(&json!({ "ok": true, "data": as_json(skill) }));
        return Ok(0);
    }
    let source = skill.file.as_ref().map_or("built in".to_string(), |file| file.display().to_string());
    print_line(&format!("{} {}, {source}", skill.name, skill.version));
    print_line(&skill.description);
    print_line(&format!("said as: {}", skill.triggers.join(", ")));
    print_line(&format!("tools: {}", skill.tools.join(", ")));
    for slot in &skill.slots {
        let need = if slot.is_required { ", required" } else { "" };
        print_line(&format!("takes {}: {}{need}", slot.name, slot.kind.name()));
    }
    print_line(&skill.system_prompt);
    Ok(0)
}

fn as_json(skill: &Skill) -> Value {
    let slots: Vec<Value> = skill
        .slots
        .iter()
        .map(|slot| json!({ "name": slot.name, "kind": slot.kind.name(), "required": slot.is_required }))
        .collect();
    json!({
        "name": skill.name,
        "version": skill.version,
        "description": skill.description,
        "triggers": skill.triggers,
        "system_prompt": skill.system_prompt,
        "tools": skill.tools,
        "platform": skill.platform.map(|platform| platform.name()),
        "requires_device": skill.requires_device,
        "timeout_seconds": skill.timeout.as_secs(),
        "slots": slots,
        "file": skill.file.as_ref().map(|file| file.display().to_string()),
    })
}

/// Writes a file that can be loaded as it is, and replaces none.
pub fn skill_new(name: &str, json: bool) -> Result<u8, Failure> {
    let library = library_here()?;
    if library.skill(name).is_ok() {
        let message = format!("there is a skill `{name}` already");
        return Err(Failure::new(ErrorCode::Usage, message).hint(format!("assay agent skill show {name}")));
    }
    let text = starter(name);
    let file = library.folder.join("skills/agents").join(format!("{name}.yaml"));
    let tools = tool_shapes();
    if let Err(problems) = parse_skill(&text, &file, &tools) {
        let why = problems.first().map(|problem| problem.mistake.to_string()).unwrap_or_default();
        return Err(Failure::new(ErrorCode::Usage, format!("`{name}` is no name for a skill: {why}")));
    }
    let failed = |err: std::io::Error| {
        Failure::new(ErrorCode::Io, format!("could not write {}: {err}", file.display()))
    };
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    let mut out = std::fs::File::create_new(&file).map_err(failed)?;
    std::io::Write::write_all(&mut out, text.as_bytes()).map_err(failed)?;
    let here = host::here()?.canonicalize().unwrap_or_default();
    let shown = file.strip_prefix(&here).unwrap_or(&file).display().to_string();
    if json {
        print_json(&json!({ "ok": true, "data": { "file": shown } }));
    } else {
        print_line(&format!("wrote {shown}"));
    }
    Ok(0)
}
