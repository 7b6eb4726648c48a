//! Intents on one line, as the table of sentences writes them.
//!
//! A target is its ordinal (`#2`), state (`:disabled`), words, `"quoted name"`, `<kind>` and relations (`in(…)`).
//! A text must be `="equal"`, `~"contained"`, `^"at the beginning"`, `$"at the end"`, `/a pattern/`, `{all words}` or
//! a number (`=3`, `>=3`, `2..5`).

use assay_language::{
    About, Act, ChangeIs, Claim, ClickKind, Destination, EachIs, Intent, Matcher, Nearness, NumberIs,
    Ordinal, ScrollGoal, SortOrder, TabChoice, Target, Toggle, Tone, WaitGoal,
};
use assay_protocol::{Action, DropSide};

pub fn intents(all: &[Intent]) -> String {
    all.iter().map(intent).collect::<Vec<_>>().join(" ;; ")
}

fn intent(intent: &Intent) -> String {
    match intent {
        Intent::Act(one) => act(one),
        Intent::Claim(one) => claim(one),
    }
}

fn act(act: &Act) -> String {
    let and = |targets: &[Target]| targets.iter().map(target).collect::<Vec<_>>().join(" & ");
    match act {
        Act::Go { to: Destination::Url(url) } => format!("go url {url}"),
        Act::Go { to: Destination::Path(path) } => format!("go path {path}"),
        Act::Go { to: Destination::Page(name) } => format!("go page {name}"),
        Act::Go { to: Destination::Home } => "go home".to_string(),
        Act::Back => "back".to_string(),
        Act::Forward => "forward".to_string(),
        Act::Reload => "reload".to_string(),
        Act::Click { target: on, how } => {
            let verb = match how {
                ClickKind::Single => "click",
                ClickKind::Double => "double-click",
                ClickKind::Right => "right-click",
                ClickKind::Middle => "middle-click",
            };
            format!("{verb} {}", target(on))
        }
        Act::Open { target: on } => format!("open {}", target(on)),
        Act::Close { target: on } => format!("close {}", target(on)),
        Act::Expand { target: on } => format!("expand {}", target(on)),
        Act::Collapse { target: on } => format!("collapse {}", target(on)),
        Act::Submit { target: on } => format!("submit{}", maybe(" ", on)),
        Act::Enter { target: on, text } => format!("enter{} = {text}", maybe(" ", on)),
        Act::Append { target: on, text } => format!("append{} = {text}", maybe(" ", on)),
        Act::Clear { target: on } => format!("clear {}", target(on)),
        Act::Choose { options, from } => format!("choose {}{}", options.join(" | "), maybe(" from ", from)),
        Act::Check { targets, to } => {
            let to = match to {
                Toggle::On => "check",
                Toggle::Off => "uncheck",
                Toggle::Other => "toggle",
            };
            format!("{to} {}", and(targets))
        }
        Act::Press { keys, target: on } => format!("press {}{}", keys.join(" "), maybe(" in ", on)),
        Act::Hover { target: on } => format!("hover {}", target(on)),
        Act::Focus { target: on } => format!("focus {}", target(on)),
        Act::Drag { what, to, side } => {
            let side = match side {
                DropSide::On => "to",
                DropSide::Above => "above",
                DropSide::Below => "below",
            };
            format!("drag {} {side} {}", target(what), target(to))
        }
        Act::Sort { by, order, .. } => format!("sort by {by} {}", format!("{order:?}").to_lowercase()),
        Act::Perform(performance) => performance.meaning(),
        Act::Scroll { to } => match to {
            ScrollGoal::Top => "scroll top".to_string(),
            ScrollGoal::Bottom => "scroll bottom".to_string(),
            ScrollGoal::Up => "scroll up".to_string(),
            ScrollGoal::Down => "scroll down".to_string(),
            ScrollGoal::To(to) => format!("scroll to {}", target(to)),
            ScrollGoal::Until(until) => format!("scroll until {}", claim(until)),
        },
        Act::Copy { target: on } => format!("copy{}", maybe(" ", on)),
        Act::Paste { target: on } => format!("paste{}", maybe(" ", on)),
        Act::Upload { files, target: on } => format!("upload {}{}", files.join(" | "), maybe(" to ", on)),
        Act::SwitchTab { to } => match to {
            TabChoice::Number(number) => format!("tab {number}"),
            TabChoice::New => "tab new".to_string(),
            TabChoice::First => "tab first".to_string(),
            TabChoice::Last => "tab last".to_string(),
            TabChoice::Next => "tab next".to_string(),
            TabChoice::Previous => "tab previous".to_string(),
            TabChoice::Named(name) => format!("tab named {name}"),
        },
        Act::CloseTab => "close-tab".to_string(),
        Act::SwitchFrame { to: Some(to) } => format!("frame {}", target(to)),
        Act::SwitchFrame { to: None } => "frame main".to_string(),
        Act::AnswerDialog { accept, text } => {
            let verb = if *accept { "accept" } else { "dismiss" };
            let text = text.as_ref().map(|text| format!(" with {text}")).unwrap_or_default();
            format!("{verb}{text}")
        }
        Act::Wait { until: WaitGoal::Seconds(seconds) } => format!("wait {seconds}s"),
        Act::Wait { until: WaitGoal::Claim(until) } => format!("wait until {}", claim(until)),
        Act::Wait { until: WaitGoal::Loaded } => "wait loaded".to_string(),
        Act::LogIn { user, password } => {
            let password = password.as_ref().map(|password| format!(" / {password}")).unwrap_or_default();
            format!("login {user}{password}")
        }
        Act::LogOut => "logout".to_string(),
        Act::TakeScreenshot => "screenshot".to_string(),
        Act::Emulate { change, .. } => Action::Emulate { change: change.clone() }.command_line(),
        Act::Route { pattern, method, reply, .. } => {
            let (pattern, method, reply) = (pattern.clone(), method.clone(), reply.clone());
            Action::Route { pattern, method, reply }.command_line()
        }
        Act::Unroute { pattern, .. } => Action::Unroute { pattern: pattern.clone() }.command_line(),
        Act::Sequence(acts) => acts.iter().map(self::act).collect::<Vec<_>>().join(", then "),
    }
}

fn maybe(before: &str, on: &Option<Target>) -> String {
    on.as_ref().map(|on| format!("{before}{}", target(on))).unwrap_or_default()
}

fn target(on: &Target) -> String {
    let mut parts = Vec::new();
    match on.ordinal {
        Some(Ordinal::Nth(number)) => parts.push(format!("#{number}")),
        Some(Ordinal::Last) => parts.push("#last".to_string()),
        None => {}
    }
    parts.extend(on.among.map(|among| format!("of{among}")));
    parts.extend(on.state.map(|state| format!(":{}", format!("{state:?}").to_lowercase())));
    parts.extend(on.words.iter().cloned());
    parts.extend(on.quoted.as_ref().map(|quoted| format!("\"{quoted}\"")));
    parts.extend(on.kind.map(|kind| format!("<{}>", format!("{kind:?}").to_lowercase())));
    parts.extend(on.text.as_ref().map(matcher));
    for relation in &on.relations {
        let how = match relation.how {
            Nearness::NextTo => "next-to",
            Nearness::SameRow => "row",
            Nearness::Under => "under",
            Nearness::Above => "above",
            Nearness::LeftOf => "left-of",
            Nearness::RightOf => "right-of",
            Nearness::Inside => "in",
            Nearness::For => "for",
            Nearness::Containing => "with",
            Nearness::Between => "between",
            Nearness::After => "after",
            Nearness::Before => "before",
        };
        parts.push(format!("{how}({})", target(&relation.to)));
    }
    parts.join(" ")
}

fn claim(claim: &Claim) -> String {
    let not = if claim.negated { "not " } else { "" };
    let still = if claim.stays { "still " } else { "" };
    format!("{still}{not}{}", about(&claim.about))
}

fn about(about: &About) -> String {
    match about {
        About::Text { text, place } => format!("text {}{}", matcher(text), maybe(" in ", place)),
        About::Message { tone, text, topic } => {
            let tone = match tone {
                Tone::Any => "message",
                Tone::Error => "error",
                Tone::Success => "success",
                Tone::Warning => "warning",
            };
            let text = text.as_ref().map(|text| format!(" {}", matcher(text))).unwrap_or_default();
            let topic = if topic.is_empty() { String::new() } else { format!(" about {}", topic.join(" ")) };
            format!("{tone}{text}{topic}")
        }
        About::Title { text } => format!("title {}", matcher(text)),
        About::Url { text } => format!("url {}", matcher(text)),
        About::Page { name } => format!("page {name}"),
        About::State { target: on, state } => {
            format!("{} is {}", target(on), format!("{state:?}").to_lowercase())
        }
        About::Value { target: on, text } => format!("{} says {}", target(on), matcher(text)),
        About::Count { target: on, count } => format!("count {} {}", target(on), number(*count)),
        About::Marked { target: marked, word } => format!("{} marked {word}", target(marked)),
        About::Cell { row, column, text } => format!("cell {column} of {} {}", target(row), matcher(text)),
        About::Sorted { of, by, order } => {
            let order = match order {
                SortOrder::Ascending => "ascending",
                SortOrder::Descending => "descending",
            };
            let by = by.as_ref().map(|by| format!(" by {by}")).unwrap_or_default();
            format!("sorted{}{by} {order}", maybe(" ", of))
        }
        About::Before { first, second } => format!("{} before {}", target(first), target(second)),
        About::Each { of, is, among, outright } => {
            let is = match is {
                EachIs::Text(text) => format!("says {}", matcher(text)),
                EachIs::State(state) => format!("is {}", format!("{state:?}").to_lowercase()),
            };
            let among = among.map(|number| format!(" {number}")).unwrap_or_default();
            format!("each{}{among} of {} {is}", if *outright { "" } else { "?" }, target(of))
        }
        About::Only { place, texts } => format!("only {}{}", texts.join(" | "), maybe(" in ", place)),
        About::InOrder { place, texts } => format!("in order {}{}", texts.join(" | "), maybe(" in ", place)),
        About::Times { text, place, count } => {
            format!("times \"{text}\" {}{}", number(*count), maybe(" in ", place))
        }
        About::Chosen { target: on, options } => format!("chosen {} in {}", options.join(" | "), target(on)),
        About::Changed { target: on, how } => {
            let how = match how {
                ChangeIs::Different => "otherwise".to_string(),
                ChangeIs::By(number) => format!("by {number}"),
                ChangeIs::FromTo(from, to) => format!("from {} to {}", matcher(from), matcher(to)),
                ChangeIs::More => "more".to_string(),
                ChangeIs::Less => "less".to_string(),
            };
            format!("{} changes {how}", target(on))
        }
        About::LoggedIn => "logged in".to_string(),
        About::NewTab => "new tab".to_string(),
        About::Download { name } => format!("download {}", name.as_deref().unwrap_or_default()),
        About::BrowserDialog { text } => {
            let text = text.as_ref().map(|text| format!(" {}", matcher(text))).unwrap_or_default();
            format!("browser-dialog{text}")
        }
        About::Unknown { .. } => "unknown".to_string(),
    }
}

fn matcher(matcher: &Matcher) -> String {
    match matcher {
        Matcher::Sentence(text) => format!("says({text})"),
        Matcher::Contains(text) => format!("~\"{text}\""),
        Matcher::Equals(text) | Matcher::Said(text) => format!("=\"{text}\""),
        Matcher::StartsWith(text) => format!("^\"{text}\""),
        Matcher::EndsWith(text) => format!("$\"{text}\""),
        Matcher::Pattern(pattern) => format!("/{pattern}/"),
        Matcher::Number(is) => number(*is),
        Matcher::Amount(is, unit) => format!("{} {unit}", number(*is)),
        Matcher::Address(address) => format!("at \"{address}\""),
        Matcher::Empty => "=\"\"".to_string(),
        Matcher::Words(words) => format!("{{{}}}", words.join(" ")),
    }
}

fn number(is: NumberIs) -> String {
    match is {
        NumberIs::Exactly(number) => format!("={number}"),
        NumberIs::AtLeast(number) => format!(">={number}"),
        NumberIs::AtMost(number) => format!("<={number}"),
        NumberIs::MoreThan(number) => format!(">{number}"),
        NumberIs::LessThan(number) => format!("<{number}"),
        NumberIs::Between(low, high) => format!("{low}..{high}"),
        NumberIs::AtLeastOne => ">=some".to_string(),
    }
}
