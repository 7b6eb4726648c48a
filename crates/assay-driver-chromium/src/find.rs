//! Which Chromium there is on this system.

use std::path::{Path, PathBuf};

use assay_wire::{Package, is_program};

/// What a program is good for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProgramKind {
    /// Headless only, and much quicker to start.
    HeadlessShell,
    Full,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundProgram {
    pub program: PathBuf,
    pub kind: ProgramKind,
}

pub(crate) const PACKAGE: Package = Package {
    debian: "chromium",
    ubuntu: "chromium-browser",
    fedora: "chromium",
    arch: "chromium",
    suse: "chromium",
};
/// Headless only, four times as quick to start. Other distributions have it in no package of its own.
const HEADLESS_SHELL: Package =
    Package { debian: "chromium-headless-shell", ubuntu: "", fedora: "", arch: "", suse: "" };

// The real programs come first: `/usr/bin/chromium` of Debian is a script that adds flags and time.
const HEADLESS_SHELLS: &[&str] = &[
    "/usr/lib/chromium/chromium-headless-shell",
    "/usr/bin/chromium-headless-shell",
    "/usr/bin/chrome-headless-shell",
];
const FULL: &[&str] = &[
    "/usr/lib/chromium/chromium",
    "/usr/lib/chromium-browser/chromium-browser",
    "/opt/google/chrome/chrome",
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
    "/usr/bin/google-chrome",
    "/usr/bin/google-chrome-stable",
    "/snap/bin/chromium",
];

/// Everything that is looked at, for an error message.
pub fn looked_in(headless: bool) -> Vec<String> {
    let shells: &[&str] = if headless { HEADLESS_SHELLS } else { &[] };
    shells.iter().chain(FULL).map(|path| (*path).to_string()).collect()
}

/// The browser to start: the named one, or the quickest that fits.
pub fn find_browser(named: Option<&Path>, headless: bool) -> Option<FoundProgram> {
    if let Some(program) = named {
        return is_program(program)
            .then(|| FoundProgram { program: program.to_path_buf(), kind: kind_of(program) });
    }
    let shells: &[&str] = if headless { HEADLESS_SHELLS } else { &[] };
    let shell = shells.iter().map(|path| (Path::new(path), ProgramKind::HeadlessShell));
    let full = FULL.iter().map(|path| (Path::new(path), ProgramKind::Full));
    shell
        .chain(full)
        .find(|(path, _)| is_program(path))
        .map(|(path, kind)| FoundProgram { program: path.to_path_buf(), kind })
}

fn kind_of(program: &Path) -> ProgramKind {
    let name = program.file_name().map(|name| name.to_string_lossy().replace('_', "-")).unwrap_or_default();
    if name.contains("headless-shell") { ProgramKind::HeadlessShell } else { ProgramKind::Full }
}

/// What must be installed before it can be launched, or launched quickly.
pub fn missing_packages() -> Vec<Package> {
    let mut missing = Vec::new();
    if find_browser(None, false).is_none() {
        missing.push(PACKAGE);
    }
    if find_browser(None, true).is_none_or(|found| found.kind != ProgramKind::HeadlessShell) {
        missing.push(HEADLESS_SHELL);
    }
    missing
}
