//! Opens WebKit.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use assay_driver::{Browser, Capability, Deadline, Driver, DriverError, EventSink, LaunchOptions, Reply};
use assay_wire::Package;

pub struct WebKitDriver;

impl Driver for WebKitDriver {
    fn name(&self) -> &'static str {
        "webkit"
    }

    fn capabilities(&self) -> &'static [Capability] {
        &[]
    }

    fn find(&self, _program: Option<&Path>, _headless: bool) -> Result<PathBuf, DriverError> {
        Err(DriverError::BrowserMissing { driver: "webkit", looked: Vec::new(), install: None })
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

/// What must be installed before it can be launched.
pub fn missing_packages() -> Vec<Package> {
    Vec::new()
}
