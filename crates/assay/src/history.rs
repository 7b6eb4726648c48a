//! `history`, `flaky` and `stats` over all runs of a project, and `gc`, which removes old runs.

use std::process::ExitCode;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use assay_coordinator::{Coordinator, PastResult, Rate, Retention, Spread};
use assay_host::{RecordLimits, clear_runs, state_failure};
use assay_protocol::{ErrorCode, Failure, Format, Verdict};
use assay_report::{duration_words, moment_words, one_line};

use crate::command::Invocation;
use crate::environment::Environment;
use crate::{output, state};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HistoryQuestion {
    History { test: String, limit: usize },
    Flaky { days: Option<u32> },
    Stats { days: Option<u32> },
    Gc { keep_runs: Option<usize>, keep_days: Option<u32> },
}

pub fn run(question: &HistoryQuestion, invocation: &Invocation, environment: &Environment) -> ExitCode {
    let json = invocation.format == Format::Json;
    match answer(question, json, environment) {
        Ok(text) => {
            let print = if json { output::print_json_text } else { output::print_line };
            print(text.trim_end());
            ExitCode::SUCCESS
        }
        Err(failure) => output::print_failure(&failure, json),
    }
}

fn answer(question: &HistoryQuestion, json: bool, environment: &Environment) -> Result<String, Failure> {
    let coordinator = state::ask_here(environment)?;
    match question {
        HistoryQuestion::History { test, limit } => history(&coordinator, test, *limit, json),
        HistoryQuestion::Flaky { days } => flaky(&coordinator, since(*days), json),
        HistoryQuestion::Stats { days } => stats(&coordinator, since(*days), json),
        HistoryQuestion::Gc { keep_runs, keep_days } => {
            let limits = state::limits_here(environment)?;
            gc(&coordinator, &limits, Retention { keep_runs: *keep_runs, keep_days: *keep_days }, json)
        }
    }
}

fn since(days: Option<u32>) -> u64 {
    let Some(days) = days else { return 0 };
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
    now.saturating_sub(Duration::from_secs(u64::from(days) * 86_400)).as_millis() as u64
}

fn as_json(data: &impl serde::Serialize) -> Result<String, Failure> {
    serde_json::to_string(&serde_json::json!({ "ok": true, "data": data }))
        .map_err(|err| Failure::new(ErrorCode::Internal, err.to_string()))
}

fn history(coordinator: &Coordinator, test: &str, limit: usize, json: bool) -> Result<String, Failure> {
    let results = coordinator.history(test, limit).map_err(state_failure)?;
    if results.is_empty() {
        let mut known: Vec<String> = coordinator
            .results_since(0)
            .map_err(state_failure)?
            .into_iter()
            .map(|result| result.test)
            .collect();
        known.sort();
        known.dedup();
        known.sort_by(|one, other| strsim::jaro(test, other).total_cmp(&strsim::jaro(test, one)));
        let failure = Failure::new(ErrorCode::Usage, format!("no result of `{test}` is recorded"));
        return Err(match known.as_slice() {
            [] => failure.hint("assay run records each run"),
            known => failure.hint(format!("did you mean {}?", known[..known.len().min(3)].join(", "))),
        });
    }
    if json {
        return as_json(&results);
    }
    Ok(results.iter().map(|result| result_line(result) + "\n").collect())
}

fn result_line(result: &PastResult) -> String {
    let word = match result.verdict {
        Verdict::Passed if result.flaky => "FLAKY",
        Verdict::Passed => "PASS",
        Verdict::Failed => "FAIL",
        Verdict::Inconclusive => "INCONCLUSIVE",
        Verdict::Error => "ERROR",
    };
    let reason =
        if result.reason.is_empty() { String::new() } else { format!(" — {}", one_line(&result.reason)) };
    let browser = match result.browser.as_str() {
        "" => String::new(),
        browser => format!("{browser}, "),
    };
    format!(
        "{} {word:12} {} ({browser}{}){reason}",
        moment_words(result.at),
        result.test_id,
        duration_words(result.duration_ms)
    )
}

fn percent(rate: &Rate) -> String {
    format!(
        "{} of {}, {:.0} % (95 % confidence: {:.0}–{:.0} %)",
        rate.hits,
        rate.of,
        rate.share * 100.0,
        rate.low * 100.0,
        rate.high * 100.0
    )
}

fn flaky(coordinator: &Coordinator, since: u64, json: bool) -> Result<String, Failure> {
    let tests = coordinator.flaky(since).map_err(state_failure)?;
    if json {
        return as_json(&tests);
    }
    if tests.is_empty() {
        return Ok("no flaky tests: no unchanged test both passed and failed".to_string());
    }
    let mut text = String::new();
    for test in &tests {
        text += &format!("{}  {}\n", test.test, percent(&test.rate));
        text += &format!(
            "  first seen {}, last {}\n",
            moment_words(test.first_seen),
            moment_words(test.last_seen)
        );
        for step in test.steps.iter().take(3) {
            let times = if step.times == 1 { "once".to_string() } else { format!("{} times", step.times) };
            text += &format!("  {times}, at {} \"{}\"\n", step.part, one_line(&step.text));
        }
        for engine in test.engines.iter().filter(|_| test.engines.len() > 1) {
            text += &format!("  in {}: {}\n", engine.browser, percent(&engine.rate));
        }
    }
    Ok(text)
}

fn stats(coordinator: &Coordinator, since: u64, json: bool) -> Result<String, Failure> {
    let stats = coordinator.stats(since).map_err(state_failure)?;
    if json {
        return as_json(&stats);
    }
    let spread = |spread: &Option<Spread>| {
        spread.as_ref().map_or("none yet".to_string(), |spread| {
            format!(
                "median {}, 95th percentile {}",
                duration_words(spread.median_ms),
                duration_words(spread.p95_ms)
            )
        })
    };
    let mut text =
        format!("{} of {}\n", counted(stats.runs as usize, "run"), counted(stats.tests as usize, "test"));
    text += &format!(
        "results: {} passed ({} on a retry), {} failed, {} inconclusive, {} errors\n",
        stats.passed, stats.flaky, stats.failed, stats.inconclusive, stats.errors
    );
    text += &format!("run duration: {}\n", spread(&stats.run_duration));
    text += &format!("test duration: {}\n", spread(&stats.test_duration));
    for (place, test) in stats.slowest.iter().take(5).enumerate() {
        let head = if place == 0 { "slowest" } else { "       " };
        text += &format!("{head}  {}  {}\n", duration_words(test.duration.median_ms), test.test);
    }
    for (place, test) in stats.most_failing.iter().take(5).enumerate() {
        let head = if place == 0 { "failing" } else { "       " };
        text += &format!("{head}  {}  {}\n", percent(&test.rate), test.test);
    }
    Ok(text)
}

fn gc(
    coordinator: &Coordinator,
    limits: &RecordLimits,
    retention: Retention,
    json: bool,
) -> Result<String, Failure> {
    if retention == Retention::default() {
        return Err(Failure::new(ErrorCode::Usage, "expected --keep-runs or --keep-days, found neither")
            .hint("assay gc --keep-runs 50 --keep-days 30"));
    }
    let cleared = clear_runs(coordinator, limits, retention)?;
    let mut text = format!("removed {}", counted(cleared.runs.len(), "run"));
    for folder in &cleared.folders {
        text += &format!("\ncleared {}", folder.display());
    }
    for folder in &cleared.still_needed {
        text += &format!("\nkept {}: a report that was kept needs it", folder.display());
    }
    for folder in &cleared.elsewhere {
        text += &format!("\nkept {}: it is outside the project, which is not trusted", folder.display());
    }
    if json { as_json(&cleared) } else { Ok(text) }
}

fn counted(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}
