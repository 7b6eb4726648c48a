//! The process of a server.

use std::path::Path;
use std::process::Stdio;

use tokio::process::{Child, ChildStdin, ChildStdout, Command};

use super::error::ClientError;

/// A server that was started for us, in a process group of its own. It is killed when this is dropped; what it started
/// itself is in its group.
pub struct ServerProcess {
    child: Child,
    streams: Option<(ChildStdout, ChildStdin)>,
    program: String,
}

impl ServerProcess {
    pub fn start(command: &[String], folder: &Path) -> Result<ServerProcess, ClientError> {
        let (program, arguments) = command.split_first().ok_or(ClientError::NoCommand)?;
        let mut child = Command::new(program)
            .args(arguments)
            .current_dir(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .process_group(0)
            .kill_on_drop(true)
            .spawn()
            .map_err(|source| ClientError::NotStarted { program: program.clone(), source })?;
        let streams = child.stdout.take().zip(child.stdin.take());
        Ok(ServerProcess { child, streams, program: program.clone() })
    }

    /// The number of its process group.
    pub fn group(&self) -> Option<u32> {
        self.child.id()
    }

    /// Its output and its input, once.
    pub(super) fn take_streams(&mut self) -> Result<(ChildStdout, ChildStdin), ClientError> {
        self.streams.take().ok_or_else(|| ClientError::NoStreams { program: self.program.clone() })
    }
}
