//! Real input, in a form that every engine can send.

use crate::Point;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Button {
    Left,
    Middle,
    Right,
}

/// Keys held while something else happens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Modifiers {
    pub alt: bool,
    pub control: bool,
    pub meta: bool,
    pub shift: bool,
}

/// One step of a pointer gesture, in CSS pixels of the surface.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PointerStep {
    Move { to: Point },
    Press { at: Point, button: Button, clicks: u32 },
    Release { at: Point, button: Button, clicks: u32 },
    Wheel { at: Point, by_x: f64, by_y: f64 },
}

/// One key going down and up again, with what is held meanwhile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyStroke {
    /// A key name (`Enter`, `ArrowDown`) or one character.
    pub key: String,
    pub modifiers: Modifiers,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DragPath {
    pub from: Point,
    pub to: Point,
}
