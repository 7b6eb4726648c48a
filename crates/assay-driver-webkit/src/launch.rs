//! How WebKit is started, and where it gets its screen from.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use assay_driver::{Deadline, DriverError, LaunchOptions};
use assay_wire::{BrowserProcess, Spawn, VirtualDisplay};
use tokio::net::{TcpListener, TcpStream};

const DRIVER: &str = "webkit";

/// A browser that listens, and the screen it paints on when that is ours.
pub(crate) struct Started {
    pub process: BrowserProcess,
    pub display: Option<VirtualDisplay>,
    pub stream: TcpStream,
}

/// What the machine around us says that a browser is to go by.
#[derive(Debug, Clone, Default)]
pub struct Surroundings {
    /// `DISPLAY`: the screen that windows are shown on.
    pub display: Option<OsString>,
    /// The language of the user, as variables name it: `de_DE.UTF-8`.
    pub language: Option<String>,
    /// The user has said how WebKit is to paint, by `WEBKIT_SKIA_ENABLE_CPU_RENDERING`.
    pub is_painting_chosen: bool,
}

/// The folders that the browser is told to use. Not its cache: it holds nothing of a page, but lists of fonts and
/// codecs that take ten seconds to make.
pub(crate) struct Folders {
    config: PathBuf,
    data: PathBuf,
    /// Where it puts files; they are moved from there when they are complete.
    pub downloads: PathBuf,
}

impl Folders {
    pub fn make(options: &LaunchOptions) -> Result<Folders, DriverError> {
        let profile = &options.profile;
        remove_left_behind(options);
        let name = profile.file_name().unwrap_or_default().to_string_lossy().to_string();
        let folders = Folders {
            config: profile.join("config"),
            data: profile.join("data"),
            // Beside where they are wanted, so that even large files are moved at once.
            downloads: options.downloads.join(format!("{UNFINISHED}{name}")),
        };
        let fail = |err| DriverError::io("could not set up the browser's profile", err);
        for folder in [&folders.config, &folders.data, &folders.downloads] {
            std::fs::create_dir_all(folder).map_err(fail)?;
        }
        // The only way to say where files are to go: by the desktop's own settings.
        let place = folders.downloads.display().to_string().replace('\\', "\\\\").replace('"', "\\\"");
        std::fs::write(folders.config.join("user-dirs.dirs"), format!("XDG_DOWNLOAD_DIR=\"{place}\"\n"))
            .map_err(fail)?;
        let styles = folders.config.join("gtk-3.0");
        std::fs::create_dir_all(&styles).map_err(fail)?;
        std::fs::write(styles.join("gtk.css"), STYLES).map_err(fail)?;
        Ok(folders)
    }
}

/// What the folders of unfinished downloads are called; the name of the profile follows.
const UNFINISHED: &str = ".webkit-";

/// Takes away what browsers left behind that could not do it themselves: those whose profile is gone.
fn remove_left_behind(options: &LaunchOptions) {
    let Ok(entries) = std::fs::read_dir(&options.downloads) else { return };
    let profiles = options.profile.parent().unwrap_or(&options.profile);
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().to_string();
        if let Some(profile) = name.strip_prefix(UNFINISHED)
            && !profiles.join(profile).exists()
        {
            // It is of no use to anybody, but in nobody's way either.
            let _may_be_gone = std::fs::remove_dir_all(entry.path());
        }
    }
}

impl Drop for Folders {
    fn drop(&mut self) {
        // What is in it was never complete. The others go with the profile.
        let _may_be_gone = std::fs::remove_dir_all(&self.downloads);
    }
}

/// The browser shows a bar for every download, below the page and at its cost: it is made as low as it can be.
const STYLES: &str = "infobar, infobar * { padding: 0; margin: 0; min-height: 0; border-width: 0; font-size: 0; }\n\
                      infobar image { -gtk-icon-transform: scale(0); }\n";

pub(crate) async fn start(
    program: &Path,
    folders: &Folders,
    options: &LaunchOptions,
    surroundings: &Surroundings,
    deadline: Deadline,
) -> Result<Started, DriverError> {
    let outside = surroundings.display.clone();
    let display = match (&outside, options.headless) {
        (Some(_), false) => None,
        _ => Some(VirtualDisplay::start(DRIVER, &options.profile, deadline).await?),
    };
    let screen = display.as_ref().map(|display| OsString::from(&display.name)).or(outside);
    let port = free_port().await.map_err(|err| DriverError::io("could not find a free port", err))?;
    let mut variables = variables(screen.unwrap_or_default(), port, folders, surroundings);
    if display.is_some() && !surroundings.is_painting_chosen {
        // There is no graphics card behind the screen: one that the processor plays takes longer than painting does.
        variables.push((PAINTS_BY_ITSELF, "1".into()));
    }
    let spawn = Spawn {
        driver: DRIVER,
        program,
        arguments: arguments(options),
        variables,
        profile: &options.profile,
        group: display.as_ref().map(VirtualDisplay::group),
    };
    let process = spawn.start()?;
    let stream = connect(&process, port, deadline).await?;
    Ok(Started { process, display, stream })
}

/// Whoever has set it knows better.
const PAINTS_BY_ITSELF: &str = "WEBKIT_SKIA_ENABLE_CPU_RENDERING";

const ARGUMENTS: &[&str] = &[
    "--automation",
    // A page that is come back to would otherwise go on as it was left, without a word about its documents.
    "--enable-page-cache=false",
    "--enable-smooth-scrolling=false",
    "--javascript-can-open-windows-automatically=true",
];

fn arguments(options: &LaunchOptions) -> Vec<String> {
    let mut arguments: Vec<String> = ARGUMENTS.iter().map(|argument| (*argument).to_string()).collect();
    if let Some(gate) = options.gate {
        // Nothing is made past it: no host is named that would be.
        arguments.push(format!("--proxy=socks5://{gate}"));
        // Its calls between browsers would find their own way.
        arguments.push("--enable-webrtc=false".to_string());
    }
    arguments
}

fn variables(
    screen: OsString,
    port: u16,
    folders: &Folders,
    surroundings: &Surroundings,
) -> Vec<(&'static str, OsString)> {
    let mut variables: Vec<(&'static str, OsString)> = vec![
        ("DISPLAY", screen),
        ("GDK_BACKEND", "x11".into()),
        ("WEBKIT_INSPECTOR_SERVER", format!("127.0.0.1:{port}").into()),
        ("GTK_OVERLAY_SCROLLING", "0".into()),
        // There is no desktop to talk to, and looking for one takes time.
        ("NO_AT_BRIDGE", "1".into()),
        ("GTK_A11Y", "none".into()),
        ("XDG_CONFIG_HOME", folders.config.clone().into()),
        ("XDG_DATA_HOME", folders.data.clone().into()),
    ];
    if !surroundings.language.as_deref().is_some_and(is_language) {
        // Otherwise pages are told that the user speaks `C`, which is no language.
        variables.push(("LC_ALL", "en_US.UTF-8".into()));
        // Where that locale is not installed, names of files must not fall back to plain ASCII.
        variables.push(("G_FILENAME_ENCODING", "UTF-8".into()));
    }
    variables
}

/// Whether a locale names a language, and not only the lack of one.
fn is_language(locale: &str) -> bool {
    let language = locale.split(['.', '@']).next().unwrap_or_default();
    !matches!(language, "" | "C" | "POSIX")
}

/// The browser wants a number, so one is taken that was free a moment ago.
async fn free_port() -> std::io::Result<u16> {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
    Ok(listener.local_addr()?.port())
}

async fn connect(process: &BrowserProcess, port: u16, deadline: Deadline) -> Result<TcpStream, DriverError> {
    loop {
        if let Ok(stream) = TcpStream::connect(("127.0.0.1", port)).await {
            return Ok(stream);
        }
        let reason = if process.has_ended().await {
            // Its last words may still be on their way through the pipe.
            tokio::time::sleep(Duration::from_millis(50)).await;
            "it ended before it answered"
        } else if deadline.is_past() {
            "it did not answer in time"
        } else {
            tokio::time::sleep(Duration::from_millis(10)).await;
            continue;
        };
        return Err(failed(reason, process));
    }
}

pub(crate) fn failed(reason: &str, process: &BrowserProcess) -> DriverError {
    DriverError::LaunchFailed { driver: DRIVER, reason: reason.to_string(), output: process.output() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_language_of_pages_is_that_of_the_surroundings() {
        let nowhere = PathBuf::from("/nowhere");
        let folders = Folders { config: nowhere.clone(), data: nowhere.clone(), downloads: nowhere };
        let set = |language: Option<&str>| {
            let surroundings =
                Surroundings { language: language.map(str::to_string), ..Surroundings::default() };
            let variables = variables(":7".into(), 1, &folders, &surroundings);
            variables.into_iter().find(|(name, _)| *name == "LC_ALL").map(|(_, value)| value)
        };
        assert_eq!(set(None), Some("en_US.UTF-8".into()));
        assert_eq!(set(Some("C.UTF-8")), Some("en_US.UTF-8".into()));
        assert_eq!(set(Some("de_DE.UTF-8")), None, "it has its own");
    }

    #[test]
    fn the_c_locale_is_no_language() {
        assert!(!is_language("C.UTF-8"));
        assert!(!is_language("POSIX"));
        assert!(!is_language(""));
        assert!(is_language("de_DE.UTF-8"));
    }
}
