//! Browsers elsewhere: what an address speaks decides which driver takes it.
//!
//! A WebDriver server opens a browser for us. Where that browser speaks CDP or BiDi as well, the better
//! driver is used, and the server's session only keeps the browser open: it is ended with it.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use assay_driver::{
    Browser, BrowserInfo, Capability, ContextId, Deadline, Driver, DriverError, DriverEvent, EventSink,
    LaunchOptions, Reply, SurfaceId,
};
use assay_driver_chromium::ChromiumDriver;
use assay_driver_firefox::FirefoxDriver;
use assay_driver_webdriver::{RemoteSession, Spoken, Upgrade, WebDriverDriver, probe};
use assay_protocol::{BrowserSettings, ErrorCode, Failure};
use serde_json::{Map, Value, json};

pub struct RemoteDriver {
    /// What a WebDriver server is asked for.
    capabilities: Map<String, Value>,
}

/// The protocol that the address asks for by its scheme: `cdp+ws://…`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum WantedProtocol {
    Any,
    Cdp,
    BiDi,
    WebDriver,
}

impl RemoteDriver {
    pub fn new(settings: &BrowserSettings) -> Result<RemoteDriver, Failure> {
        let mut capabilities: Map<String, Value> = match &settings.capabilities {
            None => Map::new(),
            Some(text) => serde_json::from_str(text).map_err(|err| {
                Failure::new(
                    ErrorCode::Usage,
                    format!("expected a JSON object of capabilities, found something else: {err}"),
                )
            })?,
        };
        let name = match settings.engine.as_deref() {
            Some("chromium") => Some("chrome"),
            Some("firefox") => Some("firefox"),
            // WebKit has as many names as it has ports: the server chooses.
            _ => None,
        };
        if let Some(name) = name {
            capabilities.entry("browserName").or_insert_with(|| json!(name));
        }
        Ok(RemoteDriver { capabilities })
    }

    async fn open(
        &self,
        address: &str,
        options: LaunchOptions,
        sink: Arc<dyn EventSink>,
        deadline: Deadline,
    ) -> Result<Arc<dyn Browser>, DriverError> {
        let (asked, address) = asked_protocol(address);
        let is_websocket = address.starts_with("ws://") || address.starts_with("wss://");
        let spoken = match asked {
            WantedProtocol::Cdp if is_websocket => Spoken::Cdp(address.to_string()),
            WantedProtocol::BiDi if is_websocket => Spoken::BiDi(address.to_string()),
            // A server that tells nothing of itself may still open a browser.
            WantedProtocol::WebDriver => Spoken::WebDriver(address.to_string()),
            WantedProtocol::Any | WantedProtocol::Cdp | WantedProtocol::BiDi => {
                probe(address, deadline).await?
            }
        };
        match (spoken, asked) {
            (Spoken::Cdp(address), WantedProtocol::Any | WantedProtocol::Cdp) => {
                ChromiumDriver.connect(address, options, sink, deadline).await
            }
            (Spoken::BiDi(address), WantedProtocol::Any | WantedProtocol::BiDi) => {
                FirefoxDriver.connect(address, options, sink, deadline).await
            }
            (Spoken::WebDriver(address), asked) => {
                let session =
                    RemoteSession::create(&address, &self.capabilities, options.viewport, deadline).await?;
                drive(session, asked, options, sink, deadline).await
            }
            (Spoken::Cdp(found) | Spoken::BiDi(found), _) => Err(DriverError::ConnectFailed {
                address: address.to_string(),
                reason: format!("it does not speak {}; use {found} instead", asked.name()),
            }),
        }
    }
}

/// Takes the session's browser by the best protocol that it speaks.
async fn drive(
    session: RemoteSession,
    asked: WantedProtocol,
    options: LaunchOptions,
    sink: Arc<dyn EventSink>,
    deadline: Deadline,
) -> Result<Arc<dyn Browser>, DriverError> {
    let mut tried = Vec::new();
    for upgrade in session.upgrades() {
        let held = Arc::new(HeldSink::new(Arc::clone(&sink)));
        let events = Arc::clone(&held) as Arc<dyn EventSink>;
        let connected = match (upgrade, asked) {
            (Upgrade::Cdp(address), WantedProtocol::Any | WantedProtocol::Cdp) => {
                ChromiumDriver.connect(address, options.clone(), events, deadline).await
            }
            (Upgrade::BiDi(address), WantedProtocol::Any | WantedProtocol::BiDi) => {
                FirefoxDriver.connect(address, options.clone(), events, deadline).await
            }
            (Upgrade::Cdp(_) | Upgrade::BiDi(_), _) => continue,
        };
        match connected {
            Ok(browser) => {
                held.pass_on();
                return Ok(Arc::new(SessionBrowser { browser, session }));
            }
            Err(err) => {
                held.drop_all();
                tried.push(err.to_string());
            }
        }
    }
    if matches!(asked, WantedProtocol::Any | WantedProtocol::WebDriver) {
        return WebDriverDriver.attach(session, &options, sink, deadline).await;
    }
    let address = session.server();
    // Whether it could be given back changes nothing about why it is of no use.
    let _given_back = session.end(deadline).await;
    let why = if tried.is_empty() { "it offers none".to_string() } else { tried.join("; ") };
    let reason = format!("its browser cannot be used over {}: {why}", asked.name());
    Err(DriverError::ConnectFailed { address, reason })
}

fn asked_protocol(address: &str) -> (WantedProtocol, &str) {
    for asked in [WantedProtocol::Cdp, WantedProtocol::BiDi, WantedProtocol::WebDriver] {
        let prefix = asked.name().to_lowercase();
        if let Some(rest) = address.strip_prefix(&prefix).and_then(|rest| rest.strip_prefix('+')) {
            return (asked, rest);
        }
    }
    (WantedProtocol::Any, address)
}

impl WantedProtocol {
    fn name(self) -> &'static str {
        match self {
            WantedProtocol::Any => "any protocol",
            WantedProtocol::Cdp => "CDP",
            WantedProtocol::BiDi => "BiDi",
            WantedProtocol::WebDriver => "WebDriver",
        }
    }
}

fn nothing_to_start() -> DriverError {
    DriverError::BrowserMissing { driver: "remote", looked: Vec::new(), install: None }
}

impl Driver for RemoteDriver {
    fn name(&self) -> &'static str {
        "remote"
    }

    /// What every browser elsewhere can do; many can do more.
    fn capabilities(&self) -> &'static [Capability] {
        WebDriverDriver.capabilities()
    }

    fn find(&self, _program: Option<&Path>, _headless: bool) -> Result<PathBuf, DriverError> {
        Err(nothing_to_start())
    }

    fn launch(
        &self,
        _options: LaunchOptions,
        _sink: Arc<dyn EventSink>,
        _deadline: Deadline,
    ) -> Reply<'_, Arc<dyn Browser>> {
        Box::pin(async move { Err(nothing_to_start()) })
    }

    fn connect(
        &self,
        address: String,
        options: LaunchOptions,
        sink: Arc<dyn EventSink>,
        deadline: Deadline,
    ) -> Reply<'_, Arc<dyn Browser>> {
        Box::pin(async move { self.open(&address, options, sink, deadline).await })
    }
}

/// A browser that another driver drives, and whose session is ours to end.
struct SessionBrowser {
    browser: Arc<dyn Browser>,
    session: RemoteSession,
}

impl Browser for SessionBrowser {
    fn info(&self) -> BrowserInfo {
        let info = self.browser.info();
        BrowserInfo { name: format!("{} of {}", info.name, self.session.server()), ..info }
    }

    fn capabilities(&self) -> &'static [Capability] {
        self.browser.capabilities()
    }

    fn open(&self, context: Option<ContextId>, deadline: Deadline) -> Reply<'_, SurfaceId> {
        self.browser.open(context, deadline)
    }

    fn open_context(&self, deadline: Deadline) -> Reply<'_, ContextId> {
        self.browser.open_context(deadline)
    }

    fn close_context(&self, context: ContextId, deadline: Deadline) -> Reply<'_, ()> {
        self.browser.close_context(context, deadline)
    }

    fn close(&self, deadline: Deadline) -> Reply<'_, ()> {
        Box::pin(async move {
            // Both are tried: a connection that is lost already must not keep the session open.
            let let_go = self.browser.close(deadline).await;
            self.session.end(deadline).await?;
            let_go
        })
    }
}

/// Holds events back until it is known whether the connection comes to anything.
struct HeldSink {
    sink: Arc<dyn EventSink>,
    state: Mutex<HeldEvents>,
}

enum HeldEvents {
    Waiting(Vec<DriverEvent>),
    Passing,
    Dropping,
}

impl HeldSink {
    fn new(sink: Arc<dyn EventSink>) -> HeldSink {
        HeldSink { sink, state: Mutex::new(HeldEvents::Waiting(Vec::new())) }
    }

    fn pass_on(&self) {
        // Locked for as long as it takes, so that later events stay behind the earlier.
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if let HeldEvents::Waiting(events) = std::mem::replace(&mut *state, HeldEvents::Passing) {
            for event in events {
                self.sink.event(event);
            }
        }
    }

    fn drop_all(&self) {
        *self.state.lock().unwrap_or_else(PoisonError::into_inner) = HeldEvents::Dropping;
    }
}

impl EventSink for HeldSink {
    fn event(&self, event: DriverEvent) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        match &mut *state {
            HeldEvents::Waiting(events) => events.push(event),
            HeldEvents::Passing => self.sink.event(event),
            HeldEvents::Dropping => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_protocol_can_be_asked_for_by_the_scheme() {
        assert_eq!(asked_protocol("cdp+ws://a"), (WantedProtocol::Cdp, "ws://a"));
        assert_eq!(asked_protocol("bidi+ws://a"), (WantedProtocol::BiDi, "ws://a"));
        assert_eq!(asked_protocol("webdriver+http://a"), (WantedProtocol::WebDriver, "http://a"));
        assert_eq!(asked_protocol("ws://a"), (WantedProtocol::Any, "ws://a"));
        assert_eq!(asked_protocol("9222"), (WantedProtocol::Any, "9222"));
    }

    #[test]
    fn the_browser_that_is_asked_for_is_asked_of_the_server() {
        let settings = BrowserSettings { engine: Some("firefox".to_string()), ..Default::default() };
        let driver = RemoteDriver::new(&settings).unwrap();
        assert_eq!(driver.capabilities["browserName"], "firefox");
        let settings =
            BrowserSettings { capabilities: Some(r#"{"browserName":"edge"}"#.to_string()), ..settings };
        assert_eq!(RemoteDriver::new(&settings).unwrap().capabilities["browserName"], "edge");
    }
}
