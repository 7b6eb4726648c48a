//! Acts of the pointer: click, open, close, expand, press keys on something.

use assay_protocol::{Action, MouseButton, Selector};

use crate::synonyms::commits;
use crate::{Act, ClickKind, Decision, ElementKind, Nearness, PlannedAction, Target, Toggle};

use super::Grounding;
use super::evidence::Evidence;
use super::explain::{missing, unclear};
use super::find::{Candidate, Search, SearchResult, find, said};
use super::kinds::holds_things;
use super::leftover::turns;
use super::view::View;
use super::words::{fold, words_of};

/// How much a click on it makes sense.
pub(crate) fn clickable(view: &View, at: usize) -> f64 {
    let node = view.node(at);
    match node.role.as_str() {
        "text" => 0.6,
        "heading" | "image" if !node.is("clickable") => 0.76,
        "table" | "list" | "main" | "document" | "banner" | "navigation" | "contentinfo"
            if !node.is("clickable") =>
        {
            0.5
        }
        // `Click "Search"` means the button beside a field of that name; a field is clicked where nothing else is there.
        "textbox" | "searchbox" => 0.88,
        // A box without a name is known by its row when it is ticked, not when the row's text is clicked.
        "checkbox" | "radio" if node.name.is_empty() => 0.6,
        _ if view.is_control(at) => 1.0,
        "row" | "listitem" | "cell" | "gridcell" | "article" => 0.85,
        _ => 0.76,
    }
}

impl Grounding<'_> {
    pub(super) fn click(&self, target: &Target, how: ClickKind) -> Decision {
        if target.kind == Some(ElementKind::Option)
            && let Some(option) =
                target.quoted.clone().or_else(|| Some(target.words.join(" ")).filter(|one| !one.is_empty()))
            && self
                .view
                .all()
                .any(|at| self.view.node(at).options.iter().any(|known| fold(known) == fold(&option)))
            && !self.view.all().any(|at| {
                self.view.node(at).role == "option" && fold(&self.view.node(at).name) == fold(&option)
            })
        {
            return self.choose(&[option], None);
        }
        let pressed = self.pressed_for(target);
        match pressed.and_then(|(at, because)| self.belongs(target, at).map(|()| (at, because))) {
            Ok((at, because)) => self.clicked(at, because, how),
            Err(decision @ (Decision::Missing { .. } | Decision::Unclear { .. })) => {
                match self.cross_for(target) {
                    Some(at) => {
                        let because = format!("{} is the cross that closes it", self.view.describe(at));
                        self.clicked(at, because.into(), how)
                    }
                    None => without_button(decision, target),
                }
            }
            Err(decision) => decision,
        }
    }

    pub(super) fn clicked(&self, at: usize, because: Evidence, how: ClickKind) -> Decision {
        let at = self.innermost(at);
        let selector = match self.selector(at) {
            Ok(selector) => selector,
            Err(decision) => return decision,
        };
        let click = |target: Selector, button| Action::Click { target, button, modifiers: Vec::new() };
        let action = match how {
            ClickKind::Single => click(selector, MouseButton::Left),
            ClickKind::Right => click(selector, MouseButton::Right),
            ClickKind::Middle => click(selector, MouseButton::Middle),
            ClickKind::Double => Action::Dblclick { target: selector },
        };
        let commits = matches!(how, ClickKind::Single | ClickKind::Double) && self.is_committing(at);
        let Evidence { words, sureness } = because;
        Decision::Do(PlannedAction { action, because: words, sureness, then: None, commits })
    }

    /// A tab or an entry around a link of the same name is that link to a reader; what listens is the link, or it
    /// passes the click on to what is around it.
    fn innermost(&self, at: usize) -> usize {
        let view = self.view;
        let wraps = matches!(
            view.node(at).role.as_str(),
            "tab" | "listitem" | "treeitem" | "menuitem" | "option" | "cell" | "gridcell" | "heading"
        );
        let called = |at: usize| fold(&view.line(at).name);
        let same: Vec<usize> = view
            .inside(at)
            .filter(|inner| matches!(view.node(*inner).role.as_str(), "link" | "button"))
            .filter(|inner| view.node(*inner).reference.is_some() && called(*inner) == called(at))
            .collect();
        match same.as_slice() {
            [only] if wraps && !called(at).is_empty() => *only,
            _ => at,
        }
    }

    /// A button whose name says that it submits, pays or deletes; or any button of that type in a form.
    pub(super) fn is_committing(&self, at: usize) -> bool {
        let node = self.view.node(at);
        let presses = matches!(node.role.as_str(), "button" | "link" | "menuitem" | "clickable")
            || node.is("clickable");
        let mut words = words_of(&node.name);
        if words.is_empty() {
            for name in ["testid", "id", "class", "title"] {
                words.extend(node.attribute(name).map(super::words::identifier_words).unwrap_or_default());
            }
        }
        // A link to another page commits nothing, whatever it is called; "Log out" is the exception.
        let leads_away = node.role == "link"
            && node.attribute("href").is_some_and(|href| !href.is_empty() && !href.starts_with(['#', 'j']));
        let leaves = words.iter().any(|word| word == "logout" || word == "out");
        presses && (node.attribute("type") == Some("submit") || (commits(&words) && (!leads_away || leaves)))
    }

    /// The element to press for a target, also when the target itself only holds or shows things.
    pub(super) fn pressed_for(&self, target: &Target) -> Result<(usize, Evidence), Decision> {
        let search = self.search(clickable);
        let everything = Search { needs_ref: false, ..search };
        let holds = target.kind.is_some_and(holds_things);
        if !holds {
            match find(&search, target) {
                SearchResult::One(found) => return Ok((found.at, self.evidence(&found))),
                SearchResult::Several(several) => return Err(unclear(self.view, target, &several)),
                SearchResult::None { why, nearest } => {
                    return match find(&everything, target) {
                        SearchResult::One(found) => self.through(target, &found),
                        SearchResult::Several(several) => Err(unclear(self.view, target, &several)),
                        SearchResult::None { .. } => Err(missing(self.view, why, &nearest)),
                    };
                }
            }
        }
        match find(&everything, target) {
            SearchResult::One(found) => self.through(target, &found),
            SearchResult::Several(several) => Err(unclear(self.view, target, &several)),
            SearchResult::None { why, nearest } => Err(missing(self.view, why, &nearest)),
        }
    }

    pub(super) fn evidence(&self, found: &Candidate) -> Evidence {
        Evidence::of(self.view, found)
    }

    /// From what shows or holds a thing to what can be pressed for it: itself, what is around the text, the link that
    /// is called like it, or the only control in it.
    fn through(&self, target: &Target, found: &Candidate) -> Result<(usize, Evidence), Decision> {
        let view = self.view;
        let at = found.at;
        let evidence = self.evidence(found);
        let pressable = |at: usize| view.node(at).reference.is_some() && view.is_control(at);
        let reacts = matches!(
            view.node(at).role.as_str(),
            "row" | "listitem" | "article" | "cell" | "gridcell" | "generic" | "treeitem"
        );
        // `The user "carol"`: the row is known by its link of that name, which is what people click.
        let link: Vec<usize> = view
            .inside(at)
            .filter(|inner| view.node(*inner).role == "link" && pressable(*inner))
            .filter(|inner| {
                target.quoted.as_deref().is_some_and(|name| fold(&view.line(*inner).name) == fold(name))
            })
            .collect();
        if let [only] = link.as_slice()
            && view.is_entry(at)
            && target.kind == Some(ElementKind::Item)
        {
            return Ok((*only, evidence.and(format!("in it {}", view.describe(*only)))));
        }
        if pressable(at) || (reacts && view.node(at).reference.is_some()) {
            return Ok((at, evidence));
        }
        if !view.has_children(at) || view.node(at).role == "cell" || view.node(at).role == "gridcell" {
            let around = view.scene.ancestors(at).take(3).find(|around| pressable(*around));
            if let Some(around) =
                around.filter(|around| !view.inside(at).any(pressable) && view.text(*around).len() < 400)
            {
                return Ok((around, evidence.and(format!("{} is around it", view.describe(around)))));
            }
        }
        let inside: Vec<usize> = view
            .inside(at)
            .filter(|inner| pressable(*inner))
            .filter(|inner| {
                !view.scene.ancestors(*inner).any(|above| view.is_within(above, at) && pressable(above))
            })
            .collect();
        let title = view.heading_of(at).map(|heading| fold(view.text(heading)));
        let wanted = target.quoted.as_deref().map(fold);
        let called: Vec<usize> = inside
            .iter()
            .copied()
            .filter(|inner| {
                let name = fold(&view.line(*inner).name);
                Some(&name) == wanted.as_ref() || Some(&name) == title.as_ref()
            })
            .collect();
        let same_place = |places: &[usize]| {
            let first = places.first().and_then(|at| view.node(*at).attribute("href"));
            first.is_some() && places.iter().all(|at| view.node(*at).attribute("href") == first)
        };
        for choice in [&called, &inside] {
            if choice.len() == 1 || same_place(choice) {
                return Ok((choice[0], evidence.and(format!("in it {}", view.describe(choice[0])))));
            }
        }
        let links: Vec<usize> =
            inside.iter().copied().filter(|inner| view.node(*inner).role == "link").collect();
        if links.len() == 1
            && inside.iter().all(|at| matches!(view.node(*at).role.as_str(), "link" | "checkbox"))
        {
            return Ok((links[0], evidence.and(format!("in it {}", view.describe(links[0])))));
        }
        if view.node(at).reference.is_some() && inside.is_empty() {
            return Ok((at, evidence));
        }
        if inside.is_empty() {
            return Err(missing(
                view,
                format!("{} is there, but no part of it can be clicked", said(target)),
                &[at],
            ));
        }
        let choice = inside.into_iter().map(|at| Candidate { exact: false, ..Candidate::sure(at, 1.0, "") });
        Err(unclear(view, target, &choice.collect::<Vec<_>>()))
    }

    pub(super) fn open(&self, target: &Target) -> Decision {
        match self.pressed_for(target) {
            Ok((at, because)) => {
                let node = self.view.node(at);
                if node.is("expanded") && !matches!(node.role.as_str(), "link" | "row") {
                    return Decision::NothingToDo {
                        because: format!("{} is open already", self.view.describe(at)),
                    };
                }
                if node.role == "menu" {
                    return Decision::NothingToDo {
                        because: format!("{} is open already", self.view.describe(at)),
                    };
                }
                self.clicked(at, because, ClickKind::Single)
            }
            Err(decision) => decision,
        }
    }

    pub(super) fn fold(&self, target: &Target, to: Toggle) -> Decision {
        let view = self.view;
        let folding = |view: &View, at: usize| {
            let node = view.node(at);
            if node.is("expanded") || node.is("collapsed") {
                1.0
            } else if view.is_control(at) && !view.is_editable(at) {
                0.7
            } else {
                0.0
            }
        };
        let mut named = target.clone();
        named.kind = named.kind.filter(|kind| !holds_things(*kind));
        let found = match self.folds_titled(target) {
            Some(found) => found,
            None => match self.one(&named, folding) {
                Ok(found) => Ok(found),
                Err(Decision::Missing { .. }) if let Some(at) = self.folds_with_part(target) => {
                    Ok((at, format!("a part of {} is called so", view.describe(at)).into()))
                }
                Err(Decision::Missing { .. }) => self.pressed_for(target),
                Err(other) => Err(other),
            },
        };
        let (at, because) = match found {
            Ok(found) => found,
            Err(decision) => return decision,
        };
        let node = view.node(at);
        let (so, word) = match to {
            Toggle::On | Toggle::Other => (node.is("expanded"), "expanded"),
            Toggle::Off => (node.is("collapsed"), "collapsed"),
        };
        if so && to != Toggle::Other {
            return Decision::NothingToDo { because: format!("{} is {word} already", view.describe(at)) };
        }
        if node.role == "treeitem"
            && let Some(button) = view
                .children(at)
                .iter()
                .copied()
                .find(|inner| view.node(*inner).role == "button" && view.node(*inner).name.len() < 10)
        {
            return self.clicked(button, because.and("its own button"), ClickKind::Single);
        }
        self.clicked(at, because, ClickKind::Single)
    }

    /// The only thing that unfolds and has the quoted name as a run of its texts: `GET`, `/users`, `List all users`.
    fn folds_with_part(&self, target: &Target) -> Option<usize> {
        let view = self.view;
        let name = fold(target.quoted.as_deref()?);
        let plain: String = name.split_whitespace().collect();
        let has_run = |at: usize| {
            let pieces = view.pieces(at..view.inside(at).end, false);
            let texts: Vec<String> = pieces
                .iter()
                .map(|piece| fold(&view.node(*piece).name).split_whitespace().collect())
                .collect();
            (0..texts.len()).any(|from| {
                let mut run = String::new();
                texts[from..].iter().any(|text| {
                    run.push_str(text);
                    run == plain
                })
            })
        };
        let folds = |at: &usize| {
            let node = view.node(*at);
            let is_title = matches!(node.role.as_str(), "button" | "summary" | "link" | "clickable" | "tab");
            node.reference.is_some() && is_title && (node.is("expanded") || node.is("collapsed"))
        };
        let found: Vec<usize> = view.all().filter(folds).filter(|at| has_run(*at)).collect();
        match found.as_slice() {
            [only] if target.relations.is_empty() && target.ordinal.is_none() => Some(*only),
            _ => None,
        }
    }

    pub(super) fn press(&self, keys: &[String], target: Option<&Target>) -> Decision {
        let mut because = Evidence::from("keys for the focused element".to_string());
        let mut selector = None;
        let mut receiver = self.view.focused();
        if let Some(target) = target {
            match self.one(target, clickable).and_then(|(at, why)| Ok((at, why, self.selector(at)?))) {
                Ok((at, why, named)) => {
                    receiver = Some(at);
                    because = why;
                    selector = Some(named);
                }
                Err(decision) => return decision,
            }
        }
        let enters = keys.iter().any(|key| key == "Enter" || key.ends_with("+Enter"));
        let commits = enters
            && receiver.is_none_or(|at| self.view.is_editable(at) || self.view.node(at).role == "button");
        Decision::Do(PlannedAction {
            action: Action::Press { keys: keys.to_vec(), target: selector },
            because: because.words,
            sureness: because.sureness,
            then: None,
            commits,
        })
    }

    pub(super) fn log_out(&self) -> Decision {
        let target = Target {
            said: "log out".to_string(),
            words: vec!["log".into(), "out".into()],
            ..Target::default()
        };
        self.decide(&Act::Click { target, how: ClickKind::Single })
    }
}

/// `Add "Germany" to Choose countries`: the whole sentence stands for a button, so its words are not the name of one.
/// Adding an entry to a named thing may mean choosing an option.
fn without_button(decision: Decision, target: &Target) -> Decision {
    let item =
        target.relations.iter().find(|one| one.how == Nearness::For).and_then(|one| one.to.quoted.as_ref());
    let is_sentence = target.kind.is_none() && target.words.first().is_some_and(|verb| verb == "add");
    match (decision, item) {
        (Decision::Missing { nearest, .. }, Some(item)) if is_sentence => {
            let said = said(target);
            let list = said.rsplit_once(" to ").map_or("", |(_, list)| list.trim().trim_matches('"'));
            let why = match list.starts_with(char::is_uppercase) {
                true => format!(
                    "no button on the page matches `{said}`; to choose an option, write: Select \"{item}\" from \"{list}\""
                ),
                false => format!("no button on the page matches `{said}`"),
            };
            Decision::Missing { why, nearest }
        }
        (decision, _) => decision,
    }
}

/// Whether a button is called by one of the names, or only its class matches.
pub(super) fn is_one_of(view: &View, at: usize, names: &[&str]) -> bool {
    let node = view.node(at);
    let name = fold(&node.name);
    if names.contains(&name.as_str()) {
        return true;
    }
    let words = words_of(&node.name);
    let first = words.first().is_some_and(|first| {
        names.contains(&first.as_str())
            && words.len() <= 3
            && !turns(view, at, std::slice::from_ref(first), &node.name)
    });
    first
        || (words.is_empty()
            && ["class", "id", "testid", "title"].iter().filter_map(|name| node.attribute(name)).any(
                |value| {
                    super::words::identifier_words(value).iter().any(|word| names.contains(&word.as_str()))
                },
            ))
}
