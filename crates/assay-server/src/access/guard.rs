//! What the headers of a request say of where it comes from.
//!
//! A page in a browser can send requests to this machine, and cannot choose `Host`, `Origin` and `Sec-Fetch-Site`. Only
//! pages of this very service, or of an origin that the user named, may call it: an application under test on another
//! port of this machine may not.

use axum::http::{HeaderMap, HeaderName, Method, header};
use std::net::IpAddr;

use crate::problem::Problem;

/// Names of this machine.
const LOCAL: &[&str] = &["localhost", "127.0.0.1", "::1"];

const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
const FETCH_MODE: HeaderName = HeaderName::from_static("sec-fetch-mode");

#[derive(Debug, Clone, Default)]
pub struct Guard {
    /// Names besides those of this machine, by which clients call the service.
    pub names: Vec<String>,
    /// The address it listens on, where that is one.
    pub address: Option<IpAddr>,
    /// Origins of other pages that may call it, such as `https://console.example`.
    pub origins: Vec<String>,
}

impl Guard {
    pub fn admit(
        &self,
        method: &Method,
        headers: &HeaderMap,
        authority: Option<&str>,
    ) -> Result<(), Problem> {
        let host = self.own_host(headers, authority)?;
        let foreign = || Problem::forbidden("pages of this `Origin` may not call this service");
        match only(headers, header::ORIGIN).map_err(|()| foreign())? {
            Some(origin) if self.is_own_origin(origin, host) => return Ok(()),
            Some(_) => return Err(foreign()),
            None => {}
        }
        // Older browsers do not say; they cannot read the answer either, and `GET` changes nothing.
        let site = only(headers, FETCH_SITE).map_err(|()| foreign())?.unwrap_or("none");
        let opens_a_page =
            method == Method::GET && only(headers, FETCH_MODE).map_err(|()| foreign())? == Some("navigate");
        match site {
            "none" | "same-origin" => Ok(()),
            _ if opens_a_page => Ok(()),
            _ => Err(foreign()),
        }
    }

    /// The `Host` of a request, which names this service.
    pub fn own_host<'a>(
        &self,
        headers: &'a HeaderMap,
        authority: Option<&'a str>,
    ) -> Result<&'a str, Problem> {
        let wrong_host = || Problem::forbidden("the `Host` of the request is none of this service");
        let host = only(headers, header::HOST).map_err(|()| wrong_host())?;
        let host = host.or(authority).ok_or_else(wrong_host)?;
        if !self.is_host(name_of(host).ok_or_else(wrong_host)?) {
            return Err(wrong_host());
        }
        Ok(host)
    }

    /// A delivery of another system. No page in a browser makes one, whatever its origin.
    pub fn admit_delivery(&self, headers: &HeaderMap, authority: Option<&str>) -> Result<(), Problem> {
        self.admit(&Method::POST, headers, authority)?;
        match headers.contains_key(header::ORIGIN) || headers.contains_key(FETCH_SITE) {
            true => Err(Problem::forbidden("a page in a browser delivers nothing here")),
            false => Ok(()),
        }
    }

    fn is_host(&self, name: &str) -> bool {
        let is_ours = LOCAL.iter().any(|local| local.eq_ignore_ascii_case(name))
            || self.names.iter().any(|known| known.eq_ignore_ascii_case(name));
        is_ours || self.address.is_some_and(|address| name.parse() == Ok(address))
    }

    /// The origin of a page that this service has served has the host of the request.
    fn is_own_origin(&self, origin: &str, host: &str) -> bool {
        if self.origins.iter().any(|known| known.eq_ignore_ascii_case(origin)) {
            return true;
        }
        let authority = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        authority.is_some_and(|authority| authority.eq_ignore_ascii_case(host))
    }
}

/// Whether a body is declared as JSON.
pub fn is_json(headers: &HeaderMap) -> bool {
    let declared = only(headers, header::CONTENT_TYPE).ok().flatten().unwrap_or_default();
    let essence = declared.split(';').next().unwrap_or_default().trim();
    essence.eq_ignore_ascii_case("application/json")
}

/// The value of a header that is there at most once, and is text.
pub fn only(headers: &HeaderMap, name: HeaderName) -> Result<Option<&str>, ()> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(method: Method, sent: &[(&'static str, &str)], is_admitted: bool) {
        let guard = Guard {
            names: vec!["team.example".to_string()],
            address: "10.1.2.3".parse().ok(),
            origins: vec!["https://console.example".to_string()],
        };
        let mut headers = HeaderMap::new();
        for (name, value) in sent {
            headers.append(*name, value.parse().unwrap());
        }
        assert_eq!(guard.admit(&method, &headers, None).is_ok(), is_admitted, "{sent:?}");
    }

    #[test]
    fn names_of_this_machine_and_named_hosts_are_hosts() {
        for host in ["localhost:80", "127.0.0.1:9", "[::1]:9", "LOCALHOST", "team.example:443", "10.1.2.3:1"]
        {
            check(Method::GET, &[("host", host)], true);
        }
        for host in
            ["evil.example", "localhost.evil.example", "127.0.0.1@evil", "[::1", "localhost:", ":80", ""]
        {
            check(Method::GET, &[("host", host)], false);
        }
        check(Method::GET, &[], false);
        check(Method::GET, &[("host", "localhost"), ("host", "evil.example")], false);
    }

    #[test]
    fn only_pages_of_this_service_may_call_it() {
        for origin in ["http://localhost:7357", "https://console.example"] {
            check(Method::POST, &[("host", "localhost:7357"), ("origin", origin)], true);
        }
        for origin in
            ["http://localhost:3000", "http://127.0.0.1:7357", "null", "http://evil.example", "file://", ""]
        {
            check(Method::POST, &[("host", "localhost:7357"), ("origin", origin)], false);
        }
    }

    #[test]
    fn no_page_delivers() {
        let guard = Guard { names: vec!["team.example".to_string()], ..Guard::default() };
        let admits = |sent: &[(&'static str, &str)]| {
            let mut headers = HeaderMap::new();
            for (name, value) in sent {
                headers.append(*name, value.parse().unwrap());
            }
            guard.admit_delivery(&headers, None).is_ok()
        };
        assert!(admits(&[("host", "team.example")]));
        assert!(!admits(&[("host", "evil.example")]));
        assert!(!admits(&[("host", "team.example"), ("origin", "http://team.example")]));
        assert!(!admits(&[("host", "team.example"), ("sec-fetch-site", "none")]));
        assert!(!admits(&[]));
    }

    #[test]
    fn a_link_of_another_page_may_open_a_page_and_nothing_else() {
        let from_elsewhere = [("host", "localhost"), ("sec-fetch-site", "cross-site")];
        check(Method::GET, &from_elsewhere, false);
        let link = [from_elsewhere[0], from_elsewhere[1], ("sec-fetch-mode", "navigate")];
        check(Method::GET, &link, true);
        check(Method::POST, &link, false);
        check(Method::GET, &[("host", "localhost"), ("sec-fetch-site", "same-site")], false);
        check(Method::GET, &[("host", "localhost"), ("sec-fetch-site", "same-origin")], true);
    }
}
