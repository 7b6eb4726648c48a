//! The folder `requirements` of a project.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use assay_protocol::Requirement;

use super::read::read_requirements;
use crate::files::{self, Root};
use crate::mistake::Mistake;
use crate::nearest::nearest;
use crate::problem::{Problem, Problems};

pub(crate) const FOLDER: &str = "requirements";

/// The requirements of a project.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ProjectRequirements {
    /// In the order of their files; None without the folder.
    pub on_file: Option<Vec<RequirementOnFile>>,
    pub problems: Vec<Problem>,
}

/// A requirement and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct RequirementOnFile {
    pub requirement: Requirement,
    /// As it is shown.
    pub file: PathBuf,
    /// Its real path.
    pub path: PathBuf,
    pub line: usize,
}

impl ProjectRequirements {
    /// Those of several suites together.
    pub(crate) fn all_of(parts: Vec<ProjectRequirements>) -> ProjectRequirements {
        let mut all = ProjectRequirements::default();
        for part in parts {
            all.on_file = match (all.on_file, part.on_file) {
                (Some(known), Some(more)) => Some([known, more].concat()),
                (one, other) => one.or(other),
            };
            all.problems.extend(part.problems);
        }
        all
    }

    pub fn find(&self, code: &str) -> Option<&RequirementOnFile> {
        self.on_file.as_ref()?.iter().find(|known| known.requirement.code == code)
    }

    /// The code that was probably meant.
    pub fn nearest(&self, code: &str) -> Option<String> {
        let known = self.on_file.iter().flatten().map(|known| known.requirement.code.as_str());
        nearest(code, known)
    }
}

/// The codes that tests may refer to, with their names.
#[derive(Debug, Default)]
pub(crate) struct RequirementCodes {
    names: BTreeMap<String, String>,
    /// Whether a code that is not here is a mistake: not without the folder, and not where a file of it cannot be read.
    is_whole: bool,
}

impl RequirementCodes {
    pub fn of(requirements: &ProjectRequirements) -> RequirementCodes {
        let known = requirements.on_file.iter().flatten();
        RequirementCodes {
            names: known.map(|one| (one.requirement.code.clone(), one.requirement.name.clone())).collect(),
            is_whole: requirements.on_file.is_some() && requirements.problems.is_empty(),
        }
    }

    pub fn name(&self, code: &str) -> Option<&String> {
        self.names.get(code)
    }

    /// None for a code that is fine, or that cannot be judged.
    pub fn mistake(&self, code: &str) -> Option<Mistake> {
        (self.is_whole && !self.names.contains_key(code)).then(|| Mistake::UnknownRequirement {
            code: code.to_string(),
            nearest: nearest(code, self.names.keys().map(String::as_str)),
        })
    }
}

/// The requirements of the project around `folder`, without its tests.
pub fn project_requirements(folder: &Path, home: Option<&Path>) -> ProjectRequirements {
    let here = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_path_buf());
    read_folder(&Root::of(&here, home), Some(&here))
}

pub(crate) fn read_folder(root: &Root, here: Option<&Path>) -> ProjectRequirements {
    let folder = root.folder.join(FOLDER);
    if !folder.is_dir() {
        return ProjectRequirements::default();
    }
    let mut problems = Vec::new();
    let paths = files::yaml_files(&folder, root, here, &mut problems);
    let mut found = Problems::default();
    let mut all: Vec<RequirementOnFile> = Vec::new();
    for path in paths {
        let source = match files::read(&path, files::shown(&path, here)) {
            Ok(source) => source,
            Err(problem) => {
                found.push(*problem);
                continue;
            }
        };
        for draft in read_requirements(&source, &mut found) {
            match all.iter().find(|known| known.requirement.code == draft.requirement.code) {
                Some(first) => {
                    let mistake = Mistake::DuplicateRequirement {
                        code: draft.requirement.code,
                        first: format!("{}:{}", first.file.display(), first.line),
                    };
                    found.push(Problem::in_text(&draft.code, mistake));
                }
                None => all.push(RequirementOnFile {
                    requirement: draft.requirement,
                    file: source.shown.clone(),
                    path: source.path.clone(),
                    line: draft.code.span.position.line,
                }),
            }
        }
    }
    problems.extend(found.into_vec());
    ProjectRequirements { on_file: Some(all), problems }
}
