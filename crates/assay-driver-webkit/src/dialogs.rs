//! Dialogs of a page: who tells of them, and how they are answered.
//!
//! Our script tells when a page calls `alert`, `confirm` or `prompt`, before the dialog holds the page. Where
//! it could not be installed the browser is asked instead, while something waits for the page. Questions
//! before a page is left are not shown by WebKit when it is driven: the page is left.

use std::future::Future;
use std::time::Duration;

use assay_driver::{Deadline, DriverError, DriverEvent, Surface};
use serde_json::json;
use tokio::time::Instant;

use crate::bootstrap::PageNotice;
use crate::protocol::{MessageReply, YesOrNo, parse};
use crate::surface::WebKitSurface;

/// What is known of the open dialog.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum DialogState {
    #[default]
    None,
    /// Our script will tell when it is closed, too.
    Told { is_prompt: bool },
    /// Only the browser knows of it.
    Seen,
}

impl WebKitSurface {
    pub fn told(&self, told: PageNotice) {
        match told {
            PageNotice::DialogOpened { kind, message, default } => {
                self.set_dialog(DialogState::Told { is_prompt: kind == "prompt" });
                let surface = self.id();
                self.tell(DriverEvent::DialogOpened { surface, kind, message, default });
            }
            PageNotice::DialogClosed => self.dialog_closed(),
            PageNotice::Saving => self.saving(),
        }
    }

    fn dialog_closed(&self) {
        if self.set_dialog(DialogState::None) != DialogState::None {
            self.tell(DriverEvent::DialogClosed { surface: self.id() });
        }
    }

    /// Waits for the page, and meanwhile looks whether a dialog holds it that nobody told of.
    pub async fn watched<T>(
        &self,
        work: impl Future<Output = Result<T, DriverError>>,
    ) -> Result<T, DriverError> {
        const FIRST_LOOK: Duration = Duration::from_millis(150);
        const LOOKS: Duration = Duration::from_millis(100);
        tokio::pin!(work);
        let mut looks = tokio::time::interval_at(Instant::now() + FIRST_LOOK, LOOKS);
        loop {
            tokio::select! {
                biased;
                done = &mut work => return done,
                _ = looks.tick() => {
                    if self.dialog() == DialogState::None {
                        // A browser that does not answer this is about to be found lost by the work itself.
                        let _seen = self.look_for_dialog().await;
                    }
                }
            }
        }
    }

    async fn look_for_dialog(&self) -> Result<(), DriverError> {
        let soon = Deadline::after(Duration::from_millis(500));
        let handle = json!({ "browsingContextHandle": self.handle(soon).await? });
        let shown = self.automation("isShowingJavaScriptDialog", handle.clone(), soon).await?;
        if !parse::<YesOrNo>(&shown)?.result {
            return Ok(());
        }
        let message = self.automation("messageOfCurrentJavaScriptDialog", handle, soon).await?;
        let message = parse::<MessageReply>(&message)?.message;
        // Our script may have told of it while the browser was being asked.
        if self.dialog() == DialogState::None {
            self.set_dialog(DialogState::Seen);
            let (surface, kind) = (self.id(), "dialog".to_string());
            self.tell(DriverEvent::DialogOpened { surface, kind, message, default: None });
        }
        Ok(())
    }

    pub async fn answer_open_dialog(
        &self,
        accept: Option<String>,
        deadline: Deadline,
    ) -> Result<(), DriverError> {
        let open = self.dialog();
        let handle = self.handle(deadline).await?;
        let params = json!({ "browsingContextHandle": handle });
        if let (Some(text), DialogState::Told { is_prompt: true }) = (&accept, open) {
            let input = json!({ "browsingContextHandle": handle, "userInput": text });
            self.once_shown("setUserInputForCurrentJavaScriptPrompt", input, deadline).await?;
        }
        let answer = match accept {
            Some(_) => "acceptCurrentJavaScriptDialog",
            None => "dismissCurrentJavaScriptDialog",
        };
        self.once_shown(answer, params, deadline).await?;
        if open == DialogState::Seen {
            self.dialog_closed();
        }
        Ok(())
    }

    /// We are told of a dialog a moment before it is shown.
    async fn once_shown(
        &self,
        method: &str,
        params: serde_json::Value,
        deadline: Deadline,
    ) -> Result<(), DriverError> {
        let patience = deadline.at_most(Duration::from_millis(500));
        loop {
            match self.automation(method, params.clone(), deadline).await {
                Err(DriverError::Refused { message, .. })
                    if message.contains("NoJavaScriptDialog") && !patience.is_past() =>
                {
                    tokio::time::sleep(Duration::from_millis(5)).await;
                }
                other => return other.map(drop),
            }
        }
    }
}
