//! The commands that are no actions: each with its words, its help and the function that builds it.

mod agent_talk;
mod agents;
mod navigation;
mod project;
mod records;
mod requirements;
mod scripts;
mod serving;
mod sessions;
mod testing;
mod tools;
mod twin;

use assay_protocol::Failure;
use assay_protocol::actions::{Arguments, CommandSyntax, Flag, Group, ParsedWords};

use crate::command::Command;

pub use testing::DEFAULT_RESULTS;

type BuildCommand = fn(&Arguments<'_>) -> Result<Command, Failure>;

/// A command of the binary.
pub struct CommandEntry {
    pub syntax: CommandSyntax,
    build: BuildCommand,
}

impl CommandEntry {
    pub fn read(&'static self, words: &ParsedWords) -> Result<Command, Failure> {
        (self.build)(&Arguments::of(&self.syntax, words)?)
    }

    const fn flags(mut self, flags: &'static [Flag]) -> CommandEntry {
        self.syntax.flags = flags;
        self
    }

    const fn also(mut self, aliases: &'static [&'static str]) -> CommandEntry {
        self.syntax.aliases = aliases;
        self
    }

    /// Its builder checks the number of words.
    const fn counts_itself(mut self) -> CommandEntry {
        self.syntax.is_counted = false;
        self
    }
}

/// All of them, in the order of the help.
pub static COMMANDS: &[&CommandEntry] = &[
    &sessions::DO,
    &testing::RUN,
    &testing::PLAN,
    &navigation::EXPLORE,
    &navigation::GOTO,
    &navigation::TREE_COMMAND,
    &testing::RESUME,
    &testing::PROVE,
    &testing::HEAL,
    &twin::TWIN,
    &requirements::COVERAGE,
    &requirements::REQUIREMENT,
    &scripts::SCRIPT,
    &agents::AGENT,
    &records::REPORT,
    &records::TASK,
    &records::HISTORY,
    &records::FLAKY,
    &records::STATS,
    &records::GC,
    &records::BACKUP,
    &records::RESTORE,
    &agents::EVENT,
    &agents::INCIDENT,
    &project::INIT,
    &project::SCHEMA,
    &project::TRUST,
    &sessions::BATCH,
    &sessions::DAEMON,
    &sessions::SESSION,
    &sessions::CLOSE,
    &sessions::DEVICE,
    &project::MODEL,
    &project::DOCTOR,
    &project::SETUP,
    &tools::TOOLS,
    &tools::TOOL,
    &tools::MCP,
    &serving::SERVE,
    &project::SKILL,
    &project::COMPLETIONS,
    &project::REFERENCE,
];

const fn command(
    name: &'static str,
    arguments: &'static str,
    summary: &'static str,
    example: &'static str,
    build: BuildCommand,
) -> CommandEntry {
    CommandEntry { syntax: CommandSyntax::new(Group::Run, name, arguments, summary, example), build }
}

/// A text that may be left out.
fn optional_text(words: &Arguments<'_>, index: usize) -> Option<String> {
    words.optional(index).map(str::to_string)
}
