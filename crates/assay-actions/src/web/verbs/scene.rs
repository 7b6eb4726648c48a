//! `scene`: everything visible in all frames, for judging sentences.

use std::collections::HashMap;

use assay_dom::{FrameRow, SceneReport, to_scene_nodes};
use assay_driver::{DriverError, FrameId};
use assay_protocol::{Answer, ErrorCode, Failure, Scene, SceneNode, TabLine};

use crate::call::Call;
use crate::web::context::{TabHandle, WebContext};
use crate::web::failures::Interrupted;
use crate::web::frames::frames_to_read;

pub(crate) async fn scene(web: &mut WebContext, call: &Call) -> Result<Answer, Failure> {
    let tab = web.any_tab()?;
    let tabs = tabs_of(web, &tab);
    let document = web.with_tab(&tab, |known| known.documents).unwrap_or_default();
    let dialog = web.with_tab(&tab, |known| known.dialog.clone()).flatten();
    let downloads = web.observer.state().downloads.since(0).downloads;
    // A download that is under way or failed has brought no file.
    let done = downloads.into_iter().filter(|download| download.state == "done");
    let downloads = done.map(|download| download.name).collect();
    if dialog.is_some() {
        // A page behind a dialog does not answer, and no act on it is possible.
        let scene = Scene { url: tab.url, document, dialog, tabs, downloads, ..Scene::default() };
        return Ok(Answer::Scene(Box::new(scene)));
    }
    let tab = web.tab()?;
    let mut scene = Scene { url: tab.url.clone(), document, tabs, downloads, ..Scene::default() };
    let main = tab.surface.main_frame();
    // What each document shows of the frames in it. Documents come before those inside of them.
    let mut shown: HashMap<FrameId, Vec<FrameRow>> = HashMap::new();
    let mut unheard: Vec<(FrameId, i64)> = Vec::new();
    for frame in frames_to_read(web, &tab, call.deadline).await? {
        let around = frame.parent.as_ref().and_then(|parent| shown.get(parent)).map(Vec::as_slice);
        let Some(report) = of_frame(web, &tab, &frame.id, around, call).await? else { continue };
        scene.truncated |= report.truncated;
        scene.due_ms = scene.due_ms.max(report.due);
        let heard = unheard
            .iter()
            .position(|(parent, number)| Some(parent) == frame.parent.as_ref() && *number == report.number);
        heard.map(|at| unheard.swap_remove(at));
        unheard.extend(report.frames.iter().map(|row| (frame.id.clone(), row.0)));
        shown.insert(frame.id.clone(), report.frames);
        if frame.id == main {
            scene.url = report.url;
            scene.title = report.title;
            scene.view = report.view;
            scene.nodes = to_scene_nodes(report.rows, 0, None);
            continue;
        }
        if report.rows.is_empty() {
            continue;
        }
        let name = if frame.name.is_empty() { frame.url.clone() } else { frame.name.clone() };
        let around = scene.nodes.len();
        scene.nodes.push(SceneNode { role: "frame".to_string(), name, ..SceneNode::default() });
        scene.nodes.extend(to_scene_nodes(report.rows, around + 1, Some(around)));
    }
    // A visible frame did not answer, so its content is unknown.
    scene.truncated |= !unheard.is_empty();
    scene.document = web.with_tab(&tab, |known| known.documents).unwrap_or(document);
    Ok(Answer::Scene(Box::new(scene)))
}

fn tabs_of(web: &WebContext, current: &TabHandle) -> Vec<TabLine> {
    let state = web.observer.state();
    state
        .tabs
        .iter()
        .map(|tab| TabLine {
            tab: tab.name(),
            title: String::new(),
            url: tab.url.clone(),
            current: tab.id == current.id,
        })
        .collect()
}

async fn of_frame(
    web: &mut WebContext,
    tab: &TabHandle,
    frame: &FrameId,
    around: Option<&[FrameRow]>,
    call: &Call,
) -> Result<Option<SceneReport>, Failure> {
    loop {
        let document = web.document(tab, frame.clone());
        match web.unless_dialog(tab, call.deadline, document.scene(around, call.deadline)).await {
            Ok(report) => {
                web.note_refs(tab, frame, report.next);
                return Ok(Some(report));
            }
            Err(Interrupted::Driver(DriverError::DocumentGone)) if *frame == tab.surface.main_frame() => {
                if call.deadline.is_past() {
                    return Err(Failure::new(ErrorCode::NotResponding, "the page keeps being replaced"));
                }
                tokio::time::sleep(std::time::Duration::from_millis(20)).await;
            }
            Err(Interrupted::Driver(DriverError::DocumentGone)) => return Ok(None),
            Err(interrupted) => return Err(interrupted.into_failure("looking at the page")),
        }
    }
}
