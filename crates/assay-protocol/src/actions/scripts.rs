//! Scripts of the caller that run in a page.

use super::entry::{ActionEntry, ActionProperty, syntax};
use super::syntax::Group;
use crate::Action;

pub(super) const EVAL: ActionEntry = ActionEntry::commits(
    syntax(
        Group::Look,
        "eval",
        "EXPRESSION",
        "Run JavaScript in the page; - reads it from standard input",
        "assay eval \"document.title\"",
    ),
    |words| Ok(Action::Eval { expression: words.text(0) }),
)
.is(&[ActionProperty::Claims]);
