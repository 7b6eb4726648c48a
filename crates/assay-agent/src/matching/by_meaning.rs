//! Tests and scripts that are asked for by what they are about, in whatever words: a clear winner, or a question.

use assay_suite::{Skill, SlotKind};

use super::clauses::{Clause, Mood, Role};
use super::fill::no_values;
use super::fillers::{is_filler, is_noise};
use super::meaning::{About, Fit, Meanings};
use super::params::params;
use super::reading::Reading;
use super::said::bound_name;
use super::score::concepts_of;
use super::understand::{Given, Question, Understanding};

/// How much more the first has to explain than the second.
const MARGIN: f64 = 1.4;
/// Which part of a title a request has to say.
const SHARE: f64 = 0.49;
const LEAST_SHARE: f64 = 0.2;
/// What a value of a parameter adds.
const VALUE: f64 = 0.7;
/// Which part makes a name worth offering.
const WORTH_OFFERING: f64 = 0.3;
const OFFERED: usize = 5;

/// A name, and how well a request fits it.
struct Guess<'g, 'n> {
    about: &'g About<'n>,
    kind: SlotKind,
    score: f64,
    share: f64,
    /// The words that fit.
    words: Vec<String>,
    /// How many parameters get a value.
    values: usize,
    /// Clauses that say a word of its name.
    clauses: Vec<usize>,
}

impl Reading<'_> {
    /// What is meant by all that is said and not refused.
    pub fn by_meaning(&self, clauses: &[Clause], skills: &[&Skill], given: &Given) -> Option<Understanding> {
        let is_heard = |clause: &&Clause| {
            clause.mood != Mood::Negated && clause.text_from.is_none() && !self.gives_a_reason(clause)
        };
        let heard: Vec<Clause> = clauses.iter().filter(is_heard).cloned().collect();
        let all: Vec<(SlotKind, Meanings<'_>)> = [SlotKind::Testcase, SlotKind::Script]
            .into_iter()
            .map(|kind| (kind, Meanings::of(kind, self.index)))
            .collect();
        let mut guesses: Vec<Guess<'_, '_>> = Vec::new();
        for (kind, meanings) in &all {
            guesses
                .extend(meanings.all.iter().filter_map(|about| self.guess(*kind, about, meanings, &heard)));
        }
        let wanted = self.noun_said(&heard);
        guesses.retain(|guess| wanted.is_none_or(|kind| guess.kind == kind));
        guesses.sort_by(|one, other| other.score.total_cmp(&one.score));
        let first = guesses.first()?;
        let second = guesses.get(1).map_or(0.0, |guess| guess.score);
        let skill = skills.iter().copied().find(|skill| runs(skill, first.kind))?;
        // What no skill does is not done to something that has the words for it.
        let says = |guess: &Guess<'_, '_>, at: usize| {
            self.keys_at(at).iter().all(|key| guess.about.fit(key) == Fit::Strong)
        };
        let foreign_at = |clause: &Clause| clause.verb_at.filter(|_| clause.verb == Some("foreign"));
        let is_naming = |place: usize| place == 0 || first.clauses.contains(&place);
        let is_foreign = heard
            .iter()
            .enumerate()
            .any(|(place, clause)| is_naming(place) && foreign_at(clause).is_some_and(|at| !says(first, at)));
        let only_verb =
            first.words.len() == 1 && heard.iter().filter_map(foreign_at).any(|at| says(first, at));
        if is_foreign || only_verb {
            return None;
        }
        // "register a patient, and then book an appointment": two things.
        let second_act =
            heard.iter().enumerate().filter(|(place, _)| !is_naming(*place)).find_map(|(_, clause)| {
                let at = foreign_at(clause)?;
                guesses.iter().find(|guess| guess.kind == first.kind && says(guess, at))
            });
        if let Some(other) = second_act {
            let candidates = vec![first.about.name.name.clone(), other.about.name.name.clone()];
            let text = "One thing at a time. Which first?".to_string();
            let slot = skill.slots.iter().find(|slot| slot.kind == first.kind).map(|slot| slot.name.clone());
            return Some(Understanding::Ask(Question {
                text,
                candidates,
                skill: Some(skill.name.clone()),
                slot,
            }));
        }
        let active: Vec<Clause> = heard
            .iter()
            .enumerate()
            .filter(|(place, clause)| first.clauses.contains(place) || clause.mood == Mood::Wish)
            .map(|(_, clause)| clause.clone())
            .collect();
        // A word that leads nowhere else is enough where the noun is said.
        let is_said_thing = wanted.is_some() || self.says_one();
        let is_only_one = is_said_thing && first.score >= 3.0 * second && first.share >= LEAST_SHARE;
        let has_values = first.values > 0 && !first.clauses.is_empty();
        let is_clear = first.score >= MARGIN * second && (first.share >= SHARE || has_values || is_only_one);
        // Linking, writing and exploring are other things than running.
        let is_other = heard.iter().any(|clause| {
            clause.mood == Mood::Wish
                && matches!(clause.verb, Some("link" | "create" | "explore"))
                && clause.verb_at.is_some_and(|at| !says(first, at))
        });
        // "I cancelled it this morning" says all, and wants nothing.
        let is_told = first.clauses.iter().all(|place| heard[*place].mood == Mood::Past);
        let is_order = has_values && !is_told || self.is_order(&heard, &active);
        if is_clear && !is_other && is_order {
            let mut given = given.clone();
            let slot = skill.slots.iter().find(|slot| slot.kind == first.kind)?;
            given.slots.insert(slot.name.clone(), vec![bound_name(first.about.name)]);
            return Some(self.filled(skill, &active, clauses, &given));
        }
        let near: Vec<String> = guesses
            .iter()
            .filter(|guess| guess.score * 2.0 >= first.score)
            .take(OFFERED)
            .map(|guess| guess.about.name.name.clone())
            .collect();
        let is_worth_it = first.share >= WORTH_OFFERING || first.score >= 1.5;
        is_worth_it.then(|| {
            let slot = skill.slots.iter().find(|slot| slot.kind == first.kind).map(|slot| slot.name.clone());
            Understanding::Ask(Question {
                text: "Is one of these meant?".to_string(),
                candidates: near,
                skill: Some(skill.name.clone()),
                slot,
            })
        })
    }

    fn guess<'g, 'n>(
        &self,
        kind: SlotKind,
        about: &'g About<'n>,
        meanings: &Meanings<'_>,
        heard: &[Clause],
    ) -> Option<Guess<'g, 'n>> {
        let mut said: Vec<&str> = Vec::new();
        let (mut score, mut clauses) = (0.0, Vec::new());
        for (place, clause) in heard.iter().enumerate() {
            for term in self.terms.iter().filter(|term| clause.from <= term.at && term.at < clause.to) {
                let is_small = !term.is_phrase && {
                    let word = &self.words[term.at];
                    word.quote.is_none() && (is_filler(&word.text) || is_noise(&word.text))
                };
                let is_device = matches!(self.roles[term.at], Role::Entity(entity)
                    if matches!(self.entities[entity].name.kind, SlotKind::Device | SlotKind::Host));
                if is_small || is_device {
                    continue;
                }
                let is_application = matches!(self.roles[term.at], Role::Entity(entity)
                    if self.entities[entity].name.kind == SlotKind::Userinterface);
                for key in &term.keys {
                    let worth = match about.fit(key) {
                        Fit::Strong if !is_application => 1.0,
                        Fit::Strong => 0.5,
                        Fit::Weak => 0.5,
                        Fit::No => continue,
                    };
                    if said.contains(&key.as_str()) {
                        continue;
                    }
                    said.push(key);
                    score += worth * meanings.weight(key);
                    if worth >= 1.0 && !clauses.contains(&place) {
                        clauses.push(place);
                    }
                }
            }
        }
        let share = about.share_said(&said, meanings);
        let values = match kind {
            SlotKind::Script if !clauses.is_empty() => {
                params(&about.name.facts, self.words, &no_values(self.words, self.entities)).values.len()
            }
            _ => 0,
        };
        #[expect(clippy::cast_precision_loss, reason = "a script has few parameters")]
        let score = score + VALUE * values as f64;
        let words: Vec<String> = said.iter().map(|key| (*key).to_string()).collect();
        (!words.is_empty()).then_some(Guess { about, kind, score, share, words, values, clauses })
    }

    /// "the seat map one"
    fn says_one(&self) -> bool {
        let is_thing = |at: usize| matches!(self.roles[at], Role::Word | Role::Concept(_));
        (2..self.words.len()).any(|at| self.words[at].is("one") && is_thing(at - 1))
    }

    fn keys_at(&self, at: usize) -> Vec<String> {
        self.terms
            .iter()
            .find(|term| term.at <= at && at < term.to)
            .map(|term| term.keys.clone())
            .unwrap_or_default()
    }

    /// "Otherwise the bill is too high" says why, not what.
    pub(super) fn gives_a_reason(&self, clause: &Clause) -> bool {
        matches!(self.words[clause.from].text.as_str(), "otherwise" | "because" | "else")
    }

    /// "the test" or "the script" says which of both is meant.
    fn noun_said(&self, heard: &[Clause]) -> Option<SlotKind> {
        let says = |concept: &str| {
            let mut places = heard.iter().flat_map(|clause| clause.from..clause.to);
            places.any(|at| matches!(self.roles[at], Role::Concept(said) if said == concept))
        };
        match (says("testcase"), says("script")) {
            (true, false) => Some(SlotKind::Testcase),
            (false, true) => Some(SlotKind::Script),
            _ => None,
        }
    }

    /// Whether something is to be done, rather than told about what was.
    fn is_order(&self, heard: &[Clause], active: &[Clause]) -> bool {
        let is_wish = |clause: &Clause| clause.mood == Mood::Wish && clause.verb != Some("list");
        heard.iter().any(is_wish) || active.iter().all(|clause| clause.mood == Mood::Statement)
    }
}

/// Whether a skill runs things of a kind.
pub(super) fn runs(skill: &Skill, kind: SlotKind) -> bool {
    let needs =
        |slot: &assay_suite::Slot| slot.kind == kind && (slot.is_required || !slot.required_when.is_empty());
    skill.slots.iter().any(needs)
        && skill.triggers.iter().any(|trigger| concepts_of(trigger).iter().any(|concept| concept == "run"))
}
