//! Starting a browser process that cannot outlive us.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::os::fd::AsRawFd;
use std::path::Path;
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use assay_driver::{Deadline, DriverError, PROFILE_MARK};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::net::UnixStream;
use tokio::process::{Child, Command};

/// What is to be started.
pub struct Spawn<'a> {
    /// Named in errors.
    pub driver: &'static str,
    pub program: &'a Path,
    pub arguments: Vec<String>,
    pub variables: Vec<(&'static str, OsString)>,
    pub profile: &'a Path,
    /// The group to join; none makes a group of its own.
    pub group: Option<u32>,
}

/// A running browser: in a process group of its own, told by the kernel to die with us.
pub struct BrowserProcess {
    pub pid: u32,
    group: u32,
    child: tokio::sync::Mutex<Child>,
    output: Arc<Output>,
}

/// What the browser writes to its standard error, read to its end: a full pipe would stop it.
#[derive(Default)]
struct Output {
    lines: Mutex<VecDeque<String>>,
    /// Counts all lines there ever were.
    changed: tokio::sync::watch::Sender<usize>,
}

const KEPT_LINES: usize = 20;

impl Spawn<'_> {
    pub fn start(self) -> Result<BrowserProcess, DriverError> {
        self.run(None)
    }

    /// Starts it with one end of a stream as its descriptors 3 and 4.
    pub fn start_with_pipe(self) -> Result<(BrowserProcess, UnixStream), DriverError> {
        let fail = |err| DriverError::io("could not set up the browser's pipe", err);
        let (ours, theirs) = std::os::unix::net::UnixStream::pair().map_err(fail)?;
        let process = self.run(Some(theirs.as_raw_fd()))?;
        drop(theirs);
        ours.set_nonblocking(true).map_err(fail)?;
        Ok((process, UnixStream::from_std(ours).map_err(fail)?))
    }

    fn run(self, pipe: Option<i32>) -> Result<BrowserProcess, DriverError> {
        let failed =
            |reason: String| DriverError::LaunchFailed { driver: self.driver, reason, output: Vec::new() };
        let our_pid = std::process::id();
        let mut command = Command::new(self.program);
        command
            .args(&self.arguments)
            .envs(self.variables.iter().map(|(name, value)| (name, value)))
            .env(PROFILE_MARK, self.profile)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .process_group(self.group.map_or(0, |group| group as i32))
            .kill_on_drop(true);
        // SAFETY: between fork and exec only async-signal-safe calls are made.
        unsafe {
            command.pre_exec(move || {
                if let Some(theirs) = pipe {
                    // Moved out of the way first, so that 3 and 4 do not overwrite it.
                    let high = libc::fcntl(theirs, libc::F_DUPFD, 20);
                    if high < 0 || libc::dup2(high, 3) < 0 || libc::dup2(high, 4) < 0 {
                        return Err(std::io::Error::last_os_error());
                    }
                    libc::close(high);
                }
                die_with_parent(our_pid)
            });
        }
        let mut child =
            command.spawn().map_err(|err| failed(format!("{}: {err}", self.program.display())))?;
        let pid = child.id().ok_or_else(|| failed("it ended at once".to_string()))?;
        let output = Arc::new(Output::default());
        if let Some(stderr) = child.stderr.take() {
            let kept = Arc::clone(&output);
            tokio::spawn(async move {
                let mut lines = BufReader::new(stderr).lines();
                while let Ok(Some(line)) = lines.next_line().await {
                    kept.push(line);
                }
            });
        }
        let group = self.group.unwrap_or(pid);
        Ok(BrowserProcess { pid, group, child: tokio::sync::Mutex::new(child), output })
    }
}

impl Output {
    fn push(&self, line: String) {
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        if lines.len() == KEPT_LINES {
            lines.pop_front();
        }
        lines.push_back(line);
        drop(lines);
        self.changed.send_modify(|count| *count += 1);
    }

    fn find<T>(&self, look: &mut impl FnMut(&str) -> Option<T>) -> Option<T> {
        let lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        lines.iter().find_map(|line| look(line))
    }
}

#[cfg(target_os = "linux")]
fn die_with_parent(parent: u32) -> std::io::Result<()> {
    // SAFETY: prctl and getppid take no pointers here.
    unsafe {
        if libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) != 0 {
            return Err(std::io::Error::last_os_error());
        }
        // We may have been killed between fork and this call.
        if libc::getppid() as u32 != parent {
            libc::_exit(1);
        }
    }
    Ok(())
}

#[cfg(not(target_os = "linux"))]
fn die_with_parent(_parent: u32) -> std::io::Result<()> {
    Ok(())
}

impl BrowserProcess {
    /// The last lines the browser wrote, for an error message.
    pub fn output(&self) -> Vec<String> {
        self.output.lines.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }

    /// The group that all its processes are in.
    pub fn group(&self) -> u32 {
        self.group
    }

    /// Waits until the browser writes a line that `look` makes something of.
    pub async fn until_it_writes<T>(
        &self,
        mut look: impl FnMut(&str) -> Option<T>,
        deadline: Deadline,
    ) -> Result<T, DriverError> {
        let mut changed = self.output.changed.subscribe();
        loop {
            if let Some(found) = self.output.find(&mut look) {
                return Ok(found);
            }
            let ended = async {
                let mut child = self.child.lock().await;
                // Only the end counts here; how it ended is in what it wrote.
                let _status = child.wait().await;
            };
            tokio::select! {
                _more = changed.changed() => {}
                () = ended => {
                    // Its last words may still be on their way through the pipe.
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    return self.output.find(&mut look).ok_or(DriverError::Lost);
                }
                () = tokio::time::sleep_until(deadline.instant()) => return Err(DriverError::Timeout),
            }
        }
    }

    pub async fn has_ended(&self) -> bool {
        matches!(self.child.lock().await.try_wait(), Ok(Some(_)))
    }

    /// Waits for the process to end by itself for a moment, then ends its whole group.
    pub async fn end(&self, patience: Duration) {
        let mut child = self.child.lock().await;
        if tokio::time::timeout(patience, child.wait()).await.is_err() {
            kill_group(self.group);
            // It was just killed; waiting only takes away the zombie.
            let _status = child.wait().await;
        }
        kill_group(self.group);
    }
}

impl Drop for BrowserProcess {
    fn drop(&mut self) {
        kill_group(self.group);
    }
}

fn kill_group(group: u32) {
    // SAFETY: a plain system call. The group is ours: it was made at the start and is named by its leader.
    unsafe {
        libc::killpg(group as libc::pid_t, libc::SIGKILL);
    }
}

impl std::fmt::Debug for BrowserProcess {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("BrowserProcess").field("pid", &self.pid).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, profile: &Path) -> BrowserProcess {
        Spawn {
            driver: "shell",
            program: Path::new("/bin/sh"),
            arguments: vec!["-c".to_string(), script.to_string()],
            variables: Vec::new(),
            profile,
            group: None,
        }
        .start()
        .unwrap()
    }

    #[tokio::test]
    async fn what_a_process_writes_is_awaited() {
        let process = shell("echo one >&2; echo port 77 >&2; sleep 5", Path::new("/tmp"));
        let port = process
            .until_it_writes(
                |line| line.strip_prefix("port ")?.parse::<u16>().ok(),
                Deadline::after(Duration::from_secs(5)),
            )
            .await
            .unwrap();
        assert_eq!(port, 77);
        process.end(Duration::from_millis(1)).await;
    }

    #[tokio::test]
    async fn a_process_that_ends_first_is_lost_with_its_last_words() {
        let process = shell("echo no display >&2; exit 1", Path::new("/tmp"));
        let soon = Deadline::after(Duration::from_secs(5));
        let missed = process.until_it_writes(|line| line.strip_prefix("port ").map(drop), soon).await;
        assert!(matches!(missed, Err(DriverError::Lost)));
        assert_eq!(process.output(), ["no display"]);
    }
}
