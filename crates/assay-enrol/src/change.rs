//! A change of one configuration file, worked out and not yet made.
//!
//! Reads the file; writes nothing. The caller shows the change and hands it to [`crate::apply`].

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::catalogue::Client;
use crate::diff;
use crate::edit::position;
use crate::entry::{Server, Wanted};
use crate::error::{EnrolError, Mistake};
use crate::merge::{self, Emptied, Rest};
use crate::places::{Places, Scope, file};

/// What a file says now and what it is going to say. None stands for no file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    pub file: PathBuf,
    pub before: Option<String>,
    pub after: Option<String>,
    pub what: What,
}

/// What becomes of the entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// The file already says what is wanted.
    Nothing,
    Added,
    Updated,
    Removed,
    /// It says again what it said before it was updated.
    Restored,
}

impl Change {
    /// The lines that differ, with one line around them. More could show a neighbour's secrets.
    pub fn diff(&self) -> String {
        diff::unified(self.before.as_deref(), self.after.as_deref())
    }
}

/// The change that enters a server into the configuration of a client.
pub fn plan(client: Client, scope: Scope, places: &Places, server: &Server) -> Result<Change, EnrolError> {
    check_name(&server.name)?;
    let file = file(client, scope, places)?;
    let before = read(&file)?;
    let (format, wanted) = (client.format(), Wanted::new(client, server));
    let Some(text) = before else {
        let after = Some(merge::fresh(format, &wanted));
        return Ok(Change { file, before: None, after, what: What::Added });
    };
    let after = merge::add(format, &text, &wanted).map_err(|mistake| refused(&file, &text, mistake))?;
    let what = match merge::take_out(format, &text, wanted.table, &wanted.name, Emptied::Stays) {
        _ if after == text => What::Nothing,
        Ok(None) => What::Added,
        // An entry that could not be taken out is there as well.
        Ok(Some(_)) | Err(_) => What::Updated,
    };
    Ok(Change { file, before: Some(text), after: Some(after), what })
}

/// The change that takes the entry of that name out again, and the table and the file that were made for it.
pub fn remove(client: Client, scope: Scope, places: &Places, name: &str) -> Result<Change, EnrolError> {
    check_name(name)?;
    let file = file(client, scope, places)?;
    let before = read(&file)?;
    let Some(text) = before else {
        return Ok(Change { file, before: None, after: None, what: What::Nothing });
    };
    let rest = merge::take_out(client.format(), &text, client.table(), name, Emptied::Goes)
        .map_err(|mistake| refused(&file, &text, mistake))?;
    let (after, what) = match rest {
        None => (Some(text.clone()), What::Nothing),
        Some(Rest::Text(rest)) => (Some(rest), What::Removed),
        Some(Rest::NoFile) => (None, What::Removed),
    };
    Ok(Change { file, before: Some(text), after, what })
}

/// The text of a file; nothing if it is not there.
pub(crate) fn read(file: &Path) -> Result<Option<String>, EnrolError> {
    let bytes = match fs::read(file) {
        Ok(bytes) => bytes,
        Err(err) if err.kind() == ErrorKind::NotFound => return Ok(None),
        Err(source) => return Err(EnrolError::Read { file: file.to_path_buf(), source }),
    };
    String::from_utf8(bytes).map(Some).map_err(|err| {
        let valid = err.utf8_error().valid_up_to();
        let text = String::from_utf8_lossy(&err.as_bytes()[..valid]);
        refused(file, &text, Mistake::syntax(valid, "expected UTF-8, found other bytes"))
    })
}

fn refused(file: &Path, text: &str, mistake: Mistake) -> EnrolError {
    let (line, column) = position(text, mistake.at);
    EnrolError::Refused { file: file.to_path_buf(), line, column, refusal: mistake.refusal }
}

/// Names that are a plain key in every format, and part of the names of tools in most clients.
fn check_name(name: &str) -> Result<(), EnrolError> {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '-' || letter == '_';
    match !name.is_empty() && name.chars().all(is_plain) {
        true => Ok(()),
        false => Err(EnrolError::Name { name: name.to_string() }),
    }
}
