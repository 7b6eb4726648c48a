//! Requirements as they stand: a list, one with its tests, those of one test.

use assay_coverage::CoveredRequirement;
use assay_host::{known_requirements, linked_file, project_coverage, unknown_requirement};
use assay_protocol::{Failure, Requirement};
use assay_report::one_line;
use assay_suite::RequirementOnFile;
use serde_json::json;

use super::RequirementFilter;
use crate::environment::Environment;
use crate::{host, output};

pub(super) fn list(filter: &RequirementFilter, json: bool, environment: &Environment) -> Result<(), Failure> {
    let known = known_requirements(&host::context(environment)?, &host::here()?)?;
    let RequirementFilter { priority, category, status } = filter;
    let is_wanted = |one: &&RequirementOnFile| {
        let one = &one.requirement;
        (priority.is_none() || one.priority == *priority)
            && (category.is_none() || one.category == *category)
            && (status.is_none() || one.status == *status)
    };
    let listed: Vec<&RequirementOnFile> = known.on_file.iter().flatten().filter(is_wanted).collect();
    if json {
        let all: Vec<_> = listed
            .iter()
            .map(|one| {
                let mut value = json!(one.requirement);
                value["file"] = json!(one.file.display().to_string());
                value["line"] = json!(one.line);
                value
            })
            .collect();
        output::print_json(&json!({ "ok": true, "data": { "requirements": all } }));
        return Ok(());
    }
    let width = listed.iter().map(|one| one.requirement.code.chars().count()).max().unwrap_or(0);
    for one in &listed {
        let line = format!("{:width$}  {}", one.requirement.code, one_line(&one.requirement.name));
        let facts = facts(&one.requirement);
        let facts = if facts.is_empty() { String::new() } else { format!("  ({})", facts.join(", ")) };
        output::print_line(&format!("{line}{facts}"));
    }
    match (listed.len(), known.on_file.is_some()) {
        (_, false) => output::print_line("the project has no folder `requirements`"),
        (1, _) => output::print_line("1 requirement"),
        (number, _) => output::print_line(&format!("{number} requirements")),
    }
    Ok(())
}

fn facts(requirement: &Requirement) -> Vec<String> {
    let mut facts = Vec::new();
    facts.extend(requirement.priority.map(|priority| priority.name().to_string()));
    facts.extend(requirement.category.as_deref().map(one_line));
    facts.extend(requirement.status.map(|status| status.name().to_string()));
    facts
}

pub(super) fn show(code: &str, json: bool, environment: &Environment) -> Result<(), Failure> {
    let (context, here) = (host::context(environment)?, host::here()?);
    let known = known_requirements(&context, &here)?;
    let found = known.find(code).ok_or_else(|| unknown_requirement(&known, code))?;
    let coverage = project_coverage(&context, &here)?;
    coverage.problems.iter().for_each(|problem| output::tell(problem));
    let judged = coverage.requirements.iter().find(|one| one.requirement.code == code);
    if json {
        let data = judged.map_or_else(|| json!(found.requirement), |judged| json!(judged));
        output::print_json(&json!({ "ok": true, "data": data }));
        return Ok(());
    }
    output::print_line(&format!("{} {}", found.requirement.code, one_line(&found.requirement.name)));
    for line in details(found) {
        output::print_line(&format!("  {line}"));
    }
    judged.into_iter().flat_map(test_lines).for_each(|line| output::print_line(&format!("  {line}")));
    Ok(())
}

fn details(found: &RequirementOnFile) -> Vec<String> {
    let requirement = &found.requirement;
    let mut lines = vec![format!("{}:{}", found.file.display(), found.line)];
    lines.extend(Some(facts(requirement).join(", ")).filter(|facts| !facts.is_empty()));
    lines.extend(requirement.description.iter().flat_map(|text| text.lines()).map(one_line));
    lines.extend(requirement.acceptance_criteria.iter().map(|text| format!("- {}", one_line(text))));
    lines
}

fn test_lines(judged: &CoveredRequirement) -> Vec<String> {
    let words = judged.words();
    let words = if words.is_empty() { words } else { format!(", {words}") };
    let mut lines = vec![format!("coverage: {}{words}", judged.coverage.words())];
    for test in &judged.tests {
        let kind = test.coverage.name();
        lines.push(format!("{}  {kind}, {}  {}", test.id, test.evidence.standing.words(), test.file));
    }
    lines
}

/// The requirements of one test.
pub(super) fn of_test(test: &str, json: bool, environment: &Environment) -> Result<(), Failure> {
    let found = linked_file(&host::context(environment)?, &host::here()?, test)?;
    if json {
        output::print_json(&json!({
            "ok": true,
            "data": { "testcase": found.id, "file": found.file, "requirements": found.links },
        }));
        return Ok(());
    }
    for link in &found.links {
        output::print_line(&one_line(&link.words()));
    }
    if found.links.is_empty() {
        output::print_line(&format!("{} names no requirement", found.id));
    }
    Ok(())
}
