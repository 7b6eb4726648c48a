//! An effect as short text. The most important changes come first, and the rest is counted, so no change
//! disappears silently.

use assay_protocol::{BrowserDialog, Change, ChangeKind, Effect, PageLine};

use super::{element_line, one_line};

/// Most tokens of an act's answer when nothing else was asked.
pub(crate) const DEFAULT_BUDGET: usize = 120;

pub(crate) fn render(effect: &Effect, budget: usize) -> String {
    let mut lines: Vec<Line> = Vec::new();
    // The lines that the caller must not miss use the budget first.
    if let Some(did) = &effect.did {
        let mut element = did.element.clone();
        element.name = cut(&element.name, 80);
        lines.push(Line::needed(format!("{} {}", did.verb, element_line(&element))));
    }
    if let Some(page) = &effect.page {
        lines.push(Line::needed(match &effect.from {
            Some(before) => format!("→ {}", titled(page, page.address_from(before))),
            None => titled(page, &page.url),
        }));
    }
    if let Some(dialog) = &effect.dialog {
        lines.push(Line::needed(format!("dialog {}; assay dialog accept|dismiss", dialog_line(dialog))));
    }
    for tab in &effect.tabs {
        let address = short_address(&tab.url);
        lines.push(Line::useful(format!("new tab {} {} · {address}", tab.tab, cut(&tab.title, TITLE))));
    }
    for download in &effect.downloads {
        lines.push(Line::useful(match &download.path {
            Some(path) => format!("downloaded {path}"),
            None => format!("download of {} {}", download.name, download.state),
        }));
    }
    let (said, mut rest): (Vec<&Change>, Vec<&Change>) =
        ranked(&effect.changes).into_iter().partition(|change| rank(change) <= MESSAGE);
    lines.extend(said.into_iter().map(|change| Line::needed(change_line(change))));
    lines.extend(effect.blocked.iter().map(|blocked| Line::useful(blocked.to_string())));
    lines.extend(effect.notes.iter().cloned().map(Line::useful));
    let mut ends: Vec<String> = Vec::new();
    for failed in &effect.failed_requests {
        ends.push(format!("! {} {} {}", failed.method, short_address(&path_of(&failed.url)), failed.why));
    }
    for error in &effect.console_errors {
        ends.push(format!("! {}", cut(&one_line(error), 160)));
    }
    for busy in &effect.still_busy {
        ends.push(busy_line(busy));
    }
    fold_repeats(&mut ends);
    // The first changes, then what went wrong, then the other changes: each kind gets a place.
    const FIRST: usize = 3;
    let later = rest.split_off(rest.len().min(FIRST));
    lines.extend(rest.into_iter().map(|change| Line::useful(change_line(change))));
    lines.extend(ends.into_iter().map(Line::useful));
    lines.extend(later.into_iter().map(|change| Line::useful(change_line(change))));
    cut_to_budget(lines, budget)
}

/// A line of an answer.
struct Line {
    text: String,
    /// If it does not fit, it is cut, and not left out.
    is_needed: bool,
}

impl Line {
    fn needed(text: String) -> Line {
        Line { text, is_needed: true }
    }

    fn useful(text: String) -> Line {
        Line { text, is_needed: false }
    }
}

pub(crate) fn busy_line(busy: &str) -> String {
    format!("… still busy: {}", short_address(&path_of(busy)))
}

pub(crate) fn render_changes(changes: &[Change], budget: Option<usize>) -> String {
    if changes.is_empty() {
        return "no changes".to_string();
    }
    let lines = ranked(changes).into_iter().map(change_line);
    match budget {
        Some(budget) => cut_to_budget(lines.map(Line::useful).collect(), budget),
        None => lines.collect::<Vec<_>>().join("\n"),
    }
}

/// `prompt "Your name?" = "Ada"`
pub(crate) fn dialog_line(dialog: &BrowserDialog) -> String {
    let mut line = format!("{} \"{}\"", dialog.kind, cut(&one_line(&dialog.message), 200));
    if let Some(default) = dialog.default.as_deref().filter(|default| !default.is_empty()) {
        line.push_str(&format!(" = \"{default}\""));
    }
    line
}

/// `Dashboard · http://host/dashboard`, whole: the caller asked for it.
pub(crate) fn page_line(page: &PageLine) -> String {
    with_status(page, &page.title, &page.url)
}

/// Most characters of a title beside other lines.
const TITLE: usize = 80;

fn titled(page: &PageLine, address: &str) -> String {
    with_status(page, &cut(&page.title, TITLE), &short_address(address))
}

fn with_status(page: &PageLine, title: &str, address: &str) -> String {
    let mut line = if title.is_empty() { address.to_string() } else { format!("{title} · {address}") };
    if let Some(status) = page.status {
        line.push_str(&format!(" (status {status})"));
    }
    line
}

/// An address as long as a reader needs it: `assay url` shows the whole one. Of a long one, the values in its query
/// are cut, which are tokens more often than words, and then the middle of its path.
fn short_address(address: &str) -> String {
    const LONGEST: usize = 80;
    const VALUE: usize = 8;
    const END: usize = 24;
    if address.chars().count() <= LONGEST {
        return address.to_string();
    }
    let (path, behind) = address.split_at(address.find(['?', '#']).unwrap_or(address.len()));
    let mut shown = String::new();
    for part in behind.split_inclusive(['=', '&', '/', '#', '?', '.']) {
        let sign = part.chars().next_back().filter(|sign| "=&/#?.".contains(*sign));
        shown.push_str(&cut(part.trim_end_matches(['=', '&', '/', '#', '?', '.']), VALUE));
        shown.extend(sign);
    }
    let path = if path.chars().count() <= LONGEST - END {
        path.to_string()
    } else {
        let skipped = path.chars().count() - END;
        let end: String = path.chars().skip(skipped).collect();
        format!("{}{end}", cut(path, LONGEST - 2 * END))
    };
    format!("{path}{}", cut(&shown, LONGEST.saturating_sub(path.chars().count()).max(END)))
}

fn cut_to_budget(lines: Vec<Line>, budget: usize) -> String {
    let whole = lines.iter().map(|line| line.text.as_str()).collect::<Vec<_>>().join("\n");
    if assay_tokens::fits(&whole, budget) {
        return whole;
    }
    // Room for the line that counts the others.
    const TAIL: usize = 22;
    // Less is not worth a cut line.
    const LEAST: usize = 8;
    let mut kept: Vec<String> = Vec::new();
    let mut dropped: Vec<String> = Vec::new();
    let mut room = budget.saturating_sub(TAIL);
    for line in lines {
        // What is not needed leaves when the first of its kind does not fit: the order says what matters.
        let cost =
            if line.is_needed || dropped.is_empty() { assay_tokens::count(&line.text) + 1 } else { budget };
        if cost <= room {
            room -= cost;
            kept.push(line.text);
        } else if kept.is_empty() || (line.is_needed && room >= LEAST) {
            // The first line is never left out.
            let text = cut_to_tokens(&line.text, room.max(LEAST));
            room = room.saturating_sub(assay_tokens::count(&text) + 1);
            kept.push(text);
        } else {
            dropped.push(line.text);
        }
    }
    if !dropped.is_empty() {
        kept.push(tail_line(&dropped));
    }
    kept.join("\n")
}

/// The beginning of a line, with at most so many tokens.
fn cut_to_tokens(line: &str, room: usize) -> String {
    let mut length = 4 * room;
    loop {
        let text = cut(line, length);
        if length <= 4 || assay_tokens::fits(&text, room.saturating_sub(1)) {
            return text;
        }
        length -= length.div_ceil(8);
    }
}

/// `… 15 more: 12 added, 3 removed; --budget N shows more`
fn tail_line(dropped: &[String]) -> String {
    let mut added = 0;
    let mut removed = 0;
    let mut other = 0;
    for line in dropped {
        match line.as_bytes().first() {
            Some(b'+') => added += 1,
            Some(b'-') => removed += 1,
            _ => other += 1,
        }
    }
    let mut parts = Vec::new();
    for (count, sign) in [(added, "added"), (removed, "removed"), (other, "other")] {
        if count > 0 {
            parts.push(format!("{count} {sign}"));
        }
    }
    format!("… {} more: {}; --budget N shows more", dropped.len(), parts.join(", "))
}

fn change_line(change: &Change) -> String {
    let sign = match change.kind {
        ChangeKind::Added => "+",
        ChangeKind::Changed => "~",
        ChangeKind::Removed => "-",
    };
    let mut line = sign.to_string();
    let removed = change.kind == ChangeKind::Removed;
    if let (Some(reference), false) = (&change.reference, removed) {
        line.push_str(&format!(" {reference}"));
    }
    if matches!(change.role.as_str(), "text" | "paragraph") {
        line.push_str(&format!(" \"{}\"", change.name));
        // Plain text has no name: its previous value identifies it.
        if let Some(was) = change.was.as_deref().filter(|was| !was.is_empty()) {
            line.push_str(&format!(" was \"{was}\""));
        }
    } else {
        line.push_str(&format!(" {}", change.role));
        if !change.name.is_empty() {
            line.push_str(&format!(" \"{}\"", change.name));
        }
    }
    if let Some(value) =
        change.value.as_deref().filter(|value| !value.is_empty() || change.kind == ChangeKind::Changed)
    {
        line.push_str(&format!(" = \"{}\"", one_line(value)));
    }
    for state in &change.states {
        line.push(' ');
        line.push_str(state);
    }
    line
}

/// Messages first, then headings, changes in place, new controls, text, and removed elements.
fn ranked(changes: &[Change]) -> Vec<&Change> {
    let mut order: Vec<&Change> = changes.iter().collect();
    order.sort_by_key(|change| rank(change));
    order
}

/// The last rank of what the page says to its user.
const MESSAGE: u32 = 2;

fn rank(change: &Change) -> u32 {
    let by_role = match change.role.as_str() {
        "alert" | "alertdialog" | "dialog" => 0,
        "status" | "log" | "timer" | "tooltip" => 1,
        "heading" => 2,
        "text" | "paragraph" => 5,
        _ => 4,
    };
    match change.kind {
        ChangeKind::Added => by_role,
        ChangeKind::Changed => by_role.min(3),
        ChangeKind::Removed => 6 + u32::from(by_role > 1),
    }
}

fn fold_repeats(lines: &mut Vec<String>) {
    let mut folded: Vec<(String, usize)> = Vec::new();
    for line in lines.drain(..) {
        match folded.iter_mut().find(|(known, _)| *known == line) {
            Some((_, count)) => *count += 1,
            None => folded.push((line, 1)),
        }
    }
    lines.extend(
        folded.into_iter().map(|(line, count)| if count > 1 { format!("{line} (×{count})") } else { line }),
    );
}

/// The path of an address on the same server says enough.
fn path_of(text: &str) -> String {
    match text.find("://") {
        Some(at) => {
            let head = text[..at].rfind(' ').map(|space| &text[..=space]).unwrap_or_default();
            let rest = &text[at + 3..];
            let path = rest.find('/').map_or("/", |slash| &rest[slash..]);
            format!("{head}{path}")
        }
        None => text.to_string(),
    }
}

fn cut(text: &str, length: usize) -> String {
    match text.char_indices().nth(length) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(kind: ChangeKind, role: &str, name: &str) -> Change {
        Change {
            kind,
            reference: None,
            role: role.to_string(),
            name: name.to_string(),
            value: None,
            states: Vec::new(),
            was: None,
        }
    }

    #[test]
    fn a_status_stands_before_all_other_changes() {
        let changes = vec![
            change(ChangeKind::Removed, "text", "old"),
            change(ChangeKind::Added, "text", "new"),
            change(ChangeKind::Added, "status", "Saved."),
        ];
        let effect = Effect { changes, ..Effect::default() };
        assert_eq!(render(&effect, 120), "+ status \"Saved.\"\n+ \"new\"\n- \"old\"");
    }

    #[test]
    fn what_does_not_fit_is_counted_and_the_budget_holds() {
        let mut changes: Vec<Change> = (0..200)
            .map(|index| change(ChangeKind::Added, "link", &format!("Product number {index}")))
            .collect();
        changes.push(change(ChangeKind::Added, "alert", "Out of stock"));
        changes.push(change(ChangeKind::Removed, "heading", "Welcome"));
        let effect = Effect { changes, ..Effect::default() };
        for budget in [40, 60, 120, 400] {
            let text = render(&effect, budget);
            assert!(assay_tokens::count(&text) <= budget, "{budget}: {text}");
            assert!(text.starts_with("+ alert \"Out of stock\""), "{text}");
            let told: usize = text.lines().filter(|line| line.starts_with(['+', '-'])).count();
            let tail = text.lines().last().unwrap();
            let counted: usize = tail.split_whitespace().nth(1).unwrap().parse().unwrap();
            assert_eq!(told + counted, 202, "{text}");
        }
    }

    #[test]
    fn a_long_address_hides_no_message() {
        let token =
            "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIn0";
        let page = PageLine {
            title: "Target".to_string(),
            url: format!(
                "http://h/target.html?state={token}.{token}&code=4f8b1c9e-77d2-4c2a-9d3e-5f1e2a3b4c5d"
            ),
            status: None,
        };
        let changes = vec![
            change(ChangeKind::Added, "heading", "Target heading"),
            change(ChangeKind::Added, "alert", "Your account is locked"),
        ];
        let effect =
            Effect { page: Some(page), from: Some("http://h/".to_string()), changes, ..Effect::default() };
        assert_eq!(
            render(&effect, 120),
            "→ Target · /target.html?state=eyJhbGci….eyJzdWIi….eyJhbGci….eyJzdWIi…&code=4f8b1c9e…\n\
             + alert \"Your account is locked\"\n+ heading \"Target heading\""
        );
    }

    #[test]
    fn long_lines_are_cut_before_a_message_is_left_out() {
        let long = "word ".repeat(60);
        let mut changes: Vec<Change> =
            (0..9).map(|index| change(ChangeKind::Changed, "text", &format!("{index} {long}"))).collect();
        changes.push(change(ChangeKind::Added, "alert", &long));
        changes.push(change(ChangeKind::Added, "heading", &long));
        let effect = Effect { changes, ..Effect::default() };
        for budget in [60, 120] {
            let text = render(&effect, budget);
            assert!(assay_tokens::count(&text) <= budget, "{budget}: {text}");
            assert!(text.starts_with("+ alert \"word word"), "{text}");
            assert!(text.contains("… 9 more: 9 other") || text.contains("… 10 more"), "{text}");
        }
    }

    #[test]
    fn an_address_is_shortened_where_it_says_least() {
        let short = "/orders?page=2&sort=name";
        assert_eq!(short_address(short), short);
        let deep = format!("/{}/orders/1042", "department/".repeat(20));
        let said = short_address(&deep);
        assert!(said.starts_with("/department/") && said.ends_with("/orders/1042"), "{said}");
        for long in [deep, format!("/a?q={}", "ä".repeat(400)), format!("/a#{}", "/part".repeat(90))] {
            let said = short_address(&long);
            assert!(said.chars().count() <= 90, "{said}");
        }
    }

    #[test]
    fn failed_requests_are_told_by_their_path() {
        let failed = assay_protocol::FailedRequest {
            method: "GET".to_string(),
            url: "http://127.0.0.1:8080/api/x?y=1".to_string(),
            why: "500".to_string(),
        };
        let effect = Effect { failed_requests: vec![failed.clone(), failed], ..Effect::default() };
        assert_eq!(render(&effect, 120), "! GET /api/x?y=1 500 (×2)");
    }
}
