//! Screenshots of each change, taken while the run continues: only the next change of the page waits for them.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::Duration;

use assay_driver::Deadline;
use assay_protocol::{RunFact, Scene};
use tokio::task::JoinHandle;

use crate::attempt::Attempt;

/// Where screenshots of each change are stored.
#[derive(Debug, Clone)]
pub struct Pictures {
    /// The folder of the run; paths in events are relative to it.
    pub folder: PathBuf,
}

/// A screenshot in progress, and its moment.
pub(crate) struct PictureUnderWay {
    step: usize,
    /// The number of the preceding command in the step.
    after: Option<usize>,
    taken: JoinHandle<Option<String>>,
}

/// The last screenshot, and whether the page still looks like it.
#[derive(Default)]
pub(crate) struct LastPicture {
    pub path: Option<String>,
    shows: Shows,
}

/// What the last screenshot shows.
#[derive(Default)]
enum Shows {
    /// The page before an act, or before it changed on its own.
    #[default]
    Past,
    /// The page as it was a moment ago, without a look since.
    Fresh,
    /// A page on which the next look found this. As long as looks find the same, the screenshot is current.
    Scene { first: Rc<Scene>, is_so: bool },
}

impl LastPicture {
    pub fn looked(&mut self, scene: &Rc<Scene>) {
        match &mut self.shows {
            Shows::Past => {}
            Shows::Fresh => self.shows = Shows::Scene { first: Rc::clone(scene), is_so: true },
            Shows::Scene { first, is_so } => *is_so = first == scene,
        }
    }

    /// An act on the page is about to begin.
    pub fn outdate(&mut self) {
        self.shows = Shows::Past;
    }

    fn is_outdated(&self) -> bool {
        matches!(self.shows, Shows::Past | Shows::Scene { is_so: false, .. })
    }

    /// The screenshot of the current page, if there is one.
    pub fn of_now(&self) -> Option<String> {
        self.path.clone().filter(|_| matches!(self.shows, Shows::Scene { is_so: true, .. }))
    }
}

/// When a picture is taken.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum PictureMoment {
    AfterCommand,
    /// Because time has passed, or on request.
    Apart,
}

/// The maximum wait for a screenshot.
const TIME: Duration = Duration::from_secs(5);

impl Attempt<'_> {
    /// Starts a screenshot of the current page.
    pub(crate) fn take_picture(&mut self, when: PictureMoment, deadline: Deadline) {
        self.state.last_picture.outdate();
        let Some(pictures) = self.context.pictures.clone() else { return };
        // A page behind a dialog has no screenshot; the run continues without one.
        let Ok(taking) = self.surface.picture(deadline.at_most(TIME)) else { return };
        let taken = tokio::task::spawn_local(async move {
            let bytes = taking.await.ok()?;
            tokio::task::spawn_blocking(move || keep(&bytes, &pictures.folder)).await.ok().flatten()
        });
        // A page that still waits for something may change before the next look.
        self.state.last_picture.shows = if self.state.busy { Shows::Past } else { Shows::Fresh };
        let after = (when == PictureMoment::AfterCommand).then_some(self.step.commands);
        self.state.picture_under_way = Some(PictureUnderWay { step: self.step.number, after, taken });
    }

    /// Starts a screenshot if the last one does not show the current page. For moments in which the run waits anyway.
    pub(crate) fn take_picture_if_outdated(&mut self, deadline: Deadline) {
        if self.state.last_picture.is_outdated() && self.state.picture_under_way.is_none() {
            self.take_picture(PictureMoment::Apart, deadline);
        }
    }

    /// Waits for the current screenshot and reports it, unless it equals the previous one and belongs to no command.
    pub(crate) async fn picture_taken(&mut self) {
        let Some(PictureUnderWay { step, after, taken }) = self.state.picture_under_way.take() else {
            return;
        };
        let Ok(Some(path)) = taken.await else {
            self.state.last_picture.outdate();
            return;
        };
        if after.is_some() || self.state.last_picture.path.as_ref() != Some(&path) {
            self.state.last_picture.path = Some(path.clone());
            self.listener.event(RunFact::Screenshot { test: self.context.test.clone(), step, path, after });
        }
    }
}

/// Stores a screenshot under the hash of its content, so equal ones are stored once. The path is relative to the run.
pub(crate) fn keep(bytes: &[u8], folder: &Path) -> Option<String> {
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    let name = format!("screenshots/{:016x}.png", hasher.finish());
    let kept = folder.join(&name);
    if kept.exists() {
        return Some(name);
    }
    std::fs::create_dir_all(kept.parent()?).ok()?;
    // Two tests may store the same screenshot at the same time: each writes its own file, and the last rename wins.
    let thread = std::thread::current().id();
    let fresh = folder.join(format!("screenshots/.{:016x}-{thread:?}.png", hasher.finish()));
    std::fs::write(&fresh, bytes).ok()?;
    std::fs::rename(&fresh, &kept).ok()?;
    Some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scene(title: &str) -> Rc<Scene> {
        Rc::new(Scene { title: title.to_string(), ..Scene::default() })
    }

    fn taken() -> LastPicture {
        LastPicture { path: Some("a.png".to_string()), shows: Shows::Fresh }
    }

    #[test]
    fn a_picture_is_of_now_as_long_as_the_page_looks_the_same() {
        let mut picture = taken();
        assert_eq!(picture.of_now(), None, "nobody has looked since");
        picture.looked(&scene("Cart"));
        picture.looked(&scene("Cart"));
        assert_eq!(picture.of_now().as_deref(), Some("a.png"));
        picture.looked(&scene("Sold out"));
        assert_eq!(picture.of_now(), None);
    }

    #[test]
    fn a_picture_is_of_before_once_something_was_done() {
        let mut picture = taken();
        picture.looked(&scene("Cart"));
        picture.outdate();
        picture.looked(&scene("Cart"));
        picture.looked(&scene("Cart"));
        assert_eq!(picture.of_now(), None);
    }
}
