//! The fields of a posted body: a form, or a flat JSON object.

use assay_testkit::Request;

/// Names and values. Of a JSON object the strings, numbers and truth values;
/// None when the body is meant as JSON and is not a flat object.
pub fn fields(request: &Request) -> Option<Vec<(String, String)>> {
    let body = String::from_utf8_lossy(&request.body);
    match body.trim_start().starts_with('{') {
        true => flat_object(&body),
        false => {
            Some(request.form().iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect())
        }
    }
}

fn flat_object(text: &str) -> Option<Vec<(String, String)>> {
    let mut rest = text.trim().strip_prefix('{')?.trim_start();
    let mut fields = Vec::new();
    if rest == "}" {
        return Some(fields);
    }
    loop {
        let (name, after) = string(rest)?;
        let after = after.trim_start().strip_prefix(':')?.trim_start();
        let (value, after) = match after.starts_with('"') {
            true => string(after)?,
            false => {
                let end = after.find([',', '}'])?;
                let bare = after[..end].trim();
                if bare.is_empty() || bare.contains(['[', '{', '"']) {
                    return None;
                }
                (bare.to_owned(), &after[end..])
            }
        };
        fields.push((name, value));
        let after = after.trim_start();
        match after.strip_prefix(',') {
            Some(next) => rest = next.trim_start(),
            None => return (after == "}").then_some(fields),
        }
    }
}

/// A JSON string at the beginning, and what follows it.
fn string(text: &str) -> Option<(String, &str)> {
    let inside = text.strip_prefix('"')?;
    let mut value = String::new();
    let mut letters = inside.char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '"' => return Some((value, &inside[at + 1..])),
            '\\' => match letters.next()?.1 {
                'n' => value.push('\n'),
                't' => value.push('\t'),
                'u' => {
                    let digits: String = letters.by_ref().take(4).map(|(_, digit)| digit).collect();
                    value.push(char::from_u32(u32::from_str_radix(&digits, 16).ok()?)?);
                }
                other => value.push(other),
            },
            other => value.push(other),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flat_object_is_read() {
        let fields = flat_object(r#" { "email": "a@b.c", "password":"p\"\u0041", "age": 7 } "#).unwrap();
        let pairs: Vec<(&str, &str)> =
            fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        assert_eq!(pairs, [("email", "a@b.c"), ("password", "p\"A"), ("age", "7")]);
        assert_eq!(flat_object("{}"), Some(Vec::new()));
    }

    #[test]
    fn anything_else_is_refused() {
        for text in ["{", r#"{"a":}"#, r#"{"a":[1]}"#, r#"{"a":"b"} x"#, r#"{"a":"b"#, r#"{a:1}"#] {
            assert_eq!(flat_object(text), None, "{text}");
        }
    }
}
