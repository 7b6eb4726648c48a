//! Commands about what is on record: reports, tasks, the history of tests.

use assay_protocol::actions::{Arguments, Flag, UsageError};
use assay_protocol::{Failure, TaskId};

use super::{CommandEntry, command, optional_text};
use crate::command::Command;
use crate::history::HistoryQuestion;
use crate::report::ReportOperation;
use crate::task::TaskOperation;

const DAYS: Flag = Flag::value("days", "N", "only the last so many days");

pub(super) const REPORT: CommandEntry = command(
    "report",
    "list|show|open [RUN]",
    "The runs on record: all of them, one told again, or its HTML page",
    "assay report open",
    |words| {
        Ok(Command::Report(match (words.at(0), optional_text(words, 1)) {
            ("list", None) => ReportOperation::List,
            ("show", run) => ReportOperation::Show { run },
            ("open", run) => ReportOperation::Open { run },
            _ => return Err(words.wrong_word("list, show or open").into()),
        }))
    },
);

pub(super) const TASK: CommandEntry = command(
    "task",
    "start|status|pause|resume|stop|export|list|send|follow [WHAT]",
    "A goal in a session, with every act on record; it can go on after a crash",
    "assay task start \"Order a lamp\"",
    |words| Ok(Command::Task(task_operation(words)?)),
);

fn task_operation(words: &Arguments<'_>) -> Result<TaskOperation, Failure> {
    let number = || -> Result<Option<TaskId>, UsageError> {
        let Some(text) = words.optional(1) else { return Ok(None) };
        let wrong = |_| UsageError::wrong_value("the number of a task", format!("`{text}`"));
        text.parse().map(|number| Some(TaskId(number))).map_err(wrong)
    };
    let word = |what: &str| -> Result<String, UsageError> {
        optional_text(words, 1).ok_or_else(|| UsageError::wrong_value(what, "nothing"))
    };
    Ok(match words.at(0) {
        "start" => TaskOperation::Start { goal: word("a goal")? },
        "status" => TaskOperation::Status { task: number()? },
        "pause" => TaskOperation::Pause { task: number()? },
        "resume" => TaskOperation::Resume { task: number()? },
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
    "The last results of a test",
    "assay history login_valid_credentials",
    |words| {
        Ok(Command::Past(HistoryQuestion::History {
            test: words.at(0).to_string(),
            limit: words.number("limit")?.unwrap_or(20) as usize,
        }))
    },
)
.flags(&[Flag::value("limit", "N", "how many (default 20)")]);

pub(super) const FLAKY: CommandEntry = command(
    "flaky",
    "",
    "Tests that end now so and now so although nobody changed them: how often, since when, at which step",
    "assay flaky --days 30",
    |words| Ok(Command::Past(HistoryQuestion::Flaky { days: days(words, "days")? })),
)
.flags(&[DAYS]);

pub(super) const STATS: CommandEntry = command(
    "stats",
    "",
    "All runs in figures: results, durations, the slowest, the most failing",
    "assay stats",
    |words| Ok(Command::Past(HistoryQuestion::Stats { days: days(words, "days")? })),
)
.flags(&[DAYS]);

pub(super) const GC: CommandEntry = command(
    "gc",
    "",
    "Remove old runs from the record, with their results, unless a report that is kept needs them",
    "assay gc --keep-runs 50 --keep-days 30",
    |words| {
        Ok(Command::Past(HistoryQuestion::Gc {
            keep_runs: words.number("keep-runs")?.map(|runs| runs as usize),
            keep_days: days(words, "keep-days")?,
        }))
    },
)
.flags(&[
    Flag::value("keep-runs", "N", "keep the newest so many"),
    Flag::value("keep-days", "N", "keep those of the last so many days"),
]);

fn days(words: &Arguments<'_>, name: &str) -> Result<Option<u32>, UsageError> {
    Ok(words.number(name)?.map(|days| u32::try_from(days).unwrap_or(u32::MAX)))
}
