//! Names that came from elsewhere than a request, such as an event: each has to be one that exists. A name of nothing would
//! leave its place in a call empty, and the call would mean everything.

use assay_suite::{Skill, SlotKind};
use serde_json::json;

use super::fill::Slots;
use super::names::{Name, NameIndex};
use super::score::concept_of_kind;
use super::understand::{Bound, Question};

/// How many names a question offers at most.
const OFFERED: usize = 12;

/// Takes other forms of a name for the name, and asks about one that does not exist or that fits several things.
pub(crate) fn settle_names(skill: &Skill, slots: &mut Slots, index: &NameIndex) -> Option<Question> {
    let kinds = [SlotKind::Testcase, SlotKind::Script, SlotKind::Requirement, SlotKind::Userinterface];
    for slot in skill.slots.iter().filter(|slot| kinds.contains(&slot.kind)) {
        for bound in slots.get_mut(&slot.name).into_iter().flatten() {
            if !bound.facts.is_null() {
                continue;
            }
            let said = bound.value.as_str().map_or_else(|| bound.value.to_string(), str::to_string);
            let noun = match slot.kind {
                SlotKind::Testcase => "test",
                other => concept_of_kind(other).unwrap_or("name"),
            };
            let (text, fits) = match called(&said, slot.kind, index).as_slice() {
                [one] => {
                    *bound = Bound { value: json!(one.name), facts: one.facts.clone() };
                    continue;
                }
                [] => (format!("There is no {noun} `{said}`."), near(&said, slot.kind, index)),
                several => {
                    let names = several.iter().take(OFFERED).map(|name| name.name.clone()).collect();
                    (format!("`{said}` fits several. Which {noun} is meant?"), names)
                }
            };
            return Some(Question {
                text,
                candidates: fits,
                skill: Some(skill.name.clone()),
                slot: Some(slot.name.clone()),
            });
        }
    }
    None
}

/// What has exactly this name, or else this title or file.
fn called<'n>(said: &str, kind: SlotKind, index: &'n NameIndex) -> Vec<&'n Name> {
    let exact: Vec<&Name> = index.of(kind).filter(|name| name.name == said).collect();
    if !exact.is_empty() {
        return exact;
    }
    let is_it = |other: &String| other.eq_ignore_ascii_case(said);
    index.of(kind).filter(|name| is_it(&name.name) || name.also.iter().any(is_it)).collect()
}

/// Names that hold what was said.
fn near(said: &str, kind: SlotKind, index: &NameIndex) -> Vec<String> {
    let said = said.to_lowercase();
    let holds = |name: &&Name| {
        !said.is_empty()
            && std::iter::once(&name.name).chain(&name.also).any(|text| text.to_lowercase().contains(&said))
    };
    index.of(kind).filter(holds).take(OFFERED).map(|name| name.name.clone()).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::library::Library;

    fn index() -> NameIndex {
        NameIndex::from_answers(&|tool: &str| {
            (tool == "list_testcases").then(|| {
                json!({ "tests": [
                    { "id": "login_valid", "name": "Login works", "file": "tests/login.yaml", "tags": [] },
                    { "id": "login_wrong", "name": "Login fails", "file": "tests/login.yaml", "tags": [] },
                ] })
            })
        })
    }

    fn settled(value: &str) -> Result<Bound, Question> {
        let library = Library::built_in();
        let bound = Bound { value: json!(value), facts: Value::Null };
        let mut slots = Slots::from([("testcase".to_string(), vec![bound])]);
        match settle_names(library.skill("run-testcase").unwrap(), &mut slots, &index()) {
            Some(question) => Err(question),
            None => Ok(slots["testcase"][0].clone()),
        }
    }

    #[test]
    fn a_name_of_an_event_is_one_that_exists() {
        let found = settled("login_valid").unwrap();
        assert_eq!((found.value, &found.facts["file"]), (json!("login_valid"), &json!("tests/login.yaml")));
        assert_eq!(settled("login works").unwrap().value, "login_valid", "by its title");
    }

    #[test]
    fn a_name_of_nothing_or_of_several_runs_nothing() {
        let nothing = settled("nope_nope").unwrap_err();
        assert_eq!((nothing.text.as_str(), nothing.candidates.len()), ("There is no test `nope_nope`.", 0));
        assert_eq!(settled("login").unwrap_err().candidates, ["login_valid", "login_wrong"]);
        assert_eq!(settled("tests/login.yaml").unwrap_err().candidates, ["login_valid", "login_wrong"]);
        assert!(settled("").is_err());
    }
}
