//! The policy for keys: only the test itself may press keys that lead out of the page or use the clipboard.

use assay_driver::{KeyStroke, UnknownKey, parse_chord};
use assay_protocol::{Action, ErrorCode, Failure};

use super::Policy;

/// Who proposed an action.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Proposer {
    /// The words of the test contain it, or a user typed it.
    #[default]
    Author,
    /// A model proposed it, perhaps persuaded by the page.
    Model,
}

/// What may be done with the clipboard by keys.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Clipboard {
    /// What the test's own words do with it, and nothing else.
    #[default]
    AsTheTestSays,
    ReadAndWrite,
    ReadOnly,
    WriteOnly,
    Nothing,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ClipboardUse {
    Read,
    Write,
}

/// Keys that leave the page, its tab or the browser, or open the browser's own windows. `Meta` equals `Control` on
/// systems where it is the command key. Chords that applications often use themselves, such as `Control+s` and
/// `Control+k`, are not among them.
const LEAVING: &[&str] = &[
    "Control+w",
    "Control+Shift+w",
    "Control+F4",
    "Alt+F4",
    "Control+q",
    "Control+Shift+q",
    "Control+t",
    "Control+Shift+t",
    "Control+n",
    "Control+Shift+n",
    "Control+Shift+p",
    "Control+Tab",
    "Control+Shift+Tab",
    "Control+PageUp",
    "Control+PageDown",
    "Control+l",
    "Alt+d",
    "F6",
    "Alt+ArrowLeft",
    "Alt+ArrowRight",
    "Alt+Home",
    "Control+o",
    "Control+p",
    "Control+u",
    "Control+h",
    "Control+j",
    "Control+Shift+Delete",
    "Control+Shift+o",
    "F12",
    "Control+Shift+i",
    "Control+Shift+j",
    "Control+Shift+c",
    "Control+Shift+k",
    "Control+Shift+e",
    "F1",
    "F11",
    "Alt+f",
    "Alt+e",
    "Meta",
];

const CLIPBOARD: &[(&str, ClipboardUse)] = &[
    ("Control+v", ClipboardUse::Read),
    ("Control+Shift+v", ClipboardUse::Read),
    ("Shift+Insert", ClipboardUse::Read),
    ("Control+c", ClipboardUse::Write),
    ("Control+x", ClipboardUse::Write),
    ("Control+Insert", ClipboardUse::Write),
    ("Shift+Delete", ClipboardUse::Write),
];

impl Policy {
    /// Whether the keys of this action may be pressed. Ignores actions without keys.
    pub(crate) fn check_keys(&self, action: &Action) -> Result<(), Failure> {
        let Action::Press { keys, .. } = action else { return Ok(()) };
        for key in keys {
            // Another check reports unknown keys.
            if let Ok(stroke) = parse_chord(key) {
                self.check_stroke(key, &stroke)?;
            }
        }
        Ok(())
    }

    fn check_stroke(&self, key: &str, stroke: &KeyStroke) -> Result<(), Failure> {
        let refused = |why: &str, hint: &str| {
            Err(Failure::new(ErrorCode::BlockedByPolicy, format!("`{key}` may not be pressed: {why}"))
                .hint(hint.to_string()))
        };
        if self.blocked_keys.iter().any(|blocked| is_same(blocked, stroke)) {
            return refused(
                "the policy blocks it",
                "see `blocked_keys` under `policy` in the test or in assay.yaml",
            );
        }
        if self.allowed_keys.iter().any(|allowed| is_same(allowed, stroke)) {
            return Ok(());
        }
        let wanted = CLIPBOARD.iter().find(|(chord, _)| is_chord(chord, stroke)).map(|(_, wanted)| *wanted);
        match wanted {
            Some(wanted) if !self.may_use_clipboard(wanted) => {
                let what = match wanted {
                    ClipboardUse::Read => "it reads the clipboard",
                    ClipboardUse::Write => "it writes to the clipboard",
                };
                return refused(what, "`clipboard: read-write` in `policy` allows it");
            }
            _ => {}
        }
        if self.proposed_by == Proposer::Model && LEAVING.iter().any(|chord| is_chord(chord, stroke)) {
            let why = "it leaves the page, and the test does not ask for it";
            return refused(why, "list the key under `allowed_keys` in `policy` to allow it");
        }
        Ok(())
    }

    fn may_use_clipboard(&self, wanted: ClipboardUse) -> bool {
        match self.clipboard {
            Clipboard::AsTheTestSays => self.proposed_by == Proposer::Author,
            Clipboard::ReadAndWrite => true,
            Clipboard::ReadOnly => wanted == ClipboardUse::Read,
            Clipboard::WriteOnly => wanted == ClipboardUse::Write,
            Clipboard::Nothing => false,
        }
    }
}

/// A key as a policy names it: `Ctrl+W` is the letter with the key for commands, and shift only where it is named.
pub fn policy_key(chord: &str) -> Result<KeyStroke, UnknownKey> {
    parse_chord(&chord.to_lowercase())
}

fn is_chord(chord: &str, stroke: &KeyStroke) -> bool {
    policy_key(chord).is_ok_and(|known| is_same(&known, stroke))
}

/// Whether both do the same: `Meta` equals `Control` where it is the command key. A request for `Ctrl+W` may mean it
/// with or without shift, so it matches both.
fn is_same(known: &KeyStroke, pressed: &KeyStroke) -> bool {
    let (left, right) = (known.modifiers, pressed.modifiers);
    known.key.eq_ignore_ascii_case(&pressed.key)
        && (left.control || left.meta) == (right.control || right.meta)
        && left.alt == right.alt
        && (left.shift == right.shift
            || pressed.key.starts_with(|letter: char| letter.is_ascii_uppercase()) && pressed.key.len() == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn press(keys: &[&str]) -> Action {
        Action::Press { keys: keys.iter().map(|key| (*key).to_string()).collect(), target: None }
    }

    #[track_caller]
    fn check(policy: &Policy, key: &str, expected: Option<&str>) {
        let refused = policy.check_keys(&press(&["Tab", key])).err();
        let told = refused.as_ref().map(|failure| failure.message.as_str());
        assert_eq!(told, expected.map(|why| format!("`{key}` may not be pressed: {why}")).as_deref());
        assert!(refused.is_none_or(|failure| failure.code == ErrorCode::BlockedByPolicy));
    }

    const LEAVES: Option<&str> = Some("it leaves the page, and the test does not ask for it");
    const READS: Option<&str> = Some("it reads the clipboard");
    const WRITES: Option<&str> = Some("it writes to the clipboard");

    #[test]
    fn every_chord_of_the_lists_is_one() {
        let chords = LEAVING.iter().copied().chain(CLIPBOARD.iter().map(|(chord, _)| *chord));
        for chord in chords {
            assert!(parse_chord(chord).is_ok(), "{chord}");
        }
    }

    #[test]
    fn the_words_of_a_test_may_press_anything() {
        for key in ["Ctrl+W", "Alt+F4", "F12", "Ctrl+V", "Ctrl+C"] {
            check(&Policy::default(), key, None);
        }
    }

    #[test]
    fn a_model_stays_in_the_page() {
        let model = Policy { proposed_by: Proposer::Model, ..Policy::default() };
        for key in ["Ctrl+W", "cmd+w", "Ctrl+T", "Ctrl+Shift+I", "ctrl+shift+i", "Alt+F4", "F12", "alt+left"]
        {
            check(&model, key, LEAVES);
        }
        for key in ["Enter", "w", "Ctrl+A", "Ctrl+S", "Shift+Tab", "ArrowLeft", "F5", "F2", "Shift+W"] {
            check(&model, key, None);
        }
        check(&model, "Ctrl+V", READS);
        check(&model, "Shift+Insert", READS);
        check(&model, "Ctrl+X", WRITES);
        let key = |chord: &str| policy_key(chord).unwrap();
        let model = Policy { allowed_keys: vec![key("Ctrl+T"), key("Ctrl+V")], ..model };
        check(&model, "Control+t", None);
        check(&model, "Ctrl+V", None);
        check(&model, "Ctrl+W", LEAVES);
    }

    #[test]
    fn what_is_blocked_is_blocked_for_everybody() {
        let key = |chord: &str| policy_key(chord).unwrap();
        let both = vec![key("Ctrl+W")];
        let policy = Policy { blocked_keys: both.clone(), allowed_keys: both, ..Policy::default() };
        check(&policy, "Meta+W", Some("the policy blocks it"));
        check(&policy, "Control+w", Some("the policy blocks it"));
    }

    #[test]
    fn the_clipboard_is_what_the_policy_says() {
        let with = |clipboard: Clipboard| Policy { clipboard, ..Policy::default() };
        check(&with(Clipboard::Nothing), "Ctrl+V", READS);
        check(&with(Clipboard::Nothing), "Ctrl+C", WRITES);
        check(&with(Clipboard::WriteOnly), "Ctrl+V", READS);
        check(&with(Clipboard::WriteOnly), "Ctrl+C", None);
        check(&with(Clipboard::ReadOnly), "Ctrl+C", WRITES);
        let model = Policy { proposed_by: Proposer::Model, ..with(Clipboard::ReadAndWrite) };
        check(&model, "Ctrl+V", None);
    }
}
