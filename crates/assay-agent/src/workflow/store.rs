//! The values that a workflow knows: those of its slots, and the answers of its calls.

use std::collections::BTreeMap;

use assay_suite::{Argument, Template, TemplatePart, ValuePath};
use serde_json::Value;

use crate::matching::Bound;

pub(super) const ITEM: &str = "item";
/// The name of a slot's value among what is known of it.
const VALUE: &str = "slot_value";

pub(super) struct Store<'a> {
    pub slots: &'a BTreeMap<String, Vec<Bound>>,
    /// Answers by the tool that gave them; the latest counts.
    pub answers: BTreeMap<String, Value>,
}

impl Store<'_> {
    /// The value at a path. Lists on the way give a list.
    pub fn value(&self, path: &ValuePath, item: Option<&Value>) -> Option<Value> {
        if path.root == ITEM {
            let item = item?;
            // An entry that is the value of a slot stands for its name.
            return match (path.fields.is_empty(), item.get(VALUE)) {
                (true, Some(name)) => Some(name.clone()),
                _ => inside(item, &path.fields),
            };
        }
        if let Some(values) = self.slots.get(&path.root) {
            let found: Vec<Value> = match path.fields.as_slice() {
                [] => values.iter().map(|bound| bound.value.clone()).collect(),
                fields => values.iter().filter_map(|bound| inside(&bound.facts, fields)).collect(),
            };
            return one_or_many(distinct(found));
        }
        inside(self.answers.get(&path.root)?, &path.fields)
    }

    /// An argument; none if its placeholders have no value.
    pub fn argument(&self, argument: &Argument, item: Option<&Value>) -> Option<Value> {
        match argument {
            Argument::Fixed(value) => Some(value.clone()),
            Argument::List(items) => {
                let values: Vec<Value> = items.iter().filter_map(|one| self.argument(one, item)).collect();
                (!values.is_empty()).then_some(Value::Array(values))
            }
            Argument::Text(template) => match template.parts.as_slice() {
                [TemplatePart::Value { ways, form: None }] => {
                    ways.iter().find_map(|way| self.value(way, item))
                }
                [TemplatePart::Value { .. }] => {
                    self.text(template, item).filter(|text| !text.is_empty()).map(Value::String)
                }
                _ => {
                    let is_whole = template.ways().next().is_none()
                        || template.ways().any(|way| self.value(way, item).is_some());
                    is_whole.then(|| self.text(template, item).unwrap_or_default()).map(Value::String)
                }
            },
        }
    }

    /// A text; placeholders without a value are empty. None only if there is nothing at all to say.
    pub fn text(&self, template: &Template, item: Option<&Value>) -> Option<String> {
        let mut text = String::new();
        for part in &template.parts {
            match part {
                TemplatePart::Text(words) => text.push_str(words),
                TemplatePart::Value { ways, form } => {
                    let value =
                        ways.iter().find_map(|way| self.value(way, item).filter(|value| !is_empty(value)));
                    text.push_str(&written(value.as_ref(), form.as_deref()));
                }
            }
        }
        let text: Vec<&str> = text.lines().map(str::trim_end).collect();
        let text = text.join("\n");
        (!text.trim().is_empty()).then_some(text)
    }
}

pub(super) fn inside(value: &Value, fields: &[String]) -> Option<Value> {
    let Some((field, rest)) = fields.split_first() else { return Some(value.clone()) };
    match value {
        Value::Array(items) => {
            if let Ok(place) = field.parse::<usize>() {
                return inside(items.get(place)?, rest);
            }
            let mut found = Vec::new();
            for item in items {
                match inside(item, fields) {
                    Some(Value::Array(inner)) => found.extend(inner),
                    Some(value) => found.push(value),
                    None => {}
                }
            }
            (!found.is_empty()).then_some(Value::Array(found))
        }
        other => inside(other.get(field)?, rest),
    }
}

pub(super) fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    }
}

fn distinct(values: Vec<Value>) -> Vec<Value> {
    let mut kept: Vec<Value> = Vec::new();
    for value in values {
        if !kept.contains(&value) {
            kept.push(value);
        }
    }
    kept
}

fn one_or_many(mut values: Vec<Value>) -> Option<Value> {
    match values.len() {
        0 => None,
        1 => values.pop(),
        _ => Some(Value::Array(values)),
    }
}

fn written(value: Option<&Value>, form: Option<&str>) -> String {
    let plain = |value: &Value| match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    };
    let joined = |value: &Value, with: &str| match value {
        Value::Array(items) => {
            let words = distinct(items.clone());
            words.iter().map(plain).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(with)
        }
        other => plain(other),
    };
    let Some(value) = value else {
        return if form == Some("count") { "0".to_string() } else { String::new() };
    };
    match form {
        Some("upper") => joined(value, ", ").to_uppercase(),
        Some("seconds") => {
            value.as_u64().map_or_else(String::new, |ms| format!("{:.1}s", ms as f64 / 1000.0))
        }
        Some("count") => value.as_array().map_or(1, Vec::len).to_string(),
        Some("comma") => joined(value, ","),
        Some("controlled") => format!("controlled by {}", joined(value, ", ")),
        _ => joined(value, ", "),
    }
}

/// The list at a path; one value is a list of one. The values of a slot come with what is known of them.
pub(super) fn items(store: &Store<'_>, path: &ValuePath) -> Vec<Value> {
    if let (Some(values), true) = (store.slots.get(&path.root), path.fields.is_empty()) {
        let with_name = |bound: &Bound| match &bound.facts {
            Value::Object(fields) => {
                let mut fields = fields.clone();
                fields.insert(VALUE.to_string(), bound.value.clone());
                Value::Object(fields)
            }
            _ => bound.value.clone(),
        };
        return values.iter().map(with_name).collect();
    }
    match store.value(path, None) {
        Some(Value::Array(items)) => items,
        Some(Value::Null) | None => Vec::new(),
        Some(one) => vec![one],
    }
}

/// Whether a field of an entry is what was asked for; `any` is something, and a list is each of its values.
pub(super) fn fits(found: Option<&Value>, wanted: &Value) -> bool {
    match wanted {
        Value::Array(all) => all.iter().any(|one| fits(found, one)),
        Value::String(word) if word == "any" => found.is_some_and(|value| !is_empty(value)),
        Value::String(word) => found.is_some_and(|value| match value {
            Value::String(text) => text == word,
            Value::Null | Value::Bool(_) | Value::Number(_) => {
                let shown = value.to_string();
                shown == *word
            }
            Value::Array(_) | Value::Object(_) => false,
        }),
        other => found == Some(other),
    }
}
