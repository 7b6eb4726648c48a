//! What something is said to be: in a state, on a page, sorted, equal to something.

use crate::{About, ElementKind, Matcher, Nearness, StateWord, Target};

use super::super::acts::verbs;
use super::super::lexicon::relations;
use super::super::lexicon::states::{self, Stated};
use super::super::lexicon::words::{COLOURS, DETERMINERS, FIELD_NAMES, NAMING_VERBS, PEOPLE};
use super::super::noun::Nouns;
use super::super::phrase::Phrase;
use super::super::token::{Token, TokenKind};
use super::amount::{Strictness, matcher, number_is};
use super::clause::{Clause, opinion_in};
use super::existence::{all_present, counted, entry_of_name, target_is_there, things};
use super::facts::{EVENTS, brought_about, event, means_more};
use super::records::{of_one, with_figure};
use super::{BareClaim, Unclear, attributes, is_person, order, place, subject, told};

/// Why a new tab is not claimed.
pub(crate) const NEW_TAB: &str = "assay does not check for new tabs; switch to the tab and say what it shows";

/// Participles that say where one was brought.
const BROUGHT: &[&str] = &[
    "redirected",
    "taken",
    "sent",
    "navigated",
    "directed",
    "brought",
    "returned",
    "forwarded",
    "moved",
    "led",
    "routed",
    "transferred",
    "back",
];

pub(crate) fn being(clause: &Clause<'_>, nouns: &Nouns<'_>) -> Result<Vec<BareClaim>, Unclear> {
    let (subject, object) = (clause.subject, clause.object);
    // "is back": to be seen again.
    if object.is(&["back"]) && !is_person(subject) && !clause.negated {
        return all_present(subject, nouns);
    }
    // "Is nowhere to be seen".
    if object.starts_any(&["nowhere"])
        && [&["to", "be", "seen"][..], &["to", "be", "found"], &["to", "see"], &["on", "the", "page"], &[]]
            .iter()
            .any(|end| object.from(1).is(end))
    {
        return super::arrival::denied(all_present(subject, nouns));
    }
    if let Some(said) = brought_about(subject, object, nouns) {
        return said;
    }
    if subject.trimmed().without_front(&["that"]).is(&["there"]) {
        return all_present(object, nouns);
    }
    // `At the top there is a hint "2 left"`.
    if let Some((last, place)) =
        subject.tokens.split_last().filter(|(last, place)| last.is("there") && !place.is_empty())
        && !last.is_quoted()
        && relations::relation(&subject.words()).is_some()
    {
        let place = Phrase { tokens: place, ..subject };
        return super::arrival::placed(object, place, nouns);
    }
    // "20 rows are left", "20 rows remain".
    if (object.is(&["left"]) || object.is(&["remaining"]) || object.is_empty() && clause.stays)
        && !clause.negated
        && let Some(said) = counted(subject, nouns, None)
    {
        return said.map(|about| vec![BareClaim::plainly(about)]);
    }
    // "Only 3 rows are left in the table".
    if object.starts(&["left", "in"]) && !clause.negated {
        let place = nouns.target(object.from(2));
        if let Some(said) = place.as_ref().and_then(|place| counted(subject, nouns, Some(place))) {
            return said.map(|about| vec![BareClaim::plainly(about)]);
        }
    }
    if object.is_empty() {
        return Err("it does not say what should be true".to_string());
    }
    if clause.can && !object.starts_any(&["seen", "found", "visible", "displayed"]) {
        return possible(clause, nouns);
    }
    if is_focus(subject)
        && let Some(at) = object.find(&["in", "on"])
    {
        let target = nouns.target(object.from(at + 1)).ok_or_else(|| "it does not say where".to_string())?;
        return Ok(vec![BareClaim::plainly(About::State { target, state: StateWord::Focused })]);
    }
    if let Some(said) = told::notified(clause).or_else(|| told::option_of(clause, nouns)) {
        return said;
    }
    if let Some(said) = brought(clause, nouns) {
        return said;
    }
    // "Page 2 is the current page": of a list.
    if object.without_front(DETERMINERS).is(&["current", "page"])
        && let Some(target) = nouns.target(subject).filter(|target| target.kind == Some(ElementKind::Page))
        && matches!(target.words.as_slice(), [number] if number.bytes().all(|byte| byte.is_ascii_digit()))
    {
        return Ok(vec![BareClaim::plainly(About::State { target, state: StateWord::Selected })]);
    }
    if object.starts_any(&["loaded"]) {
        return super::arrival::loads(&Clause { object: object.from(1), ..*clause }, nouns);
    }
    if let Some(said) = order::sorted(subject, object, nouns) {
        return said;
    }
    let listed = object.without_front(&["listed", "shown", "displayed"]);
    if let Some(said) = order::before(subject, listed, nouns) {
        return said;
    }
    if let Some(said) = in_states(clause, nouns) {
        return said;
    }
    if let Some(said) = event(clause, nouns).or_else(|| of_one(clause, nouns)) {
        return said;
    }
    if let Some(said) = attributes::by_being(clause, nouns) {
        return said;
    }
    if let Some(said) = located(clause, nouns) {
        return said;
    }
    if let Some(said) = valued(clause, nouns) {
        return said;
    }
    if let Some(said) = told::marked(clause, nouns) {
        return said;
    }
    Err(match opinion_in(object) {
        Some(word) => format!("assay cannot check whether something is `{word}`"),
        None => {
            format!("assay cannot check `{}`; it can check text, values, states and counts", object.text())
        }
    })
}

fn is_focus(subject: Phrase<'_>) -> bool {
    let plain = subject.trimmed().without_front(DETERMINERS);
    plain.is(&["focus"]) || plain.is(&["cursor"]) || plain.is(&["keyboard", "focus"])
}

/// "can be clicked" is enabled, "can be edited" is editable; nothing else that could be done is seen.
fn possible(clause: &Clause<'_>, nouns: &Nouns<'_>) -> Result<Vec<BareClaim>, Unclear> {
    let state = match clause.object.words().as_slice() {
        ["clicked"] | ["pressed"] | ["tapped"] => StateWord::Enabled,
        ["edited"] | ["changed"] => StateWord::Editable,
        _ => {
            return Err(
                "assay cannot check that something can be done; write a step that does it".to_string()
            );
        }
    };
    let target = nouns.target(clause.subject).ok_or_else(|| "it does not say what".to_string())?;
    Ok(vec![BareClaim::plainly(About::State { target, state })])
}

/// "redirected to X", "on the X page", "logged in".
fn brought(clause: &Clause<'_>, nouns: &Nouns<'_>) -> Option<Result<Vec<BareClaim>, Unclear>> {
    let object = clause.object;
    let how = &["directly", "automatically", "straight", "immediately", "successfully"];
    let object = match object.from(1).without_front(how) {
        to if object.starts_any(BROUGHT) && to.len() + 1 < object.len() && to.starts_any(&["to", "back"]) => {
            return Some(place::at(to, nouns)).filter(|_| is_person(clause.subject));
        }
        _ => object,
    };
    let plain = clause.subject.trimmed().without_front(DETERMINERS);
    let moves = is_person(clause.subject)
        || plain.starts_any(&["page", "browser", "app", "application", "site", "it"]);
    if object.starts_any(BROUGHT) && !moves {
        return None;
    }
    if object.starts_any(BROUGHT) && matches!(object.word(1), "to" | "back" | "on" | "at" | "onto" | "away") {
        return Some(place::at(object.from(1), nouns));
    }
    if object.starts_any(BROUGHT) && object.len() == 1 {
        return Some(Err("it does not say where to".to_string()));
    }
    let person = is_person(clause.subject);
    let is_somebody = person || plain.starts_any(PEOPLE) || plain.len() <= 2;
    if object.starts_any(&["logged", "signed"]) && is_somebody {
        return Some(match object.words().as_slice() {
            [_, "in"] => Ok(vec![BareClaim::plainly(About::LoggedIn)]),
            [_, "out" | "off"] => Ok(vec![BareClaim { about: About::LoggedIn, negated: true }]),
            _ => Err("assay cannot check who is logged in; say what the page shows then".to_string()),
        });
    }
    if person && object.starts_any(&["in"]) && object.last().is_some_and(|last| last.is("mode")) {
        return Some(Err(format!("`{}` is no page; say what it shows", object.from(1).text())));
    }
    (person && object.starts_any(&["on", "at", "in"])).then(|| place::at(object, nouns))
}

/// "is in the list", "is not under the table".
fn located(clause: &Clause<'_>, nouns: &Nouns<'_>) -> Option<Result<Vec<BareClaim>, Unclear>> {
    let words = clause.object.words();
    let (how, length) = relations::relation(&words)?;
    let is_place = !matches!(
        how,
        Nearness::For | Nearness::Containing | Nearness::After | Nearness::Before | Nearness::Between
    );
    let is_name = relations::whole_name(&words).is_some() || words.contains(&"order");
    let compares = number_is(clause.object).is_some()
        || clause
            .object
            .get(1)
            .is_some_and(|next| matches!(next.kind, TokenKind::Number(_) | TokenKind::Amount))
        || clause.object.starts_any(&["of", "from"])
        || clause.object.get(length).is_some_and(|next| next.is_any(COLOURS));
    if !is_place || is_name || compares || clause.object.len() <= length {
        return None;
    }
    let mut all = Vec::new();
    for part in things(clause.subject) {
        match super::arrival::placed(part, clause.object, nouns) {
            Ok(said) => all.extend(said),
            Err(why) => return Some(Err(why)),
        }
    }
    Some(Ok(all))
}

/// "visible", "disabled and empty", "not shown in the header".
fn in_states(clause: &Clause<'_>, nouns: &Nouns<'_>) -> Option<Result<Vec<BareClaim>, Unclear>> {
    let words = clause.object.words();
    let first = states::state(&words)?;
    let after = clause.object.from(first.length);
    let is_filled_with = clause.object.starts_any(&["filled"])
        && clause.object.from(1).without_front(&["in", "out"]).starts_any(&["with"]);
    if names_a_value(clause.subject, first, after) || is_filled_with {
        return None;
    }
    if let Some(why) = means_more(clause, nouns) {
        return Some(Err(why));
    }
    Some(read_states(clause, first, nouns))
}

/// "The status is active": the word is what is written there.
fn names_a_value(subject: Phrase<'_>, stated: Stated, after: Phrase<'_>) -> bool {
    // The head of "the status of "Ada"" is the status.
    let end = subject.find(&["of", "for", "in", "on"]).filter(|end| *end > 0).unwrap_or(subject.len());
    let last = subject.until(end).last().map_or("", |last| last.low.as_str());
    let is_value =
        matches!(last, "status" | "state" | "stage" | "value") || subject.has_any(&["column", "cell"]);
    is_value && after.is_empty() && !matches!(stated.state, StateWord::Visible | StateWord::Empty)
}

fn read_states(clause: &Clause<'_>, first: Stated, nouns: &Nouns<'_>) -> Result<Vec<BareClaim>, Unclear> {
    // Whether it is denied, as against the clause.
    let mut states = vec![(first, false)];
    let mut rest = clause.object.from(first.length);
    while rest.starts_any(&["and", ",", "but"]) {
        let is_but = rest.starts_any(&["but"]) || rest.starts(&[",", "but"]);
        let next = rest.without_front(&["and", ",", "but", "also"]);
        let denied = next.starts_any(&["not"]);
        let next = next.without_front(&["not"]);
        let Some(stated) = states::state(&next.words()) else { break };
        if clause.negated && !denied && !is_but {
            return Err("it is unclear whether `not` covers both".to_string());
        }
        states.push((stated, denied != clause.negated));
        rest = next.from(stated.length);
    }
    let opens = clause.object.starts_any(&["open", "opened", "closed"]);
    let mut all = Vec::new();
    if let Some(targets) = super::content::alike(clause.subject, nouns) {
        for (target, (stated, denied)) in
            targets.iter().flat_map(|target| states.iter().map(move |one| (target, one)))
        {
            let mut target = target.clone();
            add_place(&mut target, rest, nouns)?;
            let about = match stated.state {
                StateWord::Visible => target_is_there(target, clause.subject)?,
                state => About::State { target, state },
            };
            all.push(BareClaim { about, negated: stated.opposite != *denied });
        }
        return Ok(all);
    }
    for part in things(clause.subject) {
        for (stated, denied) in &states {
            all.extend(
                in_state(part, clause.subject, *stated, opens, rest, nouns)?
                    .into_iter()
                    .map(|said| BareClaim { negated: said.negated != (stated.opposite != *denied), ..said }),
            );
        }
    }
    share_kind(&mut all);
    merge_chosen(&mut all);
    if let Some(with) = tail_with(rest) {
        // "Not shown in the list with the drafts": where, or without what, it does not say.
        if clause.negated && !rest.starts_any(&["with", "without"]) {
            return Err(format!("`{}` is not understood here", with.text()));
        }
        all.extend(with_content(&all, with, nouns)?);
    }
    Ok(all)
}

/// `the "A" and "B" buttons are disabled`: the noun is said once, at the end.
fn share_kind(all: &mut [BareClaim]) {
    let Some(BareClaim { about: About::State { target, .. }, .. }) = all.last() else { return };
    let Some(kind) = target.kind else { return };
    for said in all {
        if let About::State { target, .. } = &mut said.about
            && target.kind.is_none()
        {
            target.kind = Some(kind);
        }
    }
}

/// `"A" and "B" are selected in the list` is one claim about the list.
fn merge_chosen(all: &mut Vec<BareClaim>) {
    let mut merged: Vec<BareClaim> = Vec::new();
    for said in all.drain(..) {
        if let (
            About::Chosen { target, options },
            Some(BareClaim { about: About::Chosen { target: own, options: mine }, .. }),
        ) = (&said.about, merged.last_mut())
            && target == own
        {
            mine.extend(options.iter().cloned());
            continue;
        }
        merged.push(said);
    }
    *all = merged;
}

fn in_state(
    part: Phrase<'_>,
    whole: Phrase<'_>,
    stated: Stated,
    opens: bool,
    rest: Phrase<'_>,
    nouns: &Nouns<'_>,
) -> Result<Vec<BareClaim>, Unclear> {
    let part = part.trimmed();
    let (part, negated) =
        if part.starts_any(&["no"]) && part.len() > 1 { (part.from(1), true) } else { (part, false) };
    if let Some(word) =
        part.first().filter(|first| first.is_any(&["only", "not"]) && number_is(part).is_none())
    {
        let instead = match word.is("only") {
            true => "give the count: The table has 1 row",
            false => "say what should be true",
        };
        return Err(format!("`{}` cannot be checked here; {instead}", word.text));
    }
    let there = matches!(stated.state, StateWord::Visible | StateWord::Exists | StateWord::Hidden);
    if !there && subject::is_several(part, nouns) && part.len() == whole.trimmed().len() {
        return Err(format!("`{}` are several things; write one expectation per item", part.text()));
    }
    let to_said = |about| Ok(vec![BareClaim { about, negated }]);
    if stated.state == StateWord::Visible {
        if let Some(counted) = counted(part, nouns, None) {
            let mut about = counted?;
            if let About::Count { target, .. } = &mut about {
                add_place(target, rest, nouns)?;
            }
            return to_said(about);
        }
        if let Some(shown_as) = shown_as(whole, rest, nouns) {
            return to_said(shown_as?);
        }
    }
    let target = nouns.target(part).map(|target| entry_of_name(target, part));
    let Some(mut target) = target else {
        return Err(format!("`{}` is not the name of one thing", part.text()));
    };
    if stated.state == StateWord::Selected
        && let Some(list) = list_of(&target, rest, nouns)
    {
        let option = target.quoted.clone().unwrap_or_else(|| option_text(part));
        return to_said(About::Chosen { target: list, options: vec![option] });
    }
    // `the "Blue" colour is selected`.
    let names_a_choice = target.words.last().is_some_and(|word| FIELD_NAMES.contains(&word.as_str()));
    if stated.state == StateWord::Selected
        && target.kind.is_none()
        && names_a_choice
        && rest.is_empty()
        && let Some(option) = target.quoted.take()
    {
        return to_said(About::Chosen { target, options: vec![option] });
    }
    // A box that is ticked is no field to write in.
    if matches!(stated.state, StateWord::Checked | StateWord::Unchecked)
        && target.kind == Some(ElementKind::Field)
    {
        target.kind = Some(ElementKind::Checkbox);
    }
    add_place(&mut target, rest, nouns)?;
    if matches!(stated.state, StateWord::Enabled | StateWord::Disabled) && is_perhaps_a_switch(&target) {
        return Err(format!("`{}` can mean switched on or usable; say which", part.text()));
    }
    if opens && unfolds(&target) {
        return to_said(About::State { target, state: StateWord::Expanded });
    }
    match stated.state {
        StateWord::Visible if target.kind == Some(ElementKind::Tab) && target.words == ["new"] => {
            Err(NEW_TAB.to_string())
        }
        StateWord::Visible => to_said(target_is_there(target, part)?),
        // A quoted text that is hidden is not a part with a name.
        StateWord::Hidden if target.quoted.is_some() && target.kind.is_none() => {
            Ok(vec![BareClaim { about: target_is_there(target, part)?, negated: !negated }])
        }
        StateWord::Empty if is_title_like(part) => Err("give the text of the title".to_string()),
        state => to_said(About::State { target, state }),
    }
}

/// "Dark mode is enabled" says that it is on, "the Save button is enabled" that it can be used.
fn is_perhaps_a_switch(target: &Target) -> bool {
    let is_verb = target.words.first().is_some_and(|word| {
        NAMING_VERBS.contains(&word.as_str())
            || verbs::verb(&[word.as_str()]).is_some()
            || matches!(word.as_str(), "increase" | "decrease")
    });
    match target.kind {
        Some(ElementKind::Switch) => true,
        None => target.quoted.is_none() && !is_verb && target.ordinal.is_none(),
        Some(_) => false,
    }
}

/// What is seen when closed too: only its inside is shown when it is open.
pub(crate) fn unfolds(target: &Target) -> bool {
    matches!(
        target.kind,
        Some(
            ElementKind::Dropdown
                | ElementKind::Section
                | ElementKind::Menu
                | ElementKind::Node
                | ElementKind::DateField
                | ElementKind::Sidebar
        )
    )
}

fn is_title_like(part: Phrase<'_>) -> bool {
    part.without_front(DETERMINERS).is(&["title"])
}

fn option_text(part: Phrase<'_>) -> String {
    part.without_front(DETERMINERS).without_end(&["option"]).text().to_string()
}

/// "in the Country dropdown", behind "is selected".
fn list_of(target: &Target, rest: Phrase<'_>, nouns: &Nouns<'_>) -> Option<Target> {
    let is_option = matches!(target.kind, None | Some(ElementKind::Option));
    if !is_option || !rest.starts_any(&["in", "from", "for", "as", "under", "on"]) {
        return None;
    }
    nouns.target(rest.from(1))
}

/// What stands behind a state: a place, or "with …", which is read later.
fn add_place(target: &mut Target, rest: Phrase<'_>, nouns: &Nouns<'_>) -> Result<(), Unclear> {
    let rest = rest.trimmed();
    let rest = rest.until(with_at(rest).unwrap_or(rest.len()));
    let rest = rest.without_front(&["up"]).without_end(&["by", "default"]);
    if rest.is_empty() || rest.is(&["to", "the", "user"]) || rest.is(&["to", "me"]) {
        return Ok(());
    }
    let not_a_place = || format!("`{}` is not a place", rest.text());
    let (how, length) = relations::relation(&rest.words()).ok_or_else(not_a_place)?;
    let anchor = rest.from(length);
    // "Disabled after submit" says when, and only a thing with a name is a place.
    let is_time = matches!(how, Nearness::After | Nearness::Before) && !anchor.has_quoted();
    if is_time {
        return Err(format!("`{}` says when; claim it behind the step that it follows", rest.text()));
    }
    nouns.relate(target, how, anchor).ok_or_else(not_a_place)
}

fn with_at(rest: Phrase<'_>) -> Option<usize> {
    rest.find(&["with", "without", "saying", "stating", "asking", "containing", "reading", "that"])
}

fn tail_with(rest: Phrase<'_>) -> Option<Phrase<'_>> {
    with_at(rest).map(|at| rest.from(at))
}

/// `appears with the text "X"`: more claims, inside what was claimed to be there.
pub(crate) fn with_content(
    all: &[BareClaim],
    with: Phrase<'_>,
    nouns: &Nouns<'_>,
) -> Result<Vec<BareClaim>, Unclear> {
    let negated = with.starts_any(&["without"]);
    let content = with.from(1).without_front(&["any", "says", "reads"]);
    let plain = content.without_front(DETERMINERS);
    let plain = if plain.len() > 1 { plain.without_front(&["text", "message", "content"]) } else { plain };
    if let Some(said) = with_figure(all, content).filter(|_| !negated) {
        return Ok(vec![BareClaim::plainly(said)]);
    }
    let around = match all {
        [BareClaim { about: About::State { target, state: StateWord::Visible }, .. }] => Some(target.clone()),
        [BareClaim { about: About::Page { .. }, .. }] => None,
        [BareClaim { about: About::Message { .. }, .. }] => {
            return Err("write the text of the message in quotation marks right after it".to_string());
        }
        _ => return Err(format!("`{}` is not understood here", with.text())),
    };
    let mut more = Vec::new();
    for part in things(plain) {
        let mut said = super::existence::present(if part.has_quoted() { part } else { content }, nouns)?;
        for one in &mut said {
            one.negated ^= negated;
            match (&mut one.about, &around) {
                (About::Text { place: place @ None, .. }, Some(around)) => *place = Some(around.clone()),
                (About::State { target, .. } | About::Count { target, .. }, Some(around)) => {
                    target.relations.push(crate::Relation { how: Nearness::Inside, to: around.clone() });
                }
                _ => {}
            }
        }
        more.extend(said);
    }
    Ok(more)
}

/// `is displayed as "X"`.
fn shown_as(whole: Phrase<'_>, rest: Phrase<'_>, nouns: &Nouns<'_>) -> Option<Result<About, Unclear>> {
    if !rest.starts_any(&["as"]) {
        return None;
    }
    let text = matcher(rest.from(1), Strictness::Whole)?;
    Some(subject::has_text(whole, text, nouns))
}

/// "is "X"", "is 12", "is greater than 10", "is set to "X"", "is Active".
fn valued(clause: &Clause<'_>, nouns: &Nouns<'_>) -> Option<Result<Vec<BareClaim>, Unclear>> {
    const TO: &[&str] =
        &["set", "changed", "updated", "equal", "reset", "identical", "back", "increased", "decreased"];
    const NAMED: &[&str] = &["labelled", "labeled", "called", "named", "titled", "exactly", "filled"];
    let mut value = clause.object;
    let mut outright = false;
    if value.starts_any(TO) && value.word(1) == "to" {
        value = value.from(2);
        outright = true;
    } else if value.starts_any(NAMED) && value.len() > 1 {
        let filled = value.starts(&["filled", "in", "with"]);
        value = value.from(if filled { 2 } else { 1 }).without_front(&["with"]);
        outright = true;
    } else if value.starts_any(&["at"]) && value.get(1).is_some_and(Token::is_value) {
        value = value.from(1);
        outright = true;
    } else if value.starts_any(&["pre-filled", "prefilled", "populated", "pre-populated", "prepopulated"])
        && value.word(1) == "with"
    {
        value = value.from(2);
        outright = true;
    }
    let wrap = |about: Result<About, Unclear>| Some(about.map(|about| vec![BareClaim::plainly(about)]));
    if is_person(clause.subject) {
        return None;
    }
    if let Some(text) = subject::address(clause.subject, value) {
        return wrap(Ok(About::Url { text }));
    }
    let values: Vec<Phrase<'_>> = value.listed();
    let all_quoted =
        values.len() > 1 && values.iter().all(|part| part.len() == 1 && part.tokens[0].is_quoted());
    if all_quoted {
        return Some(Err("it cannot be several values at once".to_string()));
    }
    // "8.75 and the weight 3": another value begins.
    let goes_on = |at: usize| {
        value.tokens[at].is("and") && value.get(at + 1).is_some_and(|next| next.is_any(DETERMINERS))
    };
    if (1..value.len()).any(goes_on) && !value.first().is_some_and(Token::is_capital) {
        return None;
    }
    // "Added to the order with quantity 1": what was done, and not a value.
    let is_done = |first: &Token| first.is_any(EVENTS) || first.is_any(&["marked", "tagged", "flagged"]);
    if !outright && value.len() > 1 && value.first().is_some_and(is_done) {
        return None;
    }
    let is_sure = outright || is_evident(value);
    let text = matcher(value, Strictness::Whole)?;
    let is_plain =
        matches!(&text, Matcher::Equals(_) | Matcher::Said(_)) && !value.tokens.iter().any(Token::is_value);
    if !is_sure && is_plain {
        let target = nouns.target(clause.subject)?;
        let is_name = value.first().is_some_and(Token::is_capital) && !value.starts_any(DETERMINERS);
        // "An email is sent to the user" says what happened, not what is written somewhere.
        let is_known = !clause.subject.starts_any(&["a", "an"]);
        let is_short = value.len() <= 2 && !value.has_any(&["to", "by", "in", "on", "from", "with", "for"]);
        let has_value = subject::has_plain_values(&target) && is_known && is_short;
        let fits = is_name || has_value && !value.starts_any(DETERMINERS);
        let taste = opinion_in(value).is_some() && !is_name;
        if !fits || taste || is_participle(value) && !is_name {
            return None;
        }
    }
    wrap(subject::has_text(clause.subject, text, nouns))
}

fn is_evident(value: Phrase<'_>) -> bool {
    number_is(value).is_some_and(|(_, length)| length == value.len())
        || value.tokens.iter().any(|token| {
            matches!(
                token.kind,
                TokenKind::Quoted | TokenKind::Number(_) | TokenKind::Amount | TokenKind::Url
            )
        })
}

fn is_participle(value: Phrase<'_>) -> bool {
    value.len() == 1
        && value.first().is_some_and(|first| first.low.ends_with("ed") || first.low.ends_with("ing"))
}
