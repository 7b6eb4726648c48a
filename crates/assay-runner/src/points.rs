//! Points without a named element: whether they look as they did.

use std::time::Duration;

use assay_actions::{looks_of, looks_otherwise};
use assay_driver::Deadline;
use assay_protocol::{Action, Failure, RawInput, Scene, SceneNode, ViewPoint, ViewSize};

use crate::locking::LockAdvice;
use crate::test_surface::TestSurface;

const PICTURE_TIME: Duration = Duration::from_secs(10);
/// Browsers round sizes.
const SAME_SIZE: f64 = 1.0;

/// How the view looks where this input presses something. None where it presses nothing.
pub(crate) async fn looks_now(
    surface: &mut dyn TestSurface,
    input: &RawInput,
    scene: &Scene,
    deadline: Deadline,
) -> Result<Option<String>, Failure> {
    if input.pressed().is_empty() {
        return Ok(None);
    }
    let png = surface.picture(deadline.at_most(PICTURE_TIME))?.await?;
    looks_of(&png, input, scene.view[0]).map(Some)
}

/// The locked act, unless it presses at a point that looks different now.
pub(crate) async fn unless_it_looks_otherwise(
    surface: &mut dyn TestSurface,
    says: LockAdvice,
    scene: &Scene,
    deadline: Deadline,
) -> LockAdvice {
    let LockAdvice::Do(Action::Raw { input, place }) = &says else { return says };
    let (origin, size) = match &place.within {
        None => ([0.0, 0.0], scene.view),
        Some(target) => match area_of(scene, &target.source) {
            Some([x, y, width, height]) => ([x, y], [width, height]),
            None => return LockAdvice::Refused(format!("`{target}` is not on the page")),
        },
    };
    if let Some(why) = place.size.and_then(|then| other_size(then, size)) {
        return LockAdvice::Refused(why);
    }
    let Some(then) = &place.looks else { return says };
    let input = input.moved_by(origin[0], origin[1]);
    let is_seen = |point: &ViewPoint| {
        (0.0..scene.view[0]).contains(&point.x) && (0.0..scene.view[1]).contains(&point.y)
    };
    // A point that needs scrolling is compared after the scroll.
    if !input.pressed().iter().all(is_seen) {
        return says;
    }
    match looks_now(surface, &input, scene, deadline).await {
        Ok(now) => match looks_otherwise(then, &now.unwrap_or_default()) {
            None => says,
            Some(why) => LockAdvice::Refused(why),
        },
        Err(failure) => LockAdvice::Refused(failure.message),
    }
}

fn area_of(scene: &Scene, reference: &str) -> Option<[f64; 4]> {
    let is_it = |node: &&SceneNode| node.role != "text" && node.reference.as_deref() == Some(reference);
    scene.nodes.iter().find(is_it).map(|node| node.area)
}

fn other_size(then: ViewSize, [width, height]: [f64; 2]) -> Option<String> {
    let is_same = (then.width - width).abs() <= SAME_SIZE && (then.height - height).abs() <= SAME_SIZE;
    (!is_same).then(|| {
        format!("points were taken on {} x {}, and now it is {width} x {height}", then.width, then.height)
    })
}
