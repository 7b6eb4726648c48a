//! What makes two requests the same: path, the headers that change the answer, and the body, whatever
//! the order of its fields.

use ring::digest::{SHA256, digest};
use serde_json::{Map, Value, json};

use crate::transport::HttpRequest;

/// Texts longer than this are kept by their hash: a screenshot would be a megabyte of letters in a diff.
const LONGEST_TEXT: usize = 4096;

/// A request, reduced to what matters. The address is not part of it: a cassette that was recorded
/// through a proxy replays without one.
#[derive(Debug, Clone, PartialEq)]
pub struct CanonicalRequest {
    pub hash: String,
    pub path: String,
    /// Headers and body as one value, long texts shortened.
    pub shown: Value,
}

impl CanonicalRequest {
    pub fn of(request: &HttpRequest) -> CanonicalRequest {
        let body = serde_json::from_slice(&request.body)
            .unwrap_or_else(|_| Value::String(String::from_utf8_lossy(&request.body).into_owned()));
        let headers: Map<String, Value> =
            request.headers.iter().map(|(name, value)| (name.to_string(), json!(value))).collect();
        let key = request.credentials.as_ref().map(|(_, credentials)| credentials.key());
        let whole = json!({"path": request.path, "headers": headers, "body": body});
        let mut canonical = String::new();
        write_sorted(&whole, &mut canonical);
        let mut shown = json!({"headers": headers, "body": body});
        shorten(&mut shown, &|text| key.map_or_else(|| text.to_string(), |key| key.scrub(text)));
        CanonicalRequest { hash: sha256(canonical.as_bytes()), path: request.path.clone(), shown }
    }
}

fn sha256(bytes: &[u8]) -> String {
    digest(&SHA256, bytes).as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// JSON with sorted names, whatever order the library keeps them in.
fn write_sorted(value: &Value, out: &mut String) {
    match value {
        Value::Object(fields) => {
            let mut names: Vec<&String> = fields.keys().collect();
            names.sort();
            out.push('{');
            for name in names {
                out.push_str(&Value::String(name.clone()).to_string());
                out.push(':');
                write_sorted(&fields[name], out);
                out.push(',');
            }
            out.push('}');
        }
        Value::Array(values) => {
            out.push('[');
            for value in values {
                write_sorted(value, out);
                out.push(',');
            }
            out.push(']');
        }
        plain => out.push_str(&plain.to_string()),
    }
}

fn shorten(value: &mut Value, scrub: &dyn Fn(&str) -> String) {
    match value {
        Value::Object(fields) => fields.iter_mut().for_each(|(_, value)| shorten(value, scrub)),
        Value::Array(values) => values.iter_mut().for_each(|value| shorten(value, scrub)),
        Value::String(text) if text.len() > LONGEST_TEXT => {
            *text = format!("[{} bytes, sha256 {}]", text.len(), sha256(text.as_bytes()));
        }
        Value::String(text) => *text = scrub(text),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::key::Key;
    use crate::transport::Credentials;

    fn request(body: &str, key: &str) -> HttpRequest {
        HttpRequest {
            base: "https://example.invalid".into(),
            path: "/v1/messages".into(),
            headers: vec![("anthropic-version", "2026-10-21".into())],
            credentials: Some(("x-api-key", Credentials::Plain(Key::new(key, "a test").unwrap()))),
            body: body.as_bytes().to_vec(),
        }
    }

    #[test]
    fn neither_key_nor_order_nor_address_matter() {
        let one = request(r#"{"a":1,"b":{"c":[1,2],"d":null}}"#, "sk-one-0123456789abcdef");
        let mut two = request(r#"{"b":{"d":null,"c":[1,2]},"a":1}"#, "sk-two-0123456789abcdef");
        two.base = "http://127.0.0.1:9".into();
        assert_eq!(CanonicalRequest::of(&one).hash, CanonicalRequest::of(&two).hash);
    }

    #[test]
    fn every_value_and_the_headers_matter() {
        let key = "sk-one-0123456789abcdef";
        let plain = CanonicalRequest::of(&request(r#"{"a":[1,2]}"#, key)).hash;
        assert_ne!(plain, CanonicalRequest::of(&request(r#"{"a":[2,1]}"#, key)).hash);
        let mut other = request(r#"{"a":[1,2]}"#, key);
        other.headers[0].1 = "2023-06-01".into();
        assert_ne!(plain, CanonicalRequest::of(&other).hash);
    }

    #[test]
    fn what_is_shown_is_short_and_holds_no_key() {
        let key = "sk-one-0123456789abcdef";
        let body = json!({"image": "x".repeat(5000), "text": format!("my key is {key}")}).to_string();
        let shown = CanonicalRequest::of(&request(&body, key)).shown.to_string();
        assert!(shown.contains("[5000 bytes, sha256 "), "{shown}");
        assert!(shown.contains("my key is [key]") && !shown.contains(key), "{shown}");
    }
}
