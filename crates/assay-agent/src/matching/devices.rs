//! The devices that a request names, or that it names in vain.

use assay_suite::{Skill, Slot, SlotKind};

use super::browsers::is_strange_device;
use super::clauses::Role;
use super::entities::stems_of;
use super::meaning::Meanings;
use super::names::Name;
use super::said::{Said, bound_name};
use super::synonyms::terms;
use super::understand::{Bound, Question};

impl<'a> Said<'a> {
    pub(super) fn devices(&self, skill: &Skill, slot: &Slot) -> Result<Option<Vec<Bound>>, Box<Question>> {
        let fits = |name: &&Name| {
            skill
                .platform
                .is_none_or(|platform| name.facts["platform"].as_str().unwrap_or("web") == platform.name())
        };
        let places = self.places();
        let found: Vec<&Name> = self.exact(SlotKind::Device, &places).into_iter().filter(fits).collect();
        if !found.is_empty() {
            if found.len() > 1 && !slot.is_many {
                return Err(Box::new(self.which(slot, &found, "On which device?".to_string())));
            }
            return Ok(Some(found.into_iter().map(bound_name).collect()));
        }
        let is_device = |at: usize| matches!(self.roles[at], Role::Concept("device"));
        let all = places.iter().any(|at| {
            is_device(*at)
                && (at.saturating_sub(3)..*at).any(|before| {
                    matches!(
                        self.words[before].text.as_str(),
                        "all" | "every" | "each" | "both" | "across" | "three"
                    )
                })
        });
        if all && !slot.is_many {
            let every: Vec<&Name> = self.index.of(SlotKind::Device).filter(fits).collect();
            return Err(Box::new(self.which(slot, &every, "On one device at a time. On which?".to_string())));
        }
        if all {
            let every = self.index.of(SlotKind::Device).filter(fits);
            let browsers = every.filter(|device| !device.name.starts_with("session:"));
            return Ok(Some(browsers.map(bound_name).collect::<Vec<_>>()).filter(|list| !list.is_empty()));
        }
        // A device that is not there: `device netscape`, or `on opera` at the end.
        let stranger = places.iter().copied().find(|at| {
            let is_name = self.roles[*at] == Role::Word && self.words[*at].quote.is_none();
            let before = at.checked_sub(1);
            let after = self.words.get(at + 1);
            let stands_behind = before.is_some_and(|before| {
                is_device(before)
                    || matches!(self.words[before].text.as_str(), "on" | "in" | "using" | "device")
            });
            let ends =
                after.is_none_or(|next| next.is_mark) || before.is_some_and(is_device) || is_device(at + 1);
            is_name
                && (is_strange_device(&self.words[*at].text) || stands_behind && ends)
                && !self.is_part_of_a_name(*at)
        });
        match stranger {
            Some(at) => {
                let known: Vec<&Name> = self.index.of(SlotKind::Device).filter(fits).collect();
                let text = format!("There is no device `{}`. Which is meant?", self.words[at].raw);
                Err(Box::new(self.which(slot, &known, text)))
            }
            None => Ok(None),
        }
    }

    fn is_part_of_a_name(&self, at: usize) -> bool {
        let keys: Vec<String> = terms(&stems_of(&self.words[at])).into_iter().map(|term| term.key).collect();
        [SlotKind::Testcase, SlotKind::Script, SlotKind::Requirement].into_iter().any(|kind| {
            let leads = |meanings: Meanings<'_>| keys.iter().any(|key| meanings.leads_somewhere(key));
            let mut facts = self.index.of(kind).map(|name| name.facts.to_string().to_lowercase());
            leads(Meanings::of(kind, self.index)) || facts.any(|facts| facts.contains(&self.words[at].text))
        })
    }
}
