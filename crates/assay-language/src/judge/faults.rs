//! Errors that a page marks in its own way: a class like `errorlist`, a field that is invalid and says why.

use crate::ground::kinds::{MESSAGE_WORDS, has_class_word};
use crate::ground::view::{View, short};
use crate::ground::words::{all_among, fold, identifier_words, words_of};

use super::Finding;

/// Words beside the one for an error that turn it round: `no-error`, `error-free`.
const TURNING: &[&str] = &["no", "not", "without", "free", "hide", "hidden", "clear", "none"];

/// Whether a class or an id says that this is an error: `errornote`, `errorlist`, `field-error`.
pub(crate) fn is_marked_as_error(view: &View, at: usize) -> bool {
    let node = view.node(at);
    ["class", "id", "testid"].iter().filter_map(|name| node.attribute(name)).any(|value| {
        value.split_whitespace().any(|token| {
            let words = identifier_words(token);
            let is_error = |word: &String| word.starts_with("error");
            words.iter().any(is_error) && !words.iter().any(|word| TURNING.contains(&word.as_str()))
        })
    })
}

/// The field that a message is about: the one whose description has the message in it.
pub(crate) fn field_described(view: &View, text: &str) -> Option<usize> {
    let text = fold(text);
    let described: Vec<usize> = view
        .all()
        .filter(|at| view.is_editable(*at))
        .filter(|at| {
            view.node(*at)
                .attribute("description")
                .is_some_and(|told| text.len() > 3 && fold(told).contains(&text))
        })
        .collect();
    match described.as_slice() {
        [only] => Some(*only),
        _ => None,
    }
}

/// Fields that are called so.
pub(crate) fn fields_called(view: &View, topic: &[String]) -> Vec<usize> {
    let called = |at: usize| {
        let node = view.node(at);
        let mut names = words_of(&node.name);
        names.extend(node.attribute("label").map(words_of).unwrap_or_default());
        names.extend(node.attribute("id").map(identifier_words).unwrap_or_default());
        names
    };
    view.all().filter(|at| view.is_editable(*at) && all_among(topic, &called(*at))).collect()
}

/// A field that is called so, is invalid and says why: that is an error, wherever the page shows it.
pub(crate) fn complaining_field(view: &View, topic: &[String]) -> Option<Finding> {
    let fields = if topic.is_empty() { Vec::new() } else { fields_called(view, topic) };
    let [field] = fields.as_slice() else { return None };
    let node = view.node(*field);
    let told = node.attribute("description").filter(|told| !told.trim().is_empty());
    let told = told.filter(|_| node.is("invalid"))?;
    let finding = Finding::yes(format!("{} is invalid: \"{}\"", view.describe(*field), short(told)));
    let finding = Finding { found: Some(short(told)), ..finding };
    Some(finding.with(view.lines([*field])))
}

/// Classes that only say how something looks: a red badge is no message.
const LOOKS: &[&str] = &["bg-", "border-", "badge", "btn-", "progress", "table-", "col-", "form-row"];

/// Whether a class or an id marks this as a message.
pub(crate) fn is_marked_as_message(view: &View, at: usize) -> bool {
    let node = view.node(at);
    let in_list = node.role == "listitem"
        && node.parent.is_some_and(|list| {
            is_marked_as_error(view, list)
                || has_class_word(
                    view,
                    list,
                    &["messages", "messagelist", "alerts", "errors", "flashes", "notifications"],
                )
        });
    let marked = ["class", "id", "testid"].iter().filter_map(|name| node.attribute(name)).any(|value| {
        let tokens =
            value.split_whitespace().filter(|token| !LOOKS.iter().any(|look| token.starts_with(look)));
        tokens.flat_map(identifier_words).any(|word| MESSAGE_WORDS.contains(&word.as_str()))
    });
    let says_something = view.text(at).chars().any(char::is_alphabetic);
    (marked || is_marked_as_error(view, at) || in_list) && says_something
}
