//! Texts with placeholders: `**{testcase}** on {device or item.browser}: {item.status|upper}`.

use std::fmt;

/// A text with placeholders.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Template {
    pub parts: Vec<TemplatePart>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TemplatePart {
    Text(String),
    /// The first of the ways that leads to a value, in a form.
    Value {
        ways: Vec<ValuePath>,
        form: Option<String>,
    },
}

/// Where a value is: `testcase`, `execute_testcase.tests`, `item.status`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValuePath {
    pub root: String,
    pub fields: Vec<String>,
}

/// The forms in which a value can be written.
pub(crate) const FORMS: &[&str] = &["upper", "seconds", "count", "comma", "words", "controlled"];

impl ValuePath {
    pub fn parse(text: &str) -> Option<ValuePath> {
        let mut names = text.trim().split('.');
        let root = names.next().filter(|name| is_part(name))?.to_string();
        let fields: Vec<String> = names.map(str::to_string).collect();
        fields.iter().all(|name| is_part(name)).then_some(ValuePath { root, fields })
    }
}

impl fmt::Display for ValuePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.root)?;
        self.fields.iter().try_for_each(|field| write!(f, ".{field}"))
    }
}

fn is_part(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|letter| letter.is_ascii_alphanumeric() || "_-".contains(letter))
}

impl Template {
    /// The template, or the placeholder that cannot be read.
    pub fn parse(text: &str) -> Result<Template, String> {
        let mut parts = Vec::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('{') {
            push_text(&mut parts, before);
            let Some((inside, after)) = after.split_once('}') else { return Err(format!("{{{after}")) };
            parts.push(placeholder(inside).ok_or_else(|| format!("{{{inside}}}"))?);
            rest = after;
        }
        push_text(&mut parts, rest);
        Ok(Template { parts })
    }

    /// The ways of all placeholders.
    pub fn ways(&self) -> impl Iterator<Item = &ValuePath> {
        self.parts.iter().flat_map(|part| match part {
            TemplatePart::Text(_) => [].as_slice(),
            TemplatePart::Value { ways, .. } => ways.as_slice(),
        })
    }
}

fn push_text(parts: &mut Vec<TemplatePart>, text: &str) {
    if !text.is_empty() {
        parts.push(TemplatePart::Text(text.to_string()));
    }
}

fn placeholder(inside: &str) -> Option<TemplatePart> {
    let (ways, form) = match inside.split_once('|') {
        Some((ways, form)) => (ways, Some(form.trim())),
        None => (inside, None),
    };
    let ways: Option<Vec<ValuePath>> = ways.split(" or ").map(ValuePath::parse).collect();
    let form = match form {
        Some(form) if FORMS.contains(&form) => Some(form.to_string()),
        Some(_) => return None,
        None => None,
    };
    Some(TemplatePart::Value { ways: ways?, form })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_ways_with_forms() {
        let template = Template::parse("**{a.b or c}**: {d|upper}").unwrap();
        let ways: Vec<String> = template.ways().map(ValuePath::to_string).collect();
        assert_eq!(ways, ["a.b", "c", "d"]);
        assert_eq!(template.parts.len(), 4);
        assert_eq!(Template::parse("x {a b}"), Err("{a b}".to_string()));
        assert_eq!(Template::parse("x {a|shout}"), Err("{a|shout}".to_string()));
        assert_eq!(Template::parse("x {a"), Err("{a".to_string()));
    }
}
