//! Cookies, and logins that are saved and loaded.

use super::arguments::Arguments;
use super::entry::{ActionEntry, ActionProperty, syntax};
use super::parameters::ParameterVisitor;
use super::syntax::Group;
use super::usage_error::UsageError;
use crate::{Action, CookieOperation, StorageOperation};

pub(super) const COOKIES: ActionEntry = ActionEntry::acts(
    syntax(
        Group::State,
        "cookies",
        "[set NAME VALUE | clear]",
        "List, set or clear cookies",
        "assay cookies",
    ),
    |words| Ok(Action::Cookies { operation: read_cookies(words)? }),
)
.counts_itself();

fn read_cookies(words: &Arguments<'_>) -> Result<CookieOperation, UsageError> {
    Ok(match (words.optional(0), words.optional(1), words.optional(2), words.optional(3)) {
        (None | Some("list"), None, None, None) => CookieOperation::List,
        (Some("clear"), None, None, None) => CookieOperation::Clear,
        (Some("set"), Some(name), Some(value), None) => {
            CookieOperation::Set { name: name.to_string(), value: value.to_string() }
        }
        _ => return Err(words.wrong_word("set NAME VALUE, clear, or nothing")),
    })
}

pub(super) fn cookies(to: &mut dyn ParameterVisitor<'_>, operation: &CookieOperation) {
    match operation {
        CookieOperation::List => {}
        CookieOperation::Clear => to.word("clear"),
        CookieOperation::Set { name, value } => {
            to.word("set");
            to.word(name);
            to.quoted(value);
        }
    }
}

pub(super) const STORAGE: ActionEntry = ActionEntry::acts(
    syntax(
        Group::State,
        "storage",
        "save FILE | load FILE",
        "Save or restore cookies and local storage",
        "assay storage save login.json",
    ),
    |words| Ok(Action::Storage { operation: read_storage(words)? }),
)
.counts_itself()
.is(&[ActionProperty::NeedsNoPage]);

fn read_storage(words: &Arguments<'_>) -> Result<StorageOperation, UsageError> {
    Ok(match (words.at(0), words.optional(1), words.optional(2)) {
        ("save", Some(path), None) => StorageOperation::Save { path: path.to_string() },
        ("load", Some(path), None) => StorageOperation::Load { path: path.to_string() },
        _ => return Err(words.wrong_word("save FILE or load FILE")),
    })
}

pub(super) fn storage<'a>(to: &mut dyn ParameterVisitor<'a>, operation: &'a mut StorageOperation) {
    match operation {
        StorageOperation::Save { path } => {
            to.word("save");
            to.path(path);
        }
        StorageOperation::Load { path } => {
            to.word("load");
            to.path(path);
        }
    }
}
