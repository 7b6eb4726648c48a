//! What happens to files when a change is made.

use std::fs;

use assay_enrol::{Client, Scope, apply, plan};

use crate::scene::{Scene, server};

#[test]
fn every_client_is_entered_and_taken_out_without_a_trace() {
    let scene = Scene::new("every_client_is_entered");
    for client in Client::ALL {
        scene.install(client, Scope::User).unwrap();
        let path = assay_enrol::file(client, Scope::User, &scene.places).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), assay_enrol::manual(client, &server()), "{client}");
        scene.install(client, Scope::User).unwrap();
        scene.undo(client, Scope::User).unwrap();
        assert!(!path.exists(), "{client}");
        scene.undo(client, Scope::User).unwrap();
    }
}

#[test]
fn no_temporary_file_is_left() {
    let scene = Scene::new("no_temporary_file_is_left");
    let before = "{\"a\": 1}";
    scene.write("project/.cursor/mcp.json", before);
    scene.install(Client::Cursor, Scope::Project).unwrap();
    assert_eq!(scene.names("project/.cursor"), ["mcp.json"]);
    scene.undo(Client::Cursor, Scope::Project).unwrap();
    assert_eq!(scene.read("project/.cursor/mcp.json"), before);
}

#[test]
fn a_file_that_changed_meanwhile_is_left_alone() {
    let scene = Scene::new("a_file_that_changed_meanwhile");
    scene.write("project/.cursor/mcp.json", "{}");
    let change = plan(Client::Cursor, Scope::Project, &scene.places, &server()).unwrap();
    scene.write("project/.cursor/mcp.json", "{ }");
    let err = apply(&change).unwrap_err();
    assert_eq!(scene.told(&err), "ROOT/project/.cursor/mcp.json has changed since it was read");
    assert_eq!(scene.read("project/.cursor/mcp.json"), "{ }");
}

#[test]
fn a_file_that_came_meanwhile_is_left_alone() {
    let scene = Scene::new("a_file_that_came_meanwhile");
    let change = plan(Client::Cursor, Scope::Project, &scene.places, &server()).unwrap();
    scene.write("project/.cursor/mcp.json", "");
    assert!(apply(&change).is_err());
    assert_eq!(scene.read("project/.cursor/mcp.json"), "");
}

#[test]
fn a_read_only_file_stays_as_it_is() {
    let scene = Scene::new("a_read_only_file_stays");
    let path = scene.write("project/.mcp.json", "{}");
    let mut permissions = fs::metadata(&path).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&path, permissions).unwrap();
    let err = scene.install(Client::ClaudeCode, Scope::Project).unwrap_err();
    assert_eq!(scene.told(&err), "could not write ROOT/project/.mcp.json: the file is read-only");
    assert_eq!(scene.read("project/.mcp.json"), "{}");
}

#[test]
fn a_file_where_a_folder_should_be_is_told() {
    let scene = Scene::new("a_file_where_a_folder_should_be");
    scene.write("project/.cursor", "x");
    let err = scene.install(Client::Cursor, Scope::Project).unwrap_err();
    let told = scene.told(&err);
    assert!(told.starts_with("could not read ROOT/project/.cursor/mcp.json: "), "{told}");
}

#[cfg(unix)]
#[test]
fn permissions_stay() {
    use std::os::unix::fs::PermissionsExt;
    let scene = Scene::new("permissions_stay");
    let path = scene.write("home/.claude.json", "{}");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
    scene.install(Client::ClaudeCode, Scope::User).unwrap();
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    assert!(scene.read("home/.claude.json").contains("assay"));
}

#[cfg(unix)]
#[test]
fn a_link_stays_and_its_target_is_written() {
    let scene = Scene::new("a_link_stays");
    scene.write("dotfiles/codex.toml", "a = 1\n");
    fs::create_dir_all(scene.path("home/.codex")).unwrap();
    std::os::unix::fs::symlink("../../dotfiles/codex.toml", scene.path("home/.codex/config.toml")).unwrap();
    scene.install(Client::Codex, Scope::User).unwrap();
    assert!(fs::symlink_metadata(scene.path("home/.codex/config.toml")).unwrap().is_symlink());
    assert!(scene.read("dotfiles/codex.toml").starts_with("a = 1\n\n[mcp_servers.assay]\n"));
    scene.undo(Client::Codex, Scope::User).unwrap();
    assert_eq!(scene.read("dotfiles/codex.toml"), "a = 1\n");
    assert_eq!(scene.names("dotfiles"), ["codex.toml"]);
}

#[cfg(unix)]
#[test]
fn a_link_to_nothing_gets_its_target() {
    let scene = Scene::new("a_link_to_nothing");
    fs::create_dir_all(scene.path("home/.cursor")).unwrap();
    std::os::unix::fs::symlink(scene.path("dotfiles/mcp.json"), scene.path("home/.cursor/mcp.json")).unwrap();
    scene.install(Client::Cursor, Scope::User).unwrap();
    assert!(scene.read("dotfiles/mcp.json").contains("assay"));
    scene.undo(Client::Cursor, Scope::User).unwrap();
    assert!(!scene.path("dotfiles/mcp.json").exists());
    assert!(fs::symlink_metadata(scene.path("home/.cursor/mcp.json")).unwrap().is_symlink());
}

#[cfg(unix)]
#[test]
fn a_link_to_itself_is_told() {
    let scene = Scene::new("a_link_to_itself");
    std::os::unix::fs::symlink(".mcp.json", scene.path("project/.mcp.json")).unwrap();
    assert!(scene.install(Client::ClaudeCode, Scope::Project).is_err());
}
