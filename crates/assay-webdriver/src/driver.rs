//! Opens WebDriver.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use assay_driver::{Browser, Capability, Deadline, Driver, DriverError, EventSink, LaunchOptions, Reply};

pub struct WebDriverDriver;

impl Driver for WebDriverDriver {
    fn name(&self) -> &'static str {
        "webdriver"
    }

    fn capabilities(&self) -> &'static [Capability] {
        &[]
    }

    fn find(&self, _program: Option<&Path>, _headless: bool) -> Result<PathBuf, DriverError> {
        Err(DriverError::BrowserMissing { driver: "webdriver", looked: Vec::new(), install: None })
    }

    fn launch(
        &self,
        options: LaunchOptions,
        _sink: Arc<dyn EventSink>,
        _deadline: Deadline,
    ) -> Reply<'_, Arc<dyn Browser>> {
        Box::pin(async move {
            self.find(options.program.as_deref(), options.headless)?;
            Err(DriverError::Lost)
        })
    }

    fn connect(
        &self,
        address: String,
        _options: LaunchOptions,
        _sink: Arc<dyn EventSink>,
        _deadline: Deadline,
    ) -> Reply<'_, Arc<dyn Browser>> {
        Box::pin(
            async move { Err(DriverError::ConnectFailed { address, reason: "not possible".to_string() }) },
        )
    }
}
