//! The pages of a case, and how those after a change are made from those before.
//!
//! A page is written whole, or as what changed: removed lines, then the lines that stand there instead.
//!
//! ```text
//! --- changed /login
//! - <button id="go">Sign in</button>
//! + <button class="primary">Log in</button>
//! ```

use std::collections::BTreeMap;

use super::mistake::{Complaint, CorpusMistake};
use super::sections::{RawCase, RawSection};
use super::template::Template;

/// Pages by their path.
pub(super) type Pages = BTreeMap<String, Template>;

/// What every page begins with, so that the corpus does not repeat it.
const HEAD: &str = "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n";

/// Reads all sections with this word as pages.
pub(super) fn whole(case: &RawCase, word: &str) -> Result<Pages, CorpusMistake> {
    let mut pages = Pages::new();
    for section in case.sections.iter().filter(|section| section.word == word) {
        let path = section.path(case.file)?;
        if pages.insert(path.clone(), template(case.file, section.line, &section.text())?).is_some() {
            let section_name = format!("{word} {path}");
            return Err(Complaint::Repeated { section: section_name }.at(case.file, section.line));
        }
    }
    Ok(pages)
}

/// Reads the `changed` sections, each against the `before` section of its path.
pub(super) fn changed(case: &RawCase) -> Result<Pages, CorpusMistake> {
    let mut pages = Pages::new();
    for section in case.sections.iter().filter(|section| section.word == "changed") {
        let path = section.path(case.file)?;
        let Some(before) = case.section("before", &path)? else {
            return Err(Complaint::NothingToChange { path }.at(case.file, section.line));
        };
        let text = apply(case.file, &before.lines, section)?;
        if pages.insert(path.clone(), template(case.file, section.line, &text)?).is_some() {
            let section_name = format!("changed {path}");
            return Err(Complaint::Repeated { section: section_name }.at(case.file, section.line));
        }
    }
    Ok(pages)
}

fn template(file: &str, line: usize, text: &str) -> Result<Template, CorpusMistake> {
    let text = if text.starts_with("<!doctype") { text.to_owned() } else { format!("{HEAD}{text}") };
    Template::parse(&text).map_err(|complaint| complaint.at(file, line))
}

/// A place in a page and what stands there instead.
#[derive(Default)]
struct Hunk<'t> {
    line: usize,
    removed: Vec<&'t str>,
    added: Vec<&'t str>,
}

fn apply(file: &str, before: &[&str], section: &RawSection) -> Result<String, CorpusMistake> {
    let hunks = hunks(file, section)?;
    let mut lines: Vec<&str> = before.to_vec();
    for hunk in &hunks {
        // Places are sought in the page before, and there must be one only: a change that could be meant
        // for two places would be a different case from the one that its author had in mind.
        let times = places(before, &hunk.removed).len();
        let place = places(&lines, &hunk.removed).first().copied();
        let (1, Some(place)) = (times, place) else {
            let lines = hunk.removed.join(" / ");
            return Err(Complaint::LinesNotOnce { lines, times }.at(file, hunk.line));
        };
        lines.splice(place..place + hunk.removed.len(), hunk.added.iter().copied());
    }
    let mut text = lines.join("\n");
    text.push('\n');
    Ok(text)
}

fn hunks<'t>(file: &str, section: &'t RawSection) -> Result<Vec<Hunk<'t>>, CorpusMistake> {
    let mut hunks: Vec<Hunk<'t>> = Vec::new();
    for (number, line) in section.numbered() {
        match (line.strip_prefix("- "), line.strip_prefix("+ ")) {
            (Some(removed), _) => {
                let fresh = hunks.last().is_none_or(|hunk| !hunk.added.is_empty());
                if fresh {
                    hunks.push(Hunk { line: number, ..Hunk::default() });
                }
                if let Some(hunk) = hunks.last_mut() {
                    hunk.removed.push(removed.trim());
                }
            }
            (None, Some(added)) => match hunks.last_mut() {
                Some(hunk) => hunk.added.push(added),
                None => return Err(Complaint::NoPlace.at(file, number)),
            },
            (None, None) => return Err(Complaint::NoChange { found: line.to_owned() }.at(file, number)),
        }
    }
    Ok(hunks)
}

/// Where these lines stand, whatever their indentation.
fn places(lines: &[&str], wanted: &[&str]) -> Vec<usize> {
    let windows = lines.windows(wanted.len()).enumerate();
    let same = |window: &[&str]| window.iter().zip(wanted).all(|(line, wanted)| line.trim() == *wanted);
    windows.filter(|(_, window)| same(window)).map(|(index, _)| index).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(changes: &'static str, expected: &str) {
        let before = ["<p>", "  One", "</p>", "<p>", "  Two", "</p>"];
        let section = RawSection {
            word: "changed".to_owned(),
            argument: "/x".to_owned(),
            line: 10,
            lines: changes.lines().collect(),
        };
        let actual = match apply("x.txt", &before, &section) {
            Ok(text) => text.trim_end().replace('\n', " "),
            Err(mistake) => mistake.to_string(),
        };
        assert_eq!(actual, expected);
    }

    #[test]
    fn lines_are_exchanged_where_they_stand() {
        check("- One\n+ Uno\n+ Due\n- Two\n- </p>\n+ Tre", "<p> Uno Due </p> <p> Tre");
    }

    #[test]
    fn lines_are_taken_away() {
        check("- One", "<p> </p> <p>   Two </p>");
    }

    #[test]
    fn a_place_must_be_clear() {
        let rule = "these lines must stand exactly once in the page before";
        check("- <p>", &format!("x.txt:11: {rule}, found 2 times: `<p>`"));
        check("- Three\n+ Four", &format!("x.txt:11: {rule}, found 0 times: `Three`"));
        check("+ Four", "x.txt:11: added lines need removed lines before them, to tell their place");
        check("Four", "x.txt:11: a line of a change begins with `- ` or `+ `, found `Four`");
    }
}
