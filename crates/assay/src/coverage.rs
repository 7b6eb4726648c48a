//! `assay coverage`: the requirements of the project, each with what its tests show.

use std::path::Path;
use std::process::ExitCode;

use assay_coverage::{CoverageTotals, CoveredRequirement, matrix_page};
use assay_host::{ProjectCoverage, project_coverage};
use assay_protocol::{ErrorCode, Failure, Format};
use assay_report::one_line;
use serde_json::json;

use crate::command::Invocation;
use crate::environment::Environment;
use crate::{host, output};

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CoverageOptions {
    /// Only what no test shows to work.
    pub uncovered: bool,
    /// Where the matrix is written to.
    pub html: Option<String>,
}

pub fn run(options: &CoverageOptions, invocation: &Invocation, environment: &Environment) -> ExitCode {
    let json = invocation.format == Format::Json;
    match show(options, json, environment) {
        Ok(code) => ExitCode::from(code),
        Err(failure) => output::print_failure(&failure, json),
    }
}

fn show(options: &CoverageOptions, json: bool, environment: &Environment) -> Result<u8, Failure> {
    let found = project_coverage(&host::context(environment)?, &host::here()?)?;
    found.problems.iter().for_each(|problem| output::tell(problem));
    if !found.has_files {
        output::tell(
            "note: the project has no folder `requirements`; only the codes that tests name are known",
        );
    }
    let totals = CoverageTotals::of(&found.requirements);
    if let Some(file) = &options.html {
        let page = matrix_page(&found.suite, &found.requirements);
        std::fs::write(Path::new(file), page)
            .map_err(|err| Failure::new(ErrorCode::Io, format!("could not write {file}: {err}")))?;
    }
    let listed: Vec<&CoveredRequirement> =
        found.requirements.iter().filter(|one| !options.uncovered || one.is_uncovered()).collect();
    if json {
        output::print_json(&json!({
            "ok": true,
            "data": { "suite": found.suite, "totals": totals, "requirements": listed },
        }));
    } else {
        lines(&listed).iter().for_each(|line| output::print_line(line));
        output::print_line(&closing_line(options, listed.len(), &totals));
        if let Some(file) = &options.html {
            output::tell(&format!("matrix: {file}"));
        }
    }
    Ok(exit_code(options, listed.len(), &found, &totals))
}

fn closing_line(options: &CoverageOptions, listed: usize, totals: &CoverageTotals) -> String {
    match (options.uncovered, listed) {
        (true, 0) => "every requirement has a test that should show it".to_string(),
        (true, 1) => "1 requirement without a test that could show it".to_string(),
        (true, several) => format!("{several} requirements without a test that could show them"),
        (false, _) => totals.words(),
    }
}

/// A failing test comes first, then a file whose tests are missing from the picture.
fn exit_code(
    options: &CoverageOptions,
    listed: usize,
    found: &ProjectCoverage,
    totals: &CoverageTotals,
) -> u8 {
    let own = match options.uncovered {
        true if listed > 0 => 3,
        true => 0,
        false => totals.exit_code(),
    };
    if own != 1 && !found.problems.is_empty() { ErrorCode::Usage.exit_code() } else { own }
}

/// A longer name is cut: the columns behind it must stay in sight.
const WIDEST: usize = 48;

/// The table, one requirement a line.
fn lines(requirements: &[&CoveredRequirement]) -> Vec<String> {
    let names: Vec<String> = requirements.iter().map(|one| named(one)).collect();
    let name_width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let words: Vec<&str> = requirements
        .iter()
        .map(|one| if one.requirement.is_wanted() { one.coverage.words() } else { "retired" })
        .collect();
    let word_width = words.iter().map(|word| word.len()).max().unwrap_or(0);
    let line = |((one, name), word): ((&&CoveredRequirement, &String), &&str)| {
        format!("{name:name_width$}  {word:word_width$}  {}", one.words()).trim_end().to_string()
    };
    requirements.iter().zip(&names).zip(&words).map(line).collect()
}

fn named(one: &CoveredRequirement) -> String {
    let code = one_line(&one.requirement.code);
    let name = match &one.file {
        Some(_) => one_line(&one.requirement.name),
        None => "(not on file)".to_string(),
    };
    let whole = format!("{code} {name}");
    if whole.chars().count() <= WIDEST {
        return whole;
    }
    let cut: String = whole.chars().take(WIDEST - 1).collect();
    format!("{}…", cut.trim_end())
}
