//! Positions on a screenshot: the target of an act, or the evidence for a claim.

use serde::{Deserialize, Serialize};

/// A box in pixels of the surface, with the size of the surface: a picture may be of another scale.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct TargetMark {
    pub x: i32,
    pub y: i32,
    pub width: i32,
    pub height: i32,
    /// Where the pointer went, for acts that point.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_x: Option<i32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_y: Option<i32>,
    pub view_width: i32,
    pub view_height: i32,
    /// The picture on which it is there.
    #[serde(default, skip_serializing_if = "MarkedPicture::is_before")]
    pub on: MarkedPicture,
}

/// On which of the two pictures of an act its target can be marked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MarkedPicture {
    #[default]
    Before,
    /// It had to be scrolled into view first, and was still in the same place afterwards.
    After,
}

impl MarkedPicture {
    fn is_before(&self) -> bool {
        *self == MarkedPicture::Before
    }
}

/// An element used as evidence, and its position on the screenshot of that moment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ElementMark {
    #[serde(rename = "ref")]
    pub reference: String,
    #[serde(flatten)]
    pub mark: TargetMark,
}
