//! Commands about sessions: sentences and batches in one, its daemon, all of them.

use assay_protocol::actions::{CommandSyntax, Flag, Group};

use super::{CommandEntry, command};
use crate::command::{Command, DaemonOperation};

pub(super) const DO: CommandEntry = CommandEntry {
    syntax: CommandSyntax::new(
        Group::Act,
        "do",
        "SENTENCE",
        "Carry out or check one sentence in plain language; exit code 0 if done or true, 1 if failed or false, 3 if unclear",
        "assay do \"Enter ada@example.com in the email field and click Log in\"",
    ),
    build: |words| Ok(Command::Do { sentence: words.at(0).to_string() }),
};

pub(super) const BATCH: CommandEntry = command(
    "batch",
    "",
    "Run commands from standard input, one per line, with one reply each",
    "printf 'go 127.0.0.1:8080/login\\nclick \"Log in\"\\n' | assay batch",
    |words| Ok(Command::Batch { bail: words.has("bail") }),
)
.flags(&[Flag::switch("bail", "stop at the first command that fails")]);

pub(super) const DAEMON: CommandEntry = command(
    "daemon",
    "start | status | stop",
    "Start, inspect or stop the background process of the session",
    "assay daemon status",
    |words| {
        Ok(Command::Daemon(match (words.at(0), words.optional(1)) {
            ("start", None) => DaemonOperation::Start,
            ("status", None) => DaemonOperation::Status,
            ("stop", None) => DaemonOperation::Stop,
            _ => return Err(words.wrong_word("start, status or stop").into()),
        }))
    },
)
.counts_itself();

pub(super) const SESSION: CommandEntry = command(
    "session",
    "list | stop [NAME]",
    "List or stop sessions and their browsers",
    "assay session list",
    |words| match (words.at(0), words.optional(1), words.optional(2)) {
        ("list", None, None) => Ok(Command::SessionList),
        ("stop", name, None) => {
            Ok(Command::SessionStop { name: name.map(str::to_string), all: words.has("all") })
        }
        _ => Err(words.wrong_word("list, or stop [NAME]").into()),
    },
)
.flags(&[Flag::switch("all", "stop: all sessions")])
.counts_itself();

pub(super) const CLOSE: CommandEntry =
    command("close", "", "Stop the session's daemon and browser", "assay close", |_| {
        Ok(Command::Daemon(DaemonOperation::Stop))
    })
    .also(&["quit"]);
