//! A session on a WebDriver server: made, perhaps used by a better protocol, ended.

use std::time::Duration;

use assay_driver::{Capability, Deadline, DriverError, Viewport};
use serde_json::{Map, Value, json};

use crate::driver::{CAPABILITIES, FIXED_SIZE};
use crate::probe::shown;
use crate::protocol::{Address, Client, Code, Method, SessionAnswer, Trouble, new_session};

/// A browser that a WebDriver server opened for us. It stays until `end` is called.
pub struct RemoteSession {
    pub(crate) client: Client,
    pub(crate) answer: SessionAnswer,
}

/// A protocol that the same browser speaks as well and that tells more than WebDriver does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Upgrade {
    Cdp(String),
    BiDi(String),
}

/// A grid keeps us waiting until a place is free. What comes when nobody waits any more is given back.
const LONGEST_QUEUE: Duration = Duration::from_secs(300);

/// A server's own time limits are a little later than ours, so that its answer is still awaited.
const GRACE: Duration = Duration::from_secs(1);

impl RemoteSession {
    /// Asks the server at `address` for a browser. Its query and `wanted` say which. The page is made as
    /// large as `viewport` where the server can do that.
    pub async fn create(
        address: &str,
        wanted: &Map<String, Value>,
        viewport: Viewport,
        deadline: Deadline,
    ) -> Result<RemoteSession, DriverError> {
        let failed = |reason: String| DriverError::ConnectFailed { address: shown(address), reason };
        let parsed = Address::parse(address).map_err(|err| failed(err.to_string()))?;
        let mut capabilities = wanted.clone();
        capabilities.extend(parsed.capabilities.clone());
        let client = Client::new(parsed).map_err(|err| failed(err.to_string()))?;
        let (tell, told) = tokio::sync::oneshot::channel();
        let asking = client.clone();
        tokio::spawn(async move {
            let body = new_session(&capabilities);
            let answer = asking.send(Method::Post, "/session", Some(&body), LONGEST_QUEUE).await;
            let answer = answer.and_then(|value| {
                serde_json::from_value::<SessionAnswer>(value).map_err(|err| Trouble::Foreign {
                    status: "the answer to POST /session".to_string(),
                    start: err.to_string(),
                })
            });
            if let Err(Ok(answer)) = tell.send(answer) {
                let late = RemoteSession { client: asking, answer };
                // Nobody is there to be told that it did not work.
                let _given_back = late.end(Deadline::after(Duration::from_secs(10))).await;
            }
        });
        match tokio::time::timeout_at(deadline.instant(), told).await {
            Ok(Ok(Ok(answer))) => {
                let session = RemoteSession { client, answer };
                // A window that cannot be made as large as others is used as it is.
                let _as_large_as_possible = session.set_page_size(viewport, deadline).await;
                Ok(session)
            }
            Ok(Ok(Err(err))) => Err(failed(format!("the server did not open a browser: {err}"))),
            Ok(Err(_)) => Err(DriverError::Lost),
            Err(_) => Err(failed("the server did not open a browser in time".to_string())),
        }
    }

    /// The better protocols that the session's answer names, the best first.
    pub fn upgrades(&self) -> Vec<Upgrade> {
        let granted = &self.answer.capabilities;
        let text = |value: &Option<Value>| value.as_ref().and_then(Value::as_str).map(str::to_string);
        let mut upgrades: Vec<Upgrade> = text(&granted.grid_cdp).map(Upgrade::Cdp).into_iter().collect();
        // The browser's own port is on the server's machine; from elsewhere it cannot be reached.
        let options = granted.chrome_options.as_ref().or(granted.edge_options.as_ref());
        if upgrades.is_empty()
            && self.client.address().is_loopback()
            && let Some(address) = options.and_then(|options| options.debugger_address.as_ref())
        {
            upgrades.push(Upgrade::Cdp(format!("http://{address}")));
        }
        upgrades.extend(text(&granted.web_socket_url).map(Upgrade::BiDi));
        upgrades
    }

    /// A window has borders whose size nothing tells: a second try measures what the first came to.
    pub(crate) async fn set_page_size(&self, viewport: Viewport, deadline: Deadline) -> Result<(), Trouble> {
        if !self.can_resize() {
            return Ok(());
        }
        for _ in 0..2 {
            let script = json!({ "script": "return [innerWidth, innerHeight];", "args": [] });
            let inner = self.send(Method::Post, "/execute/sync", Some(&script), deadline).await?;
            let missing =
                |at: usize, wanted: u32| i64::from(wanted) - inner[at].as_i64().unwrap_or(i64::from(wanted));
            let (wider, higher) = (missing(0, viewport.width), missing(1, viewport.height));
            if wider == 0 && higher == 0 {
                break;
            }
            let outer = self.send(Method::Get, "/window/rect", None, deadline).await?;
            let size = |name: &str| outer[name].as_i64().unwrap_or_default();
            let rect = json!({ "width": size("width") + wider, "height": size("height") + higher });
            self.send(Method::Post, "/window/rect", Some(&rect), deadline).await?;
        }
        Ok(())
    }

    /// What its windows can do: not every server can resize them.
    pub(crate) fn capabilities(&self) -> &'static [Capability] {
        if self.can_resize() { CAPABILITIES } else { FIXED_SIZE }
    }

    pub(crate) fn can_resize(&self) -> bool {
        self.answer.capabilities.set_window_rect != Some(false)
    }

    /// Sends a command of this session.
    pub(crate) async fn send(
        &self,
        method: Method,
        path: &str,
        body: Option<&Value>,
        deadline: Deadline,
    ) -> Result<Value, Trouble> {
        self.client.send(method, &self.path(path), body, deadline.remaining() + GRACE).await
    }

    /// The server's address, as it may be shown.
    pub fn server(&self) -> String {
        self.client.address().shown()
    }

    /// The browser's name and version, as the server tells them.
    pub(crate) fn browser_name(&self) -> String {
        let granted = &self.answer.capabilities;
        let name = granted.browser_name.as_deref().unwrap_or("a browser");
        match granted.browser_version.as_deref().filter(|version| !version.is_empty()) {
            Some(version) => format!("{name} {version}"),
            None => name.to_string(),
        }
    }

    fn path(&self, rest: &str) -> String {
        format!("/session/{}{rest}", self.answer.id)
    }

    /// Gives the browser back to the server.
    pub async fn end(&self, deadline: Deadline) -> Result<(), DriverError> {
        let ended = self.client.send(Method::Delete, &self.path(""), None, deadline.remaining()).await;
        match ended {
            Ok(_) => Ok(()),
            // It ended by itself.
            Err(Trouble::Refused { code: Code::InvalidSession, .. } | Trouble::NothingListens) => Ok(()),
            Err(Trouble::NoAnswer) => Err(DriverError::Timeout),
            Err(err) => {
                Err(DriverError::Refused { method: "DELETE /session".to_string(), message: err.to_string() })
            }
        }
    }
}
