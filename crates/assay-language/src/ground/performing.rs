//! Verbs of the application: the control that is called so, and the fields that a new thing asks for.
//!
//! Nothing is guessed: a control counts only if all of its name is said, and what no rule knows how to do ("as a
//! viewer", "all of them") is asked back.

use crate::synonyms::{SYNONYM, variants};
use crate::{Act, ClickKind, Decision, ElementKind, Nearness, Performance, PlannedAction, Relation, Target};

use super::Grounding;
use super::context::{context_words, own_words, page_words};
use super::entering::takes_text;
use super::evidence::Evidence;
use super::explain::{missing, unclear_among};
use super::find::{SearchResult, find};
use super::view::View;
use super::words::{all_among, same_word, words_of};

/// Verbs after which there is a new thing.
const MAKING: &[&str] = &["add", "create", "make", "insert", "post", "register", "new", "write", "compose"];

/// Verbs that buttons use for each other.
const SAME_VERBS: &[&[&str]] = &[
    &["add", "create", "new"],
    &["delete", "remove"],
    &["edit", "modify", "change"],
    &["log", "sign"],
    &["start", "begin"],
];

/// Words in the name of a control that say nothing about what it is for.
const SMALL: &[&str] =
    &["a", "an", "the", "this", "new", "your", "my", "to", "for", "it", "now", "another", "of", "here", "up"];

impl Grounding<'_> {
    pub(super) fn perform(&self, asked: &Performance) -> Decision {
        if let Some(words) = asked.manner.first() {
            return asks_back(asked, format!("assay does not know how `{words}` is done here"));
        }
        if asked.refers {
            return asks_back(asked, "it is not clear which one is meant".to_string());
        }
        let needs_more = asked.name.is_some() || asked.ordinal.is_some() || !asked.fields.is_empty();
        if needs_more && let Some(place) = asked.place.as_ref().filter(|place| !is_here(place)) {
            return asks_back(asked, format!("assay does not know how `{}` is meant here", place.said));
        }
        let makes = MAKING.contains(&asked.verb.as_str());
        if makes && (asked.name.is_some() || !asked.fields.is_empty()) {
            return self.make(asked);
        }
        if !asked.fields.is_empty() {
            return asks_back(asked, "assay does not know where these values go".to_string());
        }
        if asked.name.is_some() || asked.ordinal.is_some() {
            return self.perform_on_entry(asked);
        }
        match self.control_for(asked) {
            Ok((at, because)) => self.clicked(at, because, ClickKind::Single),
            Err(decision) => decision,
        }
    }

    /// `Archive the channel "news"`, "Edit the first post": the control in the entry of that thing.
    fn perform_on_entry(&self, asked: &Performance) -> Decision {
        let kind = asked.object.is_empty().then_some(ElementKind::Item).filter(|_| asked.ordinal.is_some());
        let entry = Target {
            said: asked.said.clone(),
            quoted: asked.name.clone(),
            words: if asked.name.is_some() { Vec::new() } else { asked.object.clone() },
            ordinal: asked.ordinal,
            kind,
            ..Target::default()
        };
        let how = if asked.ordinal.is_some() { Nearness::Inside } else { Nearness::For };
        let target = Target {
            said: asked.said.clone(),
            words: vec![asked.verb.clone()],
            relations: vec![Relation { how, to: entry }],
            ..Target::default()
        };
        self.click(&target, ClickKind::Single)
    }

    /// The only control whose whole name is the verb, or the verb and the thing.
    fn control_for(&self, asked: &Performance) -> Result<(usize, Evidence), Decision> {
        let view = self.view;
        let place = asked.place.as_ref();
        let mut best: Vec<usize> = Vec::new();
        let mut most = 0;
        for at in view.all() {
            let is_pressed =
                view.node(at).reference.is_some() && view.is_control(at) && !view.is_editable(at);
            let is_behind = view.modal().is_some_and(|modal| !view.is_within(at, modal));
            if !is_pressed || is_behind {
                continue;
            }
            let worth = worth_of_name(view, at, asked);
            if worth > most {
                (best, most) = (Vec::new(), worth);
            }
            if worth == most && worth > 0 {
                best.push(at);
            }
        }
        // A place narrows; where nothing is called so, the words of the place may be in the name: "Add to cart".
        if let Some(place) = place {
            let target = Target {
                said: asked.said.clone(),
                words: std::iter::once(asked.verb.clone()).chain(asked.object.iter().cloned()).collect(),
                relations: vec![Relation { how: Nearness::Inside, to: place.clone() }],
                ..Target::default()
            };
            return match find(&self.search(super::clicking::clickable), &target) {
                SearchResult::One(found) if best.contains(&found.at) => {
                    Ok((found.at, Evidence::of(view, &found)))
                }
                _ => Err(asks_back(asked, "no control there is called so".to_string())),
            };
        }
        // A bare verb may be that of anything on the page.
        const WHOLE: &[&str] =
            &["dialog", "dialogue", "popup", "window", "modal", "banner", "tour", "form", "page"];
        let is_whole = asked.object.iter().all(|word| WHOLE.contains(&word.as_str()));
        let is_about = |at: usize| all_among(&asked.object, &context_words(view, at));
        let is_alone = |at: usize| is_whole || view.entry_of(at).is_none() && is_about(at);
        match best.as_slice() {
            [only] if most > 1 || is_alone(*only) => {
                Ok((*only, format!("{} is called so", view.describe(*only)).into()))
            }
            [] => Err(missing(view, format!("no control on the page is called as in `{}`", asked.said), &[])),
            several if let Some(found) = self.in_named_entry(asked, several) => Ok(found),
            several => {
                let target = Target { said: asked.said.clone(), ..Target::default() };
                Err(unclear_among(view, &target, several, "it is called so"))
            }
        }
    }

    /// "Delete the lamp": of several controls called so, the one in the only entry that has all of these words.
    fn in_named_entry(&self, asked: &Performance, several: &[usize]) -> Option<(usize, Evidence)> {
        let view = self.view;
        let mut named = several.iter().copied().filter(|at| {
            view.entry_of(*at).is_some_and(|entry| {
                !asked.object.is_empty() && all_among(&asked.object, &words_of(view.text(entry)))
            })
        });
        match (named.next(), named.next()) {
            (Some(at), None) => {
                Some((at, format!("{} is in the entry that is named", view.describe(at)).into()))
            }
            _ => None,
        }
    }

    /// `Add the task "Milk"`: its fields where they are to be seen, else the control that brings them.
    fn make(&self, asked: &Performance) -> Decision {
        let named = asked.name.iter().map(|name| (String::new(), name.clone()));
        let values: Vec<(String, String)> = named.chain(asked.fields.iter().cloned()).collect();
        let places: Vec<Option<usize>> =
            values.iter().map(|(label, _)| self.field_of_new(asked, label)).collect();
        let are_apart = (1..places.len()).all(|at| !places[..at].contains(&places[at]));
        if places.iter().all(Option::is_some) && are_apart {
            return self.fill_in(&values, &places);
        }
        if asked.tries > 0 {
            return asks_back(asked, "the page does not show which fields take these values".to_string());
        }
        match self.control_for(asked) {
            Ok((at, because)) => match self.clicked(at, because, ClickKind::Single) {
                Decision::Do(planned) => {
                    let then = Performance { tries: asked.tries + 1, ..asked.clone() };
                    Decision::Do(PlannedAction { then: Some(Act::Perform(Box::new(then))), ..planned })
                }
                other => other,
            },
            Err(decision) => decision,
        }
    }

    /// Every value into its field, then what sends them.
    fn fill_in(&self, values: &[(String, String)], places: &[Option<usize>]) -> Decision {
        let mut acts: Vec<Act> = Vec::new();
        for ((_, value), at) in values.iter().zip(places) {
            let Some(at) = at else { continue };
            let name = self.view.line(*at).name;
            acts.push(Act::Enter { target: Some(field_called(&name)), text: value.clone() });
        }
        let Some(first) = places.first().copied().flatten() else {
            return missing(self.view, "there is no field".to_string(), &[]);
        };
        let because = format!("{}: it takes what is new", self.view.describe(first));
        let decision = super::done(self.put(first, because.into(), &values[0].1));
        acts.remove(0);
        acts.push(Act::Submit { target: None });
        match decision {
            Decision::Do(planned) => {
                let then = if acts.len() == 1 { acts.pop() } else { Some(Act::Sequence(acts)) };
                Decision::Do(PlannedAction { then, ..planned })
            }
            other => other,
        }
    }

    /// The field for a value: by its label; without one, by the thing's name, "name" or "title", or the only field.
    fn field_of_new(&self, asked: &Performance, label: &str) -> Option<usize> {
        let view = self.view;
        let by_words = |words: Vec<String>| {
            let target = Target { said: words.join(" "), words, ..Target::default() };
            match find(&self.search(takes_text), &target) {
                SearchResult::One(found)
                    if found.exact && takes_text(view, found.at) > 0.0 && view.is_editable(found.at) =>
                {
                    Some(found.at)
                }
                _ => None,
            }
        };
        if !label.is_empty() {
            return by_words(words_of(label));
        }
        let is_field = |at: &usize| {
            let node = view.node(*at);
            view.is_editable(*at)
                && node.reference.is_some()
                && matches!(node.role.as_str(), "textbox" | "combobox")
                && node.attribute("type") != Some("search")
                && view.modal().is_none_or(|modal| view.is_within(*at, modal))
        };
        let fields: Vec<usize> = view.all().filter(is_field).collect();
        let with = |word: &str| {
            let mut words = asked.object.clone();
            words.push(word.to_string());
            words
        };
        let mut ways = vec![with("name"), with("title")];
        // Before anything was opened, "Name" may be that of another thing.
        let is_open = asked.tries > 0 || view.modal().is_some();
        if is_open {
            ways.extend([asked.object.clone(), vec!["name".into()], vec!["title".into()]]);
        }
        let by_name = ways.into_iter().filter(|words| !words.is_empty()).find_map(by_words);
        let by_name = by_name.filter(|at| fields.contains(at));
        // The only field belongs to what is new where nothing else on the page begins it.
        let only = match fields.as_slice() {
            [only]
                if is_open
                    || matches!(self.control_for(asked), Err(Decision::Missing { .. }))
                        && is_for(view, *only, &asked.object) =>
            {
                Some(*only)
            }
            _ => None,
        };
        by_name.or(only)
    }
}

/// How well the whole name of a control says what is asked: 2 for verb and thing, 1 for the verb alone.
fn worth_of_name(view: &View, at: usize, asked: &Performance) -> u8 {
    let worth = |name: &str| worth_of_words(&words_of(name), asked);
    let name = &view.node(at).name;
    match worth(if name.is_empty() { view.text(at) } else { name }) {
        // What people read on it counts too, if it says all that is asked.
        0 if worth(view.text(at)) == 2 => 2,
        worth => worth,
    }
}

fn worth_of_words(words: &[String], asked: &Performance) -> u8 {
    let plain: Vec<&String> = words.iter().filter(|word| !SMALL.contains(&word.as_str())).collect();
    let verb = words_of(&asked.verb);
    let same = SAME_VERBS.iter().find(|group| group.contains(&asked.verb.as_str()));
    let is_own = |word: &String| verb.iter().any(|own| same_word(own, word));
    let is_verb = |word: &String| is_own(word) || same.is_some_and(|group| group.contains(&word.as_str()));
    // "New project" has no verb but that.
    let makes = MAKING.contains(&asked.verb.as_str());
    let has_verb = words.iter().any(is_verb) || makes && words.first().is_some_and(|first| first == "new");
    let others: Vec<&&String> = plain.iter().filter(|word| !is_verb(word)).collect();
    let is_said = |word: &&&String| asked.object.iter().any(|own| same_word(own, word));
    match others.as_slice() {
        _ if !has_verb => 0,
        [] if words.len() <= 3 && (words.iter().any(is_own) || makes) => 1,
        others if others.iter().all(is_said) && others.len() == asked.object.len() => 2,
        _ => 0,
    }
}

/// Whether a field, what is around it or the page is about such things.
fn is_for(view: &View, at: usize, object: &[String]) -> bool {
    let node = view.node(at);
    let is_plain = !matches!(node.attribute("type"), Some("email" | "password" | "tel" | "url" | "search"));
    let mut around = own_words(view, at);
    around.extend(context_words(view, at));
    around.extend(page_words(view));
    let words: Vec<String> = object.iter().flat_map(|word| words_of(word)).collect();
    let is_about = variants(&words).iter().any(|way| way.worth >= SYNONYM && all_among(&way.words, &around));
    is_plain && (words.is_empty() || is_about)
}

/// The page or the list at hand.
fn is_here(place: &Target) -> bool {
    place.is_nameless()
        && matches!(place.kind, Some(ElementKind::Page | ElementKind::List | ElementKind::Table))
}

fn field_called(name: &str) -> Target {
    Target { said: format!("the field \"{name}\""), quoted: Some(name.to_string()), ..Target::default() }
}

fn asks_back(asked: &Performance, why: String) -> Decision {
    Decision::Unclear {
        why: format!("`{}`: {why}", asked.said),
        candidates: Vec::new(),
        clearer: "write the clicks and entries that do it, one step each".to_string(),
    }
}
