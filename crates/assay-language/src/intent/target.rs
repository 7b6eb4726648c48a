//! How a sentence names a part of a page.

use super::Matcher;

/// What a part of a page is called. All that is said of it must fit.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Target {
    /// As it was said, for messages.
    pub said: String,
    /// In quotation marks: to be found exactly so, but for case and blanks.
    pub quoted: Option<String>,
    /// Plain words that name it, in lower case, without articles and the word for its kind.
    pub words: Vec<String>,
    pub kind: Option<ElementKind>,
    pub ordinal: Option<Ordinal>,
    /// There must be just so many of them for the ordinal to mean anything: "both fields" are two and no more.
    pub among: Option<usize>,
    /// How its text must be: "the suggestion that ends with …".
    pub text: Option<Matcher>,
    pub state: Option<StateWord>,
    pub relations: Vec<Relation>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ordinal {
    /// From 1.
    Nth(usize),
    Last,
}

/// The word for what sort of thing it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ElementKind {
    Button,
    Link,
    /// Any field that takes text: "field", "box", "input", "text area".
    Field,
    SearchField,
    PasswordField,
    Checkbox,
    Radio,
    Switch,
    /// "dropdown", "select", "combobox", "list to choose from".
    Dropdown,
    Option,
    Slider,
    DateField,
    FileField,
    Tab,
    TabPanel,
    Menu,
    MenuItem,
    Row,
    Cell,
    Column,
    Table,
    List,
    ListItem,
    /// "card", "product", "item", "entry": something that repeats.
    Item,
    Icon,
    Image,
    Heading,
    Dialog,
    Form,
    /// "section", "panel", "area", "box" around things.
    Section,
    Header,
    Footer,
    Sidebar,
    Navigation,
    /// A word about what happened: "message", "notification", "toast".
    Message,
    ErrorMessage,
    SuccessMessage,
    WarningMessage,
    Label,
    /// "text", "paragraph".
    Text,
    Node,
    Frame,
    /// "page", "screen", "view".
    Page,
    /// "badge", "counter", "total".
    Figure,
    /// "element", "it", "thing".
    Any,
}

impl ElementKind {
    /// One of many alike: a row, an item, an entry of a list.
    pub(crate) fn is_entry(self) -> bool {
        matches!(self, ElementKind::Row | ElementKind::Item | ElementKind::ListItem)
    }

    /// Whether what is called so takes a value that is typed, set or chosen. What may be anything may be that.
    pub(crate) fn takes_a_value(self) -> bool {
        matches!(
            self,
            ElementKind::Field
                | ElementKind::SearchField
                | ElementKind::PasswordField
                | ElementKind::Dropdown
                | ElementKind::Slider
                | ElementKind::DateField
                | ElementKind::Any
        )
    }
}

/// A state that is part of the name ("the disabled button") or claimed of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StateWord {
    Visible,
    Hidden,
    /// It is in the page; not seen is enough.
    Exists,
    Enabled,
    Disabled,
    Checked,
    Unchecked,
    Selected,
    Focused,
    Expanded,
    Collapsed,
    Editable,
    ReadOnly,
    Required,
    Invalid,
    Empty,
    Pressed,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Relation {
    pub how: Nearness,
    pub to: Target,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Nearness {
    /// "next to", "beside", "near".
    NextTo,
    /// "in the row of", "in the row with": the anchor is in the same row, card or list entry.
    SameRow,
    Under,
    Above,
    LeftOf,
    RightOf,
    /// "in", "of", "inside", "within", "on": the anchor is around it.
    Inside,
    /// "for": the anchor names what it belongs to: its label, its row, its card.
    For,
    /// "with": the anchor is in it, or is its text.
    Containing,
    Between,
    After,
    Before,
}

impl Target {
    /// Neither words nor a quoted name: "the button", "the second row".
    pub fn is_nameless(&self) -> bool {
        self.words.is_empty() && self.quoted.is_none()
    }

    /// In words: `number 2 of button "Edit" same row "Ada"`.
    pub fn meaning(&self) -> String {
        let mut parts: Vec<String> = Vec::new();
        match self.ordinal {
            Some(Ordinal::Nth(number)) => parts.push(format!("number {number} of")),
            Some(Ordinal::Last) => parts.push("the last".to_string()),
            None => {}
        }
        if let Some(state) = self.state {
            parts.push(format!("{state:?}").to_lowercase());
        }
        if let Some(kind) = self.kind {
            parts.push(spaced(&format!("{kind:?}")));
        }
        if let Some(quoted) = &self.quoted {
            parts.push(format!("\"{quoted}\""));
        }
        if !self.words.is_empty() {
            parts.push(format!("({})", self.words.join(" ")));
        }
        if let Some(text) = &self.text {
            parts.push(format!("that {}", text.meaning()));
        }
        for relation in &self.relations {
            parts.push(format!("{} {}", spaced(&format!("{:?}", relation.how)), relation.to.meaning()));
        }
        parts.join(" ")
    }
}

impl StateWord {
    /// In words: `read only`.
    pub fn meaning(self) -> String {
        spaced(&format!("{self:?}"))
    }
}

/// "MenuItem" as "menu item".
fn spaced(name: &str) -> String {
    let mut words = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !words.is_empty() {
            words.push(' ');
        }
        words.extend(letter.to_lowercase());
    }
    words
}
