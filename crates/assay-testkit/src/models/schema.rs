//! Checks a JSON value against a JSON Schema.
//!
//! Knows the words that the schemas of the models use, and panics at any other: a word that is
//! overlooked would let a wrong request pass. A whole validator takes longer to build than all that is
//! tested with this one.

use serde_json::Value;

/// What is wrong with the value, one line each.
pub fn problems(root: &Value, value: &Value) -> Vec<String> {
    let mut problems = Vec::new();
    check(root, root, value, "", &mut problems);
    problems
}

/// The same for a part of a schema, whose references lead into the whole.
pub fn problems_of_part(root: &Value, part: &Value, value: &Value) -> Vec<String> {
    let mut problems = Vec::new();
    check(root, part, value, "", &mut problems);
    problems
}

fn check(root: &Value, schema: &Value, value: &Value, at: &str, problems: &mut Vec<String>) {
    let words = match schema {
        Value::Bool(true) => return,
        Value::Bool(false) => {
            problems.push(format!("{at}: nothing may stand here"));
            return;
        }
        schema => schema.as_object().expect("a schema is an object or a boolean"),
    };
    for (word, rule) in words {
        let holds = match word.as_str() {
            "$schema" | "$comment" | "title" | "description" | "$defs" | "format" => true,
            other if other.starts_with("x-") => true,
            "$ref" => {
                let pointer = rule.as_str().and_then(|it| it.strip_prefix('#')).expect("a local reference");
                let target = root.pointer(pointer).expect("a reference leads somewhere");
                check(root, target, value, at, problems);
                true
            }
            "type" => is_of_type(value, text(rule)),
            "const" => value == rule,
            "enum" => list(rule).contains(value),
            "minimum" => value.as_f64().is_none_or(|it| it >= rule.as_f64().expect("a number")),
            "maximum" => value.as_f64().is_none_or(|it| it <= rule.as_f64().expect("a number")),
            "minLength" => value.as_str().is_none_or(|it| it.chars().count() as u64 >= number(rule)),
            "maxLength" => value.as_str().is_none_or(|it| it.chars().count() as u64 <= number(rule)),
            "minItems" => value.as_array().is_none_or(|it| it.len() as u64 >= number(rule)),
            "maxItems" => value.as_array().is_none_or(|it| it.len() as u64 <= number(rule)),
            "maxProperties" => value.as_object().is_none_or(|it| it.len() as u64 <= number(rule)),
            "pattern" => value.as_str().is_none_or(|it| is_name(it, text(rule))),
            "required" => value.as_object().is_none_or(|object| {
                list(rule).iter().filter_map(Value::as_str).all(|name| object.contains_key(name))
            }),
            "properties" => {
                for (name, inner) in rule.as_object().expect("schemas by name") {
                    if let Some(part) = value.get(name) {
                        check(root, inner, part, &format!("{at}/{name}"), problems);
                    }
                }
                true
            }
            "propertyNames" => {
                for name in value.as_object().into_iter().flatten().map(|(name, _)| name) {
                    check(root, rule, &Value::String(name.clone()), &format!("{at}/{name}"), problems);
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
            "anyOf" => {
                problems.extend(nearest_branch(root, list(rule), value, at));
                true
            }
            "oneOf" => list(rule).iter().filter(|inner| holds(root, inner, value)).count() == 1,
            "not" => !self::holds(root, rule, value),
            unknown => panic!("the checker does not know `{unknown}`"),
        };
        if !holds {
            problems.push(format!("{at}: `{word}` {} does not hold for {}", short(rule), short(value)));
        }
    }
}

fn holds(root: &Value, schema: &Value, value: &Value) -> bool {
    let mut problems = Vec::new();
    check(root, schema, value, "", &mut problems);
    problems.is_empty()
}

/// Nothing when a branch fits. Otherwise the problems of the one that was meant: the one whose fixed
/// values all hold, or else the one with the fewest problems.
fn nearest_branch(root: &Value, branches: &[Value], value: &Value, at: &str) -> Vec<String> {
    let mut best: Option<(bool, Vec<String>)> = None;
    for branch in branches {
        let mut problems = Vec::new();
        check(root, branch, value, at, &mut problems);
        if problems.is_empty() {
            return Vec::new();
        }
        let is_another_kind = problems
            .iter()
            .any(|problem| problem.contains(": `const`") || problem.starts_with(&format!("{at}: `type`")));
        let better = best
            .as_ref()
            .is_none_or(|(other_kind, best)| (is_another_kind, problems.len()) < (*other_kind, best.len()));
        if better {
            best = Some((is_another_kind, problems));
        }
    }
    best.map(|(_, problems)| problems).unwrap_or_default()
}

fn is_of_type(value: &Value, name: &str) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "number" => value.is_number(),
        "integer" => value.is_i64() || value.is_u64(),
        unknown => panic!("the checker does not know the type `{unknown}`"),
    }
}

/// The only kind of pattern there is: `^[a-zA-Z0-9_-]{1,64}$`.
fn is_name(value: &str, pattern: &str) -> bool {
    let longest = pattern
        .strip_prefix("^[a-zA-Z0-9_-]{1,")
        .and_then(|rest| rest.strip_suffix("}$"))
        .and_then(|number| number.parse::<usize>().ok())
        .unwrap_or_else(|| panic!("the checker does not know the pattern `{pattern}`"));
    let is_plain = |it: char| it.is_ascii_alphanumeric() || it == '_' || it == '-';
    (1..=longest).contains(&value.len()) && value.chars().all(is_plain)
}

fn text(rule: &Value) -> &str {
    rule.as_str().expect("a text")
}

fn list(rule: &Value) -> &[Value] {
    rule.as_array().expect("a list")
}

fn number(rule: &Value) -> u64 {
    rule.as_u64().expect("a whole number")
}

fn short(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(160) {
        None => text,
        Some((at, _)) => format!("{}…", &text[..at]),
    }
}
