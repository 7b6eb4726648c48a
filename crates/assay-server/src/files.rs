//! Files below a folder, opened without following a link, and handed out whole or in part.

use std::ffi::CString;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

use axum::body::{Body, Bytes};
use futures_util::stream as streams;

/// A folder of results has no more files than that, or only the first are listed.
const MOST: usize = 20_000;
const DEEPEST: usize = 8;

/// How much of a file is in memory at once.
const PORTION: u64 = 64 * 1024;

#[derive(Debug)]
pub enum FileTrouble {
    /// The path leads out of the folder, or through a link.
    Outside,
    Missing,
    Other(io::Error),
}

/// Opens a file below a folder: part by part, so that no link on the way is followed, also one that is made meanwhile.
pub fn open_below(folder: &Path, path: &Path) -> Result<(File, u64), FileTrouble> {
    let mut parts = Vec::new();
    for part in path.components() {
        match part {
            Component::Normal(name) => parts.push(name),
            _ => return Err(FileTrouble::Outside),
        }
    }
    let Some((last, above)) = parts.split_last() else { return Err(FileTrouble::Outside) };
    let root = File::open(folder).map_err(named)?;
    let mut at = OwnedFd::from(root);
    for part in above {
        at = open_in(&at, part.as_bytes(), libc::O_DIRECTORY)?;
    }
    // A pipe would wait for its other end.
    let file = File::from(open_in(&at, last.as_bytes(), libc::O_NONBLOCK)?);
    let facts = file.metadata().map_err(named)?;
    if !facts.is_file() {
        return Err(FileTrouble::Missing);
    }
    Ok((file, facts.len()))
}

fn open_in(folder: &OwnedFd, name: &[u8], flags: libc::c_int) -> Result<OwnedFd, FileTrouble> {
    let name = CString::new(name).map_err(|_| FileTrouble::Outside)?;
    let flags = flags | libc::O_RDONLY | libc::O_NOFOLLOW | libc::O_CLOEXEC;
    // SAFETY: the descriptor is open for as long as it is borrowed, and the name ends with a zero.
    let opened = unsafe { libc::openat(folder.as_raw_fd(), name.as_ptr(), flags) };
    if opened < 0 {
        return Err(named(io::Error::last_os_error()));
    }
    // SAFETY: the call has just given us this descriptor, and nobody else has it.
    Ok(unsafe { OwnedFd::from_raw_fd(opened) })
}

fn named(err: io::Error) -> FileTrouble {
    match err.raw_os_error() {
        Some(libc::ELOOP | libc::EMLINK) => FileTrouble::Outside,
        Some(libc::ENOENT | libc::ENOTDIR | libc::ENAMETOOLONG | libc::EISDIR) => FileTrouble::Missing,
        _ => FileTrouble::Other(err),
    }
}

/// All files below a folder with their sizes, by path. Links and hidden files are none.
pub fn below(folder: &Path) -> io::Result<Vec<(PathBuf, u64)>> {
    let mut found = Vec::new();
    let mut open = vec![(PathBuf::new(), 0)];
    while let Some((at, depth)) = open.pop() {
        let entries = match std::fs::read_dir(folder.join(&at)) {
            Ok(entries) => entries,
            // A run that was cleared has none.
            Err(err) if err.kind() == io::ErrorKind::NotFound => continue,
            Err(err) => return Err(err),
        };
        for entry in entries.flatten() {
            let name = entry.file_name();
            let Ok(facts) = entry.metadata() else { continue };
            if name.to_string_lossy().starts_with('.') || found.len() >= MOST {
                continue;
            }
            if facts.is_dir() && depth < DEEPEST {
                open.push((at.join(name), depth + 1));
            } else if facts.is_file() {
                found.push((at.join(name), facts.len()));
            }
        }
    }
    found.sort();
    Ok(found)
}

/// `bytes=0-99`, `bytes=100-`, `bytes=-100`: where it begins, and how long it is. None for what need not be understood;
/// an error for a part that the file does not have.
pub fn range_of(said: &str, size: u64) -> Result<Option<(u64, u64)>, ()> {
    let Some(said) = said.strip_prefix("bytes=") else { return Ok(None) };
    // Several parts at once are answered with the whole.
    let Some((from, to)) = said.split_once('-').filter(|_| !said.contains(',')) else { return Ok(None) };
    let number = |text: &str| text.trim().parse::<u64>().ok();
    let (first, last) = match (number(from), number(to)) {
        (Some(first), Some(last)) if first <= last => (first, last.min(size.saturating_sub(1))),
        (Some(first), None) if to.trim().is_empty() => (first, size.saturating_sub(1)),
        (None, Some(0)) if from.trim().is_empty() => return Err(()),
        (None, Some(count)) if from.trim().is_empty() => (size.saturating_sub(count), size.saturating_sub(1)),
        _ => return Ok(None),
    };
    if first >= size { Err(()) } else { Ok(Some((first, last - first + 1))) }
}

/// A part of a file as a body, read as the client takes it.
pub fn stream(mut file: File, from: u64, length: u64) -> io::Result<Body> {
    file.seek(SeekFrom::Start(from))?;
    let parts = streams::try_unfold((file, length), |(file, left)| async move {
        if left == 0 {
            return Ok::<_, io::Error>(None);
        }
        let read = tokio::task::spawn_blocking(move || {
            let mut file = file;
            let mut buffer = vec![0; usize::try_from(left.min(PORTION)).unwrap_or(0)];
            let count = file.read(&mut buffer)?;
            buffer.truncate(count);
            Ok::<_, io::Error>((file, buffer))
        });
        let (file, buffer) = read.await.map_err(io::Error::other)??;
        if buffer.is_empty() {
            // It became shorter: the client sees that something is missing.
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let left = left - buffer.len() as u64;
        Ok(Some((Bytes::from(buffer), (file, left))))
    });
    Ok(Body::from_stream(parts))
}

pub fn media_type(path: &Path) -> &'static str {
    match path.extension().and_then(|ending| ending.to_str()).unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "json" => "application/json",
        "jsonl" | "txt" | "md" | "log" | "yaml" | "yml" => "text/plain; charset=utf-8",
        "xml" => "application/xml",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "webp" => "image/webp",
        "zip" => "application/zip",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_range(said: &str, expected: Result<Option<(u64, u64)>, ()>) {
        assert_eq!(range_of(said, 100), expected, "{said}");
    }

    #[test]
    fn parts_of_a_file_are_understood() {
        check_range("bytes=0-9", Ok(Some((0, 10))));
        check_range("bytes=90-", Ok(Some((90, 10))));
        check_range("bytes=-10", Ok(Some((90, 10))));
        check_range("bytes=-1000", Ok(Some((0, 100))));
        check_range("bytes=99-1000", Ok(Some((99, 1))));
        check_range("bytes=100-", Err(()));
        check_range("bytes=-0", Err(()));
        for whole in ["lines=1-2", "bytes=0-1,5-6", "bytes=9-0", "bytes=a-b", "bytes=-", "bytes="] {
            check_range(whole, Ok(None));
        }
        assert_eq!(range_of("bytes=0-0", 0), Err(()));
    }

    #[test]
    fn no_path_leads_out_of_the_folder() {
        let folder = std::env::temp_dir().join(format!("assay-server-files-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("in/deep")).unwrap();
        std::fs::write(folder.join("secret.txt"), "secret").unwrap();
        std::fs::write(folder.join("in/deep/a.txt"), "open").unwrap();
        std::os::unix::fs::symlink("../secret.txt", folder.join("in/link.txt")).unwrap();
        std::os::unix::fs::symlink("..", folder.join("in/up")).unwrap();
        let root = folder.join("in");
        assert_eq!(open_below(&root, Path::new("deep/a.txt")).unwrap().1, 4);
        for path in [
            "../secret.txt",
            "deep/../../secret.txt",
            "/etc/passwd",
            "link.txt",
            "up/secret.txt",
            "deep",
            "",
            ".",
            "deep/a.txt/x",
            "none.txt",
            "a\0b",
        ] {
            let opened = open_below(&root, Path::new(path));
            assert!(matches!(opened, Err(FileTrouble::Outside | FileTrouble::Missing)), "{path}: {opened:?}");
        }
        let listed: Vec<PathBuf> = below(&root).unwrap().into_iter().map(|(path, _)| path).collect();
        assert_eq!(listed, [PathBuf::from("deep/a.txt")]);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
