//! Which of the names that exist is meant: by its whole form, or by words that lead to it alone.

use assay_suite::{Skill, Slot, SlotKind};

use super::browsers::is_strange_device;
use super::clauses::Role;
use super::entities::stems_of;
use super::fill::Slots;
use super::lexicon::is_verb;
use super::meaning::{About, Fit, Meanings};
use super::names::Name;
use super::quantities::{number, quantities};
use super::said::{Said, bound_name};
use super::tokens::stem;
use super::understand::{Bound, Question};

/// What the words left over say of a name.
enum Partly<'n> {
    Nothing,
    One(&'n Name),
    Several(Vec<&'n Name>),
    /// Some words fit, others do not.
    Near(Vec<&'n Name>, String),
}

impl<'a> Said<'a> {
    pub(super) fn names(
        &self,
        skill: &Skill,
        slot: &Slot,
        is_needed: bool,
        slots: &Slots,
    ) -> Result<Option<Vec<Bound>>, Box<Question>> {
        let mut exact = self.exact(slot.kind, &self.places());
        // The text of a new test may say what it is for.
        if exact.is_empty() && slot.kind == SlotKind::Requirement && !is_new(slots) {
            let places: Vec<usize> = self.active.iter().flat_map(|clause| clause.from..clause.to).collect();
            exact = self.exact(slot.kind, &places);
        }
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
        let meanings = Meanings::of(kind, self.index);
        let is_known = |key: &String| meanings.leads_somewhere(key);
        // Words that say something else: of a choice, or a label.
        let choices = skill.slots.iter().flat_map(|slot| slot.choices.iter().flat_map(|(_, words)| words));
        let mut taken: Vec<String> = choices.flat_map(|words| words.split_whitespace().map(stem)).collect();
        let labels = slots.get("tag").into_iter().flatten().filter_map(|tag| tag.value.as_str());
        taken.extend(labels.flat_map(|tags| tags.split(',').map(stem)));
        let mut known: Vec<(usize, String)> = Vec::new();
        let mut unknown: Vec<(usize, String)> = Vec::new();
        let mut narrowing: Vec<String> = Vec::new();
        let places = self.places();
        for said in self.terms.iter().filter(|said| places.contains(&said.at)) {
            let at = said.at;
            let is_act = matches!(self.roles[at], Role::Concept(concept) if is_verb(concept));
            let keys = &said.keys;
            match self.roles[at] {
                Role::Word => {}
                _ if said.is_phrase && keys.iter().all(is_known) => {}
                Role::Concept(_) if is_act && !verbs.contains(&at) && keys.iter().all(is_known) => {}
                Role::Concept(_) if !verbs.contains(&at) => {
                    narrowing.extend(keys.iter().cloned());
                    continue;
                }
                Role::Entity(place) => {
                    if self.entities[place].name.kind == SlotKind::Userinterface {
                        narrowing.extend(keys.iter().cloned());
                    }
                    continue;
                }
                _ => continue,
            }
            for key in keys {
                if is_known(key) {
                    known.push((at, key.clone()));
                } else if !taken.contains(key) && !self.is_number_said(at) && !is_strange_device(key) {
                    unknown.push((at, key.clone()));
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
        let fits = |about: &About<'_>| known.iter().filter(|(_, key)| about.fit(key) == Fit::Strong).count();
        let most = meanings.all.iter().map(fits).max().unwrap_or(0);
        let mut candidates: Vec<&About<'a>> =
            meanings.all.iter().filter(|about| fits(about) == most).collect();
        let is_suspicious = unknown.iter().any(|(at, _)| {
            known.iter().any(|(other, _)| {
                let (from, to) = ((*at).min(*other), (*at).max(*other));
                (from + 1..to).all(|place| self.roles[place] == Role::Filler)
            })
        });
        let weak_hits = |about: &About<'_>| {
            let more = narrowing.iter().chain(unknown.iter().map(|(_, key)| key));
            more.filter(|key| about.fit(key) != Fit::No).count()
        };
        let weak_most = candidates.iter().map(|about| weak_hits(about)).max().unwrap_or(0);
        if weak_most > 0 {
            candidates.retain(|about| weak_hits(about) == weak_most);
        }
        let explained =
            unknown.iter().all(|(_, key)| candidates.iter().all(|about| about.fit(key) != Fit::No));
        // `clear_baskets` is one name, and no part of another.
        let compounds: Vec<Vec<String>> = places
            .iter()
            .filter(|at| self.roles[**at] == Role::Word && self.words[**at].text.contains('_'))
            .map(|at| stems_of(&self.words[*at]))
            .collect();
        let is_no_name = |compound: &Vec<String>| {
            !candidates.iter().any(|about| {
                about.name.forms().iter().any(|form| compound.iter().all(|word| form.contains(word)))
            })
        };
        let names: Vec<&'a Name> = candidates.iter().map(|about| about.name).collect();
        if most < known.len() || is_suspicious && !explained || compounds.iter().any(is_no_name) {
            let places = known.iter().chain(&unknown).map(|(at, _)| *at);
            let words: Vec<String> = dedup(places).into_iter().map(raw).collect();
            return Partly::Near(names, words.join(" "));
        }
        match names.as_slice() {
            [one] => Partly::One(one),
            _ => Partly::Several(names),
        }
    }

    fn is_number_said(&self, at: usize) -> bool {
        number(&self.words[at].text).is_some()
            || quantities(self.words).iter().any(|quantity| quantity.covers(at))
    }

    /// The names that look most like a word.
    pub(super) fn nearest(&self, kind: SlotKind, word: &str) -> Vec<&'a Name> {
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
