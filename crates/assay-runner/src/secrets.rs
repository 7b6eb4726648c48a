//! Secrets in what is put on record: references, by which those who know them put them back.

use serde_json::Value;

/// What stands in place of a secret.
pub(crate) const MASK: &str = "•••";

fn reference(number: usize) -> String {
    format!("⟦secret {number}⟧")
}

/// Text in which no secret can be read, as it is or as pages and addresses write it.
pub fn mask(text: &str, secrets: &[String]) -> String {
    let mut forms: Vec<String> = secrets.iter().flat_map(|secret| secret_forms(secret)).collect();
    forms.sort_by_key(|form| std::cmp::Reverse(form.len()));
    forms.iter().fold(text.to_string(), |text, form| text.replace(form, MASK))
}

/// The shortest that is looked for in another form than its own: what is shorter is in many words by chance.
const SHORTEST_ENCODED: usize = 6;

/// A secret as it is, and as it may be met: in an address, in JSON, in HTML, in base64 from any place on.
pub fn secret_forms(secret: &str) -> Vec<String> {
    if secret.is_empty() {
        return Vec::new();
    }
    let mut forms = vec![secret.to_string()];
    if secret.len() >= SHORTEST_ENCODED {
        let percent = percent_encoded(secret);
        let json = Value::from(secret).to_string();
        let html = secret.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        forms.push(percent.replace("%20", "+"));
        forms.push(percent.to_lowercase());
        forms.push(percent);
        let json = json[1..json.len() - 1].to_string();
        // A text inside JSON inside JSON: the arguments of a call.
        let twice = Value::from(json.as_str()).to_string();
        forms.push(twice[1..twice.len() - 1].to_string());
        forms.push(json);
        forms.push(html.replace('"', "&quot;"));
        forms.push(html);
        forms.extend((0..3).flat_map(|before| base64_middles(secret.as_bytes(), before)));
    }
    forms.sort();
    forms.dedup();
    forms
}

fn percent_encoded(text: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte);
    text.bytes()
        .map(|byte| if is_plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}

/// The letters of base64 that depend on these bytes alone, when `before` others (modulo three) stand before them.
fn base64_middles(bytes: &[u8], before: usize) -> Vec<String> {
    let bit = |at: usize| bytes.get(at / 8).is_some_and(|byte| byte >> (7 - at % 8) & 1 == 1);
    let first = (6 - before * 8 % 6) % 6;
    let groups = (bytes.len() * 8).saturating_sub(first) / 6;
    let letters = |alphabet: &[u8; 64]| -> String {
        let group = |nth: usize| (0..6).fold(0, |sum, at| sum * 2 + usize::from(bit(first + nth * 6 + at)));
        (0..groups).map(|nth| char::from(alphabet[group(nth)])).collect()
    };
    let plain = letters(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/");
    let for_addresses = letters(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_");
    vec![plain, for_addresses]
}

/// Puts references in place of secrets, in every text of it.
pub(crate) fn hide(value: &mut Value, secrets: &[String]) {
    replace(value, &|text| {
        longest_first(secrets)
            .fold(text.to_string(), |text, (number, secret)| text.replace(secret, &reference(number)))
    });
}

/// With their numbers. One secret may be a part of another: then the whole of it goes first.
fn longest_first(secrets: &[String]) -> impl Iterator<Item = (usize, &str)> {
    let mut numbered: Vec<(usize, &str)> =
        secrets.iter().map(String::as_str).enumerate().filter(|(_, secret)| !secret.is_empty()).collect();
    numbered.sort_by_key(|(_, secret)| std::cmp::Reverse(secret.len()));
    numbered.into_iter()
}

/// Puts secrets back in place of their references.
pub(crate) fn put_back(value: &mut Value, secrets: &[String]) {
    replace(value, &|text| {
        secrets
            .iter()
            .enumerate()
            .fold(text.to_string(), |text, (number, secret)| text.replace(&reference(number), secret))
    });
}

fn replace(value: &mut Value, change: &dyn Fn(&str) -> String) {
    match value {
        Value::String(text) => *text = change(text),
        Value::Array(items) => items.iter_mut().for_each(|item| replace(item, change)),
        Value::Object(fields) => fields.values_mut().for_each(|field| replace(field, change)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_that_is_part_of_another_leaves_nothing_of_it() {
        let secrets = ["pass".to_string(), "pass-word".to_string()];
        assert_eq!(mask("pass-word, pass", &secrets), "•••, •••");
        let mut value = serde_json::json!("pass-word");
        hide(&mut value, &secrets);
        assert_eq!(value, "⟦secret 1⟧");
    }

    #[test]
    fn a_secret_is_masked_however_it_is_written() {
        let secrets = ["p&ss w\"rd/ü".to_string()];
        let written = "p%26ss%20w%22rd%2F%C3%BC p%26ss+w%22rd%2F%C3%BC p%26ss%20w%22rd%2f%c3%bc p&ss w\\\"rd/ü \
                       p&amp;ss w&quot;rd/ü";
        assert_eq!(mask(written, &secrets), "••• ••• ••• ••• •••");
        // printf 'ab:p&ss w"rd/ü' | base64, with no, one and two bytes before
        for encoded in ["cCZzcyB3InJkL8O8", "OnAmc3MgdyJyZC/DvA==", "YjpwJnNzIHcicmQvw7w="] {
            let masked = mask(encoded, &secrets);
            assert!(masked.contains(MASK) && masked.chars().count() <= 9, "{encoded}: {masked}");
        }
        assert_eq!(mask("a plain text, 12345", &["12345".to_string()]), "a plain text, •••");
    }

    #[test]
    fn what_is_hidden_is_put_back() {
        let secrets = vec!["hush".to_string(), String::new(), "s3cret".to_string()];
        let open = serde_json::json!({ "text": "hush and s3cret", "list": ["hush"], "number": 1 });
        let mut value = open.clone();
        hide(&mut value, &secrets);
        assert_eq!(value["text"], "⟦secret 0⟧ and ⟦secret 2⟧");
        put_back(&mut value, &secrets);
        assert_eq!(value, open);
    }
}
