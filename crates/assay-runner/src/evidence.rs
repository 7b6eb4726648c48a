//! Evidence from a page: the positions of the elements behind a claim, and the state of the page when a test did not
//! pass.

use std::time::Duration;

use assay_driver::Deadline;
use assay_protocol::{
    Action, Answer, ElementMark, FailedRequest, Judgement, LastPage, MarkedPicture, Scene, TargetMark,
};

use crate::attempt::Attempt;
use crate::picture::PictureMoment;

/// Beyond this number, elements are listed but not marked: nobody could find one among them.
const MOST_MARKS: usize = 12;
/// The last lines of a long list say most.
const MOST_LINES: usize = 20;

impl Attempt<'_> {
    /// The state of the page when the test did not pass.
    pub(crate) async fn last_page(&mut self) -> Option<LastPage> {
        let deadline = Deadline::after(Duration::from_secs(5));
        self.picture_taken().await;
        self.take_picture(PictureMoment::Apart, deadline);
        self.picture_taken().await;
        let call = self.context.call_until(deadline);
        let url = match self.surface.perform(&Action::Url, &call).await {
            Ok(Answer::Text { text }) => text,
            _ => String::new(),
        };
        let text = match self.surface.perform(&Action::Text { target: None }, &call).await {
            Ok(Answer::Text { text }) => text,
            Ok(Answer::Texts { texts }) => texts.join("\n"),
            // Behind a dialog, or after a crash, there is no text: the failure says which it was.
            Ok(_) => String::new(),
            Err(failure) => failure.message,
        };
        Some(LastPage {
            url,
            text,
            screenshot: self.state.last_picture.path.clone(),
            console_errors: self.console_errors(deadline).await,
            failed_requests: self.failed_requests(deadline).await,
        })
    }

    /// Errors may come after the act that caused them was answered.
    async fn console_errors(&mut self, deadline: Deadline) -> Vec<String> {
        let call = self.context.call_until(deadline);
        let Ok(Answer::Console { lines }) =
            self.surface.perform(&Action::Console { clear: false }, &call).await
        else {
            return Vec::new();
        };
        let errors: Vec<String> = lines
            .iter()
            .filter(|line| line.level == "error")
            .map(|line| match &line.place {
                Some(place) => format!("{} ({place})", line.text),
                None => line.text.clone(),
            })
            .collect();
        last_of(errors)
    }

    async fn failed_requests(&mut self, deadline: Deadline) -> Vec<FailedRequest> {
        let call = self.context.call_until(deadline);
        let Ok(Answer::Network { requests }) =
            self.surface.perform(&Action::Network { failed: true, clear: false }, &call).await
        else {
            return Vec::new();
        };
        let failed: Vec<FailedRequest> = requests
            .into_iter()
            .map(|line| FailedRequest { method: line.method, url: line.url, why: line.outcome })
            .collect();
        last_of(failed)
    }
}

/// The positions of the elements of these judgements in this scene.
pub(crate) fn marks_of(judgements: &[Judgement], scene: &Scene) -> Vec<ElementMark> {
    let named = judgements.iter().flat_map(|judgement| &judgement.elements);
    let mut marks: Vec<ElementMark> = Vec::new();
    for element in named {
        let reference = &element.reference;
        if marks.len() < MOST_MARKS
            && marks.iter().all(|known| known.reference != *reference)
            && let Some(mark) = mark_of(reference, scene)
        {
            marks.push(ElementMark { reference: reference.clone(), mark });
        }
    }
    marks
}

fn last_of<T>(mut lines: Vec<T>) -> Vec<T> {
    lines.split_off(lines.len().saturating_sub(MOST_LINES))
}

/// None for elements out of view, and for elements in a frame, whose position is relative to the frame.
pub(crate) fn mark_of(reference: &str, scene: &Scene) -> Option<TargetMark> {
    let at = scene.nodes.iter().position(|node| node.reference.as_deref() == Some(reference))?;
    let node = &scene.nodes[at];
    let [x, y, width, height] = node.area;
    let [view_width, view_height] = scene.view;
    let is_in_view =
        x < view_width && y < view_height && x + width > 0.0 && y + height > 0.0 && !node.is("offscreen");
    if !is_in_view || scene.ancestors(at).any(|around| scene.nodes[around].role == "frame") {
        return None;
    }
    let pixels = |length: f64| length.round() as i32;
    Some(TargetMark {
        x: pixels(x),
        y: pixels(y),
        width: pixels(width),
        height: pixels(height),
        at_x: None,
        at_y: None,
        view_width: pixels(view_width),
        view_height: pixels(view_height),
        on: MarkedPicture::Before,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use assay_protocol::SceneNode;

    fn node(reference: &str, role: &str, parent: Option<usize>, area: [f64; 4]) -> SceneNode {
        SceneNode {
            reference: Some(reference.to_string()),
            role: role.to_string(),
            parent,
            area,
            ..SceneNode::default()
        }
    }

    #[test]
    fn what_is_in_view_is_marked_where_it_is() {
        let scene = Scene {
            view: [1280.0, 720.0],
            nodes: vec![
                node("e1", "row", None, [10.0, 20.0, 300.0, 40.0]),
                node("e2", "row", None, [10.0, 900.0, 300.0, 40.0]),
                node("e3", "frame", None, [0.0, 0.0, 0.0, 0.0]),
                node("e4", "button", Some(2), [5.0, 5.0, 50.0, 20.0]),
            ],
            ..Scene::default()
        };
        let mark = mark_of("e1", &scene).expect("it is in view");
        assert_eq!((mark.x, mark.y, mark.width, mark.height), (10, 20, 300, 40));
        assert_eq!((mark.view_width, mark.view_height), (1280, 720));
        assert_eq!(mark_of("e2", &scene), None, "it is below the view");
        assert_eq!(mark_of("e4", &scene), None, "it is in a frame");
        assert_eq!(mark_of("e9", &scene), None, "it is not there");
    }
}
