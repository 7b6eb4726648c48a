//! What a change says before it is made, and why some are refused.

use assay_enrol::{Client, Scope, Server, What, detect, file, manual, plan, remove};

use crate::scene::{Scene, server};

#[test]
fn a_plan_shows_its_lines_and_writes_nothing() {
    let scene = Scene::new("a_plan_shows_its_lines");
    let path = scene.write(
        "project/.cursor/mcp.json",
        "{\n  \"mcpServers\": {\n    \"a\": {\"env\": {\"KEY\": \"1\"}},\n    \"b\": {}\n  }\n}\n",
    );
    let change = plan(Client::Cursor, Scope::Project, &scene.places, &server()).unwrap();
    assert_eq!((change.what, &change.file), (What::Added, &path));
    let expected = r#"@@ -3,3 +3,8 @@
     "a": {"env": {"KEY": "1"}},
-    "b": {}
+    "b": {},
+    "assay": {
+      "command": "assay",
+      "args": ["mcp"],
+      "env": {}
+    }
   }
"#;
    assert_eq!(change.diff(), expected);
    assert_eq!(Some(scene.read("project/.cursor/mcp.json")), change.before);
}

#[test]
fn a_plan_says_what_becomes_of_the_entry() {
    let scene = Scene::new("a_plan_says_what_becomes");
    let what = |server: &Server| plan(Client::Codex, Scope::User, &scene.places, server).unwrap().what;
    let undo = || remove(Client::Codex, Scope::User, &scene.places, "assay").unwrap().what;
    assert_eq!((what(&server()), undo()), (What::Added, What::Nothing));
    scene.install(Client::Codex, Scope::User).unwrap();
    assert_eq!((what(&server()), undo()), (What::Nothing, What::Removed));
    let args = ["mcp", "--profile", "tests"].map(str::to_string).to_vec();
    assert_eq!(what(&Server { args, ..server() }), What::Updated);
    assert_eq!(what(&Server { name: "assay-2".to_string(), ..server() }), What::Added);
}

#[test]
fn a_change_of_nothing_has_no_difference() {
    let scene = Scene::new("a_change_of_nothing");
    let change = remove(Client::Zed, Scope::User, &scene.places, "assay").unwrap();
    assert_eq!((change.what, change.diff().as_str(), change.after), (What::Nothing, "", None));
}

#[test]
fn refusals_name_the_file_and_the_place() {
    let scene = Scene::new("refusals_name_the_file");
    #[track_caller]
    fn check(scene: &Scene, text: &[u8], expected: &str, hint: &str) {
        let path = scene.write("home/.cursor/mcp.json", text);
        let err = plan(Client::Cursor, Scope::User, &scene.places, &server()).unwrap_err();
        assert_eq!(scene.told(&err), format!("ROOT/home/.cursor/mcp.json:{expected}"));
        assert_eq!(err.hint(), Some(hint));
        assert_eq!(std::fs::read(path).unwrap(), text);
    }
    let mend = "the file was left as it is; mend that line and try again";
    let by_hand = "the file was left as it is; add the entry by hand";
    check(&scene, b"{\n  \"a\" 1\n}", "2:7: expected `:` behind the key, found `1`", mend);
    check(&scene, b"{\n\"\xc3\xa4\": \"\xff\"}", "2:7: expected UTF-8, found other bytes", mend);
    check(
        &scene,
        b"{\"mcpServers\": 1}",
        "1:16: expected an object as `mcpServers`, found a number",
        by_hand,
    );
}

#[test]
fn a_name_is_a_plain_word() {
    let scene = Scene::new("a_name_is_a_plain_word");
    for name in ["", "a b", "a.b", "ä", "a\n"] {
        let named = Server { name: name.to_string(), ..server() };
        let err = plan(Client::Cursor, Scope::User, &scene.places, &named).unwrap_err();
        let expected =
            format!("expected a name of letters, digits, `-` and `_` for the server, found `{name}`");
        assert_eq!(err.to_string(), expected);
        assert!(remove(Client::Cursor, Scope::User, &scene.places, name).is_err());
    }
}

#[test]
fn only_installed_clients_are_detected() {
    let scene = Scene::new("only_installed_clients");
    assert_eq!(detect(&scene.places), []);
    for path in [
        "home/.claude.json",
        "home/.cursor/x",
        "home/.config/Code/User/settings.json",
        "home/.kiro/x",
        "home/.cline/data/settings/x",
        "home/.config/goose/config.yaml",
        "project/.codex/config.toml",
    ] {
        scene.write(path, "");
    }
    let expected =
        [Client::ClaudeCode, Client::Cursor, Client::VsCode, Client::Goose, Client::Cline, Client::Kiro];
    assert_eq!(detect(&scene.places), expected);
}

#[test]
fn of_several_files_the_one_that_is_there_is_meant() {
    let scene = Scene::new("of_several_files");
    let found = |client, scope| file(client, scope, &scene.places).unwrap();
    assert_eq!(found(Client::OpenCode, Scope::Project), scene.path("project/opencode.jsonc"));
    assert_eq!(found(Client::Copilot, Scope::Project), scene.path("project/.mcp.json"));
    let json = scene.write("project/opencode.json", "{}");
    let github = scene.write("project/.github/mcp.json", "{}");
    assert_eq!(found(Client::OpenCode, Scope::Project), json);
    assert_eq!(found(Client::Copilot, Scope::Project), github);
    scene.write("home/.cline/data/settings/x", "");
    assert_eq!(
        found(Client::Cline, Scope::User),
        scene.path("home/.cline/data/settings/cline_mcp_settings.json")
    );
}

#[test]
fn an_entry_can_be_shown_to_be_copied() {
    let goose = "extensions:\n  assay:\n    name: assay\n    type: stdio\n    cmd: assay\n    args:\n      - mcp\n    envs: {}\n    enabled: true\n    timeout: 300\n";
    assert_eq!(manual(Client::Goose, &server()), goose);
    let codex = "[mcp_servers.assay]\ncommand = \"assay\"\nargs = [\"mcp\"]\nenv = {}\n";
    assert_eq!(manual(Client::Codex, &server()), codex);
    let vscode = "{\n  \"servers\": {\n    \"assay\": {\n      \"type\": \"stdio\",\n      \"command\": \"assay\",\n      \"args\": [\"mcp\"],\n      \"env\": {}\n    }\n  }\n}\n";
    assert_eq!(manual(Client::VsCode, &server()), vscode);
}
