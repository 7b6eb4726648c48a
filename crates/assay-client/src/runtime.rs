//! The private folder in which sessions meet.

use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use assay_protocol::{ErrorCode, Failure};

/// A folder that only its owner can enter.
#[derive(Debug, Clone)]
pub struct RuntimeFolder {
    path: PathBuf,
}

/// The kernel's limit for the path of a socket, its final zero included.
const LONGEST_SOCKET_PATH: usize = 108;

impl RuntimeFolder {
    /// `named` wins; otherwise the user's runtime folder, otherwise one in the temporary folder.
    pub fn open(
        named: Option<PathBuf>,
        user_runtime: Option<PathBuf>,
        temporary: &Path,
    ) -> Result<RuntimeFolder, Failure> {
        // SAFETY: a plain system call.
        let uid = unsafe { libc::geteuid() };
        let path = match (named, user_runtime.filter(|folder| folder.is_dir())) {
            (Some(path), _) => path,
            (None, Some(folder)) => folder.join("assay"),
            (None, None) => temporary.join(format!("assay-{uid}")),
        };
        let path = std::path::absolute(&path).unwrap_or(path);
        make_private(&path, uid)?;
        Ok(RuntimeFolder { path })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The socket of a session, if its path is one the kernel takes.
    pub fn socket(&self, session: &str) -> Result<PathBuf, Failure> {
        check_session_name(session)?;
        let socket = self.path.join(format!("{session}.sock"));
        let length = socket.as_os_str().len();
        if length >= LONGEST_SOCKET_PATH {
            return Err(Failure::new(
                ErrorCode::Usage,
                format!(
                    "the socket's path has {length} characters, expected fewer than {LONGEST_SOCKET_PATH}: {}",
                    socket.display()
                ),
            )
            .hint("set ASSAY_RUNTIME_DIR to a shorter folder, or use a shorter session name"));
        }
        Ok(socket)
    }

    /// The names of sessions that have a socket.
    pub fn sessions(&self) -> Vec<String> {
        let Ok(entries) = std::fs::read_dir(&self.path) else { return Vec::new() };
        let mut names: Vec<String> = entries
            .flatten()
            .filter_map(|entry| entry.file_name().to_string_lossy().strip_suffix(".sock").map(str::to_string))
            .collect();
        names.sort();
        names
    }
}

fn make_private(path: &Path, uid: u32) -> Result<(), Failure> {
    let failed = |reason: String| {
        Failure::new(
            ErrorCode::Io,
            format!("could not use {} as the runtime folder: {reason}", path.display()),
        )
        .hint("set ASSAY_RUNTIME_DIR to a folder of your own")
    };
    if let Err(err) = std::fs::DirBuilder::new().recursive(true).mode(0o700).create(path) {
        return Err(failed(err.to_string()));
    }
    let metadata = std::fs::symlink_metadata(path).map_err(|err| failed(err.to_string()))?;
    if !metadata.is_dir() {
        return Err(failed("it is not a folder".to_string()));
    }
    if metadata.uid() != uid {
        return Err(failed(format!("it belongs to user {}, not to you ({uid})", metadata.uid())));
    }
    if metadata.permissions().mode() & 0o077 != 0 {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o700)).map_err(|err| {
            failed(format!("other users have access, and that could not be changed: {err}"))
        })?;
    }
    Ok(())
}

/// Session names become file names.
pub fn check_session_name(name: &str) -> Result<(), Failure> {
    let plain = !name.is_empty()
        && name.len() <= 64
        && !name.starts_with(['.', '-'])
        && name.chars().all(|letter| letter.is_ascii_alphanumeric() || "._-".contains(letter));
    if plain {
        return Ok(());
    }
    Err(Failure::new(
        ErrorCode::Usage,
        format!("expected a session name of at most 64 letters, digits, `.`, `_` or `-`, found `{name}`"),
    ))
}
