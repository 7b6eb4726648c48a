//! The frames of one tab: which session speaks for each, and its execution contexts.

use std::collections::HashMap;

use assay_driver::{Frame, FrameId};

use crate::protocol::{ExecutionContext, FrameInfo, FrameTree};

/// The name of our isolated world in every document.
pub(crate) const WORLD: &str = "assay";

#[derive(Debug, Clone)]
struct FrameEntry {
    parent: Option<String>,
    name: String,
    url: String,
    /// The session of the process that renders this frame.
    session: String,
    /// Unique id of our world's context in the current document.
    world: Option<String>,
    /// The same of the page's own.
    page: Option<String>,
}

#[derive(Debug, Default)]
pub(crate) struct FrameTable {
    frames: HashMap<String, FrameEntry>,
    /// In order of appearance, so that parents stand before children.
    order: Vec<String>,
}

impl FrameTable {
    /// Adds a frame or hands it over to another session.
    pub fn put(&mut self, id: &str, parent: Option<&str>, session: &str) {
        match self.frames.get_mut(id) {
            Some(entry) => {
                if entry.session != session {
                    entry.session = session.to_string();
                    (entry.world, entry.page) = (None, None);
                }
                if entry.parent.is_none() {
                    entry.parent = parent.map(str::to_string);
                }
            }
            None => {
                let entry = FrameEntry {
                    parent: parent.map(str::to_string),
                    name: String::new(),
                    // Until its document comes.
                    url: "about:blank".to_string(),
                    session: session.to_string(),
                    world: None,
                    page: None,
                };
                self.frames.insert(id.to_string(), entry);
                self.order.push(id.to_string());
            }
        }
    }

    /// A new document begins without the frames of the old one.
    pub fn committed(&mut self, frame: &FrameInfo, session: &str) {
        self.remove_children(&frame.id);
        self.navigated(frame, session);
    }

    fn navigated(&mut self, frame: &FrameInfo, session: &str) {
        self.put(&frame.id, frame.parent_id.as_deref(), session);
        if let Some(entry) = self.frames.get_mut(&frame.id) {
            entry.name = frame.name.clone().unwrap_or_default();
            entry.url = format!("{}{}", frame.url, frame.url_fragment.as_deref().unwrap_or_default());
        }
    }

    pub fn moved(&mut self, id: &str, url: &str) {
        if let Some(entry) = self.frames.get_mut(id) {
            entry.url = url.to_string();
        }
    }

    pub fn take_tree(&mut self, tree: &FrameTree, session: &str) {
        self.navigated(&tree.frame, session);
        for child in &tree.child_frames {
            self.take_tree(child, session);
        }
    }

    pub fn remove(&mut self, id: &str) {
        self.remove_children(id);
        self.frames.remove(id);
        self.order.retain(|known| known != id);
    }

    fn remove_children(&mut self, id: &str) {
        let children: Vec<String> = self
            .frames
            .iter()
            .filter(|(_, entry)| entry.parent.as_deref() == Some(id))
            .map(|(child, _)| child.clone())
            .collect();
        for child in children {
            self.remove(&child);
        }
    }

    pub fn context_created(&mut self, context: &ExecutionContext, session: &str) {
        if let Some(entry) = self.frames.get_mut(&context.aux_data.frame_id)
            && entry.session == session
        {
            if context.name == WORLD {
                entry.world = Some(context.unique_id.clone());
            } else if context.aux_data.is_default {
                entry.page = Some(context.unique_id.clone());
            }
        }
    }

    pub fn context_destroyed(&mut self, unique_id: &str) {
        for entry in self.frames.values_mut() {
            for context in [&mut entry.world, &mut entry.page] {
                context.take_if(|known| known == unique_id);
            }
        }
    }

    pub fn contexts_cleared(&mut self, session: &str) {
        for entry in self.frames.values_mut().filter(|entry| entry.session == session) {
            (entry.world, entry.page) = (None, None);
        }
    }

    /// The session that speaks for the frame, and our context there if it is known.
    pub fn place(&self, id: &str) -> Option<(String, Option<String>)> {
        self.frames.get(id).map(|entry| (entry.session.clone(), entry.world.clone()))
    }

    /// Where the page's own scripts run in the frame, if it is known.
    pub fn page(&self, id: &str) -> Option<String> {
        self.frames.get(id).and_then(|entry| entry.page.clone())
    }

    pub fn parent(&self, id: &str) -> Option<String> {
        self.frames.get(id).and_then(|entry| entry.parent.clone())
    }

    /// The topmost frame that the same session speaks for: positions are told relative to it.
    pub fn local_root(&self, id: &str) -> String {
        let mut at = id.to_string();
        while let Some(entry) = self.frames.get(&at) {
            let Some(parent) = &entry.parent else { break };
            match self.frames.get(parent) {
                Some(above) if above.session == entry.session => at = parent.clone(),
                _ => break,
            }
        }
        at
    }

    pub fn list(&self) -> Vec<Frame> {
        self.order
            .iter()
            .filter_map(|id| {
                let entry = self.frames.get(id)?;
                Some(Frame {
                    id: FrameId(id.clone()),
                    parent: entry.parent.clone().map(FrameId),
                    name: entry.name.clone(),
                    url: entry.url.clone(),
                })
            })
            .collect()
    }
}
