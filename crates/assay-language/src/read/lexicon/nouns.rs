//! Nouns for the parts of a page.

use crate::ElementKind;

/// Whether the noun is also part of the name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Keeps {
    Nothing,
    /// "the total": what it is called and what it is are the same word.
    Word,
}

use Keeps::{Nothing, Word};

/// In the singular; the plural is found by its ending.
const NOUNS: &[(&str, ElementKind, Keeps)] = &[
    ("button", ElementKind::Button, Nothing),
    ("push button", ElementKind::Button, Nothing),
    ("btn", ElementKind::Button, Nothing),
    ("link", ElementKind::Link, Nothing),
    ("hyperlink", ElementKind::Link, Nothing),
    ("field", ElementKind::Field, Nothing),
    ("input", ElementKind::Field, Nothing),
    ("input field", ElementKind::Field, Nothing),
    ("input box", ElementKind::Field, Nothing),
    ("input textbox", ElementKind::Field, Nothing),
    ("input text box", ElementKind::Field, Nothing),
    ("input text field", ElementKind::Field, Nothing),
    ("text input", ElementKind::Field, Nothing),
    ("text field", ElementKind::Field, Nothing),
    ("text box", ElementKind::Field, Nothing),
    ("textbox", ElementKind::Field, Nothing),
    ("textfield", ElementKind::Field, Nothing),
    ("text area", ElementKind::Field, Nothing),
    ("textarea", ElementKind::Field, Nothing),
    ("entry field", ElementKind::Field, Nothing),
    ("form field", ElementKind::Field, Nothing),
    ("box", ElementKind::Field, Nothing),
    ("editor", ElementKind::Field, Nothing),
    ("search field", ElementKind::SearchField, Nothing),
    ("search box", ElementKind::SearchField, Nothing),
    ("search bar", ElementKind::SearchField, Nothing),
    ("search input", ElementKind::SearchField, Nothing),
    ("search input field", ElementKind::SearchField, Nothing),
    ("search text box", ElementKind::SearchField, Nothing),
    ("searchbox", ElementKind::SearchField, Nothing),
    ("searchbar", ElementKind::SearchField, Nothing),
    ("checkbox", ElementKind::Checkbox, Nothing),
    ("check box", ElementKind::Checkbox, Nothing),
    ("tick box", ElementKind::Checkbox, Nothing),
    ("tickbox", ElementKind::Checkbox, Nothing),
    ("radio", ElementKind::Radio, Nothing),
    ("radio button", ElementKind::Radio, Nothing),
    ("radio option", ElementKind::Radio, Nothing),
    ("switch", ElementKind::Switch, Nothing),
    ("toggle", ElementKind::Switch, Nothing),
    ("toggle switch", ElementKind::Switch, Nothing),
    ("toggle button", ElementKind::Switch, Nothing),
    ("dropdown", ElementKind::Dropdown, Nothing),
    ("drop down", ElementKind::Dropdown, Nothing),
    ("dropdown list", ElementKind::Dropdown, Nothing),
    ("drop down list", ElementKind::Dropdown, Nothing),
    ("dropdown menu", ElementKind::Dropdown, Nothing),
    ("drop down menu", ElementKind::Dropdown, Nothing),
    ("dropdown box", ElementKind::Dropdown, Nothing),
    ("select", ElementKind::Dropdown, Nothing),
    ("select box", ElementKind::Dropdown, Nothing),
    ("select list", ElementKind::Dropdown, Nothing),
    ("select menu", ElementKind::Dropdown, Nothing),
    ("combobox", ElementKind::Dropdown, Nothing),
    ("combo box", ElementKind::Dropdown, Nothing),
    ("combo", ElementKind::Dropdown, Nothing),
    ("listbox", ElementKind::Dropdown, Nothing),
    ("list box", ElementKind::Dropdown, Nothing),
    ("scroll list", ElementKind::Dropdown, Nothing),
    ("scrolling list", ElementKind::Dropdown, Nothing),
    ("scrollable list", ElementKind::Dropdown, Nothing),
    ("selector", ElementKind::Dropdown, Nothing),
    ("picker", ElementKind::Dropdown, Nothing),
    ("option", ElementKind::Option, Nothing),
    ("choice", ElementKind::Option, Nothing),
    ("slider", ElementKind::Slider, Nothing),
    ("range slider", ElementKind::Slider, Nothing),
    ("slider control", ElementKind::Slider, Nothing),
    ("date picker", ElementKind::DateField, Nothing),
    ("datepicker", ElementKind::DateField, Nothing),
    ("calendar", ElementKind::DateField, Nothing),
    ("file input", ElementKind::FileField, Nothing),
    ("file field", ElementKind::FileField, Nothing),
    ("file upload", ElementKind::FileField, Nothing),
    ("file upload field", ElementKind::FileField, Nothing),
    ("upload field", ElementKind::FileField, Nothing),
    ("file chooser", ElementKind::FileField, Nothing),
    ("tab", ElementKind::Tab, Nothing),
    ("tab panel", ElementKind::TabPanel, Nothing),
    ("menu", ElementKind::Menu, Nothing),
    ("context menu", ElementKind::Menu, Nothing),
    ("popup menu", ElementKind::Menu, Nothing),
    ("menu item", ElementKind::MenuItem, Nothing),
    ("menu entry", ElementKind::MenuItem, Nothing),
    ("menu option", ElementKind::MenuItem, Nothing),
    ("row", ElementKind::Row, Nothing),
    ("table row", ElementKind::Row, Nothing),
    ("cell", ElementKind::Cell, Nothing),
    ("table cell", ElementKind::Cell, Nothing),
    ("column", ElementKind::Column, Nothing),
    ("column header", ElementKind::Column, Nothing),
    ("column heading", ElementKind::Column, Nothing),
    ("column head", ElementKind::Column, Nothing),
    ("table header", ElementKind::Column, Nothing),
    ("table", ElementKind::Table, Nothing),
    ("grid", ElementKind::Table, Nothing),
    ("list", ElementKind::List, Nothing),
    ("list item", ElementKind::ListItem, Nothing),
    ("item", ElementKind::Item, Nothing),
    ("card", ElementKind::Item, Nothing),
    ("product", ElementKind::Item, Nothing),
    ("entry", ElementKind::Item, Nothing),
    ("tile", ElementKind::Item, Nothing),
    ("result", ElementKind::Item, Nothing),
    ("search result", ElementKind::Item, Nothing),
    ("record", ElementKind::Item, Nothing),
    ("icon", ElementKind::Icon, Nothing),
    ("image", ElementKind::Image, Nothing),
    ("picture", ElementKind::Image, Nothing),
    ("photo", ElementKind::Image, Nothing),
    ("logo", ElementKind::Image, Word),
    ("avatar", ElementKind::Image, Word),
    ("heading", ElementKind::Heading, Nothing),
    ("headline", ElementKind::Heading, Nothing),
    ("page heading", ElementKind::Heading, Nothing),
    ("main heading", ElementKind::Heading, Nothing),
    ("dialog", ElementKind::Dialog, Nothing),
    ("dialogue", ElementKind::Dialog, Nothing),
    ("dialog box", ElementKind::Dialog, Nothing),
    ("dialog window", ElementKind::Dialog, Nothing),
    ("modal", ElementKind::Dialog, Nothing),
    ("modal dialog", ElementKind::Dialog, Nothing),
    ("modal window", ElementKind::Dialog, Nothing),
    ("popup", ElementKind::Dialog, Nothing),
    ("pop up", ElementKind::Dialog, Nothing),
    ("popup window", ElementKind::Dialog, Nothing),
    ("pop up window", ElementKind::Dialog, Nothing),
    ("overlay", ElementKind::Dialog, Nothing),
    ("prompt", ElementKind::Dialog, Word),
    ("form", ElementKind::Form, Nothing),
    ("section", ElementKind::Section, Nothing),
    ("panel", ElementKind::Section, Nothing),
    ("area", ElementKind::Section, Nothing),
    ("pane", ElementKind::Section, Nothing),
    ("region", ElementKind::Section, Nothing),
    ("block", ElementKind::Section, Nothing),
    ("widget", ElementKind::Section, Nothing),
    ("group", ElementKind::Section, Nothing),
    ("accordion", ElementKind::Section, Nothing),
    ("header", ElementKind::Header, Nothing),
    ("page header", ElementKind::Header, Nothing),
    ("top bar", ElementKind::Header, Nothing),
    ("footer", ElementKind::Footer, Nothing),
    ("page footer", ElementKind::Footer, Nothing),
    ("sidebar", ElementKind::Sidebar, Nothing),
    ("side bar", ElementKind::Sidebar, Nothing),
    ("side panel", ElementKind::Sidebar, Nothing),
    ("side menu", ElementKind::Sidebar, Nothing),
    ("navigation", ElementKind::Navigation, Nothing),
    ("navigation bar", ElementKind::Navigation, Nothing),
    ("navigation menu", ElementKind::Navigation, Nothing),
    ("nav", ElementKind::Navigation, Nothing),
    ("nav bar", ElementKind::Navigation, Nothing),
    ("navbar", ElementKind::Navigation, Nothing),
    ("menu bar", ElementKind::Navigation, Nothing),
    ("message", ElementKind::Message, Nothing),
    ("notification", ElementKind::Message, Nothing),
    ("toast", ElementKind::Message, Nothing),
    ("toast message", ElementKind::Message, Nothing),
    ("banner", ElementKind::Message, Nothing),
    ("snackbar", ElementKind::Message, Nothing),
    ("notice", ElementKind::Message, Nothing),
    ("alert", ElementKind::Message, Nothing),
    ("alert message", ElementKind::Message, Nothing),
    ("error", ElementKind::ErrorMessage, Nothing),
    ("error message", ElementKind::ErrorMessage, Nothing),
    ("error notification", ElementKind::ErrorMessage, Nothing),
    ("error toast", ElementKind::ErrorMessage, Nothing),
    ("error banner", ElementKind::ErrorMessage, Nothing),
    ("error alert", ElementKind::ErrorMessage, Nothing),
    ("error text", ElementKind::ErrorMessage, Nothing),
    ("validation error", ElementKind::ErrorMessage, Nothing),
    ("validation message", ElementKind::ErrorMessage, Nothing),
    ("validation error message", ElementKind::ErrorMessage, Nothing),
    ("success message", ElementKind::SuccessMessage, Nothing),
    ("success notification", ElementKind::SuccessMessage, Nothing),
    ("success toast", ElementKind::SuccessMessage, Nothing),
    ("success banner", ElementKind::SuccessMessage, Nothing),
    ("success alert", ElementKind::SuccessMessage, Nothing),
    ("warning", ElementKind::WarningMessage, Nothing),
    ("warning message", ElementKind::WarningMessage, Nothing),
    ("warning banner", ElementKind::WarningMessage, Nothing),
    ("label", ElementKind::Label, Nothing),
    ("caption", ElementKind::Label, Nothing),
    ("text", ElementKind::Text, Nothing),
    ("paragraph", ElementKind::Text, Nothing),
    ("phrase", ElementKind::Text, Nothing),
    ("word", ElementKind::Text, Nothing),
    ("sentence", ElementKind::Text, Nothing),
    ("node", ElementKind::Node, Nothing),
    ("tree node", ElementKind::Node, Nothing),
    ("tree item", ElementKind::Node, Nothing),
    ("frame", ElementKind::Frame, Nothing),
    ("iframe", ElementKind::Frame, Nothing),
    ("page", ElementKind::Page, Nothing),
    ("screen", ElementKind::Page, Nothing),
    ("view", ElementKind::Page, Nothing),
    ("webpage", ElementKind::Page, Nothing),
    ("web page", ElementKind::Page, Nothing),
    ("site", ElementKind::Page, Nothing),
    ("website", ElementKind::Page, Nothing),
    ("badge", ElementKind::Figure, Nothing),
    ("counter", ElementKind::Figure, Nothing),
    ("total", ElementKind::Figure, Word),
    ("subtotal", ElementKind::Figure, Word),
    ("element", ElementKind::Any, Nothing),
    ("control", ElementKind::Any, Nothing),
    ("thing", ElementKind::Any, Nothing),
    ("one", ElementKind::Any, Nothing),
];

/// Nouns for things of the application, which repeat; they say what sort of thing a quoted name belongs to.
const ENTITIES: &[&str] = &[
    "file", "folder", "category", "project", "order", "user", "customer", "task", "todo", "note", "person",
    "contact", "employee", "document", "post", "article", "comment", "book", "movie", "event", "invoice",
    "ticket", "issue", "game", "song", "course", "room", "team", "member", "question",
];

/// Sorts of things whose name stands behind them without quotation marks: "the milestone Spring".
const SORTS: &[&str] = &[
    "milestone",
    "study",
    "channel",
    "card",
    "board",
    "model",
    "report",
    "album",
    "playlist",
    "group",
    "product",
    "device",
    "patient",
    "owner",
    "trial",
    "chart",
    "template",
    "campaign",
    "account",
    "job",
    "branch",
    "directory",
];

/// Whether a word before a name says what sort of thing it is.
pub(crate) fn is_sort_of_thing(word: &str) -> bool {
    ENTITIES.contains(&word) || SORTS.contains(&word)
}

/// What stands beside a quoted name without telling more about it.
const PARTS: &[&str] =
    &["filter", "tag", "chip", "indicator", "step", "bar", "action", "command", "shortcut", "pill"];

/// What a noun beside a quoted name says.
pub(crate) fn beside_name(word: &str) -> Option<ElementKind> {
    if ENTITIES.contains(&word) {
        Some(ElementKind::Item)
    } else if PARTS.contains(&word) {
        Some(ElementKind::Any)
    } else {
        None
    }
}

/// Names that end with a noun and are not that.
const NAMES: &[&str] = &[
    "credit card",
    "debit card",
    "gift card",
    "id card",
    "business card",
    "bank card",
    "wish list",
    "price list",
    "check list",
    "mailing list",
    "time table",
    "full screen",
];

/// Whether these words are a name that only ends with a noun.
pub(crate) fn is_name(words: &[&str]) -> bool {
    NAMES.contains(&words.join(" ").as_str())
}

/// A word at the front of its noun says what sort of thing it is: "link Terms". Other nouns do so only before a
/// name in capitals, as "card number" and "error code" are names.
const LEADING: &[ElementKind] = &[
    ElementKind::Button,
    ElementKind::Link,
    ElementKind::Checkbox,
    ElementKind::Radio,
    ElementKind::Dropdown,
    ElementKind::MenuItem,
    ElementKind::Icon,
    ElementKind::Slider,
];

pub(crate) fn leads(kind: ElementKind) -> bool {
    LEADING.contains(&kind)
}

/// Things that can be operated: "Add button" is a button, while "Add item" is the name of one.
pub(crate) fn is_control(kind: ElementKind) -> bool {
    matches!(
        kind,
        ElementKind::Button
            | ElementKind::Link
            | ElementKind::Field
            | ElementKind::SearchField
            | ElementKind::PasswordField
            | ElementKind::Checkbox
            | ElementKind::Radio
            | ElementKind::Switch
            | ElementKind::Dropdown
            | ElementKind::Slider
            | ElementKind::DateField
            | ElementKind::FileField
            | ElementKind::Tab
            | ElementKind::Menu
            | ElementKind::MenuItem
            | ElementKind::Icon
            | ElementKind::Dialog
            | ElementKind::Form
            | ElementKind::Page
            | ElementKind::Section
            | ElementKind::Heading
            | ElementKind::ErrorMessage
            | ElementKind::SuccessMessage
            | ElementKind::WarningMessage
    )
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Noun {
    pub kind: ElementKind,
    pub keeps: Keeps,
    pub plural: bool,
}

/// The noun that these words are, in singular or plural, written together, apart or with a hyphen.
pub(crate) fn noun(words: &[&str]) -> Option<Noun> {
    let phrase = words.join(" ").replace('-', " ");

    if let Some(kind) = find(&phrase) {
        return Some(Noun { kind: kind.0, keeps: kind.1, plural: false });
    }
    // A page has one header; headers in the plural are those of a response or of a table.
    let singular = singular(&phrase).filter(|singular| singular != "header" && singular != "footer")?;
    find(&singular).map(|(kind, keeps)| Noun { kind, keeps, plural: true })
}

fn find(phrase: &str) -> Option<(ElementKind, Keeps)> {
    NOUNS.iter().find(|(noun, _, _)| *noun == phrase).map(|(_, kind, keeps)| (*kind, *keeps))
}

/// Takes the ending of a plural away; the result need not be a word.
pub(crate) fn singular(phrase: &str) -> Option<String> {
    if let Some(stem) = phrase.strip_suffix("ies") {
        return Some(format!("{stem}y"));
    }
    for ending in ["xes", "sses", "ches"] {
        if phrase.ends_with(ending) {
            return Some(phrase[..phrase.len() - 2].to_string());
        }
    }
    if phrase == "radios" {
        return Some("radio".to_string());
    }
    phrase.strip_suffix('s').filter(|stem| !stem.ends_with('s')).map(str::to_string)
}

/// The most words that a noun has.
pub(crate) const LONGEST: usize = 3;
