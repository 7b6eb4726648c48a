//! The forms a step can have in a file: a sentence, an exact command, or steps from elsewhere.

use std::time::Duration;

use crate::keys;
use crate::mistake::Mistake;
use crate::node::{Key, Node, Value};
use crate::reader::{Naming, Reader};
use crate::source::{Span, Text};

/// A step as the file has it, names not yet replaced.
#[derive(Debug, Clone)]
pub(crate) struct StepDraft {
    pub what: StepWhat,
    pub timeout: Option<Duration>,
}

#[derive(Debug, Clone)]
pub(crate) enum StepWhat {
    Sentence(Text),
    Command(Text),
    Use { name: Text, with: Vec<(Text, Text)> },
}

impl StepDraft {
    pub fn text(&self) -> &Text {
        match &self.what {
            StepWhat::Sentence(text) | StepWhat::Command(text) | StepWhat::Use { name: text, .. } => text,
        }
    }
}

impl Reader<'_> {
    pub fn steps(&mut self, node: &Node) -> Vec<StepDraft> {
        self.list(node, "a list of steps").iter().filter_map(|item| self.step(item)).collect()
    }

    pub fn expectations(&mut self, node: &Node) -> Vec<StepDraft> {
        self.list(node, "a list of sentences").iter().filter_map(|item| self.expectation(item)).collect()
    }

    pub fn sentences(&mut self, node: &Node, what: &'static str) -> Vec<Text> {
        let items = self.list(node, "a list of sentences");
        items.iter().filter_map(|item| self.sentence(item, what, None)).collect()
    }

    fn step(&mut self, node: &Node) -> Option<StepDraft> {
        const FORMS: &[&str] = &["step", "run", "use"];
        let Value::Map(_) = &node.value else {
            let text = self.sentence(node, "a step", None)?;
            return Some(StepDraft { what: StepWhat::Sentence(text), timeout: None });
        };
        if let Some(whole) = self.sentence_with_colon(node, keys::STEP) {
            let text = self.sentence(&whole, "a step", None)?;
            return Some(StepDraft { what: StepWhat::Sentence(text), timeout: None });
        }
        if self.is_broken_sentence(node, keys::STEP, "a step") {
            return None;
        }
        let fields = self.fields(node, &keys::names(keys::STEP), "a step")?;
        let timeout = fields.get("timeout").and_then(|node| self.duration(node));
        let present: Vec<&str> = FORMS.iter().copied().filter(|form| fields.get(form).is_some()).collect();
        self.exactly_one(&present, FORMS, node.span)?;
        if let (Some(key), None) = (fields.key("with"), fields.get("use")) {
            let mistake = Mistake::Expected {
                expected: "`with` together with `use`".to_string(),
                found: "`with` alone".to_string(),
                hint: None,
            };
            self.problem(key.span, mistake);
        }
        let what = if let Some(node) = fields.get("step") {
            StepWhat::Sentence(self.sentence(node, "a step", None)?)
        } else if let Some(node) = fields.get("run") {
            StepWhat::Command(self.text(node, "a command such as `click \"button[type=submit]\"`")?)
        } else {
            let with = match fields.get("with") {
                Some(node) => self.named_texts(node, Naming::Replaceable, "a mapping of names to values"),
                None => Vec::new(),
            };
            StepWhat::Use { name: self.text(fields.get("use")?, "the name of other steps")?, with }
        };
        Some(StepDraft { what, timeout })
    }

    fn expectation(&mut self, node: &Node) -> Option<StepDraft> {
        const FORMS: &[&str] = &["claim", "run"];
        let Value::Map(_) = &node.value else {
            let text = self.sentence(node, "an expectation", None)?;
            return Some(StepDraft { what: StepWhat::Sentence(text), timeout: None });
        };
        if let Some(whole) = self.sentence_with_colon(node, keys::EXPECTATION) {
            let text = self.sentence(&whole, "an expectation", None)?;
            return Some(StepDraft { what: StepWhat::Sentence(text), timeout: None });
        }
        if self.is_broken_sentence(node, keys::EXPECTATION, "an expectation") {
            return None;
        }
        let fields = self.fields(node, &keys::names(keys::EXPECTATION), "a sentence or a check")?;
        let timeout = fields.get("timeout").and_then(|node| self.duration(node));
        let present: Vec<&str> = FORMS.iter().copied().filter(|form| fields.get(form).is_some()).collect();
        self.exactly_one(&present, FORMS, node.span)?;
        let what = match fields.get("claim") {
            Some(node) => StepWhat::Sentence(self.sentence(node, "an expectation", None)?),
            None => {
                StepWhat::Command(self.text(fields.get("run")?, "a check such as `is visible \"#done\"`")?)
            }
        };
        Some(StepDraft { what, timeout })
    }

    fn exactly_one(&mut self, present: &[&str], forms: &[&str], span: Span) -> Option<()> {
        let list = |words: &[&str]| words.iter().map(|w| format!("`{w}`")).collect::<Vec<_>>().join(", ");
        match present {
            [_] => Some(()),
            [] => {
                let mistake = Mistake::NotOne { expected: list(forms), found: "none".to_string() };
                self.problem(span, mistake);
                None
            }
            _ => {
                let mistake = Mistake::NotOne { expected: list(forms), found: list(present) };
                self.problem(span, mistake);
                None
            }
        }
    }

    pub fn sentence(&mut self, node: &Node, what: &'static str, hint: Option<String>) -> Option<Text> {
        if !node.is_worded() {
            let mistake = Mistake::NotASentence { what, found: node.found(), hint };
            self.problem(node.span, mistake);
            return None;
        }
        match self.sentence_with_hash(node) {
            Some(whole) => self.text(&whole, "a sentence"),
            None => self.text(node, "a sentence"),
        }
    }

    /// `- Write to "Room #4" first`: a comment to YAML, in the middle of a quotation.
    fn sentence_with_hash(&self, node: &Node) -> Option<Node> {
        let lost = self.lost_in_comment(node)?;
        let is_open = |text: &str| text.matches('"').count() % 2 == 1;
        let line = self.source.line(node.span.position.line);
        let written = self.source.text.get(node.span.start..lost.end)?;
        // A real comment may follow.
        let written = written.split(" # ").next().unwrap_or(written).trim_end();
        let is_meant = is_open(self.source.slice(node.span)) && !is_open(written) && line.contains(written);
        let span = Span { start: node.span.start, end: node.span.start + written.len(), ..node.span };
        is_meant.then(|| Node { span, value: Value::Scalar { text: written.to_string(), plain: false } })
    }

    /// `- The header says "Total: 5"` is a mapping to YAML, and a sentence to its author: the line as it is written.
    fn sentence_with_colon(&self, node: &Node, rows: &'static [keys::KeyRow]) -> Option<Node> {
        let (key, value) = only_entry(node, rows)?;
        let is_written = matches!(&value.value, Value::Scalar { .. }) && !value.is_nothing();
        if !is_written || key.span.position.line != value.span.position.line {
            return None;
        }
        let line = self.source.line(key.span.position.line);
        let text = self.source.text.get(key.span.start..value.span.end)?;
        let text = text.trim_end();
        // A value over several lines, or with marks that mean something to YAML only, is not what is written.
        let is_whole = line.contains(text) && !text.starts_with(['"', '\'', '&', '*', '!', '?']);
        // An anchor, a tag and an escape are YAML's, not the author's.
        let is_plain = self.source.slice(value.span).trim_end() == as_written(value)
            && self
                .source
                .text
                .get(key.span.end..value.span.start)
                .is_some_and(|between| between.trim() == ":");
        let span =
            Span { start: key.span.start, end: key.span.start + text.len(), position: key.span.position };
        (is_whole && is_plain)
            .then(|| Node { span, value: Value::Scalar { text: text.to_string(), plain: true } })
    }

    /// A mapping whose only key holds blanks and is no slip of a real key was meant as a sentence.
    fn is_broken_sentence(&mut self, node: &Node, rows: &'static [keys::KeyRow], what: &'static str) -> bool {
        if only_entry(node, rows).is_none() {
            return false;
        }
        let hint = Some("quote this sentence, because it contains `: `".to_string());
        self.problem(node.span, Mistake::NotASentence { what, found: "a mapping".to_string(), hint });
        true
    }
}

/// The only entry of a mapping, if its key is words.
fn only_entry<'n>(node: &'n Node, rows: &'static [keys::KeyRow]) -> Option<(&'n Key, &'n Node)> {
    let Value::Map(entries) = &node.value else { return None };
    let [(key, value)] = entries.as_slice() else { return None };
    let is_known = keys::names(rows).contains(&key.text.as_str());
    (!is_known && key.text.contains(' ')).then_some((key, value))
}

/// A value as it stands in the file, if nothing in it is escaped.
fn as_written(value: &Node) -> String {
    match &value.value {
        Value::Scalar { text, plain: true } => text.clone(),
        Value::Scalar { text, plain: false } => format!("\"{text}\""),
        Value::List(_) | Value::Map(_) => String::new(),
    }
}
