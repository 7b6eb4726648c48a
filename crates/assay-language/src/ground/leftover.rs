//! The rest of a name beyond the words of the sentence: irrelevant, or enough to make it another thing.
//!
//! "Save" is not "Don't save", "Delete" is not "Delete all", and the e-mail is not that of a friend. A quoted name is
//! the whole name; only a count, a mark or the word for the kind of thing may be added to it.

use crate::synonyms::commits;

use super::kinds::KIND_WORDS;
use super::lines::{LineDirection, lines};
use super::view::View;
use super::words::{bare, fold, same_word, words_of};

/// Words after which a name means the opposite, or nothing at all.
const NEGATIONS: &[&str] = &["not", "never", "without", "cannot", "nothing", "dont", "none"];

/// Verbs that take back, refuse or end something.
const REVERSING: &[&str] = &[
    "cancel",
    "delete",
    "remove",
    "discard",
    "undo",
    "reject",
    "decline",
    "refuse",
    "unsubscribe",
    "disable",
    "deactivate",
    "erase",
    "destroy",
    "revoke",
    "abort",
    "stop",
    "skip",
    "ignore",
    "reset",
    "close",
    "logout",
];

/// Verbs that are asked for alone only where nothing else is named by them: `Close account` closes no dialog.
const ENDING: &[&str] = &[
    "cancel",
    "close",
    "delete",
    "remove",
    "trash",
    "bin",
    "discard",
    "destroy",
    "erase",
    "drop",
    "clear",
    "reset",
    "revoke",
    "disable",
    "deactivate",
    "terminate",
    "end",
    "stop",
    "leave",
];

/// What an ending verb may name without meaning more than the thing at hand.
const AT_HAND: &[&str] = &[
    "this",
    "it",
    "now",
    "item",
    "entry",
    "row",
    "record",
    "dialog",
    "modal",
    "window",
    "popup",
    "overlay",
    "panel",
    "drawer",
    "sidebar",
    "notification",
    "alert",
    "banner",
    "toast",
    "message",
    "tooltip",
    "search",
    "query",
    "filter",
    "filters",
    "input",
    "selection",
    "the",
    "a",
    "an",
    "from",
    "your",
    "my",
];

/// More than one was asked for, or for longer.
const BEYOND: &[&str] = &["all", "every", "everything", "everyone", "forever", "permanently", "anyway"];

/// Right behind the words that were said, these begin another way to do it: `Sign in with Google`, `Save as draft`.
const ANOTHER_WAY: &[&str] = &["as", "with", "via", "using"];

/// A field of that name is for another value: the one to repeat, of somebody else, of the other end.
const ANOTHER_VALUE: &[&str] = &[
    "confirm",
    "confirmation",
    "repeat",
    "retype",
    "reenter",
    "again",
    "verify",
    "friend",
    "old",
    "previous",
    "end",
    "until",
    "search",
    "recovery",
    "backup",
    "secondary",
    "alternate",
    "alternative",
    "other",
    "cc",
    "bcc",
];

/// A name without what pages put beside it: counts and prices in brackets, marks, "(required)", the word for its kind.
pub(crate) fn plain_name(text: &str) -> String {
    let folded = fold(text);
    let mut kept = String::with_capacity(folded.len());
    let mut rest = folded.as_str();
    while let Some(open) = rest.find(['(', '[']) {
        let Some(length) = rest[open..].find([')', ']']) else { break };
        let remark = &rest[open + 1..open + length];
        let is_remark =
            !remark.chars().any(char::is_alphabetic) || matches!(remark.trim(), "required" | "optional");
        kept.push_str(&rest[..open]);
        if !is_remark {
            kept.push_str(&rest[open..=open + length]);
        }
        rest = &rest[open + length + 1..];
    }
    kept.push_str(rest);
    let plain = bare(&kept);
    for kind in ["button", "link", "icon"] {
        if let Some(short) = plain.strip_suffix(kind).filter(|short| short.ends_with(' ')) {
            return short.trim_end().to_string();
        }
    }
    if plain.is_empty() { folded } else { plain }
}

/// A name of the page without the keys behind it that do the same: `Create this page [e]`, `Save (Ctrl+S)`.
pub(crate) fn without_shortcut(name: &str) -> &str {
    let name = name.trim_end();
    if let Some(open) = name.rfind(['(', '[']).filter(|open| *open > 0) {
        let inner = name[open + 1..].strip_suffix([')', ']']);
        let is_one = inner.is_some_and(|keys| is_shortcut(&fold(keys), name[open..].starts_with('[')));
        return if is_one { name[..open].trim_end() } else { name };
    }
    name
}

/// Menus write keys without brackets: `Rename F2`, `New Launcher Ctrl Shift L`, `Delete Del`. Elsewhere such words are a name.
pub(crate) fn without_menu_keys(name: &str) -> &str {
    const KEYS: &[&str] = &[
        "Del",
        "Delete",
        "Enter",
        "Return",
        "Esc",
        "Tab",
        "Space",
        "Backspace",
        "Home",
        "End",
        "Up",
        "Down",
        "⌫",
        "⏎",
        "↵",
    ];
    const ALONE: &[&str] = &["Del", "Esc", "⌫", "⏎", "↵"];
    let name = name.trim_end();
    let words: Vec<&str> = name.split_whitespace().collect();
    let Some((last, front)) = words.split_last().filter(|(_, front)| !front.is_empty()) else { return name };
    let is_function = last.strip_prefix('F').is_some_and(|number| matches!(number.parse::<u8>(), Ok(1..=12)));
    let is_chord = last.contains('+') && last.len() > 2 && is_shortcut(&fold(last), false)
        || last.starts_with(['⌘', '⌥', '⇧', '⌃']);
    let is_held = |word: &&&str| HELD.contains(&fold(word).as_str());
    let before = front.len() - front.iter().rev().take_while(is_held).count();
    let holds_some = before < front.len();
    let is_key = is_function || last.chars().count() == 1 || KEYS.contains(last);
    let are_keys = is_function || is_chord || ALONE.contains(last) || holds_some && is_key;
    match words.get(before).filter(|_| are_keys && before > 0) {
        Some(first) => name[..first.as_ptr() as usize - name.as_ptr() as usize].trim_end(),
        None => name,
    }
}

const HELD: &[&str] = &["ctrl", "control", "alt", "shift", "cmd", "command", "meta", "option", "⌘", "⌥", "⇧"];

/// A single letter is a shortcut only in square brackets.
fn is_shortcut(remark: &str, is_square: bool) -> bool {
    let keys: Vec<&str> = remark.split(['+', '-']).map(str::trim).collect();
    let is_key = |key: &&str| key.chars().count() == 1 || HELD.contains(key);
    let has_more = keys.len() > 1 && HELD.contains(&keys[0]);
    keys.iter().all(is_key) && (has_more || is_square && keys.len() == 1)
}

/// A line is called so when it is the name, with no more beside it than a count or a price: `Inbox` and its badge.
fn is_line_called(view: &View, line: &[usize], text: &str) -> bool {
    let names: Vec<&str> = line.iter().map(|piece| view.node(*piece).name.as_str()).collect();
    let called = |one: &&&str| plain_name(one) == plain_name(text);
    plain_name(&names.join(" ")) == plain_name(text)
        || names.iter().filter(called).count() == 1
            && names.iter().filter(|one| is_beside_a_name(one)).count() == names.len() - 1
}

/// A count, a price, a size or a time, or a label before it: `Name:`.
fn is_beside_a_name(piece: &str) -> bool {
    let is_figure = piece.trim_start().starts_with(|letter: char| letter.is_ascii_digit());
    is_figure || !piece.chars().any(char::is_alphabetic) || piece.trim_end().ends_with(':')
}

/// Whether a bit of text is only a part of the line it stands in: the "Oak" of `Oak tree`, marked as found.
pub(crate) fn is_part_of_a_line(view: &View, at: usize) -> bool {
    if view.is_control(at)
        || !matches!(view.node(at).role.as_str(), "text" | "generic" | "strong" | "emphasis")
    {
        return false;
    }
    let is_bit = |around: &usize| {
        matches!(view.node(*around).role.as_str(), "text" | "generic" | "strong" | "emphasis")
    };
    let around = view.scene.ancestors(at).take(3).take_while(is_bit).last();
    let Some(block) = around.and_then(|bit| view.node(bit).parent).or(view.node(at).parent) else {
        return false;
    };
    let own = |piece: usize| piece == at || view.is_within(piece, at);
    let pieces = view.pieces(block..view.inside(block).end, false);
    lines(view, &pieces, LineDirection::Names)
        .iter()
        .filter(|line| line.iter().any(|piece| own(*piece)))
        .any(|line| line.iter().any(|piece| !own(*piece) && !is_beside_a_name(&view.node(*piece).name)))
}

/// Whether the first line of an element is the name: the title of a card, with its price or a few words below.
pub(crate) fn is_headed_by(view: &View, at: usize, text: &str) -> bool {
    let pieces = view.pieces(at..view.inside(at).end, false);
    let lines = lines(view, &pieces, LineDirection::Names);
    lines.first().is_some_and(|first| is_line_called(view, first, text))
        && !turns(view, at, &words_of(text), view.text(at))
}

/// Whether a line of an entry is the name. A part of one is not: "Oak" in `Oak tree`, however it is marked.
pub(crate) fn has_line_called(view: &View, entry: usize, text: &str) -> bool {
    let pieces = view.pieces(entry..view.inside(entry).end, false);
    lines(view, &pieces, LineDirection::Names).iter().any(|line| is_line_called(view, line, text))
}

/// Whether a name that has the words `said` in it is that of another thing, because of the words besides.
pub(crate) fn turns(view: &View, at: usize, said: &[String], name: &str) -> bool {
    let have = words_of(name);
    let is_said = |word: &str| said.iter().any(|other| same_word(word, other));
    let rest: Vec<&str> = have.iter().map(String::as_str).filter(|word| !is_said(word)).collect();
    let has = |list: &[&str]| rest.iter().any(|word| list.contains(word));
    if rest.is_empty() {
        return false;
    }
    // "No, keep it"; behind other words "no" is short for a number.
    let refuses = have.first().is_some_and(|first| first == "no") && rest.first() == Some(&"no");
    if refuses || has(NEGATIONS) || rest.iter().any(|word| word.ends_with("n't")) {
        return true;
    }
    if view.is_editable(at) {
        return has(ANOTHER_VALUE);
    }
    if !view.is_control(at) {
        return false;
    }
    if has(REVERSING) {
        return true;
    }
    let behind = have.iter().rposition(|word| is_said(word)).and_then(|last| have.get(last + 1));
    if behind.is_some_and(|word| ANOTHER_WAY.contains(&word.as_str())) {
        return true;
    }
    let ends = !said.is_empty() && said.iter().all(|word| ENDING.contains(&word.as_str()));
    if has(&["later"]) && commits(&have) || has(BEYOND) && (ends || commits(&have)) {
        return true;
    }
    // "Close" in a dialog is about the dialog, also where that asks whether an account should be closed.
    let of_the_page =
        said.iter().any(|word| matches!(word.as_str(), "close" | "cancel" | "end" | "stop" | "leave"));
    let at_hand = |word: &&str| {
        AT_HAND.contains(word)
            || KIND_WORDS.contains(word)
            || words_at_hand(view, at, !of_the_page).iter().any(|near| same_word(near, word))
    };
    ends && !rest.iter().all(at_hand)
}

/// What the entry or the dialog around a control speaks of: `Remove Desk Lamp` in the row of the desk lamp.
fn words_at_hand(view: &View, at: usize, in_dialogs: bool) -> Vec<String> {
    let dialog = view
        .scene
        .ancestors(at)
        .take(if in_dialogs { usize::MAX } else { 0 })
        .find(|around| matches!(view.node(*around).role.as_str(), "dialog" | "alertdialog"));
    view.entry_of(at)
        .filter(|entry| *entry != at)
        .into_iter()
        .chain(dialog)
        .flat_map(|around| view.inside(around))
        .filter(|inner| *inner != at && !view.is_within(*inner, at))
        .flat_map(|inner| {
            let node = view.node(inner);
            let text = if node.role == "text" { node.name.as_str() } else { "" };
            words_of(text).into_iter().chain(node.attribute("column").map(words_of).unwrap_or_default())
        })
        .collect()
}

/// Whether pressing what is called so takes back or ends something: it never sends a form.
pub(crate) fn reverses(name: &str) -> bool {
    let words = words_of(name);
    words.iter().any(|word| {
        REVERSING.contains(&word.as_str()) || NEGATIONS.contains(&word.as_str()) || word.ends_with("n't")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_compared_without_what_stands_beside_it() {
        assert_eq!(plain_name("Inbox (3)"), "inbox");
        assert_eq!(without_shortcut("Create this page [e]"), "Create this page");
        assert_eq!(without_shortcut("Save (Ctrl+S)"), "Save");
        assert_eq!(without_menu_keys("Save Ctrl+S"), "Save");
        assert_eq!(without_menu_keys("Rename F2"), "Rename");
        assert_eq!(without_menu_keys("New Launcher Ctrl Shift L"), "New Launcher");
        assert_eq!(without_menu_keys("Delete Del"), "Delete");
        assert_eq!(without_menu_keys("Access Control List"), "Access Control List");
        assert_eq!(without_menu_keys("Night Shift"), "Night Shift");
        for name in ["Class (A)", "Nurses (Shift-12)", "[e]", "Plan (basic)"] {
            assert_eq!(without_shortcut(name), name);
        }
        assert_eq!(plain_name("Express ($9.00)"), "express");
        assert_eq!(plain_name("Email (required) *"), "email");
        assert_eq!(plain_name("Next →"), "next");
        assert_eq!(plain_name("Open…"), "open");
        assert_eq!(plain_name("Search icon"), "search");
        assert_eq!(plain_name("Plan (monthly)"), "plan (monthly)");
        assert_eq!(plain_name("Save changes"), "save changes");
        assert_eq!(plain_name("(3)"), "(3)");
    }
}
