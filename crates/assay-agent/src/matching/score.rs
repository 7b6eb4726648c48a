//! Which skill explains a request best.

use std::collections::BTreeSet;

use assay_suite::{Skill, SlotKind};

use super::fillers::is_filler;
use super::lexicon::{concept_at, is_verb, weight};
use super::tokens::{stem, tokens};

/// The concepts of a request, or of a part of it.
pub(super) type Concepts = BTreeSet<String>;

/// The concepts of a phrase; a word that has none means itself.
pub(super) fn concepts_of(phrase: &str) -> Vec<String> {
    let stems: Vec<String> =
        tokens(phrase).iter().filter(|token| !token.is_mark).map(|token| stem(&token.text)).collect();
    let mut found = Vec::new();
    let mut at = 0;
    while at < stems.len() {
        let rest: Vec<&str> = stems[at..].iter().map(String::as_str).collect();
        match concept_at(&rest) {
            Some((concept, length)) => {
                found.push(concept.to_string());
                at += length;
            }
            None => {
                if !is_filler(&stems[at]) {
                    found.push(stems[at].clone());
                }
                at += 1;
            }
        }
    }
    found
}

pub(super) fn concept_of_kind(kind: SlotKind) -> Option<&'static str> {
    Some(match kind {
        SlotKind::Script | SlotKind::Parameters => "script",
        SlotKind::Testcase => "testcase",
        SlotKind::Device => "device",
        SlotKind::Host => "host",
        SlotKind::Userinterface => "application",
        SlotKind::Requirement => "requirement",
        SlotKind::Tree => "tree",
        SlotKind::Address => "web",
        _ => return None,
    })
}

/// How well a skill explains what is said. None if no trigger of it is said.
pub(super) fn score(skill: &Skill, said: &Concepts) -> Option<f64> {
    let triggers: Vec<Vec<String>> = skill.triggers.iter().map(|trigger| concepts_of(trigger)).collect();
    let is_said =
        |trigger: &Vec<String>| !trigger.is_empty() && trigger.iter().all(|concept| said.contains(concept));
    let best = triggers.iter().filter(|trigger| is_said(trigger)).map(Vec::len).max()?;
    let known = vocabulary(skill, &triggers);
    // One word alone says little where the request wants something else.
    let is_thin = best == 1
        && said.iter().any(|concept| is_verb(concept) && concept != "list" && !known.contains(concept));
    if is_thin {
        return None;
    }
    let explained: f64 = said.intersection(&known).map(|concept| weight(concept)).sum();
    let missed: f64 = said
        .difference(&known)
        .filter(|concept| {
            is_verb(concept)
                || matches!(concept.as_str(), "requirement" | "coverage" | "mobile" | "stb" | "script")
        })
        .map(|concept| weight(concept))
        .sum();
    Some(explained - missed)
}

/// The concepts that a skill can make something of.
fn vocabulary(skill: &Skill, triggers: &[Vec<String>]) -> Concepts {
    let of_slots = skill.slots.iter().flat_map(|slot| {
        let words =
            slot.choices.iter().flat_map(|(_, words)| words.iter().flat_map(|word| concepts_of(word)));
        words.chain(concept_of_kind(slot.kind).map(str::to_string)).collect::<Vec<_>>()
    });
    triggers.iter().flatten().cloned().chain(of_slots).collect()
}

/// All concepts that a skill can make something of.
pub(super) fn vocabulary_of(skill: &Skill) -> Concepts {
    let triggers: Vec<Vec<String>> = skill.triggers.iter().map(|trigger| concepts_of(trigger)).collect();
    vocabulary(skill, &triggers)
}

/// The skills that do what is wanted, to something that was not said.
pub(super) fn half_said<'s>(skills: &[&'s Skill], said: &Concepts) -> Vec<&'s Skill> {
    let verbs: Vec<&String> =
        said.iter().filter(|concept| is_verb(concept) && *concept != "foreign").collect();
    let is_half = |skill: &&Skill| {
        skill.triggers.iter().any(|trigger| {
            let concepts = concepts_of(trigger);
            verbs.iter().any(|verb| concepts.contains(verb))
        })
    };
    skills.iter().copied().filter(is_half).collect()
}
