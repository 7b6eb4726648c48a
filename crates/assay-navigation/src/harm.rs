//! What exploring never presses, and what it may press because it only opens something.

use assay_protocol::{Scene, SceneNode, in_one_line};

/// What pressing a control opens, by what it says of itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Opening {
    Tab,
    /// A menu, a dialog or more of the page.
    More,
    /// A plain button that only its words speak for.
    Plain,
}

/// Words on what ends a session, sends, pays or destroys. The words of consent for guests come on top.
const WORDS: &[&str] = &[
    "logout",
    "logoff",
    "signout",
    "signoff",
    "abmelden",
    "delete",
    "remove",
    "erase",
    "destroy",
    "purge",
    "wipe",
    "trash",
    "discard",
    "drop",
    "reset",
    "clear",
    "cancel",
    "deactivate",
    "disable",
    "terminate",
    "revoke",
    "unsubscribe",
    "archive",
    "unarchive",
    "confirm",
    "pay",
    "buy",
    "purchase",
    "checkout",
    "subscribe",
    "donate",
    "transfer",
    "withdraw",
    "refund",
    "send",
    "submit",
    "save",
    "apply",
    "publish",
    "unpublish",
    "approve",
    "reject",
    "accept",
    "decline",
    "run",
    "start",
    "stop",
    "restart",
    "shutdown",
    "reboot",
    "kill",
    "deploy",
    "execute",
    "trigger",
    "install",
    "uninstall",
    "upgrade",
    "upload",
    "import",
    "export",
    "download",
    "print",
    "merge",
    "close",
    "reopen",
    "lock",
    "unlock",
    "suspend",
    "ban",
    "block",
    "unblock",
    "mute",
    "invite",
    "follow",
    "unfollow",
    "like",
    "vote",
    "upvote",
    "downvote",
    "star",
    "unstar",
    "mark",
    "toggle",
    "duplicate",
    "clone",
    "move",
    "undo",
    "redo",
    "rebuild",
    "sync",
    "refresh",
    "regenerate",
    "empty",
    "wipe",
    "leave",
    "join",
    "quit",
    "exit",
    "disconnect",
    "impersonate",
    "switch",
    "löschen",
    "entfernen",
    "kaufen",
    "supprimer",
    "eliminar",
];

/// Those of them that harm even as a link: following one is no order, but some are.
const WORDS_OF_LINKS: &[&str] = &[
    "logout",
    "logoff",
    "signout",
    "signoff",
    "abmelden",
    "delete",
    "remove",
    "erase",
    "destroy",
    "purge",
    "wipe",
    "trash",
    "discard",
    "deactivate",
    "terminate",
    "revoke",
    "unsubscribe",
    "pay",
    "buy",
    "confirm",
    "download",
    "export",
    "shutdown",
    "reboot",
    "restart",
    "kill",
    "uninstall",
    "impersonate",
    "unfollow",
    "upvote",
    "downvote",
    "vote",
    "löschen",
    "entfernen",
    "supprimer",
    "eliminar",
    "reset",
    "disconnect",
    "approve",
    "reject",
    "publish",
    "unpublish",
    "refund",
    "withdraw",
    "clear",
    "empty",
    "cancel",
    "restore",
    "rollback",
    "revert",
    "lock",
    "unlock",
    "suspend",
    "activate",
    "disable",
    "toggle",
    "try",
    "unwatch",
    "abort",
];

/// Files that browsers keep instead of showing them.
const FILES: &[&str] = &[
    "pdf", "zip", "gz", "tar", "tgz", "csv", "xls", "xlsx", "doc", "docx", "ppt", "pptx", "odt", "ods",
    "png", "jpg", "jpeg", "gif", "svg", "webp", "ico", "mp3", "mp4", "avi", "mov", "exe", "dmg", "iso",
    "deb", "rpm", "apk", "json", "xml", "rss", "atom", "ics", "txt", "md", "log", "sql", "db", "bak", "woff",
    "woff2", "css", "js",
];

/// Verbs of plain buttons that show something.
const SHOWING: &[&str] = &[
    "open",
    "show",
    "view",
    "more",
    "menu",
    "options",
    "settings",
    "preferences",
    "help",
    "about",
    "details",
    "filters",
    "filter",
    "info",
    "information",
    "history",
    "notifications",
    "profile",
    "account",
    "advanced",
    "expand",
    "browse",
    "create",
    "new",
    "add",
    "edit",
    "manage",
    "configure",
    "customize",
    "navigation",
    "shortcuts",
    "rename",
];

/// Why something is left out, by its words and its address; nothing if nothing speaks against it.
pub fn objection(label: &str, address: Option<&str>) -> Option<String> {
    let words = if address.is_some() { WORDS_OF_LINKS } else { WORDS };
    if let Some(word) = first_of(label, words) {
        return Some(format!("its label says `{word}`"));
    }
    let address = address?;
    let target = crate::address::path_of(address);
    let (path, _) = target.split_once(['?', '#']).unwrap_or((target, ""));
    if let Some((_, ending)) = path.rsplit('/').next().unwrap_or_default().rsplit_once('.')
        && FILES.contains(&ending.to_lowercase().as_str())
    {
        return Some(format!("it leads to a file (`.{}`)", ending.to_lowercase()));
    }
    let formats = target.split(['?', '&', '#']).filter_map(|pair| pair.split_once('='));
    for (key, value) in formats {
        let is_format =
            matches!(key.to_lowercase().as_str(), "format" | "output" | "type" | "export" | "download");
        if is_format && (FILES.contains(&value.to_lowercase().as_str()) || value.eq_ignore_ascii_case("tab"))
        {
            return Some(format!("it leads to a file (`{value}`)"));
        }
    }
    if let Some(word) = first_of(target, WORDS_OF_LINKS) {
        return Some(format!("its address says `{word}`"));
    }
    switches_language(path).then(|| "it switches the language".to_string())
}

/// `/lang/de`, `/set-locale/pt_BR`: afterwards, every label is another one.
fn switches_language(path: &str) -> bool {
    const WORDS: &[&str] = &["lang", "language", "locale", "setlang", "setlanguage", "setlocale", "i18n"];
    let is_code = |text: &str| {
        let parts: Vec<&str> = text.split(['-', '_']).collect();
        parts.len() <= 3
            && parts[0].len() >= 2
            && parts[0].len() <= 3
            && parts
                .iter()
                .all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric()))
    };
    let segments: Vec<&str> = path.split('/').filter(|segment| !segment.is_empty()).collect();
    segments.windows(2).any(|pair| first_of(pair[0], WORDS).is_some() && is_code(pair[1]))
}

/// The first word of the list in a text; `log out` and `sign-out` are one word each.
fn first_of(text: &str, words: &[&'static str]) -> Option<&'static str> {
    let mut parts: Vec<String> = Vec::new();
    for part in text.split(|letter: char| !letter.is_alphanumeric()).filter(|part| !part.is_empty()) {
        parts.extend(humps(part));
    }
    let pairs: Vec<String> = parts.windows(2).map(|pair| pair.concat()).collect();
    words
        .iter()
        .find(|word| parts.iter().any(|part| part == *word) || pairs.iter().any(|pair| pair == *word))
        .copied()
}

/// `deleteUser` and `DELETE` as words in lower case.
fn humps(part: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_lower = false;
    for letter in part.chars() {
        if letter.is_uppercase() && was_lower {
            words.push(String::new());
        }
        was_lower = letter.is_lowercase();
        if let Some(last) = words.last_mut() {
            last.extend(letter.to_lowercase());
        }
    }
    words
}

/// What of a page says something of one of its controls.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Surroundings<'a> {
    /// What the control is called: by its name, or by its icon.
    pub label: &'a str,
    pub is_in_menu: bool,
    /// The page has fields that a button may send.
    pub has_fields: bool,
}

/// What a control opens; nothing for one that may act.
pub(crate) fn opening_of(node: &SceneNode, surroundings: &Surroundings<'_>) -> Option<Opening> {
    if node.is("disabled") || node.attribute("submits").is_some() {
        return None;
    }
    let is_sent = matches!(node.attribute("type"), Some("submit" | "image" | "reset"));
    match node.role.as_str() {
        "tab" => (!node.is("selected")).then_some(Opening::Tab),
        _ if is_sent => None,
        "menuitem" | "treeitem" if node.attribute("href").is_none() => {
            let opens = node.attribute("haspopup").is_some() || node.is("collapsed");
            if opens { Some(Opening::More) } else { shows(surroundings).then_some(Opening::Plain) }
        }
        "button" | "summary" | "link" | "clickable" | "disclosure" | "generic" => {
            let opens =
                node.attribute("haspopup").is_some_and(|kind| kind != "false") || node.is("collapsed");
            let is_summary = node.attribute("tag") == Some("summary");
            if opens || is_summary {
                return Some(Opening::More);
            }
            // In a form, what is pressed may send it.
            let is_button = node.role == "button" && node.attribute("sends").is_none();
            let is_dead_link = node.role == "link" && node.attribute("href").is_none_or(|href| href == "#");
            let is_plain = is_button || (is_dead_link && surroundings.is_in_menu);
            (is_plain && shows(surroundings)).then_some(Opening::Plain)
        }
        _ => None,
    }
}

fn shows(surroundings: &Surroundings<'_>) -> bool {
    let label = in_one_line(surroundings.label);
    // `Create` alone ends a form that is no form, where there is one; `Create a note` opens one.
    let is_end = surroundings.has_fields && matches!(label.to_lowercase().as_str(), "create" | "add");
    !label.is_empty()
        && objection(&label, None).is_none()
        && (surroundings.is_in_menu || (first_of(&label, SHOWING).is_some() && !is_end))
}

/// Whether a link of the page changes only what stands behind `#`, and no element of the page is called so: scripts open
/// something then.
pub(crate) fn is_opening_fragment(node: &SceneNode, scene: &Scene) -> bool {
    let fragment = node.attribute("href").and_then(|href| href.strip_prefix('#')).unwrap_or_default();
    let is_route = fragment.starts_with(['/', '!']);
    let is_top = fragment.eq_ignore_ascii_case("top");
    node.role == "link"
        && !fragment.is_empty()
        && !is_route
        && !is_top
        && first_of(fragment, WORDS_OF_LINKS).is_none_or(|word| matches!(word, "export" | "download"))
        && scene.nodes.iter().all(|other| other.attribute("id") != Some(fragment))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::testing::scene;

    #[track_caller]
    fn check(label: &str, address: Option<&str>, expected: Option<&str>) {
        assert_eq!(objection(label, address).as_deref(), expected, "{label}");
    }

    #[test]
    fn what_ends_deletes_or_pays_is_left_out() {
        check("Log out", Some("/bye"), Some("its label says `logout`"));
        check("Sign-out", Some("/bye"), Some("its label says `signout`"));
        check("Bye", Some("/users/sign_out"), Some("its address says `signout`"));
        check("x", Some("/orders/3/delete"), Some("its address says `delete`"));
        check("x", Some("/orders?action=removeItem"), Some("its address says `remove`"));
        check("Report", Some("/report.pdf"), Some("it leads to a file (`.pdf`)"));
        check("RSS", Some("/report/1?format=rss"), Some("it leads to a file (`rss`)"));
        check("Orders", Some("/orders"), None);
        check("Payments", Some("/payments"), None);
        check("Empty the store", Some("/x"), Some("its label says `empty`"));
        check("x", Some("/items/clear"), Some("its address says `clear`"));
        check("Deutsch", Some("/lang/de"), Some("it switches the language"));
        check("Português", Some("/set-locale/pt_BR"), Some("it switches the language"));
        check("Languages", Some("/languages/rust"), None);
        check("Save", None, Some("its label says `save`"));
        check("Settings", None, None);
    }

    #[test]
    fn only_what_says_that_it_opens_something_is_pressed() {
        let of = |line: &str, is_in_menu: bool| {
            let scene = scene("/", "", line);
            let has_fields = scene.nodes.len() > 1;
            let label = scene.nodes[0].name.clone();
            opening_of(&scene.nodes[0], &Surroundings { label: &label, is_in_menu, has_fields })
        };
        assert_eq!(of("tab Billing", false), Some(Opening::Tab));
        assert_eq!(of("tab* Billing", false), None);
        assert_eq!(of("opener Actions", false), Some(Opening::More));
        assert_eq!(of("plain New order", false), Some(Opening::Plain));
        assert_eq!(of("plain Frobnicate", false), None);
        assert_eq!(of("plain Reports", true), Some(Opening::Plain));
        assert_eq!(of("plain Delete all", true), None);
        assert_eq!(of("plain Create", false), Some(Opening::Plain));
        assert_eq!(of("plain Create\ntextbox Name", false), None);
    }

    #[test]
    fn a_link_to_no_place_of_the_page_opens_something() {
        let of = |lines: &str| {
            let scene = scene("/", "", lines);
            is_opening_fragment(&scene.nodes[0], &scene)
        };
        assert!(of("link #add-entry +"));
        assert!(!of("link #/week Week"));
        assert!(!of("link #delete-all x"));
        assert!(!of("link /orders Orders"));
    }
}
