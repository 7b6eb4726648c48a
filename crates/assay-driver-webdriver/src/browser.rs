//! A browser that a WebDriver server opened for us.

use std::sync::Arc;
use std::time::Duration;

use assay_dom::page_scripts;
use assay_driver::{
    Browser, BrowserInfo, Capability, ContextId, Deadline, DriverError, EventSink, LaunchOptions, Reply,
    SurfaceId,
};

use crate::exchange::Shared;
use crate::poll;
use crate::session::RemoteSession;

/// Giving a browser back may take this long.
const END_TIME: Duration = Duration::from_secs(5);

pub(crate) struct WebDriverBrowser {
    shared: Arc<Shared>,
    headless: bool,
}

impl WebDriverBrowser {
    pub async fn begin(
        session: RemoteSession,
        options: &LaunchOptions,
        sink: Arc<dyn EventSink>,
        deadline: Deadline,
    ) -> Result<Arc<WebDriverBrowser>, DriverError> {
        let key = random_key();
        let shared = Shared::new(session, page_scripts(&key), key, sink);
        let browser = WebDriverBrowser { shared, headless: options.headless };
        let announced = browser
            .shared
            .run(deadline, |exchange| Box::pin(async move { exchange.note_windows(None).await.map(drop) }))
            .await;
        if let Err(err) = announced {
            // The session is ours: without us nobody would end it.
            let _ended = browser.shared.session.end(Deadline::after(END_TIME)).await;
            return Err(err);
        }
        poll::start(&browser.shared);
        Ok(Arc::new(browser))
    }
}

impl Browser for WebDriverBrowser {
    fn info(&self) -> BrowserInfo {
        BrowserInfo {
            name: format!("{} over WebDriver", self.shared.session.browser_name()),
            pid: None,
            headless: self.headless,
        }
    }

    fn capabilities(&self) -> &'static [Capability] {
        self.shared.session.capabilities()
    }

    fn open(&self, _context: Option<ContextId>, deadline: Deadline) -> Reply<'_, SurfaceId> {
        let opened =
            self.shared.run(deadline, |exchange| Box::pin(async move { exchange.open_window().await }));
        Box::pin(async move { opened.await.map(SurfaceId) })
    }

    fn close(&self, deadline: Deadline) -> Reply<'_, ()> {
        Box::pin(async move {
            let ended = self.shared.session.end(deadline).await;
            self.shared.lose();
            ended
        })
    }
}

fn random_key() -> String {
    use std::hash::{BuildHasher, Hasher};
    let one = std::hash::RandomState::new().build_hasher().finish();
    let two = std::hash::RandomState::new().build_hasher().finish();
    format!("k{one:016x}{two:016x}")
}
