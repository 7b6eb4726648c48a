//! Opens WebKit.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use assay_driver::{Browser, Capability, Deadline, Driver, DriverError, EventSink, LaunchOptions, Reply};

use crate::browser::WebKitBrowser;
use crate::find::find_browser;
use crate::launch::Surroundings;

/// Starts WebKit in the surroundings that it is handed; the default is a machine without a screen and a language.
#[derive(Debug, Clone, Default)]
pub struct WebKitDriver {
    pub surroundings: Surroundings,
}

/// Not among them: isolated tabs (all tabs of a process share their cookies), device scales, pictures other
/// than PNG, printing, and ending a script that does not end by itself.
pub(crate) const CAPABILITIES: &[Capability] = &[
    Capability::Headless,
    Capability::Headed,
    Capability::Tabs,
    Capability::Viewport,
    Capability::FullPageScreenshot,
    Capability::Uploads,
    Capability::Downloads,
    Capability::Network,
    Capability::Console,
    Capability::Cookies,
    Capability::ForeignFrames,
    Capability::NetworkFaults,
    Capability::Routes,
    Capability::MediaFeatures,
    Capability::PageClock,
    Capability::DomainGate,
    Capability::ConcurrentCalls,
];

impl Driver for WebKitDriver {
    fn name(&self) -> &'static str {
        "webkit"
    }

    fn capabilities(&self) -> &'static [Capability] {
        CAPABILITIES
    }

    fn find(&self, program: Option<&Path>, _headless: bool) -> Result<PathBuf, DriverError> {
        find_browser(program)
    }

    fn launch(
        &self,
        options: LaunchOptions,
        sink: Arc<dyn EventSink>,
        deadline: Deadline,
    ) -> Reply<'_, Arc<dyn Browser>> {
        Box::pin(async move {
            let program = find_browser(options.program.as_deref())?;
            let browser =
                WebKitBrowser::launch(&program, options, &self.surroundings, sink, deadline).await?;
            Ok(browser as Arc<dyn Browser>)
        })
    }

    fn connect(
        &self,
        address: String,
        _options: LaunchOptions,
        _sink: Arc<dyn EventSink>,
        _deadline: Deadline,
    ) -> Reply<'_, Arc<dyn Browser>> {
        Box::pin(async move {
            let reason = "WebKit takes commands only from the program that started it".to_string();
            Err(DriverError::ConnectFailed { address, reason })
        })
    }
}
