//! The page for reviewing healed steps: each proposal with both screenshots, both descriptions, the score, the margin
//! and both effects.
//!
//! Made from the events of two runs and their screenshots. It works from disk and contains its screenshots, so it can
//! be sent to people who know the application.

mod data;
mod shot;
mod signature_rows;

use std::io;
use std::path::Path;

use assay_protocol::{FoundAgain, Healing, Signature, TestLine};

use crate::html::{DOM, Page, STYLE, VIEWER, as_script_text, escaped, whole_page};
use crate::plain::one_line;
use crate::report_file::{self, ReportError};

pub use shot::{HealShot, NoShot, SentencePlace, earlier_shot, shot_of};

const HEALS_STYLE: &str = include_str!("page/heals.css");
const BODY: &str = include_str!("page/heals.html");
/// In the order in which they need each other.
const SCRIPTS: &[&str] = &[DOM, include_str!("page/proposals.js"), VIEWER, include_str!("page/heals.js")];

/// As much as a browser still opens at once; what is more lies beside the page.
const MOST_BYTES: u64 = 64 * 1024 * 1024;

/// The changes to lock files that a run proposes.
#[derive(Debug, Clone)]
pub struct HealPage<'a> {
    pub suite: &'a str,
    /// Its number or its name.
    pub run: String,
    /// Milliseconds since 1970.
    pub started_at: Option<u64>,
    pub proposals: Vec<HealProposal<'a>>,
}

/// One entry of a lock file that would change.
#[derive(Debug, Clone)]
pub struct HealProposal<'a> {
    pub test: &'a TestLine,
    /// `step 3`.
    pub place: String,
    pub sentence: &'a str,
    /// The lock file, as its reader knows it.
    pub lock: String,
    /// Whether it can be accepted, in words; `open` where it can.
    pub state: &'static str,
    pub healing: &'a Healing,
    pub elements: Vec<ChangedElement<'a>>,
}

/// One element that is no longer as it was.
#[derive(Debug, Clone)]
pub struct ChangedElement<'a> {
    pub was: &'a Signature,
    pub now: &'a Signature,
    /// How like they are; none where the way to do it changed, and nothing was compared.
    pub likeness: Option<&'a FoundAgain>,
    /// As the lock describes it, in an earlier run.
    pub recorded: Result<HealShot, NoShot>,
    /// As it was in this run.
    pub found: Result<HealShot, NoShot>,
}

impl<'a> HealProposal<'a> {
    /// The elements of a healing, as they were and as they are: those that were found again, or, where the way to do
    /// it changed, what was and is acted on first.
    pub fn changes(healing: &'a Healing) -> Vec<(&'a Signature, &'a Signature, Option<&'a FoundAgain>)> {
        if !healing.found.is_empty() {
            return healing.found.iter().map(|found| (&found.was, &found.now, Some(found))).collect();
        }
        let first = |entry: &'a assay_protocol::LockedEntry| {
            entry.acts.iter().flat_map(|act| act.elements.values()).next()
        };
        first(&healing.was).zip(first(&healing.now)).map(|(was, now)| (was, now, None)).into_iter().collect()
    }
}

/// Writes the page atomically.
pub fn write_heal_page(page: &HealPage<'_>, path: &Path) -> Result<(), ReportError> {
    let text = heal_page(page, path).map_err(ReportError::at(path))?;
    report_file::write(path, text.as_bytes())
}

/// The page, as it is to be written to `path`.
pub fn heal_page(page: &HealPage<'_>, path: &Path) -> io::Result<String> {
    let mut bytes_left = MOST_BYTES;
    let json = as_script_text(&serde_json::to_string(&data::HealPageData::of(page, path, &mut bytes_left)?)?);
    let name = if page.suite.is_empty() { "assay" } else { page.suite };
    let count = page.proposals.len();
    let noun = if count == 1 { "step" } else { "steps" };
    let title = escaped(&format!("{} · {count} healed {noun}", one_line(name)));
    let style = format!("{STYLE}{HEALS_STYLE}");
    let plain = without_scripts(page);
    Ok(whole_page(&Page {
        title: &title,
        style: &style,
        plain: &plain,
        body: BODY,
        json: &json,
        scripts: SCRIPTS,
    }))
}

/// The fallback without scripts: the changes in words.
fn without_scripts(page: &HealPage<'_>) -> String {
    let line = |proposal: &HealProposal<'_>| {
        let changes: Vec<String> = proposal.healing.found.iter().map(crate::console::healed_words).collect();
        let told = format!("{}, {}: {}", proposal.test.id, proposal.sentence, changes.join("; "));
        format!("<li>{}</li>", escaped(&one_line(&told)))
    };
    let lines: String = page.proposals.iter().map(line).collect();
    format!("<p>The screenshots need JavaScript.</p><ul>{lines}</ul>")
}

#[cfg(test)]
#[path = "../heals_tests.rs"]
mod tests;
