//! The browser sessions of callers: each caller has its own, under the names it gives them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::problem::Problem;
use crate::seams::CallerSessions;

/// So many browsers of one caller at once.
const MOST: usize = 16;

pub struct ToolSessions {
    sessions: Arc<dyn CallerSessions>,
    open: Mutex<Open>,
}

#[derive(Default)]
struct Open {
    next: u32,
    /// By the caller and the name it gave.
    names: HashMap<(String, String), String>,
}

impl ToolSessions {
    pub fn new(sessions: Arc<dyn CallerSessions>) -> ToolSessions {
        ToolSessions { sessions, open: Mutex::default() }
    }

    /// The session of a caller, which no other caller can name.
    pub fn session_of(&self, caller: &str, named: &str) -> Result<String, Problem> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (caller.to_string(), named.to_string());
        if let Some(known) = open.names.get(&key) {
            return Ok(known.clone());
        }
        if open.names.keys().filter(|(owner, _)| owner == caller).count() >= MOST {
            return Err(Problem::conflict(format!("{caller} has {MOST} browser sessions already"))
                .hint("end one with DELETE /server/tools/sessions/NAME"));
        }
        open.next += 1;
        let session = self.sessions.session_name(open.next);
        open.names.insert(key, session.clone());
        Ok(session)
    }

    /// The names that a caller gave to sessions.
    pub fn named_by(&self, caller: &str) -> Vec<String> {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let mut names: Vec<String> =
            open.names.keys().filter(|(owner, _)| owner == caller).map(|(_, name)| name.clone()).collect();
        names.sort();
        names
    }

    /// Ends a session of a caller with its browser.
    pub fn end(&self, caller: &str, named: &str) -> Result<(), Problem> {
        let key = (caller.to_string(), named.to_string());
        let gone = self.open.lock().unwrap_or_else(PoisonError::into_inner).names.remove(&key);
        let session =
            gone.ok_or_else(|| Problem::not_found(format!("there is no browser session `{named}`")))?;
        Ok(self.sessions.end_session(&session)?)
    }

    pub fn end_all(&self) {
        let all = std::mem::take(&mut self.open.lock().unwrap_or_else(PoisonError::into_inner).names);
        for session in all.into_values() {
            // A session that cannot be reached has ended, or stops by itself when it is idle.
            let _gone = self.sessions.end_session(&session);
        }
    }
}
