//! How well an element fits a word for a kind of thing: "button", "field", "row".

use crate::ElementKind;

use super::view::View;
use super::words::{identifier_words, words_of};

/// From 0 (it is no such thing) to 1 (it is just that). In between: people also call it so.
pub(crate) fn fit(view: &View, at: usize, kind: ElementKind) -> f64 {
    let node = view.node(at);
    let role = node.role.as_str();
    let clickable = role == "clickable" || node.is("clickable");
    let folds = node.is("expanded") || node.is("collapsed");
    match kind {
        ElementKind::Button => match role {
            "button" | "summary" => 1.0,
            "switch" | "checkbox" | "radio" => 0.5,
            "link" | "menuitem" | "tab" => 0.72,
            _ if clickable => 0.8,
            _ => 0.0,
        },
        ElementKind::Link => match role {
            "link" => 1.0,
            "button" | "menuitem" | "tab" | "treeitem" => 0.72,
            _ if clickable => 0.72,
            _ => 0.0,
        },
        ElementKind::Field => match role {
            "textbox" | "searchbox" | "spinbutton" | "date" | "time" | "month" | "week" | "datetime"
            | "color" => 1.0,
            "combobox" if node.options.is_empty() => 1.0,
            "combobox" | "listbox" | "slider" | "file" => 0.75,
            _ => 0.0,
        },
        ElementKind::SearchField => match role {
            "searchbox" => 1.0,
            // A list to choose from takes no words.
            "combobox" if node.attribute("tag").is_some_and(|tag| !matches!(tag, "input" | "textarea")) => {
                0.0
            }
            "textbox" | "combobox" if node.attribute("type") == Some("search") => 1.0,
            "textbox" | "combobox" if has_word(view, at, &["search", "find", "query", "q"]) => 0.95,
            _ => 0.0,
        },
        ElementKind::PasswordField => match role {
            "textbox" if node.attribute("type") == Some("password") || node.is("secret") => 1.0,
            "textbox" if has_word(view, at, &["password", "passwd", "passcode"]) => 0.8,
            _ => 0.0,
        },
        ElementKind::Checkbox => match role {
            "checkbox" => 1.0,
            "switch" | "menuitemcheckbox" => 0.85,
            _ => 0.0,
        },
        ElementKind::Radio => match role {
            "radio" => 1.0,
            "menuitemradio" => 0.9,
            _ => 0.0,
        },
        ElementKind::Switch => match role {
            "switch" => 1.0,
            "checkbox" | "menuitemcheckbox" => 0.85,
            "button" if node.is("pressed") || node.attribute("aria-pressed").is_some() => 0.8,
            _ => 0.0,
        },
        ElementKind::Dropdown => match role {
            "combobox" => 1.0,
            "listbox" => 0.9,
            "button" if folds => 0.85,
            _ if clickable && folds => 0.8,
            _ => 0.0,
        },
        ElementKind::Option => match role {
            "option" => 1.0,
            "radio" | "menuitemradio" => 0.8,
            "menuitem" | "menuitemcheckbox" => 0.75,
            "listitem" if is_suggested(view, at) => 1.0,
            "listitem" | "treeitem" => 0.5,
            _ => 0.0,
        },
        ElementKind::Slider => match role {
            "slider" => 1.0,
            "spinbutton" => 0.5,
            _ => 0.0,
        },
        ElementKind::DateField => match role {
            "date" | "datetime" | "month" | "week" | "time" => 1.0,
            "textbox" | "combobox"
                if has_word(view, at, DATE_WORDS)
                    || view.text_before(at).is_some_and(|text| {
                        words_of(&text).iter().any(|word| DATE_WORDS.contains(&word.as_str()))
                    }) =>
            {
                0.8
            }
            _ => 0.0,
        },
        ElementKind::FileField => match role {
            "file" => 1.0,
            "button" => 0.6,
            _ => 0.0,
        },
        ElementKind::Tab => match role {
            "tab" => 1.0,
            "link" | "button" => 0.65,
            _ => 0.0,
        },
        ElementKind::TabPanel => f64::from(role == "tabpanel"),
        ElementKind::Menu => match role {
            "menu" | "menubar" => 1.0,
            "button" | "link" | "menuitem" | "combobox" if folds => 0.9,
            "button" => 0.72,
            "navigation" => 0.85,
            _ if clickable && folds => 0.85,
            _ => 0.0,
        },
        ElementKind::MenuItem => match role {
            "menuitem" | "menuitemcheckbox" | "menuitemradio" => 1.0,
            "link" | "option" | "treeitem" => 0.8,
            "button" | "tab" => 0.65,
            _ => 0.0,
        },
        ElementKind::Row => match role {
            "row" if view.is_header_row(at) => 0.0,
            "row" => 1.0,
            "listitem" | "article" | "treeitem" => 0.7,
            _ if view.is_entry(at) => 0.65,
            _ => 0.0,
        },
        ElementKind::Cell => match role {
            "cell" | "gridcell" | "rowheader" => 1.0,
            _ => 0.0,
        },
        ElementKind::Column => f64::from(role == "columnheader"),
        ElementKind::Table => match role {
            "table" | "grid" | "treegrid" => 1.0,
            "list" => 0.55,
            _ => 0.0,
        },
        ElementKind::List => match role {
            "list" | "listbox" | "feed" | "tree" => 1.0,
            // A table of entries is what people call the list of them.
            "table" | "grid" if view.inside(at).any(|inner| view.is_header_row(inner)) => 0.75,
            "table" | "grid" | "menu" | "combobox" => 0.6,
            _ => 0.0,
        },
        ElementKind::ListItem => match role {
            "listitem" => 1.0,
            "option" | "article" | "treeitem" => 0.85,
            "row" if !view.is_header_row(at) => 0.8,
            _ if view.is_entry(at) => 0.75,
            _ => 0.0,
        },
        ElementKind::Item => match role {
            "listitem" | "article" => 1.0,
            "row" if !view.is_header_row(at) => 0.95,
            "option" | "treeitem" | "menuitem" => 0.75,
            _ if view.is_entry(at) => 0.95,
            _ => 0.0,
        },
        ElementKind::Icon => match role {
            "image" => 0.95,
            "button" | "link"
                if view.text(at).chars().filter(|letter| letter.is_alphanumeric()).count() == 0 =>
            {
                1.0
            }
            "button" | "link" => 0.75,
            _ if clickable => 0.85,
            _ => 0.0,
        },
        ElementKind::Image => match role {
            "image" | "figure" => 1.0,
            "button" | "link" if view.inside(at).any(|inner| view.node(inner).role == "image") => 0.7,
            _ => 0.0,
        },
        ElementKind::Heading => f64::from(role == "heading"),
        ElementKind::Dialog => match role {
            "dialog" | "alertdialog" => 1.0,
            "generic" | "region" | "group" if has_class_word(view, at, &["modal", "dialog", "popup"]) => 0.8,
            _ => 0.0,
        },
        ElementKind::Form => match role {
            "form" | "search" => 1.0,
            "group" | "dialog" => 0.6,
            "generic" | "region" if has_class_word(view, at, &["form"]) => 0.8,
            _ => 0.0,
        },
        ElementKind::Section => match role {
            "region" | "group" | "section" | "tabpanel" | "complementary" => 1.0,
            "radiogroup" | "form" | "article" | "navigation" | "toolbar" | "search" => 0.9,
            "main" | "dialog" | "list" | "table" | "figure" | "listitem" | "tablist" => 0.7,
            "generic" | "clickable" if view.has_children(at) => 0.75,
            _ => 0.0,
        },
        ElementKind::Header => match role {
            "banner" => 1.0,
            "generic" if has_class_word(view, at, &["header", "topbar", "navbar"]) => 0.8,
            "navigation" | "toolbar" if is_on_top(view, at) => 0.8,
            "columnheader" => 0.3,
            _ => 0.0,
        },
        ElementKind::Footer => match role {
            "contentinfo" => 1.0,
            "generic" if has_class_word(view, at, &["footer"]) => 0.8,
            _ => 0.0,
        },
        ElementKind::Sidebar => match role {
            "complementary" => 1.0,
            "generic" | "navigation" | "region" | "list"
                if is_marked_as(view, at, &["sidebar", "sidenav", "drawer"]) =>
            {
                0.95
            }
            _ => 0.0,
        },
        ElementKind::Navigation => match role {
            "navigation" => 1.0,
            "menubar" | "tablist" => 0.7,
            "banner" => 0.6,
            "generic" | "list" if has_class_word(view, at, &["nav", "navigation", "navbar", "menu"]) => 0.8,
            _ => 0.0,
        },
        ElementKind::Message
        | ElementKind::ErrorMessage
        | ElementKind::SuccessMessage
        | ElementKind::WarningMessage => match role {
            "alert" | "status" | "log" | "alertdialog" => 1.0,
            _ if has_class_word(view, at, MESSAGE_WORDS) => 0.85,
            _ => 0.0,
        },
        ElementKind::Label | ElementKind::Text => match role {
            "text" | "paragraph" | "label" | "caption" | "legend" => 1.0,
            "heading" | "status" | "alert" | "note" | "term" | "definition" | "blockquote" => 0.9,
            "generic" | "cell" | "listitem" | "gridcell" | "link" | "button" => 0.75,
            _ => 0.0,
        },
        ElementKind::Node => match role {
            "treeitem" => 1.0,
            "listitem" => 0.7,
            _ => 0.0,
        },
        ElementKind::Frame => match role {
            "frame" | "iframe" => 1.0,
            _ => 0.0,
        },
        ElementKind::Page => match role {
            "main" | "document" => 0.8,
            _ => 0.0,
        },
        ElementKind::Figure if !is_figure(view, at) => 0.0,
        ElementKind::Figure => match role {
            "text" | "status" | "meter" | "progressbar" | "generic" | "cell" | "definition" | "paragraph" => {
                1.0
            }
            "heading" | "link" | "button" | "listitem" | "row" | "term" => 0.8,
            _ => 0.0,
        },
        ElementKind::Any => 1.0,
    }
}

/// Marks of figures in classes and ids.
const FIGURES: &[&str] =
    &["count", "counter", "badge", "total", "sum", "amount", "number", "figure", "score"];

/// Whether programs call it a figure.
pub(super) fn is_marked_figure(view: &View, at: usize) -> bool {
    is_marked_as(view, at, FIGURES)
}

/// A figure has digits in it, or is marked as one.
fn is_figure(view: &View, at: usize) -> bool {
    view.text(at).chars().any(|letter| letter.is_ascii_digit())
        || view.node(at).name.chars().any(|letter| letter.is_ascii_digit())
        || is_marked_figure(view, at)
}

/// Whether a flat bar reaches over most of the page's width at its top.
fn is_on_top(view: &View, at: usize) -> bool {
    let [_, top, width, height] = view.node(at).area;
    top < 120.0 && height < 200.0 && width > 0.5 * view.scene.view[0]
}

const DATE_WORDS: &[&str] = &["date", "day", "birthday", "dob", "from", "until", "datepicker"];

/// An entry of a list that a field has opened below itself; only its class or its id says so.
pub(crate) fn is_suggested(view: &View, at: usize) -> bool {
    const OPENED: &[&str] = &[
        "autocomplete",
        "suggestion",
        "suggestions",
        "suggest",
        "typeahead",
        "completions",
        "combobox",
        "listbox",
    ];
    view.scene.ancestors(at).take(2).any(|around| has_class_word(view, around, OPENED))
}

/// Marks of an element that reports what happened.
pub(crate) const MESSAGE_WORDS: &[&str] = &[
    "error",
    "errors",
    "alert",
    "toast",
    "flash",
    "notice",
    "notification",
    "message",
    "success",
    "warning",
    "invalid",
    "feedback",
    "snackbar",
    "danger",
    "banner",
    "callout",
];

/// Kinds of things that hold others and often cannot be clicked themselves.
pub(crate) fn holds_things(kind: ElementKind) -> bool {
    matches!(
        kind,
        ElementKind::Row
            | ElementKind::Cell
            | ElementKind::Table
            | ElementKind::List
            | ElementKind::ListItem
            | ElementKind::Item
            | ElementKind::Dialog
            | ElementKind::Form
            | ElementKind::Section
            | ElementKind::Header
            | ElementKind::Footer
            | ElementKind::Sidebar
            | ElementKind::Navigation
            | ElementKind::TabPanel
            | ElementKind::Column
    )
}

/// Words that only say what sort of thing an identifier is for: `email_input`, `btnSave`.
pub(crate) const KIND_WORDS: &[&str] = &[
    "button", "btn", "input", "field", "link", "icon", "box", "txt", "text", "dropdown", "select",
    "checkbox", "radio", "toggle", "switch", "tab", "menu", "form", "label", "lnk", "cb", "chk", "ddl",
    "item", "element", "selector", "textbox", "textarea", "list", "row", "table", "image", "img", "control",
    "fa", "fas", "far", "bi", "mdi",
];

/// The kind that such a word stands for, as far as it decides anything.
pub(crate) fn kind_of_word(word: &str) -> Option<ElementKind> {
    Some(match word {
        "button" | "btn" => ElementKind::Button,
        "input" | "field" | "txt" | "textbox" | "textarea" => ElementKind::Field,
        "link" | "lnk" => ElementKind::Link,
        "dropdown" | "select" | "ddl" => ElementKind::Dropdown,
        "checkbox" | "cb" | "chk" => ElementKind::Checkbox,
        "radio" => ElementKind::Radio,
        "tab" => ElementKind::Tab,
        "icon" => ElementKind::Icon,
        _ => return None,
    })
}

pub(crate) fn has_class_word(view: &View, at: usize, wanted: &[&str]) -> bool {
    let node = view.node(at);
    ["class", "id", "testid"]
        .iter()
        .filter_map(|name| node.attribute(name))
        .any(|value| identifier_words(value).iter().any(|word| wanted.contains(&word.as_str())))
}

/// Whether a class or an id is the word or ends with it: `sidebar`, `app-sidebar`, not `sidebar-heading`.
pub(crate) fn is_marked_as(view: &View, at: usize, wanted: &[&str]) -> bool {
    let node = view.node(at);
    ["class", "id", "testid"].iter().filter_map(|name| node.attribute(name)).any(|value| {
        value
            .split_whitespace()
            .any(|token| identifier_words(token).last().is_some_and(|last| wanted.contains(&last.as_str())))
    })
}

/// Whether a name of it, for people or for programs, has one of the words.
fn has_word(view: &View, at: usize, wanted: &[&str]) -> bool {
    let node = view.node(at);
    words_of(&node.name).iter().any(|word| wanted.contains(&word.as_str()))
        || ["label", "placeholder", "title"]
            .iter()
            .filter_map(|name| node.attribute(name))
            .any(|value| words_of(value).iter().any(|word| wanted.contains(&word.as_str())))
        || ["id", "name", "testid", "class"]
            .iter()
            .filter_map(|name| node.attribute(name))
            .any(|value| identifier_words(value).iter().any(|word| wanted.contains(&word.as_str())))
}
