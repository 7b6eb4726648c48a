//! Logins that were refused: in a test that is about something else, they keep it out.

use assay_report::TestSummary;

use super::judge::Case;

/// Words of logging in, in sentences and names.
const LOGIN: &[&str] =
    &["log in", "login", "log on", "sign in", "signin", "logged in", "signed in", "password", "credential"];

/// What pages say that refuse a login.
const REFUSALS: &[&str] = &[
    "invalid username or password",
    "invalid user name or password",
    "invalid email or password",
    "invalid credentials",
    "incorrect username or password",
    "incorrect password",
    "wrong password",
    "wrong username or password",
    "wrong user name or password",
    "username or password is incorrect",
    "email or password is incorrect",
    "login failed",
    "sign in failed",
    "authentication failed",
    "account is locked",
    "account locked",
    "account has been locked",
    "unknown user",
];

/// Words that say no.
const NO: &[&str] = &[
    "wrong",
    "invalid",
    "incorrect",
    "not correct",
    "not the right",
    "not right",
    "locked",
    "denied",
    "failed",
    "unknown",
    "not match",
    "n't match",
    "not recognised",
    "not recognized",
    "suspended",
    "expired",
];

/// What a login is made of.
const CREDENTIALS: &[&str] = &[
    "password",
    "username",
    "user name",
    "account",
    "credential",
    "login",
    "log in",
    "sign in",
    "code",
    "email",
    "e-mail",
    "user",
];

/// Whether a line of a page says that something was wrong with a login.
pub(super) fn is_refusal(line: &str) -> bool {
    speaks_of_refusal(line) || (contains(line, NO).is_some() && contains(line, CREDENTIALS).is_some())
}

/// A line of a page without the marks of an effect.
pub(super) fn plain(line: &str) -> &str {
    match line.split_once('"') {
        Some((_, rest)) => rest.trim_end_matches('"'),
        None => line.trim(),
    }
}

pub(super) fn speaks_of_login(text: &str) -> bool {
    contains(text, LOGIN).is_some()
}

pub(super) fn speaks_of_refusal(text: &str) -> bool {
    contains(text, REFUSALS).is_some()
}

/// The evidence that a login was refused which the test needs and is not about.
pub(super) fn refused(case: &Case<'_>) -> Option<String> {
    let words = contains(case.page_text(), REFUSALS)?;
    let logs_in =
        case.attempt()?.steps.iter().any(|step| super::judge::is_act(step) && speaks_of_login(&step.text));
    let is_free = case.alone.application_errors().is_empty();
    (logs_in && is_free && !is_about_login(&case.alone))
        .then(|| format!("the login was refused: the page says \"{words}\""))
}

/// The evidence that the server asked for a login (401) which the test is not about.
pub(super) fn unauthorised(case: &Case<'_>) -> Option<String> {
    let steps = &case.attempt()?.steps;
    let refused = steps.iter().flat_map(|step| &step.commands).find_map(|command| {
        let page = command.outcome.lines().next().filter(|line| command.ok && line.ends_with("(status 401)"));
        let request = command.failed_requests.iter().find(|request| request.why.starts_with("401"));
        page.map(|_| format!("`{}` answered 401", command.command))
            .or_else(|| request.map(|request| format!("`{} {}` answered 401", request.method, request.url)))
    })?;
    (!is_about_login(&case.alone)).then_some(refused)
}

/// Its name or what it expects speaks of logging in.
pub(super) fn is_about_login(test: &TestSummary) -> bool {
    let expects = test.attempts.iter().flat_map(|attempt| &attempt.steps).any(|step| {
        step.part == assay_protocol::Part::Expected
            && (speaks_of_login(&step.text) || speaks_of_refusal(&step.text))
    });
    expects || speaks_of_login(&test.line.name) || speaks_of_login(&test.line.id.replace('_', " "))
}

fn contains(text: &str, words: &[&'static str]) -> Option<&'static str> {
    let text = text.to_lowercase();
    words.iter().copied().find(|words| text.contains(words))
}
