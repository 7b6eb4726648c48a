//! The catalogue of actions: one entry each, with its words, help, effect and rules.
//!
//! The command line, the help, the reference, the completions, reports, lock files, the tools of models and the rules
//! for pilots are derived from it. One more action is a variant of `Action`, an entry in the file of its family, a line in the list below, and
//! a handler in `assay-actions`; the compiler asks for each of them.

mod arguments;
mod choosing;
mod dialogs;
mod emulation;
mod entry;
mod keyboard;
mod logs;
mod looking;
mod model_form;
pub mod model_tools;
mod navigation;
mod parameters;
mod pictures;
mod plain;
mod pointer;
mod points;
mod routes;
mod schema;
mod scripts;
mod shell_words;
mod storage;
mod syntax;
mod tabs;
mod tool_form;
mod usage_error;
mod waiting;

pub use arguments::{Arguments, FindCommand, ParsedWords, whole_number};
pub use entry::{ActionEntry, ActionProperty, EffectClass, PilotUse};
pub use model_form::{ModelForm, ModelInput, ModelTool, Pointed};
pub use plain::PlainActionError;
pub use shell_words::split_line;
pub use syntax::{CommandSyntax, Flag, Group, SHARED_FLAGS, unknown_verb};
pub use tool_form::ToolArgumentError;
pub use usage_error::UsageError;

use crate::{Action, CookieOperation, RawInput, Selector, StorageOperation};
use looking::optional;
use parameters::{CommandLine, EnteredValues, ParameterVisitor, Paths, Selectors};
use tabs::optional_word;

/// Lists the actions in the order of the help: `Variant { parameters } = family::ENTRY, |to| the parameters in the
/// order in which they are typed`.
macro_rules! catalogue {
    ($($variant:ident $({ $($parameter:ident),* })? = $family:ident::$entry:ident $(, |$to:ident| $walk:expr)?;)*) => {
        /// All actions, in the order of the help.
        pub static ACTIONS: &[&ActionEntry] = &[$(&$family::$entry),*];

        impl Action {
            /// All that the catalogue knows of this action.
            pub fn entry(&self) -> &'static ActionEntry {
                match self {
                    $(Action::$variant { .. } => &$family::$entry,)*
                }
            }

            fn walk<'a>(&'a mut self, visitor: &mut dyn ParameterVisitor<'a>) {
                match self {
                    $(Action::$variant $({ $($parameter),* })? => { $(let $to = visitor; $walk;)? })*
                }
            }
        }
    };
}

catalogue! {
    Go { url } = navigation::GO, |to| to.word(url);
    Back = navigation::BACK;
    Forward = navigation::FORWARD;
    Reload = navigation::RELOAD;
    Map { target, all } = looking::MAP, |to| looking::map(to, target, *all);
    Scene = looking::SCENE;
    Diff = looking::DIFF;
    Find { target } = looking::FIND, |to| to.target(target);
    FindAll { target, limit } = looking::FIND_ALL, |to| looking::find_all(to, target, *limit);
    Count { target } = looking::COUNT, |to| to.target(target);
    Text { target } = looking::TEXT, |to| optional(to, target);
    Html { target } = looking::HTML, |to| optional(to, target);
    Value { target } = looking::VALUE, |to| to.target(target);
    Attr { target, name } = looking::ATTR, |to| looking::attr(to, target, name);
    Is { state, target } = looking::IS, |to| looking::is(to, *state, target);
    Url = looking::URL;
    Title = looking::TITLE;
    Eval { expression } = scripts::EVAL, |to| to.quoted(expression);
    Console { clear } = logs::CONSOLE, |to| logs::console(to, *clear);
    Network { failed, clear } = logs::NETWORK, |to| logs::network(to, *failed, *clear);
    At { point } = points::AT, |to| points::write_point(to, point);
    Click { target, button, modifiers } = pointer::CLICK, |to| pointer::click(to, target, *button, modifiers);
    Dblclick { target } = pointer::DBLCLICK, |to| to.target(target);
    Fill { target, text } = keyboard::FILL, |to| keyboard::fill(to, target, text);
    Type { target, text } = keyboard::TYPE, |to| keyboard::typing(to, target, text);
    Clear { target } = keyboard::CLEAR, |to| to.target(target);
    Press { keys, target } = keyboard::PRESS, |to| keyboard::press(to, keys, target);
    Select { target, options } = choosing::SELECT, |to| choosing::select(to, target, options);
    Check { target } = choosing::CHECK, |to| to.target(target);
    Uncheck { target } = choosing::UNCHECK, |to| to.target(target);
    Hover { target } = pointer::HOVER, |to| to.target(target);
    Focus { target } = keyboard::FOCUS, |to| to.target(target);
    Scroll { to } = pointer::SCROLL, |visitor| pointer::scroll(visitor, to);
    Drag { from, to, side } = pointer::DRAG, |visitor| pointer::drag(visitor, from, to, *side);
    Raw { input, place } = points::RAW, |to| points::raw(to, input, place);
    Upload { target, files } = choosing::UPLOAD, |to| choosing::upload(to, target, files);
    Dialog { answer } = dialogs::DIALOG, |to| dialogs::dialog(to, answer);
    Wait { until } = waiting::WAIT, |to| waiting::wait(to, until);
    Screenshot { path, full_page, annotate, target } = pictures::SCREENSHOT,
        |to| pictures::screenshot(to, target, path, *full_page, *annotate);
    Pdf { path } = pictures::PDF, |to| to.path_flag("output", path);
    Highlight { target } = pictures::HIGHLIGHT, |to| to.target(target);
    Tabs = tabs::TABS;
    TabNew { url, isolated } = tabs::TAB_NEW, |to| tabs::tab_new(to, url.as_deref(), *isolated);
    TabSwitch { tab } = tabs::TAB_SWITCH, |to| to.word(tab);
    TabClose { tab } = tabs::TAB_CLOSE, |to| optional_word(to, tab.as_deref());
    Frames = tabs::FRAMES;
    Viewport { width, height, scale } = tabs::VIEWPORT, |to| tabs::viewport(to, *width, *height, *scale);
    Emulate { change } = emulation::EMULATE, |to| emulation::emulate(to, change);
    Route { pattern, method, reply } = routes::ROUTE, |to| routes::route(to, pattern, method.as_deref(), reply);
    Routes = routes::ROUTES;
    Unroute { pattern } = routes::UNROUTE, |to| optional_word(to, pattern.as_deref());
    Cookies { operation } = storage::COOKIES, |to| storage::cookies(to, operation);
    Storage { operation } = storage::STORAGE, |to| storage::storage(to, operation);
}

/// The entry with this name or alias.
pub fn find_action(name: &str) -> Option<&'static ActionEntry> {
    ACTIONS.iter().copied().find(|entry| entry.syntax.is_called(name))
}

impl Action {
    /// The one name of this action, as typed on the command line.
    pub fn verb(&self) -> &'static str {
        self.entry().name()
    }

    /// Whether this makes sense in a browser that has no page yet.
    pub fn brings_its_own_page(&self) -> bool {
        self.entry().has(ActionProperty::NeedsNoPage)
    }

    /// What carrying it out can mean, by its parameters as well: to list cookies only reads.
    pub fn effect_class(&self) -> EffectClass {
        match self {
            Action::Cookies { operation: CookieOperation::List }
            | Action::Storage { operation: StorageOperation::Save { .. } }
            | Action::Dialog { answer: None } => EffectClass::Reads,
            other => other.entry().effect,
        }
    }

    /// Whether carrying this out twice could differ from carrying it out once.
    /// Such an action is never sent again when its outcome is unknown.
    pub fn changes_the_page(&self) -> bool {
        self.effect_class() != EffectClass::Reads
    }

    /// Whether it moves the view, the pointer or the focus and is rarely what a step is about.
    pub fn looks_around(&self) -> bool {
        match self {
            Action::Raw { input: RawInput::Move { .. } | RawInput::Scroll { .. }, .. } => true,
            other => other.entry().has(ActionProperty::LooksAround),
        }
    }

    /// From the words of a command, without `assay`. Paths in it stay as they are typed: see `paths_mut`.
    ///
    /// The flags of every command are understood and say nothing about the action.
    pub fn from_words(words: &[String]) -> Result<Action, UsageError> {
        let find = |word: &str| match find_action(word) {
            Some(entry) => Ok(Some(&entry.syntax)),
            None => Err(unknown_verb(word, ACTIONS.iter().map(|entry| &entry.syntax))),
        };
        let parsed = ParsedWords::parse(words, &find)?;
        match parsed.syntax.and_then(|syntax| find_action(syntax.name)) {
            Some(entry) => entry.read(&parsed),
            None => Err(UsageError::wrong_value("a command for a page", "nothing")),
        }
    }

    /// The words that `from_words` reads back.
    pub fn to_words(&self) -> Vec<String> {
        self.written().into_words()
    }

    /// As people read it: the words, with text in quotes.
    pub fn command_line(&self) -> String {
        self.written().to_string()
    }

    fn written(&self) -> CommandLine {
        let mut line = CommandLine::new(self.verb());
        self.clone().walk(&mut line);
        line
    }

    /// The selectors in it, so that a ref can be put in place of another.
    pub fn selectors_mut(&mut self) -> Vec<&mut Selector> {
        let mut selectors = Selectors::default();
        self.walk(&mut selectors);
        selectors.0
    }

    /// What it puts into the page, as opposed to what it is done to: texts, options, files.
    pub fn entered_values_mut(&mut self) -> Vec<&mut String> {
        let mut values = EnteredValues::default();
        self.walk(&mut values);
        values.0
    }

    /// The files of the caller that it reads or writes. A daemon has another working folder than its caller.
    pub fn paths_mut(&mut self) -> Vec<&mut String> {
        let mut paths = Paths::default();
        self.walk(&mut paths);
        paths.0
    }
}

#[cfg(test)]
#[path = "catalogue_tests.rs"]
mod tests;
