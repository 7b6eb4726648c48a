//! An address of a WebDriver server as a user writes it: where it is, and which browser is wanted.

use reqwest::Url;
use serde_json::{Map, Value};

#[derive(Debug, Clone)]
pub(crate) struct Address {
    base: Url,
    /// What stands behind the question mark: capabilities by name.
    pub capabilities: Map<String, Value>,
}

#[derive(Debug, thiserror::Error)]
#[error("expected http://host:port, host:port or a port, found `{0}`")]
pub(crate) struct BadAddress(String);

impl Address {
    /// Takes `http://…`, `https://…`, `host:port` or a bare port.
    pub fn parse(text: &str) -> Result<Address, BadAddress> {
        let bad = || BadAddress(text.to_string());
        let full = if text.bytes().all(|byte| byte.is_ascii_digit()) && !text.is_empty() {
            format!("http://127.0.0.1:{text}")
        } else if text.contains("://") {
            text.to_string()
        } else {
            format!("http://{text}")
        };
        let mut base = Url::parse(&full).map_err(|_| bad())?;
        if !matches!(base.scheme(), "http" | "https") || base.host_str().is_none() {
            return Err(bad());
        }
        let capabilities =
            base.query_pairs().map(|(name, value)| (name.into_owned(), as_json(&value))).collect();
        base.set_query(None);
        base.set_fragment(None);
        Ok(Address { base, capabilities })
    }

    /// The address of a path below this one: `/status`.
    pub fn at(&self, path: &str) -> Url {
        let mut url = self.base.clone();
        url.set_path(&format!("{}{path}", self.base.path().trim_end_matches('/')));
        url
    }

    /// The same place as a websocket address.
    pub fn websocket(&self, path: &str) -> String {
        let url = self.at(path);
        let rest = url.as_str().split_once("://").map_or("", |(_, rest)| rest);
        format!("{}://{rest}", if url.scheme() == "https" { "wss" } else { "ws" })
    }

    pub fn is_loopback(&self) -> bool {
        let host = self.base.host_str().unwrap_or_default();
        host == "localhost" || host == "[::1]" || host.starts_with("127.")
    }

    /// To be shown: without the key of its user.
    pub fn shown(&self) -> String {
        let mut url = self.base.clone();
        if url.password().is_some() || !url.username().is_empty() {
            // Both fail only for addresses without a host, which this one has.
            let _kept = url.set_username("").and_then(|()| url.set_password(None));
        }
        url.as_str().trim_end_matches('/').to_string()
    }
}

/// `true`, `3` and `{"args":[]}` mean themselves; everything else is text.
fn as_json(text: &str) -> Value {
    match serde_json::from_str(text) {
        // A version is a text even when it is a number: `browserVersion=156`.
        Ok(Value::Number(_)) | Err(_) => Value::String(text.to_string()),
        Ok(value) => value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, status: &str, capabilities: &str) {
        let address = Address::parse(text).unwrap();
        assert_eq!(address.at("/status").as_str(), status);
        assert_eq!(serde_json::to_string(&address.capabilities).unwrap(), capabilities);
    }

    #[test]
    fn a_server_is_named_in_the_ways_people_name_servers() {
        check("4444", "http://127.0.0.1:4444/status", "{}");
        check("grid:4444", "http://grid:4444/status", "{}");
        check("http://grid:4444/", "http://grid:4444/status", "{}");
        check("https://hub.example/wd/hub", "https://hub.example/wd/hub/status", "{}");
    }

    #[test]
    fn the_query_says_which_browser_is_wanted() {
        check(
            "http://grid:4444/?browserName=chrome&browserVersion=156&acceptInsecureCerts=true",
            "http://grid:4444/status",
            r#"{"acceptInsecureCerts":true,"browserName":"chrome","browserVersion":"156"}"#,
        );
        check(
            r#"http://grid:4444/?goog:chromeOptions={"args":["--headless"]}"#,
            "http://grid:4444/status",
            r#"{"goog:chromeOptions":{"args":["--headless"]}}"#,
        );
    }

    #[test]
    fn the_key_of_a_user_is_sent_but_not_shown() {
        let address = Address::parse("https://me:secret@hub.example/wd/hub").unwrap();
        assert_eq!(address.shown(), "https://hub.example/wd/hub");
        assert_eq!(address.at("/session").password(), Some("secret"));
    }

    #[test]
    fn what_is_no_address_is_said_to_be_none() {
        for text in ["ftp://x", "", "http://", "a b"] {
            assert!(Address::parse(text).is_err(), "{text}");
        }
    }
}
