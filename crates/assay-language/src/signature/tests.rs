//! A page before and after, and whether the element is found again.

use assay_protocol::{Scene, SceneNode};

use super::{Recognition, recognise};
use crate::signature::describe;

/// One line a node, indented by two blanks a level: `ref role "name" mark=value …`.
fn scene(text: &str) -> Scene {
    let mut nodes: Vec<SceneNode> = Vec::new();
    let mut open: Vec<(usize, usize)> = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let depth = line.len() - line.trim_start().len();
        let (head, rest) = line.trim().split_once('"').unwrap();
        let (name, marks) = rest.split_once('"').unwrap();
        let mut head = head.split_whitespace().rev();
        let role = head.next().unwrap().to_string();
        open.retain(|(level, _)| *level < depth);
        nodes.push(SceneNode {
            parent: open.last().map(|(_, at)| *at),
            reference: head.next().map(str::to_string),
            role,
            name: name.to_string(),
            attributes: marks
                .split_whitespace()
                .map(|mark| mark.split_once('=').unwrap())
                .map(|(key, value)| (key.to_string(), value.replace('_', " ")))
                .collect(),
            ..SceneNode::default()
        });
        open.push((depth, nodes.len() - 1));
    }
    Scene { nodes, ..Scene::default() }
}

#[track_caller]
fn check(before: &str, reference: &str, after: &str, expected: &str) {
    let signature = describe(&scene(before), reference).unwrap();
    let found = match recognise(&signature, &scene(after)) {
        Recognition::Same { reference } => format!("same {reference}"),
        Recognition::Changed { reference, .. } => format!("changed {reference}"),
        Recognition::Refused { .. } => "refused".to_string(),
    };
    assert_eq!(found, expected, "{:#?}", recognise(&signature, &scene(after)));
}

const ROWS: &str = r#"
e1 row ""
  text "Oak lamp"
  e2 button "Buy"
e3 row ""
  text "Elm chair"
  e4 button "Buy"
"#;

#[test]
fn an_unchanged_page_gives_the_same_element() {
    check(ROWS, "e4", ROWS, "same e4");
    check(ROWS, "e2", ROWS, "same e2");
}

#[test]
fn a_row_that_moved_is_found_by_its_words() {
    let moved = r#"
e9 row ""
  text "Elm chair"
  e8 button "Buy"
e7 row ""
  text "Oak lamp"
  e6 button "Buy"
"#;
    check(ROWS, "e4", moved, "same e8");
}

#[test]
fn a_row_that_is_gone_is_not_replaced_by_another() {
    let gone = "\ne1 row \"\"\n  text \"Oak lamp\"\n  e2 button \"Buy\"\n";
    check(ROWS, "e4", gone, "refused");
}

#[test]
fn one_of_several_alike_is_found_by_its_place_only_while_there_are_as_many() {
    let three = "e1 button \"Delete\"\ne2 button \"Delete\"\ne3 button \"Delete\"\n";
    check(three, "e2", three, "same e2");
    check(three, "e2", "e1 button \"Delete\"\ne2 button \"Delete\"\n", "refused");
}

#[test]
fn a_new_id_does_not_hide_a_button_and_another_button_is_not_taken_for_it() {
    let before =
        "form \"Login\"\n  e1 button \"Log in\" id=login type=submit\n  e2 button \"Cancel\" type=button\n";
    check(before, "e1", &before.replace("id=login", "id=x42"), "changed e1");
    check(before, "e1", "form \"Login\"\n  e2 button \"Cancel\" type=button\n", "refused");
    check(before, "e1", "form \"Login\"\n  e2 button \"Delete account\" id=login type=submit\n", "refused");
}

#[test]
fn a_field_is_found_by_what_its_label_still_says() {
    let before = "e1 textbox \"Email\" name=email label=Email type=email\ne2 textbox \"Name\" name=name label=Name type=text\n";
    let after = "e5 textbox \"Email address\" name=email label=Email_address type=email\ne6 textbox \"Name\" name=name label=Name type=text\n";
    check(before, "e1", after, "changed e5");
}
