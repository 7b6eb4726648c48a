//! What a page logged and requested.

use super::entry::{ActionEntry, syntax};
use super::parameters::ParameterVisitor;
use super::syntax::{Flag, Group};
use crate::Action;

const CLEAR: Flag = Flag::switch("clear", "clear the log afterwards");

pub(super) const CONSOLE: ActionEntry = ActionEntry::reads(
    syntax(Group::Look, "console", "", "Print the console messages of the page", "assay console"),
    |words| Ok(Action::Console { clear: words.has("clear") }),
)
.flags(&[CLEAR])
.needs("Console");

pub(super) fn console(to: &mut dyn ParameterVisitor<'_>, clear: bool) {
    if clear {
        to.switch("clear");
    }
}

pub(super) const NETWORK: ActionEntry = ActionEntry::reads(
    syntax(Group::Look, "network", "", "List the network requests of the page", "assay network --failed"),
    |words| Ok(Action::Network { failed: words.has("failed"), clear: words.has("clear") }),
)
.flags(&[Flag::switch("failed", "only failed requests"), CLEAR])
.needs("Network");

pub(super) fn network(to: &mut dyn ParameterVisitor<'_>, failed: bool, clear: bool) {
    if failed {
        to.switch("failed");
    }
    console(to, clear);
}
