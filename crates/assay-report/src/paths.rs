//! The paths in a report, in a form that its reader can find.

use std::path::{Path, PathBuf};

use crate::summary::{RejectedFile, Summary};

/// Where things lie, as the reader of a report sees it.
#[derive(Debug, Clone, Default)]
pub struct ReportPaths {
    /// The folder of the project. Test files in it are named relative to it, as
    /// CI services want them; others keep the name they have.
    pub project: PathBuf,
    /// What is put before the path of a picture: the folder of the run, relative
    /// to the project (as GitLab wants it) or absolute (as Jenkins wants it).
    pub run_folder: PathBuf,
}

impl ReportPaths {
    pub(crate) fn file(&self, file: &str) -> String {
        let relative = match self.project.as_os_str().is_empty() {
            true => Path::new(file),
            false => Path::new(file).strip_prefix(&self.project).unwrap_or(Path::new(file)),
        };
        slashed(relative)
    }

    pub(crate) fn picture(&self, picture: &str) -> String {
        slashed(&self.run_folder.join(picture))
    }
}

/// Services read `/` on every system.
fn slashed(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "/")
}

/// Distinguishes the test files of a run by the part of their paths that they do not share.
pub(crate) struct FileNames {
    shared: PathBuf,
}

impl FileNames {
    pub fn of(summary: &Summary) -> Self {
        let mut shared: Option<PathBuf> = None;
        for test in summary.tests.iter().filter(|test| !test.line.file.is_empty()) {
            let own = Path::new(&test.line.file).parent().unwrap_or(Path::new(""));
            let mut common = shared.unwrap_or_else(|| own.to_owned());
            while !own.starts_with(&common) && common.pop() {}
            shared = Some(common);
        }
        FileNames { shared: shared.unwrap_or_default() }
    }

    /// The name without the folder that all share and without the ending. It stays
    /// the same wherever the project lies, so that a service can follow a test over
    /// its runs.
    pub fn telling(&self, file: &str) -> String {
        let rest = Path::new(file).strip_prefix(&self.shared).unwrap_or(Path::new(file));
        slashed(&rest.with_extension("")).trim_matches('/').to_owned()
    }
}

/// Where in a rejected file the mistake is, and what it is.
pub(crate) struct FileMistake<'a> {
    pub line: Option<u32>,
    pub column: Option<u32>,
    pub message: &'a str,
}

/// The message begins with `file:line:column: ` where the place is known.
pub(crate) fn mistake(rejected: &RejectedFile) -> FileMistake<'_> {
    let whole = FileMistake { line: None, column: None, message: &rejected.message };
    let Some(rest) = rejected.message.strip_prefix(&rejected.file).and_then(|it| it.strip_prefix(':')) else {
        return whole;
    };
    let mut parts = rest.splitn(3, ':');
    let mut number = || parts.next().and_then(|it| it.parse::<u32>().ok());
    match (number(), number(), parts.next()) {
        (Some(line), Some(column), Some(message)) => {
            FileMistake { line: Some(line), column: Some(column), message: message.trim_start() }
        }
        _ => whole,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_named_from_the_project() {
        let paths = ReportPaths { project: "/home/x/shop".into(), run_folder: "out".into() };
        assert_eq!(paths.file("/home/x/shop/tests/login.yaml"), "tests/login.yaml");
        assert_eq!(paths.file("/elsewhere/login.yaml"), "/elsewhere/login.yaml");
        assert_eq!(paths.picture("screenshots/1.png"), "out/screenshots/1.png");
        assert_eq!(ReportPaths::default().picture("screenshots/1.png"), "screenshots/1.png");
    }

    #[test]
    fn the_place_of_a_mistake_is_read_from_its_message() {
        let rejected = |message: &str| RejectedFile { file: "a.yaml".into(), message: message.into() };
        let known = rejected("a.yaml:2:7: unknown key `stepz`\n  2 | stepz:");
        let FileMistake { line, column, message } = mistake(&known);
        assert_eq!((line, column, message), (Some(2), Some(7), "unknown key `stepz`\n  2 | stepz:"));
        for unknown in ["cannot be read", "a.yaml:two: x", "b.yaml:2:7: x", "a.yaml:2: x"] {
            let rejected = rejected(unknown);
            assert_eq!((mistake(&rejected).line, mistake(&rejected).message), (None, unknown));
        }
    }

    #[test]
    fn a_file_is_told_by_what_it_does_not_share_with_the_others() {
        let mut summary = Summary::of(&crate::sample::Story::of(&["a", "b"]).finish());
        for (test, file) in summary.tests.iter_mut().zip(["/x/tests/login.yaml", "/x/tests/shop/cart.yaml"]) {
            test.line.file = file.into();
        }
        let names = FileNames::of(&summary);
        assert_eq!(names.telling("/x/tests/login.yaml"), "login");
        assert_eq!(names.telling("/x/tests/shop/cart.yaml"), "shop/cart");
        assert_eq!(names.telling("/y/other.yaml"), "y/other");
    }
}
