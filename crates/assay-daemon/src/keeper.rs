//! The process that a daemon belongs to: when it ends, however it ends, the daemon ends with it.
//!
//! A daemon knows it from its first moment, so there is no time at which a kill leaves a browser behind.

use std::fmt;
use std::io;
use std::os::fd::{FromRawFd, OwnedFd};
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;

/// A process: its number, and when it started, since numbers are given again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Keeper {
    pid: u32,
    /// In ticks since the system started.
    started: u64,
}

/// Where the system cannot tell us of an end.
const LOOK_EVERY: Duration = Duration::from_millis(250);

impl Keeper {
    pub fn this_process() -> io::Result<Keeper> {
        let pid = std::process::id();
        let unknown = || io::Error::other("the start of this process is not in /proc");
        Ok(Keeper { pid, started: started(pid).ok_or_else(unknown)? })
    }

    fn is_there(self) -> bool {
        started(self.pid) == Some(self.started)
    }

    /// Returns when the process has ended.
    pub async fn gone(self) {
        if let Some(process) = watched(self.pid)
            // The number may be another's by now. From here on the descriptor stands for one process only.
            && self.is_there()
            && process.readable().await.is_ok()
        {
            return;
        }
        while self.is_there() {
            tokio::time::sleep(LOOK_EVERY).await;
        }
    }
}

/// A descriptor that becomes readable when the process ends.
fn watched(pid: u32) -> Option<AsyncFd<OwnedFd>> {
    let pid = libc::pid_t::try_from(pid).ok()?;
    // SAFETY: a plain system call, which makes a descriptor or fails.
    let made = unsafe { libc::syscall(libc::SYS_pidfd_open, pid, 0) };
    let made = i32::try_from(made).ok().filter(|made| *made >= 0)?;
    // SAFETY: the descriptor has just been made, and nobody else owns it.
    let process = unsafe { OwnedFd::from_raw_fd(made) };
    // SAFETY: the watch owns the descriptor, so it is open and the same for as long as it is watched.
    unsafe { AsyncFd::register_with_interest(process, Interest::READABLE) }.ok()
}

/// When the process of this number started. A process that has ended and waits for its parent is gone.
fn started(pid: u32) -> Option<u64> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name of the program, in parentheses, may hold anything.
    let (_, rest) = stat.rsplit_once(')')?;
    let mut fields = rest.split_whitespace();
    let state = fields.next()?;
    if matches!(state, "Z" | "X") {
        return None;
    }
    fields.nth(18)?.parse().ok()
}

impl fmt::Display for Keeper {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "{}:{}", self.pid, self.started)
    }
}

impl FromStr for Keeper {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Keeper, &'static str> {
        let read = || {
            let (pid, started) = text.split_once(':')?;
            Some(Keeper { pid: pid.parse().ok()?, started: started.parse().ok()? })
        };
        read().ok_or("expected the number and the start of a process")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(pid: u32) -> Keeper {
        Keeper { pid, started: started(pid).unwrap() }
    }

    #[test]
    fn a_process_is_written_and_read_again() {
        let here = Keeper::this_process().unwrap();
        assert_eq!(here.to_string().parse(), Ok(here));
        assert!("12".parse::<Keeper>().is_err());
    }

    #[tokio::test]
    async fn the_end_of_a_process_is_heard() {
        let mut child = std::process::Command::new("sleep").arg("600").spawn().unwrap();
        let keeper = of(child.id());
        let gone = tokio::spawn(keeper.gone());
        tokio::task::yield_now().await;
        assert!(!gone.is_finished());
        child.kill().unwrap();
        gone.await.unwrap();
        child.wait().unwrap();
        // One that had ended before is not waited for, nor is a later one of the same number.
        keeper.gone().await;
        let here = Keeper::this_process().unwrap();
        Keeper { started: here.started + 1, ..here }.gone().await;
    }
}
