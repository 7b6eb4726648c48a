//! Browsers: finding, starting and closing them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::{Capability, Deadline, DriverError, EventSink, LaunchOptions, Reply, SurfaceId};

/// Names the state that some tabs share only with each other: cookies, storage, cache, permissions.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ContextId(pub String);

#[derive(Debug, Clone)]
pub struct BrowserInfo {
    pub name: String,
    /// None for a browser that was already running.
    pub pid: Option<u32>,
    pub headless: bool,
}

/// Opens browsers of one kind.
pub trait Driver: Send + Sync {
    fn name(&self) -> &'static str;

    /// The capabilities of a launched browser; an attached one may have fewer.
    fn capabilities(&self) -> &'static [Capability];

    /// Hosts that its browsers contact on their own, for updates and the like. A gate refuses them like any other host,
    /// but no page caused the request.
    fn own_hosts(&self) -> &'static [&'static str] {
        &[]
    }

    /// The program that would be started, or why none can be.
    fn find(&self, program: Option<&Path>, headless: bool) -> Result<PathBuf, DriverError>;

    /// Starts a browser. The process dies with ours; `Browser::close` ends it earlier.
    fn launch(
        &self,
        options: LaunchOptions,
        sink: Arc<dyn EventSink>,
        deadline: Deadline,
    ) -> Reply<'_, Arc<dyn Browser>>;

    /// Attaches to a running browser, and leaves it running at the end.
    fn connect(
        &self,
        address: String,
        options: LaunchOptions,
        sink: Arc<dyn EventSink>,
        deadline: Deadline,
    ) -> Reply<'_, Arc<dyn Browser>>;
}

const NO_CONTEXTS: DriverError =
    DriverError::Unsupported { driver: "this browser", capability: Capability::IsolatedContexts };

pub(crate) const NOT_AT_ADDRESSES: DriverError =
    DriverError::Unsupported { driver: "this browser", capability: Capability::Tabs };

/// A running browser. It announces its tabs through the sink.
pub trait Browser: Send + Sync {
    fn info(&self) -> BrowserInfo;

    fn capabilities(&self) -> &'static [Capability];

    /// Opens an empty tab in a context, or in the one that the browser began with, and announces it before it returns.
    fn open(&self, context: Option<ContextId>, deadline: Deadline) -> Reply<'_, SurfaceId>;

    /// Whether it can open a tab at an address, and started without a tab.
    fn opens_at(&self) -> bool {
        false
    }

    /// Opens a tab at an address, and announces it before it returns. `WebPage::opening` reports the outcome. Called
    /// only if `opens_at` is true.
    fn open_at(
        &self,
        _context: Option<ContextId>,
        _url: String,
        _deadline: Deadline,
    ) -> Reply<'_, SurfaceId> {
        Box::pin(async { Err(NOT_AT_ADDRESSES) })
    }

    /// Creates an empty context. It ends with its last tab. Called only if the browser has
    /// `Capability::IsolatedContexts`.
    fn open_context(&self, _deadline: Deadline) -> Reply<'_, ContextId> {
        Box::pin(async { Err(NO_CONTEXTS) })
    }

    /// Ends a context with all its tabs, without asking their pages, and returns when each tab was announced as closed.
    /// Succeeds if the context has already ended.
    fn close_context(&self, _context: ContextId, _deadline: Deadline) -> Reply<'_, ()> {
        Box::pin(async { Err(NO_CONTEXTS) })
    }

    /// Asks the browser to exit, and returns once the browser has the request: it exits in the background. `close` does
    /// not require this call.
    fn dismiss(&self, _deadline: Deadline) -> Reply<'_, ()> {
        Box::pin(async { Ok(()) })
    }

    /// Ends the browser (or lets go of one that was there before).
    fn close(&self, deadline: Deadline) -> Reply<'_, ()>;
}
