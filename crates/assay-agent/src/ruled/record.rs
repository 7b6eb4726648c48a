//! What is kept of a turn by rules, and a turn as it stands, read from that.
//!
//! Pure. A workflow does the same again with the same order and the same answers, so the answers on record take a
//! process that takes over to the place where the last one ended.

use std::collections::BTreeMap;

use assay_coordinator::{AgentEntry, AgentEntryKind};
use assay_tools::ToolAnswer;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::answering::Unanswered;
use crate::matching::{Bound, Given, Order, Question};

/// An entry of the kind `message`. Those of conversations with a model have other steps, which are nothing here.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "step", rename_all = "snake_case")]
pub(super) enum RuledStep {
    Request {
        text: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        skill: Option<String>,
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        slots: BTreeMap<String, Vec<SavedBound>>,
        /// A secret value was left out: nobody can go on with it.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        is_masked: bool,
    },
    /// What the request means.
    Order {
        skill: String,
        slots: BTreeMap<String, Vec<SavedBound>>,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        is_masked: bool,
    },
    /// The request is done with.
    Done {
        answer: String,
        exit_code: u8,
        /// What the user has to say before it can be done.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        question: Option<SavedQuestion>,
    },
    #[serde(other)]
    Other,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct SavedBound {
    value: Value,
    #[serde(default, skip_serializing_if = "Value::is_null")]
    facts: Value,
}

/// The question of a turn that could not do what was asked for. Its text is the answer of the turn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct SavedQuestion {
    #[serde(default)]
    candidates: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    skill: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    slot: Option<String>,
}

impl SavedQuestion {
    pub fn of(question: &Question) -> SavedQuestion {
        let Question { candidates, skill, slot, text: _ } = question.clone();
        SavedQuestion { candidates, skill, slot }
    }
}

/// The question with which the last turn ended, if it ended so. A request with a secret is not on record: its answer is a
/// request of its own.
pub(super) fn last_question(entries: &[AgentEntry]) -> Result<Option<Unanswered>, (u64, serde_json::Error)> {
    let (mut asked, mut open) = (None, None);
    for entry in entries {
        match entry.kind {
            AgentEntryKind::Cleared => (asked, open) = (None, None),
            AgentEntryKind::Event | AgentEntryKind::Begun | AgentEntryKind::Ended => {}
            AgentEntryKind::Message => {
                let step =
                    serde_json::from_value(entry.body.clone()).map_err(|source| (entry.number, source))?;
                match step {
                    RuledStep::Request { text, skill, slots, is_masked } => {
                        open = None;
                        asked = (!is_masked).then(|| (text, Given { skill, slots: bound(slots) }));
                    }
                    RuledStep::Done { answer, question, .. } => {
                        open = asked.take().zip(question).map(|((request, given), question)| {
                            let SavedQuestion { candidates, skill, slot } = question;
                            let question = Question { text: answer, candidates, skill, slot };
                            Unanswered { request, given, question }
                        });
                    }
                    RuledStep::Order { .. } | RuledStep::Other => {}
                }
            }
        }
    }
    Ok(open)
}

pub(super) fn saved(slots: &BTreeMap<String, Vec<Bound>>) -> BTreeMap<String, Vec<SavedBound>> {
    let save = |bound: &Bound| SavedBound { value: bound.value.clone(), facts: bound.facts.clone() };
    slots.iter().map(|(name, values)| (name.clone(), values.iter().map(save).collect())).collect()
}

fn bound(slots: BTreeMap<String, Vec<SavedBound>>) -> BTreeMap<String, Vec<Bound>> {
    let bind = |saved: SavedBound| Bound { value: saved.value, facts: saved.facts };
    slots.into_iter().map(|(name, values)| (name, values.into_iter().map(bind).collect())).collect()
}

/// A call that is about to be carried out: an entry of the kind `begun`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct BegunCall {
    pub tool: String,
    pub arguments: Map<String, Value>,
    /// It may change something: nobody repeats it unasked.
    pub has_effect: bool,
}

/// The end of a call: an entry of the kind `ended`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct EndedCall {
    pub text: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_error: bool,
    #[serde(default)]
    pub exit_code: u8,
    /// Nothing was done, or it was done again: this is not its result.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_repeated: bool,
}

impl EndedCall {
    pub fn repeated(why: &str) -> EndedCall {
        EndedCall { text: why.to_string(), is_error: true, is_repeated: true, ..EndedCall::default() }
    }

    pub fn answer(&self) -> ToolAnswer {
        ToolAnswer {
            text: self.text.clone(),
            value: self.value.clone(),
            is_error: self.is_error,
            exit_code: self.exit_code,
            ..ToolAnswer::default()
        }
    }
}

/// A call of the turn under way.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct EarlierCall {
    /// The entry with its beginning.
    pub begun: u64,
    pub call: BegunCall,
    /// None: it was cut off.
    pub end: Option<EndedCall>,
}

/// The turn that is not done with.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct OpenTurn {
    pub request: String,
    pub given: Given,
    pub order: Option<Order>,
    pub is_masked: bool,
    pub calls: Vec<EarlierCall>,
}

impl OpenTurn {
    /// None: every request is done with.
    pub fn of(entries: &[AgentEntry]) -> Result<Option<OpenTurn>, (u64, serde_json::Error)> {
        let mut open: Option<OpenTurn> = None;
        for entry in entries {
            let unreadable = |source| (entry.number, source);
            match entry.kind {
                AgentEntryKind::Event => {}
                AgentEntryKind::Cleared => open = None,
                AgentEntryKind::Message => {
                    match serde_json::from_value(entry.body.clone()).map_err(unreadable)? {
                        RuledStep::Request { text, skill, slots, is_masked } => {
                            let given = Given { skill, slots: bound(slots) };
                            open = Some(OpenTurn { request: text, given, is_masked, ..OpenTurn::default() });
                        }
                        RuledStep::Order { skill, slots, is_masked } => {
                            if let Some(open) = &mut open {
                                open.order = Some(Order { skill, slots: bound(slots) });
                                open.is_masked |= is_masked;
                            }
                        }
                        RuledStep::Done { .. } => open = None,
                        RuledStep::Other => {}
                    }
                }
                AgentEntryKind::Begun => {
                    let call = serde_json::from_value(entry.body.clone()).map_err(unreadable)?;
                    if let Some(open) = &mut open {
                        open.calls.push(EarlierCall { begun: entry.number, call, end: None });
                    }
                }
                AgentEntryKind::Ended => {
                    let end: EndedCall = serde_json::from_value(entry.body.clone()).map_err(unreadable)?;
                    let Some(open) = &mut open else { continue };
                    let is_it = |call: &EarlierCall| Some(call.begun) == entry.refers;
                    match end.is_repeated {
                        true => open.calls.retain(|call| !is_it(call)),
                        false => {
                            if let Some(call) = open.calls.iter_mut().find(|call| is_it(call)) {
                                call.end = Some(end);
                            }
                        }
                    }
                }
            }
        }
        Ok(open)
    }
}
