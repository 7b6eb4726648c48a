//! The choice of a model and its budget, from the caller, the user and the project.

use std::path::PathBuf;

use assay_protocol::{ErrorCode, Failure};
use assay_provider::{Limits, ModelName, Money};
use assay_suite::{PilotChoice, UserSettings, read_user_settings};

use crate::context::HostContext;

/// The caller's settings for models.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ModelOptions {
    pub model: Option<String>,
    pub pilot: Option<PilotChoice>,
    /// The budget of the run.
    pub limits: Option<Limits>,
    pub cassette: Option<Cassette>,
    /// Reports every question.
    pub verbose: bool,
}

/// A file in which answers of models are kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cassette {
    Record(PathBuf),
    Replay(PathBuf),
}

impl Cassette {
    /// `record:FILE` or `replay:FILE`.
    pub fn read(text: &str) -> Result<Cassette, Failure> {
        match text.split_once(':') {
            Some(("record", file)) if !file.is_empty() => Ok(Cassette::Record(PathBuf::from(file))),
            Some(("replay", file)) if !file.is_empty() => Ok(Cassette::Replay(PathBuf::from(file))),
            _ => Err(usage(format!("expected record:FILE or replay:FILE for the cassette, found `{text}`"))),
        }
    }
}

/// A named model.
#[derive(Debug, Clone)]
pub struct ChosenModel {
    /// Or why the name cannot be read.
    pub name: Result<ModelName, String>,
    /// The source of the name, for messages.
    pub by: &'static str,
    pub user: UserSettings,
}

/// The project as the source of a name.
const BY_PROJECT: &str = "the project";

impl ChosenModel {
    /// Whether nobody but the project asks for it.
    pub fn is_wish_of_project(&self) -> bool {
        self.by == BY_PROJECT
    }
}

/// The model to ask: by the caller, the environment, the user's settings or the project, in this order.
pub fn choose_model(
    context: &HostContext,
    options: &ModelOptions,
    project: Option<&str>,
) -> Result<Option<ChosenModel>, Failure> {
    let user = user_settings(context)?;
    let said = [
        (options.model.clone(), "--model"),
        (context.default_model.clone(), "DEFAULT_MODEL"),
        (user.model.clone(), "the user's settings"),
        (project.map(str::to_string), BY_PROJECT),
    ];
    let Some((name, by)) = said.into_iter().find_map(|(name, by)| Some((name?, by))) else { return Ok(None) };
    let name = ModelName::read(&name).map_err(|err| format!("{err} ({by})"));
    match name {
        // A mistake on the command line is an error now; one elsewhere may not matter for this run.
        Err(message) if by == "--model" => Err(usage(message).hint("assay model list")),
        name => Ok(Some(ChosenModel { name, by, user })),
    }
}

/// Nothing where the user has none.
pub fn user_settings(context: &HostContext) -> Result<UserSettings, Failure> {
    let Some(folder) = &context.configuration else { return Ok(UserSettings::default()) };
    read_user_settings(&folder.join("config.yaml")).map_err(|problem| usage(problem.to_string()))
}

pub fn pilot_named(name: &str) -> Result<PilotChoice, Failure> {
    PilotChoice::ALL.iter().find(|(known, _)| *known == name).map(|(_, pilot)| *pilot).ok_or_else(|| {
        let known: Vec<&str> = PilotChoice::ALL.iter().map(|(known, _)| *known).collect();
        usage(format!("expected --pilot {}, found `{name}`", known.join(", ")))
    })
}

/// `0.50`, `$0.50`, `20000tokens`, `30calls`, or several joined by commas.
pub fn limits_said(said: &str) -> Result<Limits, Failure> {
    let mut limits = Limits::default();
    for part in said.split(',').map(str::trim) {
        let wrong =
            || usage(format!("expected a limit such as 0.50, 20000tokens or 30calls, found `{part}`"));
        let whole = |text: &str| text.trim().parse::<u64>().map_err(|_| wrong());
        if let Some(tokens) = part.strip_suffix("tokens") {
            limits.tokens = Some(whole(tokens)?);
        } else if let Some(calls) = part.strip_suffix("calls") {
            limits.calls = Some(whole(calls)?);
        } else {
            let dollars: f64 = part.trim_start_matches('$').parse().map_err(|_| wrong())?;
            if !dollars.is_finite() || dollars < 0.0 {
                return Err(wrong());
            }
            limits.money = Some(Money::dollars(dollars));
        }
    }
    Ok(limits)
}

fn usage(message: impl Into<String>) -> Failure {
    Failure::new(ErrorCode::Usage, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_read() {
        let limits = limits_said("$0.50, 20000tokens,30 calls").ok();
        let expected = Limits { money: Some(Money::dollars(0.5)), calls: Some(30), tokens: Some(20_000) };
        assert_eq!(limits, Some(expected));
        for wrong in ["", "much", "-1", "NaN", "tokens", "1.5calls"] {
            assert!(limits_said(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_cassette_says_what_is_done_with_it() {
        assert_eq!(Cassette::read("replay:a:b").ok(), Some(Cassette::Replay(PathBuf::from("a:b"))));
        assert!(Cassette::read("tape.jsonl").is_err());
        assert!(Cassette::read("record:").is_err());
    }
}
