//! Texts, addresses and codes in a request.

use assay_suite::{Slot, SlotKind};

use super::clauses::Role;
use super::fillers::{is_filler, is_noise};
use super::names::NameIndex;
use super::said::Said;
use super::tokens::Token;

impl<'a> Said<'a> {
    pub(super) fn address(&self) -> Option<String> {
        let places = self.active.iter().flat_map(|clause| clause.from..clause.to);
        let word = places.map(|at| &self.words[at]).find(|word| is_address(&word.text))?;
        Some(match word.raw.contains("://") {
            true => word.raw.clone(),
            false => format!("http://{}", word.raw),
        })
    }

    pub(super) fn code(&self) -> Option<String> {
        let mut places = self.active.iter().flat_map(|clause| clause.from..clause.to);
        let at = places.find(|at| {
            is_code(&self.words[*at].text, self.index) && !matches!(self.roles[*at], Role::Entity(_))
        })?;
        Some(self.words[at].raw.clone())
    }

    /// A text: in quotes, behind a colon, or what follows its noun or one of its words.
    pub(super) fn text(&self, slot: &Slot) -> Option<String> {
        let creation = self.active.iter().find_map(|clause| Some((clause.text_from?, clause.to)));
        let (from, to) = match creation {
            Some(span) => span,
            None => {
                let places = self.places();
                let after = slot.after.iter().filter_map(|words| {
                    let length = words.split_whitespace().count();
                    self.place_of_phrase(words, &places).map(|at| at + length)
                });
                let from = after.min()?;
                let to =
                    (from..self.words.len()).find(|at| self.words[*at].is_mark).unwrap_or(self.words.len());
                (from, to)
            }
        };
        let span = &self.words[from.min(to)..to];
        if let Some(quote) = span.iter().find_map(|token| token.quote)
            && !is_part_of_sentence(span, quote)
        {
            let quoted: Vec<&Token> = span.iter().filter(|token| token.quote == Some(quote)).collect();
            let (first, last) = (quoted.first()?, quoted.last()?);
            return Some(self.request[first.start..last.end].to_string());
        }
        let colon = span.iter().position(|token| token.is_mark && (token.is(":") || token.is("-")));
        let span = colon.map_or(span, |at| &span[at + 1..]);
        let first = span.iter().find(|token| !token.is_mark)?;
        let last = span.iter().rev().find(|token| !token.is_mark)?;
        let (begins, ends) = (quote_before(self.request, first), quote_behind(self.request, last));
        let mut text = self.request[begins..ends].to_string();
        if colon.is_none() {
            text = without_beginning(&text, &slot.after);
        }
        text = without_priority(&without_codes(&text, self.index));
        let is_meant =
            super::tokens::tokens(&text).iter().any(|token| !is_filler(&token.text) && !token.is_mark);
        let only_place = creation.is_some() && colon.is_none() && self.says_only_a_place(from, to);
        (is_meant && !only_place).then(|| text.trim().to_string())
    }

    fn says_only_a_place(&self, from: usize, to: usize) -> bool {
        (from..to).all(|at| match self.roles[at] {
            Role::Mark | Role::Filler | Role::Noise => true,
            Role::Entity(place) => self.entities[place].name.kind == SlotKind::Userinterface,
            Role::Concept(concept) => matches!(concept, "application" | "web"),
            Role::Word => is_address(&self.words[at].text),
        })
    }
}

/// What a page does with a text that is quoted behind it.
const SHOWS: &[&str] = &["shows", "show", "has", "lists", "contains", "displays", "says", "reads"];

/// Whether a sentence speaks of what it quotes: `that the Basket page shows "Nothing"`, and not `a test "Nothing"`.
fn is_part_of_sentence(span: &[Token], quote: usize) -> bool {
    let before = span.iter().take_while(|token| token.quote != Some(quote));
    let words: Vec<&Token> = before.filter(|token| !token.is_mark).collect();
    let shows = words.iter().rposition(|word| SHOWS.contains(&word.text.as_str()));
    shows.is_some_and(|shows| words[..shows].iter().any(|word| !is_noise(&word.text)))
}

/// Where a token begins, with the mark of its quotation.
fn quote_before(request: &str, token: &Token) -> usize {
    let mark = request[..token.start].chars().next_back().filter(|_| token.quote.is_some());
    token.start - mark.filter(|mark| is_quote_mark(*mark)).map_or(0, char::len_utf8)
}

/// Where a token ends, with the mark of its quotation.
fn quote_behind(request: &str, token: &Token) -> usize {
    let mark = request[token.end..].chars().next().filter(|_| token.quote.is_some());
    token.end + mark.filter(|mark| is_quote_mark(*mark)).map_or(0, char::len_utf8)
}

fn is_quote_mark(letter: char) -> bool {
    matches!(letter, '"' | '\'' | '“' | '”' | '‘' | '’' | '«' | '»' | '„' | '`')
}

/// `…, prio medium` at the end is no part of the text.
fn without_priority(text: &str) -> String {
    const MARKS: &[&str] = &[
        ", priority",
        ", prio",
        ". priority",
        ". prio",
        " with priority",
        " with prio",
        " with high",
        " with low",
        " with medium",
    ];
    let lower = text.to_lowercase();
    let at = MARKS.iter().filter_map(|mark| lower.rfind(mark)).min();
    let text = at.and_then(|at| text.get(..at)).unwrap_or(text);
    match last_sentence(text) {
        Some((rest, last)) if is_of_priority(last) => rest.to_string(),
        _ => text.to_string(),
    }
}

fn last_sentence(text: &str) -> Option<(&str, &str)> {
    text.trim_end_matches(['.', '!', ' ']).rsplit_once(". ")
}

/// "It is critical": a sentence of its own, which says nothing else.
pub(super) fn is_of_priority(sentence: &str) -> bool {
    const PRIORITIES: &[&str] = &["priority", "critical", "high", "medium", "low"];
    let words = super::tokens::tokens(sentence);
    let says = |word: &Token| PRIORITIES.contains(&word.text.as_str());
    words.iter().any(says) && words.iter().all(|word| word.is_mark || says(word) || is_noise(&word.text))
}

/// Words that lead to the code of a requirement, behind the text of a test.
const LEADS_TO_CODE: &[&str] = &[
    "for",
    "belongs",
    "belong",
    "belonging",
    "to",
    "it",
    "is",
    "this",
    "that",
    "requirement",
    "covers",
    "covering",
    "of",
    "with",
    "see",
    "and",
    "proves",
    "linked",
    "link",
    "the",
    "goes",
    "as",
    "part",
    "under",
    "in",
    "should",
    "cover",
    "be",
];

/// `…, belongs to REQ-21` at the end is no part of the text, and neither is `for REQ-21` before it.
fn without_codes(text: &str, index: &NameIndex) -> String {
    let words = super::tokens::tokens(text);
    let is_lead = |at: usize| words[at].is_mark || LEADS_TO_CODE.contains(&words[at].text.as_str());
    let Some(code) = (0..words.len()).rev().find(|at| is_code(&words[*at].text, index)) else {
        return text.to_string();
    };
    if (code + 1..words.len()).all(|at| words[at].is_mark) {
        let first = (0..code).rev().take_while(|at| is_lead(*at)).last().unwrap_or(code);
        return text[..words[first].start].trim_end_matches([' ', ',', '.', '(', '-']).to_string();
    }
    if (0..code).all(is_lead) {
        return text[words[code].end..].trim_start_matches([' ', ',', ':', '-', '–']).to_string();
    }
    text.to_string()
}

/// A text without the words that lead to it: `that checks the total` is `the total`.
fn without_beginning(text: &str, beginnings: &[String]) -> String {
    let mut beginnings: Vec<&String> = beginnings.iter().collect();
    beginnings.sort_by_key(|words| std::cmp::Reverse(words.len()));
    for words in beginnings {
        let begins = text.get(..words.len()).is_some_and(|start| start.eq_ignore_ascii_case(words));
        if let (true, Some(rest)) = (begins, text.get(words.len()..).filter(|rest| rest.starts_with(' '))) {
            return rest.trim_start().to_string();
        }
    }
    text.to_string()
}

pub(super) fn is_address(word: &str) -> bool {
    if word.starts_with("http://") || word.starts_with("https://") {
        return true;
    }
    let host = word.split('/').next().unwrap_or(word);
    match host.rsplit_once(':') {
        Some((name, port)) => !name.is_empty() && port.parse::<u16>().is_ok(),
        None => false,
    }
}

/// A code such as `REQ-12`: letters and digits, with the letters of codes that there are.
pub(super) fn is_code(word: &str, index: &NameIndex) -> bool {
    let letters: String = word.chars().take_while(|letter| letter.is_alphabetic()).collect();
    let rest = word[letters.len()..].trim_start_matches(['-', '_']);
    let has_number = !rest.is_empty() && rest.chars().all(|letter| letter.is_ascii_digit());
    let is_known = letters.eq_ignore_ascii_case("req")
        || index.of(SlotKind::Requirement).any(|name| {
            let known: String = name.name.chars().take_while(|letter| letter.is_alphabetic()).collect();
            known.eq_ignore_ascii_case(&letters)
        });
    !letters.is_empty() && has_number && is_known && !is_noise(word)
}
