//! The user's own settings, which no project file may set.

use std::path::Path;
use std::sync::Arc;

use crate::files;
use crate::keys;
use crate::options::TestBudget;
use crate::problem::{Problem, Problems};
use crate::reader::Reader;
use crate::yaml;

/// `config.yaml` in the user's configuration folder.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct UserSettings {
    /// The model to ask: `anthropic/claude-sonnet-5-5`.
    pub model: Option<String>,
    /// A command that prints the key.
    pub key_command: Option<String>,
    /// Whether the model takes pictures. Unknown if nobody says so.
    pub pictures: Option<bool>,
    /// The budget of a run for models.
    pub budget: TestBudget,
    /// How long what an agent says again and again stays in the provider's cache.
    pub cache: CacheTime,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum CacheTime {
    #[default]
    FiveMinutes,
    OneHour,
}

impl CacheTime {
    const ALL: [(&'static str, CacheTime); 2] = [("5m", CacheTime::FiveMinutes), ("1h", CacheTime::OneHour)];
}

/// The settings in a file; empty if there is none.
pub fn read_user_settings(path: &Path) -> Result<UserSettings, Box<Problem>> {
    if !path.exists() {
        return Ok(UserSettings::default());
    }
    let source = files::read(path, path.to_path_buf())?;
    let mut problems = Problems::default();
    let documents = yaml::documents(&source, &mut problems);
    let mut settings = UserSettings::default();
    let mut reader = Reader { source: Arc::clone(&source), problems: &mut problems, browsers: &[] };
    if let Some(document) = documents.first().filter(|document| !document.is_nothing())
        && let Some(fields) = reader.fields(document, &keys::names(keys::USER), "a mapping of settings")
    {
        let mut text = |name: &str, expected: &str| {
            fields.get(name).and_then(|node| reader.text(node, expected)).map(|text| text.value)
        };
        settings.model = text("model", "a model such as `anthropic/claude-sonnet-5-5`");
        settings.key_command = text("key_command", "a command that prints the API key");
        if let Some(node) = fields.get("pictures") {
            settings.pictures = reader.switch(node);
        }
        if let Some(node) = fields.get("budget") {
            settings.budget = reader.budget(node);
        }
        if let Some(node) = fields.get("cache") {
            settings.cache = reader.one_of(node, "cache", &CacheTime::ALL).unwrap_or_default();
        }
    }
    match problems.into_vec().into_iter().next() {
        Some(problem) => Err(Box::new(problem)),
        None => Ok(settings),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(name: &str, text: &str) -> Result<UserSettings, String> {
        let path = std::env::temp_dir().join(format!("assay-user-{}-{name}.yaml", std::process::id()));
        std::fs::write(&path, text).map_err(|err| err.to_string())?;
        let settings = read_user_settings(&path).map_err(|problem| problem.mistake.to_string());
        std::fs::remove_file(&path).map_err(|err| err.to_string())?;
        settings
    }

    #[test]
    fn settings_are_read_and_mistakes_are_told() {
        let settings = read(
            "good",
            "model: ollama/qwen3\nkey_command: pass show key\npictures: false\nbudget: { money: 0.5 }\ncache: 1h\n",
        );
        let settings = settings.unwrap_or_default();
        assert_eq!(settings.model.as_deref(), Some("ollama/qwen3"));
        assert_eq!(settings.key_command.as_deref(), Some("pass show key"));
        assert_eq!(settings.cache, CacheTime::OneHour);
        assert!(read("cache", "cache: 2h\n").is_err());
        assert_eq!((settings.pictures, settings.budget.money), (Some(false), Some(0.5)));
        assert_eq!(read("empty", ""), Ok(UserSettings::default()));
        let wrong = read("wrong", "modle: x\n").err().unwrap_or_default();
        assert!(wrong.contains("modle"), "{wrong}");
    }
}
