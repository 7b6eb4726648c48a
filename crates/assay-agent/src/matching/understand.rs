//! From a request to an order, a question, or nothing.

use std::collections::BTreeMap;

use assay_suite::{Skill, SlotKind};
use serde_json::Value;

use super::clauses::{Clause, Mood, Role, clauses, roles};
use super::entities::{Entity, entities, stems_of};
use super::lexicon;
use super::names::NameIndex;
use super::score::{Concepts, concept_of_kind, half_said, score};
use super::slots::{Said, fill, is_address, is_code};
use super::tokens::{Token, stem, tokens};

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

/// Clauses that want one thing.
struct Wish<'s> {
    clauses: Vec<Clause>,
    said: Concepts,
    skill: Option<&'s Skill>,
}

pub fn understand(request: &str, skills: &[&Skill], index: &NameIndex, given: &Given) -> Understanding {
    let mut words = tokens(request);
    let named = given.skill.clone().or_else(|| skill_named(&mut words, skills));
    mend(&mut words, index);
    let entities = entities(&words, index);
    let roles = roles(&words, &entities);
    let clauses = clauses(&words, &roles);
    let reading = Reading { request, words: &words, roles: &roles, entities: &entities, index };
    if let Some(name) = named {
        return match skills.iter().find(|skill| skill.name == name) {
            Some(skill) => reading.filled(skill, &clauses, &clauses, given),
            None => Understanding::Nothing(format!("The agent has no skill `{name}`.")),
        };
    }
    let wanted: Vec<&Clause> = clauses.iter().filter(|clause| clause.mood == Mood::Wish).collect();
    let active: Vec<&Clause> = match wanted.is_empty() {
        false => wanted,
        true => clauses.iter().filter(|clause| clause.mood == Mood::Statement).collect(),
    };
    if active.is_empty() {
        // Some skills are about what was.
        let past: Vec<Clause> = clauses.iter().filter(|clause| clause.mood == Mood::Past).cloned().collect();
        if let Best::One(skill) = best(skills, &reading.said(&past))
            && looks_back(skill, &reading.said(&past))
        {
            return reading.filled(skill, &past, &clauses, given);
        }
        return Understanding::Nothing(match clauses.iter().any(|clause| clause.mood == Mood::Past) {
            true => "That is about a run that is over; the analyzer looks at those.".to_string(),
            false => String::new(),
        });
    }
    if active[0].verb == Some("foreign") && active[0].text_from.is_none() {
        return Understanding::Nothing(String::new());
    }
    let wishes = reading.wishes(&active, skills);
    if wishes.len() > 1 {
        return Understanding::Ask(reading.one_at_a_time(&wishes));
    }
    let Some(wish) = wishes.into_iter().next() else { return Understanding::Nothing(String::new()) };
    if wish.clauses.iter().skip(1).any(|clause| clause.verb == Some("foreign")) {
        let text = "One part of this is nothing that I can do. Ask for the other part alone.".to_string();
        return Understanding::Ask(Question { text, ..Question::default() });
    }
    reading.carried(wish, skills, &clauses, given)
}

struct Reading<'a> {
    request: &'a str,
    words: &'a [Token],
    roles: &'a [Role],
    entities: &'a [Entity<'a>],
    index: &'a NameIndex,
}

impl<'a> Reading<'a> {
    /// The clauses in groups that want one thing each.
    fn wishes<'s>(&self, active: &[&Clause], skills: &[&'s Skill]) -> Vec<Wish<'s>> {
        let mut wishes: Vec<Wish<'s>> = Vec::new();
        for clause in active {
            let alone = self.said(std::slice::from_ref(*clause));
            let skill = match best(skills, &alone) {
                Best::One(skill) => Some(skill),
                Best::Several(_) | Best::None => None,
            };
            let is_new = match wishes.last() {
                None => true,
                Some(last) => {
                    let is_other = match (last.skill, skill) {
                        (Some(one), Some(other)) => {
                            one.name != other.name || self.names_others(&last.clauses, clause)
                        }
                        _ => false,
                    };
                    clause.verb.is_some() && is_other
                }
            };
            match wishes.last_mut() {
                Some(last) if !is_new => {
                    last.clauses.push((*clause).clone());
                    last.said = self.said(&last.clauses);
                    last.skill = match best(skills, &last.said) {
                        Best::One(skill) => Some(skill),
                        Best::Several(_) | Best::None => last.skill,
                    };
                }
                _ => wishes.push(Wish { clauses: vec![(*clause).clone()], said: alone, skill }),
            }
        }
        wishes
    }

    fn names_others(&self, before: &[Clause], clause: &Clause) -> bool {
        let of = |clauses: &[Clause]| -> Vec<&str> {
            self.entities
                .iter()
                .filter(|entity| {
                    matches!(entity.name.kind, SlotKind::Script | SlotKind::Testcase | SlotKind::Requirement)
                })
                .filter(|entity| {
                    clauses.iter().any(|clause| clause.from <= entity.from && entity.from < clause.to)
                })
                .map(|entity| entity.name.name.as_str())
                .collect()
        };
        let (one, other) = (of(before), of(std::slice::from_ref(clause)));
        !one.is_empty() && !other.is_empty() && one != other
    }

    fn one_at_a_time(&self, wishes: &[Wish<'_>]) -> Question {
        let candidates: Vec<String> = wishes
            .iter()
            .filter_map(|wish| {
                let (first, last) = (wish.clauses.first()?, wish.clauses.last()?);
                let from = self.words[first.from..first.to].first()?.start;
                let to = self.words[last.from..last.to].last()?.end;
                Some(self.request[from..to].trim_matches([',', ' ']).to_string())
            })
            .collect();
        let text = "One thing at a time. Which first?".to_string();
        Question { text, candidates, ..Question::default() }
    }

    /// What some clauses say, in concepts.
    fn said(&self, clauses: &[Clause]) -> Concepts {
        let mut said = Concepts::new();
        let mut has_verb = false;
        for clause in clauses {
            if let Some(verb) = clause.verb {
                said.insert(verb.to_string());
                has_verb = true;
            }
            if clause.verb_at.is_some_and(|at| self.words[at].is("test")) {
                said.insert("testcase".to_string());
            }
            let end = clause.text_from.unwrap_or(clause.to);
            for at in clause.from..end {
                let token = &self.words[at];
                match self.roles[at] {
                    Role::Concept(concept) if Some(at) == clause.verb_at || !lexicon::is_verb(concept) => {
                        if clause.verb_at == Some(at) && token.is("test") {
                            continue;
                        }
                        said.insert(concept.to_string());
                        let word = token.stem();
                        if word != concept {
                            said.insert(word);
                        }
                    }
                    Role::Concept("list") if matches!(token.text.as_str(), "which" | "what") => {
                        said.insert("list".to_string());
                    }
                    // "health check" is a noun.
                    Role::Concept(concept @ ("check" | "validate" | "triage")) if clause.verb.is_none() => {
                        said.insert(concept.to_string());
                    }
                    Role::Concept(_) | Role::Mark | Role::Filler | Role::Noise => {}
                    Role::Entity(_) => {
                        // One place may name several things.
                        for entity in self.entities.iter().filter(|one| one.from <= at && at < one.to) {
                            said.extend(concept_of_kind(entity.name.kind).map(str::to_string));
                        }
                    }
                    Role::Word => {
                        if is_address(&token.text) {
                            said.insert("web".to_string());
                        } else if is_code(&token.text, self.index) {
                            said.insert("requirement".to_string());
                        }
                        said.insert(token.stem());
                    }
                }
            }
        }
        // "Which hosts are available" asks for a list.
        let lists = clauses.iter().any(|clause| {
            clause.verb_at.is_some_and(|at| {
                matches!(self.words[at].text.as_str(), "which" | "what")
                    && matches!(
                        self.roles.get(at + 1),
                        Some(Role::Concept("host" | "device" | "application" | "script"))
                    )
            })
        });
        if lists {
            said.remove("status");
        }
        // A name of a test or script alone is an order to run it.
        if !has_verb && let Some(first) = clauses.first() {
            let at = (first.from..first.to)
                .find(|at| !matches!(self.roles[*at], Role::Filler | Role::Noise | Role::Mark));
            let is_name = at.is_some_and(|at| {
                self.entities.iter().any(|entity| {
                    entity.from == at && matches!(entity.name.kind, SlotKind::Script | SlotKind::Testcase)
                })
            });
            if is_name {
                said.insert("run".to_string());
            }
        }
        self.imply_nouns(clauses, &mut said);
        said
    }

    /// `run search` means a test, if tests are called so.
    fn imply_nouns(&self, clauses: &[Clause], said: &mut Concepts) {
        let has_noun = ["script", "testcase", "requirement"].iter().any(|noun| said.contains(*noun));
        if has_noun || !said.contains("run") {
            return;
        }
        let words: Vec<String> = clauses
            .iter()
            .flat_map(|clause| clause.from..clause.text_from.unwrap_or(clause.to))
            .filter(|at| self.roles[*at] == Role::Word)
            .flat_map(|at| stems_of(&self.words[at]))
            .collect();
        let hits = |kind: SlotKind| -> usize {
            self.index
                .of(kind)
                .map(|name| {
                    let stems = name.stems();
                    words.iter().filter(|word| stems.contains(word)).count()
                })
                .max()
                .unwrap_or(0)
        };
        let (tests, scripts) = (hits(SlotKind::Testcase), hits(SlotKind::Script));
        if tests > 0 && tests >= scripts {
            said.insert("testcase".to_string());
        }
        if scripts > 0 && scripts >= tests {
            said.insert("script".to_string());
        }
    }

    fn carried(&self, wish: Wish<'_>, skills: &[&Skill], all: &[Clause], given: &Given) -> Understanding {
        let mut said = wish.said.clone();
        // What is only mentioned counts where it decides.
        let mut found = best(skills, &said);
        let points_back = wish
            .clauses
            .iter()
            .flat_map(|clause| clause.from..clause.to)
            .any(|at| matches!(self.words[at].text.as_str(), "it" | "its" | "them" | "their"));
        if points_back || !matches!(found, Best::One(_)) {
            let mentioned: Vec<Clause> =
                all.iter().filter(|clause| clause.mood == Mood::Statement).cloned().collect();
            let nouns = self.said(&mentioned).into_iter().filter(|concept| !lexicon::is_verb(concept));
            let mut more = said.clone();
            more.extend(nouns);
            let with_context = best(skills, &more);
            if matches!(with_context, Best::One(_)) {
                (found, said) = (with_context, more);
            }
        }
        match found {
            Best::One(skill) => self.filled(skill, &wish.clauses, all, given),
            Best::Several(several) => {
                let names: Vec<String> = several.iter().map(|skill| skill.name.clone()).collect();
                let text = format!("Which is meant: {}?", names.join(" or "));
                Understanding::Ask(Question { text, candidates: names, ..Question::default() })
            }
            Best::None => self.unclear(&wish, &said, skills),
        }
    }

    /// "on host lab-7", where no such host is registered: what is wanted there is not done elsewhere.
    fn unknown_host(&self, active: &[Clause]) -> Option<Question> {
        let is_place = |at: usize| matches!(self.words[at].text.as_str(), "on" | "at" | "to" | "from" | "in");
        let named =
            active.iter().flat_map(|clause| (clause.from + 1)..clause.to.saturating_sub(1)).find(|at| {
                self.roles[*at] == Role::Concept("host")
                    && is_place(at - 1)
                    && self.roles[at + 1] == Role::Word
            })?;
        let hosts: Vec<String> = self.index.of(SlotKind::Host).map(|host| host.name.clone()).collect();
        let text = format!("There is no host `{}`. Hosts: {}.", self.words[named + 1].raw, hosts.join(", "));
        Some(Question { text, candidates: hosts, slot: Some("host".to_string()), ..Question::default() })
    }

    fn filled(&self, skill: &Skill, active: &[Clause], all: &[Clause], given: &Given) -> Understanding {
        if let Some(question) = self.unknown_host(active) {
            return Understanding::Ask(Question { skill: Some(skill.name.clone()), ..question });
        }
        let said = Said {
            request: self.request,
            words: self.words,
            roles: self.roles,
            entities: self.entities,
            index: self.index,
            active,
            all,
        };
        match fill(skill, &said, given) {
            Ok(slots) => Understanding::Do(Order { skill: skill.name.clone(), slots }),
            Err(question) => Understanding::Ask(Question { skill: Some(skill.name.clone()), ..*question }),
        }
    }

    /// No skill is called for: is one half called for?
    fn unclear(&self, wish: &Wish<'_>, said: &Concepts, skills: &[&Skill]) -> Understanding {
        let mut left: Vec<&str> = Vec::new();
        let mut mentions: Vec<&str> = Vec::new();
        for clause in &wish.clauses {
            for at in clause.from..clause.to {
                match self.roles[at] {
                    Role::Word => left.push(&self.words[at].raw),
                    Role::Entity(place) => {
                        let name = self.entities[place].name;
                        if matches!(name.kind, SlotKind::Script | SlotKind::Testcase)
                            && !mentions.contains(&name.name.as_str())
                        {
                            mentions.push(&name.name);
                        }
                    }
                    _ => {}
                }
            }
        }
        if let Some(name) = mentions.first() {
            let text = format!("What should be done with `{name}`? I can run it, or list what there is.");
            let candidates = mentions.iter().map(|name| (*name).to_string()).collect();
            return Understanding::Ask(Question { text, candidates, ..Question::default() });
        }
        let half = half_said(skills, said);
        let has_act = ["run", "explore", "link"].iter().any(|verb| said.contains(*verb));
        let is_bare =
            left.is_empty() && said.iter().any(|concept| lexicon::is_verb(concept) && concept != "list");
        if half.is_empty() || !(has_act || is_bare) {
            return Understanding::Nothing(String::new());
        }
        let names: Vec<String> = half.iter().map(|skill| skill.name.clone()).collect();
        let text = match left.as_slice() {
            [] => format!("What exactly? I can {}.", names.join(", ")),
            words => format!("I know nothing called `{}`. I can {}.", words.join(" "), names.join(", ")),
        };
        Understanding::Ask(Question { text, candidates: names, ..Question::default() })
    }
}

/// Whether a skill was called for by more than a wish for a list, and only reads.
fn looks_back(skill: &Skill, said: &Concepts) -> bool {
    let is_reader = skill.tools.iter().all(|name| {
        assay_tools::find_tool(name)
            .is_some_and(|tool| tool.effects.reads_only && !tool.effects.is_open_world)
    });
    let is_called = skill.triggers.iter().any(|trigger| {
        let concepts = super::score::concepts_of(trigger);
        !concepts.iter().any(|concept| concept == "list")
            && concepts.iter().all(|concept| said.contains(concept))
    });
    is_reader && is_called && !said.contains("coverage") && !said.contains("requirement")
}

enum Best<'s> {
    One(&'s Skill),
    Several(Vec<&'s Skill>),
    None,
}

const NEAR: f64 = 0.05;

fn best<'s>(skills: &[&'s Skill], said: &Concepts) -> Best<'s> {
    let scored: Vec<(f64, &'s Skill)> = skills
        .iter()
        .filter_map(|skill| Some((score(skill, said)?, *skill)))
        .filter(|(score, _)| *score > 0.0)
        .collect();
    let Some(top) = scored.iter().map(|(score, _)| *score).max_by(f64::total_cmp) else { return Best::None };
    let first: Vec<&'s Skill> =
        scored.iter().filter(|(score, _)| *score >= top - NEAR).map(|(_, skill)| *skill).collect();
    match first.as_slice() {
        [one] => Best::One(one),
        _ => Best::Several(first),
    }
}

/// A request may begin with the name of a skill: `health-check`, or `LOAD SKILL health-check`.
fn skill_named(words: &mut Vec<Token>, skills: &[&Skill]) -> Option<String> {
    let is_load = words.len() > 2 && words[0].is("load") && words[1].is("skill");
    let at = if is_load { 2 } else { 0 };
    let name = words.get(at)?.text.clone();
    let is_skill = name.contains('-') && skills.iter().any(|skill| skill.name == name);
    if !is_skill && !is_load {
        return None;
    }
    words.drain(..=at);
    Some(name)
}

/// Mends slips of the finger: a word that nobody knows, near to one word that is known.
fn mend(words: &mut [Token], index: &NameIndex) {
    let mut known: Vec<String> = lexicon::words_to_mend().map(str::to_string).collect();
    let of_names = index.names.iter().flat_map(|name| std::iter::once(&name.name).chain(&name.also));
    known.extend(of_names.flat_map(|text| super::tokens::words_of(text)));
    let parameters =
        index.of(SlotKind::Script).filter_map(|script| script.facts["parameters"].as_array()).flatten();
    known.extend(parameters.flat_map(|one| super::tokens::words_of(&one.to_string())));
    known.sort();
    known.dedup();
    let stems: std::collections::HashSet<String> = known.iter().map(|word| stem(word)).collect();
    for token in words.iter_mut().filter(|token| !token.is_mark) {
        if is_address(&token.text) || token.text.contains('.') {
            continue;
        }
        let parts: Vec<&str> = token.text.split('_').collect();
        let mended: Vec<String> = parts.iter().map(|part| mended(part, &known, &stems)).collect();
        token.text = mended.join("_");
    }
}

fn mended(word: &str, known: &[String], stems: &std::collections::HashSet<String>) -> String {
    let letters = word.chars().count();
    let is_word = word.chars().all(char::is_alphabetic);
    if lexicon::is_word(word) {
        return word.to_string();
    }
    if !is_word || letters < 4 || stems.contains(&stem(word)) || known.iter().any(|one| one == word) {
        return word.to_string();
    }
    let most = if letters >= 8 { 2 } else { 1 };
    let first = word.chars().next();
    let mut near: Vec<(usize, &String)> = known
        .iter()
        .filter(|one| one.chars().next() == first && one.chars().count() >= 4)
        .map(|one| (strsim::damerau_levenshtein(word, one), one))
        .filter(|(distance, _)| *distance <= most)
        .collect();
    near.sort();
    match near.as_slice() {
        [(_, one)] => (*one).clone(),
        [(nearest, one), (next, other), ..] if nearest < next || stem(one) == stem(other) => (*one).clone(),
        _ => word.to_string(),
    }
}
