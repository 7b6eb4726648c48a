//! How Firefox is started.

use std::net::SocketAddr;
use std::path::Path;

use assay_driver::{Deadline, DriverError, LaunchOptions};
use assay_wire::{BrowserProcess, Spawn};

/// Starts the browser and waits until it says where it listens.
pub(crate) async fn start(
    program: &Path,
    options: &LaunchOptions,
    deadline: Deadline,
) -> Result<(BrowserProcess, String), DriverError> {
    write(&options.profile.join("user.js"), preferences(options))?;
    if options.headless {
        let folder = options.profile.join("chrome");
        std::fs::create_dir_all(&folder)
            .map_err(|err| DriverError::io(format!("could not make {}", folder.display()), err))?;
        write(&folder.join("userChrome.css"), NO_BARS.to_string())?;
    }
    let process = Spawn {
        driver: "firefox",
        program,
        arguments: arguments(options),
        variables: vec![
            ("MOZ_CRASHREPORTER_DISABLE", "1".into()),
            ("MOZ_NO_REMOTE", "1".into()),
            // It would go on in a process of its own, which nobody knows of.
            ("MOZ_LAUNCHER_PROCESS", "0".into()),
            // Without it, the address of its settings server counts only in builds for developers.
            ("MOZ_REMOTE_SETTINGS_DEVTOOLS", "1".into()),
        ],
        profile: &options.profile,
        group: None,
    }
    .start()?;
    let listening = process.until_it_writes(
        |line| line.split_once("WebDriver BiDi listening on ").map(|(_, url)| url.trim().to_string()),
        deadline,
    );
    match listening.await {
        Ok(address) => Ok((process, format!("{}/session", address.trim_end_matches('/')))),
        Err(err) => {
            let reason = match err {
                DriverError::Timeout => "it did not report its address in time".to_string(),
                _ => "it ended before it reported its address".to_string(),
            };
            Err(DriverError::LaunchFailed { driver: "firefox", reason, output: process.output() })
        }
    }
}

fn write(file: &Path, text: String) -> Result<(), DriverError> {
    std::fs::write(file, text)
        .map_err(|err| DriverError::io(format!("could not write {}", file.display()), err))
}

/// A window that nobody sees is drawn all the same. Its bars, with the moving sign of a page that loads, take
/// more time than most pages.
const NO_BARS: &str = "#navigator-toolbox, #statuspanel { display: none !important; }\n";

/// The bars of a window, above the page.
const BARS: u32 = 110;

fn arguments(options: &LaunchOptions) -> Vec<String> {
    // What of a page lies outside its window cannot be pointed at.
    let bars = if options.headless { 0 } else { BARS };
    let mut arguments = vec![
        "--no-remote".to_string(),
        "--profile".to_string(),
        options.profile.display().to_string(),
        "--remote-debugging-port".to_string(),
        "0".to_string(),
        "--width".to_string(),
        options.viewport.width.to_string(),
        "--height".to_string(),
        (options.viewport.height + bars).to_string(),
    ];
    if options.headless {
        arguments.push("--headless".to_string());
    }
    arguments.push("about:blank".to_string());
    arguments
}

/// (name, value as JavaScript)
const PREFERENCES: &[(&str, &str)] = &[
    // BiDi only.
    ("remote.active-protocols", "1"),
    // Nothing is sent or fetched that no page asked for.
    ("app.normandy.enabled", "false"),
    ("app.update.enabled", "false"),
    ("app.update.auto", "false"),
    ("browser.chrome.site_icons", "false"),
    ("browser.contentblocking.introCount", "99"),
    ("browser.discovery.enabled", "false"),
    ("browser.newtabpage.activity-stream.feeds.system.topstories", "false"),
    ("browser.newtabpage.enabled", "false"),
    ("browser.newtab.preload", "false"),
    ("browser.ping-centre.telemetry", "false"),
    ("browser.region.network.url", "\"\""),
    ("browser.region.update.enabled", "false"),
    ("browser.safebrowsing.blockedURIs.enabled", "false"),
    ("browser.safebrowsing.downloads.enabled", "false"),
    ("browser.safebrowsing.malware.enabled", "false"),
    ("browser.safebrowsing.phishing.enabled", "false"),
    ("browser.safebrowsing.update.enabled", "false"),
    ("browser.search.update", "false"),
    ("browser.topsites.contile.enabled", "false"),
    ("datareporting.healthreport.uploadEnabled", "false"),
    ("datareporting.policy.dataSubmissionEnabled", "false"),
    ("datareporting.usage.uploadEnabled", "false"),
    ("dom.push.connection.enabled", "false"),
    ("extensions.blocklist.enabled", "false"),
    ("extensions.getAddons.cache.enabled", "false"),
    ("extensions.systemAddon.update.enabled", "false"),
    ("extensions.systemAddon.update.url", "\"\""),
    ("extensions.update.enabled", "false"),
    ("media.gmp-manager.updateEnabled", "false"),
    ("media.gmp-manager.url", "\"\""),
    ("messaging-system.rsexperimentloader.enabled", "false"),
    ("network.captive-portal-service.enabled", "false"),
    ("network.connectivity-service.enabled", "false"),
    ("network.dns.disablePrefetch", "true"),
    ("network.http.speculative-parallel-limit", "0"),
    ("network.prefetch-next", "false"),
    ("network.sntp.pools", "\"\""),
    ("nimbus.rollouts.enabled", "false"),
    ("services.settings.server", "\"data:,#remote-settings-dummy/v1\""),
    ("toolkit.telemetry.enabled", "false"),
    ("toolkit.telemetry.server", "\"data:,\""),
    ("toolkit.telemetry.unified", "false"),
    // No first-run pages, questions, tours or warnings.
    ("browser.aboutwelcome.enabled", "false"),
    ("browser.bookmarks.restore_default_bookmarks", "false"),
    ("browser.download.alwaysOpenPanel", "false"),
    ("browser.formfill.enable", "false"),
    ("extensions.formautofill.addresses.enabled", "false"),
    ("extensions.formautofill.creditCards.enabled", "false"),
    ("browser.messaging-system.whatsNewPanel.enabled", "false"),
    ("browser.privatebrowsing.vpnpromourl", "\"\""),
    ("browser.rights.3.shown", "true"),
    ("browser.sessionstore.resume_from_crash", "false"),
    ("browser.sessionstore.enabled", "false"),
    ("browser.shell.checkDefaultBrowser", "false"),
    ("browser.startup.homepage_override.mstone", "\"ignore\""),
    ("browser.startup.page", "0"),
    ("browser.tabs.closeWindowWithLastTab", "false"),
    ("browser.tabs.firefox-view", "false"),
    ("browser.tabs.warnOnClose", "false"),
    ("browser.tabs.warnOnCloseOtherTabs", "false"),
    ("browser.toolbars.bookmarks.visibility", "\"never\""),
    ("browser.translations.enable", "false"),
    ("browser.uitour.enabled", "false"),
    ("browser.urlbar.suggest.searches", "false"),
    ("browser.warnOnQuit", "false"),
    ("datareporting.policy.dataSubmissionPolicyBypassNotification", "true"),
    ("devtools.jsonview.enabled", "false"),
    ("signon.autofillForms", "false"),
    ("signon.rememberSignons", "false"),
    ("startup.homepage_welcome_url", "\"about:blank\""),
    ("termsofuse.bypassNotification", "true"),
    ("toolkit.cosmeticAnimations.enabled", "false"),
    // Where there is a style sheet for the window itself, it counts.
    ("toolkit.legacyUserProfileCustomizations.stylesheets", "true"),
    ("toolkit.startup.max_resumed_crashes", "-1"),
    // No list of pages that were visited: writing it takes longer than some of them, and it would show in the links
    // of the next test.
    ("places.history.enabled", "false"),
    // Nor is a page taken apart for a view that nobody opens.
    ("reader.parse-on-load.enabled", "false"),
    // A page behaves the same whether it is in front or not, and comes back from the history by loading.
    ("browser.sessionhistory.max_total_viewers", "0"),
    ("fission.bfcacheInParent", "false"),
    ("dom.disable_open_during_load", "false"),
    ("dom.file.createInChild", "true"),
    ("dom.ipc.reportProcessHangs", "false"),
    ("dom.max_chrome_script_run_time", "0"),
    ("dom.max_script_run_time", "0"),
    ("dom.min_background_timeout_value", "4"),
    ("dom.timeout.enable_budget_timer_throttling", "false"),
    ("hangmonitor.timeout", "0"),
    ("layout.testing.top-level-always-active", "true"),
    ("focusmanager.testmode", "true"),
    ("network.http.prompt-temp-redirect", "false"),
    ("security.fileuri.strict_origin_policy", "false"),
    ("security.notification_enable_delay", "0"),
    ("ui.systemUsesDarkTheme", "0"),
    // Scroll bars take no room, as in the other browsers.
    ("ui.useOverlayScrollbars", "1"),
    // Nor do they lie over what is to be clicked.
    ("ui.scrollbarDisplayOnMouseMove", "0"),
    ("ui.scrollbarFadeBeginDelay", "0"),
    ("ui.scrollbarFadeDuration", "0"),
    ("widget.non-native-theme.scrollbar.size.override", "1"),
    ("widget.windows.window_occlusion_tracking.enabled", "false"),
];

/// Every connection goes through the gate: those to this machine too, which Firefox would otherwise make itself, no name
/// is resolved here, and nothing goes by UDP or over a connection that was made for another host.
fn through_gate(gate: SocketAddr) -> Vec<(&'static str, String)> {
    vec![
        ("network.proxy.type", "1".to_string()),
        ("network.proxy.socks", format!("\"{}\"", gate.ip())),
        ("network.proxy.socks_port", gate.port().to_string()),
        ("network.proxy.socks_version", "5".to_string()),
        ("network.proxy.socks_remote_dns", "true".to_string()),
        ("network.proxy.no_proxies_on", "\"\"".to_string()),
        ("network.proxy.allow_hijacking_localhost", "true".to_string()),
        ("network.proxy.failover_direct", "false".to_string()),
        ("network.http.http3.enable", "false".to_string()),
        ("network.http.http2.coalesce-hostnames", "false".to_string()),
        ("network.trr.mode", "5".to_string()),
        ("media.peerconnection.ice.proxy_only", "true".to_string()),
    ]
}

fn preferences(options: &LaunchOptions) -> String {
    let always = PREFERENCES.iter().map(|(name, value)| (*name, (*value).to_string()));
    let gated = options.gate.map(through_gate).unwrap_or_default();
    always.chain(gated).map(|(name, value)| format!("user_pref(\"{name}\", {value});\n")).collect()
}
