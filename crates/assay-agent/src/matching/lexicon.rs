//! The words of testers, by what they mean. A word that is not here means itself.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::fillers::{is_noise, small_words};
use super::tokens::stem;

/// Concepts and the phrases that mean them. The forms are those that a person would type; endings do not matter.
const CONCEPTS: &[(&str, &[&str])] = &[
    (
        "run",
        &[
            "run",
            "execute",
            "exec",
            "start",
            "launch",
            "kick off",
            "fire",
            "fire off",
            "trigger",
            "perform",
            "rerun",
            "re-run",
            "retest",
            "re-test",
            "repeat",
            "play",
            "invoke",
            "use",
            "spin",
            "a spin",
            "a try",
            "a go",
            "carry out",
            "try",
            "retry",
            "replay",
        ],
    ),
    (
        "list",
        &[
            "list",
            "show",
            "display",
            "enumerate",
            "which",
            "what",
            "overview",
            "know",
            "see",
            "how many",
            "is there",
            "are there",
            "is any",
            "print",
            "name of",
            "find",
            "tell",
            "do we have",
            "do you have",
            "have we",
        ],
    ),
    (
        "create",
        &[
            "create", "add", "make", "write", "generate", "new", "draft", "author", "build", "rebuild",
            "recreate", "compose", "design",
        ],
    ),
    (
        "explore",
        &[
            "explore",
            "crawl",
            "discover",
            "scan",
            "go through",
            "walk",
            "walk through",
            "spider",
            "map",
            "map out",
            "click through",
            "look around",
            "click around",
            "browse around",
            "click everywhere",
        ],
    ),
    ("link", &["link", "connect", "attach", "associate", "assign", "trace", "tie", "map to"]),
    (
        "check",
        &[
            "check",
            "look at",
            "look into",
            "look after",
            "take a look",
            "have a look",
            "inspect",
            "verify",
            "ping",
            "investigate",
            "examine",
            "see whether",
            "see if",
            "see that",
            "know whether",
            "know if",
            "learn whether",
            "learn if",
            "find out",
            "handle",
            "deal with",
            "take care",
            "attend to",
        ],
    ),
    ("healthcheck", &["health check", "healthcheck", "health-check", "check-up", "checkup"]),
    (
        "status",
        &[
            "status",
            "state",
            "health",
            "healthy",
            "ready",
            "work",
            "alive",
            "up",
            "up and running",
            "free",
            "available",
            "busy",
            "online",
            "reachable",
            "respond",
            "ok",
            "okay",
            "in use",
            "doing",
            "usable",
            "installed",
            "idle",
            "occupied",
            "who",
            "anybody",
            "anyone",
            "someone",
            "control",
            "taken",
        ],
    ),
    ("script", &["script", "parameter"]),
    ("testcase", &["test", "testcase", "test case", "tc", "scenario"]),
    ("host", &["host", "machine", "computer"]),
    ("device", &["device", "browser"]),
    ("application", &["userinterface", "user interface", "application", "app", "ui", "interface"]),
    ("web", &["web", "website", "web site", "site", "webpage", "web page", "homepage", "web app", "webapp"]),
    (
        "mobile",
        &["mobile", "android", "ios", "iphone", "phone", "smartphone", "tablet", "apk", "ipad", "handset"],
    ),
    (
        "stb",
        &[
            "stb",
            "tv",
            "television",
            "settop",
            "set top box",
            "set-top box",
            "settop box",
            "set-top",
            "decoder",
        ],
    ),
    ("tree", &["navigation tree", "screen tree", "tree", "navigation", "sitemap", "site map"]),
    ("screen", &["screen", "menu", "page"]),
    ("requirement", &["requirement", "req"]),
    ("coverage", &["coverage", "cover"]),
    ("proof", &["prove", "proven", "proof"]),
    (
        "uncovered",
        &["uncovered", "untested", "not test", "not cover", "no test", "without test", "no coverage"],
    ),
    ("result", &["result", "outcome", "verdict"]),
    ("failure", &["failure", "failing", "fail"]),
    (
        "genuine",
        &[
            "real bug",
            "real defect",
            "genuine bug",
            "product bug",
            "true bug",
            "bug in the",
            "bug or",
            "real failure",
            "defect or",
        ],
    ),
    ("report", &["report", "summary", "summarize", "summarise", "sum up", "write up", "write-up", "recap"]),
    (
        "validate",
        &[
            "validate",
            "confirm",
            "double check",
            "judge",
            "assess",
            "evaluate",
            "review",
            "trustworthy",
            "believable",
            "believe",
            "trust",
            "credible",
            "plausible",
            "reliable",
        ],
    ),
    (
        "flaky",
        &[
            "flaky",
            "flakiness",
            "unstable",
            "intermittent",
            "flake",
            "false positive",
            "false alarm",
            "false negative",
            "on and off",
            "now and then",
            "at random",
            "randomly",
            "sometimes fail",
            "sometimes pass",
            "pass sometimes",
            "fail sometimes",
            "comes and goes",
            "flapping",
            "flip",
            "unreliable",
        ],
    ),
    (
        "triage",
        &[
            "triage",
            "classify",
            "prioritise",
            "prioritize",
            "sort out",
            "how bad",
            "how serious",
            "how severe",
        ],
    ),
    (
        "incident",
        &[
            "incident",
            "crash",
            "blackscreen",
            "black screen",
            "hang",
            "hung",
            "freeze",
            "frozen",
            "froze",
            "stuck",
            "unresponsive",
            "die",
            "died",
            "dead",
            "went black",
            "is black",
            "goe black",
            "no signal",
            "alert.blackscreen",
            "outage",
        ],
    ),
    ("alert", &["alert", "alarm", "webhook", "pipeline", "ci build", "page duty"]),
    (
        "foreign",
        &[
            "delete",
            "remove",
            "wipe",
            "drop",
            "merge",
            "deploy",
            "book",
            "reserve",
            "translate",
            "stop",
            "cancel",
            "rename",
            "install",
            "uninstall",
            "update",
            "refresh",
            "renew",
            "redo",
            "upgrade",
            "edit",
            "change",
            "fix",
            "repair",
            "send",
            "mail",
            "email",
            "commit",
            "push",
            "reboot",
            "restart",
            "kill",
            "shutdown",
            "shut down",
            "buy",
            "order",
            "pay",
            "schedule",
            "publish",
            "release",
            "erase",
            "purge",
            "destroy",
            "reset",
            "refactor",
            "explain",
            "debug",
            "disable",
            "enable",
            "duplicate",
            "copy",
            "move",
            "unlink",
            "archive",
            "format",
            "download",
            "upload",
            "record",
            "open",
            "close",
            "click",
            "call",
            "remind",
            "calculate",
            "compare",
        ],
    ),
];

/// Concepts that are acts.
const VERBS: &[&str] =
    &["run", "list", "create", "explore", "link", "check", "validate", "triage", "foreign"];

/// The concept of a phrase of stems, and how many words it has.
pub(super) fn concept_at(stems: &[&str]) -> Option<(&'static str, usize)> {
    static PHRASES: LazyLock<HashMap<String, &'static str>> = LazyLock::new(|| {
        let mut phrases = HashMap::new();
        for (concept, words) in CONCEPTS {
            for word in *words {
                phrases.entry(stems_of(word)).or_insert(*concept);
            }
        }
        phrases
    });
    (1..=stems.len().min(3)).rev().find_map(|length| {
        let phrase = stems[..length].join(" ");
        PHRASES.get(&phrase).map(|concept| (*concept, length))
    })
}

fn stems_of(phrase: &str) -> String {
    phrase.split(' ').map(stem).collect::<Vec<_>>().join(" ")
}

pub(super) fn is_verb(concept: &str) -> bool {
    VERBS.contains(&concept)
}

/// The words that a slip may have meant. Nobody's slip is taken for an act that no skill does.
pub(super) fn words_to_mend() -> impl Iterator<Item = &'static str> {
    let usual = CONCEPTS.iter().filter(|(concept, _)| *concept != "foreign");
    let of_concepts = usual.flat_map(|(_, phrases)| phrases.iter().flat_map(|phrase| phrase.split(' ')));
    of_concepts.chain(small_words())
}

/// Whether a word is known here, in any of its forms.
pub(super) fn is_word(word: &str) -> bool {
    concept_at(&[stem(word).as_str()]).is_some() || is_noise(word)
}

/// How much a concept says of what is wanted.
pub(super) fn weight(concept: &str) -> f64 {
    match concept {
        "list" => 0.5,
        "check" => 0.7,
        "host" | "device" | "application" | "screen" | "testcase" => 1.0,
        "script" | "web" | "status" | "alert" | "result" => 1.2,
        "run" | "create" | "tree" => 1.5,
        _ => 2.0,
    }
}
