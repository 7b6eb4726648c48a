//! Choices: options of lists, radio buttons, check boxes and switches.

use assay_protocol::Action;

use crate::positions::is_side;
use crate::{Act, ClickKind, Decision, ElementKind, PlannedAction, Target, Toggle};

use super::collections::is_collection;
use super::evidence::Evidence;
use super::explain::{missing, unclear};
use super::find::{Candidate, SearchResult, find, said};
use super::kinds::{is_marked_as, is_suggested};
use super::leftover::plain_name;
use super::places::stands_on_side;
use super::view::View;
use super::words::fold;
use super::{Grounding, done};

fn offers_choice(view: &View, at: usize) -> f64 {
    let node = view.node(at);
    let folds = node.is("expanded") || node.is("collapsed");
    match node.role.as_str() {
        "combobox" => 1.0,
        "listbox" | "radiogroup" => 1.0,
        "menu" | "tree" | "tablist" | "menubar" => 0.9,
        "group" if view.inside(at).any(|inner| is_radio(view, inner)) => 1.0,
        "generic" | "region" | "form" | "list"
            if view.children(at).iter().any(|inner| is_radio(view, *inner)) =>
        {
            0.85
        }
        "button" | "clickable" | "menuitem" if folds => 0.9,
        "textbox" | "searchbox" if folds => 0.9,
        _ => 0.0,
    }
}

pub(super) fn is_radio(view: &View, at: usize) -> bool {
    matches!(view.node(at).role.as_str(), "radio" | "menuitemradio")
}

/// The side of "the menu on the left" and "the left menu".
fn menu_side(from: &Target) -> Option<Vec<String>> {
    let is_menu =
        matches!(from.kind, Some(ElementKind::Menu | ElementKind::Navigation | ElementKind::Sidebar));
    let bare = Target { kind: None, relations: Vec::new(), ..from.clone() };
    let sides: Vec<&Target> = match from.relations.as_slice() {
        [] if is_side(&bare) => vec![&bare],
        relations if from.is_nameless() => relations.iter().map(|one| &one.to).collect(),
        _ => return None,
    };
    let are_sides = !sides.is_empty() && sides.iter().all(|side| is_side(side));
    (is_menu && are_sides).then(|| sides.iter().flat_map(|side| side.words.clone()).collect())
}

/// "The menu": the one that is open.
fn is_nameless_menu(from: &Target) -> bool {
    from.kind == Some(ElementKind::Menu) && from.is_nameless()
}

/// An option that can be seen and clicked.
fn is_shown_option(view: &View, at: usize) -> bool {
    matches!(
        view.node(at).role.as_str(),
        "option" | "menuitem" | "menuitemradio" | "menuitemcheckbox" | "treeitem"
    ) && view.node(at).reference.is_some()
}

impl Grounding<'_> {
    pub(super) fn choose(&self, options: &[String], from: Option<&Target>) -> Decision {
        match from {
            Some(from) => self.choose_from(options, from),
            None => self.choose_anywhere(options),
        }
    }

    fn choose_from(&self, options: &[String], from: &Target) -> Decision {
        if let Some(decision) = self.entry_of_list(options, from).or_else(|| self.only_on_side(options, from))
        {
            return decision;
        }
        let mut list = from.clone();
        if matches!(
            list.kind,
            Some(
                ElementKind::Field
                    | ElementKind::Section
                    | ElementKind::Radio
                    | ElementKind::List
                    | ElementKind::Menu
                    | ElementKind::Form
            )
        ) {
            list.kind = None;
        }
        let search = super::find::Search { needs_ref: false, ..self.search(offers_choice) };
        match find(&search, &list) {
            SearchResult::One(found) => {
                match self.choose_in(options, found.at, self.evidence(&found), from) {
                    decision @ Decision::Missing { .. } => self
                        .link_within(options, from)
                        .or_else(|| self.only_called(options).filter(|_| is_nameless_menu(from)))
                        .unwrap_or(decision),
                    decision => decision,
                }
            }
            SearchResult::Several(several) => {
                // A box and the list that it opened bear one name: the one that offers the option is meant, if only
                // one does.
                let offering: Vec<&Candidate> =
                    several.iter().filter(|one| self.offers(one.at, options)).collect();
                match offering.as_slice() {
                    [only] => self.choose_in(options, only.at, self.evidence(only), from),
                    [] if is_one_box(self.view, &several) => {
                        let shown = several.iter().map(|one| one.at).collect::<Vec<_>>();
                        missing(
                            self.view,
                            format!("\"{}\" is not offered by {}", options[0], said(from)),
                            &shown,
                        )
                    }
                    // "From the menu": the one that is open.
                    _ if is_nameless_menu(from) => {
                        self.only_called(options).unwrap_or_else(|| unclear(self.view, from, &several))
                    }
                    _ => unclear(self.view, from, &several),
                }
            }
            SearchResult::None { why, nearest } => {
                // The words may name the place and not the list: a list or options that stand in it.
                if let Some(decision) = self.list_within(options, from) {
                    return decision;
                }
                match self.shown_options(&options[0], Some(from)) {
                    Ok(Some(at)) => self.pick(at, options, Some(from)),
                    Err(decision) => decision,
                    Ok(None) => self
                        .suggested(options, from)
                        .or_else(|| self.entered_instead(options, from))
                        .or_else(|| self.sorted_instead(options, from))
                        .or_else(|| self.link_within(options, from))
                        .or_else(|| self.only_called(options).filter(|_| is_nameless_menu(from)))
                        .or_else(|| self.in_drawn_list(options, from))
                        .unwrap_or_else(|| missing(self.view, why, &nearest)),
                }
            }
        }
    }

    /// `Select "Trial 3" in the list`: an entry that is shown, where no box offers it.
    fn entry_of_list(&self, options: &[String], from: &Target) -> Option<Decision> {
        let view = self.view;
        let [option] = options else { return None };
        let is_the_list =
            from.kind == Some(ElementKind::List) && from.is_nameless() && from.relations.is_empty();
        if !is_the_list || view.all().any(|at| view.node(at).options.iter().any(|one| one == option)) {
            return None;
        }
        let named = Target { said: option.clone(), quoted: Some(option.clone()), ..Target::default() };
        match find(&self.search(super::clicking::clickable), &named) {
            SearchResult::One(found)
                if found.exact
                    && view.scene.ancestors(found.at).any(|around| is_collection(view, around)) =>
            {
                Some(self.clicked(found.at, self.evidence(&found), ClickKind::Single))
            }
            _ => None,
        }
    }

    /// The only thing on the page that bears the very name of the option.
    fn only_called(&self, options: &[String]) -> Option<Decision> {
        self.exactly_called(options, |at| self.is_of_open_menu(at))
    }

    /// `"Journal" from the menu on the left`, where nothing is marked as a menu: the only link of that name, on that side.
    fn only_on_side(&self, options: &[String], from: &Target) -> Option<Decision> {
        let side = menu_side(from)?;
        self.exactly_called(options, |at| !self.is_committing(at) && stands_on_side(self.view, at, &side))
    }

    /// A click on the only control with the very name of the option.
    fn exactly_called(&self, options: &[String], fits: impl Fn(usize) -> bool) -> Option<Decision> {
        let [option] = options else { return None };
        let named = Target { said: option.clone(), quoted: Some(option.clone()), ..Target::default() };
        match find(&self.search(super::clicking::clickable), &named) {
            SearchResult::One(found) if found.exact && self.view.is_control(found.at) && fits(found.at) => {
                Some(self.clicked(found.at, self.evidence(&found), ClickKind::Single))
            }
            _ => None,
        }
    }

    /// In a menu or a list that is open, or not there before the last act.
    fn is_of_open_menu(&self, at: usize) -> bool {
        let view = self.view;
        let is_menu = |around: usize| {
            matches!(view.node(around).role.as_str(), "menu" | "listbox" | "menubar")
                || is_marked_as(view, around, &["menu", "dropdown", "popup", "popover", "contextmenu"])
        };
        let is_new = self.hints.acted.as_ref().is_some_and(|acted| {
            view.node(at).reference.as_ref().is_some_and(|own| !acted.known.contains(own))
        });
        is_new || std::iter::once(at).chain(view.scene.ancestors(at)).any(is_menu)
    }

    /// "From the suggestions": the list that a field has opened.
    fn suggested(&self, options: &[String], from: &Target) -> Option<Decision> {
        const SUGGESTIONS: &[&str] = &["suggestion", "suggestions", "autocomplete", "completions"];
        const LISTS: &[&str] = &["list", "options"];
        let is_suggestion = |word: &String| SUGGESTIONS.contains(&word.as_str());
        let is_meant = from.quoted.is_none()
            && from.words.iter().any(is_suggestion)
            && from.words.iter().all(|word| is_suggestion(word) || LISTS.contains(&word.as_str()));
        let [option] = options else { return None };
        let view = self.view;
        let is_offered = |at: &usize| {
            let is_entry = matches!(view.node(*at).role.as_str(), "option" | "listitem" | "menuitem");
            is_entry && is_suggested(view, *at) && view.node(*at).reference.is_some()
        };
        let offered: Vec<usize> = view.all().filter(is_offered).collect();
        match self.best_called(&offered, option) {
            Ok(Some(at)) if is_meant => Some(self.pick(at, options, Some(from))),
            Err(decision) if is_meant => Some(decision),
            _ => None,
        }
    }

    /// A field that opens no list takes its value: "Choose 3 in the quantity field".
    fn entered_instead(&self, options: &[String], from: &Target) -> Option<Decision> {
        let [value] = options else { return None };
        let takes_text = |view: &View, at: usize| {
            let node = view.node(at);
            let folds = node.is("expanded") || node.is("collapsed");
            f64::from(matches!(node.role.as_str(), "textbox" | "searchbox" | "spinbutton" | "date") && !folds)
        };
        let is_field = from.kind == Some(ElementKind::Field);
        match find(&self.search(takes_text), from) {
            SearchResult::One(_) if is_field => Some(self.enter(Some(from), value)),
            _ => None,
        }
    }

    /// No list of orders is there, but the heads of a table may sort it.
    fn sorted_instead(&self, options: &[String], from: &Target) -> Option<Decision> {
        let is_sort = from.words == ["sort"] && from.quoted.is_none();
        options.first().filter(|_| is_sort && options.len() == 1).and_then(|by| self.sort_by_head(by))
    }

    /// The choices may be plain links in a place of that name: `By staff status`: `All`, `Yes`, `No`.
    fn link_within(&self, options: &[String], from: &Target) -> Option<Decision> {
        let [option] = options else { return None };
        // Filters are often called by what they filter by: "By status".
        let by = std::iter::once("by".to_string()).chain(from.words.iter().cloned()).collect();
        let called_by = Target { words: by, ..from.clone() };
        [from.clone(), called_by].into_iter().find_map(|place| {
            let relation = crate::Relation { how: crate::Nearness::Inside, to: place };
            let link = Target {
                said: format!("\"{option}\" in {}", said(from)),
                quoted: Some(option.clone()),
                kind: Some(ElementKind::Link),
                relations: vec![relation],
                ..Target::default()
            };
            match find(&self.search(super::clicking::clickable), &link) {
                SearchResult::One(found)
                    if found.exact
                        && self.view.node(found.at).role == "link"
                        && !self.is_committing(found.at) =>
                {
                    Some(self.clicked(found.at, self.evidence(&found), ClickKind::Single))
                }
                _ => None,
            }
        })
    }

    /// "Select "Editor" in the row of Bob": the only list in that place that offers it.
    fn list_within(&self, options: &[String], place: &Target) -> Option<Decision> {
        let view = self.view;
        let look = super::find::Search { usable: |_, _| 1.0, needs_ref: false, ..self.search(offers_choice) };
        let around: Vec<usize> = super::find::anchors(&look, place)
            .into_iter()
            .filter_map(|at| if view.has_children(at) { Some(at) } else { view.entry_of(at) })
            .collect();
        let lists: Vec<Candidate> = view
            .all()
            .filter(|at| {
                view.node(*at).reference.is_some() && around.iter().any(|place| view.is_within(*at, *place))
            })
            .filter(|at| all_offered(&view.node(*at).options, options).is_some())
            .map(|at| Candidate::sure(at, 1.0, format!("it is in {}", said(place))))
            .collect();
        match lists.as_slice() {
            [] => None,
            [only] => Some(self.choose_in(options, only.at, self.evidence(only), place)),
            several => Some(unclear(view, place, several)),
        }
    }

    /// Whether all the options are there to be taken, without opening anything.
    fn offers(&self, at: usize, options: &[String]) -> bool {
        let view = self.view;
        all_offered(&view.node(at).options, options).is_some()
            || options.iter().all(|option| {
                view.inside(at)
                    .any(|inner| self.is_choice(inner) && fold(&view.line(inner).name) == fold(option))
            })
    }

    fn choose_in(&self, options: &[String], at: usize, because: Evidence, from: &Target) -> Decision {
        let view = self.view;
        let node = view.node(at);
        if !node.options.is_empty() && node.attribute("tag") != Some("input") {
            return match all_offered(&node.options, options) {
                Some(offered) => match self.selector(at) {
                    Ok(target) => done(Ok((Action::Select { target, options: offered }, because))),
                    Err(decision) => decision,
                },
                None => missing(
                    view,
                    format!(
                        "{} offers no \"{}\"; it offers: {}",
                        view.describe(at),
                        options.join(", "),
                        node.options.join(", ")
                    ),
                    &[at],
                ),
            };
        }
        let first = &options[0];
        let lists = std::iter::once(at).chain(controlled(view, at));
        let within: Vec<usize> =
            lists.flat_map(|list| view.inside(list)).filter(|inner| self.is_choice(*inner)).collect();
        if !within.is_empty() {
            return match self.best_called(&within, first) {
                Ok(Some(choice)) => self.pick(choice, options, Some(from)),
                Ok(None) => {
                    missing(view, format!("\"{first}\" is not offered by {}", view.describe(at)), &within)
                }
                Err(decision) => decision,
            };
        }
        let shown: Vec<usize> = view.all().filter(|at| is_shown_option(view, *at)).collect();
        match self.best_called(&shown, first) {
            Ok(Some(choice)) if !node.is("collapsed") => return self.pick(choice, options, Some(from)),
            Err(decision) if !node.is("collapsed") => return decision,
            _ => {}
        }
        if node.is("expanded") {
            return missing(view, format!("\"{first}\" is not an option of {}", view.describe(at)), &shown);
        }
        let open = self.clicked(at, because.and("its options appear when it is open"), ClickKind::Single);
        match open {
            Decision::Do(planned) => {
                let then = Act::Choose { options: options.to_vec(), from: Some(from.clone()) };
                Decision::Do(PlannedAction { then: Some(then), commits: false, ..planned })
            }
            other => other,
        }
    }

    fn choose_anywhere(&self, options: &[String]) -> Decision {
        let view = self.view;
        let first = &options[0];
        let lists: Vec<Candidate> = view
            .all()
            .filter(|at| view.node(*at).reference.is_some())
            .filter(|at| all_offered(&view.node(*at).options, options).is_some())
            .map(|at| Candidate::sure(at, 1.0, format!("it offers \"{first}\"")))
            .collect();
        if let Some(decision) = self.not_all_there(options).filter(|_| lists.is_empty()) {
            return decision;
        }
        let shown = match self.shown_choice(first) {
            Ok(shown) => shown,
            Err(decision) => return decision,
        };
        let shown = shown.filter(|at| lists.is_empty() || view.node(*at).role != "checkbox");
        let target =
            Target { said: format!("\"{first}\""), quoted: Some(first.clone()), ..Target::default() };
        match (lists.as_slice(), shown) {
            ([], Some(at)) => self.pick(at, options, None),
            ([only], None) => self.choose_in(options, only.at, self.evidence(only), &target),
            ([], None) => {
                let described =
                    Target { quoted: None, words: super::words::words_of(first), ..target.clone() };
                let choices =
                    |view: &View, at: usize| f64::from(is_shown_option(view, at) || is_radio(view, at));
                match find(&self.search(choices), &described) {
                    SearchResult::One(found) if found.exact => self.pick(found.at, options, None),
                    _ => self.click(&target, ClickKind::Single),
                }
            }
            (several, shown) => {
                let mut several = several.to_vec();
                several.extend(shown.map(|at| Candidate::sure(at, 1.0, "")));
                Decision::Unclear {
                    why: format!("several lists offer \"{first}\""),
                    candidates: super::find::lines(view, &several),
                    clearer: format!(
                        "say which list: choose \"{first}\" from \"{}\"",
                        view.line(several[0].at).name
                    ),
                }
            }
        }
    }

    fn is_choice(&self, at: usize) -> bool {
        is_shown_option(self.view, at)
            || matches!(self.view.node(at).role.as_str(), "radio" | "tab" | "checkbox")
                && self.view.node(at).reference.is_some()
    }

    /// The one shown option or radio button of that name.
    fn shown_options(&self, name: &str, place: Option<&Target>) -> Result<Option<usize>, Decision> {
        let view = self.view;
        let mut choices: Vec<usize> =
            view.all().filter(|at| is_shown_option(view, *at) || is_radio(view, *at)).collect();
        if let Some(place) = place {
            let around = super::find::anchors(
                &super::find::Search {
                    usable: |view, at| f64::from(view.has_children(at)),
                    ..self.search(offers_choice)
                },
                place,
            );
            choices.retain(|at| around.iter().any(|around| view.is_within(*at, *around)));
        }
        self.best_called(&choices, name)
    }

    fn shown_choice(&self, name: &str) -> Result<Option<usize>, Decision> {
        match self.shown_options(name, None)? {
            None => self.box_called(name),
            shown => Ok(shown),
        }
    }

    /// Of several names each must be there before the first is chosen, as half of what was asked for is worse than
    /// nothing. "Paris, France" may also be one name.
    fn not_all_there(&self, options: &[String]) -> Option<Decision> {
        let [_, _, ..] = options else { return None };
        let whole = options.join(", ");
        let is_whole = |at: &usize| {
            let node = self.view.node(*at);
            fold(&self.view.line(*at).name) == fold(&whole)
                || node.options.iter().any(|option| fold(option) == fold(&whole))
        };
        if self.view.all().any(|at| is_whole(&at)) {
            return Some(self.choose_anywhere(&[whole]));
        }
        options.iter().find_map(|option| match self.shown_choice(option) {
            Ok(Some(_)) => None,
            Ok(None) => Some(missing(self.view, format!("nothing on the page offers \"{option}\""), &[])),
            Err(decision) => Some(decision),
        })
    }

    /// The check box of just that name: "Select Red" may mean a box as well as an option.
    fn box_called(&self, name: &str) -> Result<Option<usize>, Decision> {
        let view = self.view;
        let boxes: Vec<usize> = view
            .all()
            .filter(|at| view.node(*at).role == "checkbox" && view.node(*at).reference.is_some())
            .filter(|at| fold(&view.node(*at).name) == fold(name))
            .collect();
        self.best_called(&boxes, name)
    }

    /// The one of just that name. "Pro" is not "Pro Plus".
    fn best_called(&self, choices: &[usize], name: &str) -> Result<Option<usize>, Decision> {
        let view = self.view;
        let called = |at: usize| view.line(at).name;
        let exact: Vec<usize> =
            choices.iter().copied().filter(|at| fold(&called(*at)) == fold(name)).collect();
        let found = if exact.is_empty() {
            choices.iter().copied().filter(|at| plain_name(&called(*at)) == plain_name(name)).collect()
        } else {
            exact
        };
        match found.as_slice() {
            [] => Ok(None),
            [only] => Ok(Some(*only)),
            several => {
                let target = Target { said: format!("\"{name}\""), ..Target::default() };
                let several: Vec<Candidate> =
                    several.iter().map(|at| Candidate::sure(*at, 1.0, "")).collect();
                Err(unclear(view, &target, &several))
            }
        }
    }

    /// Takes one choice; the others remain.
    fn pick(&self, at: usize, options: &[String], from: Option<&Target>) -> Decision {
        let view = self.view;
        let because = Evidence::from(format!("{}: it is the option that the step names", view.describe(at)));
        let rest =
            (options.len() > 1).then(|| Act::Choose { options: options[1..].to_vec(), from: from.cloned() });
        let decision = match view.node(at).role.as_str() {
            "radio" | "menuitemradio" | "checkbox" => self.tick(at, because, Toggle::On),
            _ => self.clicked(at, because, ClickKind::Single),
        };
        match (decision, rest) {
            (Decision::Do(planned), rest) => {
                Decision::Do(PlannedAction { then: rest, commits: false, ..planned })
            }
            (Decision::NothingToDo { .. }, Some(rest)) => self.decide(&rest),
            (other, _) => other,
        }
    }
}

/// The lists that a box says it opens, where they are shown. Boxes do not always say that they are open.
fn controlled(view: &View, at: usize) -> Vec<usize> {
    let ids: Vec<&str> =
        view.node(at).attribute("controls").map(|ids| ids.split_whitespace().collect()).unwrap_or_default();
    let is_one = |other: &usize| view.node(*other).attribute("id").is_some_and(|id| ids.contains(&id));
    if ids.is_empty() { Vec::new() } else { view.all().filter(is_one).collect() }
}

/// An open box and its list, not two boxes.
fn is_one_box(view: &View, several: &[Candidate]) -> bool {
    several
        .iter()
        .filter(|one| view.node(one.at).role != "listbox" && view.node(one.at).role != "menu")
        .count()
        == 1
}

/// The options as the list spells them, when it offers them all.
fn all_offered(offered: &[String], wanted: &[String]) -> Option<Vec<String>> {
    if offered.is_empty() {
        return None;
    }
    wanted
        .iter()
        .map(|want| {
            let same = |option: &&String| fold(option) == fold(want);
            let plainly = |option: &&String| plain_name(option) == plain_name(want);
            let mut alike = offered.iter().filter(plainly);
            offered.iter().find(same).or_else(|| alike.next().filter(|_| alike.next().is_none())).cloned()
        })
        .collect()
}
