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

/// Verbs that act on a thing where they are a link's first word and its address names a thing, or where the address says
/// them of a thing: `/tasks/1/done`. Alone they may be the name of a page: `/archive`.
const VERBS_OF_THINGS: &[&str] = &[
    "archive",
    "unarchive",
    "unlink",
    "unpin",
    "pin",
    "subscribe",
    "follow",
    "duplicate",
    "clone",
    "copy",
    "start",
    "stop",
    "pause",
    "resume",
    "mark",
    "unmark",
    "done",
    "undone",
    "finish",
    "complete",
    "reopen",
    "resolve",
    "unresolve",
    "star",
    "unstar",
    "like",
    "unlike",
    "favorite",
    "favourite",
    "unfavorite",
    "hide",
    "unhide",
    "mute",
    "unmute",
    "block",
    "unblock",
    "ban",
    "unban",
    "join",
    "leave",
    "accept",
    "decline",
    "deny",
    "ignore",
    "dismiss",
    "enable",
    "enrol",
    "enroll",
    "run",
    "rerun",
    "execute",
    "trigger",
    "send",
    "resend",
    "submit",
    "save",
    "apply",
    "move",
    "merge",
    "sync",
    "regenerate",
    "rebuild",
    "undo",
    "redo",
    "retry",
    "claim",
    "assign",
    "unassign",
    "release",
    "deploy",
    "promote",
    "demote",
    "transfer",
    "donate",
    "install",
    "upgrade",
    "watch",
    "bookmark",
    "snooze",
    "acknowledge",
    "ack",
    "verify",
    "unsend",
    "close",
    "del",
    "rm",
    "inc",
    "dec",
    "increment",
    "decrement",
    "archivieren",
    "abonnieren",
    "folgen",
    "kopieren",
    "duplizieren",
    "starten",
    "stoppen",
    "erledigt",
    "markieren",
    "archiver",
    "suivre",
    "dupliquer",
    "démarrer",
    "terminer",
    "archivar",
    "seguir",
    "duplicar",
    "iniciar",
    "marcar",
];

/// Pictures of acts, where they are all that a link says.
const GLYPHS: &[char] = &[
    '\u{1f5d1}',
    '\u{1f6ae}',
    '\u{274c}',
    '\u{274e}',
    '\u{2715}',
    '\u{2716}',
    '\u{2717}',
    '\u{2718}',
    '\u{d7}',
    '\u{2713}',
    '\u{2714}',
    '\u{2705}',
    '\u{2611}',
    '\u{2606}',
    '\u{2605}',
    '\u{2b50}',
    '\u{2661}',
    '\u{2665}',
    '\u{2764}',
    '\u{1f44d}',
    '\u{1f44e}',
    '\u{1f4cc}',
    '\u{1f4e5}',
    '\u{1f507}',
    '\u{1f515}',
    '\u{1f514}',
    '\u{1f6ab}',
    '\u{26d4}',
    '\u{23fb}',
    '\u{21ba}',
    '\u{21bb}',
    '\u{1f501}',
    '\u{1f4be}',
];

/// Words of icons: `fa fa-trash`, `icon-remove`, `bi-x-circle`.
const ICONS: &[&str] =
    &["trash", "bin", "delete", "remove", "erase", "eraser", "logout", "signout", "poweroff"];

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
    if let Some(word) = first_of(&decoded(target), WORDS_OF_LINKS) {
        return Some(format!("its address says `{word}`"));
    }
    if let Some(why) = acts_on_a_thing(label, address) {
        return Some(why);
    }
    switches_language(path).then(|| "it switches the language".to_string())
}

/// An address with its letters in place of their codes: `/l%C3%B6schen`.
fn decoded(target: &str) -> String {
    let bytes = target.as_bytes();
    let mut found = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let code = target.get(at + 1..at + 3).and_then(|code| u8::from_str_radix(code, 16).ok());
        match code.filter(|_| bytes[at] == b'%') {
            Some(byte) => {
                found.push(byte);
                at += 3;
            }
            None => {
                found.push(bytes[at]);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&found).into_owned()
}

/// Links that act although they are followed with GET: `Archive` to `/tasks/1/archive`, `Mark as read` to `?read=1`,
/// `✓` to `/tasks/1/done`.
fn acts_on_a_thing(label: &str, address: &str) -> Option<String> {
    let pattern = crate::address::pattern_of(address);
    let (path, query) = pattern.split_once('?').unwrap_or((&pattern, ""));
    let segments: Vec<String> = path.split(['/', '#']).filter(|part| !part.is_empty()).map(decoded).collect();
    let is_verb = |text: &str| {
        let word = words_of(text).into_iter().next()?;
        VERBS_OF_THINGS.iter().find(|verb| **verb == word).copied()
    };
    let first_data = segments.iter().position(|part| part.contains('{'));
    let behind = first_data.map_or(&[][..], |at| &segments[at + 1..]);
    if let Some(verb) = behind.last().and_then(|last| is_verb(last)) {
        return Some(format!("its address says `{verb}` of a thing"));
    }
    // A value that is a verb, or the number of the thing behind a verb: `?action=archive`, `/archive?id={id}`.
    let values = query.split('&').filter_map(|pair| pair.split_once('='));
    let mut verbs =
        values.filter(|(key, _)| !key.eq_ignore_ascii_case("tab")).filter_map(|(_, value)| is_verb(value));
    if let Some(verb) = verbs.next().filter(|_| first_data.is_some() || pattern.contains('{')) {
        return Some(format!("its address says `{verb}` of a thing"));
    }
    let verb = is_verb(label)?;
    let names_a_verb = segments.iter().any(|part| is_verb(part).is_some());
    let is_of_thing = !behind.is_empty() || (names_a_verb && pattern.contains('{'));
    let sets_something =
        query.split('&').any(|pair| pair.split_once('=').is_some_and(|(_, value)| value.contains('{')));
    (is_of_thing || sets_something).then(|| format!("its label says `{verb}`, and its address a thing"))
}

/// What a control says of itself beside its name: titles, names of its icons, and pictures.
pub(crate) fn objection_of_marks(scene: &Scene, place: usize, is_link: bool) -> Option<String> {
    let node = &scene.nodes[place];
    let words = if is_link { WORDS_OF_LINKS } else { WORDS };
    let inside = (place + 1..scene.nodes.len()).take_while(|at| scene.is_within(*at, place));
    // What stands in a menu that it opened speaks for itself.
    let is_control = |at: usize| {
        matches!(scene.nodes[at].role.as_str(), "button" | "link" | "menuitem" | "tab" | "treeitem")
    };
    let is_own = |at: &usize| {
        !is_control(*at) && !scene.ancestors(*at).take_while(|above| *above != place).any(is_control)
    };
    let inside: Vec<&SceneNode> = inside.filter(is_own).map(|at| &scene.nodes[at]).collect();
    let marks = ["title", "label"].into_iter().filter_map(|key| node.attribute(key));
    let within = inside.iter().flat_map(|part| {
        [part.attribute("title"), part.attribute("alt"), part.attribute("label"), Some(part.name.as_str())]
    });
    for text in marks.chain(within.flatten()) {
        if let Some(word) = first_of(text, words) {
            return Some(format!("its title says `{word}`"));
        }
    }
    for part in std::iter::once(&node).chain(&inside) {
        let icons = ["class", "testid"].into_iter().filter_map(|key| part.attribute(key));
        if let Some(word) = icons.filter_map(|text| first_of(text, ICONS)).next() {
            return Some(format!("its icon says `{word}`"));
        }
    }
    let said = std::iter::once(&node).chain(&inside).map(|part| part.name.as_str());
    let is_picture = |text: &&str| !text.chars().any(char::is_alphanumeric);
    let glyph = said.filter(is_picture).flat_map(str::chars).find(|letter| GLYPHS.contains(letter));
    glyph.filter(|_| is_picture(&node.name.as_str())).map(|glyph| format!("its icon is `{glyph}`"))
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
    let parts = words_of(text);
    let pairs: Vec<String> = parts.windows(2).map(|pair| pair.concat()).collect();
    words
        .iter()
        .find(|word| parts.iter().any(|part| part == *word) || pairs.iter().any(|pair| pair == *word))
        .copied()
}

fn words_of(text: &str) -> Vec<String> {
    text.split(|letter: char| !letter.is_alphanumeric())
        .filter(|part| !part.is_empty())
        .flat_map(humps)
        .collect()
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
        check("Löschen", Some("/t/1/l%C3%B6schen"), Some("its label says `löschen`"));
        check("x", Some("/t/1/l%C3%B6schen"), Some("its address says `löschen`"));
    }

    #[test]
    fn a_link_that_acts_on_a_thing_is_left_out_and_a_page_of_that_name_is_not() {
        let of_thing = |verb: &str| format!("its address says `{verb}` of a thing");
        for (label, address, verb) in [
            ("✓", "/t/1/done", "done"),
            ("Archive", "/t/1/archive", "archive"),
            ("Unlink", "/t/1/unlink", "unlink"),
            ("Follow", "/users/7/follow", "follow"),
            ("Go", "/t?id=1&action=archive", "archive"),
        ] {
            check(label, Some(address), Some(&of_thing(verb)));
        }
        for (label, address, verb) in [
            ("Mark as read", "/news?read=1", "mark"),
            ("Start", "/t/1/next?go=1", "start"),
            ("Duplicate", "/t/1/d", "duplicate"),
            ("Archive", "/archive/17", "archive"),
        ] {
            let why = format!("its label says `{verb}`, and its address a thing");
            check(label, Some(address), Some(&why));
        }
        for (label, address) in [
            ("Archive", "/archive"),
            ("Start", "/"),
            ("Run 3", "/runs/3"),
            ("Mark Twain", "/authors/3"),
            ("Followers", "/users/7/followers"),
            ("Done", "/tasks?tab=done"),
            ("History", "/t/1/history"),
            ("Archive", "/gallery/archive-door"),
            ("Archive", "/gallery/archive"),
            ("Start", "/Home/Start"),
            ("2023", "/archive/2023"),
        ] {
            check(label, Some(address), None);
        }
    }

    #[test]
    fn titles_and_icons_of_a_link_count_as_its_words() {
        let of = |lines: &str, marks: &[(usize, &str, &str)]| {
            let mut scene = scene("/", "", lines);
            for (at, key, value) in marks {
                scene.nodes[*at].attributes.insert((*key).to_string(), (*value).to_string());
            }
            objection_of_marks(&scene, 0, true)
        };
        assert_eq!(
            of("link /t/1/x ab", &[(0, "title", "Delete")]).as_deref(),
            Some("its title says `delete`")
        );
        assert_eq!(of("link /t/1/z ×", &[]).as_deref(), Some("its icon is `×`"));
        let icon = of("link /t/1/y\n generic", &[(1, "class", "fa fa-trash-o")]);
        assert_eq!(icon.as_deref(), Some("its icon says `trash`"));
        assert_eq!(of("link /t/1/w\n image Delete", &[]).as_deref(), Some("its title says `delete`"));
        assert_eq!(of("link /t/1 5 × 3 m", &[]), None);
        assert_eq!(of("link /t/1 Task", &[(0, "title", "The task")]), None);
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
