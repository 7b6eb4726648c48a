//! The coding agents: their names, and the format, the key and the shape of their entries.
//!
//! Does not know where the files are (`places.rs`), nor how they are edited.

use std::fmt;

/// A program that starts MCP servers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Client {
    ClaudeCode,
    ClaudeDesktop,
    Cursor,
    VsCode,
    Codex,
    Gemini,
    Copilot,
    Zed,
    OpenCode,
    Goose,
    Windsurf,
    Cline,
    Kiro,
    Antigravity,
}

/// How a configuration file is written. JSON always means JSON with comments and trailing commas.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Json,
    Toml,
    Yaml,
}

/// Which fields an entry has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// `command`, `args`, `env`.
    Plain,
    /// With `type: stdio` before them.
    Typed,
    /// With `source: custom` before them.
    Sourced,
    /// The command and its arguments in one list.
    Joined,
    /// `cmd`, `args`, `envs`, and a name of its own.
    Extension,
}

impl Client {
    pub const ALL: [Client; 14] = [
        Client::ClaudeCode,
        Client::ClaudeDesktop,
        Client::Cursor,
        Client::VsCode,
        Client::Codex,
        Client::Gemini,
        Client::Copilot,
        Client::Zed,
        Client::OpenCode,
        Client::Goose,
        Client::Windsurf,
        Client::Cline,
        Client::Kiro,
        Client::Antigravity,
    ];

    /// The word on the command line.
    pub fn name(self) -> &'static str {
        self.row().0
    }

    /// The name as its makers write it.
    pub fn title(self) -> &'static str {
        self.row().1
    }

    pub fn format(self) -> Format {
        self.row().2
    }

    /// The client of that name on the command line.
    pub fn named(name: &str) -> Option<Client> {
        Client::ALL.into_iter().find(|client| client.name() == name)
    }

    /// The key of the servers, at the top of the file.
    pub(crate) fn table(self) -> &'static str {
        self.row().3
    }

    pub(crate) fn shape(self) -> Shape {
        self.row().4
    }

    #[rustfmt::skip] // One client, one line.
    fn row(self) -> (&'static str, &'static str, Format, &'static str, Shape) {
        match self {
            Client::ClaudeCode => ("claude-code", "Claude Code", Format::Json, "mcpServers", Shape::Typed),
            Client::ClaudeDesktop => ("claude-desktop", "Claude Desktop", Format::Json, "mcpServers", Shape::Plain),
            Client::Cursor => ("cursor", "Cursor", Format::Json, "mcpServers", Shape::Plain),
            Client::VsCode => ("vscode", "VS Code", Format::Json, "servers", Shape::Typed),
            Client::Codex => ("codex", "Codex", Format::Toml, "mcp_servers", Shape::Plain),
            Client::Gemini => ("gemini", "Gemini CLI", Format::Json, "mcpServers", Shape::Plain),
            Client::Copilot => ("copilot", "GitHub Copilot CLI", Format::Json, "mcpServers", Shape::Typed),
            Client::Zed => ("zed", "Zed", Format::Json, "context_servers", Shape::Sourced),
            Client::OpenCode => ("opencode", "OpenCode", Format::Json, "mcp", Shape::Joined),
            Client::Goose => ("goose", "Goose", Format::Yaml, "extensions", Shape::Extension),
            Client::Windsurf => ("windsurf", "Windsurf", Format::Json, "mcpServers", Shape::Plain),
            Client::Cline => ("cline", "Cline", Format::Json, "mcpServers", Shape::Plain),
            Client::Kiro => ("kiro", "Kiro", Format::Json, "mcpServers", Shape::Plain),
            Client::Antigravity => ("antigravity", "Antigravity", Format::Json, "mcpServers", Shape::Plain),
        }
    }
}

impl fmt::Display for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.title())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_client_is_found_by_its_name_and_by_nothing_else() {
        for client in Client::ALL {
            assert_eq!(Client::named(client.name()), Some(client));
        }
        assert_eq!(Client::named("Cursor"), None);
        assert_eq!(Client::named(""), None);
    }
}
