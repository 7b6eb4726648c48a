//! A conversation as it stands, made from its entries: what the model is shown next, and which calls are open.
//!
//! Pure. The same entries always give the same history, so a process that takes over goes on where the last one was.

use std::collections::{HashMap, HashSet};

use assay_coordinator::{AgentEntry, AgentEntryKind};
use assay_prompt::shortened;
use assay_provider::answer::FunctionCall;
use assay_provider::conversation::{Message, Part, Picture, ToolResult};
use serde_json::Value;

use super::record::{BegunStep, EndedStep, SavedTurn, Step};

/// How many characters of the facts of older turns are shown.
const MOST_OF_FACTS: usize = 8_000;

/// How many characters of a request or an answer stay among the facts.
const MOST_OF_WORDS: usize = 300;

#[derive(Debug, Default)]
pub struct History {
    /// The skill that is loaded.
    pub skill: Option<String>,
    /// Turns that are over, and the one under way as the last.
    turns: Vec<TurnFacts>,
    /// The number of turns that only their facts stand for.
    folded: usize,
    /// What the model is shown beside that.
    live: Vec<Message>,
    /// The request under way, by its entry.
    pub request: Option<u64>,
    /// Calls that wait for their results.
    pub open: Option<OpenCalls>,
    begun: HashMap<u64, BegunStep>,
    /// The calls for the request under way.
    pub calls: Vec<DoneCall>,
    /// What tools showed for the open calls. Pictures are shown once, and kept nowhere.
    pub pictures: Vec<Picture>,
}

/// What stays of a turn.
#[derive(Debug, Default)]
struct TurnFacts {
    request: String,
    lines: Vec<String>,
    answer: String,
}

/// The calls of one answer of the model.
#[derive(Debug, Clone)]
pub struct OpenCalls {
    /// The entry with the words of the model.
    pub said: u64,
    pub calls: Vec<FunctionCall>,
    pub results: Vec<Option<EndedStep>>,
    /// Begun and not ended: by place, the entry with the beginning.
    pub begun: Vec<Option<u64>>,
}

/// A call that was carried out, or refused.
#[derive(Debug, Clone)]
pub struct DoneCall {
    pub tool: String,
    pub arguments: Value,
    pub has_effect: bool,
    pub end: EndedStep,
}

/// An entry that cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("entry {number} of the conversation cannot be read: {source}")]
pub struct UnreadableEntry {
    pub number: u64,
    pub source: serde_json::Error,
}

impl History {
    pub fn of(entries: &[AgentEntry]) -> Result<History, UnreadableEntry> {
        let mut history = History::default();
        for entry in entries {
            history
                .apply(entry.kind, entry.number, entry.refers, &entry.body)
                .map_err(|source| UnreadableEntry { number: entry.number, source })?;
        }
        Ok(history)
    }

    pub fn apply(
        &mut self,
        kind: AgentEntryKind,
        number: u64,
        refers: Option<u64>,
        body: &Value,
    ) -> Result<(), serde_json::Error> {
        match kind {
            AgentEntryKind::Event => {}
            AgentEntryKind::Cleared => *self = History::default(),
            AgentEntryKind::Message => self.take(number, Step::deserialize_from(body)?),
            AgentEntryKind::Begun => self.begin(number, serde_json::from_value(body.clone())?),
            AgentEntryKind::Ended => self.end(refers, serde_json::from_value(body.clone())?),
        }
        Ok(())
    }

    fn take(&mut self, number: u64, step: Step) {
        match step {
            Step::Request { text } => {
                self.request = Some(number);
                self.calls.clear();
                let is_answered = matches!(self.live.last(), None | Some(Message::Assistant(_)));
                self.live.push(Message::user(&text));
                self.turns.push(TurnFacts { request: text, ..TurnFacts::default() });
                if !is_answered {
                    // Two messages of the user in a row are one for some servers and a mistake for others.
                    self.fold_older();
                }
            }
            Step::Skill { name } => {
                if self.skill.as_ref() != Some(&name) {
                    self.fold_all();
                }
                self.skill = Some(name);
            }
            Step::Said(turn) => self.hear(number, &turn),
            Step::Remark { text } => self.live.push(Message::user(text)),
            Step::Folded => self.fold_older(),
            Step::CallsFolded => self.fold_calls(),
            Step::Done { answer } => {
                self.request = None;
                if let Some(turn) = self.turns.last_mut() {
                    turn.answer = answer;
                }
            }
        }
    }

    fn hear(&mut self, number: u64, turn: &SavedTurn) {
        self.live.push(Message::Assistant(turn.turn()));
        let calls = turn.calls();
        if !calls.is_empty() {
            let results = calls.iter().map(|_| None).collect();
            let begun = calls.iter().map(|_| None).collect();
            self.open = Some(OpenCalls { said: number, calls, results, begun });
        }
    }

    fn begin(&mut self, number: u64, step: BegunStep) {
        if let Some(open) = self.open.as_mut().filter(|open| open.said == step.said)
            && let Some(place) = open.begun.get_mut(step.index)
        {
            *place = Some(number);
        }
        self.begun.insert(number, step);
    }

    fn end(&mut self, refers: Option<u64>, end: EndedStep) {
        let Some(begun) = refers.and_then(|number| self.begun.remove(&number)) else { return };
        let BegunStep { said, index, tool, arguments, has_effect } = begun;
        if let Some(open) = self.open.as_mut().filter(|open| open.said == said) {
            if let Some(place) = open.begun.get_mut(index) {
                *place = None;
            }
            if let Some(place) = open.results.get_mut(index).filter(|_| !end.is_repeated) {
                *place = Some(end.clone());
            }
        }
        if end.is_repeated {
            return;
        }
        if let Some(turn) = self.turns.last_mut() {
            turn.lines.push(fact_line(&tool, &arguments, &end));
        }
        self.calls.push(DoneCall { tool, arguments, has_effect, end });
        let is_whole = self.open.as_ref().is_some_and(|open| open.results.iter().all(Option::is_some));
        if is_whole && let Some(open) = self.open.take() {
            let pairs = open.calls.iter().zip(open.results.into_iter().flatten());
            let results = pairs.map(|(call, end)| result_of(call, end)).collect();
            let remarks = self.pictures.drain(..).map(Part::Picture).collect();
            self.live.push(Message::Results { results, remarks });
        }
    }

    /// Replaces every turn so far with its facts; the request under way follows them.
    fn fold_all(&mut self) {
        self.live.clear();
        self.folded = self.turns.len();
        if self.request.is_some()
            && let Some(turn) = self.turns.last()
        {
            self.folded -= 1;
            let done: String = turn.lines.iter().map(|line| format!("\n- {line}")).collect();
            let done = if done.is_empty() { done } else { format!("\n\nDone for this so far:{done}") };
            self.live.push(Message::user(format!("{}{done}", turn.request)));
        }
    }

    /// All turns but the last.
    fn fold_older(&mut self) {
        self.folded = self.turns.len().saturating_sub(1);
        let begins = |message: &Message| match message {
            Message::User(parts) => {
                let request = self.turns.last().map(|turn| turn.request.as_str());
                matches!(parts.first(), Some(Part::Text(text)) if Some(text.as_str()) == request)
            }
            Message::Assistant(_) | Message::Results { .. } => false,
        };
        let at = self.live.iter().rposition(begins).unwrap_or(0);
        self.live.drain(..at);
    }

    /// Whether calls of the request under way are over, and others were made after them.
    pub fn can_fold_calls(&self) -> bool {
        let answers = self.live.iter().filter(|message| matches!(message, Message::Results { .. })).count();
        self.open.is_none() && self.calls.len() > 1 && answers > 1
    }

    /// Facts stand for the calls of the request under way. The newest words of the model and their results stay.
    fn fold_calls(&mut self) {
        let newest = self.live.iter().rposition(|message| matches!(message, Message::Assistant(_)));
        let (Some(turn), Some(newest)) = (self.turns.last(), newest) else { return };
        let newest = self.live.split_off(newest);
        let stay: usize = newest
            .iter()
            .map(|message| if let Message::Results { results, .. } = message { results.len() } else { 0 })
            .sum();
        let over = self.calls.len().saturating_sub(stay);
        let mut told: HashSet<&str> = HashSet::new();
        let lines: Vec<String> = self.calls[..over]
            .iter()
            .map(|call| {
                let fresh = call.end.facts.iter().filter(|fact| told.insert(fact.as_str())).cloned();
                let facts: Vec<String> = match fresh.collect::<Vec<String>>() {
                    fresh if fresh.is_empty() && !call.end.facts.is_empty() => {
                        vec!["the same as above".into()]
                    }
                    fresh => fresh,
                };
                format!(
                    "- {}",
                    fact_line(&call.tool, &call.arguments, &EndedStep { facts, ..call.end.clone() })
                )
            })
            .collect();
        let text = format!("{}\n\nDone for this so far:\n{}", turn.request, lines.join("\n"));
        self.folded = self.turns.len() - 1;
        self.live = vec![Message::user(text)];
        self.live.extend(newest);
    }

    /// What the model is shown.
    pub fn messages(&self) -> Vec<Message> {
        let mut messages = self.live.clone();
        let facts = self.facts();
        if facts.is_empty() {
            return messages;
        }
        let facts = format!("Earlier in this conversation, oldest first:\n{facts}");
        match messages.first_mut() {
            Some(Message::User(parts)) => {
                let text: Vec<String> = parts
                    .iter()
                    .map(|part| match part {
                        Part::Text(text) => text.clone(),
                        Part::Picture(_) => String::new(),
                    })
                    .collect();
                *parts = vec![Part::Text(format!("{facts}\n\nNow: {}", text.join("\n")))];
            }
            _ => messages.insert(0, Message::user(facts)),
        }
        messages
    }

    /// The facts of the folded turns: names, verdicts and paths of all, and of the newest their words as well.
    fn facts(&self) -> String {
        let turns = &self.turns[..self.folded];
        let mut shown: Vec<String> = turns.iter().map(TurnFacts::short).collect();
        let mut length: usize = shown.iter().map(|text| text.len() + 1).sum();
        let mut left_out = 0;
        while length > MOST_OF_FACTS && left_out < shown.len() {
            length -= shown[left_out].len() + 1;
            left_out += 1;
        }
        for (text, turn) in shown.iter_mut().zip(turns).skip(left_out).rev() {
            let whole = turn.whole();
            if length - text.len() + whole.len() > MOST_OF_FACTS {
                break;
            }
            length = length - text.len() + whole.len();
            *text = whole;
        }
        shown.drain(..left_out);
        if left_out > 0 {
            shown.insert(0, format!("({left_out} older requests are left out)"));
        }
        shown.join("\n")
    }

    /// The request under way, and the one before it.
    pub fn requests(&self) -> (&str, Option<&str>) {
        let mut turns = self.turns.iter().rev().map(|turn| turn.request.as_str());
        (turns.next().unwrap_or_default(), turns.next())
    }

    /// Whether any call was made in earlier turns.
    pub fn has_earlier_calls(&self) -> bool {
        let turns = self.turns.len().saturating_sub(usize::from(self.request.is_some()));
        self.turns[..turns].iter().any(|turn| !turn.lines.is_empty())
    }

    /// How many characters the model is shown, facts left out.
    pub fn length(&self) -> usize {
        let of_parts = |parts: &[Part]| -> usize {
            parts.iter().map(|part| if let Part::Text(text) = part { text.len() } else { 0 }).sum()
        };
        let length = |message: &Message| match message {
            Message::User(parts) => of_parts(parts),
            Message::Assistant(turn) => turn.raw.iter().map(|item| item.to_string().len()).sum(),
            Message::Results { results, .. } => results.iter().map(|result| of_parts(&result.parts)).sum(),
        };
        self.live.iter().map(length).sum()
    }
}

impl Step {
    fn deserialize_from(body: &Value) -> Result<Step, serde_json::Error> {
        serde_json::from_value(body.clone())
    }
}

impl TurnFacts {
    fn whole(&self) -> String {
        let mut text = format!("user: {}", shortened(&self.request, MOST_OF_WORDS));
        for line in &self.lines {
            text.push_str(&format!("\n- {line}"));
        }
        if !self.answer.is_empty() {
            let answer = shortened(&self.answer, MOST_OF_WORDS).replace('\n', " / ");
            text.push_str(&format!("\nyou: {answer}"));
        }
        text
    }

    fn short(&self) -> String {
        let lines: Vec<String> = self.lines.iter().map(|line| shortened(line, MOST_OF_WORDS)).collect();
        format!("user: {} | {}", shortened(&self.request, 80), lines.join(" | "))
    }
}

fn fact_line(tool: &str, arguments: &Value, end: &EndedStep) -> String {
    let arguments = shortened(&arguments.to_string(), MOST_OF_WORDS);
    let how = if end.is_error { shortened(&end.text, 120) } else { end.facts.join(", ") };
    format!("{tool} {arguments} -> {how}").replace('\n', " ")
}

fn result_of(call: &FunctionCall, end: EndedStep) -> ToolResult {
    match end.is_error {
        true => ToolResult::failed(call.call_ref(), end.text),
        false => ToolResult::done(call.call_ref(), vec![Part::Text(end.text)]),
    }
}

#[cfg(test)]
#[path = "history_tests.rs"]
mod tests;
