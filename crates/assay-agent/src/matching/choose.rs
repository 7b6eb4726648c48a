//! Which skill explains most: one of the agent that is asked, or one of another agent.

use assay_suite::{Skill, Slot, SlotKind};

use super::score::{Concepts, concepts_of, score};

/// The skills of the agent that is asked, and those of agents that it can hand over to.
pub(super) struct Team<'s> {
    pub own: &'s [&'s Skill],
    pub others: &'s [&'s Skill],
}

pub(super) enum Best<'s> {
    One(&'s Skill),
    Several(Vec<&'s Skill>),
    None,
}

/// Scores that differ by less are the same.
const NEAR: f64 = 0.05;

impl<'s> Team<'s> {
    pub fn skill(&self, name: &str) -> Option<&'s Skill> {
        self.own.iter().chain(self.others).copied().find(|skill| skill.name == name)
    }

    /// Another agent gets the request only if one skill of it explains more than all own ones.
    pub fn best(&self, said: &Concepts) -> Best<'s> {
        let scored = |skills: &'s [&'s Skill]| -> Vec<(f64, &'s Skill)> {
            let all = skills.iter().filter_map(|skill| Some((score(skill, said)?, *skill)));
            all.filter(|(score, _)| *score > 0.0).collect()
        };
        let top = |scored: &[(f64, &Skill)]| scored.iter().map(|(score, _)| *score).fold(0.0, f64::max);
        let (own, others) = (scored(self.own), scored(self.others));
        let chosen = if top(&others) > top(&own) + NEAR { others } else { own };
        let least = top(&chosen) - NEAR;
        let first: Vec<&'s Skill> =
            chosen.iter().filter(|(score, _)| *score >= least).map(|(_, skill)| *skill).collect();
        match first.as_slice() {
            [] => Best::None,
            [one] => Best::One(one),
            _ => Best::Several(first),
        }
    }
}

/// Whether a skill was called for by more than a wish for a list, and only reads.
pub(super) fn looks_back(skill: &Skill, said: &Concepts) -> bool {
    let is_called = skill.triggers.iter().any(|trigger| {
        let concepts = concepts_of(trigger);
        !concepts.iter().any(|concept| concept == "list")
            && concepts.iter().all(|concept| said.contains(concept))
    });
    is_called && !changes(skill) && !said.contains("coverage") && !said.contains("requirement")
}

/// Whether a skill runs or links what a request names: then no word may be left over.
pub(super) fn starts_what_is_named(skill: &Skill) -> bool {
    let is_named = |slot: &Slot| matches!(slot.kind, SlotKind::Script | SlotKind::Testcase);
    let is_needed = |slot: &Slot| slot.is_required || !slot.required_when.is_empty();
    changes(skill) && skill.slots.iter().any(|slot| is_named(slot) && is_needed(slot))
}

/// Whether a skill does more than look.
pub(super) fn changes(skill: &Skill) -> bool {
    !skill.tools.iter().all(|name| {
        assay_tools::find_tool(name)
            .is_some_and(|tool| tool.effects.reads_only && !tool.effects.is_open_world)
    })
}
