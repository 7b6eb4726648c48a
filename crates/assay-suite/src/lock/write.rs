//! Writes a lock file.

use std::fmt::Write as _;

use assay_protocol::{EffectKind, LastingAct, LockedEntry, Part, Signature};
use serde_json::{Value, json};

use super::{LockFile, VERSION};

const HEAD: &str = "\
# Written by `assay run --lock`: the actions and elements of a run that passed. Commit it beside its test. The next run\n\
# replays it; where the page has changed, `assay heal` shows what it would change here. It holds no expected values.\n";

pub(super) fn write(file: &LockFile) -> String {
    let mut text = format!("{HEAD}lock: {VERSION}\ntests:\n");
    for (test, locked) in &file.tests {
        let _ = writeln!(text, "  {}:", quoted(test));
        for entry in &locked.entries {
            self::entry(&mut text, entry);
        }
    }
    let refused: Vec<_> = file.tests.iter().filter(|(_, locked)| !locked.refused.is_empty()).collect();
    if !refused.is_empty() {
        text.push_str("# Replacements that a user refused (`assay heal --refuse`).\nrefused:\n");
    }
    for (test, locked) in refused {
        let _ = writeln!(text, "  {}:", quoted(test));
        for entry in &locked.refused {
            self::entry(&mut text, entry);
        }
    }
    text
}

fn entry(text: &mut String, entry: &LockedEntry) {
    let _ = writeln!(text, "    - step: {}", quoted(&entry.step));
    if entry.part != Part::Step {
        let _ = writeln!(text, "      part: {}", part_name(entry.part));
    }
    if entry.nth != 1 {
        let _ = writeln!(text, "      nth: {}", entry.nth);
    }
    let _ = writeln!(text, "      acts:");
    for act in &entry.acts {
        self::act(text, act);
    }
    effect(text, &entry.effect);
}

fn act(text: &mut String, act: &LastingAct) {
    let _ = writeln!(text, "        - do: {}", verb_first(act.action.to_plain_json()));
    for (reference, signature) in &act.elements {
        let _ = writeln!(text, "          {reference}:");
        self::signature(text, signature);
    }
}

fn signature(text: &mut String, signature: &Signature) {
    let mut line = |key: &str, value: &Value| {
        let _ = writeln!(text, "            {key}: {value}");
    };
    line("role", &json!(signature.role));
    if !signature.name.is_empty() {
        line("name", &json!(signature.name));
    }
    if !signature.marks.is_empty() {
        line("marks", &json!(signature.marks));
    }
    if !signature.within.is_empty() {
        line("within", &json!(signature.within));
    }
    if signature.near.iter().any(|words| !words.is_empty()) {
        line("near", &json!(signature.near));
    }
    line("place", &json!(signature.place));
    line("kind", &json!(signature.kind));
}

fn effect(text: &mut String, effect: &EffectKind) {
    if effect.is_nothing() {
        return;
    }
    let _ = writeln!(text, "      effect:");
    let mut line = |key: &str, value: &Value| {
        let _ = writeln!(text, "        {key}: {value}");
    };
    if let Some(path) = &effect.lands {
        line("lands", &json!(path));
    }
    for (key, list) in [
        ("requests", json!(effect.requests)),
        ("opens", json!(effect.opens)),
        ("changes", json!(effect.changes)),
    ] {
        if list.as_array().is_some_and(|list| !list.is_empty()) {
            line(key, &list);
        }
    }
}

fn verb_first(action: Value) -> String {
    let Value::Object(mut fields) = action else { return action.to_string() };
    let verb = fields.remove("verb").unwrap_or_default();
    let rest: String = fields.iter().map(|(key, value)| format!(",{}:{value}", json!(key))).collect();
    format!("{{\"verb\":{verb}{rest}}}")
}

fn part_name(part: Part) -> String {
    json!(part).as_str().unwrap_or_default().to_string()
}

fn quoted(text: &str) -> Value {
    Value::String(text.to_string())
}
