//! The possible mistakes in the files of a suite.

use std::path::PathBuf;

/// A mistake, with its facts. The message says what was expected and what was found; advice is apart, in `hint`.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Mistake {
    // Files.
    #[error("there is no such file or folder")]
    NoSuchPath,
    #[error("cannot be read: {reason}")]
    Unreadable { reason: String },
    #[error("expected a file of at most {limit} bytes, found {found}")]
    TooLarge { limit: u64, found: u64 },
    #[error("expected UTF-8 text, found other bytes")]
    NotText,
    #[error("`{path}` is outside the suite")]
    LeadsOut { path: String },
    #[error("is not used: everybody can write to the folder {folder}")]
    SharedFolder { folder: String },
    #[error("there is no file `{path}`")]
    NoSuchFile { path: String },
    #[error("is not part of the same project as `{first}`")]
    OtherProject { first: String },
    #[error("expected at most {limit} files, found more")]
    TooManyFiles { limit: usize },

    #[error("too many mistakes: only the first {told} are shown")]
    AndMore { told: usize },

    #[error("the lock file cannot be read: {reason}")]
    BrokenLock { reason: String },

    #[error("{message}")]
    WrongInTree { message: String },
    #[error("is written in a way that assay cannot edit without losing something")]
    UneditableTree,
    #[error("cannot be written: {reason}")]
    Unwritable { reason: String },

    // YAML.
    #[error("{message}")]
    Syntax { message: String, hint: Option<String> },
    #[error("expected at most {limit} levels, found more")]
    TooDeep { limit: usize },
    #[error("expected aliases to repeat at most {limit} values, found more")]
    TooManyAliases { limit: usize },
    #[error("the alias refers to a value that contains it")]
    AliasOfItself,
    #[error("expected a plain value, found the tag `{tag}`")]
    Tag { tag: String },
    #[error("duplicate key `{key}`")]
    DuplicateKey { key: String, first_line: usize },
    #[error("unknown key `{key}`")]
    UnknownKey { key: String, nearest: Option<String>, known: Vec<String> },

    // Values.
    #[error("expected {expected}, found {found}")]
    Expected { expected: String, found: String, hint: Option<String> },
    #[error("unknown {what} `{found}`")]
    UnknownValue { what: &'static str, found: String, nearest: Option<String>, valid: Vec<String> },
    #[error("{what} is a sentence, found {found}")]
    NotASentence { what: &'static str, found: String, hint: Option<String> },
    #[error("YAML reads `{lost}` as a comment")]
    LostInComment { lost: String },
    #[error("expected {what}, found neither")]
    Missing { what: &'static str },
    #[error("expected one of {expected}, found {found}")]
    NotOne { expected: String, found: String },

    // Names.
    #[error("unknown name `${{{name}}}`")]
    UnknownName { name: String, nearest: Option<String> },
    #[error("`${{{name}}}` is a variable of the environment that nothing declares")]
    UndeclaredName { name: String },
    #[error("`${{{name}}}` is not set in the environment")]
    NotInEnvironment { name: String, nearest: Option<String> },
    #[error("expected a name in `{found}`")]
    NotAName { found: String },
    #[error("`${{{name}}}` refers to itself")]
    NameLoop { name: String },
    #[error("expected at most {limit} characters after names are replaced, found more")]
    TextTooLong { limit: usize },
    #[error("the secret `{secret}` needs the environment variable `{variable}`, which is not set")]
    SecretMissing { secret: String, variable: String },
    #[error("the secret `{secret}` needs the environment variable `{variable}`, which is empty")]
    SecretEmpty { secret: String, variable: String },
    #[error("expected a reference to an environment variable, found the value of a secret")]
    SecretInFile { secret: String },
    #[error("`${{{name}}}` would replace an environment variable of the command")]
    ReplacesEnvironment { name: String },

    // Reuse.
    #[error("unknown steps `{name}`")]
    UnknownUse { name: String, nearest: Option<String> },
    #[error("`{name}` has no steps to use")]
    NothingToUse { name: String },
    #[error("`{name}` contains several tests")]
    SeveralToUse { name: String },
    #[error("`{name}` has mistakes of its own")]
    BrokenUse { name: String },
    #[error("steps use each other in a circle: {}", trail.join(" → "))]
    UseLoop { trail: Vec<String> },
    #[error("expected `use` to nest at most {limit} levels deep, found more")]
    UseTooDeep { limit: usize },
    #[error("`{used}` has no `${{{name}}}`")]
    UnusedParameter { used: String, name: String, nearest: Option<String> },
    #[error("`{used}` needs a value for `${{{name}}}`")]
    MissingParameter { used: String, name: String },
    #[error("expected at most {limit} steps in a file, found more")]
    TooManySteps { limit: usize },

    // Requirements.
    #[error("unknown requirement `{code}`")]
    UnknownRequirement { code: String, nearest: Option<String> },
    #[error("the requirement `{code}` is already in {first}")]
    DuplicateRequirement { code: String, first: String },

    // Agents and skills.
    #[error("expected 2 to 8 tools, found {found}")]
    ToolCount { found: usize },
    #[error("there is no tool `{name}`")]
    UnknownTool { name: String, nearest: Option<String> },
    #[error("the {what} `{name}` is named twice")]
    NamedTwice { what: &'static str, name: String },
    #[error("the {what} `{name}` is already in {}", first.display())]
    DuplicateName { what: &'static str, name: String, first: PathBuf },

    // Preconditions.
    #[error("two patterns match: `{first}` and `{second}`")]
    Ambiguous { first: String, second: String },
}

impl Mistake {
    /// Advice in one line, or the nearest valid word.
    pub fn hint(&self) -> Option<String> {
        match self {
            Mistake::Syntax { hint, .. }
            | Mistake::Expected { hint, .. }
            | Mistake::NotASentence { hint, .. } => hint.clone(),
            Mistake::UnknownKey { nearest, known: valid, .. }
            | Mistake::UnknownValue { nearest, valid, .. } => match nearest {
                Some(nearest) => Some(format!("did you mean `{nearest}`?")),
                None => Some(format!("valid: {}", list(valid))),
            },
            Mistake::UnknownUse { nearest, .. } | Mistake::UnusedParameter { nearest, .. } => {
                nearest.as_ref().map(|nearest| format!("did you mean `{nearest}`?"))
            }
            Mistake::UnknownRequirement { nearest, .. } => Some(match nearest {
                Some(nearest) => format!("did you mean `{nearest}`?"),
                None => "`assay requirement list` shows all of them".to_string(),
            }),
            Mistake::UnknownName { name, nearest } => Some(match nearest {
                Some(nearest) => format!("did you mean `${{{nearest}}}`?"),
                None => format!("add it to `variables`, or write `$${{{name}}}` for the literal text"),
            }),
            Mistake::UndeclaredName { name } => Some(format!(
                "declare it in the test or in assay.yaml: `secrets: [{name}]`, or `variables: {{{name}: \"${{{name}}}\"}}`"
            )),
            Mistake::NotInEnvironment { name, nearest } => Some(match nearest {
                Some(nearest) => format!("did you mean `${{{nearest}}}`?"),
                None => format!("set it, or write `$${{{name}}}` for the literal text"),
            }),
            Mistake::SharedFolder { folder } => Some(format!("chmod o-w {folder}")),
            Mistake::NotAName { .. } => {
                Some("a name consists of letters, digits and `_`; write `$${` for a literal `${`".to_string())
            }
            Mistake::DuplicateKey { first_line, .. } => Some(format!("first defined on line {first_line}")),
            Mistake::LostInComment { .. } => {
                Some("quote the whole text, or put a space after `#` if it is a comment".to_string())
            }
            Mistake::SecretInFile { secret } => {
                Some(format!("set it as an environment variable and write `${{{}}}`", secret.to_uppercase()))
            }
            Mistake::MissingParameter { name, .. } => Some(format!("pass it under `with`: `{name}: …`")),
            Mistake::ReplacesEnvironment { .. } => Some("give it another name".to_string()),
            Mistake::LeadsOut { .. } => Some("assay reads only files inside the suite".to_string()),
            Mistake::SeveralToUse { .. } => Some("move the steps to a file of their own".to_string()),
            Mistake::Ambiguous { .. } => Some("make one of the patterns more specific".to_string()),
            Mistake::BrokenLock { .. } => {
                Some("fix it, or delete it and write a new one with `assay run --lock`".to_string())
            }
            Mistake::DuplicateRequirement { .. } => {
                Some("give each requirement a code of its own".to_string())
            }
            Mistake::ToolCount { .. } => Some(
                "a model works best with a handful: split the skill, or give it another tool".to_string(),
            ),
            Mistake::UnknownTool { nearest, .. } => Some(match nearest {
                Some(nearest) => format!("did you mean `{nearest}`?"),
                None => "`assay tools` shows all of them".to_string(),
            }),
            Mistake::DuplicateName { what, .. } => Some(format!("give each {what} a name of its own")),
            Mistake::UneditableTree => {
                Some("give each screen, each edge and each of their keys a line of its own".to_string())
            }
            Mistake::OtherProject { .. } => Some("run each project separately".to_string()),
            Mistake::NoSuchPath
            | Mistake::WrongInTree { .. }
            | Mistake::Unwritable { .. }
            | Mistake::Unreadable { .. }
            | Mistake::TooLarge { .. }
            | Mistake::NotText
            | Mistake::NoSuchFile { .. }
            | Mistake::TooManyFiles { .. }
            | Mistake::AndMore { .. }
            | Mistake::TooDeep { .. }
            | Mistake::TooManyAliases { .. }
            | Mistake::AliasOfItself
            | Mistake::Tag { .. }
            | Mistake::Missing { .. }
            | Mistake::NotOne { .. }
            | Mistake::NameLoop { .. }
            | Mistake::TextTooLong { .. }
            | Mistake::SecretMissing { .. }
            | Mistake::SecretEmpty { .. }
            | Mistake::NothingToUse { .. }
            | Mistake::BrokenUse { .. }
            | Mistake::UseLoop { .. }
            | Mistake::UseTooDeep { .. }
            | Mistake::NamedTwice { .. }
            | Mistake::TooManySteps { .. } => None,
        }
    }
}

fn list(words: &[String]) -> String {
    words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
}
