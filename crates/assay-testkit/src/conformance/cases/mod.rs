//! All cases: one file a topic, topics gathered into groups that are run together.

mod animations;
mod arriving;
mod canvas;
mod choices;
mod coordinates;
mod dates;
mod dialogs;
mod downloads;
mod dragging;
mod editing;
mod fields;
mod frames;
mod history;
mod keyboard;
mod modal;
mod overlays;
mod pictures;
mod pointer;
mod presses;
mod reading;
mod replaced;
mod reports;
mod scripts;
mod scrolling;
mod sending;
mod shadow;
mod slow;
mod state;
mod tabs;
mod targets;
mod uploads;
mod widgets;

use super::Case;

/// Cases about one subject.
#[derive(Debug, Clone, Copy)]
pub struct Topic {
    pub name: &'static str,
    pub cases: &'static [Case],
}

/// Topics that share a session.
#[derive(Debug, Clone, Copy)]
pub struct Group {
    pub name: &'static str,
    pub topics: &'static [Topic],
}

impl Group {
    pub fn cases(&self) -> impl Iterator<Item = &'static Case> {
        self.topics.iter().flat_map(|topic| topic.cases)
    }
}

/// Of about the same size each, so that they end together when they run side by side.
#[rustfmt::skip] // One topic, one line.
pub const GROUPS: &[Group] = &[
    Group { name: "fields", topics: &[
        Topic { name: "fields", cases: fields::CASES },
        Topic { name: "dates and ranges", cases: dates::CASES },
        Topic { name: "choices", cases: choices::CASES },
    ] },
    Group { name: "writing", topics: &[
        Topic { name: "editing", cases: editing::CASES },
        Topic { name: "scripts and signs", cases: scripts::CASES },
    ] },
    Group { name: "hands", topics: &[
        Topic { name: "keyboard", cases: keyboard::CASES },
        Topic { name: "pointer", cases: pointer::CASES },
        Topic { name: "dragging", cases: dragging::CASES },
    ] },
    Group { name: "widgets", topics: &[
        Topic { name: "widgets", cases: widgets::CASES },
        Topic { name: "presses", cases: presses::CASES },
        Topic { name: "modal dialogs", cases: modal::CASES },
    ] },
    Group { name: "frames", topics: &[
        Topic { name: "shadow roots", cases: shadow::CASES },
        Topic { name: "frames", cases: frames::CASES },
    ] },
    Group { name: "looking", topics: &[
        Topic { name: "targets", cases: targets::CASES },
        Topic { name: "reading", cases: reading::CASES },
        Topic { name: "replaced nodes", cases: replaced::CASES },
    ] },
    Group { name: "layout", topics: &[
        Topic { name: "scrolling", cases: scrolling::CASES },
        Topic { name: "overlays", cases: overlays::CASES },
        Topic { name: "animations", cases: animations::CASES },
        Topic { name: "canvas and zoom", cases: canvas::CASES },
    ] },
    Group { name: "navigation", topics: &[
        Topic { name: "history", cases: history::CASES },
        Topic { name: "slow pages", cases: slow::CASES },
        Topic { name: "applications that come late", cases: arriving::CASES },
        Topic { name: "sending", cases: sending::CASES },
    ] },
    Group { name: "reports", topics: &[
        Topic { name: "reports", cases: reports::CASES },
        Topic { name: "state", cases: state::CASES },
    ] },
    Group { name: "windows", topics: &[
        Topic { name: "dialogs", cases: dialogs::CASES },
        Topic { name: "tabs and popups", cases: tabs::CASES },
    ] },
    Group { name: "files", topics: &[
        Topic { name: "uploads", cases: uploads::CASES },
        Topic { name: "downloads", cases: downloads::CASES },
        Topic { name: "pictures", cases: pictures::CASES },
    ] },
    Group { name: "coordinates", topics: &[
        Topic { name: "coordinates", cases: coordinates::CASES },
    ] },
];

pub fn all_cases() -> impl Iterator<Item = &'static Case> {
    GROUPS.iter().flat_map(Group::cases)
}

/// The group of this name.
pub fn group(name: &str) -> &'static Group {
    GROUPS.iter().find(|group| group.name == name).unwrap_or_else(|| panic!("there is no group `{name}`"))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::conformance::case::Line;
    use crate::conformance::words;

    #[test]
    fn names_are_sentences_and_no_two_are_the_same() {
        let mut seen = HashSet::new();
        for case in all_cases() {
            assert!(seen.insert(case.name), "{} stands there twice", case.name);
            assert!(
                case.name
                    .chars()
                    .all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_'),
                "{} is not the name of a test",
                case.name
            );
        }
    }

    #[test]
    fn there_are_enough_cases_and_each_proves_something() {
        assert!(all_cases().count() >= 160, "{} cases", all_cases().count());
        for case in all_cases() {
            let proofs = case.steps.iter().filter(|step| step.exit != 0 || step.checks[0].is_some());
            assert!(proofs.count() > 0, "{} proves nothing", case.name);
        }
    }

    #[test]
    fn all_lines_can_be_split_into_words() {
        for step in all_cases().flat_map(|case| case.steps) {
            if let Line::Typed(line) = step.line {
                assert!(!words::split(line).is_empty());
            }
        }
    }
}
