use crate::catalogue::Client::Goose;
use crate::merge_tests::{added, check_add, check_refused, check_remove, check_update, removed};

const LINE: &str =
    "assay: {name: assay, type: stdio, cmd: assay, args: [mcp], envs: {}, enabled: true, timeout: 300}";

/// The lines of the entry behind `indent`.
fn lines(indent: &str) -> String {
    let fields = [
        "assay:",
        "  name: assay",
        "  type: stdio",
        "  cmd: assay",
        "  args:",
        "    - mcp",
        "  envs: {}",
        "  enabled: true",
        "  timeout: 300",
    ];
    fields.map(|field| format!("{indent}{field}\n")).concat()
}

#[test]
fn a_table_comes_at_the_end() {
    let table = format!("extensions:\n{}", lines("  "));
    let open = table.trim_end();
    check_add(Goose, "", open);
    check_add(Goose, "\u{feff}", &format!("\u{feff}{open}"));
    check_add(Goose, "# mine\n", &format!("# mine\n{table}"));
    check_add(Goose, "---\n", &format!("---\n{table}"));
    check_add(Goose, "MODEL: x # mine\n\n# end\n", &format!("MODEL: x # mine\n\n# end\n{table}"));
    check_add(Goose, "a: |\n  x", &format!("a: |\n  x\n{open}"));
    check_add(Goose, "a: 1", &format!("a: 1\n{open}"));
    check_add(
        Goose,
        "a: 1\r\nb: |\r\n  x\r\n",
        &format!("a: 1\r\nb: |\r\n  x\r\n{}", table.replace('\n', "\r\n")),
    );
    check_add(Goose, "  a: 1\n", &format!("  a: 1\n  extensions:\n{}", lines("    ")));
}

#[test]
fn an_entry_comes_behind_the_others() {
    check_add(
        Goose,
        "extensions:\n  a:\n    cmd: x # y\n  # about b\n  b: {}\n\n# about z\nz: 1\n",
        &format!(
            "extensions:\n  a:\n    cmd: x # y\n  # about b\n  b: {{}}\n{}\n# about z\nz: 1\n",
            lines("  ")
        ),
    );
    check_add(
        Goose,
        "extensions:\n    a:\n        args:\n        - 'b'",
        &format!("extensions:\n    a:\n        args:\n        - 'b'\n{}", lines("    ").trim_end()),
    );
    check_add(
        Goose,
        "extensions:\n  a:\n    text: |\n      one\n\n      two\n\nz: 1\n",
        &format!("extensions:\n  a:\n    text: |\n      one\n\n      two\n{}\nz: 1\n", lines("  ")),
    );
    check_add(
        Goose,
        "extensions:\n  a:\n    text: |+\n      one\n\nz: 1\n",
        &format!("extensions:\n  a:\n    text: |+\n      one\n\n{}z: 1\n", lines("  ")),
    );
    check_add(
        Goose,
        "\u{feff}extensions:\r\n  é: {a: 'ü'}\r\nz: 1\r\n",
        &format!("\u{feff}extensions:\r\n  é: {{a: 'ü'}}\r\n{}z: 1\r\n", lines("  ").replace('\n', "\r\n")),
    );
}

#[test]
fn a_key_without_a_value_stays() {
    check_add(Goose, "extensions:\nz: 1\n", &format!("extensions:\n  {LINE}\nz: 1\n"));
    check_add(Goose, "extensions: # none\n  # yet", &format!("extensions: # none\n  {LINE}\n  # yet"));
    check_add(Goose, "extensions:", &format!("extensions:\n  {LINE}"));
}

#[test]
fn braces_get_one_entry_more() {
    check_add(Goose, "extensions: {}\n", &format!("extensions: {{ {LINE} }}\n"));
    check_add(Goose, "extensions: {a: {b: 1}} # c\n", &format!("extensions: {{a: {{b: 1}}, {LINE}}} # c\n"));
    check_add(Goose, "{\"a\": 1}", &format!("{{\"a\": 1, extensions: {{{LINE}}}}}"));
    check_add(
        Goose,
        "extensions: {\n  a: {}, # x\n}\n",
        "extensions: {\n  a: {}, # x\n  assay: {\n    name: assay,\n    type: stdio,\n    cmd: assay,\n    args: [mcp],\n    envs: {},\n    enabled: true,\n    timeout: 300\n  },\n}\n",
    );
}

#[test]
fn names_elsewhere_are_not_meant() {
    let before =
        "text: |\n  extensions:\n    assay: 1\nx:\n  extensions:\n    assay: {}\n'quoted # extensions:': 1\n";
    check_add(Goose, before, &format!("{before}extensions:\n{}", lines("  ")));
}

#[test]
fn an_entry_that_says_the_same_is_left_alone() {
    for text in [
        "extensions:\n  'assay': # x\n    args: [\"mcp\"]\n    cmd: 'assay'\n    type: stdio\n    enabled: false\n",
        "extensions: {assay: {type: stdio, cmd: assay, args: [mcp]}}",
        "extensions:\n  assay:\n    type: stdio\n    cmd: >-\n      assay\n    args:\n    - mcp\n",
    ] {
        assert_eq!(added(Goose, text), text);
    }
}

#[test]
fn an_entry_with_another_command_is_mended_and_keeps_the_rest() {
    check_update(
        Goose,
        "extensions:\n  assay:\n    cmd: /old # mine\n    args:\n      - a # b\n      - c\n    # more\n    type: stdio\n    timeout: 5\nz: 1\n",
        "extensions:\n  assay:\n    cmd: assay # mine\n    args: [mcp] # b\n      - c\n    # more\n    type: stdio\n    timeout: 5\nz: 1\n"
            .replace(" # b\n      - c", "")
            .as_str(),
    );
    check_update(
        Goose,
        "extensions:\n  assay:\n    cmd: assay\n    type:\n    args:\n    - a\n\nz: 1\n",
        "extensions:\n  assay:\n    cmd: assay\n    type: stdio\n    args: [mcp]\n\nz: 1\n",
    );
    check_update(
        Goose,
        "extensions:\n  assay:\n    type: stdio\n    cmd: >-\n      /old\n    args: &a [b]\n",
        "extensions:\n  assay:\n    type: stdio\n    cmd: assay\n    args: &a [mcp]\n",
    );
    check_update(
        Goose,
        "extensions:\n  assay:\n    type: stdio\n    cmd: assay",
        "extensions:\n  assay:\n    type: stdio\n    cmd: assay\n    args:\n      - mcp",
    );
    check_update(
        Goose,
        "extensions:\n  assay: {type: sse, cmd: 1}\n",
        "extensions:\n  assay: {type: stdio, cmd: assay, args: [mcp]}\n",
    );
}

#[test]
fn an_entry_with_an_address_is_put_in_anew() {
    check_update(
        Goose,
        "extensions:\n  assay:\n    uri: http://localhost:1\n  b: {}\n",
        &format!("extensions:\n  b: {{}}\n{}", lines("  ")),
    );
    check_update(
        Goose,
        "extensions:\n  assay:\n    uri: http://localhost:1\n",
        &format!("extensions:\n  {LINE}\n"),
    );
}

#[test]
fn an_entry_is_taken_out_wherever_it_stands() {
    check_remove(
        Goose,
        "extensions:\n  a: {}\n  assay:\n    cmd: x\n    # inside\n    args: [a]\n  # about b\n  b: {}\n",
        "extensions:\n  a: {}\n  # about b\n  b: {}\n",
    );
    check_remove(Goose, "extensions: {a: 1, assay: {}, b: 2}\n", "extensions: {a: 1, b: 2}\n");
    check_remove(Goose, "a: 1\nextensions:\n  assay:\n    cmd: x\n    b: 1\nz: 1\n", "a: 1\nz: 1\n");
    check_remove(Goose, "extensions:\n  assay:\nz: 1\n", "extensions:\nz: 1\n");
    check_remove(Goose, "extensions:\n  # one\n  assay:\n    a: 1\n    b: 1\n", "extensions:\n  # one\n");
}

#[test]
fn a_file_without_the_entry_has_nothing_to_take_out() {
    for text in
        ["", "# x", "---\n", "a: 1", "extensions:\n", "extensions: {}", "x:\n  extensions:\n    assay: 1\n"]
    {
        assert_eq!(removed(Goose, text), "no entry", "{text}");
    }
}

#[test]
fn what_cannot_be_merged_with_is_refused() {
    check_refused(Goose, "a: [1\n", "1:4: unclosed bracket '['");
    check_refused(Goose, "- a\n", "1:1: expected an object as the whole file, found a list");
    check_refused(Goose, "just words\n", "1:1: expected an object as the whole file, found a text");
    check_refused(Goose, "extensions: [a]\n", "1:13: expected an object as `extensions`, found a list");
    check_refused(Goose, "extensions: ~\n", "1:13: expected an object as `extensions`, found null");
    check_refused(Goose, "extensions: {}\nextensions: {}\n", "2:1: `extensions` is here for the second time");
    check_refused(Goose, "a: 1\n---\nb: 1\n", "2:1: assay cannot edit a file with several documents");
    check_refused(Goose, "a: 1\rb: 1\n", "1:5: assay cannot edit a carriage return without a line feed");
    check_refused(Goose, "a: 1\n...\n", "2:1: assay cannot edit a file that ends with `...`");
    check_refused(
        Goose,
        "a: &x {}\nextensions: *x\n",
        "2:13: expected an object as `extensions`, found an alias",
    );
    assert_eq!(
        added(Goose, "extensions: !t\nz: 1\n"),
        "1:1: assay cannot edit a key with a mark instead of a value"
    );
    let anchor = "extensions:\n  assay: &x\n    cmd: a\n    b: 1\n  z: *x\n";
    assert_eq!(
        removed(Goose, anchor),
        "1:1: assay cannot edit this file without a change to its other parts"
    );
}
