//! What the tests of all formats share: one line checks adding, adding again and taking out.

use crate::catalogue::{Client, Format};
use crate::edit::position;
use crate::entry::{Server, Wanted};
use crate::error::Mistake;
use crate::merge::{self, Emptied, Rest};

pub(crate) fn server() -> Server {
    Server { name: "assay".to_string(), command: "assay".to_string(), args: vec!["mcp".to_string()] }
}

pub(crate) fn wanted(client: Client) -> Wanted {
    Wanted::new(client, &server())
}

fn told(text: &str, mistake: &Mistake) -> String {
    let (line, column) = position(text, mistake.at);
    format!("{line}:{column}: {}", mistake.refusal)
}

pub(crate) fn added(client: Client, text: &str) -> String {
    merge::add(client.format(), text, &wanted(client)).unwrap_or_else(|mistake| told(text, &mistake))
}

pub(crate) fn removed(client: Client, text: &str) -> String {
    match merge::take_out(client.format(), text, client.table(), "assay", Emptied::Goes) {
        Ok(Some(Rest::Text(rest))) => rest,
        Ok(Some(Rest::NoFile)) => "no file".to_string(),
        Ok(None) => "no entry".to_string(),
        Err(mistake) => told(text, &mistake),
    }
}

/// Checks an entry that is new: it is added, once, and can be taken out without a trace.
#[track_caller]
pub(crate) fn check_add(client: Client, before: &str, after: &str) {
    assert_eq!(added(client, before), after, "adding");
    assert_eq!(added(client, after), after, "adding again");
    assert_eq!(removed(client, after), before, "taking out");
}

/// Checks an entry that is there in another form.
#[track_caller]
pub(crate) fn check_update(client: Client, before: &str, after: &str) {
    assert_eq!(added(client, before), after, "updating");
    assert_eq!(added(client, after), after, "updating again");
}

#[track_caller]
pub(crate) fn check_remove(client: Client, before: &str, after: &str) {
    assert_eq!(removed(client, before), after);
}

/// Checks that neither adding nor taking out touches a file, and what is said.
#[track_caller]
pub(crate) fn check_refused(client: Client, before: &str, message: &str) {
    assert_eq!(added(client, before), message, "adding");
    assert_eq!(removed(client, before), message, "taking out");
}

#[test]
fn a_new_file_goes_when_its_entry_does() {
    for client in Client::ALL {
        let text = merge::fresh(client.format(), &wanted(client));
        assert_eq!(added(client, &text), text, "{client}");
        assert_eq!(removed(client, &text), "no file", "{client}");
    }
}

#[test]
fn a_second_server_has_an_entry_of_its_own() {
    for client in Client::ALL {
        let first = merge::fresh(client.format(), &wanted(client));
        let other = Wanted::new(client, &Server { name: "assay-2".to_string(), ..server() });
        let both = merge::add(client.format(), &first, &other).unwrap();
        assert_eq!(added(client, &both), both, "{client}");
        let rest = merge::take_out(client.format(), &both, other.table, "assay-2", Emptied::Goes);
        assert_eq!(rest, Ok(Some(Rest::Text(first))), "{client}");
    }
}

#[test]
fn an_entry_says_what_its_client_wants() {
    #[track_caller]
    fn check(client: Client, expected: &str) {
        let wanted = wanted(client);
        let layout = crate::render::Layout::LINE;
        let entry = crate::render::member(&wanted.name, &wanted.entry(), Format::Json, &layout);
        assert_eq!(format!("{} {entry}", wanted.table), expected);
    }
    let plain = r#"mcpServers "assay": {"command": "assay", "args": ["mcp"], "env": {}}"#;
    for client in [Client::ClaudeDesktop, Client::Cursor, Client::Gemini, Client::Windsurf] {
        check(client, plain);
    }
    for client in [Client::Cline, Client::Kiro, Client::Antigravity] {
        check(client, plain);
    }
    let typed = r#""assay": {"type": "stdio", "command": "assay", "args": ["mcp"], "env": {}}"#;
    check(Client::ClaudeCode, &format!("mcpServers {typed}"));
    check(Client::Copilot, &format!("mcpServers {typed}"));
    check(Client::VsCode, &format!("servers {typed}"));
    check(Client::Codex, r#"mcp_servers "assay": {"command": "assay", "args": ["mcp"], "env": {}}"#);
    check(
        Client::Zed,
        r#"context_servers "assay": {"source": "custom", "command": "assay", "args": ["mcp"], "env": {}}"#,
    );
    check(
        Client::OpenCode,
        r#"mcp "assay": {"type": "local", "command": ["assay", "mcp"], "environment": {}, "enabled": true}"#,
    );
    check(
        Client::Goose,
        r#"extensions "assay": {"name": "assay", "type": "stdio", "cmd": "assay", "args": ["mcp"], "envs": {}, "enabled": true, "timeout": 300}"#,
    );
}
