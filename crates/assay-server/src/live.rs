//! The live pages of callers: each belongs to the caller who opened it. Others may look, and never act.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use assay_host::LivePage;
use assay_protocol::TaskId;
use ring::rand::{SecureRandom, SystemRandom};

use crate::problem::Problem;

/// So many live pages at once: each is a browser.
const MOST: usize = 8;
const MOST_OF_ONE: usize = 3;

/// A page that was not asked for so long has lost its client.
const LEFT_AFTER: Duration = Duration::from_secs(20);

/// A live page, and whose it is.
pub struct HeldPage {
    pub page: LivePage,
    pub owner: String,
    /// The file whose test is stepped through; empty for a page without a test.
    pub path: String,
    /// The device whose page it is.
    pub device: Option<HeldDevice>,
    /// The goal that it was given last.
    pub task: Mutex<Option<TaskId>>,
}

/// The file of texts that are no file.
pub const NO_FILE: &str = "live.yaml";

/// A text of one test with this step.
pub fn text_of(name: &str, sentence: &str) -> String {
    format!("test: {name}\nsteps:\n- {}\n", serde_json::Value::String(sentence.to_string()))
}

impl HeldPage {
    pub fn task(&self) -> MutexGuard<'_, Option<TaskId>> {
        self.task.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The file as which texts for this page are read.
    pub fn path_or_none(&self) -> &str {
        if self.path.is_empty() { NO_FILE } else { &self.path }
    }
}

pub struct HeldDevice {
    pub device: String,
    /// The session in whose name it is controlled.
    pub session: String,
    pub is_taken: Mutex<bool>,
}

impl HeldDevice {
    pub fn is_taken(&self) -> MutexGuard<'_, bool> {
        self.is_taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[derive(Default)]
pub struct LivePages {
    open: Mutex<BTreeMap<String, Arc<HeldPage>>>,
}

impl LivePages {
    fn open(&self) -> MutexGuard<'_, BTreeMap<String, Arc<HeldPage>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the caller may open one more. A page of theirs that nobody looks at any more makes room: its client was
    /// closed.
    pub fn check_room(&self, owner: &str) -> Result<(), Problem> {
        let left = {
            let mut open = self.open();
            open.retain(|_, held| !held.page.is_over());
            let own = open.iter().filter(|(_, held)| held.owner == owner);
            let is_full = own.clone().count() >= MOST_OF_ONE;
            let left = own.filter(|(_, held)| held.page.unused_for() > LEFT_AFTER);
            let left = left.max_by_key(|(_, held)| held.page.unused_for()).map(|(name, _)| name.clone());
            left.filter(|_| is_full).and_then(|name| open.remove(&name))
        };
        if let Some(left) = left {
            left.page.end();
        }
        let open = self.open();
        if open.values().filter(|held| held.owner == owner).count() >= MOST_OF_ONE {
            return Err(Problem::conflict(format!("{owner} has {MOST_OF_ONE} live pages already"))
                .hint("end one with DELETE /server/live/PAGE"));
        }
        if open.len() >= MOST {
            return Err(Problem::conflict(format!("{MOST} live pages are open already"))
                .hint("each is a browser; wait until one is ended"));
        }
        Ok(())
    }

    /// Keeps a page, under a name that nobody guesses.
    pub fn keep(&self, held: HeldPage) -> Result<String, Problem> {
        let mut bytes = [0_u8; 12];
        let random = SystemRandom::new().fill(&mut bytes);
        random.map_err(|_| Problem::internal("the system gives no random numbers"))?;
        let name: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        self.open().insert(name.clone(), Arc::new(held));
        Ok(name)
    }

    pub fn find(&self, name: &str) -> Result<Arc<HeldPage>, Problem> {
        let found = self.open().get(name).cloned();
        found.ok_or_else(|| Problem::not_found("there is no such live page; it may have ended"))
    }

    /// The session in whose name the device of a page is controlled.
    pub fn session_at(&self, name: &str) -> Result<String, Problem> {
        let held = self.find(name)?;
        match &held.device {
            Some(device) if *device.is_taken() => Ok(device.session.clone()),
            Some(device) => {
                Err(Problem::conflict(format!("nobody controls `{}` at this page", device.device)))
            }
            None => {
                Err(Problem::conflict("agents act on the page of an open session; give this page a goal"))
            }
        }
    }

    pub fn all(&self) -> Vec<(String, Arc<HeldPage>)> {
        let open = self.open();
        open.iter().map(|(name, held)| (name.clone(), Arc::clone(held))).collect()
    }

    pub fn remove(&self, name: &str) -> Option<Arc<HeldPage>> {
        self.open().remove(name)
    }

    /// Ends all pages with their browsers.
    pub fn end_all(&self) {
        let all = std::mem::take(&mut *self.open());
        std::thread::scope(|scope| {
            for held in all.values() {
                scope.spawn(|| held.page.end());
            }
        });
    }
}
