//! What a page says of itself, and the tests that follow from it without anybody being asked.

mod forms;
mod links;
mod seen;

use crate::draft::{Draft, DraftTrial};
use crate::names::is_plain_name;
use crate::scope::{Exclusion, OpenQuestion};
use crate::sheet::Sheet;

pub use links::{Followable, followable};
pub use seen::{FieldRules, Landing, LinkRules, Linked, PageSeen};

/// What rules make of pages.
#[derive(Debug, Default)]
pub struct Proposals {
    pub sheets: Vec<Sheet>,
    pub excluded: Vec<Exclusion>,
    pub questions: Vec<OpenQuestion>,
}

/// Tests of the pages that were opened; the first is the one that was asked about.
pub fn propose(pages: &[PageSeen]) -> Proposals {
    let mut proposals = Proposals::default();
    let mut openings = Sheet { stem: "pages".to_string(), ..Sheet::default() };
    let mut stems = vec![openings.stem.clone(), "navigation".to_string()];
    for page in pages {
        match opening(page) {
            Some(draft) => openings.drafts.push(draft),
            None => proposals.excluded.push(Exclusion::new(
                page.path(),
                "neither a title nor a heading distinguishes it from other pages",
            )),
        }
    }
    let navigation = pages.first().map(|first| links::navigation(first, &mut proposals.excluded));
    let mut forms = Vec::new();
    let mut known = Vec::new();
    for page in pages {
        for form in forms::forms_of(page) {
            // A search in the header is on every page; once is enough.
            if known.contains(&form.likeness()) {
                continue;
            }
            known.push(form.likeness());
            forms.push(form.sheet(page, &mut proposals, &mut stems));
        }
    }
    let all = std::iter::once(openings).chain(navigation).chain(forms);
    proposals.sheets.extend(all.filter(|sheet| !sheet.drafts.is_empty() || !sheet.open.is_empty()));
    proposals
}

/// The page opens and is the one it should be.
fn opening(page: &PageSeen) -> Option<Draft> {
    let expected = identity(page.title(), page.heading());
    let name = page.called();
    (!expected.is_empty()).then(|| Draft {
        name: format!("{name} opens"),
        tags: vec!["planned".to_string(), "page".to_string()],
        steps: vec![format!("Go to {}", page.path())],
        expected,
        trial: DraftTrial::Harmless,
        ..Draft::default()
    })
}

/// Words for a page that has no better name.
fn path_words(page: &PageSeen) -> String {
    let path = page.path();
    let path = path.split('?').next().unwrap_or_default();
    let endings = [".html", ".htm", ".xhtml", ".php", ".jsp", ".aspx"];
    let path = endings.iter().find_map(|ending| path.strip_suffix(ending)).unwrap_or(path);
    let words = path.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    let words: Vec<&str> = words.collect();
    if words.is_empty() { "home".to_string() } else { words.join(" ") }
}

/// Claims by which a page is known.
fn identity(title: &str, heading: Option<&str>) -> Vec<String> {
    let mut claims = Vec::new();
    if is_plain_name(title) {
        claims.push(format!("The title is \"{title}\""));
    }
    if let Some(heading) = heading.filter(|heading| is_plain_name(heading)) {
        claims.push(format!("The heading \"{heading}\" is shown"));
    }
    claims
}

#[cfg(test)]
#[path = "../pages_tests.rs"]
mod tests;
