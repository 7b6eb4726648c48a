//! The question where no skill is called for, but half of one.

use assay_suite::{Skill, SlotKind};

use super::clauses::Role;
use super::lexicon;
use super::reading::{Reading, Wish};
use super::score::{Concepts, half_said};
use super::understand::{Question, Understanding};

impl Reading<'_> {
    /// No skill is called for: is one half called for?
    pub(super) fn unclear(&self, wish: &Wish<'_>, said: &Concepts, skills: &[&Skill]) -> Understanding {
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
        // "Play chess with me": there is nothing of that kind here.
        let is_plain_order = self.words.iter().any(|word| {
            matches!(
                word.stem().as_str(),
                "run" | "rerun" | "execut" | "exec" | "start" | "launch" | "test" | "script"
            )
        });
        if !left.is_empty()
            && !is_plain_order
            && said.contains("run")
            && !said.contains("testcase")
            && !said.contains("script")
        {
            return Understanding::Nothing(String::new());
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
