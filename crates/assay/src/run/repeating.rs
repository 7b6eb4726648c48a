//! The question before acts are repeated that commit something.

use std::io::{self, BufRead, IsTerminal, Write};

use assay_host::{RepeatedTest, Repeats, Resuming};
use assay_protocol::{ErrorCode, Failure, TaskId};
use assay_report::one_line;

/// Asks, if there is something to ask and somebody to answer. Otherwise such tests are not repeated.
pub fn ask_on_terminal(resuming: &mut Resuming) -> Result<(), Failure> {
    let repeated = resuming.repeated();
    if resuming.repeats() == Repeats::Allowed || repeated.is_empty() {
        return Ok(());
    }
    let lines: Vec<String> =
        repeated.iter().map(|RepeatedTest { test, acts }| format!("{test}: {}", acts.join(", "))).collect();
    let subject = "Before the run was interrupted, these tests submitted, paid or deleted something:";
    if let Some(answer) = ask_somebody(subject, &lines)? {
        resuming.set_repeats(answer);
    }
    Ok(())
}

/// Refuses to repeat the acts of a task that commit something, unless somebody says yes.
pub fn check_task(task: TaskId, commits: &[String], repeats: Repeats) -> Result<(), Failure> {
    if repeats == Repeats::Allowed || commits.is_empty() {
        return Ok(());
    }
    let subject = "These actions of the task submitted, paid or deleted something:";
    match ask_somebody(subject, commits)? {
        Some(Repeats::Allowed) => Ok(()),
        Some(Repeats::Refused) => Err(Failure::new(ErrorCode::Usage, format!("task {task} was not resumed"))),
        None => {
            let message = format!(
                "task {task} needs a new browser, where it would repeat actions that submitted, paid or deleted \
                 something: {}",
                commits.join(", ")
            );
            let hint = format!("assay task resume {task} --again repeats them");
            Err(Failure::new(ErrorCode::Usage, message).hint(hint))
        }
    }
}

/// None where nobody can answer.
fn ask_somebody(subject: &str, lines: &[String]) -> Result<Option<Repeats>, Failure> {
    if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        return Ok(None);
    }
    ask(subject, lines, &mut io::stdin().lock(), &mut io::stderr())
        .map(Some)
        .map_err(|err| Failure::new(ErrorCode::Io, format!("could not ask before repeating anything: {err}")))
}

/// Only a plain yes is one.
fn ask(
    subject: &str,
    lines: &[String],
    input: &mut dyn BufRead,
    output: &mut dyn Write,
) -> io::Result<Repeats> {
    writeln!(output, "{subject}")?;
    for line in lines {
        writeln!(output, "  {}", one_line(line))?;
    }
    write!(output, "Repeat them? [y/N] ")?;
    output.flush()?;
    let mut answer = String::new();
    input.read_line(&mut answer)?;
    let is_yes = matches!(answer.trim().to_lowercase().as_str(), "y" | "yes");
    Ok(if is_yes { Repeats::Allowed } else { Repeats::Refused })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_plain_yes_repeats_them() {
        let lines = ["order: `click e5` was done".to_string()];
        for (said, answer) in [
            ("y\n", Repeats::Allowed),
            ("YES\n", Repeats::Allowed),
            ("\n", Repeats::Refused),
            ("yes please\n", Repeats::Refused),
            ("", Repeats::Refused),
        ] {
            let mut output = Vec::new();
            assert_eq!(ask("Done:", &lines, &mut said.as_bytes(), &mut output).unwrap(), answer, "{said:?}");
            assert!(
                String::from_utf8(output)
                    .unwrap()
                    .contains("  order: `click e5` was done\nRepeat them? [y/N] ")
            );
        }
    }
}
