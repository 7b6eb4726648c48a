//! Commands around tests: run, plan, resume, prove, heal.

use assay_host::{
    Cassette, Granularity, HealDecision, HealRequest, LockMode, ModelOptions, Repeats, TestChoice,
    WantedReports, limits_said, parse_shard, pilot_named,
};
use assay_protocol::actions::{Arguments, Flag, UsageError};
use assay_protocol::{ErrorCode, Failure};

use super::{CommandEntry, command, optional_text};
use crate::command::Command;
use crate::engines::{ENGINES, engine};
use crate::plan;
use crate::run::RunOptions;

pub(super) const GREP: Flag = Flag::value("grep", "TEXT", "only tests whose id, name or file contains TEXT");
pub(super) const TAG: Flag =
    Flag::value("tag", "TAGS", "only tests with one of these tags, separated by commas; !tag excludes a tag");
const SHARD: Flag = Flag::value("shard", "N/M", "run the Nth of M parts of the suite");
pub(super) const WORKERS: Flag =
    Flag::value("workers", "N", "number of tests to run in parallel (default: from cores and memory)");
const ISOLATION: Flag = Flag::value(
    "isolation",
    "HOW",
    "context (default), or browser: a separate browser process for each test",
);
pub(super) const NO_LOCK: Flag =
    Flag::switch("no-lock", "ignore the lock files and work out every step again");
pub(super) const BASE_URL: Flag =
    Flag::value("base-url", "ADDRESS", "address of the application, overriding the files");
pub(super) const RESULTS: Flag =
    Flag::value("results", "FOLDER", "folder for reports, screenshots and failures (default assay-results)");
pub(super) const JSON_REPORT: Flag = Flag::value("json-report", "FILE", "also write the JSON report to FILE");
pub(super) const HTML: Flag =
    Flag::value("html", "FILE", "also write the HTML report to FILE, with its screenshots embedded");
/// Where results go when nothing else is said.
pub const DEFAULT_RESULTS: &str = "assay-results";

const NO_SCREENSHOTS: Flag = Flag::switch("no-screenshots", "take no screenshots of changes");
pub(super) const TRUST: Flag = Flag::switch(
    "trust",
    "let the project run commands, take variables of the environment, talk to other hosts and use other files",
);

const RUN_FLAGS: &[Flag] = &[
    Flag::switch("list", "list the tests without running them"),
    Flag::switch("dry-run", "show how each sentence is understood, without a browser"),
    Flag::value("only", "TESTS", "only these tests, by their ids, with commas between them"),
    GREP,
    TAG,
    SHARD,
    Flag::switch("last-failed", "only tests that did not pass in the last run"),
    Flag::value("repeat", "N", "run each test N times"),
    WORKERS,
    ISOLATION,
    Flag::switch("fail-fast", "start no more tests after the first one that does not pass"),
    Flag::switch("strict", "exit with code 3 if a passing test has no expectation"),
    Flag::value("retries", "N", "retry a failing test up to N times; a pass on a retry is marked flaky"),
    Flag::switch("lock", "write lock files for passing tests, next to the test files"),
    Flag::switch("frozen", "never write a lock file; refuse --lock"),
    NO_LOCK,
    Flag::value(
        "model",
        "NAME",
        "model to ask when the interpreter is unsure, for example anthropic/claude-sonnet-5-5",
    ),
    Flag::value(
        "pilot",
        "WHO",
        "pilot that decides on actions: auto (default), replay, builtin, model, computer-use or grid",
    ),
    Flag::value(
        "budget",
        "LIMITS",
        "spending limits for models, separated by commas: 0.50 (US dollars), 20000tokens, 30calls",
    ),
    Flag::value(
        "cassette",
        "HOW:FILE",
        "record:FILE saves the models' answers, replay:FILE reads them from the file",
    ),
    Flag::switch("verbose", "print every question to a model"),
    Flag::value("slow-mo", "MS", "pause this many milliseconds after each command, to watch"),
    BASE_URL,
    RESULTS,
    JSON_REPORT,
    HTML,
    Flag::value("junit", "FILE", "write a JUnit XML report to FILE"),
    Flag::value("ctrf", "FILE", "write a CTRF report to FILE"),
    Flag::switch("trace", "write trace.zip to the results folder, for Playwright's trace viewer"),
    NO_SCREENSHOTS,
    Flag::value("host", "NAME", "host to run on (default local)"),
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
    Flag::switch("all", "prove all tests of the suite"),
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
    "Check that passing tests can fail: break requests, texts and controls, one at a time",
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

fn run_options(
    words: &Arguments<'_>,
    paths: Vec<String>,
    mut ids: Vec<String>,
) -> Result<RunOptions, Failure> {
    let flag = |name: &str| words.flag(name).map(str::to_string);
    let list = |name: &str| -> Vec<String> {
        let given = words.flag(name).unwrap_or_default();
        given.split(',').map(str::trim).filter(|word| !word.is_empty()).map(str::to_string).collect()
    };
    ids.extend(list("only"));
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
        strict: words.has("strict"),
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
        results: flag("results").unwrap_or_else(|| DEFAULT_RESULTS.to_string()),
        pictures: !words.has("no-screenshots"),
        host: flag("host"),
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

pub(super) fn lock_mode(words: &Arguments<'_>) -> Result<LockMode, Failure> {
    let usage = |message: &str| Err(Failure::new(ErrorCode::Usage, message));
    match (words.has("lock"), words.has("frozen"), words.has("no-lock")) {
        (true, true, _) => usage("--lock writes lock files and --frozen forbids it; use only one of them"),
        (true, _, true) => usage("--lock writes lock files and --no-lock ignores them; use only one of them"),
        (true, false, false) => Ok(LockMode::Write),
        (false, _, true) => Ok(LockMode::Ignore),
        (false, _, false) => Ok(LockMode::Read),
    }
}

pub(super) const PLAN: CommandEntry = command(
    "plan",
    "[GOAL]",
    "Write tests, by rules from a page or by a model from a goal or a document; asks open questions first (exit code 3)",
    "assay plan --url http://127.0.0.1:8080/ --out tests",
    |words| Ok(Command::Plan(Box::new(plan_options(words)?))),
)
.flags(&[
    Flag::value("url", "ADDRESS", "page or application to test (default: base_url of the project)"),
    Flag::value("requirements", "FILE", "document that describes what the application should do"),
    Flag::switch("explore", "also open the pages that the first page links to; reads them only and sends nothing"),
    Flag::value("out", "FOLDER", "folder for the test files (default tests)"),
    Flag::values(
        "answer",
        "TEXT",
        "answer to a question of the last call: \"id: text\"; repeatable",
    ),
    Flag::value("answers", "FILE", "file with answers, one per line"),
    Flag::switch("yes", "continue without the open answers; tests that depend on them are left out"),
    Flag::switch("force", "overwrite existing files"),
    Flag::switch("try", "also run tests that press a button that may submit data"),
    Flag::value("model", "NAME", "model that plans, for example anthropic/claude-sonnet-5-5"),
    Flag::value("budget", "LIMITS", "spending limits for the model, separated by commas: 0.50 (US dollars), 20000tokens, 2calls"),
    Flag::value("cassette", "HOW:FILE", "record:FILE saves the model's answers, replay:FILE reads them from the file"),
    Flag::switch("verbose", "print every wait and every cached question"),
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
    "Continue an interrupted run: the newest, or one by number or name",
    "assay resume --steps",
    |words| {
        Ok(Command::Resume {
            which: optional_text(words, 0),
            granularity: if words.has("steps") { Granularity::Steps } else { Granularity::Tests },
            repeats: repeats(words),
        })
    },
)
.flags(&[
    Flag::switch("steps", "continue each test at the step it had reached, instead of from the beginning"),
    AGAIN,
]);

pub(super) const AGAIN: Flag =
    Flag::switch("again", "also repeat tests and actions that already submitted, paid or deleted something");

/// What `--again` says.
pub(super) fn repeats(words: &Arguments<'_>) -> Repeats {
    if words.has("again") { Repeats::Allowed } else { Repeats::Refused }
}

fn change_numbers(said: &str) -> Result<Vec<usize>, Failure> {
    let numbers: Result<Vec<usize>, _> = said.split(',').map(|number| number.trim().parse()).collect();
    numbers.map_err(|_| {
        Failure::new(ErrorCode::Usage, format!("expected numbers of changes in --change, found `{said}`"))
    })
}

pub(super) const HEAL: CommandEntry = command(
    "heal",
    "[TEST...]",
    "Show what the last run healed after pages changed, with old and new screenshots; --apply and --refuse update the lock files",
    "assay heal --apply",
    |words| {
        let decision = match (words.has("apply"), words.has("refuse")) {
            (true, true) => {
                let message = "expected --apply or --refuse, found both";
                return Err(Failure::new(ErrorCode::Usage, message));
            }
            (true, false) => HealDecision::Accept,
            (false, true) => HealDecision::Refuse,
            (false, false) => HealDecision::Open,
        };
        let changes = words.flag("change").map(change_numbers).transpose()?.unwrap_or_default();
        Ok(Command::Heal(HealRequest {
            tests: words.all().to_vec(),
            run: words.flag("run").map(str::to_string),
            changes,
            decision,
        }))
    },
)
.flags(&[
    Flag::switch("apply", "write the changes into the lock files"),
    Flag::switch("refuse", "write into the lock files that the changes are wrong: they are not proposed again"),
    Flag::value("change", "N,N", "only these changes, by their numbers"),
    Flag::value("run", "RUN", "show this run, by number or name, instead of the newest"),
]);
