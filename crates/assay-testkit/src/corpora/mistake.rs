//! What can be wrong in the text of a corpus, with the place.

use thiserror::Error;

/// One mistake in a file of a corpus.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{file}:{line}: {complaint}")]
pub struct CorpusMistake {
    pub file: String,
    /// From 1.
    pub line: usize,
    pub complaint: Complaint,
}

/// What is wrong there.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Complaint {
    #[error("expected `=== name | class | why`, found `{found}`")]
    NoHeading { found: String },
    #[error("a name has small letters, digits and hyphens, found `{name}`")]
    OddName { name: String },
    #[error("the class is one of {known}, found `{found}`")]
    UnknownClass { found: String, known: &'static str },
    #[error("text before the first `--- section` of the case")]
    StrayText,
    #[error("there is no section `{section}`; known are {known}")]
    UnknownSection { section: String, known: &'static str },
    #[error("the section `{section}` is there twice")]
    Repeated { section: String },
    #[error("`{case}` has no section `{section}`")]
    Missing { case: String, section: &'static str },
    #[error("expected a path that begins with `/`, found `{found}`")]
    NoPath { found: String },
    #[error("the page {path} stands in `{case}`, and the other version of the site lacks it")]
    OneSided { case: String, path: String },
    #[error("nothing to change: there is no page `before {path}`")]
    NothingToChange { path: String },
    #[error("a line of a change begins with `- ` or `+ `, found `{found}`")]
    NoChange { found: String },
    #[error("added lines need removed lines before them, to tell their place")]
    NoPlace,
    #[error("these lines must stand exactly once in the page before, found {times} times: `{lines}`")]
    LinesNotOnce { lines: String, times: usize },
    #[error("expected `METHOD /path [when a=b & c] -> [effect; …] reply`, found `{found}`")]
    NoRule { found: String },
    #[error("a reply is redirect, page, html, text, json or empty, found `{found}`")]
    UnknownReply { found: String },
    #[error("`{status}` is not a status of HTTP")]
    OddStatus { status: String },
    #[error("an effect is `set`, `add` or `remove` with `name=value`, found `{found}`")]
    NoEffect { found: String },
    #[error("the reply shows the page {path}, which is not there")]
    NoSuchPage { path: String },
    #[error("`[[` without `]]` in `{text}`")]
    OpenMark { text: String },
    #[error("`[[{mark}]]` has no `[[end]]`")]
    NoEnd { mark: String },
    #[error("`[[end]]` ends nothing")]
    LoneEnd,
    #[error("expected `name: value`, found `{found}`")]
    NoValue { found: String },
    #[error("expected `sentence => other sentence`, found `{found}`")]
    NoRewording { found: String },
    #[error("this step must stand exactly once in the test, found {times} times: `{step}`")]
    StepNotOnce { step: String, times: usize },
    #[error(
        "expected `POST /path fails`, `\"name\" is deaf`, or for what is harmless `POST /path`, found `{found}`"
    )]
    NoFault { found: String },
    #[error("a test begins with `test:` and has `steps:`")]
    NoTest,
    #[error("`: ` and ` #` mean something to YAML, found in `{sentence}`")]
    YamlSign { sentence: String },
    #[error("the name `{name}` is taken by another case")]
    NameTaken { name: String },
}

impl Complaint {
    pub(super) fn at(self, file: &str, line: usize) -> CorpusMistake {
        CorpusMistake { file: file.to_owned(), line, complaint: self }
    }
}
