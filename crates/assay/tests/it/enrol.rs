//! `assay mcp install`: the entry in the settings of a coding agent, and out of them again.

use std::process::Command;

use crate::context::{Context, said};

/// A command whose home is a folder of the test.
fn at_home(context: &Context, arguments: &[&str]) -> Command {
    let mut command = context.command(arguments);
    command.env("HOME", context.folder()).env_remove("XDG_CONFIG_HOME").current_dir(context.folder());
    command
}

#[test]
fn an_entry_is_added_shown_and_taken_out_again() {
    let context = Context::new();
    let file = context.folder().join(".cursor/mcp.json");
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    let before = "{\n  // mine\n  \"mcpServers\": {\n    \"files\": { \"command\": \"files\" }\n  }\n}\n";
    std::fs::write(&file, before).unwrap();
    let install = ["mcp", "install", "--client", "cursor", "--profile", "tests"];
    let added = said(at_home(&context, &install));
    assert_eq!(added.code, 0, "{added:?}");
    assert!(added.out.contains("added in") && added.out.contains("+"), "{}", added.out);
    let after = std::fs::read_to_string(&file).unwrap();
    assert!(after.contains("// mine") && after.contains("\"--profile\", \"tests\""), "{after}");
    assert!(said(at_home(&context, &install)).out.contains("unchanged"));
    let removed = said(at_home(&context, &["mcp", "install", "--client", "cursor", "--undo"]));
    assert!(removed.out.contains("removed from") || removed.out.contains("removed in"), "{}", removed.out);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), before);
}

#[test]
fn what_an_update_changed_comes_back_with_undo() {
    let context = Context::new();
    let file = context.folder().join(".cursor/mcp.json");
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    let before = "{\n  \"mcpServers\": {\n    \"assay\": { \"command\": \"/old/assay\", \"args\": [\"mcp\"], \"env\": { \"TOKEN\": \"mine\" } }\n  }\n}\n";
    std::fs::write(&file, before).unwrap();
    let install =
        |more: &[&str]| said(at_home(&context, &[&["mcp", "install", "--client", "cursor"], more].concat()));
    let read = || std::fs::read_to_string(&file).unwrap();
    assert!(install(&[]).out.contains("updated"));
    assert!(install(&["--profile", "tests"]).out.contains("updated"));
    assert!(read().contains("mine") && !read().contains("/old/assay"), "{}", read());
    let undone = install(&["--undo"]);
    assert!(undone.out.contains("restored"), "{undone:?}");
    assert_eq!(read(), before);
    // A text that the user has changed meanwhile is not replaced by an older one.
    install(&[]);
    let changed = read().replace("mine", "another");
    std::fs::write(&file, &changed).unwrap();
    let refused = install(&["--undo"]);
    assert!(
        refused.code != 0 && refused.err.contains("has changed since its entry was updated"),
        "{refused:?}"
    );
    assert_eq!(read(), changed);
}

#[test]
fn files_that_cannot_be_read_are_left_alone() {
    let context = Context::new();
    let file = context.folder().join(".cursor/mcp.json");
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(&file, "{ \"mcpServers\": [ }").unwrap();
    let refused = said(at_home(&context, &["mcp", "install", "--client", "cursor"]));
    assert_ne!(refused.code, 0);
    assert!(refused.err.contains("mcp.json:1:"), "{}", refused.err);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "{ \"mcpServers\": [ }");
    for (arguments, part) in [
        (&["mcp", "install"][..], "expected --client NAME or --all"),
        (&["mcp", "install", "--client", "curser"], "no agent is called `curser`"),
        (&["mcp", "--undo"], "--undo goes with `assay mcp install`"),
        (&["mcp", "instal"], "expects install, or nothing"),
    ] {
        let refused = said(at_home(&context, arguments));
        assert!(refused.code == 2 && refused.err.contains(part), "{arguments:?}: {refused:?}");
    }
}
