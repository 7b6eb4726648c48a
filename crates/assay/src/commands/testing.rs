//! Commands around tests: run, plan, resume, prove, heal.

use assay_host::{
    Cassette, Granularity, HealRequest, LockMode, ModelOptions, TestChoice, WantedReports, limits_said,
    parse_shard, pilot_named,
};
use assay_protocol::actions::{Arguments, Flag, UsageError};
use assay_protocol::{ErrorCode, Failure};

use super::{CommandEntry, command, optional_text};
use crate::command::Command;
use crate::engines::{ENGINES, engine};
use crate::plan;
use crate::run::RunOptions;

const GREP: Flag = Flag::value("grep", "TEXT", "tests whose id, name or file holds this");
const TAG: Flag =
    Flag::value("tag", "TAGS", "tests with one of these tags, joined by commas; !tag for those without");
const SHARD: Flag = Flag::value("shard", "N/M", "the Nth of M parts of the suite");
const WORKERS: Flag = Flag::value("workers", "N", "tests side by side (default: by cores and memory)");
const ISOLATION: Flag =
    Flag::value("isolation", "HOW", "context (default), or browser: a process of its own for each test");
const NO_LOCK: Flag = Flag::switch("no-lock", "work everything out anew, as if there were no lock files");
const BASE_URL: Flag =
    Flag::value("base-url", "ADDRESS", "the application's address, instead of what the files say");
const RESULTS: Flag =
    Flag::value("results", "FOLDER", "for reports, pictures and failures (default assay-results)");
const JSON_REPORT: Flag = Flag::value("json-report", "FILE", "the JSON report, here as well");
const HTML: Flag = Flag::value("html", "FILE", "the HTML report, here as well, with its pictures in it");
const NO_SCREENSHOTS: Flag = Flag::switch("no-screenshots", "take no pictures of changes");
const TRUST: Flag = Flag::switch("trust", "run the project's commands although its folder is not trusted");

const RUN_FLAGS: &[Flag] = &[
    Flag::switch("list", "only list the tests"),
    Flag::switch("dry-run", "only tell what each sentence would mean, without a browser"),
    GREP,
    TAG,
    SHARD,
    Flag::switch("last-failed", "only what did not pass in the last run"),
    Flag::value("repeat", "N", "each test so many times"),
    WORKERS,
    ISOLATION,
    Flag::switch("fail-fast", "begin no more tests after the first that does not pass"),
    Flag::value("retries", "N", "another try for a test that fails; a pass is then marked flaky"),
    Flag::switch("lock", "write what passes into lock files beside the tests"),
    Flag::switch("frozen", "never write a lock file (the default in CI)"),
    NO_LOCK,
    Flag::value(
        "model",
        "NAME",
        "the model to ask where the interpreter is not sure: anthropic/claude-sonnet-5-5",
    ),
    Flag::value("pilot", "WHO", "who decides: auto (default), replay, builtin, model, computer-use or grid"),
    Flag::value(
        "budget",
        "LIMITS",
        "what the run may spend on models: 0.50 in dollars, 20000tokens, 30calls",
    ),
    Flag::value("cassette", "HOW:FILE", "record:FILE keeps what models answer, replay:FILE asks nobody else"),
    Flag::switch("verbose", "tell of every question to a model"),
    Flag::value("slow-mo", "MS", "a pause after each command, to watch"),
    BASE_URL,
    RESULTS,
    JSON_REPORT,
    HTML,
    Flag::value("junit", "FILE", "a JUnit XML report"),
    Flag::value("ctrf", "FILE", "a CTRF report"),
    Flag::switch("trace", "trace.zip among the results, for Playwright's viewer"),
    NO_SCREENSHOTS,
    TRUST,
];

pub(super) const RUN: CommandEntry = command(
    "run",
    "[PATH...]",
    "Run tests written in plain language: files or folders",
    "assay run tests/ --workers 4",
    |words| Ok(Command::Run(Box::new(run_options(words, words.all().to_vec(), Vec::new())?))),
)
.flags(RUN_FLAGS);

const PROVE_FLAGS: &[Flag] = &[
    Flag::switch("all", "all tests of the suite"),
    GREP,
    TAG,
    SHARD,
    WORKERS,
    ISOLATION,
    BASE_URL,
    RESULTS,
    JSON_REPORT,
    HTML,
    NO_LOCK,
    NO_SCREENSHOTS,
    TRUST,
];

pub(super) const PROVE: CommandEntry = command(
    "prove",
    "[TEST|PATH...]",
    "Break one thing at a time and see whether tests that pass notice: requests, texts, controls",
    "assay prove login_valid_credentials",
    |words| {
        // A word that is no path names a test of the suite around us.
        let named = words.all().iter().cloned();
        let (paths, ids): (Vec<String>, Vec<String>) =
            named.partition(|word| std::path::Path::new(word).exists());
        let is_empty = paths.is_empty() && ids.is_empty();
        let options = run_options(words, paths, ids)?;
        if is_empty && !words.has("all") {
            let nothing = UsageError::WrongValue {
                expected: "a test, a file or a folder to prove".to_string(),
                found: "nothing".to_string(),
                example: Some("assay prove --all proves the whole suite"),
            };
            return Err(nothing.into());
        }
        Ok(Command::Run(Box::new(RunOptions { proves: true, ..options })))
    },
)
.flags(PROVE_FLAGS);

fn run_options(words: &Arguments<'_>, paths: Vec<String>, ids: Vec<String>) -> Result<RunOptions, Failure> {
    let flag = |name: &str| words.flag(name).map(str::to_string);
    let list = |name: &str| -> Vec<String> {
        let given = words.flag(name).unwrap_or_default();
        given.split(',').map(str::trim).filter(|word| !word.is_empty()).map(str::to_string).collect()
    };
    let own_browser = match words.flag("isolation") {
        None | Some("context") => false,
        Some("browser") => true,
        Some(other) => {
            return Err(
                UsageError::wrong_value("--isolation context or browser", format!("`{other}`")).into()
            );
        }
    };
    let mut browsers = list("browser");
    if browsers == ["all"] {
        browsers = ENGINES.iter().map(|engine| engine.name.to_string()).collect();
    }
    for browser in &browsers {
        engine(Some(browser))?;
    }
    Ok(RunOptions {
        paths: if paths.is_empty() { vec![".".to_string()] } else { paths },
        choice: TestChoice {
            ids,
            grep: flag("grep"),
            tags: list("tag"),
            shard: words.flag("shard").map(parse_shard).transpose()?,
            last_failed: words.has("last-failed"),
            repeat: words.number("repeat")?.unwrap_or(1).clamp(1, 10_000) as u32,
        },
        list: words.has("list"),
        dry_run: words.has("dry-run"),
        workers: words.number("workers")?.map(|workers| workers.clamp(1, 256) as usize),
        own_browser,
        fail_fast: words.has("fail-fast"),
        locks: lock_mode(words)?,
        proves: false,
        slow_ms: words.number("slow-mo")?.unwrap_or(0),
        retries: words.number("retries")?.map(|retries| retries.min(100) as u32),
        browsers,
        base_url: flag("base-url"),
        reports: WantedReports {
            json: flag("json-report"),
            junit: flag("junit"),
            ctrf: flag("ctrf"),
            html: flag("html"),
            trace: words.has("trace"),
        },
        results: flag("results").unwrap_or_else(|| "assay-results".to_string()),
        pictures: !words.has("no-screenshots"),
        trust: words.has("trust"),
        models: model_options(words)?,
    })
}

fn model_options(words: &Arguments<'_>) -> Result<ModelOptions, Failure> {
    Ok(ModelOptions {
        model: words.flag("model").map(str::to_string),
        pilot: words.flag("pilot").map(pilot_named).transpose()?,
        limits: words.flag("budget").map(limits_said).transpose()?,
        cassette: words.flag("cassette").map(Cassette::read).transpose()?,
        verbose: words.has("verbose"),
    })
}

fn lock_mode(words: &Arguments<'_>) -> Result<LockMode, Failure> {
    let usage = |message: &str| Err(Failure::new(ErrorCode::Usage, message));
    match (words.has("lock"), words.has("frozen"), words.has("no-lock")) {
        (true, true, _) => usage("--lock writes lock files and --frozen forbids it; say one of them"),
        (true, _, true) => usage("--lock writes lock files and --no-lock does without; say one of them"),
        (true, false, false) => Ok(LockMode::Write),
        (false, _, true) => Ok(LockMode::Ignore),
        (false, _, false) => Ok(LockMode::Read),
    }
}

pub(super) const PLAN: CommandEntry = command(
    "plan",
    "[GOAL]",
    "Write tests: by rules from a page, or by a model from a goal or a document; questions come first (exit code 3)",
    "assay plan --url http://127.0.0.1:8080/ --out tests",
    |words| Ok(Command::Plan(Box::new(plan_options(words)?))),
)
.flags(&[
    Flag::value("url", "ADDRESS", "the page or application to test (default: base_url of the project)"),
    Flag::value("requirements", "FILE", "a document that says what the application should do"),
    Flag::switch("explore", "open the pages that the first one links to as well: only looked at, nothing is sent"),
    Flag::value("out", "FOLDER", "for the test files (default tests)"),
    Flag::values(
        "answer",
        "TEXT",
        "an answer to a question of the last call: \"id: text\"; may be given several times",
    ),
    Flag::value("answers", "FILE", "answers, one a line"),
    Flag::switch("yes", "go on although the model has questions: what depends on them is left out"),
    Flag::switch("force", "replace files that are there"),
    Flag::switch("try", "also run the tests that press a button which may send something"),
    Flag::value("model", "NAME", "the model that plans: anthropic/claude-sonnet-5-5"),
    Flag::value("budget", "LIMITS", "what the plan may spend on the model: 0.50 in dollars, 20000tokens, 2calls"),
    Flag::value("cassette", "HOW:FILE", "record:FILE keeps what the model answers, replay:FILE asks nobody else"),
    Flag::switch("verbose", "tell of every wait and every cached question"),
]);

fn plan_options(words: &Arguments<'_>) -> Result<plan::PlanOptions, Failure> {
    let flag = |name: &str| words.flag(name).map(str::to_string);
    Ok(plan::PlanOptions {
        goal: optional_text(words, 0),
        url: flag("url"),
        requirements: flag("requirements"),
        explore: words.has("explore"),
        out: flag("out").unwrap_or_else(|| "tests".to_string()),
        answers: flag("answer").unwrap_or_default(),
        answers_file: flag("answers"),
        goes_on: words.has("yes"),
        forces: words.has("force"),
        tries: words.has("try"),
        models: model_options(words)?,
    })
}

pub(super) const RESUME: CommandEntry = command(
    "resume",
    "[RUN]",
    "Go on with a run that was cut off: the newest, or by its number or name",
    "assay resume --steps",
    |words| {
        Ok(Command::Resume {
            which: optional_text(words, 0),
            granularity: if words.has("steps") { Granularity::Steps } else { Granularity::Tests },
        })
    },
)
.flags(&[Flag::switch(
    "steps",
    "go on at the step that a test had come to, instead of beginning the test anew",
)]);

pub(super) const HEAL: CommandEntry = command(
    "heal",
    "[TEST...]",
    "What the last run found changed on pages and healed: both pictures, old and new, and into the lock files with --apply",
    "assay heal --apply",
    |words| {
        Ok(Command::Heal(HealRequest {
            tests: words.all().to_vec(),
            run: words.flag("run").map(str::to_string),
            apply: words.has("apply"),
        }))
    },
)
.flags(&[
    Flag::switch("apply", "write the changes into the lock files"),
    Flag::value("run", "RUN", "of this run, by its number or name, instead of the newest"),
]);
