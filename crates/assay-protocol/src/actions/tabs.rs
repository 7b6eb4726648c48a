//! Tabs, frames and the size of the view.

use super::arguments::Arguments;
use super::entry::{ActionEntry, ActionProperty, PilotUse, syntax};
use super::model_form::ModelForm;
use super::model_tools::{TAB, TAB_UNSEEN};
use super::parameters::ParameterVisitor;
use super::syntax::{Flag, Group};
use super::usage_error::UsageError;
use crate::Action;

pub(super) const TABS: ActionEntry =
    ActionEntry::reads(syntax(Group::Tabs, "tabs", "", "List the tabs", "assay tabs"), |_| Ok(Action::Tabs));

pub(super) const TAB_NEW: ActionEntry = ActionEntry::acts(
    syntax(
        Group::Tabs,
        "tab-new",
        "[ADDRESS]",
        "Open a tab and make it current",
        "assay tab-new http://127.0.0.1:8080/",
    ),
    |words| Ok(Action::TabNew { url: words.optional_text(0), isolated: words.has("isolated") }),
)
.flags(&[Flag::switch("isolated", "give the tab its own cookies and storage")])
.needs("Tabs")
.is(&[ActionProperty::NeedsNoPage])
.takes_long();

pub(super) fn tab_new(to: &mut dyn ParameterVisitor<'_>, url: Option<&str>, isolated: bool) {
    optional_word(to, url);
    if isolated {
        to.switch("isolated");
    }
}

pub(super) const TAB_SWITCH: ActionEntry = ActionEntry::acts(
    syntax(Group::Tabs, "tab-switch", "TAB", "Make a tab current", "assay tab-switch t2"),
    |words| Ok(Action::TabSwitch { tab: words.text(0) }),
)
.pilots(PilotUse::Free)
.asked_by(&[
    ModelForm::tool(&TAB, |asked| Ok(Action::TabSwitch { tab: asked.text("tab")? })),
    ModelForm::tool(&TAB_UNSEEN, |asked| Ok(Action::TabSwitch { tab: asked.text("tab")? })),
])
.is(&[ActionProperty::LooksAround]);

pub(super) const TAB_CLOSE: ActionEntry = ActionEntry::acts(
    syntax(Group::Tabs, "tab-close", "[TAB]", "Close a tab", "assay tab-close t2"),
    |words| Ok(Action::TabClose { tab: words.optional_text(0) }),
);

pub(super) const FRAMES: ActionEntry = ActionEntry::reads(
    syntax(Group::Tabs, "frames", "", "List the frames of the page", "assay frames"),
    |_| Ok(Action::Frames),
);

pub(super) const VIEWPORT: ActionEntry = ActionEntry::acts(
    syntax(
        Group::Tabs,
        "viewport",
        "WIDTH HEIGHT",
        "Set the viewport size",
        "assay viewport 390 844 --scale 3",
    ),
    read_viewport,
)
.flags(&[Flag::value("scale", "N", "device pixels per pixel (default 1)")])
.counts_itself()
.needs("Viewport")
.is(&[ActionProperty::NeedsNoPage]);

fn read_viewport(words: &Arguments<'_>) -> Result<Action, UsageError> {
    let size = |text: &str| {
        text.parse::<u32>().map_err(|_| words.expects(VIEWPORT.syntax.arguments, format!("`{text}`")))
    };
    let (width, height) = match (words.optional(0), words.optional(1), words.optional(2)) {
        (Some(width), Some(height), None) => (size(width)?, size(height)?),
        // 1280x720 is how sizes are often written.
        (Some(both), None, None) => match both.split_once('x') {
            Some((width, height)) => (size(width)?, size(height)?),
            None => return Err(words.wrong_word(VIEWPORT.syntax.arguments)),
        },
        _ => return Err(words.wrong_word(VIEWPORT.syntax.arguments)),
    };
    let scale = match words.flag("scale") {
        Some(text) => text
            .parse::<f64>()
            .map_err(|_| UsageError::wrong_value("a number after --scale", format!("`{text}`")))?,
        None => 1.0,
    };
    Ok(Action::Viewport { width, height, scale })
}

pub(super) fn viewport(to: &mut dyn ParameterVisitor<'_>, width: u32, height: u32, scale: f64) {
    to.word(&width.to_string());
    to.word(&height.to_string());
    if scale != 1.0 {
        to.flag("scale", &scale.to_string());
    }
}

/// A word that may be left out.
pub(super) fn optional_word(to: &mut dyn ParameterVisitor<'_>, word: Option<&str>) {
    if let Some(word) = word {
        to.word(word);
    }
}
