use super::*;

fn on_file(text: &str) -> (ProjectRequirements, PathBuf) {
    static NUMBER: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    let folder = std::env::temp_dir().join(format!("assay-requirements-{}-{number}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("shop.yaml");
    std::fs::write(&path, text).unwrap();
    let (_, found) = read(text);
    let known = found.into_iter().map(|requirement| RequirementOnFile {
        requirement,
        file: path.clone(),
        path: path.clone(),
        line: 1,
    });
    (ProjectRequirements { on_file: Some(known.collect()), problems: Vec::new() }, path)
}

#[track_caller]
fn check(text: &str, change: RequirementChange, expected: &str) {
    let (known, path) = on_file(text);
    let written = write_requirements(&known, &[change], &path);
    std::fs::remove_dir_all(path.parent().unwrap()).unwrap();
    let files = written.unwrap().files;
    assert_eq!(files.first().map_or(text, |(_, text)| text.as_str()), expected);
}

fn of(code: &str) -> RequirementChange {
    RequirementChange { code: code.to_string(), ..RequirementChange::default() }
}

#[test]
fn an_update_changes_its_entry_and_nothing_else() {
    let text =
        "# Shop\n- code: R-1 # one\n  name: Pay\n\n- code: R-2\n  name: 'Refund'   # two\n  priority: low\n";
    check(
        text,
        RequirementChange { priority: Some(Priority::High), ..of("R-2") },
        &text.replace("priority: low", "priority: high"),
    );
    check(
        text,
        RequirementChange { name: Some("Refund, in part".to_string()), ..of("R-2") },
        &text.replace("'Refund'", "\"Refund, in part\""),
    );
    check(
        text,
        RequirementChange { status: Some(RequirementStatus::Draft), ..of("R-1") },
        &text.replace("name: Pay\n", "name: Pay\n  status: draft\n"),
    );
    check(text, RequirementChange { name: Some("Pay".to_string()), ..of("R-1") }, text);
    check(
        "code: R-1\nname: Pay\ncategory: x\n",
        RequirementChange { category: Some(String::new()), ..of("R-1") },
        "code: R-1\nname: Pay\n",
    );
}

#[test]
fn criteria_are_written_as_a_list() {
    let criteria = Some(vec!["The sum is shown".to_string(), "No: 0".to_string()]);
    check(
        "code: R-1\nname: Pay\n",
        RequirementChange { acceptance_criteria: criteria, ..of("R-1") },
        "code: R-1\nname: Pay\nacceptance_criteria:\n  - The sum is shown\n  - \"No: 0\"\n",
    );
}

#[test]
fn a_new_one_comes_last_in_the_form_of_the_file() {
    let new = || RequirementChange { name: Some("New".to_string()), ..of("R-9") };
    check("", new(), "- code: R-9\n  name: New\n");
    check("# Only words\n", new(), "# Only words\n- code: R-9\n  name: New\n");
    check("code: R-1\nname: Pay", new(), "code: R-1\nname: Pay\n---\n- code: R-9\n  name: New\n");
    check(
        "  - code: R-1\r\n    name: Pay # x\r\n# end\r\n",
        new(),
        "  - code: R-1\r\n    name: Pay # x\r\n  - code: R-9\r\n    name: New\r\n# end\r\n",
    );
    check(
        "- code: R-1\n  name: A\n\n- code: R-2\n  name: B",
        new(),
        "- code: R-1\n  name: A\n\n- code: R-2\n  name: B\n\n- code: R-9\n  name: New\n",
    );
}

#[test]
fn a_text_of_several_lines_can_be_changed() {
    let text = "- code: R-1\n  name: Pay\n  description: |\n    One.\n    Two.\n  priority: low\n";
    check(
        text,
        RequirementChange { description: Some("Three.\nFour.".to_string()), ..of("R-1") },
        "- code: R-1\n  name: Pay\n  description: |-\n    Three.\n    Four.\n  priority: low\n",
    );
}

#[test]
fn what_cannot_be_edited_is_refused() {
    let (known, path) = on_file("[{code: R-1, name: Pay}]\n");
    let new = RequirementChange { name: Some("New".to_string()), ..of("R-9") };
    assert_eq!(write_requirements(&known, &[new], &path), Err(CannotEdit { file: path.clone() }));
    std::fs::remove_dir_all(path.parent().unwrap()).unwrap();
}
