//! What the clauses of a request say: in concepts, and which of them belong together.

use assay_suite::{Skill, SlotKind};

use super::choose::{Best, Team};
use super::clauses::{Clause, Mood, Role};
use super::entities::Entity;
use super::fill::fill;
use super::lexicon;
use super::meaning::{About, Fit, Meanings};
use super::names::NameIndex;
use super::said::{Said, SaidTerm};
use super::score::{Concepts, concept_of_kind};
use super::texts::{is_address, is_code};
use super::tokens::Token;
use super::understand::{Given, Order, Question, Understanding};

/// Clauses that want one thing.
pub(super) struct Wish<'s> {
    pub clauses: Vec<Clause>,
    pub said: Concepts,
    pub skill: Option<&'s Skill>,
}

pub(super) struct Reading<'a> {
    pub request: &'a str,
    pub words: &'a [Token],
    pub roles: &'a [Role],
    pub entities: &'a [Entity<'a>],
    pub terms: &'a [SaidTerm],
    pub index: &'a NameIndex,
}

impl<'a> Reading<'a> {
    /// The clauses in groups that want one thing each.
    pub(super) fn wishes<'s>(&self, active: &[&Clause], team: &Team<'s>) -> Vec<Wish<'s>> {
        let mut wishes: Vec<Wish<'s>> = Vec::new();
        for clause in active {
            let alone = self.said(std::slice::from_ref(*clause));
            let skill = match team.best(&alone) {
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
                    last.skill = match team.best(&last.said) {
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

    pub(super) fn one_at_a_time(&self, wishes: &[Wish<'_>]) -> Question {
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
    pub(super) fn said(&self, clauses: &[Clause]) -> Concepts {
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
                        let is_other_act = concept == "foreign" && clause.verb != Some("foreign");
                        if clause.verb_at == Some(at) && (token.is("test") || is_other_act) {
                            continue;
                        }
                        said.insert(concept.to_string());
                        let word = token.stem();
                        // "up and running" runs nothing.
                        if word != concept && !lexicon::is_verb(&word) {
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
                        let named = || self.entities.iter().filter(|one| one.from <= at && at < one.to);
                        let is_application = named().any(|one| one.name.kind == SlotKind::Userinterface);
                        // The tree of an application has its name.
                        for entity in named().filter(|one| !is_application || one.name.kind != SlotKind::Tree)
                        {
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
        // "Which devices are healthy" asks how they are.
        let asks_how = clauses.iter().flat_map(|clause| clause.from..clause.to).any(|at| {
            self.roles[at] == Role::Concept("status")
                && !matches!(self.words[at].text.as_str(), "available" | "ready")
        });
        if lists && !asks_how {
            said.remove("status");
        }
        // A name of a test or script alone is an order to run it.
        if !has_verb && let Some(first) = clauses.first().filter(|first| first.mood != Mood::Past) {
            let at = (first.from..first.to)
                .find(|at| !matches!(self.roles[*at], Role::Filler | Role::Noise | Role::Mark));
            let is_name = at.is_some_and(|at| {
                self.entities.iter().any(|entity| {
                    entity.from == at && matches!(entity.name.kind, SlotKind::Script | SlotKind::Testcase)
                })
            });
            let is_about_runs = ["flaky", "report", "genuine", "triage", "incident", "alert"]
                .iter()
                .any(|concept| said.contains(*concept));
            if is_name && !is_about_runs {
                said.insert("run".to_string());
            }
        }
        // "All tests of the shop in webkit"
        let is_past = clauses.iter().any(|clause| clause.mood == Mood::Past);
        if !has_verb && !is_past && said.contains("device") && self.says_tests(clauses) {
            said.insert("run".to_string());
        }
        if !has_verb && self.asks_for_kind(clauses) {
            said.insert("list".to_string());
        }
        // "run a health check" runs no script.
        if said.contains("healthcheck") && !said.contains("testcase") && !said.contains("script") {
            said.remove("run");
        }
        self.imply_nouns(clauses, &mut said);
        said
    }

    fn says_tests(&self, clauses: &[Clause]) -> bool {
        let places = || clauses.iter().flat_map(|clause| clause.from..clause.to);
        let is_all = |at: usize| matches!(self.words[at].text.as_str(), "all" | "every");
        places().any(is_all) && places().any(|at| self.roles[at] == Role::Concept("testcase"))
    }

    /// "I only need the scripts": a kind of things, and none of them by name.
    fn asks_for_kind(&self, clauses: &[Clause]) -> bool {
        let places = || clauses.iter().flat_map(|clause| clause.from..clause.to);
        let is_kind = |at: usize| {
            matches!(self.roles[at], Role::Concept("script" | "testcase" | "host" | "device" | "application"))
                && self.words[at].text.ends_with('s')
        };
        places().any(|at| matches!(self.words[at].text.as_str(), "need" | "want" | "give" | "like"))
            && places().any(is_kind)
            && places()
                .all(|at| is_kind(at) || matches!(self.roles[at], Role::Filler | Role::Noise | Role::Mark))
    }

    /// `run search` means a test, if tests are called so.
    fn imply_nouns(&self, clauses: &[Clause], said: &mut Concepts) {
        let has_noun = ["script", "testcase", "requirement"].iter().any(|noun| said.contains(*noun));
        if has_noun || !said.contains("run") {
            return;
        }
        let places: Vec<usize> =
            clauses.iter().flat_map(|clause| clause.from..clause.text_from.unwrap_or(clause.to)).collect();
        let keys: Vec<&String> = self
            .terms
            .iter()
            .filter(|term| places.contains(&term.at) && (term.is_phrase || self.roles[term.at] == Role::Word))
            .flat_map(|term| &term.keys)
            .collect();
        let hits = |kind: SlotKind| -> usize {
            let meanings = Meanings::of(kind, self.index);
            let of_name = |about: &About<'_>| keys.iter().filter(|key| about.fit(key) == Fit::Strong).count();
            meanings.all.iter().map(of_name).max().unwrap_or(0)
        };
        let (tests, scripts) = (hits(SlotKind::Testcase), hits(SlotKind::Script));
        if tests > 0 && tests >= scripts {
            said.insert("testcase".to_string());
        }
        if scripts > 0 && scripts >= tests {
            said.insert("script".to_string());
        }
    }

    pub(super) fn carried(
        &self,
        wish: Wish<'_>,
        team: &Team<'_>,
        all: &[Clause],
        given: &Given,
    ) -> Understanding {
        let mut said = wish.said.clone();
        let mut clauses = wish.clauses.clone();
        // What is only mentioned counts where it decides.
        let mut found = team.best(&said);
        let points_back = wish
            .clauses
            .iter()
            .flat_map(|clause| clause.from..clause.to)
            .any(|at| matches!(self.words[at].text.as_str(), "it" | "its" | "them" | "their"));
        let mentioned: Vec<Clause> = all
            .iter()
            .filter(|clause| matches!(clause.mood, Mood::Statement | Mood::Past))
            .cloned()
            .collect();
        if points_back || !matches!(found, Best::One(_)) {
            let nouns = self.said(&mentioned).into_iter().filter(|concept| !lexicon::is_verb(concept));
            let mut more = said.clone();
            more.extend(nouns);
            if self.is_bare(&wish.clauses) {
                self.imply_nouns(&mentioned, &mut more);
            }
            let with_context = team.best(&more);
            if matches!(with_context, Best::One(_)) {
                (found, said) = (with_context, more);
            }
        }
        // What the story names is meant where an order names nothing. Skills that run look for what "it" points to
        // themselves.
        let makes_it = points_back && said.contains("create");
        if let Best::One(skill) = &found
            && (makes_it
                || self.is_bare(&wish.clauses)
                || team.others.iter().any(|other| other.name == skill.name))
        {
            clauses.extend(mentioned);
            clauses.sort_by_key(|clause| clause.from);
            clauses.dedup_by_key(|clause| clause.from);
        }
        match found {
            Best::One(skill) => self.filled(skill, &clauses, all, given),
            Best::Several(several) => {
                let names: Vec<String> = several.iter().map(|skill| skill.name.clone()).collect();
                let text = format!("Which is meant: {}?", names.join(" or "));
                Understanding::Ask(Question { text, candidates: names, ..Question::default() })
            }
            Best::None => self.unclear(&wish, &said, team.own),
        }
    }

    fn names_only_devices(&self, clause: &Clause) -> bool {
        let is_device = |at: usize| {
            matches!(self.roles[at], Role::Entity(entity)
                if matches!(self.entities[entity].name.kind, SlotKind::Device | SlotKind::Host))
        };
        let is_small = |at: usize| {
            matches!(
                self.roles[at],
                Role::Filler | Role::Noise | Role::Mark | Role::Concept("device" | "run")
            )
        };
        (clause.from..clause.to).any(is_device)
            && (clause.from..clause.to).all(|at| is_device(at) || is_small(at))
    }

    /// "Run. Now." and "Run in firefox."
    fn is_bare(&self, clauses: &[Clause]) -> bool {
        clauses.iter().all(|clause| {
            let mut others = (clause.from..clause.to).filter(|at| Some(*at) != clause.verb_at);
            others.all(|at| match self.roles[at] {
                Role::Filler | Role::Noise | Role::Mark | Role::Concept("device") => true,
                Role::Entity(place) => self.entities[place].name.kind == SlotKind::Device,
                _ => false,
            })
        })
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

    pub(super) fn filled(
        &self,
        skill: &Skill,
        active: &[Clause],
        all: &[Clause],
        given: &Given,
    ) -> Understanding {
        if let Some(question) = self.unknown_host(active) {
            return Understanding::Ask(Question { skill: Some(skill.name.clone()), ..question });
        }
        // "…? Firefox please."
        let is_apart = |clause: &&Clause| {
            clause.mood != Mood::Negated
                && !active.iter().any(|other| other.from == clause.from)
                && self.names_only_devices(clause)
        };
        let mut active = active.to_vec();
        active.extend(all.iter().filter(is_apart).cloned().collect::<Vec<_>>());
        active.sort_by_key(|clause| clause.from);
        let said = Said {
            request: self.request,
            words: self.words,
            roles: self.roles,
            entities: self.entities,
            terms: self.terms,
            index: self.index,
            active: &active,
            all,
        };
        match fill(skill, &said, given) {
            Ok(slots) => Understanding::Do(Order { skill: skill.name.clone(), slots }),
            Err(question) => Understanding::Ask(Question { skill: Some(skill.name.clone()), ..*question }),
        }
    }
}
