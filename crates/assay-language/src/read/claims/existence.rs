//! Claims that something is there: a text, a message, a page, a part of a page, so many of them.

use crate::{About, ElementKind, Matcher, Nearness, NumberIs, StateWord, Target, Tone};

use super::super::lexicon::nouns;
use super::super::lexicon::words::{COLOURS, DETERMINERS, FIELD_NAMES, NAMING_VERBS, PAGE_NAMES};
use super::super::noun::{Nouns, has_article, is_enumeration, is_plain_page};
use super::super::phrase::Phrase;
use super::super::token::{Token, TokenKind};
use super::amount::number_is;
use super::{BareClaim, Unclear};

/// One or several things, each of them there.
pub(crate) fn all_present(phrase: Phrase<'_>, nouns: &Nouns<'_>) -> Result<Vec<BareClaim>, Unclear> {
    let mut all = Vec::new();
    if let Some(alike) = super::content::alike(phrase, nouns) {
        for thing in alike {
            all.push(BareClaim::plainly(target_is_there(thing, phrase)?));
        }
        return Ok(all);
    }
    if let Some(said) = counted_by_name(phrase, nouns) {
        return said;
    }
    if let Some(said) = listed_by_kind(phrase) {
        return Ok(said);
    }
    for part in things(phrase) {
        all.extend(present(part, nouns)?);
    }
    share_place(&mut all);
    if all.is_empty() { Err("it does not say what should be there".to_string()) } else { Ok(all) }
}

/// `exactly one result, "Kim"`: how many there are, and each of them.
fn counted_by_name(phrase: Phrase<'_>, nouns: &Nouns<'_>) -> Option<Result<Vec<BareClaim>, Unclear>> {
    let at = phrase.tokens.iter().position(|token| token.is_mark(',') || token.is_mark(':'))?;
    let names = phrase.from(at + 1).without_front(&["namely"]).listed();
    let is_name = |part: &Phrase<'_>| part.len() == 1 && part.tokens[0].is_quoted();
    let Ok(About::Count { target, count }) = counted(phrase.until(at), nouns, None)? else { return None };
    if names.is_empty() || !names.iter().all(is_name) || target.kind.is_none() {
        return None;
    }
    if count != NumberIs::Exactly(names.len() as f64) {
        return Some(Err(format!("it says {} but names {}", count.meaning(), names.len())));
    }
    let each = names.iter().map(|part| {
        let (said, quoted) = (part.text().to_string(), Some(part.tokens[0].text.clone()));
        let target = Target { said, quoted, ..target.clone() };
        BareClaim::plainly(About::State { target, state: StateWord::Visible })
    });
    let each: Vec<BareClaim> = each.collect();
    let all = std::iter::once(BareClaim::plainly(About::Count { target, count })).chain(each);
    Some(Ok(all.collect()))
}

/// "the products pen, book and mug": what they are, and then their names.
fn listed_by_kind(phrase: Phrase<'_>) -> Option<Vec<BareClaim>> {
    let plain = phrase.trimmed().without_front(&["the"]);
    let kind = nouns::noun(&[plain.word(0)]).filter(|noun| noun.plural)?.kind;
    let names = plain.from(1).listed();
    let is_name = |part: &Phrase<'_>| {
        (1..=2).contains(&part.len())
            && part.tokens.iter().all(|token| {
                matches!(token.kind, TokenKind::Word | TokenKind::Number(_))
                    && !token.is_any(DETERMINERS)
                    && super::super::lexicon::relations::relation(&[token.low.as_str()]).is_none()
                    && nouns::noun(&[token.low.as_str()]).is_none()
                    && !token.is_any(&["are", "is", "not", "or", "only", "that", "which", "etc"])
            })
    };
    let has_comma = plain.tokens.iter().any(|token| token.is_mark(','));
    let repeats =
        matches!(kind, ElementKind::Item | ElementKind::Row | ElementKind::Column | ElementKind::Option);
    if names.len() < 2 || !has_comma && !plain.has("and") || !names.iter().all(is_name) || !repeats {
        return None;
    }
    let claim = |part: &Phrase<'_>| {
        let words = part.words().into_iter().map(str::to_string).collect();
        let target = Target { said: part.text().to_string(), words, kind: Some(kind), ..Target::default() };
        BareClaim::plainly(About::State { target, state: StateWord::Visible })
    };
    Some(names.iter().map(claim).collect())
}

/// The parts of an enumeration; a name with "and" in it stays whole.
pub(crate) fn things(phrase: Phrase<'_>) -> Vec<Phrase<'_>> {
    let parts = phrase.trimmed().listed();
    let counted = |part: &Phrase<'_>| number_is(*part).is_some() || part.starts_any(&["no"]);
    let separate = parts.len() > 1
        && (is_enumeration(&parts)
            || has_commas(phrase, &parts)
            || parts[1..].iter().all(|part| counted(part) || part.starts_any(DETERMINERS)));
    if separate { parts } else { vec![phrase] }
}

/// "the title, the author and year": three or more short names, the last behind "and".
fn has_commas(phrase: Phrase<'_>, parts: &[Phrase<'_>]) -> bool {
    let is_short = |part: &Phrase<'_>| {
        (1..=4).contains(&part.without_front(DETERMINERS).len())
            && part.tokens.iter().all(|token| matches!(token.kind, TokenKind::Word | TokenKind::File))
            && !part.has_any(&["or", "etc", "not", "only", "that", "which"])
    };
    // "The fields name, role and age": what they are stands before the first.
    let length = |part: &Phrase<'_>| part.without_front(DETERMINERS).len();
    let is_even = length(&parts[0]) <= parts[1..].iter().map(length).max().unwrap_or(0);
    parts.len() > 2 && phrase.has("and") && parts.iter().all(is_short) && is_even
}

/// `"A" and "B" in the header`: the place is said once, at the end.
fn share_place(all: &mut [BareClaim]) {
    let Some(BareClaim { about: About::Text { place: Some(place), .. }, .. }) = all.last() else { return };
    let shared = place.clone();
    for said in all {
        if let About::Text { place: place @ None, .. } = &mut said.about {
            *place = Some(shared.clone());
        }
    }
}

/// What the phrase names is there, or so many of it.
pub(crate) fn present(phrase: Phrase<'_>, nouns: &Nouns<'_>) -> Result<Vec<BareClaim>, Unclear> {
    let phrase = phrase.trimmed();
    let (phrase, negated) = match phrase.first() {
        Some(first) if first.is("no") && phrase.len() > 1 && number_is(phrase).is_none() => {
            (phrase.from(1), true)
        }
        Some(first) if first.is("not") && phrase.len() > 1 => (phrase.from(1).without_front(&["any"]), true),
        _ => (phrase, false),
    };
    let phrase = without_presence(phrase, negated);
    if let Some(counted) = counted(phrase, nouns, None) {
        return Ok(vec![BareClaim { about: counted?, negated }]);
    }
    if negated && let Some(none) = none_of(phrase, nouns, None) {
        return none;
    }
    if super::subject::is_title_or_url(phrase) || phrase.without_front(DETERMINERS).starts_any(&["following"])
    {
        return Err("it does not say what it should be".to_string());
    }
    // "My name": which one that is, no page tells.
    if phrase.len() == 2 && phrase.starts_any(&["my", "your"]) && phrase.tokens[1].is_any(FIELD_NAMES) {
        return Err(format!("`{}` does not say what is shown; give it in quotation marks", phrase.text()));
    }
    let Some(target) = nouns.target(phrase) else {
        return Err(format!("`{}` is not the name of one thing", phrase.text()));
    };
    let target = entry_of_name(target, phrase);
    // "This product", and none was named before.
    if phrase.starts_any(&["this"]) && target.kind.is_some_and(ElementKind::is_entry) && target.is_nameless()
    {
        return Err(format!("`{}` was not named before", phrase.text()));
    }
    Ok(vec![BareClaim { about: target_is_there(target, phrase)?, negated }])
}

/// `An entry of "Ada"` is one that is called so; `a row in "Totals"` stands in something that is.
pub(crate) fn entry_of_name(target: Target, phrase: Phrase<'_>) -> Target {
    let plain = phrase.without_front(DETERMINERS);
    let is_entry = target.kind.is_some_and(ElementKind::is_entry) && target.is_nameless();
    match target.relations.as_slice() {
        [only]
            if is_entry
                && plain.word(1) == "of"
                && plain.get(2).is_some_and(Token::is_quoted)
                && only.to.kind.is_none()
                && only.to.words.is_empty()
                && only.to.relations.is_empty() =>
        {
            Target { quoted: only.to.quoted.clone(), relations: Vec::new(), ..target }
        }
        _ => target,
    }
}

/// "no button visible", "no button anymore": words that only repeat that it is there or not.
fn without_presence(phrase: Phrase<'_>, negated: bool) -> Phrase<'_> {
    const PRESENT: &[&str] = &[
        "visible",
        "displayed",
        "shown",
        "present",
        "available",
        "there",
        "anywhere",
        "now",
        "listed",
        "existing",
    ];
    const STILL: &[&str] = &["anymore", "left", "remaining", "yet", "more", "any", "all", "at"];
    let mut rest = phrase.trimmed();
    while let Some(last) = rest.last().filter(|_| rest.len() > 1) {
        if !(last.is_any(PRESENT) || negated && last.is_any(STILL)) {
            break;
        }
        rest = rest.until(rest.len() - 1);
    }
    rest
}

/// "no tickets", "no checkbox ticked": none of several things. None where one thing is named.
pub(crate) fn none_of(
    phrase: Phrase<'_>,
    nouns: &Nouns<'_>,
    around: Option<&Target>,
) -> Option<Result<Vec<BareClaim>, Unclear>> {
    for at in 1..phrase.len() {
        if let Some(said) = super::every::none_in_state(phrase.until(at), phrase.from(at), nouns) {
            return Some(Ok(said));
        }
        let rest = phrase.from(at).words();
        let is_state =
            super::super::lexicon::states::state(&rest).is_some_and(|stated| stated.length == rest.len());
        if is_state
            && !phrase.has_quoted()
            && nouns.target(phrase.until(at)).is_some_and(|one| one.kind.is_some())
        {
            return Some(Err(format!("assay cannot check `no {}`; say what should be true", phrase.text())));
        }
    }
    let mut target = nouns.target(phrase)?;
    let repeats = target.kind.is_none_or(ElementKind::is_entry);
    let end = phrase.find(&["in", "on", "of", "for", "with", "under"]).unwrap_or(phrase.len());
    let is_plural = phrase.until(end).last().is_some_and(|last| {
        last.low.len() > 3 && last.low.ends_with('s') && !last.low.ends_with("ss") && !last.is_capital()
    });
    if !repeats || !is_plural || target.quoted.is_some() || target.ordinal.is_some() {
        return None;
    }
    if let Some(around) = around.filter(|around| !is_plain_page(around)) {
        target.relations.push(crate::Relation { how: Nearness::Inside, to: around.clone() });
    }
    Some(Ok(vec![BareClaim::plainly(About::Count { target, count: NumberIs::Exactly(0.0) })]))
}

/// "3 rows in the table". With `around`, where they are counted.
pub(crate) fn counted(
    phrase: Phrase<'_>,
    nouns: &Nouns<'_>,
    around: Option<&Target>,
) -> Option<Result<About, Unclear>> {
    let (count, length) = number_is(phrase.without_front(&["the"]))?;
    let things = phrase.without_front(&["the"]).from(length).without_front(&["of", "the"]);
    // "some text" and "one" alone are no counts.
    if things.is_empty() || things.first().is_some_and(Token::is_quoted) && things.len() == 1 {
        return None;
    }
    let is_vague = count == NumberIs::AtLeastOne && !is_plural(things);
    if is_vague {
        return None;
    }
    let Some(mut target) = nouns.target(things) else {
        return Some(Err(format!("assay cannot count `{}`", things.text())));
    };
    // "2 items left" counts something else than the items.
    if target.kind.is_none() && is_plural_noun_inside(things) {
        return Some(Err(format!("assay cannot count `{}`", things.text())));
    }
    if let Some(around) = around.filter(|around| !is_plain_page(around)) {
        let to = around.clone();
        target.relations.push(crate::Relation { how: Nearness::Inside, to });
    }
    Some(Ok(About::Count { target, count }))
}

fn is_plural_noun_inside(things: Phrase<'_>) -> bool {
    things.tokens.iter().any(|token| nouns::noun(&[token.low.as_str()]).is_some_and(|noun| noun.plural))
}

fn is_plural(things: Phrase<'_>) -> bool {
    things.tokens.iter().any(|token| nouns::noun(&[token.low.as_str()]).is_some_and(|noun| noun.plural))
        || things.last().is_some_and(|last| last.low.ends_with('s'))
}

/// The claim that a target is there, by what sort of thing it is.
pub(crate) fn target_is_there(target: Target, phrase: Phrase<'_>) -> Result<About, Unclear> {
    // "The context menu": any menu would do, and it is one that a click opens.
    if target.kind == Some(ElementKind::Menu) && target.is_nameless() && phrase.has("context") {
        return Err("say what the context menu offers".to_string());
    }
    // A name without quotation marks that has an article in it is rather a sentence that was not understood.
    if has_article(&target) && !target.words.first().is_some_and(|word| NAMING_VERBS.contains(&word.as_str()))
    {
        return Err(format!("`{}` is not the name of one thing", target.said));
    }
    // "Discount applied": what was done to it, which a name does not say.
    const DONE: &[&str] = &[
        "added",
        "applied",
        "imported",
        "updated",
        "created",
        "removed",
        "changed",
        "saved",
        "sent",
        "playing",
        "loading",
        "marked",
        "started",
        "displayed",
        "selected",
    ];
    let is_done = |word: &String| DONE.contains(&word.as_str());
    let is_told = target.said.split_whitespace().any(|word| DONE.contains(&word));
    if target.kind.is_none() && target.words.len() > 1 && target.words.last().is_some_and(is_done) && is_told
    {
        return Err(format!("`{}` says what was done; say what the page shows then", target.said));
    }
    // `the text starting with "X"`.
    if target.kind == Some(ElementKind::Text)
        && target.is_nameless()
        && target.ordinal.is_none()
        && target.state.is_none()
        && let Some(text) = target.text.clone()
        && let Some(place) = single_place(&target)
    {
        return Ok(About::Text { text, place });
    }
    if let Some(text) = text_alone(&target) {
        return Ok(text);
    }
    let is_message = tone(target.kind).is_some();
    if let Some(colour) = target.words.iter().find(|word| is_message && COLOURS.contains(&word.as_str())) {
        return Err(format!("assay does not check colours, such as a {colour} message"));
    }
    if let Some(message) = message(&target) {
        return Ok(message);
    }
    if is_browser_dialog(&target) {
        return Ok(About::BrowserDialog { text: content_of(&target) });
    }
    if target.kind == Some(ElementKind::Page) {
        return page_is_there(&target);
    }
    let is_page = target.kind.is_none()
        && target.relations.is_empty()
        && matches!(target.words.as_slice(), [name] if PAGE_NAMES.contains(&name.as_str()));
    if is_page {
        return Ok(About::Page { name: target.words.join(" ") });
    }
    // Words that begin with a capital and have no article are what the page says.
    let is_text = target.kind.is_none()
        && target.quoted.is_none()
        && target.ordinal.is_none()
        && target.state.is_none()
        && !target.words.is_empty()
        && phrase.first().is_some_and(Token::is_capital)
        && !phrase.starts_any(DETERMINERS);
    if is_text && let Some(place) = single_place(&target) {
        return Ok(About::Text { text: Matcher::Words(target.words), place });
    }
    // `the username "ada"`: what is called so says it.
    let names_a_value = target.words.last().is_some_and(|word| FIELD_NAMES.contains(&word.as_str()));
    if target.kind.is_none()
        && names_a_value
        && let Some(quoted) = target.quoted.clone()
    {
        return Ok(About::Value { target, text: Matcher::Contains(quoted) });
    }
    let says_nothing = target.quoted.is_none() && target.words.iter().all(|word| word == "some");
    if matches!(target.kind, Some(ElementKind::Any | ElementKind::Text))
        && says_nothing
        && target.ordinal.is_none()
    {
        return Err("it does not say what should be there".to_string());
    }
    Ok(About::State { target, state: StateWord::Visible })
}

/// `the text "X" in the header`.
fn text_alone(target: &Target) -> Option<About> {
    let is_text = matches!(target.kind, None | Some(ElementKind::Text))
        && target.words.is_empty()
        && target.ordinal.is_none();
    let place = single_place(target)?;
    // "the text Hello World": the noun stands in front, so the words are the text.
    let said = target.said.to_lowercase();
    let said = said.strip_prefix("the ").unwrap_or(&said);
    if target.kind == Some(ElementKind::Text) && target.quoted.is_none() && said.starts_with("text ") {
        return Some(About::Text { text: Matcher::Words(target.words.clone()), place });
    }
    let text = target.quoted.clone().filter(|_| is_text && target.state.is_none())?;
    Some(About::Text { text: Matcher::Contains(text), place })
}

/// The one thing around a target; none inside when something else is said of where it is.
fn single_place(target: &Target) -> Option<Option<Target>> {
    match target.relations.as_slice() {
        [] => Some(None),
        [one] if one.how == Nearness::Inside => Some(Some(one.to.clone())),
        _ => None,
    }
}

pub(crate) fn tone(kind: Option<ElementKind>) -> Option<Tone> {
    match kind {
        Some(ElementKind::ErrorMessage) => Some(Tone::Error),
        Some(ElementKind::SuccessMessage) => Some(Tone::Success),
        Some(ElementKind::WarningMessage) => Some(Tone::Warning),
        Some(ElementKind::Message) => Some(Tone::Any),
        _ => None,
    }
}

/// A message with a tone, a text or a topic. A message that has only a name ("the welcome message") is a part of
/// the page like any other.
pub(crate) fn message(target: &Target) -> Option<About> {
    let tone = tone(target.kind)?;
    if target.ordinal.is_some() || target.state.is_some() {
        return None;
    }
    // "A flash message", "a toast notification": how it is shown, and not what it is about.
    let is_sort =
        |word: &&String| matches!(word.as_str(), "flash" | "toast" | "snackbar" | "popup" | "pop-up");
    let mut topic: Vec<String> = match target.quoted {
        Some(_) => target.words.iter().filter(|word| !is_sort(word)).cloned().collect(),
        None if target.relations.is_empty() => target.words.clone(),
        None => target.words.iter().filter(|word| !is_sort(word)).cloned().collect(),
    };
    let mut text = target.quoted.clone().map(Matcher::Contains);
    for relation in &target.relations {
        match relation.how {
            Nearness::For if relation.to.relations.is_empty() => match &relation.to.quoted {
                Some(quoted) => topic.push(quoted.to_lowercase()),
                None => topic.extend(relation.to.words.iter().cloned()),
            },
            Nearness::Containing if text.is_none() && relation.to.relations.is_empty() => {
                text = Some(match &relation.to.quoted {
                    Some(quoted) => Matcher::Contains(quoted.clone()),
                    None => Matcher::Words(relation.to.words.clone()),
                });
            }
            _ => return None,
        }
    }
    let is_only_named =
        tone == Tone::Any && text.is_none() && target.relations.is_empty() && !topic.is_empty();
    (!is_only_named).then_some(About::Message { tone, text, topic })
}

fn content_of(target: &Target) -> Option<Matcher> {
    let quoted = target.quoted.clone().or_else(|| {
        target.relations.iter().find(|r| r.how == Nearness::Containing).and_then(|r| r.to.quoted.clone())
    });
    quoted.map(Matcher::Contains)
}

/// Dialogs of the browser are called alert, confirm and prompt boxes; a "dialog" alone is rather one of the page.
fn is_browser_dialog(target: &Target) -> bool {
    let of_browser = ["javascript", "js", "browser", "native", "prompt"];
    target.kind == Some(ElementKind::Dialog)
        && target.words.iter().any(|word| of_browser.contains(&word.as_str()) || word == "alert")
}

pub(crate) fn page_is_there(target: &Target) -> Result<About, Unclear> {
    if let Some(quoted) = &target.quoted {
        // `the link "Spring" opening a page` is no page.
        let is_thing = |word: &String| nouns::noun(&[word.as_str()]).is_some() || word.ends_with("ing");
        if target.words.iter().any(is_thing) {
            return Err(format!("`{}` is not the name of a page", target.said));
        }
        return Ok(About::Page { name: quoted.clone() });
    }
    let is_relative = matches!(
        target.words.as_slice(),
        [only] if ["next", "previous", "same", "new", "other", "right", "correct", "current"].contains(&only.as_str())
    );
    if target.words.is_empty() || is_relative || !target.relations.is_empty() || target.ordinal.is_some() {
        return Err("it does not say how to recognise the page".to_string());
    }
    Ok(About::Page { name: target.words.join(" ") })
}
