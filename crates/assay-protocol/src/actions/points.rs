//! Points of the view, for canvases: what lies there, and input whatever lies there.

use super::arguments::{Arguments, pixels};
use super::entry::{ActionEntry, ActionProperty, PilotUse, syntax};
use super::model_form::{ModelForm, ModelInput};
use super::model_tools::{PICK, TYPE_VALUE, TYPE_WORDS};
use super::parameters::ParameterVisitor;
use super::pointer::{BUTTON, HOLD, read_button, read_held, write_button, write_held};
use super::syntax::{Flag, Group};
use super::usage_error::UsageError;
use crate::{Action, MouseButton, RawInput, RawPlace, ViewPoint};

pub(super) const AT: ActionEntry = ActionEntry::reads(
    syntax(Group::Look, "at", "X Y", "Show the element at a point in the view", "assay at 140 150"),
    |words| Ok(Action::At { point: read_point(words.at(0), words.at(1))? }),
);

pub(super) const RAW: ActionEntry = ActionEntry::commits(
    syntax(
        Group::Act,
        "raw",
        "click|move|drag|scroll|type ...",
        "Send input to a point in the view, for canvases: click, drag, scroll or type",
        "assay raw click 140 150",
    ),
    |words| {
        let place = RawPlace { within: words.target_flag("within")?, ..RawPlace::default() };
        Ok(Action::Raw { input: read_input(words)?, place })
    },
)
.flags(&[
    BUTTON,
    Flag::value("times", "N", "number of clicks: 1, 2 or 3"),
    HOLD,
    Flag::value("within", "TARGET", "measure from the top left corner of this element"),
])
.pilots(PilotUse::Checked)
.asked_by(&[
    ModelForm::word(&PICK, "click", |asked| clicked(asked, MouseButton::Left, 1)),
    ModelForm::word(&PICK, "double_click", |asked| clicked(asked, MouseButton::Left, 2)),
    ModelForm::word(&PICK, "right_click", |asked| clicked(asked, MouseButton::Right, 1)),
    ModelForm::word(&PICK, "hover", |asked| Ok(anywhere(RawInput::Move { at: asked.point()? }))),
    ModelForm::tool(&TYPE_VALUE, |asked| Ok(anywhere(RawInput::Type { text: asked.value("value")? }))),
    ModelForm::tool(&TYPE_WORDS, |asked| Ok(anywhere(RawInput::Type { text: asked.text("words")? }))),
])
.is(&[ActionProperty::Deliberate]);

fn clicked(asked: &ModelInput<'_>, button: MouseButton, times: u8) -> Result<Action, String> {
    Ok(anywhere(RawInput::Click { at: asked.point()?, button, times, modifiers: Vec::new() }))
}

fn anywhere(input: RawInput) -> Action {
    Action::Raw { input, place: RawPlace::default() }
}

fn read_input(words: &Arguments<'_>) -> Result<RawInput, UsageError> {
    let (button, times, modifiers) = (read_button(words)?, words.number("times")?, read_held(words));
    let rest = words.from(1);
    Ok(match (words.at(0), rest.as_slice()) {
        ("click", [x, y]) => {
            RawInput::Click { at: read_point(x, y)?, button, times: read_times(times)?, modifiers }
        }
        ("move", [x, y]) => RawInput::Move { at: read_point(x, y)? },
        ("scroll", [x, y, by_x, by_y]) => {
            RawInput::Scroll { at: read_point(x, y)?, by_x: pixels(by_x)?, by_y: pixels(by_y)? }
        }
        ("drag", [x, y, through @ ..]) if through.len() >= 2 && through.len().is_multiple_of(2) => {
            let through = through.chunks_exact(2).map(|pair| read_point(&pair[0], &pair[1]));
            RawInput::Drag { at: read_point(x, y)?, through: through.collect::<Result<_, _>>()? }
        }
        ("type", [text]) => RawInput::Type { text: text.clone() },
        _ => {
            return Err(UsageError::WrongValue {
                expected: "click X Y, move X Y, drag X Y X Y, scroll X Y BY_X BY_Y or type TEXT".to_string(),
                found: format!("`{}`", words.all().join(" ")),
                example: Some(RAW.syntax.example),
            });
        }
    })
}

fn read_point(x: &str, y: &str) -> Result<ViewPoint, UsageError> {
    Ok(ViewPoint { x: pixels(x)?, y: pixels(y)? })
}

fn read_times(given: Option<u64>) -> Result<u8, UsageError> {
    match given {
        None => Ok(1),
        Some(times @ 1..=3) => Ok(times as u8),
        Some(other) => Err(UsageError::wrong_value("--times 1, 2 or 3", other.to_string())),
    }
}

pub(super) fn raw<'a>(to: &mut dyn ParameterVisitor<'a>, input: &'a mut RawInput, place: &'a mut RawPlace) {
    match input {
        RawInput::Click { at, button, times, modifiers } => {
            to.word("click");
            write_point(to, at);
            write_button(to, *button);
            if *times > 1 {
                to.flag("times", &times.to_string());
            }
            write_held(to, modifiers);
        }
        RawInput::Move { at } => {
            to.word("move");
            write_point(to, at);
        }
        RawInput::Drag { at, through } => {
            to.word("drag");
            write_point(to, at);
            through.iter().for_each(|point| write_point(to, point));
        }
        RawInput::Scroll { at, by_x, by_y } => {
            to.word("scroll");
            write_point(to, at);
            to.word(&by_x.to_string());
            to.word(&by_y.to_string());
        }
        RawInput::Type { text } => {
            to.word("type");
            to.entered(text);
        }
    }
    if let Some(within) = &mut place.within {
        to.target_flag("within", within);
    }
}

pub(super) fn write_point(to: &mut dyn ParameterVisitor<'_>, point: &ViewPoint) {
    to.word(&point.x.to_string());
    to.word(&point.y.to_string());
}

#[cfg(test)]
mod tests {
    use crate::Action;

    #[track_caller]
    fn check(words: &str, expected: &str) {
        let words: Vec<String> = words.split(' ').map(str::to_string).collect();
        let actual = match Action::from_words(&words) {
            Ok(action) => action.command_line(),
            Err(err) => err.to_string(),
        };
        assert_eq!(actual, expected);
    }

    #[test]
    fn what_is_typed_is_what_is_done() {
        check("raw click 4 5.5 --times 2", "raw click 4 5.5 --times 2");
        check("raw drag 1 2 3 4 5 6", "raw drag 1 2 3 4 5 6");
        check("raw scroll 1 2 0 -300", "raw scroll 1 2 0 -300");
        check("raw type word", "raw type \"word\"");
        check("raw click 4 there", "expected a number of pixels, found `there`");
        check("raw click 4 NaN", "expected a number of pixels, found `NaN`");
        let expected = "expected click X Y, move X Y, drag X Y X Y, scroll X Y BY_X BY_Y or type TEXT";
        check("raw drag 1 2 3", &format!("{expected}, found `drag 1 2 3`"));
    }
}
