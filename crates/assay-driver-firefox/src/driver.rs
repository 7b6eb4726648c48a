//! Opens Firefox: launches it, or attaches to something that speaks BiDi.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use assay_driver::{Browser, Capability, Deadline, Driver, DriverError, EventSink, LaunchOptions, Reply};
use assay_wire::open_websocket;

use crate::browser::BidiBrowser;
use crate::{find, launch};

pub struct FirefoxDriver;

pub(crate) const CAPABILITIES: &[Capability] = &[
    Capability::Headless,
    Capability::Headed,
    Capability::Tabs,
    Capability::IsolatedContexts,
    Capability::Viewport,
    Capability::DeviceScale,
    Capability::FullPageScreenshot,
    Capability::JpegScreenshot,
    Capability::WebpScreenshot,
    Capability::Pdf,
    Capability::Uploads,
    Capability::Downloads,
    Capability::Network,
    Capability::Console,
    Capability::Cookies,
    Capability::ForeignFrames,
    Capability::NetworkFaults,
    Capability::Routes,
    Capability::Locale,
    Capability::TimeZone,
    Capability::Geolocation,
    Capability::Offline,
    Capability::UserAgent,
    Capability::PageClock,
    Capability::DomainGate,
    Capability::ConcurrentCalls,
    Capability::TextAtOnce,
    Capability::PopupRequests,
];

impl Driver for FirefoxDriver {
    fn name(&self) -> &'static str {
        "firefox"
    }

    fn capabilities(&self) -> &'static [Capability] {
        CAPABILITIES
    }

    fn own_hosts(&self) -> &'static [&'static str] {
        &[
            "aus5.mozilla.org",
            "content-signature-2.cdn.mozilla.net",
            "detectportal.firefox.com",
            "firefox.settings.services.mozilla.com",
            "incoming.telemetry.mozilla.org",
            "location.services.mozilla.com",
            "push.services.mozilla.com",
        ]
    }

    fn find(&self, program: Option<&Path>, _headless: bool) -> Result<PathBuf, DriverError> {
        find::find(program)
    }

    fn launch(
        &self,
        options: LaunchOptions,
        sink: Arc<dyn EventSink>,
        deadline: Deadline,
    ) -> Reply<'_, Arc<dyn Browser>> {
        Box::pin(async move {
            let program = find::find(options.program.as_deref())?;
            let (process, address) = launch::start(&program, &options, deadline).await?;
            let browser = BidiBrowser::launched(process, &address, options, sink, deadline).await?;
            Ok(browser as Arc<dyn Browser>)
        })
    }

    /// Takes the address of a BiDi websocket. One that ends in `/session` waits for a session to be
    /// made, any other is of a session that is there.
    fn connect(
        &self,
        address: String,
        options: LaunchOptions,
        sink: Arc<dyn EventSink>,
        deadline: Deadline,
    ) -> Reply<'_, Arc<dyn Browser>> {
        Box::pin(async move {
            let stream = open_websocket(&address, deadline).await?;
            let fresh = address.trim_end_matches('/').ends_with("/session");
            let browser = BidiBrowser::attached(stream, fresh, options, sink, deadline).await?;
            Ok(browser as Arc<dyn Browser>)
        })
    }
}
