//! `assay trust`: folders whose projects may do more than use their own application.

use std::path::Path;
use std::process::ExitCode;

use assay_host::ProjectWishes;
use assay_protocol::Failure;

use crate::environment::Environment;
use crate::{host, output};

pub fn run(folder: Option<&str>, environment: &Environment, json: bool) -> ExitCode {
    match trust(Path::new(folder.unwrap_or(".")), environment) {
        Ok(lines) => {
            lines.iter().for_each(|line| output::print_line(line));
            ExitCode::SUCCESS
        }
        Err(failure) => output::print_failure(&failure, json),
    }
}

/// Puts the folder on the list, and says what its project asks for now.
fn trust(folder: &Path, environment: &Environment) -> Result<Vec<String>, Failure> {
    let context = host::context(environment)?;
    let folder = context.trusted.add(folder)?;
    let (wishes, root) = ProjectWishes::of_folder(&context, &folder);
    let mut lines = vec![format!("trusted: {}", folder.display())];
    lines.extend(wishes.lines().into_iter().map(|line| format!("  {line}")));
    if root != folder {
        lines.push(format!(
            "note: its project is in {}; `assay trust` there trusts the project",
            root.display()
        ));
    }
    Ok(lines)
}
