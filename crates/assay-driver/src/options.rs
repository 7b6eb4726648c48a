//! Options for opening browsers and capturing surfaces, and capabilities.

use std::net::SocketAddr;
use std::path::PathBuf;

use crate::Rect;

/// Something a browser may be able to do. Checked before acting; never inferred from a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Capability {
    Headless,
    Headed,
    Tabs,
    IsolatedContexts,
    Viewport,
    DeviceScale,
    FullPageScreenshot,
    JpegScreenshot,
    WebpScreenshot,
    Pdf,
    Uploads,
    Downloads,
    Network,
    Console,
    Cookies,
    ForeignFrames,
    EndScripts,
    NetworkFaults,
    /// Requests can be answered in the server's place.
    Routes,
    /// `prefers-color-scheme`, `prefers-reduced-motion`, and the medium that a page is shown on.
    MediaFeatures,
    Locale,
    TimeZone,
    Geolocation,
    Offline,
    SlowNetwork,
    Touch,
    UserAgent,
    /// Pages can be given a time of their own.
    PageClock,
    /// All that pages ask of the network can be led through a gate of ours: see `LaunchOptions::gate`.
    DomainGate,
    /// Not for users: whether several workers can use contexts at the same time without affecting each other. A
    /// browser in which only one tab has the keyboard cannot: typing in one tab takes it from the others.
    ConcurrentContexts,
    /// Not for users: whether a page can be queried while input is on its way to it.
    ConcurrentCalls,
    /// Not for users: whether text is inserted whole, with one event, and not key by key.
    TextAtOnce,
    /// Not for users: whether the browser reports the first request of a tab that a page opened. If assay attaches too
    /// late for that, the tab is empty for an unknown reason.
    PopupRequests,
    /// Not for users: whether the list of a closed `select` opens and takes keys.
    ListPopups,
    /// Not for users: whether others can attach to it at a port: see `LaunchOptions::debugging_port`.
    DebuggingPort,
}

impl Capability {
    /// The capabilities that matter to users, in display order.
    pub const SHOWN: &'static [Capability] = &[
        Capability::Headless,
        Capability::Headed,
        Capability::Tabs,
        Capability::IsolatedContexts,
        Capability::ForeignFrames,
        Capability::Viewport,
        Capability::DeviceScale,
        Capability::FullPageScreenshot,
        Capability::JpegScreenshot,
        Capability::WebpScreenshot,
        Capability::Pdf,
        Capability::Uploads,
        Capability::Downloads,
        Capability::Cookies,
        Capability::Network,
        Capability::Console,
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
    ];
}

impl std::fmt::Display for Capability {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            Capability::Headless => "run without a window",
            Capability::Headed => "show a window",
            Capability::Tabs => "open several tabs",
            Capability::IsolatedContexts => "open isolated tabs",
            Capability::Viewport => "set the viewport size",
            Capability::DeviceScale => "set the device pixel ratio",
            Capability::FullPageScreenshot => "take a screenshot of a whole page",
            Capability::JpegScreenshot => "take JPEG screenshots",
            Capability::WebpScreenshot => "take WebP screenshots",
            Capability::Pdf => "print a page to PDF",
            Capability::Uploads => "upload files",
            Capability::Downloads => "save downloads",
            Capability::Network => "report network requests",
            Capability::Console => "report console messages",
            Capability::Cookies => "set cookies",
            Capability::ForeignFrames => "act in frames from other sites",
            Capability::EndScripts => "stop a script that never ends",
            Capability::NetworkFaults => "make requests fail on purpose",
            Capability::Routes => "mock responses",
            Capability::MediaFeatures => "emulate colour schemes, reduced motion and print",
            Capability::Locale => "emulate a language",
            Capability::TimeZone => "emulate a time zone",
            Capability::Geolocation => "emulate a location",
            Capability::Offline => "emulate a lost connection",
            Capability::SlowNetwork => "emulate a slow network",
            Capability::Touch => "emulate a touch screen",
            Capability::UserAgent => "emulate another user agent",
            Capability::PageClock => "give pages a clock of their own",
            Capability::DomainGate => "restrict all requests to allowed domains",
            Capability::ConcurrentContexts => "serve several sessions at a time",
            Capability::ConcurrentCalls => "answer while it receives input",
            Capability::PopupRequests => "report the first request of a new tab",
            Capability::ListPopups => "choose from an open list",
            Capability::TextAtOnce => "insert text at once",
            Capability::DebuggingPort => "let other programs attach through a port",
        })
    }
}

/// The environment variable that names the profile, in every process of a browser of any engine.
/// Clean-up after a crash searches for it.
pub const PROFILE_MARK: &str = "ASSAY_PROFILE";

#[derive(Debug, Clone)]
pub struct LaunchOptions {
    /// The program to run; found on the system when none is given.
    pub program: Option<PathBuf>,
    pub headless: bool,
    /// A private folder for the profile. It exists, is empty, and its owner removes it.
    pub profile: PathBuf,
    /// Where downloads land.
    pub downloads: PathBuf,
    pub viewport: Viewport,
    /// Whether to start with an empty tab. A browser that needs a tab has one anyway.
    pub first_tab: bool,
    /// A SOCKS5 server for every connection of the browser, including those to this machine. It gets host names
    /// unresolved. Connections that it refuses, or that cannot use it, do not leave the browser. Only for launched
    /// browsers.
    pub gate: Option<SocketAddr>,
    /// A port of this machine at which others may attach to the browser, where it has such a thing
    /// (`Capability::DebuggingPort`). Only for browsers that are launched.
    pub debugging_port: Option<u16>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Viewport {
    pub width: u32,
    pub height: u32,
    pub scale: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImageFormat {
    Png,
    Jpeg,
    Webp,
}

#[derive(Debug, Clone, Copy)]
pub struct Capture {
    pub format: ImageFormat,
    pub full_page: bool,
    pub clip: Option<Rect>,
}
