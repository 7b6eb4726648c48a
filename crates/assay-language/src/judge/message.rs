//! Messages: the page's reports about what happened, and whether they are good or bad news.

use crate::ground::find::anchors;
use crate::ground::kinds::{has_class_word, holds_things};
use crate::ground::view::{View, short};
use crate::ground::words::{all_among, identifier_words, same_word, words_of};
use crate::read::EVENTS;
use crate::synonyms::variants;
use crate::{ElementKind, Matcher, Nearness, StateWord, Target, Tone};

use super::faults::{
    complaining_field, field_described, fields_called, is_marked_as_error, is_marked_as_message,
};
use super::matching::{matches, wanted};
use super::page::tells_an_error;
use super::shown::text_within;
use super::tone::{demands, may_be_trouble, tells_of_trouble, tone_of_words};
use super::{Finding, Judging, Truth};

/// A message in sight.
struct Message {
    at: usize,
    text: String,
    /// None if it is unknown.
    tone: Option<Tone>,
}

impl Judging<'_> {
    pub(super) fn message(
        &self,
        tone: Tone,
        text: Option<&Matcher>,
        topic: &[String],
        negated: bool,
    ) -> Finding {
        let view = self.view;
        let messages = messages(view);
        let what = describe(tone, text, topic);
        let is_event =
            tone == Tone::Success && topic.last().is_some_and(|last| EVENTS.contains(&last.as_str()));
        let mut nearly: Option<&Message> = None;
        let mut about_something_else: Option<&Message> = None;
        for message in &messages {
            let says = match text {
                Some(matcher) => matches(matcher, &message.text),
                None => Truth::Yes,
            };
            let on_topic = topic.is_empty() || self.is_about(message, topic);
            let on_topic = on_topic && (!is_event || tells_it_was_done(&message.text, topic));
            if says != Truth::Yes || !on_topic {
                if says == Truth::NotQuite && on_topic && !matches!(text, Some(Matcher::Sentence(_))) {
                    nearly = Some(message);
                }
                if says == Truth::Yes && !on_topic && text.is_some() {
                    about_something_else = Some(message);
                }
                continue;
            }
            match fits(tone, message.tone) {
                // An alert without any mark is taken for what its quoted text says, nothing else.
                Some(true) => {
                    let finding = Finding::yes(format!("{what} is shown: \"{}\"", short(&message.text)));
                    return Finding { found: Some(short(&message.text)), ..finding }
                        .with(view.lines([message.at]));
                }
                None if text.is_some() && view.node(message.at).role == "alert" => {
                    let finding =
                        Finding::yes(format!("{what} is shown as an alert: \"{}\"", short(&message.text)));
                    return Finding { found: Some(short(&message.text)), ..finding }
                        .with(view.lines([message.at]));
                }
                None => nearly = Some(message),
                Some(false) => {}
            }
        }
        if let Some(message) = nearly {
            return Finding::unsure(format!(
                "\"{}\" is shown, but nothing shows that it is {what}",
                short(&message.text)
            ))
            .with(view.lines([message.at]));
        }
        if let Some(finding) = text.and_then(|matcher| self.unmarked(tone, matcher, topic, &messages, &what))
        {
            return finding;
        }
        if tone == Tone::Any
            && text.is_none()
            && let Some(at) = called_by_its_words(view, topic)
        {
            let finding = Finding::yes(format!("{what} is shown: \"{}\"", short(view.text(at))));
            return Finding { found: Some(short(view.text(at))), ..finding }.with(view.lines([at]));
        }
        if negated
            && tone == Tone::Error
            && text.is_none()
            && let Some(text) = reads_like_an_error(view, topic)
        {
            return Finding::unsure(format!("\"{}\" may be an error message", short(&text)));
        }
        if tone == Tone::Error
            && text.is_none()
            && let Some(finding) = complaining_field(view, topic)
        {
            return finding;
        }
        if negated
            && tone == Tone::Error
            && text.is_none()
            && let Some(at) = refused_field(view)
        {
            return Finding::unsure(format!(
                "{} is invalid, and the browser may have said so",
                view.describe(at)
            ))
            .with(view.lines([at]));
        }
        // Pages draw messages in many ways: without words to look for, none of them was looked for.
        if tone == Tone::Any && text.is_none() && topic.is_empty() && negated {
            return Finding::unsure("nothing on the page is marked as a message, but some text may be one");
        }
        if !negated
            && tone == Tone::Error
            && text.is_none()
            && let Some(at) = plain_error(view, topic, &messages).or_else(|| sentence_about(view, topic))
        {
            return Finding::unsure(format!("\"{}\" may or may not be {what}", short(view.text(at))))
                .with(view.lines([at]));
        }
        // The page may put it in other words.
        if let Some(matcher @ Matcher::Sentence(_)) = text {
            let said = messages.iter().find(|message| matches(matcher, &message.text) == Truth::NotQuite);
            return match said {
                Some(message) => Finding::compared(Truth::NotQuite, &wanted(matcher), &short(&message.text))
                    .with(view.lines([message.at])),
                None => text_within(view, matcher, None),
            };
        }
        // That something was done may show in many ways; that it was not shows in an error.
        if is_event && text.is_none() {
            return match messages.iter().find(|message| message.tone == Some(Tone::Error)) {
                Some(error) => {
                    Finding::compared(Truth::No, &what, &short(&error.text)).with(view.lines([error.at]))
                }
                None => Finding::unsure(format!("the page does not show {what}")),
            };
        }
        if let Some(message) = about_something_else {
            return Finding::unsure(format!(
                "\"{}\" is shown, but nothing shows that it is {what}",
                short(&message.text)
            ))
            .with(view.lines([message.at]));
        }
        let finding = self.no_message(&messages, text, &what, negated);
        // Whether there is none about it is not known where nothing on the page is called so.
        let says = |at: usize| view.node(at).role == "text" && all_among(topic, &words_of(view.text(at)));
        let is_known = topic.is_empty()
            || text.is_some()
            || !fields_called(view, topic).is_empty()
            // "The welcome message" is known by its word, and no text has it.
            || tone == Tone::Any && !view.all().any(says);
        if is_known { finding } else { finding.not_looked_at() }
    }

    /// The words are on the page, in something that is not marked as a message.
    fn unmarked(
        &self,
        tone: Tone,
        matcher: &Matcher,
        topic: &[String],
        messages: &[Message],
        what: &str,
    ) -> Option<Finding> {
        let view = self.view;
        let seen = text_within(view, matcher, None);
        if seen.truth != Truth::Yes {
            return None;
        }
        let at = seen.elements.first()?;
        let place = view.all().find(|place| view.line(*place) == *at)?;
        if !topic.is_empty() && !all_among(topic, &words_of(view.text(place))) {
            return None;
        }
        let in_message =
            messages.iter().find(|message| message.at == place || view.is_within(place, message.at));
        if let Some(message) = in_message {
            return Some(
                Finding::no(format!("\"{}\" is shown, but it is not {what}", short(&message.text)))
                    .read()
                    .with(view.lines([message.at])),
            );
        }
        let plain_text = matches!(
            view.node(place).role.as_str(),
            "text" | "paragraph" | "heading" | "generic" | "listitem"
        );
        match (tone, tone_of_words(view.text(place))) {
            (Tone::Any, _) if plain_text => Some(seen),
            (Tone::Error, Some(Tone::Error)) | (Tone::Success, Some(Tone::Success)) if plain_text => {
                Some(seen)
            }
            _ => Some(
                Finding::unsure(format!("{} is shown, but nothing shows that it is {what}", wanted(matcher)))
                    .with(vec![at.clone()]),
            ),
        }
    }

    fn no_message(&self, messages: &[Message], text: Option<&Matcher>, what: &str, negated: bool) -> Finding {
        let view = self.view;
        let expected = text.map_or(what.to_string(), wanted);
        if let Some(message) = messages.first() {
            return Finding::compared(Truth::No, &expected, &short(&message.text))
                .with(view.lines([message.at]));
        }
        if let Some(matcher) = text {
            let seen = text_within(view, matcher, None);
            if seen.truth == Truth::NotQuite {
                return seen;
            }
            let heading =
                view.all().find(|at| view.node(*at).role == "heading" && !view.node(*at).is("covered"));
            if let Some(heading) = heading.filter(|_| !negated) {
                return Finding::compared(Truth::No, &expected, &short(view.text(heading)))
                    .with(view.lines([heading]));
            }
        }
        let reason = format!("the page does not show {what}");
        Finding { expected: Some(expected), ..Finding::no(reason) }.searched()
    }

    /// By its words, or because it stands with a field that is called so.
    fn is_about(&self, message: &Message, topic: &[String]) -> bool {
        let view = self.view;
        let words = words_of(&message.text);
        if variants(topic).iter().any(|way| all_among(&way.words, &words)) {
            return true;
        }
        let field = (0..message.at).rev().take(4).find(|at| view.is_editable(*at));
        let called = |at: usize| {
            let mut names = words_of(&view.node(at).name);
            names.extend(view.node(at).attribute("id").map(identifier_words).unwrap_or_default());
            names
        };
        let own: Vec<String> = ["id", "class", "testid"]
            .iter()
            .flat_map(|name| {
                // The list that a message is an entry of is often named after the field.
                let list = view.node(message.at).parent.filter(|at| view.node(*at).role == "list");
                std::iter::once(message.at).chain(list).filter_map(|at| view.node(at).attribute(name))
            })
            .flat_map(identifier_words)
            .collect();
        // "The status message", of a message with that role.
        if matches!(topic, [word] if *word == view.node(message.at).role) {
            return true;
        }
        let described = field_described(view, &message.text);
        if described.is_some_and(|at| fields_called(view, topic).contains(&at)) {
            return true;
        }
        // A message that names another field is about that field, wherever it is.
        let others = view.all().filter(|at| view.is_editable(*at) && Some(*at) != field);
        let names_another = others
            .map(|at| words_of(&view.node(at).name))
            .any(|name| !name.is_empty() && all_among(&name, &words))
            || names_a_field(&words, topic);
        field.is_some_and(|at| all_among(topic, &called(at)) && view.node(at).is("invalid") && !names_another)
            || all_among(topic, &own)
    }

    /// A text claim whose place is a message: "the error message shows …".
    pub(super) fn text_in_messages(&self, matcher: &Matcher, place: &Target) -> Option<Finding> {
        let tone = tone_of_kind(place.kind?)?;
        if place.quoted.is_some() || place.ordinal.is_some() || !place.relations.is_empty() {
            return None;
        }
        Some(self.message(tone, Some(matcher), &place.words, false))
    }

    /// "An error message is shown", said of the thing.
    pub(super) fn message_state(&self, target: &Target, state: StateWord) -> Option<Finding> {
        let tone = tone_of_kind(target.kind?)?;
        if target.ordinal.is_some() {
            return None;
        }
        let text = target.quoted.clone().map(Matcher::Contains);
        if let (Tone::Any, Some(matcher), [], [place]) =
            (tone, &text, target.words.as_slice(), target.relations.as_slice())
            && place.how == Nearness::Inside
            && place.to.kind.is_none_or(holds_things)
            && !place.to.words.is_empty()
        {
            // "A message with the text … in the sidebar": it stands there, whatever else it is about.
            let finding = self.text(matcher, Some(&place.to));
            // The name of a control there is no message.
            let view = self.view;
            let in_control = view.all().any(|at| {
                (view.is_control(at) || view.node(at).role == "heading")
                    && matches(matcher, view.text(at)) == Truth::Yes
            });
            let finding = match finding.truth {
                Truth::Yes if !in_control => finding,
                _ => Finding { truth: Truth::Unsure, ..finding },
            };
            return Some(if state == StateWord::Hidden { finding.turned() } else { finding });
        }
        let mut topic = target.words.clone();
        for relation in &target.relations {
            // "the error message for the email field": its words, or the field it stands with.
            topic.extend(relation.to.words.clone());
            topic.extend(relation.to.quoted.iter().flat_map(|quoted| words_of(quoted)));
            if anchors(&self.look(|_, _| 1.0), &relation.to).is_empty() && relation.to.kind.is_some() {
                return Some(Finding::new(
                    Truth::NotQuite,
                    format!("nothing on the page matches {}", relation.to.said),
                ));
            }
        }
        let finding = self.message(tone, text.as_ref(), &topic, state == StateWord::Hidden);
        match state {
            StateWord::Visible | StateWord::Exists => Some(finding),
            StateWord::Hidden => Some(finding.turned()),
            _ => None,
        }
    }
}

/// A message that begins with what is required or invalid names the field it is about: "Phone is required".
fn names_a_field(words: &[String], topic: &[String]) -> bool {
    let verb =
        words.iter().position(|word| matches!(word.as_str(), "is" | "must" | "cannot" | "can't" | "isn't"));
    let subject: &[String] = match verb {
        Some(at) if at > 0 && at <= 3 => &words[..at],
        _ => return false,
    };
    const NO_NAME: &[&str] = &["this", "it", "that", "field", "value", "the", "your", "a", "please", "input"];
    !subject.iter().all(|word| NO_NAME.contains(&word.as_str())) && !all_among(topic, subject)
}

/// A field that the browser itself refuses: its bubble is no part of the page, so no error can be said to be absent.
fn refused_field(view: &View) -> Option<usize> {
    view.all().find(|at| view.is_editable(*at) && view.node(*at).is("invalid"))
}

/// "The welcome message": a heading or a line of text that begins with the very words, and is no part of a control
/// or of the way around.
fn called_by_its_words(view: &View, topic: &[String]) -> Option<usize> {
    if topic.is_empty() {
        return None;
    }
    view.all().find(|at| {
        let node = view.node(*at);
        matches!(node.role.as_str(), "heading" | "text")
            && !node.is("covered")
            && words_of(view.text(*at)).starts_with(topic)
            && !view.text(*at).contains('?')
            && !view.scene.ancestors(*at).any(|around| {
                view.is_control(around)
                    || matches!(view.node(around).role.as_str(), "navigation" | "listitem" | "row")
            })
    })
}

/// Plain text with bad news, outside of what is marked as a message, that names no other field.
fn plain_error(view: &View, topic: &[String], messages: &[Message]) -> Option<usize> {
    view.all().find(|at| {
        let text = view.text(*at);
        view.node(*at).role == "text"
            && !view.node(*at).is("covered")
            && tells_of_trouble(text)
            && !names_a_field(&words_of(text), topic)
            && !messages.iter().any(|message| message.at == *at || view.is_within(*at, message.at))
            && !view.scene.ancestors(*at).any(|around| {
                view.is_control(around) && topic.is_empty() || view.node(around).role == "navigation"
            })
    })
}

/// A sentence that has the words of the topic may tell what is wrong without a word for it.
fn sentence_about(view: &View, topic: &[String]) -> Option<usize> {
    view.all().find(|at| {
        let words = words_of(view.text(*at));
        let has_one = topic.iter().any(|word| words.iter().any(|other| same_word(word, other)));
        view.node(*at).role == "text" && words.len() >= 4 && has_one
    })
}

/// Text that nothing marks as a message and that may still tell of a failure: absence cannot be claimed.
fn reads_like_an_error(view: &View, topic: &[String]) -> Option<String> {
    if tells_an_error(&view.scene.title) {
        return Some(view.scene.title.clone());
    }
    let at = view.all().find(|at| {
        let text = view.text(*at);
        view.node(*at).role == "text"
            && !view.node(*at).is("covered")
            && may_be_trouble(text)
            && (topic.is_empty() || all_among(topic, &words_of(text)))
            && !view
                .scene
                .ancestors(*at)
                .any(|around| view.is_control(around) || view.node(around).role == "navigation")
    })?;
    Some(view.text(at).to_string())
}

fn tone_of_kind(kind: ElementKind) -> Option<Tone> {
    Some(match kind {
        ElementKind::Message => Tone::Any,
        ElementKind::ErrorMessage => Tone::Error,
        ElementKind::SuccessMessage => Tone::Success,
        ElementKind::WarningMessage => Tone::Warning,
        _ => return None,
    })
}

fn fits(wanted: Tone, has: Option<Tone>) -> Option<bool> {
    match (wanted, has) {
        (Tone::Any, _) => Some(true),
        (_, None | Some(Tone::Any)) => None,
        (wanted, Some(has)) => Some(wanted == has),
    }
}

fn messages(view: &View) -> Vec<Message> {
    let mut found: Vec<Message> = Vec::new();
    for at in view.all() {
        let node = view.node(at);
        let by_role = matches!(node.role.as_str(), "alert" | "status" | "log" | "alertdialog" | "tooltip");
        let by_class = is_marked_as_message(view, at)
            && !view.is_control(at)
            && !matches!(
                node.role.as_str(),
                "banner" | "form" | "main" | "document" | "list" | "navigation" | "table"
            );
        let beside_invalid = node.role == "text" && follows_invalid_field(view, at);
        if !by_role && !by_class && !beside_invalid {
            continue;
        }
        // A wrapper of many things is a place for messages, not one.
        if view.inside(at).any(|inner| view.is_editable(inner)) && !by_role {
            continue;
        }
        if found.iter().any(|known| view.is_within(at, known.at) && !holds_messages(view, known.at)) {
            continue;
        }
        let text = view.text_in_sight(at);
        if text.trim().is_empty() || node.is("covered") {
            continue;
        }
        let tone = if beside_invalid && !by_role && !by_class {
            Some(Tone::Error)
        } else {
            tone_of(view, at, &text)
        };
        found.push(Message { at, text, tone });
    }
    found
}

/// Several messages inside: each counts for itself.
fn holds_messages(view: &View, at: usize) -> bool {
    view.inside(at).filter(|inner| matches!(view.node(*inner).role.as_str(), "alert" | "status")).count() > 1
}

fn follows_invalid_field(view: &View, at: usize) -> bool {
    let siblings = view.siblings(at);
    let place = siblings.iter().position(|other| *other == at);
    place.and_then(|place| place.checked_sub(1)).is_some_and(|place| {
        let before = siblings[place];
        view.is_editable(before) && view.node(before).is("invalid")
    })
}

/// Its marks decide, unless its words say the opposite: then it is unknown.
fn tone_of(view: &View, at: usize, text: &str) -> Option<Tone> {
    let by_words = tone_of_words(text);
    match (marked_tone(view, at), by_words) {
        (Some(Tone::Success), Some(Tone::Error)) | (Some(Tone::Error), Some(Tone::Success)) => None,
        (Some(marked), _) => Some(marked),
        (None, None) if view.node(at).role == "alert" && demands(text) => Some(Tone::Error),
        (None, by_words) => by_words,
    }
}

/// Whether a text says that it was done, and not that it will be: "Your tickets are sent once you have paid".
fn tells_it_was_done(text: &str, topic: &[String]) -> bool {
    const PAST: &[&str] = &["was", "were", "been", "successfully"];
    const NOT_SO: &[&str] = &[
        "will", "be", "can", "could", "not", "shall", "may", "might", "soon", "to", "when", "once", "after",
        "if", "until", "cannot", "never", "being", "unless", "before", "is", "are", "upon",
    ];
    /// "Book added", "Changes saved": a note of a few words has no verb besides.
    const NOTE: usize = 6;
    let words = words_of(text);
    let Some(done) = topic.last() else { return false };
    words.iter().enumerate().filter(|(_, word)| *word == done).any(|(at, _)| {
        let is_past = words[at.saturating_sub(2)..at].iter().any(|near| PAST.contains(&near.as_str()));
        let near = &words[at.saturating_sub(4)..words.len().min(at + 4)];
        let is_open = near.iter().any(|word| NOT_SO.contains(&word.as_str()));
        !is_open && (is_past || words.len() <= NOTE)
    })
}

fn marked_tone(view: &View, at: usize) -> Option<Tone> {
    let marks = std::iter::once(at).chain(view.inside(at)).chain(view.scene.ancestors(at).take(1));
    for place in marks {
        for (words, tone) in [
            (&["error", "errors", "danger", "invalid", "fail", "failed", "failure"][..], Tone::Error),
            (&["success", "ok", "positive"][..], Tone::Success),
            (&["warning", "warn", "caution"][..], Tone::Warning),
        ] {
            if has_class_word(view, place, words) {
                return Some(tone);
            }
        }
        if is_marked_as_error(view, place) {
            return Some(Tone::Error);
        }
    }
    None
}

fn describe(tone: Tone, text: Option<&Matcher>, topic: &[String]) -> String {
    let mut what = match tone {
        Tone::Any => "a message",
        Tone::Error => "an error message",
        Tone::Success => "a success message",
        Tone::Warning => "a warning",
    }
    .to_string();
    if let Some(matcher) = text {
        what.push_str(&format!(" with {}", wanted(matcher)));
    }
    if !topic.is_empty() {
        what.push_str(&format!(" about \"{}\"", topic.join(" ")));
    }
    what
}
