//! The pointer on elements: clicking, hovering, dragging, scrolling.

use super::arguments::{Arguments, name_of, one_of, pixels};
use super::entry::{ActionEntry, ActionProperty, PilotUse, syntax};
use super::model_form::{ModelForm, ModelInput};
use super::model_tools::{ACT, DRAG_TO, SCROLL as SCROLL_TOOL, SCROLL_VIEW};
use super::parameters::ParameterVisitor;
use super::syntax::{Flag, Group};
use super::usage_error::UsageError;
use crate::{Action, DropSide, MouseButton, ScrollTo, Selector};

/// How far `scroll` goes when no distance is given.
const STEP: f64 = 500.0;

const BUTTONS: &[(&str, MouseButton)] =
    &[("left", MouseButton::Left), ("middle", MouseButton::Middle), ("right", MouseButton::Right)];

pub(super) const BUTTON: Flag = Flag::value("button", "NAME", "left, middle or right");
pub(super) const HOLD: Flag =
    Flag::value("hold", "KEYS", "modifier keys to hold: Control, Shift, Alt, Meta, joined by +");

pub(super) const CLICK: ActionEntry = ActionEntry::commits(
    syntax(Group::Act, "click", "TARGET", "Click an element", "assay click \"Log in\""),
    |words| {
        Ok(Action::Click {
            target: words.target(0)?,
            button: read_button(words)?,
            modifiers: read_held(words),
        })
    },
)
.flags(&[BUTTON, HOLD])
.pilots(PilotUse::Checked)
.asked_by(&[
    ModelForm::word(&ACT, "click", |asked| clicked(asked, MouseButton::Left)),
    ModelForm::word(&ACT, "right_click", |asked| clicked(asked, MouseButton::Right)),
])
.is(&[ActionProperty::Deliberate]);

fn clicked(asked: &ModelInput<'_>, button: MouseButton) -> Result<Action, String> {
    Ok(Action::Click { target: asked.element()?, button, modifiers: Vec::new() })
}

pub(super) fn click<'a>(
    to: &mut dyn ParameterVisitor<'a>,
    target: &'a mut Selector,
    button: MouseButton,
    modifiers: &[String],
) {
    to.target(target);
    write_button(to, button);
    write_held(to, modifiers);
}

pub(super) fn read_button(words: &Arguments<'_>) -> Result<MouseButton, UsageError> {
    words.flag("button").map_or(Ok(MouseButton::Left), |found| one_of(found, "a button", BUTTONS))
}

pub(super) fn write_button(to: &mut dyn ParameterVisitor<'_>, button: MouseButton) {
    if button != MouseButton::Left {
        to.flag("button", name_of(&button, BUTTONS));
    }
}

pub(super) fn read_held(words: &Arguments<'_>) -> Vec<String> {
    words.flag("hold").map(|keys| keys.split('+').map(str::to_string).collect()).unwrap_or_default()
}

pub(super) fn write_held(to: &mut dyn ParameterVisitor<'_>, modifiers: &[String]) {
    if !modifiers.is_empty() {
        to.flag("hold", &modifiers.join("+"));
    }
}

pub(super) const DBLCLICK: ActionEntry = ActionEntry::commits(
    syntax(Group::Act, "dblclick", "TARGET", "Double-click an element", "assay dblclick e7"),
    |words| Ok(Action::Dblclick { target: words.target(0)? }),
)
.pilots(PilotUse::Checked)
.asked_by(&[ModelForm::word(&ACT, "double_click", |asked| Ok(Action::Dblclick { target: asked.element()? }))])
.is(&[ActionProperty::Deliberate]);

pub(super) const HOVER: ActionEntry = ActionEntry::acts(
    syntax(Group::Act, "hover", "TARGET", "Move the pointer over an element", "assay hover \"Products\""),
    |words| Ok(Action::Hover { target: words.target(0)? }),
)
.pilots(PilotUse::Free)
.asked_by(&[ModelForm::word(&ACT, "hover", |asked| Ok(Action::Hover { target: asked.element()? }))])
.is(&[ActionProperty::LooksAround]);

pub(super) const DRAG: ActionEntry = ActionEntry::acts(
    syntax(Group::Act, "drag", "FROM TO", "Drag one element onto another", "assay drag \"Task 1\" \"Done\""),
    |words| {
        let side = words.flag("side").map_or(Ok(DropSide::On), |found| one_of(found, "a side", SIDES))?;
        Ok(Action::Drag { from: words.target(0)?, to: words.target(1)?, side })
    },
)
.flags(&[Flag::value("side", "SIDE", "above or below: drop it before or after TO in a list")])
.pilots(PilotUse::Checked)
.asked_by(&[
    ModelForm::word(&DRAG_TO, "onto", |asked| drag_to(asked, DropSide::On)),
    ModelForm::word(&DRAG_TO, "above", |asked| drag_to(asked, DropSide::Above)),
    ModelForm::word(&DRAG_TO, "below", |asked| drag_to(asked, DropSide::Below)),
])
.is(&[ActionProperty::Deliberate]);

fn drag_to(asked: &ModelInput<'_>, side: DropSide) -> Result<Action, String> {
    Ok(Action::Drag { from: asked.element()?, to: asked.other_element()?, side })
}

const SIDES: &[(&str, DropSide)] =
    &[("on", DropSide::On), ("above", DropSide::Above), ("below", DropSide::Below)];

pub(super) fn drag<'a>(
    to: &mut dyn ParameterVisitor<'a>,
    from: &'a mut Selector,
    onto: &'a mut Selector,
    side: DropSide,
) {
    to.target(from);
    to.target(onto);
    if side != DropSide::On {
        to.flag("side", name_of(&side, SIDES));
    }
}

pub(super) const SCROLL: ActionEntry = ActionEntry::acts(
    syntax(
        Group::Act,
        "scroll",
        "WHERE [PIXELS]",
        "Scroll up, down, left or right, to the top or bottom, or to a TARGET",
        "assay scroll down 600",
    ),
    |words| Ok(Action::Scroll { to: read_scroll(words)? }),
)
.flags(&[Flag::value("over", "TARGET", "scroll with the pointer over this element")])
.counts_itself()
.pilots(PilotUse::Free)
.asked_by(&[
    ModelForm::word(&ACT, "scroll_to", |asked| {
        Ok(Action::Scroll { to: ScrollTo::Element { target: asked.element()? } })
    }),
    ModelForm::word(&SCROLL_TOOL, "up", |_| Ok(scrolled_by(-STEP))),
    ModelForm::word(&SCROLL_TOOL, "down", |_| Ok(scrolled_by(STEP))),
    ModelForm::word(&SCROLL_TOOL, "top", |_| Ok(Action::Scroll { to: ScrollTo::Top })),
    ModelForm::word(&SCROLL_TOOL, "bottom", |_| Ok(Action::Scroll { to: ScrollTo::Bottom })),
    ModelForm::word(&SCROLL_VIEW, "up", |_| Ok(scrolled_by(-STEP))),
    ModelForm::word(&SCROLL_VIEW, "down", |_| Ok(scrolled_by(STEP))),
])
.is(&[ActionProperty::LooksAround]);

fn scrolled_by(y: f64) -> Action {
    Action::Scroll { to: ScrollTo::By { x: 0.0, y, over: None } }
}

fn read_scroll(words: &Arguments<'_>) -> Result<ScrollTo, UsageError> {
    // A wheel that turns both ways at once is written as two directions; models scroll so.
    if let [across @ ("left" | "right"), by_x, down @ ("up" | "down"), by_y] =
        [0, 1, 2, 3].map(|index| words.at(index))
    {
        words.count(4, 4)?;
        let (x, y) = (pixels(by_x)?, pixels(by_y)?);
        return Ok(ScrollTo::By {
            x: if across == "left" { -x } else { x },
            y: if down == "up" { -y } else { y },
            over: words.target_flag("over")?,
        });
    }
    words.count(1, 2)?;
    let distance = words.optional(1).map_or(Ok(STEP), pixels)?;
    let over = words.target_flag("over")?;
    let by = |x: f64, y: f64| ScrollTo::By { x, y, over };
    Ok(match words.at(0) {
        "down" => by(0.0, distance),
        "up" => by(0.0, -distance),
        "right" => by(distance, 0.0),
        "left" => by(-distance, 0.0),
        "top" => ScrollTo::Top,
        "bottom" => ScrollTo::Bottom,
        _ => ScrollTo::Element { target: words.target(0)? },
    })
}

pub(super) fn scroll<'a>(to: &mut dyn ParameterVisitor<'a>, way: &'a mut ScrollTo) {
    match way {
        ScrollTo::Top => to.word("top"),
        ScrollTo::Bottom => to.word("bottom"),
        ScrollTo::Element { target } => to.target(target),
        ScrollTo::By { x, y, over } => {
            if *x != 0.0 {
                to.word(if *x < 0.0 { "left" } else { "right" });
                to.word(&x.abs().to_string());
            }
            if *y != 0.0 || *x == 0.0 {
                to.word(if *y < 0.0 { "up" } else { "down" });
                to.word(&y.abs().to_string());
            }
            if let Some(over) = over {
                to.target_flag("over", over);
            }
        }
    }
}
