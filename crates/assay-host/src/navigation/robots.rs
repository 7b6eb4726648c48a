//! Fetches `robots.txt`.

use std::time::Duration;

use assay_navigation::Robots;

const TIME: Duration = Duration::from_secs(5);
/// RFC 9309 asks for no more.
const LONGEST: usize = 500 * 1024;

/// The rules of a site, and a note if they could not be read. A site without them allows everything.
pub(super) async fn rules_of(origin: &str) -> (Robots, Option<String>) {
    let address = format!("{origin}/robots.txt");
    let unread =
        |why: String| Some(format!("{address} could not be read ({why}); nothing is left out for it"));
    assay_wire::install_tls_provider();
    let client = match reqwest::Client::builder().timeout(TIME).no_proxy().build() {
        Ok(client) => client,
        Err(err) => return (Robots::default(), unread(err.to_string())),
    };
    let answer = match client.get(&address).send().await {
        Ok(answer) => answer,
        Err(err) => return (Robots::default(), unread(err.without_url().to_string())),
    };
    let status = answer.status();
    if status.is_server_error() {
        return (Robots::default(), unread(format!("status {}", status.as_u16())));
    }
    let is_text = answer
        .headers()
        .get("content-type")
        .and_then(|kind| kind.to_str().ok())
        .is_none_or(|kind| kind.starts_with("text/plain"));
    // Applications answer every path with their page.
    if !status.is_success() || !is_text {
        return (Robots::default(), None);
    }
    match answer.text().await {
        Ok(text) => (Robots::parse(text.get(..LONGEST).unwrap_or(&text)), None),
        Err(err) => (Robots::default(), unread(err.without_url().to_string())),
    }
}
