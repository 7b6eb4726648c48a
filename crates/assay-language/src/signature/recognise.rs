//! From a signature to the element that is clearly the same, or to a refusal with candidates.

use assay_protocol::{ElementLine, Scene, SceneNode, Signature};

use super::describe::describe_node;

/// How like two elements are, from 0 to 1, and what speaks for it.
#[derive(Debug, Clone, PartialEq)]
pub struct Likeness {
    pub score: f64,
    /// `same name, same test id; other place`.
    pub because: String,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Recognition {
    /// Everything that tells it apart is as it was.
    Same { reference: String },
    /// It changed, and is still clearly the one.
    Changed { reference: String, likeness: Likeness, margin: f64, now: Box<Signature> },
    /// None is like it enough, or several are.
    Refused { why: String, candidates: Vec<ElementLine> },
}

/// Below this an element is another one.
const LEAST_SCORE: f64 = 0.6;
/// As far the second must be behind.
const LEAST_MARGIN: f64 = 0.15;

pub fn recognise(signature: &Signature, scene: &Scene) -> Recognition {
    let mut ranked: Vec<(f64, String, usize, Signature)> = Vec::new();
    for (at, node) in scene.nodes.iter().enumerate() {
        if node.reference.is_none() || node.role == "text" && signature.role != "text" {
            continue;
        }
        if family(&node.role) != family(&signature.role) {
            continue;
        }
        let now = describe_node(scene, at);
        if is_another_entry(signature, &now) {
            continue;
        }
        let (score, because) = likeness(signature, &now);
        ranked.push((score, because, at, now));
    }
    ranked.sort_by(|one, other| other.0.total_cmp(&one.0));
    let same: Vec<&(f64, String, usize, Signature)> =
        ranked.iter().filter(|(_, _, _, now)| is_same(signature, now)).collect();
    if let [only] = same.as_slice() {
        return Recognition::Same { reference: reference_of(scene, only.2) };
    }
    if same.len() > 1 {
        // As alike as they were: then the place among them decides, if there are as many as there were.
        if same.len() == signature.place.1
            && let Some(found) = same.iter().find(|(_, _, _, now)| now.place == signature.place)
        {
            return Recognition::Same { reference: reference_of(scene, found.2) };
        }
        let why =
            format!("{} elements are described by it, and there were {}", same.len(), signature.place.1);
        return Recognition::Refused { why, candidates: lines(scene, same.iter().map(|entry| entry.2)) };
    }
    let Some((score, because, at, now)) = ranked.first().cloned() else {
        let why = format!("there is no {} on the page", signature.role);
        return Recognition::Refused { why, candidates: Vec::new() };
    };
    let margin = score - ranked.get(1).map_or(0.0, |second| second.0);
    let near = || lines(scene, ranked.iter().take(4).map(|entry| entry.2));
    if score < LEAST_SCORE {
        let why = format!("the likest has {score:.2} of at least {LEAST_SCORE:.2}: {because}");
        return Recognition::Refused { why, candidates: near() };
    }
    if margin < LEAST_MARGIN {
        let why = format!("two are alike: {score:.2}, and only {margin:.2} ahead of the second");
        return Recognition::Refused { why, candidates: near() };
    }
    Recognition::Changed {
        reference: reference_of(scene, at),
        likeness: Likeness { score, because },
        margin,
        now: Box::new(now),
    }
}

/// Whether nothing that tells the element apart has changed. Words beside it and styles may.
fn is_same(then: &Signature, now: &Signature) -> bool {
    let mark = |name: &str| then.marks.get(name) == now.marks.get(name);
    then.role == now.role
        && then.name == now.name
        && ["type", "id", "name", "testid", "label", "placeholder", "href"].into_iter().all(mark)
        && then.within.first() == now.within.first()
}

/// One of several with the same name was told apart by its row: in another row it is another element, however alike.
fn is_another_entry(then: &Signature, now: &Signature) -> bool {
    let kept = |mark: &str| then.marks.get(mark).is_some_and(|was| now.marks.get(mark) == Some(was));
    then.place.1 > 1
        && then.within.first().is_some_and(|place| now.within.first() != Some(place))
        && !kept("testid")
        && !kept("id")
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
        Evidence { what: "id", weight: 1.5, likeness: exact_mark("id") },
        Evidence { what: "address", weight: 2.0, likeness: exact_mark("href") },
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

/// How many words two names share, of all they have.
fn words_alike(one: &str, other: &str) -> f64 {
    let words = |text: &str| -> Vec<String> {
        let lower = text.to_lowercase();
        lower
            .split(|letter: char| !letter.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .map(str::to_string)
            .collect()
    };
    let (one, other) = (words(one), words(other));
    if one.is_empty() && other.is_empty() {
        return 1.0;
    }
    let shared = one.iter().filter(|word| other.contains(word)).count();
    2.0 * shared as f64 / (one.len() + other.len()) as f64
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
