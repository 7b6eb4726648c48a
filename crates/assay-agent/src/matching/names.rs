//! The names that exist: of scripts, tests, devices, hosts, applications, requirements, trees and runs.

use assay_suite::SlotKind;
use serde_json::{Value, json};

use super::tokens::{stem, words_of};

/// Something that a request can name.
#[derive(Debug, Clone, PartialEq)]
pub struct Name {
    pub kind: SlotKind,
    /// As tools take it.
    pub name: String,
    /// Other names of the same.
    pub also: Vec<String>,
    /// What is known of it, for placeholders such as `{testcase.file}`.
    pub facts: Value,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct NameIndex {
    pub names: Vec<Name>,
}

impl NameIndex {
    pub fn of(&self, kind: SlotKind) -> impl Iterator<Item = &Name> {
        self.names.iter().filter(move |name| name.kind == kind)
    }

    /// The names in the answers of the tools that list them; a list that is missing has none.
    pub fn from_answers(answers: &dyn Fn(&str) -> Option<Value>) -> NameIndex {
        let mut index = NameIndex::default();
        let list = |tool: &str, field: &str| -> Vec<Value> {
            let value = answers(tool);
            value.and_then(|value| value.get(field)?.as_array().cloned()).unwrap_or_default()
        };
        let text = |value: &Value, field: &str| {
            value.get(field).and_then(Value::as_str).unwrap_or_default().to_string()
        };
        let mut add = |kind, value: &Value, field: &str, also: Vec<String>| {
            let name = text(value, field);
            if !name.is_empty() {
                let also = also.into_iter().filter(|other| !other.is_empty()).collect();
                index.names.push(Name { kind, name, also, facts: value.clone() });
            }
        };
        for script in list("list_scripts", "scripts") {
            add(SlotKind::Script, &script, "name", vec![text(&script, "title")]);
        }
        let tests = list("list_testcases", "tests");
        for test in &tests {
            let file = text(test, "file");
            let alone = tests.iter().filter(|other| text(other, "file") == file).count() == 1;
            let mut facts = test.clone();
            // The file says it all where the test is alone in it.
            if !alone {
                facts["only"] = facts["id"].clone();
            }
            add(SlotKind::Testcase, &facts, "id", vec![text(test, "name"), file]);
        }
        for host in list("list_hosts", "hosts") {
            add(SlotKind::Host, &host, "host", vec![text(&host, "machine")]);
            for device in host.get("devices").and_then(Value::as_array).into_iter().flatten() {
                add(SlotKind::Device, device, "device", Vec::new());
            }
        }
        let trees = list("list_trees", "trees");
        let same_origin = |one: &str, other: &str| !one.is_empty() && origin(one) == origin(other);
        let applications = list("list_userinterfaces", "userinterfaces");
        for application in &applications {
            let address = text(application, "base_url");
            // The tree of an application names it as well.
            let mut also: Vec<String> = trees
                .iter()
                .filter(|tree| same_origin(&text(tree, "base_url"), &address))
                .map(|tree| text(tree, "tree"))
                .collect();
            also.push(address.clone());
            also.push(origin(&address));
            add(SlotKind::Userinterface, application, "userinterface", also);
        }
        for tree in &trees {
            let address = text(tree, "base_url");
            let is_known = applications.iter().any(|known| same_origin(&text(known, "base_url"), &address));
            if !is_known && !address.is_empty() {
                let facts = json!({ "userinterface": tree["tree"], "base_url": address });
                add(
                    SlotKind::Userinterface,
                    &facts,
                    "userinterface",
                    vec![address.clone(), origin(&address)],
                );
            }
            add(SlotKind::Tree, tree, "tree", Vec::new());
        }
        for requirement in list("list_requirements", "requirements") {
            add(SlotKind::Requirement, &requirement, "code", vec![text(&requirement, "name")]);
        }
        let mut tags: Vec<String> = tests
            .iter()
            .filter_map(|test| test.get("tags")?.as_array())
            .flatten()
            .filter_map(|tag| tag.as_str().map(str::to_string))
            .collect();
        tags.sort();
        tags.dedup();
        for tag in tags {
            add(SlotKind::Tag, &json!({ "tag": tag }), "tag", Vec::new());
        }
        for run in list("list_runs", "runs") {
            let number = run.pointer("/run/task").map(Value::to_string).unwrap_or_default();
            let facts = json!({ "number": number });
            add(SlotKind::Run, &facts, "number", vec![text(&run["run"], "run")]);
        }
        index
    }
}

/// Host and port of an address.
pub(super) fn origin(address: &str) -> String {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    rest.split(['/', '?', '#']).next().unwrap_or(rest).to_lowercase()
}

impl Name {
    /// The stems of each of its forms: name, title, file.
    pub(super) fn forms(&self) -> Vec<Vec<String>> {
        let texts = std::iter::once(&self.name).chain(&self.also);
        let stems = |text: &String| -> Vec<String> { words_of(text).iter().map(|word| stem(word)).collect() };
        let mut forms: Vec<Vec<String>> = texts.map(stems).filter(|form| !form.is_empty()).collect();
        forms.dedup();
        forms
    }

    /// All stems of its name and title; those of a path only narrow.
    pub(super) fn stems(&self) -> Vec<String> {
        let texts = std::iter::once(&self.name).chain(self.also.iter().filter(|text| !text.contains('/')));
        let mut stems: Vec<String> =
            texts.flat_map(|text| words_of(text).into_iter().map(|word| stem(&word))).collect();
        stems.sort();
        stems.dedup();
        stems
    }

    /// The stems of its path and of its labels.
    pub(super) fn weak_stems(&self) -> Vec<String> {
        let texts = self.also.iter().filter(|text| text.contains('/')).cloned();
        let labels =
            ["tags", "requirements", "category"].into_iter().flat_map(|field| match self.facts.get(field) {
                Some(Value::Array(items)) => {
                    items.iter().filter_map(|item| item.as_str().map(str::to_string)).collect()
                }
                Some(Value::String(text)) => vec![text.clone()],
                _ => Vec::new(),
            });
        texts.chain(labels).flat_map(|text| words_of(&text).into_iter().map(|word| stem(&word))).collect()
    }
}
