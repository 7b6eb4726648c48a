//! Requirements, the links of tests to them, and coverage as tools: commands of the command line with typed arguments.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::suite::{Row, operands, plain, row, switched, valued};
use crate::tool::{Effects, Tool};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct NewRequirement {
    /// Unique in the project, such as REQ-12.
    code: String,
    /// What it is about, in a few words.
    name: String,
    #[serde(flatten)]
    facts: Facts,
    /// File of the folder requirements for it.
    file: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ChangedRequirement {
    code: String,
    name: Option<String>,
    #[serde(flatten)]
    facts: Facts,
}

#[derive(Deserialize, JsonSchema)]
struct Facts {
    /// What the application should do.
    description: Option<String>,
    /// critical, high, medium or low.
    priority: Option<String>,
    category: Option<String>,
    /// draft, approved, implemented or retired.
    status: Option<String>,
    /// What must be so for it to count as done; replaces the whole list.
    #[serde(default)]
    acceptance_criteria: Vec<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Filter {
    priority: Option<String>,
    category: Option<String>,
    status: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct OneCode {
    code: String,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct NewLink {
    /// Code of a requirement.
    requirement: String,
    /// Id, name or file of a test; script:NAME for a script.
    testcase: String,
    /// full (default), partial, or negative: it shows what must not work.
    coverage: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct OldLink {
    /// Code of a requirement.
    requirement: String,
    /// Id, name or file of a test; script:NAME for a script.
    testcase: String,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct OneTest {
    /// Id, name or file of a test; script:NAME for a script.
    testcase: String,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Nothing {}

impl Facts {
    fn flags(self) -> Vec<String> {
        [
            valued("description", self.description),
            valued("priority", self.priority),
            valued("category", self.category),
            valued("status", self.status),
            // One line each: a criterion is a sentence.
            self.acceptance_criteria
                .into_iter()
                .flat_map(|text| valued("criterion", Some(text.replace('\n', " "))))
                .collect(),
        ]
        .concat()
    }
}

fn creation(new: NewRequirement) -> Vec<String> {
    let flags = [new.facts.flags(), valued("file", new.file)].concat();
    [plain(&["requirement", "create"]), flags, operands(vec![new.code, new.name])].concat()
}

fn update(changed: ChangedRequirement) -> Vec<String> {
    let flags = [valued("name", changed.name), changed.facts.flags()].concat();
    [plain(&["requirement", "update"]), flags, operands(vec![changed.code])].concat()
}

fn list(filter: Filter) -> Vec<String> {
    [
        plain(&["requirement", "list"]),
        valued("priority", filter.priority),
        valued("category", filter.category),
        valued("status", filter.status),
    ]
    .concat()
}

fn one(which: OneCode) -> Vec<String> {
    [plain(&["requirement", "show"]), operands(vec![which.code])].concat()
}

fn link(new: NewLink) -> Vec<String> {
    [
        plain(&["requirement", "link"]),
        valued("as", new.coverage),
        operands(vec![new.requirement, new.testcase]),
    ]
    .concat()
}

fn unlink(old: OldLink) -> Vec<String> {
    [plain(&["requirement", "unlink"]), operands(vec![old.requirement, old.testcase])].concat()
}

fn of_test(test: OneTest) -> Vec<String> {
    [plain(&["requirement", "of"]), operands(vec![test.testcase])].concat()
}

fn coverage(_: Nothing) -> Vec<String> {
    plain(&["coverage"])
}

fn uncovered(_: Nothing) -> Vec<String> {
    [plain(&["coverage"]), switched("uncovered", true)].concat()
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Changes {
    /// Codes.
    created: Vec<String>,
    updated: Vec<String>,
    unchanged: Vec<String>,
    files: Vec<String>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct RequirementList {
    requirements: Vec<RequirementEntry>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct RequirementEntry {
    code: String,
    name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    priority: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    category: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    status: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    acceptance_criteria: Vec<String>,
    /// None if only tests name it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    file: Option<String>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct RequirementWithTests {
    #[serde(flatten)]
    requirement: RequirementEntry,
    #[serde(flatten)]
    covered: Covered,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Covered {
    /// full, partial, negative-only or none, by the links of its tests.
    coverage: String,
    /// Fully covered, and all its tests passed as they are now.
    is_shown: bool,
    tests: Vec<LinkedTest>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct LinkedTest {
    id: String,
    file: String,
    /// full, partial or negative.
    coverage: String,
    /// passed, failed, error, inconclusive, never-run, stale or proves-nothing.
    standing: String,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct CoverageReport {
    totals: CoverageTotals,
    requirements: Vec<CoverageEntry>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct CoverageEntry {
    code: String,
    name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    priority: Option<String>,
    #[serde(flatten)]
    covered: Covered,
}

/// How many requirements, without retired ones.
#[derive(Serialize, Deserialize, JsonSchema)]
struct CoverageTotals {
    requirements: u64,
    full: u64,
    partial: u64,
    negative_only: u64,
    none: u64,
    shown: u64,
    failing: u64,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct LinkResult {
    testcase: String,
    requirement: String,
    file: String,
    /// False if it was so before.
    changed: bool,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct TestRequirements {
    testcase: String,
    file: String,
    requirements: Vec<TestRequirement>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct TestRequirement {
    code: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    /// full, partial or negative.
    coverage: String,
}

#[rustfmt::skip] // One tool, one entry.
const ROWS: &[Row] = &[
    row!("create_requirement", "Create a requirement", "Write a new requirement to the files of the project",
        Effects { is_idempotent: false, ..Effects::WRITES }, Requirements, Quick, NewRequirement, creation, Changes, ""),
    row!("list_requirements", "List requirements", "List the requirements of the project",
        Effects::READS, Requirements, Quick, Filter, list, RequirementList, "requirements"),
    row!("get_requirement", "Show a requirement", "Show a requirement with the tests that cover it and how they stand",
        Effects::READS, Requirements, Quick, OneCode, one, RequirementWithTests, ""),
    row!("update_requirement", "Change a requirement", "Change what is said of a requirement; the rest of its file stays as it is",
        Effects::WRITES, Requirements, Quick, ChangedRequirement, update, Changes, ""),
    row!("link_testcase_to_requirement", "Link a test to a requirement", "Write into the file of a test that it covers a requirement",
        Effects::WRITES, Requirements, Quick, NewLink, link, LinkResult, ""),
    row!("unlink_testcase_from_requirement", "Unlink a test from a requirement", "Take a requirement out of the file of a test",
        Effects::WRITES, Requirements, Quick, OldLink, unlink, LinkResult, ""),
    row!("get_coverage_summary", "Show coverage", "Show for each requirement how far tests cover it and what their last run showed",
        Effects::READS, Requirements, Quick, Nothing, coverage, CoverageReport, ""),
    row!("get_uncovered_requirements", "List uncovered requirements", "List requirements without a test, or with tests only of what must not happen",
        Effects::READS, Requirements, Quick, Nothing, uncovered, CoverageReport, ""),
    row!("get_testcase_requirements", "Show a test's requirements", "List the requirements that a test covers, and how far",
        Effects::READS, Requirements, Quick, OneTest, of_test, TestRequirements, ""),
];

pub(crate) fn tools() -> impl Iterator<Item = Tool> {
    ROWS.iter().map(Row::tool)
}
