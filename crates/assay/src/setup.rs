//! `setup`: installs what can be installed, from the distribution.

use std::path::Path;
use std::process::{Command, ExitCode};

use assay_chromium::{Kind, find_browser};
use assay_protocol::{ErrorCode, Failure};

use crate::output::{print_failure, print_line};

/// A package that is missing, and why it is wanted.
pub struct Missing {
    pub package: &'static str,
    pub reason: &'static str,
}

/// What this system lacks, as packages of Debian and Ubuntu.
pub fn missing_packages() -> Vec<Missing> {
    let mut missing = Vec::new();
    if find_browser(None, false).is_none() {
        missing.push(Missing { package: "chromium", reason: "the browser" });
    }
    let shell = find_browser(None, true).is_some_and(|found| found.kind == Kind::HeadlessShell);
    if !shell && is_debian() {
        missing.push(Missing {
            package: "chromium-headless-shell",
            reason: "starts four times faster without a window",
        });
    }
    if !has_fonts() {
        missing.push(Missing { package: "fonts-liberation", reason: "without fonts pages have no text" });
    }
    missing
}

pub fn has_fonts() -> bool {
    ["/usr/share/fonts", "/usr/local/share/fonts"].iter().any(|folder| holds_a_font(Path::new(folder), 4))
}

fn holds_a_font(folder: &Path, depth: u32) -> bool {
    let Ok(entries) = std::fs::read_dir(folder) else { return false };
    entries.flatten().any(|entry| {
        let path = entry.path();
        if path.is_dir() {
            return depth > 0 && holds_a_font(&path, depth - 1);
        }
        path.extension()
            .is_some_and(|extension| ["ttf", "otf", "ttc", "pfb"].iter().any(|known| extension == *known))
    })
}

/// Ubuntu has no separate headless shell.
fn is_debian() -> bool {
    std::fs::read_to_string("/etc/os-release").is_ok_and(|text| text.lines().any(|line| line == "ID=debian"))
}

pub fn install_command(packages: &[Missing]) -> String {
    let names: Vec<&str> = packages.iter().map(|missing| missing.package).collect();
    // SAFETY: a plain system call.
    let sudo = if unsafe { libc::geteuid() } == 0 { "" } else { "sudo " };
    format!("{sudo}apt-get install -y --no-install-recommends {}", names.join(" "))
}

pub fn run(dry_run: bool) -> ExitCode {
    let missing = missing_packages();
    if missing.is_empty() {
        print_line("nothing is missing");
        return ExitCode::SUCCESS;
    }
    for one in &missing {
        print_line(&format!("missing: {} ({})", one.package, one.reason));
    }
    let command = install_command(&missing);
    if dry_run {
        print_line(&command);
        return ExitCode::SUCCESS;
    }
    if !Path::new("/usr/bin/apt-get").exists() {
        let failure = Failure::new(ErrorCode::Unsupported, "this system has no apt-get")
            .hint("install Chromium with your package manager, or name one by ASSAY_CHROMIUM");
        return print_failure(&failure, false);
    }
    // SAFETY: a plain system call.
    if unsafe { libc::geteuid() } != 0 {
        let failure = Failure::new(ErrorCode::Unsupported, "installing packages needs the rights of root")
            .hint(format!("run: {command}"));
        return print_failure(&failure, false);
    }
    let names: Vec<&str> = missing.iter().map(|one| one.package).collect();
    let steps: [Vec<&str>; 2] =
        [vec!["update"], [vec!["install", "-y", "--no-install-recommends"], names].concat()];
    for step in steps {
        print_line(&format!("apt-get {}", step.join(" ")));
        let status = Command::new("apt-get").args(&step).env("DEBIAN_FRONTEND", "noninteractive").status();
        if !status.is_ok_and(|status| status.success()) {
            let failure = Failure::new(ErrorCode::Io, format!("apt-get {} failed", step.join(" ")))
                .hint(format!("run it by hand to see why: {command}"));
            return print_failure(&failure, false);
        }
    }
    ExitCode::SUCCESS
}
