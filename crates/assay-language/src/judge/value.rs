//! Values: of a field, an element, a cell or a choice.

use crate::ground::find::{rank, said};
use crate::ground::kinds::holds_things;
use crate::ground::places::{by_its_mark, is_called};
use crate::ground::tables;
use crate::ground::thresholds::{ENOUGH, LEAD};
use crate::ground::view::{View, short};
use crate::ground::words::{
    Containment, all_among, containment, fold, identifier_words, same_word, spaced, words_of,
};
use crate::synonyms::variants;
use crate::{ElementKind, Matcher, Target};

use super::lines::lines;
use super::matching::{exactly, matches, wanted};
use super::reading::reading;
use super::scope::Scope;
use super::shown::text_within;
use super::{Finding, Judging, Truth};

impl Judging<'_> {
    pub(super) fn value(&self, target: &Target, matcher: &Matcher) -> Finding {
        let view = self.view;
        // `The user name "Ada" is shown`: what is called so says it, or the text is there where nothing is called so.
        if let (Some(quoted), Matcher::Contains(text)) = (&target.quoted, matcher)
            && quoted == text
        {
            let called = Target { quoted: None, ..target.clone() };
            return match rank(&self.look(|_, _| 1.0), &called) {
                Ok(found) if found.iter().any(|one| one.score >= ENOUGH) => self.value(&called, matcher),
                _ => self.plain_text(text, &called.words),
            };
        }
        if target.kind == Some(ElementKind::Page) && target.is_nameless() {
            return self.text(matcher, None);
        }
        if let Some(finding) = self.text_in_messages(matcher, target) {
            return finding;
        }
        if let Some(at) = self.dropped_on(target) {
            return self.said_by(
                at,
                &Target { kind: Some(ElementKind::Section), ..Target::default() },
                matcher,
            );
        }
        if let [only] = by_its_mark(view, target).as_slice() {
            return text_within(view, matcher, Some(&Scope::of(view, *only, target)));
        }
        let fields = |view: &View, at: usize| f64::from(view.is_editable(at));
        let field_first = target.kind.is_none_or(|kind| kind.takes_a_value() || kind == ElementKind::List);
        // "The list" without a name is what the page lists, not a field to choose in.
        let is_nameless = target.is_nameless() && target.relations.is_empty();
        if field_first && !(target.kind == Some(ElementKind::List) && is_nameless) {
            match self.one(target, fields) {
                Ok(at) => return self.held(at, matcher),
                Err(finding) if !finding.elements.is_empty() && target.kind == Some(ElementKind::Field) => {
                    return finding;
                }
                Err(_) => {}
            }
        }
        if let Some(finding) = self.in_one_of_several(target, matcher) {
            return finding;
        }
        match self.place(target) {
            // "The list" may be what the page lists as well as a field to choose in.
            Ok(at)
                if view.is_editable(at)
                    && target.kind == Some(ElementKind::List)
                    && is_nameless
                    && !self.groups(&Target::default()).is_empty() =>
            {
                Finding::unsure("it is unclear which list is meant").with(view.lines([at]))
            }
            Ok(at) if view.is_editable(at) && !view.has_children(at) => self.held(at, matcher),
            Ok(at) => self.or_beside(at, matcher, self.said_by(at, target, matcher)),
            // Whether a region of that role is what the sentence means shows in what it says.
            Err(finding) => self
                .only_of_role(target)
                .map(|at| text_within(view, matcher, Some(&Scope::of(view, at, target))))
                .filter(|says| says.truth == Truth::Yes)
                .unwrap_or(finding),
        }
    }

    /// "The status", where nothing is called so and the page has one such region.
    fn only_of_role(&self, target: &Target) -> Option<usize> {
        const REGIONS: &[&str] = &["status", "log", "timer"];
        let view = self.view;
        let is_plain = target.kind.is_none()
            && target.quoted.is_none()
            && target.ordinal.is_none()
            && target.relations.is_empty();
        let [word] = target.words.as_slice() else { return None };
        if !is_plain || !REGIONS.contains(&word.as_str()) {
            return None;
        }
        let mut of_role =
            view.all().filter(|at| view.node(*at).role == *word && !view.node(*at).is("covered"));
        let only = of_role.next()?;
        of_role.next().is_none().then_some(only)
    }

    /// "The footer says …" where there are two: one of them says it, or none does.
    fn in_one_of_several(&self, target: &Target, matcher: &Matcher) -> Option<Finding> {
        let view = self.view;
        let is_part = matches!(
            target.kind,
            Some(ElementKind::Footer | ElementKind::Header | ElementKind::Sidebar | ElementKind::Navigation)
        );
        let is_nameless = target.is_nameless() && target.ordinal.is_none();
        if !is_part
            || !is_nameless
            || !target.relations.is_empty()
            || !matches!(matcher, Matcher::Contains(_))
        {
            return None;
        }
        let ranked = rank(&self.look(|_, _| 1.0), target).ok()?;
        let best = ranked.first().map_or(0.0, |one| one.score);
        let places: Vec<usize> = ranked
            .into_iter()
            .filter(|one| one.score >= ENOUGH && one.score > best - LEAD)
            .map(|one| one.at)
            .collect();
        if places.len() < 2 {
            return None;
        }
        let mut findings: Vec<Finding> =
            places.iter().map(|at| text_within(view, matcher, Some(&Scope::of(view, *at, target)))).collect();
        let says = findings.iter().position(|one| one.truth == Truth::Yes);
        let best = says.or_else(|| findings.iter().position(|one| one.truth != Truth::No)).unwrap_or(0);
        Some(findings.swap_remove(best))
    }

    /// What a table does not say may stand in the box around it: "Showing 1 to 10 of 57".
    fn or_beside(&self, at: usize, matcher: &Matcher, finding: Finding) -> Finding {
        let view = self.view;
        if finding.truth != Truth::No || !tables::is_table(view, at) {
            return finding;
        }
        let mut boxes = view.scene.ancestors(at).take(5).take_while(|around| {
            view.inside(*around).filter(|inner| tables::is_table(view, *inner)).count() == 1
        });
        let says = |around: usize| {
            view.inside(around)
                .filter(|inner| !view.is_within(*inner, at) && view.node(*inner).role == "text")
                .any(|inner| matches(matcher, view.text(inner)) == Truth::Yes)
        };
        // A status that says just this is the table's.
        let is_line = |around: usize| {
            let mut lines = view.inside(around).filter(|inner| view.node(*inner).role == "status");
            matches!(matcher, Matcher::Contains(text) if lines.any(|inner| spaced(view.text(inner)) == spaced(text)))
        };
        match boxes.find(|around| says(*around)) {
            Some(around) if is_line(around) => Finding::yes("a line beside the table says so"),
            Some(_) => Finding { truth: Truth::Unsure, ..finding },
            None => finding,
        }
    }

    /// A text by itself that is just this one. A control of that name says what it does, not what is so.
    fn plain_text(&self, text: &str, words: &[String]) -> Finding {
        let view = self.view;
        let in_control = |at: usize| view.scene.ancestors(at).any(|around| view.is_control(around));
        let found = view.all().find(|at| {
            view.node(*at).role == "text"
                && spaced(view.text(*at)) == spaced(text)
                && !view.node(*at).is("covered")
                && !in_control(*at)
        });
        // The page may show the name of the user in a greeting.
        const GREETING: &[&str] = &["logged in as", "signed in as", "welcome", "hello", "hi"];
        let is_person = words.iter().any(|word| matches!(word.as_str(), "user" | "username" | "account"));
        let greets = |at: &usize| {
            let own = fold(view.text(*at));
            let behind = GREETING.iter().find_map(|greeting| own.strip_prefix(greeting));
            let name = behind.map(|rest| rest.trim_start_matches([':', ',', ' ']));
            name.and_then(|name| name.strip_prefix(&fold(text)))
                .is_some_and(|rest| !rest.trim_start().starts_with(char::is_alphanumeric))
                && spaced(view.text(*at)).contains(&spaced(text))
        };
        let greeted = || view.all().find(|at| is_person && view.node(*at).role == "text" && greets(at));
        match found.or_else(greeted) {
            Some(at) => self.is_seen(at),
            None => Finding::unsure(format!("nothing shows what \"{text}\" belongs to")),
        }
    }

    /// "The target", "the drop zone": what something was just dragged to, where nothing else is called so.
    fn dropped_on(&self, target: &Target) -> Option<usize> {
        const DROPPED_ON: &[&str] = &["target", "destination", "zone", "drop", "area"];
        let view = self.view;
        let onto = self.hints.acted.as_ref()?.onto.as_deref()?;
        let is_meant = target.quoted.is_none()
            && target.relations.is_empty()
            && target.ordinal.is_none()
            && matches!(target.kind, None | Some(ElementKind::Section))
            && words_of(&target.said).iter().all(|word| word == "the" || DROPPED_ON.contains(&word.as_str()));
        if !is_meant {
            return None;
        }
        let others = rank(&self.look(|_, _| 1.0), target).unwrap_or_default();
        let is_called = others.iter().any(|one| one.exact && one.score >= ENOUGH);
        view.with_ref(onto).filter(|_| !is_called)
    }

    /// The value of a field. A masked one proves only whether there is any.
    pub(super) fn held(&self, at: usize, matcher: &Matcher) -> Finding {
        let view = self.view;
        let node = view.node(at);
        let Some(value) = reading(view, at) else {
            return Finding::unsure(format!("the text of {} could not be read", view.describe(at)))
                .with(view.lines([at]));
        };
        let masked = node.is("secret") || node.attribute("type") == Some("password");
        if masked && !value.is_empty() && !matches!(matcher, Matcher::Empty) {
            return Finding::unsure(format!("the value of {} is masked", view.describe(at)))
                .with(view.lines([at]));
        }
        let truth = match matcher {
            Matcher::Number(_) | Matcher::Amount(..) => matches(matcher, &value),
            _ => exactly(matcher, &value),
        };
        // The scene writes a date of parts in another notation than the page, and a list for several choices shows the
        // chosen ones beside its field.
        let is_told_otherwise = node.role == "date" && !matches!(matcher, Matcher::Empty)
            || node.role == "combobox" && value.is_empty() && self.stands_beside(at, matcher);
        let truth = if truth != Truth::Yes && is_told_otherwise { Truth::Unsure } else { truth };
        Finding::compared(truth, &wanted(matcher), &value).read().with(view.lines([at]))
    }

    /// Whether a text beside a field says it: the chips of a list that takes several.
    fn stands_beside(&self, at: usize, matcher: &Matcher) -> bool {
        let view = self.view;
        let says = |other: usize| other != at && matches(matcher, &view.text_in_sight(other)) == Truth::Yes;
        view.siblings(at).iter().any(|other| says(*other))
            || view.scene.ancestors(at).take(2).any(|around| view.inside(around).any(says))
    }

    /// What an element says: its text, the text after its name, or what stands beside its label.
    fn said_by(&self, at: usize, target: &Target, matcher: &Matcher) -> Finding {
        let view = self.view;
        let scope = Scope::of(view, at, target);
        let all = view.pieces(scope.range.clone(), true);
        let pieces = scope.own(all.clone());
        let parts = lines(view, &pieces);
        let whole = parts.join(" ");
        // Of a place that holds many things, each is asked for itself.
        if (parts.len() > 3 || pieces.len() < all.len())
            && !matches!(matcher, Matcher::Number(_) | Matcher::Amount(..) | Matcher::Empty)
            && (!matches!(matcher, Matcher::Equals(_) | Matcher::Said(_))
                || target.kind.is_some_and(holds_things))
        {
            return text_within(view, matcher, Some(&scope));
        }
        let mut sayings = vec![whole.clone()];
        let label: Vec<String> = match &target.quoted {
            Some(quoted) => words_of(quoted),
            None => target.words.clone(),
        };
        if target.kind.is_none() && target.quoted.is_none() && !is_about(view, at, &label) {
            let reason = format!("nothing shows that {} is {}", view.describe(at), said(target));
            return Finding::unsure(reason).with(view.lines([at]));
        }
        let is_headed = parts.first().is_some_and(|first| is_called(first, &label));
        if let Some(other) = longer_label(&whole, &label).filter(|_| !is_headed) {
            return Finding::unsure(format!("\"{}\" belongs to \"{other}\"", short(&whole)))
                .with(view.lines([at]));
        }
        // "The account balance" may find the label "Balance", and that is no value either.
        let own = words_of(&whole);
        let is_label_only = !label.is_empty()
            && (is_called(&whole, &label)
                || own.concat() == label.concat()
                || !own.is_empty()
                    && own.iter().all(|word| label.iter().any(|other| same_word(word, other))));
        if !is_label_only && !label.is_empty() {
            sayings.extend(after_label(&whole, &label));
        }
        // What stands beside a link is not what the link is about.
        let in_control = std::iter::once(at)
            .chain(view.scene.ancestors(at))
            .any(|around| matches!(view.node(around).role.as_str(), "link" | "button" | "tab" | "menuitem"));
        if is_label_only && in_control && !names_itself(target) {
            return Finding::unsure(format!("{} shows only its name, not a value", said(target)))
                .with(view.lines([at]));
        }
        if is_label_only && let Some(finding) = self.under_head(at, matcher) {
            return finding;
        }
        // In a row of heads, the values stand below.
        let is_inner = view.entry_of(at).filter(|entry| *entry != at).is_some_and(|entry| {
            view.inside(entry)
                .find(|inner| view.node(*inner).role == "text")
                .is_some_and(|first| first != at && !view.is_within(first, at))
        });
        if is_label_only && is_inner {
            return Finding::unsure(format!(
                "{} may be the head of a column; say in which row",
                view.describe(at)
            ))
            .with(view.lines([at]));
        }
        if is_label_only && several_beside(view, at) {
            return Finding::unsure(format!("several values stand beside {}", view.describe(at)))
                .with(view.lines([at]));
        }
        if is_label_only
            && !view.is_entry(at)
            && let Some(beside) = beside_label(view, at)
        {
            sayings = vec![beside];
        } else if is_label_only && !view.is_entry(at) && !names_itself(target) {
            return Finding::unsure(format!("{} shows only its name, not a value", said(target)))
                .with(view.lines([at]));
        }
        let truths: Vec<Truth> = sayings.iter().map(|saying| matches(matcher, saying)).collect();
        let best = [Truth::Yes, Truth::Unsure, Truth::NotQuite, Truth::No]
            .into_iter()
            .find(|truth| truths.contains(truth));
        let shown = sayings.last().cloned().unwrap_or_default();
        let best = best.map(|truth| match truth {
            Truth::No => in_longer_text(matcher, &sayings, &label),
            truth => truth,
        });
        Finding::compared(best.unwrap_or(Truth::Unsure), &wanted(matcher), &short(&shown))
            .with(view.lines([at]))
    }

    /// The value under the head of a column, where there is only one row.
    fn under_head(&self, at: usize, matcher: &Matcher) -> Option<Finding> {
        let view = self.view;
        let head = std::iter::once(at)
            .chain(view.scene.ancestors(at))
            .find(|around| view.node(*around).role == "columnheader")?;
        // A head with one value behind it in its own row is the head of that row.
        let row: Vec<usize> = view
            .siblings(head)
            .into_iter()
            .filter(|other| matches!(view.node(*other).role.as_str(), "cell" | "gridcell"))
            .collect();
        if let [cell] = row.as_slice()
            && *cell > head
        {
            let text = reading(view, *cell)?;
            return Some(
                Finding::compared(matches(matcher, &text), &wanted(matcher), &short(&text))
                    .with(view.lines([*cell])),
            );
        }
        let around = view.scene.ancestors(head).find(|around| tables::is_table(view, *around))?;
        let table = tables::table(view, around);
        let cells: Vec<usize> = table.rows.iter().filter_map(|row| table.cell(view, *row, head)).collect();
        let [only] = cells.as_slice() else {
            let reason = format!("{} heads {} rows; say which one", view.describe(head), cells.len());
            return Some(Finding::unsure(reason).with(view.lines([head])));
        };
        let text = reading(view, *only)?;
        Some(
            Finding::compared(matches(matcher, &text), &wanted(matcher), &short(&text))
                .with(view.lines([*only])),
        )
    }
}

/// What such things say is what they are called.
fn names_itself(target: &Target) -> bool {
    matches!(
        target.kind,
        Some(
            ElementKind::Heading
                | ElementKind::Button
                | ElementKind::Link
                | ElementKind::Text
                | ElementKind::Label
                | ElementKind::Tab
                | ElementKind::MenuItem
                | ElementKind::Option
                | ElementKind::Cell
                | ElementKind::Icon
        )
    )
}

/// `Total tax: 12` is not the total: its label goes on behind the words that were said.
fn longer_label(text: &str, label: &[String]) -> Option<String> {
    const BESIDE: &[&str] = &[
        "is",
        "are",
        "the",
        "your",
        "of",
        "now",
        "only",
        "amount",
        "value",
        "number",
        "due",
        "price",
        "usd",
        "eur",
        "gbp",
        "chf",
        "count",
        "status",
        "date",
        "time",
        "today",
        "currently",
        "approx",
        "about",
    ];
    let end = text.find(|letter: char| letter == ':' || letter.is_ascii_digit())?;
    let have = words_of(&text[..end]);
    let is_labelled = !label.is_empty() && have.len() > label.len() && have.starts_with(label);
    let goes_on = have.iter().skip(label.len()).any(|word| !BESIDE.contains(&word.as_str()));
    (is_labelled && goes_on).then(|| have.join(" "))
}

/// `Total: $12` without its label.
pub(super) fn after_label(text: &str, label: &[String]) -> Option<String> {
    let lower = text.to_lowercase();
    let last = label.last()?;
    let have = words_of(text);
    if !have.iter().zip(label).all(|(one, other)| one == other) || have.len() < label.len() {
        return None;
    }
    let start = lower.find(last.as_str())? + last.len();
    let rest = text
        .get(start..)?
        .trim_start_matches(|letter: char| letter.is_whitespace() || matches!(letter, ':' | '='));
    // A dash between blanks parts the two; before a number it is its sign.
    let rest =
        ["- ", "– ", "— "].iter().find_map(|dash| rest.strip_prefix(dash)).unwrap_or(rest).trim_start();
    (!rest.is_empty()).then(|| rest.to_string())
}

/// Whether a longer text says it of the label alone: "Your order number is A-9004". Otherwise it may or may not.
pub(super) fn in_longer_text(matcher: &Matcher, sayings: &[String], label: &[String]) -> Truth {
    const SMALL: &[&str] = &["your", "the", "is", "are", "of", "a", "an", "our", "my", "total", "now"];
    let (Matcher::Equals(whole) | Matcher::Said(whole)) = matcher else { return Truth::No };
    let wanted = words_of(whole);
    let longer: Vec<&String> =
        sayings.iter().filter(|text| containment(&fold(whole), &fold(text)) == Containment::Whole).collect();
    let is_plain = |text: &&String| {
        words_of(text).iter().all(|word| {
            SMALL.contains(&word.as_str())
                || wanted.contains(word)
                || label.iter().any(|other| same_word(word, other))
        })
    };
    match longer.as_slice() {
        [] => Truth::No,
        all if all.iter().any(|text| is_plain(text) && spaced(text).contains(&spaced(whole))) => Truth::Yes,
        _ => Truth::Unsure,
    }
}

/// Whether all words of a label are said by the element, its name or its marks, or stand before it.
fn is_about(view: &View, at: usize, label: &[String]) -> bool {
    let mut have: Vec<String> = words_of(view.text(at));
    for place in std::iter::once(at).chain(view.scene.ancestors(at).take(2)).chain(view.inside(at)) {
        let node = view.node(place);
        have.extend(words_of(&node.name));
        for name in ["class", "id", "testid", "name"] {
            have.extend(node.attribute(name).map(identifier_words).unwrap_or_default());
        }
        for name in ["title", "label", "placeholder", "alt", "column"] {
            have.extend(node.attribute(name).map(words_of).unwrap_or_default());
        }
        have.extend(view.text_before(place).map(|text| words_of(&text)).unwrap_or_default());
    }
    label.is_empty() || variants(label).iter().any(|way| all_among(&way.words, &have))
}

/// More than one value stands in the line of a label.
fn several_beside(view: &View, at: usize) -> bool {
    let mut here = at;
    for _ in 0..2 {
        let siblings = view.siblings(here);
        let Some(place) = siblings.iter().position(|other| *other == here) else { return false };
        let beside = siblings[place + 1..].iter().filter(|next| {
            on_one_line(view.node(here).area, view.node(**next).area)
                && !view.is_control(**next)
                && !view.text_in_sight(**next).trim().is_empty()
        });
        match beside.count() {
            0 => {}
            number => return number > 1,
        }
        let Some(parent) = view.node(here).parent else { return false };
        here = parent;
    }
    false
}

/// Whether the second stands right of the first.
fn on_one_line(one: [f64; 4], other: [f64; 4]) -> bool {
    let overlap = (one[1] + one[3]).min(other[1] + other[3]) - one[1].max(other[1]);
    overlap > 0.5 * one[3].min(other[3]) && other[0] >= one[0] + one[2] - 1.0
}

/// What stands right after a label, in its own line or row.
pub(super) fn beside_label(view: &View, at: usize) -> Option<String> {
    let mut here = at;
    for _ in 0..3 {
        let siblings = view.siblings(here);
        let place = siblings.iter().position(|other| *other == here)?;
        if let Some(next) = siblings.get(place + 1) {
            let is_value = view.node(here).role == "term" && view.node(*next).role == "definition"
                || on_one_line(view.node(here).area, view.node(*next).area);
            if view.node(here).parent.is_none() && view.has_children(*next) && !is_value {
                return None;
            }
            // What has a heading of its own is another part of the page.
            if std::iter::once(*next)
                .chain(view.inside(*next))
                .any(|inner| view.node(inner).role == "heading")
            {
                return None;
            }
            let text = view.text_in_sight(*next);
            return (!text.trim().is_empty()).then_some(text);
        }
        here = view.node(here).parent?;
    }
    None
}
