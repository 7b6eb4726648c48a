//! A request, as far as it is read, and the simple values in it.

use assay_suite::{Slot, SlotKind};
use serde_json::{Value, json};

use super::clauses::{Clause, Role};
use super::entities::{Entity, stems_of};
use super::fill::Slots;
use super::names::{Name, NameIndex, origin};
use super::synonyms::terms;
use super::tokens::{Token, stem};
use super::understand::{Bound, Question};

/// A request, as far as it is read.
pub(super) struct Said<'a> {
    pub request: &'a str,
    pub words: &'a [Token],
    pub roles: &'a [Role],
    pub entities: &'a [Entity<'a>],
    /// The words by what they mean.
    pub terms: &'a [SaidTerm],
    pub index: &'a NameIndex,
    /// The clauses that want something.
    pub active: &'a [Clause],
    pub all: &'a [Clause],
}

/// A word or a phrase of a request, by what it means.
#[derive(Debug, Clone)]
pub(super) struct SaidTerm {
    /// The first word.
    pub at: usize,
    /// After the last word.
    pub to: usize,
    /// Several, where a word is a name with underscores.
    pub keys: Vec<String>,
    /// Words that mean something together, such as `sign in`.
    pub is_phrase: bool,
}

/// What the words between two marks mean, each and together.
pub(super) fn said_terms(words: &[Token], entities: &[Entity<'_>]) -> Vec<SaidTerm> {
    let mut found = Vec::new();
    let is_whole = |at: usize| entities.iter().any(|entity| entity.from <= at && at < entity.to);
    let mut at = 0;
    while at < words.len() {
        if words[at].is_mark {
            at += 1;
            continue;
        }
        let parts = stems_of(&words[at]);
        if parts.len() > 1 || is_whole(at) {
            let keys = terms(&parts).into_iter().map(|term| term.key).collect();
            found.push(SaidTerm { at, to: at + 1, keys, is_phrase: false });
            at += 1;
            continue;
        }
        let to = (at..words.len())
            .find(|place| words[*place].is_mark || is_whole(*place) || stems_of(&words[*place]).len() > 1)
            .unwrap_or(words.len());
        let stems: Vec<String> = words[at..to].iter().map(Token::stem).collect();
        for term in terms(&stems) {
            let is_phrase = term.to - term.from > 1;
            found.push(SaidTerm { at: at + term.from, to: at + term.to, keys: vec![term.key], is_phrase });
        }
        at = to;
    }
    found
}

/// The words that are said to be labels: "tagged billing", "with the tags smoke and slow", "the billing label", `#slow`.
/// They name no test.
pub(super) fn labels_said(words: &[Token], index: &NameIndex) -> Vec<usize> {
    let text = |at: usize| words.get(at).map(|word| word.text.as_str()).unwrap_or_default();
    let is_label = |at: usize| {
        index.of(SlotKind::Tag).any(|tag| tag.name.to_lowercase() == text(at).trim_start_matches('#'))
    };
    let is_link = |at: usize| {
        matches!(text(at), "with" | "as" | "the" | "a" | "an" | ":" | "=" | "is" | "of" | "by" | "to" | "be")
    };
    let is_joint = |at: usize| matches!(text(at), "and" | "or" | "," | "&");
    let mut found = Vec::new();
    for at in 0..words.len() {
        if text(at).starts_with('#') && is_label(at) {
            found.push(at);
        }
        let is_verb = matches!(text(at), "tagged" | "labelled" | "labeled");
        if !is_verb && !matches!(text(at), "tag" | "tags" | "label" | "labels") {
            continue;
        }
        if !is_verb && at > 0 && is_label(at - 1) {
            found.push(at - 1);
        }
        let Some(first) = (at + 1..words.len()).find(|next| !is_link(*next)) else { continue };
        if !is_label(first) && (!is_verb || words[first].is_mark || is_joint(first)) {
            continue;
        }
        found.push(first);
        let mut last = first;
        while let Some(next) = (last + 1..words.len()).find(|next| !is_joint(*next)) {
            if next == last + 1 || !is_label(next) {
                break;
            }
            found.push(next);
            last = next;
        }
    }
    found
}

/// How many names a question offers at most.
pub(super) const OFFERED: usize = 12;

impl<'a> Said<'a> {
    /// The words of the clauses that want something, without texts that are values.
    pub(super) fn places(&self) -> Vec<usize> {
        let labels = labels_said(self.words, self.index);
        self.places_of(self.active).into_iter().filter(|at| !labels.contains(at)).collect()
    }

    pub(super) fn places_of(&self, clauses: &[Clause]) -> Vec<usize> {
        clauses.iter().flat_map(|clause| clause.from..clause.text_from.unwrap_or(clause.to)).collect()
    }

    /// The names of a kind that stand among these words, each once.
    pub(super) fn exact(&self, kind: SlotKind, places: &[usize]) -> Vec<&'a Name> {
        let mut found: Vec<&'a Name> = Vec::new();
        for entity in self.entities.iter().filter(|entity| entity.name.kind == kind) {
            if places.contains(&entity.from) && !found.iter().any(|name| name.name == entity.name.name) {
                found.push(entity.name);
            }
        }
        found
    }

    pub(super) fn userinterface(&self, slot: &Slot) -> Result<Option<Vec<Bound>>, Box<Question>> {
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
    pub(super) fn tag(&self, slots: &Slots) -> Result<Option<Vec<Bound>>, Box<Question>> {
        let known = |text: &str| self.index.of(SlotKind::Tag).find(|tag| tag.name.to_lowercase() == text);
        let places = self.places_of(self.active);
        let said: Vec<usize> = labels_said(self.words, self.index);
        for at in said.iter().filter(|at| places.contains(at)) {
            let word = &self.words[*at];
            if known(word.text.trim_start_matches('#')).is_none() {
                let candidates: Vec<String> =
                    self.index.of(SlotKind::Tag).map(|tag| tag.name.clone()).take(OFFERED).collect();
                let text = format!("No test is tagged `{}`. Which tag is meant?", word.raw);
                let slot = Some("tag".to_string());
                return Err(Box::new(Question { text, candidates, slot, ..Question::default() }));
            }
        }
        if slots.contains_key("testcase") {
            return Ok(None);
        }
        let mut names: Vec<&str> = Vec::new();
        for at in places {
            let Some(tag) = known(self.words[at].text.trim_start_matches('#')) else { continue };
            let is_name =
                || self.index.of(SlotKind::Testcase).any(|test| test.stems().contains(&stem(&tag.name)));
            let is_meant = said.contains(&at) || !is_name() && self.roles[at] == Role::Word;
            if is_meant && !names.contains(&tag.name.as_str()) {
                names.push(&tag.name);
            }
        }
        Ok((!names.is_empty()).then(|| vec![bound(&names.join(","))]))
    }

    pub(super) fn run(&self) -> Result<Option<Vec<Bound>>, Box<Question>> {
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

    /// The value of a default, with what is known of it.
    pub(super) fn named(&self, kind: SlotKind, value: &str) -> Bound {
        self.index.of(kind).find(|name| name.name == value).map_or_else(|| bound(value), bound_name)
    }

    /// What needs no question, since there is no other.
    pub(super) fn only_one(&self, kind: SlotKind) -> Option<Bound> {
        if !matches!(kind, SlotKind::Userinterface | SlotKind::Host | SlotKind::Tree) {
            return None;
        }
        let mut names = self.index.of(kind);
        match (names.next(), names.next()) {
            (Some(one), None) => Some(bound_name(one)),
            _ => None,
        }
    }

    pub(super) fn ask_for(&self, slot: &Slot) -> Question {
        let names: Vec<&Name> = self.index.of(slot.kind).collect();
        let text = slot.ask.clone().unwrap_or_else(|| format!("Which {}?", slot.name));
        let mut question = self.which(slot, &names, text);
        if slot.kind == SlotKind::Choice {
            question.candidates = slot.choices.iter().map(|(value, _)| value.clone()).collect();
        }
        question
    }

    pub(super) fn which(&self, slot: &Slot, names: &[&Name], text: String) -> Question {
        let candidates = names.iter().take(OFFERED).map(|name| name.name.clone()).collect();
        Question { text, candidates, slot: Some(slot.name.clone()), skill: None }
    }
}

pub(super) fn bound(text: &str) -> Bound {
    Bound { value: json!(text), facts: Value::Null }
}

pub(super) fn bound_name(name: &Name) -> Bound {
    Bound { value: json!(name.name), facts: name.facts.clone() }
}
