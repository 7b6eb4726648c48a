//! Text with marks that are filled from what was sent and what is kept.
//!
//! | mark | gives |
//! |---|---|
//! | `[[name]]` | the value that was sent under this name, otherwise the last one that is kept |
//! | `[[count name]]` | how many values are kept |
//! | `[[json name]]` | the kept values as a JSON array of strings |
//! | `[[each name]] … [[end]]` | the inside once for each kept value, which is `[[it]]` there; parts that are separated by bars are `[[it.1]]`, `[[it.2]]` |
//! | `[[if name]] … [[end]]`, `[[unless name]] … [[end]]` | the inside when there is such a value, or none |

use super::memory::Memory;
use super::mistake::Complaint;
use crate::{Params, json_string};

/// Text that was read once, so that a broken mark is told when the corpus is loaded.
#[derive(Debug, Clone, Default)]
pub(super) struct Template(Vec<Piece>);

#[derive(Debug, Clone)]
enum Piece {
    Text(String),
    Value(String),
    Count(String),
    Json(String),
    Each(String, Template),
    When { name: String, present: bool, inside: Template },
}

/// How a value is written where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Escape {
    Html,
    /// Inside a JSON string, whose quotes the template has.
    Json,
    Plain,
}

/// What marks are filled from.
pub(super) struct Source<'s> {
    pub sent: &'s Params,
    pub kept: &'s Memory,
}

impl Source<'_> {
    pub fn value(&self, name: &str) -> Option<&str> {
        self.sent.get(name).or_else(|| self.kept.last(name))
    }
}

impl Template {
    pub fn parse(text: &str) -> Result<Template, Complaint> {
        let mut rest = text;
        let template = inside(&mut rest, None)?;
        Ok(template)
    }

    pub fn fill(&self, source: &Source<'_>, escape: Escape) -> String {
        let mut out = String::new();
        self.write(source, escape, None, &mut out);
        out
    }

    fn write(&self, source: &Source<'_>, escape: Escape, it: Option<&str>, out: &mut String) {
        for piece in &self.0 {
            match piece {
                Piece::Text(text) => out.push_str(text),
                Piece::Value(name) => {
                    let value = match (name.as_str(), it) {
                        ("it", Some(it)) => it,
                        (name, Some(it)) if name.starts_with("it.") => part(it, &name[3..]),
                        (name, _) => source.value(name).unwrap_or_default(),
                    };
                    out.push_str(&escaped(value, escape));
                }
                Piece::Count(name) => out.push_str(&source.kept.all(name).len().to_string()),
                Piece::Json(name) => {
                    let values: Vec<String> =
                        source.kept.all(name).iter().map(|value| json_string(value)).collect();
                    out.push_str(&format!("[{}]", values.join(",")));
                }
                Piece::Each(name, inside) => {
                    for value in source.kept.all(name) {
                        inside.write(source, escape, Some(value), out);
                    }
                }
                Piece::When { name, present, inside } => {
                    if source.value(name).is_some_and(|value| !value.is_empty()) == *present {
                        inside.write(source, escape, it, out);
                    }
                }
            }
        }
    }
}

/// Reads up to the end of `block`, or of the text when there is none.
fn inside(rest: &mut &str, block: Option<&str>) -> Result<Template, Complaint> {
    let mut pieces = Vec::new();
    while let Some(start) = rest.find("[[") {
        let after = &rest[start + 2..];
        let length = after.find("]]").ok_or_else(|| Complaint::OpenMark { text: line_of(&rest[start..]) })?;
        let mark = after[..length].trim();
        pieces.push(Piece::Text(rest[..start].to_owned()));
        *rest = &after[length + 2..];
        let (word, name) = mark.split_once(' ').map_or((mark, ""), |(word, name)| (word, name.trim()));
        let name = name.to_owned();
        pieces.push(match word {
            "end" if block.is_some() => return Ok(Template(pieces)),
            "end" => return Err(Complaint::LoneEnd),
            "each" => Piece::Each(name, inside(rest, Some(mark))?),
            "if" => Piece::When { name, present: true, inside: inside(rest, Some(mark))? },
            "unless" => Piece::When { name, present: false, inside: inside(rest, Some(mark))? },
            "count" => Piece::Count(name),
            "json" => Piece::Json(name),
            _ => Piece::Value(mark.to_owned()),
        });
    }
    match block {
        Some(mark) => Err(Complaint::NoEnd { mark: mark.to_owned() }),
        None => {
            pieces.push(Piece::Text((*rest).to_owned()));
            Ok(Template(pieces))
        }
    }
}

/// The part of `a|b|c` with this number, from 1.
fn part<'v>(value: &'v str, number: &str) -> &'v str {
    let index = number.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    index.and_then(|index| value.split('|').nth(index)).unwrap_or_default()
}

fn escaped(value: &str, escape: Escape) -> String {
    match escape {
        Escape::Plain => value.to_owned(),
        Escape::Json => {
            let quoted = json_string(value);
            quoted[1..quoted.len() - 1].to_owned()
        }
        Escape::Html => {
            let value = value.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
            value.replace('"', "&quot;").replace('\'', "&#39;")
        }
    }
}

fn line_of(text: &str) -> String {
    text.lines().next().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(template: &str, escape: Escape, expected: &str) {
        let sent = Params::parse("q=a%26b&empty=");
        let mut kept = Memory::default();
        for (name, value) in [("q", "old"), ("note", "Milk"), ("note", "\"Tea\""), ("row", "7|Lamp")] {
            kept.add(name, value);
        }
        let actual = match Template::parse(template) {
            Ok(template) => template.fill(&Source { sent: &sent, kept: &kept }, escape),
            Err(complaint) => complaint.to_string(),
        };
        assert_eq!(actual, expected);
    }

    #[test]
    fn what_was_sent_comes_before_what_is_kept() {
        check("<p>[[q]]</p>[[note]][[unknown]]", Escape::Html, "<p>a&amp;b</p>&quot;Tea&quot;");
    }

    #[test]
    fn kept_values_are_repeated_counted_and_listed() {
        check("[[each note]]<li>[[it]]</li>[[end]]", Escape::Plain, "<li>Milk</li><li>\"Tea\"</li>");
        check("[[each row]][[it.2]] ([[it.1]])[[it.3]][[end]]", Escape::Plain, "Lamp (7)");
        check("[[count note]] of [[json note]]", Escape::Plain, r#"2 of ["Milk","\"Tea\""]"#);
    }

    #[test]
    fn parts_depend_on_values() {
        check(
            "[[if note]]yes[[end]][[if empty]]no[[end]][[unless gone]]none[[end]]",
            Escape::Plain,
            "yesnone",
        );
    }

    #[test]
    fn values_are_escaped_where_they_stand() {
        check(r#"{"note": "[[note]]"}"#, Escape::Json, r#"{"note": "\"Tea\""}"#);
    }

    #[test]
    fn a_broken_mark_is_told() {
        check("a [[b", Escape::Plain, "`[[` without `]]` in `[[b`");
        check("[[each note]]x", Escape::Plain, "`[[each note]]` has no `[[end]]`");
        check("x[[end]]", Escape::Plain, "`[[end]]` ends nothing");
    }
}
