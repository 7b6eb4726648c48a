//! Questions to a page: what there is, what it says, what holds.

use super::arguments::{name_of, one_of};
use super::entry::{ActionEntry, ActionProperty, syntax};
use super::parameters::ParameterVisitor;
use super::syntax::{Flag, Group};
use crate::action::FOUND_LIMIT;
use crate::{Action, ElementState, Selector};

const STATES: &[(&str, ElementState)] = &[
    ("visible", ElementState::Visible),
    ("hidden", ElementState::Hidden),
    ("enabled", ElementState::Enabled),
    ("disabled", ElementState::Disabled),
    ("checked", ElementState::Checked),
    ("unchecked", ElementState::Unchecked),
    ("editable", ElementState::Editable),
];

pub(super) const MAP: ActionEntry = ActionEntry::reads(
    syntax(
        Group::Look,
        "map",
        "[TARGET]",
        "List the elements you can act on, with refs; tables and lists have one line per row",
        "assay map",
    ),
    |words| Ok(Action::Map { target: words.optional_target(0)?, all: words.has("all") }),
)
.also(&["snapshot"])
.flags(&[Flag::switch("all", "include plain text")]);

pub(super) fn map<'a>(to: &mut dyn ParameterVisitor<'a>, target: &'a mut Option<Selector>, all: bool) {
    optional(to, target);
    if all {
        to.switch("all");
    }
}

pub(super) const SCENE: ActionEntry = ActionEntry::reads(
    syntax(
        Group::Look,
        "scene",
        "",
        "Print everything visible as JSON: the data that sentences are judged by",
        "assay scene",
    ),
    |_| Ok(Action::Scene),
);

pub(super) const DIFF: ActionEntry = ActionEntry::reads(
    syntax(Group::Look, "diff", "", "Show the changes since the last map", "assay diff"),
    |_| Ok(Action::Diff),
);

pub(super) const FIND: ActionEntry = ActionEntry::reads(
    syntax(Group::Look, "find", "TARGET", "Show the one element that matches", "assay find \"Log in\""),
    |words| Ok(Action::Find { target: words.target(0)? }),
)
.is(&[ActionProperty::Claims]);

pub(super) const FIND_ALL: ActionEntry = ActionEntry::reads(
    syntax(Group::Look, "find-all", "TARGET", "List all matching elements", "assay find-all button"),
    |words| {
        let limit = words.number("limit")?.map_or(FOUND_LIMIT, |limit| limit as usize);
        Ok(Action::FindAll { target: words.target(0)?, limit })
    },
)
.flags(&[Flag::value("limit", "N", "maximum number of elements (default 50)")]);

pub(super) fn find_all<'a>(to: &mut dyn ParameterVisitor<'a>, target: &'a mut Selector, limit: usize) {
    to.target(target);
    if limit != FOUND_LIMIT {
        to.flag("limit", &limit.to_string());
    }
}

pub(super) const COUNT: ActionEntry = ActionEntry::reads(
    syntax(Group::Look, "count", "TARGET", "Count the matching elements", "assay count \"li.product\""),
    |words| Ok(Action::Count { target: words.target(0)? }),
)
.is(&[ActionProperty::Claims]);

pub(super) const TEXT: ActionEntry = ActionEntry::reads(
    syntax(Group::Look, "text", "[TARGET]", "Print the text of the page or of an element", "assay text h1"),
    |words| Ok(Action::Text { target: words.optional_target(0)? }),
);

pub(super) const HTML: ActionEntry = ActionEntry::reads(
    syntax(Group::Look, "html", "[TARGET]", "Print the HTML of the page or of an element", "assay html form"),
    |words| Ok(Action::Html { target: words.optional_target(0)? }),
);

pub(super) const VALUE: ActionEntry = ActionEntry::reads(
    syntax(Group::Look, "value", "TARGET", "Print the value of a field", "assay value \"Email\""),
    |words| Ok(Action::Value { target: words.target(0)? }),
);

pub(super) const ATTR: ActionEntry = ActionEntry::reads(
    syntax(Group::Look, "attr", "TARGET NAME", "Print an attribute of an element", "assay attr e4 href"),
    |words| Ok(Action::Attr { target: words.target(0)?, name: words.text(1) }),
);

pub(super) fn attr<'a>(to: &mut dyn ParameterVisitor<'a>, target: &'a mut Selector, name: &str) {
    to.target(target);
    to.word(name);
}

pub(super) const IS: ActionEntry = ActionEntry::reads(
    syntax(
        Group::Look,
        "is",
        "STATE TARGET",
        "Check whether an element is visible, hidden, enabled, disabled, checked, unchecked or editable; exit code 0 or 1",
        "assay is visible \"Log in\"",
    ),
    |words| Ok(Action::Is { state: one_of(words.at(0), "a state", STATES)?, target: words.target(1)? }),
)
.is(&[ActionProperty::Claims]);

pub(super) fn is<'a>(to: &mut dyn ParameterVisitor<'a>, state: ElementState, target: &'a mut Selector) {
    to.word(name_of(&state, STATES));
    to.target(target);
}

pub(super) const URL: ActionEntry =
    ActionEntry::reads(syntax(Group::Look, "url", "", "Print the address of the page", "assay url"), |_| {
        Ok(Action::Url)
    });

pub(super) const TITLE: ActionEntry = ActionEntry::reads(
    syntax(Group::Look, "title", "", "Print the title of the page", "assay title"),
    |_| Ok(Action::Title),
);

/// An element that may be left out.
pub(super) fn optional<'a>(to: &mut dyn ParameterVisitor<'a>, target: &'a mut Option<Selector>) {
    if let Some(target) = target {
        to.target(target);
    }
}
