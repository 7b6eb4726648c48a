//! Answers as people and agents read them, under a token budget.

mod effect;
mod map;

use assay_protocol::{Answer, Effect, ElementLine, for_terminal, json_for_terminal};

/// The text of an answer, safe for a terminal, and its exit code: 1 when the answer is "no".
pub fn render_answer(answer: &Answer, budget: Option<usize>) -> (String, u8) {
    let text = match answer {
        Answer::Effect(shown) => effect::render(shown, budget.unwrap_or(effect::DEFAULT_BUDGET)),
        Answer::Scene(scene) => {
            json_for_terminal(&serde_json::to_string(scene).unwrap_or_default()).into_owned()
        }
        Answer::Map(shown) => fit_lines(map::render(shown), budget, "assay map SELECTOR maps a part"),
        Answer::Changes { changes } => effect::render_changes(changes, budget),
        Answer::Page(page) => effect::page_line(page),
        Answer::Text { text } => fit_text(text, budget),
        Answer::Texts { texts } => fit_lines(texts.iter().map(|text| one_line(text)).collect(), budget, ""),
        Answer::Value { value } => value.clone().unwrap_or_default(),
        Answer::Count { count } => count.to_string(),
        Answer::Is { holds, .. } => holds.to_string(),
        Answer::File { path, .. } => path.clone(),
        Answer::Json { value } => match value {
            serde_json::Value::String(text) => fit_text(text, budget),
            other => fit_text(&json_for_terminal(&other.to_string()), budget),
        },
        Answer::Elements { elements, total } => {
            let mut lines: Vec<String> = elements.iter().map(element_line).collect();
            if *total > elements.len() {
                lines.push(format!("… {} more", total - elements.len()));
            }
            fit_lines(lines, budget, "")
        }
        Answer::At { elements, tag, text } => {
            let mut lines: Vec<String> = elements.iter().map(element_line).collect();
            if lines.is_empty() && !tag.is_empty() {
                lines.push(format!("{tag} {}", one_line(text)).trim_end().to_string());
            }
            fit_lines(lines, budget, "")
        }
        Answer::Tabs { tabs } => {
            let line = |tab: &assay_protocol::TabLine| {
                format!("{}{} {} · {}", if tab.current { "*" } else { " " }, tab.tab, tab.title, tab.url)
            };
            tabs.iter().map(line).collect::<Vec<_>>().join("\n")
        }
        Answer::Frames { frames } => {
            let line = |frame: &assay_protocol::FrameLine| {
                let name = if frame.name.is_empty() { String::new() } else { format!("{} · ", frame.name) };
                format!("{}{} {name}{}", "  ".repeat(frame.depth as usize), frame.frame, frame.url)
            };
            frames.iter().map(line).collect::<Vec<_>>().join("\n")
        }
        Answer::Cookies { cookies } => {
            let line = |cookie: &assay_protocol::CookieInfo| {
                format!("{}={} {}{}", cookie.name, cookie.value, cookie.domain, cookie.path)
            };
            fit_lines(cookies.iter().map(line).collect(), budget, "")
        }
        Answer::Dialog { open } => match open {
            Some(dialog) => effect::dialog_line(dialog),
            None => "no dialog is open".to_string(),
        },
        Answer::Console { lines } => {
            let line = |line: &assay_protocol::ConsoleLine| {
                let place = line.place.as_ref().map(|place| format!(" ({place})")).unwrap_or_default();
                format!("{}: {}{place}", line.level, one_line(&line.text))
            };
            fit_newest(lines.iter().map(line).collect(), budget)
        }
        Answer::Network { requests } => {
            let line = |line: &assay_protocol::NetworkLine| {
                // What a data address holds is no address.
                let shown = match line.url.split_once(',') {
                    Some((kind, _)) if kind.starts_with("data:") => format!("{kind},…"),
                    _ => line.url.clone(),
                };
                format!("{} {} {shown}", line.outcome, line.method)
            };
            fit_newest(requests.iter().map(line).collect(), budget)
        }
        // The caller named the element, so no output is enough to say that it exists.
        Answer::Waited { .. } => String::new(),
        Answer::Loaded { still_busy } => {
            fit_lines(still_busy.iter().map(|busy| effect::busy_line(busy)).collect(), budget, "")
        }
        Answer::Done { summary } => summary.clone(),
    };
    let exit = u8::from(matches!(answer, Answer::Is { holds: false, .. }));
    (for_terminal(&text).into_owned(), exit)
}

/// An effect within the budget of an ordinary answer.
pub(crate) fn render_effect(shown: &Effect) -> String {
    effect::render(shown, effect::DEFAULT_BUDGET)
}

/// `e3 button "Log in" disabled`
pub(crate) fn element_line(element: &ElementLine) -> String {
    let mut line = format!("{} {}", element.reference, element.role);
    if !element.name.is_empty() {
        line.push_str(&format!(" \"{}\"", element.name));
    }
    if let Some(value) = element.value.as_deref().filter(|value| !value.is_empty()) {
        line.push_str(&format!(" = \"{}\"", one_line(value)));
    }
    for state in &element.states {
        line.push(' ');
        line.push_str(state);
    }
    line
}

pub(crate) fn one_line(text: &str) -> String {
    if text.contains(['\n', '\r']) { assay_protocol::in_one_line(text) } else { text.to_string() }
}

/// Whole lines up to the budget, and the number of omitted lines.
fn fit_lines(lines: Vec<String>, budget: Option<usize>, advice: &str) -> String {
    let whole = lines.join("\n");
    let Some(budget) = budget else { return whole };
    if assay_tokens::fits(&whole, budget) {
        return whole;
    }
    let tail = |left: usize| {
        if advice.is_empty() {
            format!("… {left} more lines")
        } else {
            format!("… {left} more lines; {advice}")
        }
    };
    let mut kept = Vec::new();
    let mut used = assay_tokens::count(&tail(lines.len()));
    for line in &lines {
        used += assay_tokens::count(line) + 1;
        if used > budget {
            break;
        }
        kept.push(line.clone());
    }
    kept.push(tail(lines.len() - kept.len()));
    kept.join("\n")
}

/// Logs are cut at their beginning: the latest lines matter most.
fn fit_newest(mut lines: Vec<String>, budget: Option<usize>) -> String {
    let Some(budget) = budget else { return lines.join("\n") };
    if assay_tokens::fits(&lines.join("\n"), budget) {
        return lines.join("\n");
    }
    let total = lines.len();
    let mut kept = Vec::new();
    let mut used = 8;
    while let Some(line) = lines.pop() {
        used += assay_tokens::count(&line) + 1;
        if used > budget {
            break;
        }
        kept.push(line);
    }
    kept.push(format!("… {} earlier lines", total - kept.len()));
    kept.reverse();
    kept.join("\n")
}

/// Text up to the budget, cut at a line or a word.
fn fit_text(text: &str, budget: Option<usize>) -> String {
    let Some(budget) = budget else { return text.to_string() };
    if assay_tokens::fits(text, budget) {
        return text.to_string();
    }
    let whole = assay_tokens::count(text);
    let room = budget.saturating_sub(8);
    let (mut low, mut high) = (0, text.chars().count());
    while low < high {
        let middle = (low + high).div_ceil(2);
        let part: String = text.chars().take(middle).collect();
        if assay_tokens::fits(&part, room) { low = middle } else { high = middle - 1 }
    }
    let part: String = text.chars().take(low).collect();
    let end = part.rfind(char::is_whitespace).unwrap_or(part.len());
    let kept = part[..end].trim_end();
    format!("{kept}\n… {} more tokens", whole.saturating_sub(assay_tokens::count(kept)))
}
