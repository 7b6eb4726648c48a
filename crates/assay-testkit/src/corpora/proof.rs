//! The proof corpus: tests that are green on a healthy site, some of which would be green on a broken one.
//!
//! Sections of a case: `test`, `page PATH`, `answers` and `data` as in the healing corpus; for a hollow test
//! `misses`, a line for each fault that it does not see: `POST /save fails` or `"Save" is deaf`; and for a
//! sound one `harmless`, a line `POST /track` for each request whose failure is nobody's business.

use std::fmt;

use super::answers;
use super::healing::version;
use super::memory::Memory;
use super::mistake::{Complaint, CorpusMistake};
use super::pages;
use super::sections::{self, RawCase, RawSection};
use super::site::{CaseSite, SiteVersion};

const WORDS: &[&str] = &["test", "page", "answers", "data", "misses", "harmless"];
const KNOWN_SECTIONS: &str = "test, page, answers, data, misses and harmless";

const FILES: &[(&str, &str)] = &[
    ("proof/beside-the-point.txt", include_str!("../../corpora/proof/beside-the-point.txt")),
    ("proof/noise.txt", include_str!("../../corpora/proof/noise.txt")),
    ("proof/optimistic.txt", include_str!("../../corpora/proof/optimistic.txt")),
    ("proof/told-by-the-server.txt", include_str!("../../corpora/proof/told-by-the-server.txt")),
];

/// What a test is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Strength {
    /// It stays green under at least one fault that it should tell.
    Hollow,
    /// Every fault that concerns it turns it red.
    Sound,
}

/// A fault that a hollow test does not see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Missed {
    /// The request fails or is dropped.
    Request { method: String, path: String },
    /// The control of this name does not hear its click.
    Deaf { control: String },
}

impl fmt::Display for Missed {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Missed::Request { method, path } => write!(formatter, "{method} {path} fails"),
            Missed::Deaf { control } => write!(formatter, "\"{control}\" is deaf"),
        }
    }
}

/// One case of the proof corpus.
#[derive(Debug)]
pub struct ProofCase {
    pub name: String,
    pub strength: Strength,
    pub why: String,
    /// The file of the corpus and the line of the heading.
    pub file: &'static str,
    pub line: usize,
    /// What a hollow test does not see; empty for a sound one.
    pub misses: Vec<Missed>,
    /// Requests, as method and path, that a sound test need not see fail.
    pub harmless: Vec<(String, String)>,
    test: String,
    version: SiteVersion,
}

impl ProofCase {
    /// The test, as YAML, with this address as its `base_url`.
    pub fn test_at(&self, base_url: &str) -> String {
        format!("base_url: {base_url}\n{}", self.test)
    }

    pub fn version(&self) -> SiteVersion {
        self.version.clone()
    }

    /// Serves the healthy site on a free port.
    pub fn serve(&self) -> CaseSite {
        self.version().serve()
    }

    /// The site with a fault that the test is said to miss.
    pub fn version_with(&self, missed: &Missed) -> SiteVersion {
        match missed {
            Missed::Request { method, path } => self.version().with_failing_request(method, path),
            Missed::Deaf { control } => self.version().with_deaf_control(control),
        }
    }
}

/// All cases, in the order of the files.
pub fn proof_cases() -> Result<Vec<ProofCase>, CorpusMistake> {
    sections::read(FILES, case)
}

fn case(raw: &RawCase) -> Result<ProofCase, CorpusMistake> {
    raw.only_known(WORDS, KNOWN_SECTIONS)?;
    let strength = match raw.class.as_str() {
        "hollow" => Strength::Hollow,
        "sound" => Strength::Sound,
        other => {
            let complaint =
                Complaint::UnknownClass { found: other.to_owned(), known: "`hollow` and `sound`" };
            return Err(raw.mistake(complaint));
        }
    };
    let misses = lines(raw, "misses", missed)?;
    if misses.is_empty() && strength == Strength::Hollow {
        return Err(raw.mistake(Complaint::Missing { case: raw.name.clone(), section: "misses" }));
    }
    let rules = raw.section("answers", "")?.map(|section| answers::parse(raw.file, section)).transpose()?;
    let data = raw.section("data", "")?.map(|section| Memory::parse(raw.file, section)).transpose()?;
    Ok(ProofCase {
        name: raw.name.clone(),
        strength,
        why: raw.why.clone(),
        file: raw.file,
        line: raw.line,
        misses,
        harmless: lines(raw, "harmless", target)?,
        test: raw.test()?,
        version: version(
            raw,
            pages::whole(raw, "page")?,
            rules.unwrap_or_default(),
            &data.unwrap_or_default(),
        )?,
    })
}

/// Reads a section whose lines are all of one kind.
fn lines<T>(raw: &RawCase, word: &str, read: fn(&str) -> Option<T>) -> Result<Vec<T>, CorpusMistake> {
    let section: Option<&RawSection> = raw.section(word, "")?;
    let lines = section.into_iter().flat_map(RawSection::numbered);
    let all = lines.map(|(number, line)| {
        read(line).ok_or_else(|| Complaint::NoFault { found: line.to_owned() }.at(raw.file, number))
    });
    all.collect()
}

fn missed(line: &str) -> Option<Missed> {
    if let Some(request) = line.strip_suffix(" fails") {
        return target(request).map(|(method, path)| Missed::Request { method, path });
    }
    let control = line.strip_suffix("\" is deaf")?.strip_prefix('"')?;
    Some(Missed::Deaf { control: control.to_owned() })
}

fn target(text: &str) -> Option<(String, String)> {
    let (method, path) = text.split_once(' ')?;
    path.starts_with('/').then(|| (method.to_owned(), path.to_owned()))
}

#[cfg(test)]
#[path = "proof_tests.rs"]
mod tests;
