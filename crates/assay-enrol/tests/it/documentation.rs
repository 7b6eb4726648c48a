//! `docs/agents.md` says what is written.

use assay_enrol::{Client, Format, Server, manual};

use crate::scene::{Scene, server};

const PAGE: &str = include_str!("../../../../docs/agents.md");

#[test]
fn the_examples_are_what_is_written() {
    #[track_caller]
    fn check(client: Client, language: &str, server: &Server) {
        let example = format!("```{language}\n{}```\n", manual(client, server));
        assert!(PAGE.contains(&example), "expected in docs/agents.md:\n{example}");
    }
    let args = ["mcp", "--profile", "tests"].map(str::to_string).to_vec();
    check(Client::ClaudeCode, "json", &server());
    check(Client::Cursor, "json", &Server { args, ..server() });
    check(Client::Codex, "toml", &server());
}

#[test]
fn every_client_has_a_row_with_its_key_and_an_entry() {
    let scene = Scene::new("every_client_has_a_row");
    for client in Client::ALL {
        let row = PAGE.lines().find(|line| line.starts_with(&format!("| `{}` |", client.name())));
        let row = row.unwrap_or_else(|| panic!("{client} has no row"));
        let written = manual(client, &server());
        let key = match client.format() {
            Format::Json => written.split('"').nth(1).unwrap(),
            Format::Toml => written.split(['[', '.']).nth(1).unwrap(),
            Format::Yaml => written.split(':').next().unwrap(),
        };
        assert!(row.ends_with(&format!("| `{key}` |")), "{row}");
        let file = assay_enrol::file(client, assay_enrol::Scope::User, &scene.places).unwrap();
        let name = file.file_name().unwrap().to_str().unwrap();
        assert!(row.contains(name), "{row}");
    }
}

#[test]
fn the_entries_of_the_table_are_what_is_written() {
    let without_layout = |text: &str| text.split_whitespace().collect::<String>();
    for client in Client::ALL.into_iter().filter(|client| client.format() == Format::Json) {
        let row = PAGE.lines().find(|line| line.contains(client.title()) && line.contains("\"assay\": {"));
        let row = row.unwrap_or_else(|| panic!("{client} has no entry"));
        let entry = row.split('`').nth(1).unwrap();
        assert!(
            without_layout(&manual(client, &server())).contains(&without_layout(entry)),
            "{client}: {entry}"
        );
    }
}
