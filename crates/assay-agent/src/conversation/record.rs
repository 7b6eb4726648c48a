//! Steps of a conversation as they are kept: everything that another process needs to go on.

use assay_provider::answer::{CallInput, FunctionCall, Item, ModelAnswer};
use assay_provider::conversation::AssistantTurn;
use assay_provider::formats::FormatName;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::classes::FoundClass;
use super::verdicts::FoundVerdict;

/// A step that is said: an entry of the kind `message`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "step", rename_all = "snake_case")]
pub enum Step {
    /// What the user wants.
    Request { text: String },
    /// The agent works with this skill from here on.
    Skill { name: String },
    /// Words of the model.
    Said(SavedTurn),
    /// Words to the model that are not the user's.
    Remark { text: String },
    /// From here on, facts stand for older turns.
    Folded,
    /// From here on, facts stand for the calls of the request under way, but for the newest.
    CallsFolded,
    /// The request is done with.
    Done { answer: String },
}

/// A call that is about to be carried out: an entry of the kind `begun`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BegunStep {
    /// The entry with the words of the model that hold the call.
    pub said: u64,
    /// Its place among the calls there.
    pub index: usize,
    pub tool: String,
    pub arguments: Value,
    /// It may change something: nobody repeats it unasked.
    pub has_effect: bool,
}

/// The end of a call: an entry of the kind `ended`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EndedStep {
    /// For the model.
    pub text: String,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_error: bool,
    #[serde(default)]
    pub exit_code: u8,
    /// Names, numbers, verdicts and paths that later turns may need.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub facts: Vec<String>,
    /// What results mean, where the tool said it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub classes: Vec<FoundClass>,
    /// How tests and scripts ended, where the tool ran them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub verdicts: Vec<FoundVerdict>,
    /// The user had the call repeated: this is not its result.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_repeated: bool,
}

impl EndedStep {
    pub fn failed(text: impl Into<String>) -> EndedStep {
        EndedStep {
            text: text.into(),
            is_error: true,
            exit_code: 2,
            facts: Vec::new(),
            classes: Vec::new(),
            verdicts: Vec::new(),
            is_repeated: false,
        }
    }
}

/// An answer of a model, both as it was understood and as it was sent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SavedTurn {
    format: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    answer_id: Option<String>,
    items: Vec<SavedItem>,
    raw: Vec<Value>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "item", rename_all = "snake_case")]
enum SavedItem {
    Text {
        text: String,
    },
    Call {
        id: String,
        name: String,
        input: Value,
    },
    /// Arguments that were no JSON.
    BrokenCall {
        id: String,
        name: String,
        text: String,
    },
}

const FORMATS: [(&str, FormatName); 4] = [
    ("anthropic", FormatName::Anthropic),
    ("responses", FormatName::Responses),
    ("chat", FormatName::Chat),
    ("gemini", FormatName::Gemini),
];

impl SavedTurn {
    pub fn of(answer: &ModelAnswer) -> SavedTurn {
        let format = FORMATS.iter().find(|(_, format)| *format == answer.format);
        let items = answer.items.iter().filter_map(|item| match item {
            Item::Text(text) | Item::Refusal(text) => Some(SavedItem::Text { text: text.clone() }),
            Item::Call(FunctionCall { id, name, input }) => Some(match input {
                CallInput::Json(input) => {
                    SavedItem::Call { id: id.clone(), name: name.clone(), input: input.clone() }
                }
                CallInput::Malformed(text) => {
                    SavedItem::BrokenCall { id: id.clone(), name: name.clone(), text: text.clone() }
                }
            }),
            // They stay in `raw`; no computer tool is declared to an agent.
            Item::Thinking(_) | Item::Computer(_) | Item::Unknown(_) => None,
        });
        SavedTurn {
            format: format.map_or("chat", |(name, _)| name).to_string(),
            answer_id: answer.id.clone(),
            items: items.collect(),
            raw: answer.raw.clone(),
        }
    }

    /// For the next question.
    pub fn turn(&self) -> AssistantTurn {
        let format = FORMATS.iter().find(|(name, _)| *name == self.format);
        AssistantTurn {
            format: format.map_or(FormatName::Chat, |(_, format)| *format),
            answer_id: self.answer_id.clone(),
            items: self.items.iter().map(SavedItem::item).collect(),
            raw: self.raw.clone(),
        }
    }

    pub fn calls(&self) -> Vec<FunctionCall> {
        let calls = self.items.iter().filter_map(|item| match item.item() {
            Item::Call(call) => Some(call),
            _ => None,
        });
        calls.collect()
    }

    pub fn text(&self) -> String {
        let texts = self.items.iter().filter_map(|item| match item {
            SavedItem::Text { text } => Some(text.as_str()),
            SavedItem::Call { .. } | SavedItem::BrokenCall { .. } => None,
        });
        texts.collect::<Vec<_>>().join("\n").trim().to_string()
    }
}

impl SavedItem {
    fn item(&self) -> Item {
        let call = |id: &String, name: &String, input| {
            Item::Call(FunctionCall { id: id.clone(), name: name.clone(), input })
        };
        match self {
            SavedItem::Text { text } => Item::Text(text.clone()),
            SavedItem::Call { id, name, input } => call(id, name, CallInput::Json(input.clone())),
            SavedItem::BrokenCall { id, name, text } => call(id, name, CallInput::Malformed(text.clone())),
        }
    }
}
