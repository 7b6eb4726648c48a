//! What a sentence means, before any page was looked at.

/// One thing that a sentence asks for. A sentence may hold several: "Type X and press Enter".
#[derive(Debug, Clone, PartialEq)]
pub enum Intent {
    Act(Act),
    Claim(Claim),
}

#[derive(Debug, Clone, PartialEq)]
pub enum Act {
    Go {
        to: Destination,
    },
    Back,
    Forward,
    Reload,
    Click {
        target: Target,
        how: ClickKind,
    },
    /// "Open the menu", "open the second message": what that takes depends on what it is.
    Open {
        target: Target,
    },
    /// "Close the dialog".
    Close {
        target: Target,
    },
    Expand {
        target: Target,
    },
    Collapse {
        target: Target,
    },
    /// "Submit the form", "search": no button is named.
    Submit {
        target: Option<Target>,
    },
    /// Into a field; what kind of field (text, date, slider, list) is seen on the page. Without a target: where the
    /// focus is.
    Enter {
        target: Option<Target>,
        text: String,
    },
    /// Adds to what is there: "append", "add … to the text".
    Append {
        target: Option<Target>,
        text: String,
    },
    Clear {
        target: Target,
    },
    /// From a list, a combobox, a group of radio buttons.
    Choose {
        options: Vec<String>,
        from: Option<Target>,
    },
    Check {
        targets: Vec<Target>,
        to: Toggle,
    },
    Press {
        keys: Vec<String>,
        target: Option<Target>,
    },
    Hover {
        target: Target,
    },
    Focus {
        target: Target,
    },
    Drag {
        what: Target,
        to: Target,
    },
    Scroll {
        to: ScrollGoal,
    },
    Copy {
        target: Option<Target>,
    },
    Paste {
        target: Option<Target>,
    },
    Upload {
        files: Vec<String>,
        target: Option<Target>,
    },
    SwitchTab {
        to: TabChoice,
    },
    CloseTab,
    /// None is the page itself.
    SwitchFrame {
        to: Option<Target>,
    },
    AnswerDialog {
        accept: bool,
        text: Option<String>,
    },
    Wait {
        until: WaitGoal,
    },
    LogIn {
        user: String,
        password: Option<String>,
    },
    LogOut,
    TakeScreenshot,
    /// One after the other, the page looked at anew between: what is left of an act that takes several commands.
    Sequence(Vec<Act>),
}

impl Act {
    /// The elements that it names.
    pub fn targets(&self) -> Vec<&Target> {
        match self {
            Act::Click { target, .. }
            | Act::Open { target }
            | Act::Close { target }
            | Act::Expand { target }
            | Act::Collapse { target }
            | Act::Clear { target }
            | Act::Hover { target }
            | Act::Focus { target }
            | Act::Scroll { to: ScrollGoal::To(target) } => vec![target],
            Act::Submit { target }
            | Act::Enter { target, .. }
            | Act::Append { target, .. }
            | Act::Choose { from: target, .. }
            | Act::Press { target, .. }
            | Act::Copy { target }
            | Act::Paste { target }
            | Act::Upload { target, .. }
            | Act::SwitchFrame { to: target } => target.iter().collect(),
            Act::Check { targets, .. } => targets.iter().collect(),
            Act::Drag { what, to } => vec![what, to],
            Act::Sequence(acts) => acts.iter().flat_map(Act::targets).collect(),
            Act::Go { .. }
            | Act::Back
            | Act::Forward
            | Act::Reload
            | Act::Scroll { .. }
            | Act::SwitchTab { .. }
            | Act::CloseTab
            | Act::AnswerDialog { .. }
            | Act::Wait { .. }
            | Act::LogIn { .. }
            | Act::LogOut
            | Act::TakeScreenshot => Vec::new(),
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub enum Destination {
    Url(String),
    /// Begins with `/`.
    Path(String),
    /// "the login page": the words before "page", without the article.
    Page(String),
    /// "the home page", "the start page".
    Home,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClickKind {
    Single,
    Double,
    Right,
    Middle,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Toggle {
    On,
    Off,
    Other,
}

#[derive(Debug, Clone, PartialEq)]
pub enum ScrollGoal {
    Top,
    Bottom,
    Up,
    Down,
    To(Target),
    Until(Box<Claim>),
}

#[derive(Debug, Clone, PartialEq)]
pub enum TabChoice {
    /// From 1.
    Number(usize),
    New,
    First,
    Last,
    Next,
    Previous,
    /// By words of its title or address.
    Named(String),
}

#[derive(Debug, Clone, PartialEq)]
pub enum WaitGoal {
    Seconds(f64),
    /// Until the claim holds; "until X disappears" is a negated claim.
    Claim(Box<Claim>),
    /// "for the page to load".
    Loaded,
}

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

/// What should be so.
#[derive(Debug, Clone, PartialEq)]
pub struct Claim {
    /// The part of the sentence that says it.
    pub said: String,
    /// "is not shown", "no error appears".
    pub negated: bool,
    /// "still", "remains", "stays", "no longer", "is refused": it may hold from the beginning.
    pub stays: bool,
    pub about: About,
}

#[derive(Debug, Clone, PartialEq)]
pub enum About {
    /// A text is shown, in a place or anywhere on the page.
    Text {
        text: Matcher,
        place: Option<Target>,
    },
    /// A message that says it: quoted, or only what it is about ("an error message about the password").
    Message {
        tone: Tone,
        text: Option<Matcher>,
        topic: Vec<String>,
    },
    Title {
        text: Matcher,
    },
    Url {
        text: Matcher,
    },
    /// "the dashboard page is displayed", "is redirected to the login page", "the dashboard loads".
    Page {
        name: String,
    },
    State {
        target: Target,
        state: StateWord,
    },
    /// What a field holds, or what an element says.
    Value {
        target: Target,
        text: Matcher,
    },
    Count {
        target: Target,
        count: NumberIs,
    },
    /// "the price in the row of Lamp is 12", "the Status column of order 7 shows Paid".
    Cell {
        row: Target,
        column: String,
        text: Matcher,
    },
    /// "sorted by price", "in alphabetical order".
    Sorted {
        of: Option<Target>,
        by: Option<String>,
        order: SortOrder,
    },
    /// "A comes before B".
    Before {
        first: Target,
        second: Target,
    },
    /// "two options are selected: A and B".
    Chosen {
        target: Target,
        options: Vec<String>,
    },
    /// A dialog of the browser is open.
    BrowserDialog {
        text: Option<Matcher>,
    },
    /// Nothing that can be judged: always inconclusive, never true.
    Unknown {
        why: String,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    Any,
    Error,
    Success,
    Warning,
}

/// How a text must be. Case and runs of blanks do not count, but for `Pattern`.
#[derive(Debug, Clone, PartialEq)]
pub enum Matcher {
    Contains(String),
    Equals(String),
    StartsWith(String),
    EndsWith(String),
    /// A regular expression.
    Pattern(String),
    /// The text is, or has in it, one number, which is so.
    Number(NumberIs),
    Empty,
    /// Not quoted: all these words, in any order.
    Words(Vec<String>),
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum NumberIs {
    Exactly(f64),
    AtLeast(f64),
    AtMost(f64),
    MoreThan(f64),
    LessThan(f64),
    Between(f64, f64),
    /// "several", "some".
    AtLeastOne,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SortOrder {
    Ascending,
    Descending,
}

/// Why a sentence was not understood, and what would be.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("not understood: {why}")]
pub struct NotUnderstood {
    pub why: String,
    /// Sentences like it that are understood.
    pub instead: Vec<String>,
}
