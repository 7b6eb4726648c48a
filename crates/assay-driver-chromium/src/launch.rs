//! How Chromium is started.

use std::net::SocketAddr;

use assay_driver::{DriverError, LaunchOptions};
use assay_wire::{BrowserProcess, Spawn};
use tokio::net::UnixStream;

use crate::find::{FoundProgram, ProgramKind};

/// Starts the browser; its end of the returned stream are the descriptors 3 and 4.
pub(crate) fn start(
    found: &FoundProgram,
    options: &LaunchOptions,
) -> Result<(BrowserProcess, UnixStream), DriverError> {
    Spawn {
        driver: "chromium",
        program: &found.program,
        arguments: arguments(found.kind, options),
        variables: Vec::new(),
        profile: &options.profile,
        group: None,
    }
    .start_with_pipe()
}

const QUIET: &[&str] = &[
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-component-extensions-with-background-pages",
    "--disable-default-apps",
    "--disable-sync",
    "--disable-extensions",
    "--disable-domain-reliability",
    "--disable-client-side-phishing-detection",
    "--metrics-recording-only",
    "--password-store=basic",
    "--use-mock-keychain",
    "--mute-audio",
    "--disable-breakpad",
    "--disable-hang-monitor",
    "--disable-prompt-on-repost",
    "--disable-popup-blocking",
    "--disable-ipc-flooding-protection",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--force-color-profile=srgb",
    "--hide-scrollbars",
];

/// Features that are switched off.
const OFF: &[&str] = &[
    // Each window of the full browser would load two hidden pages for its address bar.
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    "WebUIOmniboxFullPopup",
    "Translate",
    "MediaRouter",
    "OptimizationHints",
    "AutofillServerCommunication",
    "CertificateTransparencyComponentUpdater",
    // A new frame for every document of the same site: a quarter of the time it takes to open a small page.
    "RenderDocument",
    // The page before is shown until the next one has painted: nothing that a picture should tell.
    "PaintHolding",
];

/// Everything but the pages in one process. It draws by the processor anyway, and nobody watches films in it; each
/// message less between processes is time that a test does not wait.
const IN_ONE: [&str; 3] =
    ["--in-process-gpu", "--enable-features=NetworkServiceInProcess2", "--no-unsandboxed-zygote"];

/// Every connection goes through the gate: those to this machine too, which Chromium would otherwise make itself, and
/// none by UDP, which the gate does not carry.
fn through_gate(gate: SocketAddr) -> [String; 5] {
    [
        format!("--proxy-server=socks5://{gate}"),
        "--proxy-bypass-list=<-loopback>".to_string(),
        "--disable-quic".to_string(),
        // By either name: which one counts differs between the browser with and without a window system.
        "--force-webrtc-ip-handling-policy=disable_non_proxied_udp".to_string(),
        "--webrtc-ip-handling-policy=disable_non_proxied_udp".to_string(),
    ]
}

/// Whether the browser is started without a tab. The full browser tells too little of a tab that is opened at an address,
/// and with a window it would end with its last tab.
pub(crate) fn begins_empty(kind: ProgramKind, options: &LaunchOptions) -> bool {
    kind == ProgramKind::HeadlessShell && !options.first_tab
}

fn arguments(kind: ProgramKind, options: &LaunchOptions) -> Vec<String> {
    let mut arguments: Vec<String> = QUIET.iter().map(|flag| (*flag).to_string()).collect();
    arguments.push(format!("--disable-features={}", OFF.join(",")));
    arguments.push(format!("--window-size={},{}", options.viewport.width, options.viewport.height));
    arguments.push(format!("--user-data-dir={}", options.profile.display()));
    arguments.push("--remote-debugging-pipe=cbor".to_string());
    if let Some(port) = options.debugging_port {
        // Bound to this machine by the browser itself.
        arguments.push(format!("--remote-debugging-port={port}"));
    }
    // SAFETY: a plain system call.
    if unsafe { libc::geteuid() } == 0 {
        arguments.push("--no-sandbox".to_string());
    }
    if let Some(gate) = options.gate {
        arguments.extend(through_gate(gate));
    }
    if kind == ProgramKind::HeadlessShell {
        arguments.extend(IN_ONE.map(str::to_string));
    }
    if options.headless && kind == ProgramKind::Full {
        arguments.push("--headless=new".to_string());
    }
    // The headless shell opens nothing of its own accord while a debugger is expected.
    if !begins_empty(kind, options) {
        arguments.push("about:blank".to_string());
    }
    arguments
}
