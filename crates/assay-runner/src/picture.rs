//! Pictures of each change, taken while the run goes on: only the next change of the page waits for them.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::time::Duration;

use assay_driver::Deadline;
use assay_protocol::RunFact;
use tokio::task::JoinHandle;

use crate::walk::Walk;

/// Where pictures of each change go.
#[derive(Debug, Clone)]
pub struct Pictures {
    /// The folder of the run; paths in events are relative to it.
    pub folder: PathBuf,
}

/// A picture that is being taken, and of which step.
pub(crate) struct PictureUnderWay {
    step: usize,
    taken: JoinHandle<Option<String>>,
}

/// A picture that takes longer is not waited for.
const TIME: Duration = Duration::from_secs(5);

impl Walk<'_> {
    /// Begins a picture of the page as it is now.
    pub(crate) fn take_picture(&mut self, deadline: Deadline) {
        let Some(pictures) = self.pictures.clone() else { return };
        // A page behind a dialog has no picture; the run goes on without.
        let Ok(taking) = self.stage.picture(deadline.at_most(TIME)) else { return };
        let taken = tokio::task::spawn_local(async move {
            let bytes = taking.await.ok()?;
            tokio::task::spawn_blocking(move || keep(&bytes, &pictures.folder)).await.ok().flatten()
        });
        self.picture_under_way = Some(PictureUnderWay { step: self.step, taken });
    }

    /// Waits for the picture under way and tells of it, unless it is the same as the one before.
    pub(crate) async fn picture_taken(&mut self) {
        let Some(PictureUnderWay { step, taken }) = self.picture_under_way.take() else { return };
        let Ok(Some(path)) = taken.await else { return };
        if self.last_picture.as_ref() != Some(&path) {
            self.last_picture = Some(path.clone());
            self.listener.tell(RunFact::Screenshot { test: self.test.clone(), step, path });
        }
    }
}

/// Keeps a picture under the name of its content, so that equal ones are kept once. The path is relative to the run.
fn keep(bytes: &[u8], folder: &Path) -> Option<String> {
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    let name = format!("screenshots/{:016x}.png", hasher.finish());
    let kept = folder.join(&name);
    if kept.exists() {
        return Some(name);
    }
    std::fs::create_dir_all(kept.parent()?).ok()?;
    // Two tests may keep the same picture at the same time: each writes a file of its own, and the last name stands.
    let thread = std::thread::current().id();
    let fresh = folder.join(format!("screenshots/.{:016x}-{thread:?}.png", hasher.finish()));
    std::fs::write(&fresh, bytes).ok()?;
    std::fs::rename(&fresh, &kept).ok()?;
    Some(name)
}
