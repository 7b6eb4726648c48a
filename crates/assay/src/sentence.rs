//! `assay do`: one sentence of plain language, carried out or judged in the session that is open.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::process::ExitCode;
use std::time::Duration;

use assay_actions::{Call, Taking};
use assay_driver::Deadline;
use assay_protocol::{
    Action, Answer, Ask, CommandRecord, ElementLine, ErrorCode, Failure, Format, Outcome, PilotEnding,
    PilotReport, RunFact, Secrets, Verdict,
};
use assay_runner::{Attempt, LocalFuture, PilotTerms, Pilots, StepBody, StepEnd, TestContext, TestSurface};
use tokio::runtime::Runtime;

use crate::command::Invocation;
use crate::connect::ask_session;
use crate::environment::Environment;
use crate::output;

pub fn run(sentence: &str, invocation: &Invocation, environment: &Environment) -> ExitCode {
    let json = invocation.format == Format::Json;
    match carry_out(sentence, None, invocation, environment) {
        Ok(done) => {
            let Done { end, told } = &done;
            if let Some(failure) = lacks_consent(end, told) {
                return output::print_failure(&failure, json);
            }
            let said = Said::of(end, told);
            if json {
                let text = [said.lines, said.talk].concat().join("\n");
                output::print_json(&serde_json::json!({
                    "ok": end.verdict == Verdict::Passed,
                    "data": {
                        "verdict": end.verdict, "reason": end.reason, "judgements": end.judgements, "events": told,
                        "text": text,
                    },
                }));
            } else {
                said.lines.iter().for_each(|line| output::print_line(line));
                said.talk.iter().for_each(|line| output::tell(line));
            }
            exit(end)
        }
        Err(failure) => output::print_failure(&failure, json),
    }
}

/// Who helps with a sentence that the interpreter is not sure of, and what it belongs to.
pub struct Help<'a> {
    pub pilots: &'a dyn Pilots,
    /// Where the connections of the pilots live.
    pub runtime: &'a Runtime,
    /// The goal and its parts.
    pub sentences: Vec<String>,
    /// Values that no pilot may see.
    pub secrets: &'a Secrets,
}

/// A sentence that was carried out or judged.
pub struct Done {
    pub end: StepEnd,
    told: Vec<RunFact>,
}

impl Done {
    /// Whether an act was done, however the sentence ended.
    pub fn has_acted(&self) -> bool {
        self.told.iter().any(|fact| matches!(fact, RunFact::Command { record, .. } if record.ok))
    }

    /// What a pilot says that it did, if it carried the sentence out.
    pub fn by_pilot(&self) -> Option<&PilotReport> {
        self.told.iter().find_map(|fact| match fact {
            RunFact::PilotLeft { report, .. } if report.ending == PilotEnding::Done => Some(&**report),
            _ => None,
        })
    }

    /// The acts and judgements, a line each.
    pub fn lines(&self) -> Vec<String> {
        Said::of(&self.end, &self.told).lines
    }

    /// The elements that the sentence may mean; none where nothing on the page is what it speaks of.
    pub fn candidates(&self) -> Vec<String> {
        let meant = (!self.end.is_missing).then(|| doubtful(&self.end));
        meant.into_iter().flatten().map(|element| format!("{} \"{}\"", element.role, element.name)).collect()
    }
}

/// The elements of judgements that are no claim: what an act may be about.
fn doubtful(end: &StepEnd) -> impl Iterator<Item = &ElementLine> {
    end.judgements
        .iter()
        .filter(|judgement| judgement.claim.is_empty())
        .flat_map(|judgement| &judgement.elements)
}

/// A guest has to ask first; nothing else is wrong then. After other acts of the sentence it is too late to ask: they
/// would be repeated.
fn lacks_consent(end: &StepEnd, told: &[RunFact]) -> Option<Failure> {
    let records: Vec<&CommandRecord> = told
        .iter()
        .filter_map(|fact| match fact {
            RunFact::Command { record, .. } => Some(&**record),
            _ => None,
        })
        .collect();
    let refused = records.iter().find(|record| record.code == Some(ErrorCode::ConsentNeeded))?;
    let has_acted = records.iter().any(|record| record.ok);
    (!has_acted && end.verdict != Verdict::Passed)
        .then(|| Failure::new(ErrorCode::ConsentNeeded, refused.outcome.clone()))
}

/// What a reader sees: the acts and judgements, and beside them the doubts.
struct Said {
    lines: Vec<String>,
    talk: Vec<String>,
}

impl Said {
    fn of(end: &StepEnd, told: &[RunFact]) -> Said {
        let mut lines: Vec<String> = told.iter().filter_map(line_of).collect();
        let judged = end.judgements.iter().filter(|judgement| !judgement.claim.is_empty());
        lines.extend(judged.map(|judgement| format!("{}: {}", judgement.verdict.name(), judgement.reason)));
        let mut talk = Vec::new();
        if end.verdict != Verdict::Passed {
            let verdict = format!("{}: {}", end.verdict.name(), end.reason);
            // A terminal shows both streams: the line of a claim is not repeated.
            if !lines.contains(&verdict) {
                talk.push(verdict);
            }
            let line = |element: &ElementLine| {
                format!("  {} {} \"{}\"", element.reference, element.role, element.name)
            };
            talk.extend(doubtful(end).map(line));
        }
        Said { lines, talk }
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
        RunFact::PilotLeft { report, .. } if report.ending == PilotEnding::Done => {
            Some(format!("{} pilot: {}", report.pilot, report.message))
        }
        _ => None,
    }
}

pub fn carry_out(
    sentence: &str,
    help: Option<&Help<'_>>,
    invocation: &Invocation,
    environment: &Environment,
) -> Result<Done, Failure> {
    let mut surface = SessionSurface { invocation, environment };
    let told = RefCell::new(Vec::new());
    let tell = |fact: RunFact| told.borrow_mut().push(fact);
    let (selectors, no_secrets) = (BTreeMap::new(), Secrets::default());
    let context = TestContext::new(&selectors, help.map_or(&no_secrets, |help| help.secrets));
    let mut attempt = match help {
        Some(help) => {
            let pilots = help.pilots.invite(&PilotTerms::default());
            Attempt::new(&mut surface, &tell, context.amid(help.sentences.clone())).with_pilots(pilots)
        }
        None => Attempt::new(&mut surface, &tell, context),
    };
    let body = StepBody::Sentence(sentence.to_string());
    let time = Duration::from_millis(if invocation.wait { invocation.timeout_ms } else { 2_500 });
    let work = attempt.run_step(&body, time);
    let end = match help {
        Some(help) => help.runtime.block_on(work),
        None => runtime()?.block_on(work),
    };
    Ok(Done { end, told: told.into_inner() })
}

/// One thread that waits: for pages, and for the network where a model is asked.
pub fn runtime() -> Result<Runtime, Failure> {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|err| Failure::new(ErrorCode::Internal, format!("could not start the async runtime: {err}")))
}

/// The session's browser, by way of its daemon.
pub struct SessionSurface<'a> {
    pub invocation: &'a Invocation,
    pub environment: &'a Environment,
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
