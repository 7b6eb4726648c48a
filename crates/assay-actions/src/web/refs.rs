//! Refs: which document gave out which numbers, and what became of it.

use assay_driver::{FrameId, SurfaceId};
use assay_protocol::{ErrorCode, Failure};

use crate::web::context::{TabHandle, WebContext};
use crate::web::failures::{earlier_page, unknown_ref};

/// The refs that a session has assigned.
pub(crate) struct Refs {
    /// The first one that is free.
    next: u32,
    /// Which document assigned which refs, in order.
    given: Vec<GivenRefs>,
}

impl Refs {
    pub fn from(first: u32) -> Refs {
        Refs { next: first, given: Vec::new() }
    }

    pub fn next(&self) -> u32 {
        self.next
    }
}

/// A range of refs, all assigned by one document.
struct GivenRefs {
    first: u32,
    end: u32,
    tab: SurfaceId,
    tab_name: String,
    frame: FrameId,
    document: u64,
    url: String,
}

impl WebContext {
    /// Remembers that a document has assigned all refs below `next`.
    pub(crate) fn note_refs(&mut self, tab: &TabHandle, frame: &FrameId, next: u32) {
        if next <= self.refs.next {
            return;
        }
        let (document, tab_name, url) = {
            let state = self.observer.state();
            match state.tab(&tab.id) {
                Some(known) => (known.document_of(frame), known.name(), known.url.clone()),
                None => return,
            }
        };
        let first = self.refs.next;
        self.refs.next = next;
        if let Some(last) = self.refs.given.last_mut()
            && last.tab == tab.id
            && last.frame == *frame
            && last.document == document
        {
            last.end = next;
            return;
        }
        const KEPT: usize = 400;
        if self.refs.given.len() == KEPT {
            self.refs.given.remove(0);
        }
        self.refs.given.push(GivenRefs {
            first,
            end: next,
            tab: tab.id.clone(),
            tab_name,
            frame: frame.clone(),
            document,
            url,
        });
    }

    /// The frame whose document assigned this ref, or why the ref is no longer usable.
    pub(crate) fn frame_of_ref(&self, id: u32, tab: &TabHandle) -> Result<FrameId, Failure> {
        if id >= self.refs.next || id == 0 {
            return Err(unknown_ref(id));
        }
        let Some(given) = self.refs.given.iter().find(|given| given.first <= id && id < given.end) else {
            return Err(earlier_page(id, "an earlier page"));
        };
        if given.tab != tab.id {
            let open = self.observer.state().tab(&given.tab).is_some();
            if !open {
                return Err(earlier_page(id, &format!("{}, a tab that is closed", given.url)));
            }
            return Err(Failure::new(
                ErrorCode::StaleRef,
                format!("e{id} is in another tab, {}", given.tab_name),
            )
            .hint(format!("assay tab-switch {}", given.tab_name)));
        }
        let state = self.observer.state();
        let now = state.tab(&tab.id).map_or(0, |known| known.document_of(&given.frame));
        if now != given.document {
            return Err(earlier_page(id, &format!("an earlier page ({})", given.url)));
        }
        Ok(given.frame.clone())
    }
}
