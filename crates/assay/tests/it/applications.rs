//! Whole tasks in the small applications of the fixture site, by sentences alone, in all engines.

use crate::context::Context;

/// Runs one test in all engines; it must pass in each.
#[track_caller]
fn passes(path: &str, rest: &str) {
    let context = Context::new();
    let test = format!(
        "test: Task\nbrowser: [chromium, firefox, webkit]\nsteps:\n  - Open {}\n{rest}",
        context.url(path)
    );
    std::fs::write(context.folder().join("task.yaml"), test).unwrap();
    let said = context.run(&["run", "task.yaml"]);
    assert_eq!(said.code, 0, "{}\n{}", said.out, said.err);
    assert!(said.out.contains("3 tests: 3 passed"), "{}", said.out);
}

#[test]
fn an_article_is_found_and_opened() {
    passes(
        "/wiki",
        r#"  - Enter "lighthouse" into the "Search the wiki" field
  - Click the "Search" button
  - Click the "Lighthouse keeper" link
expected:
  - The heading "Lighthouse keeper" is shown
  - The text "The last one here left in 1974" is shown
"#,
    );
}

#[test]
fn a_form_in_three_parts_is_filled_in_and_sent() {
    passes(
        "/wizard",
        r#"  - Enter "Ada Lund" into the "Full name" field
  - Enter "ada@example.com" into the "Email" field
  - Click the "Next" button
  - Enter "Minke" into the "Name of the ship" field
  - Select "Ketch" in the "Kind" list
  - Enter "12" into the "Length in metres" field
  - Click the "Next" button
  - Verify the text "Ada Lund, Ketch Minke, 12 m" is shown
  - Check "I accept the harbour rules"
  - Click the "Send the application" button
expected:
  - The text "Application sent" is shown
  - The text "B-125" is shown
"#,
    );
}

#[test]
fn what_loads_as_it_is_scrolled_to_is_reached() {
    passes(
        "/feed",
        r#"  - Scroll to the bottom
  - Click the "Bid on lot 40" button
expected:
  - The text "Your bid on lot 40 is in" is shown
"#,
    );
}

#[test]
fn a_page_that_is_slow_to_come_is_waited_for() {
    passes("/slow?ms=1500", "expected:\n  - The text \"Answered after 1500 ms\" is shown\n");
}

#[test]
fn a_dialog_of_the_page_is_worked_through() {
    passes(
        "/modal",
        r#"  - Click the "Open the dialog" button
  - Enter "Minke" into the "Ship" field
  - Click the "Book" button
expected:
  - The "Book a berth" dialog is not shown
"#,
    );
}

/// Nothing on it has a name: it is for those who look at pixels.
#[test]
fn an_application_that_is_only_drawn_has_an_empty_map() {
    let context = Context::on("/canvas/app");
    let map = context.json(&["map"]);
    assert_eq!(map["data"]["map"]["nodes"].as_array().map(Vec::len), Some(0), "{map:#}");
    let state = |expression: &str| context.ok(&["eval", expression]);
    assert_eq!(state("JSON.stringify(state())"), "{\"count\":0,\"word\":\"\",\"sent\":\"\"}");
    assert_eq!(context.log(), Vec::<String>::new());
    assert_eq!(context.ok(&["title"]), "Tally");
}
