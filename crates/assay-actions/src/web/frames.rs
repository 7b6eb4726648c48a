//! The frames of a page, by the numbers that users see.

use std::time::Duration;

use assay_driver::{Deadline, DriverError, Frame};
use assay_protocol::Failure;

use crate::web::context::{TabHandle, WebContext};
use crate::web::failures::Interrupted;

pub(crate) struct PageFrame {
    pub frame: Frame,
    /// From 1 on, which is the page itself.
    pub number: u32,
    /// How many frames it is in.
    pub depth: u32,
}

/// All frames, each behind the one it is in.
pub(crate) async fn frames_of_page(
    web: &WebContext,
    tab: &TabHandle,
    deadline: Deadline,
) -> Result<Vec<PageFrame>, Failure> {
    loop {
        match web.unless_dialog(tab, deadline, tab.surface.frames_in_order(deadline)).await {
            Ok(frames) => return Ok(numbered(frames)),
            // Another page is coming, with its own frames.
            Err(Interrupted::Driver(DriverError::DocumentGone)) if !deadline.is_past() => {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
            Err(interrupted) => return Err(interrupted.into_failure("finding the frames")),
        }
    }
}

/// The frames that may be visible, in reading order. A page with one frame needs no query.
pub(crate) async fn frames_to_read(
    web: &WebContext,
    tab: &TabHandle,
    deadline: Deadline,
) -> Result<Vec<Frame>, Failure> {
    let frames = tab.surface.frames();
    if matches!(frames.as_slice(), [only] if only.id == tab.surface.main_frame()) {
        return Ok(frames);
    }
    Ok(frames_of_page(web, tab, deadline).await?.into_iter().map(|known| known.frame).collect())
}

/// Numbers are assigned level by level: a late frame inside another does not renumber the frames around it.
fn numbered(frames: Vec<Frame>) -> Vec<PageFrame> {
    let mut rows: Vec<PageFrame> = Vec::with_capacity(frames.len());
    for frame in frames {
        let around = rows.iter().position(|row| Some(&row.frame.id) == frame.parent.as_ref());
        let (place, depth) = match around {
            Some(around) => (end_of(&rows, around), rows[around].depth + 1),
            None => (rows.len(), 0),
        };
        rows.insert(place, PageFrame { frame, number: 0, depth });
    }
    let mut by_level: Vec<&mut PageFrame> = rows.iter_mut().collect();
    by_level.sort_by_key(|row| row.depth);
    for (number, row) in (1..).zip(by_level) {
        row.number = number;
    }
    rows
}

/// Behind all that is in the frame.
fn end_of(rows: &[PageFrame], at: usize) -> usize {
    let next = rows.iter().skip(at + 1).position(|row| row.depth <= rows[at].depth);
    next.map_or(rows.len(), |beyond| at + 1 + beyond)
}

#[cfg(test)]
mod tests {
    use assay_driver::FrameId;

    use super::*;

    fn shown(frames: &[(&str, Option<&str>)]) -> Vec<String> {
        let frame = |(id, parent): &(&str, Option<&str>)| Frame {
            id: FrameId(id.to_string()),
            parent: parent.map(|parent| FrameId(parent.to_string())),
            name: String::new(),
            url: String::new(),
        };
        let rows = numbered(frames.iter().map(frame).collect());
        rows.iter()
            .map(|row| format!("{}f{} {}", " ".repeat(row.depth as usize), row.number, row.frame.id.0))
            .collect()
    }

    #[test]
    fn a_page_of_one_frame_is_the_first() {
        assert_eq!(shown(&[("main", None)]), ["f1 main"]);
    }

    #[test]
    fn frames_stand_in_the_frame_they_are_in_whenever_they_came() {
        let in_turn = [
            ("main", None),
            ("a", Some("main")),
            ("b", Some("main")),
            ("in a", Some("a")),
            ("in b", Some("b")),
        ];
        let expected = ["f1 main", " f2 a", "  f4 in a", " f3 b", "  f5 in b"];
        assert_eq!(shown(&in_turn), expected);
        let inner_first = [
            ("main", None),
            ("a", Some("main")),
            ("in a", Some("a")),
            ("b", Some("main")),
            ("in b", Some("b")),
        ];
        assert_eq!(shown(&inner_first), expected);
    }

    #[test]
    fn a_frame_deep_inside_takes_no_number_away() {
        let before = [("main", None), ("a", Some("main")), ("b", Some("main"))];
        assert_eq!(shown(&before), ["f1 main", " f2 a", " f3 b"]);
        let after = [("main", None), ("a", Some("main")), ("b", Some("main")), ("in a", Some("a"))];
        assert_eq!(shown(&after), ["f1 main", " f2 a", "  f4 in a", " f3 b"]);
    }
}
