//! `batch`: many commands from standard input over one connection, one reply each.

use std::io::BufRead;
use std::process::ExitCode;

use assay_client::Client;
use assay_daemon::run_once;
use assay_protocol::actions::split_line;
use assay_protocol::{ErrorCode, Failure, Format, Outcome, Reply, Request};

use crate::argv;
use crate::command::{Command, Invocation};
use crate::connect::{check_browser, oneshot_settings, request_of, runtime_folder, uses_oneshot};
use crate::daemon;
use crate::engines::driver;
use crate::environment::Environment;
use crate::output::{print_failure, print_reply};

pub fn run(invocation: &Invocation, environment: &Environment, bail: bool) -> ExitCode {
    let mut worst = 0;
    let mut note_code = |code: u8| {
        if worst == 0 {
            worst = code;
        }
        code == 0 || !bail
    };
    let result = if uses_oneshot(invocation, environment) {
        once(invocation, environment, &mut note_code)
    } else {
        by_daemon(invocation, environment, &mut note_code)
    };
    match result {
        Ok(()) => ExitCode::from(worst),
        Err(failure) => print_failure(&failure, invocation.format == Format::Json),
    }
}

/// The lines as requests; a line that cannot be understood is answered in its place.
fn requests<'a>(
    invocation: &'a Invocation,
    environment: &'a Environment,
) -> impl Iterator<Item = Result<Request, Failure>> + 'a {
    std::io::stdin().lock().lines().filter_map(move |line| match line {
        Err(err) => Some(Err(Failure::new(ErrorCode::Io, format!("could not read standard input: {err}")))),
        Ok(line) if line.trim().is_empty() || line.trim_start().starts_with('#') => None,
        Ok(line) => Some(request(&line, invocation, environment)),
    })
}

fn request(line: &str, outer: &Invocation, environment: &Environment) -> Result<Request, Failure> {
    let mut words = split_line(line)?;
    // Lines are often copied from a terminal.
    if words.first().is_some_and(|word| word == "assay") {
        words.remove(0);
    }
    let mut invocation = argv::parse(&words, environment)?;
    if !matches!(invocation.command, Command::Act(_)) {
        return Err(Failure::new(
            ErrorCode::Usage,
            format!("`batch` expects browser commands, found `{line}`"),
        ));
    }
    invocation.format = outer.format;
    invocation.budget = invocation.budget.or(outer.budget);
    invocation.allow.extend(outer.allow.iter().cloned());
    request_of(&invocation, environment)
        .ok_or_else(|| Failure::new(ErrorCode::Internal, "this command is not for a browser"))
}

fn by_daemon(
    invocation: &Invocation,
    environment: &Environment,
    note_code: &mut dyn FnMut(u8) -> bool,
) -> Result<(), Failure> {
    let folder = runtime_folder(environment)?;
    let start = || daemon::start(invocation, environment, &folder);
    let mut client = Client::new(folder.socket(&invocation.session)?);
    for request in requests(invocation, environment) {
        let reply = request.and_then(|request| client.ask(&request, &start)).unwrap_or_else(failed);
        if !tell(&reply, invocation.format, note_code) {
            break;
        }
    }
    Ok(())
}

fn once(
    invocation: &Invocation,
    environment: &Environment,
    note_code: &mut dyn FnMut(u8) -> bool,
) -> Result<(), Failure> {
    // All lines are read first: a mistake in one of them is found before a browser is started.
    check_browser(invocation, environment)?;
    let requests: Result<Vec<Request>, Failure> = requests(invocation, environment).collect();
    run_once(driver(&invocation.browser)?, oneshot_settings(invocation, environment)?, requests?, |reply| {
        tell(&reply, invocation.format, note_code)
    })
}

fn failed(failure: Failure) -> Reply {
    Reply { outcome: Outcome::Failed(failure), notes: Vec::new() }
}

fn tell(reply: &Reply, format: Format, note_code: &mut dyn FnMut(u8) -> bool) -> bool {
    let code = match &reply.outcome {
        Outcome::Text { exit, .. } | Outcome::Answer { exit, .. } => *exit,
        Outcome::Status(_) => 0,
        Outcome::Failed(failure) => failure.code.exit_code(),
    };
    print_reply(reply, format);
    note_code(code)
}
