//! Keys that are pressed together, in the spellings of three providers.

/// Keys held at the same time, by their DOM names (`Control`, `Enter`, `a`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chord(pub Vec<String>);

impl Chord {
    /// A list of keys, each of which may itself be a chord such as `CTRL+ENTER`.
    pub fn of_list<'k>(keys: impl IntoIterator<Item = &'k str>) -> Result<Chord, String> {
        let mut names = Vec::new();
        for key in keys {
            names.extend(Chord::read(key)?.0);
        }
        Ok(Chord(names))
    }

    /// `ctrl+a`, `Return`, `+`.
    pub fn read(text: &str) -> Result<Chord, String> {
        if text.chars().count() == 1 {
            return Ok(Chord(vec![text.to_string()]));
        }
        // `ctrl++` is Control and the plus sign.
        let (body, plus) = match text.strip_suffix("++") {
            Some(body) => (body, true),
            None => (text, false),
        };
        let mut names = body.split('+').map(key_name).collect::<Result<Vec<_>, _>>()?;
        if plus {
            names.push("+".to_string());
        }
        Ok(Chord(names))
    }

    /// Chords after one another, separated by blanks: `ctrl+a Delete`.
    pub fn read_sequence(text: &str) -> Result<Vec<Chord>, String> {
        if text == " " {
            return Ok(vec![Chord(vec![" ".to_string()])]);
        }
        text.split_whitespace().map(Chord::read).collect()
    }
}

/// The DOM name of a key. What is unknown is given back as the error: a key is never guessed.
fn key_name(text: &str) -> Result<String, String> {
    let mut characters = text.chars();
    if let (Some(_), None) = (characters.next(), characters.next()) {
        return Ok(text.to_string());
    }
    let upper = text.to_ascii_uppercase();
    let name = match upper.as_str() {
        "ALT" | "OPTION" | "ALT_L" | "ALT_R" => "Alt",
        "CTRL" | "CONTROL" | "CONTROL_L" | "CONTROL_R" => "Control",
        "CMD" | "COMMAND" | "META" | "SUPER" | "WIN" | "SUPER_L" | "META_L" => "Meta",
        "SHIFT" | "SHIFT_L" | "SHIFT_R" => "Shift",
        "ENTER" | "RETURN" | "KP_ENTER" => "Enter",
        "ESC" | "ESCAPE" => "Escape",
        "TAB" => "Tab",
        "SPACE" => " ",
        "BACKSPACE" => "Backspace",
        "DELETE" | "DEL" => "Delete",
        "INSERT" => "Insert",
        "HOME" => "Home",
        "END" => "End",
        "PAGEUP" | "PAGE_UP" | "PRIOR" => "PageUp",
        "PAGEDOWN" | "PAGE_DOWN" | "NEXT" => "PageDown",
        "ARROWUP" | "UP" => "ArrowUp",
        "ARROWDOWN" | "DOWN" => "ArrowDown",
        "ARROWLEFT" | "LEFT" => "ArrowLeft",
        "ARROWRIGHT" | "RIGHT" => "ArrowRight",
        "CAPSLOCK" | "CAPS_LOCK" => "CapsLock",
        "PLUS" => "+",
        "MINUS" => "-",
        _ => {
            let number = upper.strip_prefix('F').and_then(|digits| digits.parse::<u8>().ok());
            return match number {
                Some(1..=12) => Ok(upper),
                _ => Err(text.to_string()),
            };
        }
    };
    Ok(name.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let actual = match Chord::read_sequence(text) {
            Ok(chords) => {
                let chords: Vec<String> = chords.into_iter().map(|chord| chord.0.join("&")).collect();
                chords.join(", ")
            }
            Err(key) => format!("unknown `{key}`"),
        };
        assert_eq!(actual, expected);
    }

    #[test]
    fn chords_are_read_in_all_spellings() {
        check("CTRL+ENTER", "Control&Enter");
        check("ctrl+a Delete", "Control&a, Delete");
        check("Return", "Enter");
        check("cmd+shift+ArrowLeft", "Meta&Shift&ArrowLeft");
        check("ctrl++", "Control&+");
        check("+", "+");
        check("f12", "F12");
        check(" ", " ");
        check("super+Page_Down", "Meta&PageDown");
    }

    #[test]
    fn an_unknown_key_is_not_guessed() {
        check("ctrl+hyper", "unknown `hyper`");
        check("F13", "unknown `F13`");
        check("ctrl+", "unknown ``");
    }
}
