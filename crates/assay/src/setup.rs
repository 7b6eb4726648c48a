//! `setup`: installs what can be installed, from the distribution.

use std::path::Path;
use std::process::{Command, ExitCode};

use assay_protocol::{ErrorCode, Failure};
use assay_wire::{Package, install_command};

use crate::command::Invocation;
use crate::engines::{ENGINES, Engine, engine};
use crate::output::{print_failure, print_line};

const FONTS: Package = Package {
    debian: "fonts-liberation",
    ubuntu: "fonts-liberation",
    fedora: "liberation-sans-fonts",
    arch: "ttf-liberation",
    suse: "liberation-fonts",
};

/// What these engines lack on this system.
pub fn missing_packages<'a>(engines: impl IntoIterator<Item = &'a Engine>) -> Vec<Package> {
    let mut missing: Vec<Package> = engines.into_iter().flat_map(|engine| (engine.missing)()).collect();
    if !has_fonts() {
        missing.push(FONTS);
    }
    missing.retain(|package| package.name_here().is_some());
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

/// For the engine that is asked for, or for all.
pub fn run(invocation: &Invocation, all: bool, dry_run: bool) -> ExitCode {
    let engines: Vec<&Engine> = match engine(invocation.browser.engine.as_deref()) {
        Ok(_) if all => ENGINES.iter().collect(),
        Ok(engine) => vec![engine],
        Err(failure) => return print_failure(&failure, false),
    };
    let missing = missing_packages(engines.iter().copied());
    let Some(command) = install_command(&missing) else {
        let unknown: Vec<&str> = engines
            .iter()
            .filter(|engine| (engine.driver)().find(None, true).is_err())
            .map(|engine| engine.name)
            .collect();
        if unknown.is_empty() {
            print_line("nothing is missing");
            return ExitCode::SUCCESS;
        }
        let message = format!("there is no package for {} on this system", unknown.join(" and "));
        return print_failure(&Failure::new(ErrorCode::Unsupported, message), false);
    };
    for package in &missing {
        print_line(&format!("missing: {}", package.name_here().unwrap_or_default()));
    }
    if dry_run {
        print_line(&command);
        return ExitCode::SUCCESS;
    }
    // SAFETY: a plain system call.
    if unsafe { libc::geteuid() } != 0 {
        let failure = Failure::new(ErrorCode::Unsupported, "installing packages requires root")
            .hint(format!("run: {command}"));
        return print_failure(&failure, false);
    }
    let mut steps = vec![command.as_str()];
    if command.starts_with("apt-get") {
        steps.insert(0, "apt-get update");
    }
    for step in steps {
        print_line(step);
        let mut words = step.split(' ');
        let program = words.next().unwrap_or_default();
        let status = Command::new(program).args(words).env("DEBIAN_FRONTEND", "noninteractive").status();
        if !status.is_ok_and(|status| status.success()) {
            let failure =
                Failure::new(ErrorCode::Io, format!("`{step}` failed")).hint("run it by hand to see why");
            return print_failure(&failure, false);
        }
    }
    ExitCode::SUCCESS
}
