//! Files of all kinds, made by a generator that gives the same ones every time: an entry that is added and taken out
//! leaves no byte behind, and says what it should in between.

use crate::catalogue::Client;
use crate::entry::{Server, Wanted};
use crate::merge::{self, Emptied, Rest};
use crate::merge_tests::wanted;

/// SplitMix64.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((z ^ (z >> 31)) % sides as u64).unwrap()
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.roll(of.len())]
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.roll(100) < percent
    }
}

const KEYS: &[&str] =
    &["a", "assay", "mcpServers", "é ü", "x-1", "servers", "mcp_servers", "extensions", "😀"];
const TEXTS: &[&str] =
    &["", "x", "{ \\\"mcpServers\\\": 1 }", "// no", "# no", "[a]", "é,}", "\\u00e9", "a: b", "\\\\"];

struct Style {
    line_break: &'static str,
    unit: &'static str,
    comments: bool,
    spread: usize,
}

fn json_trivia(dice: &mut Dice, style: &Style) -> String {
    let mut trivia = String::new();
    for _ in 0..dice.roll(3) {
        match dice.roll(if style.comments { 5 } else { 3 }) {
            0 => trivia.push(' '),
            1 => trivia.push_str(style.line_break),
            2 => trivia.push('\t'),
            3 => trivia.push_str(&format!("// {}{}", dice.one(KEYS), style.line_break)),
            _ => trivia.push_str("/* , } */"),
        }
    }
    trivia
}

fn json_value(dice: &mut Dice, style: &Style, depth: usize, indent: &str) -> String {
    match dice.roll(if depth > 3 { 4 } else { 7 }) {
        0 => dice.one(&["true", "null", "-1.5e3", "[]", "{}"]).to_string(),
        1..=3 => format!("\"{}\"", dice.one(TEXTS)),
        4 => {
            let items: Vec<String> =
                (0..dice.roll(3)).map(|_| json_value(dice, style, depth + 1, indent)).collect();
            format!("[{}]", items.join(", "))
        }
        _ => json_object(dice, style, depth + 1, indent, &[]),
    }
}

/// An object with some members, and the given ones at random places. No key is there twice.
fn json_object(
    dice: &mut Dice,
    style: &Style,
    depth: usize,
    indent: &str,
    given: &[(String, String)],
) -> String {
    let mut members: Vec<(String, String)> = Vec::new();
    let inner = format!("{indent}{}", style.unit);
    for _ in 0..dice.roll(4) {
        let key = format!("{}{}", dice.one(KEYS), members.len());
        let value = json_value(dice, style, depth, &inner);
        members.push((key, value));
    }
    for member in given {
        members.insert(dice.roll(members.len() + 1), member.clone());
    }
    let colon = dice.one(&[": ", ":", " : ", ":\t"]);
    let spread = dice.chance(style.spread);
    let messy = style.comments && dice.chance(30);
    let mut text = "{".to_string();
    let count = members.len();
    for (at, (key, value)) in members.into_iter().enumerate() {
        if messy {
            text.push_str(&json_trivia(dice, style));
        }
        if spread {
            text.push_str(&format!("{}{inner}", style.line_break));
        }
        text.push_str(&format!("\"{key}\"{colon}{value}"));
        if messy {
            text.push_str(&json_trivia(dice, style));
        }
        if at + 1 < count || (style.comments && dice.chance(30)) {
            text.push(',');
            if !spread && dice.chance(50) {
                text.push(' ');
            }
        }
    }
    if messy || count == 0 {
        text.push_str(&json_trivia(dice, style));
    }
    if spread && count > 0 {
        text.push_str(&format!("{}{indent}", style.line_break));
    }
    text.push('}');
    text
}

fn json_file(dice: &mut Dice, table: &str) -> String {
    let style = Style {
        line_break: dice.one(&["\n", "\r\n"]),
        unit: dice.one(&["  ", "    ", "\t", ""]),
        comments: dice.chance(60),
        spread: [0, 50, 95][dice.roll(3)],
    };
    let given = if dice.chance(60) {
        let unit = style.unit.to_string();
        vec![(table.to_string(), json_object(dice, &style, 1, &unit, &[]))]
    } else {
        Vec::new()
    };
    let bom = if dice.chance(10) { "\u{feff}" } else { "" };
    let (before, behind) = (json_trivia(dice, &style), json_trivia(dice, &style));
    if dice.chance(5) {
        return format!("{bom}{before}{behind}");
    }
    format!("{bom}{before}{}{behind}", json_object(dice, &style, 0, "", &given))
}

fn toml_file(dice: &mut Dice) -> String {
    let line_break = dice.one(&["\n", "\r\n"]);
    let mut lines = Vec::new();
    let braces = dice.chance(20);
    if braces {
        lines.push(dice.one(&[
            "mcp_servers = {}",
            "mcp_servers = { a = {}, \"é\" = { b = [1] } } # x",
            "mcp_servers = {  }",
        ]));
    } else if dice.chance(20) {
        lines.push("mcp_servers.other.command = '{'");
    }
    for _ in 0..dice.roll(3) {
        lines.push(dice.one(&["", "# [mcp_servers.assay]", "  ", "#\té"]));
    }
    let tables: &[&str] = if braces {
        &["[a]", "[ b . \"mcp_servers.assay\" ] # x", "[[c]]"]
    } else {
        &["[a]", "[[c]]", "[mcp_servers.x]", "[mcp_servers.\"assay 2\".env]", "[d.mcp_servers.assay]"]
    };
    for table in tables {
        if !dice.chance(50) {
            continue;
        }
        lines.push(table);
        for values in [
            &["m = \"\"\"\n[mcp_servers.assay]\n\"\"\"", "m = '''\n#'''"][..],
            &["  n = [\n  1, # ]\n]", "n.o = { p = 1 }", "\"n\"=1979-05-27"][..],
            &["", "# x", "\t"][..],
        ] {
            if dice.chance(50) {
                lines.push(dice.one(values));
            }
        }
    }
    let mut text = lines.join("\n").replace('\n', line_break);
    for _ in 0..dice.roll(3) {
        text.push_str(line_break);
    }
    format!("{}{text}", if dice.chance(10) { "\u{feff}" } else { "" })
}

fn yaml_file(dice: &mut Dice) -> String {
    let line_break = dice.one(&["\n", "\r\n"]);
    let mut lines: Vec<&str> = Vec::new();
    if dice.chance(20) {
        lines.push(dice.one(&["---", "--- # x", "# extensions:"]));
    }
    let mut parts: Vec<&[&str]> = vec![
        &["a: 1 # x", "'a b': \"# y\"", "a: {extensions: {assay: 1}}", "a: |\n  extensions:\n    assay: 1\n"],
        &[
            "b:\n- 1\n# between\n- [é,\n  2]",
            "b:\n    extensions:\n        assay: {}",
            "b: &x\n  c: >-\n    d\n\n    e\nf: *x",
        ],
    ];
    if dice.chance(70) {
        let table: &[&str] = &[
            "extensions:",
            "extensions: # none",
            "extensions:\n  # none",
            "extensions: {}",
            "extensions: { }",
            "extensions: {x: {y: 1}, z: [1, {assay: 2}]} # q",
            "extensions: {\n  x: {}, # y\n  }",
            "extensions:\n  x:\n    cmd: y",
            "extensions:\n    x:\n        args:\n        - assay # z\n\n    # after",
            "extensions:\n  'x': {}\n  y: |\n    text\n\n",
            "\"extensions\":\n  x:\n    env: # none",
        ];
        let at = dice.roll(parts.len() + 1);
        parts.insert(at, table);
    }
    for part in parts {
        if part[0].contains("extensions") || dice.chance(70) {
            lines.push(dice.one(part));
        }
        if dice.chance(30) {
            lines.push(dice.one(&["", "# note", "  # deep", "\n"]));
        }
    }
    let mut text = lines.join("\n").replace('\n', line_break);
    for _ in 0..dice.roll(3) {
        text.push_str(line_break);
    }
    format!("{}{text}", if dice.chance(10) { "\u{feff}" } else { "" })
}

/// Adds and takes out in `count` files of a client; the generator must give files that can be merged with.
fn check(client: Client, count: u64, mut file: impl FnMut(&mut Dice) -> String) {
    let format = client.format();
    let other = Wanted::new(
        client,
        &Server {
            name: "assay".to_string(),
            command: "C:\\assay \"x\"".to_string(),
            args: vec![String::new(), "é # {}".to_string(), "--profile".to_string()],
        },
    );
    for seed in 0..count {
        let before = file(&mut Dice(seed));
        let wanted = wanted(client);
        let first = merge::add(format, &before, &wanted);
        let first = first.unwrap_or_else(|mistake| panic!("{client} {seed}: {mistake:?}\n{before:?}"));
        assert_eq!(merge::add(format, &first, &wanted).as_ref(), Ok(&first), "{client} {seed}: again");
        let out = merge::take_out(format, &first, wanted.table, "assay", Emptied::Goes);
        assert_eq!(out, Ok(Some(Rest::Text(before.clone()))), "{client} {seed}: back from\n{first}");

        let second = merge::add(format, &first, &other);
        let second = second.unwrap_or_else(|mistake| panic!("{client} {seed}: {mistake:?}\n{first:?}"));
        let back = merge::add(format, &second, &wanted).unwrap();
        let gone = merge::take_out(format, &back, wanted.table, "assay", Emptied::Goes);
        assert_eq!(gone, Ok(Some(Rest::Text(before))), "{client} {seed}: back from\n{back}");
    }
}

#[test]
fn json_files_come_back_byte_for_byte() {
    for client in [Client::Cursor, Client::OpenCode] {
        check(client, 1000, |dice| json_file(dice, client.table()));
    }
}

#[test]
fn toml_files_come_back_byte_for_byte() {
    check(Client::Codex, 500, toml_file);
}

#[test]
fn yaml_files_come_back_byte_for_byte() {
    check(Client::Goose, 500, yaml_file);
}

/// A text with some letters left out, doubled or put elsewhere.
fn damaged(dice: &mut Dice, text: &str) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    for _ in 0..=dice.roll(3) {
        if letters.is_empty() {
            break;
        }
        let at = dice.roll(letters.len());
        match dice.roll(3) {
            0 => drop(letters.remove(at)),
            1 => letters.insert(at, letters[at]),
            _ => {
                let letter = letters.remove(at);
                letters.insert(dice.roll(letters.len() + 1), letter);
            }
        }
    }
    letters.into_iter().collect()
}

/// A damaged file is refused, or still comes back byte for byte.
fn check_damaged(client: Client, count: u64, mut file: impl FnMut(&mut Dice) -> String) {
    let (format, wanted) = (client.format(), wanted(client));
    let mut accepted = 0;
    for seed in 0..count {
        let mut dice = Dice(seed);
        let whole = file(&mut dice);
        let before = damaged(&mut dice, &whole);
        let is_new = merge::take_out(format, &before, wanted.table, "assay", Emptied::Stays) == Ok(None);
        if let (true, Ok(after)) = (is_new, merge::add(format, &before, &wanted)) {
            let out = merge::take_out(format, &after, wanted.table, "assay", Emptied::Goes);
            assert_eq!(out, Ok(Some(Rest::Text(before))), "{client} {seed}: back from\n{after}");
            accepted += 1;
        }
    }
    assert!((1..count).contains(&accepted), "{client}: {accepted} of {count} were accepted");
}

#[test]
fn damaged_files_are_refused_or_come_back() {
    check_damaged(Client::Cursor, 600, |dice| json_file(dice, "mcpServers"));
    check_damaged(Client::Codex, 600, toml_file);
    check_damaged(Client::Goose, 600, yaml_file);
}
