//! How something is opened, looked at and limited.

use std::path::PathBuf;

use crate::Rect;

/// What a surface or browser may be able to do. Asked for before acting; never inferred from a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Capability {
    IsolatedContexts,
    Pdf,
    FullPageScreenshot,
    Headed,
}

impl std::fmt::Display for Capability {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            Capability::IsolatedContexts => "open isolated tabs",
            Capability::Pdf => "print a page to PDF",
            Capability::FullPageScreenshot => "take a picture of a whole page",
            Capability::Headed => "show a window",
        })
    }
}

/// The variable by which every process of a browser, whatever its engine, says whose profile it uses.
/// Whoever cleans up after a crash looks for it.
pub const PROFILE_MARK: &str = "ASSAY_PROFILE";

#[derive(Debug, Clone)]
pub struct LaunchOptions {
    /// The program to run; found on the system when none is given.
    pub program: Option<PathBuf>,
    pub headless: bool,
    /// A folder of our own for the profile. It exists, is empty, and is removed by its owner.
    pub profile: PathBuf,
    /// Where downloads land.
    pub downloads: PathBuf,
    pub viewport: Viewport,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Viewport {
    pub width: u32,
    pub height: u32,
    pub scale: f64,
}

/// What a new tab shares with the others of its browser.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Isolation {
    Shared,
    /// Cookies, storage and cache of its own.
    OwnContext,
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
