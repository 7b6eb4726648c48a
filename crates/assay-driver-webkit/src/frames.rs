//! The frames of one tab, and where scripts run in each.

use std::collections::HashMap;

use assay_driver::{Frame, FrameId};

use crate::protocol::{ExecutionContext, FrameInfo, FrameTree, ObjectName};

/// The main frame keeps one name, whatever process shows it and calls it by another.
pub(crate) const MAIN: &str = "main";

#[derive(Debug)]
struct FrameEntry {
    parent: Option<String>,
    name: String,
    url: String,
    /// The page script's functions there.
    functions: Option<String>,
}

#[derive(Debug, Default)]
pub(crate) struct FrameTable {
    frames: HashMap<String, FrameEntry>,
    /// Parents stand before children.
    order: Vec<String>,
    /// What the browser calls the main frame.
    main: Option<String>,
    /// Where scripts of the page run in the current document, by the browser's names: it may speak of a
    /// frame's scripts before it has spoken of the frame.
    contexts: HashMap<String, i64>,
}

impl FrameTable {
    /// Our name for a frame that the browser names.
    pub fn ours<'a>(&self, theirs: &'a str) -> &'a str {
        if self.main.as_deref() == Some(theirs) { MAIN } else { theirs }
    }

    pub fn is_main(&self, theirs: &str) -> bool {
        self.main.as_deref() == Some(theirs)
    }

    /// Before a process has told of its first document, that is the one it asks for.
    pub fn may_be_main(&self, theirs: &str) -> bool {
        self.main.as_deref().is_none_or(|main| main == theirs)
    }

    /// Another process shows the page from now on.
    pub fn clear(&mut self) {
        *self = FrameTable::default();
    }

    /// A new document begins without the frames of the old one.
    pub fn committed(&mut self, frame: &FrameInfo) {
        if frame.parent_id.is_none() {
            self.main = Some(frame.id.clone());
        }
        let id = self.ours(&frame.id).to_string();
        self.contexts.remove(&frame.id);
        self.remove_children(&id);
        let entry = self.entry(frame);
        if self.frames.insert(id.clone(), entry).is_none() {
            self.order.push(id);
        }
    }

    fn entry(&self, frame: &FrameInfo) -> FrameEntry {
        FrameEntry {
            parent: frame.parent_id.as_deref().map(|parent| self.ours(parent).to_string()),
            name: frame.name.clone().unwrap_or_default(),
            url: frame.url.clone(),
            functions: None,
        }
    }

    /// All frames there are now, in the order in which they were put into the page. Events tell of frames as they load,
    /// and not before, which for some is when they come into view.
    pub fn take_tree(&mut self, tree: &FrameTree) {
        self.main = Some(tree.frame.id.clone());
        let mut order = Vec::with_capacity(self.order.len());
        self.take_places(tree, &mut order);
        self.frames.retain(|id, _| order.contains(id));
        self.order = order;
    }

    fn take_places(&mut self, tree: &FrameTree, order: &mut Vec<String>) {
        let id = self.ours(&tree.frame.id).to_string();
        let entry = self.entry(&tree.frame);
        match self.frames.get_mut(&id) {
            // It may have come when nobody had said yet which frame is the main one.
            Some(known) => known.parent = entry.parent,
            None => drop(self.frames.insert(id.clone(), entry)),
        }
        order.push(id);
        for child in &tree.child_frames {
            self.take_places(child, order);
        }
    }

    pub fn moved(&mut self, url: &str) {
        if let Some(entry) = self.frames.get_mut(MAIN) {
            entry.url = url.to_string();
        }
    }

    pub fn remove(&mut self, theirs: &str) {
        let id = self.ours(theirs).to_string();
        self.remove_known(&id);
    }

    fn remove_known(&mut self, id: &str) {
        self.remove_children(id);
        self.frames.remove(id);
        self.contexts.remove(id);
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
            self.remove_known(&child);
        }
    }

    pub fn context_created(&mut self, context: &ExecutionContext) {
        if context.kind != "normal" {
            return;
        }
        if self.contexts.insert(context.frame_id.clone(), context.id) != Some(context.id) {
            let id = self.ours(&context.frame_id).to_string();
            if let Some(entry) = self.frames.get_mut(&id) {
                // They may have been found before the browser told of the place they are in.
                entry.functions.take_if(|functions| context_of_object(functions) != Some(context.id));
            }
        }
    }

    pub fn is_known(&self, id: &str) -> bool {
        self.frames.contains_key(id)
    }

    pub fn context(&self, id: &str) -> Option<i64> {
        let theirs = if id == MAIN { self.main.as_deref()? } else { id };
        self.contexts.get(theirs).copied()
    }

    pub fn functions(&self, id: &str) -> Option<String> {
        self.frames.get(id).and_then(|entry| entry.functions.clone())
    }

    /// `asked` is the place in which they were looked for, if it was known: another document may have come since.
    pub fn set_functions(&mut self, id: &str, asked: Option<i64>, functions: &str) {
        let now = self.context(id);
        let are_of_now = asked == now || (asked.is_none() && now == context_of_object(functions));
        if are_of_now && let Some(entry) = self.frames.get_mut(id) {
            entry.functions = Some(functions.to_string());
        }
    }

    pub fn forget_functions(&mut self, id: &str) {
        if let Some(entry) = self.frames.get_mut(id) {
            entry.functions = None;
        }
    }

    pub fn parent(&self, id: &str) -> Option<String> {
        self.frames.get(id).and_then(|entry| entry.parent.clone())
    }

    pub fn children(&self, id: &str) -> Vec<String> {
        let is_child = |known: &&String| self.parent(known).as_deref() == Some(id);
        self.order.iter().filter(is_child).cloned().collect()
    }

    pub fn url(&self) -> String {
        self.frames.get(MAIN).map(|entry| entry.url.clone()).unwrap_or_default()
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

/// The place in which an object is, as its own name tells it.
fn context_of_object(object: &str) -> Option<i64> {
    serde_json::from_str::<ObjectName>(object).ok().map(|name| name.injected_script_id)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(id: &str, parent: Option<&str>) -> FrameInfo {
        FrameInfo {
            id: id.to_string(),
            parent_id: parent.map(str::to_string),
            name: None,
            url: format!("http://site/{id}"),
        }
    }

    fn ids(table: &FrameTable) -> Vec<String> {
        table.list().into_iter().map(|frame| frame.id.0).collect()
    }

    #[test]
    fn a_new_document_takes_its_frames_away() {
        let mut table = FrameTable::default();
        table.committed(&frame("0.1", None));
        table.committed(&frame("0.3", Some("0.1")));
        table.committed(&frame("0.4", Some("0.3")));
        assert_eq!(ids(&table), ["main", "0.3", "0.4"]);
        assert_eq!(table.parent("0.3").as_deref(), Some("main"));
        table.committed(&frame("0.1", None));
        assert_eq!(ids(&table), ["main"]);
    }

    #[test]
    fn frames_stand_as_in_the_page() {
        let mut table = FrameTable::default();
        table.committed(&frame("0.1", None));
        for (id, parent) in [("cross", "0.1"), ("nested", "cross"), ("child", "0.1"), ("inner", "child")] {
            table.committed(&frame(id, Some(parent)));
        }
        let leaf =
            |id: &str, parent: &str| FrameTree { frame: frame(id, Some(parent)), child_frames: Vec::new() };
        let child_frames = vec![
            FrameTree { frame: frame("child", Some("0.1")), child_frames: vec![leaf("inner", "child")] },
            FrameTree { frame: frame("cross", Some("0.1")), child_frames: vec![leaf("nested", "cross")] },
        ];
        table.take_tree(&FrameTree { frame: frame("0.1", None), child_frames });
        assert_eq!(ids(&table), ["main", "child", "inner", "cross", "nested"]);
        // The same frames with other documents stand where they stood.
        table.committed(&frame("child", Some("0.1")));
        assert_eq!(ids(&table), ["main", "child", "cross", "nested"]);
    }

    #[test]
    fn a_frame_has_its_place_before_its_document() {
        let mut table = FrameTable::default();
        table.committed(&frame("0.1", None));
        table.committed(&frame("quick", Some("0.1")));
        let leaf = |id: &str| FrameTree { frame: frame(id, Some("0.1")), child_frames: Vec::new() };
        let child_frames = vec![leaf("slow"), leaf("quick")];
        table.take_tree(&FrameTree { frame: frame("0.1", None), child_frames });
        assert_eq!(ids(&table), ["main", "slow", "quick"]);
        table.committed(&frame("slow", Some("0.1")));
        assert_eq!(ids(&table), ["main", "slow", "quick"]);
        assert_eq!(table.parent("slow").as_deref(), Some(MAIN));
    }

    #[test]
    fn what_is_known_of_a_frame_is_not_lost_by_a_look_at_the_tree() {
        let mut table = FrameTable::default();
        table.committed(&frame("0.1", None));
        table.committed(&frame("child", Some("0.1")));
        table.committed(&frame("gone", Some("0.1")));
        let kind = "normal".to_string();
        table.context_created(&ExecutionContext { id: 7, kind, frame_id: "child".to_string() });
        let child_frames = vec![FrameTree { frame: frame("child", Some("0.1")), child_frames: Vec::new() }];
        table.take_tree(&FrameTree { frame: frame("0.1", None), child_frames });
        assert_eq!(ids(&table), ["main", "child"]);
        assert_eq!(table.context("child"), Some(7));
        assert_eq!(table.url(), "http://site/0.1");
    }

    #[test]
    fn functions_are_forgotten_with_their_document() {
        let mut table = FrameTable::default();
        table.committed(&frame("0.1", None));
        let context = |id| ExecutionContext { id, kind: "normal".to_string(), frame_id: "0.1".to_string() };
        table.context_created(&context(2));
        let object = |context: i64| format!("{{\"injectedScriptId\":{context},\"id\":1}}");
        table.set_functions(MAIN, Some(2), &object(2));
        assert!(table.functions(MAIN).is_some());
        // The browser says some things twice.
        table.context_created(&context(2));
        assert!(table.functions(MAIN).is_some());
        table.context_created(&context(3));
        assert!(table.functions(MAIN).is_none());
        // An answer of the document before is late, whether the place of the new one is known or not.
        table.set_functions(MAIN, Some(2), &object(2));
        assert!(table.functions(MAIN).is_none());
        table.set_functions(MAIN, None, &object(2));
        assert!(table.functions(MAIN).is_none());
        table.committed(&frame("0.1", None));
        table.set_functions(MAIN, Some(3), &object(3));
        assert!(table.functions(MAIN).is_none());
    }

    #[test]
    fn functions_may_be_found_before_the_browser_tells_where_they_are() {
        let mut table = FrameTable::default();
        table.committed(&frame("0.1", None));
        table.set_functions(MAIN, None, "{\"injectedScriptId\":4,\"id\":1}");
        let context = |id| ExecutionContext { id, kind: "normal".to_string(), frame_id: "0.1".to_string() };
        table.context_created(&context(4));
        assert!(table.functions(MAIN).is_some());
        table.context_created(&context(5));
        assert!(table.functions(MAIN).is_none());
    }
}
