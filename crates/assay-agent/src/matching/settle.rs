//! Whether what the words call for answers all of them: an order that leaves words over is a question.

use assay_suite::SlotKind;

use super::browsers::is_strange_device;
use super::by_meaning::runs;
use super::choose::{Team, starts_what_is_named};
use super::clauses::{Clause, Mood, Role};
use super::fillers::is_filler;
use super::meaning::{About, Fit, Meanings};
use super::reading::Reading;
use super::understand::{Given, Order, Question, Understanding};

impl Reading<'_> {
    /// What the words call for stands if it answers all of them; otherwise what they are about may fit better.
    pub(super) fn settled(
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
