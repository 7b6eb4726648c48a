//! Programs that show pages: how they are found, started and ended.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::{Capability, Deadline, DriverError, EventSink, LaunchOptions, Reply, SurfaceId};

/// Names what some tabs share, and share with no others: cookies, storage, cache, permissions.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ContextId(pub String);

#[derive(Debug, Clone)]
pub struct BrowserInfo {
    pub name: String,
    /// None for a browser that was there before us.
    pub pid: Option<u32>,
    pub headless: bool,
}

/// Opens browsers of one kind.
pub trait Driver: Send + Sync {
    fn name(&self) -> &'static str;

    /// What a browser that is launched can do; one that is attached to may be able to do less.
    fn capabilities(&self) -> &'static [Capability];

    /// Hosts that its browsers ask by themselves, for updates and the like. A gate refuses them as it does any other, but
    /// no page had a part in it.
    fn own_hosts(&self) -> &'static [&'static str] {
        &[]
    }

    /// The program that would be started, or why none can be.
    fn find(&self, program: Option<&Path>, headless: bool) -> Result<PathBuf, DriverError>;

    /// Starts a browser. The process dies with ours; when it must be ended earlier, `Browser::close`.
    fn launch(
        &self,
        options: LaunchOptions,
        sink: Arc<dyn EventSink>,
        deadline: Deadline,
    ) -> Reply<'_, Arc<dyn Browser>>;

    /// Attaches to a running browser, which is left running at the end.
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

/// A running browser. Its tabs are announced through the sink.
pub trait Browser: Send + Sync {
    fn info(&self) -> BrowserInfo;

    fn capabilities(&self) -> &'static [Capability];

    /// Opens an empty tab in a context, or in the one that the browser began with, and announces it before it returns.
    fn open(&self, context: Option<ContextId>, deadline: Deadline) -> Reply<'_, SurfaceId>;

    /// Whether its tabs can be opened at an address, and it began without one.
    fn opens_at(&self) -> bool {
        false
    }

    /// Opens a tab that is on its way to an address, and announces it before it returns. What comes of it is told by
    /// `WebPage::opening`. Asked only of a browser of which `opens_at` is true.
    fn open_at(
        &self,
        _context: Option<ContextId>,
        _url: String,
        _deadline: Deadline,
    ) -> Reply<'_, SurfaceId> {
        Box::pin(async { Err(NOT_AT_ADDRESSES) })
    }

    /// Makes a context in which nothing is yet. It ends with its last tab. Asked only of a browser that has
    /// `Capability::IsolatedContexts`.
    fn open_context(&self, _deadline: Deadline) -> Reply<'_, ContextId> {
        Box::pin(async { Err(NO_CONTEXTS) })
    }

    /// Ends a context with all its tabs, whose pages are not asked, and returns when each of them was announced as
    /// closed. One that has ended already is as good as ended.
    fn close_context(&self, _context: ContextId, _deadline: Deadline) -> Reply<'_, ()> {
        Box::pin(async { Err(NO_CONTEXTS) })
    }

    /// Asks the browser to end, and returns when it has heard: it ends while others do something else. Whoever closes it
    /// need not have asked.
    fn dismiss(&self, _deadline: Deadline) -> Reply<'_, ()> {
        Box::pin(async { Ok(()) })
    }

    /// Ends the browser (or lets go of one that was there before).
    fn close(&self, deadline: Deadline) -> Reply<'_, ()>;
}
