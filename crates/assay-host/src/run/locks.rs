//! The lock files of a run: read before it, and on request written after it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use assay_protocol::{ErrorCode, Failure, LockedEntry, LockedTest, TestLine};
use assay_runner::Plan;
use assay_suite::{LockFile, TestCase, lock_beside};

/// How a run uses lock files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LockMode {
    /// They are read, and never written.
    Read,
    /// Passing tests are written into them.
    Write,
    /// They are ignored, and every step is worked out again.
    Ignore,
}

pub struct Locks {
    mode: LockMode,
    /// Files are named as seen from here.
    folder: PathBuf,
    /// The file that the test file is a draft of.
    draft_of: Option<PathBuf>,
    files: BTreeMap<PathBuf, Known>,
    /// Where the lock of each test of the run is: its file, and its name there.
    places: BTreeMap<String, (PathBuf, String)>,
}

/// A lock file, and the tests that its test file has now.
struct Known {
    /// Or why it cannot be read.
    file: Result<LockFile, String>,
    tests: BTreeSet<String>,
}

impl Locks {
    pub fn new(mode: LockMode, folder: &Path) -> Locks {
        Locks {
            mode,
            folder: folder.to_path_buf(),
            draft_of: None,
            files: BTreeMap::new(),
            places: BTreeMap::new(),
        }
    }

    /// The same for a draft of a file, where there is one.
    #[must_use]
    pub fn of_draft(self, draft_of: Option<PathBuf>) -> Locks {
        Locks { draft_of, ..self }
    }

    /// The plan with its lock.
    pub fn give(&mut self, test: &TestCase, mut plan: Plan) -> Plan {
        if self.mode == LockMode::Ignore {
            return plan;
        }
        let (path, name) = match &self.draft_of {
            Some(file) => (lock_beside(file), test.id_in(file)),
            None => (test.lock_path(), test.id.clone()),
        };
        let known = self.files.entry(path.clone()).or_insert_with(|| Known {
            file: LockFile::load(&path, &self.folder).map_err(|problem| problem.to_string()),
            tests: BTreeSet::new(),
        });
        known.tests.insert(name.clone());
        match &known.file {
            Ok(file) => plan.lock = file.tests.get(&name).cloned(),
            Err(problem) => plan.notes.push(format!("nothing is replayed: {problem}")),
        }
        self.places.insert(plan.line.id.clone(), (path, name));
        plan
    }

    /// Why files cannot be read, each once: nothing of them is replayed.
    pub fn unreadable(&self) -> impl Iterator<Item = &str> {
        self.files.values().filter_map(|known| known.file.as_ref().err()).map(String::as_str)
    }

    /// Writes the entries of passed tests, and returns what it wrote. It does not replace an unreadable file, because the
    /// user may want to repair it.
    pub fn write(mut self, resolved: BTreeMap<String, LockedTest>) -> Result<Vec<String>, Failure> {
        if self.mode != LockMode::Write {
            return Ok(Vec::new());
        }
        let mut touched = BTreeSet::new();
        for (test, locked) in resolved {
            let Some((path, name)) = self.places.get(&test) else { continue };
            let Some(Known { file: Ok(file), .. }) = self.files.get_mut(path) else { continue };
            if locked.entries.is_empty() {
                file.tests.remove(name);
            } else {
                let mut locked = locked;
                // What was recorded is right by now; what else was refused stays so.
                let is_recorded = |refused: &LockedEntry| {
                    locked.entries.iter().any(|entry| entry.is_replacement_like(refused))
                };
                let known = file.tests.get(name).map(|known| known.refused.clone()).unwrap_or_default();
                locked.refused = known.into_iter().filter(|refused| !is_recorded(refused)).collect();
                file.tests.insert(name.clone(), locked);
            }
            touched.insert(path.clone());
        }
        let mut told = Vec::new();
        let (mut files, mut tests, mut unchanged) = (Vec::new(), 0, 0);
        for (path, known) in &mut self.files {
            match &mut known.file {
                Err(problem) => told.push(format!("not locked: {problem}")),
                Ok(file) if touched.contains(path) => {
                    file.tests.retain(|test, _| known.tests.contains(test));
                    let saved = file.save(path).map_err(|err| {
                        Failure::new(
                            ErrorCode::Io,
                            format!("could not write {}: {err}", shown(path, &self.folder)),
                        )
                    })?;
                    if saved {
                        tests += file.tests.len();
                        files.push(shown(path, &self.folder));
                    } else {
                        unchanged += 1;
                    }
                }
                Ok(_) => {}
            }
        }
        let tests = if tests == 1 { "1 test".to_string() } else { format!("{tests} tests") };
        match files.as_slice() {
            [] => {}
            [file] => told.push(format!("locked {tests} in {file}")),
            files => told.push(format!("locked {tests} in {} lock files", files.len())),
        }
        match unchanged {
            0 => {}
            1 => told.push("1 lock file is unchanged".to_string()),
            number => told.push(format!("{number} lock files are unchanged")),
        }
        Ok(told)
    }
}

fn shown(path: &Path, folder: &Path) -> String {
    path.strip_prefix(folder).unwrap_or(path).display().to_string()
}

/// Where the lock of a test on record is: its file, seen from the folder the run was started in, and its name there.
pub(crate) fn lock_of(line: &TestLine, folder: &Path) -> (PathBuf, String) {
    let path = folder.join(&line.file).with_extension("lock.yaml");
    let browser = format!(" ({})", line.browser);
    let name = line.id.strip_suffix(&browser).unwrap_or(&line.id).to_string();
    (path, name)
}
