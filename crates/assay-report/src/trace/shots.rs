//! The pictures of an act, as the viewer shows them: before, at the act with a box around its target, and after.

use assay_protocol::{MarkedPicture, TargetMark};
use serde_json::{Value, json};

use super::Picture;

/// What is seen of one call.
pub struct TraceShot<'a> {
    pub call: &'a str,
    pub before: Option<&'a Picture>,
    pub after: Option<&'a Picture>,
    /// What it was aimed at, or judged by.
    pub mark: Option<TargetMark>,
    pub start: u64,
    pub end: u64,
}

/// A picture of the film strip.
pub fn screencast_frame(picture: &Picture, page: &str, time: u64) -> Value {
    json!({
        "type": "screencast-frame", "pageId": page, "sha1": picture.resource,
        "width": picture.width, "height": picture.height, "timestamp": time,
    })
}

/// Viewers that know pictures of a call show them side by side with it; older ones leave these lines out, and have the
/// film strip.
pub fn screenshots(shot: &TraceShot<'_>) -> Vec<Value> {
    let at_the_act = match shot.mark.map(|mark| mark.on) {
        Some(MarkedPicture::After) => shot.after,
        Some(MarkedPicture::Before) | None => shot.before.or(shot.after),
    };
    let phases = [
        ("before", shot.before, shot.start),
        ("action", at_the_act, shot.start),
        ("after", shot.after, shot.end),
    ];
    let mut lines: Vec<Value> = phases
        .into_iter()
        .filter_map(|(phase, picture, time)| {
            let file = format!("resources/{}", picture?.resource);
            Some(json!({
                "type": "screenshot", "callId": shot.call, "phase": phase, "file": file, "timestamp": time,
            }))
        })
        .collect();
    if let (Some(picture), Some(mark)) = (at_the_act, shot.mark) {
        lines.push(aim(shot.call, picture, mark));
    }
    lines
}

/// In pixels of the picture, which may have more of them than the page.
fn aim(call: &str, picture: &Picture, mark: TargetMark) -> Value {
    let across = f64::from(picture.width) / f64::from(mark.view_width.max(1));
    let down = f64::from(picture.height) / f64::from(mark.view_height.max(1));
    let mut line = json!({ "type": "input", "callId": call, "box": {
        "x": f64::from(mark.x) * across, "y": f64::from(mark.y) * down,
        "width": f64::from(mark.width) * across, "height": f64::from(mark.height) * down,
    } });
    if let (Some(x), Some(y)) = (mark.at_x, mark.at_y) {
        line["point"] = json!({ "x": f64::from(x) * across, "y": f64::from(y) * down });
    }
    line
}
