//! Icons by what they show: people say "the gear", pages say "Settings".

use crate::synonyms::commits;
use crate::{Nearness, Relation, Target};

use super::context::own_words;
use super::find::{Candidate, Search};
use super::places::factors;
use super::thresholds::{ENOUGH, LEAD};
use super::view::View;
use super::words::{identifier_words, same_word, words_of};

/// What people call a picture, the words that pages have for its control, and the signs that draw it.
const PICTURES: &[(&[&str], &[&str], &str)] = &[
    (&["cross", "x"], &["close", "dismiss", "delete", "remove", "destroy", "clear", "times"], "×✕✖✗⨯x"),
    (
        &["gear", "cog", "cogwheel"],
        &["settings", "preferences", "options", "configuration", "gear", "cog"],
        "⚙",
    ),
    (&["pencil", "pen"], &["edit", "rename", "modify", "pencil", "pen"], "✎✏🖉"),
    (&["bin", "trash", "wastebasket", "trashcan"], &["delete", "remove", "trash", "bin", "discard"], "🗑"),
    (&["magnifier", "lens", "magnifying"], &["search", "find", "lookup", "magnify", "zoom"], "🔍🔎⌕"),
    (&["hamburger", "burger"], &["menu", "navigation", "bars", "hamburger", "sidebar"], "☰≡"),
    (&["dots", "ellipsis", "kebab"], &["more", "actions", "options", "menu", "ellipsis", "kebab"], "⋮⋯…"),
    (&["plus"], &["add", "new", "create", "plus"], "+＋➕"),
    (&["minus"], &["remove", "decrease", "less", "minus", "collapse"], "-−➖"),
    (&["bell"], &["notifications", "alerts", "bell", "notification", "alert"], "🔔"),
    (&["envelope"], &["mail", "messages", "inbox", "email", "envelope", "message"], "✉"),
    (&["house"], &["home", "house"], "⌂🏠"),
    (&["eye"], &["show", "view", "preview", "visibility", "watch", "eye"], "👁"),
    (&["heart"], &["favorite", "favourite", "like", "wishlist", "heart"], "♥♡❤"),
    (&["star"], &["star", "favorite", "favourite", "bookmark", "rate"], "★☆⭐"),
    (&["question"], &["help", "question", "about"], "?"),
    (&["printer"], &["print", "printer"], "🖨"),
    (&["paperclip", "clip"], &["attach", "attachment", "paperclip", "clip"], "📎"),
    (&["globe"], &["language", "locale", "globe", "world"], "🌐"),
    (&["padlock", "lock"], &["lock", "unlock", "padlock", "security"], "🔒🔓"),
    (&["floppy", "disk", "diskette"], &["save", "floppy", "disk"], "💾"),
    (&["tick", "check", "checkmark"], &["confirm", "done", "save", "apply", "check", "tick", "accept"], "✓✔"),
    (&["funnel"], &["filter", "funnel"], "⧩"),
    (&["clipboard"], &["copy", "clipboard"], "📋"),
    (&["sun", "moon"], &["theme", "dark", "light", "mode", "sun", "moon"], "☀☾🌙"),
];

/// "The gear", "the cross of "Ada"", `the "+" button`, "the menu with the three dots": the only control without words
/// that stands for it.
pub(super) fn by_picture(search: &Search, target: &Target) -> Option<Candidate> {
    let view = search.view;
    if !search.to_act || target.ordinal.is_some() || target.state.is_some() {
        return None;
    }
    let (picture, relations) = pictured(target)?;
    let relations = flat(relations);
    let is_sign = target.quoted.is_some();
    let (_, meanings, signs) = PICTURES.iter().find(|(called, _, signs)| {
        called.iter().any(|one| same_word(one, &picture)) || is_sign && signs.contains(&picture)
    })?;
    // What cannot be taken back needs an entry that is named.
    let is_in_entry = relations.iter().any(|one| {
        matches!(one.how, Nearness::SameRow | Nearness::For | Nearness::Inside) && one.to.quoted.is_some()
    });
    let is_icon = |at: &usize| {
        let node = view.node(*at);
        node.reference.is_some()
            && matches!(node.role.as_str(), "button" | "link" | "clickable" | "menuitem" | "image" | "tab")
            && view.is_control(*at)
            && (search.usable)(view, *at) > 0.0
            && (is_in_entry || !commits(&own_words(view, *at)))
    };
    // One that is drawn without any name may be it where the place tells which one it is.
    let is_beside =
        relations.iter().any(|one| matches!(one.how, Nearness::NextTo | Nearness::SameRow | Nearness::For));
    let icons: Vec<(usize, f64)> = view
        .all()
        .filter(is_icon)
        .filter_map(|at| match stands_for(view, at, meanings, signs) {
            true => Some((at, 0.85)),
            false => (is_beside && is_nameless(view, at)).then_some((at, 0.8)),
        })
        .collect();
    // A control that only wraps another one is the same to a person.
    let wraps = |at: usize| icons.iter().any(|(inner, _)| view.is_within(*inner, at));
    let icons: Vec<(usize, f64)> = icons.iter().copied().filter(|(at, _)| !wraps(*at)).collect();
    let only = best_of(search, &icons, &relations)?;
    Some(Candidate { because: format!("it is the only one that can be the {picture}"), ..only })
}

/// The word for the picture, and where it is.
fn pictured(target: &Target) -> Option<(String, Vec<Relation>)> {
    const BESIDE: &[&str] =
        &["icon", "sign", "symbol", "button", "mark", "glass", "can", "three", "small", "little"];
    if let Some(sign) = target.quoted.as_deref().map(str::trim) {
        let is_plain = target.words.iter().all(|word| BESIDE.contains(&word.as_str()));
        let sign = if sign == "..." { "…" } else { sign };
        let is_sign = sign.chars().count() == 1 && is_plain;
        return is_sign.then(|| (sign.to_lowercase(), target.relations.clone()));
    }
    // "The menu with the three dots".
    if let [Relation { how: Nearness::Containing, to }, rest @ ..] = target.relations.as_slice()
        && target.words.is_empty()
    {
        let relations = to.relations.iter().chain(rest).cloned().collect();
        return pictured(&Target { relations: Vec::new(), ..to.clone() })
            .map(|(picture, _)| (picture, relations));
    }
    let words = target.words.iter().flat_map(|word| words_of(word));
    let words: Vec<String> = words.filter(|word| !BESIDE.contains(&word.as_str())).collect();
    let [picture] = words.as_slice() else { return None };
    Some((picture.clone(), target.relations.clone()))
}

/// "In the header next to the title": both are said of the icon.
fn flat(relations: Vec<Relation>) -> Vec<Relation> {
    relations
        .into_iter()
        .flat_map(|Relation { how, mut to }| {
            let inner = match how {
                Nearness::Inside => std::mem::take(&mut to.relations),
                _ => Vec::new(),
            };
            std::iter::once(Relation { how, to }).chain(inner)
        })
        .collect()
}

/// The one that the places leave.
fn best_of(search: &Search, icons: &[(usize, f64)], relations: &[Relation]) -> Option<Candidate> {
    let places: Vec<usize> = icons.iter().map(|(at, _)| *at).collect();
    let mut scores: Vec<f64> = icons.iter().map(|(_, score)| *score).collect();
    for relation in relations {
        for (score, factor) in scores.iter_mut().zip(factors(search, &places, relation)) {
            *score *= factor;
        }
    }
    let best = scores.iter().copied().fold(0.0, f64::max);
    let mut meant = places.iter().zip(&scores).filter(|(_, score)| best > ENOUGH && **score > best - LEAD);
    match (meant.next(), meant.next()) {
        (Some((at, score)), None) => Some(Candidate { exact: false, ..Candidate::sure(*at, *score, "") }),
        _ => None,
    }
}

/// Neither people nor programs have a word for what it does.
fn is_nameless(view: &View, at: usize) -> bool {
    let node = view.node(at);
    let mut words = own_words(view, at);
    for inner in view.inside(at) {
        words.extend(own_words(view, inner));
    }
    let is_meaning = |word: &String| {
        PICTURES
            .iter()
            .any(|(called, meanings, _)| called.contains(&word.as_str()) || meanings.contains(&word.as_str()))
    };
    !words.iter().any(is_meaning)
        && !commits(&words)
        && node.name.trim().is_empty()
        && view.text(at).trim().is_empty()
        && ["title", "alt", "icon"].iter().all(|name| node.attribute(name).is_none())
}

/// A control that shows no words, and is drawn or called as such a picture.
fn stands_for(view: &View, at: usize, meanings: &[&str], signs: &str) -> bool {
    let text = view.text(at).trim();
    let has_words = text.chars().filter(|letter| letter.is_alphabetic()).count() > 1;
    let is_sign = text.chars().count() == 1 && text.chars().all(|letter| signs.contains(letter));
    if has_words {
        return false;
    }
    let mut words = own_words(view, at);
    words.extend(view.node(at).attribute("title").map(words_of).unwrap_or_default());
    for inner in view.inside(at) {
        for name in ["class", "title", "alt", "icon", "src", "id"] {
            words.extend(view.node(inner).attribute(name).map(identifier_words).unwrap_or_default());
        }
        words.extend(words_of(&view.node(inner).name));
    }
    is_sign || words.iter().any(|word| meanings.iter().any(|meaning| same_word(word, meaning)))
}
