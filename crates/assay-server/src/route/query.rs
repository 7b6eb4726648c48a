//! The query of a request as a type. Each name at most once; an unknown one is a mistake.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::problem::Problem;

/// Reads `limit=10&status=open`. Whole numbers and `true`, `false` become what they are where the type wants them.
pub fn read_query<Q: DeserializeOwned>(query: &str) -> Result<Q, Problem> {
    let mut texts = Vec::new();
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let (name, value) = (decoded(name)?, decoded(value)?);
        if texts.iter().any(|(known, _)| *known == name) {
            return Err(Problem::usage(format!("`{name}` is given twice in the query")));
        }
        // No name of anything has one, and the system takes it for the end of a text.
        if value.contains('\0') {
            return Err(Problem::usage(format!("`{name}` has a character that no text has")));
        }
        texts.push((name, value));
    }
    let as_texts = || texts.iter().map(|(name, value)| (name.clone(), Value::String(value.clone())));
    let typed = |name: &str, value: &str| {
        let value = match (value, value.parse::<i64>()) {
            ("true", _) => Value::Bool(true),
            ("false", _) => Value::Bool(false),
            (_, Ok(number)) => Value::from(number),
            _ => Value::String(value.to_string()),
        };
        (name.to_string(), value)
    };
    // A name of digits is still a name: what the type does not take as a number, it gets as a text.
    let first: Map<String, Value> = texts.iter().map(|(name, value)| typed(name, value)).collect();
    let second: Map<String, Value> = as_texts().collect();
    let mut last = None;
    for candidate in mixtures(&first, &second) {
        match serde_json::from_value(Value::Object(candidate)) {
            Ok(query) => return Ok(query),
            Err(err) => last = last.or(Some(err)),
        }
    }
    let why = last.map(|err| err.to_string()).unwrap_or_default();
    Err(Problem::usage(format!("the query cannot be read: {why}")))
}

/// Every choice between a value and its text, where the two differ. Queries have few names.
fn mixtures(typed: &Map<String, Value>, texts: &Map<String, Value>) -> Vec<Map<String, Value>> {
    let differing: Vec<&String> =
        typed.keys().filter(|name| typed.get(*name) != texts.get(*name)).take(6).collect();
    (0..1_usize << differing.len())
        .map(|choice| {
            let mut mixed = typed.clone();
            for (at, name) in differing.iter().enumerate() {
                if choice & (1 << at) != 0
                    && let Some(text) = texts.get(*name)
                {
                    mixed.insert((*name).clone(), text.clone());
                }
            }
            mixed
        })
        .collect()
}

fn decoded(text: &str) -> Result<String, Problem> {
    let wrong = || Problem::usage("the query is not encoded as it should be");
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        match byte {
            b'+' => bytes.push(b' '),
            b'%' => {
                let digits = [rest.next().ok_or_else(wrong)?, rest.next().ok_or_else(wrong)?];
                let digits = std::str::from_utf8(&digits).map_err(|_| wrong())?;
                bytes.push(u8::from_str_radix(digits, 16).map_err(|_| wrong())?);
            }
            other => bytes.push(other),
        }
    }
    String::from_utf8(bytes).map_err(|_| wrong())
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Query {
        limit: Option<usize>,
        cursor: Option<String>,
        open: Option<bool>,
    }

    #[track_caller]
    fn check(text: &str, expected: Option<Query>) {
        assert_eq!(read_query::<Query>(text).ok(), expected, "{text}");
    }

    #[test]
    fn names_and_values_are_read_as_their_types() {
        let query = |limit, cursor: Option<&str>, open| {
            Some(Query { limit, cursor: cursor.map(str::to_string), open })
        };
        check("", query(None, None, None));
        check("limit=10&cursor=5&open=true", query(Some(10), Some("5"), Some(true)));
        check("cursor=a%20b%2Fc+d", query(None, Some("a b/c d"), None));
        check("cursor=true", query(None, Some("true"), None));
    }

    #[test]
    fn mistakes_are_told() {
        for wrong in
            ["limit=x", "limit=1&limit=2", "other=1", "cursor=%", "cursor=%zz", "cursor=%ff", "open=7"]
        {
            check(wrong, None);
        }
    }
}
