//! From a request to an order, a question, or nothing.

use std::collections::BTreeMap;

use assay_suite::Skill;
use serde_json::Value;

use super::choose::{Best, Team, changes, looks_back};
use super::clauses::{Clause, Mood, clauses, roles};
use super::entities::entities;
use super::left_out::{leave_out, without};
use super::mend::{join_codes, mend};
use super::named_acts::asks_how;
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
    let named = given
        .skill
        .clone()
        .or_else(|| skill_named(&mut words, &team))
        .or_else(|| skill_of_phrase(&words, &team));
    mend(&mut words, index);
    // "make run the login test" runs it.
    let is_doubled = |at: usize| words[at].is("make") && words.get(at + 1).is_some_and(|next| next.is("run"));
    if let Some(at) = (0..words.len()).find(|at| is_doubled(*at)) {
        words.remove(at);
    }
    join_codes(&mut words, index);
    let left_out = leave_out(&mut words, index);
    let entities = entities(&words, index);
    let roles = roles(&words, &entities);
    let clauses = clauses(&words, &roles, &entities);
    let terms = said_terms(&words, &entities);
    let reading =
        Reading { request, words: &words, roles: &roles, entities: &entities, terms: &terms, index };
    if let Some(name) = named {
        return match team.skill(&name) {
            Some(skill) => match reading.filled(skill, &clauses, &clauses, given) {
                Understanding::Do(order) if given.skill.is_none() => {
                    reading.unless_in_doubt(order, &team, &clauses, &left_out)
                }
                found => found,
            },
            None => Understanding::Nothing(format!("The agent has no skill `{name}`.")),
        };
    }
    let by_words = reading.by_words(&team, &clauses, given);
    let found = reading.settled(by_words, &team, &clauses, given);
    match without(found, &left_out, &team, index) {
        Understanding::Do(order) if asks_how(&words) && team.skill(&order.skill).is_some_and(changes) => {
            Understanding::Ask(should_it(&order))
        }
        Understanding::Do(order) => reading.unless_in_doubt(order, &team, &clauses, &left_out),
        found => found,
    }
}

/// "How do I run the login test?" may be a wish for the way alone.
fn should_it(order: &Order) -> Question {
    let named = order.slots.get_key_value("testcase").or_else(|| order.slots.get_key_value("script"));
    let values = named.into_iter().flat_map(|(_, values)| values);
    Question {
        text: "Name it, and I do it. Should it be done now?".to_string(),
        candidates: values.filter_map(|bound| bound.value.as_str().map(str::to_string)).collect(),
        skill: Some(order.skill.clone()),
        slot: named.map(|(slot, _)| slot.clone()),
    }
}

impl Reading<'_> {
    /// An order that the words do not plainly give is offered instead.
    fn unless_in_doubt(
        &self,
        order: Order,
        team: &Team<'_>,
        clauses: &[Clause],
        left_out: &[Token],
    ) -> Understanding {
        let doubt =
            team.skill(&order.skill).and_then(|skill| self.in_doubt(skill, &order, clauses, left_out));
        doubt.map_or(Understanding::Do(order), Understanding::Ask)
    }

    /// By the words that call for a skill.
    fn by_words(&self, team: &Team<'_>, clauses: &[Clause], given: &Given) -> Understanding {
        let is_wanted = |clause: &&Clause| clause.mood == Mood::Wish && !self.gives_a_reason(clause);
        let wanted: Vec<&Clause> = clauses.iter().filter(is_wanted).collect();
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
}

/// A request that is a trigger of a skill of the project, word for word, calls that skill, whatever the words mean.
fn skill_of_phrase(words: &[Token], team: &Team<'_>) -> Option<String> {
    let plain = |words: &[Token]| -> Vec<String> {
        let is_said = |word: &&Token| !word.is_mark && !word.is("please");
        words.iter().filter(is_said).map(|word| word.text.clone()).collect()
    };
    let said = plain(words);
    let is_it = |trigger: &String| !said.is_empty() && plain(&tokens(trigger)) == said;
    let own = team.own.iter().filter(|skill| skill.file.is_some());
    let mut found = own.filter(|skill| skill.triggers.iter().any(is_it));
    let first = found.next()?;
    found.next().is_none().then(|| first.name.clone())
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
