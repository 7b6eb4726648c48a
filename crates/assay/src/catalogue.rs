//! All verbs of the command line: the actions, then the commands of the binary. The parser, the help, the reference and
//! the completions are made from it.

use assay_protocol::actions::{self, ACTIONS, ActionEntry, CommandSyntax, UsageError};

use crate::commands::{COMMANDS, CommandEntry};

/// What the first word of a command line names.
pub enum Verb {
    Action(&'static ActionEntry),
    Command(&'static CommandEntry),
}

impl Verb {
    pub fn syntax(&self) -> &'static CommandSyntax {
        match self {
            Verb::Action(entry) => &entry.syntax,
            Verb::Command(entry) => &entry.syntax,
        }
    }
}

/// In the order of the help.
pub fn syntaxes() -> impl Iterator<Item = &'static CommandSyntax> {
    ACTIONS.iter().map(|entry| &entry.syntax).chain(COMMANDS.iter().map(|entry| &entry.syntax))
}

pub fn find_verb(name: &str) -> Option<Verb> {
    let of_binary = || COMMANDS.iter().find(|entry| entry.syntax.is_called(name)).copied().map(Verb::Command);
    // `goto` went to addresses before it knew screens, and lines in batches and tests still say it so.
    if name == "goto" {
        return of_binary();
    }
    actions::find_action(name).map(Verb::Action).or_else(of_binary)
}

/// Verbs of other test tools, with the verb that does the same here.
const OTHER_TOOLS: &[(&str, &str)] = &[("install", "setup"), ("test", "run")];

pub fn unknown_verb(word: &str) -> UsageError {
    match OTHER_TOOLS.iter().find(|(other, _)| *other == word) {
        Some((_, ours)) => UsageError::UnknownVerb { found: word.to_string(), nearest: vec![ours] },
        None => actions::unknown_verb(word, syntaxes()),
    }
}
