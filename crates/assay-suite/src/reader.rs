//! Reads values from a tree: each reader returns the value, or says what it expected and what it found.

use std::sync::Arc;
use std::time::Duration;

use crate::mistake::Mistake;
use crate::nearest::nearest;
use crate::node::{Key, Node, Value, found_text};
use crate::problem::{Problem, Problems};
use crate::source::{Source, Span, Text};

/// Reads the trees of one file and collects their mistakes.
pub(crate) struct Reader<'a> {
    pub source: Arc<Source>,
    pub problems: &'a mut Problems,
    /// The browsers that a file may name.
    pub browsers: &'a [&'a str],
}

/// The entries of a mapping whose keys are all known.
pub(crate) struct Fields<'n> {
    entries: &'n [(Key, Node)],
}

impl<'n> Fields<'n> {
    /// The value of a key. A key without a value counts as present: its reader says what it expected.
    pub fn get(&self, name: &str) -> Option<&'n Node> {
        self.entries.iter().find(|(key, _)| key.text == name).map(|(_, node)| node)
    }

    pub fn key(&self, name: &str) -> Option<&'n Key> {
        self.entries.iter().find(|(key, _)| key.text == name).map(|(key, _)| key)
    }
}

impl Reader<'_> {
    pub fn problem(&mut self, span: Span, mistake: Mistake) {
        // A long line makes a costly excerpt.
        if !self.problems.is_full() {
            self.problems.push(Problem::at(&self.source, span, mistake));
        }
    }

    pub fn expected(&mut self, node: &Node, expected: &str) {
        let mistake = Mistake::Expected { expected: expected.to_string(), found: node.found(), hint: None };
        self.problem(node.span, mistake);
    }

    /// A mapping lacks keys that it needs.
    pub fn lacking(&mut self, node: &Node, expected: &str) {
        let Value::Map(entries) = &node.value else { return self.expected(node, expected) };
        let keys: Vec<String> = entries.iter().map(|(key, _)| format!("`{}`", key.text)).collect();
        let found = if keys.is_empty() { "nothing".to_string() } else { keys.join(", ") };
        self.problem(node.span, Mistake::Expected { expected: expected.to_string(), found, hint: None });
    }

    pub fn text_of(&self, value: String, span: Span) -> Text {
        Text { value, span, source: Arc::clone(&self.source) }
    }

    /// A mapping with known keys only; every unknown key is reported with the nearest known one.
    pub fn fields<'n>(
        &mut self,
        node: &'n Node,
        known: &[&'static str],
        expected: &str,
    ) -> Option<Fields<'n>> {
        let Value::Map(entries) = &node.value else {
            self.expected(node, expected);
            return None;
        };
        for (key, _) in entries {
            if self.problems.is_full() {
                break;
            }
            if !known.contains(&key.text.as_str()) {
                let mistake = Mistake::UnknownKey {
                    key: key.text.clone(),
                    nearest: nearest(&key.text, known.iter().copied()),
                    known: known.iter().map(|name| name.to_string()).collect(),
                };
                self.problem(key.span, mistake);
            }
        }
        Some(Fields { entries })
    }

    /// Text of one value, numbers and truth values as they are written.
    pub fn scalar(&mut self, node: &Node, expected: &str) -> Option<Text> {
        if let Some(lost) = self.lost_in_comment(node) {
            self.problem(lost, Mistake::LostInComment { lost: self.source.slice(lost).to_string() });
            return None;
        }
        match &node.value {
            Value::Scalar { text, .. } if !node.is_nothing() => Some(self.text_of(text.clone(), node.span)),
            _ => {
                self.expected(node, expected);
                None
            }
        }
    }

    /// `run: click #submit` ends before the `#` for YAML: half of it would be carried out. A comment that is meant as
    /// one has a blank after its `#`.
    pub fn lost_in_comment(&self, node: &Node) -> Option<Span> {
        let Value::Scalar { plain: true, .. } = &node.value else { return None };
        let written = self.source.slice(node.span);
        let end = node.span.start + written.trim_end().len();
        let rest = self.source.text.get(end..)?;
        // A value that is nothing but the comment begins at its colon.
        let rest = if node.is_nothing() { rest.trim_start_matches(':') } else { rest };
        let comment = rest.trim_start_matches([' ', '\t']);
        let is_lost = comment.strip_prefix('#').is_some_and(|after| {
            after.starts_with(|letter: char| !letter.is_whitespace() && letter != '#' && letter != '!')
        });
        is_lost.then(|| {
            let start = self.source.text.len() - comment.len();
            let length = comment.lines().next().unwrap_or("").trim_end().len();
            self.source.span(start, start + length)
        })
    }

    /// Text that says something.
    pub fn text(&mut self, node: &Node, expected: &str) -> Option<Text> {
        let text = self.scalar(node, expected)?;
        if text.value.trim().is_empty() {
            self.expected(node, expected);
            return None;
        }
        Some(Text { value: text.value.trim().to_string(), ..text })
    }

    /// A list, or one value that stands for a list of one.
    pub fn texts(&mut self, node: &Node, expected: &str) -> Vec<Text> {
        match &node.value {
            Value::List(items) => items.iter().filter_map(|item| self.text(item, expected)).collect(),
            _ => self.text(node, expected).into_iter().collect(),
        }
    }

    pub fn list<'n>(&mut self, node: &'n Node, expected: &str) -> &'n [Node] {
        match &node.value {
            Value::List(items) => items,
            _ => {
                self.expected(node, expected);
                &[]
            }
        }
    }

    pub fn entries<'n>(&mut self, node: &'n Node, expected: &str) -> &'n [(Key, Node)] {
        match &node.value {
            Value::Map(entries) => entries,
            _ => {
                self.expected(node, expected);
                &[]
            }
        }
    }

    /// A mapping of free names to text, such as `variables`. `Naming` says what a name may be.
    pub fn named_texts(&mut self, node: &Node, naming: Naming, expected: &str) -> Vec<(Text, Text)> {
        let mut pairs = Vec::new();
        for (key, value) in self.entries(node, expected) {
            let name = self.name(key, naming);
            let value = self.scalar(value, "text, a number or a boolean");
            if let (Some(name), Some(value)) = (name, value) {
                pairs.push((name, value));
            }
        }
        pairs
    }

    pub fn name(&mut self, key: &Key, naming: Naming) -> Option<Text> {
        let fits = match naming {
            Naming::Replaceable => is_name(&key.text),
            Naming::Free => !key.text.trim().is_empty(),
        };
        if !fits {
            let expected = "a name of letters, digits and `_`".to_string();
            self.problem(key.span, Mistake::Expected { expected, found: found_text(&key.text), hint: None });
            return None;
        }
        Some(self.text_of(key.text.clone(), key.span))
    }

    /// One of a closed list of words.
    pub fn one_of<T: Copy>(&mut self, node: &Node, what: &'static str, words: &[(&str, T)]) -> Option<T> {
        let text = self.text(node, &format!("a {what}"))?;
        if let Some((_, value)) = words.iter().find(|(word, _)| *word == text.value) {
            return Some(*value);
        }
        let mistake = Mistake::UnknownValue {
            what,
            nearest: nearest(&text.value, words.iter().map(|(word, _)| *word)),
            found: text.value,
            valid: words.iter().map(|(word, _)| word.to_string()).collect(),
        };
        self.problem(node.span, mistake);
        None
    }

    pub fn whole_number(&mut self, node: &Node, least: u64, most: u64) -> Option<u64> {
        let number = match &node.value {
            Value::Scalar { text, .. } => text.parse::<u64>().ok(),
            Value::List(_) | Value::Map(_) => None,
        };
        match number {
            Some(number) if (least..=most).contains(&number) => Some(number),
            _ => {
                self.expected(node, &format!("a whole number from {least} to {most}"));
                None
            }
        }
    }

    /// A number above nothing.
    pub fn amount(&mut self, node: &Node, expected: &str) -> Option<f64> {
        let number = match &node.value {
            Value::Scalar { text, .. } => text.parse::<f64>().ok(),
            Value::List(_) | Value::Map(_) => None,
        };
        match number {
            Some(number) if number.is_finite() && number > 0.0 => Some(number),
            _ => {
                self.expected(node, expected);
                None
            }
        }
    }

    /// `30s`, `2m`, `500ms`, `1h`, or a number of seconds.
    pub fn duration(&mut self, node: &Node) -> Option<Duration> {
        let duration = match &node.value {
            Value::Scalar { text, .. } => duration(text),
            Value::List(_) | Value::Map(_) => None,
        };
        if duration.is_none() {
            self.expected(node, "a time such as `30s`, `2m` or a number of seconds, up to `24h`");
        }
        duration
    }
}

/// The allowed keys of a mapping.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Naming {
    /// It can stand in `${…}`.
    Replaceable,
    Free,
}

pub(crate) fn is_name(text: &str) -> bool {
    text.starts_with(|letter: char| letter.is_ascii_alphabetic() || letter == '_')
        && text.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}

const LONGEST: f64 = 24.0 * 3600.0;

fn duration(text: &str) -> Option<Duration> {
    let text = text.trim();
    let digits = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let unit = match text[digits.len()..].to_ascii_lowercase().as_str() {
        "ms" => 0.001,
        "" | "s" | "sec" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return None,
    };
    let seconds = digits.trim_end().parse::<f64>().ok()? * unit;
    // Below a millisecond nothing can be done in time.
    (0.001..=LONGEST).contains(&seconds).then(|| Duration::from_secs_f64(seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units_or_are_seconds() {
        let ms = |text| duration(text).map(|time| time.as_millis());
        assert_eq!(ms("30s"), Some(30_000));
        assert_eq!(ms("2m"), Some(120_000));
        assert_eq!(ms("1.5"), Some(1500));
        assert_eq!(ms("250 ms"), Some(250));
        assert_eq!(ms("1h"), Some(3_600_000));
        for wrong in ["", "s", "0", "-1s", "1d", "25h", "inf", "NaN", "1e400", "ten"] {
            assert_eq!(ms(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn names_are_those_that_can_stand_in_braces() {
        assert!(is_name("email") && is_name("_x1"));
        assert!(!is_name("1x") && !is_name("") && !is_name("first name") && !is_name("é"));
    }
}
