//! Who may speak to the HTTP door, by the headers of a request.
//!
//! A page in a browser can send requests to this machine. It cannot choose `Host` and `Origin`, so both are checked.

use axum::http::{HeaderMap, StatusCode, header};
use subtle::ConstantTimeEq;

/// A secret that clients send as a bearer token.
#[derive(Clone)]
pub struct Token(String);

impl Token {
    pub fn new(secret: impl Into<String>) -> Token {
        Token(secret.into())
    }

    /// Takes as long for a wrong secret as for the right one of its length.
    fn is(&self, sent: &str) -> bool {
        self.0.as_bytes().ct_eq(sent.as_bytes()).into()
    }
}

impl std::fmt::Debug for Token {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.write_str("Token(…)")
    }
}

/// Names of this machine.
const LOCAL: &[&str] = &["localhost", "127.0.0.1", "::1"];

#[derive(Debug, Clone)]
pub struct Guard {
    /// Names besides those of this machine, by which clients may call the server.
    pub hosts: Vec<String>,
    /// Origins of pages that may call it, such as `https://console.example`.
    pub origins: Vec<String>,
    pub token: Option<Token>,
}

/// Why a request is turned away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turned {
    Host,
    Origin,
    Token,
    MediaType,
}

impl Turned {
    pub fn status(self) -> StatusCode {
        match self {
            Turned::Host | Turned::Origin => StatusCode::FORBIDDEN,
            Turned::Token => StatusCode::UNAUTHORIZED,
            Turned::MediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
        }
    }

    pub fn reason(self) -> &'static str {
        match self {
            Turned::Host => "the `Host` of the request is none of this server\n",
            Turned::Origin => "pages of this `Origin` may not call this server\n",
            Turned::Token => "expected the bearer token of this server\n",
            Turned::MediaType => "expected the content type `application/json`\n",
        }
    }
}

impl Guard {
    /// Checks what every request needs.
    pub fn admit(&self, headers: &HeaderMap, authority: Option<&str>) -> Result<(), Turned> {
        let host =
            only(headers, header::HOST).map_err(|_| Turned::Host)?.or(authority).ok_or(Turned::Host)?;
        if !self.is_host(name_of(host).ok_or(Turned::Host)?) {
            return Err(Turned::Host);
        }
        if let Some(origin) = only(headers, header::ORIGIN).map_err(|_| Turned::Origin)?
            && !self.is_origin(origin)
        {
            return Err(Turned::Origin);
        }
        let Some(token) = &self.token else { return Ok(()) };
        let sent = only(headers, header::AUTHORIZATION).map_err(|_| Turned::Token)?.and_then(bearer);
        if sent.is_some_and(|sent| token.is(sent)) { Ok(()) } else { Err(Turned::Token) }
    }

    fn is_host(&self, name: &str) -> bool {
        LOCAL.iter().any(|local| local.eq_ignore_ascii_case(name))
            || self.hosts.iter().any(|host| host.eq_ignore_ascii_case(name))
    }

    fn is_origin(&self, origin: &str) -> bool {
        if self.origins.iter().any(|allowed| allowed.eq_ignore_ascii_case(origin)) {
            return true;
        }
        let Some(authority) = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"))
        else {
            return false;
        };
        name_of(authority).is_some_and(|name| LOCAL.iter().any(|local| local.eq_ignore_ascii_case(name)))
    }
}

/// Whether a body is declared as JSON.
pub fn is_json(headers: &HeaderMap) -> Result<(), Turned> {
    let declared = only(headers, header::CONTENT_TYPE).ok().flatten().unwrap_or_default();
    let essence = declared.split(';').next().unwrap_or_default().trim();
    if essence.eq_ignore_ascii_case("application/json") { Ok(()) } else { Err(Turned::MediaType) }
}

/// The value of a header that is there at most once, and is text.
fn only(headers: &HeaderMap, name: header::HeaderName) -> Result<Option<&str>, ()> {
    let mut values = headers.get_all(name).iter();
    let first = values.next();
    if values.next().is_some() {
        return Err(());
    }
    first.map(|value| value.to_str().map_err(|_| ())).transpose()
}

/// The name in `name`, `name:port` or `[address]:port`; `None` if it is none of these.
fn name_of(authority: &str) -> Option<&str> {
    let (name, rest) = match authority.strip_prefix('[') {
        Some(address) => address.split_once(']')?,
        None => authority.split_at(authority.find(':').unwrap_or(authority.len())),
    };
    let is_port = |port: &str| !port.is_empty() && port.bytes().all(|digit| digit.is_ascii_digit());
    (!name.is_empty() && (rest.is_empty() || rest.strip_prefix(':').is_some_and(is_port))).then_some(name)
}

fn bearer(value: &str) -> Option<&str> {
    let (scheme, secret) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| secret.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(sent: &[(&'static str, &'static str)], expected: Result<(), Turned>) {
        let guard = Guard {
            hosts: vec!["team.example".to_string()],
            origins: vec!["https://console.example".to_string()],
            token: Some(Token::new("secret")),
        };
        let mut headers = HeaderMap::new();
        for (name, value) in sent {
            headers.append(*name, value.parse().unwrap());
        }
        assert_eq!(guard.admit(&headers, None), expected, "{sent:?}");
    }

    const GOOD: (&str, &str) = ("authorization", "Bearer secret");

    #[test]
    fn names_of_this_machine_and_named_hosts_are_hosts() {
        for host in ["localhost:80", "127.0.0.1:9", "[::1]:9", "LOCALHOST", "team.example:443"] {
            check(&[("host", host), GOOD], Ok(()));
        }
        for host in
            ["evil.example", "localhost.evil.example", "127.0.0.1@evil", "[::1", "localhost:", ":80", ""]
        {
            check(&[("host", host), GOOD], Err(Turned::Host));
        }
        check(&[GOOD], Err(Turned::Host));
        check(&[("host", "localhost"), ("host", "evil.example"), GOOD], Err(Turned::Host));
    }

    #[test]
    fn an_origin_may_be_absent_but_not_foreign() {
        for origin in
            ["http://localhost:3000", "https://127.0.0.1", "http://[::1]:1", "https://console.example"]
        {
            check(&[("host", "localhost"), ("origin", origin), GOOD], Ok(()));
        }
        for origin in ["http://evil.example", "null", "http://localhost.evil.example", "file://localhost", ""]
        {
            check(&[("host", "localhost"), ("origin", origin), GOOD], Err(Turned::Origin));
        }
    }

    #[test]
    fn the_token_must_be_the_token() {
        check(&[("host", "localhost"), ("authorization", "bearer secret")], Ok(()));
        for value in ["Bearer secre", "Bearer secrets", "Bearer", "Basic secret", "secret", "Bearer Secret"] {
            check(&[("host", "localhost"), ("authorization", value)], Err(Turned::Token));
        }
        check(&[("host", "localhost")], Err(Turned::Token));
    }

    #[test]
    fn a_body_is_json_whatever_its_parameters() {
        for (value, expected) in [
            ("application/json", Ok(())),
            ("Application/JSON; charset=utf-8", Ok(())),
            ("application/jsonp", Err(Turned::MediaType)),
            ("text/plain", Err(Turned::MediaType)),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert("content-type", value.parse().unwrap());
            assert_eq!(is_json(&headers), expected, "{value}");
        }
        assert_eq!(is_json(&HeaderMap::new()), Err(Turned::MediaType));
    }
}
