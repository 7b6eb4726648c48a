//! Opens Chromium: launches it, or attaches to one that runs.

use std::sync::Arc;

use assay_driver::{Browser, Deadline, Driver, DriverError, EventSink, LaunchOptions, Reply};

use crate::browser::ChromiumBrowser;
use crate::find::{find_browser, looked_in};
use crate::{launch, remote};

pub struct ChromiumDriver;

impl Driver for ChromiumDriver {
    fn name(&self) -> &'static str {
        "chromium"
    }

    fn launch(
        &self,
        options: LaunchOptions,
        sink: Arc<dyn EventSink>,
        deadline: Deadline,
    ) -> Reply<'_, Arc<dyn Browser>> {
        Box::pin(async move {
            let found = find_browser(options.program.as_deref(), options.headless).ok_or_else(|| {
                let looked = match &options.program {
                    Some(program) => vec![program.display().to_string()],
                    None => looked_in(options.headless),
                };
                DriverError::BrowserMissing { driver: "chromium", looked }
            })?;
            let (process, stream) = launch::start(&found, &options)?;
            let browser = ChromiumBrowser::launched(process, stream, options, sink, deadline).await?;
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
