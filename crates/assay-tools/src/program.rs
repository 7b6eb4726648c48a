//! The program that carries tools out.

use std::path::PathBuf;
use std::time::Duration;

use assay_protocol::{Action, DeviceLock, Failure, HostInfo, LockPriority, Reply, UserInterface};

use crate::call::CallSpec;

/// What a tool needs of its program. Blocking: callers that must not wait use a thread of their own.
pub trait Program: Send + Sync {
    /// The folder that paths in arguments count from.
    fn folder(&self) -> PathBuf;

    /// Where files go that are removed at once.
    fn temporary(&self) -> PathBuf;

    /// Carries an action out in the browser of the caller, and answers in text within the budget of the command line.
    fn act(&self, spec: &CallSpec<'_>, action: Action) -> Result<Reply, Failure>;

    /// The act of the browser that a command line is, if it is nothing else.
    fn action_of(&self, words: &[String]) -> Option<Action>;

    /// What a command line does beyond pages, tests and reports, in words; or why the caller may not say it.
    fn reach_of(&self, words: &[String]) -> Result<Option<&'static str>, Failure>;

    /// Runs a command line of ours to its end. The caller hears each line of talk as it comes; when it stops the call,
    /// the command is asked to end, as by an interrupt.
    fn run_command(&self, spec: &CallSpec<'_>, words: &[String]) -> Result<CommandRun, Failure>;

    /// This machine and its devices.
    fn host(&self) -> Result<HostInfo, Failure>;

    /// Gives the caller control of a device; what it drives from now on is that device.
    fn take_control(&self, spec: &CallSpec<'_>, wish: DeviceWish) -> Result<DeviceLock, Failure>;

    /// Refuses a device that the caller could not take now.
    fn check_control(&self, spec: &CallSpec<'_>, device: &str) -> Result<(), Failure>;

    /// Ends the caller's control of a device.
    fn release_control(&self, spec: &CallSpec<'_>, device: &str) -> Result<DeviceLock, Failure>;

    /// The applications that the project tests.
    fn applications(&self) -> Result<Vec<UserInterface>, Failure>;
}

/// A device that a caller wants to control.
#[derive(Debug, Clone)]
pub struct DeviceWish {
    pub device: String,
    pub period: Duration,
    /// How long to wait in the queue.
    pub wait: Option<Duration>,
    pub priority: LockPriority,
    pub purpose: String,
}

/// What came of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandRun {
    /// Standard output.
    pub data: String,
    /// Standard error.
    pub talk: String,
    pub exit_code: i32,
}
