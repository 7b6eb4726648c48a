//! Where two requests part.

use std::fmt;

use serde_json::Value;

/// The first place at which a request differs from the recorded one that is nearest to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// A JSON pointer: `/body/messages/0/content`.
    pub at: String,
    pub recorded: String,
    pub asked: String,
    /// How many places differ in all.
    pub places: usize,
}

impl fmt::Display for Difference {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "at `{}`: recorded {}, asked {}", self.at, self.recorded, self.asked)?;
        match self.places {
            0 | 1 => Ok(()),
            2 => out.write_str(", and in one more place"),
            more => write!(out, ", and in {} more places", more - 1),
        }
    }
}

impl Difference {
    /// Nothing when both are the same.
    pub fn between(recorded: &Value, asked: &Value) -> Option<Difference> {
        let mut found = Differences::default();
        found.compare("", Some(recorded), Some(asked));
        found.first.map(|first| Difference { places: found.places, ..first })
    }
}

#[derive(Default)]
struct Differences {
    first: Option<Difference>,
    places: usize,
}

impl Differences {
    fn compare(&mut self, at: &str, recorded: Option<&Value>, asked: Option<&Value>) {
        match (recorded, asked) {
            (Some(Value::Object(old)), Some(Value::Object(new))) => {
                let mut names: Vec<&String> = old.keys().chain(new.keys()).collect();
                names.sort();
                names.dedup();
                for name in names {
                    self.compare(&format!("{at}/{name}"), old.get(name), new.get(name));
                }
            }
            (Some(Value::Array(old)), Some(Value::Array(new))) => {
                for index in 0..old.len().max(new.len()) {
                    self.compare(&format!("{at}/{index}"), old.get(index), new.get(index));
                }
            }
            (Some(Value::String(old)), Some(Value::String(new))) if old != new => {
                let (old, new) = from_where_they_part(old, new);
                self.add(at, format!("`{old}`"), format!("`{new}`"));
            }
            (old, new) if old == new => {}
            (old, new) => self.add(at, shown(old), shown(new)),
        }
    }

    fn add(&mut self, at: &str, recorded: String, asked: String) {
        self.places += 1;
        if self.first.is_none() {
            self.first = Some(Difference { at: at.to_string(), recorded, asked, places: 1 });
        }
    }
}

fn shown(value: Option<&Value>) -> String {
    match value {
        None => "nothing".to_string(),
        Some(value) => format!("`{}`", crate::formats::beginning(&value.to_string())),
    }
}

/// Both texts from a little before the place where they part.
fn from_where_they_part(old: &str, new: &str) -> (String, String) {
    const BEFORE: usize = 12;
    const LENGTH: usize = 60;
    let same = old.chars().zip(new.chars()).take_while(|(old, new)| old == new).count();
    let is_short = |text: &str| text.chars().nth(LENGTH).is_none();
    let start = if is_short(old) && is_short(new) { 0 } else { same.saturating_sub(BEFORE) };
    let cut = |text: &str| {
        let part: String = text.chars().skip(start).take(LENGTH).collect();
        let before = if start > 0 { "…" } else { "" };
        let after = if text.chars().nth(start + LENGTH).is_some() { "…" } else { "" };
        format!("{before}{part}{after}")
    };
    (cut(old), cut(new))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(recorded: Value, asked: Value, expected: &str) {
        let actual = Difference::between(&recorded, &asked).map(|it| it.to_string()).unwrap_or_default();
        assert_eq!(actual, expected);
    }

    #[test]
    fn the_first_place_is_named() {
        check(json!({"a": [1, {"b": 2}]}), json!({"a": [1, {"b": 2}]}), "");
        check(
            json!({"a": [1, {"b": 2}]}),
            json!({"a": [1, {"b": 3}]}),
            "at `/a/1/b`: recorded `2`, asked `3`",
        );
        check(
            json!({"a": 1}),
            json!({"b": 1}),
            "at `/a`: recorded `1`, asked nothing, and in one more place",
        );
        check(json!([1]), json!([1, 2, 3, 4]), "at `/1`: recorded nothing, asked `2`, and in 2 more places");
    }

    #[test]
    fn long_texts_are_shown_where_they_part() {
        let text = "Click the button that is called ".repeat(4);
        check(
            json!({"t": format!("{text}Log in")}),
            json!({"t": format!("{text}Log out")}),
            "at `/t`: recorded `… called Log in`, asked `… called Log out`",
        );
    }
}
