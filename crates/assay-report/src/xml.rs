//! XML 1.0, as far as a report needs it: elements, attributes and text.
//!
//! XML does not allow every text of a page. Terminal colour sequences and characters
//! that XML 1.0 cannot represent are left out; everything else is kept, however long
//! it is.

/// A document under construction. The code that opens an element must close it.
pub struct Xml {
    text: String,
}

impl Xml {
    pub fn new() -> Self {
        Xml { text: "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_owned() }
    }

    pub fn open(&mut self, name: &str, attributes: &[(&str, &str)]) {
        self.tag(name, attributes, ">\n");
    }

    pub fn close(&mut self, name: &str) {
        self.text += &format!("</{name}>\n");
    }

    pub fn empty(&mut self, name: &str, attributes: &[(&str, &str)]) {
        self.tag(name, attributes, "/>\n");
    }

    /// An element that holds text only.
    pub fn holding(&mut self, name: &str, attributes: &[(&str, &str)], text: &str) {
        self.tag(name, attributes, ">");
        escape_into(&mut self.text, text, Within::Element);
        self.close(name);
    }

    pub fn finish(self) -> String {
        self.text
    }

    fn tag(&mut self, name: &str, attributes: &[(&str, &str)], end: &str) {
        self.text += &format!("<{name}");
        for (key, value) in attributes {
            self.text += &format!(" {key}=\"");
            escape_into(&mut self.text, value, Within::Attribute);
            self.text.push('"');
        }
        self.text += end;
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Within {
    Element,
    Attribute,
}

fn escape_into(out: &mut String, text: &str, within: Within) {
    for letter in without_terminal_sequences(text).chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            // Always, so that `]]>` cannot stand in the text.
            '>' => out.push_str("&gt;"),
            '"' if within == Within::Attribute => out.push_str("&quot;"),
            // A reader would make spaces or line feeds of these.
            '\r' => out.push_str("&#13;"),
            '\n' if within == Within::Attribute => out.push_str("&#10;"),
            '\t' if within == Within::Attribute => out.push_str("&#9;"),
            letter if is_allowed(letter) => out.push(letter),
            _ => {}
        }
    }
}

/// Whether XML 1.0 allows a character.
fn is_allowed(letter: char) -> bool {
    matches!(letter, '\t' | '\n' | '\r' | '\u{20}'..='\u{fffd}' | '\u{10000}'..)
        // Allowed, but some readers refuse them, and nobody can see them.
        && !matches!(letter, '\u{7f}'..='\u{84}' | '\u{86}'..='\u{9f}')
}

/// The text without `ESC [ … letter`, of which the tail would stay otherwise.
fn without_terminal_sequences(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        if letter == '\u{1b}' && letters.next_if_eq(&'[').is_some() {
            while letters.next_if(|it| matches!(it, '\u{20}'..='\u{3f}')).is_some() {}
            letters.next_if(|it| matches!(it, '\u{40}'..='\u{7e}'));
        } else {
            plain.push(letter);
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let mut out = String::new();
        escape_into(&mut out, text, Within::Attribute);
        assert_eq!(out, expected);
    }

    #[test]
    fn what_xml_cannot_hold_is_left_out_and_the_rest_is_kept() {
        check("a < b & \"c\" ]]> d", "a &lt; b &amp; &quot;c&quot; ]]&gt; d");
        check("\u{1b}[31;1mred\u{1b}[0m \u{0}\u{8}\u{b}x\u{ffff}", "red x");
        check("one\ntwo\r\n\tthree", "one&#10;two&#13;&#10;&#9;three");
        check("日本 🦀 é\u{301}", "日本 🦀 é\u{301}");
        check("\u{1b}", "");
    }
}
