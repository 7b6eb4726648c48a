//! Atomic file writes: a file exists completely or not at all.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

/// Writes a temporary file and renames it, so no reader sees half a file and a
/// crash leaves the old one. Creates the folder if it is missing.
pub fn write(path: &Path, content: &[u8]) -> io::Result<()> {
    write_with(path, |file| file.write_all(content))
}

/// The same for content that is too large for memory.
pub fn write_with(path: &Path, fill: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
    let Some(name) = path.file_name() else {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "the path does not name a file"));
    };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if let Some(folder) = folder {
        fs::create_dir_all(folder)?;
    }
    let mut beside_name = std::ffi::OsString::from(".");
    beside_name.push(name);
    beside_name.push(format!(".{}.partial", std::process::id()));
    let beside = path.with_file_name(beside_name);
    // Whatever has that name is left from a crash, or a link that leads elsewhere.
    let _ = fs::remove_file(&beside);
    let written = File::create_new(&beside)
        .and_then(|mut file| fill(&mut file).and_then(|()| file.sync_all()))
        .and_then(|()| fs::rename(&beside, path));
    if written.is_err() {
        // The first error is the one to tell; that the rest is left lying says nothing more.
        let _ = fs::remove_file(&beside);
    }
    written
}
