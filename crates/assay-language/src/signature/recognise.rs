//! Finds the element that clearly matches a signature, or refuses with candidates.

use assay_protocol::{ElementLine, FoundAgain, Scene, SceneNode, Signature};

use super::describe::{describe_node, is_entry, shortened};
use crate::ground::words::words_of;
use crate::synonyms::variants;

/// How like two elements are, from 0 to 1, and what speaks for it.
#[derive(Debug, Clone, PartialEq)]
pub struct Likeness {
    pub score: f64,
    /// `same name, same test id; other place`.
    pub because: String,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Recognition {
    /// All identifying attributes are unchanged.
    Same { reference: String },
    /// It changed, and is still clearly the one.
    Changed {
        reference: String,
        likeness: Likeness,
        margin: f64,
        /// The next of its kind, in words.
        runner_up: Option<String>,
        now: Box<Signature>,
    },
    /// None is like it enough, or several are.
    Refused { why: String, candidates: Vec<ElementLine> },
}

/// Below this an element is another one.
const LEAST_SCORE: f64 = 0.6;
/// The same if a single attribute identifies it.
const LEAST_WITH_PROOF: f64 = 0.08;
/// As far the second must be behind.
const LEAST_MARGIN: f64 = 0.15;

/// An element that could be the one, and how like it is.
struct Ranked {
    score: f64,
    because: String,
    at: usize,
    now: Signature,
}

pub fn recognise(signature: &Signature, scene: &Scene) -> Recognition {
    if let Some(at) = plainly_the_same(signature, scene) {
        return Recognition::Same { reference: reference_of(scene, at) };
    }
    let ranked = of_its_entry(signature, rank(signature, scene));
    let same: Vec<&Ranked> = ranked.iter().filter(|entry| is_same(signature, &entry.now)).collect();
    if let [only] = same.as_slice() {
        return Recognition::Same { reference: reference_of(scene, only.at) };
    }
    if same.len() > 1 {
        // As alike as they were: then the place among them decides, if there are as many as there were.
        if same.len() == signature.place.1
            && let Some(found) = same.iter().find(|entry| entry.now.place == signature.place)
        {
            return Recognition::Same { reference: reference_of(scene, found.at) };
        }
        let why =
            format!("{} elements match the description, and there were {}", same.len(), signature.place.1);
        return Recognition::Refused { why, candidates: lines(scene, same.iter().map(|entry| entry.at)) };
    }
    let Some(best) = likest(signature, &ranked) else {
        let why = format!("there is no {} on the page", signature.role);
        return Recognition::Refused { why, candidates: Vec::new() };
    };
    let Likest { entry, second, by } = best;
    let margin = entry.score - second.map_or(0.0, |second| second.score);
    let refused = |why: String| Recognition::Refused {
        why,
        candidates: lines(scene, ranked.iter().take(4).map(|entry| entry.at)),
    };
    let score = entry.score;
    let least = if by.is_some() { LEAST_WITH_PROOF } else { LEAST_SCORE };
    if score < least {
        return refused(format!(
            "the most similar element scores {score:.2}, below {least:.2}: {}",
            entry.because
        ));
    }
    if by.is_none() && margin < LEAST_MARGIN {
        return refused(format!(
            "two elements are similar: {score:.2}, only {margin:.2} ahead of the second"
        ));
    }
    if means_otherwise(signature, &entry.now) {
        let (was, is) = (&signature.name, &entry.now.name);
        return refused(format!(
            "the most similar element is called \"{is}\", which does not mean \"{was}\""
        ));
    }
    let because = match by {
        Some(by) => format!("{by}; {}", entry.because),
        None => entry.because.clone(),
    };
    Recognition::Changed {
        reference: reference_of(scene, entry.at),
        likeness: Likeness { score, because },
        margin,
        runner_up: second.map(|second| told(&second.now)),
        now: Box::new(entry.now.clone()),
    }
}

/// The element that is most likely the one.
struct Likest<'a> {
    entry: &'a Ranked,
    /// The likest of the others.
    second: Option<&'a Ranked>,
    /// The single attribute that distinguishes it from all others, if there is one.
    by: Option<&'static str>,
}

/// An element with the same function is the same, whatever its name: the field whose value is sent under the same name,
/// the button that submits the same form. If no function is known, or several share it, the most similar.
fn likest<'a>(signature: &Signature, ranked: &'a [Ranked]) -> Option<Likest<'a>> {
    for (by, proves) in PROOFS {
        let proved: Vec<&Ranked> = ranked.iter().filter(|entry| proves(signature, &entry.now)).collect();
        if let [only] = proved.as_slice() {
            // They are in order, the likest first.
            let second = ranked.iter().find(|entry| entry.at != only.at);
            return Some(Likest { entry: only, second, by: Some(by) });
        }
    }
    let entry = ranked.first()?;
    Some(Likest { entry, second: ranked.get(1), by: None })
}

type Proves = fn(&Signature, &Signature) -> bool;

/// The strongest first. Each counts only where one element alone has it.
const PROOFS: &[(&str, Proves)] = &[
    ("the only one with its test id", |then, now| same_mark(then, now, "testid")),
    ("the only one whose value is sent under this name", |then, now| {
        same_mark(then, now, "name")
            && then.marks.get("choice") == now.marks.get("choice")
            && then.marks.get("sends") == now.marks.get("sends")
            && then.marks.get("submits") == now.marks.get("submits")
    }),
    ("the only one that sends this", |then, now| {
        same_mark(then, now, "submits")
            && then.marks.get("carries") == now.marks.get("carries")
            && then.marks.get("name") == now.marks.get("name")
            && then.marks.get("choice") == now.marks.get("choice")
    }),
    ("the only one that leads there", |then, now| same_mark(then, now, "href")),
    ("the only one with its id", |then, now| same_mark(then, now, "id") && !is_contradicted(then, now)),
    ("the only one in its row", |then, now| {
        then.place.1 > 1 && in_the_same_entry(then, now) && !is_contradicted(then, now)
    }),
    ("the only one of its kind, as before", |then, now| {
        let field = family(&then.role) != "pressed";
        let same_making =
            then.marks.get("tag") == now.marks.get("tag") && then.marks.get("type") == now.marks.get("type");
        then.kind == (1, 1) && now.kind == (1, 1) && (!field || same_making) && !is_contradicted(then, now)
    }),
];

/// Whether something that says what an element does is another now.
fn is_contradicted(then: &Signature, now: &Signature) -> bool {
    ["name", "choice", "submits", "sends", "carries", "href"]
        .into_iter()
        .any(|mark| matches!((then.marks.get(mark), now.marks.get(mark)), (Some(was), Some(is)) if was != is))
}

fn same_mark(then: &Signature, now: &Signature, mark: &str) -> bool {
    then.marks.get(mark).is_some_and(|was| now.marks.get(mark) == Some(was))
}

/// Whether an element that was chosen by its words matches the signature. Two witnesses need less margin than one, but
/// if another element is more similar, they disagree.
pub fn find_again(signature: &Signature, scene: &Scene, reference: &str) -> Result<FoundAgain, String> {
    let at = |entry: &&Ranked| scene.nodes[entry.at].reference.as_deref() == Some(reference);
    let all = rank(signature, scene);
    let Some(chosen) = all.iter().find(at) else {
        return Err(format!("a {} was recorded, and this is not one", signature.role));
    };
    let ranked = of_its_entry(signature, rank(signature, scene));
    let other = ranked.iter().find(|entry| !at(entry));
    let margin = chosen.score - other.map_or(0.0, |other| other.score);
    // The same function counts more than the same name.
    let liker = likest(signature, &ranked).map(|likest| likest.entry).filter(|liker| liker.at != chosen.at);
    if let Some(liker) = liker {
        return Err(format!(
            "the words point to {}, but the recording points to {} ({})",
            told(&chosen.now),
            told(&liker.now),
            liker.because
        ));
    }
    Ok(FoundAgain {
        was: signature.clone(),
        now: chosen.now.clone(),
        score: chosen.score,
        margin,
        runner_up: other.map(|other| told(&other.now)),
        because: chosen.because.clone(),
    })
}

fn told(signature: &Signature) -> String {
    format!("{} \"{}\"", signature.role, signature.name)
}

/// The quick way: the only element with its role and name, with all identifying attributes unchanged.
fn plainly_the_same(signature: &Signature, scene: &Scene) -> Option<usize> {
    let mut alike = scene.nodes.iter().enumerate().filter(|(_, node)| {
        node.role == signature.role && shortened(&node.name) == signature.name && node.reference.is_some()
    });
    let (at, _) = alike.next()?;
    (alike.next().is_none() && is_same(signature, &describe_node(scene, at))).then_some(at)
}

/// All that could be the element, the likest first.
fn rank(signature: &Signature, scene: &Scene) -> Vec<Ranked> {
    let mut ranked: Vec<Ranked> = Vec::new();
    for (at, node) in scene.nodes.iter().enumerate() {
        if node.reference.is_none() || node.role == "text" && signature.role != "text" {
            continue;
        }
        if family(&node.role) != family(&signature.role) {
            continue;
        }
        let now = describe_node(scene, at);
        let (score, because) = likeness(signature, &now);
        ranked.push(Ranked { score, because, at, now });
    }
    ranked.sort_by(|one, other| other.score.total_cmp(&one.score));
    ranked
}

fn of_its_entry(signature: &Signature, mut ranked: Vec<Ranked>) -> Vec<Ranked> {
    ranked.retain(|entry| !is_another_entry(signature, &entry.now));
    ranked
}

/// Whether all identifying attributes are unchanged. Words beside it and styles may differ.
fn is_same(then: &Signature, now: &Signature) -> bool {
    then.is_marked_like(now) && entry_around(then) == entry_around(now)
}

/// Among elements with the same name, the row identifies one: in another row it is another element, however similar.
fn is_another_entry(then: &Signature, now: &Signature) -> bool {
    then.place.1 > 1
        && !then.within.is_empty()
        && !in_the_same_entry(then, now)
        && !same_mark(then, now, "testid")
        && !same_mark(then, now, "id")
}

/// Whether the row, card or entry around both says the same. What a list is made of may change: rows become cards.
fn in_the_same_entry(then: &Signature, now: &Signature) -> bool {
    let Some((_, was)) = entry_around(then) else { return false };
    now.within.iter().filter_map(|place| parts_of(place)).any(|(_, is)| words_alike(was, is) >= SAME_ENTRY)
}

/// The nearest row or card, else the nearest place: its role and its words.
fn entry_around(signature: &Signature) -> Option<(&str, &str)> {
    let mut places = signature.within.iter().filter_map(|place| parts_of(place));
    places.clone().find(|(role, _)| is_entry(role)).or_else(|| places.next())
}

fn parts_of(place: &str) -> Option<(&str, &str)> {
    place.split_once(' ')
}

/// A row may have got another cell, or lost one.
const SAME_ENTRY: f64 = 0.7;

/// Words that undo, leave or put off: a control that has got one of them does something else.
const OTHERWISE: &[&str] = &[
    "delete",
    "remove",
    "discard",
    "cancel",
    "reset",
    "clear",
    "close",
    "dismiss",
    "back",
    "skip",
    "no",
    "not",
    "decline",
    "reject",
    "refuse",
    "abort",
    "undo",
    "revert",
    "restore",
    "draft",
    "preview",
    "later",
    "unsubscribe",
    "deactivate",
    "disable",
    "block",
    "archive",
    "leave",
    "exit",
    "logout",
    "signout",
    "forgot",
    "without",
];

/// Whether a control that is pressed now says something else than it did: it may look the same, and must not be
/// pressed to find out.
fn means_otherwise(then: &Signature, now: &Signature) -> bool {
    if family(&then.role) != "pressed" || then.name.is_empty() || now.name.is_empty() {
        return false;
    }
    let (was, is) = (words_of(&then.name), words_of(&now.name));
    is.iter().any(|word| OTHERWISE.contains(&word.as_str()) && !was.contains(word))
        && words_alike(&then.name, &now.name) < 0.8
}

struct Evidence {
    what: &'static str,
    weight: f64,
    /// None where the signature says nothing of it.
    likeness: Option<f64>,
}

fn likeness(then: &Signature, now: &Signature) -> (f64, String) {
    let mark = |name: &str| {
        let was = then.marks.get(name)?;
        Some(now.marks.get(name).map_or(0.0, |is| words_alike(was, is)))
    };
    let exact_mark = |name: &str| {
        let was = then.marks.get(name)?;
        Some(f64::from(u8::from(now.marks.get(name) == Some(was))))
    };
    let listed = |was: &[String], is: &[String]| {
        let told: Vec<&String> = was.iter().filter(|words| !words.is_empty()).collect();
        (!told.is_empty())
            .then(|| told.iter().filter(|words| is.contains(words)).count() as f64 / told.len() as f64)
    };
    let named = (!then.name.is_empty()).then(|| words_alike(&then.name, &now.name));
    let evidence = [
        Evidence { what: "name", weight: 5.0, likeness: named },
        Evidence { what: "test id", weight: 4.0, likeness: exact_mark("testid") },
        Evidence { what: "label", weight: 2.0, likeness: mark("label") },
        Evidence { what: "placeholder", weight: 1.0, likeness: mark("placeholder") },
        Evidence { what: "field name", weight: 2.0, likeness: exact_mark("name") },
        Evidence { what: "choice", weight: 2.0, likeness: exact_mark("choice") },
        Evidence { what: "hidden values", weight: 2.0, likeness: exact_mark("carries") },
        Evidence { what: "id", weight: 1.5, likeness: exact_mark("id") },
        Evidence { what: "address", weight: 2.0, likeness: exact_mark("href") },
        Evidence { what: "form", weight: 2.0, likeness: exact_mark("submits") },
        Evidence { what: "type", weight: 1.0, likeness: exact_mark("type") },
        Evidence { what: "role", weight: 1.0, likeness: Some(f64::from(u8::from(then.role == now.role))) },
        Evidence { what: "place", weight: 2.0, likeness: listed(&then.within, &now.within) },
        Evidence { what: "neighbours", weight: 1.0, likeness: listed(&then.near, &now.near) },
    ];
    let (mut sum, mut weights) = (0.0, 0.0);
    let (mut same, mut other) = (Vec::new(), Vec::new());
    for one in &evidence {
        let Some(likeness) = one.likeness else { continue };
        sum += one.weight * likeness;
        weights += one.weight;
        if likeness >= 0.99 {
            same.push(one.what);
        } else {
            other.push(one.what);
        }
    }
    let said = |head: &str, list: &[&str]| {
        if list.is_empty() { String::new() } else { format!("{head} {}", list.join(", ")) }
    };
    let parts: Vec<String> =
        [said("same", &same), said("other", &other)].into_iter().filter(|part| !part.is_empty()).collect();
    let score: f64 = if weights > 0.0 { sum / weights } else { 0.0 };
    (score, parts.join("; "))
}

/// How many words two names share, of all they have; other words for the same count a little less.
fn words_alike(one: &str, other: &str) -> f64 {
    let (one, other) = (words_of(one), words_of(other));
    if one.is_empty() && other.is_empty() {
        return 1.0;
    }
    let shared = |words: &[String]| {
        let common = words.iter().filter(|word| other.contains(word)).count();
        2.0 * common as f64 / (words.len() + other.len()) as f64
    };
    let alike = variants(&one).iter().map(|way| way.worth * shared(&way.words)).fold(0.0, f64::max);
    // A name that only says more is the same name.
    let only_more = !one.is_empty() && one.iter().all(|word| other.contains(word));
    if only_more { alike.max(0.8) } else { alike }
}

/// Roles that one thing may have before and after a change of its making.
fn family(role: &str) -> &str {
    match role {
        "button" | "link" | "clickable" | "menuitem" | "tab" | "summary" => "pressed",
        "textbox" | "searchbox" | "spinbutton" | "date" | "time" => "typed into",
        "combobox" | "listbox" => "chosen from",
        "checkbox" | "switch" => "ticked",
        other => other,
    }
}

fn reference_of(scene: &Scene, at: usize) -> String {
    scene.nodes[at].reference.clone().unwrap_or_default()
}

fn lines(scene: &Scene, places: impl Iterator<Item = usize>) -> Vec<ElementLine> {
    places.map(|at| line(&scene.nodes[at])).collect()
}

fn line(node: &SceneNode) -> ElementLine {
    ElementLine {
        reference: node.reference.clone().unwrap_or_default(),
        role: node.role.clone(),
        name: node.name.clone(),
        value: node.value.clone(),
        states: node.states.clone(),
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
