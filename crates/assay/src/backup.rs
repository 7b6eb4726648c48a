//! `assay backup` and `assay restore`: what a project has on record, in one file, and the way back.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use assay_host::{
    BackupOrder, BackupReport, RestoreOrder, Restored, back_up, check_backup, restore as restore_backup,
};
use assay_protocol::{ErrorCode, Failure, Format};
use assay_report::moment_words;
use assay_suite::load_in;

use crate::command::Invocation;
use crate::environment::{Environment, VERSION};
use crate::{host, output, state};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BackupOperation {
    Make {
        file: String,
        with_results: bool,
        with_secrets: bool,
    },
    /// Reads a backup through, and changes nothing.
    Check {
        file: String,
    },
    Restore {
        file: String,
        takes_other_project: bool,
        with_secrets: bool,
    },
}

pub fn run(operation: &BackupOperation, invocation: &Invocation, environment: &Environment) -> ExitCode {
    let json = invocation.format == Format::Json;
    let done = match operation {
        BackupOperation::Make { file, with_results, with_secrets } => {
            make(Path::new(file), *with_results, *with_secrets, json, environment)
        }
        BackupOperation::Check { file } => check(Path::new(file), json),
        BackupOperation::Restore { file, takes_other_project, with_secrets } => {
            restore(Path::new(file), *takes_other_project, *with_secrets, json, environment)
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => output::print_failure(&failure, json),
    }
}

/// The folder and the name of the project we are in.
fn project(environment: &Environment) -> Result<(PathBuf, String), Failure> {
    let root = state::folder(environment).project_around(&host::here()?)?;
    let context = host::context(environment)?;
    let loaded = load_in(&root, &[], &context.drivers.names(), &*context.variables);
    Ok((root, loaded.project.suite))
}

fn settings(environment: &Environment) -> Result<&Path, Failure> {
    environment
        .configuration
        .as_deref()
        .ok_or_else(|| Failure::new(ErrorCode::Io, "expected HOME or XDG_CONFIG_HOME, found neither"))
}

fn make(
    file: &Path,
    with_results: bool,
    with_secrets: bool,
    json: bool,
    environment: &Environment,
) -> Result<(), Failure> {
    let coordinator = state::ask_here(environment)?;
    let (root, project) = project(environment)?;
    let secrets = if with_secrets { Some(settings(environment)?) } else { None };
    let order = BackupOrder {
        coordinator: &coordinator,
        root: &root,
        project: &project,
        assay: VERSION,
        with_results,
        secrets,
    };
    let report = back_up(&order, file)?;
    if json {
        output::print_json(&serde_json::json!({ "ok": true, "data": report }));
        return Ok(());
    }
    for folder in &report.left_out {
        output::tell(&format!("note: {} is outside the project, and not in the backup", folder.display()));
    }
    output::print_line(&format!("{}: {}", file.display(), words(&report)));
    Ok(())
}

fn check(file: &Path, json: bool) -> Result<(), Failure> {
    let report = check_backup(file)?;
    match json {
        true => output::print_json(&serde_json::json!({ "ok": true, "data": report })),
        false => {
            let (made, project) = (moment_words(report.info.created_at), &report.info.project);
            let what = words(&report);
            output::print_line(&format!("{} is whole: `{project}`, made {made}, {what}", file.display()));
        }
    }
    Ok(())
}

fn restore(
    file: &Path,
    takes_other_project: bool,
    with_secrets: bool,
    json: bool,
    environment: &Environment,
) -> Result<(), Failure> {
    let (root, project) = project(environment)?;
    let state = state::folder(environment).of(&root);
    let order = RestoreOrder {
        file,
        state: &state,
        root: &root,
        project: &project,
        takes_other_project,
        settings: if with_secrets { Some(settings(environment)?) } else { None },
    };
    let restored = restore_backup(&order)?;
    if json {
        output::print_json(&serde_json::json!({ "ok": true, "data": restored }));
        return Ok(());
    }
    tell_restored(&restored);
    Ok(())
}

fn tell_restored(restored: &Restored) {
    for path in &restored.stayed {
        output::tell(&format!("note: {} was there already, and stays", path.display()));
    }
    let made = moment_words(restored.backup.info.created_at);
    let before = match &restored.replaced {
        Some(folder) => format!("\nwhat was there before is in {}", folder.display()),
        None => String::new(),
    };
    output::print_line(&format!("restored as of {made}: {}{before}", words(&restored.backup)));
}

fn words(report: &BackupReport) -> String {
    let parts = match (report.info.has_results, report.info.has_secrets) {
        (true, true) => "with results and secrets",
        (true, false) => "with results, without secrets",
        (false, true) => "without results, with secrets",
        (false, false) => "without results and secrets",
    };
    let files = if report.files == 1 { "1 file".to_string() } else { format!("{} files", report.files) };
    format!("{files}, {} MB, {parts}", report.bytes.div_ceil(1_000_000))
}
