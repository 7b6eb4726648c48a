//! Naming elements: what is found, what is refused.

use crate::context::Context;

#[test]
fn every_kind_of_selector_finds_its_element() {
    let context = Context::on("/forms");
    for target in [
        "#submit",
        "button[type=submit]",
        "form button:has-text('Save')",
        "xpath=//button[@id='submit']",
        "//button[@id='submit']",
        "text=Save",
        "css=#submit",
    ] {
        let said = context.run(&["find", target]);
        assert!(said.out.contains("button"), "{target}: {said:?}");
    }
    assert!(context.ok(&["find", "label=Full name"]).contains("textbox \"Full name\""));
    assert!(context.ok(&["find", "textbox \"Phone number\""]).contains("Phone number"));
    assert!(context.ok(&["find", "the full name field"]).contains("Full name"));
}

#[test]
fn shadow_roots_are_seen_through() {
    let context = Context::on("/shadow");
    let map = context.ok(&["map"]);
    assert!(map.contains("button \"Inner button\""), "{map}");
    let said = context.ok(&["click", "Inner button"]);
    assert!(said.contains("Pressed Inner button"), "{said}");
    context.ok(&["click", "#card #outer-button"]);
    context.ok(&["fill", "#inner-input", "deep"]);
    assert_eq!(context.ok(&["value", "#inner-input"]), "deep");
}

#[test]
fn an_ambiguous_target_is_never_clicked() {
    let context = Context::on("/table");
    let refused = context.fails(3, &["click", "Edit"]);
    assert!(refused.contains("matches 100 elements") && refused.contains("e"), "{refused}");
    let refused = context.fails(3, &["click", "button"]);
    assert!(refused.contains("matches"), "{refused}");
    assert!(context.log().is_empty(), "{:?}", context.log());
    let said = context.ok(&["click", "#row-7 >> button \"Edit\""]);
    assert!(said.contains("Edit row-7"), "{said}");
    context.ok(&["click", "#row-9 >> Edit"]);
    context.ok(&["click", "button \"Edit\" >> nth=3"]);
    assert_eq!(context.log(), ["click edit-7", "click edit-9", "click edit-3"]);
}

#[test]
fn what_is_not_there_is_refused_at_once_with_the_nearest() {
    let context = Context::on("/list");
    let refused = context.fails(1, &["click", "Add brass latern"]);
    assert!(refused.contains("no element matches `Add brass latern`"), "{refused}");
    assert!(refused.contains("\"Add brass lantern\""), "{refused}");
    assert!(context.log().is_empty());
}

#[test]
fn refs_stay_with_their_node_and_are_never_given_twice() {
    let context = Context::on("/list");
    let first = context.ok(&["find", "Add brass lantern"]);
    let reference = first.split(' ').next().unwrap().to_string();
    context.ok(&[
        "eval",
        "document.getElementById('items').prepend(document.getElementById('items').lastElementChild); 0",
    ]);
    let map = context.ok(&["map"]);
    assert!(map.contains(&format!("{reference} Add brass lantern")), "{map}");
    context.go("/table");
    let refused = context.fails(3, &["click", &reference]);
    assert!(refused.contains("was on an earlier page"), "{refused}");
    let map = context.json(&["map"]);
    let nodes = map["data"]["map"]["nodes"].as_array().unwrap();
    assert!(nodes.iter().all(|node| node["ref"] != reference.as_str()), "{reference} was given again");
    assert!(context.fails(2, &["click", "e999999"]).contains("there is no e999999"));
}

#[test]
fn a_replaced_node_is_found_again_only_when_it_is_clearly_the_same() {
    let context = Context::on("/mutate");
    let line = context.ok(&["find", "[data-key=k3].row >> button \"Edit\""]);
    let reference = line.split(' ').next().unwrap().to_string();
    context.ok(&["map"]);
    context.ok(&["eval", "mutate(1, 'render'); 0"]);
    let said = context.ok(&["click", &reference]);
    assert!(said.contains("the page replaced"), "{said}");
    assert_eq!(context.ok(&["eval", "hits.join()"]), "k3 edit");
    // Its row is gone: other rows have a button of the same name, which is not it.
    let reference = said.split(' ').nth(1).unwrap().to_string();
    context.ok(&["eval", "document.querySelector('.row[data-key=k3]').remove(); 0"]);
    let refused = context.fails(3, &["click", &reference]);
    assert!(refused.contains("is gone from the page") && refused.contains("button \"Edit\""), "{refused}");
    assert_eq!(context.ok(&["eval", "hits.join()"]), "k3 edit");
}

#[test]
fn what_only_a_listener_or_a_cursor_makes_clickable_is_on_the_map() {
    let context = Context::on("/clickable");
    for id in
        ["listener", "delegated", "attribute", "focusable", "role-button", "role-link", "card", "summary"]
    {
        let known = context.json(&["map", "--all"]);
        let text = context.ok(&["text", &format!("#{id}")]);
        let first = text.lines().next().unwrap_or_default().to_string();
        let nodes = known["data"]["map"]["nodes"].as_array().unwrap();
        let found = nodes.iter().any(|node| {
            node["ref"].is_string() && node["name"].as_str().is_some_and(|name| name.contains(&first))
        });
        assert!(found, "{id} ({first}) is not on the map");
    }
    let map = context.ok(&["map"]);
    assert!(!map.contains("clickable \"\""), "{map}");
    let plain = context.ok(&["text", "#plain"]);
    assert!(!map.contains(&format!("clickable \"{plain}\"")), "{map}");
}

#[test]
fn tables_and_lists_are_folded_to_a_line_a_row() {
    let context = Context::on("/table");
    let map = context.ok(&["map"]);
    let rows = map.lines().filter(|line| line.contains(" | ")).count();
    assert_eq!(rows, 101, "{map}");
    context.go("/list");
    let map = context.ok(&["map"]);
    assert!(map.contains("list of 50"), "{map}");
    assert!(map.lines().count() < 65, "{map}");
}

#[test]
fn text_in_every_script_is_named_and_clicked() {
    let context = Context::on("/rtl");
    for id in ["arabic", "hebrew", "emoji", "family", "flag", "composed", "decomposed", "chinese"] {
        let name = context.ok(&["eval", &format!("document.getElementById('{id}').textContent.trim()")]);
        let said = context.run(&["click", &format!("button \"{name}\"")]);
        if said.code == 3 && id.ends_with("composed") {
            // Composed and decomposed letters look the same: refused, not guessed.
            continue;
        }
        assert_eq!(said.code, 0, "{id}: {said:?}");
    }
    context.ok(&["fill", "#arabic-input", "مرحبا 👩‍👩‍👧"]);
    assert_eq!(context.ok(&["value", "#arabic-input"]), "مرحبا 👩‍👩‍👧");
}
