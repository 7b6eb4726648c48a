//! The shape of a text that varies by itself: what stays, and of which kind the parts are that change.
//!
//! A shape is made from two texts that were seen at the same place of the same build. Only parts that differed are left
//! open, and each stays open for its own kind only: where a number changed, a word is still a difference.

use std::fmt;
use std::sync::OnceLock;

use regex_lite::Regex;
use serde::{Deserialize, Serialize};

/// The kinds of parts that vary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PartKind {
    /// A date with a time.
    Moment,
    Date,
    Time,
    /// `3 minutes ago`.
    Age,
    Weekday,
    Uuid,
    /// Letters and digits as machines give out.
    Id,
    /// With so many decimals.
    Number(usize),
    Word,
    /// Any text.
    Text,
}

impl PartKind {
    fn is_of_time(self) -> bool {
        matches!(self, PartKind::Moment | PartKind::Date | PartKind::Time | PartKind::Age | PartKind::Weekday)
    }
}

impl fmt::Display for PartKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            PartKind::Moment => "moment",
            PartKind::Date => "date",
            PartKind::Time => "time",
            PartKind::Age => "age",
            PartKind::Weekday => "weekday",
            PartKind::Uuid => "uuid",
            PartKind::Id => "id",
            PartKind::Number(_) => "number",
            PartKind::Word => "word",
            PartKind::Text => "text",
        })
    }
}

/// One part of a shape.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Piece {
    Stays(String),
    Varies(PartKind),
}

/// A text with parts left open: `Order <number> of <date>`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Shape(Vec<Piece>);

impl Shape {
    /// The shape that two texts have in common.
    pub fn of(one: &str, other: &str) -> Shape {
        let (first, second) = (parts_of(one), parts_of(other));
        if first.len() == second.len()
            && let Some(pieces) =
                first.iter().zip(&second).map(|(a, b)| common(a, b)).collect::<Option<Vec<_>>>()
        {
            return Shape(with_whole_moments(pieces, &first));
        }
        let ahead = first.iter().zip(&second).take_while(|(a, b)| a == b).count();
        let (left, right) = (&first[ahead..], &second[ahead..]);
        let behind = left.iter().rev().zip(right.iter().rev()).take_while(|(a, b)| a == b).count();
        let stays = |part: &Part| Piece::Stays(part.text.clone());
        let mut pieces: Vec<Piece> = first[..ahead].iter().map(stays).collect();
        pieces.push(Piece::Varies(PartKind::Text));
        pieces.extend(first[first.len() - behind..].iter().map(stays));
        Shape(pieces)
    }

    /// Whether the text is of this shape.
    pub fn fits(&self, text: &str) -> bool {
        let parts = parts_of(text);
        let open = self.0.iter().position(|piece| *piece == Piece::Varies(PartKind::Text));
        let Some(open) = open else { return all_fit(&self.0, &parts) };
        let (ahead, behind) = (&self.0[..open], &self.0[open + 1..]);
        parts.len() >= ahead.len() + behind.len()
            && all_fit(ahead, &parts[..ahead.len()])
            && all_fit(behind, &parts[parts.len() - behind.len()..])
    }

    pub fn pieces(&self) -> &[Piece] {
        &self.0
    }

    /// Whether it says nothing about what is there.
    pub fn is_any_text(&self) -> bool {
        self.0 == [Piece::Varies(PartKind::Text)]
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for piece in &self.0 {
            match piece {
                Piece::Stays(text) => f.write_str(text)?,
                Piece::Varies(kind) => write!(f, "<{kind}>")?,
            }
        }
        Ok(())
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Part {
    /// None for blanks and signs, which never vary alone.
    kind: Option<PartKind>,
    text: String,
}

fn common(one: &Part, other: &Part) -> Option<Piece> {
    if one.text == other.text {
        return Some(Piece::Stays(one.text.clone()));
    }
    use PartKind::{Id, Number, Word};
    let kind = match (one.kind?, other.kind?) {
        (a, b) if a == b => a,
        // An id may happen to have no letters, or no digits.
        (Id, Number(0)) | (Number(0), Id) => Id,
        (Id, Word) | (Word, Id) if one.text.chars().count() == other.text.chars().count() => Id,
        _ => return None,
    };
    Some(Piece::Varies(kind))
}

/// Where one part of a moment has changed, the others change at midnight.
fn with_whole_moments(mut pieces: Vec<Piece>, parts: &[Part]) -> Vec<Piece> {
    let changes = pieces.iter().any(|piece| matches!(piece, Piece::Varies(kind) if kind.is_of_time()));
    if changes {
        for (piece, part) in pieces.iter_mut().zip(parts) {
            if let Some(kind) = part.kind.filter(|kind| kind.is_of_time()) {
                *piece = Piece::Varies(kind);
            }
        }
    }
    pieces
}

fn all_fit(pieces: &[Piece], parts: &[Part]) -> bool {
    pieces.len() == parts.len() && pieces.iter().zip(parts).all(|(piece, part)| fits(piece, part))
}

fn fits(piece: &Piece, part: &Part) -> bool {
    match piece {
        Piece::Stays(text) => *text == part.text,
        Piece::Varies(PartKind::Id) => {
            matches!(part.kind, Some(PartKind::Id | PartKind::Uuid | PartKind::Number(0) | PartKind::Word))
        }
        Piece::Varies(kind) => part.kind == Some(*kind),
    }
}

const MONTH: &str = "(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|januar|februar|märz|mai|juni|juli|oktober|dezember)";
const WEEKDAY: &str = "(?:mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:rs(?:day)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)";

struct Patterns {
    kinds: Vec<(PartKind, Regex)>,
    number: Regex,
}

/// In order: the first that begins here is it. Each ends where no letter or digit follows.
fn patterns() -> &'static Patterns {
    static PATTERNS: OnceLock<Patterns> = OnceLock::new();
    PATTERNS.get_or_init(|| {
        let day = format!(
            r"(?:\d{{4}}-\d{{2}}-\d{{2}}|\d{{1,2}}[./]\d{{1,2}}[./]\d{{2,4}}|\d{{1,2}}\.? {MONTH}\.?,? \d{{4}}|{MONTH}\.? \d{{1,2}},? \d{{4}})"
        );
        let time = r"(?:\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?: ?[ap]\.?m\.?)?(?:Z| ?(?:UTC|GMT)| ?[+-]\d{2}:?\d{2})?)";
        let made = |kind: PartKind, pattern: String| {
            let whole = format!(r"(?i)^{pattern}(?:$|[^0-9A-Za-z])");
            let regex = Regex::new(&whole).expect("the patterns are written here and are valid");
            (kind, regex)
        };
        let plain = |pattern: &str| Regex::new(pattern).expect("the patterns are written here and are valid");
        Patterns {
            kinds: vec![
                made(PartKind::Moment, format!("({day}(?:[T ]|, ?| at | um ){time})")),
                made(PartKind::Date, format!("({day})")),
                made(PartKind::Time, format!("({time})")),
                made(PartKind::Age, r"((?:\d+|an?|one|a few) (?:seconds?|minutes?|hours?|days?|weeks?|months?|years?) ago|just now)".to_string()),
                made(PartKind::Weekday, format!("({WEEKDAY})")),
                made(PartKind::Uuid, r"([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})".to_string()),
            ],
            number: plain(r"^\d+(?:[.,]\d+)*"),
        }
    })
}

fn parts_of(text: &str) -> Vec<Part> {
    let patterns = patterns();
    let mut parts = Vec::new();
    let mut rest = text;
    let mut before: Option<char> = None;
    while let Some(first) = rest.chars().next() {
        let begins = !before.is_some_and(char::is_alphanumeric);
        let known = begins
            .then(|| {
                patterns.kinds.iter().find_map(|(kind, regex)| {
                    let found = regex.captures(rest)?.get(1)?;
                    Some((Some(*kind), found.as_str()))
                })
            })
            .flatten();
        let (kind, taken) = known.unwrap_or_else(|| plain_part(patterns, rest, first));
        before = taken.chars().last();
        parts.push(Part { kind, text: taken.to_string() });
        rest = &rest[taken.len()..];
    }
    parts
}

fn plain_part<'a>(patterns: &Patterns, rest: &'a str, first: char) -> (Option<PartKind>, &'a str) {
    let run_of =
        |is_part: fn(char) -> bool| &rest[..rest.find(|letter| !is_part(letter)).unwrap_or(rest.len())];
    let blanks = run_of(char::is_whitespace);
    if !blanks.is_empty() {
        return (None, blanks);
    }
    let word = run_of(|letter| letter.is_alphanumeric() || letter == '_');
    let number = patterns.number.find(rest).map(|found| found.as_str()).unwrap_or_default();
    if !number.is_empty() && number.len() >= word.len() {
        let decimals = number.rfind(['.', ',']).map_or(0, |at| number.len() - at - 1);
        return (Some(PartKind::Number(decimals)), number);
    }
    if word.is_empty() {
        return (None, &rest[..first.len_utf8()]);
    }
    let has_digits = word.chars().any(|letter| letter.is_ascii_digit());
    (Some(if has_digits { PartKind::Id } else { PartKind::Word }), word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(one: &str, other: &str, shape: &str, fits: &[&str], fits_not: &[&str]) {
        let made = Shape::of(one, other);
        assert_eq!(made.to_string(), shape);
        assert!(made.fits(one) && made.fits(other), "{made} is the shape of `{one}` and `{other}`");
        for text in fits {
            assert!(made.fits(text), "`{text}` is a {made}");
        }
        for text in fits_not {
            assert!(!made.fits(text), "`{text}` is no {made}");
        }
    }

    #[test]
    fn counters_may_grow_and_nothing_else_may_change() {
        check(
            "Order 1041 placed",
            "Order 1042 placed",
            "Order <number> placed",
            &["Order 9 placed"],
            &[
                "Order 1043 sent",
                "Orders 1043 placed",
                "Order placed",
                "Order 10.43 placed",
                "Order ab12 placed",
            ],
        );
    }

    #[test]
    fn amounts_keep_their_decimals() {
        check(
            "Total 12.50 €",
            "Total 9.90 €",
            "Total <number> €",
            &["Total 1,112.50 €"],
            &["Total 12 €", "Total 12.50 $"],
        );
    }

    #[test]
    fn a_time_may_pass_midnight() {
        check(
            "19 Nov 2026, 23:59:58",
            "19 Nov 2026, 23:59:59",
            "<moment>",
            &["20 Nov 2026, 00:00:01"],
            &["soon", "23:59"],
        );
        check(
            "Saved at 12:01",
            "Saved at 12:02",
            "Saved at <time>",
            &["Saved at 1:15 pm"],
            &["Saved at noon"],
        );
        check(
            "2026-11-19T05:01:22Z",
            "2026-11-19T05:01:23Z",
            "<moment>",
            &["2027-01-01T00:00:00Z"],
            &["2027-01-01"],
        );
        check(
            "On 19.11.2026 until 12:00",
            "On 19.11.2026 until 12:05",
            "On <date> until <time>",
            &[],
            &["On Monday until 12:00"],
        );
        check("5 seconds ago", "8 seconds ago", "<age>", &["1 minute ago", "just now"], &["8 seconds left"]);
    }

    #[test]
    fn ids_of_machines_have_no_meaning() {
        check(
            "token a3f9c2",
            "token 194822",
            "token <id>",
            &["token ffffab"],
            &["token a3-f9", "tokens a3f9c2"],
        );
        check(
            "2b1f7a80-1111-4222-8333-444455556666",
            "9c1f7a80-1111-4222-8333-444455557777",
            "<uuid>",
            &["00000000-0000-0000-0000-000000000000"],
            &["00000000"],
        );
    }

    #[test]
    fn a_word_stays_a_word() {
        check(
            "Hello Ann!",
            "Hello Bob!",
            "Hello <word>!",
            &["Hello Eve!"],
            &["Hello 5!", "Hello Ann Lee!", "Bye Ann!"],
        );
    }

    #[test]
    fn free_text_leaves_open_what_is_between() {
        check(
            "Tip: use the keyboard.",
            "Tip: drink water.",
            "Tip: <text>.",
            &["Tip: sleep."],
            &["Error: sleep.", "Tip: sleep"],
        );
        assert!(Shape::of("abc def", "xyz").is_any_text());
        assert!(Shape::of("", "x").is_any_text() && Shape::of("x", "").fits(""));
    }

    #[test]
    fn a_name_that_only_begins_like_a_day_is_a_word() {
        check("Sunny", "Monica", "<word>", &["Max"], &["4"]);
        check("Open on Mon", "Open on Tue", "Open on <weekday>", &["Open on Friday"], &["Open on demand"]);
    }
}
