//! Requests in people's own words (`bench/agents/requests`): how many are understood, and that none starts something
//! else than what was asked for.

#![expect(clippy::unwrap_used, reason = "a set that cannot be read fails the test")]

use std::collections::BTreeSet;
use std::path::Path;

use assay_agent::{Given, Library, NameIndex, Understanding, understand};
use serde_json::{Map, Value, json};

/// How many requests of a set have to be understood as their file says.
struct Floor {
    set: &'static str,
    names: &'static str,
    right: usize,
}

const FLOORS: &[Floor] = &[
    Floor { set: "dev", names: "shop", right: 110 },
    Floor { set: "shop2", names: "shop", right: 68 },
    Floor { set: "clinic", names: "clinic", right: 48 },
    Floor { set: "hire", names: "hire", right: 68 },
    Floor { set: "ferry", names: "ferry", right: 79 },
];

/// What was understood, as `assay agent ask --dry-run --json` says it.
#[derive(Debug)]
struct Said {
    skill: Option<String>,
    slots: Map<String, Value>,
    /// What is offered, of a question.
    candidates: Option<Vec<String>>,
}

#[test]
fn requests_are_understood_and_none_starts_something_else() {
    let library = Library::built_in();
    let mut report = Vec::new();
    let mut is_low = false;
    for floor in FLOORS {
        let lists = read(&format!("{}.names.json", floor.names));
        let names = NameIndex::from_answers(&|tool: &str| lists.get(tool).cloned());
        let entries = read(&format!("{}.json", floor.set));
        let entries = entries.as_array().unwrap();
        let (mut right, mut wrong_starts) = (0, 0);
        for entry in entries {
            let request = entry["request"].as_str().unwrap();
            let said = ask(request, &library, &names);
            let wanted = outcomes(entry);
            if wanted.iter().any(|one| holds(one, &said, &names)) {
                right += 1;
                continue;
            }
            let starts = said.candidates.is_none() && said.skill.is_some();
            wrong_starts += usize::from(starts);
            let mark = if starts { "   WRONG START" } else { "" };
            report.push(format!("{request}{mark}\n  wanted {}\n  got    {said:?}", json!(wanted)));
        }
        let of = entries.len();
        report.push(format!("{}: {right} of {of} right, {wrong_starts} wrong starts\n", floor.set));
        is_low |= right < floor.right || wrong_starts > 0;
    }
    println!("{}", report.join("\n"));
    assert!(!is_low, "fewer requests are understood than before");
}

fn read(file: &str) -> Value {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bench/agents/requests");
    serde_json::from_str(&std::fs::read_to_string(folder.join(file)).unwrap()).unwrap()
}

fn ask(request: &str, library: &Library, names: &NameIndex) -> Said {
    let agent = library.default_agent().unwrap();
    let (own, others) = (library.skills_of(agent), library.skills_beside(agent));
    match understand(request, &own, &others, names, &Given::default()) {
        Understanding::Do(order) => {
            let values = order.slots.iter().map(|(name, values)| {
                let values: Vec<Value> = values.iter().map(|bound| bound.value.clone()).collect();
                let value = match values.as_slice() {
                    [one] => one.clone(),
                    several => json!(several),
                };
                (name.clone(), value)
            });
            Said { skill: Some(order.skill), slots: values.collect(), candidates: None }
        }
        Understanding::Ask(question) => {
            Said { skill: question.skill, slots: Map::new(), candidates: Some(question.candidates) }
        }
        Understanding::Nothing(_) => Said { skill: None, slots: Map::new(), candidates: None },
    }
}

fn outcomes(entry: &Value) -> Vec<Value> {
    entry["expect_any"].as_array().cloned().unwrap_or_else(|| vec![entry["expect"].clone()])
}

fn holds(expected: &Value, said: &Said, names: &NameIndex) -> bool {
    let mut offered = said.candidates.clone().unwrap_or_default();
    let also =
        names.names.iter().filter(|name| offered.contains(&name.name)).flat_map(|name| name.also.clone());
    offered.extend(also.collect::<Vec<_>>());
    let offers = |field: &str| -> Option<(usize, usize)> {
        let wanted = words(expected.get(field)?);
        Some((wanted.iter().filter(|one| offered.contains(one)).count(), wanted.len()))
    };
    if expected["question"] == true {
        return said.candidates.is_some()
            && offers("candidates").is_none_or(|(hits, wanted)| hits == wanted)
            && offers("nearest").is_none_or(|(hits, _)| hits > 0);
    }
    if expected["none"] == true {
        return said.candidates.is_none() && said.skill.is_none();
    }
    let mut slots = said.slots.clone();
    if let (Some("manage-requirements"), None, Some(code)) =
        (said.skill.as_deref(), slots.get("requirement"), slots.get("code").cloned())
    {
        slots.insert("requirement".to_string(), code);
    }
    let arguments = expected["args"].as_object().cloned().unwrap_or_default();
    said.candidates.is_none()
        && said.skill.as_deref() == expected["skill"].as_str()
        && arguments.iter().all(|(name, wanted)| is_same(name, wanted, slots.get(name), names))
}

fn is_same(argument: &str, wanted: &Value, found: Option<&Value>, names: &NameIndex) -> bool {
    let Some(found) = found else { return false };
    let text = |value: &Value| -> String {
        let words: Vec<String> = words(value).into_iter().collect();
        words.join(" ").to_lowercase().trim_end_matches('.').to_string()
    };
    match argument {
        "params" => wanted
            .as_object()
            .unwrap()
            .iter()
            .all(|(name, value)| found.get(name).is_some_and(|found| words(found) == words(value))),
        "device" if wanted == "all" => words(found).len() >= 3,
        "userinterface" => {
            let found = words(found);
            names.names.iter().any(|name| {
                found.contains(&name.name)
                    && (wanted == &name.name || name.also.iter().any(|other| wanted == other))
            })
        }
        "description" => text(found).contains(&text(wanted)),
        "name" => text(found) == text(wanted),
        _ => words(found) == words(wanted),
    }
}

fn words(value: &Value) -> BTreeSet<String> {
    let word = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_string);
    match value {
        Value::Array(items) => items.iter().map(word).collect(),
        one => BTreeSet::from([word(one)]),
    }
}
