//! Bad input: a typed code, a sentence, and nothing lost.

use crate::context::{Context, said};

#[test]
fn addresses_that_are_not_allowed_are_refused() {
    let context = Context::on("/list");
    let refused = context.fails(2, &["go", "file:///etc/passwd"]);
    assert!(
        refused.contains("`file:` addresses are not opened") && refused.contains("--allow file"),
        "{refused}"
    );
    assert!(context.fails(2, &["go", "javascript:alert(1)"]).contains("javascript"));
    assert!(context.fails(2, &["go", "chrome://version"]).contains("chrome"));
    assert!(context.ok(&["url"]).ends_with("/list"));
    std::fs::write(context.folder().join("local.html"), "<title>Local</title><h1>Here</h1>").unwrap();
    let path = format!("file://{}", context.folder().join("local.html").display());
    assert!(context.ok(&["go", &path, "--allow", "file"]).starts_with("Local"));
}

#[test]
fn pages_that_do_not_load_are_told() {
    let context = Context::new();
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let refused = context.fails(1, &["go", &format!("http://{free}/")]);
    assert!(refused.contains("did not load") && refused.contains("is the server running?"), "{refused}");
    let said = context.ok(&["go", &context.url("/no-such-page")]);
    assert!(said.contains("(status 404)"), "{said}");
    assert!(context.fails(1, &["forward"]).contains("there is no page after this one"));
}

#[test]
fn a_sentence_is_judged_in_one_line() {
    let context = Context::on("/list");
    let said = context.run(&["do", "The text \"zebra crossing\" is shown"]);
    assert_eq!(said.code, 1, "{said:?}");
    let both = format!("{}\n{}", said.out, said.err);
    assert_eq!(both.lines().filter(|line| line.starts_with("failed: ")).count(), 1, "{both}");
}

#[test]
fn a_window_without_a_display_is_refused_with_the_command_at_hand() {
    let context = Context::new();
    let refused = context.fails(4, &["run", "--headed", "."]);
    assert!(refused.contains("hint: xvfb-run -a assay run --headed, or leave --headed out"), "{refused}");
    let refused = context.fails(4, &["go", &context.url("/list"), "--headed"]);
    assert!(refused.contains("hint: Xvfb :99 & export DISPLAY=:99, or leave --headed out"), "{refused}");
}

#[test]
fn selectors_that_do_not_parse_are_refused() {
    let context = Context::on("/list");
    assert!(context.fails(2, &["click", "#a[["]).contains("expected a selector"));
    assert!(context.fails(2, &["click", "xpath=//["]).contains("expected a selector"));
    assert!(context.fails(2, &["click", "button \"Log in"]).contains("expected a closing"));
    assert!(context.fails(2, &["click", ""]).contains("expected a selector, found nothing"));
    assert!(context.fails(2, &["count", "div:::x"]).contains("expected a selector"));
}

#[test]
fn a_missing_browser_and_a_broken_one_are_told_apart() {
    let context = Context::new();
    let refused = context.fails(4, &["go", "about:blank", "--browser-path", "/no/such/browser"]);
    assert!(refused.contains("expected a browser at /no/such/browser"), "{refused}");
    let broken = context.folder().join("broken");
    std::fs::write(&broken, "#!/bin/sh\necho 'cannot open display' >&2\nexit 3\n").unwrap();
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(&broken, std::fs::Permissions::from_mode(0o755)).unwrap();
    let refused = context.fails(4, &["go", "about:blank", "--browser-path", "broken"]);
    assert!(
        refused.contains("the browser did not start") && refused.contains("cannot open display"),
        "{refused}"
    );
    // Nothing stays behind a failed start, and the next one works.
    assert!(context.run(&["daemon", "status"]).out.contains("not running"));
    context.go("/list");
}

#[test]
fn session_names_and_socket_paths_are_checked() {
    let context = Context::new();
    assert!(context.fails(2, &["url", "--session", "../x"]).contains("expected a session name"));
    let mut command = context.command(&["url"]);
    command.env("ASSAY_RUNTIME_DIR", context.folder().join("x".repeat(120)));
    let refused = said(command);
    assert_eq!(refused.code, 2);
    assert!(refused.err.contains("the socket's path has"), "{}", refused.err);
    let mut command = context.command(&["url"]);
    command.env("ASSAY_RUNTIME_DIR", "/proc/nowhere");
    assert_eq!(said(command).code, 4);
}

#[test]
fn a_full_disk_is_told_and_loses_nothing() {
    let context = Context::on("/list");
    // A file system with room for nothing. Who may not mount one cannot try it.
    let full = context.folder().join("full");
    std::fs::create_dir(&full).unwrap();
    let mount = |program: &str, arguments: &[&str]| {
        std::process::Command::new(program)
            .args(arguments)
            .arg(&full)
            .status()
            .is_ok_and(|status| status.success())
    };
    if !mount("mount", &["-t", "tmpfs", "-o", "size=4k", "tmpfs"]) {
        return;
    }
    let refused = context.run(&["screenshot", "-o", "full/full.png"]);
    let is_there = full.join("full.png").exists();
    assert!(mount("umount", &[]), "{} stays mounted", full.display());
    assert_eq!(refused.code, 4, "{refused:?}");
    assert!(refused.err.contains("could not write") && refused.err.contains("No space left"), "{refused:?}");
    assert!(!is_there);
    context.ok(&["screenshot", "-o", "ok.png"]);
}

#[test]
fn a_part_that_is_a_link_is_never_written_through() {
    let context = Context::on("/list");
    let victim = context.folder().join("victim");
    std::fs::write(&victim, "precious").unwrap();
    // Where a picture is written to before it takes its place.
    let daemon = context.json(&["daemon", "status"])["data"]["pid"].as_u64().unwrap();
    for count in 0..4 {
        let part = format!("page.png.{daemon}-{count}.part");
        std::os::unix::fs::symlink(&victim, context.folder().join(part)).unwrap();
    }
    context.run(&["screenshot", "-o", "page.png"]);
    assert_eq!(std::fs::read_to_string(&victim).unwrap(), "precious");
}

#[test]
fn every_verb_has_help_with_an_example() {
    let context = Context::new();
    let overview = context.ok(&["--help"]);
    let reference = context.ok(&["reference"]);
    let verbs: Vec<&str> = reference
        .lines()
        .filter_map(|line| line.strip_prefix("### `assay "))
        .map(|rest| rest.split([' ', '`']).next().unwrap())
        .collect();
    assert!(verbs.len() > 45, "{}", verbs.len());
    for verb in verbs {
        assert!(overview.contains(verb), "{verb}");
        let help = context.ok(&[verb, "--help"]);
        assert!(help.contains("Example") && help.contains("assay"), "{verb}: {help}");
    }
    assert!(context.ok(&["--version"]).starts_with("assay 0."));
    for shell in ["bash", "zsh", "fish"] {
        assert!(context.ok(&["completions", shell]).contains("tab-switch"));
    }
    assert!(context.fails(2, &["completions", "tcsh"]).contains("expected a shell"));
}

#[test]
fn the_doctor_finds_this_machine_fit() {
    let context = Context::new();
    let said = context.ok(&["doctor"]);
    for subject in ["browser", "sandbox", "fonts", "display", "sockets", "leftovers", "start"] {
        assert!(said.contains(subject), "{subject}: {said}");
    }
    let mut command = context.command(&["doctor"]);
    command.env("ASSAY_CHROMIUM", "/no/such/browser");
    let said = crate::context::said(command);
    assert_eq!(said.code, 4);
    assert!(said.out.contains("unset ASSAY_CHROMIUM"), "{}", said.out);
    assert!(!context.ok(&["setup", "--dry-run"]).is_empty());
}
