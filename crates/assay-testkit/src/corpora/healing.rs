//! The healing corpus: a site before and after a change, and a test that passes before.
//!
//! Sections of a case:
//!
//! | section | holds |
//! |---|---|
//! | `test` | the test, which passes on the site before |
//! | `both PATH` | a page of both versions |
//! | `before PATH`, `after PATH` | a page of one version |
//! | `changed PATH` | the page after, as changes to the page before |
//! | `answers`, `answers after` | what the server answers; those `after` come first, and only then |
//! | `data` | what the server keeps at the beginning |
//! | `healed` | `sentence => other sentence`: what somebody would write for the page after. In a defect, what a healer does that takes the nearest thing |

use super::answers::{self, Rule};
use super::memory::Memory;
use super::mistake::{Complaint, CorpusMistake};
use super::pages::{self, Pages};
use super::sections::{self, RawCase};
use super::site::{CaseSite, SiteVersion};

const WORDS: &[&str] = &["test", "both", "before", "after", "changed", "answers", "data", "healed"];
const KNOWN_SECTIONS: &str = "test, both, before, after, changed, answers, data and healed";
const KNOWN_CLASSES: &str = "`cosmetic`, `defect blind`, `defect seen` and `defect worded`";

const FILES: &[(&str, &str)] = &[
    ("healing/accounts.txt", include_str!("../../corpora/healing/accounts.txt")),
    ("healing/bank.txt", include_str!("../../corpora/healing/bank.txt")),
    ("healing/calendar.txt", include_str!("../../corpora/healing/calendar.txt")),
    ("healing/chat.txt", include_str!("../../corpora/healing/chat.txt")),
    ("healing/clinic.txt", include_str!("../../corpora/healing/clinic.txt")),
    ("healing/helpdesk.txt", include_str!("../../corpora/healing/helpdesk.txt")),
    ("healing/library.txt", include_str!("../../corpora/healing/library.txt")),
    ("healing/newsroom.txt", include_str!("../../corpora/healing/newsroom.txt")),
    ("healing/office.txt", include_str!("../../corpora/healing/office.txt")),
    ("healing/school.txt", include_str!("../../corpora/healing/school.txt")),
    ("healing/shop.txt", include_str!("../../corpora/healing/shop.txt")),
    ("healing/travel.txt", include_str!("../../corpora/healing/travel.txt")),
];

/// Which of the two sites is served.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Variant {
    Before,
    After,
}

/// What the change is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Change {
    /// The same thing in another dress. The test must pass, and the server must get the same requests.
    Cosmetic,
    /// Something is broken or something else. The test must not pass by a healed step.
    Defect(Sight),
}

/// What the expectations of the test see of a defect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Sight {
    /// The words of a step fit nothing any more. Once the nearest thing is taken instead, all expectations hold.
    Blind,
    /// Whatever is done, an expectation does not hold or a step cannot be carried out.
    Seen,
    /// The words still fit, and the test passes without any healing: only the recorded effect tells the defect.
    Worded,
}

/// One case of the healing corpus.
#[derive(Debug)]
pub struct HealingCase {
    pub name: String,
    pub change: Change,
    pub why: String,
    /// The file of the corpus and the line of the heading.
    pub file: &'static str,
    pub line: usize,
    test: String,
    rewordings: Vec<(String, String)>,
    before: SiteVersion,
    after: SiteVersion,
}

impl HealingCase {
    /// The test, as YAML, with this address as its `base_url`.
    pub fn test_at(&self, base_url: &str) -> String {
        format!("base_url: {base_url}\n{}", self.test)
    }

    /// The test as it would be written for the site after; in a defect, as a careless healer would carry it
    /// out. None when the words need no change.
    pub fn healed_test_at(&self, base_url: &str) -> Option<String> {
        if self.rewordings.is_empty() {
            return None;
        }
        let mut test = self.test_at(base_url);
        for (old, new) in &self.rewordings {
            test = test.replacen(&format!("- {old}\n"), &format!("- {new}\n"), 1);
        }
        Some(test)
    }

    /// The steps that the change touches, as they are written in the test.
    pub fn touched_steps(&self) -> impl Iterator<Item = &str> {
        self.rewordings.iter().map(|(old, _)| old.as_str())
    }

    pub fn version(&self, variant: Variant) -> SiteVersion {
        match variant {
            Variant::Before => self.before.clone(),
            Variant::After => self.after.clone(),
        }
    }

    /// Serves one version on a free port. [`CaseSite::deploy`] puts the other in its place.
    pub fn serve(&self, variant: Variant) -> CaseSite {
        self.version(variant).serve()
    }
}

/// All cases, in the order of the files.
pub fn healing_cases() -> Result<Vec<HealingCase>, CorpusMistake> {
    sections::read(FILES, case)
}

fn case(raw: &RawCase) -> Result<HealingCase, CorpusMistake> {
    raw.only_known(WORDS, KNOWN_SECTIONS)?;
    let change = match raw.class.as_str() {
        "cosmetic" => Change::Cosmetic,
        "defect blind" => Change::Defect(Sight::Blind),
        "defect seen" => Change::Defect(Sight::Seen),
        "defect worded" => Change::Defect(Sight::Worded),
        other => {
            let complaint = Complaint::UnknownClass { found: other.to_owned(), known: KNOWN_CLASSES };
            return Err(raw.mistake(complaint));
        }
    };
    let test = raw.test()?;
    let rewordings = rewordings(raw, &test)?;
    let both = pages::whole(raw, "both")?;
    let mut after = pages::whole(raw, "after")?;
    after.extend(pages::changed(raw)?);
    let (before, after) = (joined(&both, pages::whole(raw, "before")?), joined(&both, after));
    if let Some(path) = before.keys().find(|path| !after.contains_key(*path)) {
        return Err(raw.mistake(Complaint::OneSided { case: raw.name.clone(), path: path.clone() }));
    }
    let data = raw.section("data", "")?.map(|section| Memory::parse(raw.file, section)).transpose()?;
    let data = data.unwrap_or_default();
    let rules = rules(raw, "")?;
    let mut rules_after = self::rules(raw, "after")?;
    rules_after.extend(rules.iter().cloned());
    Ok(HealingCase {
        name: raw.name.clone(),
        change,
        why: raw.why.clone(),
        file: raw.file,
        line: raw.line,
        test,
        rewordings,
        before: version(raw, before, rules, &data)?,
        after: version(raw, after, rules_after, &data)?,
    })
}

fn joined(both: &Pages, own: Pages) -> Pages {
    let mut pages = both.clone();
    pages.extend(own);
    pages
}

fn rules(raw: &RawCase, argument: &str) -> Result<Vec<Rule>, CorpusMistake> {
    let section = raw.section("answers", argument)?;
    Ok(section.map(|section| answers::parse(raw.file, section)).transpose()?.unwrap_or_default())
}

/// Puts a version together, and refuses an answer that shows a page which is not there.
pub(super) fn version(
    raw: &RawCase,
    pages: Pages,
    rules: Vec<Rule>,
    data: &Memory,
) -> Result<SiteVersion, CorpusMistake> {
    match rules.iter().filter_map(Rule::page).find(|path| !pages.contains_key(*path)) {
        Some(path) => Err(raw.mistake(Complaint::NoSuchPage { path: path.to_owned() })),
        None => Ok(SiteVersion::new(pages, rules, data.clone())),
    }
}

fn rewordings(raw: &RawCase, test: &str) -> Result<Vec<(String, String)>, CorpusMistake> {
    let Some(section) = raw.section("healed", "")? else { return Ok(Vec::new()) };
    let pairs = section.numbered().map(|(number, line)| {
        let no_rewording = || Complaint::NoRewording { found: line.to_owned() }.at(raw.file, number);
        let (old, new) = line.split_once(" => ").ok_or_else(no_rewording)?;
        match test.matches(&format!("- {old}\n")).count() {
            1 => Ok((old.to_owned(), new.to_owned())),
            times => Err(Complaint::StepNotOnce { step: old.to_owned(), times }.at(raw.file, number)),
        }
    });
    pairs.collect()
}

#[cfg(test)]
#[path = "healing_tests.rs"]
mod tests;
