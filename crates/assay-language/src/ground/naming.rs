//! How well an element matches the name in a sentence, and by which of its many names.

use crate::synonyms::{Variant, variants};
use crate::{ElementKind, Target};

use super::at_hand::names_content;
use super::context::{context_words, list_words, own_words, page_words};
use super::kinds::KIND_WORDS;
use super::leftover::{
    has_line_called, is_headed_by, is_part_of_a_line, plain_name, reverses, turns, without_menu_keys,
    without_shortcut,
};
use super::names::{identifiers, is_checkable, names};
use super::view::View;
use super::words::{
    Containment, all_among, bare, containment, fold, identifier_words, run_at, same_word, without_fillers,
    words_of,
};

/// The wanted name, read once for all candidates.
pub(crate) struct WantedName {
    quoted: Option<(String, String)>,
    /// Other ways to say the plain words; the words themselves first.
    said: Vec<Variant>,
    /// The thing repeats, so its words may say what sort of entry it is.
    of_a_sort: bool,
    /// The kind of thing, if the sentence names it.
    kind: Option<ElementKind>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Naming {
    pub(crate) level: f64,
    /// The very name, not a part of it or another word for it.
    pub(crate) exact: bool,
    /// The words are in its name, but what stands beside them makes it another thing: never acted on.
    pub(crate) turned: bool,
    pub(crate) how: String,
}

/// The maximum score of a different name: reported as the nearest, never chosen.
const TURNED: f64 = 0.45;

impl Naming {
    fn new(level: f64, exact: bool, how: impl Into<String>) -> Naming {
        Naming { level, exact, turned: false, how: how.into() }
    }

    fn turned(self) -> Naming {
        Naming { level: self.level.min(TURNED), exact: false, turned: true, ..self }
    }

    fn better(self, other: Option<Naming>) -> Naming {
        match other {
            Some(other) if other.level > self.level => other,
            _ => self,
        }
    }
}

/// Words that people add to what a thing is called: how it looks, where it is.
const BESIDE_THE_NAME: &[&str] = &[
    "address", "number", "field", "value", "input", "text", "main", "top", "bottom", "left", "right",
    "upper", "lower", "corner", "big", "large", "small", "blue", "red", "green", "grey", "gray", "black",
    "white", "orange", "yellow", "primary", "first", "same", "page", "day", "date", "time",
];

impl WantedName {
    pub(crate) fn of(target: &Target) -> WantedName {
        let quoted = target.quoted.as_deref().map(|text| (fold(text), bare(text)));
        let words: Vec<String> = target.words.iter().flat_map(|word| words_of(word)).collect();
        let said = if words.is_empty() { Vec::new() } else { variants(&without_fillers(&words)) };
        let of_a_sort = matches!(
            target.kind,
            Some(
                ElementKind::Item
                    | ElementKind::ListItem
                    | ElementKind::Row
                    | ElementKind::Option
                    | ElementKind::Node
                    | ElementKind::MenuItem
            )
        );
        WantedName { quoted, said, of_a_sort, kind: target.kind }
    }

    /// Neither a name nor a word for it was said, only its kind or its place.
    pub(crate) fn is_nameless(&self) -> bool {
        self.quoted.is_none() && self.said.is_empty()
    }

    /// None when the element bears no such name at all.
    pub(crate) fn naming(&self, view: &View, at: usize) -> Option<Naming> {
        if let Some((text, plain)) = &self.quoted {
            let naming = quoted_naming(view, at, text, plain, self.kind.is_some())?;
            if self.said.is_empty() {
                return Some(naming);
            }
            // `user "Anna"`: the word beside the name should fit, but it names nothing alone.
            let fits = self.said.iter().any(|way| {
                all_among(&way.words, &context_words(view, at)) || all_among(&way.words, &own_words(view, at))
            });
            return Some(Naming { level: naming.level * if fits { 1.0 } else { 0.95 }, ..naming });
        }
        self.said
            .iter()
            .filter_map(|way| {
                let naming = worded_naming(view, at, &way.words, self.kind, self.of_a_sort)?;
                let synonym = way.worth < 1.0;
                Some(Naming {
                    level: naming.level * way.worth,
                    exact: naming.exact && !synonym,
                    turned: naming.turned,
                    how: if synonym { format!("{}, which means the same", naming.how) } else { naming.how },
                })
            })
            .reduce(|best, next| best.better(Some(next)))
    }
}

fn quoted_naming(view: &View, at: usize, text: &str, plain: &str, of_a_kind: bool) -> Option<Naming> {
    let mut best: Option<Naming> = None;
    let mut offer = |naming: Naming| best = Some(naming.better(best.take()));
    for (name, weight, what) in names(view, at) {
        let folded = fold(&name);
        let label = |words: &str| format!("its {what} is {words}\"{name}\"");
        if what == "text" || what == "name" {
            // Asked only of what would be taken for the whole.
            let is_whole = folded == text || bare(&name) == *plain;
            if is_whole && is_part_of_a_line(view, at) {
                offer(Naming::new(weight * 0.7, false, format!("\"{name}\" is a part of its line")));
                continue;
            }
        }
        if folded == text {
            offer(Naming::new(weight, true, label("")));
        } else if bare(&name) == *plain
            || plain_name(&name) == plain_name(text)
            || bare(without_shortcut(&name)) == *plain
            || view.node(at).role.starts_with("menuitem") && bare(without_menu_keys(&name)) == *plain
        {
            offer(Naming::new(weight * 0.98, true, label("")));
        } else if containment(text, &folded) == Containment::Whole {
            // A small part of a long name is hardly the name, unless the kind of thing was said too.
            let most = 2 * words_of(text).len() >= words_of(&folded).len();
            let part = if most {
                0.7
            } else if of_a_kind {
                0.6
            } else {
                0.45
            };
            offer(Naming::new(weight * part, false, format!("its {what} has \"{text}\" in it")));
        }
    }
    for (name, weight, what) in identifiers(view, at) {
        let is_another = || turns(view, at, &words_of(text), &view.node(at).name);
        // People call a control by its text, not by its id: a plain word is not an id.
        let shows_another = what != "test id"
            && view.is_control(at)
            && !view.is_editable(at)
            && !view.node(at).name.trim().is_empty()
            && !text.contains(['-', '_', '.', '#']);
        let is_named_so = matches!(what, "test id" | "id" | "name attribute") && fold(&name) == text;
        if is_named_so && !shows_another && !is_another() {
            offer(Naming::new(weight, true, format!("its {what} is `{name}`")));
        }
    }
    // A part of a name may be a line of its own, and then it is a whole name after all.
    let is_part = best.as_ref().is_some_and(|naming| !naming.exact);
    if is_part
        && view.is_control(at)
        && view.has_children(at)
        && is_headed_by(view, at, text)
        && !has_entry_called(view, at, text)
        && !is_wide(view, at)
    {
        best = Some(Naming::new(0.94, true, format!("its first line is \"{text}\"")));
    }
    let mut offer = |naming: Naming| best = Some(naming.better(best.take()));
    if view.is_entry(at) {
        if is_part && has_line_called(view, at, text) {
            offer(Naming::new(0.95, true, format!("\"{text}\" is in it")));
        }
    } else if is_checkable(view, at) && nameless_in_entry(view, at) {
        let entry = view.entry_of(at)?;
        if view.inside(entry).any(|inner| fold(view.text(inner)) == text && !in_button(view, inner)) {
            offer(Naming::new(0.85, true, format!("its row has \"{text}\"")));
        }
    }
    best
}

fn worded_naming(
    view: &View,
    at: usize,
    wanted: &[String],
    kind: Option<ElementKind>,
    of_a_sort: bool,
) -> Option<Naming> {
    // The word for its kind was said as well.
    let mut said = wanted.to_vec();
    said.extend(match kind {
        Some(ElementKind::SearchField) => vec!["search".to_string(), "find".to_string()],
        Some(ElementKind::PasswordField) => vec!["password".to_string()],
        _ => Vec::new(),
    });
    let mut best: Option<Naming> = None;
    let mut offer = |naming: Naming| best = Some(naming.better(best.take()));
    let mut leftover: Option<Leftover> = None;
    let mut label_has_it = false;
    // The best of its names decides whether it is another thing; what programs call it cannot take that back.
    let mut turned_at: Option<(f64, bool)> = None;
    for (name, weight, what) in names(view, at) {
        let have = without_counts(without_fillers(&words_of(&name)), wanted);
        match level(wanted, &have) {
            Likeness::Fits(level) => {
                label_has_it = true;
                if turned_at.is_none_or(|(known, _)| level * weight > known) {
                    turned_at = Some((level * weight, turns(view, at, &said, &name)));
                }
                let verb = if level >= 0.97 { "is" } else { "has the words:" };
                offer(Naming::new(level * weight, level >= 0.97, format!("its {what} {verb} \"{name}\"")));
            }
            Likeness::Shorter(rest)
                if leftover.as_ref().is_none_or(|(known, ..)| known.len() > rest.len()) =>
            {
                leftover = Some((rest, weight, format!("its {what} is \"{name}\"")));
            }
            _ => {}
        }
    }
    offer_identifiers(view, at, wanted, &mut offer);
    if !label_has_it {
        offer_type(view, at, wanted, &mut offer);
    }
    if let Some((rest, weight, how)) = leftover {
        // "The response code" is rather a code than a response: the last word says what it is.
        let is_head = wanted.last().is_some_and(|last| rest.contains(last)) && wanted.len() > 1;
        let weight = if is_head && !view.is_control(at) { weight * 0.75 } else { weight };
        offer_leftover(view, at, (rest, weight, how), &mut offer);
    }
    offer_contents(view, at, wanted, &mut offer);
    if of_a_sort && view.is_entry(at) {
        offer_sort(view, at, wanted, &mut offer);
    }
    let best = best?;
    let is_another = match turned_at {
        Some((_, turned)) => turned,
        None => view.is_control(at) && turns(view, at, &said, &view.node(at).name),
    };
    Some(if is_another { best.turned() } else { best })
}

/// Words that a name does not have: they, the weight of the name, and how it was found.
type Leftover = (Vec<String>, f64, String);

/// The element's names in code.
fn offer_identifiers(view: &View, at: usize, wanted: &[String], offer: &mut impl FnMut(Naming)) {
    // "the text" is what is in a field; programs call any field so.
    if matches!(wanted, [only] if names_content(only)) {
        return;
    }
    for (name, weight, what) in identifiers(view, at) {
        let have = identifier_words(&name);
        // A class attribute holds several names; each is one.
        let parts: Vec<Vec<String>> = if what == "class" || what == "icon" {
            name.split_whitespace().map(identifier_words).collect()
        } else {
            vec![have]
        };
        for part in parts {
            if let Likeness::Fits(level) = level(wanted, &part) {
                offer(Naming::new(level * weight, false, format!("its {what} is `{name}`")));
            }
        }
    }
}

/// A field without a label that says so may say so by its type.
fn offer_type(view: &View, at: usize, wanted: &[String], offer: &mut impl FnMut(Naming)) {
    let Some(kind) = view.node(at).attribute("type") else { return };
    let meaning = match kind {
        "tel" => "phone",
        // What belongs into such a field. Of other types, nearly every field is a `text`.
        "search" | "email" | "password" | "url" | "date" | "time" | "month" | "week" | "color" | "file"
        | "submit" => kind,
        _ => return,
    };
    let weight = if view.node(at).name.is_empty() { 0.9 } else { 0.7 };
    if wanted.len() == 1 && same_word(&wanted[0], meaning) && (kind != "submit" || sends_a_form(view, at)) {
        offer(Naming::new(weight, false, format!("its type is {kind}")));
    }
}

/// A name that is shorter than what was said counts where the rest is around it.
fn offer_leftover(view: &View, at: usize, leftover: Leftover, offer: &mut impl FnMut(Naming)) {
    let (rest, weight, how) = leftover;
    let context = context_words(view, at);
    if rest.iter().all(|word| BESIDE_THE_NAME.contains(&word.as_str())) {
        offer(Naming::new(0.8 * weight, false, how));
    } else if all_among(&rest, &context) {
        offer(Naming::new(0.9 * weight, true, format!("{how}, and \"{}\" is around it", rest.join(" "))));
    } else if all_among(&rest, &page_words(view)) {
        offer(Naming::new(0.72 * weight, false, format!("{how}, on a page about \"{}\"", rest.join(" "))));
    } else {
        offer(Naming::new(0.35 * weight, false, how));
    }
}

/// An entry of a list is named by what is in it, and a nameless checkbox by its row.
fn offer_contents(view: &View, at: usize, wanted: &[String], offer: &mut impl FnMut(Naming)) {
    if view.is_entry(at) {
        for inner in view.inside(at).filter(|inner| !view.has_children(*inner) && !view.is_editable(*inner)) {
            if let Likeness::Fits(level) = level(wanted, &without_fillers(&words_of(view.text(inner))))
                && !is_part_of_a_line(view, inner)
            {
                offer(Naming::new(level * 0.95, level >= 0.97, format!("\"{}\" is in it", view.text(inner))));
            }
        }
        if all_among(wanted, &words_of(view.text(at))) {
            offer(Naming::new(0.68, false, "its words are in it"));
        }
    } else if is_checkable(view, at)
        && nameless_in_entry(view, at)
        && let Some(entry) = view.entry_of(at)
        && all_among(wanted, &words_beside_buttons(view, entry))
    {
        offer(Naming::new(0.82, false, "its row has the words"));
    }
}

/// "A ticket" is an entry of a list of tickets, by its class, its list or the page.
fn offer_sort(view: &View, at: usize, wanted: &[String], offer: &mut impl FnMut(Naming)) {
    let node = view.node(at);
    let own =
        ["class", "testid", "id"].iter().filter_map(|name| node.attribute(name)).flat_map(identifier_words);
    if all_among(wanted, &own.collect::<Vec<_>>()) {
        offer(Naming::new(0.92, false, "its class matches"));
    } else if all_among(wanted, &list_words(view, at)) {
        offer(Naming::new(0.88, false, "its list has that name"));
    } else if all_among(wanted, &page_words(view)) {
        offer(Naming::new(0.75, false, "the page is about such things"));
    }
}

/// A button of that type is one that sends only where there is something to send, and not when it says the opposite.
fn sends_a_form(view: &View, at: usize) -> bool {
    let in_form = view
        .scene
        .ancestors(at)
        .any(|around| matches!(view.node(around).role.as_str(), "form" | "search" | "dialog"));
    (in_form || view.all().any(|other| view.is_editable(other))) && !reverses(&view.node(at).name)
}

/// `Basket (2)` is the basket: a count beside a name is not part of it, unless a number was said.
fn without_counts(have: Vec<String>, wanted: &[String]) -> Vec<String> {
    let is_count = |word: &String| word.bytes().all(|byte| byte.is_ascii_digit());
    if wanted.iter().any(is_count) || have.iter().all(is_count) {
        return have;
    }
    have.into_iter().filter(|word| !is_count(word)).collect()
}

enum Likeness {
    Fits(f64),
    /// All that the name has was said, and these words besides.
    Shorter(Vec<String>),
    Other,
}

fn level(wanted: &[String], have: &[String]) -> Likeness {
    if wanted.is_empty() || have.is_empty() {
        return Likeness::Other;
    }
    if wanted == have {
        return Likeness::Fits(1.0);
    }
    if wanted.len() == have.len() && run_at(wanted, have).is_some() || wanted.concat() == have.concat() {
        return Likeness::Fits(0.98);
    }
    let plain: Vec<String> =
        have.iter().filter(|word| !KIND_WORDS.contains(&word.as_str())).cloned().collect();
    if plain == wanted {
        return Likeness::Fits(0.97);
    }
    let ratio = wanted.len() as f64 / have.len() as f64;
    if let Some(start) = run_at(wanted, have) {
        return Likeness::Fits((0.35 + 0.6 * ratio + if start == 0 { 0.06 } else { 0.0 }).min(0.92));
    }
    if all_among(wanted, have) {
        return Likeness::Fits((0.3 + 0.55 * ratio).min(0.88));
    }
    if all_among(have, wanted) {
        let rest =
            wanted.iter().filter(|word| !have.iter().any(|other| same_word(word, other))).cloned().collect();
        return Likeness::Shorter(rest);
    }
    Likeness::Other
}

/// A control without a name is known by the row it stands in, when no other of its kind is there.
fn nameless_in_entry(view: &View, at: usize) -> bool {
    let node = view.node(at);
    let telling =
        node.name.is_empty() || ["select", "select row", "select item"].contains(&fold(&node.name).as_str());
    telling
        && view.entry_of(at).is_some_and(|entry| {
            view.inside(entry).filter(|inner| view.node(*inner).role == node.role).count() == 1
        })
}

/// The text of a button in a row is not the content of the row.
fn in_button(view: &View, at: usize) -> bool {
    std::iter::once(at).chain(view.scene.ancestors(at)).any(|around| view.node(around).role == "button")
}

fn words_beside_buttons(view: &View, entry: usize) -> Vec<String> {
    let texts =
        view.inside(entry).filter(|inner| view.node(*inner).role == "text" && !in_button(view, *inner));
    texts.flat_map(|inner| words_of(view.text(inner))).collect()
}
/// Whether an entry or a control inside bears the name: then it is not the name of what is around it.
fn has_entry_called(view: &View, at: usize, text: &str) -> bool {
    const ENTRIES: &[&str] = &[
        "option",
        "listitem",
        "menuitem",
        "menuitemradio",
        "treeitem",
        "tab",
        "button",
        "link",
        "clickable",
    ];
    view.inside(at).any(|inner| {
        let node = view.node(inner);
        node.reference.is_some() && ENTRIES.contains(&node.role.as_str()) && fold(&node.name) == text
    })
}

/// A drawing area or a whole column takes clicks for all that is in it, and is not called by the first thing there.
fn is_wide(view: &View, at: usize) -> bool {
    let [_, _, width, height] = view.node(at).area;
    let [across, down] = view.scene.view;
    across > 0.0 && down > 0.0 && width * height > across * down / 4.0
}
