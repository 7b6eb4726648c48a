//! Requirements, and how far tests show them.

use assay_coverage::{CoverageTotals, CoveredRequirement};
use assay_host::project_coverage;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::paging::{Page, PageQuery};
use crate::problem::Problem;
use crate::route::{Asked, Nothing, Route};

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Requirement")]
struct RequirementView {
    code: String,
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    category: Option<String>,
    acceptance_criteria: Vec<String>,
    /// Absent: tests name it, and the project has no such requirement on file.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    /// full, partial, negative-only or none.
    coverage: Value,
    /// Fully covered, and all its tests passed as they are now.
    is_shown: bool,
    /// The tests that name it, each with its coverage and how it stands.
    tests: Value,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Requirements {
    #[serde(flatten)]
    page: Page<RequirementView>,
    /// Mistakes in files. What a broken file says does not count.
    problems: Vec<String>,
}

#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RequirementsQuery {
    /// `next` of the page before; without it the first page.
    cursor: Option<String>,
    /// At most so many; 50 without it, 500 at most.
    limit: Option<usize>,
    /// Only what no test could show.
    #[serde(default)]
    uncovered: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Coverage")]
struct CoverageView {
    suite: String,
    /// Whether the project has requirements on file.
    has_files: bool,
    /// Without those that are retired.
    requirements: usize,
    full: usize,
    partial: usize,
    negative_only: usize,
    none: usize,
    /// Of those that are fully covered: all their tests passed as they are now.
    shown: usize,
    /// With a test that failed in its last run.
    failing: usize,
    retired: usize,
}

pub fn routes() -> Vec<Route> {
    vec![
        Route::get("/server/requirements", "list_requirements", "List requirements with their tests", list),
        Route::get(
            "/server/coverage",
            "get_coverage",
            "Count how far tests cover the requirements",
            coverage,
        ),
    ]
}

fn list(asked: &Asked, query: RequirementsQuery) -> Result<Requirements, Problem> {
    let seams = &asked.service.seams;
    let found = project_coverage(&seams.context, &seams.folder)?;
    let wanted = found.requirements.into_iter().filter(|one| !query.uncovered || one.is_uncovered());
    let views = wanted.map(view).collect::<Result<Vec<_>, Problem>>()?;
    let page = PageQuery { cursor: query.cursor, limit: query.limit }.of_whole(views)?;
    Ok(Requirements { page, problems: found.problems })
}

fn view(one: CoveredRequirement) -> Result<RequirementView, Problem> {
    let value = |done: serde_json::Result<Value>| done.map_err(|err| Problem::internal(err.to_string()));
    Ok(RequirementView {
        coverage: value(serde_json::to_value(one.coverage))?,
        tests: value(serde_json::to_value(&one.tests))?,
        code: one.requirement.code,
        name: one.requirement.name,
        description: one.requirement.description,
        category: one.requirement.category,
        acceptance_criteria: one.requirement.acceptance_criteria,
        file: one.file,
        is_shown: one.is_shown,
    })
}

fn coverage(asked: &Asked, _: Nothing) -> Result<CoverageView, Problem> {
    let seams = &asked.service.seams;
    let found = project_coverage(&seams.context, &seams.folder)?;
    let totals = CoverageTotals::of(&found.requirements);
    Ok(CoverageView {
        suite: found.suite,
        has_files: found.has_files,
        requirements: totals.requirements,
        full: totals.full,
        partial: totals.partial,
        negative_only: totals.negative_only,
        none: totals.none,
        shown: totals.shown,
        failing: totals.failing,
        retired: totals.retired,
    })
}
