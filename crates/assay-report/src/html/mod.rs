//! The report for people: one page that shows what happened and why tests failed.
//!
//! The page works from disk, without a network and without a server. It holds the
//! run as JSON and draws only what the reader looks at, so a thousand tests open as
//! fast as ten. All text of events is data: it enters the page in one place, below,
//! and the scripts show it as text only.

mod data;
pub(crate) mod pictures;

use std::io;
use std::path::{Path, PathBuf};

use crate::console::totals_words;
use crate::plain::one_line;
use crate::report_file::{self, ReportError};
use crate::summary::Summary;
use crate::test_summary::TestSummary;

use data::RunData;
use pictures::Gallery;

pub(crate) const STYLE: &str = include_str!("page/style.css");
const BODY: &str = include_str!("page/body.html");

pub(crate) const DOM: &str = include_str!("page/dom.js");
pub(crate) const VIEWER: &str = include_str!("page/viewer.js");

/// In the order in which they need each other.
const SCRIPTS: &[&str] = &[
    DOM,
    include_str!("page/run.js"),
    VIEWER,
    include_str!("page/film.js"),
    include_str!("page/overview.js"),
    include_str!("page/turn.js"),
    include_str!("page/step.js"),
    include_str!("page/test.js"),
    include_str!("page/list.js"),
    include_str!("page/main.js"),
];

/// Nothing is fetched but pictures that lie beside the page.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src 'self' file: data:; \
     base-uri 'none'; form-action 'none'";

#[derive(Debug, Clone)]
pub struct HtmlOptions {
    /// The folder to which the screenshots of the events are relative.
    pub run_folder: PathBuf,
    pub pictures: PicturesInHtml,
}

/// Where the page has its pictures from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PicturesInHtml {
    /// From the folder of the run, by paths relative to the page: both must be
    /// moved together, and the page opens at once however many there are.
    Linked,
    /// From the page itself, as long as they have no more bytes than this
    /// together; those of tests that did not pass come first, and the rest is linked.
    Embedded { most_bytes: u64 },
}

/// Writes the report atomically.
pub fn write_html_report(summary: &Summary, options: &HtmlOptions, path: &Path) -> Result<(), ReportError> {
    let page = html_report(summary, options, path).map_err(ReportError::at(path))?;
    report_file::write(path, page.as_bytes())
}

/// The page, as it is to be written to `path`.
pub fn html_report(summary: &Summary, options: &HtmlOptions, path: &Path) -> io::Result<String> {
    let mut gallery = Gallery::new(options, path)?;
    gallery.embed_first(summary);
    let data = RunData::of(summary, &mut gallery);
    let json = as_script_text(&serde_json::to_string(&data)?);
    let totals = totals_words(&summary.totals());
    let name = if summary.suite.is_empty() { "assay" } else { &summary.suite };
    let title = escaped(&format!("{} · {}", one_line(name), totals));
    let plain = without_scripts(summary, &totals);
    Ok(whole_page(&Page {
        title: &title,
        style: STYLE,
        plain: &plain,
        body: BODY,
        json: &json,
        scripts: SCRIPTS,
    }))
}

/// The parts of a page that works from disk. The title and the fallback without scripts are already markup.
pub(crate) struct Page<'a> {
    pub title: &'a str,
    pub style: &'a str,
    pub plain: &'a str,
    pub body: &'a str,
    pub json: &'a str,
    pub scripts: &'a [&'a str],
}

pub(crate) fn whole_page(page: &Page<'_>) -> String {
    let Page { title, style, plain, body, json, scripts } = page;
    let scripts = scripts.join("\n");
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>{title}</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>\n{style}</style>\n</head>\n<body>\n\
         <noscript>{plain}</noscript>\n{body}\
         <script type=\"application/json\" id=\"run-data\">{json}</script>\n\
         <script>\n(() => {{\n\"use strict\";\n{scripts}\n}})();\n</script>\n</body>\n</html>\n"
    )
}

/// The fallback without scripts: the count, and the reason for each failure.
fn without_scripts(summary: &Summary, totals: &str) -> String {
    let line = |test: &TestSummary| {
        let triage = test.triage()?;
        let told = format!("{}: {} ({})", test.line.id, test.reason(), triage.line());
        Some(format!("<li>{}</li>", escaped(&one_line(&told))))
    };
    let lines: String = summary.tests.iter().filter_map(line).collect();
    format!("<p>{}. The whole report needs JavaScript.</p><ul>{lines}</ul>", escaped(totals))
}

/// JSON that cannot end the element it stands in, nor begin another.
pub(crate) fn as_script_text(json: &str) -> String {
    json.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}

/// Text within HTML, as text.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
#[path = "../html_tests.rs"]
mod tests;
