//! Secrets in what is put on record: references, by which those who know them put them back.

use serde_json::Value;

/// What stands in place of a secret.
pub(crate) const MASK: &str = "•••";

fn reference(number: usize) -> String {
    format!("⟦secret {number}⟧")
}

/// Text in which no secret can be read.
pub fn mask(text: &str, secrets: &[String]) -> String {
    longest_first(secrets).fold(text.to_string(), |text, (_, secret)| text.replace(secret, MASK))
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
