//! The effect of an act: everything beside the page's own changes, and which element it was.

use std::time::Duration;

use assay_dom::{ElementReport, SettleReport, to_element_line};
use assay_driver::Deadline;
use assay_protocol::{Change, Did, Effect, NewTab, PageLine};

use crate::web::act::Ready;
use crate::web::context::{TabHandle, WebContext};
use crate::web::emulation::arrangement_in;
use crate::web::target::named;
use crate::web::timing::DOWNLOAD_CAP;

/// The effect, and the page script's report on the target.
pub(crate) struct Settled {
    pub effect: Effect,
    /// None when the document was replaced, or is held by a dialog.
    pub report: Option<SettleReport>,
}

impl Settled {
    /// Says which element it was.
    pub fn told(mut self, planned: &str, ready: &Ready) -> Settled {
        if let Some(element) = &ready.begun.element {
            let mut line = to_element_line(element);
            line.value = None;
            line.states.clear();
            self.effect.did = Some(Did { verb: planned.to_string(), element: line });
        }
        if ready.begun.healed > 0
            && let Some(element) = &ready.begun.element
        {
            self.effect.notes.push(format!(
                "the page replaced e{}; {} is the same element",
                ready.begun.healed,
                named(element)
            ));
        }
        self
    }

    /// Takes out the change of the target itself, which the caller asked for and knows.
    pub fn without_own_change(mut self, ready: &Ready) -> Settled {
        if let Some(element) = &ready.begun.element {
            let own = assay_protocol::ref_name(element.id);
            self.effect.changes.retain(|change| change.reference.as_deref() != Some(own.as_str()));
        }
        self
    }

    pub fn target(&self) -> Option<&ElementReport> {
        self.report.as_ref().and_then(|report| report.element.as_ref())
    }
}

impl WebContext {
    /// Everything beside the page itself: dialogs, tabs, downloads, failures.
    pub(crate) async fn gather(
        &mut self,
        tab: &TabHandle,
        page: Option<PageLine>,
        changes: Vec<Change>,
        still_busy: Vec<String>,
        deadline: Deadline,
    ) -> Effect {
        let mark = &tab.mark;
        let download_cap = deadline.at_most(DOWNLOAD_CAP);
        let downloads = self
            .observer
            .until(download_cap, |state| {
                let are_over = state.downloads.are_over_since(mark.downloads);
                are_over.then(|| state.downloads.since(mark.downloads))
            })
            .await
            .unwrap_or_else(|| self.observer.state().downloads.since(mark.downloads));
        let opened: Vec<(String, TabHandle)> = {
            let state = self.observer.state();
            state
                .tabs
                .iter()
                .filter(|known| known.number > mark.tabs)
                .map(|known| {
                    let handle = TabHandle::of(&state, known);
                    (known.name(), handle)
                })
                .collect()
        };
        let mut tabs = Vec::new();
        for (name, handle) in opened {
            let line = self.line_of_new_tab(&handle, deadline.at_most(Duration::from_secs(2))).await;
            tabs.push(NewTab { tab: name, title: line.title, url: line.url });
        }
        // Asked before the state is held: a driver may be telling something meanwhile.
        let arranged = arrangement_in(tab);
        let state = self.observer.state();
        let known = state.tab(&tab.id);
        let mut notes = Vec::new();
        if known.is_none() && !state.gone {
            notes.push("the tab closed itself".to_string());
        }
        notes.extend(state.dropped_since(mark, &tab.id));
        if downloads.dropped > 0 {
            notes.push(format!("{} more downloads are not listed: there were too many", downloads.dropped));
        }
        Effect {
            did: None,
            from: page.is_some().then(|| tab.url.clone()),
            page,
            changes,
            dialog: known.and_then(|known| known.dialog.clone()),
            tabs,
            downloads: downloads.downloads,
            failed_requests: known.map(|known| known.failed_requests_since(mark.network)).unwrap_or_default(),
            blocked: Vec::new(),
            console_errors: known.map(|known| known.console_errors_since(mark.console)).unwrap_or_default(),
            still_busy,
            notes,
            requests: known.map(|known| known.requests_since(mark.network, arranged)).unwrap_or_default(),
        }
    }

    async fn line_of_new_tab(&mut self, tab: &TabHandle, deadline: Deadline) -> PageLine {
        self.observer
            .until(deadline, |state| match state.tab(&tab.id) {
                Some(known) => {
                    (known.documents > 0 && known.dom_ready || known.dialog.is_some()).then_some(())
                }
                None => Some(()),
            })
            .await;
        let document = self.document(tab, tab.surface.main_frame());
        match self.unless_dialog(tab, deadline, document.page(deadline)).await {
            Ok(report) => PageLine { title: report.title, url: report.url, status: None },
            // It closed again, or is busy: the known facts must suffice.
            Err(_) => PageLine {
                title: String::new(),
                url: self.with_tab(tab, |known| known.url.clone()).unwrap_or_else(|| tab.url.clone()),
                status: None,
            },
        }
    }
}
