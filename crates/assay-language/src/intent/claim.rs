//! The claims, with the pieces, the words and the form of each.

use super::form::{FormProperty, SentenceForm, sentence_forms};
use super::piece::{MatcherRole, Piece, PieceMut, TargetRole, TextRole, Unnamed};
use super::{Matcher, NumberIs, StateWord, Target};

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
    /// "the order is archived", `is marked as "shared"`: a word of the application that the record bears.
    Marked {
        target: Target,
        word: String,
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
    /// Each of several things has a text or is in a state, and there is at least one of them.
    Each {
        of: Target,
        is: EachIs,
        /// How many there must be: "both" are two.
        among: Option<usize>,
        /// "All rows", against "the rows", which may mean some of them.
        outright: bool,
    },
    /// "the cart contains only "Lamp"".
    Only {
        place: Option<Target>,
        texts: Vec<String>,
    },
    /// `"A", "B" and "C" in that order`.
    InOrder {
        place: Option<Target>,
        texts: Vec<String>,
    },
    /// `"Lamp" appears twice`.
    Times {
        text: String,
        place: Option<Target>,
        count: NumberIs,
    },
    /// "two options are selected: A and B".
    Chosen {
        target: Target,
        options: Vec<String>,
    },
    /// A value is another one than before the acts.
    Changed {
        target: Target,
        how: ChangeIs,
    },
    /// Somebody is logged in, as far as the page shows it.
    LoggedIn,
    /// A tab was opened by the acts.
    NewTab,
    /// A file was downloaded by the acts.
    Download {
        name: Option<String>,
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

/// How a value changes.
#[derive(Debug, Clone, PartialEq)]
pub enum ChangeIs {
    Different,
    /// By so much more, or less where it is negative.
    By(f64),
    FromTo(Matcher, Matcher),
    More,
    Less,
}

/// What is claimed of each of several things.
#[derive(Debug, Clone, PartialEq)]
pub enum EachIs {
    Text(Matcher),
    State(StateWord),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SortOrder {
    Ascending,
    Descending,
}

/// The pieces of each claim. One list serves both visits.
macro_rules! pieces_of_claim {
    ($about:expr, $piece:ident, $see:expr) => {
        match $about {
            About::Text { text, place } => {
                $see($piece::Matcher(text, MatcherRole::Shown));
                $see($piece::MaybeTarget(place, Unnamed::Anywhere));
            }
            About::Message { text, topic, .. } => {
                if let Some(text) = text {
                    $see($piece::Matcher(text, MatcherRole::Message));
                }
                $see($piece::Words(topic));
            }
            About::Title { text } => $see($piece::Matcher(text, MatcherRole::Shown)),
            About::Url { text } => $see($piece::Matcher(text, MatcherRole::Address)),
            About::Page { name } => $see($piece::Text(name, TextRole::Name)),
            About::State { target, .. } => $see($piece::Target(target, TargetRole::Main)),
            About::Value { target, text } => {
                $see($piece::Target(target, TargetRole::Main));
                $see($piece::Matcher(text, MatcherRole::Shown));
            }
            About::Count { target, count } => {
                $see($piece::Target(target, TargetRole::Main));
                $see($piece::Number(count));
            }
            About::Cell { row, column, text } => {
                $see($piece::Target(row, TargetRole::Main));
                $see($piece::Text(column, TextRole::Name));
                $see($piece::Matcher(text, MatcherRole::Shown));
            }
            About::Marked { target, word } => {
                $see($piece::Target(target, TargetRole::Main));
                $see($piece::Text(word, TextRole::Name));
            }
            About::Sorted { of, by, .. } => {
                $see($piece::MaybeTarget(of, Unnamed::WholePage));
                if let Some(by) = by {
                    $see($piece::Text(by, TextRole::Name));
                }
            }
            About::Before { first, second } => {
                $see($piece::Target(first, TargetRole::Other));
                $see($piece::Target(second, TargetRole::Other));
            }
            About::Each { of, is, .. } => {
                $see($piece::Target(of, TargetRole::Main));
                if let EachIs::Text(text) = is {
                    $see($piece::Matcher(text, MatcherRole::Shown));
                }
            }
            About::Only { place, texts } | About::InOrder { place, texts } => {
                $see($piece::MaybeTarget(place, Unnamed::Anywhere));
                for text in texts {
                    $see($piece::Text(text, TextRole::Name));
                }
            }
            About::Times { text, place, count } => {
                $see($piece::Text(text, TextRole::Name));
                $see($piece::MaybeTarget(place, Unnamed::Anywhere));
                $see($piece::Number(count));
            }
            About::Chosen { target, options } => {
                $see($piece::Target(target, TargetRole::Main));
                for option in options {
                    $see($piece::Text(option, TextRole::Name));
                }
            }
            About::Changed { target, how } => {
                $see($piece::Target(target, TargetRole::Main));
                if let ChangeIs::FromTo(from, to) = how {
                    $see($piece::Matcher(from, MatcherRole::Shown));
                    $see($piece::Matcher(to, MatcherRole::Shown));
                }
            }
            About::Download { name } => {
                if let Some(name) = name {
                    $see($piece::Text(name, TextRole::Name));
                }
            }
            About::LoggedIn | About::NewTab => {}
            About::BrowserDialog { text } => {
                if let Some(text) = text {
                    $see($piece::Matcher(text, MatcherRole::Message));
                }
            }
            About::Unknown { .. } => {}
        }
    };
}

impl About {
    /// Shows each piece to `see`.
    pub fn visit<'a>(&'a self, see: &mut dyn FnMut(Piece<'a>)) {
        pieces_of_claim!(self, Piece, see)
    }

    /// Shows each piece to `see`, which may change it.
    pub fn visit_mut(&mut self, see: &mut dyn FnMut(PieceMut<'_>)) {
        pieces_of_claim!(self, PieceMut, see)
    }
}

impl Claim {
    /// In words, for `assay run --dry-run`.
    pub fn meaning(&self) -> String {
        let not = if self.negated { "not: " } else { "" };
        let that = |text: &Option<Matcher>| {
            text.as_ref().map(|text| format!(" that {}", text.meaning())).unwrap_or_default()
        };
        let about = match &self.about {
            About::Text { text, place } => format!(
                "the page shows a text that {}{}",
                text.meaning(),
                place.as_ref().map(|place| format!(", in {}", place.meaning())).unwrap_or_default()
            ),
            About::Message { tone, text, topic } => {
                let tone = match tone {
                    Tone::Any => "",
                    Tone::Error => "error ",
                    Tone::Success => "success ",
                    Tone::Warning => "warning ",
                };
                let topic =
                    if topic.is_empty() { String::new() } else { format!(" about {}", topic.join(" ")) };
                format!("the page shows a {tone}message{}{topic}", that(text))
            }
            About::Title { text } => format!("the title {}", text.meaning()),
            About::Url { text } => format!("the address {}", text.meaning()),
            About::Page { name } => format!("the page is \"{name}\""),
            About::State { target, state } => format!("{} is {}", target.meaning(), state.meaning()),
            About::Value { target, text } => format!("{} {}", target.meaning(), text.meaning()),
            About::Count { target, count } => {
                format!("there are {} of {}", count.meaning(), target.meaning())
            }
            About::Cell { row, column, text } => {
                format!("in the row of {}, the column \"{column}\" {}", row.meaning(), text.meaning())
            }
            About::Marked { target, word } => format!("{} is marked as \"{word}\"", target.meaning()),
            About::Sorted { by, order, .. } => format!(
                "sorted {}{}",
                by.as_ref().map(|by| format!("by {by}, ")).unwrap_or_default(),
                format!("{order:?}").to_lowercase()
            ),
            About::Before { first, second } => {
                format!("{} comes before {}", first.meaning(), second.meaning())
            }
            About::Each { of, is, among, outright } => {
                let number = match (among, outright) {
                    (Some(number), _) => format!("each of the {number}"),
                    (None, true) => "each one".to_string(),
                    (None, false) => "each or most".to_string(),
                };
                let is = match is {
                    EachIs::Text(text) => text.meaning(),
                    EachIs::State(state) => format!("is {}", state.meaning()),
                };
                format!("{number} of {} {is}", of.meaning())
            }
            About::Only { place, texts } => {
                format!("nothing but {} is listed{}", quoted(texts), inside(place))
            }
            About::InOrder { place, texts } => {
                format!("one after the other{}: {}", inside(place), quoted(texts))
            }
            About::Times { text, place, count } => {
                format!("the page shows \"{text}\" {} times{}", count.meaning(), inside(place))
            }
            About::Chosen { target, options } => {
                format!("of {} are chosen: {}", target.meaning(), options.join(", "))
            }
            About::Changed { target, how } => {
                let how = match how {
                    ChangeIs::Different => "is another value than before".to_string(),
                    ChangeIs::By(number) => format!("is {number} more than before"),
                    ChangeIs::FromTo(from, to) => {
                        format!("before: {}, now: {}", from.meaning(), to.meaning())
                    }
                    ChangeIs::More => "is more than before".to_string(),
                    ChangeIs::Less => "is less than before".to_string(),
                };
                format!("{} {how}", target.meaning())
            }
            About::LoggedIn => "somebody is logged in".to_string(),
            About::NewTab => "a new tab is open".to_string(),
            About::Download { name } => match name {
                Some(name) => format!("the file \"{name}\" was downloaded"),
                None => "a file was downloaded".to_string(),
            },
            About::BrowserDialog { text } => format!("a dialog of the browser is open{}", that(text)),
            About::Unknown { why } => return format!("cannot be judged: {why}"),
        };
        format!("claim: {not}{about}")
    }
}

fn quoted(texts: &[String]) -> String {
    let quoted: Vec<String> = texts.iter().map(|text| format!("\"{text}\"")).collect();
    quoted.join(", ")
}

fn inside(place: &Option<Target>) -> String {
    place.as_ref().map(|place| format!(", in {}", place.meaning())).unwrap_or_default()
}

sentence_forms! { FORMS, About:
    About::Text { .. } => "text", "a text is shown or not, anywhere or in one place",
        ["I should see \"Hello\"", "The text \"Total\" is visible in the footer", "\"Error\" is not shown"], [];
    About::Message { .. } => "message", "a message appears: an error, a success, a warning",
        ["A success message appears", "An error message about the password is shown",
         "A message says \"Saved\""], [];
    About::Page { .. } => "page", "you are on a page",
        ["The dashboard is displayed", "I am redirected to the login page"], [FormProperty::AboutWholePage];
    About::Title { .. } => "title", "the page has a certain title",
        ["The page title is \"Home\"", "The title contains \"Orders\""],
        [FormProperty::AboutWholePage, FormProperty::BesidePage];
    About::Url { .. } => "address", "the page has a certain address",
        ["The URL contains \"/orders\"", "The URL ends with \"/cart\""],
        [FormProperty::AboutWholePage, FormProperty::BesidePage];
    About::State { state: StateWord::Visible | StateWord::Hidden | StateWord::Exists, .. } =>
        "presence", "an element is there or not",
        ["The Save button is visible", "The \"Details\" dialog is not shown", "The spinner disappears"],
        [FormProperty::Antecedent];
    About::State { state: StateWord::Enabled | StateWord::Disabled | StateWord::Editable
            | StateWord::ReadOnly | StateWord::Required | StateWord::Invalid, .. } =>
        "usability", "an element is enabled, disabled, read-only, required or invalid",
        ["The Save button is disabled", "The name field is read-only", "The email field is required"],
        [FormProperty::Antecedent];
    About::State { state: StateWord::Checked | StateWord::Unchecked | StateWord::Selected
            | StateWord::Pressed, .. } =>
        "tick", "a checkbox, an option, a tab or a switch is on or off",
        ["The \"Remember me\" checkbox is checked", "The \"Billing\" tab is selected"], [FormProperty::Antecedent];
    About::State { state: StateWord::Expanded | StateWord::Collapsed, .. } =>
        "fold", "a section or a menu is open or closed",
        ["The \"Details\" section is expanded", "The \"Filters\" panel is collapsed"], [FormProperty::Antecedent];
    About::State { state: StateWord::Focused, .. } => "focus", "a field has the focus",
        ["The search field is focused"], [FormProperty::Antecedent];
    About::State { state: StateWord::Empty, .. } => "emptiness", "a field or a list is empty",
        ["The name field is empty", "The cart is not empty"], [FormProperty::Antecedent];
    About::Value { .. } => "value", "a field or an element has a certain value or text",
        ["The email field contains \"ada@example.com\"", "The total is $30.00", "The price is at least 5"],
        [FormProperty::Antecedent];
    About::Count { .. } => "count", "there is a certain number of something",
        ["The table has 3 rows", "At least 5 products are displayed", "The list has more than 3 items"], [];
    About::Cell { .. } => "cell", "a row of a table has a certain value",
        ["Row \"Ada\" has status \"Active\"", "The price in the row of \"Lamp\" is 12"], [];
    About::Marked { .. } => "mark", "a record bears a word of the application",
        ["The order \"A-7\" is archived", "The article \"News\" is marked as \"shared\""], [FormProperty::Antecedent];
    About::Sorted { .. } => "sorted", "a list is sorted",
        ["The products are sorted by price", "The names are in alphabetical order"], [];
    About::Before { .. } => "before", "one thing comes before another",
        ["\"Apple\" comes before \"Banana\""], [];
    About::Each { .. } => "each", "each of several things has a text or a state",
        ["All results contain \"Lamp\"", "Every row shows \"Active\"", "Both fields are empty"], [];
    About::Only { .. } => "only", "a list has certain entries and no others",
        ["The cart contains only \"Lamp\"", "Only \"Lamp\" is listed in the results"], [];
    About::InOrder { .. } => "in order", "texts follow one another",
        ["The list shows \"A\", \"B\" and \"C\" in that order"], [];
    About::Times { .. } => "times", "a text is shown a certain number of times",
        ["\"Lamp\" appears twice", "\"Sold out\" is shown exactly 3 times in the list"], [];
    About::Chosen { .. } => "chosen", "a list has certain options chosen",
        ["\"France\" is selected in the Country dropdown"], [];
    About::Changed { .. } => "change", "a value changes",
        ["The total increases by 10", "The counter goes from 3 to 4", "The price has changed"],
        [FormProperty::Antecedent];
    About::LoggedIn => "logged in", "somebody is logged in or out",
        ["The user is logged in", "The user is logged out"], [FormProperty::AboutWholePage];
    About::NewTab => "new tab", "a tab is opened", ["A new tab is opened"],
        [FormProperty::AboutWholePage, FormProperty::BesidePage];
    About::Download { .. } => "download", "a file is downloaded",
        ["A file is downloaded", "The file \"report.pdf\" is downloaded"],
        [FormProperty::AboutWholePage, FormProperty::BesidePage];
    About::BrowserDialog { .. } => "browser dialog", "a dialog of the browser is open",
        ["A browser dialog is open", "An alert dialog with \"Really delete?\" is shown"], [FormProperty::BesidePage];
    About::Unknown { .. } => "unknown", "something that assay cannot judge",
        ["The background is blue", "The page loads quickly"],
        [FormProperty::AboutWholePage, FormProperty::BesidePage, FormProperty::Unlisted];
}
