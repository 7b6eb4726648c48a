//! What tests and scripts are about: the words of their names, titles and descriptions, by meaning.

use assay_suite::SlotKind;
use serde_json::Value;

use super::fillers::{is_filler, is_noise};
use super::names::{Name, NameIndex};
use super::synonyms::{is_same_word, terms};
use super::tokens::{stem, words_of};

/// One name with the words that lead to it.
pub(super) struct About<'n> {
    pub name: &'n Name,
    /// The words of its name and title.
    strong: Vec<String>,
    /// Its title alone, without small words: what a request should say of it.
    title: Vec<String>,
    /// The words of its path, labels, requirements, description and parameters.
    weak: Vec<String>,
    /// Values that its parameters allow.
    values: Vec<String>,
}

/// How a word leads to a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fit {
    No,
    Weak,
    Strong,
}

/// All names of a kind, by what they are about.
pub(super) struct Meanings<'n> {
    pub all: Vec<About<'n>>,
}

fn keys(text: &str) -> Vec<String> {
    let stems: Vec<String> = words_of(text).iter().map(|word| stem(word)).collect();
    terms(&stems).into_iter().map(|term| term.key).collect()
}

impl<'n> Meanings<'n> {
    pub fn of(kind: SlotKind, index: &'n NameIndex) -> Meanings<'n> {
        Meanings { all: index.of(kind).map(|name| About::of(name, index)).collect() }
    }

    /// How much a word says: little if it leads to many names.
    pub fn weight(&self, key: &str) -> f64 {
        let count = self.all.iter().filter(|about| about.fit(key) != Fit::No).count();
        #[expect(clippy::cast_precision_loss, reason = "a project has thousands of tests, not more")]
        let (count, all) = (count as f64, self.all.len() as f64);
        ((all + 1.0) / (count + 0.5)).ln().max(0.1)
    }

    pub fn leads_somewhere(&self, key: &str) -> bool {
        self.all.iter().any(|about| about.fit(key) == Fit::Strong)
    }
}

impl<'n> About<'n> {
    fn of(name: &'n Name, index: &NameIndex) -> About<'n> {
        let text = |value: &Value, field: &str| {
            value.get(field).and_then(Value::as_str).unwrap_or_default().to_string()
        };
        let titles: Vec<&String> = name.also.iter().filter(|other| !other.contains('/')).collect();
        let mut strong = keys(&name.name);
        let mut title: Vec<String> = Vec::new();
        for one in &titles {
            title.extend(keys(one));
        }
        if title.is_empty() {
            title.clone_from(&strong);
        }
        title.retain(|key| !is_noise(key));
        strong.extend(titles.iter().flat_map(|one| keys(one)));
        let mut weak: Vec<String> = name.weak_stems().iter().flat_map(|word| keys(word)).collect();
        let codes = name.facts.get("requirements").and_then(Value::as_array).into_iter().flatten();
        for code in codes.filter_map(Value::as_str) {
            let requirement = index.of(SlotKind::Requirement).find(|one| one.name == code);
            weak.extend(requirement.into_iter().flat_map(|one| one.also.iter().flat_map(|text| keys(text))));
        }
        weak.extend(keys(&text(&name.facts, "description")));
        let mut values = Vec::new();
        for one in name.facts.get("parameters").and_then(Value::as_array).into_iter().flatten() {
            weak.extend(keys(&text(one, "name")));
            weak.extend(keys(&text(one, "description")));
            let allowed = one.get("allowed").and_then(Value::as_array).into_iter().flatten();
            values.extend(allowed.filter_map(Value::as_str).flat_map(keys));
        }
        // What is unpaid has to do with paying.
        weak.extend(strong.iter().filter_map(|word| word.strip_prefix("un")).flat_map(keys));
        for list in [&mut strong, &mut title, &mut weak, &mut values] {
            list.retain(|key| !is_filler(key));
            list.sort();
            list.dedup();
        }
        About { name, strong, title, weak, values }
    }

    pub fn fit(&self, key: &str) -> Fit {
        let has = |words: &[String]| words.iter().any(|word| is_same_word(word, key));
        if has(&self.strong) {
            Fit::Strong
        } else if has(&self.weak) || has(&self.values) {
            Fit::Weak
        } else {
            Fit::No
        }
    }

    /// Whether one of its parameters allows a word as its value.
    pub fn allows(&self, word: &str) -> bool {
        keys(word).iter().any(|key| self.values.contains(key))
    }

    /// Which part of its title these words say, from 0 to 1.
    pub fn share_said(&self, said: &[&str], meanings: &Meanings<'_>) -> f64 {
        let sum =
            |keys: &mut dyn Iterator<Item = &String>| -> f64 { keys.map(|key| meanings.weight(key)).sum() };
        let all = sum(&mut self.title.iter());
        let of_it = sum(&mut self.title.iter().filter(|key| said.iter().any(|word| is_same_word(word, key))));
        if all > 0.0 { of_it / all } else { 0.0 }
    }
}
