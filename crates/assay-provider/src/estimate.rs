//! How many tokens a question will have, counted before it is sent.

use serde_json::Value;

use crate::conversation::{Message, Part, Picture, Question};

/// No public tokenizer exists for most models. Counts of o200k were up to a third too low for other
/// vocabularies, so a third is added: a budget errs to the safe side.
const MARGIN_NUMERATOR: u64 = 4;
const MARGIN_DENOMINATOR: u64 = 3;

/// What a server adds to each tool and message in its own template.
const WRAPPING: u64 = 40;

/// What a provider puts before the question when one of its own computer tools is declared.
const COMPUTER_TOOL: u64 = 3_000;

/// An upper estimate of the tokens of a question, from the body that is about to be sent.
pub fn question_tokens(question: &Question, body: &Value) -> u64 {
    let text = texts(body);
    let counted = assay_tokens::count(&text) as u64 * MARGIN_NUMERATOR / MARGIN_DENOMINATOR;
    let pictures: u64 = pictures(question).map(picture_tokens).sum();
    let computer = question.tools.iter().any(|tool| matches!(tool, crate::conversation::Tool::Computer(_)));
    let parts = (question.messages.len() + question.tools.len() + 1) as u64;
    counted + pictures + parts * WRAPPING + if computer { COMPUTER_TOOL } else { 0 }
}

/// A lower estimate: no vocabulary needs less than half of what o200k does. Pictures are left out.
pub fn least_question_tokens(body: &Value) -> u64 {
    assay_tokens::count(&texts(body)) as u64 / 2
}

/// A token for every 28 pixels squared, as the densest of the providers counts.
fn picture_tokens(picture: &Picture) -> u64 {
    u64::from(picture.width()).div_ceil(28) * u64::from(picture.height()).div_ceil(28) + 100
}

fn pictures(question: &Question) -> impl Iterator<Item = &Picture> {
    let of_parts = |part: &'_ Part| -> bool { matches!(part, Part::Picture(_)) };
    question
        .messages
        .iter()
        .flat_map(|message| -> Vec<&Part> {
            match message {
                Message::User(parts) => parts.iter().collect(),
                Message::Assistant(_) => Vec::new(),
                Message::Results { results, remarks } => {
                    results.iter().flat_map(|result| &result.parts).chain(remarks).collect()
                }
            }
        })
        .filter(move |part| of_parts(part))
        .filter_map(|part| match part {
            Part::Picture(picture) => Some(picture),
            Part::Text(_) => None,
        })
}

/// The body as text, without the pictures in it, which are counted by their size.
fn texts(body: &Value) -> String {
    let mut out = String::new();
    collect(body, &mut out);
    out
}

fn collect(value: &Value, out: &mut String) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                out.push_str(name);
                out.push(' ');
                collect(value, out);
            }
        }
        Value::Array(values) => values.iter().for_each(|value| collect(value, out)),
        Value::String(text) if is_picture(text) => {}
        Value::String(text) => {
            out.push_str(text);
            out.push('\n');
        }
        other => {
            out.push_str(&other.to_string());
            out.push('\n');
        }
    }
}

/// Base64 of a PNG begins with its signature.
fn is_picture(text: &str) -> bool {
    text.starts_with("iVBORw0KGgo") || text.starts_with("data:image/")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn pictures_are_counted_by_size_not_by_text() {
        let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x05\0\0\0\x03\x20".to_vec();
        bytes.extend_from_slice(&[7; 100_000]);
        let picture = Picture::png(bytes).unwrap();
        let mut question = Question::new("s", 10);
        let body = json!({"image": picture.base64(), "url": picture.data_url()});
        question.messages.push(Message::User(vec![Part::Picture(picture)]));
        let tokens = question_tokens(&question, &body);
        // 46 by 29 squares, and a little.
        assert!((1334..2000).contains(&tokens), "{tokens}");
    }

    #[test]
    fn the_estimate_is_above_the_plain_count() {
        let text = "Click the log in button and wait for the page. ".repeat(200);
        let body = json!({ "text": text });
        let tokens = question_tokens(&Question::new("s", 10), &body);
        assert!(tokens > assay_tokens::count(&text) as u64);
    }
}
