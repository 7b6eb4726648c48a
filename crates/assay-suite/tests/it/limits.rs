//! What is too large, too deep, too much, or outside.

use std::os::unix::fs::symlink;
use std::process::Command;

use crate::suite_folder::{Folder, check_problems};

#[track_caller]
fn check_says(text: &str, expected: &str) {
    let folder = Folder::new(&[("t.yaml", text)]);
    let loaded = folder.load();
    let shown = folder.problems(&loaded);
    assert!(shown.contains(expected), "{shown}");
    assert!(loaded.tests.is_empty());
}

#[test]
fn a_file_has_at_most_a_mebibyte() {
    let text = format!("steps: [A]\n#{}", "x".repeat(1024 * 1024));
    check_says(&text, "t.yaml: expected a file of at most 1048576 bytes, found 1048588");
}

#[test]
fn a_document_has_at_most_32_levels() {
    check_says(
        &format!("steps: {}{}", "[".repeat(40), "]".repeat(40)),
        "expected at most 32 levels, found more",
    );
    check_says(&deep_block(40), "expected at most 32 levels, found more");
    check_says(&"[".repeat(100_000), "expected at most 32 levels, found more");
}

fn deep_block(levels: usize) -> String {
    (0..levels).map(|level| format!("{}a:\n", " ".repeat(level))).collect()
}

#[test]
fn aliases_cannot_explode() {
    let mut text = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n".to_string();
    for level in 1..10 {
        let inner = vec![format!("*a{}", level - 1); 9].join(", ");
        text += &format!("a{level}: &a{level} [{inner}]\n");
    }
    check_says(&text, "expected aliases to repeat at most 10000 values, found more");
    check_says("steps: &a [x, *a]\n", "the alias refers to a value that contains it");
}

#[test]
fn a_file_comes_to_at_most_ten_thousand_steps() {
    check_says(
        &format!("steps:\n{}", "- Go\n".repeat(10_001)),
        "expected at most 10000 steps in a file, found more",
    );
    let rows = format!("steps:\n{}data:\n{}", "- Go\n".repeat(200), "- {a: 1}\n".repeat(100));
    check_says(&rows, "expected at most 10000 steps in a file, found more");
    let mut project = "steps:\n  s0: [A, B, C, D, E, F, G, H, I, J]\n".to_string();
    for level in 1..8 {
        project += &format!("  s{level}:\n{}", format!("    - use: s{}\n", level - 1).repeat(10));
    }
    let folder = Folder::new(&[("assay.yaml", &project), ("t.yaml", "steps:\n- use: s7\n")]);
    let shown = folder.problems(&folder.load());
    assert!(shown.contains("expected at most 10000 steps in a file, found more"), "{shown}");
    assert!(shown.lines().count() < 10, "{shown}");
}

#[test]
fn nothing_outside_the_suite_is_read() {
    check_problems(
        &[
            ("a.yaml", "steps: [A]\ndata: /etc/hosts.csv\n"),
            ("b.yaml", "steps: [A]\ndata: ../../../../../../../../../../etc/x.csv\n"),
        ],
        r#"
a.yaml:2:7: `/etc/hosts.csv` is outside the suite
  2 | data: /etc/hosts.csv
    |       ^^^^^^^^^^^^^^ assay reads only files inside the suite
b.yaml:2:7: `../../../../../../../../../../etc/x.csv` is outside the suite
  2 | data: ../../../../../../../../../../etc/x.csv
    |       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ assay reads only files inside the suite
"#,
    );
}

#[test]
fn links_that_lead_out_are_refused() {
    let outside = Folder::new(&[("x.yaml", "steps: [X]"), ("x.csv", "a\n1\n")]);
    let folder = Folder::new(&[
        ("suite/assay.yaml", ""),
        ("suite/t.yaml", "steps:\n  - use: link\n"),
        ("suite/u.yaml", "steps: [A]\ndata: link.csv\n"),
        ("suite/real/v.yaml", "steps: [V]"),
    ]);
    let suite = folder.path.join("suite");
    symlink(outside.path.join("x.yaml"), suite.join("link.yaml")).unwrap();
    symlink(outside.path.join("x.csv"), suite.join("link.csv")).unwrap();
    symlink(&outside.path, suite.join("folder")).unwrap();
    symlink(suite.join("real"), suite.join("again")).unwrap();
    symlink(&suite, suite.join("real/loop")).unwrap();
    let loaded = folder.load_only(&["suite"]);
    assert_eq!(
        folder.problems(&loaded),
        r#"suite/folder: `folder` is outside the suite
  assay reads only files inside the suite
suite/link.yaml: `link.yaml` is outside the suite
  assay reads only files inside the suite
suite/t.yaml:2:10: `link` is outside the suite
  2 | - use: link
    |        ^^^^ assay reads only files inside the suite
suite/u.yaml:2:7: `link.csv` is outside the suite
  2 | data: link.csv
    |       ^^^^^^^^ assay reads only files inside the suite"#
    );
    assert_eq!(loaded.tests.len(), 1);
}

#[test]
fn a_pipe_is_not_waited_for() {
    let folder = Folder::new(&[]);
    assert!(Command::new("mkfifo").arg(folder.path.join("t.yaml")).status().unwrap().success());
    assert_eq!(folder.problems(&folder.load()), "t.yaml: cannot be read: it is not a regular file");
}

#[test]
fn a_file_tells_its_first_hundred_mistakes() {
    let keys: String = (0..5000).map(|number| format!("key{number}: 1\n")).collect();
    let folder = Folder::new(&[("t.yaml", &keys)]);
    let loaded = folder.load();
    assert_eq!(loaded.problems.len(), 101);
    let last = folder.problems(&loaded).lines().last().map(str::to_string);
    assert_eq!(last.as_deref(), Some("t.yaml:101:1: too many mistakes: only the first 100 are shown"));
    let names = format!("steps:\n- {}\n", "${a}".repeat(2000));
    check_says(&names, "too many mistakes: only the first 100 are shown");
}

#[test]
fn routes_answer_with_files_of_the_suite_only() {
    let folder = Folder::new(&[
        ("assay.yaml", "routes: [{url: '**/a', body: ../a.json}]\n"),
        ("t.yaml", "steps: [Go]\n"),
    ]);
    let shown = folder.problems(&folder.load());
    assert!(shown.contains("assay.yaml:1:30: `../a.json` is outside the suite"), "{shown}");
    let folder = Folder::new(&[(
        "t.yaml",
        "routes:\n  - {url: '**/a', body: /etc/hostname}\n  - {url: '**/b', body: link.json}\n  - {url: '**/c', body: later.json}\nsteps: [Go]\n",
    )]);
    symlink("/etc/hostname", folder.path.join("link.json")).unwrap();
    let shown = folder.problems(&folder.load());
    assert!(shown.contains("t.yaml:2:25: `/etc/hostname` is outside the suite"), "{shown}");
    assert!(shown.contains("t.yaml:3:25: `link.json` is outside the suite"), "{shown}");
    assert!(!shown.contains("later.json` is"), "{shown}");
}
