//! The frames of a tab: BiDi calls them, and tabs, browsing contexts.

use assay_driver::{Frame, FrameId};

#[derive(Default)]
pub(crate) struct ContextTree {
    /// Parents before children, the tab itself first.
    nodes: Vec<Node>,
}

struct Node {
    id: String,
    parent: Option<String>,
    name: String,
    url: String,
}

impl ContextTree {
    pub fn put(&mut self, id: &str, parent: Option<&str>, url: &str) {
        match self.nodes.iter_mut().find(|node| node.id == id) {
            Some(node) => node.url = url.to_string(),
            None => self.nodes.push(Node {
                id: id.to_string(),
                parent: parent.map(str::to_string),
                name: String::new(),
                url: url.to_string(),
            }),
        }
    }

    pub fn moved(&mut self, id: &str, url: &str) {
        if let Some(node) = self.nodes.iter_mut().find(|node| node.id == id) {
            node.url = url.to_string();
        }
    }

    pub fn named(&mut self, id: &str, name: String) {
        if let Some(node) = self.nodes.iter_mut().find(|node| node.id == id) {
            node.name = name;
        }
    }

    /// Forgets a frame and all inside it.
    pub fn remove(&mut self, id: &str) {
        let children: Vec<String> = self
            .nodes
            .iter()
            .filter(|node| node.parent.as_deref() == Some(id))
            .map(|node| node.id.clone())
            .collect();
        for child in children {
            self.remove(&child);
        }
        self.nodes.retain(|node| node.id != id);
    }

    pub fn holds(&self, id: &str) -> bool {
        self.nodes.iter().any(|node| node.id == id)
    }

    pub fn parent(&self, id: &str) -> Option<String> {
        self.nodes.iter().find(|node| node.id == id)?.parent.clone()
    }

    pub fn has_frames(&self) -> bool {
        self.nodes.len() > 1
    }

    pub fn list(&self) -> Vec<Frame> {
        self.nodes
            .iter()
            .map(|node| Frame {
                id: FrameId(node.id.clone()),
                parent: node.parent.clone().map(FrameId),
                name: node.name.clone(),
                url: node.url.clone(),
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_takes_along_what_is_inside_it() {
        let mut tree = ContextTree::default();
        tree.put("top", None, "about:blank");
        tree.put("outer", Some("top"), "/outer");
        tree.put("inner", Some("outer"), "/inner");
        assert_eq!(tree.parent("inner").as_deref(), Some("outer"));
        tree.moved("inner", "/next");
        assert_eq!(tree.list()[2].url, "/next");
        tree.remove("outer");
        assert!(!tree.holds("inner") && tree.holds("top") && !tree.has_frames());
    }
}
