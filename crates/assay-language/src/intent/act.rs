//! The acts, with the pieces, the words and the form of each.

use assay_protocol::{Action, DropSide, EmulationChange, RouteReply};

use super::form::{FormProperty, SentenceForm, sentence_forms};
use super::piece::{Piece, PieceMut, TargetRole, TextRole, Unnamed};
use super::{Claim, Performance, SortOrder, Target};

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
        side: DropSide,
    },
    /// By a click on the head of a column, and another one where the first sorts the other way.
    Sort {
        by: String,
        order: SortOrder,
        /// How many clicks were made so far.
        tries: u8,
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
    /// "Go offline", "Set the clock to 1 March 2027": pages believe in another world.
    Emulate {
        change: EmulationChange,
        said: String,
        /// Controls that the same words would mean on a page that has them.
        rivals: Vec<Target>,
    },
    /// "The request to /api/cart fails with 500".
    Route {
        pattern: String,
        /// In upper case; none stands for any.
        method: Option<String>,
        reply: RouteReply,
        said: String,
    },
    /// "Requests to /api/cart work again". Without a pattern: all of them.
    Unroute {
        pattern: Option<String>,
        said: String,
    },
    /// "Archive the channel": a verb of the application.
    Perform(Box<Performance>),
    /// In order, with a new look at the page in between: the rest of an act that takes several commands.
    Sequence(Vec<Act>),
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

/// The pieces of each act. One list serves both visits.
macro_rules! pieces_of_act {
    ($act:expr, $piece:ident, $see:expr $(, $mutable:tt)?) => {
        match $act {
            Act::Go { to } => match to {
                Destination::Url(url) => $see($piece::Text(url, TextRole::Url)),
                Destination::Path(name) | Destination::Page(name) => $see($piece::Text(name, TextRole::Name)),
                Destination::Home => {}
            },
            Act::Click { target, .. }
            | Act::Open { target }
            | Act::Close { target }
            | Act::Expand { target }
            | Act::Collapse { target }
            | Act::Clear { target }
            | Act::Hover { target }
            | Act::Focus { target } => $see($piece::Target(target, TargetRole::Main)),
            Act::Check { targets, .. } => {
                for target in targets {
                    $see($piece::Target(target, TargetRole::Main));
                }
            }
            Act::Drag { what, to, .. } => {
                $see($piece::Target(what, TargetRole::Main));
                $see($piece::Target(to, TargetRole::Other));
            }
            Act::Sort { by, .. } => $see($piece::Text(by, TextRole::Name)),
            Act::Perform(performance) => {
                let Performance { object, name, fields, place, manner, .. } = &$($mutable)? **performance;
                $see($piece::Words(object));
                if let Some(name) = name {
                    $see($piece::Text(name, TextRole::Name));
                }
                for (field, value) in fields {
                    $see($piece::Text(field, TextRole::Name));
                    $see($piece::Text(value, TextRole::Value));
                }
                $see($piece::MaybeTarget(place, Unnamed::Anywhere));
                for words in manner {
                    $see($piece::Text(words, TextRole::Name));
                }
            }
            Act::Submit { target } | Act::Copy { target } => {
                $see($piece::MaybeTarget(target, Unnamed::OnlyOne))
            }
            Act::Upload { files, target } => {
                for file in files {
                    $see($piece::Text(file, TextRole::File));
                }
                $see($piece::MaybeTarget(target, Unnamed::OnlyOne));
            }
            Act::Enter { target, text } | Act::Append { target, text } => {
                $see($piece::MaybeTarget(target, Unnamed::Focus));
                $see($piece::Text(text, TextRole::Value));
            }
            Act::Press { keys, target } => {
                for key in keys {
                    $see($piece::Text(key, TextRole::Key));
                }
                $see($piece::MaybeTarget(target, Unnamed::Focus));
            }
            Act::Paste { target } => $see($piece::MaybeTarget(target, Unnamed::Focus)),
            Act::Choose { options, from } => {
                for option in options {
                    $see($piece::Text(option, TextRole::Name));
                }
                $see($piece::MaybeTarget(from, Unnamed::AnyList));
            }
            Act::Scroll { to } => match to {
                ScrollGoal::To(target) => $see($piece::Target(target, TargetRole::Other)),
                ScrollGoal::Until(claim) => $see($piece::Claim(claim)),
                ScrollGoal::Top | ScrollGoal::Bottom | ScrollGoal::Up | ScrollGoal::Down => {}
            },
            Act::SwitchTab { to } => match to {
                TabChoice::Named(name) => $see($piece::Text(name, TextRole::Name)),
                TabChoice::Number(_)
                | TabChoice::New
                | TabChoice::First
                | TabChoice::Last
                | TabChoice::Next
                | TabChoice::Previous => {}
            },
            Act::SwitchFrame { to } => $see($piece::MaybeTarget(to, Unnamed::WholePage)),
            Act::AnswerDialog { text, .. } => {
                if let Some(text) = text {
                    $see($piece::Text(text, TextRole::Name));
                }
            }
            Act::Wait { until } => match until {
                WaitGoal::Claim(claim) => $see($piece::Claim(claim)),
                WaitGoal::Seconds(_) | WaitGoal::Loaded => {}
            },
            Act::LogIn { user, password } => {
                $see($piece::Text(user, TextRole::Credential));
                if let Some(password) = password {
                    $see($piece::Text(password, TextRole::Credential));
                }
            }
            Act::Sequence(acts) => {
                for act in acts {
                    $see($piece::Act(act));
                }
            }
            // All of its words are in the change; no other rule has to look for a name among them.
            Act::Emulate { said, .. } | Act::Route { said, .. } | Act::Unroute { said, .. } => {
                $see($piece::Text(said, TextRole::Name))
            }
            Act::Back | Act::Forward | Act::Reload | Act::CloseTab | Act::LogOut | Act::TakeScreenshot => {}
        }
    };
}

impl Act {
    /// Shows each piece to `see`.
    pub fn visit<'a>(&'a self, see: &mut dyn FnMut(Piece<'a>)) {
        pieces_of_act!(self, Piece, see)
    }

    /// Shows each piece to `see`, which may change it.
    pub fn visit_mut(&mut self, see: &mut dyn FnMut(PieceMut<'_>)) {
        pieces_of_act!(self, PieceMut, see, mut)
    }

    /// The elements that it names.
    pub fn targets(&self) -> Vec<&Target> {
        let mut targets = Vec::new();
        self.visit(&mut |piece| match piece {
            Piece::Target(target, _) => targets.push(target),
            Piece::MaybeTarget(target, _) => targets.extend(target),
            Piece::Act(act) => targets.extend(act.targets()),
            Piece::Text(..) | Piece::Words(_) | Piece::Matcher(..) | Piece::Number(_) | Piece::Claim(_) => {}
        });
        targets
    }

    /// In words, for `assay run --dry-run`.
    pub fn meaning(&self) -> String {
        let on =
            |target: &Option<Target>| target.as_ref().map_or("what has the focus".into(), Target::meaning);
        match self {
            Act::Go { to: Destination::Url(url) } => format!("go to {url}"),
            Act::Go { to: Destination::Path(path) } => format!("go to {path} of the base address"),
            Act::Go { to: Destination::Page(name) } => format!("go to the page \"{name}\""),
            Act::Go { to: Destination::Home } => "go to the base address".to_string(),
            Act::Back => "go back".to_string(),
            Act::Forward => "go forward".to_string(),
            Act::Reload => "reload".to_string(),
            Act::Click { target, how } => {
                format!("click ({}) {}", format!("{how:?}").to_lowercase(), target.meaning())
            }
            Act::Open { target } => format!("open {}", target.meaning()),
            Act::Close { target } => format!("close {}", target.meaning()),
            Act::Expand { target } => format!("expand {}", target.meaning()),
            Act::Collapse { target } => format!("collapse {}", target.meaning()),
            Act::Submit { target } => {
                format!("submit {}", target.as_ref().map_or("the form".to_string(), Target::meaning))
            }
            Act::Enter { target, text } => format!("enter \"{text}\" into {}", on(target)),
            Act::Append { target, text } => format!("append \"{text}\" to {}", on(target)),
            Act::Clear { target } => format!("clear {}", target.meaning()),
            Act::Choose { options, from } => format!(
                "choose \"{}\"{}",
                options.join("\", \""),
                from.as_ref().map(|from| format!(" from {}", from.meaning())).unwrap_or_default()
            ),
            Act::Check { targets, to } => {
                let verb = match to {
                    Toggle::On => "check",
                    Toggle::Off => "uncheck",
                    Toggle::Other => "toggle",
                };
                let all: Vec<String> = targets.iter().map(Target::meaning).collect();
                format!("{verb} {}", all.join(" and "))
            }
            Act::Press { keys, target } => format!(
                "press {}{}",
                keys.join(", "),
                target.as_ref().map(|target| format!(" on {}", target.meaning())).unwrap_or_default()
            ),
            Act::Hover { target } => format!("hover over {}", target.meaning()),
            Act::Focus { target } => format!("focus {}", target.meaning()),
            Act::Drag { what, to, side } => {
                let side = match side {
                    DropSide::On => "to",
                    DropSide::Above => "above",
                    DropSide::Below => "below",
                };
                format!("drag {} {side} {}", what.meaning(), to.meaning())
            }
            Act::Perform(performance) => performance.meaning(),
            Act::Sort { by, order, .. } => {
                format!("sort by \"{by}\", {}", format!("{order:?}").to_lowercase())
            }
            Act::Scroll { to } => match to {
                ScrollGoal::Top => "scroll to the top".to_string(),
                ScrollGoal::Bottom => "scroll to the bottom".to_string(),
                ScrollGoal::Up => "scroll up".to_string(),
                ScrollGoal::Down => "scroll down".to_string(),
                ScrollGoal::To(target) => format!("scroll to {}", target.meaning()),
                ScrollGoal::Until(claim) => format!("scroll until {}", claim.meaning()),
            },
            Act::Copy { target } => format!("copy from {}", on(target)),
            Act::Paste { target } => format!("paste into {}", on(target)),
            Act::Upload { files, target } => format!(
                "upload {} to {}",
                files.join(", "),
                target.as_ref().map_or("the file field".to_string(), Target::meaning)
            ),
            Act::SwitchTab { to } => format!("switch to a tab: {to:?}"),
            Act::CloseTab => "close the tab".to_string(),
            Act::SwitchFrame { to } => {
                format!("go on in {}", to.as_ref().map_or("the page itself".to_string(), Target::meaning))
            }
            Act::AnswerDialog { accept: true, text } => format!(
                "accept the browser's dialog{}",
                text.as_ref().map(|text| format!(" with \"{text}\"")).unwrap_or_default()
            ),
            Act::AnswerDialog { accept: false, .. } => "dismiss the browser's dialog".to_string(),
            Act::Wait { until: WaitGoal::Seconds(seconds) } => format!("wait {seconds} s"),
            Act::Wait { until: WaitGoal::Claim(claim) } => format!("wait until {}", claim.meaning()),
            Act::Wait { until: WaitGoal::Loaded } => "wait until the page is loaded".to_string(),
            Act::LogIn { user, .. } if user.is_empty() => "log in with the password given".to_string(),
            Act::LogIn { user, password } => format!(
                "log in as \"{user}\"{}",
                if password.is_some() { " with the password given" } else { "" }
            ),
            Act::LogOut => "log out".to_string(),
            Act::TakeScreenshot => "take a screenshot".to_string(),
            Act::Emulate { change, .. } => Action::Emulate { change: change.clone() }.command_line(),
            Act::Route { pattern, method, reply, .. } => {
                Action::Route { pattern: pattern.clone(), method: method.clone(), reply: reply.clone() }
                    .command_line()
            }
            Act::Unroute { pattern, .. } => Action::Unroute { pattern: pattern.clone() }.command_line(),
            Act::Sequence(acts) => acts.iter().map(Act::meaning).collect::<Vec<_>>().join(", then "),
        }
    }
}

sentence_forms! { FORMS, Act:
    Act::Go { to: Destination::Url(_) | Destination::Path(_) } => "go to an address", "open an address",
        ["Go to /settings", "Open https://example.org"], [FormProperty::NeedsNoPage];
    Act::Go { to: Destination::Page(_) } => "go to a page", "open a page by its name",
        ["Navigate to the login page", "Go to the Settings page"], [];
    Act::Go { to: Destination::Home } => "go home", "open the start page",
        ["Go to the home page"], [FormProperty::NeedsNoPage];
    Act::Back => "back", "go back", ["Go back"], [FormProperty::NeedsNoPage];
    Act::Forward => "forward", "go forward", ["Go forward"], [FormProperty::NeedsNoPage];
    Act::Reload => "reload", "reload the page", ["Reload", "Refresh the page"], [FormProperty::NeedsNoPage];
    Act::Click { how: ClickKind::Single, .. } => "click", "click",
        ["Click \"Save\"", "Click the login button", "Click \"Edit\" in the row of \"Ada\""],
        [FormProperty::Antecedent];
    Act::Click { how: ClickKind::Double | ClickKind::Right | ClickKind::Middle, .. } =>
        "special click", "double-click, right-click or middle-click",
        ["Double-click the second row", "Right-click the file \"notes.txt\"", "Middle-click the \"Help\" link"],
        [FormProperty::Antecedent];
    Act::Open { .. } => "open", "open a menu, a dialog or an entry of a list",
        ["Open the user menu", "Open the second message"], [FormProperty::Antecedent];
    Act::Close { .. } => "close", "close a dialog, a menu or a message", ["Close the dialog"], [];
    Act::Expand { .. } => "expand", "expand a section", ["Expand the \"Details\" section"],
        [FormProperty::Antecedent];
    Act::Collapse { .. } => "collapse", "collapse a section", ["Collapse the \"Details\" section"],
        [FormProperty::Antecedent];
    Act::Enter { .. } => "enter", "fill a field of any kind",
        ["Enter \"Ada\" in the name field", "Set the quantity to 3", "Fill in the date with 2026-05-01"],
        [FormProperty::Antecedent, FormProperty::KeepsPlace];
    Act::Append { .. } => "append", "add to the text of a field", ["Append \"!\" to the message field"],
        [FormProperty::Antecedent, FormProperty::KeepsPlace];
    Act::Clear { .. } => "clear", "empty a field", ["Clear the search box"],
        [FormProperty::Antecedent, FormProperty::KeepsPlace];
    Act::Choose { .. } => "choose", "choose from a list or a group of radio buttons",
        ["Select \"France\" from the Country dropdown", "Choose \"Express\" under \"Shipping\""],
        [FormProperty::Antecedent];
    Act::Check { to: Toggle::On, .. } => "check", "tick a checkbox, turn on a switch",
        ["Check \"I agree\"", "Turn on the \"Newsletter\" switch"],
        [FormProperty::Antecedent, FormProperty::KeepsPlace];
    Act::Check { to: Toggle::Off, .. } => "uncheck", "untick a checkbox, turn off a switch",
        ["Uncheck \"Remember me\"", "Switch off dark mode"], [FormProperty::Antecedent, FormProperty::KeepsPlace];
    Act::Check { to: Toggle::Other, .. } => "toggle", "flip a switch",
        ["Toggle the \"Newsletter\" switch"], [FormProperty::Antecedent, FormProperty::KeepsPlace];
    Act::Submit { .. } => "submit", "submit a form without naming its button", ["Submit the form"],
        [FormProperty::Antecedent];
    Act::Press { .. } => "press", "press keys", ["Press Enter", "Press Ctrl+A", "Press Tab twice"], [];
    Act::Hover { .. } => "hover", "hover", ["Hover over the \"Products\" menu"],
        [FormProperty::Antecedent];
    Act::Focus { .. } => "focus", "put the focus on a field", ["Focus the search field"],
        [FormProperty::Antecedent, FormProperty::KeepsPlace];
    Act::Sort { .. } => "sort", "sort a table by a column",
        ["Sort the table by price in descending order"], [];
    Act::Perform(_) => "the application's own verbs", "do what the application has a button for",
        ["Join the meeting", "Create a project named \"Alpha\"", "Edit the first post"], [];
    Act::Drag { .. } => "drag", "drag something",
        ["Drag \"Task 1\" to the \"Done\" column", "Drag \"Item 1\" below \"Item 4\""],
        [FormProperty::Antecedent];
    Act::Scroll { to: ScrollGoal::Top | ScrollGoal::Bottom | ScrollGoal::Up | ScrollGoal::Down } =>
        "scroll", "scroll", ["Scroll to the bottom of the page", "Scroll down"], [FormProperty::NeedsNoPage];
    Act::Scroll { to: ScrollGoal::To(_) } => "scroll to", "bring something into view",
        ["Scroll to the \"Comments\" section"], [];
    Act::Scroll { to: ScrollGoal::Until(_) } => "scroll until", "scroll until something is true",
        ["Scroll down until \"Contact us\" is visible"], [FormProperty::NeedsNoPage];
    Act::Copy { .. } => "copy", "copy", ["Copy the order number"], [];
    Act::Paste { .. } => "paste", "paste", ["Paste it into the name field"],
        [FormProperty::KeepsPlace, FormProperty::Pastes];
    Act::Upload { .. } => "upload", "upload files",
        ["Upload \"report.pdf\"", "Upload \"photo.png\" to the avatar field"], [FormProperty::KeepsPlace];
    Act::SwitchTab { .. } => "switch tab", "go to another tab of the browser",
        ["Switch to the new tab", "Switch to tab 2", "Switch to the first tab"], [FormProperty::SuitsOpenDialog];
    Act::CloseTab => "close tab", "close the tab", ["Close the tab"], [FormProperty::SuitsOpenDialog];
    Act::SwitchFrame { .. } => "switch frame", "go into a frame and out of it",
        ["Switch to the \"payment\" frame", "Switch to the main frame"], [];
    Act::AnswerDialog { accept: true, .. } => "accept", "accept a dialog of the browser",
        ["Accept the alert", "Enter \"Ada\" into the prompt"], [FormProperty::SuitsOpenDialog];
    Act::AnswerDialog { accept: false, .. } => "dismiss", "dismiss a dialog of the browser",
        ["Dismiss the alert"], [FormProperty::SuitsOpenDialog];
    Act::Wait { until: WaitGoal::Claim(_) } => "wait until", "wait until something is true",
        ["Wait until the Save button is enabled", "Wait for the spinner to disappear"],
        [FormProperty::SuitsOpenDialog, FormProperty::NeedsNoPage];
    Act::Wait { until: WaitGoal::Loaded } => "wait for the page", "wait until the page is loaded",
        ["Wait for the page to load"], [FormProperty::SuitsOpenDialog, FormProperty::NeedsNoPage];
    Act::Wait { until: WaitGoal::Seconds(_) } => "wait", "wait for a time", ["Wait 2 seconds"],
        [FormProperty::SuitsOpenDialog, FormProperty::NeedsNoPage];
    Act::LogIn { .. } => "log in", "log in", ["Log in as \"ada\" with password \"secret\""], [];
    Act::LogOut => "log out", "log out", ["Log out"], [];
    Act::TakeScreenshot => "screenshot", "take a screenshot", ["Take a screenshot"],
        [FormProperty::SuitsOpenDialog, FormProperty::NeedsNoPage];
    Act::Emulate { change: EmulationChange::Clock(_), .. } => "clock", "set the clock of the page, let time pass",
        ["Set the clock to 1 March 2027", "Set the clock to 2027-03-01 09:30", "Advance the clock by 5 minutes"],
        [FormProperty::KeepsPlace, FormProperty::NeedsNoPage];
    Act::Emulate { change: EmulationChange::Offline { .. }, .. } => "offline", "cut the network, and bring it back",
        ["Go offline", "Go back online"], [FormProperty::KeepsPlace, FormProperty::NeedsNoPage];
    Act::Emulate { change: EmulationChange::Network { .. }, .. } => "network", "slow the network down",
        ["Use a slow 3G network", "Set the network to normal"],
        [FormProperty::KeepsPlace, FormProperty::NeedsNoPage];
    Act::Emulate { change: EmulationChange::Device { .. }, .. } => "device", "be another device",
        ["Emulate a Pixel 9", "Use the device \"iPhone 16\""], [FormProperty::NeedsNoPage];
    Act::Emulate { change: EmulationChange::Media { .. }, .. } => "media", "prefer colors or less motion",
        ["Emulate dark mode", "Prefer a light color scheme", "Prefer reduced motion"],
        [FormProperty::KeepsPlace, FormProperty::NeedsNoPage];
    Act::Emulate {
        change: EmulationChange::Locale { .. } | EmulationChange::Timezone { .. } | EmulationChange::Geolocation(_),
        ..
    } => "place", "be in another country",
        ["Set the locale to de-DE", "Set the time zone to Europe/Madrid", "Set the location to 40.4, -3.7"],
        [FormProperty::KeepsPlace, FormProperty::NeedsNoPage];
    Act::Emulate { change: EmulationChange::Reset, .. } => "stop emulating", "emulate nothing any more",
        ["Stop emulating"], [FormProperty::NeedsNoPage];
    Act::Route { .. } => "answer requests", "answer requests in the server's place",
        ["The request to /api/cart fails with 500", "Let requests to **/api/cart fail with status 503",
         "Requests to /api/cart are aborted"],
        [FormProperty::KeepsPlace, FormProperty::NeedsNoPage];
    Act::Unroute { .. } => "let requests through", "let requests reach the server again",
        ["Requests to /api/cart work again", "All requests work again"],
        [FormProperty::KeepsPlace, FormProperty::NeedsNoPage];
    // Made while an act is grounded; no sentence is read as one.
    Act::Sequence(_) => "sequence", "do several acts", [], [FormProperty::SuitsOpenDialog, FormProperty::Unlisted];
}
