//! Advice in the words of the door that a client came through: it has tools with arguments and a user, but no command
//! line. What only a user may decide is asked of them; a way round a guard is no advice.

use assay_tools::{Group, Tool, find_tool};

/// Advice that means another thing to a client: what it holds, and what is said instead.
const OTHER_ADVICE: &[(&str, &str)] = &[
    ("assay go --allow", "ask your user: only addresses of http and https are open to you"),
    ("--results", "wait for the other run to finish"),
    ("assay trust", "ask your user whether to trust this folder"),
    ("--trust", "ask your user whether to trust this folder"),
    ("assay device take", "wait for it: `take_control` with `wait_seconds`"),
    ("assay device", "`list_hosts` shows what there is, and who controls it"),
    ("assay daemon status", "call again when your other calls have ended"),
    ("--session NAME", "ask your user to end that session"),
    ("assay session", "ask your user to end that session"),
    ("assay doctor", "ask your user to run `assay doctor`"),
    ("assay setup", "ask your user to run `assay setup`"),
    ("--browser-path", "ask your user to look at the settings of the browser"),
    ("--remote-debugging-port", "ask your user to start that browser again, open to be driven"),
    ("kill -9", "ask your user to end it"),
    ("--shell", "ask your user"),
    ("assay map shows the page; --timeout", "`map` shows the page; `wait` waits for it to appear"),
    ("--timeout", "`wait` waits longer"),
    ("assay run --list", "`list_testcases` lists all tests"),
    ("assay run --lock", "`execute_testcase` with `lock` records it again"),
    ("--last-failed", "`execute_testcase` runs it again"),
    ("assay run", "`execute_testcase` runs tests"),
    ("assay report", "`get_execution_status` shows a run"),
    ("assay resume", "`resume_run` goes on with a run"),
    ("assay heal --apply", "`accept_heals` accepts them"),
    ("assay heal", "`list_heals` lists them"),
    ("assay tree validate", "`validate_tree` walks every way"),
    ("assay tree", "`list_nodes` lists the screens; `tree` names a tree"),
    ("assay explore", "`explore_interface` makes one"),
    ("assay goto", "`navigate_to_node` goes there"),
    ("assay requirement create", "`create_requirement` makes one"),
    ("assay requirement", "`list_requirements` lists them"),
    ("assay plan", "`generate_and_save_testcase` with `url`"),
    ("assay model", "ask your user to choose a model"),
    ("--model", "ask your user to choose a model"),
    ("--answer", "call again with `answers`"),
    ("assay init", "ask your user to make a project: `assay init`"),
];

/// An answer whose advice its reader can follow. `offers` says which tools there are.
pub fn for_clients(text: &str, tool: &Tool, is_error: bool, offers: &dyn Fn(&str) -> bool) -> String {
    // Command lines are what this client has.
    if tool.group == Group::CommandLine {
        return text.to_string();
    }
    let line = |line: &str| match line.strip_prefix("hint: ") {
        Some(hint) => advice(hint, offers).map(|hint| format!("hint: {hint}")),
        None if line.starts_with('…') => Some(rest(line, offers)),
        None if is_error => Some(arguments(line, tool)),
        None => Some(line.to_string()),
    };
    let lines: Vec<String> = text.split('\n').filter_map(line).collect();
    lines.join("\n")
}

/// Advice for a client; none, if there is nothing that it can do.
fn advice(hint: &str, offers: &dyn Fn(&str) -> bool) -> Option<String> {
    let hint = &hint.replace("or wait: --timeout MS", "or `wait`");
    let known = OTHER_ADVICE.iter().find(|(part, _)| hint.contains(part));
    // A name of something beside the command stays.
    let said = match known {
        Some((_, other)) => match hint.strip_prefix("did you mean ").and_then(|rest| rest.split_once('?')) {
            Some((meant, _)) => format!("did you mean {meant}? {other}"),
            None => (*other).to_string(),
        },
        None => with_tools(hint),
    };
    let can_follow = !said.contains("--") && tools_in(&said).all(offers);
    can_follow.then_some(said)
}

/// The last line of an answer that was cut, without the flags that would show the rest.
fn rest(line: &str, offers: &dyn Fn(&str) -> bool) -> String {
    let Some((count, how)) = line.rsplit_once("; ") else { return line.to_string() };
    match how {
        "--budget N shows more" => count.to_string(),
        "assay map SELECTOR maps a part" if offers("map") => {
            format!("{count}; `map` with a target shows a part")
        }
        "assay map SELECTOR maps a part" => count.to_string(),
        _ => line.to_string(),
    }
}

/// `assay map` is the tool `map`, where that is one.
fn with_tools(hint: &str) -> String {
    let mut said = String::new();
    let mut rest = hint;
    while let Some((before, after)) = rest.split_once("assay ") {
        let end = after
            .find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '-')
            .unwrap_or(after.len());
        let (verb, behind) = after.split_at(end);
        let (before, behind) = match (before.strip_suffix('`'), behind.strip_prefix('`')) {
            (Some(before), Some(behind)) => (before, behind),
            _ => (before, behind),
        };
        match find_tool(verb).filter(|tool| tool.group == Group::Browser) {
            Some(tool) => said.push_str(&format!("{before}`{}`", tool.name)),
            None => said.push_str(&format!("{before}assay {verb}")),
        }
        rest = behind;
    }
    said + rest
}

/// The tools that a text names between accents.
fn tools_in(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2).filter_map(find_tool).map(|tool| tool.name)
}

/// A flag that is an argument of the tool is called as the argument.
fn arguments(line: &str, tool: &Tool) -> String {
    let Some(known) = tool.input.get("properties").and_then(serde_json::Value::as_object) else {
        return line.to_string();
    };
    let mut said = line.to_string();
    for name in known.keys() {
        let flag = format!("--{}", name.replace('_', "-"));
        let is_word = |at: usize| {
            let behind = said[at + flag.len()..].chars().next();
            !behind.is_some_and(|letter| letter.is_ascii_alphanumeric() || letter == '-')
        };
        if let Some(at) = said.find(&flag).filter(|at| is_word(*at)) {
            said.replace_range(at..at + flag.len(), &format!("`{name}`"));
        }
    }
    said
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(tool: &str, text: &str, expected: &str) {
        let said = for_clients(text, find_tool(tool).unwrap(), true, &|name| name != "find-all");
        assert_eq!(said, expected);
    }

    #[test]
    fn advice_names_tools_and_the_user() {
        let timeout =
            "error: no element matches\nhint: assay map shows the page; --timeout MS waits for it to appear";
        let told = "error: no element matches\nhint: `map` shows the page; `wait` waits for it to appear";
        check("click", timeout, told);
        check(
            "go",
            "hint: assay go --allow file file:///x",
            "hint: ask your user: only addresses of http and https are open to you",
        );
        check(
            "click",
            "hint: deal with e5 first, or wait: --timeout MS",
            "hint: deal with e5 first, or `wait`",
        );
        check(
            "take_control",
            "error: x\nhint: wait for it: assay device take chromium --wait 60; take it away: assay device release chromium --force",
            "error: x\nhint: wait for it: `take_control` with `wait_seconds`",
        );
        check(
            "go",
            "error: x\nhint: run `assay doctor` to find the cause",
            "error: x\nhint: ask your user to run `assay doctor`",
        );
        check(
            "eval",
            "hint: assay eval EXPRESSION runs code in the page",
            "hint: `eval` EXPRESSION runs code in the page",
        );
        check("click", "error: 2 match\nhint: assay find-all lists them", "error: 2 match");
        check(
            "list_nodes",
            "error: expected --tree with one of a, b, found none",
            "error: expected `tree` with one of a, b, found none",
        );
        check(
            "execute_testcase",
            "hint: choose another folder with `--results FOLDER`, or assay trust /x",
            "hint: wait for the other run to finish",
        );
        check(
            "map",
            "… 9 more lines; assay map SELECTOR maps a part",
            "… 9 more lines; `map` with a target shows a part",
        );
        check("assay", "hint: --timeout MS waits longer", "hint: --timeout MS waits longer");
    }

    /// Every text that a user can meet, as advice.
    #[test]
    fn no_advice_of_all_messages_speaks_of_flags() {
        let messages = include_str!("../../../../docs/messages.txt");
        let texts = messages.lines().filter_map(|line| line.strip_prefix("  "));
        for text in texts.filter(|text| text.contains("--") || text.contains("assay ")) {
            let Some(said) = advice(text, &|_| true) else { continue };
            assert!(!said.contains("--"), "{text}: {said}");
            let is_command =
                said.contains("assay trust") || said.contains("--force") || said.contains("kill -9");
            assert!(!is_command, "{text}: {said}");
        }
    }
}
