//! Exact commands of a test: `run: click "button[type=submit]"`, in the words of the command line.

use std::path::Path;

use assay_protocol::actions::split_line;
use assay_protocol::{Action, ErrorCode, Failure};

/// The action of an exact command. Relative paths count from the folder that the run was started in.
pub(crate) fn read_exact(words: &str, folder: &Path) -> Result<Action, Failure> {
    let mut action = Action::from_words(&split_line(words)?)?;
    for path in action.paths_mut() {
        *path = folder.join(path.as_str()).display().to_string();
    }
    match &action {
        Action::Eval { expression } if expression == "-" => Err(Failure::new(
            ErrorCode::Usage,
            "expected an expression, found `-`: a test has no standard input",
        )),
        _ => Ok(action),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_exact_commands_count_from_the_folder_of_the_run() {
        let action = read_exact("storage load login.json", Path::new("/suite")).unwrap();
        assert_eq!(action.command_line(), "storage load /suite/login.json");
    }

    #[test]
    fn a_test_has_no_standard_input() {
        let failure = read_exact("eval -", Path::new("/suite")).unwrap_err();
        assert_eq!(failure.code, ErrorCode::Usage);
    }
}
