//! What the service takes from its program.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use assay_host::{Granularity, HostContext, LivePage, Repeats};
use assay_protocol::{Failure, Owner};
use assay_tools::Program;

use crate::log::LogSink;

/// A run that the service accepted, to be carried out now.
pub struct RunWork<'a> {
    /// The name of the run, which is known before it begins.
    pub name: &'a str,
    /// A command line of ours after `assay`, such as `run tests`.
    pub words: &'a [String],
    /// An earlier run that goes on, instead of a new one.
    pub resuming: Option<Resume>,
    /// Gets each line that is no event of the run.
    pub note: &'a dyn Fn(&str),
}

/// How a run goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Resume {
    pub granularity: Granularity,
    pub repeats: Repeats,
}

/// Carries out the runs that the service accepts. Blocking: each run has a thread of its own.
pub trait RunCarrier: Send + Sync {
    /// Whether these words are a run that could be started. Starts nothing.
    fn check(&self, words: &[String]) -> Result<(), Failure>;

    /// Carries the run out to its end. It is stopped and paused through the state of the project.
    fn carry_out(&self, work: &RunWork<'_>) -> Result<(), Failure>;
}

/// Browser sessions of callers of tools.
pub trait CallerSessions: Send + Sync {
    /// A session that no other caller can name; the same for the same number.
    fn session_name(&self, number: u32) -> String;

    /// Ends the browsers of a session.
    fn end_session(&self, session: &str) -> Result<(), Failure>;
}

/// A test to be stepped through.
#[derive(Debug, Clone, Copy)]
pub struct LiveTest<'a> {
    pub file: &'a Path,
    /// The file that it is a draft of; none for a text that is no file.
    pub draft_of: Option<&'a Path>,
    /// Which test, where the file has several.
    pub name: Option<&'a str>,
    /// Its steps are taken at once.
    pub is_going: bool,
}

/// Opens pages that are looked at and used.
pub trait LiveCarrier: Send + Sync {
    /// A page on which the test of a file is stepped through. The file may go once this returns.
    fn open(&self, test: &LiveTest<'_>) -> Result<LivePage, Failure>;

    /// The page of an open session, looked at and used in the name of a session of the caller.
    fn open_device(&self, file: &Path, device: &str, session: &str) -> Result<LivePage, Failure>;

    /// The process that an open session lives as long as.
    fn owner_of(&self, device: &str) -> Result<Owner, Failure>;
}

/// Everything that the service takes from its program.
#[derive(Clone)]
pub struct Seams {
    /// Drivers, folders and variables.
    pub context: HostContext,
    /// The folder that the service was started in: test files are named as seen from here.
    pub folder: PathBuf,
    /// Carries tools out.
    pub program: Arc<dyn Program>,
    pub runs: Arc<dyn RunCarrier>,
    pub sessions: Arc<dyn CallerSessions>,
    /// The same tools for clients that speak the Model Context Protocol.
    pub mcp: Arc<dyn assay_mcp::Service>,
    pub live: Arc<dyn LiveCarrier>,
    /// Model services for which a key can be kept.
    pub model_services: Vec<String>,
    pub version: &'static str,
    /// Takes the lines of the log.
    pub log: LogSink,
}
