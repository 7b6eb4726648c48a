//! Pages in a short form, and what is found between them.

use super::*;

/// `role name` on a line each, indented by two blanks; `text …` is a text, `[states]` and `=value` may follow.
fn page(lines: &str) -> PageSeen {
    let mut nodes: Vec<PageNode> = Vec::new();
    let mut open: Vec<(usize, usize)> = Vec::new();
    for line in lines.lines().filter(|line| !line.trim().is_empty()) {
        let depth = line.chars().take_while(|letter| *letter == ' ').count();
        while open.last().is_some_and(|(other, _)| *other >= depth) {
            open.pop();
        }
        let parent = open.last().map(|(_, at)| *at);
        let (role, rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
        let (rest, states) = match rest.split_once(" [") {
            Some((rest, states)) => (rest, vec![states.trim_end_matches(']').to_string()]),
            None => (rest, Vec::new()),
        };
        let (name, value) = match rest.split_once(" =") {
            Some((name, value)) => (name, Some(value.to_string())),
            None => (rest, None),
        };
        open.push((depth, nodes.len()));
        nodes.push(PageNode {
            parent,
            role: role.to_string(),
            name: name.to_string(),
            value,
            states,
            ..PageNode::default()
        });
    }
    // As in a scene: an element without a name of its own is called by its text.
    for at in 0..nodes.len() {
        let inside = |other: &usize| {
            std::iter::successors(nodes[*other].parent, |above| nodes[*above].parent).any(|above| above == at)
        };
        let texts: Vec<String> = (at + 1..nodes.len())
            .filter(inside)
            .filter(|other| nodes[*other].is_text())
            .map(|other| nodes[other].name.clone())
            .collect();
        if nodes[at].name.is_empty()
            && !texts.is_empty()
            && ["button", "link", "row", "listitem", "cell"].contains(&nodes[at].role.as_str())
        {
            nodes[at].name = texts.join(" ");
            nodes[at].is_named_by_text = true;
        }
    }
    PageSeen { url: "{app}/x".to_string(), nodes, ..PageSeen::default() }
}

#[track_caller]
fn check(old: &str, new: &str, expected: &[&str]) {
    let found = compare_trees(&page(old), &page(new));
    let words: Vec<String> =
        found.iter().map(|finding| format!("{}: {}", finding.aspect, finding.words())).collect();
    assert_eq!(words, expected);
    assert_eq!(compare_trees(&page(old), &page(old)), [], "a page is like itself");
}

const LIST: &str = "
list Tickets
  listitem
    text Fix the lamp
    button
      text Delete
  listitem
    text Order lines
    button
      text Delete
  listitem
    text Paint the pier
    button
      text Delete
";

#[test]
fn a_changed_word_is_found_at_its_element() {
    check(
        "main\n  heading Welcome\n    text Welcome\n  button\n    text Save",
        "main\n  heading Welcome\n    text Welcome\n  button\n    text Store",
        &["text: main > button \"Save\": `Save` → `Store`"],
    );
}

#[test]
fn a_missing_row_is_named() {
    check(
        LIST,
        &LIST.replace("  listitem\n    text Order lines\n    button\n      text Delete\n", ""),
        &["text: list \"Tickets\": missing: `listitem \"Order lines Delete\"`"],
    );
}

#[test]
fn another_order_is_said_once() {
    let turned = "
list Tickets
  listitem
    text Paint the pier
    button
      text Delete
  listitem
    text Order lines
    button
      text Delete
  listitem
    text Fix the lamp
    button
      text Delete
";
    check(
        LIST,
        turned,
        &[
            "text: order in list \"Tickets\": `Fix the lamp Delete | Order lines Delete | Paint the pier Delete` → \
           `Paint the pier Delete | Order lines Delete | Fix the lamp Delete`",
        ],
    );
}

#[test]
fn a_wrong_total_is_found_in_its_cell() {
    check(
        "table Cart\n  row\n    cell\n      text Cart total\n    cell\n      text 39.50 €",
        "table Cart\n  row\n    cell\n      text Cart total\n    cell\n      text 38.50 €",
        &["text: table \"Cart\" > row \"Cart total 39.50 €\" > cell \"39.50 €\": `39.50 €` → `38.50 €`"],
    );
}

#[test]
fn an_element_without_its_role_is_found() {
    check(
        "button\n  text Pay",
        "generic\n  text Pay",
        &["structure: role of button \"Pay\": `button` → `generic`"],
    );
}

#[test]
fn an_element_without_its_name_is_found() {
    check("textbox Email", "textbox", &["structure: name of textbox \"Email\": `Email` → nothing"]);
}

#[test]
fn a_disabled_control_is_found() {
    check(
        "button Pay",
        "button Pay [disabled]",
        &["structure: states of button \"Pay\": nothing → `disabled`"],
    );
}

#[test]
fn another_value_is_found() {
    check("textbox Name =Ann", "textbox Name =Bob", &["text: value of textbox \"Name\": `Ann` → `Bob`"]);
}

#[test]
fn a_lost_message_is_found() {
    check(
        "main\n  status\n    text Saved.\n  button Save",
        "main\n  status\n  button Save",
        &["text: main > status: missing: `Saved.`"],
    );
}

#[test]
fn a_lost_button_is_a_matter_of_structure() {
    check(
        "main\n  button\n    text Save\n  button\n    text Cancel",
        "main\n  button\n    text Save",
        &["structure: main: missing: `button \"Cancel\"`"],
    );
}

#[test]
fn one_that_came_does_not_change_its_neighbours() {
    check(
        LIST,
        &LIST.replacen(
            "list Tickets\n",
            "list Tickets\n  listitem\n    text New one\n    button\n      text Delete\n",
            1,
        ),
        &["text: list \"Tickets\": new: `listitem \"New one Delete\"`"],
    );
}

#[test]
fn places_do_not_depend_on_words() {
    let found = compare_trees(&page("main\n  text 1\n  text 2"), &page("main\n  text 1\n  text 3"));
    assert_eq!(found[0].place.key, "main[1]/text[2]#text");
    assert_eq!(found[0].place.new_key, "main[1]/text[2]#text");
}

#[test]
fn long_lists_are_compared_in_a_moment() {
    let list = |from: usize| {
        let rows: String =
            (from..from + 2000).map(|row| format!("  listitem\n    text Row {row} of many\n")).collect();
        page(&format!("list\n{rows}"))
    };
    let began = std::time::Instant::now();
    assert!(!compare_trees(&list(0), &list(7)).is_empty());
    assert!(began.elapsed().as_secs() < 20, "{:?}", began.elapsed());
}
