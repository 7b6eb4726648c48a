//! Claims about the state of a thing: present, enabled, checked, selected, empty.

use crate::ground::find::{anchors, rank, said};
use crate::ground::folding::{folding_titled, titled_name};
use crate::ground::marks::stands;
use crate::ground::states::has_state;
use crate::ground::thresholds::ENOUGH;
use crate::ground::view::View;
use crate::ground::words::{all_among, fold, words_of};
use crate::synonyms::{SYNONYM, variants};
use crate::{ElementKind, Matcher, Nearness, StateWord, Target};

use super::{Finding, Judging, Truth, is_page};

impl Judging<'_> {
    pub(super) fn state(&self, target: &Target, state: StateWord) -> Finding {
        let part = self.message_state(target, state).or_else(|| self.calendar(target, state));
        if let Some(finding) = part.or_else(|| self.dialog(target, state)) {
            return finding;
        }
        match state {
            StateWord::Visible | StateWord::Exists => self.is_there(target, state),
            StateWord::Hidden => self.is_there(target, StateWord::Visible).turned(),
            StateWord::Empty => self.is_empty(target),
            StateWord::Selected => self.is_selected(target),
            _ => self.is_so(target, state),
        }
    }

    fn is_there(&self, target: &Target, state: StateWord) -> Finding {
        let view = self.view;
        if let Some(finding) = self.as_text_or_page(target) {
            return finding;
        }
        let what = said(target);
        let found = match rank(&self.look(|_, _| 1.0), target) {
            Ok(found) => found,
            Err(why) => return self.headed(target).unwrap_or_else(|| self.absent(target, why)),
        };
        if !found.iter().any(|one| one.exact && one.score >= ENOUGH)
            && let Some(finding) = self.headed(target)
        {
            return finding;
        }
        let good: Vec<usize> = found.iter().filter(|one| one.score >= ENOUGH).map(|one| one.at).collect();
        let exact: Vec<usize> = found
            .iter()
            .filter(|one| one.score >= ENOUGH && (one.exact || (target.quoted.is_none() && one.score >= 0.6)))
            .map(|one| one.at)
            .collect();
        let in_sight = |at: &&usize| state == StateWord::Exists || !view.node(**at).is("covered");
        // "No results found" is what is shown instead of results.
        let listed = matches!(
            target.kind,
            Some(
                ElementKind::Item
                    | ElementKind::ListItem
                    | ElementKind::Row
                    | ElementKind::List
                    | ElementKind::Table
            )
        );
        if let Some(at) = exact
            .iter()
            .find(in_sight)
            .filter(|at| listed && target.quoted.is_none() && says_empty(view.text(**at)))
        {
            return Finding::unsure(format!("{} says that nothing is there", view.describe(*at)))
                .with(view.lines([*at]));
        }
        let other_case = |at: &usize| {
            target.quoted.as_deref().is_some_and(|name| super::lines::differs_in_case(view, *at, name))
        };
        if let Some(at) = exact.iter().find(in_sight).filter(|at| other_case(at)) {
            return Finding::unsure(format!("in another case it is {}", view.describe(*at)))
                .with(view.lines([*at]));
        }
        if let Some(at) = exact.iter().find(in_sight) {
            return match self.only_mentioned(target, *at) {
                Some(why) => Finding::unsure(format!("{why} {}", view.describe(*at))).with(view.lines([*at])),
                None => self.is_seen(*at),
            };
        }
        if let Some(at) = exact.first() {
            return Finding::new(Truth::NotQuite, format!("{} is covered", view.describe(*at)))
                .with(view.lines([*at]));
        }
        // What is called otherwise by one word more is not it, and does not prove that it is absent.
        let turned = found.iter().find(|one| one.turned).map(|one| one.at);
        match good.first().copied().or(turned).as_ref() {
            Some(at) => {
                let truth = if target.quoted.is_some() { Truth::NotQuite } else { Truth::Unsure };
                Finding::new(
                    truth,
                    format!("nothing is called exactly {what}; nearest: {}", view.describe(*at)),
                )
                .with(view.lines([*at]))
            }
            None => {
                let nearest = found
                    .first()
                    .map(|one| format!("; nearest: {}", view.describe(one.at)))
                    .unwrap_or_default();
                let reason = format!("nothing on the page matches {what}{nearest}");
                self.absent(target, reason).with(view.lines(found.iter().take(2).map(|one| one.at)))
            }
        }
    }

    /// Why what was found is perhaps only a word for the thing: a link to it, or the heading of a list without entries.
    fn only_mentioned(&self, target: &Target, at: usize) -> Option<&'static str> {
        const WRITINGS: &[&str] =
            &["article", "post", "document", "guide", "policy", "story", "recipe", "step"];
        let view = self.view;
        let around = || std::iter::once(at).chain(view.scene.ancestors(at));
        let leads = around().any(|one| {
            matches!(
                view.node(one).role.as_str(),
                "link" | "button" | "tab" | "menuitem" | "navigation" | "option"
            )
        }) || around().any(|one| view.node(one).is("clickable"));
        let said = words_of(&target.said);
        let is_writing = said.iter().any(|word| WRITINGS.contains(&word.as_str()));
        if target.quoted.is_some() || !matches!(target.kind, None | Some(ElementKind::Item)) {
            let holds_link = || view.inside(at).any(|inner| view.node(inner).role == "link");
            // A step that is shown has the heading.
            let is_step = said.iter().any(|word| word == "step");
            if is_step && !around().any(|one| view.node(one).role == "heading") {
                return Some("it may only be named by");
            }
            return (is_writing && (leads || holds_link())).then_some("it may only be named by");
        }
        if target.words.is_empty() {
            return None;
        }
        if leads {
            return Some("it is only named by");
        }
        let text = words_of(view.text(at));
        let is_long = !view.has_children(at) && text.len() > target.words.len() + 3;
        let is_several = target
            .words
            .last()
            .is_some_and(|last| last.len() > 3 && last.ends_with('s') && !last.ends_with("ss"));
        let has_entries = || {
            let scope = super::scope::Scope::of(view, at, target);
            scope.nodes(view).iter().any(|inner| *inner != scope.at && view.is_entry(*inner))
        };
        if is_long {
            return Some("it is only mentioned in");
        }
        (is_several && !has_entries()).then_some("nothing is listed under")
    }

    pub(super) fn is_seen(&self, at: usize) -> Finding {
        let what = self.view.describe(at);
        Finding::yes(format!("{what} is shown"))
            .or_denied(format!("Expected no {what}, but it is there"))
            .with(self.view.lines([at]))
    }

    /// A quoted text without a kind is text that should be seen; a page is known by what it says of itself.
    fn as_text_or_page(&self, target: &Target) -> Option<Finding> {
        if target.kind == Some(ElementKind::Page) {
            let name = target.quoted.clone().unwrap_or_else(|| target.words.join(" "));
            return Some(is_page(self.view, &name, self.hints));
        }
        let quoted = target.quoted.as_ref()?;
        let textual =
            matches!(target.kind, None | Some(ElementKind::Text | ElementKind::Label | ElementKind::Any));
        // A step of a wizard is more than its name.
        let is_step = words_of(&target.said).iter().any(|word| word == "step");
        if !textual
            || is_step
            || !target.words.is_empty()
            || target.ordinal.is_some()
            || target.state.is_some()
        {
            return None;
        }
        let place = match target.relations.as_slice() {
            [] => None,
            [only] if only.how == Nearness::Inside => Some(&only.to),
            _ => return None,
        };
        let finding = self.text(&Matcher::Contains(quoted.clone()), place);
        // A picture or an icon may be what is called so.
        if finding.truth == Truth::No && place.is_none() && target.kind != Some(ElementKind::Text) {
            let named = self.view.all().find(|at| {
                let node = self.view.node(*at);
                fold(&node.name) == fold(quoted) && !node.is("covered")
            });
            if let Some(at) = named {
                return Some(self.is_seen(at));
            }
        }
        Some(finding)
    }

    fn is_so(&self, target: &Target, state: StateWord) -> Finding {
        let view = self.view;
        let usable: fn(&View, usize) -> f64 = match state {
            StateWord::Enabled | StateWord::Disabled | StateWord::Focused => {
                |view, at| f64::from(view.is_control(at))
            }
            StateWord::Editable | StateWord::ReadOnly => |view, at| f64::from(view.is_editable(at)),
            StateWord::Required | StateWord::Invalid => |view, at| {
                f64::from(view.is_editable(at) || has_state(view, at, StateWord::Checked).is_some())
            },
            StateWord::Checked | StateWord::Unchecked => {
                |view, at| f64::from(has_state(view, at, StateWord::Checked).is_some())
            }
            StateWord::Pressed => |view, at| f64::from(view.node(at).role == "button"),
            StateWord::Expanded | StateWord::Collapsed => {
                |view, at| f64::from(view.node(at).is("expanded") || view.node(at).is("collapsed"))
            }
            _ => |_, _| 1.0,
        };
        let mut meant = target.clone();
        if matches!(state, StateWord::Checked | StateWord::Unchecked)
            && !matches!(meant.kind, Some(ElementKind::Checkbox | ElementKind::Radio | ElementKind::Switch))
        {
            meant.kind = None;
        }
        let folds = matches!(state, StateWord::Expanded | StateWord::Collapsed);
        let titled = titled_name(target).filter(|_| folds && target.words.len() <= 1);
        let titled = titled.map(|name| folding_titled(view, name)).unwrap_or_default();
        let at = match titled.as_slice() {
            [only] => *only,
            _ => match self.one_of_any_standing(&meant, usable) {
                Ok(at) => at,
                Err(finding) => return finding,
            },
        };
        let finding = self.found_in_state(at, state);
        match finding.truth {
            Truth::No => Finding { expected: Some(word(state).to_string()), ..finding },
            _ => finding,
        }
    }

    fn found_in_state(&self, at: usize, state: StateWord) -> Finding {
        let view = self.view;
        let (what, name) = (view.describe(at), word(state));
        if looks_otherwise(view, at, state) {
            return Finding::unsure(format!("{what} says that it is {name} or not, and is drawn otherwise"))
                .with(view.lines([at]));
        }
        match stands(view, at, state) {
            Some(true) => Finding::yes(format!("{what} is {name}"))
                .or_denied(format!("Expected {what} not to be {name}, but it is")),
            Some(false) => Finding::no(format!("Expected {what} to be {name}, but it is not"))
                .or_denied(format!("{what} is {}", opposite(state)))
                .read(),
            None => Finding::unsure(format!("cannot tell whether {what} is {name}")),
        }
        .with(view.lines([at]))
    }

    /// A disabled twin must not lose to an enabled one when its state is the question: both are candidates.
    fn one_of_any_standing(
        &self,
        target: &Target,
        usable: fn(&View, usize) -> f64,
    ) -> Result<usize, Finding> {
        let at = self.one(target, usable)?;
        let twins: Vec<usize> = rank(&self.look(usable), target)
            .unwrap_or_default()
            .into_iter()
            .map(|one| one.at)
            .filter(|other| {
                *other != at
                    && self.view.node(*other).role == self.view.node(at).role
                    && fold(&self.view.node(*other).name) == fold(&self.view.node(at).name)
                    && self.view.node(*other).is("disabled") != self.view.node(at).is("disabled")
                    && !self.view.node(*other).is("covered")
            })
            .collect();
        if twins.is_empty() {
            return Ok(at);
        }
        Err(Finding::unsure(format!("{} could be any of {} elements", said(target), twins.len() + 1))
            .with(self.view.lines(std::iter::once(at).chain(twins))))
    }

    fn is_selected(&self, target: &Target) -> Finding {
        let view = self.view;
        let can_be = |view: &View, at: usize| match view.node(at).role.as_str() {
            "tab" | "option" | "radio" | "menuitemradio" | "treeitem" | "checkbox" | "switch"
            | "gridcell" => 1.0,
            "row" | "listitem" | "link" | "button" | "menuitem" | "menuitemcheckbox" | "clickable" => 0.8,
            _ => 0.0,
        };
        // What a closed list shows is what is selected in it.
        let name = target.quoted.clone().unwrap_or_else(|| target.words.join(" "));
        let offers: Vec<usize> = view
            .all()
            .filter(|at| view.node(*at).options.iter().any(|option| fold(option) == fold(&name)))
            .collect();
        let offers: Vec<usize> = match target.relations.first() {
            Some(relation) => {
                let around = anchors(&self.look(|_, _| 1.0), &relation.to);
                offers
                    .into_iter()
                    .filter(|at| around.iter().any(|other| other == at || view.is_within(*at, *other)))
                    .collect()
            }
            None => offers,
        };
        if let [list] = offers.as_slice()
            && !name.is_empty()
        {
            let value = view.node(*list).value.clone().unwrap_or_default();
            let so = fold(&value) == fold(&name) || value.split(", ").any(|one| fold(one) == fold(&name));
            let truth = if so { Truth::Yes } else { Truth::No };
            return Finding::compared(truth, &format!("\"{name}\""), &value).read().with(view.lines([*list]));
        }
        if offers.len() > 1 {
            return Finding::unsure(format!("several lists offer \"{name}\"")).with(view.lines(offers));
        }
        let at = match self.one(target, can_be) {
            Ok(at) => at,
            Err(finding) => return finding,
        };
        self.found_in_state(at, StateWord::Selected)
    }

    fn is_empty(&self, target: &Target) -> Finding {
        let view = self.view;
        let fields = |view: &View, at: usize| f64::from(view.is_editable(at));
        let holds_entries = matches!(
            target.kind,
            Some(
                ElementKind::Table
                    | ElementKind::List
                    | ElementKind::Section
                    | ElementKind::Dialog
                    | ElementKind::Form
                    | ElementKind::Row
                    | ElementKind::Cell
                    | ElementKind::Item
            )
        );
        if !holds_entries && let Ok(at) = self.one(target, fields) {
            let node = view.node(at);
            let value = node.value.clone().unwrap_or_default();
            // Blanks are not nothing, though they look like it.
            let truth = match (value.is_empty(), value.trim().is_empty()) {
                (true, _) => Truth::Yes,
                (false, true) => Truth::NotQuite,
                _ => Truth::No,
            };
            let shown = if node.is("secret") { "a masked value".to_string() } else { value };
            return Finding::compared(truth, "an empty field", &shown).read().with(view.lines([at]));
        }
        self.holds_nothing(target)
    }

    /// "The cart is empty": no entries in it, or the page says so.
    fn holds_nothing(&self, target: &Target) -> Finding {
        let view = self.view;
        let containers = |view: &View, at: usize| {
            f64::from(view.has_children(at) && !view.is_control(at) && view.node(at).role != "heading")
                .max(f64::from(matches!(view.node(at).role.as_str(), "list" | "table" | "grid")))
        };
        let names: Vec<String> = if target.words.is_empty() {
            target.quoted.as_deref().map(words_of).unwrap_or_default()
        } else {
            target.words.clone()
        };
        let statements: Vec<usize> = view
            .all()
            .filter(|at| {
                !view.has_children(*at)
                    && !view.is_editable(*at)
                    && !view.node(*at).is("covered")
                    && !in_control(view, *at)
                    && says_empty(view.text(*at))
            })
            .collect();
        let place = self.one(target, containers).ok();
        let entries = place.map(|at| entries_in(view, at));
        let names_it = |at: &usize| {
            place.is_some_and(|place| view.is_within(*at, place))
                || (!names.is_empty() && all_among(&names, &words_of(view.text(*at))))
        };
        // Of a page of its own it is said without its name, where nothing else is on it.
        let is_its_page = |at: &usize| {
            !names.is_empty()
                && is_page(view, &names.join(" "), self.hints).truth == Truth::Yes
                && !view.all().any(|other| other != *at && is_thing(view, other))
        };
        let about_it = statements
            .iter()
            .copied()
            .find(names_it)
            .or_else(|| statements.first().copied().filter(|_| place.is_none()).filter(is_its_page));
        match (entries, about_it) {
            (Some(count), _) if count > 0 => {
                Finding::compared(Truth::No, "nothing in it", &format!("{count} entries"))
                    .with(view.lines(place))
            }
            // A line that says so among others that may be things is not enough.
            (_, Some(at)) if place.is_some_and(|place| other_things(view, place, at)) => {
                Finding::unsure(format!("the page says \"{}\", but other things are there", view.text(at)))
                    .with(view.lines([at]))
            }
            (_, Some(at)) => {
                Finding::yes(format!("the page says \"{}\"", view.text(at))).with(view.lines([at]))
            }
            (Some(_), None) => match place {
                Some(at)
                    if !view.inside(at).any(|inner| view.node(inner).role == "text")
                        || matches!(
                            view.node(at).role.as_str(),
                            "list" | "table" | "grid" | "listbox" | "tree"
                        ) =>
                {
                    Finding::yes(format!("{} has no entries", view.describe(at))).with(view.lines([at]))
                }
                Some(at) => Finding::unsure(format!(
                    "{} contains things that may or may not be entries",
                    view.describe(at)
                ))
                .with(view.lines([at])),
                None => Finding::unsure(format!("nothing on the page matches {}", said(target))),
            },
            (None, None) => self.counted_badge(&names).unwrap_or_else(|| {
                Finding::unsure(format!(
                    "nothing on the page matches {}, so this cannot be checked",
                    said(target)
                ))
            }),
        }
    }

    /// `Cart (0)`.
    fn counted_badge(&self, names: &[String]) -> Option<Finding> {
        let view = self.view;
        let ways = variants(names);
        let at = view.all().find(|at| {
            let words = words_of(view.text(*at));
            matches!(view.node(*at).role.as_str(), "link" | "button")
                && ways.iter().any(|way| way.worth >= SYNONYM && all_among(&way.words, &words))
                && super::figures::numbers(view.text(*at)).len() == 1
        })?;
        let count = super::figures::numbers(view.text(at))[0];
        let truth = if count == 0.0 { Truth::Yes } else { Truth::No };
        Some(Finding::compared(truth, "nothing in it", view.text(at)).with(view.lines([at])))
    }
}

/// "Your cart is empty", "No items yet", "Nothing here"; not "Empty your cart" or "Nothing beats a lamp".
pub(super) fn says_empty(text: &str) -> bool {
    const THINGS: &[&str] = &[
        "items",
        "item",
        "results",
        "result",
        "entries",
        "products",
        "data",
        "rows",
        "records",
        "orders",
        "messages",
        "files",
        "tasks",
        "users",
        "matches",
        "notifications",
        "articles",
        "content",
    ];
    const AFTER_NOTHING: &[&str] =
        &["here", "to", "found", "in", "yet", "added", "selected", "left", "matches"];
    let words = words_of(text);
    if words.len() > 12 || words.iter().any(|word| word == "not" || word.ends_with("n't")) {
        return false;
    }
    let ends_empty = words.iter().position(|word| word == "empty").is_some_and(|at| {
        let rest = &words[at + 1..];
        let is_aside = |word: &String| {
            matches!(word.as_str(), "right" | "now" | "at" | "the" | "moment" | "yet" | "currently" | "still")
        };
        let is_said = at > 0 || words.len() == 1;
        is_said && (rest.is_empty() || rest.iter().all(is_aside) || starts_a_sentence(text, "empty"))
    });
    let none = words.windows(2).any(|pair| pair[0] == "no" && THINGS.contains(&pair[1].as_str()));
    let nothing = words
        .iter()
        .position(|word| word == "nothing")
        .is_some_and(|at| words.get(at + 1).is_none_or(|next| AFTER_NOTHING.contains(&next.as_str())));
    ends_empty || none || nothing
}

/// Whether a sentence ends behind the word: "Your cart is empty. Go shopping".
fn starts_a_sentence(text: &str, word: &str) -> bool {
    let text = fold(text);
    text.split_once(word).is_some_and(|(_, rest)| rest.starts_with(['.', '!', ',', ';', ':']))
}

fn in_control(view: &View, at: usize) -> bool {
    view.scene.ancestors(at).any(|around| view.is_control(around))
}

/// Whether a control that the page draws itself looks different from what it says: a closed section with its content in
/// sight, or a box among others in the same state with another class.
fn looks_otherwise(view: &View, at: usize, state: StateWord) -> bool {
    let node = view.node(at);
    let is_native =
        matches!(node.attribute("tag"), Some("input" | "summary" | "details" | "select" | "button"));
    let siblings = view.siblings(at);
    match state {
        StateWord::Expanded | StateWord::Collapsed if node.is("collapsed") && !is_native => {
            let next = siblings.iter().skip_while(|other| **other != at).nth(1);
            siblings.len() == 2
                && next.is_some_and(|next| {
                    !view.is_control(*next) && !view.text_in_sight(*next).trim().is_empty()
                })
        }
        StateWord::Checked | StateWord::Unchecked | StateWord::Selected if !is_native => {
            siblings.iter().any(|other| {
                let twin = view.node(*other);
                *other != at
                    && twin.role == node.role
                    && twin.states == node.states
                    && twin.attribute("class") != node.attribute("class")
            })
        }
        _ => false,
    }
}

/// An entry of a list, or a price.
fn is_thing(view: &View, at: usize) -> bool {
    let is_price = view.node(at).role == "text"
        && !in_control(view, at)
        && super::figures::figures(view.text(at)).iter().any(|figure| figure.sign.is_some());
    is_price || view.is_entry(at) && !in_control(view, at) && !crate::ground::frame::is_framed(view, at)
}

/// Texts in a place, beside the one that says it is empty, that could be things in it: several lines, or a price.
fn other_things(view: &View, place: usize, statement: usize) -> bool {
    let others: Vec<usize> = view
        .inside(place)
        .filter(|at| view.node(*at).role == "text" && *at != statement && !view.is_within(*at, statement))
        .filter(|at| !view.is_within(statement, *at) && !in_control(view, *at))
        .filter(|at| !view.scene.ancestors(*at).any(|around| view.node(around).role == "heading"))
        .filter(|at| !view.scene.ancestors(*at).any(|around| around == statement))
        .collect();
    let has_figure = |at: &usize| view.text(*at).chars().any(|letter| letter.is_ascii_digit());
    others.len() >= 2 || others.iter().any(has_figure)
}

/// How many entries are in a place, those inside other entries not counted.
pub(super) fn entries_in(view: &View, at: usize) -> usize {
    view.inside(at)
        .filter(|inner| view.is_entry(*inner))
        .filter(|inner| {
            !view.scene.ancestors(*inner).any(|around| view.is_within(around, at) && view.is_entry(around))
        })
        .count()
}

/// How a thing is that is not in the state.
fn opposite(state: StateWord) -> String {
    let other = match state {
        StateWord::Enabled => StateWord::Disabled,
        StateWord::Disabled => StateWord::Enabled,
        StateWord::Expanded => StateWord::Collapsed,
        StateWord::Collapsed => StateWord::Expanded,
        _ => return format!("not {}", word(state)),
    };
    word(other).to_string()
}

fn word(state: StateWord) -> &'static str {
    match state {
        StateWord::Visible => "visible",
        StateWord::Hidden => "hidden",
        StateWord::Exists => "there",
        StateWord::Enabled => "enabled",
        StateWord::Disabled => "disabled",
        StateWord::Checked => "checked",
        StateWord::Unchecked => "unchecked",
        StateWord::Selected => "selected",
        StateWord::Focused => "focused",
        StateWord::Expanded => "expanded",
        StateWord::Collapsed => "collapsed",
        StateWord::Editable => "editable",
        StateWord::ReadOnly => "read-only",
        StateWord::Required => "required",
        StateWord::Invalid => "invalid",
        StateWord::Empty => "empty",
        StateWord::Pressed => "pressed",
    }
}
