//! The words of `assay serve`.

use std::net::{IpAddr, SocketAddr};

use assay_protocol::Failure;
use assay_protocol::actions::{Arguments, Flag, UsageError};
use assay_server::{LogFormat, PORT, Role, ServeOptions};

use super::{CommandEntry, command, optional_text};
use crate::command::Command;
use crate::serve::{ServeOperation, TokenOperation};

pub(super) const SERVE: CommandEntry = command(
    "serve",
    "[token [create|list|revoke] [NAME]]",
    "Serve the project to a team over HTTP, or manage the tokens of those who call from other hosts",
    "assay serve token create ci --role run",
    |words| {
        Ok(Command::Serve(match words.optional(0) {
            None if words.has("check") => ServeOperation::Check(options(words)?),
            None => ServeOperation::Serve(options(words)?),
            Some("token") => ServeOperation::Token(token(words)?),
            Some(_) => return Err(words.wrong_word("token, or nothing").into()),
        }))
    },
)
.flags(&[
    Flag::value("address", "IP", "address to listen on (default 127.0.0.1); any other needs a token"),
    Flag::value("port", "NUMBER", "port to listen on (default 7357); 0 for a free one"),
    Flag::value("name", "NAMES", "names by which other hosts call the service, separated by commas"),
    Flag::value("origin", "ORIGINS", "origins of other pages that may call it, separated by commas"),
    Flag::value("runs", "N", "runs at the same time (default 1); others wait for their turn"),
    Flag::value("log-format", "FORMAT", "lines of the log: text (default) or json"),
    Flag::switch("check", "say whether the service could be started, and start nothing"),
    Flag::value("role", "ROLE", "with token: read, run (default) or admin"),
])
.counts_itself();

fn options(words: &Arguments<'_>) -> Result<ServeOptions, Failure> {
    let usual = ServeOptions::default();
    let wrong = |expected: &str, flag: &str| {
        UsageError::wrong_value(expected, format!("`{}`", words.flag(flag).unwrap_or_default()))
    };
    let address: IpAddr = match words.flag("address") {
        None => usual.address.ip(),
        Some(text) => {
            text.parse().map_err(|_| wrong("an address such as 0.0.0.0 after --address", "address"))?
        }
    };
    let port = match words.number("port")? {
        None => PORT,
        Some(port) => u16::try_from(port).map_err(|_| wrong("a port up to 65535 after --port", "port"))?,
    };
    let list = |flag: &str| -> Vec<String> {
        let given = words.flag(flag).unwrap_or_default();
        given.split(',').map(str::trim).filter(|word| !word.is_empty()).map(str::to_string).collect()
    };
    let log = match words.flag("log-format") {
        None => usual.log,
        Some(name) => {
            LogFormat::named(name).ok_or_else(|| wrong("text or json after --log-format", "log-format"))?
        }
    };
    Ok(ServeOptions {
        address: SocketAddr::new(address, port),
        names: list("name"),
        origins: list("origin"),
        runs: words.number("runs")?.map_or(usual.runs, |runs| runs.clamp(1, 64) as usize),
        log,
        limits: usual.limits,
    })
}

fn token(words: &Arguments<'_>) -> Result<TokenOperation, Failure> {
    let wrong = || words.wrong_word("create [NAME], list or revoke NAME");
    if words.optional(3).is_some() {
        return Err(wrong().into());
    }
    let role = match words.flag("role") {
        None => Role::Run,
        Some(name) => Role::named(name)
            .ok_or_else(|| UsageError::wrong_value("read, run or admin after --role", format!("`{name}`")))?,
    };
    Ok(match (words.optional(1), optional_text(words, 2)) {
        (None, None) => TokenOperation::Create { name: None, role },
        (Some("create"), name) => TokenOperation::Create { name, role },
        (Some("list"), None) => TokenOperation::List,
        (Some("revoke"), Some(name)) => TokenOperation::Revoke { name },
        _ => return Err(wrong().into()),
    })
}
