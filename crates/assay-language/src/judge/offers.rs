//! The options of a list: they are not visible text, but people say that the list contains them.

use crate::ground::find::{anchors, said};
use crate::ground::view::View;
use crate::ground::words::{Containment, containment, fold};
use crate::{About, ElementKind, Matcher, StateWord, Target};

use super::{Finding, Judging, Truth};

impl Judging<'_> {
    /// None when the claim is not about what a list offers.
    pub(super) fn of_options(&self, about: &About) -> Option<Finding> {
        match about {
            About::State { target, state } if target.kind == Some(ElementKind::Option) => {
                let name = named(target)?;
                let finding = match state {
                    StateWord::Visible | StateWord::Exists => self.option_is_there(target, &name),
                    StateWord::Hidden => self.option_is_there(target, &name).turned(),
                    _ => return None,
                };
                Some(finding)
            }
            About::Value { target, text: Matcher::Contains(text) }
            | About::Text { text: Matcher::Contains(text), place: Some(target) }
                if target.kind == Some(ElementKind::List) =>
            {
                self.contained_in_list(target, text)
            }
            _ => None,
        }
    }

    /// Of the list that is named, or of any on the page.
    fn option_is_there(&self, target: &Target, name: &str) -> Finding {
        let view = self.view;
        let what = format!("the option \"{name}\"");
        let Some(relation) = target.relations.first() else {
            let lists: Vec<usize> = view.all().filter(|at| offers_something(view, *at)).collect();
            return match lists.iter().find(|at| offer(view, **at, name) == Truth::Yes) {
                Some(at) => {
                    Finding::yes(format!("{} offers \"{name}\"", view.describe(*at))).with(view.lines([*at]))
                }
                None => self.no_option(&lists, name, &what),
            };
        };
        let around = anchors(
            &self.look(|view, at| f64::from(is_list(view, at) || view.has_children(at))),
            &relation.to,
        );
        let mut lists: Vec<usize> = view
            .all()
            .filter(|at| is_list(view, *at))
            .filter(|at| around.iter().any(|other| other == at || view.is_within(*at, *other)))
            .collect();
        // The options of an open list belong to it.
        lists.dedup();
        let [list] = lists.as_slice() else {
            let why = if lists.is_empty() { "no list matches" } else { "several lists match" };
            return Finding::unsure(format!("{why} {}", said(&relation.to))).with(view.lines(lists));
        };
        match offer(view, *list, name) {
            Truth::Yes => {
                Finding::yes(format!("{} offers \"{name}\"", view.describe(*list))).with(view.lines([*list]))
            }
            _ => self.no_option(&lists, name, &what),
        }
    }

    fn no_option(&self, lists: &[usize], name: &str, what: &str) -> Finding {
        let view = self.view;
        let offered: Vec<Truth> = lists.iter().map(|at| offer(view, *at, name)).collect();
        let reason = format!("no list offers \"{name}\"");
        // A list that is drawn by the page tells what it offers only while it is open.
        let closed = view.all().find(|at| {
            is_list(view, *at) && !offers_something(view, *at) && (lists.is_empty() || lists.contains(at))
        });
        let finding = if let Some(at) = closed {
            Finding::unsure(format!("the options of {} are not visible", view.describe(at)))
                .with(view.lines([at]))
        } else if offered.contains(&Truth::NotQuite) {
            Finding::new(Truth::NotQuite, format!("{reason}, only something similar"))
                .with(view.lines(lists.to_vec()))
        } else {
            Finding::no(reason).searched().with(view.lines(lists.to_vec()))
        };
        Finding { expected: Some(what.to_string()), ..finding }
    }

    /// "The groups list contains "Editors"". What a closed list shows is only what is chosen in it.
    fn contained_in_list(&self, target: &Target, text: &str) -> Option<Finding> {
        let view = self.view;
        let at = self.one(target, |view, at| f64::from(offers_something(view, at))).ok()?;
        // "The list says …" with nothing that names a field: what the page lists may be meant.
        let is_nameless = target.is_nameless() && target.relations.is_empty();
        if offer(view, at, text) != Truth::Yes && is_nameless {
            return None;
        }
        if offer(view, at, text) != Truth::Yes {
            return (view.node(at).role == "listbox")
                .then(|| self.no_option(&[at], text, &format!("\"{text}\"")));
        }
        let chosen = view.node(at).value.as_deref().is_some_and(|value| {
            fold(value) == fold(text) || value.split(", ").any(|one| fold(one) == fold(text))
        });
        if view.node(at).role == "listbox" || chosen {
            let reason = format!("{} offers \"{text}\"", view.describe(at));
            return Some(Finding::yes(reason).with(view.lines([at])));
        }
        let reason = format!("{} offers \"{text}\", but shows something else", view.describe(at));
        Some(Finding::unsure(reason).with(view.lines([at])))
    }
}

fn named(target: &Target) -> Option<String> {
    let plain = target.ordinal.is_none() && target.state.is_none() && target.text.is_none();
    target
        .quoted
        .clone()
        .or_else(|| Some(target.words.join(" ")).filter(|words| !words.is_empty()))
        .filter(|_| plain && target.relations.len() <= 1)
}

fn is_list(view: &View, at: usize) -> bool {
    let node = view.node(at);
    matches!(node.role.as_str(), "combobox" | "listbox" | "radiogroup") || !node.options.is_empty()
}

fn is_option(view: &View, at: usize) -> bool {
    matches!(view.node(at).role.as_str(), "option" | "menuitemradio" | "radio")
}

fn offers_something(view: &View, at: usize) -> bool {
    !view.node(at).options.is_empty()
        || (is_list(view, at) && view.inside(at).any(|inner| is_option(view, inner)))
}

fn offer(view: &View, at: usize, name: &str) -> Truth {
    let inner = view.inside(at).filter(|inner| is_option(view, *inner)).map(|inner| view.line(inner).name);
    let all: Vec<String> = view.node(at).options.iter().cloned().chain(inner).collect();
    if all.iter().any(|option| fold(option) == fold(name)) {
        return Truth::Yes;
    }
    let nearly = |option: &String| containment(&fold(name), &fold(option)) != Containment::Absent;
    if all.iter().any(nearly) { Truth::NotQuite } else { Truth::No }
}
