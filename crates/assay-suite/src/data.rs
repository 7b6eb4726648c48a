//! The rows of a test: written in it, or in a file beside it.

use std::sync::Arc;

use crate::mistake::Mistake;
use crate::node::{Node, Value, found_text};
use crate::problem::Problems;
use crate::reader::{Naming, Reader, is_name};
use crate::source::{Source, Text};
use crate::yaml;

#[derive(Debug)]
pub(crate) enum DataDraft {
    Rows(Vec<Row>),
    File(Text),
}

/// The values of one row, by name.
pub(crate) type Row = Vec<(Text, Text)>;

impl Reader<'_> {
    pub fn data(&mut self, node: &Node) -> Option<DataDraft> {
        if let Value::List(_) = &node.value {
            return Some(DataDraft::Rows(self.rows(node)));
        }
        const EXPECTED: &str = "a list of rows, or a file that ends in .csv, .json, .yaml or .yml";
        if let Value::Map(_) = &node.value {
            self.expected(node, EXPECTED);
            return None;
        }
        let file = self.text(node, EXPECTED)?;
        if DataFormat::of(&file.value).is_none() {
            self.expected(node, EXPECTED);
            return None;
        }
        Some(DataDraft::File(file))
    }

    fn rows(&mut self, node: &Node) -> Vec<Row> {
        let items = self.list(node, "a list of rows");
        // A test without a row would never run and never be missed.
        if items.is_empty() && matches!(node.value, Value::List(_)) {
            self.problem(
                node.span,
                Mistake::Expected {
                    expected: "at least one row".to_string(),
                    found: "none".to_string(),
                    hint: None,
                },
            );
        }
        items
            .iter()
            .map(|item| self.named_texts(item, Naming::Replaceable, "a row: a mapping of names to values"))
            .collect()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum DataFormat {
    Csv,
    /// JSON is read as YAML, of which it is a part.
    Yaml,
}

impl DataFormat {
    fn of(path: &str) -> Option<Self> {
        let extension = path.rsplit_once('.')?.1.to_ascii_lowercase();
        match extension.as_str() {
            "csv" => Some(DataFormat::Csv),
            "json" | "yaml" | "yml" => Some(DataFormat::Yaml),
            _ => None,
        }
    }
}

/// The rows of a file of data.
pub(crate) fn read_rows(source: &Arc<Source>, problems: &mut Problems) -> Vec<Row> {
    if DataFormat::of(&source.path.to_string_lossy()) == Some(DataFormat::Csv) {
        return csv_rows(source, problems);
    }
    let before = problems.len();
    let documents = yaml::documents(source, problems);
    let mut reader = Reader { source: Arc::clone(source), problems, browsers: &[] };
    match documents.as_slice() {
        [document] => reader.rows(document),
        _ if reader.problems.len() > before => Vec::new(),
        documents => {
            let found = if documents.is_empty() { "nothing" } else { "several documents" };
            let mistake = Mistake::Expected {
                expected: "a list of rows".to_string(),
                found: found.to_string(),
                hint: None,
            };
            let span = reader.source.span(0, 0);
            reader.problem(span, mistake);
            Vec::new()
        }
    }
}

/// The first record names the columns; every other one is a row of as many values.
fn csv_rows(source: &Arc<Source>, problems: &mut Problems) -> Vec<Row> {
    let mut reader = Reader { source: Arc::clone(source), problems, browsers: &[] };
    let mut records = csv_records(&mut reader).into_iter();
    let expect = |expected: &str, found: String| Mistake::Expected {
        expected: expected.to_string(),
        found,
        hint: None,
    };
    let Some(header) = records.next() else {
        let span = reader.source.span(0, 0);
        reader.problem(span, expect("a line with the names of the columns", "nothing".to_string()));
        return Vec::new();
    };
    for name in &header {
        if !is_name(name.value.trim()) {
            let found = found_text(&name.value);
            reader.problem(name.span, expect("a name of letters, digits and `_`", found));
        }
    }
    let names: Vec<Text> =
        header.into_iter().map(|name| Text { value: name.value.trim().to_string(), ..name }).collect();
    for (index, name) in names.iter().enumerate() {
        if let Some(first) = names[..index].iter().find(|other| other.value == name.value) {
            let first_line = first.span.position.line;
            reader.problem(name.span, Mistake::DuplicateKey { key: name.value.clone(), first_line });
        }
    }
    let mut rows = Vec::new();
    for record in records {
        if record.len() != names.len() {
            let (expected, found) = (format!("{} values", names.len()), record.len().to_string());
            reader.problem(record[0].span, expect(&expected, found));
            continue;
        }
        rows.push(names.iter().cloned().zip(record).collect());
    }
    if rows.is_empty() {
        let span = reader.source.span(0, 0);
        reader.problem(span, expect("at least one row", "none".to_string()));
    }
    rows
}

/// Records of RFC 4180: commas, quotes that may hold commas and ends of lines, a doubled quote for a quote. A line
/// with nothing in it is no record. A record has at least one value.
fn csv_records(reader: &mut Reader<'_>) -> Vec<Vec<Text>> {
    let source = Arc::clone(&reader.source);
    let bytes = source.text.as_bytes();
    let mut records = Vec::new();
    let mut record: Vec<Text> = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        let value = if bytes[at] == b'"' {
            let mut end = at + 1;
            loop {
                match bytes.get(end) {
                    Some(b'"') if bytes.get(end + 1) == Some(&b'"') => end += 2,
                    Some(b'"') | None => break,
                    Some(_) => end += 1,
                }
            }
            let value = source.text[at + 1..end].replace("\"\"", "\"");
            at = (end + 1).min(bytes.len());
            let is_closed = end < bytes.len();
            if !is_closed || !matches!(bytes.get(at), None | Some(b',' | b'\r' | b'\n')) {
                let found = if is_closed { "text after it" } else { "the end of the file" };
                let mistake = Mistake::Expected {
                    expected: "a closing quote at the end of the value".to_string(),
                    found: found.to_string(),
                    hint: None,
                };
                reader.problem(source.span(start, start + 1), mistake);
                return records;
            }
            value
        } else {
            let length = bytes[at..].iter().position(|byte| matches!(byte, b',' | b'\n'));
            at = length.map_or(bytes.len(), |length| at + length);
            source.text[start..at].trim_end_matches('\r').to_string()
        };
        record.push(reader.text_of(value, source.span(start, at)));
        if bytes.get(at) == Some(&b'\r') {
            at += 1;
        }
        match bytes.get(at) {
            Some(b',') => {
                at += 1;
                if at == bytes.len() {
                    record.push(reader.text_of(String::new(), source.span(at, at)));
                }
            }
            _ => {
                at += 1;
                let is_blank = matches!(record.as_slice(), [only] if only.value.trim().is_empty());
                let whole = std::mem::take(&mut record);
                if !is_blank {
                    records.push(whole);
                }
            }
        }
    }
    if !record.is_empty() {
        records.push(record);
    }
    records
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str) -> (Vec<Vec<String>>, Vec<String>) {
        let source = Arc::new(Source::new("d.csv".into(), "d.csv".into(), text.to_string()));
        let mut problems = Problems::default();
        let rows = read_rows(&source, &mut problems);
        let values =
            |row: Row| row.into_iter().map(|(name, value)| format!("{}={}", name.value, value.value));
        (
            rows.into_iter().map(|row| values(row).collect()).collect(),
            problems.into_vec().iter().map(|problem| problem.mistake.to_string()).collect(),
        )
    }

    #[test]
    fn quotes_hold_commas_lines_and_quotes() {
        let (rows, problems) = rows("a, b\r\n1,\"x, \"\"y\"\"\nz\"\r\n\n2,\n");
        assert_eq!(problems, [""; 0]);
        assert_eq!(rows, [["a=1", "b=x, \"y\"\nz"], ["a=2", "b="]]);
    }

    #[test]
    fn the_last_value_may_be_empty_and_the_last_line_may_lack_its_end() {
        assert_eq!(rows("a,b\n1,").0, [["a=1", "b="]]);
    }

    #[test]
    fn a_row_of_another_length_is_a_mistake() {
        assert_eq!(
            rows("a,b\n1\n").1,
            ["expected 2 values, found 1", "expected at least one row, found none"]
        );
        assert_eq!(
            rows("a\n\"1\n").1,
            [
                "expected a closing quote at the end of the value, found the end of the file",
                "expected at least one row, found none"
            ]
        );
        assert_eq!(rows("").1, ["expected a line with the names of the columns, found nothing"]);
        assert_eq!(rows("a a\n1\n").1, ["expected a name of letters, digits and `_`, found the text `a a`"]);
    }
}
