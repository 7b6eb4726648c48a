//! What the commands answer to tools: the parts that a reader decides by. The rest is in the files of a run.
//!
//! The data of a command is read into one of these types and written again, so its schema holds.

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Data in the form of `T`. A list becomes the one field of `T`, since older clients want an object.
pub(crate) fn fitted<T: DeserializeOwned + Serialize>(data: Value, list: &str) -> serde_json::Result<Value> {
    let data = match data {
        Value::Array(_) => serde_json::json!({ list: data }),
        other => other,
    };
    serde_json::to_value(serde_json::from_value::<T>(data)?)
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct TestList {
    tests: Vec<TestEntry>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct TestEntry {
    id: String,
    name: String,
    file: String,
    browser: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    tags: Vec<String>,
    /// Codes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    requirements: Vec<String>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct MeaningList {
    tests: Vec<TestMeaning>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct TestMeaning {
    id: String,
    file: String,
    steps: Vec<SentenceMeaning>,
    /// It claims nothing, so it cannot fail.
    no_expectation: bool,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct SentenceMeaning {
    part: String,
    text: String,
    /// What assay would do or check; the reason if it does not understand.
    means: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    understood: Option<bool>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct RunResult {
    run: String,
    totals: RunTotals,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    duration_ms: Option<u64>,
    /// Where things were broken on purpose.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    proofs: Option<ProofTotals>,
    tests: Vec<TestResult>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct RunTotals {
    tests: u64,
    passed: u64,
    failed: u64,
    inconclusive: u64,
    errors: u64,
    not_run: u64,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct ProofTotals {
    proved: u64,
    hollow: u64,
    open: u64,
    faults: u64,
    caught: u64,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct TestResult {
    id: String,
    file: String,
    /// passed, failed, inconclusive or error.
    status: String,
    /// In which browser it ran.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    browser: Option<String>,
    duration_ms: u64,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    reason: String,
    /// The line of the file that did not pass, such as `step 4`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    failed_at: Option<String>,
    /// The kind of problem: product defect, test defect, environment, …
    #[serde(default, skip_serializing_if = "Option::is_none")]
    class: Option<String>,
    /// It passed on a retry.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    flaky: bool,
}

/// A run that is over, with what its results mean.
#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct AnalysedRun {
    run: String,
    totals: RunTotals,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    duration_ms: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    proofs: Option<ProofTotals>,
    tests: Vec<AnalysedTest>,
    /// Missing for the first run of a suite.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    changes: Option<RunChanges>,
    /// What to look at first, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    first_look: Vec<FirstLook>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct AnalysedTest {
    id: String,
    file: String,
    /// passed, failed, inconclusive or error.
    status: String,
    duration_ms: u64,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    reason: String,
    /// The line of the file that did not pass, such as `step 4`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    failed_at: Option<String>,
    /// It passed on a retry.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    flaky: bool,
    /// Missing while the run goes on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    analysis: Option<ResultMeaning>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct ResultMeaning {
    /// VALID_PASS, VALID_FAIL, BUG, SCRIPT_ISSUE, SYSTEM_ISSUE or EXTERNAL_BLOCK; missing where the evidence does not decide.
    class: Option<String>,
    /// The classes that the evidence fits, where it does not decide.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    candidates: Vec<String>,
    /// The class, or INCONCLUSIVE with the candidates.
    meaning: String,
    reason: String,
    evidence: String,
    /// Why the result may be a false one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    suspicions: Vec<String>,
    /// How often this error was seen, this time included.
    times: u64,
    /// The first run with this error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    since: Option<i64>,
}

/// Ids of tests, against the run `since`.
#[derive(Serialize, Deserialize, JsonSchema)]
struct RunChanges {
    since: i64,
    broken: Vec<String>,
    fixed: Vec<String>,
    other_error: Vec<String>,
    same_error: Vec<String>,
    added: Vec<String>,
    gone: Vec<String>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct FirstLook {
    class: String,
    tests: Vec<String>,
    what: String,
    why: String,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct RunList {
    runs: Vec<RunEntry>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct RunEntry {
    run: RecordedRun,
    totals: RunTotals,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct RecordedRun {
    /// The number of the run.
    task: i64,
    run: String,
    suite: String,
    status: String,
    /// Milliseconds since 1970.
    started_at: u64,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct BuildComparison {
    old: String,
    new: String,
    rounds: u64,
    /// same, different or not-comparable.
    verdict: String,
    tests: Vec<ComparedTest>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct ComparedTest {
    test: String,
    file: String,
    /// same, different or not-comparable.
    verdict: String,
    /// Why it is not comparable.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    reason: String,
    steps: u64,
    /// The first step that differs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    first: Option<DifferingStep>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct DifferingStep {
    step: u64,
    text: String,
    findings: Vec<BuildDifference>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct BuildDifference {
    /// effect, text, structure, picture, requests or timing.
    aspect: String,
    place: DifferingPlace,
    old: String,
    new: String,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct DifferingPlace {
    shown: String,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct HealList {
    heals: Vec<Heal>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Heal {
    test: String,
    file: String,
    step: String,
    /// open, accepted, or why it cannot be accepted.
    state: String,
    was: HealedEntry,
    now: HealedEntry,
    /// How the new element was found.
    found: Vec<HealedElement>,
    recorded_effect: String,
    effect: String,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct HealedEntry {
    /// The acts with their elements.
    acts: Vec<Value>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct HealedElement {
    score: f64,
    because: String,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct History {
    results: Vec<PastResult>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct PastResult {
    run: String,
    test_id: String,
    browser: String,
    verdict: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    reason: String,
    flaky: bool,
    /// Milliseconds since 1970.
    at: u64,
    duration_ms: u64,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Share {
    hits: u64,
    of: u64,
    share: f64,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct FlakyList {
    tests: Vec<FlakyTest>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct FlakyTest {
    test: String,
    file: String,
    rate: Share,
    steps: Vec<FlakyStep>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct FlakyStep {
    part: String,
    text: String,
    times: u64,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct Statistics {
    runs: u64,
    tests: u64,
    passed: u64,
    failed: u64,
    inconclusive: u64,
    errors: u64,
    flaky: u64,
    slowest: Vec<SlowTest>,
    most_failing: Vec<FailingTest>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct SlowTest {
    test: String,
    median_ms: u64,
    p95_ms: u64,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct FailingTest {
    test: String,
    rate: Share,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct PlanResult {
    files: Vec<PlannedFile>,
    /// How many tests passed when they were tried.
    green: u64,
    /// Tests that did not.
    red: Vec<RedTest>,
    /// Drafts that were not worth writing.
    refused: Vec<RedTest>,
    /// What a person has to answer.
    questions: Vec<PlanQuestion>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct PlannedFile {
    file: String,
    tests: Value,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct RedTest {
    test: String,
    why: String,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct PlanQuestion {
    id: String,
    question: String,
    why: String,
    blocking: bool,
}

/// A test file as it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TestFile {
    pub path: String,
    pub version: String,
    pub text: String,
}

/// A test file that was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SavedFile {
    pub version: String,
    pub path: String,
    /// Every sentence is understood.
    pub is_understood: bool,
}
