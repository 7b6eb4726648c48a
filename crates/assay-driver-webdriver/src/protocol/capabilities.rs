//! Asking for a browser, and what comes back.

use serde::Deserialize;
use serde_json::{Map, Value, json};

/// The answer to `POST /session`.
#[derive(Debug, Deserialize)]
pub(crate) struct SessionAnswer {
    #[serde(rename = "sessionId")]
    pub id: String,
    pub capabilities: Granted,
}

/// What of the capabilities something depends on.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Granted {
    pub browser_name: Option<String>,
    pub browser_version: Option<String>,
    pub set_window_rect: Option<bool>,
    /// BiDi of this very session.
    pub web_socket_url: Option<Value>,
    /// The DevTools protocol through Selenium Grid.
    #[serde(rename = "se:cdp")]
    pub grid_cdp: Option<Value>,
    #[serde(rename = "goog:chromeOptions")]
    pub chrome_options: Option<ChromeOptions>,
    #[serde(rename = "ms:edgeOptions")]
    pub edge_options: Option<ChromeOptions>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ChromeOptions {
    pub debugger_address: Option<String>,
}

/// The body of `POST /session`. What the user asks for replaces what we would.
pub(crate) fn new_session(wanted: &Map<String, Value>) -> Value {
    let mut always = Map::new();
    // Dialogs are the user's to answer; documents are awaited until they are loaded, because WebKit's
    // driver hangs on the others (`eager` never answers for an address within the page).
    always.insert("unhandledPromptBehavior".to_string(), json!("ignore"));
    always.insert("pageLoadStrategy".to_string(), json!("normal"));
    for (name, value) in wanted {
        always.insert(name.clone(), value.clone());
    }
    // A driver that knows no BiDi refuses a session with it: then the second choice counts.
    let first =
        if always.contains_key("webSocketUrl") { json!([{}]) } else { json!([{ "webSocketUrl": true }, {}]) };
    json!({ "capabilities": { "alwaysMatch": always, "firstMatch": first } })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_user_asks_for_replaces_what_we_would() {
        let mut wanted = Map::new();
        wanted.insert("pageLoadStrategy".to_string(), json!("none"));
        wanted.insert("webSocketUrl".to_string(), json!(false));
        let body = new_session(&wanted);
        assert_eq!(body["capabilities"]["alwaysMatch"]["pageLoadStrategy"], "none");
        assert_eq!(body["capabilities"]["firstMatch"], json!([{}]));
    }

    #[test]
    fn a_grid_names_the_better_protocols() {
        let answer: SessionAnswer = serde_json::from_value(json!({
            "sessionId": "1",
            "capabilities": {
                "browserName": "chrome", "se:cdp": "ws://h/se/cdp", "webSocketUrl": "ws://h/se/bidi",
                "goog:chromeOptions": { "debuggerAddress": "localhost:1" }, "timeouts": { "script": 1 }
            }
        }))
        .unwrap();
        assert_eq!(answer.capabilities.grid_cdp, Some(json!("ws://h/se/cdp")));
        assert_eq!(answer.capabilities.web_socket_url, Some(json!("ws://h/se/bidi")));
    }
}
