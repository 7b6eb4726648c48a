//! A YAML document as a tree with positions.

use crate::source::Span;

#[derive(Debug, Clone)]
pub(crate) struct Node {
    pub span: Span,
    pub value: Value,
}

#[derive(Debug, Clone)]
pub(crate) enum Value {
    /// As written. Numbers and booleans stay text until a reader converts them: `password: 0123` keeps its zero.
    Scalar {
        text: String,
        plain: bool,
    },
    List(Vec<Node>),
    Map(Vec<(Key, Node)>),
}

#[derive(Debug, Clone)]
pub(crate) struct Key {
    pub text: String,
    pub span: Span,
}

impl Node {
    pub fn is_nothing(&self) -> bool {
        matches!(&self.value, Value::Scalar { text, plain: true }
            if matches!(text.as_str(), "" | "~" | "null" | "Null" | "NULL"))
    }

    /// How many levels are below this one.
    pub fn height(&self) -> usize {
        match &self.value {
            Value::Scalar { .. } => 0,
            Value::List(items) => 1 + items.iter().map(Node::height).max().unwrap_or(0),
            Value::Map(entries) => 1 + entries.iter().map(|(_, node)| node.height()).max().unwrap_or(0),
        }
    }

    /// How many values there are, this one included.
    pub fn size(&self) -> usize {
        match &self.value {
            Value::Scalar { .. } => 1,
            Value::List(items) => 1 + items.iter().map(Node::size).sum::<usize>(),
            Value::Map(entries) => 1 + entries.iter().map(|(_, node)| node.size()).sum::<usize>(),
        }
    }

    /// For messages: `the number 42`, `a list`.
    pub fn found(&self) -> String {
        match &self.value {
            _ if self.is_nothing() => "nothing".to_string(),
            Value::Scalar { text, plain: true } if is_number(text) => format!("the number {text}"),
            Value::Scalar { text, plain: true } if is_truth(text) => format!("the boolean `{text}`"),
            Value::Scalar { text, .. } => found_text(text),
            Value::List(_) => "a list".to_string(),
            Value::Map(_) => "a mapping".to_string(),
        }
    }

    /// A plain number or truth value is no text to people, even if it could be read as such.
    pub fn is_worded(&self) -> bool {
        match &self.value {
            Value::Scalar { text, plain } => {
                !self.is_nothing() && !(*plain && (is_number(text) || is_truth(text)))
            }
            Value::List(_) | Value::Map(_) => false,
        }
    }
}

pub(crate) fn found_text(text: &str) -> String {
    let short: String = text.lines().next().unwrap_or("").chars().take(40).collect();
    if text.trim().is_empty() {
        "empty text".to_string()
    } else if short.len() < text.trim_end().len() {
        format!("the text `{short}…`")
    } else {
        format!("the text `{short}`")
    }
}

fn is_number(text: &str) -> bool {
    text.starts_with(|letter: char| letter.is_ascii_digit() || matches!(letter, '-' | '+' | '.'))
        && text.parse::<f64>().is_ok_and(f64::is_finite)
}

fn is_truth(text: &str) -> bool {
    matches!(text, "true" | "True" | "TRUE" | "false" | "False" | "FALSE")
}
