//! Changes to requirements and to the links of tests.

use std::path::Path;

use assay_host::{
    known_requirements, linked_file, plan_requirements, unknown_requirement, unlink, write_files,
};
use assay_protocol::{CoverageKind, ErrorCode, Failure};
use assay_suite::{RequirementChange, WrittenRequirements, read_requirement_table};
use serde_json::json;

use crate::environment::Environment;
use crate::{host, output};

pub(super) fn create(
    change: &RequirementChange,
    file: Option<&str>,
    json: bool,
    environment: &Environment,
) -> Result<(), Failure> {
    let (context, here) = (host::context(environment)?, host::here()?);
    let known = known_requirements(&context, &here)?;
    if let Some(found) = known.find(&change.code) {
        let place = format!("{}:{}", found.file.display(), found.line);
        let message = format!(
            "the requirement `{}` exists already (\"{}\"), in {place}",
            change.code, found.requirement.name
        );
        return Err(Failure::new(ErrorCode::Usage, message)
            .hint(format!("assay requirement update {} --name \"…\"", change.code)));
    }
    let written = plan_requirements(&context, &here, std::slice::from_ref(change), file.map(Path::new))?;
    write_files(&written.files)?;
    told(&written, &[], false, json);
    Ok(())
}

pub(super) fn update(
    change: &RequirementChange,
    json: bool,
    environment: &Environment,
) -> Result<(), Failure> {
    if *change == (RequirementChange { code: change.code.clone(), ..RequirementChange::default() }) {
        return Err(Failure::new(ErrorCode::Usage, "expected something to change, found nothing")
            .hint(format!("assay requirement update {} --status implemented", change.code)));
    }
    if change.name.as_deref() == Some("") {
        return Err(Failure::new(ErrorCode::Usage, "expected a name after --name, found empty text"));
    }
    let (context, here) = (host::context(environment)?, host::here()?);
    let known = known_requirements(&context, &here)?;
    if known.find(&change.code).is_none() {
        return Err(unknown_requirement(&known, &change.code));
    }
    let written = plan_requirements(&context, &here, std::slice::from_ref(change), None)?;
    write_files(&written.files)?;
    told(&written, &[], false, json);
    Ok(())
}

/// Links a test; without a kind, ends that.
pub(super) fn link(
    code: &str,
    test: &str,
    coverage: Option<CoverageKind>,
    json: bool,
    environment: &Environment,
) -> Result<(), Failure> {
    let (context, here) = (host::context(environment)?, host::here()?);
    let known = known_requirements(&context, &here)?;
    // A link to what is no longer on file can be taken out.
    if coverage.is_some() && known.find(code).is_none() {
        return Err(unknown_requirement(&known, code));
    }
    let found = linked_file(&context, &here, test)?;
    let has_changed = match coverage {
        Some(coverage) => assay_host::link(&found, code, coverage)?,
        None => unlink(&found, code)?,
    };
    let line = match (coverage, has_changed) {
        (Some(coverage), true) => {
            format!("{}: linked to {code} ({}) in {}", found.id, coverage.name(), found.file)
        }
        (None, true) => format!("{}: no longer linked to {code}, in {}", found.id, found.file),
        (Some(_), false) => format!("{}: linked to {code} already", found.id),
        (None, false) => format!("{}: was not linked to {code}", found.id),
    };
    if json {
        output::tell(&line);
        output::print_json(&json!({
            "ok": true,
            "data": {
                "testcase": found.id, "requirement": code, "file": found.file, "changed": has_changed,
                "coverage": coverage.map(CoverageKind::name),
            },
        }));
    } else {
        output::print_line(&line);
    }
    Ok(())
}

pub(super) fn import(
    table: &str,
    file: Option<&str>,
    dry_run: bool,
    json: bool,
    environment: &Environment,
) -> Result<(), Failure> {
    /// As large as other files of a project.
    const LARGEST: u64 = 1024 * 1024;
    let (context, here) = (host::context(environment)?, host::here()?);
    let unreadable =
        |reason: String| Failure::new(ErrorCode::Usage, format!("could not read {table}: {reason}"));
    let size = std::fs::metadata(table).map_err(|err| unreadable(err.to_string()))?.len();
    if size > LARGEST {
        return Err(unreadable(format!("expected at most {LARGEST} bytes, found {size}")));
    }
    let bytes = std::fs::read(table).map_err(|err| unreadable(err.to_string()))?;
    let read = read_requirement_table(table, &bytes).map_err(|mistakes| {
        let failure =
            Failure::new(ErrorCode::Usage, format!("{table} cannot be imported; nothing was written"));
        mistakes.iter().take(MOST_MISTAKES).fold(failure, |failure, mistake| {
            let hint = mistake.hint.as_ref().map(|hint| format!(" ({hint})")).unwrap_or_default();
            failure.detail(format!("{table}: {mistake}{hint}"))
        })
    })?;
    let changes: Vec<RequirementChange> = read.rows.into_iter().map(|row| row.change).collect();
    let written = plan_requirements(&context, &here, &changes, file.map(Path::new))?;
    if !dry_run {
        write_files(&written.files)?;
    }
    told(&written, &read.notes, dry_run, json);
    Ok(())
}

const MOST_MISTAKES: usize = 50;

/// What was done, or would be done.
fn told(written: &WrittenRequirements, notes: &[String], dry_run: bool, json: bool) {
    notes.iter().for_each(|note| output::tell(&format!("note: {note}")));
    let would = if dry_run { "would be " } else { "" };
    let mut lines = Vec::new();
    for (codes, what) in [(&written.created, "created"), (&written.updated, "updated")] {
        if !codes.is_empty() {
            lines.push(format!("{would}{what}: {}", codes.join(", ")));
        }
    }
    match written.unchanged.len() {
        0 => {}
        number if lines.is_empty() => lines.push(match number {
            1 => format!("{} is as it was; nothing changed", written.unchanged[0]),
            number => format!("all {number} requirements are as they were; nothing changed"),
        }),
        1 => lines.push("1 is as it was".to_string()),
        number => lines.push(format!("{number} are as they were")),
    }
    let here = host::here().unwrap_or_default();
    let files: Vec<String> = written
        .files
        .iter()
        .map(|(path, _)| path.strip_prefix(&here).unwrap_or(path).display().to_string())
        .collect();
    lines.extend(files.iter().map(|file| format!("{would}written: {file}")));
    if json {
        lines.iter().for_each(|line| output::tell(line));
        output::print_json(&json!({
            "ok": true,
            "data": {
                "created": written.created, "updated": written.updated, "unchanged": written.unchanged,
                "files": files, "notes": notes, "dry_run": dry_run,
            },
        }));
    } else {
        lines.iter().for_each(|line| output::print_line(line));
    }
}
