//! Adds members to an object in braces, and takes them out so that nothing tells they were there.
//!
//! Serves JSON, and what TOML and YAML write in braces. Knows commas, comments and blanks; the rest it copies.
//!
//! How a member was put in tells what was there before, so that no notes are needed to take it out:
//! `{ M }` was `{}`; `{M}` and a member on several lines were put into a table that was made for them.

use std::ops::Range;

use crate::catalogue::Format;
use crate::edit::{Edit, indent, line_break};
use crate::entry::Plain;
use crate::render::{self, Layout};
use crate::tree::{Member, Node};

/// An object in braces: its members, and the text that they stand in.
pub(crate) struct Braces<'a> {
    pub text: &'a str,
    pub format: Format,
    pub span: Range<usize>,
    pub members: &'a [Member],
    /// What one level is indented by.
    pub unit: &'a str,
}

/// A piece of what stands between members.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Trivia {
    Blank,
    LineComment,
    BlockComment,
    Comma,
    /// A colon, or anything else that a parser let pass.
    Other,
}

impl<'a> Braces<'a> {
    pub fn new(
        text: &'a str,
        format: Format,
        node: &Node,
        members: &'a [Member],
        unit: &'a str,
    ) -> Braces<'a> {
        Braces { text, format, span: node.span.clone(), members, unit }
    }

    fn open(&self) -> usize {
        self.span.start + 1
    }

    fn close(&self) -> usize {
        self.span.end - 1
    }

    /// The edits that add a member at the end.
    pub fn add(&self, name: &str, plain: &Plain) -> Vec<Edit> {
        match self.members.last() {
            Some(last) => self.add_behind(last, name, plain),
            None => vec![self.add_first(name, plain)],
        }
    }

    fn add_first(&self, name: &str, plain: &Plain) -> Edit {
        let inside = &self.text[self.open()..self.close()];
        let member = render::member(name, plain, self.format, &Layout::LINE);
        let text = if inside.is_empty() {
            format!(" {member} ")
        } else if inside.contains('\n') && self.format != Format::Toml {
            let outer = indent(self.text, self.span.start);
            format!("{}{outer}{}{member}", line_break(self.text), self.unit)
        } else {
            member
        };
        Edit::insert(self.open(), text)
    }

    fn add_behind(&self, last: &Member, name: &str, plain: &Plain) -> Vec<Edit> {
        let end = last.node.span.end;
        let before = match self.members.len() {
            0 | 1 => self.open(),
            count => self.members[count - 2].node.span.end,
        };
        let line_break = line_break(self.text);
        let is_spread = self.text[before..last.key_span.start].contains('\n');
        let is_tight = self.format == Format::Json
            && !is_spread
            && self.text[last.key_span.end..last.node.span.start].trim_matches([' ', '\t']) == ":"
            && !self.text[last.key_span.end..last.node.span.start].ends_with(' ');

        let trivia = self.trivia(end..self.close());
        let comma = trivia.iter().find(|(kind, _)| *kind == Trivia::Comma).map(|(_, range)| range.end);
        // A comment on the line of the last member is about that member, and stays with it.
        let mut at = comma.unwrap_or(end);
        let mut after_comment = false;
        for (kind, range) in trivia.iter().filter(|(_, range)| range.start >= comma.unwrap_or(end)) {
            match kind {
                Trivia::Blank if self.text[range.clone()].contains('\n') => break,
                Trivia::LineComment | Trivia::BlockComment => {
                    at = range.end;
                    after_comment = *kind == Trivia::LineComment;
                }
                Trivia::Blank | Trivia::Comma | Trivia::Other => {}
            }
        }
        let own_line = is_spread || after_comment;
        let indent = indent(self.text, last.key_span.start);
        let layout = if is_spread && self.format != Format::Toml {
            Layout::Spread { indent: indent.to_string(), unit: self.unit.to_string(), line_break }
        } else {
            Layout::Line { blank: if is_tight { "" } else { " " } }
        };
        let lead = match (own_line, is_tight) {
            (true, _) => format!("{line_break}{indent}"),
            (false, true) => String::new(),
            (false, false) => " ".to_string(),
        };
        let member = render::member(name, plain, self.format, &layout);
        match comma {
            Some(_) => vec![Edit::insert(at, format!("{lead}{member},"))],
            None => vec![Edit::insert(end, ","), Edit::insert(at, format!("{lead}{member}"))],
        }
    }

    /// The edits that take a member out: the inverse of [`Braces::add`], and as near to it as can be for a member that
    /// somebody else wrote.
    pub fn remove(&self, index: usize) -> Vec<Edit> {
        let member = &self.members[index];
        let before = index.checked_sub(1).map_or(self.open(), |index| self.members[index].node.span.end);
        let after = self.members.get(index + 1).map_or(self.close(), |next| next.key_span.start);
        let (begin, end) = (member.key_span.start, member.node.span.end);
        let (lead, trail) = (self.trivia(before..begin), self.trivia(end..after));
        let blank = match lead.last() {
            Some((Trivia::Blank, range)) => range.start,
            _ => begin,
        };
        let comma = |trivia: &[(Trivia, Range<usize>)]| {
            trivia.iter().find(|(kind, _)| *kind == Trivia::Comma).map(|(_, range)| range.clone())
        };
        if self.members.len() == 1 && &self.text[before..begin] == " " && &self.text[end..after] == " " {
            return vec![Edit::delete(before..after)];
        }
        let stays_in_place = |comma: &Range<usize>| match self.text[blank..begin].contains('\n') {
            true => self.has_comment_behind(comma.end, after),
            false => index == 0,
        };
        let mut edits = match comma(&trail) {
            // What stands behind it on its line takes its place: a comment must not slip behind the member before.
            Some(comma) if stays_in_place(&comma) => {
                let rest = &self.text[comma.end..];
                let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
                return vec![Edit::delete(begin..end), Edit::delete(comma.start..comma.end + blanks)];
            }
            Some(comma) => vec![Edit::delete(comma)],
            None => comma(&lead).map(Edit::delete).into_iter().collect(),
        };
        edits.push(Edit::delete(blank..end));
        edits
    }

    /// Whether a comment follows on the same line.
    fn has_comment_behind(&self, from: usize, to: usize) -> bool {
        self.trivia(from..to)
            .iter()
            .take_while(|(kind, range)| *kind != Trivia::Blank || !self.text[range.clone()].contains('\n'))
            .any(|(kind, _)| matches!(kind, Trivia::LineComment | Trivia::BlockComment))
    }

    /// Whether the object looks as if it had been made for its only member.
    pub fn is_made_for_one(&self) -> bool {
        let [member] = self.members else { return false };
        let lead = &self.text[self.open()..member.key_span.start];
        let trail = &self.text[member.node.span.end..self.close()];
        let is_tight = lead.is_empty() && trail.is_empty();
        let breaks = |text: &str| text.contains('\n') && text.trim().is_empty();
        is_tight || (breaks(lead) && breaks(trail) && self.text[member.node.span.clone()].contains('\n'))
    }

    fn trivia(&self, range: Range<usize>) -> Vec<(Trivia, Range<usize>)> {
        let mut found = Vec::new();
        let mut at = range.start;
        while at < range.end {
            let rest = &self.text[at..range.end];
            let blank = rest.len() - rest.trim_start_matches([' ', '\t', '\r', '\n', '\u{feff}']).len();
            let (kind, length) = if blank > 0 {
                (Trivia::Blank, blank)
            } else if rest.starts_with(',') {
                (Trivia::Comma, 1)
            } else if rest.starts_with("/*") && self.format == Format::Json {
                (Trivia::BlockComment, rest.find("*/").map_or(rest.len(), |end| end + 2))
            } else if rest.starts_with("//") && self.format == Format::Json
                || rest.starts_with('#') && self.format != Format::Json
            {
                (Trivia::LineComment, rest.find(['\r', '\n']).unwrap_or(rest.len()))
            } else {
                (Trivia::Other, rest.chars().next().map_or(1, char::len_utf8))
            };
            found.push((kind, at..at + length));
            at += length;
        }
        found
    }
}
