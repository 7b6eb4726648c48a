//! A surface that shows itself to those who watch: also while a step is being carried out.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use assay_actions::{Call, Policy, Taking};
use assay_driver::Deadline;
use assay_protocol::{Action, Answer, BlockedRequests, ErrorCode, Failure};
use assay_runner::{LocalFuture, TestSurface};

use super::desk::Desk;
use super::part::WitnessChair;

/// While a step runs, pictures follow each other no faster.
const APART: Duration = Duration::from_millis(400);
const PICTURE_TIME: Duration = Duration::from_secs(5);

pub struct WatchedSurface {
    inner: Box<dyn TestSurface>,
    desk: Arc<Desk>,
    lens: Lens,
    last: Option<Instant>,
    chair: WitnessChair,
}

/// Where pictures pass through, and in which format.
#[derive(Debug, Clone)]
pub struct Lens {
    /// The file that pictures pass through, without its ending.
    pub stem: PathBuf,
    pub is_jpeg: bool,
}

impl Lens {
    pub fn question(&self) -> (Action, PathBuf) {
        let file = self.stem.with_extension(if self.is_jpeg { "jpg" } else { "png" });
        let path = file.display().to_string();
        (Action::Screenshot { path, full_page: false, annotate: false, target: None }, file)
    }

    pub fn media_type(&self) -> &'static str {
        if self.is_jpeg { "image/jpeg" } else { "image/png" }
    }

    /// Puts up what was taken, and keeps no file. Gives back whether it is another picture.
    pub fn developed(&mut self, answer: &Result<Answer, Failure>, file: &Path, desk: &Desk) -> bool {
        if let Err(failure) = answer {
            // The other format suits every browser.
            if failure.code == ErrorCode::Unsupported {
                self.is_jpeg = false;
            }
            return false;
        }
        let bytes = std::fs::read(file).unwrap_or_default();
        let _gone = std::fs::remove_file(file);
        !bytes.is_empty() && desk.show(&bytes, self.media_type())
    }
}

impl WatchedSurface {
    pub fn new(
        inner: Box<dyn TestSurface>,
        desk: Arc<Desk>,
        lens: Lens,
        chair: WitnessChair,
    ) -> WatchedSurface {
        WatchedSurface { inner, desk, lens, last: None, chair }
    }

    pub fn into_inner(self) -> Box<dyn TestSurface> {
        self.inner
    }

    async fn show_if_watched(&mut self) {
        let is_due = self.last.is_none_or(|at| at.elapsed() >= APART);
        if !is_due || !self.desk.is_watched() {
            return;
        }
        let (question, file) = self.lens.question();
        let deadline = Deadline::after(PICTURE_TIME);
        let call = Call { deadline, wait: false, policy: Policy::default() };
        let answer = self.inner.perform(&question, &call).await;
        self.lens.developed(&answer, &file, &self.desk);
        self.last = Some(Instant::now());
    }
}

impl TestSurface for WatchedSurface {
    fn perform<'a>(
        &'a mut self,
        action: &'a Action,
        call: &'a Call,
    ) -> LocalFuture<'a, Result<Answer, Failure>> {
        Box::pin(async move {
            if !matches!(action, Action::Screenshot { .. }) {
                self.show_if_watched().await;
            }
            self.chair.begin(action)?;
            let result = self.inner.perform(action, call).await;
            if let Some(note) = self.chair.end(action, &result) {
                self.desk.change(|view| view.note = note);
            }
            result
        })
    }

    fn picture(&mut self, deadline: Deadline) -> Result<Taking, Failure> {
        self.inner.picture(deadline)
    }

    fn take_blocked(&mut self) -> Vec<BlockedRequests> {
        self.inner.take_blocked()
    }

    fn endpoint(&self) -> Option<String> {
        self.inner.endpoint()
    }

    fn is_gone(&self) -> bool {
        self.inner.is_gone()
    }

    fn renew(&mut self) -> LocalFuture<'_, Result<(), Failure>> {
        self.inner.renew()
    }

    fn close(self: Box<Self>) -> LocalFuture<'static, ()> {
        self.inner.close()
    }
}
