//! The most of a text that an answer holds, and how to read the rest. Data stays data: it is cut between its elements.

use assay_protocol::json_for_terminal;
use serde_json::Value;

/// More of a page is no answer: a caller reads it whole, and pays for it.
const LONGEST_TEXT: usize = 24_000;
/// Room for what says that there is more.
const NOTE: usize = 300;

/// A text up to its limit, and how to read the rest.
pub(crate) fn bounded(text: String) -> String {
    let Some((end, _)) = text.char_indices().nth(LONGEST_TEXT) else { return text };
    if text.starts_with(['{', '['])
        && let Ok(value) = serde_json::from_str(&text)
        && let Some(data) = bounded_data(value)
    {
        return data;
    }
    let whole = text.chars().count();
    format!(
        "{}\n… {LONGEST_TEXT} of {whole} characters; ask for a part: give a target, or a narrower expression",
        &text[..end]
    )
}

/// Data as text within the limit; none if it cannot be cut between elements.
fn bounded_data(mut value: Value) -> Option<String> {
    let note = shorten(&mut value, LONGEST_TEXT - NOTE);
    match (&mut value, note) {
        (Value::Object(fields), Some(note)) => {
            fields.insert("truncated".to_string(), Value::Bool(true));
            fields.insert("left_out".to_string(), Value::String(note));
        }
        (Value::Array(elements), Some(note)) => elements.push(Value::String(note)),
        _ => {}
    }
    let text = json_for_terminal(&value.to_string()).into_owned();
    (text.chars().count() <= LONGEST_TEXT).then_some(text)
}

fn length(value: &Value) -> usize {
    json_for_terminal(&value.to_string()).chars().count()
}

/// Takes from the largest part of the data until the whole has at most so many characters, and says what is missing.
fn shorten(value: &mut Value, room: usize) -> Option<String> {
    let whole = length(value);
    if whole <= room {
        return None;
    }
    match value {
        Value::Array(elements) => {
            let total = elements.len();
            let mut used = 2;
            let kept = elements.iter().take_while(|element| {
                used += length(element) + 1;
                used <= room
            });
            let kept = kept.count();
            elements.truncate(kept);
            Some(format!(
                "{} of {total} elements; a target or a narrower expression shows the rest",
                total - kept
            ))
        }
        Value::Object(fields) => {
            let (name, part) = fields.iter_mut().max_by_key(|(_, part)| length(part))?;
            let others = whole - length(part);
            let note = shorten(part, room.saturating_sub(others))?;
            Some(if note.starts_with(|first: char| first.is_ascii_digit()) {
                format!("`{name}`: {note}")
            } else {
                note
            })
        }
        Value::String(text) => {
            let total = text.chars().count();
            // An escaped character is up to six long.
            let kept =
                room.saturating_sub(2) / if length(&Value::String(text.clone())) > total + 2 { 6 } else { 1 };
            *text = text.chars().take(kept).collect();
            Some(format!(
                "{} of {total} characters; a narrower expression shows the rest",
                total - kept.min(total)
            ))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_long_text_ends_with_how_to_read_the_rest() {
        let short = "ä".repeat(LONGEST_TEXT);
        assert_eq!(bounded(short.clone()), short);
        let cut = bounded(format!("{short}öö"));
        let (kept, note) = cut.rsplit_once('\n').unwrap();
        assert_eq!(kept, short);
        assert!(note.starts_with("… 24000 of 24002 characters"), "{note}");
    }

    #[test]
    fn long_data_is_cut_between_its_elements_and_stays_data() {
        let node =
            |at: usize| json!({ "parent": at, "role": "text", "name": format!("Row {at} \u{1b} of many") });
        let nodes: Vec<Value> = (0..2000).map(node).collect();
        let scene = json!({ "url": "http://h/", "nodes": nodes, "view": [800, 600] });
        let text = bounded(scene.to_string());
        assert!(text.chars().count() <= LONGEST_TEXT, "{}", text.len());
        let cut: Value = serde_json::from_str(&text).unwrap();
        let kept = cut["nodes"].as_array().unwrap();
        assert!(kept.len() > 100 && kept[..] == nodes[..kept.len()], "{}", kept.len());
        assert_eq!(cut["truncated"], true);
        assert_eq!(cut["view"], json!([800, 600]));
        let left_out = cut["left_out"].as_str().unwrap();
        assert!(
            left_out.starts_with(&format!("`nodes`: {} of 2000 elements", 2000 - kept.len())),
            "{left_out}"
        );

        let list: Value = serde_json::from_str(&bounded(Value::Array(nodes).to_string())).unwrap();
        let last = list.as_array().unwrap().last().unwrap().as_str().unwrap();
        assert!(last.contains("of 2000 elements"), "{last}");

        let page: Value =
            serde_json::from_str(&bounded(json!({ "html": "<p>\"".repeat(9000) }).to_string())).unwrap();
        assert!(page["html"].as_str().unwrap().starts_with("<p>\"<p>"), "{page}");
    }
}
