//! Commands about sessions: sentences and batches in one, its daemon, all of them.

use std::time::Duration;

use assay_protocol::LockPriority;
use assay_protocol::actions::{Arguments, CommandSyntax, Flag, Group, UsageError};

use super::{CommandEntry, command};
use crate::command::{Command, DaemonOperation};
use crate::device::{DeviceOperation, TakeOrder};

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

pub(super) const DEVICE: CommandEntry = command(
    "device",
    "list | info DEVICE | take DEVICE | release DEVICE",
    "List the browsers of this machine and who controls them; take control of one, or give it back",
    "assay device take session:default --minutes 30",
    |words| Ok(Command::Device(device_operation(words)?)),
)
.flags(&[
    Flag::value("owner", "NAME", "take, release: in this name, instead of ASSAY_OWNER or your user name"),
    Flag::value("minutes", "N", "take: how long control lasts after your last act (default 10)"),
    Flag::value("wait", "SECONDS", "take: wait in the queue for as long as this"),
    Flag::value("priority", "NAME", "take: low, normal or high decides who is next"),
    Flag::value("purpose", "TEXT", "take: what you do with it, for others"),
    Flag::switch("force", "release: take it away from its owner"),
])
.counts_itself();

fn device_operation(words: &Arguments<'_>) -> Result<DeviceOperation, UsageError> {
    let owner = words.flag("owner").map(str::to_string);
    let wrong = || words.wrong_word("list, info DEVICE, take DEVICE or release DEVICE");
    let device = match (words.optional(1), words.optional(2)) {
        (device, None) => device.map(str::to_string),
        (_, Some(_)) => return Err(wrong()),
    };
    let priority = match words.flag("priority") {
        None => LockPriority::default(),
        Some(name) => LockPriority::named(name)
            .ok_or_else(|| UsageError::wrong_value("low, normal or high after --priority", name))?,
    };
    Ok(match (words.at(0), device) {
        ("list", None) => DeviceOperation::List,
        ("info", Some(device)) => DeviceOperation::Info { device },
        ("take", Some(device)) => DeviceOperation::Take(TakeOrder {
            device,
            owner,
            period: Duration::from_secs(words.number("minutes")?.unwrap_or(10).saturating_mul(60)),
            wait: words.number("wait")?.map(Duration::from_secs),
            priority,
            purpose: words.flag("purpose").unwrap_or_default().to_string(),
        }),
        ("release", Some(device)) => DeviceOperation::Release { device, owner, by_force: words.has("force") },
        _ => return Err(wrong()),
    })
}

pub(super) const CLOSE: CommandEntry =
    command("close", "", "Stop the session's daemon and browser", "assay close", |_| {
        Ok(Command::Daemon(DaemonOperation::Stop))
    })
    .also(&["quit"]);
