//! Commands that set things up and describe them: projects, models, browsers, skills, the reference.

use assay_host::Cassette;
use assay_protocol::actions::{Flag, UsageError};

use super::{CommandEntry, command, optional_text};
use crate::command::{Command, ReferencePage, SchemaKind, SkillOperation};
use crate::models::ModelOperation;

pub(super) const INIT: CommandEntry =
    command("init", "[FOLDER]", "Create an example project that runs", "assay init shop-tests", |words| {
        Ok(Command::Init { folder: optional_text(words, 0) })
    });

pub(super) const SCHEMA: CommandEntry =
    command(
        "schema",
        "",
        "Print the JSON Schema of test files, for editors",
        "assay schema --project",
        |words| {
            let chosen: Vec<SchemaKind> =
                SchemaKind::FLAGS.iter().filter(|(flag, _)| words.has(flag)).map(|(_, kind)| *kind).collect();
            match chosen.as_slice() {
                [] => Ok(Command::Schema(SchemaKind::Test)),
                [only] => Ok(Command::Schema(*only)),
                _ => Err(UsageError::wrong_value("one of --project, --requirements and --script", "several")
                    .into()),
            }
        },
    )
    .flags(&[
        Flag::switch("project", "print the schema of the project file instead"),
        Flag::switch("requirements", "print the schema of files with requirements instead"),
        Flag::switch("script", "print the schema of scripts instead"),
    ]);

pub(super) const TRUST: CommandEntry = command(
    "trust",
    "[FOLDER]",
    "Trust a project: it may run commands, take variables of the environment, talk to other hosts and use other files",
    "assay trust .",
    |words| Ok(Command::Trust { folder: optional_text(words, 0) }),
);

pub(super) const MODEL: CommandEntry = command(
    "model",
    "test [NAME] | list",
    "Ask a model one test question, or list providers, keys and prices",
    "assay model test ollama/qwen3",
    |words| {
        Ok(Command::Model(match (words.at(0), words.optional(1), words.optional(2)) {
            ("test", name, None) => ModelOperation::Test {
                model: name.map(str::to_string),
                cassette: words.flag("cassette").map(Cassette::read).transpose()?,
            },
            ("list", None, None) => ModelOperation::List,
            _ => return Err(words.wrong_word("test or list").into()),
        }))
    },
)
.flags(&[Flag::value(
    "cassette",
    "HOW:FILE",
    "record:FILE saves the model's answers, replay:FILE reads them from the file",
)])
.counts_itself();

pub(super) const DOCTOR: CommandEntry = command(
    "doctor",
    "",
    "Check browser, sandbox, fonts, display, sockets and leftovers",
    "assay doctor",
    |_| Ok(Command::Doctor),
);

pub(super) const SETUP: CommandEntry = command(
    "setup",
    "",
    "Install the browser and its dependencies",
    "assay setup --browser firefox",
    |words| Ok(Command::Setup { all: words.has("all"), dry_run: words.has("dry-run") }),
)
.flags(&[
    Flag::switch("all", "install all browsers"),
    Flag::switch("dry-run", "show the commands without running them"),
]);

pub(super) const SKILL: CommandEntry = command(
    "skill",
    "list | show NAME | install",
    "List, show or install the texts that teach coding agents to use assay",
    "assay skill install",
    |words| {
        Ok(Command::Skill(match (words.at(0), words.optional(1)) {
            ("list", None) => SkillOperation::List,
            ("show", Some(name)) => SkillOperation::Show { name: name.to_string() },
            ("install", None) => SkillOperation::Install {
                agents: words
                    .flag("agent")
                    .map(|names| names.split(',').map(str::to_string).collect())
                    .unwrap_or_default(),
                user: words.has("user"),
            },
            _ => return Err(words.wrong_word("list, show NAME or install").into()),
        }))
    },
)
.flags(&[
    Flag::value(
        "agent",
        "NAME",
        "install: claude, codex, cursor, gemini, copilot, opencode, amp, windsurf, goose or all",
    ),
    Flag::switch("user", "install: for your user account instead of the project"),
])
.counts_itself();

pub(super) const COMPLETIONS: CommandEntry = command(
    "completions",
    "SHELL",
    "Print completions for bash, zsh or fish",
    "assay completions bash",
    |words| Ok(Command::Completions { shell: words.at(0).to_string() }),
);

pub(super) const REFERENCE: CommandEntry = command(
    "reference",
    "[engines|sentences]",
    "Print all verbs, the features of each browser, or the sentences of tests, as Markdown",
    "assay reference",
    |words| match words.optional(0) {
        None => Ok(Command::Reference(ReferencePage::Verbs)),
        Some("engines") => Ok(Command::Reference(ReferencePage::Engines)),
        Some("sentences") => Ok(Command::Reference(ReferencePage::Sentences)),
        Some(_) => Err(words.wrong_word("engines, sentences, or nothing more").into()),
    },
);
