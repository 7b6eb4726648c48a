//! An effect as short text. The most important changes come first, and the rest is counted, so no change
//! disappears silently.

use assay_protocol::{BrowserDialog, Change, ChangeKind, Effect, PageLine};

use super::{element_line, one_line};

/// Most tokens of an act's answer when nothing else was asked.
pub(crate) const DEFAULT_BUDGET: usize = 120;

pub(crate) fn render(effect: &Effect, budget: usize) -> String {
    let mut lines: Vec<String> = Vec::new();
    // The lines that the caller must not miss use the budget first.
    if let Some(did) = &effect.did {
        lines.push(format!("{} {}", did.verb, element_line(&did.element)));
    }
    if let Some(page) = &effect.page {
        lines.push(match &effect.from {
            Some(before) => format!("→ {}", titled(page, page.address_from(before))),
            None => page_line(page),
        });
    }
    if let Some(dialog) = &effect.dialog {
        lines.push(format!("dialog {}; assay dialog accept|dismiss", dialog_line(dialog)));
    }
    for tab in &effect.tabs {
        lines.push(format!("new tab {} {} · {}", tab.tab, tab.title, tab.url));
    }
    for download in &effect.downloads {
        lines.push(match &download.path {
            Some(path) => format!("downloaded {path}"),
            None => format!("download of {} {}", download.name, download.state),
        });
    }
    lines.extend(effect.blocked.iter().map(ToString::to_string));
    lines.extend(effect.notes.iter().cloned());
    let mut rest: Vec<String> = ranked(&effect.changes).into_iter().map(change_line).collect();
    let mut ends: Vec<String> = Vec::new();
    for failed in &effect.failed_requests {
        ends.push(format!("! {} {} {}", failed.method, path_of(&failed.url), failed.why));
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
    lines.extend(rest);
    lines.extend(ends);
    lines.extend(later);
    cut_to_budget(lines, budget)
}

pub(crate) fn busy_line(busy: &str) -> String {
    format!("… still busy: {}", cut(&path_of(busy), 100))
}

pub(crate) fn render_changes(changes: &[Change], budget: Option<usize>) -> String {
    if changes.is_empty() {
        return "no changes".to_string();
    }
    let lines: Vec<String> = ranked(changes).into_iter().map(change_line).collect();
    match budget {
        Some(budget) => cut_to_budget(lines, budget),
        None => lines.join("\n"),
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

/// `Dashboard · http://host/dashboard`
pub(crate) fn page_line(page: &PageLine) -> String {
    titled(page, &page.url)
}

fn titled(page: &PageLine, address: &str) -> String {
    let mut line =
        if page.title.is_empty() { address.to_string() } else { format!("{} · {address}", page.title) };
    if let Some(status) = page.status {
        line.push_str(&format!(" (status {status})"));
    }
    line
}

fn cut_to_budget(lines: Vec<String>, budget: usize) -> String {
    let whole = lines.join("\n");
    if assay_tokens::fits(&whole, budget) {
        return whole;
    }
    // Room for the line that counts the others.
    const TAIL: usize = 22;
    let mut kept: Vec<String> = Vec::new();
    let mut used = TAIL;
    let mut left = lines.into_iter();
    for line in left.by_ref() {
        let cost = assay_tokens::count(&line) + 1;
        if used + cost > budget && !kept.is_empty() {
            let dropped: Vec<String> = std::iter::once(line).chain(left).collect();
            kept.push(tail_line(&dropped));
            return kept.join("\n");
        }
        if used + cost > budget {
            // Even the first line is too long: it is cut, not left out.
            kept.push(cut(&line, 4 * budget.saturating_sub(TAIL).max(8)));
            used = budget;
            continue;
        }
        used += cost;
        kept.push(line);
    }
    kept.join("\n")
}

/// `… +12 -3 ~1; assay diff or --budget 400 shows all`
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

/// Messages first, then changes in place, then new controls, then text, then removed elements.
fn ranked(changes: &[Change]) -> Vec<&Change> {
    let mut order: Vec<&Change> = changes.iter().collect();
    order.sort_by_key(|change| rank(change));
    order
}

fn rank(change: &Change) -> u32 {
    let by_role = match change.role.as_str() {
        "alert" | "alertdialog" | "dialog" => 0,
        "status" | "log" | "timer" | "tooltip" => 1,
        "heading" => 3,
        "text" | "paragraph" => 5,
        "row" | "listitem" => 4,
        _ => 4,
    };
    match change.kind {
        ChangeKind::Added => by_role,
        ChangeKind::Changed => by_role.min(2),
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
