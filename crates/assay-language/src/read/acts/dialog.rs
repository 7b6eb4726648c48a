//! Answers to dialogs: "Accept the alert", "Confirm the dialog", "Dismiss the prompt".

use crate::{About, Act, Claim, ClickKind, ElementKind, Matcher, Target, Toggle, WaitGoal};

use super::super::lexicon::words::DETERMINERS;
use super::super::noun::Nouns;
use super::super::phrase::Phrase;
use super::super::token::Token;
use super::verbs::Verb;
use super::{Acts, Misread, needed};

const DIALOGS: &[&str] = &[
    "alert",
    "dialog",
    "dialogue",
    "prompt",
    "popup",
    "pop-up",
    "confirmation",
    "confirm",
    "modal",
    "box",
    "question",
];

/// Nothing but words for a dialog: "the confirmation dialog", "the javascript alert".
fn is_dialog(phrase: Phrase<'_>) -> bool {
    let plain = phrase.trimmed().without_front(DETERMINERS);
    let about =
        ["browser", "javascript", "js", "message", "native", "system", "deletion", "delete", "removal"];
    plain.is(&["pop", "up"])
        || plain.tokens.iter().any(|token| token.is_any(DIALOGS))
            && plain.tokens.iter().all(|token| token.is_any(DIALOGS) || token.is_any(&about))
        || plain.is(&["it"])
}

/// `Dismiss the dialog with "Skip"`, "confirm it with the Delete button": the button that is named.
fn with_button(rest: Phrase<'_>, nouns: &Nouns<'_>) -> Option<Acts> {
    let at = rest.find(&["with", "by"]).filter(|at| *at > 0)?;
    let (what, button) = (rest.until(at), rest.from(at + 1));
    let button = button.without_front(&["clicking", "pressing"]);
    let target = nouns.target(button)?;
    let is_button = target.kind == Some(ElementKind::Button)
        || target.kind.is_none() && target.quoted.is_some() && target.words.is_empty();
    let is_about =
        is_dialog(what) || nouns.target(what).is_some_and(|what| what.kind == Some(ElementKind::Dialog));
    (is_button && is_about).then(|| Ok(vec![Act::Click { target, how: ClickKind::Single }]))
}

pub(super) fn accept(rest: Phrase<'_>, verb: Verb, nouns: &Nouns<'_>) -> Acts {
    if let Some(acts) = with_button(rest, nouns).filter(|_| !rest.has_any(&["prompt"])) {
        return acts;
    }
    let (what, text) = match rest.find(&["with", "by"]) {
        Some(at) => {
            let given = rest.from(at + 1).tokens.iter().find(|token| token.is_quoted());
            (rest.until(at), given.map(|token| token.text.clone()))
        }
        None => (rest, None),
    };
    if is_dialog(what) {
        return Ok(vec![Act::AnswerDialog { accept: true, text }]);
    }
    // `Confirm the question "Really?"`: what it asks has to be so.
    if let Some((asked, front)) = what.trimmed().tokens.split_last()
        && asked.is_quoted()
        && (is_dialog(Phrase { tokens: front, ..what })
            || Phrase { tokens: front, ..what }.without_front(DETERMINERS).is(&["question"]))
        && text.is_none()
    {
        let about = About::Text { text: Matcher::Contains(asked.text.clone()), place: None };
        let claim = Claim { said: what.text().to_string(), negated: false, stays: false, about };
        let until = WaitGoal::Claim(Box::new(claim));
        return Ok(vec![Act::Wait { until }, Act::AnswerDialog { accept: true, text: None }]);
    }
    // "Confirm with the Sort button of the popup".
    if rest.starts_any(&["with"])
        && let Some(target) =
            nouns.target(rest.from(1)).filter(|target| target.kind == Some(ElementKind::Button))
    {
        return Ok(vec![Act::Click { target, how: ClickKind::Single }]);
    }
    // `Confirm with "Yes, I'm sure"`: the button that says so.
    if let Some([with, name]) = rest.tokens.get(..2).and_then(|two| <&[_; 2]>::try_from(two).ok())
        && with.is("with")
        && name.is_quoted()
        && rest.from(2).without_front(&["button"]).is_empty()
    {
        let target = needed(rest.from(1), verb, nouns)?;
        return Ok(vec![Act::Click { target, how: ClickKind::Single }]);
    }
    let plain = rest.without_front(DETERMINERS);
    let is_terms = plain.has_any(&["terms", "conditions", "policy", "agreement"]);
    if verb == Verb::Accept && is_terms {
        return Ok(vec![Act::Check { targets: vec![needed(rest, verb, nouns)?], to: Toggle::On }]);
    }
    if verb == Verb::Accept && plain.has_any(&["cookies", "cookie"]) {
        let mut words: Vec<String> = rest.words().into_iter().map(str::to_string).collect();
        words.retain(|word| word != "the");
        words.insert(0, "accept".to_string());
        let target = Target { said: rest.text().to_string(), words, ..Target::default() };
        return Ok(vec![Act::Click { target, how: ClickKind::Single }]);
    }
    if rest.is_empty() {
        return Err(Misread::new(verb, "it does not say what"));
    }
    // "Confirm with Enter".
    if rest.starts_any(&["with", "by"]) {
        let key = rest.from(1).without_front(&["pressing", "hitting"]).without_front(DETERMINERS);
        if let Ok(acts) = super::keyboard::press(key, nouns)
            && matches!(acts.as_slice(), [Act::Press { target: None, .. }])
        {
            return Ok(acts);
        }
    }
    // "Confirm with Done": a button's name in capitals.
    let name = rest.from(1);
    if rest.starts_any(&["with"]) && name.len() <= 3 && name.tokens.iter().all(Token::is_capital) {
        let target = Target { kind: Some(ElementKind::Button), ..needed(name, verb, nouns)? };
        return Ok(vec![Act::Click { target, how: ClickKind::Single }]);
    }
    Err(Misread::new(verb, format!("`{}` is not a dialog", rest.text())))
}

/// A dialog is answered with no; anything else that is dismissed is closed.
pub(super) fn dismiss(rest: Phrase<'_>, nouns: &Nouns<'_>) -> Acts {
    if let Some(acts) = with_button(rest, nouns) {
        return acts;
    }
    if is_dialog(rest) {
        return Ok(vec![Act::AnswerDialog { accept: false, text: None }]);
    }
    let target = needed(rest, Verb::Dismiss, nouns)?;
    let is_over =
        matches!(target.kind, Some(ElementKind::Dialog | ElementKind::Message | ElementKind::SuccessMessage))
            || matches!(
                target.kind,
                Some(ElementKind::ErrorMessage | ElementKind::WarningMessage | ElementKind::Menu)
            );
    if is_over {
        return Ok(vec![Act::Close { target }]);
    }
    Err(Misread::new(Verb::Dismiss, format!("`{}` is not a dialog", rest.text())))
}
