//! Sentences whose words leave open which thing is meant, or what should be true of it: "another card", "those entries",
//! "the mobile view". Their readings would be about any such thing.

use crate::{About, Act, Claim, Destination, ElementKind, Intent, StateWord, Target};

use super::lexicon::nouns;
use super::phrase::Phrase;

/// Makes such claims unknown; for an act the words that leave it open.
pub(crate) fn refuse(sentence: Phrase<'_>, intents: &mut [Intent]) -> Option<String> {
    for intent in intents {
        match intent {
            Intent::Act(act) => {
                if let Some(words) = vague_act(sentence, act) {
                    return Some(words.to_string());
                }
            }
            Intent::Claim(claim) => {
                if let Some(why) = vague_claim(sentence, claim) {
                    claim.negated = false;
                    claim.about = About::Unknown { why: why.to_string() };
                }
            }
        }
    }
    None
}

fn vague_act(sentence: Phrase<'_>, act: &Act) -> Option<&'static str> {
    let targets = act.targets();
    let is_unquoted = targets.iter().all(|target| target.quoted.is_none());
    match act {
        // The browser's own buttons are no part of the page.
        Act::Click { target, .. } if in_browser(sentence) && !is_unquoted && names_history(target) => {
            Some("browser")
        }
        Act::Go { to: Destination::Page(name) } => {
            let first = name.split(' ').next().unwrap_or_default();
            let at = sentence.find(&[first]).filter(|at| *at > 0)?;
            sentence.get(at - 1).filter(|before| before.is("that")).map(|_| "that")
        }
        Act::Click { target, .. } | Act::Open { target } if is_unquoted => {
            if target.said.to_lowercase().starts_with("another ") {
                return Some("another");
            }
            let is_any = |verb: &str| {
                let at = sentence.find(&[verb])?;
                let article = sentence.get(at + 1)?;
                let says_it = target.said.to_lowercase().starts_with(&format!("{} ", article.low));
                (article.is_any(&["a", "an"]) && says_it && target.is_nameless()).then_some("a")
            };
            // "Open link settings": the settings of a link, or a link called so.
            let is_settings = target.kind == Some(ElementKind::Link)
                && target.said.starts_with("link ")
                && target.said == target.said.to_lowercase();
            let opens = matches!(act, Act::Open { .. }) && is_settings;
            opens.then_some("link").or_else(|| ["choose", "select", "pick"].into_iter().find_map(is_any))
        }
        // Fields of other sorts stand between the text areas.
        Act::Enter { target: Some(target), .. } if target.ordinal.is_some() && sentence.has("textarea") => {
            Some("textarea")
        }
        _ => None,
    }
}

/// "In the browser", and not "in the file browser".
fn in_browser(sentence: Phrase<'_>) -> bool {
    let plain = ["the", "your", "my", "a", "web"];
    sentence.find(&["browser"]).is_some_and(|at| at > 0 && sentence.tokens[at - 1].is_any(&plain))
}

fn names_history(target: &Target) -> bool {
    const BUTTONS: &[&str] = &["back", "forward", "refresh"];
    target.quoted.as_ref().is_some_and(|name| BUTTONS.contains(&name.to_lowercase().as_str()))
}

fn vague_claim(sentence: Phrase<'_>, claim: &Claim) -> Option<&'static str> {
    let said = claim.said.to_lowercase();
    if said.starts_with("make ") && !said.starts_with("make sure") && !said.starts_with("make certain") {
        return Some("it says what to do, not what should be true");
    }
    match &claim.about {
        About::Page { name } if says_view(sentence, name) => {
            Some("a view may be a page or a way to show one; say what the page shows then")
        }
        About::Count { target, .. } if target.words == ["dot"] && target.kind == Some(ElementKind::Menu) => {
            Some("three dots are an icon and no number of things; write the \"…\" button")
        }
        About::State { target, state } => vague_state(sentence, claim, target, *state),
        _ => None,
    }
}

fn vague_state(
    sentence: Phrase<'_>,
    claim: &Claim,
    target: &Target,
    state: StateWord,
) -> Option<&'static str> {
    if counts_in_quotes(sentence) {
        return Some("write the number without quotation marks to have things counted");
    }
    let is_described = target.quoted.is_none() && target.relations.iter().all(|one| one.to.quoted.is_none());
    let said = target.said.to_lowercase();
    if !is_described {
        return None;
    }
    let claimed = claim.said.to_lowercase();
    let says = |word: &str| claimed.split(|letter: char| !letter.is_alphanumeric()).any(|own| own == word);
    if says("another") && !target.words.contains(&"another".to_string()) {
        return Some("`another` leaves open which one is meant");
    }
    if claim.negated && (said.starts_with("those ") || said.starts_with("these ")) {
        return Some("it is not clear which ones are meant; name one of them");
    }
    if state == StateWord::Selected && target.kind == Some(ElementKind::Button) && says("active") {
        return Some("an active button may be enabled or pressed; say which");
    }
    let is_kept = says("not") && (says("deleted") || says("removed"));
    if is_kept && !claim.negated && state == StateWord::Visible {
        return Some("it is not clear which one is meant; name it");
    }
    let leads_to_page =
        target.kind == Some(ElementKind::Link) && said.contains("link to my ") && said.ends_with(" page");
    leads_to_page.then_some("the link's name is not given")
}

/// `"2" rows`: how many, or rows with that name.
fn counts_in_quotes(sentence: Phrase<'_>) -> bool {
    const THINGS: &[&str] = &["elements", "items", "rows", "results", "entries", "records"];
    sentence.tokens.windows(2).any(|pair| {
        pair[0].is_quoted()
            && pair[0].text.chars().all(|digit| digit.is_ascii_digit())
            && pair[1].is_any(THINGS)
    })
}

/// "The mobile view", not `the "Board" view`.
fn says_view(sentence: Phrase<'_>, name: &str) -> bool {
    let last = name.split(' ').next_back().unwrap_or_default().to_lowercase();
    let is_view =
        |at: usize| sentence.get(at + 1).is_some_and(|next| next.is_any(&["view", "mode", "layout"]));
    let is_kind = nouns::noun(&[last.as_str()]).is_some();
    !is_kind && sentence.find(&[last.as_str()]).is_some_and(is_view)
}
