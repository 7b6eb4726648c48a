//! What somebody does to a live page with pointer and keyboard.

use assay_protocol::{Action, DialogAnswer, Failure, MouseButton, RawInput, RawPlace, Selector};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One act. Points are CSS pixels of the view; `ref` names an element of the list of elements.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(tag = "act", rename_all = "snake_case")]
pub enum HandAct {
    Pointer {
        input: RawInput,
    },
    /// Where the focus is.
    Type {
        text: String,
    },
    /// Such as `Enter` or `Control+a`.
    Press {
        keys: Vec<String>,
    },
    Click {
        #[serde(rename = "ref")]
        reference: String,
    },
    Fill {
        #[serde(rename = "ref")]
        reference: String,
        text: String,
    },
    Choose {
        #[serde(rename = "ref")]
        reference: String,
        options: Vec<String>,
    },
    Go {
        url: String,
    },
    Back,
    Forward,
    Reload,
    NewTab {
        url: Option<String>,
    },
    SwitchTab {
        tab: String,
    },
    CloseTab {
        tab: String,
    },
    AcceptDialog {
        text: Option<String>,
    },
    DismissDialog,
}

impl HandAct {
    /// As an action of the page.
    pub fn action(&self) -> Result<Action, Failure> {
        let of = |reference: &String| {
            Selector::parse(reference)
                .map_err(|err| Failure::new(assay_protocol::ErrorCode::BadSelector, err.to_string()))
        };
        Ok(match self {
            HandAct::Pointer { input } => Action::Raw { input: input.clone(), place: RawPlace::default() },
            HandAct::Type { text } => {
                Action::Raw { input: RawInput::Type { text: text.clone() }, place: RawPlace::default() }
            }
            HandAct::Press { keys } => Action::Press { keys: keys.clone(), target: None },
            HandAct::Click { reference } => {
                Action::Click { target: of(reference)?, button: MouseButton::Left, modifiers: Vec::new() }
            }
            HandAct::Fill { reference, text } => Action::Fill { target: of(reference)?, text: text.clone() },
            HandAct::Choose { reference, options } => {
                Action::Select { target: of(reference)?, options: options.clone() }
            }
            HandAct::Go { url } => Action::Go { url: url.clone() },
            HandAct::Back => Action::Back,
            HandAct::Forward => Action::Forward,
            HandAct::Reload => Action::Reload,
            HandAct::NewTab { url } => Action::TabNew { url: url.clone(), isolated: false },
            HandAct::SwitchTab { tab } => Action::TabSwitch { tab: tab.clone() },
            HandAct::CloseTab { tab } => Action::TabClose { tab: Some(tab.clone()) },
            HandAct::AcceptDialog { text } => {
                Action::Dialog { answer: Some(DialogAnswer::Accept { text: text.clone() }) }
            }
            HandAct::DismissDialog => Action::Dialog { answer: Some(DialogAnswer::Dismiss) },
        })
    }

    /// A move of the pointer and a turn of the wheel are no acts of a test.
    pub fn is_passing(&self) -> bool {
        matches!(self, HandAct::Pointer { input: RawInput::Move { .. } | RawInput::Scroll { .. } })
    }
}

/// What came of an act.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
pub struct HandDone {
    /// What changed, in words. It may hold words of the page.
    pub text: String,
    /// Nothing was pressed: the list of the browser is not part of the picture, so one of these is chosen instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub choice: Option<ListChoice>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ListChoice {
    #[serde(rename = "ref")]
    pub reference: String,
    pub name: String,
    pub options: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chosen: Option<String>,
}
