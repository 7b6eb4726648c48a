//! What a name has besides the words that were said: nothing that matters, or something that makes it another thing.
//!
//! "Save" is not "Don't save", "Delete" is not "Delete all", and the e-mail is not that of a friend. What stands in
//! quotation marks is a whole name; only a count, a mark or the word for the kind of thing may stand beside it.

use crate::synonyms::commits;

use super::kinds::KIND_WORDS;
use super::view::View;
use super::words::{bare, fold, same_word, words_of};

/// Words after which a name means the opposite, or nothing at all.
const NEGATIONS: &[&str] = &["not", "no", "never", "without", "cannot", "nothing", "dont", "none"];

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
    "leave",
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
const ANOTHER_WAY: &[&str] = &["as", "with", "via", "using", "later"];

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

/// `Inbox` with a badge beside it: one text of the element is the name, the others only count.
pub(crate) fn is_name_with_a_count(view: &View, at: usize, text: &str) -> bool {
    let texts: Vec<String> = view
        .inside(at)
        .filter(|inner| view.node(*inner).role == "text")
        .map(|inner| fold(&view.node(inner).name))
        .collect();
    let is_count = |one: &&String| !one.is_empty() && !one.chars().any(char::is_alphabetic);
    texts.len() > 1
        && texts.iter().filter(|one| bare(one) == bare(text)).count() == 1
        && texts.iter().filter(is_count).count() == texts.len() - 1
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
    if has(NEGATIONS) || rest.iter().any(|word| word.ends_with("n't")) {
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
    if has(BEYOND) && (ends || commits(&have)) {
        return true;
    }
    let at_hand = |word: &&str| {
        AT_HAND.contains(word)
            || KIND_WORDS.contains(word)
            || words_at_hand(view, at).iter().any(|near| same_word(near, word))
    };
    ends && !rest.iter().all(|word| at_hand(word))
}

/// What the entry or the dialog around a control speaks of: `Remove Desk Lamp` in the row of the desk lamp.
fn words_at_hand(view: &View, at: usize) -> Vec<String> {
    let dialog = view
        .scene
        .ancestors(at)
        .find(|around| matches!(view.node(*around).role.as_str(), "dialog" | "alertdialog"));
    view.entry_of(at)
        .filter(|entry| *entry != at)
        .into_iter()
        .chain(dialog)
        .flat_map(|around| view.inside(around))
        .filter(|inner| *inner != at && !view.is_within(*inner, at) && view.node(*inner).role == "text")
        .flat_map(|inner| words_of(&view.node(inner).name))
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
