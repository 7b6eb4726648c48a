//! Which WebKit there is on this system.

use std::path::{Path, PathBuf};

use assay_driver::DriverError;
use assay_wire::{Package, VirtualDisplay, first_program, install_command, is_program};

/// Brings the browser along; other distributions have no package that holds it.
const PACKAGE: Package =
    Package { debian: "webkit2gtk-driver", ubuntu: "webkit2gtk-driver", fedora: "", arch: "", suse: "" };

const PROGRAMS: &[&str] = &[
    "/usr/lib/*/webkit2gtk-4.1/MiniBrowser",
    "/usr/lib/*/webkitgtk-6.0/MiniBrowser",
    "/usr/lib/*/webkit2gtk-4.0/MiniBrowser",
    "/usr/lib/webkit2gtk-4.1/MiniBrowser",
    "/usr/lib/webkitgtk-6.0/MiniBrowser",
    "/usr/libexec/webkit2gtk-4.1/MiniBrowser",
    "/usr/libexec/webkitgtk-6.0/MiniBrowser",
];

/// The named program, or the first that is installed.
pub(crate) fn find_browser(named: Option<&Path>) -> Result<PathBuf, DriverError> {
    let found = match named {
        Some(program) => is_program(program).then(|| program.to_path_buf()),
        None => first_program(PROGRAMS),
    };
    found.ok_or_else(|| DriverError::BrowserMissing {
        driver: "webkit",
        looked: match named {
            Some(program) => vec![program.display().to_string()],
            None => PROGRAMS.iter().map(|path| (*path).to_string()).collect(),
        },
        install: install_command(&[PACKAGE]),
    })
}

/// What must be installed before it can be launched.
pub fn missing_packages() -> Vec<Package> {
    let browser = first_program(PROGRAMS).is_none().then_some(PACKAGE);
    browser.into_iter().chain(VirtualDisplay::missing_package()).collect()
}
