//! What a model wants done on a screen, in one closed list for all providers.

use std::time::Duration;

use serde_json::Value;

use super::{Chord, PointerTarget};

#[derive(Debug, Clone, PartialEq)]
pub enum ComputerAction {
    Click {
        at: PointerTarget,
        button: ComputerButton,
        /// 1, 2 or 3.
        times: u8,
        /// Held down meanwhile.
        modifiers: Chord,
    },
    /// Press at the first place, move through the others, release at the last.
    Drag {
        path: Vec<PointerTarget>,
        modifiers: Chord,
    },
    Move {
        to: PointerTarget,
        modifiers: Chord,
    },
    PointerDown {
        at: PointerTarget,
    },
    PointerUp {
        at: PointerTarget,
    },
    Scroll {
        at: PointerTarget,
        by: ScrollBy,
        modifiers: Chord,
    },
    /// Until the element can be seen.
    ScrollTo {
        target: PointerTarget,
    },
    /// Into what has the focus, or at a place that is clicked first.
    Type {
        text: String,
        at: Option<PointerTarget>,
        clears_first: bool,
        presses_enter: bool,
    },
    /// Chords one after the other, the whole so many times.
    Keypress {
        chords: Vec<Chord>,
        times: u32,
    },
    HoldKeys {
        keys: Chord,
        length: Duration,
    },
    KeyDown {
        key: Chord,
    },
    KeyUp {
        key: Chord,
    },
    /// Without a length: as long as things usually take.
    Wait {
        length: Option<Duration>,
    },
    Screenshot,
    /// A part of the screen, larger.
    Zoom {
        left: i64,
        top: i64,
        right: i64,
        bottom: i64,
    },
    PointerPosition,
    Navigate(Navigation),
    Tab(TabAct),
    Read(PageRead),
    /// Sets the value of a form control.
    SetValue {
        target: PointerTarget,
        value: Value,
    },
    Upload {
        target: PointerTarget,
        paths: Vec<String>,
    },
    RunScript {
        text: String,
    },
    /// Of a kind or with fields that this version does not understand. Nothing of it is guessed.
    Unknown {
        raw: Value,
        why: String,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ComputerButton {
    Left,
    Right,
    Middle,
    Back,
    Forward,
}

/// How far, in the provider's own measure. Positive is right and down.
#[derive(Debug, Clone, PartialEq)]
pub enum ScrollBy {
    Pixels {
        x: f64,
        y: f64,
    },
    /// Clicks of a wheel.
    Notches {
        x: f64,
        y: f64,
    },
    /// Thousandths of the picture's width and height.
    Thousandths {
        x: f64,
        y: f64,
    },
    /// Through the whole document, a page at a time.
    Pages {
        x: f64,
        y: f64,
    },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Navigation {
    To(String),
    Back,
    Forward,
    Reload,
    /// To the search page, whichever that is.
    Search,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TabAct {
    List,
    New,
    Switch(String),
    Close(String),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PageRead {
    /// The elements, all of them or those that can be used, so deep, below one of them.
    Elements {
        interactive_only: bool,
        depth: u32,
        below: Option<String>,
    },
    Find {
        query: String,
    },
    Text,
    Console,
    Network,
}

impl ComputerAction {
    pub(crate) fn unknown(raw: &Value, why: impl Into<String>) -> ComputerAction {
        ComputerAction::Unknown { raw: raw.clone(), why: why.into() }
    }
}

impl ScrollBy {
    /// Splits `down`, `left` … and a length into the two axes.
    pub(crate) fn axes(direction: &str, length: f64) -> Option<(f64, f64)> {
        match direction {
            "up" => Some((0.0, -length)),
            "down" => Some((0.0, length)),
            "left" => Some((-length, 0.0)),
            "right" => Some((length, 0.0)),
            _ => None,
        }
    }
}
