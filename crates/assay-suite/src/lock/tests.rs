use std::collections::BTreeMap;

use assay_protocol::{
    Action, EffectKind, LastingAct, LockedEntry, LockedTest, MouseButton, Part, ScrollTo, Selector, Signature,
};

use super::LockFile;

fn example() -> LockFile {
    let signature = Signature {
        role: "textbox".to_string(),
        name: "E-mail: \"work\"".to_string(),
        marks: BTreeMap::from([("name".to_string(), "email".to_string())]),
        within: vec!["form \"Log in\"".to_string()],
        near: vec!["Log in".to_string(), String::new()],
        place: (1, 2),
        kind: (1, 3),
    };
    let e1 = || Selector::parse("e1").unwrap();
    let elements = BTreeMap::from([("e1".to_string(), signature)]);
    let fill = LastingAct {
        action: Action::Fill { target: e1(), text: "⟦1⟧".to_string() },
        elements: elements.clone(),
    };
    let scroll = LastingAct { action: Action::Scroll { to: ScrollTo::Bottom }, elements: BTreeMap::new() };
    let scroll_to = LastingAct {
        action: Action::Scroll { to: ScrollTo::Element { target: e1() } },
        elements: elements.clone(),
    };
    let click = LastingAct {
        action: Action::Click { target: e1(), button: MouseButton::Left, modifiers: Vec::new() },
        elements,
    };
    let entry = |part, step: &str, nth, act| LockedEntry {
        part,
        step: step.to_string(),
        nth,
        acts: vec![act],
        effect: EffectKind {
            lands: Some("/home".to_string()),
            requests: vec!["POST /login?next (email, password)".parse().unwrap()],
            ..EffectKind::default()
        },
    };
    let locked = LockedTest {
        entries: vec![
            entry(Part::Setup, "Enter \"⟦1⟧\": it's #1", 1, fill),
            entry(Part::Step, "Click 'Log in' and click it again", 2, click),
            entry(Part::Step, "Look at the end", 0, scroll),
            entry(Part::Step, "Look at the form", 1, scroll_to.clone()),
        ],
        refused: vec![entry(Part::Step, "Look at the form", 1, scroll_to)],
    };
    LockFile { tests: BTreeMap::from([("log_in [2]".to_string(), locked)]) }
}

fn read(text: &str) -> Result<LockFile, String> {
    let folder = tempfile();
    let path = folder.join("a.lock.yaml");
    std::fs::write(&path, text).unwrap();
    let read = LockFile::load(&path, &folder).map_err(|problem| problem.to_string());
    std::fs::remove_dir_all(folder).unwrap();
    read
}

fn tempfile() -> std::path::PathBuf {
    use std::sync::atomic::{AtomicU32, Ordering};
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let folder = std::env::temp_dir().join(format!("assay-lock-{}-{number}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn what_is_written_is_read_again() {
    let text = example().text();
    assert_eq!(read(&text).unwrap(), example(), "{text}");
}

#[test]
fn a_broken_file_is_told() {
    let told = |text: &str, word: &str| {
        let told = read(text).unwrap_err();
        assert!(told.contains(word) && told.contains("a.lock.yaml"), "{told}");
    };
    told("lock: 2\ntests: {}\n", "expected lock version 1, found 2");
    told("tests: {}\n", "lock");
    told("<<<<<<< HEAD\nlock: 1\n", "a.lock.yaml");
    let entry = "lock: 1\ntests:\n  a:\n    - step: x\n      acts:\n        - ";
    told(&format!("{entry}do: {{verb: fly}}\n"), "fly");
    told(&format!("{entry}do: {{verb: focus, target: e7}}\n"), "`e7` has no description");
    told("lock: 1\ntests:\n  a:\n    - step: x\n      acts: []\n", "expected at least one act, found none");
}

#[test]
fn saving_replaces_the_file_whole_and_only_when_it_changed() {
    let folder = tempfile();
    let path = folder.join("a.lock.yaml");
    assert!(example().save(&path).unwrap());
    assert!(!example().save(&path).unwrap());
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1);
    assert!(LockFile::default().save(&path).unwrap());
    assert!(!path.exists());
    std::fs::remove_dir_all(folder).unwrap();
}
