use crate::catalogue::Client::Codex;
use crate::merge_tests::{added, check_add, check_refused, check_remove, check_update, removed};

const BLOCK: &str = "[mcp_servers.assay]\ncommand = \"assay\"\nargs = [\"mcp\"]\nenv = {}\n";
const BRACES: &str = "assay = {command = \"assay\", args = [\"mcp\"], env = {}}";

#[test]
fn a_table_comes_at_the_end() {
    let open = BLOCK.trim_end();
    check_add(Codex, "", open);
    check_add(Codex, "\u{feff}", &format!("\u{feff}{open}"));
    check_add(Codex, "\n", &format!("\n\n{BLOCK}"));
    check_add(Codex, "# mine", &format!("# mine\n\n{open}"));
    check_add(Codex, "model = 'x' # mine\n", &format!("model = 'x' # mine\n\n{BLOCK}"));
    check_add(Codex, "[a]\nb = 1", &format!("[a]\nb = 1\n\n{open}"));
    check_add(Codex, "[[a]]\nb = 1\n\n", &format!("[[a]]\nb = 1\n\n\n{BLOCK}"));
    check_add(Codex, "[mcp_servers]\n", &format!("[mcp_servers]\n\n{BLOCK}"));
    check_add(
        Codex,
        "[mcp_servers.other]\ncommand = 'x'\n\n[z]\n",
        &format!("[mcp_servers.other]\ncommand = 'x'\n\n[z]\n\n{BLOCK}"),
    );
    check_add(
        Codex,
        "mcp_servers.other.command = 'x'\n",
        &format!("mcp_servers.other.command = 'x'\n\n{BLOCK}"),
    );
}

#[test]
fn line_endings_and_a_byte_order_mark_stay() {
    let block = BLOCK.replace('\n', "\r\n");
    check_add(Codex, "\u{feff}a = 1\r\n# x\r\n", &format!("\u{feff}a = 1\r\n# x\r\n\r\n{block}"));
    check_add(Codex, "a = 1\r\nb = 2", &format!("a = 1\r\nb = 2\r\n\r\n{}", block.trim_end()));
}

#[test]
fn braces_get_one_entry_more() {
    check_add(Codex, "mcp_servers = {} # x\n", &format!("mcp_servers = {{ {BRACES} }} # x\n"));
    check_add(Codex, "mcp_servers = { }\n", &format!("mcp_servers = {{{BRACES} }}\n"));
    check_add(Codex, "mcp_servers = { a = {} }", &format!("mcp_servers = {{ a = {{}}, {BRACES} }}"));
}

#[test]
fn names_elsewhere_are_not_meant() {
    let before = "x = \"\"\"\n[mcp_servers.assay]\ncommand = 'no'\n\"\"\"\n[a.mcp_servers.assay]\ncommand = 'no'\n# [mcp_servers.assay]\n";
    check_add(Codex, before, &format!("{before}\n{BLOCK}"));
}

#[test]
fn an_entry_that_says_the_same_is_left_alone() {
    for text in [
        "[mcp_servers.assay]\nargs = [ # x\n 'mcp',\n]\ncommand = 'assay'\nenabled = false\n",
        "[mcp_servers]\nassay = { command = 'assay', args = ['mcp'] }\n",
        "mcp_servers.assay.command = 'assay'\nmcp_servers.assay.args = [\"mcp\"]\n",
        "[\"mcp_servers\".'assay']\ncommand = '''assay'''\nargs = [\"mc\\u0070\"]",
    ] {
        assert_eq!(added(Codex, text), text);
    }
}

#[test]
fn an_entry_with_another_command_is_mended_and_keeps_the_rest() {
    check_update(
        Codex,
        "[mcp_servers.assay] # mine\r\ncommand = '/old' # old\r\nargs = [\r\n  'a', # b\r\n]\r\nstartup_timeout_sec = 20\r\n\r\n[mcp_servers.assay.env]\r\nA = '1'\r\n",
        "[mcp_servers.assay] # mine\r\ncommand = \"assay\" # old\r\nargs = [\"mcp\"]\r\nstartup_timeout_sec = 20\r\n\r\n[mcp_servers.assay.env]\r\nA = '1'\r\n",
    );
    check_update(
        Codex,
        "[mcp_servers.assay]\n  command = 'assay' # x\n[z]\na = 1\n",
        "[mcp_servers.assay]\n  command = 'assay' # x\n  args = [\"mcp\"]\n[z]\na = 1\n",
    );
    check_update(Codex, "[mcp_servers.assay]", "[mcp_servers.assay]\ncommand = \"assay\"\nargs = [\"mcp\"]");
    check_update(
        Codex,
        "mcp_servers.assay.command = 'x'\nb = 1\n",
        "mcp_servers.assay.command = \"assay\"\nmcp_servers.assay.args = [\"mcp\"]\nb = 1\n",
    );
    check_update(
        Codex,
        "[mcp_servers]\nassay = { command = 'x' }\n",
        "[mcp_servers]\nassay = { command = \"assay\", args = [\"mcp\"] }\n",
    );
}

#[test]
fn an_entry_with_an_address_is_put_in_anew() {
    check_update(
        Codex,
        "[mcp_servers.assay]\nurl = 'http://localhost:1'\n\n[z]\na = 1\n",
        &format!("\n[z]\na = 1\n\n{BLOCK}"),
    );
    check_update(Codex, "[mcp_servers.assay]\nurl = 'http://localhost:1'\n", BLOCK);
}

#[test]
fn an_entry_is_taken_out_wherever_it_stands() {
    check_remove(
        Codex,
        "a = 1\n\n[mcp_servers.assay]\n# about it\ncommand = 'x'\nenv.A = '1'\n\n[mcp_servers.assay.tools.a]\nb = 1\n\n# about z\n[z]\nc = 1\n",
        "a = 1\n\n# about z\n[z]\nc = 1\n",
    );
    check_remove(
        Codex,
        "[mcp_servers]\na.b = 1\nassay.command = 'x'\nassay.args = []\nc.d = 1\n",
        "[mcp_servers]\na.b = 1\nc.d = 1\n",
    );
    check_remove(Codex, "[mcp_servers]\nassay = { command = 'x' }\na = {}\n", "[mcp_servers]\na = {}\n");
    check_remove(
        Codex,
        "mcp_servers = { a = {}, assay = {}, b = {} }\n",
        "mcp_servers = { a = {}, b = {} }\n",
    );
    check_remove(Codex, "[mcp_servers.assay.env]\nA = '1'\n", "no file");
    check_remove(
        Codex,
        "[mcp_servers.assay]\na = 1\n[mcp_servers.b]\nc = 1\n[mcp_servers.assay.env]\nd = 1\n",
        "[mcp_servers.b]\nc = 1\n",
    );
    check_remove(Codex, "[mcp_servers.assay]\na = [\n [1],\n]\nb.c = 1\n[z]\n", "[z]\n");
}

#[test]
fn a_file_without_the_entry_has_nothing_to_take_out() {
    for text in ["", "a = 1", "[mcp_servers]\n", "[a.mcp_servers.assay]\n", "mcp_servers = {}"] {
        assert_eq!(removed(Codex, text), "no entry", "{text}");
    }
}

#[test]
fn what_cannot_be_merged_with_is_refused() {
    check_refused(Codex, "a = 1\nb = \n", "2:5: string values must be quoted, expected literal string");
    check_refused(Codex, "a = 1\na = 2\n", "2:1: duplicate key");
    check_refused(Codex, "mcp_servers = []", "1:15: expected an object as `mcp_servers`, found a list");
    check_refused(Codex, "[[mcp_servers]]\na = 1", "1:1: expected an object as `mcp_servers`, found a list");
    check_refused(Codex, "mcp_servers = { a.b = 1 }", "1:15: assay cannot edit dotted keys in braces");
    check_refused(
        Codex,
        "[mcp_servers]\nassay = 'x'\n",
        "2:9: expected an object as `mcp_servers.assay`, found a text",
    );
}
