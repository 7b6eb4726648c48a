//! Verbs that say that something is so.

use super::inflection::{Inflection, form_of};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ClaimVerb {
    Be,
    Have,
    Contain,
    Show,
    Equal,
    Read,
    Say,
    Start,
    End,
    Match,
    Appear,
    Exist,
    Disappear,
    Load,
    Open,
    Close,
    Come,
    /// "redirects to", "lands on".
    Lead,
    See,
    Exceed,
    /// "works", "looks", "behaves": an opinion.
    Opine,
    /// "belongs to", "weighs": a field of a record.
    Attribute,
    /// "changes": from what to what is not said.
    Change,
}

/// (base form, what it says, whether the base form is as often a noun or the name of a button)
const CLAIM_VERBS: &[(&str, ClaimVerb, bool)] = &[
    ("contain", ClaimVerb::Contain, false),
    ("include", ClaimVerb::Contain, false),
    ("hold", ClaimVerb::Contain, true),
    ("show", ClaimVerb::Show, true),
    ("display", ClaimVerb::Show, true),
    ("list", ClaimVerb::Show, true),
    ("present", ClaimVerb::Show, true),
    ("equal", ClaimVerb::Equal, false),
    ("read", ClaimVerb::Read, true),
    ("say", ClaimVerb::Say, false),
    ("mention", ClaimVerb::Say, true),
    ("state", ClaimVerb::Say, true),
    ("ask", ClaimVerb::Say, true),
    ("start", ClaimVerb::Start, true),
    ("begin", ClaimVerb::Start, false),
    ("end", ClaimVerb::End, true),
    ("match", ClaimVerb::Match, true),
    ("appear", ClaimVerb::Appear, false),
    ("pop", ClaimVerb::Appear, true),
    ("exist", ClaimVerb::Exist, false),
    ("disappear", ClaimVerb::Disappear, false),
    ("vanish", ClaimVerb::Disappear, false),
    ("load", ClaimVerb::Load, true),
    ("open", ClaimVerb::Open, true),
    ("close", ClaimVerb::Close, true),
    ("come", ClaimVerb::Come, false),
    ("precede", ClaimVerb::Come, false),
    ("redirect", ClaimVerb::Lead, true),
    ("land", ClaimVerb::Lead, true),
    ("arrive", ClaimVerb::Lead, false),
    ("navigate", ClaimVerb::Lead, true),
    ("lead", ClaimVerb::Lead, true),
    ("go", ClaimVerb::Lead, true),
    ("return", ClaimVerb::Lead, true),
    ("reach", ClaimVerb::Lead, true),
    ("see", ClaimVerb::See, true),
    ("find", ClaimVerb::See, true),
    ("view", ClaimVerb::See, true),
    ("notice", ClaimVerb::See, true),
    ("receive", ClaimVerb::See, true),
    ("get", ClaimVerb::See, true),
    ("exceed", ClaimVerb::Exceed, false),
    ("work", ClaimVerb::Opine, true),
    ("look", ClaimVerb::Opine, true),
    ("behave", ClaimVerb::Opine, false),
    ("function", ClaimVerb::Opine, true),
    ("perform", ClaimVerb::Opine, true),
    ("respond", ClaimVerb::Opine, false),
    ("fit", ClaimVerb::Opine, true),
    ("feel", ClaimVerb::Opine, true),
    ("seem", ClaimVerb::Opine, false),
    ("change", ClaimVerb::Change, true),
    ("update", ClaimVerb::Change, true),
    ("increase", ClaimVerb::Change, true),
    ("decrease", ClaimVerb::Change, true),
    ("belong", ClaimVerb::Attribute, false),
    ("weigh", ClaimVerb::Attribute, false),
    ("cost", ClaimVerb::Attribute, true),
    ("fail", ClaimVerb::Opine, true),
    ("succeed", ClaimVerb::Opine, false),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FoundClaimVerb {
    pub verb: ClaimVerb,
    pub form: Inflection,
    /// In this form it is as often something else.
    pub doubtful: bool,
}

pub(crate) fn claim_verb(word: &str) -> Option<FoundClaimVerb> {
    if matches!(word, "has" | "have" | "having" | "had") {
        let form = if word == "have" { Inflection::Base } else { Inflection::Third };
        return Some(FoundClaimVerb { verb: ClaimVerb::Have, form, doubtful: false });
    }
    CLAIM_VERBS.iter().find_map(|(base, verb, is_noun)| {
        let form = form_of(word, base)?;
        Some(FoundClaimVerb { verb: *verb, form, doubtful: *is_noun && form == Inflection::Base })
    })
}

/// Forms of "to be" and helping verbs, with whether they deny.
const HELPERS: &[(&str, bool)] = &[
    ("is", false),
    ("are", false),
    ("am", false),
    ("was", false),
    ("were", false),
    ("isn't", true),
    ("isnt", true),
    ("aren't", true),
    ("wasn't", true),
    ("weren't", true),
    ("ain't", true),
    ("should", false),
    ("shouldn't", true),
    ("must", false),
    ("mustn't", true),
    ("will", false),
    ("won't", true),
    ("shall", false),
    ("would", false),
    ("can", false),
    ("cannot", true),
    ("can't", true),
    ("could", false),
    ("couldn't", true),
    ("does", false),
    ("doesn't", true),
    ("do", false),
    ("don't", true),
    ("did", false),
    ("didn't", true),
    ("hasn't", true),
    ("haven't", true),
    ("may", false),
    ("remains", false),
    ("remain", false),
    ("stays", false),
    ("stay", false),
    ("becomes", false),
    ("become", false),
    ("keeps", false),
    ("keep", false),
];

/// Whether a word is a helping verb, and whether it denies.
pub(crate) fn helper(word: &str) -> Option<bool> {
    HELPERS.iter().find(|(name, _)| *name == word).map(|(_, denies)| *denies)
}

/// Forms of "to be" and what stands for it.
pub(crate) fn is_being(word: &str) -> bool {
    const BEING: &[&str] = &[
        "is", "are", "am", "was", "were", "isn't", "isnt", "aren't", "wasn't", "weren't", "ain't", "be",
        "been", "being", "becomes", "become", "remains", "remain", "stays", "stay", "got", "gets", "keeps",
        "keep",
    ];
    BEING.contains(&word)
}
