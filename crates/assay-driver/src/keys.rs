//! Key names and what they mean on a US keyboard, for all drivers.

use crate::{KeyStroke, Modifiers};

/// What an engine needs to know to produce a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyDefinition {
    /// `KeyboardEvent.key`.
    pub key: String,
    /// `KeyboardEvent.code`; empty for a character that is on no US key.
    pub code: String,
    pub key_code: u32,
    /// What the key types, if anything.
    pub text: Option<String>,
    /// Whether shift is part of typing this character.
    pub shift: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no key `{name}`")]
pub struct UnknownKey {
    pub name: String,
    pub nearest: Vec<&'static str>,
}

/// (name, aliases, code, key code, text)
type Named = (&'static str, &'static [&'static str], &'static str, u32, Option<&'static str>);

const NAMED: &[Named] = &[
    ("Enter", &["return"], "Enter", 13, Some("\r")),
    ("Tab", &[], "Tab", 9, None),
    ("Escape", &["esc"], "Escape", 27, None),
    ("Backspace", &[], "Backspace", 8, None),
    ("Delete", &["del"], "Delete", 46, None),
    ("Insert", &["ins"], "Insert", 45, None),
    ("Home", &[], "Home", 36, None),
    ("End", &[], "End", 35, None),
    ("PageUp", &["pgup"], "PageUp", 33, None),
    ("PageDown", &["pgdn", "pgdown"], "PageDown", 34, None),
    ("ArrowUp", &["up"], "ArrowUp", 38, None),
    ("ArrowDown", &["down"], "ArrowDown", 40, None),
    ("ArrowLeft", &["left"], "ArrowLeft", 37, None),
    ("ArrowRight", &["right"], "ArrowRight", 39, None),
    ("Shift", &[], "ShiftLeft", 16, None),
    ("Control", &["ctrl"], "ControlLeft", 17, None),
    ("Alt", &["option"], "AltLeft", 18, None),
    ("Meta", &["cmd", "command", "super", "win"], "MetaLeft", 91, None),
    ("CapsLock", &[], "CapsLock", 20, None),
    ("ContextMenu", &["menu"], "ContextMenu", 93, None),
    ("Pause", &[], "Pause", 19, None),
    ("PrintScreen", &[], "PrintScreen", 44, None),
    ("F1", &[], "F1", 112, None),
    ("F2", &[], "F2", 113, None),
    ("F3", &[], "F3", 114, None),
    ("F4", &[], "F4", 115, None),
    ("F5", &[], "F5", 116, None),
    ("F6", &[], "F6", 117, None),
    ("F7", &[], "F7", 118, None),
    ("F8", &[], "F8", 119, None),
    ("F9", &[], "F9", 120, None),
    ("F10", &[], "F10", 121, None),
    ("F11", &[], "F11", 122, None),
    ("F12", &[], "F12", 123, None),
];

/// (character, with shift, code, key code)
const PUNCTUATION: &[(char, char, &str, u32)] = &[
    ('`', '~', "Backquote", 192),
    ('-', '_', "Minus", 189),
    ('=', '+', "Equal", 187),
    ('[', '{', "BracketLeft", 219),
    (']', '}', "BracketRight", 221),
    ('\\', '|', "Backslash", 220),
    (';', ':', "Semicolon", 186),
    ('\'', '"', "Quote", 222),
    (',', '<', "Comma", 188),
    ('.', '>', "Period", 190),
    ('/', '?', "Slash", 191),
    ('1', '!', "Digit1", 49),
    ('2', '@', "Digit2", 50),
    ('3', '#', "Digit3", 51),
    ('4', '$', "Digit4", 52),
    ('5', '%', "Digit5", 53),
    ('6', '^', "Digit6", 54),
    ('7', '&', "Digit7", 55),
    ('8', '*', "Digit8", 56),
    ('9', '(', "Digit9", 57),
    ('0', ')', "Digit0", 48),
];

/// The characters by which WebDriver, classic and BiDi, names keys that type nothing, by `KeyboardEvent.key`.
pub fn webdriver_key(key: &str) -> Option<char> {
    const KEYS: &[(&str, char)] = &[
        ("Enter", '\u{E006}'),
        ("Tab", '\u{E004}'),
        ("Escape", '\u{E00C}'),
        ("Backspace", '\u{E003}'),
        ("Delete", '\u{E017}'),
        ("Insert", '\u{E016}'),
        ("Home", '\u{E011}'),
        ("End", '\u{E010}'),
        ("PageUp", '\u{E00E}'),
        ("PageDown", '\u{E00F}'),
        ("ArrowUp", '\u{E013}'),
        ("ArrowDown", '\u{E015}'),
        ("ArrowLeft", '\u{E012}'),
        ("ArrowRight", '\u{E014}'),
        ("Shift", '\u{E008}'),
        ("Control", '\u{E009}'),
        ("Alt", '\u{E00A}'),
        ("Pause", '\u{E00B}'),
        ("Meta", '\u{E03D}'),
    ];
    if let Some(number) = key.strip_prefix('F').and_then(|number| number.parse::<u32>().ok()) {
        return (1..=12).contains(&number).then(|| char::from_u32(0xE030 + number)).flatten();
    }
    KEYS.iter().find(|(known, _)| *known == key).map(|(_, character)| *character)
}

/// The definition of a key name or a single character.
pub fn key_definition(name: &str) -> Result<KeyDefinition, UnknownKey> {
    let mut characters = name.chars();
    if let (Some(character), None) = (characters.next(), characters.next()) {
        return Ok(character_definition(character));
    }
    let lower = name.to_lowercase();
    if lower == "space" {
        return Ok(character_definition(' '));
    }
    for (key, aliases, code, key_code, text) in NAMED {
        if key.eq_ignore_ascii_case(name) || aliases.contains(&lower.as_str()) {
            return Ok(KeyDefinition {
                key: (*key).to_string(),
                code: (*code).to_string(),
                key_code: *key_code,
                text: text.map(str::to_string),
                shift: false,
            });
        }
    }
    let nearest = NAMED
        .iter()
        .map(|named| named.0)
        .filter(|key| key.to_lowercase().starts_with(&lower) || lower.starts_with(&key.to_lowercase()))
        .take(3)
        .collect();
    Err(UnknownKey { name: name.to_string(), nearest })
}

fn character_definition(character: char) -> KeyDefinition {
    let plain = |code: String, key_code: u32, shift: bool| KeyDefinition {
        key: character.to_string(),
        code,
        key_code,
        text: Some(character.to_string()),
        shift,
    };
    match character {
        'a'..='z' | 'A'..='Z' => {
            let upper = character.to_ascii_uppercase();
            plain(format!("Key{upper}"), upper as u32, character.is_ascii_uppercase())
        }
        ' ' => plain("Space".to_string(), 32, false),
        '\n' | '\r' => KeyDefinition {
            key: "Enter".to_string(),
            code: "Enter".to_string(),
            key_code: 13,
            text: Some("\r".to_string()),
            shift: false,
        },
        '\t' => KeyDefinition {
            key: "Tab".to_string(),
            code: "Tab".to_string(),
            key_code: 9,
            text: None,
            shift: false,
        },
        _ => PUNCTUATION
            .iter()
            .find_map(|(base, shifted, code, key_code)| {
                (character == *base || character == *shifted)
                    .then(|| plain((*code).to_string(), *key_code, character == *shifted))
            })
            .unwrap_or_else(|| plain(String::new(), 0, false)),
    }
}

/// Reads `Control+Shift+K` or `Enter`.
pub fn parse_chord(chord: &str) -> Result<KeyStroke, UnknownKey> {
    let mut modifiers = Modifiers::default();
    let mut rest = chord;
    while let Some((head, tail)) = rest.split_once('+') {
        if head.is_empty() || tail.is_empty() {
            break;
        }
        match head.to_lowercase().as_str() {
            "control" | "ctrl" => modifiers.control = true,
            "controlormeta" | "mod" => modifiers.control = true,
            "shift" => modifiers.shift = true,
            "alt" | "option" => modifiers.alt = true,
            "meta" | "cmd" | "command" | "super" | "win" => modifiers.meta = true,
            _ => {
                return Err(UnknownKey {
                    name: head.to_string(),
                    nearest: vec!["Control", "Shift", "Alt", "Meta"],
                });
            }
        }
        rest = tail;
    }
    let definition = key_definition(rest)?;
    modifiers.shift |= definition.shift;
    Ok(KeyStroke { key: definition.key, modifiers })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chord_is_read_with_its_modifiers() {
        let stroke = parse_chord("Control+Shift+k").unwrap();
        assert!(stroke.modifiers.control && stroke.modifiers.shift && !stroke.modifiers.alt);
        assert_eq!(stroke.key, "k");
        assert_eq!(parse_chord("+").unwrap().key, "+");
        assert_eq!(parse_chord("ctrl++").unwrap().key, "+");
        assert_eq!(parse_chord("esc").unwrap().key, "Escape");
    }

    #[test]
    fn an_unknown_key_names_the_nearest() {
        let error = parse_chord("Arrow").unwrap_err();
        assert_eq!(error.to_string(), "there is no key `Arrow`");
        assert_eq!(error.nearest, ["ArrowUp", "ArrowDown", "ArrowLeft"]);
        assert_eq!(parse_chord("Hyper+a").unwrap_err().name, "Hyper");
    }

    #[test]
    fn shifted_characters_know_their_key() {
        let at = key_definition("@").unwrap();
        assert_eq!((at.code.as_str(), at.key_code, at.shift), ("Digit2", 50, true));
        assert_eq!(key_definition("é").unwrap().code, "");
    }
}
