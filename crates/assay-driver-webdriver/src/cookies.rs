//! Cookies as WebDriver has them.

use assay_protocol::CookieInfo;
use serde_json::{Value, json};

pub(crate) fn to_cookie(value: &Value) -> CookieInfo {
    let text = |name: &str| value[name].as_str().unwrap_or_default().to_string();
    let holds = |name: &str| value[name].as_bool().unwrap_or_default();
    CookieInfo {
        name: text("name"),
        value: text("value"),
        domain: text("domain"),
        path: text("path"),
        expires: value["expiry"].as_f64().unwrap_or(-1.0),
        http_only: holds("httpOnly"),
        secure: holds("secure"),
        same_site: value["sameSite"].as_str().map(str::to_string),
    }
}

pub(crate) fn cookie_body(cookie: &CookieInfo) -> Value {
    let mut body = json!({
        "name": cookie.name, "value": cookie.value, "path": cookie.path,
        "httpOnly": cookie.http_only, "secure": cookie.secure,
    });
    if !cookie.domain.is_empty() {
        body["domain"] = json!(cookie.domain);
    }
    // A session cookie has no end.
    if cookie.expires >= 0.0 {
        body["expiry"] = json!(cookie.expires as u64);
    }
    if let Some(same_site) = &cookie.same_site {
        body["sameSite"] = json!(same_site);
    }
    json!({ "cookie": body })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_cookie_has_no_end() {
        let told = json!({ "name": "a", "value": "1", "domain": "x", "path": "/", "httpOnly": true, "secure": false });
        let cookie = to_cookie(&told);
        assert_eq!(cookie.expires, -1.0);
        assert_eq!(cookie_body(&cookie)["cookie"], told);
    }
}
