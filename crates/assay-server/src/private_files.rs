//! Files that only their owner reads.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::Path;

/// Writes a file of this name, whole or not at all.
pub fn keep(folder: &Path, name: &str, text: &str) -> io::Result<()> {
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    let draft = folder.join(format!(".{name}.{}", std::process::id()));
    // What is left of a process that was killed may have been made by somebody else.
    match fs::remove_file(&draft) {
        Err(err) if err.kind() != io::ErrorKind::NotFound => return Err(err),
        _ => {}
    }
    let mut out = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&draft)?;
    out.write_all(text.as_bytes())?;
    out.sync_all()?;
    fs::rename(&draft, folder.join(name))
}
