//! Looking: pictures that are taken when the page is quiet, and what is known of how it looked before.

use std::time::Duration;

use assay_driver::Deadline;
use assay_prompt::harmless;
use assay_runner::Controls;

use super::view::{Limit, View};
use crate::model::is_seen;

/// Between two pictures that must be alike before one of them counts.
const PAUSE: Duration = Duration::from_millis(120);
/// What still moves after so many pictures moves all the time.
const MOST_PICTURES: u32 = 5;

/// The eyes of one pilot, for one step.
pub(crate) struct StepViews {
    limit: Limit,
    /// As it was before anything was done.
    first: Option<View>,
    pub now: Option<View>,
}

impl StepViews {
    pub fn new(limit: Limit) -> StepViews {
        StepViews { limit, first: None, now: None }
    }

    /// Looks as soon as two pictures in a row are alike. Why there is none, in words, otherwise: a dialog of the browser
    /// hides the page, or a secret can be read on it.
    pub async fn look(&mut self, controls: &mut dyn Controls, deadline: Deadline) -> Result<(), String> {
        let scene = controls.look().await.map_err(|failure| harmless(&failure.message))?;
        if let Some(dialog) = &scene.dialog {
            let (kind, message) = (harmless(&dialog.kind), harmless(&dialog.message));
            return Err(format!(
                "a dialog of the browser is open ({kind}): {message}; answer it by `dialog`"
            ));
        }
        let mut seen = self.take(controls).await?;
        for _ in 1..MOST_PICTURES {
            if deadline.remaining() <= PAUSE {
                break;
            }
            tokio::time::sleep(PAUSE).await;
            let next = self.take(controls).await?;
            let is_quiet = !next.differs_from(&seen);
            seen = next;
            if is_quiet {
                break;
            }
        }
        self.first.get_or_insert_with(|| seen.clone());
        self.now = Some(seen);
        Ok(())
    }

    async fn take(&self, controls: &mut dyn Controls) -> Result<View, String> {
        let page = controls.picture().await.map_err(|failure| harmless(&failure.message))?;
        View::of(&page, self.limit).map_err(|error| error.to_string())
    }

    /// What shows that something was done: words that are on the page, or a picture that is not what it was. On a canvas
    /// there are no words.
    pub async fn shows(&self, evidence: &str, controls: &mut dyn Controls) -> bool {
        let has_changed = match (&self.first, &self.now) {
            (Some(first), Some(now)) => now.differs_from(first),
            _ => false,
        };
        has_changed || controls.look().await.is_ok_and(|scene| is_seen(evidence, &scene))
    }
}
