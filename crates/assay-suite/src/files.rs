//! All disk access: finds the project, walks its folders, reads files up to a limit, and follows no path out of the
//! suite.

use std::fs;
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use crate::glob;
use crate::mistake::Mistake;
use crate::problem::Problem;
use crate::search::folders_above;
use crate::source::Source;

const PROJECT_FILES: &[&str] = &["assay.yaml", "assay.yml"];
pub(crate) const MAX_SIZE: u64 = 1024 * 1024;
/// A larger suite is probably the wrong folder, such as the root of a disk.
const MAX_FILES: usize = 20_000;
const MAX_FOLDERS: usize = 64;

/// Folders of a project whose files are no tests, unless the project's patterns name them.
const SET_APART: &[&str] = &[crate::requirements::FOLDER, crate::scripts::FOLDER, crate::tree_file::FOLDER];

/// Folders that hold other people's files.
const SKIPPED: &[&str] = &["node_modules", "target"];

/// The folder of a suite, with every link in its path resolved. Nothing outside it is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Root {
    pub folder: PathBuf,
    /// The project file, when there is one.
    pub project: Option<PathBuf>,
}

impl Root {
    /// The suite that a path belongs to: the nearest folder above it that has a project file, as far up as
    /// [`folders_above`] looks. Without one, the folder itself, or that of the file. `path` has no links.
    pub fn of(path: &Path, home: Option<&Path>) -> Root {
        let folder = if path.is_dir() { path } else { path.parent().unwrap_or(path) };
        for above in folders_above(folder, home) {
            if let Some(project) = project_file(&above) {
                return Root { folder: above, project: Some(project) };
            }
        }
        Root { folder: folder.to_path_buf(), project: None }
    }

    /// A path that a file of the suite names, relative to that file. It has no links in it, and is inside.
    pub fn inside(&self, from: &Path, named: &str) -> Result<PathBuf, Mistake> {
        let leads_out = || Mistake::LeadsOut { path: named.to_string() };
        let lexical = normalize(&from.join(named)).ok_or_else(leads_out)?;
        if Path::new(named).is_absolute() || !lexical.starts_with(&self.folder) {
            return Err(leads_out());
        }
        match fs::canonicalize(&lexical) {
            Ok(real) if real.starts_with(&self.folder) => Ok(real),
            Ok(_) => Err(leads_out()),
            Err(_) => Err(Mistake::NoSuchFile { path: named.to_string() }),
        }
    }

    /// The path from the folder of the suite, with `/`.
    pub fn relative(&self, path: &Path) -> String {
        let path = path.strip_prefix(&self.folder).unwrap_or(path);
        path.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
    }
}

fn project_file(folder: &Path) -> Option<PathBuf> {
    PROJECT_FILES.iter().map(|name| folder.join(name)).find(|path| path.is_file())
}

/// `a/../b` is `b`. None when it goes above everything.
fn normalize(path: &Path) -> Option<PathBuf> {
    let mut normal = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                if !normal.pop() {
                    return None;
                }
            }
            Component::Prefix(_) | Component::RootDir | Component::Normal(_) => normal.push(component),
        }
    }
    Some(normal)
}

/// The displayed path: relative to `here` if it is below it.
pub(crate) fn shown(path: &Path, here: Option<&Path>) -> PathBuf {
    match here.and_then(|here| path.strip_prefix(here).ok()) {
        Some(relative) if !relative.as_os_str().is_empty() => relative.to_path_buf(),
        _ => path.to_path_buf(),
    }
}

/// Reads a whole file, up to the limit. Opens only regular files: a pipe would wait forever.
pub(crate) fn read(path: &Path, shown: PathBuf) -> Result<Arc<Source>, Box<Problem>> {
    read_up_to(path, shown, MAX_SIZE)
}

/// The same with another limit.
pub(crate) fn read_up_to(path: &Path, shown: PathBuf, limit: u64) -> Result<Arc<Source>, Box<Problem>> {
    let fail = |mistake| Box::new(Problem::of_file(shown.clone(), mistake));
    let unreadable = |error: io::Error| fail(Mistake::Unreadable { reason: error.to_string() });
    let metadata = fs::metadata(path).map_err(unreadable)?;
    if !metadata.is_file() {
        return Err(fail(Mistake::Unreadable { reason: "it is not a regular file".to_string() }));
    }
    if metadata.len() > limit {
        return Err(fail(Mistake::TooLarge { limit, found: metadata.len() }));
    }
    let mut bytes = Vec::new();
    let file = fs::File::open(path).map_err(unreadable)?;
    // It can have grown since it was measured.
    file.take(limit + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > limit {
        return Err(fail(Mistake::TooLarge { limit, found: bytes.len() as u64 }));
    }
    source(bytes, shown, path.to_path_buf())
}

fn source(bytes: Vec<u8>, shown: PathBuf, path: PathBuf) -> Result<Arc<Source>, Box<Problem>> {
    match String::from_utf8(bytes) {
        Ok(text) => {
            let text = text.strip_prefix('\u{feff}').map(str::to_string).unwrap_or(text);
            Ok(Arc::new(Source::new(shown, path, text)))
        }
        Err(error) => {
            let valid = error.utf8_error().valid_up_to();
            let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
            let source = Source::new(shown, path, text);
            Err(Box::new(Problem::at(&source, source.span(valid, valid + 1), Mistake::NotText)))
        }
    }
}

/// The YAML files of a folder and the folders in it, in order. Locks, hidden files and links out of the suite are not.
pub(crate) fn yaml_files(
    folder: &Path,
    root: &Root,
    here: Option<&Path>,
    problems: &mut Vec<Problem>,
) -> Vec<PathBuf> {
    test_files(folder, &FileChoice { root, tests: None, exclude: &[], here }, problems)
}

/// What a folder of a suite is asked for.
pub(crate) struct FileChoice<'a> {
    pub root: &'a Root,
    /// Patterns from the project file, relative to the suite. None is everything.
    pub tests: Option<&'a [String]>,
    pub exclude: &'a [String],
    pub here: Option<&'a Path>,
}

/// The files of a folder that are tests by their name, in order. Lock files, the project file, hidden files and
/// folders are not.
pub(crate) fn test_files(
    folder: &Path,
    choice: &FileChoice<'_>,
    problems: &mut Vec<Problem>,
) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let _ = walk(folder, 0, choice, &mut files, problems);
    files.sort();
    files
}

fn walk(
    folder: &Path,
    depth: usize,
    choice: &FileChoice<'_>,
    files: &mut Vec<PathBuf>,
    problems: &mut Vec<Problem>,
) -> ControlFlow<()> {
    let mut fail = |path: &Path, mistake| {
        problems.push(Problem::of_file(shown(path, choice.here), mistake));
        ControlFlow::Continue(())
    };
    if depth > MAX_FOLDERS {
        return fail(folder, Mistake::TooDeep { limit: MAX_FOLDERS });
    }
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) => return fail(folder, Mistake::Unreadable { reason: error.to_string() }),
    };
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    for path in paths {
        let Some(name) = path.file_name().map(|name| name.to_string_lossy().into_owned()) else { continue };
        let relative = choice.root.relative(&path);
        if name.starts_with('.') || choice.exclude.iter().any(|pattern| glob::matches(pattern, &relative)) {
            continue;
        }
        let Ok(real) = fs::canonicalize(&path) else { continue };
        let is_link = fs::symlink_metadata(&path).is_ok_and(|metadata| metadata.is_symlink());
        if real.is_dir() {
            if choice.tests.is_none() && SET_APART.contains(&relative.as_str()) {
                continue;
            }
            if is_link && !real.starts_with(&choice.root.folder) {
                problems
                    .push(Problem::of_file(shown(&path, choice.here), Mistake::LeadsOut { path: relative }));
            } else if !is_link && !SKIPPED.contains(&name.as_str()) && project_file(&real).is_none() {
                // A link to a folder inside is not followed: what it leads to is met anyway. A folder with a project
                // file of its own is another suite.
                walk(&path, depth + 1, choice, files, problems)?;
            }
            continue;
        }
        let is_chosen =
            choice.tests.is_none_or(|patterns| patterns.iter().any(|p| glob::matches(p, &relative)));
        if !is_test_name(&name) || !is_chosen {
            continue;
        }
        if !real.starts_with(&choice.root.folder) {
            problems.push(Problem::of_file(shown(&path, choice.here), Mistake::LeadsOut { path: relative }));
            continue;
        }
        if files.len() == MAX_FILES {
            let mistake = Mistake::TooManyFiles { limit: MAX_FILES };
            problems.push(Problem::of_file(shown(folder, choice.here), mistake));
            return ControlFlow::Break(());
        }
        files.push(path);
    }
    ControlFlow::Continue(())
}

fn is_test_name(name: &str) -> bool {
    let Some((stem, extension)) = name.rsplit_once('.') else { return false };
    matches!(extension, "yaml" | "yml") && !stem.ends_with(".lock") && !PROJECT_FILES.contains(&name)
}
