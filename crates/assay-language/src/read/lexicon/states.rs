//! Adjectives and participles for the states of things.

use crate::StateWord;

/// (phrase, state, whether it says the opposite)
const STATES: &[(&[&str], StateWord, bool)] = &[
    (&["marked", "as", "invalid"], StateWord::Invalid, false),
    (&["marked", "as", "required"], StateWord::Required, false),
    (&["greyed", "out"], StateWord::Disabled, false),
    (&["grayed", "out"], StateWord::Disabled, false),
    (&["read", "only"], StateWord::ReadOnly, false),
    (&["in", "focus"], StateWord::Focused, false),
    (&["the", "focus"], StateWord::Focused, false),
    (&["on", "screen"], StateWord::Visible, false),
    (&["on", "the", "screen"], StateWord::Visible, false),
    (&["on", "the", "page"], StateWord::Visible, false),
    (&["filtered", "out"], StateWord::Visible, true),
    (&["turned", "on"], StateWord::Checked, false),
    (&["turned", "off"], StateWord::Unchecked, false),
    (&["switched", "on"], StateWord::Checked, false),
    (&["switched", "off"], StateWord::Unchecked, false),
    (&["filled", "in"], StateWord::Empty, true),
    (&["filled"], StateWord::Empty, true),
    (&["in", "the", "dom"], StateWord::Exists, false),
    (&["checked", "off"], StateWord::Checked, false),
    (&["ticked", "off"], StateWord::Checked, false),
    (&["disabled"], StateWord::Disabled, false),
    (&["inactive"], StateWord::Disabled, false),
    (&["greyed-out"], StateWord::Disabled, false),
    (&["grayed-out"], StateWord::Disabled, false),
    (&["unclickable"], StateWord::Disabled, false),
    (&["enabled"], StateWord::Enabled, false),
    (&["clickable"], StateWord::Enabled, false),
    (&["interactive"], StateWord::Enabled, false),
    (&["usable"], StateWord::Enabled, false),
    (&["checked"], StateWord::Checked, false),
    (&["ticked"], StateWord::Checked, false),
    (&["on"], StateWord::Checked, false),
    (&["unchecked"], StateWord::Unchecked, false),
    (&["unticked"], StateWord::Unchecked, false),
    (&["off"], StateWord::Unchecked, false),
    (&["selected"], StateWord::Selected, false),
    (&["chosen"], StateWord::Selected, false),
    (&["picked"], StateWord::Selected, false),
    (&["active"], StateWord::Selected, false),
    (&["unselected"], StateWord::Selected, true),
    (&["deselected"], StateWord::Selected, true),
    (&["focused"], StateWord::Focused, false),
    (&["focussed"], StateWord::Focused, false),
    (&["expanded"], StateWord::Expanded, false),
    (&["unfolded"], StateWord::Expanded, false),
    (&["collapsed"], StateWord::Collapsed, false),
    (&["folded"], StateWord::Collapsed, false),
    (&["visible"], StateWord::Visible, false),
    (&["displayed"], StateWord::Visible, false),
    (&["shown"], StateWord::Visible, false),
    (&["seen"], StateWord::Visible, false),
    (&["rendered"], StateWord::Visible, false),
    (&["listed"], StateWord::Visible, false),
    (&["presented"], StateWord::Visible, false),
    (&["showing"], StateWord::Visible, false),
    (&["displaying"], StateWord::Visible, false),
    (&["present"], StateWord::Visible, false),
    (&["available"], StateWord::Visible, false),
    (&["there"], StateWord::Visible, false),
    (&["found"], StateWord::Visible, false),
    (&["gone"], StateWord::Visible, true),
    (&["absent"], StateWord::Visible, true),
    (&["missing"], StateWord::Visible, true),
    (&["removed"], StateWord::Visible, true),
    (&["deleted"], StateWord::Visible, true),
    (&["dismissed"], StateWord::Visible, true),
    (&["closed"], StateWord::Visible, true),
    (&["open"], StateWord::Visible, false),
    (&["opened"], StateWord::Visible, false),
    (&["hidden"], StateWord::Hidden, false),
    (&["invisible"], StateWord::Hidden, false),
    (&["existing"], StateWord::Exists, false),
    (&["editable"], StateWord::Editable, false),
    (&["readonly"], StateWord::ReadOnly, false),
    (&["read-only"], StateWord::ReadOnly, false),
    (&["required"], StateWord::Required, false),
    (&["mandatory"], StateWord::Required, false),
    (&["optional"], StateWord::Required, true),
    (&["invalid"], StateWord::Invalid, false),
    (&["valid"], StateWord::Invalid, true),
    (&["empty"], StateWord::Empty, false),
    (&["blank"], StateWord::Empty, false),
    (&["cleared"], StateWord::Empty, false),
    (&["pressed"], StateWord::Pressed, false),
];

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Stated {
    pub state: StateWord,
    pub opposite: bool,
    pub length: usize,
}

/// The state that begins these words.
pub(crate) fn state(words: &[&str]) -> Option<Stated> {
    STATES
        .iter()
        .find(|(phrase, _, _)| words.len() >= phrase.len() && words[..phrase.len()] == **phrase)
        .map(|(phrase, state, opposite)| Stated { state: *state, opposite: *opposite, length: phrase.len() })
}

/// States that are said in front of a noun: "the disabled button". "The open orders" are not open, and "the
/// available seats" is a name.
pub(crate) fn before_noun(word: &str) -> Option<StateWord> {
    const BEFORE: &[&str] = &[
        "disabled",
        "greyed-out",
        "grayed-out",
        "enabled",
        "checked",
        "ticked",
        "unchecked",
        "unticked",
        "selected",
        "focused",
        "focussed",
        "expanded",
        "collapsed",
        "hidden",
        "visible",
        "empty",
        "blank",
        "required",
        "mandatory",
        "invalid",
        "readonly",
        "read-only",
        "editable",
        "pressed",
    ];
    if BEFORE.contains(&word) { state(&[word]).map(|stated| stated.state) } else { None }
}
