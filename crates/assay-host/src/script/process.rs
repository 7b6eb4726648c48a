//! The process of a script: its group ends with it, with its time, and with us.

use std::future::Future;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use assay_daemon::{BrowserLender, OwnedGroup};
use assay_suite::ProgramCall;
use tokio::process::{Child, Command};

use super::logs::{self, Log};

/// How a program ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ProgramEnd {
    Exited(i32),
    /// By a signal of somebody else.
    Signalled(i32),
    TimedOut,
    Stopped,
    NotStarted(String),
}

pub(super) struct ProgramOutcome {
    pub end: ProgramEnd,
    pub out: Log,
    pub err: Log,
    pub duration: Duration,
}

/// Where a program leaves what it writes, in the folder of its results.
pub(super) const STDOUT: &str = "stdout.txt";
pub(super) const STDERR: &str = "stderr.txt";

/// How long a group may take to end by itself, once it is asked to.
const PATIENCE: Duration = Duration::from_secs(2);

/// Runs the program to its end, to the end of its time, or until `stopped`.
pub(super) async fn run(
    call: &ProgramCall,
    variables: &[(String, String)],
    results: &Path,
    time: Duration,
    lender: &BrowserLender,
    stopped: impl Future<Output = ()>,
) -> std::io::Result<ProgramOutcome> {
    let begun = Instant::now();
    let mut command = Command::new(&call.program);
    command
        .args(&call.arguments)
        .envs(call.environment.iter().chain(variables).map(|(name, value)| (name, value)))
        .current_dir(&call.folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .kill_on_drop(true);
    let mut child = match command.spawn() {
        Ok(child) => child,
        Err(err) => {
            let end = ProgramEnd::NotStarted(err.to_string());
            let nothing = || Log::default();
            return Ok(ProgramOutcome { end, out: nothing(), err: nothing(), duration: begun.elapsed() });
        }
    };
    let group = child.id().map(|id| (id, lender.own_group(id)));
    let (out, err) = (child.stdout.take(), child.stderr.take());
    let keep = async |stream, file: &str| match stream {
        Some(stream) => logs::keep(stream, &results.join(file), &call.secrets).await,
        None => Ok(Log::default()),
    };
    let out = async { keep(out.map(Stream::Out), STDOUT).await };
    let err = async { keep(err.map(Stream::Err), STDERR).await };
    let end = async { end_of(child, group, time, stopped).await };
    let (end, out, err) = tokio::join!(end, out, err);
    Ok(ProgramOutcome { end: end?, out: out?, err: err?, duration: begun.elapsed() })
}

/// Both streams as one type.
enum Stream {
    Out(tokio::process::ChildStdout),
    Err(tokio::process::ChildStderr),
}

impl tokio::io::AsyncRead for Stream {
    fn poll_read(
        self: std::pin::Pin<&mut Self>,
        context: &mut std::task::Context<'_>,
        buffer: &mut tokio::io::ReadBuf<'_>,
    ) -> std::task::Poll<std::io::Result<()>> {
        match self.get_mut() {
            Stream::Out(stream) => std::pin::Pin::new(stream).poll_read(context, buffer),
            Stream::Err(stream) => std::pin::Pin::new(stream).poll_read(context, buffer),
        }
    }
}

async fn end_of(
    mut child: Child,
    group: Option<(u32, OwnedGroup)>,
    time: Duration,
    stopped: impl Future<Output = ()>,
) -> std::io::Result<ProgramEnd> {
    let Some((id, group)) = group else {
        return Ok(of_status(child.wait().await?));
    };
    let cut = tokio::select! {
        () = has_ended(id) => None,
        () = tokio::time::sleep(time) => Some(ProgramEnd::TimedOut),
        () = stopped => Some(ProgramEnd::Stopped),
    };
    if cut.is_some() {
        // SAFETY: a plain system call; the group was made for this program.
        unsafe { libc::killpg(id as libc::pid_t, libc::SIGTERM) };
        // It has been asked; now it ends in any case.
        let _in_time = tokio::time::timeout(PATIENCE, has_ended(id)).await;
    }
    // Whatever it left running ends here, while its number is still its own; the pipes close with that.
    drop(group);
    let status = child.wait().await?;
    Ok(cut.unwrap_or_else(|| of_status(status)))
}

/// Returns when the process has ended. It is not taken away yet, so its number stays its own.
async fn has_ended(id: u32) {
    loop {
        let mut found = std::mem::MaybeUninit::<libc::siginfo_t>::zeroed();
        let flags = libc::WEXITED | libc::WNOHANG | libc::WNOWAIT;
        // SAFETY: the structure is zeroed, and read only when the call worked.
        let has_ended = unsafe {
            libc::waitid(libc::P_PID, id, found.as_mut_ptr(), flags) != 0 || found.assume_init().si_pid() != 0
        };
        if has_ended {
            return;
        }
        tokio::time::sleep(Duration::from_millis(15)).await;
    }
}

fn of_status(status: std::process::ExitStatus) -> ProgramEnd {
    use std::os::unix::process::ExitStatusExt;
    match (status.code(), status.signal()) {
        (Some(code), _) => ProgramEnd::Exited(code),
        (None, Some(signal)) => ProgramEnd::Signalled(signal),
        (None, None) => ProgramEnd::Signalled(0),
    }
}
