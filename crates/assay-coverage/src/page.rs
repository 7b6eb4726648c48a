//! The matrix as one page: requirements as rows, tests as columns. It works from disk, without a network, and shows
//! everything without scripts; the script only filters.

use assay_protocol::{CoverageKind, Priority, write_moment};

use crate::coverage::{Coverage, CoverageTotals, CoveredRequirement, LinkedTest};
use crate::evidence::Standing;

const STYLE: &str = include_str!("page/style.css");
const SCRIPT: &str = include_str!("page/filter.js");

/// Nothing is fetched.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; base-uri 'none'; \
     form-action 'none'";

/// The page. `suite` is the name of the project.
pub fn matrix_page(suite: &str, requirements: &[CoveredRequirement]) -> String {
    let totals = CoverageTotals::of(requirements);
    let tests = columns(requirements);
    let title = escaped(&format!("{suite} · requirements"));
    let heads: String = tests.iter().enumerate().map(|(at, test)| column_head(at, test)).collect();
    let rows: String = requirements.iter().map(|one| row(one, &tests)).collect();
    let body = if requirements.is_empty() {
        "<p class=\"empty\">The project has no requirements yet.</p>".to_string()
    } else {
        format!(
            "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Requirements and tests\"><table>\
             <thead><tr><th class=\"corner\" scope=\"col\">Requirement</th><th class=\"state\" scope=\"col\">Coverage</th>{heads}\
             <th class=\"rest\" aria-hidden=\"true\"></th></tr></thead>\n<tbody>\n{rows}</tbody></table>\
             <p class=\"empty\" id=\"none\" hidden>No requirement matches.</p></div>"
        )
    };
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}</title>\n\
         <link rel=\"icon\" href=\"data:,\">\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <header><h1>Requirements <span>{}</span></h1><p class=\"totals\">{}</p>{}</header>\n{}\n{body}\n{}\n\
         <script>\n(() => {{\n\"use strict\";\n{SCRIPT}\n}})();\n</script>\n</body>\n</html>\n",
        escaped(suite),
        escaped(&sentence(&totals)),
        bar(&totals),
        filters(&totals),
        legend(),
    )
}

fn sentence(totals: &CoverageTotals) -> String {
    let mut words = format!(
        "{} of {} {} fully covered and shown by the last run of their tests",
        totals.shown,
        totals.requirements,
        if totals.requirements == 1 { "requirement" } else { "requirements" }
    );
    if totals.failing > 0 {
        words += &format!("; {} with a failing test", totals.failing);
    }
    if totals.retired > 0 {
        words += &format!("; {} retired", totals.retired);
    }
    words + "."
}

/// Every linked test once, in the order in which requirements name them.
fn columns(requirements: &[CoveredRequirement]) -> Vec<&LinkedTest> {
    let mut tests: Vec<&LinkedTest> = Vec::new();
    for test in requirements.iter().flat_map(|one| &one.tests) {
        if !tests.iter().any(|known| known.id == test.id) {
            tests.push(test);
        }
    }
    tests
}

fn bar(totals: &CoverageTotals) -> String {
    let parts = [
        ("shown", totals.shown, "shown"),
        ("full", totals.full - totals.shown, "full, not shown"),
        ("partial", totals.partial, "partial"),
        ("negative", totals.negative_only, "negative only"),
        ("none", totals.none, "none"),
    ];
    let parts: String = parts
        .iter()
        .filter(|(_, number, _)| *number > 0)
        .map(|(class, number, words)| {
            format!("<span class=\"{class}\" style=\"flex-grow:{number}\" title=\"{number} {words}\"></span>")
        })
        .collect();
    format!("<div class=\"bar\" aria-hidden=\"true\">{parts}</div>")
}

fn filters(totals: &CoverageTotals) -> String {
    let chips = [
        ("full", "Full", totals.full),
        ("partial", "Partial", totals.partial),
        ("negative-only", "Negative only", totals.negative_only),
        ("none", "None", totals.none),
        ("failing", "Failing", totals.failing),
    ];
    let chips: String = chips
        .iter()
        .map(|(value, words, number)| {
            format!(
                "<button type=\"button\" data-show=\"{value}\" aria-pressed=\"false\">{words} <b>{number}</b></button>"
            )
        })
        .collect();
    format!(
        "<form class=\"filters\" id=\"filters\" hidden><input id=\"search\" type=\"search\" \
         placeholder=\"Code, name, category, test\" aria-label=\"Filter requirements\">{chips}\
         <output id=\"found\"></output></form>"
    )
}

fn column_head(at: usize, test: &LinkedTest) -> String {
    let about = format!("{} · {} · {}", test.name, test.file, moment_words(test));
    format!(
        "<th scope=\"col\" class=\"test {}\" data-column=\"{at}\" title=\"{}\"><span>{}</span></th>",
        class_of(test.evidence.standing),
        escaped(&about),
        escaped(&test.id)
    )
}

fn row(one: &CoveredRequirement, tests: &[&LinkedTest]) -> String {
    let requirement = &one.requirement;
    let cells: String = tests
        .iter()
        .enumerate()
        .map(|(at, column)| cell(at, column, one.tests.iter().find(|test| test.id == column.id)))
        .collect();
    let mut more: Vec<String> = Vec::new();
    more.extend(requirement.priority.map(|priority| priority.name().to_string()));
    more.extend(requirement.category.clone());
    more.extend(requirement.status.map(|status| status.name().to_string()));
    if one.file.is_none() {
        more.push("not on file".to_string());
    }
    let criteria = match requirement.acceptance_criteria.as_slice() {
        [] => String::new(),
        list => {
            let items: String = list.iter().map(|item| format!("<li>{}</li>", escaped(item))).collect();
            format!("<details><summary>{}</summary><ul>{items}</ul></details>", counted(list.len()))
        }
    };
    let description = requirement.description.as_deref().unwrap_or_default();
    let state = state_of(one);
    let words = one.words();
    let text = format!(
        "{} {} {} {} {}",
        requirement.code,
        requirement.name,
        requirement.category.as_deref().unwrap_or_default(),
        requirement.priority.map(Priority::name).unwrap_or_default(),
        one.tests.iter().map(|test| format!("{} {}", test.id, test.name)).collect::<Vec<_>>().join(" ")
    );
    format!(
        "<tr data-coverage=\"{}\" data-failing=\"{}\" data-text=\"{}\"{}><th scope=\"row\" title=\"{}\"><div><b>{}</b> <span class=\"name\">{}</span>\
         <small>{}</small>{criteria}</div></th><td class=\"state\"><span class=\"pill {state}\">{}</span><small>{}</small></td>{cells}<td class=\"rest\"></td></tr>\n",
        coverage_name(one),
        one.is_failing(),
        escaped(&text.to_lowercase()),
        if requirement.is_wanted() { "" } else { " class=\"retired\"" },
        escaped(description),
        escaped(&requirement.code),
        escaped(&requirement.name),
        escaped(&more.join(" · ")),
        pill_words(one),
        escaped(&words),
    )
}

/// Colour alone tells nobody that a test fails.
fn pill_words(one: &CoveredRequirement) -> String {
    match one.coverage.words() {
        _ if !one.requirement.is_wanted() => "retired".to_string(),
        words if one.is_failing() => format!("{words} · failing"),
        words => words.to_string(),
    }
}

fn counted(number: usize) -> String {
    if number == 1 { "1 acceptance criterion".to_string() } else { format!("{number} acceptance criteria") }
}

fn coverage_name(one: &CoveredRequirement) -> &'static str {
    if !one.requirement.is_wanted() {
        return "retired";
    }
    match one.coverage {
        Coverage::Full => "full",
        Coverage::Partial => "partial",
        Coverage::NegativeOnly => "negative-only",
        Coverage::None => "none",
    }
}

/// The colour of its mark: green only for what is shown.
fn state_of(one: &CoveredRequirement) -> &'static str {
    match one.coverage {
        _ if !one.requirement.is_wanted() => "retired",
        _ if one.is_failing() => "failing",
        Coverage::Full if one.is_shown => "shown",
        Coverage::Full => "full",
        Coverage::Partial => "partial",
        Coverage::NegativeOnly => "negative",
        Coverage::None => "none",
    }
}

fn cell(at: usize, column: &LinkedTest, link: Option<&LinkedTest>) -> String {
    let Some(link) = link else { return format!("<td data-column=\"{at}\"></td>") };
    let about = format!("{}: {}, {}", column.id, link.coverage.name(), moment_words(link));
    format!(
        "<td data-column=\"{at}\" class=\"{}\" title=\"{}\"><i class=\"{}\" role=\"img\" aria-label=\"{}\"></i></td>",
        class_of(link.evidence.standing),
        escaped(&about),
        shape(link.coverage),
        escaped(&about)
    )
}

fn shape(coverage: CoverageKind) -> &'static str {
    match coverage {
        CoverageKind::Full => "whole",
        CoverageKind::Partial => "half",
        CoverageKind::Negative => "not",
    }
}

fn class_of(standing: Standing) -> &'static str {
    match standing {
        Standing::Passed => "is-passed",
        Standing::Failed => "is-failed",
        Standing::Stale => "is-stale",
        Standing::Error | Standing::Inconclusive | Standing::NeverRun | Standing::ProvesNothing => "is-open",
    }
}

/// `passed on 2026-11-19 05:12`.
fn moment_words(test: &LinkedTest) -> String {
    let words = test.evidence.standing.words();
    match test.evidence.at {
        Some(at) => format!("{words} (last run {})", date(at)),
        None => words.to_string(),
    }
}

fn date(at: u64) -> String {
    let written = write_moment(i64::try_from(at).unwrap_or(i64::MAX));
    written.get(..16).unwrap_or(&written).replace('T', " ")
}

fn legend() -> String {
    let shapes = [("whole", "full"), ("half", "partial"), ("not", "negative: what must not work")];
    let shapes: String = shapes
        .iter()
        .map(|(class, words)| format!("<li class=\"is-passed\"><i class=\"{class}\"></i>{words}</li>"))
        .collect();
    let colours = [
        ("is-passed", "passed"),
        ("is-failed", "failed"),
        ("is-stale", "passed, but the test changed since"),
        ("is-open", "shows nothing: never run, inconclusive, error, no expectation"),
    ];
    let colours: String = colours
        .iter()
        .map(|(class, words)| format!("<li class=\"{class}\"><i class=\"whole\"></i>{words}</li>"))
        .collect();
    format!("<footer><ul class=\"legend\">{shapes}</ul><ul class=\"legend\">{colours}</ul></footer>")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use assay_protocol::Requirement;

    use super::*;
    use crate::evidence::Evidence;

    fn one(code: &str, name: &str) -> CoveredRequirement {
        CoveredRequirement {
            requirement: Requirement { code: code.into(), name: name.into(), ..Requirement::default() },
            file: Some("r.yaml".into()),
            coverage: Coverage::Full,
            is_shown: true,
            tests: vec![LinkedTest {
                id: "login [2]".into(),
                name: "Login <b>".into(),
                file: "login.yaml".into(),
                coverage: CoverageKind::Full,
                evidence: Evidence { standing: Standing::Passed, at: Some(0), changed_since: false },
            }],
        }
    }

    #[test]
    fn texts_of_files_are_no_markup_and_nothing_is_fetched() {
        let page = matrix_page("<script>", &[one("R-1", "</table><img src=http://x>\"'")]);
        assert!(!page.contains("<img") && !page.contains("Login <b>") && !page.contains("· <script>"));
        assert!(page.contains("&lt;/table&gt;&lt;img src=http://x&gt;&quot;'"));
        assert!(page.contains("default-src 'none'") && !page.contains("src=\"http"));
        assert_eq!(page.matches("<script>").count(), 1);
    }

    #[test]
    fn each_test_is_one_column() {
        let page = matrix_page("shop", &[one("R-1", "a"), one("R-2", "b")]);
        assert_eq!(page.matches("<th scope=\"col\" class=\"test").count(), 1);
        assert_eq!(page.matches("class=\"whole\" role").count(), 2);
        assert!(page.contains("login [2]: full, passed (last run 1970-01-01 00:00)"));
        assert!(matrix_page("shop", &[]).contains("no requirements yet"));
    }
}
