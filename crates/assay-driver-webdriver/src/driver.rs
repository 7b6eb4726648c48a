//! Opens browsers over classic WebDriver.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use assay_driver::{Browser, Capability, Deadline, Driver, DriverError, EventSink, LaunchOptions, Reply};
use serde_json::Map;

use crate::browser::WebDriverBrowser;
use crate::session::RemoteSession;

pub struct WebDriverDriver;

/// Without a picture of a whole page, pictures other than PNG, downloads, requests, the console and the
/// device pixel ratio: WebDriver has no words for them.
pub(crate) const CAPABILITIES: &[Capability] = &[
    Capability::Headless,
    Capability::Headed,
    Capability::Tabs,
    Capability::Viewport,
    Capability::Pdf,
    Capability::Uploads,
    Capability::Cookies,
    Capability::ForeignFrames,
];

/// The same for browsers that are as large as they are: televisions, phones.
pub(crate) const FIXED_SIZE: &[Capability] = &[
    Capability::Headless,
    Capability::Headed,
    Capability::Tabs,
    Capability::Pdf,
    Capability::Uploads,
    Capability::Cookies,
    Capability::ForeignFrames,
];

impl WebDriverDriver {
    /// Drives the browser of a session that is there already.
    pub async fn attach(
        &self,
        session: RemoteSession,
        options: &LaunchOptions,
        sink: Arc<dyn EventSink>,
        deadline: Deadline,
    ) -> Result<Arc<dyn Browser>, DriverError> {
        let browser = WebDriverBrowser::begin(session, options, sink, deadline).await?;
        Ok(browser as Arc<dyn Browser>)
    }
}

fn nothing_to_start() -> DriverError {
    DriverError::BrowserMissing { driver: "webdriver", looked: Vec::new(), install: None }
}

impl Driver for WebDriverDriver {
    fn name(&self) -> &'static str {
        "webdriver"
    }

    fn capabilities(&self) -> &'static [Capability] {
        CAPABILITIES
    }

    /// There is no program: a server opens the browser.
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
        Box::pin(async move {
            let session = RemoteSession::create(&address, &Map::new(), options.viewport, deadline).await?;
            self.attach(session, &options, sink, deadline).await
        })
    }
}
