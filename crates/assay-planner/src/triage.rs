//! What can be said of a scope without asking anybody: by rules, before a call is paid for.

use crate::answers::GivenAnswer;
use crate::scope::{Ambiguity, Exclusion, OpenQuestion, TestScope};
use crate::words::{first_phrase, one_line, words};

/// What somebody wants to have tested.
#[derive(Debug, Clone, Default)]
pub struct PlanRequest {
    pub goal: Option<String>,
    /// The text of a document with requirements.
    pub document: Option<String>,
    /// Where the application is.
    pub address: Option<String>,
    pub answers: Vec<GivenAnswer>,
}

impl PlanRequest {
    /// The answer to a question, by its id.
    pub fn answer(&self, id: &str) -> Option<&str> {
        self.answers.iter().find(|given| given.id.as_deref() == Some(id)).map(|given| given.text.as_str())
    }

    /// Everything that people said, for whoever looks a word up in it.
    pub fn said(&self) -> String {
        let answers = self.answers.iter().map(|given| given.text.as_str());
        let parts = [self.goal.as_deref(), self.document.as_deref(), self.address.as_deref()];
        parts.into_iter().flatten().chain(answers).collect::<Vec<_>>().join("\n")
    }
}

/// Words that want a test of everything, and so of nothing.
const NOTHING_NAMED: &[&str] = &[
    "test",
    "tests",
    "testing",
    "check",
    "verify",
    "try",
    "everything",
    "all",
    "whole",
    "entire",
    "full",
    "app",
    "application",
    "site",
    "website",
    "page",
    "pages",
    "system",
    "product",
    "it",
    "this",
    "that",
    "works",
    "work",
    "working",
    "fine",
    "correctly",
    "properly",
    "ok",
    "the",
    "a",
    "an",
    "of",
    "my",
    "our",
    "if",
    "whether",
    "please",
    "quality",
    "is",
    "does",
    "for",
    "bugs",
    "find",
    "write",
    "make",
    "some",
    "sure",
    "and",
];

/// What no page shows.
const OUTSIDE: &[(&[&str], &str)] = &[
    (
        &[
            "e mail",
            "email is sent",
            "sends an email",
            "receives an email",
            "mailbox",
            "sms",
            "push notification",
        ],
        "emails and messages do not appear on a page",
    ),
    (
        &["database", "table row in", "backup", "log file", "server log", "audit log on"],
        "data stored on a server does not appear on a page",
    ),
    (
        &[
            "concurrent users",
            "load test",
            "throughput",
            "requests per second",
            "scalability",
            "uptime",
            "availability",
        ],
        "measuring load needs other tools",
    ),
    (&["printed", "printer", "phone call", "fax", "paper"], "it happens outside the browser"),
    (
        &["penetration test", "vulnerability", "vulnerabilities", "encrypted", "encryption"],
        "the look of a page cannot prove it",
    ),
];

/// Marks of what nobody decided yet.
const UNDECIDED: &[&str] = &[
    "tbd",
    "tbc",
    "todo",
    "to be decided",
    "to be defined",
    "to be confirmed",
    "to be clarified",
    "not yet decided",
];

/// Words that everybody reads otherwise, unless a number or a quoted text stands with them.
const VAGUE: &[&str] = &[
    "fast",
    "quick",
    "quickly",
    "slow",
    "user friendly",
    "friendly",
    "intuitive",
    "easy",
    "easily",
    "nice",
    "modern",
    "appropriate",
    "appropriately",
    "reasonable",
    "sensible",
    "suitable",
    "etc",
    "and so on",
    "as usual",
    "as expected",
    "and or",
];

/// What cannot be taken back.
const DANGEROUS: &[&str] = &[
    "pay",
    "pays",
    "payment",
    "purchase",
    "buy",
    "buys",
    "checkout",
    "check out",
    "place an order",
    "transfer money",
    "delete",
    "deletes",
    "remove account",
    "close the account",
    "cancel the subscription",
    "refund",
];

/// What rules find: what no page can show, what is not decided, what has to be asked.
pub fn triage(order: &PlanRequest) -> TestScope {
    let mut scope = TestScope::default();
    if order.address.is_none() {
        scope.questions.push(OpenQuestion {
            id: "address".to_string(),
            text: "At which address does the application run?".to_string(),
            why: "neither --url nor a project's `base_url` is set".to_string(),
            is_blocking: true,
        });
    }
    if let Some(goal) = &order.goal
        && order.document.is_none()
        && order.answer("goal").is_none()
        && is_nothing_named(goal)
    {
        scope.questions.push(OpenQuestion {
            id: "goal".to_string(),
            text: "What does a user do there, and what should they see afterwards?".to_string(),
            why: format!("`{}` does not name anything that a user does", one_line(goal)),
            is_blocking: true,
        });
    }
    for statement in order.goal.iter().chain(&order.document).flat_map(|text| statements(text)) {
        sort(&statement, &mut scope);
    }
    let is_all_out = scope.included.is_empty() && (order.goal.is_some() || order.document.is_some());
    if is_all_out
        && order.answers.is_empty()
        && scope.questions.iter().all(|question| question.id == "address")
    {
        scope.questions.push(OpenQuestion {
            id: "scope".to_string(),
            text: "Which part of it can be seen on a page?".to_string(),
            why: "none of the request can be tested on a page".to_string(),
            is_blocking: true,
        });
    }
    if let Some(question) = danger(order, &scope) {
        scope.questions.push(question);
    }
    scope
}

fn is_nothing_named(goal: &str) -> bool {
    words(goal).iter().all(|word| NOTHING_NAMED.contains(&word.as_str()))
}

/// One statement into the part of the scope it belongs to.
fn sort(statement: &str, scope: &mut TestScope) {
    if let Some(mark) = undecided(statement) {
        let why = format!("`{mark}` marks it as undecided");
        scope.ambiguous.push(Ambiguity { point: statement.to_string(), why });
        return;
    }
    for (phrases, why) in OUTSIDE {
        if first_phrase(statement, phrases).is_some() {
            scope.excluded.push(Exclusion::new(statement, *why));
            return;
        }
    }
    let is_measured =
        statement.chars().any(|letter| letter.is_ascii_digit()) || statement.contains(['"', '“', '„']);
    if let Some(word) = first_phrase(statement, VAGUE).filter(|_| !is_measured) {
        let why = format!("`{word}` is too vague to check");
        scope.ambiguous.push(Ambiguity { point: statement.to_string(), why });
        return;
    }
    scope.included.push(statement.to_string());
}

fn undecided(statement: &str) -> Option<&str> {
    if statement.contains("???") {
        return Some("???");
    }
    first_phrase(statement, UNDECIDED)
}

/// The statements of a text: lines of lists, and sentences of paragraphs. Headings say where one is, and nothing more.
fn statements(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut paragraph = String::new();
    let mut flush = |paragraph: &mut String| {
        found.extend(sentences(paragraph).into_iter().map(one_line));
        paragraph.clear();
    };
    for line in text.lines().map(str::trim) {
        let item = line.strip_prefix("- ").or_else(|| line.strip_prefix("* ")).or_else(|| numbered(line));
        if line.is_empty()
            || line.starts_with('#')
            || line.chars().all(|letter| matches!(letter, '-' | '=' | '*'))
        {
            flush(&mut paragraph);
        } else if let Some(item) = item {
            flush(&mut paragraph);
            paragraph.push_str(item);
        } else {
            if !paragraph.is_empty() {
                paragraph.push(' ');
            }
            paragraph.push_str(line);
        }
    }
    flush(&mut paragraph);
    found.retain(|statement| words(statement).len() > 1);
    found
}

/// The sentences of a paragraph. A dot ends one where a blank and a capital letter follow: "127.0.0.1" is one word.
fn sentences(paragraph: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut begin = 0;
    for (at, _) in
        paragraph.match_indices(['.', '!', '?']).filter(|(at, _)| paragraph[at + 1..].starts_with(' '))
    {
        let rest = paragraph[at + 1..].trim_start();
        if at >= begin && rest.starts_with(|first: char| first.is_uppercase()) {
            found.push(paragraph[begin..=at].trim());
            begin = at + 1;
        }
    }
    found.push(paragraph[begin..].trim());
    found.retain(|sentence| !sentence.is_empty());
    found
}

/// "3. Something", "(2) something".
fn numbered(line: &str) -> Option<&str> {
    let rest = line.trim_start_matches('(').trim_start_matches(|letter: char| letter.is_ascii_digit());
    let is_number = rest.len() < line.len();
    rest.strip_prefix(['.', ')']).filter(|rest| is_number && rest.starts_with(' ')).map(str::trim)
}

/// What cannot be taken back is not done on somebody's real application without their word.
fn danger(order: &PlanRequest, scope: &TestScope) -> Option<OpenQuestion> {
    let address = order.address.as_deref()?;
    if is_for_tests(address) || order.answer("environment").is_some() {
        return None;
    }
    let (statement, word) =
        scope.included.iter().find_map(|statement| Some((statement, first_phrase(statement, DANGEROUS)?)))?;
    Some(OpenQuestion {
        id: "environment".to_string(),
        text: format!("Is {address} an environment where tests may pay and delete?"),
        why: format!(
            "`{word}` in `{statement}` cannot be undone, and nothing in the address marks a test environment"
        ),
        is_blocking: true,
    })
}

/// Addresses that nobody's customers use.
fn is_for_tests(address: &str) -> bool {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = host.strip_prefix('[').map_or_else(
        || host.split(':').next().unwrap_or_default(),
        |inner| inner.split(']').next().unwrap_or_default(),
    );
    let is_local = host == "localhost" || host == "::1" || host.starts_with("127.") || !host.contains('.');
    let ends = [".test", ".local", ".localhost", ".example", ".invalid", ".internal"];
    let names = ["test", "staging", "stage", "dev", "qa", "sandbox", "demo", "preview", "uat"];
    is_local
        || ends.iter().any(|end| host.ends_with(end))
        || host.split(['.', '-']).any(|label| names.contains(&label))
}

#[cfg(test)]
#[path = "triage_tests.rs"]
mod tests;
