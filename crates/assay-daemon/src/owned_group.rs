//! Processes that were started for a run: a server, a command, somebody who is asked.

use std::sync::{Arc, Mutex, PoisonError};

use crate::guard::Guard;

/// A group of processes that ends with this value, and with our process, however that ends. A process of the group must
/// not be waited for before.
pub struct OwnedGroup {
    guard: Arc<Mutex<Guard>>,
    group: u32,
}

impl OwnedGroup {
    pub(crate) fn watched_by(guard: Arc<Mutex<Guard>>, group: u32) -> OwnedGroup {
        let owned = OwnedGroup { guard, group };
        owned.tell_guard(|guard| guard.watch_group(group));
        owned
    }

    fn tell_guard(&self, tell: impl FnOnce(&mut Guard) -> std::io::Result<()>) {
        // A guard that is gone cannot be told; the group ends with this value all the same.
        let _told = tell(&mut self.guard.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

impl Drop for OwnedGroup {
    fn drop(&mut self) {
        // SAFETY: a plain system call; the group was made for these processes.
        unsafe { libc::killpg(self.group as libc::pid_t, libc::SIGKILL) };
        // Its number may become another's, which is not the guard's to end.
        self.tell_guard(|guard| guard.forget(None, Some(self.group)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;
    use std::os::fd::OwnedFd;
    use std::os::unix::process::{CommandExt, ExitStatusExt};

    #[test]
    fn a_group_ends_with_its_owner_and_is_forgotten_by_the_guard() {
        let (mut told, pipe) = std::io::pipe().unwrap();
        let guard = Arc::new(Mutex::new(Guard::writing_to(OwnedFd::from(pipe).into())));
        let mut child = std::process::Command::new("sleep").arg("600").process_group(0).spawn().unwrap();
        let group = child.id();
        drop(OwnedGroup::watched_by(guard, group));
        assert_eq!(child.wait().unwrap().signal(), Some(libc::SIGKILL));
        let mut lines = String::new();
        told.read_to_string(&mut lines).unwrap();
        assert_eq!(lines, format!("group {group}\nleft {group}\n"));
    }
}
