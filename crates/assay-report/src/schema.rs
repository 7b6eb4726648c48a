//! Checks a JSON value against a JSON Schema, for the tests of this crate.
//!
//! Knows the words of draft 07 that the schema of CTRF uses, and fails at any
//! other: a word that is overlooked would let a wrong document pass. A whole
//! validator takes longer to build than the rest of the crate together.

use serde_json::Value;

/// What is wrong with the value, one line each.
pub fn problems(root: &Value, value: &Value) -> Vec<String> {
    let mut problems = Vec::new();
    check(root, root, value, "", &mut problems);
    problems
}

fn check(root: &Value, schema: &Value, value: &Value, at: &str, problems: &mut Vec<String>) {
    let words = match schema {
        Value::Bool(true) => return,
        Value::Bool(false) => return problems.push(format!("{at}: nothing may stand here")),
        schema => schema.as_object().expect("a schema is an object or a boolean"),
    };
    for (word, rule) in words {
        let holds = match word.as_str() {
            "$schema" | "title" | "description" | "definitions" => true,
            "$ref" => {
                let pointer = rule.as_str().and_then(|it| it.strip_prefix('#')).expect("a local reference");
                let target = root.pointer(pointer).expect("a reference leads somewhere");
                check(root, target, value, at, problems);
                true
            }
            "type" => is_of_type(value, rule.as_str().expect("one type")),
            "const" => value == rule,
            "enum" => rule.as_array().expect("a list of values").contains(value),
            "minimum" => value.as_f64().is_none_or(|it| it >= rule.as_f64().expect("a number")),
            "minLength" => value.as_str().is_none_or(|it| it.chars().count() as u64 >= number(rule)),
            "minItems" => value.as_array().is_none_or(|it| it.len() as u64 >= number(rule)),
            "pattern" => value.as_str().is_none_or(|it| matches_pattern(it, rule.as_str().expect("a text"))),
            "format" => value.as_str().is_none_or(|it| has_format(it, rule.as_str().expect("a text"))),
            "required" => value.as_object().is_none_or(|object| {
                let names = rule.as_array().expect("a list of names").iter().filter_map(Value::as_str);
                names.into_iter().all(|name| object.contains_key(name))
            }),
            "properties" => {
                for (name, inner) in rule.as_object().expect("schemas by name") {
                    if let Some(part) = value.get(name) {
                        check(root, inner, part, &format!("{at}/{name}"), problems);
                    }
                }
                true
            }
            "additionalProperties" => {
                let known = words.get("properties").and_then(Value::as_object);
                for (name, part) in value.as_object().into_iter().flatten() {
                    if known.is_none_or(|known| !known.contains_key(name)) {
                        check(root, rule, part, &format!("{at}/{name}"), problems);
                    }
                }
                true
            }
            "items" => {
                for (index, part) in value.as_array().into_iter().flatten().enumerate() {
                    check(root, rule, part, &format!("{at}/{index}"), problems);
                }
                true
            }
            "anyOf" => rule.as_array().expect("a list of schemas").iter().any(|inner| {
                let mut trouble = Vec::new();
                check(root, inner, value, at, &mut trouble);
                trouble.is_empty()
            }),
            unknown => panic!("the checker does not know `{unknown}`"),
        };
        if !holds {
            problems.push(format!("{at}: `{word}` {rule} does not hold for {value}"));
        }
    }
}

fn is_of_type(value: &Value, name: &str) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "number" => value.is_number(),
        "integer" => value.is_i64() || value.is_u64(),
        unknown => panic!("the checker does not know the type `{unknown}`"),
    }
}

fn number(rule: &Value) -> u64 {
    rule.as_u64().expect("a whole number")
}

fn matches_pattern(text: &str, pattern: &str) -> bool {
    assert_eq!(pattern, r"^[0-9]+\.[0-9]+\.[0-9]+$", "the only pattern that the checker knows");
    let parts: Vec<&str> = text.split('.').collect();
    parts.len() == 3 && parts.iter().all(|it| !it.is_empty() && it.bytes().all(|it| it.is_ascii_digit()))
}

fn has_format(text: &str, format: &str) -> bool {
    match format {
        "uuid" => {
            let lengths: Vec<usize> = text.split('-').map(str::len).collect();
            lengths == [8, 4, 4, 4, 12] && text.bytes().all(|it| it == b'-' || it.is_ascii_hexdigit())
        }
        "date-time" => text.len() >= 20 && text.as_bytes()[10] == b'T' && text.ends_with('Z'),
        unknown => panic!("the checker does not know the format `{unknown}`"),
    }
}
