//! Input at a point of the viewport, for content without elements: canvases, games, clickable images.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{MouseButton, Selector};

/// A point in CSS pixels: of the view, or of the element that the act is within.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ViewPoint {
    pub x: f64,
    pub y: f64,
}

/// Real input that is not tied to an element.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum RawInput {
    Click {
        at: ViewPoint,
        button: MouseButton,
        /// 1, 2 or 3.
        times: u8,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        modifiers: Vec<String>,
    },
    Move {
        at: ViewPoint,
    },
    /// Press at the first point, move through the others, release at the last.
    Drag {
        at: ViewPoint,
        through: Vec<ViewPoint>,
    },
    /// By the wheel: how far in CSS pixels, positive to the right and down.
    Scroll {
        at: ViewPoint,
        by_x: f64,
        by_y: f64,
    },
    /// Key by key, wherever the keys go: something may have the focus, or the page itself listens.
    Type {
        text: String,
    },
}

impl RawInput {
    /// Where the pointer goes, in order.
    pub fn points(&self) -> Vec<ViewPoint> {
        match self {
            RawInput::Click { at, .. } | RawInput::Move { at } | RawInput::Scroll { at, .. } => vec![*at],
            RawInput::Drag { at, through } => std::iter::once(*at).chain(through.iter().copied()).collect(),
            RawInput::Type { .. } => Vec::new(),
        }
    }

    /// The same input with each point moved.
    #[must_use]
    pub fn moved_by(&self, x: f64, y: f64) -> RawInput {
        let mut moved = self.clone();
        let shift = |point: &mut ViewPoint| *point = ViewPoint { x: point.x + x, y: point.y + y };
        match &mut moved {
            RawInput::Click { at, .. } | RawInput::Move { at } | RawInput::Scroll { at, .. } => shift(at),
            RawInput::Drag { at, through } => {
                shift(at);
                through.iter_mut().for_each(shift);
            }
            RawInput::Type { .. } => {}
        }
        moved
    }

    /// Where something is pressed or dropped: there it matters what is seen.
    pub fn pressed(&self) -> Vec<ViewPoint> {
        match self {
            RawInput::Click { at, .. } => vec![*at],
            RawInput::Drag { at, through } => std::iter::once(*at).chain(through.last().copied()).collect(),
            RawInput::Move { .. } | RawInput::Scroll { .. } | RawInput::Type { .. } => Vec::new(),
        }
    }
}

/// On what an input holds. What is not as it says is not given any input.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RawPlace {
    /// Points count from the top left of this element; without it, of the view.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub within: Option<Selector>,
    /// The size that the element, or the view, must have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<ViewSize>,
    /// How it must look around the points where something is pressed, as `assay-pixels` tells it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub looks: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ViewSize {
    pub width: f64,
    pub height: f64,
}
