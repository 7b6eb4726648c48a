//! Opens Chromium: launches it, or attaches to one that runs.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use assay_driver::{Browser, Capability, Deadline, Driver, DriverError, EventSink, LaunchOptions, Reply};

use assay_wire::install_command;

use crate::browser::ChromiumBrowser;
use crate::find::{FoundProgram, PACKAGE, find_browser, looked_in};
use crate::{launch, remote};

pub struct ChromiumDriver;

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
    Capability::EndScripts,
    Capability::NetworkFaults,
    Capability::Routes,
    Capability::MediaFeatures,
    Capability::Locale,
    Capability::TimeZone,
    Capability::Geolocation,
    Capability::Offline,
    Capability::SlowNetwork,
    Capability::Touch,
    Capability::UserAgent,
    Capability::PageClock,
    Capability::DomainGate,
    Capability::DebuggingPort,
    Capability::ConcurrentContexts,
    Capability::ConcurrentCalls,
    Capability::TextAtOnce,
    Capability::PopupRequests,
    Capability::ListPopups,
];

impl Driver for ChromiumDriver {
    fn name(&self) -> &'static str {
        "chromium"
    }

    fn capabilities(&self) -> &'static [Capability] {
        CAPABILITIES
    }

    fn own_hosts(&self) -> &'static [&'static str] {
        &[
            "accounts.google.com",
            "clients2.google.com",
            "content-autofill.googleapis.com",
            "optimizationguide-pa.googleapis.com",
            "update.googleapis.com",
        ]
    }

    fn find(&self, program: Option<&Path>, headless: bool) -> Result<PathBuf, DriverError> {
        find(program, headless).map(|found| found.program)
    }

    fn launch(
        &self,
        options: LaunchOptions,
        sink: Arc<dyn EventSink>,
        deadline: Deadline,
    ) -> Reply<'_, Arc<dyn Browser>> {
        Box::pin(async move {
            let found = find(options.program.as_deref(), options.headless)?;
            let (process, stream) = launch::start(&found, &options)?;
            let begins_empty = launch::begins_empty(found.kind, &options);
            let browser =
                ChromiumBrowser::launched(process, stream, options, begins_empty, sink, deadline).await?;
            Ok(browser as Arc<dyn Browser>)
        })
    }

    fn connect(
        &self,
        address: String,
        options: LaunchOptions,
        sink: Arc<dyn EventSink>,
        deadline: Deadline,
    ) -> Reply<'_, Arc<dyn Browser>> {
        Box::pin(async move {
            let stream = remote::connect(&address, deadline).await?;
            let browser = ChromiumBrowser::attached(stream, options, sink, deadline).await?;
            Ok(browser as Arc<dyn Browser>)
        })
    }
}

fn find(program: Option<&Path>, headless: bool) -> Result<FoundProgram, DriverError> {
    find_browser(program, headless).ok_or_else(|| {
        let looked = match program {
            Some(program) => vec![program.display().to_string()],
            None => looked_in(headless),
        };
        DriverError::BrowserMissing { driver: "chromium", looked, install: install_command(&[PACKAGE]) }
    })
}
