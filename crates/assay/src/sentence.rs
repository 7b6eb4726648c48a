//! `assay do`: one sentence of plain language, carried out or judged in the session that is open.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::process::ExitCode;
use std::time::Duration;

use assay_actions::{Call, Taking};
use assay_driver::Deadline;
use assay_protocol::{
    Action, Answer, Ask, CommandRecord, ErrorCode, Failure, Format, Outcome, RunFact, Secrets, Verdict,
};
use assay_runner::{Attempt, LocalFuture, StepBody, StepEnd, TestContext, TestSurface};

use crate::command::Invocation;
use crate::connect::ask_session;
use crate::environment::Environment;
use crate::output;

pub fn run(sentence: &str, invocation: &Invocation, environment: &Environment) -> ExitCode {
    let json = invocation.format == Format::Json;
    match carry_out(sentence, invocation, environment) {
        Ok((end, told)) if json => {
            output::print_json(&serde_json::json!({
                "ok": end.verdict == Verdict::Passed,
                "data": { "verdict": end.verdict, "reason": end.reason, "judgements": end.judgements, "events": told },
            }));
            exit(&end)
        }
        Ok((end, told)) => {
            for fact in &told {
                if let Some(line) = line_of(fact) {
                    output::print_line(&line);
                }
            }
            let judged = end.judgements.iter().filter(|judgement| !judgement.claim.is_empty());
            let judged: Vec<String> = judged
                .map(|judgement| format!("{}: {}", judgement.verdict.name(), judgement.reason))
                .collect();
            judged.iter().for_each(|line| output::print_line(line));
            if end.verdict != Verdict::Passed {
                let verdict = format!("{}: {}", end.verdict.name(), end.reason);
                // A terminal shows both streams: the line of a claim is not repeated.
                if !judged.contains(&verdict) {
                    output::tell(&verdict);
                }
                for element in end
                    .judgements
                    .iter()
                    .filter(|judgement| judgement.claim.is_empty())
                    .flat_map(|judgement| &judgement.elements)
                {
                    output::tell(&format!("  {} {} \"{}\"", element.reference, element.role, element.name));
                }
            }
            exit(&end)
        }
        Err(failure) => output::print_failure(&failure, json),
    }
}

fn exit(end: &StepEnd) -> ExitCode {
    ExitCode::from(match end.verdict {
        Verdict::Passed => 0,
        Verdict::Failed => 1,
        Verdict::Inconclusive => 3,
        Verdict::Error => 4,
    })
}

fn line_of(fact: &RunFact) -> Option<String> {
    match fact {
        RunFact::Command { record, .. } if record.ok => {
            let CommandRecord { command, because, outcome, .. } = &**record;
            let outcome = if outcome.is_empty() { String::new() } else { format!("\n{outcome}") };
            Some(format!("{command} · {because}{outcome}"))
        }
        RunFact::Recovered { reason, .. } => Some(format!("recovered: {reason}")),
        RunFact::Note { text, .. } => Some(format!("note: {text}")),
        _ => None,
    }
}

fn carry_out(
    sentence: &str,
    invocation: &Invocation,
    environment: &Environment,
) -> Result<(StepEnd, Vec<RunFact>), Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().map_err(|err| {
        Failure::new(ErrorCode::Internal, format!("could not start the async runtime: {err}"))
    })?;
    let mut surface = SessionSurface { invocation, environment };
    let told = RefCell::new(Vec::new());
    let tell = |fact: RunFact| told.borrow_mut().push(fact);
    let (selectors, secrets) = (BTreeMap::new(), Secrets::default());
    let mut attempt = Attempt::new(&mut surface, &tell, TestContext::new(&selectors, &secrets));
    let time = Duration::from_millis(if invocation.wait { invocation.timeout_ms } else { 2_500 });
    let end = runtime.block_on(attempt.run_step(&StepBody::Sentence(sentence.to_string()), time));
    Ok((end, told.into_inner()))
}

/// The session's browser, by way of its daemon.
struct SessionSurface<'a> {
    invocation: &'a Invocation,
    environment: &'a Environment,
}

impl SessionSurface<'_> {
    fn ask(&self, action: &Action, call: &Call) -> Result<Answer, Failure> {
        let deadline_ms = call.deadline.remaining().as_millis().max(200) as u64;
        let ask = Ask::Act(action.clone());
        match ask_session(self.invocation, self.environment, ask, deadline_ms, call.wait)? {
            Outcome::Answer { answer, .. } => Ok(*answer),
            Outcome::Text { .. } | Outcome::Status(_) | Outcome::Failed(_) => Err(Failure::new(
                ErrorCode::Internal,
                "internal: expected data from the daemon, found a different answer",
            )),
        }
    }
}

impl TestSurface for SessionSurface<'_> {
    fn perform<'a>(
        &'a mut self,
        action: &'a Action,
        call: &'a Call,
    ) -> LocalFuture<'a, Result<Answer, Failure>> {
        Box::pin(async move { self.ask(action, call) })
    }

    /// Pictures are for runs; a session's user asks for one by its command.
    fn picture(&mut self, _: Deadline) -> Result<Taking, Failure> {
        Err(Failure::new(ErrorCode::Unsupported, "`assay do` keeps no screenshots")
            .hint("assay screenshot FILE.png"))
    }

    /// The session belongs to its user: nothing of it is thrown away.
    fn renew(&mut self) -> LocalFuture<'_, Result<(), Failure>> {
        Box::pin(async { Ok(()) })
    }

    fn close(self: Box<Self>) -> LocalFuture<'static, ()> {
        Box::pin(async {})
    }
}
