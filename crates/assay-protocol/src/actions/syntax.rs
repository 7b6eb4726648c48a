//! How commands are typed: names, arguments, flags and help, for the actions here and for the commands of the binary.

use super::UsageError;

/// A flag of one command, or one that every command takes.
#[derive(Debug)]
pub struct Flag {
    pub name: &'static str,
    pub short: Option<char>,
    /// The value's name; None for a switch.
    pub value: Option<&'static str>,
    pub help: &'static str,
    /// Whether it may be given several times; then there is a line each.
    pub repeats: bool,
}

impl Flag {
    pub const fn switch(name: &'static str, help: &'static str) -> Flag {
        Flag { name, short: None, value: None, help, repeats: false }
    }

    pub const fn value(name: &'static str, value: &'static str, help: &'static str) -> Flag {
        Flag { name, short: None, value: Some(value), help, repeats: false }
    }

    /// One that may be given several times.
    pub const fn values(name: &'static str, value: &'static str, help: &'static str) -> Flag {
        Flag { name, short: None, value: Some(value), help, repeats: true }
    }

    pub const fn short(mut self, letter: char) -> Flag {
        self.short = Some(letter);
        self
    }
}

/// The flags that every command takes.
pub const SHARED_FLAGS: &[Flag] = &[
    Flag::switch("json", "print JSON instead of text"),
    Flag::value("session", "NAME", "session name; each session has its own browser (default: default)")
        .short('s'),
    Flag::value("timeout", "MS", "time limit in milliseconds; also waits for targets that do not exist yet"),
    Flag::value("budget", "N", "maximum tokens in the answer (`run` and `plan`: spending limits for models)"),
    Flag::switch("headed", "show a window"),
    Flag::switch("headless", "no window (the default)"),
    Flag::value("browser", "NAME", "chromium (the default), firefox or webkit"),
    Flag::value("browser-path", "FILE", "browser program to start"),
    Flag::value(
        "connect",
        "ADDRESS",
        "use a running browser: ws://…, http://host:port or a port; CDP, BiDi or WebDriver",
    ),
    Flag::value("allow", "SCHEME", "also open addresses of this scheme, for example file"),
    Flag::switch("help", "show help for the verb").short('h'),
];

/// The headings of the help.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Group {
    Go,
    Look,
    Act,
    Wait,
    Record,
    Tabs,
    State,
    Run,
}

impl Group {
    pub const ALL: &'static [Group] = &[
        Group::Go,
        Group::Look,
        Group::Act,
        Group::Wait,
        Group::Record,
        Group::Tabs,
        Group::State,
        Group::Run,
    ];

    pub fn title(self) -> &'static str {
        match self {
            Group::Go => "Go",
            Group::Look => "Look",
            Group::Act => "Act",
            Group::Wait => "Wait",
            Group::Record => "Record",
            Group::Tabs => "Tabs and frames",
            Group::State => "State",
            Group::Run => "Run assay",
        }
    }
}

/// One command as it is typed and as the help shows it.
#[derive(Debug)]
pub struct CommandSyntax {
    pub group: Group,
    pub name: &'static str,
    pub aliases: &'static [&'static str],
    /// As shown in the help: `TARGET TEXT`, `[TARGET]`, `FILE...`.
    pub arguments: &'static str,
    pub flags: &'static [Flag],
    pub summary: &'static str,
    pub example: &'static str,
    /// Whether the number of words is compared with `arguments`. Where the forms differ in length, the builder of the
    /// command checks it.
    pub is_counted: bool,
}

impl CommandSyntax {
    pub const fn new(
        group: Group,
        name: &'static str,
        arguments: &'static str,
        summary: &'static str,
        example: &'static str,
    ) -> CommandSyntax {
        CommandSyntax { group, name, aliases: &[], arguments, flags: &[], summary, example, is_counted: true }
    }

    pub fn is_called(&self, name: &str) -> bool {
        self.name == name || self.aliases.contains(&name)
    }

    pub(super) fn most_arguments(&self) -> usize {
        if self.arguments.contains("...") { usize::MAX } else { self.arguments.split_whitespace().count() }
    }

    pub(super) fn least_arguments(&self) -> usize {
        self.arguments.split_whitespace().filter(|word| !word.starts_with('[')).count()
    }

    /// Its own flags, then those of every command.
    pub(super) fn all_flags(syntax: Option<&'static CommandSyntax>) -> impl Iterator<Item = &'static Flag> {
        let own: &'static [Flag] = syntax.map_or(&[], |syntax| syntax.flags);
        own.iter().chain(SHARED_FLAGS)
    }
}

/// A name at least this similar may be what a mistyped word means.
const SIMILAR_NAME: f64 = 0.75;

/// Aliases appear in no overview, so only a close match is suggested: `ui` does not mean `quit`.
const SIMILAR_ALIAS: f64 = 0.85;

/// The error for a word that names no command, with the nearest names among `known`.
pub fn unknown_verb(word: &str, known: impl Iterator<Item = &'static CommandSyntax>) -> UsageError {
    let mut scored: Vec<(f64, &'static str)> = known
        .flat_map(|syntax| {
            let aliases = syntax.aliases.iter().map(|alias| (SIMILAR_ALIAS, *alias));
            std::iter::once((SIMILAR_NAME, syntax.name)).chain(aliases)
        })
        .map(|(least, name)| (least, strsim::jaro_winkler(word, name), name))
        .filter(|(least, score, _)| score > least)
        .map(|(_, score, name)| (score, name))
        .collect();
    scored.sort_by(|one, other| other.0.total_cmp(&one.0));
    let nearest = scored.into_iter().take(3).map(|(_, name)| name).collect();
    UsageError::UnknownVerb { found: word.to_string(), nearest }
}
