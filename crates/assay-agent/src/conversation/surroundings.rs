//! Names of the project for the prompt of a skill: those of the kinds that the skill works with. Pure.

use assay_prompt::harmless;
use assay_suite::{Skill, SlotKind};

/// How many characters the names of a kind have in a prompt.
const MOST_OF_NAMES: usize = 700;

/// Names that a request may mean: the same lines as long as the project is the same.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Surroundings {
    /// With their parameters: `fill_cart(tickets!: integer, category: standing|vip = standing)`.
    pub scripts: Vec<String>,
    pub tests: Vec<String>,
    pub applications: Vec<String>,
    /// Of navigation.
    pub trees: Vec<String>,
    pub devices: Vec<String>,
}

impl Surroundings {
    /// The lines for a skill, by the kinds of its slots.
    pub fn lines_for(&self, skill: &Skill) -> Vec<String> {
        let kinds = [
            (SlotKind::Script, "scripts (`!` marks what must be given)", &self.scripts),
            (SlotKind::Testcase, "tests", &self.tests),
            (SlotKind::Userinterface, "applications", &self.applications),
            (SlotKind::Tree, "navigation trees", &self.trees),
            (SlotKind::Device, "devices of host local", &self.devices),
        ];
        let is_used = |kind: SlotKind| skill.slots.iter().any(|slot| slot.kind == kind);
        let used = kinds.into_iter().filter(|(kind, _, _)| is_used(*kind));
        used.filter_map(|(_, what, names)| names_line(what, names)).collect()
    }
}

fn names_line(kind: &str, names: &[String]) -> Option<String> {
    let mut line = format!("- {kind}:");
    let mut left = names.len();
    for name in names {
        if line.len() + name.len() > MOST_OF_NAMES {
            break;
        }
        line.push_str(&format!(" {};", harmless(name)));
        left -= 1;
    }
    let line = line.trim_end_matches(';').to_string();
    match (names.is_empty(), left) {
        (true, _) => None,
        (false, 0) => Some(line),
        (false, left) => Some(format!("{line}; and {left} more")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Library;

    #[test]
    fn a_skill_sees_the_names_of_the_kinds_that_it_works_with() {
        let library = Library::built_in();
        let surroundings = Surroundings {
            scripts: vec!["fill_cart(tickets!: integer)".to_string()],
            tests: (0..200).map(|number| format!("test_{number}")).collect(),
            ..Surroundings::default()
        };
        let lines = |skill: &str| surroundings.lines_for(library.skill(skill).unwrap());
        assert_eq!(
            lines("run-script"),
            ["- scripts (`!` marks what must be given): fill_cart(tickets!: integer)"]
        );
        let tests = lines("run-testcase");
        assert_eq!(tests.len(), 1);
        assert!(tests[0].len() < 750 && tests[0].ends_with(" more"), "{}", tests[0]);
        assert_eq!(lines("explore-web"), Vec::<String>::new());
    }
}
