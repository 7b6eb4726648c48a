//! Nouns for the parts of a page.

use crate::Kind;

/// Whether the noun is also part of the name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Keeps {
    Nothing,
    /// "the total": what it is called and what it is are the same word.
    Word,
}

use Keeps::{Nothing, Word};

/// In the singular; the plural is found by its ending.
const NOUNS: &[(&str, Kind, Keeps)] = &[
    ("button", Kind::Button, Nothing),
    ("push button", Kind::Button, Nothing),
    ("btn", Kind::Button, Nothing),
    ("link", Kind::Link, Nothing),
    ("hyperlink", Kind::Link, Nothing),
    ("field", Kind::Field, Nothing),
    ("input", Kind::Field, Nothing),
    ("input field", Kind::Field, Nothing),
    ("input box", Kind::Field, Nothing),
    ("text input", Kind::Field, Nothing),
    ("text field", Kind::Field, Nothing),
    ("text box", Kind::Field, Nothing),
    ("textbox", Kind::Field, Nothing),
    ("textfield", Kind::Field, Nothing),
    ("text area", Kind::Field, Nothing),
    ("textarea", Kind::Field, Nothing),
    ("entry field", Kind::Field, Nothing),
    ("form field", Kind::Field, Nothing),
    ("box", Kind::Field, Nothing),
    ("editor", Kind::Field, Nothing),
    ("search field", Kind::SearchField, Nothing),
    ("search box", Kind::SearchField, Nothing),
    ("search bar", Kind::SearchField, Nothing),
    ("search input", Kind::SearchField, Nothing),
    ("search input field", Kind::SearchField, Nothing),
    ("search text box", Kind::SearchField, Nothing),
    ("searchbox", Kind::SearchField, Nothing),
    ("searchbar", Kind::SearchField, Nothing),
    ("checkbox", Kind::Checkbox, Nothing),
    ("check box", Kind::Checkbox, Nothing),
    ("tick box", Kind::Checkbox, Nothing),
    ("tickbox", Kind::Checkbox, Nothing),
    ("radio", Kind::Radio, Nothing),
    ("radio button", Kind::Radio, Nothing),
    ("radio option", Kind::Radio, Nothing),
    ("switch", Kind::Switch, Nothing),
    ("toggle", Kind::Switch, Nothing),
    ("toggle switch", Kind::Switch, Nothing),
    ("toggle button", Kind::Switch, Nothing),
    ("dropdown", Kind::Dropdown, Nothing),
    ("drop down", Kind::Dropdown, Nothing),
    ("dropdown list", Kind::Dropdown, Nothing),
    ("drop down list", Kind::Dropdown, Nothing),
    ("dropdown menu", Kind::Dropdown, Nothing),
    ("drop down menu", Kind::Dropdown, Nothing),
    ("dropdown box", Kind::Dropdown, Nothing),
    ("select", Kind::Dropdown, Nothing),
    ("select box", Kind::Dropdown, Nothing),
    ("select list", Kind::Dropdown, Nothing),
    ("select menu", Kind::Dropdown, Nothing),
    ("combobox", Kind::Dropdown, Nothing),
    ("combo box", Kind::Dropdown, Nothing),
    ("combo", Kind::Dropdown, Nothing),
    ("listbox", Kind::Dropdown, Nothing),
    ("list box", Kind::Dropdown, Nothing),
    ("selector", Kind::Dropdown, Nothing),
    ("picker", Kind::Dropdown, Nothing),
    ("option", Kind::Option, Nothing),
    ("choice", Kind::Option, Nothing),
    ("slider", Kind::Slider, Nothing),
    ("range slider", Kind::Slider, Nothing),
    ("slider control", Kind::Slider, Nothing),
    ("date picker", Kind::DateField, Nothing),
    ("datepicker", Kind::DateField, Nothing),
    ("calendar", Kind::DateField, Nothing),
    ("file input", Kind::FileField, Nothing),
    ("file field", Kind::FileField, Nothing),
    ("file upload", Kind::FileField, Nothing),
    ("file upload field", Kind::FileField, Nothing),
    ("upload field", Kind::FileField, Nothing),
    ("file chooser", Kind::FileField, Nothing),
    ("tab", Kind::Tab, Nothing),
    ("tab panel", Kind::TabPanel, Nothing),
    ("menu", Kind::Menu, Nothing),
    ("context menu", Kind::Menu, Nothing),
    ("popup menu", Kind::Menu, Nothing),
    ("menu item", Kind::MenuItem, Nothing),
    ("menu entry", Kind::MenuItem, Nothing),
    ("menu option", Kind::MenuItem, Nothing),
    ("row", Kind::Row, Nothing),
    ("table row", Kind::Row, Nothing),
    ("cell", Kind::Cell, Nothing),
    ("table cell", Kind::Cell, Nothing),
    ("column", Kind::Column, Nothing),
    ("column header", Kind::Column, Nothing),
    ("column heading", Kind::Column, Nothing),
    ("column head", Kind::Column, Nothing),
    ("table header", Kind::Column, Nothing),
    ("table", Kind::Table, Nothing),
    ("grid", Kind::Table, Nothing),
    ("list", Kind::List, Nothing),
    ("list item", Kind::ListItem, Nothing),
    ("item", Kind::Item, Nothing),
    ("card", Kind::Item, Nothing),
    ("product", Kind::Item, Nothing),
    ("entry", Kind::Item, Nothing),
    ("tile", Kind::Item, Nothing),
    ("result", Kind::Item, Nothing),
    ("search result", Kind::Item, Nothing),
    ("record", Kind::Item, Nothing),
    ("icon", Kind::Icon, Nothing),
    ("image", Kind::Image, Nothing),
    ("picture", Kind::Image, Nothing),
    ("photo", Kind::Image, Nothing),
    ("logo", Kind::Image, Word),
    ("avatar", Kind::Image, Word),
    ("heading", Kind::Heading, Nothing),
    ("headline", Kind::Heading, Nothing),
    ("page heading", Kind::Heading, Nothing),
    ("main heading", Kind::Heading, Nothing),
    ("dialog", Kind::Dialog, Nothing),
    ("dialogue", Kind::Dialog, Nothing),
    ("dialog box", Kind::Dialog, Nothing),
    ("dialog window", Kind::Dialog, Nothing),
    ("modal", Kind::Dialog, Nothing),
    ("modal dialog", Kind::Dialog, Nothing),
    ("modal window", Kind::Dialog, Nothing),
    ("popup", Kind::Dialog, Nothing),
    ("pop up", Kind::Dialog, Nothing),
    ("popup window", Kind::Dialog, Nothing),
    ("overlay", Kind::Dialog, Nothing),
    ("prompt", Kind::Dialog, Word),
    ("form", Kind::Form, Nothing),
    ("section", Kind::Section, Nothing),
    ("panel", Kind::Section, Nothing),
    ("area", Kind::Section, Nothing),
    ("pane", Kind::Section, Nothing),
    ("region", Kind::Section, Nothing),
    ("block", Kind::Section, Nothing),
    ("widget", Kind::Section, Nothing),
    ("group", Kind::Section, Nothing),
    ("accordion", Kind::Section, Nothing),
    ("header", Kind::Header, Nothing),
    ("page header", Kind::Header, Nothing),
    ("top bar", Kind::Header, Nothing),
    ("footer", Kind::Footer, Nothing),
    ("page footer", Kind::Footer, Nothing),
    ("sidebar", Kind::Sidebar, Nothing),
    ("side bar", Kind::Sidebar, Nothing),
    ("side panel", Kind::Sidebar, Nothing),
    ("side menu", Kind::Sidebar, Nothing),
    ("navigation", Kind::Navigation, Nothing),
    ("navigation bar", Kind::Navigation, Nothing),
    ("navigation menu", Kind::Navigation, Nothing),
    ("nav", Kind::Navigation, Nothing),
    ("nav bar", Kind::Navigation, Nothing),
    ("navbar", Kind::Navigation, Nothing),
    ("menu bar", Kind::Navigation, Nothing),
    ("message", Kind::Message, Nothing),
    ("notification", Kind::Message, Nothing),
    ("toast", Kind::Message, Nothing),
    ("toast message", Kind::Message, Nothing),
    ("banner", Kind::Message, Nothing),
    ("snackbar", Kind::Message, Nothing),
    ("notice", Kind::Message, Nothing),
    ("alert", Kind::Message, Nothing),
    ("alert message", Kind::Message, Nothing),
    ("error", Kind::ErrorMessage, Nothing),
    ("error message", Kind::ErrorMessage, Nothing),
    ("error notification", Kind::ErrorMessage, Nothing),
    ("error toast", Kind::ErrorMessage, Nothing),
    ("error banner", Kind::ErrorMessage, Nothing),
    ("error alert", Kind::ErrorMessage, Nothing),
    ("error text", Kind::ErrorMessage, Nothing),
    ("validation error", Kind::ErrorMessage, Nothing),
    ("validation message", Kind::ErrorMessage, Nothing),
    ("validation error message", Kind::ErrorMessage, Nothing),
    ("success message", Kind::SuccessMessage, Nothing),
    ("success notification", Kind::SuccessMessage, Nothing),
    ("success toast", Kind::SuccessMessage, Nothing),
    ("success banner", Kind::SuccessMessage, Nothing),
    ("success alert", Kind::SuccessMessage, Nothing),
    ("warning", Kind::WarningMessage, Nothing),
    ("warning message", Kind::WarningMessage, Nothing),
    ("warning banner", Kind::WarningMessage, Nothing),
    ("label", Kind::Label, Nothing),
    ("caption", Kind::Label, Nothing),
    ("text", Kind::Text, Nothing),
    ("paragraph", Kind::Text, Nothing),
    ("phrase", Kind::Text, Nothing),
    ("word", Kind::Text, Nothing),
    ("sentence", Kind::Text, Nothing),
    ("node", Kind::Node, Nothing),
    ("tree node", Kind::Node, Nothing),
    ("tree item", Kind::Node, Nothing),
    ("frame", Kind::Frame, Nothing),
    ("iframe", Kind::Frame, Nothing),
    ("page", Kind::Page, Nothing),
    ("screen", Kind::Page, Nothing),
    ("view", Kind::Page, Nothing),
    ("webpage", Kind::Page, Nothing),
    ("web page", Kind::Page, Nothing),
    ("site", Kind::Page, Nothing),
    ("website", Kind::Page, Nothing),
    ("badge", Kind::Figure, Nothing),
    ("counter", Kind::Figure, Nothing),
    ("total", Kind::Figure, Word),
    ("subtotal", Kind::Figure, Word),
    ("element", Kind::Any, Nothing),
    ("control", Kind::Any, Nothing),
    ("component", Kind::Any, Nothing),
    ("thing", Kind::Any, Nothing),
    ("one", Kind::Any, Nothing),
];

/// Nouns for things of the application, which repeat; they say what sort of thing a quoted name belongs to.
const ENTITIES: &[&str] = &[
    "file", "folder", "category", "project", "order", "user", "customer", "task", "todo", "note", "person",
    "contact", "employee", "document", "post", "article", "comment", "book", "movie", "event", "invoice",
    "ticket", "issue", "game", "song", "course", "room", "team", "member", "question",
];

/// What stands beside a quoted name without telling more about it.
const PARTS: &[&str] =
    &["filter", "tag", "chip", "indicator", "step", "bar", "action", "command", "shortcut", "pill"];

/// What a noun beside a quoted name says.
pub(crate) fn beside_name(word: &str) -> Option<Kind> {
    if ENTITIES.contains(&word) {
        Some(Kind::Item)
    } else if PARTS.contains(&word) {
        Some(Kind::Any)
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
const LEADING: &[Kind] = &[
    Kind::Button,
    Kind::Link,
    Kind::Checkbox,
    Kind::Radio,
    Kind::Dropdown,
    Kind::MenuItem,
    Kind::Icon,
    Kind::Slider,
];

pub(crate) fn leads(kind: Kind) -> bool {
    LEADING.contains(&kind)
}

/// Things that can be operated: "Add button" is a button, while "Add item" is the name of one.
pub(crate) fn is_control(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Button
            | Kind::Link
            | Kind::Field
            | Kind::SearchField
            | Kind::PasswordField
            | Kind::Checkbox
            | Kind::Radio
            | Kind::Switch
            | Kind::Dropdown
            | Kind::Slider
            | Kind::DateField
            | Kind::FileField
            | Kind::Tab
            | Kind::Menu
            | Kind::MenuItem
            | Kind::Icon
            | Kind::Dialog
            | Kind::Form
            | Kind::Page
            | Kind::Section
            | Kind::Heading
            | Kind::ErrorMessage
            | Kind::SuccessMessage
            | Kind::WarningMessage
    )
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Noun {
    pub kind: Kind,
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

fn find(phrase: &str) -> Option<(Kind, Keeps)> {
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
