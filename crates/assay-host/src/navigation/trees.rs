//! The tree files of a project: `navigation/*.yaml` below its folder.

use std::path::{Path, PathBuf};

use assay_protocol::{ErrorCode, Failure};
use assay_suite::{Problem, TREE_FOLDER, TreeFile};

use crate::state::StateFolder;

/// A tree with the name by which commands know it.
#[derive(Debug, Clone)]
pub struct LoadedTree {
    pub name: String,
    pub file: TreeFile,
}

/// Where the trees of a project are.
#[derive(Debug, Clone)]
pub struct ProjectTrees {
    pub root: PathBuf,
    here: PathBuf,
}

impl ProjectTrees {
    /// The trees of the project around `here`.
    pub fn around(state: &StateFolder, here: &Path) -> Result<ProjectTrees, Failure> {
        Ok(ProjectTrees { root: state.project_around(here)?, here: here.to_path_buf() })
    }

    pub fn at(root: &Path, here: &Path) -> ProjectTrees {
        ProjectTrees { root: root.to_path_buf(), here: here.to_path_buf() }
    }

    pub fn path_of(&self, name: &str) -> PathBuf {
        self.root.join(TREE_FOLDER).join(format!("{name}.yaml"))
    }

    /// The files, by name.
    pub fn files(&self) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(self.root.join(TREE_FOLDER)).into_iter().flatten().flatten();
        let mut files: Vec<PathBuf> = entries
            .map(|entry| entry.path())
            .filter(|path| {
                let is_yaml = path.extension().is_some_and(|ending| ending == "yaml" || ending == "yml");
                let is_hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
                is_yaml && !is_hidden && path.is_file()
            })
            .collect();
        files.sort();
        files
    }

    pub fn names(&self) -> Vec<String> {
        let stem = |path: &PathBuf| path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        self.files().iter().filter_map(stem).collect()
    }

    /// All trees that can be read, and the mistakes in the others.
    pub fn load_all(&self) -> (Vec<LoadedTree>, Vec<Problem>) {
        let (mut trees, mut problems) = (Vec::new(), Vec::new());
        for path in self.files() {
            match TreeFile::load(&path, &self.here) {
                Ok(file) => trees.push(LoadedTree { name: file.name(), file }),
                Err(found) => problems.extend(found),
            }
        }
        (trees, problems)
    }

    /// The tree of this name, or a file; without a name the only one.
    pub fn load(&self, name: Option<&str>) -> Result<LoadedTree, Failure> {
        let path = match name {
            Some(name) if name.contains('/') || name.ends_with(".yaml") || name.ends_with(".yml") => {
                let path = self.here.join(name);
                if !path.exists() {
                    return Err(Failure::new(ErrorCode::Usage, format!("there is no tree file {name}")));
                }
                path
            }
            Some(name) => self.named(name)?,
            None => self.only()?,
        };
        let file = TreeFile::load(&path, &self.here).map_err(|problems| problem_failure(&problems))?;
        Ok(LoadedTree { name: file.name(), file })
    }

    fn named(&self, name: &str) -> Result<PathBuf, Failure> {
        let is_it = |path: &PathBuf| path.file_stem().is_some_and(|stem| stem.to_string_lossy() == name);
        self.files().into_iter().find(is_it).ok_or_else(|| {
            let names = self.names();
            let known = if names.is_empty() { "none".to_string() } else { names.join(", ") };
            Failure::new(ErrorCode::Usage, format!("no tree is called `{name}`; there are: {known}"))
        })
    }

    fn only(&self) -> Result<PathBuf, Failure> {
        let files = self.files();
        match files.as_slice() {
            [only] => Ok(only.clone()),
            [] => Err(Failure::new(
                ErrorCode::Usage,
                format!("the project {} has no navigation tree yet", self.root.display()),
            )
            .hint("assay explore http://127.0.0.1:8080/ makes one")),
            _ => Err(Failure::new(
                ErrorCode::Usage,
                format!("expected --tree with one of {}, found none", self.names().join(", ")),
            )),
        }
    }
}

/// All mistakes of a file as one failure.
pub(super) fn problem_failure(problems: &[Problem]) -> Failure {
    let words: Vec<String> = problems.iter().map(problem_words).collect();
    Failure::new(ErrorCode::Usage, words.join("\n"))
}

/// A mistake with its place and its hint.
pub fn problem_words(problem: &Problem) -> String {
    let mut words = problem.to_string().trim_end().to_string();
    if words.starts_with("error: ") {
        words = words["error: ".len()..].to_string();
    }
    words
}
