//! The two builds before their runs: whether they answer, and how their data is put back.

use std::process::Stdio;
use std::time::{Duration, Instant};

use assay_daemon::BrowserLender;
use assay_protocol::{ErrorCode, Failure};
use assay_twin::BuildAddress;

use super::spec::TwinSpec;
use crate::context::HostContext;

/// A command that takes longer is not going to end.
const RESET_TIME: Duration = Duration::from_secs(120);
/// A build that was started a moment ago may not answer yet.
const START_TIME: Duration = Duration::from_secs(3);
const ANSWER_TIME: Duration = Duration::from_secs(10);

/// The addresses of both builds, old and new.
pub fn addresses(spec: &TwinSpec) -> Result<(BuildAddress, BuildAddress), Failure> {
    let read = |flag: &str, url: &str| {
        BuildAddress::parse(url).ok_or_else(|| {
            let message =
                format!("expected an address like http://127.0.0.1:8080 after {flag}, found `{url}`");
            Failure::new(ErrorCode::Usage, message)
        })
    };
    Ok((read("--old", &spec.old)?, read("--new", &spec.new)?))
}

/// A build that does not answer is no build that differs.
pub async fn check_answers(spec: &TwinSpec) -> Result<(), Failure> {
    assay_wire::install_tls_provider();
    let client = reqwest::Client::builder()
        .no_proxy()
        .redirect(reqwest::redirect::Policy::none())
        .timeout(ANSWER_TIME)
        .build()
        .map_err(|err| {
            Failure::new(ErrorCode::Internal, format!("could not create an HTTP client: {err}"))
        })?;
    for (side, url) in [("old", &spec.old), ("new", &spec.new)] {
        let end = Instant::now() + START_TIME;
        let mut answer = client.get(url).send().await;
        while answer.as_ref().is_err_and(reqwest::Error::is_connect) && Instant::now() < end {
            tokio::time::sleep(Duration::from_millis(200)).await;
            answer = client.get(url).send().await;
        }
        if let Err(err) = answer {
            let message = format!("the {side} build does not answer at {url}: {err}");
            return Err(Failure::new(ErrorCode::Io, message)
                .hint("start both builds first; assay twin starts neither"));
        }
    }
    Ok(())
}

/// Commands run for a project that its user trusts.
pub fn check_trust(context: &HostContext, spec: &TwinSpec) -> Result<(), Failure> {
    let has_commands = spec.reset_old.is_some() || spec.reset_new.is_some();
    let is_trusted = spec.trust || context.trusted.contains(&spec.folder);
    if !has_commands || is_trusted {
        return Ok(());
    }
    let message =
        format!("--reset-old and --reset-new run commands, but {} is not trusted", spec.folder.display());
    Err(Failure::new(ErrorCode::BlockedByPolicy, message)
        .hint(format!("run it with --trust, or assay trust {}", spec.folder.display())))
}

/// Puts the data of both builds back.
pub async fn reset(spec: &TwinSpec, lender: &BrowserLender) -> Result<(), Failure> {
    for (flag, command) in [("--reset-old", &spec.reset_old), ("--reset-new", &spec.reset_new)] {
        let Some(command) = command else { continue };
        let failed = |reason: String| Failure::new(ErrorCode::Io, format!("{flag}: `{command}` {reason}"));
        let child = tokio::process::Command::new("sh")
            .arg("-c")
            .arg(command)
            .current_dir(&spec.folder)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .process_group(0)
            .kill_on_drop(true)
            .spawn()
            .map_err(|err| failed(format!("could not be run: {err}")))?;
        // Its whole group ends with this value, and with this process.
        let _group = child.id().map(|group| lender.own_group(group));
        let output = tokio::time::timeout(RESET_TIME, child.wait_with_output())
            .await
            .map_err(|_| failed(format!("did not finish within {} s", RESET_TIME.as_secs())))?
            .map_err(|err| failed(format!("could not be run: {err}")))?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            return Err(failed(format!(
                "ended with {}: {}",
                output.status,
                said.lines().last().unwrap_or_default()
            )));
        }
    }
    Ok(())
}
