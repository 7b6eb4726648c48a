//! A sentence as tokens: words, quoted strings, numbers, addresses, file names, key chords and marks.
//!
//! Knows how things are written, not what they mean. A quoted string has no lower-case form, so no grammar rule can
//! match a word inside quotation marks.

use super::lexicon::keys;
use super::lexicon::spelling;

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum TokenKind {
    Word,
    Quoted,
    /// A number without a unit: `3`, `1,000`, `-2.5`.
    Number(f64),
    /// With a unit that belongs to it: `$12.50`, `40%`. Compared as text.
    Amount,
    Url,
    Path,
    File,
    Chord,
    /// Punctuation; `>` also stands for `→` and `->`.
    Mark(char),
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Token {
    pub kind: TokenKind,
    /// As written; of a quoted string what is between the marks, of a chord its name for the keyboard.
    pub text: String,
    /// In lower case, with common misspellings mended; empty for a quoted string.
    pub low: String,
    /// Where it begins and ends in the sentence.
    pub from: usize,
    pub to: usize,
}

impl Token {
    pub fn is(&self, word: &str) -> bool {
        self.low == word
    }

    pub fn is_any(&self, words: &[&str]) -> bool {
        !self.low.is_empty() && words.contains(&self.low.as_str())
    }

    pub fn is_mark(&self, mark: char) -> bool {
        self.kind == TokenKind::Mark(mark)
    }

    pub fn is_quoted(&self) -> bool {
        self.kind == TokenKind::Quoted
    }

    pub fn is_capital(&self) -> bool {
        self.kind == TokenKind::Word && self.text.chars().next().is_some_and(char::is_uppercase)
    }

    /// A value by its form alone: nobody would name a field like this.
    pub fn is_value(&self) -> bool {
        match self.kind {
            TokenKind::Quoted
            | TokenKind::Number(_)
            | TokenKind::Amount
            | TokenKind::Url
            | TokenKind::File => true,
            TokenKind::Word => self.text.contains('@') || is_date(&self.text),
            _ => false,
        }
    }
}

/// Why a sentence has no tokens.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct UnclosedQuote {
    pub mark: char,
}

pub(crate) fn tokens(sentence: &str) -> Result<Vec<Token>, UnclosedQuote> {
    let mut lexer = Lexer { text: sentence, at: 0, tokens: Vec::new() };
    lexer.run()?;
    Ok(join_chords(join_times(expanded(lexer.tokens))))
}

/// "8:03 AM" is one value, and "am" no verb in it.
fn join_times(tokens: Vec<Token>) -> Vec<Token> {
    let is_clock = |text: &str| {
        let (hours, minutes) = text.split_once(':').unwrap_or(("", ""));
        let is_short = |part: &str| (1..=2).contains(&part.len()) && part.chars().all(|c| c.is_ascii_digit());
        is_short(hours) && is_short(minutes)
    };
    let mut joined: Vec<Token> = Vec::with_capacity(tokens.len());
    for token in tokens {
        match joined.last_mut() {
            Some(clock) if is_clock(&clock.text) && matches!(token.low.as_str(), "am" | "pm") => {
                clock.kind = TokenKind::Amount;
                clock.text = format!("{} {}", clock.text, token.text);
                clock.low = format!("{} {}", clock.low, token.low);
                clock.to = token.to;
            }
            _ => joined.push(token),
        }
    }
    joined
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    tokens: Vec<Token>,
}

impl Lexer<'_> {
    fn run(&mut self) -> Result<(), UnclosedQuote> {
        while let Some(next) = self.text[self.at..].chars().next() {
            if next.is_whitespace() || next == '*' && self.is_emphasis() {
                self.at += next.len_utf8();
            } else if let Some(close) = closing_quote(next) {
                self.quoted(next, close)?;
            } else if let Some(length) = literal_length(&self.text[self.at..]) {
                let text = self.text[self.at..self.at + length].to_string();
                let (from, to) = (self.at, self.at + length);
                self.at = to;
                self.tokens.push(Token { kind: TokenKind::Quoted, text, low: String::new(), from, to });
            } else if let Some(mark) = single_mark(next) {
                self.push(TokenKind::Mark(mark), next.len_utf8());
            } else {
                self.run_of_characters();
            }
        }
        Ok(())
    }

    /// `**Save**`, `*Save*`, or the bullet of a list; a star between blanks is multiplication and stays.
    fn is_emphasis(&self) -> bool {
        let before = self.text[..self.at].chars().next_back();
        let after = self.text[self.at + 1..].chars().next();
        self.at == 0 || before.is_none_or(|c| !c.is_whitespace()) || after.is_some_and(|c| !c.is_whitespace())
    }

    fn quoted(&mut self, open: char, close: &[char]) -> Result<(), UnclosedQuote> {
        let start = self.at + open.len_utf8();
        match end_of_quote(&self.text[start..], open, close) {
            Some((inside, length)) => {
                let from = self.at;
                self.at = start + length;
                let kind = TokenKind::Quoted;
                self.tokens.push(Token { kind, text: inside, low: String::new(), from, to: self.at });
                Ok(())
            }
            // A lone apostrophe is part of a word: 'tis, '24.
            None if matches!(open, '\'' | '‘' | '’') => {
                self.run_of_characters();
                Ok(())
            }
            None => Err(UnclosedQuote { mark: open }),
        }
    }

    fn run_of_characters(&mut self) {
        let rest = &self.text[self.at..];
        let mut length = rest
            .char_indices()
            .skip(1)
            .find(|(index, c)| ends_run(*c, &rest[*index..]))
            .map_or(rest.len(), |(index, _)| index);
        // What stands at the end of a word is punctuation, unless it is all there is.
        while let Some(last) = rest[..length].chars().next_back() {
            let is_trailing = matches!(last, '.' | ',' | ':' | ';' | '!' | '?' | '*' | '\\')
                || last == '_' && rest.starts_with('_')
                || last == '\'' && !rest[..length - 1].ends_with('s');
            if !is_trailing || length == last.len_utf8() {
                break;
            }
            length -= last.len_utf8();
        }
        let run = &rest[..length];
        let run =
            run.strip_prefix('_').filter(|inner| !inner.is_empty() && !inner.contains('_')).unwrap_or(run);
        self.at += length - run.len();
        let kind = kind_of(run);
        self.push(kind, run.len());
    }

    fn push(&mut self, kind: TokenKind, length: usize) {
        let text = &self.text[self.at..self.at + length];
        let from = self.at;
        self.at += length;
        let (text, low) = match kind {
            TokenKind::Mark(mark) => (mark.to_string(), mark.to_string()),
            TokenKind::Chord => (keys::chord(text).unwrap_or_else(|| text.to_string()), text.to_lowercase()),
            _ => (text.to_string(), spelling::mended(&text.to_lowercase().replace('’', "'"))),
        };
        self.tokens.push(Token { kind, text, low, from, to: self.at });
    }
}

fn closing_quote(open: char) -> Option<&'static [char]> {
    match open {
        '"' => Some(&['"']),
        '“' | '”' | '„' => Some(&['”', '“', '"']),
        '«' => Some(&['»']),
        '\'' => Some(&['\'']),
        '‘' | '’' => Some(&['’', '\'']),
        '`' => Some(&['`']),
        _ => None,
    }
}

/// What is inside, and how many bytes until behind the closing mark.
fn end_of_quote(rest: &str, open: char, close: &[char]) -> Option<(String, usize)> {
    let is_single = matches!(open, '\'' | '‘' | '’');
    let mut inside = String::new();
    let mut characters = rest.char_indices().peekable();
    while let Some((index, c)) = characters.next() {
        let after = &rest[index + c.len_utf8()..];
        if c == '\\' && after.chars().next().is_some_and(|next| close.contains(&next) || next == '\\') {
            inside.extend(characters.next().map(|(_, escaped)| escaped));
        } else if close.contains(&c)
            && !(is_single && after.chars().next().is_some_and(char::is_alphanumeric))
        {
            return Some((inside, index + c.len_utf8()));
        } else {
            inside.push(c);
        }
    }
    None
}

/// How long the JSON is that begins here: `{"name": "Ada"}` is one value, quotation marks and all.
fn literal_length(text: &str) -> Option<usize> {
    let inner = text.strip_prefix('{').map(|inner| (inner, &['"'][..]));
    let (inner, begins) = inner.or_else(|| text.strip_prefix('[').map(|inner| (inner, &['"', '{'][..])))?;
    if !inner.trim_start().starts_with(begins) {
        return None;
    }
    let mut depth = 0_usize;
    let mut in_text = false;
    let mut escaped = false;
    for (at, letter) in text.char_indices() {
        match letter {
            _ if escaped => escaped = false,
            '\\' if in_text => escaped = true,
            '"' => in_text = !in_text,
            '{' | '[' if !in_text => depth += 1,
            '}' | ']' if !in_text => {
                depth -= 1;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

fn single_mark(c: char) -> Option<char> {
    match c {
        ',' | ';' | '(' | ')' | '!' | '?' | ':' | '>' | '=' => Some(c),
        '→' | '»' | '›' | '➔' => Some('>'),
        '–' | '—' | '…' | '•' => Some('-'),
        _ => None,
    }
}

fn ends_run(c: char, from_here: &str) -> bool {
    let after = from_here[c.len_utf8()..].chars().next();
    match c {
        '"' | '“' | '”' | '«' | '»' | '`' | '→' | '›' | '(' | ')' | ';' => true,
        ',' => !after.is_some_and(|next| next.is_ascii_digit()),
        // "Account>Storage" is a path; "->" is one mark.
        '>' => after.is_some_and(char::is_uppercase),
        _ => c.is_whitespace(),
    }
}

fn kind_of(run: &str) -> TokenKind {
    let low = run.to_lowercase();
    if matches!(run, "-" | "." | "->" | "=>" | "|" | "--") {
        return TokenKind::Mark(if run.ends_with('>') { '>' } else { run.chars().next().unwrap_or('-') });
    }
    if let Some(value) = number(run) {
        return TokenKind::Number(value);
    }
    if is_amount(run) {
        return TokenKind::Amount;
    }
    if low.contains("://") || low.starts_with("www.") || low.starts_with("about:") || is_host(&low) {
        return TokenKind::Url;
    }
    if run.starts_with('/') && !run.starts_with("//") {
        return TokenKind::Path;
    }
    if run.contains('+') && keys::chord(run).is_some() {
        return TokenKind::Chord;
    }
    if is_file(&low) {
        return TokenKind::File;
    }
    TokenKind::Word
}

/// `3`, `-2.5`, `1,000`.
pub(crate) fn number(run: &str) -> Option<f64> {
    let digits = run.strip_prefix(['-', '+']).unwrap_or(run);
    if !digits.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let groups: Vec<&str> = digits.split(',').collect();
    let is_grouped =
        groups.len() > 1 && groups[1..].iter().all(|group| group.len() == 3 || group.contains('.'));
    if groups.len() > 1 && !is_grouped
        || !digits.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ','))
    {
        return None;
    }
    run.replace(',', "").parse().ok()
}

fn is_amount(run: &str) -> bool {
    let bare = run.trim_matches(|c: char| matches!(c, '$' | '€' | '£' | '¥' | '%' | '-' | '+'));
    bare.len() < run.len() && number(bare).is_some()
}

/// `12/03/2026`, `2026-03-12`, `12.03.2026`.
fn is_date(run: &str) -> bool {
    let parts: Vec<&str> = run.split(['/', '-', '.']).collect();
    parts.len() == 3 && parts.iter().all(|part| !part.is_empty() && part.chars().all(|c| c.is_ascii_digit()))
}

fn is_host(low: &str) -> bool {
    const ENDINGS: &[&str] = &[
        "com", "org", "net", "io", "dev", "app", "de", "fr", "uk", "eu", "invalid", "test", "local", "html",
    ];
    let host = low.split(['/', '?', '#']).next().unwrap_or(low);
    let (name, port) = host.split_once(':').unwrap_or((host, ""));
    if low.contains('@') || !port.chars().all(|c| c.is_ascii_digit()) {
        return false;
    }
    if name == "localhost" || name == "127.0.0.1" {
        return true;
    }
    match name.rsplit_once('.') {
        Some((before, "html")) => !before.is_empty() && low.contains('/') && low != name,
        Some((before, ending)) => !before.is_empty() && ENDINGS.contains(&ending),
        None => false,
    }
}

fn is_file(low: &str) -> bool {
    const ENDINGS: &[&str] = &[
        "pdf", "png", "jpg", "jpeg", "gif", "svg", "txt", "csv", "xls", "xlsx", "doc", "docx", "zip", "json",
        "xml", "yaml", "yml", "md", "mp3", "mp4", "html", "webp", "log", "tar", "gz", "ppt", "pptx",
    ];
    low.rsplit_once('.').is_some_and(|(name, ending)| !name.is_empty() && ENDINGS.contains(&ending))
}

/// "I'm" is two words, "there's" too.
fn expanded(tokens: Vec<Token>) -> Vec<Token> {
    let mut all = Vec::with_capacity(tokens.len());
    for token in tokens {
        let second = match token.low.as_str() {
            "i'm" => "am",
            "we're" | "you're" | "they're" => "are",
            "there's" | "it's" | "he's" | "she's" => "is",
            _ => {
                all.push(token);
                continue;
            }
        };
        let length = token.low.find('\'').unwrap_or(token.low.len());
        let (from, middle, to) = (token.from, token.from + length, token.to);
        let first = token.low[..length].to_string();
        let text = token.text.chars().take(length).collect();
        all.push(Token { kind: TokenKind::Word, text, low: first, from, to: middle });
        let second = second.to_string();
        all.push(Token { kind: TokenKind::Word, text: second.clone(), low: second, from: middle, to });
    }
    all
}

/// `Ctrl + A`, written apart, is one chord.
fn join_chords(tokens: Vec<Token>) -> Vec<Token> {
    let mut joined: Vec<Token> = Vec::with_capacity(tokens.len());
    for token in tokens {
        let parts = joined.len();
        if parts >= 2 && joined[parts - 1].text == "+" {
            let name = format!("{}+{}", joined[parts - 2].text, token.text);
            if let Some(chord) = keys::chord(&name).filter(|_| !token.is_quoted()) {
                joined.pop();
                if let Some(first) = joined.last_mut() {
                    first.kind = TokenKind::Chord;
                    first.low = name.to_lowercase();
                    first.text = chord;
                    first.to = token.to;
                }
                continue;
            }
        }
        joined.push(token);
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(sentence: &str, expected: &[&str]) {
        let actual: Vec<String> = tokens(sentence)
            .unwrap()
            .into_iter()
            .map(|token| match token.kind {
                TokenKind::Word => token.low,
                TokenKind::Quoted => format!("«{}»", token.text),
                TokenKind::Number(value) => format!("#{value}"),
                TokenKind::Amount => format!("amount:{}", token.text),
                TokenKind::Url => format!("url:{}", token.text),
                TokenKind::Path => format!("path:{}", token.text),
                TokenKind::File => format!("file:{}", token.text),
                TokenKind::Chord => format!("chord:{}", token.text),
                TokenKind::Mark(mark) => mark.to_string(),
            })
            .collect();
        assert_eq!(actual, expected);
    }

    #[test]
    fn quotes_of_every_sort_are_one_token() {
        check(r#"Click "Save, then go" now."#, &["click", "«Save, then go»", "now", "."]);
        check("Click 'Don't save' and “Yes”", &["click", "«Don't save»", "and", "«Yes»"]);
        check(r#"Type "say \"hi\"" "#, &["type", r#"«say "hi"»"#]);
        check("Press `OK`", &["press", "«OK»"]);
    }

    #[test]
    fn json_is_one_value() {
        check(
            r#"Set the body to {"a": "x, y", "b": [1]}."#,
            &["set", "the", "body", "to", r#"«{"a": "x, y", "b": [1]}»"#, "."],
        );
        check(r#"Type ["a", {}]"#, &["type", r#"«["a", {}]»"#]);
        check("Click [On] and {name}", &["click", "[on]", "and", "{name}"]);
    }

    #[test]
    fn apostrophes_belong_to_words() {
        check("the user's name isn't shown", &["the", "user's", "name", "isn't", "shown"]);
    }

    #[test]
    fn numbers_amounts_and_dates_are_told_apart() {
        check(
            "1,000 $12.50 40% 12/03/2026 2nd",
            &["#1000", "amount:$12.50", "amount:40%", "12/03/2026", "2nd"],
        );
    }

    #[test]
    fn addresses_files_and_chords_are_known_by_their_looks() {
        check(
            "open https://a.test/x?y=1, /login or report.pdf",
            &["open", "url:https://a.test/x?y=1", ",", "path:/login", "or", "file:report.pdf"],
        );
        check("Press Ctrl + Shift+a", &["press", "chord:Control+Shift+a"]);
        check("go to localhost:3000/login.", &["go", "to", "url:localhost:3000/login", "."]);
    }

    #[test]
    fn emphasis_is_noise() {
        check("Click **Save** now", &["click", "save", "now"]);
    }

    #[test]
    fn a_quote_that_is_not_closed_is_an_error() {
        assert_eq!(tokens("Click \"Save").unwrap_err().mark, '"');
    }
}
