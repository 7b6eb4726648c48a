//! Backups of a project: made while a service and runs go on, checked before they count, and restored whole or not at all.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use assay_coordinator::{Coordinator, RunOpening, this_process};
use assay_protocol::{RunEvent, RunFact};
use serde_json::json;

use crate::context::{Context, said};

/// A run of this name that is over, with a report. Made without a browser: what counts here is what is on record.
fn record(context: &Context, run: &str, report: &str) {
    let coordinator = Coordinator::open(&state(context)).unwrap();
    let results = context.folder().join("assay-results/runs").join(run);
    std::fs::create_dir_all(results.join("screenshots")).unwrap();
    std::fs::write(results.join("report.html"), report).unwrap();
    std::fs::write(results.join("screenshots/0123456789abcdef.png"), [7; 3000]).unwrap();
    let task = coordinator
        .begin_run(&RunOpening {
            run: run.to_string(),
            suite: "Shop".to_string(),
            results,
            order: json!({ "arguments": ["run"], "folder": context.folder() }),
            owner: this_process("a test").unwrap(),
        })
        .unwrap();
    let over = RunFact::RunFinished { interrupted: false, duration_ms: 1 };
    coordinator.record(task, &RunEvent { at: 1, what: over }).unwrap();
}

fn state(context: &Context) -> PathBuf {
    context.folder().join("state")
}

fn report(context: &Context, run: &str) -> String {
    let file = context.folder().join("assay-results/runs").join(run).join("report.html");
    std::fs::read_to_string(file).unwrap_or_default()
}

fn runs(context: &Context) -> Vec<String> {
    let coordinator = Coordinator::open(&state(context)).unwrap();
    coordinator.runs().unwrap().into_iter().map(|run| run.run).collect()
}

fn project() -> Context {
    let context = Context::new();
    std::fs::write(context.folder().join("assay.yaml"), "suite: Shop\n").unwrap();
    context
}

fn secret(context: &Context) -> PathBuf {
    let folder = state(context).join("hook-secrets/incoming");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("ci"), "a secret of a webhook").unwrap();
    folder.join("ci")
}

fn holds(file: &Path, text: &str) -> bool {
    let bytes = std::fs::read(file).unwrap();
    bytes.windows(text.len()).any(|window| window == text.as_bytes())
}

#[test]
fn a_backup_brings_back_what_was_on_record_and_keeps_what_it_replaces() {
    let context = project();
    record(&context, "first", "as it was");
    secret(&context);
    assert!(context.ok(&["backup", "b.tar"]).contains("with results, without secrets"));
    let file = context.folder().join("b.tar");
    assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    assert!(!holds(&file, "a secret of a webhook"));
    assert!(context.ok(&["restore", "--check", "b.tar"]).contains("b.tar is whole: `Shop`"));
    record(&context, "second", "later");
    std::fs::write(context.folder().join("assay-results/runs/first/report.html"), "changed").unwrap();
    let told = context.ok(&["restore", "b.tar"]);
    assert_eq!(runs(&context), ["first"]);
    assert_eq!(report(&context, "first"), "as it was");
    // What was there is kept: the state, and the file that gave way.
    let replaced = PathBuf::from(told.split_once("what was there before is in ").unwrap().1);
    let old = Coordinator::open(&replaced).unwrap();
    assert_eq!(old.runs().unwrap().len(), 2);
    let changed = replaced.join("results/assay-results/runs/first/report.html");
    assert_eq!(std::fs::read_to_string(changed).unwrap(), "changed");
    // Files of later runs belong to nobody now, and stay.
    assert_eq!(report(&context, "second"), "later");
    assert!(!state(&context).join("restore").exists() && !state(&context).join("restore.part").exists());
}

#[test]
fn a_project_on_another_machine_finds_its_runs() {
    let (from, to) = (project(), project());
    record(&from, "first", "as it was");
    secret(&from);
    let settings = from.folder().join(".config/assay");
    std::fs::create_dir_all(settings.join("keys")).unwrap();
    std::fs::write(settings.join("keys/anthropic"), "sk-of-a-user").unwrap();
    let file = from.folder().join("b.tar").display().to_string();
    from.ok(&["backup", "--with-secrets", &file]);
    assert!(holds(Path::new(&file), "sk-of-a-user") && holds(Path::new(&file), "a secret of a webhook"));
    to.ok(&["restore", "--with-secrets", &file]);
    assert_eq!(runs(&to), ["first"]);
    assert_eq!(report(&to, "first"), "as it was");
    assert!(to.ok(&["report", "list"]).contains("Shop"));
    let coordinator = Coordinator::open(&state(&to)).unwrap();
    assert!(coordinator.runs().unwrap()[0].results.starts_with(to.folder().canonicalize().unwrap()));
    for (path, text) in [
        (state(&to).join("hook-secrets/incoming/ci"), "a secret of a webhook"),
        (to.folder().join(".config/assay/keys/anthropic"), "sk-of-a-user"),
    ] {
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    }
}

#[test]
fn what_is_no_whole_backup_of_this_project_changes_nothing() {
    let context = project();
    record(&context, "first", "as it was");
    context.ok(&["backup", "b.tar"]);
    let whole = std::fs::read(context.folder().join("b.tar")).unwrap();
    #[track_caller]
    fn check(context: &Context, bytes: &[u8], why: &str) {
        std::fs::write(context.folder().join("wrong.tar"), bytes).unwrap();
        let told = context.fails(2, &["restore", "wrong.tar"]);
        assert!(told.contains(why), "{told}");
        assert_eq!(runs(context), ["first"]);
        assert!(!state(context).join("restore.part").exists());
    }
    for length in [0, 100, 512, 2000, whole.len() / 2, whole.len() - 1024, whole.len() - 1] {
        check(&context, &whole[..length], "a part of it is missing at the end");
    }
    // A bit of a picture.
    let at = whole.windows(100).position(|window| window == [7; 100]).unwrap();
    let mut changed = whole.clone();
    changed[at + 50] ^= 1;
    check(&context, &changed, "the checksum of results/assay-results/runs/first/screenshots/");
    check(&context, &[b'x'; 4096], "it is no backup of assay");
    let newer = String::from_utf8_lossy(&whole[..512]).contains("assay-backup.json");
    assert!(newer);
    // A file that usual programs made, with a link in it.
    let made = std::process::Command::new("sh")
        .args(["-c", "tar xf b.tar && ln -s /etc/passwd state/bin && tar cf wrong.tar assay-backup.json state SHA256SUMS"])
        .current_dir(context.folder())
        .status()
        .unwrap();
    assert!(made.success());
    let bytes = std::fs::read(context.folder().join("wrong.tar")).unwrap();
    check(&context, &bytes, "is no plain file");
    // Another project.
    std::fs::write(context.folder().join("assay.yaml"), "suite: Bank\n").unwrap();
    check(&context, &whole, "the backup is of the project `Shop`, and this is `Bank`");
    context.ok(&["restore", "--other-project", "b.tar"]);
    // And no file is overwritten.
    context.fails(2, &["backup", "b.tar"]);
    assert_eq!(std::fs::read(context.folder().join("b.tar")).unwrap(), whole);
}

#[test]
fn a_service_that_goes_on_is_backed_up_and_nothing_is_restored_under_it() {
    let context = project();
    record(&context, "first", "as it was");
    let service = crate::serving::Service::start(&context);
    context.ok(&["backup", "b.tar"]);
    assert!(context.ok(&["restore", "--check", "b.tar"]).contains("whole"));
    let told = context.fails(4, &["restore", "b.tar"]);
    assert!(told.contains("is in use by `assay serve`"), "{told}");
    // The same over HTTP, without secrets.
    secret(&context);
    let (status, body) = service.bytes("POST", "/server/backup");
    assert_eq!(status, 200);
    std::fs::write(context.folder().join("http.tar"), &body).unwrap();
    assert!(!holds(&context.folder().join("http.tar"), "a secret of a webhook"));
    assert!(context.ok(&["restore", "--check", "http.tar"]).contains("whole"));
    drop(service);
    context.ok(&["restore", "http.tar"]);
    assert_eq!(runs(&context), ["first"]);
}

#[test]
fn a_restore_that_is_killed_at_any_moment_leaves_the_old_or_the_new_state() {
    let context = project();
    record(&context, "first", "as it was");
    context.ok(&["backup", "b.tar"]);
    let (mut old, mut new) = (0, 0);
    for round in 0..25_u64 {
        record(&context, &format!("later-{round}"), "later");
        std::fs::write(context.folder().join("assay-results/runs/first/report.html"), "changed").unwrap();
        let mut child = context
            .command(&["restore", "b.tar"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let random = std::hash::BuildHasher::hash_one(&std::collections::hash_map::RandomState::new(), round);
        std::thread::sleep(Duration::from_micros(random % 120_000));
        child.kill().unwrap();
        child.wait().unwrap();
        // Any command that looks at the record ends what was begun.
        context.ok(&["report", "list"]);
        let found = runs(&context);
        if found == ["first"] {
            assert_eq!(report(&context, "first"), "as it was");
            new += 1;
        } else {
            assert!(
                found.contains(&format!("later-{round}")) && found.contains(&"first".to_string()),
                "{found:?}"
            );
            assert_eq!(report(&context, "first"), "changed");
            old += 1;
        }
        assert!(
            !state(&context).join("restore/label").exists()
                || state(&context).join("restore/state.db").exists()
        );
    }
    assert_eq!(old + new, 25);
    let said = said(context.command(&["restore", "b.tar"]));
    assert_eq!(said.code, 0, "{said:?}");
    assert_eq!(runs(&context), ["first"]);
}
