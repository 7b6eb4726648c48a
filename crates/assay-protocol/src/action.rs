//! The actions of a surface: one closed enum, the same for every front end. The catalogue in `actions` describes each.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{EmulationChange, RawInput, RawPlace, RouteReply, Selector, ViewPoint};

/// One act or one question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
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
        #[serde(default)]
        all: bool,
    },
    /// Everything that is seen, whole.
    Scene,
    Find {
        target: Selector,
    },
    FindAll {
        target: Selector,
        #[serde(default = "found_limit")]
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
        #[serde(default)]
        button: MouseButton,
        #[serde(default)]
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
        #[serde(default, skip_serializing_if = "DropSide::is_on")]
        side: DropSide,
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
        #[serde(default)]
        full_page: bool,
        #[serde(default)]
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
        #[serde(default)]
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
    /// Makes pages believe in another device, place, time or network.
    Emulate {
        change: EmulationChange,
    },
    /// Answers requests in the server's place.
    Route {
        pattern: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        method: Option<String>,
        reply: RouteReply,
    },
    /// Lists the routes, and how often each answered.
    Routes,
    /// Ends the routes with this pattern, or all.
    Unroute {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pattern: Option<String>,
    },
    Viewport {
        width: u32,
        height: u32,
        #[serde(default = "usual_scale")]
        scale: f64,
    },
    Console {
        #[serde(default)]
        clear: bool,
    },
    Network {
        #[serde(default)]
        failed: bool,
        #[serde(default)]
        clear: bool,
    },
    Highlight {
        target: Selector,
    },
}

/// How many elements `find-all` lists if no number is given.
pub(crate) const FOUND_LIMIT: usize = 50;

fn found_limit() -> usize {
    FOUND_LIMIT
}

fn usual_scale() -> f64 {
    1.0
}

/// Where something is dropped: on an element, or in its upper or lower part, which puts it before or after that element
/// in a list.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum DropSide {
    #[default]
    On,
    Above,
    Below,
}

impl DropSide {
    fn is_on(&self) -> bool {
        *self == DropSide::On
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum MouseButton {
    #[default]
    Left,
    Middle,
    Right,
}

/// A state that `is` asks about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
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

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "to", rename_all = "kebab-case")]
pub enum ScrollTo {
    /// By real wheel input, in CSS pixels.
    By {
        #[serde(default)]
        x: f64,
        #[serde(default)]
        y: f64,
        over: Option<Selector>,
    },
    Top,
    Bottom,
    Element {
        target: Selector,
    },
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "answer", rename_all = "kebab-case")]
pub enum DialogAnswer {
    Accept { text: Option<String> },
    Dismiss,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum WaitState {
    #[default]
    Visible,
    Hidden,
    Attached,
    Detached,
    Enabled,
}

/// What `wait` waits for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "for", rename_all = "kebab-case")]
pub enum WaitFor {
    Element {
        target: Selector,
        #[serde(default)]
        state: WaitState,
    },
    Text {
        text: String,
        #[serde(default)]
        gone: bool,
    },
    /// A part of the address, or a pattern with `*`.
    Url { url: String },
    /// The page has loaded, its requests are answered, and its content does not change any more.
    Load,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "operation", rename_all = "kebab-case")]
pub enum CookieOperation {
    List,
    Set { name: String, value: String },
    Clear,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "operation", rename_all = "kebab-case")]
pub enum StorageOperation {
    Save { path: String },
    Load { path: String },
}
