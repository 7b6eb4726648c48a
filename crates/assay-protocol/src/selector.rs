//! How people name an element, read once into steps that the page script can follow.

use serde::{Deserialize, Serialize};

/// One element or several, named by a chain of steps (`row "Oak" >> button "Edit"`).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Selector {
    /// As it was typed; error messages repeat it.
    pub source: String,
    /// The frame to look in, as `frames` numbers them: `f2 >> button "Pay"`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frame: Option<u32>,
    pub steps: Vec<Step>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "by", rename_all = "kebab-case")]
pub enum Step {
    /// `e12`, as a map or an effect named it.
    Ref { id: u32 },
    /// CSS; combinators see through open shadow roots. `or_words` is set when the text could
    /// also be plain words (`menu`), which are tried when no such tag is on the page.
    Css { css: String, or_words: bool },
    /// `xpath=//button`.
    Xpath { xpath: String },
    /// `button "Log in"`; without a name, every element of that role.
    Role { role: String, name: Option<String> },
    /// `label=Email`: the control that the label belongs to.
    Label { text: String },
    /// `text=Welcome`: the smallest element that shows this text.
    Text { text: String },
    /// `testid=save`: `data-testid`, `data-test`, `data-test-id`, `data-cy`, `data-qa`.
    TestId { id: String },
    /// `the login button`: scored by role and name.
    Words { text: String },
    /// `nth=2`: the second of what the steps before found.
    Nth { index: u32 },
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SelectorError {
    #[error("expected a selector, found nothing")]
    Empty,
    #[error("expected something after `{prefix}`, found nothing")]
    EmptyValue { prefix: String },
    #[error("expected a closing {quote} in `{source_text}`")]
    UnclosedQuote { quote: char, source_text: String },
    #[error("expected a selector on both sides of `>>` in `{source_text}`")]
    EmptyStep { source_text: String },
    #[error("expected a number from 1 after `nth=`, found `{found}`")]
    BadIndex { found: String },
    #[error("expected a ref like `e12`, found `{found}`, which is too large")]
    RefTooLarge { found: String },
}

impl Selector {
    pub fn parse(source: &str) -> Result<Selector, SelectorError> {
        let trimmed = source.trim();
        if trimmed.is_empty() {
            return Err(SelectorError::Empty);
        }
        let mut steps = Vec::new();
        let mut frame = None;
        let parts = split_chain(trimmed)?;
        let several = parts.len() > 1;
        for (index, part) in parts.into_iter().enumerate() {
            let part = part.trim();
            if let (0, true, Some(number)) = (index, several, frame_number(part)) {
                frame = Some(number);
                continue;
            }
            if part.is_empty() {
                return Err(SelectorError::EmptyStep { source_text: trimmed.to_string() });
            }
            steps.push(parse_step(part)?);
        }
        Ok(Selector { source: trimmed.to_string(), frame, steps })
    }

    /// The ref, when the selector is nothing but one.
    pub fn as_ref_id(&self) -> Option<u32> {
        match self.steps.as_slice() {
            [Step::Ref { id }] => Some(*id),
            _ => None,
        }
    }
}

impl std::fmt::Display for Selector {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.source)
    }
}

/// Splits at ` >> `, but not inside quotes.
fn split_chain(source: &str) -> Result<Vec<&str>, SelectorError> {
    let bytes = source.as_bytes();
    let mut parts = Vec::new();
    let mut start = 0;
    let mut quote: Option<u8> = None;
    let mut index = 0;
    while index < bytes.len() {
        let byte = bytes[index];
        match quote {
            Some(open) if byte == open => quote = None,
            Some(_) => {}
            // An apostrophe inside a word is not a quote: `the user's name`.
            None if byte == b'"'
                || (byte == b'\'' && (index == 0 || !bytes[index - 1].is_ascii_alphanumeric())) =>
            {
                quote = Some(byte);
            }
            None if bytes[index..].starts_with(b">>") => {
                parts.push(&source[start..index]);
                start = index + 2;
                index += 1;
            }
            None => {}
        }
        index += 1;
    }
    if let Some(open) = quote
        && open == b'"'
    {
        return Err(SelectorError::UnclosedQuote { quote: '"', source_text: source.to_string() });
    }
    parts.push(&source[start..]);
    Ok(parts)
}

fn parse_step(part: &str) -> Result<Step, SelectorError> {
    if let Some(step) = parse_ref(part)? {
        return Ok(step);
    }
    for (prefix, build) in PREFIXES {
        if let Some(rest) = part.strip_prefix(prefix) {
            let value = unquote(rest.trim());
            if value.is_empty() {
                return Err(SelectorError::EmptyValue { prefix: (*prefix).to_string() });
            }
            return build(value);
        }
    }
    if part.starts_with("//") || part.starts_with("(//") {
        return Ok(Step::Xpath { xpath: part.to_string() });
    }
    if let Some(step) = parse_role(part) {
        return Ok(step);
    }
    if let Some(inner) = fully_quoted(part) {
        return Ok(Step::Words { text: inner.to_string() });
    }
    Ok(match css_reading(part) {
        CssReading::Certain => Step::Css { css: part.to_string(), or_words: false },
        CssReading::Possible => Step::Css { css: part.to_string(), or_words: true },
        CssReading::No => Step::Words { text: part.to_string() },
    })
}

type BuildStep = fn(&str) -> Result<Step, SelectorError>;

const PREFIXES: &[(&str, BuildStep)] = &[
    ("css=", |value| Ok(Step::Css { css: value.to_string(), or_words: false })),
    ("xpath=", |value| Ok(Step::Xpath { xpath: value.to_string() })),
    ("label=", |value| Ok(Step::Label { text: value.to_string() })),
    ("text=", |value| Ok(Step::Text { text: value.to_string() })),
    ("testid=", |value| Ok(Step::TestId { id: value.to_string() })),
    ("words=", |value| Ok(Step::Words { text: value.to_string() })),
    ("role=", |value| {
        Ok(parse_role(value).unwrap_or_else(|| Step::Role { role: value.to_lowercase(), name: None }))
    }),
    ("nth=", |value| match value.parse::<u32>() {
        Ok(index) if index > 0 => Ok(Step::Nth { index }),
        _ => Err(SelectorError::BadIndex { found: value.to_string() }),
    }),
];

/// `f2`, as `frames` numbers them from 1.
fn frame_number(part: &str) -> Option<u32> {
    part.strip_prefix('f')?.parse().ok().filter(|number| *number > 0)
}

/// `e12` and, as some agents are used to, `@e12`.
fn parse_ref(part: &str) -> Result<Option<Step>, SelectorError> {
    let digits = part.strip_prefix('@').unwrap_or(part).strip_prefix('e').unwrap_or("");
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Ok(None);
    }
    match digits.parse::<u32>() {
        Ok(id) => Ok(Some(Step::Ref { id })),
        Err(_) => Err(SelectorError::RefTooLarge { found: part.to_string() }),
    }
}

/// `button "Log in"`: a role, a space and a quoted name.
fn parse_role(part: &str) -> Option<Step> {
    let (role, rest) = part.split_once(char::is_whitespace)?;
    let role = role.to_lowercase();
    let name = fully_quoted(rest.trim())?;
    ROLES.contains(&role.as_str()).then(|| Step::Role { role, name: Some(name.to_string()) })
}

fn fully_quoted(text: &str) -> Option<&str> {
    let quote = text.chars().next().filter(|first| *first == '"' || *first == '\'')?;
    let inner = text.strip_prefix(quote)?.strip_suffix(quote)?;
    (!inner.is_empty() && !inner.contains(quote)).then_some(inner)
}

fn unquote(text: &str) -> &str {
    fully_quoted(text).unwrap_or(text)
}

enum CssReading {
    Certain,
    Possible,
    No,
}

/// Whether `part` reads as CSS. Plain words never contain CSS punctuation next to a
/// tag, class or id; a bare tag name could be either.
fn css_reading(part: &str) -> CssReading {
    if part.starts_with(['#', '.', '[', '*', ':']) {
        // A lone `:` or `.` at the start, followed by a blank, is prose.
        let follows = part.chars().nth(1).is_some_and(|next| !next.is_whitespace());
        return if follows || part == "*" { CssReading::Certain } else { CssReading::No };
    }
    if part.contains(":has-text(") || part.contains(":has(") || part.contains(":nth-") {
        return CssReading::Certain;
    }
    let words: Vec<&str> = part.split([' ', '>', '+', '~', ',']).filter(|word| !word.is_empty()).collect();
    let all_compounds = !words.is_empty() && words.iter().all(|word| is_compound(word));
    if !all_compounds {
        return CssReading::No;
    }
    let plain = words.len() == 1 && words[0].bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    if plain { CssReading::Possible } else { CssReading::Certain }
}

/// `input[name=email]`, `button.primary`, `my-element`, `h1`.
fn is_compound(word: &str) -> bool {
    let end = word.find(['.', '#', '[', ':']).unwrap_or(word.len());
    let (tag, rest) = word.split_at(end);
    if tag.is_empty() {
        return rest.len() > 1 && !rest.starts_with(':');
    }
    if rest.ends_with(['.', ':', '#']) {
        return false;
    }
    let custom = tag.contains('-')
        && tag.starts_with(|first: char| first.is_ascii_lowercase())
        && tag.chars().all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-');
    TAGS.contains(&tag) || custom || (!rest.is_empty() && rest.starts_with('[') && rest.ends_with(']'))
}

const TAGS: &[&str] = &[
    "a",
    "abbr",
    "address",
    "area",
    "article",
    "aside",
    "audio",
    "b",
    "blockquote",
    "body",
    "br",
    "button",
    "canvas",
    "caption",
    "cite",
    "code",
    "col",
    "colgroup",
    "dd",
    "del",
    "details",
    "dfn",
    "dialog",
    "div",
    "dl",
    "dt",
    "em",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "head",
    "header",
    "hr",
    "html",
    "i",
    "iframe",
    "img",
    "input",
    "ins",
    "kbd",
    "label",
    "legend",
    "li",
    "link",
    "main",
    "map",
    "mark",
    "menu",
    "meta",
    "meter",
    "nav",
    "object",
    "ol",
    "optgroup",
    "option",
    "output",
    "p",
    "picture",
    "pre",
    "progress",
    "q",
    "s",
    "samp",
    "script",
    "section",
    "select",
    "slot",
    "small",
    "source",
    "span",
    "strong",
    "style",
    "sub",
    "summary",
    "sup",
    "svg",
    "table",
    "tbody",
    "td",
    "template",
    "textarea",
    "tfoot",
    "th",
    "thead",
    "time",
    "title",
    "tr",
    "u",
    "ul",
    "var",
    "video",
];

const ROLES: &[&str] = &[
    "alert",
    "alertdialog",
    "application",
    "article",
    "banner",
    "blockquote",
    "button",
    "caption",
    "cell",
    "checkbox",
    "clickable",
    "columnheader",
    "combobox",
    "complementary",
    "contentinfo",
    "definition",
    "dialog",
    "figure",
    "form",
    "frame",
    "grid",
    "gridcell",
    "group",
    "heading",
    "image",
    "img",
    "link",
    "list",
    "listbox",
    "listitem",
    "log",
    "main",
    "marquee",
    "math",
    "menu",
    "menubar",
    "menuitem",
    "menuitemcheckbox",
    "menuitemradio",
    "meter",
    "navigation",
    "note",
    "option",
    "paragraph",
    "progressbar",
    "radio",
    "radiogroup",
    "region",
    "row",
    "rowgroup",
    "rowheader",
    "scrollbar",
    "search",
    "searchbox",
    "separator",
    "slider",
    "spinbutton",
    "status",
    "switch",
    "tab",
    "table",
    "tablist",
    "tabpanel",
    "term",
    "text",
    "textbox",
    "timer",
    "toolbar",
    "tooltip",
    "tree",
    "treegrid",
    "treeitem",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(source: &str, expected: &str) {
        let actual = match Selector::parse(source) {
            Ok(selector) => {
                let frame = selector.frame.map(|number| format!("frame {number}"));
                frame.into_iter().chain(selector.steps.iter().map(outline)).collect::<Vec<_>>().join(" >> ")
            }
            Err(err) => err.to_string(),
        };
        assert_eq!(actual, expected, "for {source}");
    }

    fn outline(step: &Step) -> String {
        match step {
            Step::Ref { id } => format!("ref {id}"),
            Step::Css { css, or_words: false } => format!("css {css}"),
            Step::Css { css, or_words: true } => format!("css or words {css}"),
            Step::Xpath { xpath } => format!("xpath {xpath}"),
            Step::Role { role, name } => format!("role {role} {name:?}"),
            Step::Label { text } => format!("label {text}"),
            Step::Text { text } => format!("text {text}"),
            Step::TestId { id } => format!("testid {id}"),
            Step::Words { text } => format!("words {text}"),
            Step::Nth { index } => format!("nth {index}"),
        }
    }

    #[test]
    fn refs_are_recognised_with_and_without_the_at_sign() {
        check("e12", "ref 12");
        check("@e7", "ref 7");
        check("e99999999999", "expected a ref like `e12`, found `e99999999999`, which is too large");
        check("email", "words email");
    }

    #[test]
    fn css_is_told_from_words_by_its_punctuation() {
        check("#submit", "css #submit");
        check(".btn-submit", "css .btn-submit");
        check("button[type=submit]", "css button[type=submit]");
        check("input[name=email]", "css input[name=email]");
        check("button:has-text('Submit')", "css button:has-text('Submit')");
        check("form button", "css form button");
        check("ul > li", "css ul > li");
        check("my-app[open]", "css my-app[open]");
        check("button", "css or words button");
        check("x-box .deep", "css x-box .deep");
        check("my-menu", "css or words my-menu");
        check("Log in", "words Log in");
        check("the login button", "words the login button");
        check("Save changes...", "words Save changes...");
        check("What is new?", "words What is new?");
    }

    #[test]
    fn a_role_with_a_quoted_name_is_exact() {
        check("button \"Log in\"", "role button Some(\"Log in\")");
        check("textbox 'Email'", "role textbox Some(\"Email\")");
        check("\"Log in\"", "words Log in");
    }

    #[test]
    fn prefixes_fix_the_reading() {
        check("text=Welcome back", "text Welcome back");
        check("label=\"Email\"", "label Email");
        check("testid=save", "testid save");
        check("xpath=//button[1]", "xpath //button[1]");
        check("//main//a", "xpath //main//a");
        check("words=button", "words button");
        check("label=", "expected something after `label=`, found nothing");
    }

    #[test]
    fn steps_are_chained_with_two_angles() {
        check("row \"Oak\" >> button \"Edit\"", "role row Some(\"Oak\") >> role button Some(\"Edit\")");
        check("f2 >> button \"Pay\"", "frame 2 >> role button Some(\"Pay\")");
        check("f2", "words f2");
        check("li >> nth=2", "css or words li >> nth 2");
        check("li >> nth=0", "expected a number from 1 after `nth=`, found `0`");
        check(">> a", "expected a selector on both sides of `>>` in `>> a`");
        check("text=\"a >> b\"", "text a >> b");
    }

    #[test]
    fn what_cannot_be_read_is_said() {
        check("", "expected a selector, found nothing");
        check("button \"Log in", "expected a closing \" in `button \"Log in`");
    }
}
