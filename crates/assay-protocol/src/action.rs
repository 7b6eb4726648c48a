//! What can be asked of a surface: one closed enum, the same for every entrance.

use serde::{Deserialize, Serialize};

use crate::{RawInput, RawPlace, Selector, ViewPoint};

/// One act or one question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "verb", rename_all = "kebab-case")]
pub enum Action {
    Go {
        url: String,
    },
    Back,
    Forward,
    Reload,
    Url,
    Title,
    Text {
        target: Option<Selector>,
    },
    Html {
        target: Option<Selector>,
    },
    Value {
        target: Selector,
    },
    Attr {
        target: Selector,
        name: String,
    },
    Map {
        target: Option<Selector>,
        all: bool,
    },
    /// Everything that is seen, whole.
    Scene,
    Find {
        target: Selector,
    },
    FindAll {
        target: Selector,
        limit: usize,
    },
    Diff,
    Count {
        target: Selector,
    },
    Is {
        state: ElementState,
        target: Selector,
    },
    Click {
        target: Selector,
        button: MouseButton,
        modifiers: Vec<String>,
    },
    Dblclick {
        target: Selector,
    },
    Type {
        target: Option<Selector>,
        text: String,
    },
    Fill {
        target: Selector,
        text: String,
    },
    Clear {
        target: Selector,
    },
    Press {
        keys: Vec<String>,
        target: Option<Selector>,
    },
    Hover {
        target: Selector,
    },
    Focus {
        target: Selector,
    },
    Select {
        target: Selector,
        options: Vec<String>,
    },
    Check {
        target: Selector,
    },
    Uncheck {
        target: Selector,
    },
    Scroll {
        to: ScrollTo,
    },
    Drag {
        from: Selector,
        to: Selector,
    },
    Upload {
        target: Selector,
        files: Vec<String>,
    },
    /// What lies at a point of the view.
    At {
        point: ViewPoint,
    },
    /// Input at a point of the view, whatever lies there.
    Raw {
        input: RawInput,
        #[serde(default)]
        place: RawPlace,
    },
    Dialog {
        answer: Option<DialogAnswer>,
    },
    Wait {
        until: WaitFor,
    },
    Screenshot {
        path: String,
        full_page: bool,
        annotate: bool,
        target: Option<Selector>,
    },
    Pdf {
        path: String,
    },
    Eval {
        expression: String,
    },
    Tabs,
    TabNew {
        url: Option<String>,
        isolated: bool,
    },
    TabSwitch {
        tab: String,
    },
    TabClose {
        tab: Option<String>,
    },
    Frames,
    Cookies {
        operation: CookieOperation,
    },
    Storage {
        operation: StorageOperation,
    },
    Viewport {
        width: u32,
        height: u32,
        scale: f64,
    },
    Console {
        clear: bool,
    },
    Network {
        failed: bool,
        clear: bool,
    },
    Highlight {
        target: Selector,
    },
}

impl Action {
    /// The one name of this action, as typed on the command line.
    pub fn verb(&self) -> &'static str {
        match self {
            Action::Go { .. } => "go",
            Action::Back => "back",
            Action::Forward => "forward",
            Action::Reload => "reload",
            Action::Url => "url",
            Action::Title => "title",
            Action::Text { .. } => "text",
            Action::Html { .. } => "html",
            Action::Value { .. } => "value",
            Action::Attr { .. } => "attr",
            Action::Map { .. } => "map",
            Action::Scene => "scene",
            Action::Find { .. } => "find",
            Action::FindAll { .. } => "find-all",
            Action::Diff => "diff",
            Action::Count { .. } => "count",
            Action::Is { .. } => "is",
            Action::Click { .. } => "click",
            Action::Dblclick { .. } => "dblclick",
            Action::Type { .. } => "type",
            Action::Fill { .. } => "fill",
            Action::Clear { .. } => "clear",
            Action::Press { .. } => "press",
            Action::Hover { .. } => "hover",
            Action::Focus { .. } => "focus",
            Action::Select { .. } => "select",
            Action::Check { .. } => "check",
            Action::Uncheck { .. } => "uncheck",
            Action::Scroll { .. } => "scroll",
            Action::Drag { .. } => "drag",
            Action::Upload { .. } => "upload",
            Action::At { .. } => "at",
            Action::Raw { .. } => "raw",
            Action::Dialog { .. } => "dialog",
            Action::Wait { .. } => "wait",
            Action::Screenshot { .. } => "screenshot",
            Action::Pdf { .. } => "pdf",
            Action::Eval { .. } => "eval",
            Action::Tabs => "tabs",
            Action::TabNew { .. } => "tab-new",
            Action::TabSwitch { .. } => "tab-switch",
            Action::TabClose { .. } => "tab-close",
            Action::Frames => "frames",
            Action::Cookies { .. } => "cookies",
            Action::Storage { .. } => "storage",
            Action::Viewport { .. } => "viewport",
            Action::Console { .. } => "console",
            Action::Network { .. } => "network",
            Action::Highlight { .. } => "highlight",
        }
    }

    /// Whether this makes sense in a browser that has no page yet.
    pub fn brings_its_own_page(&self) -> bool {
        matches!(
            self,
            Action::Go { .. } | Action::TabNew { .. } | Action::Viewport { .. } | Action::Storage { .. }
        )
    }

    /// Whether carrying this out twice could differ from carrying it out once.
    /// Such an action is never sent again when its outcome is unknown.
    pub fn changes_the_page(&self) -> bool {
        match self {
            Action::Url
            | Action::Title
            | Action::Text { .. }
            | Action::Html { .. }
            | Action::Value { .. }
            | Action::Attr { .. }
            | Action::Map { .. }
            | Action::Scene
            | Action::Find { .. }
            | Action::FindAll { .. }
            | Action::Diff
            | Action::Count { .. }
            | Action::Is { .. }
            | Action::At { .. }
            | Action::Wait { .. }
            | Action::Screenshot { .. }
            | Action::Pdf { .. }
            | Action::Tabs
            | Action::Frames
            | Action::Console { .. }
            | Action::Network { .. }
            | Action::Highlight { .. } => false,
            Action::Cookies { operation } => !matches!(operation, CookieOperation::List),
            Action::Storage { operation } => !matches!(operation, StorageOperation::Save { .. }),
            Action::Dialog { answer } => answer.is_some(),
            Action::Go { .. }
            | Action::Back
            | Action::Forward
            | Action::Reload
            | Action::Click { .. }
            | Action::Dblclick { .. }
            | Action::Type { .. }
            | Action::Fill { .. }
            | Action::Clear { .. }
            | Action::Press { .. }
            | Action::Hover { .. }
            | Action::Focus { .. }
            | Action::Select { .. }
            | Action::Check { .. }
            | Action::Uncheck { .. }
            | Action::Scroll { .. }
            | Action::Drag { .. }
            | Action::Upload { .. }
            | Action::Raw { .. }
            | Action::Eval { .. }
            | Action::TabNew { .. }
            | Action::TabSwitch { .. }
            | Action::TabClose { .. }
            | Action::Viewport { .. } => true,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MouseButton {
    Left,
    Middle,
    Right,
}

/// A state that `is` asks about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ElementState {
    Visible,
    Hidden,
    Enabled,
    Disabled,
    Checked,
    Unchecked,
    Editable,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "to", rename_all = "kebab-case")]
pub enum ScrollTo {
    /// By real wheel input, in CSS pixels.
    By {
        x: f64,
        y: f64,
        over: Option<Selector>,
    },
    Top,
    Bottom,
    Element {
        target: Selector,
    },
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "answer", rename_all = "kebab-case")]
pub enum DialogAnswer {
    Accept { text: Option<String> },
    Dismiss,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WaitState {
    Visible,
    Hidden,
    Attached,
    Detached,
    Enabled,
}

/// What `wait` waits for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "for", rename_all = "kebab-case")]
pub enum WaitFor {
    Element {
        target: Selector,
        state: WaitState,
    },
    Text {
        text: String,
        gone: bool,
    },
    /// A part of the address, or a pattern with `*`.
    Url {
        url: String,
    },
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "operation", rename_all = "kebab-case")]
pub enum CookieOperation {
    List,
    Set { name: String, value: String },
    Clear,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "operation", rename_all = "kebab-case")]
pub enum StorageOperation {
    Save { path: String },
    Load { path: String },
}
