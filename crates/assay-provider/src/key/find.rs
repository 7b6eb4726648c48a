//! Where a key is looked for: the environment, then a command, then a file.

use std::path::PathBuf;

use super::{Key, KeyError, command, file};

/// Where to look. Everything comes in as an argument: nothing in this crate reads the environment.
pub struct KeySources<'a> {
    /// A variable of the environment, by name.
    pub environment: &'a (dyn Fn(&str) -> Option<String> + Sync),
    /// `key_command` of the user's configuration.
    pub command: Option<String>,
    /// The user's configuration folder, `~/.config/assay`. Keys lie in `keys/`, a file a provider.
    pub configuration_folder: Option<PathBuf>,
}

/// The key of a provider, from the first source that has one. `variables` are tried in order.
pub async fn find_key(provider: &str, variables: &[&str], sources: &KeySources<'_>) -> Result<Key, KeyError> {
    for variable in variables {
        // A variable that is set to nothing is how people unset one in a file of settings.
        if let Some(text) = (sources.environment)(variable).filter(|text| !text.trim().is_empty()) {
            return Key::new(&text, &format!("`{variable}`"));
        }
    }
    if let Some(command) = &sources.command {
        return command::run(command).await;
    }
    let path = sources.configuration_folder.as_ref().map(|folder| folder.join("keys").join(provider));
    if let Some(path) = &path
        && let Some(key) = file::read(path)?
    {
        return Ok(key);
    }
    Err(KeyError::Missing {
        provider: provider.to_string(),
        variable: variables.first().copied().unwrap_or_default().to_string(),
        file: path,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_environment_comes_first() {
        let environment = |name: &str| (name == "B_KEY").then(|| "sk-b".to_string());
        let sources = KeySources {
            environment: &environment,
            command: Some("echo sk-command".to_string()),
            configuration_folder: None,
        };
        assert_eq!(find_key("b", &["A_KEY", "B_KEY"], &sources).await.unwrap().expose(), "sk-b");
        assert_eq!(find_key("a", &["A_KEY"], &sources).await.unwrap().expose(), "sk-command");
    }

    #[tokio::test]
    async fn no_key_is_told_with_where_to_put_one() {
        let environment = |_: &str| Some("  ".to_string());
        let folder = Some(PathBuf::from("/nonexistent/assay"));
        let sources = KeySources { environment: &environment, command: None, configuration_folder: folder };
        let error = find_key("anthropic", &["ANTHROPIC_API_KEY"], &sources).await.unwrap_err();
        assert_eq!(error.to_string(), "found no key for anthropic");
        assert_eq!(
            error.hint().unwrap(),
            "set `ANTHROPIC_API_KEY`, or write the key to `/nonexistent/assay/keys/anthropic` and run `chmod 600 /nonexistent/assay/keys/anthropic`"
        );
    }
}
