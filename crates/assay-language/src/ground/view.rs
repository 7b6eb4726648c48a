//! A scene with cached answers to frequent questions: nesting, readable text, repetition.

use assay_protocol::{ElementLine, Scene, SceneNode, Selector};

use super::cards::{frames_a_list, is_card};
use super::words::fold;

pub(crate) struct View<'a> {
    pub(crate) scene: &'a Scene,
    /// One past the last node inside each node.
    ends: Vec<usize>,
    children: Vec<Vec<usize>>,
    texts: Vec<String>,
    /// Nobody reads crossed-out text as current.
    struck: Vec<bool>,
    entries: Vec<bool>,
    /// The dialog that must be answered before the rest of the page can be used.
    modal: Option<usize>,
    /// The scene gives no text inside controls, so their names stand for it.
    names_are_text: bool,
}

const FIELD_ROLES: &[&str] = &[
    "textbox",
    "searchbox",
    "combobox",
    "spinbutton",
    "slider",
    "date",
    "time",
    "month",
    "week",
    "datetime",
    "color",
    "listbox",
    "file",
];
const CONTROL_ROLES: &[&str] = &[
    "button",
    "link",
    "checkbox",
    "radio",
    "option",
    "menuitem",
    "menuitemcheckbox",
    "menuitemradio",
    "tab",
    "switch",
    "treeitem",
    "clickable",
    "summary",
    "scrollbar",
];
/// Roles whose name is what is read in them, so that the name counts as shown text.
const NAMED_BY_TEXT: &[&str] = &[
    "button",
    "link",
    "heading",
    "option",
    "menuitem",
    "menuitemcheckbox",
    "menuitemradio",
    "tab",
    "treeitem",
    "cell",
    "gridcell",
    "columnheader",
    "rowheader",
    "tooltip",
    "status",
    "alert",
    "log",
    "timer",
    "caption",
    "row",
    "listitem",
    "term",
    "definition",
    "note",
    "paragraph",
    "clickable",
];

impl<'a> View<'a> {
    pub(crate) fn new(scene: &'a Scene) -> View<'a> {
        let count = scene.nodes.len();
        let mut ends: Vec<usize> = (1..=count).collect();
        let mut children = vec![Vec::new(); count];
        for at in (0..count).rev() {
            if let Some(parent) = scene.nodes[at].parent.filter(|parent| *parent < at) {
                ends[parent] = ends[parent].max(ends[at]);
                children[parent].push(at);
            }
        }
        children.iter_mut().for_each(|inside: &mut Vec<usize>| inside.reverse());
        let mut view = View {
            scene,
            ends,
            children,
            texts: Vec::with_capacity(count),
            struck: Vec::with_capacity(count),
            entries: vec![false; count],
            modal: None,
            names_are_text: !scene.nodes.iter().enumerate().any(|(at, node)| {
                node.role == "text"
                    && scene.ancestors(at).any(|around| {
                        matches!(scene.nodes[around].role.as_str(), "button" | "link" | "tab" | "menuitem")
                    })
            }),
        };
        for at in 0..count {
            let node = view.node(at);
            let own =
                matches!(node.attribute("tag"), Some("s" | "del" | "strike")) || node.role == "deletion";
            let around = node.parent.filter(|parent| *parent < at).is_some_and(|parent| view.struck[parent]);
            view.struck.push(own || around);
        }
        for at in 0..count {
            view.texts.push(view.read(at, false));
        }
        for at in 0..count {
            view.entries[at] = view.repeats(at);
        }
        view.modal = view.find_modal();
        view
    }

    pub(crate) fn node(&self, at: usize) -> &'a SceneNode {
        &self.scene.nodes[at]
    }

    pub(crate) fn all(&self) -> std::ops::Range<usize> {
        0..self.scene.nodes.len()
    }

    /// The content of a node, without the node itself.
    pub(crate) fn inside(&self, at: usize) -> std::ops::Range<usize> {
        at + 1..self.ends[at]
    }

    pub(crate) fn is_within(&self, at: usize, around: usize) -> bool {
        at > around && at < self.ends[around]
    }

    pub(crate) fn children(&self, at: usize) -> &[usize] {
        &self.children[at]
    }

    /// The nodes beside it, itself included.
    pub(crate) fn siblings(&self, at: usize) -> Vec<usize> {
        match self.node(at).parent {
            Some(parent) => self.children[parent].clone(),
            None => self.all().filter(|other| self.node(*other).parent.is_none()).collect(),
        }
    }

    /// The text that is read in a node.
    pub(crate) fn text(&self, at: usize) -> &str {
        &self.texts[at]
    }

    /// The same without what something else lies over or what is crossed out.
    pub(crate) fn text_in_sight(&self, at: usize) -> String {
        self.read(at, true)
    }

    fn read(&self, at: usize, only_in_sight: bool) -> String {
        let parts = self.pieces(at..self.ends[at], only_in_sight);
        parts.into_iter().map(|piece| self.node(piece).name.as_str()).collect::<Vec<_>>().join(" ")
    }

    /// The nodes whose names are what is read in a part of the page, in order.
    pub(crate) fn pieces(&self, range: std::ops::Range<usize>, only_in_sight: bool) -> Vec<usize> {
        let mut parts: Vec<usize> = Vec::new();
        let mut skip_to = range.start;
        for inner in range {
            if inner < skip_to {
                continue;
            }
            let node = self.node(inner);
            if only_in_sight && (self.struck[inner] || node.is("covered") && !self.has_children(inner)) {
                continue;
            }
            if node.role == "text" {
                parts.push(inner);
            } else if self.is_editable(inner) && !self.has_children(inner) {
                skip_to = self.ends[inner];
            } else if self.shows_its_name(inner) && !self.has_text_inside(inner) {
                parts.push(inner);
            }
        }
        parts.retain(|part| !self.node(*part).name.trim().is_empty());
        parts
    }

    pub(crate) fn has_children(&self, at: usize) -> bool {
        self.ends[at] > at + 1
    }

    fn has_text_inside(&self, at: usize) -> bool {
        self.inside(at).any(|inner| {
            self.node(inner).role == "text"
                || (self.shows_its_name(inner) && !self.node(inner).name.is_empty())
        })
    }

    /// Whether the name is what is read there, and not only for those who cannot see.
    fn shows_its_name(&self, at: usize) -> bool {
        let node = self.node(at);
        NAMED_BY_TEXT.contains(&node.role.as_str())
            && (self.names_are_text || node.attribute("tag") == Some("input"))
    }

    /// A row, a card, an entry of a list: what "in the row of" can mean.
    pub(crate) fn is_entry(&self, at: usize) -> bool {
        self.entries[at]
    }

    /// The nearest entry around a node, or the node itself.
    pub(crate) fn entry_of(&self, at: usize) -> Option<usize> {
        std::iter::once(at).chain(self.scene.ancestors(at)).find(|around| self.entries[*around])
    }

    fn repeats(&self, at: usize) -> bool {
        let node = self.node(at);
        match node.role.as_str() {
            "row" => !self.is_header_row(at),
            "listitem" | "article" | "treeitem" | "option" => true,
            // What has a name of its own is a part of the page, not one of many.
            "region" | "group" if !node.name.is_empty() => false,
            _ if is_card(node) && !self.texts[at].is_empty() && !frames_a_list(self, at) => true,
            "generic" | "clickable" | "region" | "group" | "link" | "figure" => {
                // Cards without a role: several like it stand side by side, each with things in it. Those that fold may
                // show only their titles.
                let folds = |at: usize| {
                    let title = self.children[at].first().map(|first| self.node(*first));
                    title.is_some_and(|title| title.is("expanded") || title.is("collapsed"))
                };
                let are_folds = folds(at)
                    && self
                        .siblings(at)
                        .iter()
                        .any(|other| *other != at && folds(*other) && alike(self.node(*other), node));
                are_folds
                    || self.children[at].len() >= 2
                        && self.siblings(at).iter().any(|other| {
                            *other != at
                                && self.node(*other).role == node.role
                                && self.children[*other].len() >= 2
                                && alike(self.node(*other), node)
                        })
            }
            _ => false,
        }
    }

    /// A row that holds the heads of columns and no data.
    pub(crate) fn is_header_row(&self, at: usize) -> bool {
        let cells = &self.children[at];
        self.node(at).role == "row"
            && !cells.is_empty()
            && cells.iter().all(|cell| self.node(*cell).role == "columnheader")
    }

    pub(crate) fn is_editable(&self, at: usize) -> bool {
        let node = self.node(at);
        FIELD_ROLES.contains(&node.role.as_str()) && !(node.role == "listbox" && node.options.is_empty())
    }

    /// Whether a click on it is what such things are for.
    pub(crate) fn is_control(&self, at: usize) -> bool {
        let node = self.node(at);
        CONTROL_ROLES.contains(&node.role.as_str())
            || FIELD_ROLES.contains(&node.role.as_str())
            || node.is("clickable")
    }

    fn find_modal(&self) -> Option<usize> {
        let open =
            self.all().rev().find(|at| matches!(self.node(*at).role.as_str(), "dialog" | "alertdialog"))?;
        let node = self.node(open);
        let says_so = node.role == "alertdialog"
            || node.is("modal")
            || node.attribute("aria-modal").is_some_and(|value| value == "true");
        // A dialog that lies over the page leaves nothing of it to be reached.
        let shuts_out = || {
            let mut outside = self
                .all()
                .filter(|at| *at != open && !self.is_within(*at, open) && !self.is_within(open, *at))
                .filter(|at| self.node(*at).reference.is_some() && !self.node(*at).is("offscreen"))
                // An empty cell has nothing that could be covered.
                .filter(|at| self.is_control(*at) || self.node(*at).role == "text")
                .peekable();
            outside.peek().is_some() && outside.all(|at| self.node(at).is("covered"))
        };
        (says_so || shuts_out()).then_some(open)
    }

    pub(crate) fn modal(&self) -> Option<usize> {
        self.modal
    }

    /// The element with this ref.
    pub(crate) fn with_ref(&self, reference: &str) -> Option<usize> {
        self.all().find(|at| self.node(*at).reference.as_deref() == Some(reference))
    }

    pub(crate) fn focused(&self) -> Option<usize> {
        self.all().rev().find(|at| self.node(*at).is("focused"))
    }

    /// The name of a container: its own name, its legend or the first heading in it.
    pub(crate) fn heading_of(&self, at: usize) -> Option<usize> {
        self.inside(at)
            .find(|inner| matches!(self.node(*inner).role.as_str(), "heading" | "caption" | "legend"))
    }

    /// The text that stands where a label would: right before the node, or in the cell before its own.
    pub(crate) fn text_before(&self, at: usize) -> Option<String> {
        let mut here = at;
        for level in 0..5 {
            // Further out, only what is around this field and no other is labelled by what stands before it.
            let fields = || self.inside(here).filter(|inner| self.is_editable(*inner)).count();
            let is_whole =
                matches!(self.node(here).role.as_str(), "form" | "dialog" | "main" | "row" | "listitem");
            if level > 1 && (is_whole || fields() != 1) {
                return None;
            }
            let siblings = self.siblings(here);
            let place = siblings.iter().position(|other| *other == here)?;
            if let Some(before) = place.checked_sub(1).map(|place| siblings[place]) {
                // A label is clicked for the sake of its control, which may be drawn by something else.
                let is_label = self.node(before).attribute("tag") == Some("label");
                if self.is_control(before) && !is_label
                    || self.inside(before).any(|inner| self.is_control(inner))
                {
                    return None;
                }
                let text = self.text(before);
                return (!text.is_empty() && text.len() < 80).then(|| text.to_string());
            }
            here = self.node(here).parent?;
        }
        None
    }

    pub(crate) fn line(&self, at: usize) -> ElementLine {
        let node = self.node(at);
        let name = if node.name.is_empty() { short(self.text(at)) } else { short(&node.name) };
        ElementLine {
            reference: node.reference.clone().unwrap_or_default(),
            role: node.role.clone(),
            name,
            value: node.value.clone(),
            states: node.states.clone(),
        }
    }

    pub(crate) fn lines(&self, places: impl IntoIterator<Item = usize>) -> Vec<ElementLine> {
        places.into_iter().take(6).map(|at| self.line(at)).collect()
    }

    /// `button "Log in"`.
    pub(crate) fn describe(&self, at: usize) -> String {
        let line = self.line(at);
        if line.name.is_empty() { line.role } else { format!("{} \"{}\"", line.role, line.name) }
    }

    pub(crate) fn selector(&self, at: usize) -> Option<Selector> {
        Selector::parse(self.node(at).reference.as_deref()?).ok()
    }
}

/// Two elements that a style sheet would draw alike.
pub(crate) fn alike(one: &SceneNode, other: &SceneNode) -> bool {
    let first_class = |node: &SceneNode| {
        node.attribute("class")
            .and_then(|class| class.split_whitespace().next())
            .map(fold)
            .unwrap_or_default()
    };
    one.attribute("tag") == other.attribute("tag") && first_class(one) == first_class(other)
}

pub(crate) fn short(text: &str) -> String {
    let text = text.trim();
    if text.chars().count() <= 80 {
        return text.to_string();
    }
    text.chars().take(79).chain(['…']).collect()
}
