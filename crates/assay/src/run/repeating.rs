//! The question before acts are repeated that commit something.

use std::io::{self, BufRead, IsTerminal, Write};

use assay_host::{RepeatedTest, Repeats, Resuming};
use assay_protocol::{ErrorCode, Failure};

/// Asks, if there is something to ask and somebody to answer. Otherwise such tests are not repeated.
pub fn ask_on_terminal(resuming: &mut Resuming) -> Result<(), Failure> {
    let repeated = resuming.repeated();
    if resuming.repeats() == Repeats::Allowed || repeated.is_empty() {
        return Ok(());
    }
    if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        return Ok(());
    }
    let answer = ask(&repeated, &mut io::stdin().lock(), &mut io::stderr());
    let answer = answer
        .map_err(|err| Failure::new(ErrorCode::Io, format!("could not ask before repeating tests: {err}")))?;
    resuming.set_repeats(answer);
    Ok(())
}

/// Only a plain yes is one.
fn ask(tests: &[RepeatedTest], input: &mut dyn BufRead, output: &mut dyn Write) -> io::Result<Repeats> {
    writeln!(output, "Before the run was interrupted, these tests submitted, paid or deleted something:")?;
    for RepeatedTest { test, acts } in tests {
        writeln!(output, "  {test}: {}", acts.join(", "))?;
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
        let tests =
            [RepeatedTest { test: "order".to_string(), acts: vec!["`click e5` was done".to_string()] }];
        for (said, answer) in [
            ("y\n", Repeats::Allowed),
            ("YES\n", Repeats::Allowed),
            ("\n", Repeats::Refused),
            ("yes please\n", Repeats::Refused),
            ("", Repeats::Refused),
        ] {
            let mut output = Vec::new();
            assert_eq!(ask(&tests, &mut said.as_bytes(), &mut output).unwrap(), answer, "{said:?}");
            assert!(
                String::from_utf8(output)
                    .unwrap()
                    .contains("  order: `click e5` was done\nRepeat them? [y/N] ")
            );
        }
    }
}
