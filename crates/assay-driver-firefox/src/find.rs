//! Which Firefox there is on this system.

use std::path::{Path, PathBuf};

use assay_driver::DriverError;
use assay_wire::{Package, first_program, install_command, is_program};

pub(crate) const PACKAGE: Package = Package {
    debian: "firefox-esr",
    ubuntu: "firefox",
    fedora: "firefox",
    arch: "firefox",
    suse: "MozillaFirefox",
};

// The real programs come first: what lies in `/usr/bin` may be a script.
const PROGRAMS: &[&str] = &[
    "/usr/lib/firefox-esr/firefox-esr",
    "/usr/lib/firefox/firefox",
    "/usr/lib64/firefox/firefox",
    "/opt/firefox/firefox",
    "/usr/bin/firefox-esr",
    "/usr/bin/firefox",
    "/snap/bin/firefox",
];

pub(crate) fn find(named: Option<&Path>) -> Result<PathBuf, DriverError> {
    let found = match named {
        Some(program) => is_program(program).then(|| program.to_path_buf()),
        None => first_program(PROGRAMS),
    };
    found.ok_or_else(|| {
        let looked = match named {
            Some(program) => vec![program.display().to_string()],
            None => PROGRAMS.iter().map(|program| (*program).to_string()).collect(),
        };
        DriverError::BrowserMissing { driver: "firefox", looked, install: install_command(&[PACKAGE]) }
    })
}

/// What must be installed before it can be launched.
pub fn missing_packages() -> Vec<Package> {
    if find(None).is_ok() { Vec::new() } else { vec![PACKAGE] }
}
