//! Which words of a request nothing has been made of: what is started answers all of them, or it is not started.

use assay_suite::{Skill, SlotKind};
use serde_json::Value;

use super::choose::starts_what_is_named;
use super::clauses::{Clause, Mood, Role, speaks_of_past};
use super::fill::{Slots, no_values};
use super::fillers::{is_noise, is_story};
use super::meaning::{Fit, Meanings};
use super::params::params;
use super::quantities::{Quantity, number, quantities};
use super::reading::Reading;
use super::said::labels_said;
use super::score::{concept_of_kind, vocabulary_of};
use super::texts::is_address;
use super::tokens::words_of;

impl Reading<'_> {
    /// The words that are neither manners, nor known to the skill, nor part of a value that was found.
    pub fn left_over(&self, skill: &Skill, slots: &Slots, clauses: &[Clause]) -> Vec<usize> {
        let known = vocabulary_of(skill);
        let has_kind = |kind: SlotKind| skill.slots.iter().any(|slot| slot.kind == kind);
        let values: Vec<&Value> = slots.values().flatten().map(|bound| &bound.value).collect();
        let is_value = |name: &str| values.iter().any(|value| value.as_str() == Some(name));
        let has_text =
            skill.slots.iter().any(|slot| slot.kind == SlotKind::Text && slots.contains_key(&slot.name));
        let mut of_params = self.words_of_params(skill, slots);
        if slots.contains_key("tag") {
            of_params.extend(labels_said(self.words, self.index));
        }
        let about: Vec<Meanings<'_>> = [SlotKind::Script, SlotKind::Testcase, SlotKind::Requirement]
            .into_iter()
            .map(|kind| Meanings::of(kind, self.index))
            .collect();
        let leads_to_value = |keys: &[String]| {
            about
                .iter()
                .flat_map(|meanings| &meanings.all)
                .any(|about| is_value(&about.name.name) && keys.iter().all(|key| about.fit(key) != Fit::No))
        };
        let mut left = Vec::new();
        for clause in clauses {
            let to = clause.text_from.filter(|_| has_text).unwrap_or(clause.to);
            for said in self.terms.iter().filter(|said| clause.from <= said.at && said.at < to) {
                let at = said.at;
                let word = &self.words[at];
                let is_known = of_params.contains(&at)
                    || clause.mood == Mood::Past && speaks_of_past(&word.text)
                    || Some(at) == clause.verb_at && self.roles[at] != Role::Concept("foreign")
                    || leads_to_value(&said.keys)
                    || match self.roles[at] {
                        Role::Mark | Role::Filler | Role::Noise => true,
                        Role::Entity(_) => self.entities.iter().any(|entity| {
                            entity.from <= at
                                && at < entity.to
                                && (is_value(&entity.name.name)
                                    || has_kind(entity.name.kind) && is_place(entity.name.kind)
                                    || concept_of_kind(entity.name.kind) == Some("application"))
                        }),
                        Role::Concept(concept) => {
                            known.contains(concept)
                                || is_story(&word.stem())
                                || matches!(
                                    concept,
                                    "run"
                                        | "list"
                                        | "check"
                                        | "testcase"
                                        | "web"
                                        | "status"
                                        | "result"
                                        | "device"
                                        | "host"
                                        | "application"
                                        | "screen"
                                )
                        }
                        Role::Word => {
                            is_noise(&word.text)
                                || is_story(&word.stem())
                                || is_address(&word.text)
                                || is_outcome(&word.text)
                                || self.counts_devices(at, slots)
                                || self.compares(at, &of_params)
                                || self.is_time_of_day(at)
                                || known.contains(&word.stem())
                                || is_value(&word.raw)
                                || slots.contains_key("run") && number(&word.text).is_some()
                                || values.iter().filter_map(|value| value.as_str()).any(|value| {
                                    let parts = words_of(value);
                                    words_of(&word.raw).iter().all(|part| parts.contains(part))
                                })
                        }
                    };
                if !is_known {
                    left.push(at);
                }
            }
        }
        left.extend(self.meant_in_earnest(skill, slots, clauses));
        let quantities = quantities(self.words);
        // "Basket is kept for 30 minutes" is a name.
        let is_of_name = |quantity: &Quantity| {
            let words = (quantity.from..quantity.to)
                .filter(|at| !self.words[*at].is("a") && !self.words[*at].is("an"));
            words.map(|at| [self.words[at].stem()]).all(|key| leads_to_value(&key))
        };
        let is_lost = |quantity: &&Quantity| {
            let mut places = quantity.from..quantity.to;
            let is_heard = clauses.iter().any(|clause| {
                let to = clause.text_from.filter(|_| has_text).unwrap_or(clause.to);
                clause.from <= quantity.from && quantity.from < to
            });
            is_heard
                && quantity.has_unit()
                && !slots.contains_key("run")
                && !is_of_name(quantity)
                && !places.any(|at| of_params.contains(&at) || matches!(self.roles[at], Role::Entity(_)))
        };
        if starts_what_is_named(skill) {
            left.extend(quantities.iter().filter(is_lost).flat_map(|quantity| quantity.from..quantity.to));
            left.sort_unstable();
            left.dedup();
        }
        left
    }

    /// "for real", beside a script that can also pretend, and of which nothing was made.
    fn meant_in_earnest(&self, skill: &Skill, slots: &Slots, clauses: &[Clause]) -> Option<usize> {
        let script = skill.slots.iter().find(|slot| slot.kind == SlotKind::Script)?;
        let facts = &slots.get(&script.name)?.first()?.facts;
        let chosen = slots.get("params").and_then(|params| params.first()?.value.as_object());
        let is_open = |one: &Value| {
            one["type"] == "boolean"
                && one["name"]
                    .as_str()
                    .is_some_and(|name| chosen.is_none_or(|chosen| !chosen.contains_key(name)))
        };
        facts["parameters"].as_array()?.iter().any(is_open).then_some(())?;
        let mut places = clauses.iter().flat_map(|clause| clause.from..clause.to);
        places.find(|at| {
            let next = self.words.get(at + 1).map(|word| word.text.as_str()).unwrap_or_default();
            matches!(self.words[*at].text.as_str(), "real" | "really" | "actually" | "actual" | "earnest")
                && !matches!(next, "quick" | "quickly" | "fast" | "soon")
        })
    }

    /// "all three browsers"
    fn counts_devices(&self, at: usize, slots: &Slots) -> bool {
        let taken = slots.get("device").map_or(0, Vec::len).to_string();
        number(&self.words[at].text) == Some(taken)
            && self.roles.get(at + 1) == Some(&Role::Concept("device"))
    }

    /// "at 3 pm"
    fn is_time_of_day(&self, at: usize) -> bool {
        let is_half =
            |at: usize| self.words.get(at).is_some_and(|word| matches!(word.text.as_str(), "am" | "pm"));
        let word = &self.words[at].text;
        let is_joined = ["am", "pm"].iter().any(|half| {
            word.strip_suffix(half).is_some_and(|figures| !figures.is_empty() && number(figures).is_some())
        });
        is_joined
            || number(word).is_some() && is_half(at + 1)
            || is_half(at) && at > 0 && number(&self.words[at - 1].text).is_some()
    }

    /// "older than 3 days", where the 3 days became a value.
    fn compares(&self, at: usize, of_params: &[usize]) -> bool {
        matches!(self.words[at].text.as_str(), "older" | "longer")
            && self.words.get(at + 1).is_some_and(|next| next.is("than"))
            && of_params.contains(&(at + 2))
    }

    fn words_of_params(&self, skill: &Skill, slots: &Slots) -> Vec<usize> {
        let script = skill.slots.iter().find(|slot| slot.kind == SlotKind::Script);
        match script.and_then(|slot| slots.get(&slot.name)?.first()) {
            Some(script) => params(&script.facts, self.words, &no_values(self.words, self.entities)).used,
            None => Vec::new(),
        }
    }
}

/// "whether it passes": what a run tells.
fn is_outcome(word: &str) -> bool {
    matches!(word, "pass" | "passes" | "succeed" | "succeeds")
}

/// Devices and the like, of which a request may name more than are taken.
fn is_place(kind: SlotKind) -> bool {
    matches!(
        kind,
        SlotKind::Device | SlotKind::Host | SlotKind::Userinterface | SlotKind::Tree | SlotKind::Tag
    )
}
