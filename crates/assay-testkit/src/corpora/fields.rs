//! The names and values of a request, however they were sent.

use serde_json::Value;

use crate::{Params, Request};

/// What the body of a request says: a form in either encoding, the members of a JSON object, the names of files.
pub(super) fn body_fields(request: &Request) -> Params {
    let kind = request.header("content-type").unwrap_or_default();
    if !kind.contains("json") {
        let mut fields = request.form();
        for file in request.uploads() {
            fields.push(file.field.clone(), file.file_name.clone());
        }
        return fields;
    }
    let mut fields = Params::default();
    if let Ok(Value::Object(members)) = serde_json::from_slice(&request.body) {
        for (name, value) in members {
            let value = match value {
                Value::String(text) => text,
                other => other.to_string(),
            };
            fields.push(name, value);
        }
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(kind: &str, body: &str, expected: &[(&str, &str)]) {
        let headers = vec![("content-type".to_owned(), kind.to_owned())];
        let request = Request { headers, body: body.into(), ..Request::default() };
        assert_eq!(body_fields(&request).iter().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn forms_and_json_give_the_same_fields() {
        check("application/x-www-form-urlencoded", "name=Ada+L&age=36", &[("name", "Ada L"), ("age", "36")]);
        check("application/json", r#"{"age": 36, "name": "Ada L"}"#, &[("age", "36"), ("name", "Ada L")]);
        check("application/json", "[1]", &[]);
    }
}
