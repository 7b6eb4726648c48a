//! The turns of a run on disk: `turns.jsonl`, with one line per finished turn, and the marked screenshots beside it.

use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::PathBuf;

use assay_protocol::{CallUsage, ModelCall, PilotTurn, RunEvent, RunFact, SafetyEvent, TurnAct};
use serde::Serialize;

use super::canvas::CanvasError;
use super::paint::marked;
use super::place::{TurnPlace, turns_file};
use crate::Reporter;
use crate::atomic;
use crate::run_folder::inside;
use crate::time::rfc3339;

/// Raised when a field changes its meaning; new fields do not raise it.
const VERSION: u32 = 1;

/// Writes every turn as soon as it has ended, so a killed run keeps all earlier turns.
pub struct TurnLog {
    folder: PathBuf,
    run: String,
    file: Option<File>,
    /// The attempt under way of each test, with the calls of its step.
    tests: HashMap<String, UnderWay>,
    problems: Vec<TurnProblem>,
}

#[derive(Default)]
struct UnderWay {
    attempt: u32,
    step: usize,
    sentence: String,
    calls: Vec<ModelCall>,
}

/// A trace that could not be written. The run continues without it.
#[derive(Debug, thiserror::Error)]
pub enum TurnProblem {
    #[error("cannot write the turn to `{path}`: {source}")]
    Line { path: String, source: io::Error },
    #[error("cannot write the picture `{path}`: {source}")]
    Picture { path: String, source: io::Error },
    #[error("cannot mark the picture `{path}`: {source}")]
    Mark { path: String, source: CanvasError },
}

impl TurnLog {
    /// `folder` is the folder of the run, to which the paths in events are relative.
    pub fn new(folder: PathBuf) -> TurnLog {
        TurnLog { folder, run: String::new(), file: None, tests: HashMap::new(), problems: Vec::new() }
    }

    pub fn problems(&self) -> &[TurnProblem] {
        &self.problems
    }

    /// Loads earlier events, whose screenshots exist already. It rewrites the lines from them, because the last one may be
    /// incomplete.
    pub fn recall(&mut self, events: &[RunEvent]) {
        let mut lines: Vec<u8> = Vec::new();
        for event in events {
            if let RunFact::TurnEnded { test, step, turn } = &event.what {
                lines.extend(self.line(test, *step, turn, event.at).unwrap_or_default());
            }
            self.note(event);
        }
        if lines.is_empty() {
            return;
        }
        let path = turns_file(&self.run);
        if let Err(source) = atomic::write(&self.folder.join(&path), &lines) {
            self.problems.push(TurnProblem::Line { path, source });
        }
    }

    /// Keeps what the lines of later turns need.
    fn note(&mut self, event: &RunEvent) {
        match &event.what {
            RunFact::RunStarted { run, .. } => self.run.clone_from(run),
            RunFact::TestStarted { test, attempt, .. } => {
                self.tests.insert(test.clone(), UnderWay { attempt: *attempt, ..UnderWay::default() });
            }
            RunFact::StepStarted { test, step, text, .. } => {
                let test = self.tests.entry(test.clone()).or_default();
                (test.step, test.sentence) = (*step, text.clone());
                test.calls.clear();
            }
            RunFact::ModelCalled { test, call, .. } => {
                self.tests.entry(test.clone()).or_default().calls.push((**call).clone());
            }
            RunFact::TestFinished { test, .. } => {
                self.tests.remove(test);
            }
            _ => {}
        }
    }

    fn ended(&mut self, test: &str, step: usize, turn: &PilotTurn, at: u64) {
        if let Err(problem) = self.paint(test, step, turn) {
            self.problems.push(problem);
        }
        if let Some(line) = self.line(test, step, turn, at)
            && let Err(source) = self.append(&line)
        {
            self.problems.push(TurnProblem::Line { path: turns_file(&self.run), source });
        }
    }

    fn place<'a>(&'a self, test: &'a str, step: usize, turn: usize) -> TurnPlace<'a> {
        let attempt = self.tests.get(test).map_or(1, |test| test.attempt);
        TurnPlace { run: &self.run, test, attempt, step, turn }
    }

    fn call(&self, test: &str, step: usize, turn: &PilotTurn) -> Option<&ModelCall> {
        let test = self.tests.get(test).filter(|test| test.step == step)?;
        test.calls.get(turn.turn.checked_sub(1)?)
    }

    fn paint(&self, test: &str, step: usize, turn: &PilotTurn) -> Result<(), TurnProblem> {
        let Some(picture) = turn.picture.as_deref() else { return Ok(()) };
        let path = self.place(test, step, turn.turn).picture();
        let failed = |source| TurnProblem::Picture { path: path.clone(), source };
        let page = inside(&self.folder, picture).and_then(fs::read).map_err(failed)?;
        let foot = foot_of(turn, self.call(test, step, turn));
        let marked =
            marked(&page, turn, &foot).map_err(|source| TurnProblem::Mark { path: path.clone(), source })?;
        atomic::write(&self.folder.join(&path), &marked).map_err(failed)
    }

    fn line(&self, test: &str, step: usize, turn: &PilotTurn, at: u64) -> Option<Vec<u8>> {
        let unknown = ModelCall::default();
        let call = self.call(test, step, turn).unwrap_or(&unknown);
        let place = self.place(test, step, turn.turn);
        let line = TurnLine {
            version: VERSION,
            run: &self.run,
            test,
            attempt: place.attempt,
            step,
            sentence: self.tests.get(test).map(|test| test.sentence.as_str()).unwrap_or_default(),
            turn: turn.turn,
            ended_at: rfc3339(at),
            pilot: &turn.pilot,
            model: &call.model,
            request_id: call.request_id.as_deref(),
            response_id: call.answer_id.as_deref(),
            latency_ms: call.duration_ms,
            usage: call.usage,
            events: &call.lines,
            answer: &call.decided,
            failure: call.failure.as_deref(),
            actions: &turn.acts,
            told: turn.told.as_deref(),
            safety: &turn.safety,
            duration_ms: turn.duration_ms,
            picture: turn.picture.as_ref().map(|_| place.picture()),
            page: turn.picture.as_deref(),
            no_picture: turn.no_picture.as_deref(),
        };
        let mut bytes = serde_json::to_vec(&line).ok()?;
        bytes.push(b'\n');
        Some(bytes)
    }

    /// In one write, so a crash leaves complete lines.
    fn append(&mut self, line: &[u8]) -> io::Result<()> {
        let file = match &mut self.file {
            Some(file) => file,
            None => {
                let path = self.folder.join(turns_file(&self.run));
                if let Some(folder) = path.parent() {
                    fs::create_dir_all(folder)?;
                }
                self.file.insert(OpenOptions::new().append(true).create(true).open(path)?)
            }
        };
        file.write_all(line)
    }
}

impl Reporter for TurnLog {
    fn event(&mut self, event: &RunEvent) {
        if let RunFact::TurnEnded { test, step, turn } = &event.what {
            self.ended(test, *step, turn, event.at);
        }
        self.note(event);
    }
}

/// One line of `turns.jsonl`. Masked like the events it is made of.
#[derive(Serialize)]
struct TurnLine<'a> {
    version: u32,
    run: &'a str,
    test: &'a str,
    attempt: u32,
    step: usize,
    sentence: &'a str,
    turn: usize,
    ended_at: String,
    #[serde(rename = "guest")]
    pilot: &'a str,
    model: &'a str,
    /// The provider's names for the request and for the answer.
    request_id: Option<&'a str>,
    response_id: Option<&'a str>,
    /// How long the answer took.
    latency_ms: u64,
    usage: CallUsage,
    /// Details of the call: caches, waits, retries.
    events: &'a [String],
    answer: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<&'a str>,
    actions: &'a [TurnAct],
    /// The message to the model if no action followed its answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    told: Option<&'a str>,
    safety: &'a [SafetyEvent],
    /// How long it took to do something about the answer.
    duration_ms: u64,
    /// The marked picture, and the page as it was; relative to the folder of the run.
    picture: Option<String>,
    page: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    no_picture: Option<&'a str>,
}

/// `turn 2 · model · msg_01 · done …`.
fn foot_of(turn: &PilotTurn, call: Option<&ModelCall>) -> String {
    const LONGEST: usize = 60;
    let mut parts = vec![format!("turn {}", turn.turn), turn.pilot.clone()];
    parts.extend(call.and_then(|call| call.answer_id.clone()));
    if turn.acts.is_empty()
        && let Some(call) = call
    {
        let said = call.failure.as_deref().unwrap_or(&call.decided);
        let cut = said.char_indices().nth(LONGEST).map(|(end, _)| end);
        parts.push(cut.map_or_else(|| said.to_owned(), |end| format!("{}…", &said[..end])));
    }
    parts.join(" · ")
}

#[cfg(test)]
#[path = "log_tests.rs"]
mod tests;
