//! One entry of the catalogue: all that is known of an action apart from how it is carried out.

use super::arguments::{Arguments, ParsedWords};
use super::model_form::ModelForm;
use super::syntax::{CommandSyntax, Flag, Group};
use super::usage_error::UsageError;
use crate::Action;

/// What carrying out an action can mean for the application.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum EffectClass {
    /// Carried out twice, it is the same as once.
    Reads,
    /// It changes the page or the browser.
    Acts,
    /// It can press something that submits, pays or deletes.
    Commits,
}

/// Whether a model at the controls may carry out an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PilotUse {
    Never,
    /// Where the rules of the runner permit what it does.
    Checked,
    Free,
}

/// What else others want to know of an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ActionProperty {
    /// It presses or chooses something, which makes pages save.
    Deliberate,
    /// It leaves something in a field, which its effect does not show.
    EntersValue,
    /// It moves the view, the pointer or the focus, and is rarely what a step is about.
    LooksAround,
    /// A test can expect its answer: yes or no.
    Claims,
    /// It makes sense in a browser that has no page yet.
    NeedsNoPage,
}

pub(super) type BuildAction = fn(&Arguments<'_>) -> Result<Action, UsageError>;

/// An action: how it is typed, what it can do, who may do it.
#[derive(Debug)]
pub struct ActionEntry {
    pub syntax: CommandSyntax,
    /// The most that it can do. `Action::effect_class` looks at the parameters as well.
    pub effect: EffectClass,
    /// The `Capability` of a driver without which it cannot be carried out, by its name.
    pub capability: Option<&'static str>,
    pub pilots: PilotUse,
    /// How a model asks for it; empty where none can.
    pub model_forms: &'static [ModelForm],
    pub properties: &'static [ActionProperty],
    /// The time it may take when the caller sets no limit.
    pub time_ms: u64,
    build: BuildAction,
}

/// Time for an act or a question.
const ACT_MS: u64 = 15_000;
/// Time for a page to load, or for something to become true.
const LOAD_MS: u64 = 30_000;

impl ActionEntry {
    pub fn name(&self) -> &'static str {
        self.syntax.name
    }

    pub fn has(&self, property: ActionProperty) -> bool {
        self.properties.contains(&property)
    }

    /// From words to the action. Paths in it stay as they are typed.
    pub fn read(&'static self, words: &ParsedWords) -> Result<Action, UsageError> {
        (self.build)(&Arguments::of(&self.syntax, words)?)
    }

    pub(super) const fn reads(syntax: CommandSyntax, build: BuildAction) -> ActionEntry {
        ActionEntry {
            syntax,
            effect: EffectClass::Reads,
            capability: None,
            pilots: PilotUse::Never,
            model_forms: &[],
            properties: &[],
            time_ms: ACT_MS,
            build,
        }
    }

    pub(super) const fn acts(syntax: CommandSyntax, build: BuildAction) -> ActionEntry {
        ActionEntry { effect: EffectClass::Acts, ..ActionEntry::reads(syntax, build) }
    }

    pub(super) const fn commits(syntax: CommandSyntax, build: BuildAction) -> ActionEntry {
        ActionEntry { effect: EffectClass::Commits, ..ActionEntry::reads(syntax, build) }
    }

    pub(super) const fn also(mut self, aliases: &'static [&'static str]) -> ActionEntry {
        self.syntax.aliases = aliases;
        self
    }

    pub(super) const fn flags(mut self, flags: &'static [Flag]) -> ActionEntry {
        self.syntax.flags = flags;
        self
    }

    pub(super) const fn pilots(mut self, pilots: PilotUse) -> ActionEntry {
        self.pilots = pilots;
        self
    }

    pub(super) const fn asked_by(mut self, forms: &'static [ModelForm]) -> ActionEntry {
        self.model_forms = forms;
        self
    }

    pub(super) const fn needs(mut self, capability: &'static str) -> ActionEntry {
        self.capability = Some(capability);
        self
    }

    pub(super) const fn is(mut self, properties: &'static [ActionProperty]) -> ActionEntry {
        self.properties = properties;
        self
    }

    /// It loads a page or waits, and so takes longer than others.
    pub(super) const fn takes_long(mut self) -> ActionEntry {
        self.time_ms = LOAD_MS;
        self
    }

    /// Its builder checks the number of words.
    pub(super) const fn counts_itself(mut self) -> ActionEntry {
        self.syntax.is_counted = false;
        self
    }
}

/// Shorthand for the families.
pub(super) const fn syntax(
    group: Group,
    name: &'static str,
    arguments: &'static str,
    summary: &'static str,
    example: &'static str,
) -> CommandSyntax {
    CommandSyntax::new(group, name, arguments, summary, example)
}
