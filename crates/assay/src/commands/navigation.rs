//! Commands around navigation trees: explore, goto, tree.

use assay_protocol::Failure;
use assay_protocol::actions::{Arguments, CommandSyntax, Flag, Group, UsageError};

use super::{CommandEntry, command, optional_text};
use crate::command::Command;
use crate::navigation::{ExploreOptions, GotoOptions, ScreenValues, TreeEdit, TreeOperation};

const DEPTH: u64 = 6;
const SCREENS: u64 = 150;
const SECONDS: u64 = 600;

const LOGIN: Flag = Flag::values(
    "login",
    "TEXT",
    "sentence that logs in, such as \"Log in as ada@example.com with password ${PASSWORD}\"; repeatable",
);

pub(super) const EXPLORE: CommandEntry = command(
    "explore",
    "[ADDRESS]",
    "Find the screens of an application and the ways between them; presses and sends nothing that may act",
    "assay explore http://127.0.0.1:8080/ --depth 3",
    |words| Ok(Command::Explore(Box::new(explore_options(words)?))),
)
.flags(&[
    Flag::value("depth", "N", "links and presses that a screen may be away from the start (default 6)"),
    Flag::value("screens", "N", "screens at most (default 150)"),
    Flag::value("time", "SECONDS", "time at most (default 600)"),
    LOGIN,
    Flag::value(
        "name",
        "NAME",
        "name of the tree: navigation/NAME.yaml (default: the tree of this application)",
    ),
    Flag::switch("fresh", "begin anew instead of going on where exploring was cut off"),
    Flag::switch("prune", "remove screens that are gone from the file"),
    Flag::switch("ignore-robots", "open what robots.txt asks not to: only for an application of your own"),
    Flag::switch(
        "reads-by-post",
        "let requests that may write through while a page opens (GraphQL); never after a press",
    ),
    Flag::value(
        "compare",
        "FILE",
        "compare with this tree and write nothing; without ADDRESS, the project's tree",
    ),
]);

fn lines(words: &Arguments<'_>, name: &str) -> Vec<String> {
    let given = words.flag(name).unwrap_or_default();
    given.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_string).collect()
}

fn explore_options(words: &Arguments<'_>) -> Result<ExploreOptions, UsageError> {
    let flag = |name: &str| words.flag(name).map(str::to_string);
    let url = optional_text(words, 0);
    if url.is_none() && !words.has("compare") {
        return Err(words.wrong_word("ADDRESS"));
    }
    Ok(ExploreOptions {
        url,
        name: flag("name"),
        depth: words.number("depth")?.unwrap_or(DEPTH).min(100) as usize,
        screens: words.number("screens")?.unwrap_or(SCREENS).clamp(1, 10_000) as usize,
        seconds: seconds(words)?,
        login: lines(words, "login"),
        is_fresh: words.has("fresh"),
        prunes: words.has("prune"),
        ignores_robots: words.has("ignore-robots"),
        reads_by_post: words.has("reads-by-post"),
        compare: flag("compare"),
    })
}

/// A number of seconds, or one of minutes: `90`, `90s`, `5m`.
fn seconds(words: &Arguments<'_>) -> Result<u64, UsageError> {
    let Some(text) = words.flag("time") else { return Ok(SECONDS) };
    let (digits, unit) = match text.strip_suffix('m') {
        Some(digits) => (digits, 60),
        None => (text.strip_suffix('s').unwrap_or(text), 1),
    };
    let number = digits.parse::<u64>().ok().filter(|number| *number > 0);
    let number = number.map(|number| number.saturating_mul(unit).min(24 * 3600));
    number
        .ok_or_else(|| UsageError::wrong_value("a time such as 90s or 5m after --time", format!("`{text}`")))
}

const TREE: Flag = Flag::value("tree", "NAME", "which navigation tree, if the project has several");
const BASE_URL: Flag = Flag::value("base-url", "ADDRESS", "address of the application, overriding the files");

pub(super) const GOTO: CommandEntry = CommandEntry {
    syntax: CommandSyntax::new(
        Group::Go,
        "goto",
        "[SCREEN]",
        "Go to a screen by its name, by the surest way of the navigation tree; an address is opened. Without a name: say which screen is shown",
        "assay goto \"Order history\"",
    ),
    build: |words| {
        Ok(Command::Goto(GotoOptions {
            target: optional_text(words, 0),
            tree: words.flag("tree").map(str::to_string),
            base_url: words.flag("base-url").map(str::to_string),
            logs_out: words.has("log-out"),
        }))
    },
}
.flags(&[
    TREE,
    BASE_URL,
    Flag::switch("log-out", "forget cookies and storage of the site first, for what is shown to those who are not logged in"),
]);

pub(super) const TREE_COMMAND: CommandEntry = command(
    "tree",
    "list|check|show|edit|merge|validate|facts|create|delete [WHAT...]",
    "Look at navigation trees, change them, and check them against the application",
    "assay tree edit rename-screen Orders \"Order history\"",
    |words| Ok(Command::Tree(Box::new(tree_operation(words)?))),
)
.flags(&[
    TREE,
    Flag::value("svg", "FILE", "show: draw the tree into FILE"),
    Flag::switch("mermaid", "show: as a Mermaid flowchart"),
    BASE_URL,
    LOGIN,
    Flag::value("time", "SECONDS", "validate: time at most (default 600)"),
    Flag::value("address", "PATTERN", "edit: address of the screen, such as /orders/{id}"),
    Flag::value("heading", "TEXT", "edit: heading of the screen; * stands for any words"),
    Flag::value("title", "TEXT", "edit: title of the document; * stands for any words"),
    Flag::value("within", "SCREEN", "edit: screen that it is a part of"),
    Flag::value("when", "TEXT", "edit: state in which it can be reached, such as \"logged in\""),
    Flag::values("has", "ELEMENT", "edit: element that must be there, such as 'button \"Save\"'; repeatable"),
    Flag::values("lacks", "ELEMENT", "edit: element that must not be there; repeatable"),
    Flag::value("protected", "YES", "edit: yes or no: whether exploring leaves it alone"),
    Flag::values("do", "COMMAND", "edit: command of an edge, such as 'click link \"Orders\"'; repeatable"),
    Flag::values("back", "COMMAND", "edit: command that leads back; repeatable"),
])
.counts_itself();

const FORMS: &str = "list, check [FILE...], show [TREE], edit CHANGE…, merge FILE, validate [TREE], facts [drop NUMBER], create NAME or delete NAME";
const EDITS: &str = "edit rename-screen OLD NEW, add-screen NAME, set-screen NAME, remove-screen NAME, add-edge FROM TO, set-edge FROM TO, remove-edge FROM TO or entry SCREEN...";

fn tree_operation(words: &Arguments<'_>) -> Result<TreeOperation, Failure> {
    let flag = |name: &str| words.flag(name).map(str::to_string);
    let all: Vec<&str> = words.all().iter().map(String::as_str).collect();
    let tree_or = |named: Option<&&str>| flag("tree").or_else(|| named.map(|name| name.to_string()));
    Ok(match all.as_slice() {
        ["list"] => TreeOperation::List,
        ["check", files @ ..] => {
            TreeOperation::Check { files: files.iter().map(|file| file.to_string()).collect() }
        }
        ["show", named @ ..] if named.len() < 2 => TreeOperation::Show {
            tree: tree_or(named.first()),
            svg: flag("svg"),
            mermaid: words.has("mermaid"),
        },
        ["edit", change @ ..] => TreeOperation::Edit { tree: flag("tree"), edit: tree_edit(words, change)? },
        ["merge", other] => TreeOperation::Merge { tree: flag("tree"), other: other.to_string() },
        ["validate", named @ ..] if named.len() < 2 => TreeOperation::Validate {
            tree: tree_or(named.first()),
            base_url: flag("base-url"),
            login: lines(words, "login"),
            seconds: seconds(words)?,
        },
        ["facts"] => TreeOperation::Facts { tree: flag("tree"), drop: None },
        ["facts", "drop", number] => {
            let wrong = |_| UsageError::wrong_value("the number of a fact", format!("`{number}`"));
            TreeOperation::Facts { tree: flag("tree"), drop: Some(number.parse().map_err(wrong)?) }
        }
        ["create", name] => TreeOperation::Create { name: name.to_string(), base_url: flag("base-url") },
        ["delete", name] => TreeOperation::Delete { name: name.to_string() },
        _ => return Err(words.wrong_word(FORMS).into()),
    })
}

fn tree_edit(words: &Arguments<'_>, change: &[&str]) -> Result<TreeEdit, Failure> {
    let text = |word: &str| word.to_string();
    Ok(match change {
        ["rename-screen", from, to] => TreeEdit::RenameScreen { from: text(from), to: text(to) },
        ["add-screen", name] => TreeEdit::AddScreen { name: text(name), values: screen_values(words)? },
        ["set-screen", name] => TreeEdit::SetScreen { name: text(name), values: screen_values(words)? },
        ["remove-screen", name] => TreeEdit::RemoveScreen { name: text(name) },
        ["add-edge", from, to] => TreeEdit::AddEdge {
            from: text(from),
            to: text(to),
            acts: lines(words, "do"),
            back: lines(words, "back"),
        },
        ["set-edge", from, to] => TreeEdit::SetEdge {
            from: text(from),
            to: text(to),
            acts: lines(words, "do"),
            back: lines(words, "back"),
        },
        ["remove-edge", from, to] => TreeEdit::RemoveEdge { from: text(from), to: text(to) },
        ["entry", names @ ..] if !names.is_empty() => {
            TreeEdit::Entry { names: names.iter().map(|name| name.to_string()).collect() }
        }
        _ => return Err(words.wrong_word(EDITS).into()),
    })
}

fn screen_values(words: &Arguments<'_>) -> Result<ScreenValues, UsageError> {
    let flag = |name: &str| words.flag(name).map(str::to_string);
    let list = |name: &str| words.has(name).then(|| lines(words, name));
    let protected = match words.flag("protected") {
        None => None,
        Some("yes" | "true") => Some(true),
        Some("no" | "false") => Some(false),
        Some(other) => {
            return Err(UsageError::wrong_value("yes or no after --protected", format!("`{other}`")));
        }
    };
    Ok(ScreenValues {
        address: flag("address"),
        heading: flag("heading"),
        title: flag("title"),
        within: flag("within"),
        when: flag("when"),
        has: list("has"),
        lacks: list("lacks"),
        protected,
    })
}
