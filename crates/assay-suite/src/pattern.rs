//! Patterns of preconditions: `User "{email}" exists with password "{password}"`.
//!
//! Case and the number of blanks do not matter, and quotes are optional on both sides. A hole takes the exact content
//! of a quoted value, or as few words as fit.

use std::collections::HashSet;

use crate::reader::is_name;

#[derive(Debug, Clone)]
pub(crate) struct Pattern {
    parts: Vec<PatternPart>,
}

#[derive(Debug, Clone, PartialEq)]
enum PatternPart {
    Letter(char),
    Blank,
    Hole(String),
}

/// A piece of the sentence. A quoted text is one piece, so a value keeps its case, blanks and punctuation.
#[derive(Debug, Clone)]
enum SentencePiece {
    Letter(char),
    Blank,
    /// A quote that opens or closes nothing, such as the one in `O'Brien`: part of a value, nothing to a pattern.
    Mark(char),
    Quoted(String),
}

/// Longer sentences match no pattern: trying takes time with the square of the length.
const LONGEST: usize = 1000;

impl Pattern {
    /// The message says what is wrong with the text.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut parts: Vec<PatternPart> = Vec::new();
        let mut rest = text.trim().trim_end_matches('.');
        while let Some(letter) = rest.chars().next() {
            rest = &rest[letter.len_utf8()..];
            match letter {
                '{' => {
                    let Some((name, after)) = rest.split_once('}') else {
                        return Err("`{` without `}`".to_string());
                    };
                    if !is_name(name) {
                        return Err(format!("`{{{name}}}`, which is not a name"));
                    }
                    let hole = PatternPart::Hole(name.to_string());
                    if parts.contains(&hole) {
                        return Err(format!("`{{{name}}}` twice"));
                    }
                    if matches!(parts.last(), Some(PatternPart::Hole(_))) {
                        return Err(format!("`{{{name}}}` directly after another placeholder"));
                    }
                    parts.push(hole);
                    rest = after;
                }
                '}' => return Err("`}` without `{`".to_string()),
                quote if is_quote(quote) => {}
                blank if blank.is_whitespace() => {
                    if !matches!(parts.last(), Some(PatternPart::Blank) | None) {
                        parts.push(PatternPart::Blank);
                    }
                }
                letter => parts.push(PatternPart::Letter(fold(letter))),
            }
        }
        if parts.last() == Some(&PatternPart::Blank) {
            parts.pop();
        }
        if parts.is_empty() {
            return Err("empty text".to_string());
        }
        Ok(Pattern { parts })
    }

    /// The values of the holes, if the sentence matches this pattern.
    pub fn captures(&self, sentence: &str) -> Option<Vec<(String, String)>> {
        if sentence.len() > LONGEST {
            return None;
        }
        let pieces = pieces(sentence);
        let mut attempt =
            MatchState { parts: &self.parts, pieces: &pieces, failed: HashSet::new(), captures: Vec::new() };
        attempt.matches(0, PatternPosition { piece: 0, inside: 0 }).then(|| {
            attempt.captures.reverse();
            attempt.captures
        })
    }
}

/// Where an attempt stands: before a piece, or `inside` letters into a quoted one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct PatternPosition {
    piece: usize,
    inside: usize,
}

struct MatchState<'a> {
    parts: &'a [PatternPart],
    pieces: &'a [SentencePiece],
    /// Failed positions, so that no pattern takes more than length times length steps.
    failed: HashSet<(usize, PatternPosition)>,
    /// From the last hole to the first.
    captures: Vec<(String, String)>,
}

impl MatchState<'_> {
    fn matches(&mut self, part: usize, place: PatternPosition) -> bool {
        // Letters and blanks go on in a loop; only a hole calls itself, so the depth is that of the holes.
        let (mut part, mut place) = (part, place);
        let begin = (part, place);
        if self.failed.contains(&begin) {
            return false;
        }
        let found = loop {
            let is_hole = matches!(self.parts.get(part), Some(PatternPart::Hole(_)));
            if !is_hole && matches!(self.pieces.get(place.piece), Some(SentencePiece::Mark(_))) {
                place.piece += 1;
                continue;
            }
            match self.parts.get(part) {
                None => break self.is_end(place),
                Some(PatternPart::Hole(name)) => break self.fill(name, part, place),
                Some(literal) => match self.literal(literal, place) {
                    Some(next) => (part, place) = (part + 1, next),
                    None => break false,
                },
            }
        };
        if !found {
            self.failed.insert(begin);
        }
        found
    }

    fn is_end(&self, place: PatternPosition) -> bool {
        place.inside == 0 && place.piece >= self.pieces.len()
    }

    fn literal(&self, literal: &PatternPart, place: PatternPosition) -> Option<PatternPosition> {
        let next = PatternPosition { piece: place.piece + 1, inside: 0 };
        match (literal, self.pieces.get(place.piece)?) {
            (PatternPart::Letter(wanted), SentencePiece::Letter(letter)) => {
                (*wanted == fold(*letter)).then_some(next)
            }
            (PatternPart::Blank, SentencePiece::Blank) => Some(next),
            // A literal word may stand in quotes.
            (wanted, SentencePiece::Quoted(text)) => {
                let mut letters = text.chars().skip(place.inside);
                let letter = letters.next()?;
                let fits = match wanted {
                    PatternPart::Letter(wanted) => *wanted == fold(letter),
                    PatternPart::Blank => letter.is_whitespace(),
                    PatternPart::Hole(_) => false,
                };
                let inside = place.inside + 1;
                let next = if letters.next().is_none() { next } else { PatternPosition { inside, ..place } };
                fits.then_some(next)
            }
            (PatternPart::Letter(_), SentencePiece::Blank)
            | (PatternPart::Blank, SentencePiece::Letter(_))
            | (_, SentencePiece::Mark(_))
            | (PatternPart::Hole(_), _) => None,
        }
    }

    fn fill(&mut self, name: &str, part: usize, place: PatternPosition) -> bool {
        if place.inside > 0 {
            return false;
        }
        if let Some(SentencePiece::Quoted(text)) = self.pieces.get(place.piece) {
            if self.matches(part + 1, PatternPosition { piece: place.piece + 1, inside: 0 }) {
                self.captures.push((name.to_string(), text.clone()));
                return true;
            }
            return false;
        }
        let mut taken = String::new();
        for piece in place.piece..self.pieces.len() {
            match &self.pieces[piece] {
                SentencePiece::Letter(letter) | SentencePiece::Mark(letter) => taken.push(*letter),
                SentencePiece::Blank => taken.push(' '),
                SentencePiece::Quoted(_) => return false,
            }
            let is_word = !taken.starts_with(' ') && !taken.ends_with(' ');
            if is_word && self.matches(part + 1, PatternPosition { piece: piece + 1, inside: 0 }) {
                self.captures.push((name.to_string(), taken));
                return true;
            }
        }
        false
    }
}

fn is_quote(letter: char) -> bool {
    matches!(letter, '"' | '\'' | '`' | '“' | '”' | '‘' | '’' | '«' | '»')
}

fn closing(open: char) -> Option<char> {
    match open {
        '"' | '\'' | '`' => Some(open),
        '“' => Some('”'),
        '‘' => Some('’'),
        '«' => Some('»'),
        _ => None,
    }
}

fn fold(letter: char) -> char {
    letter.to_lowercase().next().unwrap_or(letter)
}

fn pieces(sentence: &str) -> Vec<SentencePiece> {
    let letters: Vec<char> = sentence.trim().trim_end_matches('.').chars().collect();
    let mut pieces = Vec::new();
    let mut at = 0;
    while let Some(letter) = letters.get(at).copied() {
        let begins = at == 0 || letters[at - 1].is_whitespace() || letters[at - 1] == '(';
        let end = closing(letter).filter(|_| begins).and_then(|close| {
            (at + 1..letters.len()).find(|end| letters[*end] == close && is_boundary(letters.get(*end + 1)))
        });
        match (letter, end) {
            (_, Some(end)) => {
                pieces.push(SentencePiece::Quoted(letters[at + 1..end].iter().collect()));
                at = end;
            }
            (mark, None) if is_quote(mark) => pieces.push(SentencePiece::Mark(mark)),
            (blank, None) if blank.is_whitespace() => {
                if !matches!(pieces.last(), Some(SentencePiece::Blank)) {
                    pieces.push(SentencePiece::Blank);
                }
            }
            (letter, None) => pieces.push(SentencePiece::Letter(letter)),
        }
        at += 1;
    }
    pieces
}

fn is_boundary(next: Option<&char>) -> bool {
    next.is_none_or(|next| next.is_whitespace() || matches!(next, '.' | ',' | ';' | ':' | ')' | '!' | '?'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(pattern: &str, sentence: &str, expected: Option<&[(&str, &str)]>) {
        let captures = Pattern::parse(pattern).unwrap().captures(sentence);
        let captures: Option<Vec<(&str, &str)>> =
            captures.as_ref().map(|all| all.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect());
        assert_eq!(captures.as_deref(), expected);
    }

    const USER: &str = r#"User "{email}" exists with password "{password}""#;

    #[test]
    fn quotes_case_and_blanks_do_not_matter() {
        let found: Option<&[(&str, &str)]> = Some(&[("email", "a@b.c"), ("password", "s3")]);
        check(USER, r#"User "a@b.c" exists with password "s3""#, found);
        check(USER, "user   a@b.c EXISTS with password 's3'.", found);
        check(
            "user {email} exists with password {password}",
            "User “a@b.c” exists with password `s3`",
            found,
        );
    }

    #[test]
    fn a_value_keeps_its_case_blanks_and_signs() {
        check(
            USER,
            r#"User "Ann  O'Neil" exists with password "a'""#,
            Some(&[("email", "Ann  O'Neil"), ("password", "a'")]),
        );
        check("User {name} exists", "User Bob O'Brien exists", Some(&[("name", "Bob O'Brien")]));
        check("Cart holds {n} items", "cart holds \"\" items", Some(&[("n", "")]));
    }

    #[test]
    fn another_sentence_does_not_match() {
        check(USER, "User exists", None);
        check(USER, r#"User "a" exists with password "b" and more"#, None);
        check("The cart is empty", "The cart is full", None);
        check("The cart is empty", "The cart is emptyish", None);
    }

    #[test]
    fn words_without_holes_may_be_quoted() {
        check(r#"Role "admin" is there"#, "role admin is there", Some(&[]));
        check("Role admin is there", r#"Role "Admin" is there"#, Some(&[]));
        check("The user's cart is empty", "the user’s cart is empty", Some(&[]));
    }

    #[test]
    fn holes_stand_beside_letters() {
        check("order-{id} is paid", "Order-77 is paid", Some(&[("id", "77")]));
        check("{a} before {b}", "x before y before z", Some(&[("a", "x"), ("b", "y before z")]));
    }

    #[test]
    fn a_wrong_pattern_says_why() {
        let error = |text| Pattern::parse(text).unwrap_err();
        assert_eq!(error("a {b"), "`{` without `}`");
        assert_eq!(error("a b}"), "`}` without `{`");
        assert_eq!(error("a {b c}"), "`{b c}`, which is not a name");
        assert_eq!(error("{a} {a}"), "`{a}` twice");
        assert_eq!(error("{a}\"{b}\""), "`{b}` directly after another placeholder");
        assert_eq!(error(" "), "empty text");
    }

    #[test]
    fn many_holes_take_no_time() {
        let pattern = "{a} x {b} x {c} x {d} x {e} x {f} y";
        check(pattern, &"x ".repeat(450), None);
    }
}
