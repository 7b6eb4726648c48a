//! A second, tiny process that does nothing but outlive the first: when the daemon is
//! gone, however it ended, it ends the browser and removes what the daemon left.
//!
//! It is forked before any thread exists and holds the same lock on the session, so
//! that nobody starts anew until it is done.

use std::io::{self, Read, Write};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::path::{Path, PathBuf};

use crate::reaper::end_browsers_of;
use crate::session_paths::remove_private_tree;

/// The daemon's side: what is written here is what must be cleaned up.
pub struct Guard {
    pipe: std::fs::File,
}

/// The argument with which a program that calls [`stand_guard`] is started as a guard.
pub const GUARD_ARGUMENT: &str = "__guard";

impl Guard {
    /// Starts `program` as the guard, for processes that have threads already. It must call [`stand_guard`] when its
    /// only argument is [`GUARD_ARGUMENT`].
    pub fn start(program: &Path) -> io::Result<Guard> {
        let mut child = std::process::Command::new(program)
            .arg(GUARD_ARGUMENT)
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()?;
        let pipe = child.stdin.take().ok_or_else(|| io::Error::other("the guard has no pipe"))?;
        Ok(Guard { pipe: std::fs::File::from(OwnedFd::from(pipe)) })
    }

    /// From now on `profile` and whatever browser uses it go away with us.
    pub fn watch_profile(&mut self, profile: &Path) -> io::Result<()> {
        writeln!(self.pipe, "profile {}", profile.display())
    }

    pub fn watch_group(&mut self, pid: u32) -> io::Result<()> {
        writeln!(self.pipe, "group {pid}")
    }

    /// This browser is gone already, and its number may become another's.
    pub fn forget(&mut self, profile: Option<&Path>, group: Option<u32>) -> io::Result<()> {
        if let Some(group) = group {
            writeln!(self.pipe, "left {group}")?;
        }
        match profile {
            Some(profile) => writeln!(self.pipe, "gone {}", profile.display()),
            None => Ok(()),
        }
    }

    pub fn watch_file(&mut self, file: &Path) -> io::Result<()> {
        writeln!(self.pipe, "file {}", file.display())
    }
}

#[cfg(test)]
impl Guard {
    /// One that only writes down what it is told.
    pub(crate) fn writing_to(pipe: std::fs::File) -> Guard {
        Guard { pipe }
    }
}

/// Forks the guard. Must be called while the process has one thread.
pub fn fork_guard() -> io::Result<Guard> {
    let mut ends = [0; 2];
    // SAFETY: `ends` is an array of two descriptors, as pipe2 wants.
    if unsafe { libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC) } != 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: pipe2 has just made both descriptors and nobody else owns them.
    let (reader, writer) = unsafe { (OwnedFd::from_raw_fd(ends[0]), OwnedFd::from_raw_fd(ends[1])) };
    // SAFETY: the process has a single thread here, so the child may go on using everything.
    match unsafe { libc::fork() } {
        -1 => Err(io::Error::last_os_error()),
        0 => {
            drop(writer);
            keep_watch(std::fs::File::from(reader));
            // SAFETY: ends this process without running the parent's clean-up.
            unsafe { libc::_exit(0) }
        }
        _ => {
            drop(reader);
            Ok(Guard { pipe: std::fs::File::from(writer) })
        }
    }
}

/// Keeps watch over what the starting process writes to our standard input, until it is gone.
pub fn stand_guard() {
    // SAFETY: standard input is open, and nobody else reads from it in this process.
    let pipe = unsafe { OwnedFd::from_raw_fd(libc::STDIN_FILENO) };
    keep_watch(std::fs::File::from(pipe));
}

fn keep_watch(mut pipe: std::fs::File) {
    // A session of its own: signals to the daemon's group or terminal do not reach it.
    // SAFETY: plain system calls.
    unsafe {
        libc::setsid();
        for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP, libc::SIGPIPE] {
            libc::signal(signal, libc::SIG_IGN);
        }
    }
    detach_output(pipe.as_raw_fd());
    let mut told = String::new();
    // The pipe ends when the daemon does.
    let _whatever_was_read_counts = pipe.read_to_string(&mut told);
    let mut profiles: Vec<PathBuf> = Vec::new();
    let mut files: Vec<PathBuf> = Vec::new();
    let mut groups: Vec<i32> = Vec::new();
    for line in told.lines() {
        match line.split_once(' ') {
            Some(("profile", path)) => profiles.push(PathBuf::from(path)),
            Some(("file", path)) => files.push(PathBuf::from(path)),
            Some(("group", pid)) => groups.extend(pid.parse::<i32>().ok().filter(|pid| *pid > 1)),
            Some(("gone", path)) => profiles.retain(|known| known.as_path() != Path::new(path)),
            Some(("left", pid)) => groups.retain(|known| pid.parse() != Ok(*known)),
            _ => {}
        }
    }
    for group in groups {
        // SAFETY: a plain system call; the group was made for our browser and named by it.
        unsafe { libc::killpg(group, libc::SIGKILL) };
    }
    for profile in &profiles {
        end_browsers_of(profile);
        remove_private_tree(profile);
    }
    for file in files {
        // Gone already is as good as removed.
        let _removed = std::fs::remove_file(file);
    }
}

/// Lets go of the terminal and of pipes that others wait on, but not of the lock.
fn detach_output(keep: i32) {
    // SAFETY: /dev/null is opened and put in place of the standard descriptors.
    unsafe {
        let null = libc::open(c"/dev/null".as_ptr(), libc::O_RDWR);
        if null >= 0 {
            for standard in 0..3 {
                if standard != keep {
                    libc::dup2(null, standard);
                }
            }
            if null > 2 {
                libc::close(null);
            }
        }
    }
}
