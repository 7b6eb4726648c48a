//! Writes values in the syntax of a format: in braces on one line or on several, or as a block of YAML or TOML.
//!
//! Does not know where the text is put.

use crate::catalogue::Format;
use crate::entry::Plain;

/// How braces are laid out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Layout {
    /// On one line; `blank` stands behind colons and commas, and may be empty in JSON.
    Line { blank: &'static str },
    /// One member a line, the closing brace at `indent`.
    Spread { indent: String, unit: String, line_break: &'static str },
}

impl Layout {
    pub const LINE: Layout = Layout::Line { blank: " " };
}

/// A value in braces and brackets.
pub(crate) fn value(plain: &Plain, format: Format, layout: &Layout) -> String {
    let blank = match layout {
        Layout::Line { blank } => blank,
        Layout::Spread { .. } => " ",
    };
    match plain {
        Plain::Text(text) => quoted(text, format),
        Plain::Texts(texts) => {
            let texts: Vec<String> = texts.iter().map(|text| quoted(text, format)).collect();
            format!("[{}]", texts.join(&format!(",{blank}")))
        }
        Plain::Flag(flag) => flag.to_string(),
        Plain::Number(number) => number.to_string(),
        Plain::Map(members) if members.is_empty() => "{}".to_string(),
        Plain::Map(members) => match layout {
            Layout::Line { blank } => {
                let members: Vec<String> =
                    members.iter().map(|(key, plain)| member(key, plain, format, layout)).collect();
                format!("{{{}}}", members.join(&format!(",{blank}")))
            }
            Layout::Spread { indent, unit, line_break } => {
                let inner =
                    Layout::Spread { indent: format!("{indent}{unit}"), unit: unit.clone(), line_break };
                let members: Vec<String> = members
                    .iter()
                    .map(|(key, plain)| {
                        format!("{line_break}{indent}{unit}{}", member(key, plain, format, &inner))
                    })
                    .collect();
                format!("{{{}{line_break}{indent}}}", members.join(","))
            }
        },
    }
}

/// A key and its value.
pub(crate) fn member(name: &str, plain: &Plain, format: Format, layout: &Layout) -> String {
    let between = match (format, layout) {
        (Format::Toml, _) => " = ",
        (Format::Json, Layout::Line { blank: "" }) => ":",
        (Format::Json | Format::Yaml, _) => ": ",
    };
    format!("{}{between}{}", key(name, format), value(plain, format, layout))
}

/// A member of a YAML mapping as lines, each of them ended by `line_break`.
pub(crate) fn yaml_block(name: &str, plain: &Plain, indent: &str, line_break: &str) -> String {
    let key = key(name, Format::Yaml);
    match plain {
        Plain::Map(members) if !members.is_empty() => {
            let inner = format!("{indent}  ");
            let members: String =
                members.iter().map(|(key, plain)| yaml_block(key, plain, &inner, line_break)).collect();
            format!("{indent}{key}:{line_break}{members}")
        }
        Plain::Texts(texts) if !texts.is_empty() => {
            let items: String = texts
                .iter()
                .map(|text| format!("{indent}  - {}{line_break}", quoted(text, Format::Yaml)))
                .collect();
            format!("{indent}{key}:{line_break}{items}")
        }
        _ => format!("{indent}{key}: {}{line_break}", value(plain, Format::Yaml, &Layout::LINE)),
    }
}

/// A TOML table with a header, each line ended by `line_break`.
pub(crate) fn toml_block(path: &[&str], members: &[(String, Plain)], line_break: &str) -> String {
    let path: Vec<String> = path.iter().map(|part| key(part, Format::Toml)).collect();
    let lines: String = members
        .iter()
        .map(|(key, plain)| format!("{}{line_break}", member(key, plain, Format::Toml, &Layout::LINE)))
        .collect();
    format!("[{}]{line_break}{lines}", path.join("."))
}

fn key(text: &str, format: Format) -> String {
    let is_bare = |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || letter == '-';
    match format {
        Format::Toml if !text.is_empty() && text.chars().all(is_bare) => text.to_string(),
        Format::Toml | Format::Json | Format::Yaml => quoted(text, format),
    }
}

/// A text, in double quotes where the format asks for them. The escapes of JSON are valid in all three formats.
fn quoted(text: &str, format: Format) -> String {
    if format == Format::Yaml && is_plain_in_yaml(text) {
        return text.to_string();
    }
    serde_json::Value::from(text).to_string().replace('\u{7f}', "\\u007F")
}

/// Whether YAML reads the bare word as this very text, also inside braces.
fn is_plain_in_yaml(text: &str) -> bool {
    /// Words that one version of YAML or another takes for something else.
    const TAKEN: &[&str] = &["true", "false", "yes", "no", "on", "off", "y", "n", "null"];
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "_-./".contains(letter);
    text.starts_with(|letter: char| letter.is_ascii_alphabetic() || letter == '/')
        && text.chars().all(is_plain)
        && !TAKEN.contains(&text.to_ascii_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Plain {
        Plain::Map(vec![
            ("command".to_string(), Plain::Text("a \"b\"".to_string())),
            ("args".to_string(), Plain::Texts(vec!["mcp".to_string(), "no".to_string()])),
            ("env".to_string(), Plain::Map(Vec::new())),
        ])
    }

    #[test]
    fn a_value_fits_on_one_line() {
        let json = value(&sample(), Format::Json, &Layout::LINE);
        assert_eq!(json, r#"{"command": "a \"b\"", "args": ["mcp", "no"], "env": {}}"#);
        let tight = value(&sample(), Format::Json, &Layout::Line { blank: "" });
        assert_eq!(tight, r#"{"command":"a \"b\"","args":["mcp","no"],"env":{}}"#);
        let toml = value(&sample(), Format::Toml, &Layout::LINE);
        assert_eq!(toml, r#"{command = "a \"b\"", args = ["mcp", "no"], env = {}}"#);
        let yaml = value(&sample(), Format::Yaml, &Layout::LINE);
        assert_eq!(yaml, r#"{command: "a \"b\"", args: [mcp, "no"], env: {}}"#);
    }

    #[test]
    fn a_block_has_one_field_a_line() {
        let yaml = yaml_block("x", &sample(), "  ", "\r\n");
        assert_eq!(
            yaml,
            "  x:\r\n    command: \"a \\\"b\\\"\"\r\n    args:\r\n      - mcp\r\n      - \"no\"\r\n    env: {}\r\n"
        );
        let Plain::Map(members) = sample() else { unreachable!() };
        let toml = toml_block(&["t", "a.b"], &members, "\n");
        assert_eq!(toml, "[t.\"a.b\"]\ncommand = \"a \\\"b\\\"\"\nargs = [\"mcp\", \"no\"]\nenv = {}\n");
    }

    #[test]
    fn yaml_quotes_whatever_it_could_mistake() {
        for word in ["assay", "/usr/bin/assay", "a-b_c.d"] {
            assert!(is_plain_in_yaml(word), "{word}");
        }
        for word in
            ["", "no", "Yes", "12", "-x", "--profile", "a b", "a:b", "a#", "~", "C:\\x", "ä", ".5", "a,b"]
        {
            assert!(!is_plain_in_yaml(word), "{word}");
        }
    }
}
