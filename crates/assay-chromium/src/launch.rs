//! Starting a browser process that cannot outlive us.

use std::collections::VecDeque;
use std::os::fd::AsRawFd;
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use assay_driver::{DriverError, LaunchOptions};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::net::UnixStream;
use tokio::process::{Child, Command};

use crate::find::{Found, Kind};

/// A running browser: a process group of its own, told by the kernel to die with us.
pub(crate) struct BrowserProcess {
    pub pid: u32,
    child: tokio::sync::Mutex<Child>,
    output: Arc<Mutex<VecDeque<String>>>,
}

const KEPT_LINES: usize = 20;

/// Starts the browser; its end of the returned stream are the descriptors 3 and 4.
pub(crate) fn start(
    found: &Found,
    options: &LaunchOptions,
) -> Result<(BrowserProcess, UnixStream), DriverError> {
    let failed =
        |reason: String| DriverError::LaunchFailed { driver: "chromium", reason, output: Vec::new() };
    let (ours, theirs) = std::os::unix::net::UnixStream::pair()
        .map_err(|err| DriverError::io("could not make a socket pair for the browser", err))?;
    let their_fd = theirs.as_raw_fd();
    let our_pid = std::process::id();
    let mut command = Command::new(&found.program);
    command
        .args(arguments(found.kind, options))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .process_group(0)
        .kill_on_drop(true);
    // SAFETY: between fork and exec only async-signal-safe calls are made.
    unsafe {
        command.pre_exec(move || {
            // Both ends are moved out of the way first, so that 3 and 4 do not overwrite them.
            let high = libc::fcntl(their_fd, libc::F_DUPFD, 20);
            if high < 0 || libc::dup2(high, 3) < 0 || libc::dup2(high, 4) < 0 {
                return Err(std::io::Error::last_os_error());
            }
            libc::close(high);
            die_with_parent(our_pid)
        });
    }
    let mut child = command.spawn().map_err(|err| failed(format!("{}: {err}", found.program.display())))?;
    drop(theirs);
    let pid = child.id().ok_or_else(|| failed("it ended at once".to_string()))?;
    let output = Arc::new(Mutex::new(VecDeque::new()));
    if let Some(stderr) = child.stderr.take() {
        let kept = Arc::clone(&output);
        // Read to its end: a full pipe would stop the browser.
        tokio::spawn(async move {
            let mut lines = BufReader::new(stderr).lines();
            while let Ok(Some(line)) = lines.next_line().await {
                let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                if kept.len() == KEPT_LINES {
                    kept.pop_front();
                }
                kept.push_back(line);
            }
        });
    }
    ours.set_nonblocking(true).map_err(|err| DriverError::io("could not set up the browser's pipe", err))?;
    let stream = UnixStream::from_std(ours)
        .map_err(|err| DriverError::io("could not set up the browser's pipe", err))?;
    Ok((BrowserProcess { pid, child: tokio::sync::Mutex::new(child), output }, stream))
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
        self.output.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }

    /// Waits for the process to end by itself for a moment, then ends its whole group.
    pub async fn end(&self, patience: Duration) {
        let mut child = self.child.lock().await;
        if tokio::time::timeout(patience, child.wait()).await.is_err() {
            kill_group(self.pid);
            // It was just killed; waiting only takes away the zombie.
            let _status = child.wait().await;
        }
        kill_group(self.pid);
    }
}

impl Drop for BrowserProcess {
    fn drop(&mut self) {
        kill_group(self.pid);
    }
}

fn kill_group(pid: u32) {
    // SAFETY: a plain system call. The group is ours: it was made at the start and is named by its leader.
    unsafe {
        libc::killpg(pid as libc::pid_t, libc::SIGKILL);
    }
}

const QUIET: &[&str] = &[
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-component-extensions-with-background-pages",
    "--disable-default-apps",
    "--disable-sync",
    "--disable-extensions",
    "--disable-domain-reliability",
    "--disable-client-side-phishing-detection",
    "--metrics-recording-only",
    "--password-store=basic",
    "--use-mock-keychain",
    "--mute-audio",
    "--disable-breakpad",
    "--disable-hang-monitor",
    "--disable-prompt-on-repost",
    "--disable-popup-blocking",
    "--disable-ipc-flooding-protection",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--force-color-profile=srgb",
    "--hide-scrollbars",
];

// Each window of the full browser would load two hidden pages for its address bar.
const OFF: &str = "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup,Translate,MediaRouter,\
                   OptimizationHints,AutofillServerCommunication,CertificateTransparencyComponentUpdater";

fn arguments(kind: Kind, options: &LaunchOptions) -> Vec<String> {
    let mut arguments: Vec<String> = QUIET.iter().map(|flag| (*flag).to_string()).collect();
    arguments.push(OFF.to_string());
    arguments.push(format!("--window-size={},{}", options.viewport.width, options.viewport.height));
    arguments.push(format!("--user-data-dir={}", options.profile.display()));
    arguments.push("--remote-debugging-pipe".to_string());
    // SAFETY: a plain system call.
    if unsafe { libc::geteuid() } == 0 {
        arguments.push("--no-sandbox".to_string());
    }
    if options.headless && kind == Kind::Full {
        arguments.push("--headless=new".to_string());
    }
    arguments.push("about:blank".to_string());
    arguments
}
