//! Every mistake in a test file, exactly as it is shown.

use crate::suite_folder::{Folder, check_file, check_problems};

#[test]
fn an_unknown_key_is_told_with_the_nearest() {
    check_file(
        "test: Login\nsteps:\n  - Go\nexpcted:\n  - Fine\ncolour: red\n",
        r#"
t.yaml:4:1: unknown key `expcted`
  4 | expcted:
    | ^^^^^^^ did you mean `expected`?
t.yaml:6:1: unknown key `colour`
  6 | colour: red
    | ^^^^^^ valid: `test`, `preconditions`, `steps`, `expected`, `selectors`, `base_url`, `tags`, `requirements`, `browser`, `device`, `platform`, `viewport`, `emulate`, `routes`, `timeout`, `pilot`, `retries`, `variables`, `secrets`, `setup`, `teardown`, `data`, `budget`, `policy`, `standing`
"#,
    );
}

#[test]
fn a_test_needs_steps_or_expectations() {
    for text in ["test: Login\n", "test: Login\nsteps: []\n"] {
        check_file(
            text,
            r#"
t.yaml:1:1: expected `steps` or `expected`, found neither
  1 | test: Login
    | ^^^^
"#,
        );
    }
    check_file(
        "# nothing here\n",
        r#"
t.yaml:1:1: expected `steps` or `expected`, found neither
  1 | # nothing here
    | ^
"#,
    );
    check_file(
        "- a\n- b\n",
        r#"
t.yaml:1:1: expected a test with `steps` or `expected`, found a list
  1 | - a
    | ^
"#,
    );
}

#[test]
fn a_step_is_a_sentence_a_command_or_a_use() {
    check_file(
        r#"steps:
  - 42
  - true
  -
  - ""
  - [a]
  - Verify the text: [Hello]
  - run: click
    use: login
  - timeout: 5s
  - run: go
    with: {a: b}
  - rn: click
  - run: [click]
  - step: 7
    timeout: soon
expected:
  - use: login
  - Text is: {x: y}
"#,
        r#"
t.yaml:2:5: a step is a sentence, found the number 42
  2 | - 42
    |   ^^
t.yaml:3:5: a step is a sentence, found the boolean `true`
  3 | - true
    |   ^^^^
t.yaml:4:4: a step is a sentence, found nothing
  4 | -
    |  ^
t.yaml:5:5: expected a sentence, found empty text
  5 | - ""
    |   ^^
t.yaml:6:5: a step is a sentence, found a list
  6 | - [a]
    |   ^
t.yaml:7:5: a step is a sentence, found a mapping
  7 | - Verify the text: [Hello]
    |   ^^^^^^^^^^^^^^^ quote this sentence, because it contains `: `
t.yaml:8:5: expected one of `step`, `run`, `use`, found `run`, `use`
  8 | - run: click
    |   ^^^
t.yaml:10:5: expected one of `step`, `run`, `use`, found none
  10 | - timeout: 5s
     |   ^^^^^^^
t.yaml:12:5: expected `with` together with `use`, found `with` alone
  12 | with: {a: b}
     | ^^^^
t.yaml:13:5: unknown key `rn`
  13 | - rn: click
     |   ^^ did you mean `run`?
t.yaml:13:5: expected one of `step`, `run`, `use`, found none
  13 | - rn: click
     |   ^^
t.yaml:14:10: expected a command such as `click "button[type=submit]"`, found a list
  14 | - run: [click]
     |        ^
t.yaml:15:11: a step is a sentence, found the number 7
  15 | - step: 7
     |         ^
t.yaml:16:14: expected a time such as `30s`, `2m` or a number of seconds, up to `24h`, found the text `soon`
  16 | timeout: soon
     |          ^^^^
t.yaml:18:5: unknown key `use`
  18 | - use: login
     |   ^^^ valid: `claim`, `run`, `timeout`
t.yaml:18:5: expected one of `claim`, `run`, found none
  18 | - use: login
     |   ^^^
t.yaml:19:5: an expectation is a sentence, found a mapping
  19 | - Text is: {x: y}
     |   ^^^^^^^ quote this sentence, because it contains `: `
"#,
    );
}

#[test]
fn half_a_sentence_is_never_carried_out() {
    check_file(
        "test: Issue #42\nsteps:\n  - Click #submit\n  - Click the button # this is fine\n  - \"Click #submit\"\n  - 'Click' #x\n  - run: click #go\nselectors:\n  go: #go\n  url: http://x/#y\n",
        r#"
t.yaml:1:13: YAML reads `#42` as a comment
  1 | test: Issue #42
    |             ^^^ quote the whole text, or put a space after `#` if it is a comment
t.yaml:3:11: YAML reads `#submit` as a comment
  3 | - Click #submit
    |         ^^^^^^^ quote the whole text, or put a space after `#` if it is a comment
t.yaml:7:16: YAML reads `#go` as a comment
  7 | - run: click #go
    |              ^^^ quote the whole text, or put a space after `#` if it is a comment
t.yaml:9:7: YAML reads `#go` as a comment
  9 | go: #go
    |     ^^^ quote the whole text, or put a space after `#` if it is a comment
"#,
    );
}

#[test]
fn settings_say_what_they_expect() {
    check_file(
        r#"test: []
steps: Click
tags: {a: b}
browser: [chrome, firefx, webkit]
viewport: big
timeout: {step: 5s, tset: 0}
pilot: autopilot
retries: -1
variables: [a]
secrets: 5
budget: {turns: 0, money: free}
policy: strict
standing: yes
data: rows.txt
selectors: {a: [b]}
preconditions:
  - run: x
  - 5
base_url:
"#,
        r#"
t.yaml:1:7: expected the name of the test, found a list
  1 | test: []
    |       ^
t.yaml:2:8: expected a list of steps, found the text `Click`
  2 | steps: Click
    |        ^^^^^
t.yaml:3:8: expected a tag, found a mapping
  3 | tags: {a: b}
    |        ^
t.yaml:4:11: unknown browser `chrome`
  4 | browser: [chrome, firefx, webkit]
    |           ^^^^^^ did you mean `chromium`?
t.yaml:4:19: unknown browser `firefx`
  4 | browser: [chrome, firefx, webkit]
    |                   ^^^^^^ did you mean `firefox`?
t.yaml:5:11: expected a size such as `1280x720`, or `width` and `height`, found the text `big`
  5 | viewport: big
    |           ^^^
t.yaml:6:21: unknown key `tset`
  6 | timeout: {step: 5s, tset: 0}
    |                     ^^^^ did you mean `test`?
t.yaml:7:8: unknown pilot `autopilot`
  7 | pilot: autopilot
    |        ^^^^^^^^^ did you mean `auto`?
t.yaml:8:10: expected a whole number from 0 to 100, found the number -1
  8 | retries: -1
    |          ^^
t.yaml:9:12: expected a mapping of names to values, found a list
  9 | variables: [a]
    |            ^
t.yaml:10:10: expected a mapping of secrets, or a list of names, found the number 5
  10 | secrets: 5
     |          ^
t.yaml:11:17: expected a whole number from 1 to 1000000, found the number 0
  11 | budget: {turns: 0, money: free}
     |                 ^
t.yaml:11:27: expected an amount above 0, found the text `free`
  11 | budget: {turns: 0, money: free}
     |                           ^^^^
t.yaml:12:9: expected a mapping of rules, found the text `strict`
  12 | policy: strict
     |         ^^^^^^
t.yaml:13:11: unknown `standing` value `yes`
  13 | standing: yes
     |           ^^^ valid: `allowed`
t.yaml:14:7: expected a list of rows, or a file that ends in .csv, .json, .yaml or .yml, found the text `rows.txt`
  14 | data: rows.txt
     |       ^^^^^^^^
t.yaml:15:16: expected text, a number or a boolean, found a list
  15 | selectors: {a: [b]}
     |                ^
t.yaml:17:5: a precondition is a sentence, found a mapping
  17 | - run: x
     |   ^^^
t.yaml:18:5: a precondition is a sentence, found the number 5
  18 | - 5
     |   ^
t.yaml:19:9: expected an address, found nothing
  19 | base_url:
     |         ^
"#,
    );
}

#[test]
fn names_that_cannot_be_replaced_are_refused() {
    check_file(
        "variables: {first name: a}\nsteps:\n  - use: x\n    with: {a-b: c}\ndata: [{1: 2}, 5]\n",
        r#"
t.yaml:1:13: expected a name of letters, digits and `_`, found the text `first name`
  1 | variables: {first name: a}
    |             ^^^^^^^^^^
t.yaml:3:10: unknown steps `x`
  3 | - use: x
    |        ^
t.yaml:4:12: expected a name of letters, digits and `_`, found the text `a-b`
  4 | with: {a-b: c}
    |        ^^^
t.yaml:5:9: expected a name of letters, digits and `_`, found the text `1`
  5 | data: [{1: 2}, 5]
    |         ^
t.yaml:5:16: expected a row: a mapping of names to values, found the number 5
  5 | data: [{1: 2}, 5]
    |                ^
"#,
    );
}

#[test]
fn syntax_is_told_with_its_place_and_what_helps() {
    check_problems(
        &[
            ("a.yaml", "steps:\n  - \"Pay\" is shown\n"),
            ("b.yaml", "steps:\n\t- Go\n"),
            ("c.yaml", "steps:\n  - use: x\n    with: {a: ${b}}\n"),
            ("d.yaml", "steps:\n  - Say: \"a\": b\n"),
            ("e.yaml", "steps:\n  - \"open\n"),
            ("f.yaml", "steps: *nobody\n"),
            ("g.yaml", "steps: !mine [a]\n"),
            ("h.yaml", "steps:\n  - @user is shown\n"),
            ("i.yaml", "steps:\n  - Go\n - Stay\n"),
        ],
        r#"
a.yaml:2:11: invalid trailing content after double-quoted scalar
  2 | - "Pay" is shown
    |         ^ quote the whole sentence if it begins with a quote: '"Pay" is shown'
b.yaml:2:2: tabs disallowed within this context (block indentation)
  2 | - Go
    | ^ indent with spaces, not with tabs
c.yaml:3:16: while parsing a flow mapping, did not find expected ',' or '}'
  3 | with: {a: ${b}}
    |            ^ inside braces and brackets, quote any value that contains `${…}`
d.yaml:2:13: mapping values are not allowed in this context
  2 | - Say: "a": b
    |           ^ quote this sentence, because it contains `: `
e.yaml:3:1: invalid indentation in multiline quoted scalar
  3 |
    | ^
f.yaml:1:8: while parsing node, found unknown anchor
  1 | steps: *nobody
    |        ^
g.yaml:1:14: expected a plain value, found the tag `!mine`
  1 | steps: !mine [a]
    |              ^
h.yaml:2:5: unexpected character: `@'
  2 | - @user is shown
    |   ^ quote this sentence, because it begins with a YAML special character
i.yaml:3:2: while parsing a block mapping, did not find expected key
  3 | - Stay
    | ^ start it in the same column as the other items
"#,
    );
}

#[test]
fn the_documents_after_a_broken_one_are_still_read() {
    check_file(
        "steps: [\n---\nstepz: [A]\nsteps: [B]\n",
        r#"
t.yaml:1:8: unclosed bracket '['
  1 | steps: [
    |        ^
t.yaml:3:1: unknown key `stepz`
  3 | stepz: [A]
    | ^^^^^ did you mean `steps`?
"#,
    );
}

#[test]
fn a_key_is_there_once() {
    check_file(
        "steps: [A]\ntags: x\nsteps: [B]\n[a]: b\n",
        r#"
t.yaml:3:1: duplicate key `steps`
  3 | steps: [B]
    | ^^^^^ first defined on line 1
t.yaml:4:1: expected a key, found a list
  4 | [a]: b
    | ^
"#,
    );
}

#[test]
fn data_files_are_told_by_their_own_lines() {
    check_problems(
        &[
            ("a.yaml", "steps: [A]\ndata: rows.csv\n"),
            ("b.yaml", "steps: [A]\ndata: none.csv\n"),
            ("c.yaml", "steps: [A]\ndata: []\n"),
            ("d.yaml", "steps: [A]\ndata: rows.json\n"),
            ("rows.csv", "a,b\n1\n"),
            ("rows.json", "{\"a\": 1}"),
        ],
        r#"
b.yaml:2:7: there is no file `none.csv`
  2 | data: none.csv
    |       ^^^^^^^^
c.yaml:2:7: expected at least one row, found none
  2 | data: []
    |       ^
rows.csv:1:1: expected at least one row, found none
  1 | a,b
    | ^
rows.csv:2:1: expected 2 values, found 1
  2 | 1
    | ^
rows.json:1:2: expected a list of rows, found a mapping
  1 | {"a": 1}
    |  ^^^
"#,
    );
}

#[test]
fn a_file_that_is_no_text_is_told_with_its_line() {
    let folder = Folder::new(&[]);
    folder.write("t.yaml", b"steps:\n  - Gr\xfc\xdfe\n");
    assert_eq!(
        folder.problems(&folder.load()),
        "t.yaml:2:7: expected UTF-8 text, found other bytes\n  2 | - Gr\u{fffd}\u{fffd}e\n    |     ^"
    );
}

#[test]
fn a_long_line_is_shown_in_part() {
    let text = format!("steps: [A]\ntags: [{}, {{a: b}}, {}]\n", "x".repeat(200), "y".repeat(200));
    let folder = Folder::new(&[("t.yaml", &text)]);
    let shown = folder.problems(&folder.load());
    let lines: Vec<&str> = shown.lines().collect();
    assert!(lines.iter().all(|line| line.chars().count() < 120), "{shown}");
    let caret = lines[2].chars().position(|letter| letter == '^').unwrap();
    assert_eq!(lines[1].chars().nth(caret), Some('a'), "{shown}");
}

#[test]
fn a_sentence_with_a_colon_loses_nothing_in_a_comment() {
    check_file(
        "steps:\n  - The header shows: Order #4711\n  - Enter the code: &x 4711\n",
        r#"
t.yaml:2:29: YAML reads `#4711` as a comment
  2 | - The header shows: Order #4711
    |                           ^^^^^ quote the whole text, or put a space after `#` if it is a comment
t.yaml:3:5: a step is a sentence, found a mapping
  3 | - Enter the code: &x 4711
    |   ^^^^^^^^^^^^^^ quote this sentence, because it contains `: `
"#,
    );
}
