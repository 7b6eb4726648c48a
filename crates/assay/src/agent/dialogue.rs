//! A conversation without a model, line by line.

use std::io::{BufRead, IsTerminal, Write};

use assay_agent::{Given, Unanswered, answered};
use assay_coordinator::AgentSessionId;
use assay_protocol::{ErrorCode, Failure};
use assay_suite::Agent;

use super::AskOptions;
use super::ask::print_end;
use super::console::Console;
use super::library::{library_here, trouble};
use super::names::names;
use super::ruled::{RuledDesk, With, tell_how_it_goes_on};
use super::runner::AgentRunner;
use crate::command::Invocation;
use crate::environment::Environment;
use crate::output::{print_line, tell};

pub(super) const LAST_WORDS: &[&str] = &["exit", "quit", "bye"];

pub fn converse(
    options: &AskOptions,
    invocation: &Invocation,
    environment: &Environment,
) -> Result<u8, Failure> {
    let library = library_here()?;
    library.problems.iter().for_each(|problem| tell(&problem.to_string()));
    let agent = match &options.agent {
        Some(name) => library.agent(name).map_err(trouble)?,
        None => library.default_agent().map_err(trouble)?,
    };
    let is_terminal = std::io::stdin().is_terminal() && std::io::stderr().is_terminal();
    if is_terminal {
        greet(agent);
    }
    let desk = RuledDesk::open(&library, agent, environment, options.is_agreed, is_terminal)?;
    let mut session = options.session.map(AgentSessionId);
    let mut history: Vec<String> = Vec::new();
    let mut open: Option<Unanswered> = None;
    let mut last = 0;
    loop {
        if is_terminal {
            eprint!("> ");
            let _shown = std::io::stderr().flush();
        }
        let mut line = String::new();
        let read = std::io::stdin()
            .lock()
            .read_line(&mut line)
            .map_err(|err| Failure::new(ErrorCode::Io, format!("could not read a request: {err}")))?;
        let line = line.trim();
        if read == 0 || LAST_WORDS.contains(&line.to_lowercase().as_str()) {
            return Ok(last);
        }
        match line {
            "" => continue,
            "help" | "?" => {
                greet(agent);
                continue;
            }
            "history" => {
                print_history(&history);
                continue;
            }
            _ => {}
        }
        history.push(line.to_string());
        // Names may have come or gone since the last request.
        let index = names(invocation, environment);
        let (request, given) = match open.take() {
            Some(before) => answered(line, before, &library, &index),
            None => (line.to_string(), Given::default()),
        };
        let number = match session {
            Some(number) => number,
            None => *session.insert(desk.new_session(&request)?),
        };
        let runner = AgentRunner::new(invocation, environment, Some(number), options.is_agreed, is_terminal);
        let console = Console::of_conversation();
        let with = With { index: &index, runner: &runner, listener: &console };
        let done = match desk.ask(number, &request, &given, with) {
            Ok(done) => done,
            // The next request may work: the agent is busy with another one.
            Err(failure) => {
                tell(&format!("error: {}", failure.message));
                last = failure.code.exit_code();
                continue;
            }
        };
        print_end(&done.end, false);
        tell_how_it_goes_on(number, &done);
        last = done.end.exit_code;
        open =
            done.end.question.filter(|_| !done.waits).map(|question| Unanswered { request, given, question });
    }
}

pub(super) fn greet(agent: &Agent) {
    tell(&format!("{}: {}", agent.nickname, agent.description));
    agent.suggestions.iter().for_each(|suggestion| tell(&format!("  {suggestion}")));
    tell("`history` shows what was asked, `exit` ends.");
}

pub(super) fn print_history(history: &[String]) {
    history.iter().enumerate().for_each(|(at, said)| print_line(&format!("{}. {said}", at + 1)));
}
