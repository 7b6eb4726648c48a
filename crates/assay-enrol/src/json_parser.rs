//! Reads JSON with comments and trailing commas into a tree with places.
//!
//! Written here because the places of all values are needed, comments are kept, and nothing is ever written back from
//! the tree. Does not know what the values mean.

use crate::edit::BOM;
use crate::error::Mistake;
use crate::tree::{Member, Node, Value};

/// Deeper files are refused, so that none can exhaust the stack.
const MAX_DEPTH: usize = 200;

/// The value of the file; none if there are only blanks and comments.
pub(crate) fn parse(text: &str) -> Result<Option<Node>, Mistake> {
    let mut parser = Parser { text, at: if text.starts_with(BOM) { BOM.len() } else { 0 } };
    parser.skip()?;
    if parser.peek().is_none() {
        return Ok(None);
    }
    let node = parser.value(1)?;
    parser.skip()?;
    match parser.peek() {
        None => Ok(Some(node)),
        Some(_) => Err(parser.expected("the end of the file")),
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
}

impl Parser<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn expected(&self, what: &str) -> Mistake {
        let found = match self.text[self.at..].chars().next() {
            Some('\r' | '\n') => "the end of the line".to_string(),
            Some(letter) if letter.is_control() => format!("U+{:04X}", u32::from(letter)),
            Some(letter) => format!("`{letter}`"),
            None => "the end of the file".to_string(),
        };
        Mistake::syntax(self.at, format!("expected {what}, found {found}"))
    }

    /// Moves behind blanks and comments.
    fn skip(&mut self) -> Result<(), Mistake> {
        loop {
            let rest = &self.text[self.at..];
            match rest.as_bytes() {
                [b' ' | b'\t' | b'\r' | b'\n', ..] => self.at += 1,
                [b'/', b'/', ..] => self.at += rest.find(['\r', '\n']).unwrap_or(rest.len()),
                [b'/', b'*', ..] => match rest[2..].find("*/") {
                    Some(length) => self.at += length + 4,
                    None => return Err(Mistake::syntax(self.at, "this comment has no end")),
                },
                _ => return Ok(()),
            }
        }
    }

    fn value(&mut self, depth: usize) -> Result<Node, Mistake> {
        if depth > MAX_DEPTH {
            return Err(Mistake::syntax(self.at, format!("expected at most {MAX_DEPTH} levels, found more")));
        }
        let start = self.at;
        let value = match self.peek() {
            Some(b'{') => Value::Object(self.object(depth)?),
            Some(b'[') => Value::List(self.list(depth)?),
            Some(b'"') => Value::Text(self.string()?),
            Some(b'-' | b'0'..=b'9') => {
                let rest = &self.text[start..];
                let is_number = |letter: char| letter.is_ascii_digit() || "+-.eE".contains(letter);
                let length = rest.find(|letter| !is_number(letter)).unwrap_or(rest.len());
                if rest[..length].parse::<f64>().is_err() {
                    return Err(Mistake::syntax(
                        start,
                        format!("expected a number, found `{}`", &rest[..length]),
                    ));
                }
                self.at += length;
                Value::Other("a number")
            }
            _ => self.word()?,
        };
        Ok(Node { span: start..self.at, value })
    }

    fn word(&mut self) -> Result<Value, Mistake> {
        let rest = &self.text[self.at..];
        let length = rest.find(|letter: char| !letter.is_ascii_alphanumeric()).unwrap_or(rest.len());
        let found = match &rest[..length] {
            "true" => "true",
            "false" => "false",
            "null" => "null",
            "" => return Err(self.expected("a value")),
            other => return Err(Mistake::syntax(self.at, format!("expected a value, found `{other}`"))),
        };
        self.at += length;
        Ok(Value::Other(found))
    }

    fn list(&mut self, depth: usize) -> Result<Vec<Node>, Mistake> {
        let mut items = Vec::new();
        self.at += 1;
        loop {
            self.skip()?;
            if self.peek() == Some(b']') {
                self.at += 1;
                return Ok(items);
            }
            items.push(self.value(depth + 1)?);
            self.separator(b']')?;
        }
    }

    fn object(&mut self, depth: usize) -> Result<Vec<Member>, Mistake> {
        let mut members = Vec::new();
        self.at += 1;
        loop {
            self.skip()?;
            match self.peek() {
                Some(b'}') => {
                    self.at += 1;
                    return Ok(members);
                }
                Some(b'"') => {}
                _ => return Err(self.expected("a key in double quotes or `}`")),
            }
            let start = self.at;
            let key = self.string()?;
            let key_span = start..self.at;
            self.skip()?;
            if self.peek() != Some(b':') {
                return Err(self.expected("`:` behind the key"));
            }
            self.at += 1;
            self.skip()?;
            let node = self.value(depth + 1)?;
            members.push(Member { key, key_span, node });
            self.separator(b'}')?;
        }
    }

    /// Moves behind a comma, or to the closing bracket.
    fn separator(&mut self, close: u8) -> Result<(), Mistake> {
        self.skip()?;
        match self.peek() {
            Some(b',') => {
                self.at += 1;
                Ok(())
            }
            Some(found) if found == close => Ok(()),
            _ => Err(self.expected(&format!("`,` or `{}`", char::from(close)))),
        }
    }

    fn string(&mut self) -> Result<String, Mistake> {
        let start = self.at;
        self.at += 1;
        let mut text = String::new();
        loop {
            let rest = &self.text[self.at..];
            let length = rest.find(['"', '\\', '\r', '\n']).unwrap_or(rest.len());
            text.push_str(&rest[..length]);
            self.at += length;
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(text);
                }
                Some(b'\\') => text.push(self.escape()?),
                _ => return Err(Mistake::syntax(start, "this text has no closing quote on its line")),
            }
        }
    }

    fn escape(&mut self) -> Result<char, Mistake> {
        let start = self.at;
        self.at += 2;
        Ok(match self.text.as_bytes().get(start + 1) {
            Some(b'n') => '\n',
            Some(b't') => '\t',
            Some(b'r') => '\r',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(letter @ (b'"' | b'\\' | b'/')) => char::from(*letter),
            Some(b'u') => {
                let high = self.hex(start)?;
                if !(0xd800..0xdc00).contains(&high) || !self.text[self.at..].starts_with("\\u") {
                    return Ok(char::from_u32(high).unwrap_or(char::REPLACEMENT_CHARACTER));
                }
                let again = self.at;
                self.at += 2;
                let low = self.hex(again)?;
                if !(0xdc00..0xe000).contains(&low) {
                    self.at = again;
                    return Ok(char::REPLACEMENT_CHARACTER);
                }
                char::from_u32(0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00))
                    .unwrap_or(char::REPLACEMENT_CHARACTER)
            }
            _ => return Err(Mistake::syntax(start, "expected an escape that JSON knows behind `\\`")),
        })
    }

    /// The four digits of `\u`, which begins at `start`.
    fn hex(&mut self, start: usize) -> Result<u32, Mistake> {
        let digits = self.text.get(self.at..self.at + 4);
        let number = digits
            .filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()))
            .and_then(|digits| u32::from_str_radix(digits, 16).ok())
            .ok_or_else(|| Mistake::syntax(start, "expected four hexadecimal digits behind `\\u`"))?;
        self.at += 4;
        Ok(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::position;

    /// Checks the outline of a text, or its mistake with line and column.
    #[track_caller]
    fn check(text: &str, expected: &str) {
        let actual = match parse(text) {
            Ok(None) => "nothing".to_string(),
            Ok(Some(node)) => outline(&node),
            Err(mistake) => {
                let (line, column) = position(text, mistake.at);
                format!("{line}:{column}: {}", mistake.refusal)
            }
        };
        assert_eq!(actual, expected);
    }

    fn outline(node: &Node) -> String {
        match &node.value {
            Value::Text(text) => format!("{text:?}"),
            Value::Other(other) => (*other).to_string(),
            Value::List(items) => {
                format!("[{}]", items.iter().map(outline).collect::<Vec<_>>().join(" "))
            }
            Value::Object(members) => {
                let member = |member: &Member| format!("{}={}", member.key, outline(&member.node));
                format!("{{{}}}", members.iter().map(member).collect::<Vec<_>>().join(" "))
            }
        }
    }

    #[test]
    fn comments_and_trailing_commas_are_read() {
        check("", "nothing");
        check("\u{feff} // only\r\n/* this */", "nothing");
        check("{ // a\n \"a\" /*b*/ : /*c*/ 1 /*d*/ , }", "{a=a number}");
        check("[1, -2.5e3, true, null, \"x\",]", "[a number a number true null \"x\"]");
    }

    #[test]
    fn texts_are_unescaped() {
        check(r#"{"mcp\u0053ervers": "\ud83d\ude00\n\"\\/"}"#, "{mcpServers=\"😀\\n\\\"\\\\/\"}");
        check(r#"["\ud83d", "\ud83d\u0041", "// no", "/* no */"]"#, "[\"�\" \"�A\" \"// no\" \"/* no */\"]");
    }

    #[test]
    fn a_mistake_has_its_line_and_column() {
        check("{\n  \"ä\": 1\n  \"b\": 2\n}", "3:3: expected `,` or `}`, found `\"`");
        check("{\"a\": }", "1:7: expected a value, found `}`");
        check("{\"a\": nope}", "1:7: expected a value, found `nope`");
        check("{a: 1}", "1:2: expected a key in double quotes or `}`, found `a`");
        check("{\"a\"", "1:5: expected `:` behind the key, found the end of the file");
        check("{\"a\": \"b\n\"}", "1:7: this text has no closing quote on its line");
        check("{} x", "1:4: expected the end of the file, found `x`");
        check("{/* }", "1:2: this comment has no end");
        check("\u{1b}", "1:1: expected a value, found U+001B");
        check("[1,,2]", "1:4: expected a value, found `,`");
        check("[1.2.3]", "1:2: expected a number, found `1.2.3`");
        check("[\"\\x\"]", "1:3: expected an escape that JSON knows behind `\\`");
        check("[\"\\u12é\"]", "1:3: expected four hexadecimal digits behind `\\u`");
        check("\"\\", "1:2: expected an escape that JSON knows behind `\\`");
        check(&"[".repeat(100_000), "1:201: expected at most 200 levels, found more");
    }
}
