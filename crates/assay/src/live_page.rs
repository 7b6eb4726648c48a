//! Live pages of the service: in browsers of their own, or on the page of an open session.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use assay_actions::{Call, Taking};
use assay_client::ask_running;
use assay_driver::Deadline;
use assay_host::{ForeignSurface, Host, LivePage, PageSource, session_of_device};
use assay_protocol::{Action, Answer, Control, ErrorCode, Failure, Outcome, Owner, Reply};
use assay_runner::{LocalFuture, TestSurface};
use assay_server::{LiveCarrier, LiveTest};
use assay_tools::Program as _;

use crate::connect::runtime_folder;
use crate::device;
use crate::environment::Environment;
use crate::own_program::OwnProgram;
use crate::run;
use crate::task::session_owner;

const STATUS_TIME: Duration = Duration::from_secs(5);

pub struct LivePages {
    pub host: Host,
    pub program: Arc<OwnProgram>,
    pub environment: Environment,
}

impl LiveCarrier for LivePages {
    fn open(&self, test: &LiveTest<'_>) -> Result<LivePage, Failure> {
        let LiveTest { file, draft_of, name, is_going } = *test;
        let spec = run::spec_for_live_page(file, &self.environment)?;
        let source = PageSource::OwnBrowser { draft_of: draft_of.map(Path::to_path_buf) };
        self.host.open_page(spec, name, is_going, source)
    }

    fn open_device(&self, file: &Path, device: &str, session: &str) -> Result<LivePage, Failure> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let Some(target) = session_of_device(device) else {
            let message =
                format!("`{device}` is a browser that can be opened; only an open session has a page");
            return Err(
                Failure::new(ErrorCode::Usage, message).hint("GET /server/devices lists the sessions")
            );
        };
        if is_of_a_client(target) {
            let message = format!("`{device}` belongs to a client of a server");
            return Err(Failure::new(ErrorCode::BlockedByPolicy, message));
        }
        device::check_there(device, &self.environment)?;
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("assay-screenshot-{}-live{number}", std::process::id());
        let pictures = self.program.temporary().join(name);
        let surface = SessionPage {
            program: Arc::clone(&self.program),
            caller: session.to_string(),
            target: target.to_string(),
        };
        let open = Box::new(move || Box::new(surface) as Box<dyn TestSurface>);
        let spec = run::spec_for_live_page(file, &self.environment)?;
        self.host.open_page(spec, None, false, PageSource::Surface(ForeignSurface { open, pictures }))
    }

    fn owner_of(&self, device: &str) -> Result<Owner, Failure> {
        let session = session_of_device(device).unwrap_or_default();
        let socket = runtime_folder(&self.environment)?.socket(session)?;
        match ask_running(&socket, Control::Status, STATUS_TIME)? {
            Some(Reply { outcome: Outcome::Status(status), .. }) => session_owner(&status, session),
            _ => Err(Failure::new(ErrorCode::BrowserLost, format!("the session `{session}` has ended"))),
        }
    }
}

/// Sessions of others who use this program as a server.
fn is_of_a_client(session: &str) -> bool {
    ["mcp-", "agent-", "run-"].iter().any(|prefix| session.starts_with(prefix))
}

/// The page of an open session, by way of its daemon. It stays when nobody looks any more.
struct SessionPage {
    program: Arc<OwnProgram>,
    /// In whose name.
    caller: String,
    target: String,
}

impl TestSurface for SessionPage {
    fn perform<'a>(
        &'a mut self,
        action: &'a Action,
        call: &'a Call,
    ) -> LocalFuture<'a, Result<Answer, Failure>> {
        Box::pin(async move {
            let time = call.deadline.remaining();
            match self.program.ask_session(&self.caller, &self.target, action.clone(), time)?.outcome {
                Outcome::Answer { answer, .. } => Ok(*answer),
                Outcome::Failed(failure) => Err(failure),
                Outcome::Text { .. } | Outcome::Status(_) => Err(Failure::new(
                    ErrorCode::Internal,
                    "internal: expected data from the daemon, found a different answer",
                )),
            }
        })
    }

    fn picture(&mut self, _: Deadline) -> Result<Taking, Failure> {
        Err(Failure::new(ErrorCode::Unsupported, "a session takes pictures one after the other"))
    }

    fn renew(&mut self) -> LocalFuture<'_, Result<(), Failure>> {
        Box::pin(async { Ok(()) })
    }

    fn close(self: Box<Self>) -> LocalFuture<'static, ()> {
        Box::pin(async {})
    }
}
