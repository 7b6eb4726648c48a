//! Why a script cannot be run, in words for users.

use assay_protocol::{ErrorCode, Failure};
use assay_suite::{Problem, ScriptTrouble};

pub fn script_failure(trouble: ScriptTrouble) -> Failure {
    let failure = Failure::new(ErrorCode::Usage, trouble.to_string());
    match trouble {
        ScriptTrouble::Unknown { nearest: Some(nearest), .. } => {
            failure.hint(format!("did you mean `{nearest}`?"))
        }
        ScriptTrouble::Unknown { undeclared: Some(program), .. } => {
            let name = program.file_name().unwrap_or_default().to_string_lossy();
            let declaration = program.with_extension("yaml");
            failure.hint(format!(
                "declare {} in {}: `run: ./{name}`",
                program.display(),
                declaration.display()
            ))
        }
        ScriptTrouble::Unknown { known, .. } if known.is_empty() => {
            failure.hint("the project has no scripts yet; write scripts/NAME.yaml with `run: ./NAME.py`")
        }
        ScriptTrouble::Unknown { known, .. } => failure.hint(format!("scripts: {}", known.join(", "))),
        ScriptTrouble::Broken { problems, .. } => {
            problems.iter().map(Problem::to_string).fold(failure, Failure::detail)
        }
        ScriptTrouble::Parameters { mistakes, .. } => mistakes.iter().fold(failure, |failure, mistake| {
            let hint = mistake.hint().map(|hint| format!("; {hint}")).unwrap_or_default();
            failure.detail(format!("{mistake}{hint}"))
        }),
    }
}
