//! Help and reference, made from the catalogue and from the forms of sentences.

use std::process::ExitCode;

use assay_language::{FormProperty, SentenceForm, act_forms, claim_forms};
use assay_protocol::actions::{CommandSyntax, Flag, Group, SHARED_FLAGS};

use crate::catalogue::{find_verb, syntaxes, unknown_verb};
use crate::environment::VARIABLES;
use crate::output::print_line;

pub fn print(verb: Option<&str>) -> ExitCode {
    let text = match verb {
        None => overview(),
        Some(name) => match find_verb(name) {
            Some(verb) => of_verb(verb.syntax()),
            None => {
                return crate::output::print_failure(&unknown_verb(name).into(), false);
            }
        },
    };
    print_line(text.trim_end());
    ExitCode::SUCCESS
}

fn overview() -> String {
    let mut text = String::from(
        "assay drives real browsers from the command line; each action reports what it changed.\n\n\
         assay VERB [ARGUMENTS] [FLAGS]      assay VERB --help shows one verb with an example\n",
    );
    for group in Group::ALL {
        text.push_str(&format!("\n{}\n", group.title()));
        for verb in syntaxes().filter(|verb| verb.group == *group) {
            let left = format!("{} {}", verb.name, verb.arguments);
            text.push_str(&format!("  {:<30} {}\n", left.trim_end(), verb.summary));
        }
    }
    text.push_str("\nFlags for every verb\n");
    for flag in SHARED_FLAGS {
        text.push_str(&flag_line(flag));
    }
    text.push_str(
        "\nTARGET is a ref (e12), CSS (#id, button:has-text('Save')), button \"Name\", label=, text=, testid=, xpath=,\n\
         or plain words (the login button); steps are joined by >> (row \"Oak\" >> button \"Edit\").\n",
    );
    text
}

fn of_verb(verb: &CommandSyntax) -> String {
    let mut text = format!("{}\n\n  assay {} {}", verb.summary, verb.name, verb.arguments);
    text = text.trim_end().to_string();
    text.push('\n');
    if !verb.aliases.is_empty() {
        text.push_str(&format!("  also: {}\n", verb.aliases.join(", ")));
    }
    text.push_str(&format!("\nExample\n  {}\n", verb.example));
    if !verb.flags.is_empty() {
        text.push_str("\nFlags\n");
        for flag in verb.flags {
            text.push_str(&flag_line(flag));
        }
    }
    text.push_str("\nFlags for every verb\n");
    // A flag of the verb itself replaces the shared one: the `--budget` of a run is money, not the length of an answer.
    let is_replaced = |shared: &Flag| verb.flags.iter().any(|own| own.name == shared.name);
    for flag in SHARED_FLAGS.iter().filter(|flag| !is_replaced(flag)) {
        text.push_str(&flag_line(flag));
    }
    text
}

fn flag_name(flag: &Flag) -> String {
    let value = flag.value.map(|value| format!(" {value}")).unwrap_or_default();
    match flag.short {
        Some(short) => format!("-{short}, --{}{value}", flag.name),
        None => format!("--{}{value}", flag.name),
    }
}

fn flag_line(flag: &Flag) -> String {
    format!("  {:<30} {}\n", flag_name(flag), flag.help)
}

/// `docs/reference.md`.
pub fn reference() -> String {
    let mut text = String::from(
        "# Reference\n\nAll verbs of the `assay` command line. This file is generated: `cargo xtask generated --write`.\n",
    );
    for group in Group::ALL {
        text.push_str(&format!("\n## {}\n", group.title()));
        for verb in syntaxes().filter(|verb| verb.group == *group) {
            let usage = format!("assay {} {}", verb.name, verb.arguments);
            text.push_str(&format!("\n### `{}`\n\n{}.", usage.trim_end(), verb.summary));
            if !verb.aliases.is_empty() {
                text.push_str(&format!(" Also: `{}`.", verb.aliases.join("`, `")));
            }
            text.push_str(&format!("\n\n```sh\n{}\n```\n", verb.example));
            if !verb.flags.is_empty() {
                text.push_str("\n| flag | |\n|---|---|\n");
                for flag in verb.flags {
                    text.push_str(&format!("| `{}` | {} |\n", flag_name(flag), flag.help));
                }
            }
        }
    }
    text.push_str("\n## Flags for every verb\n\n| flag | |\n|---|---|\n");
    for flag in SHARED_FLAGS {
        text.push_str(&format!("| `{}` | {} |\n", flag_name(flag), flag.help));
    }
    text.push_str("\n## Environment\n\n| variable | |\n|---|---|\n");
    for (name, meaning) in VARIABLES {
        text.push_str(&format!("| `{name}` | {meaning} |\n"));
    }
    text.push_str(
        "\n## Exit codes\n\n| code | meaning |\n|---|---|\n| 0 | done, or the answer is yes |\n\
         | 1 | failed: an element was not found or not actionable, the time ran out, a test failed, or the answer of `is` is no |\n\
         | 2 | a mistake on the command line, in a selector or in a test file, or an address that is not allowed |\n\
         | 3 | unclear: an ambiguous target, a ref that is gone, an unknown outcome, or an inconclusive test |\n\
         | 4 | assay or its environment broke: no browser, no disk space |\n\
         | 130 | interrupted by Ctrl-C |\n",
    );
    text
}

/// What a test can do and check, as two tables in Markdown: a part of `docs/tests.md`.
pub fn sentences() -> String {
    let table = |heading: &str, forms: &[SentenceForm]| {
        let mut text = format!("| {heading} | write, for example |\n|---|---|\n");
        for form in forms.iter().filter(|form| !form.has(FormProperty::Unlisted)) {
            text.push_str(&format!("| {} | `{}` |\n", form.purpose, form.examples.join("`, `")));
        }
        text
    };
    format!("{}\n{}", table("to …", act_forms()), table("to check that …", claim_forms()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flag_of_a_verb_replaces_the_shared_flag_of_that_name() {
        let help = of_verb(find_verb("run").unwrap().syntax());
        assert_eq!(help.matches("--budget").count(), 1, "{help}");
        assert!(help.contains("--budget LIMITS"), "{help}");
    }
}
