//! `cargo xtask bench`: assay beside its peers, from a release build.

use std::path::{Path, PathBuf};

use crate::task::{Failure, Workspace};

pub fn run(workspace: &Workspace, arguments: &[&str]) -> Result<(), Failure> {
    if !workspace.answers(&["python3", "--version"]) {
        return Err(Failure::new(
            "`bench/run-peers` needs python3, which is not here",
            "install Python 3.11 or newer",
        ));
    }
    let peers = peers_folder();
    // The last thing that the setup makes, so that one cut short does not count.
    if !peers.join("bin/floorctl").exists() {
        return Err(Failure::new(
            format!("the peers to compare with are not installed in `{}`", peers.display()),
            "run `bench/setup`",
        ));
    }
    workspace.run(&["cargo", "build", "--release", "--locked", "-p", "assay"], || {
        Failure::new("assay does not build for release", "mend what stands above")
    })?;

    let mut measure = workspace.command(&["python3", "bench/run-peers"]);
    measure.args(arguments);
    if std::env::var_os("ASSAY_BIN").is_none() {
        measure.env("ASSAY_BIN", target_folder(&workspace.root).join("release/assay"));
    }
    match measure.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err(Failure::new("`bench/run-peers` failed", "the lines above say at what")),
        Err(err) => Err(Failure::new(format!("cannot run `bench/run-peers`: {err}"), "")),
    }
}

/// Where `bench/setup` installs; both of its scripts decide it in the same way.
fn peers_folder() -> PathBuf {
    let named = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    named("BENCH_DIR").unwrap_or_else(|| named("TMPDIR").unwrap_or("/tmp".into()).join("bench-peers"))
}

fn target_folder(root: &Path) -> PathBuf {
    root.join(std::env::var_os("CARGO_TARGET_DIR").unwrap_or("target".into()))
}
