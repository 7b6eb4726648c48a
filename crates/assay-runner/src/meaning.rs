//! What a sentence would mean, in words, without a page.

use std::collections::BTreeMap;

use assay_language::{
    About, Act, Claim, Destination, Hints, Intent, Matcher, NumberIs, Ordinal, ScrollGoal, Target, Toggle,
    WaitGoal, read,
};

use crate::test_context::is_address;

/// One line an intent, or why the sentence is not understood.
pub fn meaning(sentence: &str, selectors: &BTreeMap<String, String>) -> Result<Vec<String>, String> {
    let mut hints = Hints::default();
    for (key, held) in selectors {
        if is_address(held) {
            hints.pages.insert(key.clone(), held.clone());
        } else {
            hints.elements.insert(key.clone(), Vec::new());
        }
    }
    match read(sentence, &hints) {
        Err(err) => Err(err.to_string()),
        Ok(intents) => Ok(intents
            .iter()
            .map(|intent| match intent {
                Intent::Act(act) => of_act(act),
                Intent::Claim(claim) => of_claim(claim),
            })
            .collect()),
    }
}

pub(crate) fn of_act(act: &Act) -> String {
    let on = |target: &Option<Target>| target.as_ref().map_or("what has the focus".to_string(), of_target);
    match act {
        Act::Go { to: Destination::Url(url) } => format!("go to {url}"),
        Act::Go { to: Destination::Path(path) } => format!("go to {path} of the base address"),
        Act::Go { to: Destination::Page(name) } => format!("go to the page \"{name}\""),
        Act::Go { to: Destination::Home } => "go to the base address".to_string(),
        Act::Back => "go back".to_string(),
        Act::Forward => "go forward".to_string(),
        Act::Reload => "reload".to_string(),
        Act::Click { target, how } => {
            format!("click ({}) {}", format!("{how:?}").to_lowercase(), of_target(target))
        }
        Act::Open { target } => format!("open {}", of_target(target)),
        Act::Close { target } => format!("close {}", of_target(target)),
        Act::Expand { target } => format!("expand {}", of_target(target)),
        Act::Collapse { target } => format!("collapse {}", of_target(target)),
        Act::Submit { target } => {
            format!("submit {}", target.as_ref().map_or("the form".to_string(), of_target))
        }
        Act::Enter { target, text } => format!("enter \"{text}\" into {}", on(target)),
        Act::Append { target, text } => format!("append \"{text}\" to {}", on(target)),
        Act::Clear { target } => format!("clear {}", of_target(target)),
        Act::Choose { options, from } => format!(
            "choose \"{}\"{}",
            options.join("\", \""),
            from.as_ref().map(|from| format!(" from {}", of_target(from))).unwrap_or_default()
        ),
        Act::Check { targets, to } => {
            let verb = match to {
                Toggle::On => "check",
                Toggle::Off => "uncheck",
                Toggle::Other => "toggle",
            };
            let all: Vec<String> = targets.iter().map(of_target).collect();
            format!("{verb} {}", all.join(" and "))
        }
        Act::Press { keys, target } => format!(
            "press {}{}",
            keys.join(", "),
            target.as_ref().map(|target| format!(" on {}", of_target(target))).unwrap_or_default()
        ),
        Act::Hover { target } => format!("hover over {}", of_target(target)),
        Act::Focus { target } => format!("focus {}", of_target(target)),
        Act::Drag { what, to } => format!("drag {} to {}", of_target(what), of_target(to)),
        Act::Scroll { to } => match to {
            ScrollGoal::Top => "scroll to the top".to_string(),
            ScrollGoal::Bottom => "scroll to the bottom".to_string(),
            ScrollGoal::Up => "scroll up".to_string(),
            ScrollGoal::Down => "scroll down".to_string(),
            ScrollGoal::To(target) => format!("scroll to {}", of_target(target)),
            ScrollGoal::Until(claim) => format!("scroll until {}", of_claim(claim)),
        },
        Act::Copy { target } => format!("copy from {}", on(target)),
        Act::Paste { target } => format!("paste into {}", on(target)),
        Act::Upload { files, target } => format!(
            "upload {} to {}",
            files.join(", "),
            target.as_ref().map_or("the file field".to_string(), of_target)
        ),
        Act::SwitchTab { to } => format!("switch to a tab: {to:?}"),
        Act::CloseTab => "close the tab".to_string(),
        Act::SwitchFrame { to } => {
            format!("go on in {}", to.as_ref().map_or("the page itself".to_string(), of_target))
        }
        Act::AnswerDialog { accept: true, text } => format!(
            "accept the browser's dialog{}",
            text.as_ref().map(|text| format!(" with \"{text}\"")).unwrap_or_default()
        ),
        Act::AnswerDialog { accept: false, .. } => "dismiss the browser's dialog".to_string(),
        Act::Wait { until: WaitGoal::Seconds(seconds) } => format!("wait {seconds} s"),
        Act::Wait { until: WaitGoal::Claim(claim) } => format!("wait until {}", of_claim(claim)),
        Act::Wait { until: WaitGoal::Loaded } => "wait until the page is loaded".to_string(),
        Act::LogIn { user, password } => format!(
            "log in as \"{user}\"{}",
            if password.is_some() { " with the password given" } else { "" }
        ),
        Act::LogOut => "log out".to_string(),
        Act::TakeScreenshot => "take a screenshot".to_string(),
        Act::Sequence(acts) => acts.iter().map(of_act).collect::<Vec<_>>().join(", then "),
    }
}

fn of_target(target: &Target) -> String {
    let mut parts: Vec<String> = Vec::new();
    match target.ordinal {
        Some(Ordinal::Nth(number)) => parts.push(format!("number {number} of")),
        Some(Ordinal::Last) => parts.push("the last".to_string()),
        None => {}
    }
    if let Some(state) = target.state {
        parts.push(format!("{state:?}").to_lowercase());
    }
    if let Some(kind) = target.kind {
        parts.push(spaced(&format!("{kind:?}")));
    }
    if let Some(quoted) = &target.quoted {
        parts.push(format!("\"{quoted}\""));
    }
    if !target.words.is_empty() {
        parts.push(format!("({})", target.words.join(" ")));
    }
    if let Some(text) = &target.text {
        parts.push(format!("that {}", of_matcher(text)));
    }
    for relation in &target.relations {
        parts.push(format!("{} {}", spaced(&format!("{:?}", relation.how)), of_target(&relation.to)));
    }
    parts.join(" ")
}

fn spaced(name: &str) -> String {
    let mut words = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !words.is_empty() {
            words.push(' ');
        }
        words.extend(letter.to_lowercase());
    }
    words
}

fn of_claim(claim: &Claim) -> String {
    let not = if claim.negated { "not: " } else { "" };
    let about = match &claim.about {
        About::Text { text, place } => format!(
            "the page shows a text that {}{}",
            of_matcher(text),
            place.as_ref().map(|place| format!(", in {}", of_target(place))).unwrap_or_default()
        ),
        About::Message { tone, text, topic } => {
            let tone = format!("{tone:?}").to_lowercase();
            let tone = if tone == "any" { String::new() } else { format!("{tone} ") };
            let text = text.as_ref().map(|text| format!(" that {}", of_matcher(text))).unwrap_or_default();
            let topic = if topic.is_empty() { String::new() } else { format!(" about {}", topic.join(" ")) };
            format!("the page shows a {tone}message{text}{topic}")
        }
        About::Title { text } => format!("the title {}", of_matcher(text)),
        About::Url { text } => format!("the address {}", of_matcher(text)),
        About::Page { name } => format!("the page is \"{name}\""),
        About::State { target, state } => {
            format!("{} is {}", of_target(target), spaced(&format!("{state:?}")))
        }
        About::Value { target, text } => format!("{} {}", of_target(target), of_matcher(text)),
        About::Count { target, count } => format!("there are {} of {}", of_number(count), of_target(target)),
        About::Cell { row, column, text } => {
            format!("in the row of {}, the column \"{column}\" {}", of_target(row), of_matcher(text))
        }
        About::Sorted { by, order, .. } => format!(
            "sorted {}{}",
            by.as_ref().map(|by| format!("by {by}, ")).unwrap_or_default(),
            format!("{order:?}").to_lowercase()
        ),
        About::Before { first, second } => format!("{} comes before {}", of_target(first), of_target(second)),
        About::Chosen { target, options } => {
            format!("of {} are chosen: {}", of_target(target), options.join(", "))
        }
        About::BrowserDialog { text } => format!(
            "a dialog of the browser is open{}",
            text.as_ref().map(|text| format!(" that {}", of_matcher(text))).unwrap_or_default()
        ),
        About::Unknown { why } => return format!("cannot be judged: {why}"),
    };
    format!("claim: {not}{about}")
}

fn of_matcher(matcher: &Matcher) -> String {
    match matcher {
        Matcher::Contains(text) => format!("contains \"{text}\""),
        Matcher::Equals(text) => format!("is \"{text}\""),
        Matcher::StartsWith(text) => format!("starts with \"{text}\""),
        Matcher::EndsWith(text) => format!("ends with \"{text}\""),
        Matcher::Pattern(pattern) => format!("matches /{pattern}/"),
        Matcher::Number(number) => format!("is the number {}", of_number(number)),
        Matcher::Empty => "is empty".to_string(),
        Matcher::Words(words) => format!("has the words {}", words.join(" ")),
    }
}

fn of_number(number: &NumberIs) -> String {
    match number {
        NumberIs::Exactly(number) => format!("{number}"),
        NumberIs::AtLeast(number) => format!("at least {number}"),
        NumberIs::AtMost(number) => format!("at most {number}"),
        NumberIs::MoreThan(number) => format!("more than {number}"),
        NumberIs::LessThan(number) => format!("less than {number}"),
        NumberIs::Between(low, high) => format!("{low} to {high}"),
        NumberIs::AtLeastOne => "at least one".to_string(),
    }
}
