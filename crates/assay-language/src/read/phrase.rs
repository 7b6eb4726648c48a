//! A run of tokens of one sentence.

use super::token::{Token, TokenKind};

#[derive(Debug, Clone, Copy)]
pub(crate) struct Phrase<'a> {
    pub sentence: &'a str,
    pub tokens: &'a [Token],
}

impl<'a> Phrase<'a> {
    pub fn len(self) -> usize {
        self.tokens.len()
    }

    pub fn is_empty(self) -> bool {
        self.tokens.is_empty()
    }

    pub fn from(self, start: usize) -> Phrase<'a> {
        Phrase { tokens: &self.tokens[start.min(self.len())..], ..self }
    }

    pub fn until(self, end: usize) -> Phrase<'a> {
        Phrase { tokens: &self.tokens[..end.min(self.len())], ..self }
    }

    pub fn part(self, start: usize, end: usize) -> Phrase<'a> {
        self.until(end).from(start)
    }

    pub fn get(self, at: usize) -> Option<&'a Token> {
        self.tokens.get(at)
    }

    pub fn first(self) -> Option<&'a Token> {
        self.tokens.first()
    }

    pub fn last(self) -> Option<&'a Token> {
        self.tokens.last()
    }

    /// In lower case; empty where a quoted string is.
    pub fn words(self) -> Vec<&'a str> {
        self.tokens.iter().map(|token| token.low.as_str()).collect()
    }

    pub fn word(self, at: usize) -> &'a str {
        self.tokens.get(at).map_or("", |token| token.low.as_str())
    }

    pub fn starts(self, words: &[&str]) -> bool {
        self.len() >= words.len() && words.iter().enumerate().all(|(index, word)| self.word(index) == *word)
    }

    pub fn starts_any(self, words: &[&str]) -> bool {
        self.first().is_some_and(|token| token.is_any(words))
    }

    pub fn is(self, words: &[&str]) -> bool {
        self.len() == words.len() && self.starts(words)
    }

    /// Where one of these words is first.
    pub fn find(self, words: &[&str]) -> Option<usize> {
        self.tokens.iter().position(|token| token.is_any(words))
    }

    pub fn find_last(self, words: &[&str]) -> Option<usize> {
        self.tokens.iter().rposition(|token| token.is_any(words))
    }

    pub fn has(self, word: &str) -> bool {
        self.tokens.iter().any(|token| token.is(word))
    }

    pub fn has_any(self, words: &[&str]) -> bool {
        self.find(words).is_some()
    }

    pub fn has_quoted(self) -> bool {
        self.tokens.iter().any(Token::is_quoted)
    }

    /// As it was written, without the blanks around it.
    pub fn text(self) -> &'a str {
        match (self.tokens.first(), self.tokens.last()) {
            (Some(first), Some(last)) => &self.sentence[first.from..last.to],
            _ => "",
        }
    }

    /// The tokens without the one at this place.
    pub fn tokens_without(self, at: usize) -> Vec<Token> {
        let others = self.tokens.iter().enumerate().filter(|(index, _)| *index != at);
        others.map(|(_, token)| token.clone()).collect()
    }

    /// Without the marks at both ends.
    pub fn trimmed(self) -> Phrase<'a> {
        let is_mark = |token: &Token| matches!(token.kind, TokenKind::Mark(_));
        let start = self.tokens.iter().take_while(|token| is_mark(token)).count();
        let inner = self.from(start);
        let end = inner.len() - inner.tokens.iter().rev().take_while(|token| is_mark(token)).count();
        inner.until(end)
    }

    /// Without these words at the front, however often they come.
    pub fn without_front(self, words: &[&str]) -> Phrase<'a> {
        let length = self.tokens.iter().take_while(|token| token.is_any(words)).count();
        self.from(length)
    }

    /// Without these words at the end.
    pub fn without_end(self, words: &[&str]) -> Phrase<'a> {
        let length = self.tokens.iter().rev().take_while(|token| token.is_any(words)).count();
        self.until(self.len() - length)
    }

    /// The parts between commas and the word "and". Not "or": one of two is not both.
    pub fn listed(self) -> Vec<Phrase<'a>> {
        let mut parts = Vec::new();
        let mut start = 0;
        let mut within = false;
        for (at, token) in self.tokens.iter().enumerate() {
            // "between 2 and 5" is one thing.
            within |= token.is("between");
            if token.is_mark(',') || token.is_any(&["and", "&"]) && !within {
                parts.push(self.part(start, at));
                start = at + 1;
            }
            within &= !token.is("and");
        }
        parts.push(self.from(start));
        parts.retain(|part| !part.is_empty());
        parts
    }
}
