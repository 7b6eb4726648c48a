//! Pictures and prints of a page, and marks on it.

use super::entry::{ActionEntry, syntax};
use super::looking::optional;
use super::parameters::ParameterVisitor;
use super::syntax::{Flag, Group};
use crate::{Action, Selector};

const OUTPUT: Flag = Flag::value("output", "FILE", "file to write").short('o');

pub(super) const SCREENSHOT: ActionEntry = ActionEntry::reads(
    syntax(
        Group::Record,
        "screenshot",
        "[TARGET]",
        "Take a screenshot: .png, .jpg or .webp",
        "assay screenshot -o page.png --annotate",
    ),
    |words| {
        Ok(Action::Screenshot {
            path: words.flag("output").unwrap_or("screenshot.png").to_string(),
            full_page: words.has("full-page"),
            annotate: words.has("annotate"),
            target: words.optional_target(0)?,
        })
    },
)
.flags(&[
    OUTPUT,
    Flag::switch("full-page", "capture the whole page, not only the visible part"),
    Flag::switch("annotate", "draw refs over the elements you can act on"),
]);

pub(super) fn screenshot<'a>(
    to: &mut dyn ParameterVisitor<'a>,
    target: &'a mut Option<Selector>,
    path: &'a mut String,
    full_page: bool,
    annotate: bool,
) {
    optional(to, target);
    to.path_flag("output", path);
    if full_page {
        to.switch("full-page");
    }
    if annotate {
        to.switch("annotate");
    }
}

pub(super) const PDF: ActionEntry = ActionEntry::reads(
    syntax(Group::Record, "pdf", "", "Print the page to a PDF file", "assay pdf -o page.pdf"),
    |words| Ok(Action::Pdf { path: words.flag("output").unwrap_or("page.pdf").to_string() }),
)
.flags(&[OUTPUT])
.needs("Pdf");

pub(super) const HIGHLIGHT: ActionEntry = ActionEntry::reads(
    syntax(
        Group::Record,
        "highlight",
        "TARGET",
        "Draw a frame around an element for three seconds",
        "assay highlight e5",
    ),
    |words| Ok(Action::Highlight { target: words.target(0)? }),
);
