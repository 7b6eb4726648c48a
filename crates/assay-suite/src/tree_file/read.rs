//! Reads a tree file, and reports every mistake with its position and the nearest valid word.

use std::collections::HashSet;
use std::sync::Arc;

use assay_protocol::{
    ANY_SCREEN, AddressPattern, Edge, EdgeCommand, ElementCondition, NavigationTree, Screen,
};

use super::VERSION;
use crate::mistake::Mistake;
use crate::nearest::nearest;
use crate::node::{Key, Node, Value};
use crate::problem::{Problem, Problems};
use crate::reader::{Fields, Naming, Reader};
use crate::source::{Source, Span};
use crate::yaml;

pub(super) const KEYS: &[&str] = &["navigation", "interface", "base_url", "entry", "screens", "edges"];
pub(super) const SCREEN_KEYS: &[&str] =
    &["address", "heading", "title", "within", "when", "has", "lacks", "protected"];
pub(super) const EDGE_KEYS: &[&str] = &["from", "to", "do", "back"];

/// A hint with more words than this helps nobody.
const MOST_NAMES: usize = 12;

pub(super) fn read(source: &Arc<Source>) -> Result<NavigationTree, Vec<Problem>> {
    let mut problems = Problems::default();
    let documents = yaml::documents(source, &mut problems);
    let mut tree = NavigationTree::default();
    if problems.is_empty() {
        match documents.as_slice() {
            [document] => {
                let reader = Reader { source: Arc::clone(source), problems: &mut problems, browsers: &[] };
                tree = TreeReader { reader, screens: Vec::new() }.tree(document);
            }
            others => {
                let found = if others.is_empty() {
                    "nothing".to_string()
                } else {
                    format!("{} documents", others.len())
                };
                let mistake =
                    Mistake::Expected { expected: "a navigation tree".to_string(), found, hint: None };
                problems.push(Problem::of_file(source.shown.clone(), mistake));
            }
        }
    }
    if problems.is_empty() { Ok(tree) } else { Err(problems.into_vec()) }
}

struct TreeReader<'a> {
    reader: Reader<'a>,
    screens: Vec<String>,
}

impl TreeReader<'_> {
    fn tree(&mut self, document: &Node) -> NavigationTree {
        let mut tree = NavigationTree::default();
        let Some(fields) = self.reader.fields(document, KEYS, "a navigation tree") else { return tree };
        match fields.get("navigation") {
            Some(node) => {
                self.reader.whole_number(node, VERSION, VERSION);
            }
            None => self.reader.lacking(document, "`navigation: 1`"),
        }
        tree.interface =
            self.optional_text(&fields, "interface", "the name of a user interface").unwrap_or_default();
        tree.base_url = self.optional_text(&fields, "base_url", "an address such as http://127.0.0.1:8080");
        let screens: &[(Key, Node)] = match fields.get("screens") {
            Some(node) if !node.is_nothing() => self.reader.entries(node, "a mapping of screens"),
            _ => &[],
        };
        self.screens = screens.iter().map(|(key, _)| key.text.clone()).collect();
        for (key, node) in screens {
            if key.text == ANY_SCREEN {
                let expected = "the name of a screen".to_string();
                let found = format!("`{ANY_SCREEN}`, which stands for any screen");
                self.reader.problem(key.span, Mistake::Expected { expected, found, hint: None });
            }
            if self.reader.name(key, Naming::Free).is_some() {
                let screen = self.screen(key, node);
                tree.screens.push(screen);
            }
        }
        if let Some(node) = fields.get("entry").filter(|node| !node.is_nothing()) {
            for name in self.reader.texts(node, "the name of a screen") {
                self.check_screen(&name.value, name.span);
                tree.entry.push(name.value);
            }
        }
        if let Some(node) = fields.get("edges").filter(|node| !node.is_nothing()) {
            for item in self.reader.list(node, "a list of edges") {
                tree.edges.extend(self.edge(item));
            }
        }
        self.check_circles(screens, &tree);
        tree
    }

    fn screen(&mut self, key: &Key, node: &Node) -> Screen {
        let mut screen = Screen { name: key.text.clone(), ..Screen::default() };
        if node.is_nothing() {
            return screen;
        }
        let Some(fields) = self.reader.fields(node, SCREEN_KEYS, "a mapping that describes a screen") else {
            return screen;
        };
        if let Some(node) = fields.get("address")
            && let Some(text) = self.reader.text(node, "a path such as `/orders/{id}`")
        {
            match AddressPattern::parse(&text.value) {
                Ok(pattern) => screen.address = Some(pattern),
                Err(err) => self.wrong(node.span, &err.to_string()),
            }
        }
        screen.heading = self.optional_text(&fields, "heading", "the words of a heading");
        screen.title = self.optional_text(&fields, "title", "the title of a document");
        screen.when = self.optional_text(&fields, "when", "a condition such as `logged in`");
        if let Some(node) = fields.get("within")
            && let Some(name) = self.reader.text(node, "the name of a screen")
        {
            self.check_screen(&name.value, name.span);
            screen.within = Some(name.value);
        }
        screen.has = self.conditions(&fields, "has");
        screen.lacks = self.conditions(&fields, "lacks");
        if let Some(node) = fields.get("protected") {
            let words = [("true", true), ("yes", true), ("false", false), ("no", false)];
            screen.protected = self.reader.one_of(node, "truth value", &words).unwrap_or_default();
        }
        screen
    }

    fn edge(&mut self, node: &Node) -> Option<Edge> {
        let fields = self.reader.fields(node, EDGE_KEYS, "a mapping with `from`, `to` and `do`")?;
        let before = self.reader.problems.len();
        let mut edge = Edge::default();
        for (key, place) in [("from", &mut edge.from), ("to", &mut edge.to)] {
            let Some(value) = fields.get(key) else {
                self.reader.lacking(node, &format!("an edge with `{key}`"));
                continue;
            };
            if let Some(name) = self.reader.text(value, "the name of a screen") {
                *place = name.value.clone();
                if !(key == "from" && name.value == ANY_SCREEN) {
                    self.check_screen(&name.value, name.span);
                }
            }
        }
        edge.acts = self.commands(&fields, "do");
        edge.back = self.commands(&fields, "back");
        if edge.acts.is_empty() && self.reader.problems.len() == before {
            self.reader.lacking(node, "an edge with `do`");
        }
        if edge.from == edge.to && !edge.from.is_empty() {
            let found = format!("an edge from `{}` to itself", edge.from);
            self.wrong(node.span, &format!("expected two screens, found {found}"));
        }
        Some(edge)
    }

    fn commands(&mut self, fields: &Fields<'_>, key: &str) -> Vec<String> {
        let Some(node) = fields.get(key).filter(|node| !node.is_nothing()) else { return Vec::new() };
        let texts = self.reader.texts(node, "a command such as `click link \"Orders\"`");
        for text in &texts {
            if let Err(mistake) = EdgeCommand::parse(&text.value) {
                self.wrong(text.span, &mistake.to_string());
            }
        }
        texts.into_iter().map(|text| text.value).collect()
    }

    fn conditions(&mut self, fields: &Fields<'_>, key: &str) -> Vec<ElementCondition> {
        let Some(node) = fields.get(key).filter(|node| !node.is_nothing()) else { return Vec::new() };
        let mut conditions = Vec::new();
        for text in self.reader.texts(node, "an element such as `link \"Orders\"`") {
            match ElementCondition::parse(&text.value) {
                Ok(condition) => conditions.push(condition),
                Err(err) => self.wrong(text.span, &err.to_string()),
            }
        }
        conditions
    }

    fn optional_text(&mut self, fields: &Fields<'_>, key: &str, expected: &str) -> Option<String> {
        let node = fields.get(key)?;
        self.reader.text(node, expected).map(|text| text.value)
    }

    fn check_screen(&mut self, name: &str, span: Span) {
        if self.screens.iter().any(|known| known == name) {
            return;
        }
        let mistake = Mistake::UnknownValue {
            what: "screen",
            found: name.to_string(),
            nearest: nearest(name, self.screens.iter().map(String::as_str)),
            valid: self.screens.iter().take(MOST_NAMES).cloned().collect(),
        };
        self.reader.problem(span, mistake);
    }

    /// A screen that is a part of itself has no place.
    fn check_circles(&mut self, screens: &[(Key, Node)], tree: &NavigationTree) {
        for (key, _) in screens {
            let mut seen = HashSet::new();
            let mut at = tree.screen(&key.text);
            while let Some(above) = at.and_then(|screen| screen.within.as_deref()) {
                if above == key.text {
                    self.wrong(key.span, &format!("`{}` is within itself", key.text));
                    break;
                }
                if !seen.insert(above) {
                    break;
                }
                at = tree.screen(above);
            }
        }
    }

    fn wrong(&mut self, span: Span, message: &str) {
        self.reader.problem(span, Mistake::WrongInTree { message: message.to_string() });
    }
}

/// Whether a node is written in braces or brackets, on lines that it may share.
pub(super) fn is_flow(source: &Source, node: &Node) -> bool {
    !matches!(node.value, Value::Scalar { .. })
        && source.slice(node.span).trim_start().starts_with(['{', '['])
}
