//! Establishes preconditions: by a command of the project, or by a request.

use std::path::PathBuf;
use std::process::Stdio;
use std::rc::Rc;
use std::time::Duration;

use assay_protocol::{ErrorCode, Failure};
use assay_runner::{LocalFuture, Preconditions};
use assay_suite::{Body, PreconditionRequest, ShellCommand};

use super::browsers::LentBrowsers;

/// A way to make one fact true, with where relative addresses begin.
#[derive(Debug, Clone)]
pub enum PreconditionMaker {
    Command(ShellCommand),
    Request { request: PreconditionRequest, base_url: Option<String> },
}

pub struct PreconditionMakers {
    pub ways: Vec<PreconditionMaker>,
    /// Commands run here.
    pub folder: PathBuf,
    /// Whose guard ends a command, should we be killed.
    pub browsers: Rc<LentBrowsers>,
}

/// A precondition that takes longer is not going to be true.
const TIME: Duration = Duration::from_secs(60);

impl Preconditions for PreconditionMakers {
    fn make_true(&self, way: usize) -> LocalFuture<'_, Result<String, Failure>> {
        Box::pin(async move {
            match self.ways.get(way) {
                Some(PreconditionMaker::Command(command)) => self.command(command).await,
                Some(PreconditionMaker::Request { request, base_url }) => {
                    send(request, base_url.as_deref()).await
                }
                None => {
                    let message =
                        format!("internal: the plan refers to precondition {way}, which does not exist");
                    Err(Failure::new(ErrorCode::Internal, message))
                }
            }
        })
    }
}

impl PreconditionMakers {
    async fn command(&self, shell: &ShellCommand) -> Result<String, Failure> {
        let failed = |reason: String| Failure::new(ErrorCode::Io, format!("`{}` {reason}", shell.command));
        let child = tokio::process::Command::new("sh")
            .arg("-c")
            .arg(&shell.command)
            .envs(shell.environment.iter().map(|(name, value)| (name, value)))
            .current_dir(&self.folder)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .process_group(0)
            .kill_on_drop(true)
            .spawn()
            .map_err(|err| failed(format!("could not be run: {err}")))?;
        let group = child.id().map(|group| self.browsers.lender.own_group(group));
        match tokio::time::timeout(TIME, child.wait_with_output()).await {
            Err(_) => {
                drop(group);
                Err(failed(format!("did not finish within {} s", TIME.as_secs())))
            }
            Ok(Err(err)) => Err(failed(format!("could not be run: {err}"))),
            Ok(Ok(output)) if output.status.success() => Ok(format!("made true by `{}`", shell.command)),
            Ok(Ok(output)) => {
                let said = String::from_utf8_lossy(&output.stderr);
                let last = said.lines().last().unwrap_or_default();
                Err(failed(format!("ended with {}: {last}", output.status)))
            }
        }
    }
}

async fn send(request: &PreconditionRequest, base_url: Option<&str>) -> Result<String, Failure> {
    let url = match base_url {
        Some(base) if !request.url.contains("://") => {
            format!("{}/{}", base.trim_end_matches('/'), request.url.trim_start_matches('/'))
        }
        _ => request.url.clone(),
    };
    let named = format!("{} {}", request.method, request.url);
    let failed = |reason: String| Failure::new(ErrorCode::Io, format!("{named}: {reason}"));
    assay_wire::install_tls_provider();
    // Do not follow redirects: a login page answers with success although the precondition does not hold.
    let client = reqwest::Client::builder()
        .no_proxy()
        .redirect(reqwest::redirect::Policy::none())
        .timeout(TIME)
        .build()
        .map_err(|err| failed(err.to_string()))?;
    let method = request.method.parse::<reqwest::Method>().map_err(|err| failed(err.to_string()))?;
    let mut asked = client.request(method, &url);
    for (name, value) in &request.headers {
        asked = asked.header(name, value);
    }
    asked = match &request.body {
        None => asked,
        Some(Body::Text(text)) => asked.body(text.clone()),
        Some(Body::Json(value)) => asked.header("content-type", "application/json").body(value.to_string()),
    };
    let answer = asked.send().await.map_err(|err| failed(err.to_string()))?;
    let status = answer.status().as_u16();
    let is_well = if request.expect.is_empty() {
        (200..300).contains(&status)
    } else {
        request.expect.contains(&status)
    };
    if is_well {
        Ok(format!("made true by {named} ({status})"))
    } else {
        Err(failed(format!("answered {status}")))
    }
}
