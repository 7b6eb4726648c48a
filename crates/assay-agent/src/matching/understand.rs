//! From a request to an order, a question, or nothing.

use std::collections::BTreeMap;

use assay_suite::{Skill, SlotKind};
use serde_json::Value;

use super::by_meaning::runs;
use super::choose::{Best, Team, looks_back, starts_what_is_named};
use super::clauses::{Clause, Mood, Role, clauses, roles};
use super::entities::entities;
use super::exclude::excluded;
use super::fillers::is_filler;
use super::lexicon::{browser_called, is_strange_device};
use super::meaning::{About, Fit, Meanings};
use super::mend::{join_codes, mend};
use super::names::NameIndex;
use super::reading::Reading;
use super::said::said_terms;
use super::tokens::{Token, tokens};

/// A value of a slot, with what is known of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Bound {
    pub value: Value,
    pub facts: Value,
}

/// What is to be done.
#[derive(Debug, Clone, PartialEq)]
pub struct Order {
    pub skill: String,
    pub slots: BTreeMap<String, Vec<Bound>>,
}

/// What has to be said first.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Question {
    pub text: String,
    /// What the answer may be, as far as that is known.
    pub candidates: Vec<String>,
    pub skill: Option<String>,
    /// The slot that the answer fills.
    pub slot: Option<String>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Understanding {
    Do(Order),
    Ask(Question),
    /// No skill does what is wanted; why, as far as that is known.
    Nothing(String),
}

/// What is known before the request is read.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Given {
    pub skill: Option<String>,
    pub slots: BTreeMap<String, Vec<Bound>>,
}

/// `others` are skills of other agents, which get the request if no own skill fits as well.
pub fn understand(
    request: &str,
    own: &[&Skill],
    others: &[&Skill],
    index: &NameIndex,
    given: &Given,
) -> Understanding {
    let team = Team { own, others };
    let mut words = tokens(request);
    let named = given.skill.clone().or_else(|| skill_named(&mut words, &team));
    mend(&mut words, index);
    join_codes(&mut words, index);
    let left_out = leave_out(&mut words, index);
    let entities = entities(&words, index);
    let roles = roles(&words, &entities);
    let clauses = clauses(&words, &roles);
    let terms = said_terms(&words, &entities);
    let reading =
        Reading { request, words: &words, roles: &roles, entities: &entities, terms: &terms, index };
    if let Some(name) = named {
        return match team.skill(&name) {
            Some(skill) => reading.filled(skill, &clauses, &clauses, given),
            None => Understanding::Nothing(format!("The agent has no skill `{name}`.")),
        };
    }
    let by_words = reading.by_words(&team, &clauses, given);
    let found = reading.settled(by_words, &team, &clauses, given);
    without(found, &left_out, &team, index)
}

/// What was excluded is not done: a device that was refused is left out, and tests that were refused are a question.
fn without(found: Understanding, left_out: &[Token], team: &Team<'_>, index: &NameIndex) -> Understanding {
    let Understanding::Do(mut order) = found else { return found };
    let named: Vec<&str> =
        left_out.iter().map(|token| browser_called(&token.text).unwrap_or(token.text.as_str())).collect();
    let refused: Vec<&str> = index
        .of(SlotKind::Device)
        .map(|device| device.name.as_str())
        .filter(|device| named.contains(device))
        .collect();
    let takes_device = team.skill(&order.skill).is_some_and(|skill| skill.slot("device").is_some());
    let ask = |text: &str, candidates: Vec<String>, slot: &str| {
        let (skill, slot) = (Some(order.skill.clone()), Some(slot.to_string()));
        Understanding::Ask(Question { text: text.to_string(), candidates, skill, slot })
    };
    if !refused.is_empty() && takes_device {
        let others = index.of(SlotKind::Device).map(|device| device.name.clone());
        let others: Vec<String> = others.filter(|device| !refused.contains(&device.as_str())).collect();
        let Some(devices) = order.slots.get("device") else {
            return ask("In which browser then?", others, "device");
        };
        let kept: Vec<Bound> = devices
            .iter()
            .filter(|bound| bound.value.as_str().is_none_or(|device| !refused.contains(&device)))
            .cloned()
            .collect();
        if kept.is_empty() {
            return ask("In which browser then?", others, "device");
        }
        order.slots.insert("device".to_string(), kept);
        return Understanding::Do(order);
    }
    let is_wide =
        order.slots.contains_key("scope") || order.slots.get("testcase").is_some_and(|tests| tests.len() > 1);
    if is_wide && !left_out.is_empty() {
        return ask("Tests cannot be left out of all. Which one is meant?", Vec::new(), "testcase");
    }
    Understanding::Do(order)
}

impl Reading<'_> {
    /// By the words that call for a skill.
    fn by_words(&self, team: &Team<'_>, clauses: &[Clause], given: &Given) -> Understanding {
        let wanted: Vec<&Clause> = clauses.iter().filter(|clause| clause.mood == Mood::Wish).collect();
        let active: Vec<&Clause> = match wanted.is_empty() {
            false => wanted,
            true => clauses.iter().filter(|clause| clause.mood == Mood::Statement).collect(),
        };
        // Some skills are about what was.
        let past: Vec<Clause> = clauses.iter().filter(|clause| clause.mood == Mood::Past).cloned().collect();
        if active.is_empty() || !past.is_empty() {
            let whole: Vec<Clause> =
                clauses.iter().filter(|clause| clause.mood != Mood::Negated).cloned().collect();
            let is_order = active
                .iter()
                .any(|clause| matches!(clause.verb, Some("run" | "create" | "explore" | "link")));
            if let Best::One(skill) = team.best(&self.said(&whole))
                && !is_order
                && looks_back(skill, &self.said(&whole))
                && team.others.iter().any(|other| other.name == skill.name)
            {
                return self.filled(skill, &whole, clauses, given);
            }
        }
        if active.is_empty() {
            if let Best::One(skill) = team.best(&self.said(&past))
                && looks_back(skill, &self.said(&past))
            {
                return self.filled(skill, &past, clauses, given);
            }
            return Understanding::Nothing(match past.is_empty() {
                false => "That is about a run that is over; the analyzer looks at those.".to_string(),
                true => String::new(),
            });
        }
        if active[0].verb == Some("foreign") && active[0].text_from.is_none() {
            return Understanding::Nothing(String::new());
        }
        let wishes = self.wishes(&active, team);
        if wishes.len() > 1 {
            return Understanding::Ask(self.one_at_a_time(&wishes));
        }
        let Some(wish) = wishes.into_iter().next() else { return Understanding::Nothing(String::new()) };
        if wish.clauses.iter().skip(1).any(|clause| clause.verb == Some("foreign")) {
            let text = "One part of this is nothing that I can do. Ask for the other part alone.".to_string();
            return Understanding::Ask(Question { text, ..Question::default() });
        }
        self.carried(wish, team, clauses, given)
    }

    /// What the words call for stands if it answers all of them; otherwise what they are about may fit better.
    fn settled(
        &self,
        by_words: Understanding,
        team: &Team<'_>,
        clauses: &[Clause],
        given: &Given,
    ) -> Understanding {
        match by_words {
            Understanding::Do(order) => {
                if let Some(question) =
                    self.more_than_one(&order).or_else(|| self.is_for_oneself(&order, clauses))
                {
                    return Understanding::Ask(question);
                }
                let left = self.left_of(&order, team, clauses);
                let is_check = clauses.iter().any(|clause| clause.verb == Some("check"));
                if left.is_empty() && !is_check {
                    return Understanding::Do(order);
                }
                let is_named = order.slots.contains_key("testcase") || order.slots.contains_key("script");
                if left.is_empty() && is_named {
                    return Understanding::Do(order);
                }
                let is_strict = is_named && team.skill(&order.skill).is_none_or(starts_what_is_named);
                // "Does a locked account get in? Check it": what it is stands elsewhere.
                let is_own = team.own.iter().any(|skill| skill.name == order.skill);
                let points_back = is_own && self.words.iter().any(|word| word.is("it"));
                let about = match points_back {
                    true => 2 * self.leads_to_things(&self.all_left(&order, team, clauses)),
                    false => self.leads_to_things(&left),
                };
                if !is_strict && about == 0 {
                    return Understanding::Do(order);
                }
                match self.complete(self.by_meaning(clauses, team.own, given), team, clauses) {
                    Some(Understanding::Do(better)) => Understanding::Do(better),
                    Some(Understanding::Ask(question)) if !is_strict && about > 1 => {
                        Understanding::Ask(question)
                    }
                    _ if is_strict && !left.is_empty() => Understanding::Ask(self.unaccounted(&order, &left)),
                    _ => Understanding::Do(order),
                }
            }
            Understanding::Ask(question) => {
                let is_open =
                    question.slot.as_deref().is_none_or(|slot| matches!(slot, "testcase" | "script"));
                let is_double = question.text.starts_with("One ");
                let is_other =
                    question.skill.as_deref().and_then(|name| team.skill(name)).is_some_and(|skill| {
                        !runs(skill, SlotKind::Testcase) && !runs(skill, SlotKind::Script)
                    });
                if !is_open || is_double || is_other {
                    return Understanding::Ask(question);
                }
                let is_vague = question.candidates.is_empty() || question.candidates.len() > 6;
                match self.complete(self.by_meaning(clauses, team.own, given), team, clauses) {
                    Some(Understanding::Do(better)) => Understanding::Do(better),
                    Some(Understanding::Ask(other)) if is_vague => Understanding::Ask(other),
                    _ => Understanding::Ask(question),
                }
            }
            Understanding::Nothing(why) => {
                match self.complete(self.by_meaning(clauses, team.own, given), team, clauses) {
                    Some(found) => found,
                    None => Understanding::Nothing(why),
                }
            }
        }
    }

    /// An order that leaves words over is a question.
    fn complete(
        &self,
        found: Option<Understanding>,
        team: &Team<'_>,
        clauses: &[Clause],
    ) -> Option<Understanding> {
        match found? {
            Understanding::Do(order) => {
                if let Some(question) =
                    self.more_than_one(&order).or_else(|| self.is_for_oneself(&order, clauses))
                {
                    return Some(Understanding::Ask(question));
                }
                let left = self.left_of(&order, team, clauses);
                Some(match left.is_empty() {
                    true => Understanding::Do(order),
                    false => Understanding::Ask(self.unaccounted(&order, &left)),
                })
            }
            other => Some(other),
        }
    }

    /// "both tests", where only one is found.
    fn more_than_one(&self, order: &Order) -> Option<Question> {
        let [one] = order.slots.get("testcase").or_else(|| order.slots.get("script"))?.as_slice() else {
            return None;
        };
        let says_both = (0..self.words.len()).any(|at| {
            matches!(self.words[at].text.as_str(), "both" | "two")
                && (at + 1..self.words.len().min(at + 3))
                    .any(|next| matches!(self.roles[next], Role::Concept("testcase" | "script")))
        });
        says_both.then(|| Question {
            text: "One thing at a time. Which first?".to_string(),
            candidates: one.value.as_str().map(str::to_string).into_iter().collect(),
            skill: Some(order.skill.clone()),
            slot: order.slots.keys().find(|slot| matches!(slot.as_str(), "testcase" | "script")).cloned(),
        })
    }

    fn left_of(&self, order: &Order, team: &Team<'_>, clauses: &[Clause]) -> Vec<usize> {
        let Some(skill) = team.skill(&order.skill) else { return Vec::new() };
        let naming = self.clauses_of(order, clauses);
        self.left_over(skill, &order.slots, &naming)
    }

    /// "Refund my order" may be meant for the application itself, if nothing says that something should run.
    fn is_for_oneself(&self, order: &Order, clauses: &[Clause]) -> Option<Question> {
        let tests = order.slots.get("testcase").filter(|_| order.skill != "list-resources")?;
        let is_order =
            clauses.iter().any(|clause| matches!(clause.verb, Some("run" | "check" | "link" | "list")));
        let says_test = self.roles.contains(&Role::Concept("testcase"));
        let is_mine = self.words.iter().any(|word| matches!(word.text.as_str(), "my" | "mine"));
        (is_mine && !is_order && !says_test).then(|| Question {
            text: "Should this test run?".to_string(),
            candidates: tests.iter().filter_map(|one| one.value.as_str().map(str::to_string)).collect(),
            skill: Some(order.skill.clone()),
            slot: Some("testcase".to_string()),
        })
    }

    fn all_left(&self, order: &Order, team: &Team<'_>, clauses: &[Clause]) -> Vec<usize> {
        team.skill(&order.skill).map(|skill| self.left_over(skill, &order.slots, clauses)).unwrap_or_default()
    }

    /// The clauses that want something, and those that name what is taken: the others are the story around it.
    fn clauses_of(&self, order: &Order, clauses: &[Clause]) -> Vec<Clause> {
        let values: Vec<&str> =
            order.slots.values().flatten().filter_map(|bound| bound.value.as_str()).collect();
        let names_value = |clause: &Clause| {
            self.entities.iter().any(|entity| {
                clause.from <= entity.from
                    && entity.from < clause.to
                    && values.contains(&entity.name.name.as_str())
            })
        };
        let is_wish = |clause: &&Clause| {
            (clause.mood == Mood::Wish || names_value(clause)) && !self.gives_a_reason(clause)
        };
        let mut found: Vec<Clause> = clauses.iter().filter(is_wish).cloned().collect();
        if found.is_empty() {
            let kinds = [SlotKind::Testcase, SlotKind::Script].map(|kind| Meanings::of(kind, self.index));
            let chosen: Vec<&About<'_>> = kinds
                .iter()
                .flat_map(|meanings| &meanings.all)
                .filter(|about| values.contains(&about.name.name.as_str()))
                .collect();
            let says_it = |clause: &&Clause| {
                let mut terms =
                    self.terms.iter().filter(|term| clause.from <= term.at && term.at < clause.to);
                terms.any(|term| {
                    !is_filler(&self.words[term.at].text)
                        && term
                            .keys
                            .iter()
                            .any(|key| chosen.iter().any(|about| about.fit(key) == Fit::Strong))
                })
            };
            found = clauses.iter().filter(says_it).cloned().collect();
        }
        match found.is_empty() {
            true => clauses.iter().filter(|clause| clause.mood != Mood::Negated).cloned().collect(),
            false => found,
        }
    }

    /// How many of these words lead to a test or a script.
    fn leads_to_things(&self, places: &[usize]) -> usize {
        let kinds = [SlotKind::Testcase, SlotKind::Script].map(|kind| Meanings::of(kind, self.index));
        let leads = |at: &&usize| {
            let keys = self.terms.iter().filter(|term| term.at == **at).flat_map(|term| &term.keys);
            keys.into_iter().any(|key| kinds.iter().any(|meanings| meanings.leads_somewhere(key)))
        };
        places.iter().filter(leads).count()
    }

    /// Says which words are in the way.
    fn unaccounted(&self, order: &Order, left: &[usize]) -> Question {
        let words: Vec<&str> = left.iter().map(|at| self.words[*at].raw.as_str()).collect();
        let devices: Vec<String> =
            self.index.of(SlotKind::Device).map(|device| device.name.clone()).collect();
        let is_place = left.iter().any(|at| {
            matches!(self.roles[*at], Role::Concept("mobile" | "stb"))
                || is_strange_device(&self.words[*at].text)
        });
        let slot = |name: &str| Some(name.to_string()).filter(|name| order.slots.contains_key(name));
        let (candidates, slot) = match is_place {
            true => (devices, Some("device".to_string())),
            false => {
                let slot = slot("testcase").or_else(|| slot("script"));
                let values = slot.as_ref().and_then(|slot| order.slots.get(slot));
                let names = values.into_iter().flatten().filter_map(|bound| bound.value.as_str());
                (names.map(str::to_string).collect(), slot)
            }
        };
        let text = format!("I can make nothing of `{}`. What is meant?", words.join(" "));
        Question { text, candidates, skill: Some(order.skill.clone()), slot }
    }
}

/// Takes out what a request says it is not about.
fn leave_out(words: &mut Vec<Token>, index: &NameIndex) -> Vec<Token> {
    let entities = entities(words, index);
    let roles = roles(words, &entities);
    let texts: Vec<(usize, usize)> =
        clauses(words, &roles).iter().filter_map(|clause| Some((clause.text_from?, clause.to))).collect();
    let kinds = [SlotKind::Testcase, SlotKind::Script].map(|kind| Meanings::of(kind, index));
    let is_name = |at: usize| {
        let key = words[at].stem();
        matches!(
            roles[at],
            Role::Entity(_) | Role::Concept("testcase" | "script" | "device" | "mobile" | "stb")
        ) || super::synonyms::terms(&[key]).iter().any(|term| {
            kinds.iter().flat_map(|meanings| &meanings.all).any(|about| about.fit(&term.key) != Fit::No)
        })
    };
    let mut out = excluded(words, &is_name);
    for (from, to) in texts {
        out[from..to].fill(false);
    }
    let left_out = words.iter().zip(&out).filter(|(_, out)| **out).map(|(token, _)| token.clone()).collect();
    let mut places = out.into_iter();
    words.retain(|_| !places.next().unwrap_or(false));
    left_out
}

/// A request may begin with the name of a skill: `health-check`, or `LOAD SKILL health-check`.
fn skill_named(words: &mut Vec<Token>, team: &Team<'_>) -> Option<String> {
    let is_load = words.len() > 2 && words[0].is("load") && words[1].is("skill");
    let at = if is_load { 2 } else { 0 };
    let name = words.get(at)?.text.clone();
    let is_skill = name.contains('-') && team.skill(&name).is_some();
    if !is_skill && !is_load {
        return None;
    }
    words.drain(..=at);
    Some(name)
}
