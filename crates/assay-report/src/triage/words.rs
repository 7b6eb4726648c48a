//! The words by which the rules recognise pages and network errors.
//!
//! Foreign pages have no error codes: only their text reveals a wall or an error
//! page. All such words are here, so the rules can decide on names.

/// Sentences that only a check for humans says.
const WALLS: &[&str] = &[
    "verify you are human",
    "verify you are a human",
    "verify that you are human",
    "verifying you are human",
    "confirm you are human",
    "are you a robot",
    "i'm not a robot",
    "i am not a robot",
    "checking your browser before",
    "checking if the site connection is secure",
    "unusual traffic from your",
    "attention required! | cloudflare",
    "pardon our interruption",
    "press & hold to confirm",
    "request unsuccessful. incapsula",
    "enable javascript and cookies to continue",
    "complete the security check to access",
    "our systems have detected unusual traffic",
];

/// Words of a wall that other pages use as well.
const PERHAPS_WALLS: &[&str] = &[
    "captcha",
    "access denied",
    "just a moment...",
    "you have been blocked",
    "too many requests",
    "rate limit exceeded",
    "not available in your country",
    "not available in your region",
    "before you continue to",
];

/// Texts of a broken application.
const ERROR_PAGES: &[&str] = &[
    "internal server error",
    "application error",
    "server error in '/' application",
    "whitelabel error page",
    "a server-side exception has occurred",
    "a client-side exception has occurred",
    "unhandled exception",
    "fatal error: uncaught",
    "traceback (most recent call last)",
    "we're sorry, but something went wrong",
];

/// Texts of a proxy in front of an unavailable application.
const GATEWAY_PAGES: &[&str] =
    &["502 bad gateway", "503 service unavailable", "504 gateway time-out", "504 gateway timeout"];

/// Errors of the network, by the names that browsers give them and by our own words for them.
const UNREACHABLE: &[&str] = &[
    "err_connection_refused",
    "err_connection_reset",
    "err_connection_closed",
    "err_connection_timed_out",
    "err_socket_not_connected",
    "err_name_not_resolved",
    "err_address_unreachable",
    "err_internet_disconnected",
    "err_network_changed",
    "err_timed_out",
    "err_empty_response",
    "err_proxy_connection_failed",
    "ns_error_connection_refused",
    "ns_error_unknown_host",
    "ns_error_net_reset",
    "ns_error_net_timeout",
    "ns_error_offline",
    "connection refused",
    "could not connect",
    "no such host",
    "there is no network",
    "broke the connection",
    "the server sent nothing",
    "err_cert_",
    "err_ssl_",
    "sec_error_",
    "certificate",
];

/// A script that stopped in the middle, as against one that complains.
const EXCEPTIONS: &[&str] = &[
    "uncaught",
    "unhandled",
    "typeerror:",
    "referenceerror:",
    "rangeerror:",
    "syntaxerror:",
    "chunkloaderror",
    "hydration failed",
];

/// A test in whose words one of these stands is about being kept out.
pub const REFUSAL: &[&str] = &[
    "403",
    "429",
    "forbidden",
    "denied",
    "not allowed",
    "may not",
    "no permission",
    "refused",
    "unauthorized",
    "unauthorised",
    "rate limit",
    "too many",
    "blocked",
    "captcha",
];

/// One that is about a page which is not there.
pub const MISSING_PAGE: &[&str] =
    &["404", "410", "not found", "does not exist", "no such page", "unknown page"];

/// One that is about an error of the server.
pub const SERVER_ERROR: &[&str] = &[
    "status 5",
    "error 5",
    "500 error",
    "server error",
    "error page",
    "maintenance page",
    "service unavailable",
];

/// Error pages say so at their top; what an article says further down is no sign.
const TOP_OF_PAGE: usize = 400;

pub fn wall(text: &str) -> Option<&'static str> {
    first_of(WALLS, text)
}

pub fn perhaps_wall(text: &str) -> Option<&'static str> {
    // Many a footer says that a form is guarded; it is no guard itself.
    first_of(PERHAPS_WALLS, &top(text).to_lowercase().replace("protected by recaptcha", ""))
}

pub fn error_page(text: &str) -> Option<&'static str> {
    first_of(ERROR_PAGES, &top(text))
}

pub fn gateway_page(text: &str) -> Option<&'static str> {
    first_of(GATEWAY_PAGES, &top(text))
}

/// Whether a message says that nothing answers at an address.
pub fn is_unreachable(why: &str) -> bool {
    first_of(UNREACHABLE, why).is_some()
}

pub fn is_exception(line: &str) -> bool {
    first_of(EXCEPTIONS, line).is_some()
}

fn first_of(all: &[&'static str], text: &str) -> Option<&'static str> {
    let text = text.to_lowercase().replace('’', "'");
    all.iter().copied().find(|words| text.contains(words))
}

fn top(text: &str) -> String {
    text.chars().take(TOP_OF_PAGE).collect()
}
