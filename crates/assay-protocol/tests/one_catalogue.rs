//! Nothing but the catalogue lists actions. A list elsewhere is one that the next action will be missing from.
//!
//! Reads the sources of all crates and looks for two things: names of actions close together in string literals, and
//! long or-patterns of `Action::` variants. In the pilots, the words by which models ask for actions are names too.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use assay_protocol::actions::{ACTIONS, ModelForm};

/// So many names within so many lines are a list.
const NAMES: usize = 3;
const LINES: usize = 6;
/// So many variants in one pattern are a list.
const VARIANTS: usize = 3;

/// The catalogue itself, and the one dispatch to the handlers.
const CATALOGUE: &[&str] =
    &["crates/assay-protocol/src/actions/", "crates/assay-actions/src/web/verbs/mod.rs"];

/// Who gives tools to models.
const PILOTS: &str = "crates/assay-pilot/";

/// Where names of actions may stand together, each with its reason. An entry that excuses nothing fails the test.
const EXCUSED: &[(&str, &str)] = &[
    ("crates/assay-tools/src/profile.rs", "selects actions by what a list of tools costs its reader"),
    ("crates/assay-tools/src/hints.rs", "selects tools by what some of their arguments can do"),
    ("crates/assay-language/src/", "words of English that sentences are made of"),
    ("crates/assay-agent/src/analysis/wording.rs", "words of English around a label"),
    ("crates/assay-agent/src/goal/ways.rs", "words of English that say nothing of a place"),
    ("crates/assay-suite/src/keys.rs", "keys of test files, some of which are called as actions are"),
    ("crates/assay-provider/src/formats/", "names in the formats of providers"),
    ("crates/assay-driver-webdriver/src/", "names in the WebDriver protocol"),
    ("crates/assay-server/src/hooks/letter.rs", "names in the messages of webhooks"),
    ("crates/assay-report/src/trace/", "names in the trace format of Playwright"),
    ("crates/assay-actions/src/", "the page script's names for the kinds of acts"),
    ("crates/assay-runner/src/proving/observed.rs", "takes the target out of four variants to name it"),
];

/// Names of actions that stand close together, or an or-pattern.
struct Listing {
    file: String,
    line: usize,
    what: String,
}

#[test]
fn nothing_else_lists_actions() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut listings = Vec::new();
    for path in sources(&root.join("crates")) {
        let file = path.strip_prefix(&root).unwrap_or(&path).display().to_string();
        if CATALOGUE.iter().any(|part| file.starts_with(part)) {
            continue;
        }
        let code = code_of(&fs::read_to_string(&path).expect("a source file"));
        let known = if file.starts_with(PILOTS) { names_and_words() } else { names() };
        let found = names_together(&code, &known).into_iter().chain(or_patterns(&code));
        listings.extend(found.map(|(line, what)| Listing { file: file.clone(), line, what }));
    }
    let is_excused = |listing: &&Listing| EXCUSED.iter().any(|(part, _)| listing.file.starts_with(part));
    let open: Vec<String> = listings
        .iter()
        .filter(|listing| !is_excused(listing))
        .map(|listing| format!("{}:{}: {}", listing.file, listing.line, listing.what))
        .collect();
    assert!(open.is_empty(), "actions are listed outside the catalogue:\n{}", open.join("\n"));
    for (part, reason) in EXCUSED {
        let is_used = listings.iter().any(|listing| listing.file.starts_with(part));
        assert!(is_used, "{part} lists no actions any more: remove its entry ({reason})");
    }
}

/// All sources that are no tests.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder of sources").flatten() {
        let path = entry.path();
        let name = entry.file_name().to_string_lossy().into_owned();
        if path.is_dir() {
            // The testkit knows nothing of assay: its words are those of pages.
            if !matches!(name.as_str(), "tests" | "target" | "assay-testkit") {
                found.extend(sources(&path));
            }
        } else if name.ends_with(".rs") && !name.ends_with("tests.rs") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// The lines before the tests of a file, without comments.
fn code_of(source: &str) -> Vec<String> {
    let own = source.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    own.lines().map(|line| line.split("//").next().unwrap_or_default().to_string()).collect()
}

fn names() -> BTreeSet<&'static str> {
    ACTIONS.iter().map(|entry| entry.name()).collect()
}

/// The names, and the tools and words by which a model asks for actions.
fn names_and_words() -> BTreeSet<&'static str> {
    let tools = ACTIONS.iter().flat_map(|entry| entry.model_forms).map(ModelForm::of_tool);
    let words = tools.flat_map(|tool| tool.words().iter().copied().chain([tool.name]));
    names().into_iter().chain(words).collect()
}

fn names_together(code: &[String], known: &BTreeSet<&str>) -> Vec<(usize, String)> {
    let named: Vec<Vec<&str>> = code
        .iter()
        .map(|line| line.split('"').skip(1).step_by(2).filter(|literal| known.contains(literal)).collect())
        .collect();
    let mut found = Vec::new();
    let mut at = 0;
    while at < named.len() {
        let end = (at + LINES).min(named.len());
        let together: BTreeSet<&str> = named[at..end].iter().flatten().copied().collect();
        if !named[at].is_empty() && together.len() >= NAMES {
            found.push((at + 1, format!("{together:?}")));
            at = end;
        } else {
            at += 1;
        }
    }
    found
}

fn or_patterns(code: &[String]) -> Vec<(usize, String)> {
    const VARIANT: &str = "Action::";
    let text = code.join("\n");
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(begin) = text[from..].find(VARIANT).map(|at| from + at) {
        from = begin + VARIANT.len();
        if text[..begin].ends_with(|letter: char| letter.is_alphanumeric() || letter == '_') {
            continue;
        }
        let mut variants = 1;
        let mut rest = after_variant(&text[from..]);
        while let Some(next) = rest.strip_prefix('|').map(str::trim_start) {
            let next = next.strip_prefix("assay_protocol::").unwrap_or(next);
            let Some(next) = next.strip_prefix(VARIANT) else { break };
            variants += 1;
            rest = after_variant(next);
        }
        if variants >= VARIANTS {
            let line = text[..begin].matches('\n').count() + 1;
            found.push((line, format!("a pattern of {variants} variants")));
        }
        from = from.max(text.len() - rest.len());
    }
    found
}

/// The text after a variant's name and its fields.
fn after_variant(text: &str) -> &str {
    let rest = text.trim_start_matches(|letter: char| letter.is_alphanumeric() || letter == '_').trim_start();
    if !rest.starts_with('{') {
        return rest;
    }
    let mut depth = 0;
    for (at, letter) in rest.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return rest[at + 1..].trim_start();
        }
    }
    ""
}

#[test]
fn lists_are_recognised() {
    let lines = |source: &str| code_of(source);
    let by_name =
        "match verb {\n    \"click\" => 1,\n    \"fill\" => 2, // \"press\"\n    \"hover\" => 3,\n}\n";
    assert_eq!(names_together(&lines(by_name), &names()).len(), 1);
    assert!(names_together(&lines("let a = \"click\";\nlet b = \"fill\";\n"), &names()).is_empty());
    let words = "[(\"double_click\", 1), (\"scroll_to\", 2), (\"enter_value\", 3)]";
    assert!(names_together(&lines(words), &names()).is_empty());
    assert_eq!(names_together(&lines(words), &names_and_words()).len(), 1);
    let pattern =
        "Action::Click { .. }\n    | Action::Scroll { to: ScrollTo::By { .. } }\n    | Action::Back => {}\n";
    assert_eq!(or_patterns(&lines(pattern)).len(), 1);
    assert!(or_patterns(&lines("PlannedAction::A | PlannedAction::B | PlannedAction::C")).is_empty());
    assert!(or_patterns(&lines("Action::A => 1,\nAction::B => 2,\nAction::C => 3")).is_empty());
}
