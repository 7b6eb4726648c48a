//! An answer of a tool in a few words, for the line of its call.

use serde_json::Value;

const SHOWN: usize = 3;
const WIDTH: usize = 100;

/// Names, numbers or verdicts; the first line of a text otherwise.
pub fn short(value: Option<&Value>, text: &str) -> String {
    let words =
        value.and_then(of_value).unwrap_or_else(|| text.lines().next().unwrap_or("done").trim().to_string());
    let mut letters = words.chars();
    let cut: String = letters.by_ref().take(WIDTH).collect();
    if letters.next().is_some() { format!("{cut}…") } else { cut }
}

fn of_value(value: &Value) -> Option<String> {
    let fields = value.as_object()?;
    if let Some(totals) = fields.get("totals").and_then(Value::as_object) {
        let counted =
            totals.iter().filter(|(name, number)| *name != "tests" && number.as_u64().is_some_and(|n| n > 0));
        let words: Vec<String> =
            counted.map(|(name, number)| format!("{number} {}", name.replace('_', " "))).collect();
        return Some(if words.is_empty() { "nothing".to_string() } else { words.join(", ") });
    }
    let list = fields.values().find_map(Value::as_array);
    if let Some(name) = ["device", "code", "tree", "file", "path", "testcase"]
        .iter()
        .find_map(|key| fields.get(*key)?.as_str())
    {
        let state = ["state", "owner"].iter().find_map(|key| fields.get(*key)?.as_str());
        return Some(state.map_or_else(|| name.to_string(), |state| format!("{name}, {state}")));
    }
    let items = list?;
    let name_of = |item: &Value| -> Option<String> {
        let keys = ["host", "device", "userinterface", "id", "code", "name", "file", "tree"];
        keys.iter()
            .find_map(|key| item.get(*key)?.as_str().map(str::to_string))
            .or_else(|| item.as_str().map(str::to_string))
    };
    let names: Vec<String> = items.iter().filter_map(name_of).collect();
    Some(match names.len() {
        0 => "none".to_string(),
        count if count > SHOWN => format!("{}, … ({count})", names[..SHOWN].join(", ")),
        _ => names.join(", "),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn answers_are_short() {
        let hosts = json!({ "hosts": [{ "host": "local", "devices": [] }] });
        assert_eq!(short(Some(&hosts), ""), "local");
        let run = json!({ "totals": { "tests": 2, "passed": 1, "failed": 1, "errors": 0 }, "tests": [] });
        assert_eq!(short(Some(&run), ""), "1 failed, 1 passed");
        let tests = json!({ "tests": [{ "id": "a" }, { "id": "b" }, { "id": "c" }, { "id": "d" }] });
        assert_eq!(short(Some(&tests), ""), "a, b, c, … (4)");
        assert_eq!(short(None, "could not\nmore"), "could not");
    }
}
