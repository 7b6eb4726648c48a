//! Tests, runs, heals, history and plans as tools: commands of the command line with typed arguments.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::browser::object;
use crate::outputs::{
    AnalysedRun, BuildComparison, FlakyList, HealList, History, MeaningList, PlanResult, RunList, RunResult,
    Statistics, TestList,
};
use crate::tool::{Cost, Does, Effects, Fit, Group, Misfit, Says, Tool, Words};

/// Arguments that become a command line.
trait Order: DeserializeOwned + JsonSchema {
    fn words(self) -> Vec<String>;
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Sentence {
    /// One sentence: an act or a check.
    sentence: String,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Selection {
    /// Files and folders; all tests of the project without it.
    #[serde(default)]
    paths: Vec<String>,
    /// Only tests whose id, name or file contains this.
    contains: Option<String>,
    /// Only tests with one of these tags, separated by commas.
    tags: Option<String>,
    /// Host whose tests are meant; local without it.
    host: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Listing {
    #[serde(flatten)]
    selection: Selection,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Checking {
    /// Files and folders; all tests of the project without it.
    #[serde(default)]
    paths: Vec<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Execution {
    /// Files and folders; all tests of the project without it.
    #[serde(default)]
    paths: Vec<String>,
    /// Only tests whose id, name or file contains this.
    testcase: Option<String>,
    /// Only tests with one of these tags, separated by commas.
    tags: Option<String>,
    /// chromium, firefox, webkit, or several, separated by commas.
    browser: Option<String>,
    /// Address of the application, instead of the one in the files.
    base_url: Option<String>,
    /// Only tests that did not pass in the last run.
    #[serde(default)]
    last_failed: bool,
    /// Write lock files for tests that pass.
    #[serde(default)]
    lock: bool,
    retries: Option<u32>,
    /// Host to run on; local without it.
    host: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct WhichRun {
    /// Number or name of a run; the newest without it.
    run: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RunListing {
    /// The newest so many; 10 without it.
    limit: Option<u32>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Proof {
    /// Test ids, files or folders.
    testcases: Vec<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Comparison {
    /// Address of the build that is known to be good.
    old: String,
    /// Address of the build to compare with it.
    new: String,
    /// Test ids, files or folders; all tests of the project without it.
    #[serde(default)]
    testcases: Vec<String>,
    /// chromium, firefox or webkit.
    browser: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Heals {
    /// Number or name of a run; the newest without it.
    run: Option<String>,
    /// Test ids; all tests of the run without it.
    #[serde(default)]
    testcases: Vec<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct OneTest {
    /// Id of a test, as `list_testcases` gives it.
    testcase: String,
    /// How many results; 20 without it.
    limit: Option<u32>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Period {
    /// Only the last days; all runs without it.
    days: Option<u32>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Planning {
    /// Address of the page to test.
    url: String,
    /// What should be tested; needs a model.
    goal: Option<String>,
    /// Folder for the new files.
    folder: Option<String>,
    /// Answers to questions of the last call, by their ids.
    #[serde(default)]
    answers: BTreeMap<String, String>,
}

pub(crate) fn plain(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_string()).collect()
}

/// A flag with its value, where there is one.
pub(crate) fn valued(name: &str, value: Option<impl ToString>) -> Vec<String> {
    value.map(|value| vec![format!("--{name}"), value.to_string()]).unwrap_or_default()
}

pub(crate) fn switched(name: &str, is_on: bool) -> Vec<String> {
    if is_on { vec![format!("--{name}")] } else { Vec::new() }
}

/// Words of the caller, which may begin like flags.
pub(crate) fn operands(words: Vec<String>) -> Vec<String> {
    if words.is_empty() { words } else { std::iter::once("--".to_string()).chain(words).collect() }
}

impl Order for Sentence {
    fn words(self) -> Vec<String> {
        [plain(&["do"]), operands(vec![self.sentence])].concat()
    }
}

impl Order for Listing {
    fn words(self) -> Vec<String> {
        let Selection { paths, contains, tags, host } = self.selection;
        let flags = [valued("grep", contains), valued("tag", tags), valued("host", host)].concat();
        [plain(&["run", "--list"]), flags, operands(paths)].concat()
    }
}

impl Order for Checking {
    fn words(self) -> Vec<String> {
        [plain(&["run", "--dry-run"]), operands(self.paths)].concat()
    }
}

impl Order for Execution {
    fn words(self) -> Vec<String> {
        [
            plain(&["run"]),
            valued("grep", self.testcase),
            valued("tag", self.tags),
            valued("browser", self.browser),
            valued("base-url", self.base_url),
            valued("retries", self.retries),
            valued("host", self.host),
            switched("last-failed", self.last_failed),
            switched("lock", self.lock),
            operands(self.paths),
        ]
        .concat()
    }
}

fn report(run: WhichRun) -> Vec<String> {
    [plain(&["report", "show", "--analysis"]), operands(run.run.into_iter().collect())].concat()
}

fn resumption(run: WhichRun) -> Vec<String> {
    [plain(&["resume"]), operands(run.run.into_iter().collect())].concat()
}

fn runs(listing: RunListing) -> Vec<String> {
    [plain(&["report", "list"]), valued("limit", Some(listing.limit.unwrap_or(10)))].concat()
}

fn proof(proof: Proof) -> Vec<String> {
    [plain(&["prove"]), operands(proof.testcases)].concat()
}

fn comparison(builds: Comparison) -> Vec<String> {
    [
        plain(&["twin"]),
        valued("old", Some(builds.old)),
        valued("new", Some(builds.new)),
        valued("browser", builds.browser),
        operands(builds.testcases),
    ]
    .concat()
}

fn heals(heals: Heals) -> Vec<String> {
    [plain(&["heal"]), valued("run", heals.run), operands(heals.testcases)].concat()
}

fn acceptance(accepted: Heals) -> Vec<String> {
    [plain(&["heal", "--apply"]), valued("run", accepted.run), operands(accepted.testcases)].concat()
}

fn history(of: OneTest) -> Vec<String> {
    [plain(&["history"]), valued("limit", of.limit), operands(vec![of.testcase])].concat()
}

fn flaky(period: Period) -> Vec<String> {
    [plain(&["flaky"]), valued("days", period.days)].concat()
}

fn statistics(period: Period) -> Vec<String> {
    [plain(&["stats"]), valued("days", period.days)].concat()
}

fn plan(planning: Planning) -> Vec<String> {
    [
        plain(&["plan"]),
        valued("url", Some(planning.url)),
        valued("out", planning.folder),
        planning
            .answers
            .into_iter()
            .flat_map(|(id, answer)| valued("answer", Some(format!("{id}: {answer}"))))
            .collect(),
        operands(planning.goal.into_iter().collect()),
    ]
    .concat()
}

pub(crate) fn read<T: DeserializeOwned>(arguments: Map<String, Value>, words: fn(T) -> Vec<String>) -> Words {
    let order: T = serde_json::from_value(Value::Object(arguments)).map_err(Misfit::Shape)?;
    Ok(words(order))
}

/// A tool that is a command: its arguments as words, its answer in a form.
pub(crate) struct Row {
    pub name: &'static str,
    pub title: &'static str,
    pub description: &'static str,
    pub effects: Effects,
    pub group: Group,
    pub cost: Cost,
    pub input: fn() -> Value,
    pub output: fn() -> Value,
    pub words: fn(Map<String, Value>) -> Words,
    pub fit: Fit,
}

/// The schema of arguments in as few words as can be.
pub(crate) fn schema_of<T: JsonSchema>() -> Value {
    let mut generator = schemars::generate::SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    generator.untagged_enum_variant_titles = false;
    let mut schema = generator.into_generator().into_root_schema_for::<T>().to_value();
    shorten(&mut schema);
    schema
}

/// What a reader knows anyway: names that repeat the type, null for what may be left out, defaults of nothing.
fn shorten(schema: &mut Value) {
    let Value::Object(fields) = schema else { return };
    for noise in ["title", "default", "format", "minimum", "additionalProperties", "$schema"] {
        if fields.get(noise).is_some_and(|value| !value.is_object()) {
            fields.remove(noise);
        }
    }
    if let Some(Value::Array(types)) = fields.get("type") {
        let kept: Vec<Value> = types.iter().filter(|kind| *kind != "null").cloned().collect();
        if let [only] = kept.as_slice() {
            let only = only.clone();
            fields.insert("type".to_string(), only);
        }
    }
    fields.values_mut().for_each(|value| match value {
        Value::Array(items) => items.iter_mut().for_each(shorten),
        value => shorten(value),
    });
}

macro_rules! row {
    ($name:literal, $title:literal, $description:literal, $effects:expr, $group:ident, $cost:ident, $arguments:ty, $words:expr, $output:ty, $list:literal) => {
        $crate::suite::Row {
            name: $name,
            title: $title,
            description: $description,
            effects: $effects,
            group: $crate::tool::Group::$group,
            cost: $crate::tool::Cost::$cost,
            input: $crate::suite::schema_of::<$arguments>,
            output: $crate::suite::schema_of::<$output>,
            words: |arguments| $crate::suite::read::<$arguments>(arguments, $words),
            fit: |data| $crate::outputs::fitted::<$output>(data, $list),
        }
    };
}
pub(crate) use row;

#[rustfmt::skip] // One tool, one entry.
const ROWS: &[Row] = &[
    row!("list_testcases", "List tests", "List the tests of the project with their ids and files",
        Effects::READS, Tests, Quick, Listing, Listing::words, TestList, "tests"),
    row!("check_testcases", "Check what sentences mean", "Show how each sentence of tests is understood, without a browser",
        Effects::READS, Tests, Quick, Checking, Checking::words, MeaningList, "tests"),
    row!("execute_testcase", "Run tests", "Run tests in a real browser and report each verdict with its reason",
        Effects::RUNS, Tests, Long, Execution, Execution::words, RunResult, ""),
    row!("prove_testcase", "Prove tests", "Check that passing tests can fail: break the application on purpose, one fault at a time",
        Effects::RUNS, Tests, Long, Proof, proof, RunResult, ""),
    row!("compare_builds", "Compare two builds", "Run the same tests against two builds side by side and report the first divergence of each test",
        Effects::RUNS, Tests, Long, Comparison, comparison, BuildComparison, ""),
    row!("list_runs", "List runs", "List the runs on record with their verdicts",
        Effects::READS, Runs, Quick, RunListing, runs, RunList, "runs"),
    row!("get_execution_status", "Show a run", "Show a run again: verdicts, what each result means and why, what changed, what to look at first",
        Effects::READS, Runs, Quick, WhichRun, report, AnalysedRun, ""),
    row!("resume_run", "Resume a run", "Go on with a run that was cut off",
        Effects::RUNS, Runs, Long, WhichRun, resumption, RunResult, ""),
    row!("list_heals", "List heals", "List the steps that a run healed, with old and new element",
        Effects::READS, Heals, Quick, Heals, heals, HealList, "heals"),
    row!("accept_heals", "Accept heals", "Write healed steps to the lock files; review them first with list_heals",
        Effects { destroys: true, ..Effects::WRITES }, Heals, Quick, Heals, acceptance, HealList, "heals"),
    row!("get_testcase_history", "Show a test's history", "Show the latest results of a test",
        Effects::READS, History, Quick, OneTest, history, History, "results"),
    row!("list_flaky_testcases", "List flaky tests", "List tests with mixed results and no change, and the steps where they differ",
        Effects::READS, History, Quick, Period, flaky, FlakyList, "tests"),
    row!("get_statistics", "Show statistics", "Show results, durations, slowest tests and most failures of all runs",
        Effects::READS, History, Quick, Period, statistics, Statistics, ""),
    row!("generate_and_save_testcase", "Plan tests", "Look at a page, write tests for it, try them and save those that pass",
        Effects { is_idempotent: false, ..Effects::RUNS }, Planning, Long, Planning, plan, PlanResult, ""),
];

pub(crate) fn tools() -> impl Iterator<Item = Tool> {
    std::iter::once(sentence()).chain(ROWS.iter().map(Row::tool))
}

/// Its answer is text, as that of every verb of the browser.
fn sentence() -> Tool {
    Tool {
        name: "do",
        title: "Do one sentence",
        description: "Carry out or check one sentence of plain language on the current page",
        input: object(schema_of::<Sentence>()),
        output: None,
        effects: Effects::RUNS,
        group: Group::Browser,
        cost: Cost::Moderate,
        says: None,
        shows_first: None,
        does: Does::Sentence(|arguments| read::<Sentence>(arguments, Sentence::words)),
    }
}

/// What was written, in words.
fn says_of(name: &str) -> Option<Says> {
    match name {
        "accept_heals" => Some(|value| {
            let heals = value.get("heals")?.as_array()?;
            let line = |heal: &Value| {
                let part =
                    |name: &str| heal.get(name).and_then(Value::as_str).unwrap_or_default().to_string();
                format!("{}: {} · {}", part("state"), part("test"), part("step"))
            };
            let lines: Vec<String> = heals.iter().map(line).collect();
            Some(if lines.is_empty() { "nothing to accept".to_string() } else { lines.join("\n") })
        }),
        "delete_tree" => Some(|value| Some(format!("deleted the tree {}", value.get("tree")?.as_str()?))),
        _ => None,
    }
}

impl Row {
    pub fn tool(&self) -> Tool {
        Tool {
            name: self.name,
            title: self.title,
            description: self.description,
            input: object((self.input)()),
            output: Some(object((self.output)())),
            effects: self.effects,
            group: self.group,
            cost: self.cost,
            says: says_of(self.name),
            shows_first: (self.effects.destroys && self.group == Group::Heals).then_some("list_heals"),
            does: Does::Command(self.words, self.fit),
        }
    }
}
