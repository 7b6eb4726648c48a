//! The application under test, if the project says how to start it.

use std::path::PathBuf;
use std::process::Stdio;
use std::time::{Duration, Instant};

use assay_daemon::{BrowserLender, OwnedGroup};
use assay_protocol::{ErrorCode, Failure};
use tokio::process::{Child, Command};

/// One server as the project names it.
#[derive(Debug, Clone)]
pub struct ServerCommand {
    pub command: String,
    pub environment: Vec<(String, String)>,
    pub url: String,
    pub folder: PathBuf,
    pub time: Duration,
}

/// A server that runs; it ends with this value.
pub struct Server {
    /// All that it started. They end before the server is let go of: until then its number is its own.
    _group: Option<OwnedGroup>,
    child: Option<Child>,
}

impl Server {
    /// Starts it and waits until its address answers. One that answers already is used as it is.
    pub async fn start(
        start: &ServerCommand,
        lender: &BrowserLender,
    ) -> Result<(Server, Option<String>), Failure> {
        assay_wire::install_tls_provider();
        let client =
            reqwest::Client::builder().no_proxy().timeout(Duration::from_secs(2)).build().map_err(|err| {
                Failure::new(ErrorCode::Internal, format!("could not create an HTTP client: {err}"))
            })?;
        // A server that is still starting may answer that it cannot yet.
        let answers =
            async || client.get(&start.url).send().await.is_ok_and(|answer| answer.status().as_u16() < 500);
        if answers().await {
            let note = format!("{} already answers, so `{}` was not started", start.url, start.command);
            return Ok((Server { _group: None, child: None }, Some(note)));
        }
        let failed = |reason: String| {
            Failure::new(ErrorCode::Io, format!("`{}` did not start: {reason}", start.command))
                .hint(format!("run it by hand in {}", start.folder.display()))
        };
        let mut command = Command::new("sh");
        command
            .arg("-c")
            .arg(&start.command)
            .envs(start.environment.iter().map(|(name, value)| (name, value)))
            .current_dir(&start.folder)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .kill_on_drop(true);
        let child = command.spawn().map_err(|err| failed(err.to_string()))?;
        // From here on its whole group ends with this value, however the wait for it ends.
        let group = child.id().map(|group| lender.own_group(group));
        let mut server = Server { _group: group, child: Some(child) };
        let end = Instant::now() + start.time;
        loop {
            if answers().await {
                return Ok((server, None));
            }
            if let Some(Ok(Some(status))) = server.child.as_mut().map(Child::try_wait) {
                return Err(failed(format!("it ended with {status}")));
            }
            if Instant::now() >= end {
                return Err(failed(format!(
                    "{} did not answer within {} s",
                    start.url,
                    start.time.as_secs()
                )));
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
}
