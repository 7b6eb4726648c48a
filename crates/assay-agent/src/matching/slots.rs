//! The values of a skill's slots. A name is taken only if it exists; where several fit, or none, that is a question.

use std::collections::BTreeMap;

use assay_suite::{Condition, Skill, Slot, SlotKind, Wanted};
use serde_json::{Value, json};

use super::clauses::{Clause, Role};
use super::entities::{Entity, stems_of};
use super::lexicon::{concept_at, is_filler, is_noise, is_verb};
use super::names::{Name, NameIndex, origin};
use super::params::params;
use super::tokens::{Token, stem};
use super::understand::{Bound, Given, Question};

/// A request, as far as it is read.
pub(super) struct Said<'a> {
    pub request: &'a str,
    pub words: &'a [Token],
    pub roles: &'a [Role],
    pub entities: &'a [Entity<'a>],
    pub index: &'a NameIndex,
    /// The clauses that want something.
    pub active: &'a [Clause],
    pub all: &'a [Clause],
}

type Slots = BTreeMap<String, Vec<Bound>>;

const OFFERED: usize = 12;

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

fn bound(text: &str) -> Bound {
    Bound { value: json!(text), facts: Value::Null }
}

fn bound_name(name: &Name) -> Bound {
    Bound { value: json!(name.name), facts: name.facts.clone() }
}

/// What the words left over say of a name.
enum Partly<'n> {
    Nothing,
    One(&'n Name),
    Several(Vec<&'n Name>),
    /// Some words fit, others do not.
    Near(Vec<&'n Name>, String),
}

impl<'a> Said<'a> {
    /// The words of the clauses that want something, without texts that are values.
    fn places(&self) -> Vec<usize> {
        self.places_of(self.active)
    }

    fn places_of(&self, clauses: &[Clause]) -> Vec<usize> {
        clauses.iter().flat_map(|clause| clause.from..clause.text_from.unwrap_or(clause.to)).collect()
    }

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
            SlotKind::Tag => self.tag(slots),
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

    /// The names of a kind that stand among these words, each once.
    fn exact(&self, kind: SlotKind, places: &[usize]) -> Vec<&'a Name> {
        let mut found: Vec<&'a Name> = Vec::new();
        for entity in self.entities.iter().filter(|entity| entity.name.kind == kind) {
            if places.contains(&entity.from) && !found.iter().any(|name| name.name == entity.name.name) {
                found.push(entity.name);
            }
        }
        found
    }

    fn choice(&self, slot: &Slot) -> Option<String> {
        let places: Vec<usize> =
            self.places().into_iter().filter(|at| !matches!(self.roles[*at], Role::Mark)).collect();
        let said = |words: &[String]| -> Option<usize> {
            words.iter().filter_map(|phrase| self.place_of_phrase(phrase, &places)).min()
        };
        let hits: Vec<(usize, &String)> =
            slot.choices.iter().filter_map(|(value, words)| Some((said(words)?, value))).collect();
        // A list is about the kind that the request names first; otherwise the order of the file counts.
        let is_object = slot.choices.iter().flat_map(|(_, words)| words).all(|word| {
            let stem = stem(word);
            concept_at(&[stem.as_str()]).is_some_and(|(concept, _)| !is_verb(concept))
        });
        let hit = match is_object {
            true => hits.iter().min_by_key(|(at, _)| *at),
            false => hits.first(),
        };
        hit.map(|(_, value)| (*value).clone()).or_else(|| self.choice_in_text(slot))
    }

    /// In a text, only `priority high` and `high priority` are said of the choice.
    fn choice_in_text(&self, slot: &Slot) -> Option<String> {
        let name = stem(&slot.name);
        let texts = self.active.iter().filter_map(|clause| Some((clause.text_from?, clause.to)));
        for (from, to) in texts {
            for at in (from..to).filter(|at| self.words[*at].stem() == name) {
                let after = (at + 1..to).find(|at| !self.words[*at].is_mark && !self.words[*at].is("is"));
                let near = [after, at.checked_sub(1).filter(|at| *at >= from)];
                for word in near.into_iter().flatten().map(|at| self.words[at].stem()) {
                    let hit =
                        slot.choices.iter().find(|(_, words)| words.iter().any(|one| stem(one) == word));
                    if let Some((value, _)) = hit {
                        return Some(value.clone());
                    }
                }
            }
        }
        None
    }

    fn place_of_phrase(&self, phrase: &str, places: &[usize]) -> Option<usize> {
        let stems: Vec<String> = phrase.split_whitespace().map(stem).collect();
        let as_concept = match stems.as_slice() {
            [one] => concept_at(&[one.as_str()]).map(|(concept, _)| concept),
            _ => None,
        };
        places.windows(stems.len()).find_map(|span| {
            // "in all browsers" says nothing of tests.
            let object = (span[0] + 1..self.words.len())
                .find(|at| !matches!(self.roles[*at], Role::Filler | Role::Noise));
            let is_of_devices = stems.len() == 1
                && is_filler(&self.words[span[0]].text)
                && object.is_some_and(|at| matches!(self.roles[at], Role::Concept("device" | "host")));
            if is_of_devices {
                return None;
            }
            let is_near = span.windows(2).all(|pair| pair[1] - pair[0] == 1);
            let is_free = span
                .iter()
                .all(|at| !matches!(self.roles[*at], Role::Entity(_)) && self.words[*at].quote.is_none());
            let says = is_near
                && is_free
                && span.iter().zip(&stems).all(|(at, stem)| self.words[*at].stem() == *stem);
            let means = as_concept.is_some_and(|concept| match self.roles[span[0]] {
                Role::Concept(said) => said == concept,
                Role::Entity(_) => self
                    .entities
                    .iter()
                    .filter(|entity| entity.from <= span[0] && span[0] < entity.to)
                    .any(|entity| super::score::concept_of_kind(entity.name.kind) == Some(concept)),
                _ => false,
            });
            (says || means).then_some(span[0])
        })
    }

    fn names(
        &self,
        skill: &Skill,
        slot: &Slot,
        is_needed: bool,
        slots: &Slots,
    ) -> Result<Option<Vec<Bound>>, Box<Question>> {
        let exact = self.exact(slot.kind, &self.places());
        match exact.as_slice() {
            [] => {}
            [one] => return Ok(Some(vec![bound_name(one)])),
            several if slot.is_many => {
                return Ok(Some(several.iter().map(|name| bound_name(name)).collect()));
            }
            several => {
                return Err(Box::new(self.which(
                    slot,
                    several,
                    "One thing at a time. Which first?".to_string(),
                )));
            }
        }
        if slot.kind == SlotKind::Requirement
            && let Some(code) = self.code().filter(|_| !is_new(slots))
        {
            let near = self.nearest(SlotKind::Requirement, &code);
            return Err(Box::new(self.which(
                slot,
                &near,
                format!("There is no requirement `{code}`. Which is meant?"),
            )));
        }
        // Said before: "does the guest checkout work? run it".
        let points_back = self.places().iter().any(|at| {
            matches!(self.words[*at].text.as_str(), "it" | "that" | "them" | "this" | "these" | "its")
        });
        let mentioned = self.exact(slot.kind, &self.places_of(self.all));
        if let ([one], true) = (mentioned.as_slice(), points_back) {
            return Ok(Some(vec![bound_name(one)]));
        }
        // A new requirement is called as it likes.
        if is_new(slots) {
            return Ok(None);
        }
        let noun = super::score::concept_of_kind(slot.kind).unwrap_or_default();
        let takes_all = slot.is_many
            || slots.get("scope").is_some_and(|scope| scope.iter().any(|one| one.value == "all"));
        match self.partly(skill, slot.kind, slots) {
            Partly::Nothing => Ok(None),
            Partly::One(one) => Ok(Some(vec![bound_name(one)])),
            Partly::Several(several) if takes_all => {
                Ok(Some(several.iter().map(|name| bound_name(name)).collect()))
            }
            Partly::Several(_) | Partly::Near(..) if !is_needed => Ok(None),
            Partly::Several(several) => {
                Err(Box::new(self.which(slot, &several, format!("Which {noun} is meant?"))))
            }
            Partly::Near(near, words) => {
                let text = format!("There is no {noun} `{words}`. Which is meant?");
                Err(Box::new(self.which(slot, &near, text)))
            }
        }
    }

    /// The names that the words left over fit.
    fn partly(&self, skill: &Skill, kind: SlotKind, slots: &Slots) -> Partly<'a> {
        let verbs: Vec<usize> = self.active.iter().filter_map(|clause| clause.verb_at).collect();
        let names: Vec<(&'a Name, Vec<String>)> =
            self.index.of(kind).map(|name| (name, name.stems())).collect();
        let is_known = |word: &String| names.iter().any(|(_, stems)| stems.contains(word));
        // Words that say something else: of a choice, or a label.
        let choices = skill.slots.iter().flat_map(|slot| slot.choices.iter().flat_map(|(_, words)| words));
        let mut taken: Vec<String> = choices.flat_map(|words| words.split_whitespace().map(stem)).collect();
        let labels = slots.get("tag").into_iter().flatten().filter_map(|tag| tag.value.as_str());
        taken.extend(labels.flat_map(|tags| tags.split(',').map(stem)));
        let mut known: Vec<(usize, String)> = Vec::new();
        let mut unknown: Vec<(usize, String)> = Vec::new();
        let mut narrowing: Vec<String> = Vec::new();
        for at in self.places() {
            let is_act = matches!(self.roles[at], Role::Concept(concept) if is_verb(concept));
            let stems = stems_of(&self.words[at]);
            match self.roles[at] {
                Role::Word => {}
                Role::Concept(_) if is_act && !verbs.contains(&at) && stems.iter().all(is_known) => {}
                Role::Concept(_) if !verbs.contains(&at) => {
                    narrowing.extend(stems);
                    continue;
                }
                Role::Entity(place) => {
                    if self.entities[place].name.kind == SlotKind::Userinterface {
                        narrowing.extend(stems);
                    }
                    continue;
                }
                _ => continue,
            }
            for word in stems {
                if is_known(&word) {
                    known.push((at, word));
                } else if !taken.contains(&word) {
                    unknown.push((at, word));
                }
            }
        }
        let raw = |at: usize| self.words[at].raw.clone();
        if known.is_empty() {
            let Some((first, _)) = unknown.first() else { return Partly::Nothing };
            let words: Vec<String> = dedup(unknown.iter().map(|(at, _)| *at)).into_iter().map(raw).collect();
            let near = self.nearest(kind, &self.words[*first].text);
            return Partly::Near(near, words.join(" "));
        }
        let fits = |stems: &[String]| known.iter().filter(|(_, word)| stems.contains(word)).count();
        let most = names.iter().map(|(_, stems)| fits(stems)).max().unwrap_or(0);
        let mut candidates: Vec<&'a Name> =
            names.iter().filter(|(_, stems)| fits(stems) == most).map(|(name, _)| *name).collect();
        let is_suspicious = unknown.iter().any(|(at, _)| {
            known.iter().any(|(other, _)| {
                let (from, to) = ((*at).min(*other), (*at).max(*other));
                (from + 1..to).all(|place| self.roles[place] == Role::Filler)
            })
        });
        let weak_hits = |name: &Name| {
            let (stems, weak) = (name.stems(), name.weak_stems());
            let more = narrowing.iter().chain(unknown.iter().map(|(_, word)| word));
            more.filter(|word| stems.contains(word) || weak.contains(word)).count()
        };
        let weak_most = candidates.iter().map(|name| weak_hits(name)).max().unwrap_or(0);
        if weak_most > 0 {
            candidates.retain(|name| weak_hits(name) == weak_most);
        }
        let explained =
            unknown.iter().all(|(_, word)| candidates.iter().all(|name| name.weak_stems().contains(word)));
        // `clear_baskets` is one name, and no part of another.
        let compounds: Vec<Vec<String>> = self
            .places()
            .into_iter()
            .filter(|at| self.roles[*at] == Role::Word && self.words[*at].text.contains('_'))
            .map(|at| stems_of(&self.words[at]))
            .collect();
        let is_no_name = |compound: &Vec<String>| {
            !candidates
                .iter()
                .any(|name| name.forms().iter().any(|form| compound.iter().all(|word| form.contains(word))))
        };
        if most < known.len() || is_suspicious && !explained || compounds.iter().any(is_no_name) {
            let places = known.iter().chain(&unknown).map(|(at, _)| *at);
            let words: Vec<String> = dedup(places).into_iter().map(raw).collect();
            return Partly::Near(candidates, words.join(" "));
        }
        match candidates.as_slice() {
            [one] => Partly::One(one),
            _ => Partly::Several(candidates),
        }
    }

    /// The names that look most like a word.
    fn nearest(&self, kind: SlotKind, word: &str) -> Vec<&'a Name> {
        let likeness = |name: &Name| {
            let forms = std::iter::once(&name.name).chain(&name.also);
            forms
                .map(|form| strsim::jaro_winkler(&word.to_lowercase(), &form.to_lowercase()))
                .fold(0.0, f64::max)
        };
        let mut near: Vec<(f64, &'a Name)> = self.index.of(kind).map(|name| (likeness(name), name)).collect();
        near.sort_by(|(one, _), (other, _)| other.total_cmp(one));
        near.into_iter().filter(|(likeness, _)| *likeness > 0.6).take(5).map(|(_, name)| name).collect()
    }

    fn devices(&self, skill: &Skill, slot: &Slot) -> Result<Option<Vec<Bound>>, Box<Question>> {
        let fits = |name: &&Name| {
            skill
                .platform
                .is_none_or(|platform| name.facts["platform"].as_str().unwrap_or("web") == platform.name())
        };
        let places = self.places();
        let found: Vec<&Name> = self.exact(SlotKind::Device, &places).into_iter().filter(fits).collect();
        if !found.is_empty() {
            if found.len() > 1 && !slot.is_many {
                return Err(Box::new(self.which(slot, &found, "On which device?".to_string())));
            }
            return Ok(Some(found.into_iter().map(bound_name).collect()));
        }
        let is_device = |at: usize| matches!(self.roles[at], Role::Concept("device"));
        let all = places.iter().any(|at| {
            is_device(*at)
                && (at.saturating_sub(3)..*at).any(|before| {
                    matches!(
                        self.words[before].text.as_str(),
                        "all" | "every" | "each" | "both" | "across" | "three"
                    )
                })
        });
        if all && slot.is_many {
            let every = self.index.of(SlotKind::Device).filter(fits);
            let browsers = every.filter(|device| !device.name.starts_with("session:"));
            return Ok(Some(browsers.map(bound_name).collect::<Vec<_>>()).filter(|list| !list.is_empty()));
        }
        // A device that is not there: `device netscape`, or `on opera` at the end.
        let stranger = places.iter().copied().find(|at| {
            let is_name = self.roles[*at] == Role::Word && self.words[*at].quote.is_none();
            let before = at.checked_sub(1);
            let after = self.words.get(at + 1);
            let stands_behind = before.is_some_and(|before| {
                is_device(before)
                    || matches!(self.words[before].text.as_str(), "on" | "in" | "using" | "device")
            });
            let ends =
                after.is_none_or(|next| next.is_mark) || before.is_some_and(is_device) || is_device(at + 1);
            is_name && stands_behind && ends && !self.is_part_of_a_name(*at)
        });
        match stranger {
            Some(at) => {
                let known: Vec<&Name> = self.index.of(SlotKind::Device).filter(fits).collect();
                let text = format!("There is no device `{}`. Which is meant?", self.words[at].raw);
                Err(Box::new(self.which(slot, &known, text)))
            }
            None => Ok(None),
        }
    }

    fn is_part_of_a_name(&self, at: usize) -> bool {
        let stems = stems_of(&self.words[at]);
        let named = [SlotKind::Testcase, SlotKind::Script, SlotKind::Requirement].into_iter();
        let mut names = named.flat_map(|kind| self.index.of(kind));
        names.any(|name| {
            let known = name.stems();
            let allowed = name.facts.to_string().to_lowercase();
            stems.iter().any(|stem| known.contains(stem)) || allowed.contains(&self.words[at].text)
        })
    }

    fn userinterface(&self, slot: &Slot) -> Result<Option<Vec<Bound>>, Box<Question>> {
        let everywhere: Vec<usize> = self.active.iter().flat_map(|clause| clause.from..clause.to).collect();
        let found = self.exact(SlotKind::Userinterface, &everywhere);
        match found.as_slice() {
            [] => {
                let address = self.address();
                let at_address = address.and_then(|address| {
                    let is_it = |name: &&Name| {
                        name.facts["base_url"].as_str().is_some_and(|base| origin(base) == origin(&address))
                    };
                    self.index.of(SlotKind::Userinterface).find(is_it)
                });
                Ok(at_address.map(|name| vec![bound_name(name)]))
            }
            [one] => Ok(Some(vec![bound_name(one)])),
            several if slot.is_many => Ok(Some(several.iter().map(|name| bound_name(name)).collect())),
            several => Err(Box::new(self.which(slot, several, "Which application?".to_string()))),
        }
    }

    /// A label: said to be one, or a word that no test has in its name.
    fn tag(&self, slots: &Slots) -> Option<Vec<Bound>> {
        if slots.contains_key("testcase") {
            return None;
        }
        let places = self.places();
        let found: Vec<&Name> = self
            .index
            .of(SlotKind::Tag)
            .filter(|tag| {
                places.iter().any(|at| {
                    let says = self.words[*at].text.trim_start_matches('#') == tag.name.to_lowercase();
                    let is_said_to_be = at.checked_sub(1).is_some_and(|before| {
                        matches!(self.words[before].text.as_str(), "tag" | "tagged" | "label" | "labelled")
                    }) || self.words[*at].text.starts_with('#')
                        || self
                            .words
                            .get(at + 1)
                            .is_some_and(|next| matches!(next.text.as_str(), "tag" | "label"));
                    let is_name =
                        self.index.of(SlotKind::Testcase).any(|test| test.stems().contains(&stem(&tag.name)));
                    says && (is_said_to_be || !is_name && self.roles[*at] == Role::Word)
                })
            })
            .collect();
        let names: Vec<&str> = found.iter().map(|tag| tag.name.as_str()).collect();
        (!names.is_empty()).then(|| vec![bound(&names.join(","))])
    }

    fn run(&self) -> Result<Option<Vec<Bound>>, Box<Question>> {
        let number = self.places().into_iter().find_map(|at| {
            let text = self.words[at].text.trim_start_matches('#');
            (text.parse::<u64>().is_ok()).then(|| text.to_string())
        });
        let Some(number) = number else { return Ok(None) };
        match self.index.of(SlotKind::Run).find(|run| run.name == number) {
            Some(run) => Ok(Some(vec![bound_name(run)])),
            None => {
                let known: Vec<String> =
                    self.index.of(SlotKind::Run).map(|run| run.name.clone()).take(OFFERED).collect();
                let text = format!("There is no run {number} among the newest ones.");
                Err(Box::new(Question { text, candidates: known, ..Question::default() }))
            }
        }
    }

    fn address(&self) -> Option<String> {
        let places = self.active.iter().flat_map(|clause| clause.from..clause.to);
        let word = places.map(|at| &self.words[at]).find(|word| is_address(&word.text))?;
        Some(match word.raw.contains("://") {
            true => word.raw.clone(),
            false => format!("http://{}", word.raw),
        })
    }

    fn code(&self) -> Option<String> {
        let mut places = self.active.iter().flat_map(|clause| clause.from..clause.to);
        let at = places.find(|at| {
            is_code(&self.words[*at].text, self.index) && !matches!(self.roles[*at], Role::Entity(_))
        })?;
        Some(self.words[at].raw.clone())
    }

    /// A text: in quotes, behind a colon, or what follows its noun or one of its words.
    fn text(&self, slot: &Slot) -> Option<String> {
        let creation = self.active.iter().find_map(|clause| Some((clause.text_from?, clause.to)));
        let (from, to) = match creation {
            Some(span) => span,
            None => {
                let places = self.places();
                let after = slot.after.iter().filter_map(|words| {
                    let length = words.split_whitespace().count();
                    self.place_of_phrase(words, &places).map(|at| at + length)
                });
                let from = after.min()?;
                let to =
                    (from..self.words.len()).find(|at| self.words[*at].is_mark).unwrap_or(self.words.len());
                (from, to)
            }
        };
        let span = &self.words[from.min(to)..to];
        if let Some(quote) = span.iter().find_map(|token| token.quote) {
            let quoted: Vec<&Token> = span.iter().filter(|token| token.quote == Some(quote)).collect();
            let (first, last) = (quoted.first()?, quoted.last()?);
            return Some(self.request[first.start..last.end].to_string());
        }
        let colon = span.iter().position(|token| token.is_mark && token.is(":"));
        let span = colon.map_or(span, |at| &span[at + 1..]);
        let first = span.iter().find(|token| !token.is_mark)?;
        let last = span.iter().rev().find(|token| !token.is_mark)?;
        let mut text = self.request[first.start..last.end].to_string();
        if colon.is_none() {
            text = without_beginning(&text, &slot.after);
        }
        text = without_priority(&text);
        let is_meant =
            super::tokens::tokens(&text).iter().any(|token| !is_filler(&token.text) && !token.is_mark);
        let only_place = creation.is_some() && colon.is_none() && self.says_only_a_place(from, to);
        (is_meant && !only_place).then(|| text.trim().to_string())
    }

    fn says_only_a_place(&self, from: usize, to: usize) -> bool {
        (from..to).all(|at| match self.roles[at] {
            Role::Mark | Role::Filler | Role::Noise => true,
            Role::Entity(place) => self.entities[place].name.kind == SlotKind::Userinterface,
            Role::Concept(concept) => matches!(concept, "application" | "web"),
            Role::Word => is_address(&self.words[at].text),
        })
    }

    fn params(&self, skill: &Skill, slot: &Slot, slots: &Slots) -> Result<Option<Bound>, Box<Question>> {
        let script = skill.slots.iter().find(|slot| slot.kind == SlotKind::Script);
        let Some(script) = script.and_then(|slot| slots.get(&slot.name)?.first()) else { return Ok(None) };
        let skip: Vec<bool> = (0..self.words.len())
            .map(|at| {
                self.words[at].is_mark
                    || self.entities.iter().any(|entity| {
                        entity.from <= at
                            && at < entity.to
                            && matches!(
                                entity.name.kind,
                                SlotKind::Script | SlotKind::Device | SlotKind::Host
                            )
                    })
            })
            .collect();
        let found = params(&script.facts, self.words, &skip);
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

    /// The value of a default, with what is known of it.
    fn named(&self, kind: SlotKind, value: &str) -> Bound {
        self.index.of(kind).find(|name| name.name == value).map_or_else(|| bound(value), bound_name)
    }

    /// What needs no question, since there is no other.
    fn only_one(&self, kind: SlotKind) -> Option<Bound> {
        if !matches!(kind, SlotKind::Userinterface | SlotKind::Host | SlotKind::Tree) {
            return None;
        }
        let mut names = self.index.of(kind);
        match (names.next(), names.next()) {
            (Some(one), None) => Some(bound_name(one)),
            _ => None,
        }
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

    fn ask_for(&self, slot: &Slot) -> Question {
        let names: Vec<&Name> = self.index.of(slot.kind).collect();
        let text = slot.ask.clone().unwrap_or_else(|| format!("Which {}?", slot.name));
        let mut question = self.which(slot, &names, text);
        if slot.kind == SlotKind::Choice {
            question.candidates = slot.choices.iter().map(|(value, _)| value.clone()).collect();
        }
        question
    }

    fn which(&self, slot: &Slot, names: &[&Name], text: String) -> Question {
        let candidates = names.iter().take(OFFERED).map(|name| name.name.clone()).collect();
        Question { text, candidates, slot: Some(slot.name.clone()), skill: None }
    }
}

fn is_new(slots: &Slots) -> bool {
    let is_create = |bound: &Bound| bound.value == "create";
    slots.get("act").is_some_and(|values| values.iter().any(is_create))
}

fn dedup(places: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut places: Vec<usize> = places.collect();
    places.sort_unstable();
    places.dedup();
    places
}

/// `…, prio medium` at the end is no part of the text.
fn without_priority(text: &str) -> String {
    const MARKS: &[&str] =
        &[", priority", ", prio", " with priority", " with prio", " with high", " with low", " with medium"];
    let lower = text.to_lowercase();
    let at = MARKS.iter().filter_map(|mark| lower.rfind(mark)).min();
    at.and_then(|at| text.get(..at)).unwrap_or(text).to_string()
}

/// A text without the words that lead to it: `that checks the total` is `the total`.
fn without_beginning(text: &str, beginnings: &[String]) -> String {
    let mut beginnings: Vec<&String> = beginnings.iter().collect();
    beginnings.sort_by_key(|words| std::cmp::Reverse(words.len()));
    for words in beginnings {
        let begins = text.get(..words.len()).is_some_and(|start| start.eq_ignore_ascii_case(words));
        if let (true, Some(rest)) = (begins, text.get(words.len()..).filter(|rest| rest.starts_with(' '))) {
            return rest.trim_start().to_string();
        }
    }
    text.to_string()
}

pub(super) fn is_address(word: &str) -> bool {
    if word.starts_with("http://") || word.starts_with("https://") {
        return true;
    }
    let host = word.split('/').next().unwrap_or(word);
    match host.rsplit_once(':') {
        Some((name, port)) => !name.is_empty() && port.parse::<u16>().is_ok(),
        None => false,
    }
}

/// A code such as `REQ-12`: letters and digits, with the letters of codes that there are.
pub(super) fn is_code(word: &str, index: &NameIndex) -> bool {
    let letters: String = word.chars().take_while(|letter| letter.is_alphabetic()).collect();
    let rest = word[letters.len()..].trim_start_matches(['-', '_']);
    let has_number = !rest.is_empty() && rest.chars().all(|letter| letter.is_ascii_digit());
    let is_known = letters.eq_ignore_ascii_case("req")
        || index.of(SlotKind::Requirement).any(|name| {
            let known: String = name.name.chars().take_while(|letter| letter.is_alphabetic()).collect();
            known.eq_ignore_ascii_case(&letters)
        });
    !letters.is_empty() && has_number && is_known && !is_noise(word)
}
