//! The field names in a request body, without the values.

/// Names in the body of a request, in order of the alphabet: the keys of a JSON object, the fields of a form. None for a
/// body of another kind.
pub fn field_names(body: &str) -> Option<Vec<String>> {
    let body = body.trim();
    let mut names = if body.is_empty() {
        Vec::new()
    } else if body.starts_with('{') {
        of_object(body)?
    } else if body.starts_with("--") && body.contains("Content-Disposition") {
        of_parts(body)
    } else if body.starts_with('[') || !body.contains('=') || body.contains(['<', '\n']) {
        return None;
    } else {
        body.split('&').filter_map(|pair| pair.split('=').next()).map(decoded).collect()
    };
    names.sort();
    names.dedup();
    Some(names)
}

fn of_object(body: &str) -> Option<Vec<String>> {
    let object: serde_json::Map<String, serde_json::Value> = serde_json::from_str(body).ok()?;
    Some(object.into_iter().map(|(name, _)| name).collect())
}

fn of_parts(body: &str) -> Vec<String> {
    body.lines()
        .filter(|line| line.to_ascii_lowercase().starts_with("content-disposition:"))
        .filter_map(|line| line.split("name=\"").nth(1)?.split('"').next())
        .map(str::to_string)
        .collect()
}

/// A name as a form sends it, readable.
fn decoded(name: &str) -> String {
    let mut bytes = Vec::with_capacity(name.len());
    let mut rest = name.as_bytes();
    while let [first, after @ ..] = rest {
        let hex = |digit: u8| (digit as char).to_digit(16);
        match (first, after) {
            (b'%', [high, low, tail @ ..]) if let (Some(high), Some(low)) = (hex(*high), hex(*low)) => {
                bytes.push((high * 16 + low) as u8);
                rest = tail;
                continue;
            }
            (b'+', _) => bytes.push(b' '),
            _ => bytes.push(*first),
        }
        rest = after;
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(body: &str) -> Option<String> {
        field_names(body).map(|names| names.join(","))
    }

    #[test]
    fn names_are_read_from_forms_and_objects() {
        assert_eq!(
            names("email=a%40b&first+name=x&tags%5B%5D=1&tags%5B%5D=2"),
            Some("email,first name,tags[]".into())
        );
        assert_eq!(names(r#"{"b": {"c": 1}, "a": 2}"#), Some("a,b".into()));
        assert_eq!(
            names(
                "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n\r\nhello\r\n--x--"
            ),
            Some("file".into())
        );
        assert_eq!(names(""), Some(String::new()));
    }

    #[test]
    fn what_is_no_form_has_no_names() {
        assert_eq!(names("just text"), None);
        assert_eq!(names("<xml a=\"1\"/>"), None);
        assert_eq!(names("{ broken"), None);
    }
}
