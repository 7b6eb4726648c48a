//! The policy for files: a test uses those of its project, and of the results of its run.

use std::io;
use std::path::{Component, Path, PathBuf};

use assay_protocol::{Action, ErrorCode, Failure};

use super::Policy;

/// The files of this machine that actions may read and write.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum FileAccess {
    /// A user at the command line names them.
    #[default]
    Anywhere,
    /// A test names them.
    Project(ProjectFiles),
}

/// The files of one project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProjectFiles {
    pub folder: PathBuf,
    /// Where the run writes its own files.
    pub results: PathBuf,
    /// The user trusts the project: it may also use other files. It never uploads them.
    pub is_trusted: bool,
}

impl ProjectFiles {
    /// Whether a path is one of the project or of the results, wherever its links lead. Hidden files and folders are
    /// not: they hold keys, settings and the repository itself.
    pub fn contain(&self, path: &Path) -> bool {
        let Some(real) = real_path(path) else { return false };
        let is_hidden = |part: Component<'_>| part.as_os_str().as_encoded_bytes().starts_with(b".");
        let is_in =
            |folder: &Path| real.strip_prefix(folder).is_ok_and(|below| !below.components().any(is_hidden));
        [&self.folder, &self.results]
            .into_iter()
            .filter_map(|folder| real_path(folder))
            .any(|real| is_in(&real))
    }

    fn check(&self, action: &Action) -> Result<(), Failure> {
        let is_upload = matches!(action, Action::Upload { .. });
        let mut action = action.clone();
        for path in action.paths_mut() {
            if self.contain(Path::new(path.as_str())) || (self.is_trusted && !is_upload) {
                continue;
            }
            let folder = self.folder.display();
            return Err(if is_upload {
                Failure::new(
                    ErrorCode::BlockedByPolicy,
                    format!("`{path}` may not be uploaded: it is not a file of the project {folder}"),
                )
                .hint("copy the file into the project; hidden files are never uploaded")
            } else {
                Failure::new(
                    ErrorCode::BlockedByPolicy,
                    format!("`{path}` may not be used: it is not a file of the project {folder}, which is not trusted"),
                )
                .hint(format!("assay trust {folder}"))
            });
        }
        Ok(())
    }
}

impl Policy {
    /// Whether the action may use the files that it names. Ignores actions without files.
    pub(crate) fn check_files(&self, action: &Action) -> Result<(), Failure> {
        match &self.files {
            FileAccess::Anywhere => Ok(()),
            FileAccess::Project(files) => files.check(action),
        }
    }
}

/// The absolute path with every link resolved; its last parts need not exist. None where a link leads to nothing: what
/// is written there would appear elsewhere.
pub fn real_path(path: &Path) -> Option<PathBuf> {
    let path = std::path::absolute(path).ok()?;
    let mut missing = Vec::new();
    let mut there = path.as_path();
    loop {
        match there.symlink_metadata() {
            Ok(_) => {
                let mut real = there.canonicalize().ok()?;
                real.extend(missing.iter().rev());
                return Some(real);
            }
            Err(err) if err.kind() == io::ErrorKind::NotFound => {
                // A path that goes up again from what does not exist has no name here, and is refused.
                missing.push(there.file_name()?);
                there = there.parent()?;
            }
            Err(_) => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Folder {
            let folder = std::env::temp_dir().join(format!("assay-files-{}-{name}", std::process::id()));
            for inner in ["project/data", "project/.ssh", "project/.git/hooks", "results"] {
                std::fs::create_dir_all(folder.join(inner)).unwrap();
            }
            for file in ["project/data/a.txt", "project/.ssh/key", "outside.txt"] {
                std::fs::write(folder.join(file), "x").unwrap();
            }
            Folder(folder.canonicalize().unwrap())
        }

        fn files(&self, is_trusted: bool) -> ProjectFiles {
            ProjectFiles { folder: self.0.join("project"), results: self.0.join("results"), is_trusted }
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _gone = std::fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn only_files_of_the_project_and_of_the_results_count() {
        let folder = Folder::new("count");
        let project = folder.0.join("project");
        symlink(folder.0.join("outside.txt"), project.join("link.txt")).unwrap();
        symlink(folder.0.join("nothing-yet"), project.join("dangling")).unwrap();
        symlink(&folder.0, project.join("up")).unwrap();
        symlink(project.join("data"), folder.0.join("into")).unwrap();
        let files = folder.files(false);
        let inside =
            ["project/data/a.txt", "project/new/deep/shot.png", "project/data/../data/a.txt", "into/a.txt"];
        for path in inside.into_iter().chain(["results/downloads/x.pdf"]) {
            assert!(files.contain(&folder.0.join(path)), "{path}");
        }
        for path in [
            "outside.txt",
            "project/../outside.txt",
            "project/link.txt",
            "project/dangling",
            "project/up/outside.txt",
            "project/new/../../outside.txt",
            "project/.ssh/key",
            "project/.git/hooks/pre-commit",
            "project/.env",
            "project-2/a.txt",
            "project/data/a.txt/b",
        ] {
            assert!(!files.contain(&folder.0.join(path)), "{path}");
        }
    }

    #[test]
    fn trust_opens_other_files_but_never_uploads_them() {
        let folder = Folder::new("trust");
        let outside = folder.0.join("outside.txt").display().to_string();
        let inside = folder.0.join("project/data/a.txt").display().to_string();
        let said = |line: &str, path: &str, is_trusted: bool| {
            let words: Vec<String> = line.split(' ').map(|word| word.replace("PATH", path)).collect();
            let policy = Policy { files: FileAccess::Project(folder.files(is_trusted)), ..Policy::default() };
            policy.check_files(&Action::from_words(&words).unwrap()).err().map(|failure| failure.code)
        };
        let refused = Some(ErrorCode::BlockedByPolicy);
        let lines = [
            "screenshot -o PATH",
            "pdf -o PATH",
            "storage save PATH",
            "storage load PATH",
            "route **/x --body PATH",
        ];
        for line in lines {
            assert_eq!(said(line, &outside, false), refused, "{line}");
            assert_eq!(said(line, &outside, true), None, "{line}");
            assert_eq!(said(line, &inside, false), None, "{line}");
        }
        assert_eq!(said("upload e1 PATH", &inside, false), None);
        assert_eq!(said("upload e1 PATH", &outside, false), refused);
        assert_eq!(said("upload e1 PATH", &outside, true), refused);
        assert_eq!(said("click e1", "", false), None);
        let line =
            Action::from_words(&["screenshot".to_string(), "-o".to_string(), outside.clone()]).unwrap();
        assert_eq!(Policy::default().check_files(&line), Ok(()), "a user may name any file");
    }
}
