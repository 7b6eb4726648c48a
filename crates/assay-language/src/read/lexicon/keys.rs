//! Names of keys, as people write them.

/// (as said, the key's own name, whether the word alone is a key and hardly ever a button)
const KEYS: &[(&str, &str, bool)] = &[
    ("enter", "Enter", true),
    ("return", "Enter", true),
    ("tab", "Tab", true),
    ("escape", "Escape", true),
    ("esc", "Escape", true),
    ("backspace", "Backspace", true),
    ("delete", "Delete", false),
    ("del", "Delete", true),
    ("insert", "Insert", false),
    ("home", "Home", false),
    ("end", "End", false),
    ("space", "Space", true),
    ("spacebar", "Space", true),
    ("space bar", "Space", true),
    ("page up", "PageUp", true),
    ("pageup", "PageUp", true),
    ("page down", "PageDown", true),
    ("pagedown", "PageDown", true),
    ("arrow up", "ArrowUp", true),
    ("up arrow", "ArrowUp", true),
    ("arrowup", "ArrowUp", true),
    ("arrow down", "ArrowDown", true),
    ("down arrow", "ArrowDown", true),
    ("arrowdown", "ArrowDown", true),
    ("arrow left", "ArrowLeft", true),
    ("left arrow", "ArrowLeft", true),
    ("arrowleft", "ArrowLeft", true),
    ("arrow right", "ArrowRight", true),
    ("right arrow", "ArrowRight", true),
    ("arrowright", "ArrowRight", true),
    ("up", "ArrowUp", false),
    ("down", "ArrowDown", false),
    ("shift", "Shift", true),
    ("ctrl", "Control", true),
    ("control", "Control", true),
    ("alt", "Alt", true),
    ("meta", "Meta", true),
    ("cmd", "Meta", true),
    ("f1", "F1", true),
    ("f2", "F2", true),
    ("f3", "F3", true),
    ("f4", "F4", true),
    ("f5", "F5", true),
    ("f6", "F6", true),
    ("f7", "F7", true),
    ("f8", "F8", true),
    ("f9", "F9", true),
    ("f10", "F10", true),
    ("f11", "F11", true),
    ("f12", "F12", true),
];

const MODIFIERS: &[(&str, &str)] = &[
    ("ctrl", "Control"),
    ("control", "Control"),
    ("strg", "Control"),
    ("shift", "Shift"),
    ("alt", "Alt"),
    ("option", "Alt"),
    ("meta", "Meta"),
    ("cmd", "Meta"),
    ("command", "Meta"),
    ("win", "Meta"),
];

/// The key that is called so.
pub(crate) fn key(said: &str) -> Option<&'static str> {
    let said = said.to_lowercase().replace('-', " ");
    KEYS.iter().find(|(name, _, _)| *name == said).map(|(_, key, _)| *key)
}

/// Also when it stands in quotation marks, where "Delete" is rather a button.
pub(crate) fn is_surely_a_key(said: &str) -> bool {
    let said = said.to_lowercase();
    let plain = said.replace('-', " ");
    KEYS.iter().any(|(name, _, sure)| *name == plain && *sure) || said.contains('+') && chord(&said).is_some()
}

/// `ctrl+shift+A` is `Control+Shift+a`.
pub(crate) fn chord(said: &str) -> Option<String> {
    let parts: Vec<&str> = said.split('+').map(str::trim).collect();
    let (last, modifiers) = parts.split_last()?;
    let mut named = Vec::with_capacity(parts.len());
    for modifier in modifiers {
        let low = modifier.to_lowercase();
        named.push(MODIFIERS.iter().find(|(name, _)| *name == low)?.1.to_string());
    }
    if named.is_empty() || last.is_empty() {
        return None;
    }
    let mut characters = last.chars();
    let last = match (characters.next(), characters.next()) {
        (Some(only), None) => only.to_lowercase().to_string(),
        _ => key(last)?.to_string(),
    };
    named.push(last);
    Some(named.join("+"))
}
