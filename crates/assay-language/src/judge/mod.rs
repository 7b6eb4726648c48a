//! Turns a claim and a scene into a verdict with its evidence.
//!
//! A claim is bound to the place and state it names. An undecidable claim is inconclusive; nothing passes by default.

mod absence;
mod address;
mod amounts;
mod changed;
mod chosen;
mod column;
pub(crate) mod compare;
mod denial;
mod each;
mod entry;
mod faults;
mod figures;
mod finding;
mod lines;
mod marked;
mod matching;
mod message;
mod negated_text;
mod offers;
mod order;
mod page;
mod parts;
mod quoted;
mod reading;
mod record;
mod scope;
mod shown;
mod side;
mod state;
mod staying;
mod things;
mod tone;
mod tooltip;
mod unmarked;
mod value;

use assay_protocol::{ElementLine, Judgement, Scene};

use crate::ground::find::{Candidate, Search, SearchResult, find};
use crate::ground::view::View;
use crate::ground::words::{identifier_words, words_of};
use crate::{About, Claim, ElementKind, FormProperty, Hints, Matcher, NumberIs, Piece, StateWord, Target};
pub(crate) use finding::{Finding, Truth};
pub(crate) use page::is_page;
pub use staying::must_have_held;
pub use tone::tells_of_trouble;

/// A name that the claim quotes and the page has nowhere.
pub fn missing_name(claim: &Claim, scene: &Scene) -> Option<String> {
    quoted::not_on_the_page(&View::new(scene), &claim.about)
}

/// Whether the page says these words together, in whatever case.
pub fn shows_words(scene: &Scene, words: &str) -> bool {
    quoted::shows_words(&View::new(scene), words)
}

/// Whether the claim holds on the page at hand. Whether it held before, which would prove nothing, is the caller's to
/// find out: `standing` is left false.
pub fn judge(claim: &Claim, scene: &Scene, hints: &Hints) -> Judgement {
    let view = View::new(scene);
    let judging = Judging { view: &view, hints };
    let finding = judging.about(&claim.about, claim.negated);
    let finding = match finding.truth {
        Truth::Yes => finding,
        _ if claim.negated => finding,
        _ => judging.unmarked_entry(&claim.about).unwrap_or(finding),
    };
    let finding = judging.as_far_as_seen(&claim.about, finding);
    // The page may put a statement in other words; only another value contradicts it.
    let finding = match finding.truth {
        Truth::No if says_a_statement(&claim.about) => Finding { truth: Truth::Unsure, ..finding },
        _ => finding,
    };
    let absence = says_absence(claim);
    let is_blank = || !view.all().any(|at| view.node(at).role == "text" || view.is_control(at));
    if finding.truth == Truth::Yes
        && !is_of_absence(claim)
        && let Some(name) = quoted::not_on_the_page(&view, &claim.about)
    {
        return Finding::unsure(format!("\"{name}\" is nowhere on the page as it is written"))
            .judgement(claim, absence);
    }
    let is_text = matches!(claim.about, About::Text { .. });
    if claim.negated
        && is_text
        && finding.truth == Truth::No
        && let Some(at) = view.all().find(|at| may_hold_text(&view, *at))
    {
        let reason = format!("{}; {} cannot be read", finding.reason, view.describe(at));
        return Finding::unsure(reason).with(view.lines([at])).judgement(claim, absence);
    }
    if absence && reads_the_page(&claim.about) && is_blank() {
        return Finding::unsure("the page shows nothing at all").judgement(claim, absence);
    }
    finding.judgement(claim, absence)
}

/// A large picture without a name may have text in it.
fn may_hold_text(view: &View, at: usize) -> bool {
    let node = view.node(at);
    let is_drawn = matches!(node.attribute("tag"), Some("canvas" | "img" | "object" | "embed"));
    is_drawn && node.name.trim().is_empty() && node.area[2] * node.area[3] >= 20_000.0
}

/// A claim that something is absent or stays may hold from the beginning.
fn says_absence(claim: &Claim) -> bool {
    claim.stays || is_of_absence(claim)
}

fn is_of_absence(claim: &Claim) -> bool {
    match &claim.about {
        About::State { state: StateWord::Hidden, .. } => !claim.negated,
        About::Count { count: NumberIs::Exactly(number), .. } => *number == 0.0,
        _ => claim.negated,
    }
}

#[derive(Clone, Copy)]
pub(crate) struct Judging<'a> {
    pub(crate) view: &'a View<'a>,
    pub(crate) hints: &'a Hints,
}

impl Judging<'_> {
    fn about(&self, about: &About, negated: bool) -> Finding {
        if reads_the_page(about)
            && let Some(finding) = self.behind_a_dialog(about)
        {
            return finding;
        }
        if let Some(finding) = self.on_side(about).filter(|_| !negated) {
            return finding;
        }
        let own_way = self
            .of_column(about)
            .or_else(|| self.of_options(about))
            .or_else(|| self.of_tooltip(about))
            .or_else(|| self.of_entry(about));
        if let Some(finding) = own_way {
            return finding;
        }
        match about {
            About::Text { text, place } => self.text(text, place.as_ref()),
            About::Message { tone, text, topic } => self.message(*tone, text.as_ref(), topic, negated),
            About::Title { text } => self.title(text).read(),
            About::Url { text } => self.url(text).read(),
            About::Page { name } => is_page(self.view, name, self.hints).read(),
            About::State { target, state } => self.state(target, *state),
            About::Value { target, text } => self.value(target, text),
            About::Count { target, count } => self.count(target, *count),
            About::Cell { row, column, text } => self.cell(row, column, text),
            About::Marked { target, word } => self.marked(target, word),
            About::Sorted { of, by, order } => self.sorted(of.as_ref(), by.as_deref(), *order).read(),
            About::Before { first, second } => self.before(first, second).read(),
            About::Each { of, is, among, outright } => self.each(of, is, *among, *outright).read(),
            About::Only { place, texts } => self.only(place.as_ref(), texts).read(),
            About::InOrder { place, texts } => self.in_order(place.as_ref(), texts).read(),
            About::Times { text, place, count } => self.times(text, place.as_ref(), *count).read(),
            About::Chosen { target, options } => self.chosen(target, options),
            About::Changed { target, how } => self.changed(target, how).read(),
            About::LoggedIn => self.logged_in().read(),
            About::NewTab => self.new_tab().read(),
            About::Download { name } => self.downloaded(name.as_deref()).read(),
            About::BrowserDialog { text } => self.browser_dialog(text.as_ref()).searched(),
            About::Unknown { why } => Finding::unsure(why.clone()),
        }
    }

    /// While the browser asks something, the page behind it says nothing reliable.
    fn behind_a_dialog(&self, about: &About) -> Option<Finding> {
        let dialog = self.view.scene.dialog.as_ref()?;
        let wanted = match about {
            About::Text { text, place: None } => Some(text),
            About::Message { text: Some(text), .. } => Some(text),
            _ => None,
        };
        if let Some(matcher) = wanted
            && matching::matches(matcher, &dialog.message) == Truth::Yes
        {
            return Some(Finding::yes(format!("the browser dialog says \"{}\"", dialog.message)));
        }
        Some(Finding::unsure(format!("a browser dialog is open: \"{}\"", dialog.message)))
    }

    /// What was found, as far as it can be said of what is seen: not all of the page may be in the scene, an image may
    /// not have come, and what was counted may only hold the place of what is still to come.
    fn as_far_as_seen(&self, about: &About, finding: Finding) -> Finding {
        let absent = matches!(finding.truth, Truth::No | Truth::NotQuite);
        if self.view.scene.truncated && reads_the_page(about) && (absent || needs_the_whole_page(about)) {
            let reason = format!("part of the page could not be read; in the rest: {}", finding.reason);
            return Finding { truth: Truth::Unsure, reason, ..finding };
        }
        match about {
            About::State { state: StateWord::Visible | StateWord::Exists, .. }
                if finding.truth == Truth::Yes
                    && finding.elements.first().is_some_and(|element| is_so(element, "broken")) =>
            {
                Finding { truth: Truth::NotQuite, reason: "the image was not loaded".to_string(), ..finding }
            }
            About::Count { .. } if finding.truth != Truth::Unsure => match self.stand_in(&finding) {
                Some(reason) => Finding { truth: Truth::Unsure, reason, ..finding },
                None => finding,
            },
            _ => finding,
        }
    }

    /// An entry among those counted that may be none: it is empty, it is only there until the page has loaded more, or it
    /// alone says that there are none.
    fn stand_in(&self, counted: &Finding) -> Option<String> {
        let view = self.view;
        let entries: Vec<usize> = view
            .all()
            .filter(|at| {
                let reference = view.node(*at).reference.as_ref();
                counted.elements.iter().any(|element| reference == Some(&element.reference))
                    && view.node(*at).role != "text"
            })
            .collect();
        let beside = entries.iter().flat_map(|at| view.siblings(*at)).filter(|at| view.is_entry(*at));
        if let Some(at) = entries.iter().copied().chain(beside).find(|at| is_held_for_another(view, *at)) {
            return Some(format!("{} may be a placeholder while the page loads", view.describe(at)));
        }
        match entries.as_slice() {
            [only] if view.is_entry(*only) => {
                let words = words_of(view.text(*only));
                let says_none = words.len() <= 8
                    && words.iter().any(|word| matches!(word.as_str(), "no" | "nothing" | "none" | "empty"));
                says_none.then(|| format!("the only entry says \"{}\"", view.text(*only)))
            }
            _ => None,
        }
    }

    pub(crate) fn look(&self, usable: fn(&View, usize) -> f64) -> Search<'_> {
        Search { view: self.view, hints: self.hints, usable, needs_ref: false, to_act: false }
    }

    /// The one place that is meant, or an inconclusive finding with what could be.
    pub(crate) fn one(&self, target: &Target, usable: fn(&View, usize) -> f64) -> Result<usize, Finding> {
        match find(&self.look(usable), target) {
            SearchResult::One(found) if target.quoted.is_some() && !found.exact => {
                Err(Finding::unsure(format!(
                    "nothing is called exactly {}; nearest: {}",
                    crate::ground::find::said(target),
                    self.view.describe(found.at)
                ))
                .with(self.view.lines([found.at])))
            }
            SearchResult::One(found)
                if target
                    .quoted
                    .as_deref()
                    .is_some_and(|name| lines::differs_in_case(self.view, found.at, name)) =>
            {
                Err(Finding::unsure(format!("in another case it is {}", self.view.describe(found.at)))
                    .with(self.view.lines([found.at])))
            }
            SearchResult::One(found) => Ok(found.at),
            SearchResult::Several(_)
                if is_only_a_heading(target)
                    && let Some(heading) = page::main_heading(self.view) =>
            {
                match page::rival_of(self.view, heading) {
                    Some(rival) => Err(Finding::unsure("two headings stand side by side")
                        .with(self.view.lines([heading, rival]))),
                    None => Ok(heading),
                }
            }
            SearchResult::Several(several) if let Some(at) = self.brought_by_the_act(&several) => Ok(at),
            SearchResult::Several(several) => Err(Finding::unsure(format!(
                "{} could be any of {} elements",
                crate::ground::find::said(target),
                several.len()
            ))
            .with(self.view.lines(several.iter().map(|one| one.at)))),
            SearchResult::None { why, nearest } => Err(Finding::unsure(why).with(self.view.lines(nearest))),
        }
    }
}

impl Judging<'_> {
    /// Of several things that fit, the one in a part of the page that the last act has brought: a response beside its
    /// documentation.
    fn brought_by_the_act(&self, several: &[Candidate]) -> Option<usize> {
        let view = self.view;
        let (_, before) = self.hints.before.as_ref()?;
        // All of another document is new.
        if before.document != view.scene.document {
            return None;
        }
        let before = View::new(before);
        // What a part is called by: its role and its name or first text.
        fn mark<'v>(view: &'v View, at: usize) -> (&'v str, &'v str) {
            let node = view.node(at);
            let first = view.inside(at).find(|inner| view.node(*inner).role == "text");
            let name =
                if node.name.is_empty() { first.map_or("", |first| view.text(first)) } else { &node.name };
            (node.role.as_str(), name)
        }
        let known: Vec<(&str, &str)> = before.all().map(|at| mark(&before, at)).collect();
        let is_part = |at: &usize| {
            matches!(
                view.node(*at).role.as_str(),
                "table"
                    | "grid"
                    | "list"
                    | "region"
                    | "group"
                    | "article"
                    | "form"
                    | "dialog"
                    | "alert"
                    | "status"
            )
        };
        let is_new = |at: usize| {
            let part = std::iter::once(at).chain(view.scene.ancestors(at)).find(is_part);
            part.is_some_and(|part| !known.contains(&mark(view, part)))
        };
        let mut new = several.iter().filter(|one| is_new(one.at));
        match (new.next(), new.next()) {
            (Some(only), None) => Some(only.at),
            _ => None,
        }
    }
}

fn says_a_statement(about: &About) -> bool {
    let mut is_one = false;
    about.visit(&mut |piece| is_one |= matches!(piece, Piece::Matcher(Matcher::Sentence(_), _)));
    is_one
}

fn reads_the_page(about: &About) -> bool {
    !about.form().has(FormProperty::BesidePage)
}

/// Claims that a part of the page cannot prove, even if it agrees.
fn needs_the_whole_page(about: &About) -> bool {
    match about {
        About::Count { .. }
        | About::Sorted { .. }
        | About::Each { .. }
        | About::Only { .. }
        | About::InOrder { .. }
        | About::Times { .. } => true,
        About::State { state, .. } => matches!(state, StateWord::Hidden | StateWord::Empty),
        About::Text { text, .. } | About::Value { text, .. } => *text == Matcher::Empty,
        About::Message { .. }
        | About::Title { .. }
        | About::Url { .. }
        | About::Page { .. }
        | About::Cell { .. }
        | About::Marked { .. }
        | About::Before { .. }
        | About::Chosen { .. }
        | About::Changed { .. }
        | About::LoggedIn
        | About::NewTab
        | About::Download { .. }
        | About::BrowserDialog { .. }
        | About::Unknown { .. } => false,
    }
}

fn is_held_for_another(view: &View, at: usize) -> bool {
    let node = view.node(at);
    node.is("hollow")
        || node.is("busy")
        || node.attribute("class").is_some_and(|class| {
            identifier_words(class)
                .iter()
                .any(|word| matches!(word.as_str(), "skeleton" | "shimmer" | "placeholder"))
        })
}

fn is_so(element: &ElementLine, state: &str) -> bool {
    element.states.iter().any(|known| known == state)
}

/// "The heading" of a page with several is the one of the page.
fn is_only_a_heading(target: &Target) -> bool {
    target.kind == Some(ElementKind::Heading)
        && target.is_nameless()
        && target.ordinal.is_none()
        && target.relations.is_empty()
}

#[cfg(test)]
mod tests {
    use assay_protocol::{SceneNode, Verdict};

    use super::*;

    fn node(parent: Option<usize>, role: &str, name: &str, states: &[&str]) -> SceneNode {
        SceneNode {
            parent,
            reference: Some(format!("e{role}{name}")),
            role: role.to_string(),
            name: name.to_string(),
            states: states.iter().map(|state| state.to_string()).collect(),
            ..SceneNode::default()
        }
    }

    #[track_caller]
    fn check(scene: &Scene, about: About, negated: bool, expected: Verdict) {
        let claim = Claim { said: String::new(), negated, stays: false, about };
        let judgement = judge(&claim, scene, &Hints::default());
        assert_eq!(judgement.verdict, expected, "{}", judgement.reason);
    }

    fn shows(text: &str) -> About {
        About::Text { text: Matcher::Contains(text.to_string()), place: None }
    }

    fn items(count: f64) -> About {
        let target = Target { kind: Some(ElementKind::ListItem), ..Target::default() };
        About::Count { target, count: NumberIs::Exactly(count) }
    }

    #[track_caller]
    fn check_reason(scene: &Scene, about: About, negated: bool, expected: &str) {
        let claim = Claim { said: String::new(), negated, stays: false, about };
        assert_eq!(judge(&claim, scene, &Hints::default()).reason, expected);
    }

    #[test]
    fn the_reason_of_a_denied_claim_says_what_is_so() {
        let nodes = vec![
            node(None, "link", "Shop", &[]),
            node(None, "button", "Main menu", &["collapsed"]),
            node(None, "checkbox", "One", &["checked"]),
            node(None, "checkbox", "Two", &["unchecked"]),
            node(None, "text", "Lamp", &[]),
        ];
        let scene = Scene { nodes, ..Scene::default() };
        let named = |kind, name: &str| Target {
            kind: Some(kind),
            quoted: Some(name.to_string()),
            ..Target::default()
        };
        let is = |target, state| About::State { target, state };
        let shop = || named(ElementKind::Link, "Shop");
        let shown = "Expected no link \"Shop\", but it is there";
        check_reason(&scene, is(shop(), StateWord::Visible), true, shown);
        check_reason(&scene, is(shop(), StateWord::Hidden), false, shown);
        check_reason(&scene, is(shop(), StateWord::Hidden), true, "link \"Shop\" is shown");
        let menu = named(ElementKind::Button, "Main menu");
        check_reason(&scene, is(menu, StateWord::Expanded), true, "button \"Main menu\" is collapsed");
        let lamp = "Expected no \"Lamp\", but it is shown in text \"Lamp\"";
        check_reason(&scene, shows("Lamp"), true, lamp);
        let unchecked = Target {
            kind: Some(ElementKind::Checkbox),
            state: Some(StateWord::Unchecked),
            ..Target::default()
        };
        let none = About::Count { target: unchecked, count: NumberIs::Exactly(0.0) };
        check_reason(&scene, none, false, "1 of 2 checkboxes are not checked");
    }

    #[test]
    fn of_a_part_of_a_page_nothing_is_absent_and_nothing_is_counted() {
        let nodes = vec![
            node(None, "list", "", &[]),
            node(Some(0), "listitem", "", &[]),
            node(Some(1), "text", "Lamp", &[]),
        ];
        let mut scene = Scene { nodes, ..Scene::default() };
        check(&scene, shows("Error"), true, Verdict::Passed);
        check(&scene, items(1.0), false, Verdict::Passed);
        scene.truncated = true;
        check(&scene, shows("Lamp"), false, Verdict::Passed);
        check(&scene, shows("Error"), true, Verdict::Inconclusive);
        check(&scene, shows("Error"), false, Verdict::Inconclusive);
        check(&scene, items(1.0), false, Verdict::Inconclusive);
    }

    #[test]
    fn an_entry_without_anything_in_it_is_not_counted_as_one() {
        let nodes = vec![
            node(None, "list", "", &[]),
            node(Some(0), "listitem", "1", &[]),
            node(Some(1), "text", "Lamp", &[]),
            node(Some(0), "listitem", "2", &["hollow"]),
        ];
        let scene = Scene { nodes, ..Scene::default() };
        check(&scene, items(2.0), false, Verdict::Inconclusive);
        check(&scene, items(1.0), false, Verdict::Inconclusive);
    }

    #[test]
    fn an_image_that_was_not_loaded_is_not_shown() {
        let scene = Scene { nodes: vec![node(None, "image", "Logo", &["broken"])], ..Scene::default() };
        let target =
            Target { quoted: Some("Logo".to_string()), kind: Some(ElementKind::Image), ..Target::default() };
        check(&scene, About::State { target, state: StateWord::Visible }, false, Verdict::Failed);
    }
}
