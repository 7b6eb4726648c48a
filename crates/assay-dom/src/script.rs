//! The scripts of a page, ready to be installed by a driver.

use std::sync::LazyLock;

use assay_protocol::PageClock;

use crate::eager::eager;

/// What a driver installs in every document before the page's own scripts: `main` in the
/// page's world first, then one of the forms of `isolated` in a world of our own.
#[derive(Debug, Clone)]
pub struct PageScripts {
    pub main: String,
    key: String,
}

/// How the greater part of the page script waits until it is asked for something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sleep {
    /// Not at all: where it shares a world with the page, it must have begun before the page could change anything,
    /// and where something is being asked already, there is nothing to wait for.
    Awake,
    /// As a function that was not called yet. An engine that puts off what is inside of functions has read it quickly.
    Function,
    /// Elsewhere: the driver brings it, by [`PageScripts::wake`]. For an engine that reads all functions at once, and
    /// a text as long as this one slowly.
    Brought,
}

/// What is said where there is no page script, by the engine, or by a script whose document has left the window.
pub const NOT_THERE: &str = "__assay is not defined";

/// What the page script says when another document has come while it was busy with a question.
pub const LEFT: &str = "__assay has left its document";

/// What the page script says when it is asked for something that it needs its greater part for.
pub const ASLEEP: &str = "__assay is asleep";

/// How an answer begins that was given in sleep. Whoever has to bring the rest may do so now.
pub const ASLEEP_ANSWER: &str = "{\"asleep\":true,";

/// `key` is the word by which the two worlds find each other. It must be hard to guess, so
/// that no page can listen for it.
pub fn page_scripts(key: &str) -> PageScripts {
    PageScripts { main: lean(include_str!("pulse.js")).replace("__ASSAY_KEY__", key), key: key.to_string() }
}

/// The parts of the page script share one closure, so they are one text. Their names give their order: `cargo xtask
/// check` and `bench/page-script` join them by it.
pub(crate) const PAGE_SOURCE: &str = concat!(
    include_str!("page/01-events.js"),
    include_str!("page/02-text.js"),
    include_str!("page/03-roles-and-names.js"),
    include_str!("page/04-refs.js"),
    include_str!("page/05-walk.js"),
    include_str!("page/06-changes.js"),
    include_str!("page/07-selectors.js"),
    include_str!("page/08-questions.js"),
    include_str!("page/09-guard.js"),
    include_str!("page/10-actionability.js"),
    include_str!("page/11-settling.js"),
    include_str!("page/12-visibility.js"),
    include_str!("page/13-scene.js"),
    include_str!("page/14-pictures.js"),
    include_str!("page/15-faults.js"),
    include_str!("page/16-waiting.js"),
    include_str!("page/17-date-parts.js"),
    include_str!("page/18-ink.js"),
    include_str!("page/19-answers.js"),
);

/// Every document of every page reads them: without what is meant for us.
static PAGE: LazyLock<String> = LazyLock::new(|| ready(PAGE_SOURCE));
static EARLY: LazyLock<String> = LazyLock::new(|| ready(include_str!("early.js")));
static CLOCK: LazyLock<String> = LazyLock::new(|| lean(include_str!("clock.js")).trim().to_string());

fn ready(script: &str) -> String {
    let names: Vec<&str> = include_str!("eager.txt").split_whitespace().collect();
    lean(&eager(script, &names))
}

/// Without comments and indents. Each line keeps its number.
fn lean(script: &str) -> String {
    let mut lean = String::with_capacity(script.len());
    for line in script.lines().map(str::trim) {
        let is_comment = line.starts_with("//") || (line.starts_with("/*") && line.ends_with("*/"));
        lean.push_str(if is_comment { "" } else { line });
        lean.push('\n');
    }
    lean
}

impl PageScripts {
    pub fn isolated(&self, sleep: Sleep) -> String {
        let page = match sleep {
            // In parentheses: such a function is taken for one that will be called, and read once instead of twice.
            Sleep::Awake | Sleep::Function => format!("(\n{})", *PAGE),
            Sleep::Brought => "null".to_string(),
        };
        let sleeps = if sleep == Sleep::Awake { "false" } else { "true" };
        EARLY
            .replace("__ASSAY_KEY__", &self.key)
            .replace("__ASSAY_SLEEPS__", sleeps)
            // Last, because the page script may hold anything.
            .replace("__ASSAY_PAGE__", &page)
    }

    /// What gives the page's own world a clock of its own, or moves the one it has; none takes it back to the real time.
    /// In new documents it runs behind `main`, which must see the browser's own functions.
    pub fn clock(&self, clock: Option<PageClock>) -> String {
        let numbers = match clock {
            Some(clock) => format!("{}, {}", clock.ahead_ms, clock.advanced_ms),
            None => "null, 0".to_string(),
        };
        format!("{}('{}c', {numbers})", *CLOCK, self.key)
    }

    /// Wakes the page script of a document where it sleeps elsewhere. Harmless where it is awake.
    pub fn wake(&self) -> String {
        format!("__assay.wake(\n{})", *PAGE)
    }
}

/// Hard to guess for a page; the kernel's randomness by way of the hasher's seed.
pub fn random_key() -> String {
    use std::hash::{BuildHasher, Hasher};
    let one = std::hash::RandomState::new().build_hasher().finish();
    let two = std::hash::RandomState::new().build_hasher().finish();
    format!("k{one:016x}{two:016x}")
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use super::*;

    #[test]
    fn every_form_is_filled_in() {
        for sleep in [Sleep::Awake, Sleep::Function, Sleep::Brought] {
            let script = page_scripts("k1").isolated(sleep);
            assert!(!script.contains("__ASSAY_"), "{sleep:?}");
            assert!(script.contains("new MouseEvent('k1'"), "{sleep:?}");
        }
    }

    #[test]
    fn the_page_script_holds_every_part_in_the_order_of_their_names() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/page");
        let parts = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let mut parts: Vec<PathBuf> =
            parts.filter(|path| path.extension().is_some_and(|end| end == "js")).collect();
        parts.sort();
        let joined: String = parts.iter().map(|path| std::fs::read_to_string(path).unwrap()).collect();
        assert_eq!(joined, PAGE_SOURCE);
    }

    /// `lean` knows lines, not the grammar: nothing but a comment of one line may look like one.
    #[test]
    fn no_text_and_no_comment_goes_over_lines() {
        let scripts =
            [include_str!("pulse.js"), include_str!("early.js"), PAGE_SOURCE, include_str!("clock.js")];
        for script in scripts {
            for (at, line) in script.lines().enumerate() {
                assert!(line.matches('`').count() % 2 == 0, "line {}: {line}", at + 1);
                let opens = line.trim().starts_with("/*") && !line.trim().ends_with("*/");
                assert!(!opens, "line {}: {line}", at + 1);
            }
            assert_eq!(ready(script).lines().count(), script.lines().count());
        }
    }

    /// One other character doubles the size of the whole text in an engine, and the time to read it.
    #[test]
    fn scripts_are_plain_ascii() {
        let scripts = page_scripts("k1");
        assert!(scripts.main.is_ascii());
        assert!(scripts.isolated(Sleep::Function).is_ascii());
        assert!(scripts.clock(Some(PageClock::default())).is_ascii());
    }
}
