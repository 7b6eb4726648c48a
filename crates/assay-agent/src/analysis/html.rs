//! The analysis of a run as one page that needs nothing beside it, and no scripts.

use std::fmt::Write;
use std::path::Path;

use assay_report::{html_escaped as escaped, picture_address, rfc3339};

use super::class::ResultClass;
use super::markdown::{counts, lines, listed};
use super::result::ResultAnalysis;
use super::run::RunAnalysis;

const STYLE: &str = include_str!("page.css");
/// Nothing is fetched: the pictures are in the page.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";
/// As much as a browser opens at once; later pictures are left out.
const MOST_BYTES: u64 = 24 * 1024 * 1024;

/// The page. Pictures are taken from the folder of the run, if it may be read.
pub fn html_page(analysis: &RunAnalysis, run_folder: Option<&Path>) -> String {
    let mut body = String::new();
    // Writing into a text cannot fail.
    let _whole = write_body(&mut body, analysis, run_folder);
    let title = escaped(&format!("Run {} · {}", analysis.run, counts(analysis)));
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n{body}</main>\n</body>\n</html>\n"
    )
}

fn write_body(out: &mut String, analysis: &RunAnalysis, run_folder: Option<&Path>) -> std::fmt::Result {
    let suite = if analysis.suite.is_empty() { "the tests" } else { &analysis.suite };
    writeln!(out, "<h1>Run {} of {}</h1>", analysis.run, escaped(suite))?;
    writeln!(out, "<p class=\"when\">{}</p>", escaped(&rfc3339(analysis.started_at)))?;
    write_counts(out, analysis)?;
    writeln!(out, "<h2>Look at this first</h2>")?;
    if analysis.first_look.is_empty() {
        writeln!(out, "<p>Nothing needs attention.</p>")?;
    }
    writeln!(out, "<ol class=\"looks\">")?;
    for look in &analysis.first_look {
        writeln!(
            out,
            "<li><span class=\"class {}\">{}</span> {}<p>{}</p><p class=\"why\">Why: {}</p></li>",
            look.class,
            look.class,
            tests(&look.tests),
            escaped(&look.what),
            escaped(&look.why)
        )?;
    }
    writeln!(out, "</ol>")?;
    if let Some(changes) = &analysis.changes {
        writeln!(out, "<h2>Changed since run {}</h2>", changes.since)?;
        if changes.is_empty() {
            writeln!(out, "<p>Nothing.</p>")?;
        }
        writeln!(out, "<dl>")?;
        for (words, list) in listed(changes) {
            writeln!(out, "<dt>{}</dt><dd>{}</dd>", escaped(words), tests(list))?;
        }
        writeln!(out, "</dl>")?;
    }
    writeln!(out, "<h2>Results</h2>")?;
    let mut bytes_left = MOST_BYTES;
    for result in &analysis.results {
        let picture = result
            .picture
            .as_deref()
            .filter(|_| result.class != Some(ResultClass::ValidPass))
            .and_then(|picture| picture_address(run_folder?, picture, &mut bytes_left));
        write_result(out, result, picture.as_deref())?;
    }
    Ok(())
}

fn write_counts(out: &mut String, analysis: &RunAnalysis) -> std::fmt::Result {
    writeln!(out, "<ul class=\"counts\">")?;
    let names = ResultClass::ALL.map(ResultClass::name).into_iter().chain([super::class::INCONCLUSIVE]);
    for (name, count) in names.filter_map(|name| Some((name, analysis.classes.get(name)?))) {
        writeln!(out, "<li><b>{count}</b> <span class=\"class {name}\">{name}</span></li>")?;
    }
    writeln!(out, "</ul>")
}

fn tests(list: &[String]) -> String {
    let named: Vec<String> = list.iter().map(|test| format!("<code>{}</code>", escaped(test))).collect();
    named.join(", ")
}

fn write_result(out: &mut String, result: &ResultAnalysis, picture: Option<&str>) -> std::fmt::Result {
    let name = result.class_name();
    let open = if result.class == Some(ResultClass::ValidPass) { "" } else { " open" };
    let flaky = if result.is_flaky() { " <span class=\"mark\">flaky</span>" } else { "" };
    let discarded = if result.discarded { " <span class=\"mark\">discarded</span>" } else { "" };
    writeln!(
        out,
        "<details{open}><summary><span class=\"class {name}\">{name}</span> {} \
         <span class=\"browser\">{}</span>{flaky}{discarded}</summary>",
        escaped(&result.test_id),
        escaped(&result.browser)
    )?;
    writeln!(out, "<div class=\"result\"><ul>")?;
    for line in lines(result) {
        writeln!(out, "<li>{}</li>", escaped(&line))?;
    }
    writeln!(out, "</ul>")?;
    if let Some(address) = picture {
        writeln!(out, "<img src=\"{address}\" alt=\"the page at the end of the test\">")?;
    }
    writeln!(out, "</div></details>")
}
