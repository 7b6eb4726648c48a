//! Test files in the folder of a project: read with a version, written only where nobody else has changed them.
//!
//! For tools and for services. Knows paths, versions and drafts; whether a text can be read as tests, a command says.

use std::io::Write;
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use assay_protocol::Failure;
use serde_json::Value;

use crate::call::CallSpec;
use crate::outputs::{SavedFile, TestFile};
use crate::program::{CommandRun, Program};

/// Why a file was not read or written. Nothing was changed.
#[derive(Debug, thiserror::Error)]
pub enum TestFileTrouble {
    #[error("`{path}` {why}")]
    NotATestFile { path: String, why: &'static str },
    #[error("could not read {path}: {source}")]
    Unreadable { path: String, source: std::io::Error },
    #[error("{path} was changed since: it is version {found}; load it again")]
    Changed { path: String, found: String },
    #[error("{path} was changed meanwhile; load it again")]
    ChangedMeanwhile { path: String },
    #[error("{path} exists; load it, and give its version to replace it")]
    Exists { path: String },
    #[error("{path} is gone; leave the version out to write it anew")]
    Gone { path: String },
    /// The text cannot be read as tests.
    #[error("{}", .said.trim())]
    Mistaken { said: String },
    #[error("could not write {file}: {source}")]
    Unwritable { file: String, source: std::io::Error },
    /// The command that reads the text could not be run.
    #[error("{}", .0.to_text())]
    Command(Box<Failure>),
}

impl TestFileTrouble {
    /// Whether there is no such file.
    pub fn is_absence(&self) -> bool {
        matches!(self, TestFileTrouble::Unreadable { source, .. } if source.kind() == std::io::ErrorKind::NotFound)
    }
}

pub fn load_test_file(folder: &Path, path: &str) -> Result<TestFile, TestFileTrouble> {
    let file = test_file_in(folder, path)?;
    match std::fs::read_to_string(&file) {
        Ok(text) => Ok(TestFile { version: test_version(&text), path: path.to_string(), text }),
        Err(source) => Err(TestFileTrouble::Unreadable { path: path.to_string(), source }),
    }
}

/// Writes a whole file after checking that it can be read. `version` is that of the file it replaces.
pub fn save_test_file(
    program: &dyn Program,
    spec: &CallSpec<'_>,
    path: &str,
    text: &str,
    version: Option<&str>,
) -> Result<SavedFile, TestFileTrouble> {
    let file = test_file_in(&program.folder(), path)?;
    let named = || path.to_string();
    let found = match std::fs::read_to_string(&file) {
        Ok(text) => Some(test_version(&text)),
        Err(err) if err.kind() == std::io::ErrorKind::NotFound => None,
        Err(source) => return Err(TestFileTrouble::Unreadable { path: named(), source }),
    };
    match (found.as_deref(), version) {
        (Some(found), Some(known)) if found != known => {
            return Err(TestFileTrouble::Changed { path: named(), found: found.to_string() });
        }
        (Some(_), None) => return Err(TestFileTrouble::Exists { path: named() }),
        (None, Some(_)) => return Err(TestFileTrouble::Gone { path: named() }),
        _ => {}
    }
    let draft = Draft::write(&file, text)?;
    let run = draft.check(program, spec)?;
    // 3: a sentence is not understood; the file is one all the same.
    if !matches!(run.exit_code, 0 | 3) {
        return Err(TestFileTrouble::Mistaken { said: draft.said_of_file(&run.talk, &file) });
    }
    put_in_place(&draft.path, &file, found.as_deref())?;
    let is_understood = run.exit_code == 0;
    Ok(SavedFile { version: test_version(text), path: named(), is_understood })
}

/// What the sentences of a text mean, if it were the file at `path`. Nothing of it stays.
pub fn check_test_text(
    program: &dyn Program,
    spec: &CallSpec<'_>,
    path: &str,
    text: &str,
) -> Result<Value, TestFileTrouble> {
    let file = test_file_in(&program.folder(), path)?;
    // A folder that is not there yet is not made for a look.
    let beside = file.ancestors().skip(1).find(|folder| folder.is_dir()).unwrap_or(Path::new("/"));
    let file = beside.join(name_of(&file));
    let draft = Draft::write(&file, text)?;
    let run = draft.check(program, spec)?;
    let mistaken = || TestFileTrouble::Mistaken { said: draft.said_of_file(&run.talk, &file) };
    if !matches!(run.exit_code, 0 | 3) {
        return Err(mistaken());
    }
    let printed: Value =
        serde_json::from_str(&draft.said_of_file(run.data.trim(), &file)).map_err(|_| mistaken())?;
    Ok(printed["data"].clone())
}

/// A text beside the file that it may become, for whoever reads it as a test. Nothing of it stays.
pub fn draft_of(folder: &Path, path: &str, text: &str) -> Result<Draft, TestFileTrouble> {
    let file = test_file_in(folder, path)?;
    let beside = file.ancestors().skip(1).find(|folder| folder.is_dir()).unwrap_or(Path::new("/"));
    Draft::write(&beside.join(name_of(&file)), text)
}

/// A text beside the file that it may become. Hidden, so that no run takes it for a test; removed when it is dropped.
pub struct Draft {
    path: PathBuf,
    /// The file that it may become.
    target: PathBuf,
}

impl Draft {
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The file that it may become.
    pub fn target(&self) -> &Path {
        &self.target
    }

    fn write(file: &Path, text: &str) -> Result<Draft, TestFileTrouble> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        sweep_drafts(file);
        let draft = Draft {
            target: file.to_path_buf(),
            path: file.with_file_name(format!(".{}.{}-{number}.yaml", name_of(file), std::process::id())),
        };
        match write_whole(&draft.path, text) {
            Ok(()) => Ok(draft),
            Err(source) => {
                Err(TestFileTrouble::Unwritable { file: draft.path.display().to_string(), source })
            }
        }
    }

    fn check(&self, program: &dyn Program, spec: &CallSpec<'_>) -> Result<CommandRun, TestFileTrouble> {
        let words = ["run", "--dry-run", "--json", "--"].map(str::to_string).to_vec();
        let words = [words, vec![self.path.display().to_string()]].concat();
        program.run_command(spec, &words).map_err(|failure| TestFileTrouble::Command(Box::new(failure)))
    }

    /// What was said of the draft, as if it were the file; also where a test is called by its file.
    fn said_of_file(&self, said: &str, file: &Path) -> String {
        let id =
            |path: &Path| path.file_stem().unwrap_or_default().to_string_lossy().replace(['.', '-'], "_");
        let (draft, own) = (id(&self.path), id(file));
        said.replace(&name_of(&self.path), &name_of(file)).replace(draft.trim_start_matches('_'), &own)
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        // It may be the file by now; one that cannot be removed is hidden.
        let _gone = std::fs::remove_file(&self.path);
    }
}

/// Removes drafts that a process left when it was killed.
fn sweep_drafts(file: &Path) {
    let entries = file.parent().and_then(|folder| std::fs::read_dir(folder).ok());
    let stem = format!(".{}.", name_of(file));
    for entry in entries.into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let pid = name.strip_prefix(&stem).and_then(|rest| rest.split('-').next()?.parse::<u32>().ok());
        if pid.is_some_and(|pid| !Path::new(&format!("/proc/{pid}")).exists()) {
            // Somebody else may have been quicker.
            let _gone = std::fs::remove_file(entry.path());
        }
    }
}

/// The draft becomes the file, unless others have changed that meanwhile: a new file by a link, which refuses one that
/// exists.
fn put_in_place(draft: &Path, file: &Path, known: Option<&str>) -> Result<(), TestFileTrouble> {
    let changed = || TestFileTrouble::ChangedMeanwhile { path: name_of(file) };
    let unwritable = |source| TestFileTrouble::Unwritable { file: name_of(file), source };
    match known {
        None => {
            std::fs::hard_link(draft, file).map_err(|_| changed())?;
            std::fs::remove_file(draft).map_err(unwritable)
        }
        Some(known) => match std::fs::read_to_string(file) {
            Ok(text) if test_version(&text) == known => std::fs::rename(draft, file).map_err(unwritable),
            _ => Err(changed()),
        },
    }
}

fn name_of(file: &Path) -> String {
    file.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn write_whole(file: &Path, text: &str) -> std::io::Result<()> {
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let mut out = std::fs::File::create(file)?;
    out.write_all(text.as_bytes())?;
    out.sync_all()
}

/// The file that a path of the caller means: a YAML file in the folder, with no way out of it.
pub fn test_file_in(folder: &Path, path: &str) -> Result<PathBuf, TestFileTrouble> {
    let refused = |why| TestFileTrouble::NotATestFile { path: path.to_string(), why };
    let relative = Path::new(path);
    if !relative.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir)) {
        return Err(refused("is not a path inside the project"));
    }
    let is_yaml = relative.extension().is_some_and(|extension| extension == "yaml" || extension == "yml");
    let is_settings = relative.file_stem().is_some_and(|stem| stem == "assay");
    if !is_yaml || is_settings || path.ends_with(".lock.yaml") {
        return Err(refused("is not a test file: expected a name that ends with .yaml"));
    }
    let is_hidden = |part: Component<'_>| {
        part.as_os_str().to_string_lossy().starts_with('.') && part != Component::CurDir
    };
    if relative.components().any(is_hidden) {
        return Err(refused("is hidden, so it is no file of the project"));
    }
    // A link may lead out: what exists of the path is followed before anything is read.
    let file = folder.join(relative);
    let existing = file.ancestors().find(|part| part.exists()).unwrap_or(folder);
    match (existing.canonicalize(), folder.canonicalize()) {
        (Ok(real), Ok(root)) if real.starts_with(&root) => Ok(file),
        _ => Err(refused("leads out of the project")),
    }
}

/// Sixteen digits that change with every letter.
pub fn test_version(text: &str) -> String {
    let digest = ring::digest::digest(&ring::digest::SHA256, text.as_bytes());
    digest.as_ref()[..8].iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(path: &str, expected: Option<&str>) {
        let folder = std::env::temp_dir();
        let refused = test_file_in(&folder, path).err().map(|trouble| trouble.to_string());
        assert_eq!(refused.as_deref(), expected);
    }

    #[test]
    fn only_test_files_of_the_project_are_touched() {
        check("tests/login.yaml", None);
        check("./login.yml", None);
        check("../login.yaml", Some("`../login.yaml` is not a path inside the project"));
        check("/etc/login.yaml", Some("`/etc/login.yaml` is not a path inside the project"));
        check(
            "tests/login.txt",
            Some("`tests/login.txt` is not a test file: expected a name that ends with .yaml"),
        );
        check("a.lock.yaml", Some("`a.lock.yaml` is not a test file: expected a name that ends with .yaml"));
        check(".github/ci.yaml", Some("`.github/ci.yaml` is hidden, so it is no file of the project"));
    }

    #[test]
    fn a_link_out_of_the_project_is_refused() {
        let folder = std::env::temp_dir().join(format!("assay-tools-links-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let link = folder.join("out");
        std::os::unix::fs::symlink("/etc", &link).unwrap();
        let trouble = test_file_in(&folder, "out/x.yaml").unwrap_err().to_string();
        assert_eq!(trouble, "`out/x.yaml` leads out of the project");
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
