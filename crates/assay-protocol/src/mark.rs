//! Where on a picture something is: the target of an act, or what a claim was judged by.

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
    /// It had to be scrolled to first; afterwards it was still where it was acted on.
    After,
}

impl MarkedPicture {
    fn is_before(&self) -> bool {
        *self == MarkedPicture::Before
    }
}

/// An element that was looked at, and where it is on the picture of that moment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ElementMark {
    #[serde(rename = "ref")]
    pub reference: String,
    #[serde(flatten)]
    pub mark: TargetMark,
}
