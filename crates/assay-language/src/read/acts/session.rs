//! Logging in, submitting, and pictures.

use crate::{Act, Destination};

use super::super::lexicon::words::{DETERMINERS, UNGIVEN};
use super::super::noun::Nouns;
use super::super::phrase::Phrase;
use super::super::token::TokenKind;
use super::verbs::Verb;
use super::{Acts, Misread, needed};

/// `log in as "ada" with password "x"`, `log in with "ada" and "x"`, "login as ada/x".
pub(super) fn log_in(rest: Phrase<'_>, nouns: &Nouns<'_>) -> Acts {
    let misread = |why: &str| Err(Misread::new(Verb::LogIn, why));
    // "Log in at https://shop.example as …", "sign in on the login page with …".
    let places: Vec<Destination> = (0..rest.len())
        .filter(|at| is_where(rest, *at))
        .filter_map(|at| super::navigate::address(rest.part(at, at + 1)))
        .chain(login_page(rest))
        .collect();
    let go = match <[Destination; 1]>::try_from(places) {
        Ok([to]) => Some(Act::Go { to }),
        Err(places) if places.is_empty() => None,
        Err(_) => return misread("it names more than one address"),
    };
    let own = credentials(rest, go.is_some(), nouns)?;
    Ok(go.into_iter().chain(own).collect())
}

/// An address behind "at" or "on", or one that can be nothing else: a password may look like one, too.
fn is_where(rest: Phrase<'_>, at: usize) -> bool {
    let token = &rest.tokens[at];
    let is_told = at > 0 && rest.tokens[at - 1].is_any(&["at", "on", "to", "into", "in", "onto"]);
    let is_address = matches!(token.kind, TokenKind::Url | TokenKind::Path) && token.text != "/";
    let is_plain = token.text.starts_with("http://") || token.text.starts_with("https://");
    !token.is_quoted() && is_address && (is_told || is_plain && at == 0)
}

/// "On the login page".
fn login_page(rest: Phrase<'_>) -> Option<Destination> {
    let at = rest.find(&["page"])?;
    let name = rest.until(at);
    let is_login = |name: Phrase<'_>| {
        [&["login"][..], &["sign-in"], &["signin"], &["log", "in"], &["sign", "in"]]
            .iter()
            .any(|end| name.len() > end.len() && name.from(name.len() - end.len()).is(end))
    };
    (name.starts_any(&["on", "at", "from", "via"]) && is_login(name))
        .then(|| Destination::Page("login".to_string()))
}

/// Who logs in, in one of the many ways to say it: `as "ada" with password "x"`, `(user ada, password x)`, `ada / x`.
fn credentials(rest: Phrase<'_>, has_address: bool, nouns: &Nouns<'_>) -> Acts {
    const LABELS: &[&str] =
        &["as", "with", "using", "user", "username", "email", "password", "pw", "passcode"];
    let misread = |why: &str| Err(Misread::new(Verb::LogIn, why));
    // "Log in to the shop": where, and not who.
    let is_pair = || rest.tokens.iter().filter(|token| token.is_quoted()).count() == 2;
    if rest.starts_any(&["to", "into", "at", "on", "onto"])
        && !rest.has_any(LABELS)
        && !(has_address && (is_pair() || rest.has("/")))
    {
        return misread("it gives neither user nor password");
    }
    // "Log in to the shop as …".
    let named = rest.find(&["as", "with", "using"]);
    let start = named.or_else(|| rest.find(LABELS)).unwrap_or(0);
    let rest = rest.from(start);
    if rest.starts(&["as", "a"]) || rest.starts(&["as", "an"]) {
        return misread("it does not say which user");
    }
    if let Some(acts) = with_code(rest, nouns) {
        return Ok(acts);
    }
    let mut user: Option<String> = None;
    let mut password: Option<String> = None;
    let mut next_is_password = false;
    for (at, token) in rest.tokens.iter().enumerate() {
        match token.low.as_str() {
            "password" | "pass" | "pw" | "passcode" | "passphrase" => next_is_password = true,
            "username" | "user" | "email" | "login" | "name" | "address" | "account" | "e-mail" | "id" => {
                next_is_password &= user.is_some();
            }
            "as" | "with" | "using" | "the" | "and" | "credentials" | "via" | "by" | "is" | "his" | "her"
            | "their" | "my" | "your" => {}
            // Where it is done was read already.
            "at" | "on" | "to" | "in" | "into" if has_address => {}
            "page" | "screen" if has_address => {}
            _ if is_where(rest, at) => {}
            word if UNGIVEN.contains(&word) || DETERMINERS.contains(&word) => {
                return misread("it gives neither user nor password");
            }
            _ if matches!(token.kind, TokenKind::Mark(_)) || token.low == "/" => {}
            _ if next_is_password && password.is_none() => password = Some(token.text.clone()),
            _ if user.is_none() => {
                user = Some(token.text.clone());
                next_is_password = true;
            }
            _ => return misread("it gives more than a user and a password"),
        }
    }
    let split = user.as_ref().and_then(|both| both.split_once('/'));
    let split = split.map(|(user, password)| (user.to_string(), password.to_string()));
    if let (Some((name, secret)), None) = (split, &password) {
        return Ok(vec![Act::LogIn { user: name, password: Some(secret) }]);
    }
    match user {
        Some(user) => Ok(vec![Act::LogIn { user, password }]),
        // The page may know the user already.
        None if password.is_some() => Ok(vec![Act::LogIn { user: String::new(), password }]),
        None => misread("it does not say which user"),
    }
}

/// `with the access code "4711"`: a field of another name, and its form is sent.
fn with_code(rest: Phrase<'_>, nouns: &Nouns<'_>) -> Option<Vec<Act>> {
    const USUAL: &[&str] = &[
        "as",
        "password",
        "pass",
        "pw",
        "passcode",
        "passphrase",
        "username",
        "user",
        "email",
        "login",
        "name",
        "address",
        "account",
        "e-mail",
        "id",
        "credentials",
        "and",
    ];
    let (value, field) = rest.tokens.split_last()?;
    let field = Phrase { tokens: field, ..rest }.without_front(&["with", "using"]).without_front(DETERMINERS);
    let is_field = field.tokens.iter().all(|token| token.kind == TokenKind::Word) && !field.has_any(USUAL);
    if !value.is_quoted() || field.is_empty() || !is_field {
        return None;
    }
    let target = nouns.target(field)?;
    let text = value.text.clone();
    Some(vec![Act::Enter { target: Some(target), text }, Act::Submit { target: None }])
}

pub(super) fn submit(rest: Phrase<'_>, nouns: &Nouns<'_>) -> Acts {
    let plain = rest.without_front(DETERMINERS);
    if plain.is_empty() || plain.is(&["form"]) || plain.is(&["it"]) {
        return Ok(vec![Act::Submit { target: None }]);
    }
    let target = needed(rest, Verb::Submit, nouns)?;
    Ok(vec![Act::Submit { target: Some(target) }])
}

pub(super) fn screenshot(rest: Phrase<'_>) -> Acts {
    if rest.has_any(&["screenshot", "screenshots", "snapshot", "picture", "screen", "screengrab"]) {
        return Ok(vec![Act::TakeScreenshot]);
    }
    Err(Misread::new(Verb::Screenshot, "only screenshots can be taken"))
}
