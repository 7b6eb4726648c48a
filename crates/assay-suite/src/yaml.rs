//! Parses YAML text into trees, with all limits. Only this module knows the underlying parser.
//!
//! It uses the parser's events instead of a deserializer: every key and every value keeps its position, all mistakes of
//! a file are reported together, and this module limits the repetitions of aliases.

use std::borrow::Cow;
use std::collections::HashMap;

use granit_parser::{ErrorKind, Event, Marker, Parser, ScalarStyle, ScanError, StrInput, Tag};

use crate::mistake::Mistake;
use crate::node::{Key, Node, Value};
use crate::problem::{Problem, Problems};
use crate::source::{Position, Source, Span};

pub(crate) const MAX_DEPTH: usize = 32;
/// How many values all aliases of a file may repeat together.
pub(crate) const MAX_ALIASED: usize = 10_000;

/// The documents of a file that are not empty. Mistakes are added to `problems`; a document with a mistake in its
/// syntax is left out, and those after it are still read.
pub(crate) fn documents(source: &Source, problems: &mut Problems) -> Vec<Node> {
    let mut builder = Builder {
        source,
        parser: Parser::new_from_str(&source.text),
        anchors: HashMap::new(),
        aliased: 0,
        problems,
    };
    let mut documents = Vec::new();
    loop {
        match builder.document() {
            Ok(Next::Document(node)) if node.is_nothing() => {}
            Ok(Next::Document(node)) => documents.push(node),
            Ok(Next::End) => return documents,
            Err(Broken) => match builder.parser.proceed_next_document() {
                Ok(true) => {}
                Ok(false) | Err(_) => return documents,
            },
        }
    }
}

/// The rest of the document cannot be read; a problem says why.
struct Broken;

enum Next {
    Document(Node),
    End,
}

struct Builder<'a> {
    source: &'a Source,
    parser: Parser<'a, StrInput<'a>>,
    anchors: HashMap<usize, Node>,
    aliased: usize,
    problems: &'a mut Problems,
}

impl<'a> Builder<'a> {
    fn document(&mut self) -> Result<Next, Broken> {
        loop {
            let Some((event, _)) = self.next()? else { return Ok(Next::End) };
            match event {
                Event::StreamEnd => return Ok(Next::End),
                Event::DocumentStart(..) => break,
                _ => {}
            }
        }
        self.anchors.clear();
        let Some((event, span)) = self.next()? else { return Ok(Next::End) };
        self.node(event, span, 1).map(Next::Document)
    }

    fn next(&mut self) -> Result<Option<(Event<'a>, Span)>, Broken> {
        match self.parser.next_event() {
            None => Ok(None),
            Some(Ok((event, span))) => Ok(Some((event, self.place(span)))),
            Some(Err(error)) => {
                let problem = syntax(self.source, &error);
                self.problems.push(problem);
                Err(Broken)
            }
        }
    }

    fn node(&mut self, event: Event<'a>, span: Span, depth: usize) -> Result<Node, Broken> {
        if depth > MAX_DEPTH {
            return self.broken(span, Mistake::TooDeep { limit: MAX_DEPTH });
        }
        match event {
            Event::Scalar(text, style, anchor, tag) => {
                self.check_tag(tag.as_ref(), span);
                let is_text = tag.is_some_and(|tag| tag.is_yaml_core_schema_tag("str"));
                let plain = style == ScalarStyle::Plain && !is_text;
                Ok(self
                    .anchored(anchor, Node { span, value: Value::Scalar { text: text.into_owned(), plain } }))
            }
            Event::SequenceStart(_, anchor, tag) => {
                self.check_tag(tag.as_ref(), span);
                let mut items = Vec::new();
                loop {
                    match self.next()? {
                        None => return Err(Broken),
                        Some((Event::SequenceEnd, _)) => break,
                        Some((event, span)) => items.push(self.node(event, span, depth + 1)?),
                    }
                }
                Ok(self.anchored(anchor, Node { span, value: Value::List(items) }))
            }
            Event::MappingStart(_, anchor, tag) => {
                self.check_tag(tag.as_ref(), span);
                let entries = self.entries(depth)?;
                let span = entries.first().map_or(span, |(key, _)| key.span);
                Ok(self.anchored(anchor, Node { span, value: Value::Map(entries) }))
            }
            Event::Alias(anchor) => self.alias(anchor, span, depth),
            _ => self.broken(
                span,
                Mistake::Syntax { message: "expected a value, found something else".to_string(), hint: None },
            ),
        }
    }

    fn entries(&mut self, depth: usize) -> Result<Vec<(Key, Node)>, Broken> {
        let mut entries: Vec<(Key, Node)> = Vec::new();
        let mut lines: HashMap<String, usize> = HashMap::new();
        loop {
            let (event, span) = match self.next()? {
                None => return Err(Broken),
                Some((Event::MappingEnd, _)) => return Ok(entries),
                Some(next) => next,
            };
            let key = self.node(event, span, depth + 1)?;
            let Some((event, span)) = self.next()? else { return Err(Broken) };
            let value = self.node(event, span, depth + 1)?;
            let Value::Scalar { text, .. } = key.value else {
                let found = key.found();
                let mistake = Mistake::Expected { expected: "a key".to_string(), found, hint: None };
                self.problems.push(Problem::at(self.source, key.span, mistake));
                continue;
            };
            if let Some(first_line) = lines.get(&text) {
                let mistake = Mistake::DuplicateKey { key: text, first_line: *first_line };
                self.problems.push(Problem::at(self.source, key.span, mistake));
                continue;
            }
            lines.insert(text.clone(), key.span.position.line);
            entries.push((Key { text, span: key.span }, value));
        }
    }

    fn anchored(&mut self, anchor: usize, node: Node) -> Node {
        if anchor != 0 {
            self.anchors.insert(anchor, node.clone());
        }
        node
    }

    fn alias(&mut self, anchor: usize, span: Span, depth: usize) -> Result<Node, Broken> {
        // An anchor is known once its value is complete, so an alias to an unknown one stands inside it.
        let Some(node) = self.anchors.get(&anchor) else {
            return self.broken(span, Mistake::AliasOfItself);
        };
        self.aliased = self.aliased.saturating_add(node.size());
        if self.aliased > MAX_ALIASED {
            return self.broken(span, Mistake::TooManyAliases { limit: MAX_ALIASED });
        }
        if depth + node.height() > MAX_DEPTH {
            return self.broken(span, Mistake::TooDeep { limit: MAX_DEPTH });
        }
        Ok(node.clone())
    }

    fn check_tag(&mut self, tag: Option<&Cow<'_, Tag>>, span: Span) {
        let Some(tag) = tag.filter(|tag| !tag.is_yaml_core_schema()) else { return };
        let mistake = Mistake::Tag { tag: tag.original() };
        self.problems.push(Problem::at(self.source, span, mistake));
    }

    fn broken<T>(&mut self, span: Span, mistake: Mistake) -> Result<T, Broken> {
        self.problems.push(Problem::at(self.source, span, mistake));
        Err(Broken)
    }

    fn place(&self, span: granit_parser::Span) -> Span {
        let start = span.start.byte_offset().unwrap_or(0);
        let end = span.end.byte_offset().unwrap_or(start).max(start);
        Span { start, end, position: position(&span.start) }
    }
}

fn position(marker: &Marker) -> Position {
    Position { line: marker.line().max(1), column: marker.col() + 1 }
}

fn syntax(source: &Source, error: &ScanError) -> Problem {
    let marker = error.marker();
    let start = marker.byte_offset().unwrap_or(0);
    let span = Span { start, end: start + 1, position: position(marker) };
    if matches!(error.kind(), ErrorKind::RecursionLimitExceeded) {
        return Problem::at(source, span, Mistake::TooDeep { limit: MAX_DEPTH });
    }
    let hint = syntax_hint(source.line(span.position.line));
    Problem::at(source, span, Mistake::Syntax { message: error.info(), hint })
}

/// The usual cause of an invalid YAML line in a file full of sentences.
fn syntax_hint(line: &str) -> Option<String> {
    let content = line.trim_start();
    if line[..line.len() - content.len()].contains('\t') {
        return Some("indent with spaces, not with tabs".to_string());
    }
    if line.contains("${") && line.replace("${", "").contains(['{', '[']) {
        return Some("inside braces and brackets, quote any value that contains `${…}`".to_string());
    }
    let item = content.strip_prefix("- ").map(str::trim_start)?;
    if item.starts_with(['"', '\'']) {
        return Some("quote the whole sentence if it begins with a quote: '\"Pay\" is shown'".to_string());
    }
    if item.contains(": ") {
        return Some("quote this sentence, because it contains `: `".to_string());
    }
    if item.starts_with(['@', '`', '%', '*', '&', '!', '|', '>', '[', '{']) {
        return Some("quote this sentence, because it begins with a YAML special character".to_string());
    }
    Some("start it in the same column as the other items".to_string())
}
