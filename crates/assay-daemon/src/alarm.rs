//! Failures of the session's browser, told to the program of the daemon: once for each kind in the life of a browser,
//! and at once, whether somebody uses it or not.

use std::sync::{Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use assay_protocol::{ErrorCode, Failure, RequestedBy, event_types};

/// A browser that failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BrowserAlarm {
    /// The type of the event.
    pub event_type: &'static str,
    /// The same for this kind of failure in the life of one browser.
    pub key: String,
    pub session: String,
    /// The device that the caller took, where it is not the session itself.
    pub device: Option<String>,
    /// The folder of the project that used the browser last.
    pub project: String,
    pub code: ErrorCode,
    pub message: String,
}

/// Hears of browsers that fail.
pub type HearAlarm = Box<dyn Fn(&BrowserAlarm) + Send + Sync>;

/// Who used the browser last, and what was told of it.
pub(crate) struct AlarmBell {
    session: String,
    hear: HearAlarm,
    user: Mutex<User>,
}

#[derive(Default)]
struct User {
    project: Option<String>,
    device: Option<String>,
    /// The browser of this moment: its process, and when it was first seen.
    browser: Option<(u32, u128)>,
}

impl AlarmBell {
    pub fn new(session: &str, hear: HearAlarm) -> AlarmBell {
        AlarmBell { session: session.to_string(), hear, user: Mutex::default() }
    }

    fn user(&self) -> std::sync::MutexGuard<'_, User> {
        self.user.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Somebody uses the browser. Who only looks after it names no project.
    pub fn used(&self, by: &RequestedBy) {
        let mut user = self.user();
        if let Some(project) = &by.project {
            user.project = Some(project.clone());
            user.device = by.controls.clone();
        }
    }

    /// The browser that runs from now on.
    pub fn runs(&self, pid: Option<u32>) {
        let mut user = self.user();
        if let Some(pid) = pid
            && user.browser.is_none_or(|(known, _)| known != pid)
        {
            user.browser = Some((pid, now_ms()));
        }
    }

    /// The browser has failed. `by` is whose request failed; nobody's where it was idle.
    pub fn failed(&self, failure: &Failure, by: Option<&RequestedBy>) {
        let Some(event_type) = event_types::alert_of(failure.code) else { return };
        // Failures that only somebody who looks after it sees are no news to them.
        if by.is_some_and(|by| by.project.is_none()) {
            return;
        }
        let user = self.user();
        let Some(project) = user.project.clone() else { return };
        // A process number is given again one day. A browser that never started has none.
        let life = match user.browser {
            Some((pid, since)) => format!("{pid}-{since}"),
            None => format!("none-{}-{}", std::process::id(), now_ms()),
        };
        let alarm = BrowserAlarm {
            event_type,
            key: format!("{event_type}:{}:{life}", self.session),
            session: self.session.clone(),
            device: user.device.clone(),
            project,
            code: failure.code,
            message: failure.message.clone(),
        };
        drop(user);
        (self.hear)(&alarm);
    }
}

fn now_ms() -> u128 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn bell() -> (AlarmBell, Arc<Mutex<Vec<BrowserAlarm>>>) {
        let heard = Arc::new(Mutex::new(Vec::new()));
        let ear = Arc::clone(&heard);
        let hear: HearAlarm = Box::new(move |alarm| ear.lock().unwrap().push(alarm.clone()));
        (AlarmBell::new("default", hear), heard)
    }

    fn user(project: Option<&str>) -> RequestedBy {
        RequestedBy { project: project.map(str::to_string), ..RequestedBy::default() }
    }

    fn lost() -> Failure {
        Failure::new(ErrorCode::BrowserLost, "it ended")
    }

    #[test]
    fn one_browser_has_one_key_for_each_kind_of_failure() {
        let (bell, heard) = bell();
        bell.used(&user(Some("/shop")));
        bell.runs(Some(7));
        bell.failed(&lost(), None);
        bell.runs(Some(7));
        bell.failed(&lost(), Some(&user(Some("/shop"))));
        bell.failed(&Failure::new(ErrorCode::NotResponding, "it hangs"), Some(&user(Some("/shop"))));
        bell.runs(Some(8));
        bell.failed(&lost(), None);
        let keys: Vec<String> = heard.lock().unwrap().iter().map(|alarm| alarm.key.clone()).collect();
        assert_eq!(keys[0], keys[1]);
        assert!(keys[2].starts_with("alert.anr:") && keys[3] != keys[0], "{keys:?}");
        assert_eq!(heard.lock().unwrap()[3].project, "/shop");
    }

    #[test]
    fn who_only_looks_raises_no_alarm_and_hides_none() {
        let (bell, heard) = bell();
        bell.used(&user(None));
        bell.runs(Some(7));
        bell.failed(&lost(), None);
        assert!(heard.lock().unwrap().is_empty(), "nobody used it");
        bell.used(&user(Some("/shop")));
        bell.used(&user(None));
        bell.failed(&lost(), Some(&user(None)));
        assert!(heard.lock().unwrap().is_empty(), "Guardian sees it by itself");
        bell.failed(&lost(), None);
        assert_eq!(heard.lock().unwrap().len(), 1);
        bell.failed(&Failure::new(ErrorCode::Usage, "no such verb"), Some(&user(Some("/shop"))));
        assert_eq!(heard.lock().unwrap().len(), 1);
    }
}
