//! Where the test really was when something was missing: on the page of somebody else, or still before the login.

use assay_protocol::{CommandRecord, LastPage};

use super::judge::{Case, is_act};
use super::login;

/// What pages say that stand between a visitor and an application.
const WALLS: &[&str] = &[
    "sign in",
    "log in",
    "login",
    "password",
    "before you continue",
    "consent",
    "cookies",
    "accept the terms",
    "verify",
    "authenticate",
    "authorization",
];

/// The evidence that the test stood before the door of somebody else.
pub(super) fn led_elsewhere(case: &Case<'_>) -> Option<String> {
    let attempt = case.attempt()?;
    let last = last_page(case)?;
    let there = site_of(&last.url)?;
    let opened: Vec<(String, &CommandRecord)> = attempt
        .steps
        .iter()
        .flat_map(|step| &step.commands)
        .filter(|command| command.ok)
        .filter_map(|command| Some((site_of(command.command.strip_prefix("go ")?)?, command)))
        .collect();
    let is_at_home = opened.iter().any(|(site, _)| *site == there) && !was_sent_away(&opened, &there);
    if opened.is_empty() || is_at_home {
        return None;
    }
    let text = last.text.to_lowercase();
    let is_wall = WALLS.iter().any(|words| text.contains(words));
    // A link of the application that leads to a wrong place is its own mistake, unless somebody asks there who we are.
    (was_sent_away(&opened, &there) || is_wall)
        .then(|| format!("the test was led away from the application to {}", last.url))
}

/// The address that the test opened led to another site at once.
fn was_sent_away(opened: &[(String, &CommandRecord)], there: &str) -> bool {
    opened.iter().any(|(site, command)| {
        site != there && command.url.as_deref().and_then(site_of).as_deref() == Some(there)
    })
}

/// The evidence that a login was refused which the test needs and is not about: it was still where it had logged in, and
/// was told that something was wrong with what it had entered.
pub(super) fn still_before_the_login(case: &Case<'_>) -> Option<String> {
    if !case.alone.application_errors().is_empty() || login::is_about_login(&case.alone) {
        return None;
    }
    let attempt = case.attempt()?;
    let mut address: Option<&str> = None;
    let mut door: Option<&str> = None;
    let mut said: Vec<&str> = Vec::new();
    for step in attempt.steps.iter().filter(|step| is_act(step)) {
        for command in step.commands.iter().filter(|command| command.ok) {
            if command.command.starts_with("fill ") && names_a_secret(&step.text, &command.command) {
                door = address;
                said.clear();
            }
            if door.is_some() {
                said.extend(command.outcome.lines());
            }
            address = command.url.as_deref().or(address);
        }
    }
    let last = last_page(case)?;
    if path_of(door?) != path_of(&last.url) {
        return None;
    }
    let line = said.into_iter().chain(last.text.lines()).find(|line| login::is_refusal(line))?;
    Some(format!("the login was refused: the page says \"{}\"", login::plain(line)))
}

fn names_a_secret(sentence: &str, command: &str) -> bool {
    let lower = sentence.to_lowercase();
    command.contains('•')
        || ["password", "passcode", "code", "pin", "secret", "token"]
            .iter()
            .any(|word| lower.split(|letter: char| !letter.is_alphanumeric()).any(|part| part == *word))
}

fn last_page<'a>(case: &'a Case<'_>) -> Option<&'a LastPage> {
    case.attempt()?.ending.as_ref()?.last_page.as_ref()
}

/// Who serves an address: the machine and its port, or the last two parts of its name.
fn site_of(url: &str) -> Option<String> {
    let url = url.trim().trim_matches('"');
    let rest = url.strip_prefix("http://").or_else(|| url.strip_prefix("https://"))?;
    let place = rest.split(['/', '?', '#']).next().filter(|place| !place.is_empty())?;
    let host = place.split(':').next().unwrap_or(place);
    let is_number =
        host.split('.').all(|part| !part.is_empty() && part.chars().all(|it| it.is_ascii_digit()));
    if is_number || !host.contains('.') {
        return Some(place.to_lowercase());
    }
    let parts: Vec<&str> = host.split('.').collect();
    Some(parts[parts.len() - 2..].join(".").to_lowercase())
}

fn path_of(url: &str) -> &str {
    url.split(['?', '#']).next().unwrap_or(url).trim_end_matches('/')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_site_is_a_name_or_a_machine_with_its_port() {
        for (one, other, same) in [
            ("https://www.shop.test/a", "http://login.shop.test/b?c", true),
            ("http://127.0.0.1:1/", "http://127.0.0.1:2/", false),
            ("http://127.0.0.1:1/x", "http://127.0.0.1:1", true),
            ("https://shop.test", "https://identity.test/", false),
        ] {
            assert_eq!(site_of(one) == site_of(other), same, "{one} {other}");
        }
        assert_eq!(site_of("chrome-error://chromewebdata/"), None);
        assert_eq!(path_of("http://a/login?next=/x"), path_of("http://a/login"));
    }
}
