//! The page script as WebKit takes it: one text that runs in every document before its own scripts.
//!
//! The inspector can run scripts in no world but the page's own. So both halves of the page script live there,
//! under a name that is hard to guess and is not listed, with the browser's functions as they were before the
//! page could change any. What a page does to its own `setTimeout` or `JSON` does not reach us.

use assay_dom::{PageScripts, Sleep, page_scripts, random_key};
use assay_protocol::PageClock;
use serde_json::Value;

pub(crate) struct Bootstrap {
    /// The script for every new document.
    source: String,
    /// The word by which messages from our script are told from the page's own.
    key: String,
    place: String,
    /// Where a window that waits keeps the way on.
    way: String,
    scripts: PageScripts,
}

/// What a window does that a page opens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NewWindows {
    Load,
    /// It stays empty until we have set it up.
    Wait,
}

/// What our script tells by itself.
#[derive(Debug, PartialEq)]
pub(crate) enum PageNotice {
    DialogOpened {
        kind: String,
        message: String,
        default: Option<String>,
    },
    DialogClosed,
    /// A script of the page asked for something to be saved.
    Saving,
}

impl Bootstrap {
    pub fn new() -> Bootstrap {
        let key = random_key();
        let place = format!("{key}w");
        let way = format!("{key}o");
        let scripts = page_scripts(&key);
        let source = include_str!("bootstrap.js")
            .replace("__ASSAY_KEY__", &key)
            .replace("__ASSAY_PLACE__", &place)
            .replace("__ASSAY_WAY__", &way)
            // Last, because the scripts may hold anything.
            .replace("__ASSAY_MAIN__", &scripts.main)
            .replace("__ASSAY_PAGE__", &scripts.isolated(Sleep::Awake));
        Bootstrap { source, key, place, way, scripts }
    }

    /// The script for every new document, with what is wanted of it.
    pub fn source_with(&self, clock: Option<PageClock>, windows: NewWindows) -> String {
        let mut source = self.source.clone();
        if windows == NewWindows::Wait {
            source = format!("{source};\n{};", self.windows(windows));
        }
        if clock.is_some() {
            // Behind ours, which keeps the browser's own functions.
            source = format!("{source};\n{};", self.clock(clock));
        }
        source
    }

    /// Says what windows do that a document opens.
    pub fn windows(&self, windows: NewWindows) -> String {
        let wait = windows == NewWindows::Wait;
        format!("globalThis.{0} && (globalThis.{0}.windowsWait = {wait}), 0", self.place)
    }

    /// Lets a window go where it was opened for, if it waits.
    pub fn lead_on(&self) -> String {
        format!(
            "(() => {{ const go = globalThis.{0}; \
             Object.defineProperty(globalThis, '{0}', {{ value: true, configurable: true }}); \
             const rest = typeof go === 'function' ? go() : ''; if (rest) location.replace(rest); }})()",
            self.way
        )
    }

    /// Moves the clock of a document.
    pub fn clock(&self, clock: Option<PageClock>) -> String {
        self.scripts.clock(clock)
    }

    /// A name that no page uses.
    pub fn place(&self) -> &str {
        &self.place
    }

    /// The page script's functions, as an expression; undefined where it is not installed.
    pub fn functions(&self) -> String {
        format!(
            "globalThis.{0} && globalThis.{0}.document === document ? globalThis.{0}.world.__assay : undefined",
            self.place
        )
    }

    /// What our script says in a line of the console; none when the line is the page's own.
    pub fn read(&self, line: &str) -> Option<PageNotice> {
        let told: Value = serde_json::from_str(line.strip_prefix(&self.key)?).ok()?;
        let text = |name: &str| told.get(name).and_then(Value::as_str).map(str::to_string);
        match told.get("told")?.as_str()? {
            "dialog" => Some(PageNotice::DialogOpened {
                kind: text("kind")?,
                message: text("message").unwrap_or_default(),
                default: text("default"),
            }),
            "closed" => Some(PageNotice::DialogClosed),
            "saving" => Some(PageNotice::Saving),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_lines_with_the_key_are_ours() {
        let bootstrap = Bootstrap::new();
        assert_eq!(bootstrap.read("{\"told\":\"closed\"}"), None);
        let line = format!(
            "{}{{\"told\":\"dialog\",\"kind\":\"prompt\",\"message\":\"Name?\",\"default\":\"A\"}}",
            bootstrap.key
        );
        let told = PageNotice::DialogOpened {
            kind: "prompt".to_string(),
            message: "Name?".to_string(),
            default: Some("A".to_string()),
        };
        assert_eq!(bootstrap.read(&line), Some(told));
        assert_eq!(bootstrap.read(&format!("{}nonsense", bootstrap.key)), None);
    }

    #[test]
    fn nothing_is_left_to_be_filled_in() {
        let bootstrap = Bootstrap::new();
        assert!(!bootstrap.source.contains("__ASSAY_"));
    }
}
