//! The chosen options of a list.

use std::collections::{BTreeMap, BTreeSet};

use crate::Target;
use crate::ground::view::View;
use crate::ground::words::fold;

use super::{Finding, Judging, Truth};

impl Judging<'_> {
    pub(super) fn chosen(&self, target: &Target, options: &[String]) -> Finding {
        let view = self.view;
        let offers = |view: &View, at: usize| match view.node(at).role.as_str() {
            "combobox" | "listbox" | "radiogroup" | "group" | "tree" | "list" | "table" | "grid" => 1.0,
            "generic" | "region" | "form" if view.has_children(at) => 0.7,
            _ => 0.0,
        };
        let nameless = target.is_nameless() && target.relations.is_empty();
        let at = if nameless {
            let all: Vec<usize> = view
                .all()
                .filter(|at| options.iter().all(|option| offered(view, *at).contains(&fold(option))))
                .filter(|at| offers(view, *at) >= 1.0)
                .collect();
            match all.as_slice() {
                [only] => *only,
                _ => return Finding::unsure("it is unclear which list is meant").with(view.lines(all)),
            }
        } else {
            match self.one(target, offers) {
                Ok(at) => at,
                Err(finding) => return finding,
            }
        };
        let Some(mut has) = switched_on(view, at) else {
            return Finding::unsure("it is unclear which options are chosen").with(view.lines([at]));
        };
        let mut wants: Vec<String> = options.iter().map(|option| fold(option)).collect();
        has.sort();
        wants.sort();
        let truth = if has == wants { Truth::Yes } else { Truth::No };
        Finding::compared(truth, &format!("\"{}\"", options.join(", ")), &has.join(", "))
            .read()
            .with(view.lines([at]))
    }
}

/// The names of the options of a list or group.
fn offered(view: &View, at: usize) -> Vec<String> {
    let node = view.node(at);
    match node.options.is_empty() {
        true => choices(view, at).map(|inner| fold(&view.line(inner).name)).collect(),
        false => node.options.iter().map(|option| fold(option)).collect(),
    }
}

/// The names of the options that are on. `None` where the value of a list does not say which.
fn switched_on(view: &View, at: usize) -> Option<Vec<String>> {
    let node = view.node(at);
    if node.options.is_empty() {
        let on = |inner: &usize| view.node(*inner).is("selected") || view.node(*inner).is("checked");
        return Some(choices(view, at).filter(on).map(|inner| fold(&view.line(inner).name)).collect());
    }
    let value = fold(node.value.as_deref().unwrap_or_default());
    match value.is_empty() {
        true => Some(Vec::new()),
        false if node.role == "combobox" => Some(vec![value]),
        false => names_in(&value, &offered(view, at)),
    }
}

/// The options whose names, joined by commas, make up a value.
fn names_in(value: &str, offered: &[String]) -> Option<Vec<String>> {
    let whole = format!("{value}, ");
    let mut last: BTreeMap<usize, &str> = BTreeMap::new();
    let mut ends = BTreeSet::from([0]);
    while let Some(start) = ends.pop_first() {
        for option in offered.iter().filter(|option| !option.is_empty()) {
            let end = start + option.len() + 2;
            let follows =
                |rest: &str| rest.strip_prefix(option.as_str()).is_some_and(|rest| rest.starts_with(", "));
            if !follows(&whole[start..]) {
                continue;
            }
            match last.get(&end) {
                // Another way to read the same value.
                Some(other) if *other != option.as_str() => return None,
                Some(_) => {}
                None => {
                    last.insert(end, option);
                    ends.insert(end);
                }
            }
        }
    }
    let mut names = Vec::new();
    let mut end = whole.len();
    while end > 0 {
        let option = last.get(&end)?;
        names.push((*option).to_owned());
        end -= option.len() + 2;
    }
    Some(names)
}

fn choices<'a>(view: &'a View<'_>, at: usize) -> impl Iterator<Item = usize> + 'a {
    view.inside(at).filter(|inner| {
        matches!(view.node(*inner).role.as_str(), "option" | "radio" | "checkbox" | "treeitem")
    })
}
