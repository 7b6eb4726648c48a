//! The same work without a daemon: a fresh browser, and nothing left behind.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use assay_driver::{Deadline, Driver};
use assay_protocol::{Ask, ErrorCode, Failure, Outcome, Reply, Request};

use crate::guard::fork_guard;
use crate::reaper::reap;
use crate::serve::DaemonSettings;
use crate::session_browser::{SessionBrowser, call_of, outcome};
use crate::session_paths::lock_soon;

/// Carries out requests in order in one fresh browser, and hands each reply to `tell`, which says
/// whether to go on.
pub fn run_once(
    driver: Arc<dyn Driver>,
    settings: DaemonSettings,
    requests: impl IntoIterator<Item = Request>,
    mut tell: impl FnMut(Reply) -> bool,
) -> Result<(), Failure> {
    let place = settings.place.clone();
    let failed =
        |what: &str, err: std::io::Error| Failure::new(ErrorCode::DaemonFailed, format!("{what}: {err}"));
    let lock = place.open_lock().map_err(|err| failed("could not open the lock file", err))?;
    lock_soon(&lock).map_err(|err| failed("could not acquire the lock", err.into()))?;
    reap(&place);
    let mut guard = fork_guard().map_err(|err| failed("could not start the guard", err))?;
    for file in [place.lock_file(), place.record_file()] {
        guard.watch_file(&file).map_err(|err| failed("could not talk to the guard", err))?;
    }
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|err| failed("could not start the async runtime", err))?;
    let result = runtime.block_on(async {
        let mut engine =
            SessionBrowser::new(driver, place.clone(), settings.browser.clone(), Arc::new(Mutex::new(guard)));
        let started = engine.start().await;
        let result = match started {
            Err(failure) => Err(failure),
            Ok(_) => {
                for request in requests {
                    let reply = one(&mut engine, &request).await;
                    if !tell(reply) {
                        break;
                    }
                }
                Ok(())
            }
        };
        engine.stop().await;
        result
    });
    // The guard removes them too; whoever comes second finds nothing to do.
    for file in [place.lock_file(), place.record_file()] {
        let _removed = std::fs::remove_file(file);
    }
    result
}

async fn one(engine: &mut SessionBrowser, request: &Request) -> Reply {
    let Ask::Act(action) = &request.ask else {
        let failure = Failure::new(ErrorCode::Usage, "there is no daemon in oneshot mode");
        return Reply { outcome: Outcome::Failed(failure), notes: Vec::new() };
    };
    let deadline = Deadline::after(Duration::from_millis(request.deadline_ms));
    let call = call_of(request, deadline);
    let result = engine.perform(action, &call).await;
    Reply { outcome: outcome(result, request.format, request.budget), notes: Vec::new() }
}
