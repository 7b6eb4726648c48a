//! What a request is not about: it is taken out before the rest is read, and nothing of it is done.

use assay_suite::SlotKind;

use super::browsers::browser_called;
use super::choose::Team;
use super::clauses::{Role, clauses, roles};
use super::entities::entities;
use super::exclude::excluded;
use super::meaning::{Fit, Meanings};
use super::names::NameIndex;
use super::tokens::{Token, stem, words_of};
use super::understand::{Bound, Question, Understanding};

/// Takes out what a request says it is not about.
pub(super) fn leave_out(words: &mut Vec<Token>, index: &NameIndex) -> Vec<Token> {
    let entities = entities(words, index);
    let roles = roles(words, &entities);
    let texts: Vec<(usize, usize)> = clauses(words, &roles, &entities)
        .iter()
        .filter_map(|clause| Some((clause.text_from?, clause.to)))
        .collect();
    let kinds = [SlotKind::Testcase, SlotKind::Script].map(|kind| Meanings::of(kind, index));
    // "no rehearsal" says the value of a switch.
    let switches: Vec<String> = index
        .of(SlotKind::Script)
        .flat_map(|script| script.facts["parameters"].as_array().cloned().unwrap_or_default())
        .filter(|one| one["type"] == "boolean")
        .flat_map(|one| words_of(one["name"].as_str().unwrap_or_default()))
        .map(|word| stem(&word))
        .collect();
    let is_name = |at: usize| {
        let key = words[at].stem();
        if switches.contains(&key) {
            return false;
        }
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

/// What was excluded is not done: a device that was refused is left out, and tests that were refused are a question.
pub(super) fn without(
    found: Understanding,
    left_out: &[Token],
    team: &Team<'_>,
    index: &NameIndex,
) -> Understanding {
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
