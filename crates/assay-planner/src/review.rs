//! What makes a proposed test worth writing. A model's word is not enough, nor is a rule's.

use assay_language::{
    About, Act, Claim, Hints, Intent, Matcher, MatcherRole, NumberIs, Piece, Target, TextRole, quotations,
    read,
};

use crate::draft::Draft;
use crate::words::{one_line, words};

/// Longer tests are several.
const MOST_STEPS: usize = 40;
const MOST_CLAIMS: usize = 15;
const LONGEST_SENTENCE: usize = 300;

/// What is known beside the draft itself.
#[derive(Debug, Clone, Default)]
pub struct Sources {
    /// Everything that people said: the goal, the document, the answers.
    pub said: String,
    /// Everything that pages showed.
    pub seen: String,
    /// The address of the application.
    pub site: String,
}

/// Why a draft is not written as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DraftFault {
    NoName,
    NoSteps,
    TooLong {
        steps: usize,
        claims: usize,
    },
    /// Not one sentence on one line.
    NotASentence {
        sentence: String,
    },
    /// What stands under `expected` does something.
    ActsWhereItClaims {
        sentence: String,
    },
    /// Nothing in it could be red.
    NoClaim,
    /// All it says is that something is not there.
    OnlyDenials,
    /// A claim that holds whatever the page shows.
    Hollow {
        sentence: String,
    },
    InventedCredential {
        sentence: String,
        value: String,
    },
    /// A name in `${…}` that is not among its secrets, or a secret's name that is none.
    UnknownVariable {
        name: String,
    },
    /// It opens a page of another site.
    OtherSite {
        address: String,
    },
    /// It hands over a file that nobody named.
    UnnamedFile {
        file: String,
    },
    /// An id that stands in no document.
    UnknownRequirement {
        id: String,
    },
}

impl std::fmt::Display for DraftFault {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            DraftFault::NoName => out.write_str("it has no name"),
            DraftFault::NoSteps => out.write_str("it has no steps"),
            DraftFault::TooLong { steps, claims } => write!(
                out,
                "it has {steps} steps and {claims} claims; a test has at most {MOST_STEPS} and {MOST_CLAIMS}"
            ),
            DraftFault::NotASentence { sentence } => {
                write!(
                    out,
                    "expected one sentence of at most {LONGEST_SENTENCE} characters, found `{sentence}`"
                )
            }
            DraftFault::ActsWhereItClaims { sentence } => {
                write!(
                    out,
                    "`{sentence}` is under `expected` but performs an action; only claims belong there"
                )
            }
            DraftFault::NoClaim => out.write_str("it claims nothing, so it could never fail"),
            DraftFault::OnlyDenials => {
                out.write_str("it only claims that things are absent, which is also true of an empty page")
            }
            DraftFault::Hollow { sentence } => write!(out, "`{sentence}` is true of any page"),
            DraftFault::InventedCredential { sentence, value } => write!(
                out,
                "`{sentence}` contains the credential `{value}`, which was not given; write `${{NAME}}` and list NAME under `secrets`"
            ),
            DraftFault::UnknownVariable { name } => {
                write!(out, "`${{{name}}}` is not among its `secrets` (capital letters, digits and `_`)")
            }
            DraftFault::OtherSite { address } => write!(out, "it opens {address}, which is on another site"),
            DraftFault::UnnamedFile { file } => {
                write!(out, "it uploads `{file}`, a file that was not mentioned")
            }
            DraftFault::UnknownRequirement { id } => {
                write!(out, "the requirement `{id}` is not in the document")
            }
        }
    }
}

/// Everything that is wrong with a draft.
pub fn review(draft: &Draft, sources: &Sources) -> Vec<DraftFault> {
    let mut faults = Vec::new();
    if draft.name.trim().is_empty() {
        faults.push(DraftFault::NoName);
    }
    if draft.steps.is_empty() {
        faults.push(DraftFault::NoSteps);
    }
    if draft.steps.len() > MOST_STEPS || draft.expected.len() > MOST_CLAIMS {
        faults.push(DraftFault::TooLong { steps: draft.steps.len(), claims: draft.expected.len() });
    }
    let sentences = || draft.preconditions.iter().chain(&draft.steps).chain(&draft.expected);
    for sentence in sentences().chain([&draft.name]).chain(&draft.tags) {
        if !is_a_sentence(sentence) {
            faults.push(DraftFault::NotASentence { sentence: shown(sentence) });
        }
    }
    check_variables(draft, &mut faults);
    check_claims(draft, &mut faults);
    for sentence in sentences() {
        faults.extend(invented_credential(sentence, sources));
    }
    for act in acts(draft) {
        act.visit(&mut |piece| match piece {
            Piece::Text(url, TextRole::Url) if !is_same_site(url, &sources.site) => {
                faults.push(DraftFault::OtherSite { address: url.clone() });
            }
            Piece::Text(file, TextRole::File) if !sources.said.contains(file.as_str()) => {
                faults.push(DraftFault::UnnamedFile { file: file.clone() });
            }
            _ => {}
        });
    }
    let unknown =
        draft.requirements.iter().filter(|id| id.trim().is_empty() || !sources.said.contains(id.as_str()));
    faults.extend(unknown.map(|id| DraftFault::UnknownRequirement { id: shown(id) }));
    faults
}

/// Says in the file which sentences the built-in interpreter cannot read, and which texts nobody has seen.
pub fn mark_unread(mut draft: Draft, sources: &Sources) -> Draft {
    let is_unread = |sentence: &&String| match intents(sentence) {
        None => true,
        Some(intents) => intents
            .iter()
            .any(|intent| matches!(intent, Intent::Claim(Claim { about: About::Unknown { .. }, .. }))),
    };
    let unread: Vec<String> = draft.steps.iter().chain(&draft.expected).filter(is_unread).cloned().collect();
    if !unread.is_empty() {
        draft.tags.push("needs-model".to_string());
        draft
            .remarks
            .extend(unread.iter().map(|sentence| format!("Needs a model to understand it: {sentence}")));
    }
    let known = format!("{}\n{}", sources.said, sources.seen).to_lowercase();
    for sentence in &draft.expected {
        for text in quotations(sentence).into_iter().filter(|text| !text.contains("${")) {
            if !known.contains(&text.to_lowercase()) && !draft.steps.iter().any(|step| step.contains(&text)) {
                draft
                    .remarks
                    .push(format!("Check this text, which was neither given nor seen on a page: \"{text}\""));
            }
        }
    }
    draft
}

fn shown(text: &str) -> String {
    assay_prompt::shortened(&one_line(text), 120)
}

fn is_a_sentence(sentence: &str) -> bool {
    let trimmed = sentence.trim();
    !trimmed.is_empty() && trimmed.chars().count() <= LONGEST_SENTENCE && one_line(trimmed) == trimmed
}

fn intents(sentence: &str) -> Option<Vec<Intent>> {
    read(sentence, &Hints::default()).ok()
}

fn acts(draft: &Draft) -> Vec<Act> {
    draft.steps.iter().flat_map(|step| acts_of(step)).collect()
}

fn acts_of(sentence: &str) -> Vec<Act> {
    let acts = intents(sentence).unwrap_or_default().into_iter().filter_map(|intent| match intent {
        Intent::Act(act) => Some(act),
        Intent::Claim(_) => None,
    });
    acts.collect()
}

fn check_variables(draft: &Draft, faults: &mut Vec<DraftFault>) {
    let is_name = |name: &str| {
        name.starts_with(|first: char| first.is_ascii_uppercase())
            && name
                .chars()
                .all(|letter| letter.is_ascii_uppercase() || letter.is_ascii_digit() || letter == '_')
    };
    for secret in draft.secrets.iter().filter(|secret| !is_name(secret)) {
        faults.push(DraftFault::UnknownVariable { name: shown(secret) });
    }
    let texts = draft
        .preconditions
        .iter()
        .chain(&draft.steps)
        .chain(&draft.expected)
        .chain([&draft.name])
        .chain(&draft.tags);
    for text in texts {
        for rest in text.split("${").skip(1) {
            let name = rest.split('}').next().unwrap_or_default();
            if !draft.secrets.iter().any(|secret| secret == name) {
                faults.push(DraftFault::UnknownVariable { name: shown(name) });
            }
        }
    }
}

fn check_claims(draft: &Draft, faults: &mut Vec<DraftFault>) {
    let mut can_be_red = false;
    let mut denials = 0;
    for (sentence, is_expectation) in
        draft.steps.iter().map(|step| (step, false)).chain(draft.expected.iter().map(|claim| (claim, true)))
    {
        let Some(intents) = intents(sentence) else {
            // A model will have to read it; that it claims something is known only of an expectation.
            can_be_red |= is_expectation;
            continue;
        };
        for intent in intents {
            match intent {
                Intent::Act(_) if is_expectation => {
                    faults.push(DraftFault::ActsWhereItClaims { sentence: shown(sentence) });
                }
                Intent::Act(_) => {}
                Intent::Claim(claim) if is_hollow(&claim) => {
                    faults.push(DraftFault::Hollow { sentence: shown(sentence) });
                }
                Intent::Claim(claim) if claim.negated && !claim.stays => denials += 1,
                Intent::Claim(_) => can_be_red = true,
            }
        }
    }
    match (can_be_red, denials) {
        (true, _) => {}
        (false, 0) => faults.push(DraftFault::NoClaim),
        (false, _) => faults.push(DraftFault::OnlyDenials),
    }
}

/// Whether a claim holds on any page.
fn is_hollow(claim: &Claim) -> bool {
    let says_nothing = |text: &Matcher| match text {
        Matcher::Contains(text) | Matcher::StartsWith(text) | Matcher::EndsWith(text) => {
            text.trim().is_empty()
        }
        Matcher::Pattern(pattern) => matches!(pattern.trim(), "" | ".*" | ".+" | "^.*$"),
        Matcher::Words(words) => words.is_empty(),
        Matcher::Sentence(text) => text.trim().is_empty(),
        Matcher::Equals(_)
        | Matcher::Said(_)
        | Matcher::Number(_)
        | Matcher::Amount(..)
        | Matcher::Address(_)
        | Matcher::Empty => false,
    };
    let is_every =
        |part: &str| matches!(part.trim().trim_end_matches('/'), "" | "http:" | "https:" | "http" | "https");
    let mut is_hollow = false;
    claim.about.visit(&mut |piece| {
        is_hollow |= match piece {
            Piece::Matcher(text, MatcherRole::Shown) => says_nothing(text),
            Piece::Matcher(Matcher::Contains(part) | Matcher::StartsWith(part), MatcherRole::Address) => {
                is_every(part)
            }
            Piece::Matcher(text, MatcherRole::Address) => says_nothing(text),
            Piece::Number(NumberIs::AtLeast(least)) => *least <= 0.0,
            // A message has to be there, and so has whatever is named.
            Piece::Matcher(_, MatcherRole::Message)
            | Piece::Number(_)
            | Piece::Target(..)
            | Piece::MaybeTarget(..)
            | Piece::Text(..)
            | Piece::Words(_)
            | Piece::Claim(_)
            | Piece::Act(_) => false,
        };
    });
    is_hollow
}

/// Words for fields that hold what must not be made up.
const SECRET_WORDS: &[&str] = &[
    "password",
    "passwords",
    "passphrase",
    "passcode",
    "pin",
    "otp",
    "token",
    "secret",
    "cvv",
    "cvc",
    "iban",
    "card",
    "credentials",
    "api",
    "passwort",
    "kennwort",
];
/// A value that says by itself that it is no real one, for tests in which it is refused.
const SAID_TO_BE_WRONG: &[&str] = &["wrong", "invalid", "incorrect", "false", "not", "bad", "falsch"];

fn invented_credential(sentence: &str, sources: &Sources) -> Option<DraftFault> {
    // What claims a password or has no field for it is looked at by its words.
    let values: Vec<String> = acts_of(sentence).iter().flat_map(credentials).collect();
    let has_secret_word = words(sentence).iter().any(|word| SECRET_WORDS.contains(&word.as_str()));
    let values = if values.is_empty() && has_secret_word && enters(sentence) {
        quotations(sentence).into_iter().filter(|value| !is_name_of_a_thing(value)).collect()
    } else {
        values
    };
    values
        .into_iter()
        .find(|value| !is_given(value, sources))
        .map(|value| DraftFault::InventedCredential { sentence: shown(sentence), value: shown(&value) })
}

/// What an act hands over to log in, or puts into a field for secrets.
fn credentials(act: &Act) -> Vec<String> {
    let is_for_secrets = act.targets().into_iter().any(is_for_secrets);
    let mut values = Vec::new();
    act.visit(&mut |piece| match piece {
        Piece::Text(value, TextRole::Credential) => values.push(value.clone()),
        Piece::Text(value, TextRole::Value) if is_for_secrets => values.push(value.clone()),
        _ => {}
    });
    values
}

/// Whether a sentence that nobody reads, or a precondition, hands over a value where the focus is.
fn enters(sentence: &str) -> bool {
    let Some(intents) = intents(sentence) else { return true };
    intents.iter().any(|intent| match intent {
        Intent::Act(act) => act.targets().is_empty() && has_value(act),
        Intent::Claim(_) => false,
    })
}

fn has_value(act: &Act) -> bool {
    let mut has_value = false;
    act.visit(&mut |piece| has_value |= matches!(piece, Piece::Text(_, TextRole::Value)));
    has_value
}

fn is_for_secrets(target: &Target) -> bool {
    target.kind == Some(assay_language::ElementKind::PasswordField)
        || words(&target.said).iter().any(|word| SECRET_WORDS.contains(&word.as_str()))
}

fn is_given(value: &str, sources: &Sources) -> bool {
    let is_reference = value.starts_with("${") && value.ends_with('}');
    let is_wrong_on_purpose =
        words(value).first().is_some_and(|first| SAID_TO_BE_WRONG.contains(&first.as_str()));
    value.trim().is_empty() || is_reference || is_wrong_on_purpose || sources.said.contains(value)
}

/// `"Password"` in "Enter … in the "Password" field" names the field.
fn is_name_of_a_thing(value: &str) -> bool {
    let words = words(value);
    !words.is_empty()
        && words.len() <= 4
        && words.iter().any(|word| SECRET_WORDS.contains(&word.as_str()))
        && words.iter().all(|word| word.chars().all(char::is_alphabetic))
}

/// Whether an address is of the same origin as the site.
fn is_same_site(address: &str, site: &str) -> bool {
    let origin = |address: &str| {
        let (scheme, rest) = address.split_once("://")?;
        let host = rest.split(['/', '?', '#']).next()?;
        Some((scheme.to_lowercase(), host.to_lowercase()))
    };
    match (origin(address), origin(site)) {
        (Some(one), Some(other)) => one == other,
        // "example.com/path" without a scheme.
        (None, Some((_, host))) => {
            address.split('/').next().is_some_and(|first| first.eq_ignore_ascii_case(&host))
        }
        _ => false,
    }
}

#[cfg(test)]
#[path = "review_tests.rs"]
mod tests;
