use crate::catalogue::Client::{self, ClaudeCode, Cursor, OpenCode, VsCode, Zed};
use crate::merge_tests::{added, check_add, check_refused, check_remove, check_update, removed};

const LINE: &str = r#""assay": {"command": "assay", "args": ["mcp"], "env": {}}"#;

/// The entry of Cursor on several lines, and its key behind `indent`.
fn spread(indent: &str, unit: &str) -> String {
    format!(
        "{indent}\"assay\": {{\n{indent}{unit}\"command\": \"assay\",\n{indent}{unit}\"args\": [\"mcp\"],\n{indent}{unit}\"env\": {{}}\n{indent}}}"
    )
}

#[test]
fn a_file_without_content_gets_all_of_it() {
    let whole = format!("{{\n  \"mcpServers\": {{\n{}\n  }}\n}}", spread("    ", "  "));
    check_add(Cursor, "", &whole);
    check_add(Cursor, "\n", &format!("\n{whole}"));
    check_add(Cursor, "\u{feff}", &format!("\u{feff}{whole}"));
    check_add(Cursor, "// mine\n", &format!("// mine\n{whole}"));
    check_add(Cursor, "// mine", &format!("// mine\n{whole}\n"));
    check_add(Cursor, "/* mine */", &format!("/* mine */{whole}"));
    check_add(Cursor, "\r\n", &format!("\r\n{}", whole.replace('\n', "\r\n")));
}

#[test]
fn empty_braces_keep_what_is_between_them() {
    check_add(Cursor, "{}", &format!("{{ \"mcpServers\": {{{LINE}}} }}"));
    check_add(Cursor, "{}\n", &format!("{{ \"mcpServers\": {{{LINE}}} }}\n"));
    check_add(Cursor, "{ }", &format!("{{\"mcpServers\": {{{LINE}}} }}"));
    check_add(Cursor, "{\n}\n", &format!("{{\n  \"mcpServers\": {{{LINE}}}\n}}\n"));
    check_add(Cursor, "{ // none\n}", &format!("{{\n  \"mcpServers\": {{{LINE}}} // none\n}}"));
    check_add(Cursor, "{\"mcpServers\": {}}", &format!("{{\"mcpServers\": {{ {LINE} }}}}"));
    check_add(
        Cursor,
        "{\n\t\"mcpServers\": {\n\t\t// none yet\n\t},\n}",
        &format!("{{\n\t\"mcpServers\": {{\n\t\t{LINE}\n\t\t// none yet\n\t}},\n}}"),
    );
}

#[test]
fn a_table_is_made_behind_what_is_there() {
    check_add(
        Cursor,
        "{\n    \"a\": 1\n}\n",
        &format!("{{\n    \"a\": 1,\n    \"mcpServers\": {{\n{}\n    }}\n}}\n", spread("        ", "    ")),
    );
    check_add(
        Cursor,
        "{\n\t\"a\": {\"mcpServers\": {}}, // last\n}",
        &format!(
            "{{\n\t\"a\": {{\"mcpServers\": {{}}}}, // last\n\t\"mcpServers\": {{\n{}\n\t}},\n}}",
            spread("\t\t", "\t")
        ),
    );
    check_add(Cursor, "{\"a\": 1}", &format!("{{\"a\": 1, \"mcpServers\": {{{LINE}}}}}"));
    check_add(
        Cursor,
        "{\"a\":1}",
        "{\"a\":1,\"mcpServers\":{\"assay\":{\"command\":\"assay\",\"args\":[\"mcp\"],\"env\":{}}}}",
    );
}

#[test]
fn an_entry_comes_behind_the_others() {
    let other = "{\n  \"mcpServers\": {\n    \"other\": {\"command\": \"x\"}";
    let end = "\n  }\n}\n";
    check_add(Cursor, &format!("{other}{end}"), &format!("{other},\n{}{end}", spread("    ", "  ")));
    check_add(Cursor, &format!("{other},{end}"), &format!("{other},\n{},{end}", spread("    ", "  ")));
    check_add(
        Cursor,
        &format!("{other} // note\n    // more{end}"),
        &format!("{other}, // note\n{}\n    // more{end}", spread("    ", "  ")),
    );
    check_add(
        Cursor,
        &format!("{other} /* a */, // b{end}"),
        &format!("{other} /* a */, // b\n{},{end}", spread("    ", "  ")),
    );
    check_add(
        Cursor,
        "{\"mcpServers\":{\"other\":{}}}",
        "{\"mcpServers\":{\"other\":{},\"assay\":{\"command\":\"assay\",\"args\":[\"mcp\"],\"env\":{}}}}",
    );
    check_add(
        Cursor,
        "{ \"mcpServers\": { \"other\": {} // x\n} }",
        &format!("{{ \"mcpServers\": {{ \"other\": {{}}, // x\n{LINE}\n}} }}"),
    );
}

#[test]
fn line_endings_and_a_byte_order_mark_stay() {
    let before = "\u{feff}{\r\n\t\"a\": 1,\r\n\t\"mcpServers\": {\r\n\t\t\"b\": {}\r\n\t}\r\n}\r\n";
    let after = format!(
        "\u{feff}{{\r\n\t\"a\": 1,\r\n\t\"mcpServers\": {{\r\n\t\t\"b\": {{}},\r\n{}\r\n\t}}\r\n}}\r\n",
        spread("\t\t", "\t").replace('\n', "\r\n")
    );
    check_add(Cursor, before, &after);
}

#[test]
fn keys_of_the_same_name_elsewhere_are_not_meant() {
    let before = "{\n  \"text\": \"\\\"mcpServers\\\": {\\\"assay\\\": 1}\",\n  // \"mcpServers\": {}\n  \"x\": {\"mcpServers\": {\"assay\": {\"command\": \"no\"}}},\n  \"mcpServers\": {\n    \"x\": {\"assay\": 1}\n  },\n  \"z\": [{\"mcpServers\": []}]\n}";
    let after = before.replace("{\"assay\": 1}\n", &format!("{{\"assay\": 1}},\n{}\n", spread("    ", "  ")));
    check_add(Cursor, before, &after);
    check_add(
        Cursor,
        "{\"mcp\\u0053ervers\": {\"é\": {}}}",
        &format!("{{\"mcp\\u0053ervers\": {{\"é\": {{}}, {LINE}}}}}"),
    );
}

#[test]
fn other_clients_have_other_tables_and_entries() {
    check_add(
        VsCode,
        "{\"servers\": {}}",
        "{\"servers\": { \"assay\": {\"type\": \"stdio\", \"command\": \"assay\", \"args\": [\"mcp\"], \"env\": {}} }}",
    );
    check_add(
        Zed,
        "// Zed settings\n//\n{\n  \"theme\": \"One\", // dark\n}\n",
        "// Zed settings\n//\n{\n  \"theme\": \"One\", // dark\n  \"context_servers\": {\n    \"assay\": {\n      \"source\": \"custom\",\n      \"command\": \"assay\",\n      \"args\": [\"mcp\"],\n      \"env\": {}\n    }\n  },\n}\n",
    );
    check_add(
        OpenCode,
        "{\"mcp\":{\"a\":{}}}",
        "{\"mcp\":{\"a\":{},\"assay\":{\"type\":\"local\",\"command\":[\"assay\",\"mcp\"],\"environment\":{},\"enabled\":true}}}",
    );
}

#[test]
fn an_entry_that_says_the_same_is_left_alone() {
    #[track_caller]
    fn check(client: Client, text: &str) {
        assert_eq!(added(client, text), text);
    }
    check(Cursor, "{\"mcpServers\":{\"assay\":{\"args\":[ \"mcp\", ],\"command\":\"ass\\u0061y\"}}}");
    check(
        ClaudeCode,
        "{\"mcpServers\":{\"assay\":{\"command\":\"assay\",\"args\":[\"mcp\"],\"env\":{\"A\":\"1\"}}}}",
    );
    check(
        OpenCode,
        "{\"mcp\":{\"assay\":{\"enabled\":false,\"type\":\"local\",\"command\":[\"assay\",\"mcp\"]}}}",
    );
}

#[test]
fn an_entry_with_another_command_is_mended_and_keeps_the_rest() {
    check_update(
        Cursor,
        "{\"mcpServers\": {\"assay\": {\n  \"command\": \"/old/assay\", // mine\n  \"env\": {\"A\": \"1\"},\n  \"disabled\": true,\n  \"args\": [\n    \"serve\"\n  ]\n}}}",
        "{\"mcpServers\": {\"assay\": {\n  \"command\": \"assay\", // mine\n  \"env\": {\"A\": \"1\"},\n  \"disabled\": true,\n  \"args\": [\"mcp\"]\n}}}",
    );
    check_update(
        ClaudeCode,
        "{\"mcpServers\": {\"assay\": {\"type\": \"sse\"}, \"b\": {}}}",
        "{\"mcpServers\": {\"assay\": {\"type\": \"stdio\", \"command\": \"assay\", \"args\": [\"mcp\"]}, \"b\": {}}}",
    );
    check_update(
        Cursor,
        "{\n  \"mcpServers\": {\n    \"assay\": {\n      \"command\": \"assay\", // no arguments\n    },\n  },\n}",
        "{\n  \"mcpServers\": {\n    \"assay\": {\n      \"command\": \"assay\", // no arguments\n      \"args\": [\"mcp\"],\n    },\n  },\n}",
    );
    check_update(
        Cursor,
        "{\"mcpServers\": {\"assay\": {}}}",
        "{\"mcpServers\": {\"assay\": { \"command\": \"assay\", \"args\": [\"mcp\"] }}}",
    );
}

#[test]
fn an_entry_with_an_address_is_put_in_anew() {
    check_update(
        Cursor,
        "{\"mcpServers\": {\"assay\": {\"url\": \"http://localhost:1\"}, \"b\": {}}}",
        &format!("{{\"mcpServers\": {{\"b\": {{}}, {LINE}}}}}"),
    );
    check_update(
        Cursor,
        "{\"mcpServers\": {\"assay\": {\"url\": \"http://localhost:1\"}}}",
        &format!("{{\"mcpServers\": {{ {LINE} }}}}"),
    );
}

#[test]
fn an_entry_is_taken_out_wherever_it_stands() {
    check_remove(Cursor, "{\"mcpServers\": {\"assay\": {}, \"b\": 1}}", "{\"mcpServers\": {\"b\": 1}}");
    check_remove(
        Cursor,
        "{\"mcpServers\": {\"a\": 1, \"assay\": {}, \"b\": 1}}",
        "{\"mcpServers\": {\"a\": 1, \"b\": 1}}",
    );
    check_remove(
        Cursor,
        "{\"mcpServers\": {\n  \"a\": 1, // a\n  // about assay\n  \"assay\": {}, // assay\n  \"b\": 1\n}}",
        "{\"mcpServers\": {\n  \"a\": 1, // a\n  // about assay\n  // assay\n  \"b\": 1\n}}",
    );
    check_remove(
        Cursor,
        "{\"mcpServers\": {\n  // one\n  \"assay\": {} // two\n}}",
        "{\"mcpServers\": {\n  // one // two\n}}",
    );
    check_remove(Cursor, "{\"mcpServers\": {\n  \"assay\": {},\n}}", "{\"mcpServers\": {\n}}");
    check_remove(Cursor, "{\"mcpServers\": {\n  \"assay\": 5\n}}", "{\"mcpServers\": {\n}}");
    check_remove(
        Cursor,
        "{\n  \"mcpServers\": {\n    \"assay\": {\n    }\n  },\n  \"a\": 1\n}",
        "{\n  \"a\": 1\n}",
    );
}

#[test]
fn a_file_without_the_entry_has_nothing_to_take_out() {
    for text in [
        "",
        "{}",
        "// x",
        "{\"assay\": {}}",
        "{\"mcpServers\": {}}",
        "{\"mcpServers\": {\"x\": {\"assay\": 1}}}",
    ] {
        assert_eq!(removed(Cursor, text), "no entry", "{text}");
    }
}

#[test]
fn what_cannot_be_merged_with_is_refused() {
    check_refused(Cursor, "{\n  \"a\": ,\n}", "2:8: expected a value, found `,`");
    check_refused(Cursor, "[]", "1:1: expected an object as the whole file, found a list");
    check_refused(Cursor, "\u{feff}\"x\"", "1:1: expected an object as the whole file, found a text");
    check_refused(Cursor, "{\n\"mcpServers\": []}", "2:15: expected an object as `mcpServers`, found a list");
    check_refused(Cursor, "{\"mcpServers\": null}", "1:16: expected an object as `mcpServers`, found null");
    check_refused(
        Cursor,
        "{\"mcpServers\": {}, \"mcpServers\": {}}",
        "1:20: `mcpServers` is here for the second time",
    );
    check_refused(
        Cursor,
        "{\"mcpServers\": {\"assay\": {}, \"assay\": {}}}",
        "1:30: `assay` is here for the second time",
    );
    let double = "{\"mcpServers\": {\"assay\": {\"command\": \"a\", \"command\": \"b\"}}}";
    assert_eq!(added(Cursor, double), "1:43: `command` is here for the second time");
    let text = "{\"mcpServers\": {\"assay\": \"x\"}}";
    assert_eq!(added(Cursor, text), "1:26: expected an object as `mcpServers.assay`, found a text");
}

#[test]
fn keys_that_are_double_elsewhere_do_not_matter() {
    check_add(
        Cursor,
        "{\"a\": 1, \"a\": 2, \"mcpServers\": {\"b\": 1, \"b\": 2}}",
        &format!("{{\"a\": 1, \"a\": 2, \"mcpServers\": {{\"b\": 1, \"b\": 2, {LINE}}}}}"),
    );
}

#[test]
fn a_huge_file_is_no_trouble() {
    let history: Vec<String> = (0..40_000)
        .map(|at| format!("    \"{at}\": [\"é {{}} // {at}\", {{\"mcpServers\": {{}}}}]"))
        .collect();
    let before = format!("{{\n  \"projects\": {{\n{}\n  }}\n}}\n", history.join(",\n"));
    let after = added(Cursor, &before);
    assert!(after.ends_with(&format!("  }},\n  \"mcpServers\": {{\n{}\n  }}\n}}\n", spread("    ", "  "))));
    assert_eq!(removed(Cursor, &after), before);
}
