//! Where the configuration files of the clients are, and which clients seem to be installed.
//!
//! Looks whether files and folders exist, and reads none of them. Does not know what stands in them.

use std::path::{Path, PathBuf};

use crate::catalogue::Client;
use crate::error::EnrolError;

/// For whom the server is entered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// For all who work in the project folder: the file belongs into version control.
    Project,
    /// For this user, in all projects.
    User,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Platform {
    Linux,
    MacOs,
    Windows,
}

impl Platform {
    /// The platform of this program. Anything else with a home folder is treated like Linux.
    pub const HERE: Platform = if cfg!(target_os = "windows") {
        Platform::Windows
    } else if cfg!(target_os = "macos") {
        Platform::MacOs
    } else {
        Platform::Linux
    };
}

/// The folders that all files are found from.
#[derive(Debug, Clone)]
pub struct Places {
    pub project: PathBuf,
    pub home: PathBuf,
    /// `XDG_CONFIG_HOME` on Linux and `APPDATA` on Windows, where they are set.
    pub config: Option<PathBuf>,
    pub platform: Platform,
}

impl Places {
    /// Where the programs of a desktop keep their settings.
    fn applications(&self) -> PathBuf {
        match (self.platform, &self.config) {
            (Platform::MacOs, _) => self.home.join("Library").join("Application Support"),
            (_, Some(config)) => config.clone(),
            (Platform::Linux, None) => self.home.join(".config"),
            (Platform::Windows, None) => self.home.join("AppData").join("Roaming"),
        }
    }

    /// Where programs of the command line keep their settings: in `.config` on every platform.
    fn dot_config(&self) -> PathBuf {
        match (self.platform, &self.config) {
            (Platform::Linux, Some(config)) => config.clone(),
            _ => self.home.join(".config"),
        }
    }

    /// The files that a client may read for this user, the usual one first.
    fn user_files(&self, client: Client) -> Vec<PathBuf> {
        let home = |path: &str| vec![joined(&self.home, path)];
        let applications = |path: &str| joined(&self.applications(), path);
        let windows = self.platform == Platform::Windows;
        match client {
            Client::ClaudeCode => home(".claude.json"),
            Client::ClaudeDesktop => vec![applications("Claude/claude_desktop_config.json")],
            Client::Cursor => home(".cursor/mcp.json"),
            Client::VsCode => vec![applications("Code/User/mcp.json")],
            Client::Codex => home(".codex/config.toml"),
            Client::Gemini => home(".gemini/settings.json"),
            Client::Copilot => home(".copilot/mcp-config.json"),
            Client::Zed if windows => vec![applications("Zed/settings.json")],
            Client::Zed => vec![joined(&self.dot_config(), "zed/settings.json")],
            Client::OpenCode => ["opencode/opencode.jsonc", "opencode/opencode.json"]
                .map(|path| joined(&self.dot_config(), path))
                .to_vec(),
            Client::Goose if windows => vec![applications("Block/goose/config/config.yaml")],
            Client::Goose => vec![joined(&self.dot_config(), "goose/config.yaml")],
            Client::Windsurf => home(".codeium/windsurf/mcp_config.json"),
            Client::Cline => vec![
                applications(
                    "Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json",
                ),
                joined(&self.home, ".cline/data/settings/cline_mcp_settings.json"),
            ],
            Client::Kiro => home(".kiro/settings/mcp.json"),
            Client::Antigravity => home(".gemini/config/mcp_config.json"),
        }
    }

    /// The files that a client may read in a project, the usual one first; none for some clients.
    fn project_files(&self, client: Client) -> Vec<PathBuf> {
        let paths: &[&str] = match client {
            Client::ClaudeCode => &[".mcp.json"],
            Client::Cursor => &[".cursor/mcp.json"],
            Client::VsCode => &[".vscode/mcp.json"],
            Client::Codex => &[".codex/config.toml"],
            Client::Gemini => &[".gemini/settings.json"],
            Client::Copilot => &[".mcp.json", ".github/mcp.json"],
            Client::Zed => &[".zed/settings.json"],
            Client::OpenCode => &["opencode.jsonc", "opencode.json"],
            Client::Goose => &[".goose/config.yaml"],
            Client::Kiro => &[".kiro/settings/mcp.json"],
            Client::ClaudeDesktop | Client::Windsurf | Client::Cline | Client::Antigravity => &[],
        };
        paths.iter().map(|path| joined(&self.project, path)).collect()
    }

    /// Folders that a client makes by itself.
    fn folders(&self, client: Client) -> Vec<PathBuf> {
        match client {
            Client::ClaudeCode => vec![self.home.join(".claude")],
            Client::Kiro => vec![self.home.join(".kiro")],
            Client::Antigravity => {
                vec![joined(&self.home, ".gemini/antigravity"), joined(&self.home, ".gemini/config")]
            }
            _ => self
                .user_files(client)
                .iter()
                .filter_map(|path| path.parent())
                .map(Path::to_path_buf)
                .collect(),
        }
    }
}

/// The file that a client reads: of several, one that exists, or else one whose folder exists.
pub fn file(client: Client, scope: Scope, places: &Places) -> Result<PathBuf, EnrolError> {
    let candidates = match scope {
        Scope::Project => places.project_files(client),
        Scope::User => places.user_files(client),
    };
    let there = candidates.iter().find(|path| path.exists());
    let near = || candidates.iter().find(|path| path.parent().is_some_and(Path::is_dir));
    there.or_else(near).or_else(|| candidates.first()).cloned().ok_or(EnrolError::NoProjectFile { client })
}

/// The clients that seem to be installed: their file is there, or a folder that they make.
pub fn detect(places: &Places) -> Vec<Client> {
    let seen = |client: &Client| {
        places.folders(*client).iter().any(|path| path.is_dir())
            || places.user_files(*client).iter().any(|path| path.is_file())
    };
    Client::ALL.into_iter().filter(seen).collect()
}

/// A path with `/` in it, in the way of the platform that the program runs on.
fn joined(folder: &Path, path: &str) -> PathBuf {
    path.split('/').fold(folder.to_path_buf(), |folder, part| folder.join(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(platform: Platform, config: Option<&str>) -> Places {
        Places {
            project: PathBuf::from("/no/project"),
            home: PathBuf::from("/no/home"),
            config: config.map(PathBuf::from),
            platform,
        }
    }

    #[track_caller]
    fn check(client: Client, scope: Scope, platform: Platform, expected: &str) {
        let actual = match file(client, scope, &places(platform, None)) {
            Ok(path) => path.display().to_string().replace('\\', "/"),
            Err(err) => err.to_string(),
        };
        assert_eq!(actual, expected);
    }

    #[test]
    fn a_file_is_where_its_client_looks_on_each_platform() {
        use Platform::{Linux, MacOs, Windows};
        use Scope::{Project, User};
        check(Client::ClaudeCode, Project, Linux, "/no/project/.mcp.json");
        check(Client::ClaudeCode, User, Windows, "/no/home/.claude.json");
        check(Client::ClaudeDesktop, User, Linux, "/no/home/.config/Claude/claude_desktop_config.json");
        check(
            Client::ClaudeDesktop,
            User,
            MacOs,
            "/no/home/Library/Application Support/Claude/claude_desktop_config.json",
        );
        check(
            Client::ClaudeDesktop,
            User,
            Windows,
            "/no/home/AppData/Roaming/Claude/claude_desktop_config.json",
        );
        check(Client::ClaudeDesktop, Project, Linux, "Claude Desktop has no configuration file in a project");
        check(Client::VsCode, User, Linux, "/no/home/.config/Code/User/mcp.json");
        check(Client::Zed, User, MacOs, "/no/home/.config/zed/settings.json");
        check(Client::Zed, User, Windows, "/no/home/AppData/Roaming/Zed/settings.json");
        check(Client::Goose, User, Linux, "/no/home/.config/goose/config.yaml");
        check(Client::Goose, User, Windows, "/no/home/AppData/Roaming/Block/goose/config/config.yaml");
        check(Client::OpenCode, User, Windows, "/no/home/.config/opencode/opencode.jsonc");
        check(Client::Kiro, Project, Linux, "/no/project/.kiro/settings/mcp.json");
    }

    #[test]
    fn a_folder_for_settings_elsewhere_is_followed() {
        let xdg = places(Platform::Linux, Some("/no/xdg"));
        assert_eq!(xdg.user_files(Client::Zed), [PathBuf::from("/no/xdg/zed/settings.json")]);
        let mac = places(Platform::MacOs, Some("/no/xdg"));
        assert_eq!(mac.user_files(Client::Zed), [PathBuf::from("/no/home/.config/zed/settings.json")]);
    }

    #[test]
    fn every_client_has_a_file_of_its_user() {
        for client in Client::ALL {
            assert!(!places(Platform::Linux, None).user_files(client).is_empty(), "{client}");
        }
    }
}
