//! `assay init` and `assay schema`: a project to begin with, and what editors need to know.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use assay_protocol::{ErrorCode, Failure, Format};

use crate::command::{Invocation, SchemaKind};
use crate::output;

pub fn run(folder: Option<&str>, invocation: &Invocation) -> ExitCode {
    match make(Path::new(folder.unwrap_or("."))) {
        Ok(made) => {
            for path in &made {
                output::print_line(&format!("created {}", path.display()));
            }
            let place = folder.map(|folder| format!("cd {folder} && ")).unwrap_or_default();
            output::print_line(&format!("next: {place}assay trust && assay run"));
            ExitCode::SUCCESS
        }
        Err(failure) => output::print_failure(&failure, invocation.format == Format::Json),
    }
}

/// Writes nothing at all when one of the files is there already.
fn make(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let files = assay_suite::template();
    for (path, _) in &files {
        let path = folder.join(path);
        if path.exists() {
            return Err(Failure::new(
                ErrorCode::Usage,
                format!("{} already exists; nothing was written", path.display()),
            )
            .hint("assay init NEW-FOLDER"));
        }
    }
    let mut made = Vec::new();
    for (path, text) in files {
        let path = folder.join(path);
        let written =
            path.parent().map_or(Ok(()), std::fs::create_dir_all).and_then(|()| std::fs::write(&path, text));
        written.map_err(|err| {
            Failure::new(ErrorCode::Io, format!("could not write {}: {err}", path.display()))
        })?;
        made.push(path);
    }
    Ok(made)
}

pub fn schema(kind: SchemaKind) -> ExitCode {
    let browsers = crate::engines::names();
    let schema = match kind {
        SchemaKind::Test => assay_suite::schema(&browsers),
        SchemaKind::Project => assay_suite::schema_project(&browsers),
        SchemaKind::Requirements => assay_suite::schema_requirements(),
        SchemaKind::Script => assay_suite::schema_script(&browsers),
    };
    output::print_json_text(&serde_json::to_string_pretty(&schema).unwrap_or_default());
    ExitCode::SUCCESS
}
