//! A suite in a folder of its own, gone when the test ends.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use assay_suite::{Instruction, Loaded, TestCase, TestStep, load};

/// What the binary hands in.
pub const BROWSERS: [&str; 3] = ["chromium", "firefox", "webkit"];

pub struct Folder {
    pub path: PathBuf,
}

static NEXT: AtomicUsize = AtomicUsize::new(0);

impl Folder {
    pub fn new(files: &[(&str, &str)]) -> Self {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("assay-suite-{}-{number}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        let folder = Folder { path: fs::canonicalize(path).unwrap() };
        // The search for a project ends here, whatever is above.
        fs::create_dir_all(folder.path.join(".git")).unwrap();
        for (name, text) in files {
            folder.write(name, text.as_bytes());
        }
        folder
    }

    pub fn write(&self, name: &str, bytes: &[u8]) {
        let path = self.path.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    pub fn load(&self) -> Loaded {
        self.load_only(&["."])
    }

    pub fn load_only(&self, paths: &[&str]) -> Loaded {
        let paths: Vec<PathBuf> = paths.iter().map(|path| self.path.join(path)).collect();
        load(&paths, &BROWSERS, &environment)
    }

    /// Every problem as it is shown, with paths from this folder.
    pub fn problems(&self, loaded: &Loaded) -> String {
        let here = format!("{}/", self.path.display());
        let all: Vec<String> = loaded.problems.iter().map(ToString::to_string).collect();
        all.join("\n").replace(&here, "")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
    }
}

pub fn environment(name: &str) -> Option<String> {
    match name {
        "APP_PASSWORD" => Some("hunter2".to_string()),
        "API_TOKEN" => Some("tok-1".to_string()),
        "STAGE" => Some("beta".to_string()),
        "EMPTY" => Some(String::new()),
        "PATH" => Some("/bin".to_string()),
        "DATABASE" => Some("app:pw@db".to_string()),
        "PORT" => Some("8080".to_string()),
        _ => None,
    }
}

/// The tests of one file, which has no mistakes.
#[track_caller]
pub fn sound(text: &str) -> Vec<TestCase> {
    sound_files(&[("t.yaml", text)])
}

#[track_caller]
pub fn sound_files(files: &[(&str, &str)]) -> Vec<TestCase> {
    let folder = Folder::new(files);
    let loaded = folder.load();
    assert_eq!(folder.problems(&loaded), "");
    loaded.tests
}

/// The problems of files, exactly as shown. A broken file gives no tests.
#[track_caller]
pub fn check_problems(files: &[(&str, &str)], expected: &str) {
    let folder = Folder::new(files);
    let loaded = folder.load();
    assert_eq!(folder.problems(&loaded), expected.trim_start_matches('\n').trim_end());
}

#[track_caller]
pub fn check_file(text: &str, expected: &str) {
    check_problems(&[("t.yaml", text)], expected);
}

pub fn text(step: &TestStep) -> &str {
    match &step.instruction {
        Instruction::Sentence(text) | Instruction::Command(text) => text,
    }
}

pub fn texts(steps: &[TestStep]) -> Vec<&str> {
    steps.iter().map(text).collect()
}

pub fn path_of(name: &str) -> &Path {
    Path::new(name)
}
