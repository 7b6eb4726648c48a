//! Commands about what is on record: reports, tasks, the history of tests.

use std::time::Duration;

use assay_agent::goal::GoalLimits;
use assay_host::{ModelOptions, limits_said};
use assay_protocol::actions::{Arguments, Flag, UsageError};
use assay_protocol::{Failure, TaskId};

use super::testing::{AGAIN, repeats};
use super::{CommandEntry, command, optional_text};
use crate::backup::BackupOperation;
use crate::command::Command;
use crate::history::HistoryQuestion;
use crate::report::{ReportOperation, ShowWith};
use crate::task::{GoalWork, TaskOperation};

const DAYS: Flag = Flag::value("days", "N", "only the last N days");

pub(super) const REPORT: CommandEntry = command(
    "report",
    "list|show|open [RUN]",
    "List past runs, print one again, or open its HTML report",
    "assay report open",
    |words| {
        Ok(Command::Report(match (words.at(0), optional_text(words, 1)) {
            ("list", None) => {
                ReportOperation::List { limit: words.number("limit")?.map(|limit| limit as usize) }
            }
            ("show", run) => ReportOperation::Show {
                run,
                with: match words.has("analysis") {
                    true => ShowWith::Analysis,
                    false => ShowWith::Record,
                },
            },
            ("open", run) => ReportOperation::Open { run },
            _ => return Err(words.wrong_word("list, show or open").into()),
        }))
    },
)
.flags(&[
    Flag::value("limit", "N", "list: only the newest N runs"),
    Flag::switch("analysis", "show: say what each result means as well"),
]);

pub(super) const TASK: CommandEntry = command(
    "task",
    "start|status|pause|resume|stop|export|list|send|follow [WHAT]",
    "Carry out a goal in a session and record every action; a task can continue after a crash",
    "assay task start \"Open the orders, then click Cancel\"",
    |words| Ok(Command::Task(task_operation(words)?)),
)
.flags(&[
    AGAIN,
    Flag::value("seconds", "N", "start, resume: the time for the goal, 300 by default"),
    Flag::switch("by-hand", "start: only record what you do in the session"),
    Flag::switch("skip", "resume: leave out the part at which the task is paused"),
    Flag::value("model", "NAME", "start, resume: a model to ask when the interpreter is unsure"),
    Flag::value(
        "budget",
        "LIMITS",
        "start, resume: what the model may cost: 0.50 (US dollars), 20000tokens, 2calls",
    ),
]);

/// How the goal of a task is worked on.
fn goal_work(words: &Arguments<'_>) -> Result<GoalWork, Failure> {
    let limits = match words.number("seconds")? {
        Some(0) => return Err(UsageError::wrong_value("--seconds with a number from 1", "`0`").into()),
        Some(seconds) => GoalLimits { time: Duration::from_secs(seconds), ..GoalLimits::default() },
        None => GoalLimits::default(),
    };
    let models = ModelOptions {
        model: words.flag("model").map(str::to_string),
        limits: words.flag("budget").map(limits_said).transpose()?,
        ..ModelOptions::default()
    };
    Ok(GoalWork { limits, is_by_hand: words.has("by-hand"), models, skips: words.has("skip") })
}

fn task_operation(words: &Arguments<'_>) -> Result<TaskOperation, Failure> {
    let number = || -> Result<Option<TaskId>, UsageError> {
        let Some(text) = words.optional(1) else { return Ok(None) };
        let wrong = |_| UsageError::wrong_value("a task number", format!("`{text}`"));
        text.parse().map(|number| Some(TaskId(number))).map_err(wrong)
    };
    let word = |what: &str| -> Result<String, UsageError> {
        optional_text(words, 1).ok_or_else(|| UsageError::wrong_value(what, "nothing"))
    };
    Ok(match words.at(0) {
        "start" => TaskOperation::Start { goal: word("a goal")?, work: goal_work(words)? },
        "status" => TaskOperation::Status { task: number()? },
        "pause" => TaskOperation::Pause { task: number()? },
        "resume" => {
            TaskOperation::Resume { task: number()?, repeats: repeats(words), work: goal_work(words)? }
        }
        "stop" => TaskOperation::Stop { task: number()? },
        "export" => TaskOperation::Export { task: number()? },
        "list" => TaskOperation::List,
        "send" => TaskOperation::Send { message: word("a message as JSON")? },
        "follow" => TaskOperation::Follow,
        _ => {
            let expected = "start, status, pause, resume, stop, export, list, send or follow";
            return Err(words.wrong_word(expected).into());
        }
    })
}

pub(super) const HISTORY: CommandEntry = command(
    "history",
    "TEST",
    "Show the latest results of a test",
    "assay history login_valid_credentials",
    |words| {
        Ok(Command::Past(HistoryQuestion::History {
            test: words.at(0).to_string(),
            limit: words.number("limit")?.unwrap_or(20) as usize,
        }))
    },
)
.flags(&[Flag::value("limit", "N", "maximum number of results (default 20)")]);

pub(super) const FLAKY: CommandEntry = command(
    "flaky",
    "",
    "List tests with mixed results and no change: how often, since when, at which step",
    "assay flaky --days 30",
    |words| Ok(Command::Past(HistoryQuestion::Flaky { days: days(words, "days")? })),
)
.flags(&[DAYS]);

pub(super) const STATS: CommandEntry = command(
    "stats",
    "",
    "Show statistics of all runs: results, durations, slowest tests, most failures",
    "assay stats",
    |words| Ok(Command::Past(HistoryQuestion::Stats { days: days(words, "days")? })),
)
.flags(&[DAYS]);

pub(super) const GC: CommandEntry = command(
    "gc",
    "",
    "Delete old runs and their results, except those that a kept report needs",
    "assay gc --keep-runs 50 --keep-days 30",
    |words| {
        Ok(Command::Past(HistoryQuestion::Gc {
            keep_runs: words.number("keep-runs")?.map(|runs| runs as usize),
            keep_days: days(words, "keep-days")?,
        }))
    },
)
.flags(&[
    Flag::value("keep-runs", "N", "keep the newest N runs"),
    Flag::value("keep-days", "N", "keep the runs of the last N days"),
]);

pub(super) const BACKUP: CommandEntry = command(
    "backup",
    "FILE",
    "Copy all that is on record into one file, while runs and a service go on",
    "assay backup shop-2026-08-07.tar",
    |words| {
        Ok(Command::Backup(BackupOperation::Make {
            file: words.at(0).to_string(),
            with_results: !words.has("no-results"),
            with_secrets: words.has("with-secrets"),
        }))
    },
)
.flags(&[
    Flag::switch("no-results", "leave out reports, pictures and other files of runs"),
    Flag::switch("with-secrets", "also secrets of webhooks, hashes of tokens and keys of models"),
]);

pub(super) const RESTORE: CommandEntry = command(
    "restore",
    "FILE",
    "Put what is in a backup in the place of what is on record; keep what was there",
    "assay restore shop-2026-08-07.tar",
    |words| {
        let file = words.at(0).to_string();
        Ok(Command::Backup(match words.has("check") {
            true => BackupOperation::Check { file },
            false => BackupOperation::Restore {
                file,
                takes_other_project: words.has("other-project"),
                with_secrets: words.has("with-secrets"),
            },
        }))
    },
)
.flags(&[
    Flag::switch("check", "read the backup through, and change nothing"),
    Flag::switch("other-project", "take a backup of another project"),
    Flag::switch("with-secrets", "also take tokens and keys of models that are missing here"),
]);

fn days(words: &Arguments<'_>, name: &str) -> Result<Option<u32>, UsageError> {
    Ok(words.number(name)?.map(|days| u32::try_from(days).unwrap_or(u32::MAX)))
}
