//! What a skill says when its work is done.

use assay_suite::Skill;
use serde_json::Value;

use super::store::{Store, fits, inside, items};
use crate::matching::holds;

/// The answer in Markdown.
pub(super) fn answer(skill: &Skill, store: &Store<'_>) -> String {
    let mut lines: Vec<String> = Vec::new();
    for part in skill.answer.iter().filter(|part| holds(&part.when, store.slots)) {
        let Some(path) = &part.each else {
            lines.extend(store.text(&part.say, None));
            continue;
        };
        let wanted: Vec<(&[String], Option<Value>)> = part
            .only
            .iter()
            .map(|(field, wanted)| {
                // A field may be written with `item.` before it, or without.
                let fields = if field.root == super::store::ITEM {
                    field.fields.as_slice()
                } else {
                    std::slice::from_ref(&field.root)
                };
                (fields, store.argument(wanted, None))
            })
            .collect();
        let is_wanted = |item: &Value| {
            wanted.iter().all(|(fields, value)| {
                value.as_ref().is_none_or(|value| fits(inside(item, fields).as_ref(), value))
            })
        };
        let said: Vec<String> = items(store, path)
            .iter()
            .filter(|item| is_wanted(item))
            .filter_map(|item| store.text(&part.say, Some(item)))
            .collect();
        if said.is_empty() {
            lines.extend(part.none.as_ref().and_then(|none| store.text(none, None)));
        }
        lines.extend(said);
    }
    lines.join("\n")
}
