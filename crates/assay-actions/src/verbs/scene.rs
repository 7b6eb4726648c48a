//! `scene`: everything that is seen, in all frames, for those who judge sentences by it.

use assay_dom::{SceneReport, to_scene_nodes};
use assay_driver::{DriverError, FrameId};
use assay_protocol::{Answer, ErrorCode, Failure, Scene, SceneNode, TabLine};

use crate::session::{Call, Interrupted, Session, TabHandle};

pub(crate) async fn scene(session: &mut Session, call: &Call) -> Result<Answer, Failure> {
    let tab = session.any_tab()?;
    let tabs = tabs_of(session, &tab);
    let document = session.with_tab(&tab, |known| known.documents).unwrap_or_default();
    let dialog = session.with_tab(&tab, |known| known.dialog.clone()).flatten();
    if dialog.is_some() {
        // A page behind a dialog answers nothing, and nothing of it can be acted on.
        let scene = Scene { url: tab.url, document, dialog, tabs, ..Scene::default() };
        return Ok(Answer::Scene(Box::new(scene)));
    }
    let tab = session.tab()?;
    let mut scene = Scene { url: tab.url.clone(), document, tabs, ..Scene::default() };
    let main = tab.surface.main_frame();
    for frame in tab.surface.frames() {
        let Some(report) = of_frame(session, &tab, &frame.id, call).await? else { continue };
        if frame.id == main {
            scene.url = report.url;
            scene.title = report.title;
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
    scene.document = session.with_tab(&tab, |known| known.documents).unwrap_or(document);
    Ok(Answer::Scene(Box::new(scene)))
}

fn tabs_of(session: &Session, current: &TabHandle) -> Vec<TabLine> {
    let state = session.observer.state();
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
    session: &mut Session,
    tab: &TabHandle,
    frame: &FrameId,
    call: &Call,
) -> Result<Option<SceneReport>, Failure> {
    loop {
        let document = session.document(tab, frame.clone());
        match session.unless_dialog(tab, call.deadline, document.scene(call.deadline)).await {
            Ok(report) => {
                session.note_refs(tab, frame, report.next);
                return Ok(Some(report));
            }
            Err(Interrupted::Driver(DriverError::DocumentGone)) if *frame == tab.surface.main_frame() => {
                if call.deadline.is_past() {
                    return Err(Failure::new(ErrorCode::Timeout, "the page is being replaced all the time"));
                }
                tokio::time::sleep(std::time::Duration::from_millis(20)).await;
            }
            Err(Interrupted::Driver(DriverError::DocumentGone)) => return Ok(None),
            Err(interrupted) => return Err(interrupted.into_failure("looking at the page")),
        }
    }
}
