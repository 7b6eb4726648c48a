//! Other names of browsers, and devices that nothing here drives.

/// Browsers and devices that people name, and that nothing here drives.
const STRANGERS: &[&str] = &[
    "opera",
    "edge",
    "msedge",
    "ie",
    "explorer",
    "brave",
    "vivaldi",
    "netscape",
    "lynx",
    "arc",
    "yandex",
    "samsung",
    "konqueror",
    "epiphany",
    "playstation",
    "xbox",
    "watch",
    "smartwatch",
    "iphone",
    "ipad",
    "galaxy",
    "pixel",
    "roku",
    "firestick",
];

/// Whether a word names a device that is none of the known ones.
pub(super) fn is_strange_device(word: &str) -> bool {
    STRANGERS.contains(&word)
}

/// Other names of browsers.
pub(super) fn browser_called(word: &str) -> Option<&'static str> {
    match word {
        "chrome" | "google-chrome" | "chromium-browser" => Some("chromium"),
        "ff" | "mozilla" | "gecko" => Some("firefox"),
        "safari" | "minibrowser" => Some("webkit"),
        _ => None,
    }
}
