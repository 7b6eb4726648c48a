//! The words of testers, by what they mean. A word that is not here means itself.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::tokens::stem;

/// Concepts and the phrases that mean them. The forms are those that a person would type; endings do not matter.
const CONCEPTS: &[(&str, &[&str])] = &[
    (
        "run",
        &[
            "run", "execute", "exec", "start", "launch", "kick off", "fire", "fire off", "trigger", "perform", "rerun",
            "re-run", "repeat", "play", "invoke", "use", "spin", "carry out", "try", "retry", "replay",
        ],
    ),
    (
        "list",
        &[
            "list", "show", "display", "enumerate", "which", "what", "overview", "know", "see", "how many", "is there",
            "are there", "is any", "print", "find", "tell", "do we have", "do you have", "have we",
        ],
    ),
    ("create", &["create", "add", "make", "write", "generate", "new", "draft", "author", "build", "compose", "design"]),
    (
        "explore",
        &["explore", "crawl", "discover", "scan", "go through", "walk", "walk through", "spider", "map", "map out", "click through", "look around"],
    ),
    ("link", &["link", "connect", "attach", "associate", "assign", "trace", "tie", "map to"]),
    ("check", &["check", "look at", "inspect", "verify", "ping"]),
    (
        "status",
        &[
            "status", "state", "health", "healthy", "ready", "work", "alive", "up", "free", "available", "busy", "online",
            "reachable", "respond", "ok", "okay", "in use", "doing", "usable", "installed", "idle", "occupied",
        ],
    ),
    ("script", &["script", "parameter"]),
    ("testcase", &["test", "testcase", "test case", "tc", "scenario"]),
    ("host", &["host", "machine", "computer"]),
    ("device", &["device", "browser"]),
    ("application", &["userinterface", "user interface", "application", "app", "ui", "interface"]),
    ("web", &["web", "website", "web site", "site", "webpage", "web page", "homepage", "web app", "webapp"]),
    ("mobile", &["mobile", "android", "ios", "iphone", "phone", "smartphone", "tablet", "apk", "ipad", "handset"]),
    ("stb", &["stb", "tv", "television", "settop", "set top box", "set-top box", "settop box", "set-top", "decoder"]),
    ("tree", &["navigation tree", "screen tree", "tree", "navigation", "sitemap", "site map"]),
    ("screen", &["screen", "menu", "page"]),
    ("requirement", &["requirement", "req"]),
    ("coverage", &["coverage", "cover", "uncovered"]),
    ("result", &["result", "outcome", "verdict"]),
    ("report", &["report", "summary"]),
    ("validate", &["validate", "confirm", "double check"]),
    ("flaky", &["flaky", "flakiness", "unstable", "intermittent", "flake", "false positive", "false alarm"]),
    ("triage", &["triage", "classify"]),
    ("incident", &["incident", "crash", "blackscreen", "black screen", "hang", "alert.blackscreen"]),
    ("alert", &["alert", "alarm"]),
    (
        "foreign",
        &[
            "delete", "remove", "wipe", "drop", "merge", "deploy", "book", "reserve", "translate", "stop", "cancel",
            "rename", "install", "uninstall", "update", "upgrade", "edit", "change", "fix", "repair", "send", "mail",
            "email", "commit", "push", "reboot", "restart", "kill", "shutdown", "shut down", "buy", "order", "pay",
            "schedule", "publish", "release", "erase", "purge", "destroy", "reset", "refactor", "explain", "debug",
            "disable", "enable", "duplicate", "copy", "move", "unlink", "archive", "format", "download", "upload",
            "record", "open", "close", "click", "call", "remind", "calculate", "compare", "summarize", "summarise",
        ],
    ),
];

/// Concepts that are acts.
const VERBS: &[&str] =
    &["run", "list", "create", "explore", "link", "check", "report", "validate", "triage", "foreign"];

/// Words that carry nothing but manners and grammar.
const FILLERS: &[&str] = &[
    "please", "kindly", "just", "also", "only", "now", "then", "and", "to", "you", "can", "could", "would", "will",
    "mind", "me", "i", "we", "want", "need", "like", "love", "let", "lets", "us", "ahead", "help", "must", "should",
    "hi", "hello", "hey", "atlas", "guardian", "sherlock", "ok", "okay", "so", "well", "but", "that", "for", "the",
    "a", "an", "of", "our", "my", "your", "this", "these", "those", "some", "with", "is", "are", "am", "be", "it",
    "its", "do", "does", "there", "here", "in", "on", "at", "by", "from", "as", "or", "if", "im", "maybe", "perhaps",
    "actually", "possible", "able", "any", "all", "every", "each", "ever", "yet", "still", "them", "their", "they",
    "using", "via", "through", "thanks", "thank", "thx", "cheers", "got", "has", "how", "no", "not", "too", "into",
    "against", "under", "both", "was", "were", "been", "than", "about", "out", "off", "gonna", "going",
    "time", "one", "have", "whole", "existing", "project", "team", "right", "yes", "next", "give", "good",
    "morning", "afternoon", "evening", "folks", "everyone", "mate", "dear", "sir", "buddy", "bot", "assistant", "assay",
];

/// Words that say when, how fast or how often, which no name has to contain.
const NOISE: &[&str] = &[
    "again", "once", "more", "real", "really", "quick", "quickly", "fast", "asap", "today", "tomorrow", "tonight",
    "moment", "minute", "second", "later", "soon", "first", "last", "latest", "current", "currently", "another", "other",
    "same", "properly", "correctly", "real", "simply", "directly", "immediately", "away", "quite", "very", "much",
    "currently", "sure", "certain", "bit", "little", "lot", "thing", "stuff", "kind", "sort", "way", "different",
    "names", "everything", "anything", "nothing", "something", "hurry", "headless", "mode", "shot", "whirl", "go",
    "called", "named", "id", "label", "tag", "tagged", "locally", "mine", "ours", "own", "single", "entire", "complete",
    "full", "known", "registered", "defined", "exist", "declared", "long", "possible", "usual", "normal", "regular",
    "detail", "details", "info", "information", "progress", "thank", "question", "request", "task", "job", "suite",
];

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

pub(super) fn is_filler(word: &str) -> bool {
    FILLERS.contains(&word)
}

pub(super) fn is_noise(word: &str) -> bool {
    NOISE.contains(&word) || is_filler(word)
}

/// Every word that is known here, for mending slips.
pub(super) fn words() -> impl Iterator<Item = &'static str> {
    let of_concepts = CONCEPTS.iter().flat_map(|(_, phrases)| phrases.iter().flat_map(|phrase| phrase.split(' ')));
    of_concepts.chain(FILLERS.iter().copied()).chain(NOISE.iter().copied())
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

/// Other names of browsers.
pub(super) fn browser_called(word: &str) -> Option<&'static str> {
    match word {
        "chrome" | "google-chrome" | "chromium-browser" => Some("chromium"),
        "ff" | "mozilla" | "gecko" => Some("firefox"),
        "safari" | "minibrowser" => Some("webkit"),
        _ => None,
    }
}
