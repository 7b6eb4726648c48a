//! What can be wrong with the files of a suite.

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
    #[error("`{path}` leads out of the suite")]
    LeadsOut { path: String },
    #[error("there is no file `{path}`")]
    NoSuchFile { path: String },
    #[error("is not of the same project as `{first}`")]
    OtherProject { first: String },
    #[error("expected at most {limit} files, found more")]
    TooManyFiles { limit: usize },

    #[error("there are more mistakes than the {told} that are told")]
    AndMore { told: usize },

    #[error("the lock file cannot be read: {reason}")]
    BrokenLock { reason: String },

    // YAML.
    #[error("{message}")]
    Syntax { message: String, hint: Option<String> },
    #[error("expected at most {limit} levels, found more")]
    TooDeep { limit: usize },
    #[error("expected aliases to repeat at most {limit} values, found more")]
    TooManyAliases { limit: usize },
    #[error("an alias stands inside the value that it names")]
    AliasOfItself,
    #[error("expected a plain value, found the tag `{tag}`")]
    Tag { tag: String },
    #[error("the key `{key}` is there twice")]
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
    #[error("`{lost}` is read as a comment")]
    LostInComment { lost: String },
    #[error("expected {what}, found neither")]
    Missing { what: &'static str },
    #[error("expected one of {expected}, found {found}")]
    NotOne { expected: String, found: String },

    // Names.
    #[error("unknown name `${{{name}}}`")]
    UnknownName { name: String, nearest: Option<String> },
    #[error("expected a name in `{found}`")]
    NotAName { found: String },
    #[error("`${{{name}}}` is made of itself")]
    NameLoop { name: String },
    #[error("expected at most {limit} letters after names are replaced, found more")]
    TextTooLong { limit: usize },
    #[error("the secret `{secret}` needs the environment variable `{variable}`, which is not set")]
    SecretMissing { secret: String, variable: String },
    #[error("the secret `{secret}` needs the environment variable `{variable}`, which is empty")]
    SecretEmpty { secret: String, variable: String },
    #[error("a secret is a reference to the environment, found its value")]
    SecretInFile { secret: String },
    #[error("`${{{name}}}` would replace a variable of the environment in a command")]
    ReplacesEnvironment { name: String },

    // Reuse.
    #[error("there are no steps `{name}` to use")]
    UnknownUse { name: String, nearest: Option<String> },
    #[error("`{name}` has no steps to use")]
    NothingToUse { name: String },
    #[error("`{name}` holds several tests")]
    SeveralToUse { name: String },
    #[error("`{name}` has mistakes of its own")]
    BrokenUse { name: String },
    #[error("steps use themselves: {}", trail.join(" → "))]
    UseLoop { trail: Vec<String> },
    #[error("expected steps to use others at most {limit} deep, found more")]
    UseTooDeep { limit: usize },
    #[error("`{used}` has no `${{{name}}}`")]
    UnusedParameter { used: String, name: String, nearest: Option<String> },
    #[error("`{used}` needs a value for `${{{name}}}`")]
    MissingParameter { used: String, name: String },
    #[error("expected at most {limit} steps in a file, found more")]
    TooManySteps { limit: usize },

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
            Mistake::UnknownName { name, nearest } => Some(match nearest {
                Some(nearest) => format!("did you mean `${{{nearest}}}`?"),
                None => format!("put it under `variables`, or write `$${{{name}}}` for the text itself"),
            }),
            Mistake::NotAName { .. } => {
                Some("a name has letters, digits and `_`; write `$${` for the text itself".to_string())
            }
            Mistake::DuplicateKey { first_line, .. } => Some(format!("first in line {first_line}")),
            Mistake::LostInComment { .. } => Some("quote all of it, or put a blank after `#`".to_string()),
            Mistake::SecretInFile { secret } => {
                Some(format!("set it in the environment and write `${{{}}}`", secret.to_uppercase()))
            }
            Mistake::MissingParameter { name, .. } => Some(format!("give it under `with`: `{name}: …`")),
            Mistake::ReplacesEnvironment { .. } => Some("give it another name".to_string()),
            Mistake::LeadsOut { .. } => Some("only files inside the suite are read".to_string()),
            Mistake::SeveralToUse { .. } => Some("put the steps into a file of their own".to_string()),
            Mistake::Ambiguous { .. } => Some("make one pattern say more".to_string()),
            Mistake::BrokenLock { .. } => {
                Some("mend it, or remove it and write it anew: assay run --lock".to_string())
            }
            Mistake::OtherProject { .. } => Some("run each project by itself".to_string()),
            Mistake::NoSuchPath
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
            | Mistake::TooManySteps { .. } => None,
        }
    }
}

fn list(words: &[String]) -> String {
    words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
}
