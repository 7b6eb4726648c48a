//! The analysis of a run as Markdown, for terminals and comments.

use std::fmt::Write;

use assay_report::{markdown_code as code, markdown_escaped as escaped, rfc3339};

use super::changes::Changes;
use super::class::ResultClass;
use super::result::ResultAnalysis;
use super::run::RunAnalysis;

pub fn markdown_page(analysis: &RunAnalysis) -> String {
    let mut page = String::new();
    // Writing into a text cannot fail.
    let _whole = write_page(&mut page, analysis);
    page
}

fn write_page(out: &mut String, analysis: &RunAnalysis) -> std::fmt::Result {
    let suite = if analysis.suite.is_empty() { "the tests" } else { &analysis.suite };
    writeln!(out, "# Run {} of {}\n", analysis.run, escaped(suite))?;
    writeln!(out, "{} · {}\n", rfc3339(analysis.started_at), counts(analysis))?;
    writeln!(out, "## Look at this first\n")?;
    if analysis.first_look.is_empty() {
        writeln!(out, "Nothing needs attention.")?;
    }
    for (place, look) in analysis.first_look.iter().enumerate() {
        let tests: Vec<String> = look.tests.iter().map(|test| code(test)).collect();
        writeln!(out, "{}. **{}** {}: {}", place + 1, look.class, tests.join(", "), escaped(&look.what))?;
        writeln!(out, "   Why: {}", escaped(&look.why))?;
    }
    if let Some(changes) = &analysis.changes {
        writeln!(out, "\n## Changed since run {}\n", changes.since)?;
        if changes.is_empty() {
            writeln!(out, "Nothing.")?;
        }
        for (words, tests) in listed(changes) {
            let tests: Vec<String> = tests.iter().map(|test| code(test)).collect();
            writeln!(out, "- {words}: {}", tests.join(", "))?;
        }
    }
    let others =
        |result: &&ResultAnalysis| result.class != Some(ResultClass::ValidPass) || !result.notes.is_empty();
    writeln!(out, "\n## Results\n")?;
    for result in analysis.results.iter().filter(others) {
        write_result(out, result)?;
    }
    let plain = analysis.results.iter().filter(|result| !others(result)).count();
    if plain > 0 {
        writeln!(out, "{plain} more: VALID_PASS.")?;
    }
    Ok(())
}

/// `5 VALID_PASS, 1 BUG`, in the order of the classes.
pub(super) fn counts(analysis: &RunAnalysis) -> String {
    let names = ResultClass::ALL.map(ResultClass::name).into_iter().chain([super::class::INCONCLUSIVE]);
    let counts: Vec<String> =
        names.filter_map(|name| Some(format!("{} {name}", analysis.classes.get(name)?))).collect();
    if counts.is_empty() { "no results".to_owned() } else { counts.join(", ") }
}

/// The lists of changes that are not empty, in words.
pub(super) fn listed(changes: &Changes) -> Vec<(&'static str, &[String])> {
    let lists: [(&'static str, &[String]); 6] = [
        ("passes no more", &changes.broken),
        ("passes again", &changes.fixed),
        ("another error", &changes.other_error),
        ("the same error as before", &changes.same_error),
        ("new", &changes.added),
        ("not run this time", &changes.gone),
    ];
    lists.into_iter().filter(|(_, tests)| !tests.is_empty()).collect()
}

fn write_result(out: &mut String, result: &ResultAnalysis) -> std::fmt::Result {
    let browser =
        if result.browser.is_empty() { String::new() } else { format!(" · {}", escaped(&result.browser)) };
    writeln!(out, "### {} {}{browser}\n", result.class_name(), escaped(&result.test_id))?;
    for line in lines(result) {
        writeln!(out, "- {}", escaped(&line))?;
    }
    writeln!(out)
}

/// All that is known of a result, a line each.
pub(super) fn lines(result: &ResultAnalysis) -> Vec<String> {
    let mut lines: Vec<String> = result.evidence.clone();
    if !result.candidates.is_empty() {
        let names: Vec<&str> = result.candidates.iter().map(|class| class.name()).collect();
        lines.push(format!("could be {}; missing: {}", names.join(" or "), result.missing));
    }
    lines.extend(result.suspicions.iter().map(|why| format!("suspicion: {why}")));
    lines.extend(result.notes.iter().map(|note| format!("note: {note}")));
    if result.times > 1 {
        let since = result.since.map(|run| format!(", first in run {run}")).unwrap_or_default();
        lines.push(format!("seen {} times{since}", result.times));
    }
    lines.push(format!("rule: {}, depth: {}", result.rule, result.depth.name()));
    if result.discarded {
        lines.push("discarded: it does not count".to_owned());
    }
    lines
}
