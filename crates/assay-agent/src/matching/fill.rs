//! The values of a skill's slots. A name is taken only if it exists; where several fit, or none, that is a question.

use std::collections::BTreeMap;

use assay_suite::{Condition, Skill, Slot, SlotKind, Wanted};
use serde_json::Value;

use super::entities::Entity;
use super::names::{Name, NameIndex};
use super::params::params;
use super::said::{Said, bound, bound_name};
use super::tokens::{Token, stem};
use super::understand::{Bound, Given, Question};

pub(super) type Slots = BTreeMap<String, Vec<Bound>>;

/// Words that are no values of parameters: marks, and names of scripts and devices.
pub(super) fn no_values(words: &[Token], entities: &[Entity<'_>]) -> Vec<bool> {
    let is_name = |at: usize| {
        entities.iter().any(|entity| {
            entity.from <= at
                && at < entity.to
                && matches!(entity.name.kind, SlotKind::Script | SlotKind::Device | SlotKind::Host)
        })
    };
    (0..words.len()).map(|at| words[at].is_mark || is_name(at)).collect()
}

impl<'a> Said<'a> {
    fn value(
        &self,
        skill: &Skill,
        slot: &Slot,
        is_needed: bool,
        slots: &Slots,
    ) -> Result<Option<Vec<Bound>>, Box<Question>> {
        Ok(match slot.kind {
            SlotKind::Script | SlotKind::Testcase | SlotKind::Requirement => {
                return self.names(skill, slot, is_needed, slots);
            }
            SlotKind::Device => return self.devices(skill, slot),
            SlotKind::Host | SlotKind::Tree => {
                self.exact(slot.kind, &self.places()).first().map(|name| vec![bound_name(name)])
            }
            SlotKind::Userinterface => self.userinterface(slot)?,
            SlotKind::Tag => self.tag(slots)?,
            SlotKind::Run => return self.run(),
            SlotKind::Address => self.address().map(|address| vec![bound(&address)]),
            SlotKind::Code => self.code().map(|code| vec![bound(&code)]),
            SlotKind::Number => {
                let mut words = self.places().into_iter().map(|at| &self.words[at].text);
                words.find(|word| word.parse::<f64>().is_ok_and(f64::is_finite)).map(|word| vec![bound(word)])
            }
            SlotKind::Text => self.text(slot).map(|text| vec![bound(&text)]),
            SlotKind::Choice | SlotKind::Parameters => None,
        })
    }

    fn params(&self, skill: &Skill, slot: &Slot, slots: &Slots) -> Result<Option<Bound>, Box<Question>> {
        let script = skill.slots.iter().find(|slot| slot.kind == SlotKind::Script);
        let Some(script) = script.and_then(|slot| slots.get(&slot.name)?.first()) else { return Ok(None) };
        let skip = no_values(self.words, self.entities);
        // What the story around it says is a value only where the rest has none.
        let places = self.places();
        let elsewhere: Vec<bool> = (0..skip.len()).map(|at| skip[at] || !places.contains(&at)).collect();
        let mut found = params(&script.facts, self.words, &elsewhere);
        if found.misfit.is_none() && (found.missing.is_some() || found.values.is_empty()) {
            found = params(&script.facts, self.words, &skip);
        }
        let name = script.value.as_str().unwrap_or_default();
        if let Some((parameter, value, allowed)) = found.misfit {
            let text = match allowed.is_empty() {
                true => format!("`{value}` is no value of the parameter `{parameter}` of `{name}`."),
                false => format!("`{parameter}` of `{name}` cannot be `{value}`. Which of these?"),
            };
            return Err(Box::new(Question {
                text,
                candidates: allowed,
                slot: Some(slot.name.clone()),
                ..Question::default()
            }));
        }
        if let Some((parameter, allowed)) = found.missing {
            let text = format!("`{name}` needs a value for `{parameter}`. Which?");
            return Err(Box::new(Question {
                text,
                candidates: allowed,
                slot: Some(slot.name.clone()),
                ..Question::default()
            }));
        }
        Ok((!found.values.is_empty())
            .then_some(Bound { value: Value::Object(found.values), facts: Value::Null }))
    }

    /// The tests of "all tests of the backoffice", as far as their names and files show it.
    fn tests_of_application(&self, skill: &Skill, slots: &mut Slots) -> Result<(), Box<Question>> {
        let Some(slot) = skill.slots.iter().find(|slot| slot.kind == SlotKind::Testcase) else {
            return Ok(());
        };
        let interface = skill.slots.iter().find(|slot| slot.kind == SlotKind::Userinterface);
        let bound = interface.and_then(|interface| slots.get(&interface.name)?.first());
        let is_wide = slots.contains_key("scope") || slots.contains_key("what");
        let Some(application) = bound.filter(|_| is_wide && !slots.contains_key(&slot.name)) else {
            return Ok(());
        };
        if slots.get("what").is_some_and(|what| what.iter().all(|one| one.value != "testcases")) {
            return Ok(());
        }
        let known = self.index.of(SlotKind::Userinterface).find(|name| name.name == application.value);
        let Some(known) = known.filter(|_| self.index.of(SlotKind::Userinterface).count() > 1) else {
            return Ok(());
        };
        let stems: Vec<String> = std::iter::once(&known.name)
            .chain(&known.also)
            .filter(|text| !text.contains([':', '/', '.']))
            .flat_map(|text| super::tokens::words_of(text))
            .map(|word| stem(&word))
            .collect();
        let tests: Vec<&Name> = self
            .index
            .of(SlotKind::Testcase)
            .filter(|test| test.weak_stems().iter().any(|weak| stems.contains(weak)))
            .collect();
        let count = known.facts["testcases"].as_u64().unwrap_or_default();
        if !tests.is_empty() && tests.len() as u64 == count {
            slots.insert(slot.name.clone(), tests.into_iter().map(bound_name).collect());
        } else if slots.contains_key("scope") {
            let text = format!("I cannot tell which tests are those of `{}`. Which test?", known.name);
            return Err(Box::new(self.which(slot, &tests, text)));
        }
        Ok(())
    }
}

pub(super) fn fill(skill: &Skill, said: &Said<'_>, given: &Given) -> Result<Slots, Box<Question>> {
    let mut slots: Slots = given.slots.clone();
    let is_given = |slots: &Slots, slot: &Slot| slots.contains_key(&slot.name);
    // Choices first: other slots may depend on them.
    for slot in skill.slots.iter().filter(|slot| slot.kind == SlotKind::Choice) {
        if !is_given(&slots, slot)
            && let Some(value) = said.choice(slot).or_else(|| slot.default.clone())
        {
            slots.insert(slot.name.clone(), vec![bound(&value)]);
        }
    }
    for slot in &skill.slots {
        if is_given(&slots, slot) || matches!(slot.kind, SlotKind::Choice | SlotKind::Parameters) {
            continue;
        }
        let could_be_needed = slot.required_when.iter().all(|condition| {
            condition.wanted == Wanted::Nothing || holds(std::slice::from_ref(condition), &slots)
        });
        let is_needed = slot.is_required || !slot.required_when.is_empty() && could_be_needed;
        if let Some(values) = said.value(skill, slot, is_needed, &slots)? {
            slots.insert(slot.name.clone(), values);
        } else if let Some(value) = &slot.default {
            slots.insert(slot.name.clone(), vec![said.named(slot.kind, value)]);
        }
    }
    said.tests_of_application(skill, &mut slots)?;
    for slot in skill.slots.iter().filter(|slot| slot.kind == SlotKind::Parameters) {
        if let (false, Some(value)) = (is_given(&slots, slot), said.params(skill, slot, &slots)?) {
            slots.insert(slot.name.clone(), vec![value]);
        }
    }
    if lacks_device(skill, said.index) {
        return Ok(slots);
    }
    for slot in &skill.slots {
        let is_needed =
            slot.is_required || !slot.required_when.is_empty() && holds(&slot.required_when, &slots);
        if is_needed && !slots.contains_key(&slot.name) {
            match said.only_one(slot.kind) {
                Some(value) => {
                    slots.insert(slot.name.clone(), vec![value]);
                }
                None => return Err(Box::new(said.ask_for(slot))),
            }
        }
    }
    Ok(slots)
}

/// Whether a skill works on a kind of device of which none is registered.
pub(crate) fn lacks_device(skill: &Skill, index: &NameIndex) -> bool {
    let Some(platform) = skill.platform.filter(|_| skill.requires_device) else { return false };
    !index.of(SlotKind::Device).any(|device| device.facts["platform"] == platform.name())
}

pub(crate) fn holds(conditions: &[Condition], slots: &Slots) -> bool {
    conditions.iter().all(|condition| {
        let values = slots.get(&condition.slot);
        match &condition.wanted {
            Wanted::Any => values.is_some(),
            Wanted::Nothing => values.is_none(),
            Wanted::OneOf(words) => values.into_iter().flatten().any(|bound| {
                bound.value.as_str().is_some_and(|value| words.iter().any(|word| word == value))
            }),
        }
    })
}
