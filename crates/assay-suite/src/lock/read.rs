//! Reads a lock file.

use std::collections::BTreeMap;

use assay_protocol::actions::PlainActionError;
use assay_protocol::{Action, LastingAct, LockedEntry, LockedTest, Part, Selector, Signature};
use serde::Deserialize;
use serde_json::{Map, Value as Json, json};

use super::{LockFile, VERSION};
use crate::mistake::Mistake;
use crate::node::{Node, Value};
use crate::problem::{Problem, Problems};
use crate::source::Source;
use crate::yaml;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    lock: u64,
    #[serde(default)]
    tests: Option<BTreeMap<String, Vec<WrittenEntry>>>,
    #[serde(default)]
    refused: Option<BTreeMap<String, Vec<WrittenEntry>>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenEntry {
    step: String,
    #[serde(default = "a_step")]
    part: Part,
    #[serde(default = "first")]
    nth: usize,
    acts: Vec<Map<String, Json>>,
    #[serde(default)]
    effect: assay_protocol::EffectKind,
}

fn a_step() -> Part {
    Part::Step
}

fn first() -> usize {
    1
}

pub(super) fn read(source: &Source) -> Result<LockFile, Box<Problem>> {
    let broken =
        |reason: String| Box::new(Problem::of_file(source.shown.clone(), Mistake::BrokenLock { reason }));
    let mut problems = Problems::default();
    let documents = yaml::documents(source, &mut problems);
    if let Some(problem) = problems.into_vec().into_iter().next() {
        return Err(Box::new(problem));
    }
    let [document] = documents.as_slice() else {
        return Err(broken(format!("expected one document, found {}", documents.len())));
    };
    let written: Written =
        serde_json::from_value(as_json(document)).map_err(|err| broken(err.to_string()))?;
    if written.lock != VERSION {
        return Err(broken(format!("expected lock version {VERSION}, found {}", written.lock)));
    }
    let mut tests: BTreeMap<String, LockedTest> = BTreeMap::new();
    let read = |entries: Vec<WrittenEntry>| -> Result<Vec<LockedEntry>, Box<Problem>> {
        entries.into_iter().map(entry).collect::<Result<_, String>>().map_err(broken)
    };
    for (test, entries) in written.tests.unwrap_or_default() {
        tests.insert(test, LockedTest { entries: read(entries)?, refused: Vec::new() });
    }
    for (test, refused) in written.refused.unwrap_or_default() {
        // What was refused for a test that is gone refuses nothing.
        let Some(locked) = tests.get_mut(&test) else { continue };
        locked.refused = read(refused)?;
    }
    Ok(LockFile { tests })
}

fn entry(written: WrittenEntry) -> Result<LockedEntry, String> {
    let of_step = |reason: String| format!("in \"{}\": {reason}", written.step);
    if written.acts.is_empty() {
        return Err(of_step("expected at least one act, found none".to_string()));
    }
    let acts: Result<Vec<LastingAct>, String> =
        written.acts.iter().map(|act| self::act(act).map_err(of_step)).collect();
    Ok(LockedEntry {
        part: written.part,
        nth: written.nth,
        acts: acts?,
        effect: written.effect,
        step: written.step,
    })
}

fn act(written: &Map<String, Json>) -> Result<LastingAct, String> {
    let mut elements = BTreeMap::new();
    let mut action = None;
    for (key, value) in written {
        if key == "do" {
            let read = Action::from_plain_json(value.clone()).map_err(|err| match err {
                PlainActionError::Selector(err) => err.to_string(),
                PlainActionError::Shape(err) => format!("`do`: {err}"),
            });
            action = Some(read?);
        } else {
            let signature: Signature =
                serde_json::from_value(value.clone()).map_err(|err| format!("`{key}`: {err}"))?;
            elements.insert(key.clone(), signature);
        }
    }
    let mut action = action.ok_or("expected `do`, found none")?;
    // A ref without a description would be whatever has that number on the page at hand.
    let is_bare =
        |selector: &&mut Selector| selector.as_ref_id().is_some() && !elements.contains_key(&selector.source);
    if let Some(bare) = action.selectors_mut().into_iter().find(is_bare) {
        return Err(format!("`{}` has no description", bare.source));
    }
    Ok(LastingAct { action, elements })
}

fn as_json(node: &Node) -> Json {
    match &node.value {
        Value::Scalar { text, plain: true } => match text.as_str() {
            "" | "~" | "null" => Json::Null,
            "true" => Json::Bool(true),
            "false" => Json::Bool(false),
            _ => match text.parse::<u64>() {
                Ok(number) => json!(number),
                Err(_) => text.parse::<f64>().map_or_else(|_| json!(text), |number| json!(number)),
            },
        },
        Value::Scalar { text, plain: false } => json!(text),
        Value::List(items) => Json::Array(items.iter().map(as_json).collect()),
        Value::Map(entries) => {
            Json::Object(entries.iter().map(|(key, node)| (key.text.clone(), as_json(node))).collect())
        }
    }
}
