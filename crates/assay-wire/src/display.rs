//! A screen for browsers that need one, where there is none.

use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::path::Path;
use std::time::Duration;

use assay_driver::{Deadline, DriverError};
use tokio::io::AsyncReadExt;

use crate::distribution::{Package, install_command};
use crate::process::{BrowserProcess, Spawn};
use crate::program::first_program;

const PACKAGE: Package = Package {
    debian: "xvfb",
    ubuntu: "xvfb",
    fedora: "xorg-x11-server-Xvfb",
    arch: "xorg-server-xvfb",
    suse: "xorg-x11-server-Xvfb",
};
const PROGRAMS: &[&str] = &["/usr/bin/Xvfb", "/usr/local/bin/Xvfb"];

/// An X server that paints into memory. It lives as long as this value.
#[derive(Debug)]
pub struct VirtualDisplay {
    /// As in `DISPLAY`: `:99`.
    pub name: String,
    process: BrowserProcess,
}

impl VirtualDisplay {
    /// What must be installed before one can be started; none when it is there.
    pub fn missing_package() -> Option<Package> {
        first_program(PROGRAMS).is_none().then_some(PACKAGE)
    }

    /// Starts one under the first free number.
    pub async fn start(
        driver: &'static str,
        profile: &Path,
        deadline: Deadline,
    ) -> Result<VirtualDisplay, DriverError> {
        let program = first_program(PROGRAMS)
            .ok_or_else(|| DriverError::DisplayMissing { driver, install: install_command(&[PACKAGE]) })?;
        let fail = |err| DriverError::io("could not start a virtual display", err);
        let (told, tells) = pipe().map_err(fail)?;
        let told_by = tells.as_raw_fd().to_string();
        // A socket in the file system would stay behind when the server is killed; the other kind does not.
        let arguments =
            ["-displayfd", &told_by, "-screen", "0", SCREEN, "-nolisten", "tcp", "-nolisten", "unix"]
                .map(str::to_string)
                .to_vec();
        let spawn =
            Spawn { driver, program: &program, arguments, variables: Vec::new(), profile, group: None };
        let process = spawn.start()?;
        drop(tells);
        let mut reader = tokio::net::unix::pipe::Receiver::from_owned_fd(told).map_err(fail)?;
        let mut number = String::new();
        let mut byte = [0; 16];
        let reading = async {
            while !number.ends_with('\n') {
                match reader.read(&mut byte).await {
                    Ok(0) | Err(_) => return false,
                    Ok(length) => number.push_str(&String::from_utf8_lossy(&byte[..length])),
                }
            }
            true
        };
        let told = tokio::time::timeout_at(deadline.instant(), reading).await;
        if !told.is_ok_and(|told| told) {
            tokio::time::sleep(Duration::from_millis(50)).await;
            let reason = "Xvfb did not start".to_string();
            return Err(DriverError::LaunchFailed { driver, reason, output: process.output() });
        }
        Ok(VirtualDisplay { name: format!(":{}", number.trim()), process })
    }

    /// The process group of the server, for others to join: then all end together.
    pub fn group(&self) -> u32 {
        self.process.group()
    }

    pub async fn end(&self) {
        self.process.end(Duration::ZERO).await;
    }
}

const SCREEN: &str = "1920x1200x24";

/// The writing end is inherited by the server; the reading end is not.
fn pipe() -> std::io::Result<(OwnedFd, OwnedFd)> {
    let mut ends = [0; 2];
    // SAFETY: `ends` is an array of two descriptors, as pipe2 wants, and nobody else owns them afterwards.
    unsafe {
        if libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC | libc::O_NONBLOCK) != 0 {
            return Err(std::io::Error::last_os_error());
        }
        libc::fcntl(ends[1], libc::F_SETFD, 0);
        Ok((OwnedFd::from_raw_fd(ends[0]), OwnedFd::from_raw_fd(ends[1])))
    }
}
