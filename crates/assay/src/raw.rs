//! `raw` and `at` as they are typed: points of the view, and what is done there.

use assay_protocol::{Action, ErrorCode, Failure, MouseButton, RawInput, RawPlace, Selector, ViewPoint};

/// The flags of `raw`.
pub struct How {
    pub button: MouseButton,
    pub times: Option<u64>,
    pub modifiers: Vec<String>,
    pub within: Option<Selector>,
}

/// From the words after `raw`.
pub fn raw(words: &[String], how: How) -> Result<Action, Failure> {
    let (kind, rest) = match words {
        [kind, rest @ ..] => (kind.as_str(), rest),
        [] => ("", words),
    };
    let input = match (kind, rest) {
        ("click", [x, y]) => RawInput::Click {
            at: point(x, y)?,
            button: how.button,
            times: times(how.times)?,
            modifiers: how.modifiers,
        },
        ("move", [x, y]) => RawInput::Move { at: point(x, y)? },
        ("scroll", [x, y, by_x, by_y]) => {
            RawInput::Scroll { at: point(x, y)?, by_x: number(by_x)?, by_y: number(by_y)? }
        }
        ("drag", [x, y, through @ ..]) if through.len() >= 2 && through.len().is_multiple_of(2) => {
            let through = through.chunks_exact(2).map(|pair| point(&pair[0], &pair[1]));
            RawInput::Drag { at: point(x, y)?, through: through.collect::<Result<_, _>>()? }
        }
        ("type", [text]) => RawInput::Type { text: text.clone() },
        _ => {
            let expected = "expected click X Y, move X Y, drag X Y X Y, scroll X Y BY_X BY_Y or type TEXT";
            return Err(
                usage(format!("{expected}, found `{}`", words.join(" "))).hint("assay raw click 140 150")
            );
        }
    };
    Ok(Action::Raw { input, place: RawPlace { within: how.within, ..RawPlace::default() } })
}

/// From the words after `at`.
pub fn at(x: &str, y: &str) -> Result<Action, Failure> {
    Ok(Action::At { point: point(x, y)? })
}

fn point(x: &str, y: &str) -> Result<ViewPoint, Failure> {
    Ok(ViewPoint { x: number(x)?, y: number(y)? })
}

fn number(text: &str) -> Result<f64, Failure> {
    let number = text.parse::<f64>().ok().filter(|number| number.is_finite());
    number.ok_or_else(|| usage(format!("expected a number of pixels, found `{text}`")))
}

fn times(said: Option<u64>) -> Result<u8, Failure> {
    match said {
        None => Ok(1),
        Some(times @ 1..=3) => Ok(times as u8),
        Some(other) => Err(usage(format!("expected --times 1, 2 or 3, found {other}"))),
    }
}

fn usage(message: String) -> Failure {
    Failure::new(ErrorCode::Usage, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(words: &str, expected: &str) {
        let words: Vec<String> = words.split(' ').map(str::to_string).collect();
        let how = How { button: MouseButton::Left, times: Some(2), modifiers: Vec::new(), within: None };
        let actual = match raw(&words, how) {
            Ok(action) => assay_runner::command_line(&action),
            Err(failure) => failure.message,
        };
        assert_eq!(actual, expected);
    }

    #[test]
    fn what_is_typed_is_what_is_done() {
        check("click 4 5.5", "raw click 4 5.5 --times 2");
        check("drag 1 2 3 4 5 6", "raw drag 1 2 3 4 5 6");
        check("scroll 1 2 0 -300", "raw scroll 1 2 0 -300");
        check("type word", "raw type \"word\"");
        check("click 4 there", "expected a number of pixels, found `there`");
        check("click 4 NaN", "expected a number of pixels, found `NaN`");
        let expected = "expected click X Y, move X Y, drag X Y X Y, scroll X Y BY_X BY_Y or type TEXT";
        check("drag 1 2 3", &format!("{expected}, found `drag 1 2 3`"));
    }
}
