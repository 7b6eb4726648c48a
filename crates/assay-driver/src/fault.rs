//! Network faults in a driver: which request they hit, and what happens to it.
//!
//! Knows addresses, methods and counting, so all drivers hit the same request. Does not know how an engine
//! pauses a request, nor why a caller wants it to fail.

use std::collections::BTreeSet;

/// One thing that goes wrong between a page and its servers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NetworkFault {
    /// In upper case; none stands for any method but `OPTIONS`, by which a browser only asks for permission.
    pub method: Option<String>,
    pub url: UrlShape,
    /// Which of the matching requests since it was armed, from 1; 0 means every one.
    pub occurrence: u32,
    pub how: NetworkFaultKind,
}

/// What happens to the request. In every case, nothing reaches the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NetworkFaultKind {
    /// The connection breaks.
    Fail,
    /// The answer is this status and a short plain text.
    Refuse { status: u16 },
    /// The answer is a success without content: a document becomes an empty page.
    Swallow,
}

/// The address of requests that count as the same: scheme, host, port and path exactly, the query only by its
/// names or not at all, because the values of a query often differ from run to run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UrlShape {
    scheme: String,
    host: String,
    port: Option<u16>,
    path: String,
    /// None when the query does not count.
    names: Option<BTreeSet<String>>,
}

impl UrlShape {
    /// All requests to this address, whatever their query. None for an address that no server answers.
    pub fn any_query(url: &str) -> Option<UrlShape> {
        Some(UrlShape { names: None, ..UrlShape::with_query_names(url)? })
    }

    /// Requests to this address whose query has the same names, in any order and with any values.
    pub fn with_query_names(url: &str) -> Option<UrlShape> {
        let (scheme, rest) = url.split_once("://")?;
        let scheme = scheme.to_ascii_lowercase();
        let default_port = default_port(&scheme)?;
        let rest = rest.split_once('#').map_or(rest, |(before, _)| before);
        let (place, query) = rest.split_once('?').unwrap_or((rest, ""));
        let (authority, path) = place.find('/').map_or((place, "/"), |at| place.split_at(at));
        let authority = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
        // The colons of an IPv6 address stand inside of brackets.
        let (host, port) = match authority.rsplit_once(':') {
            Some((host, port)) if !port.contains(']') => (host, port),
            _ => (authority, ""),
        };
        if host.is_empty() {
            return None;
        }
        let port = if port.is_empty() { None } else { Some(port.parse::<u16>().ok()?) };
        let name = |pair: &str| pair.split_once('=').map_or(pair, |(name, _)| name).to_string();
        Some(UrlShape {
            scheme,
            host: host.to_ascii_lowercase(),
            port: port.filter(|port| *port != default_port),
            path: path.to_string(),
            names: Some(query.split('&').filter(|pair| !pair.is_empty()).map(name).collect()),
        })
    }

    pub fn matches(&self, url: &str) -> bool {
        let Some(other) = UrlShape::with_query_names(url) else { return false };
        self.scheme == other.scheme
            && self.host == other.host
            && self.port == other.port
            && self.path == other.path
            && (self.names.is_none() || self.names == other.names)
    }

    pub fn scheme(&self) -> &str {
        &self.scheme
    }

    pub fn host(&self) -> &str {
        &self.host
    }

    /// None for the scheme's own.
    pub fn port(&self) -> Option<u16> {
        self.port
    }

    pub fn path(&self) -> &str {
        &self.path
    }

    /// Everything before the query, as browsers write it.
    pub fn without_query(&self) -> String {
        let port = self.port.map(|port| format!(":{port}")).unwrap_or_default();
        format!("{}://{}{port}{}", self.scheme, self.host, self.path)
    }
}

fn default_port(scheme: &str) -> Option<u16> {
    match scheme {
        "http" | "ws" => Some(80),
        "https" | "wss" => Some(443),
        _ => None,
    }
}

/// An armed fault of one tab, with its count so far.
#[derive(Debug, Clone)]
pub struct ArmedFault {
    fault: NetworkFault,
    seen: u32,
}

impl ArmedFault {
    pub fn new(fault: NetworkFault) -> ArmedFault {
        ArmedFault { fault, seen: 0 }
    }

    pub fn fault(&self) -> &NetworkFault {
        &self.fault
    }

    /// Whether the fault hits this request, and how. Called once for every paused request.
    pub fn strikes(&mut self, method: &str, url: &str) -> Option<NetworkFaultKind> {
        let wanted = match &self.fault.method {
            Some(wanted) => wanted.eq_ignore_ascii_case(method),
            None => !method.eq_ignore_ascii_case("OPTIONS"),
        };
        if !wanted || !self.fault.url.matches(url) {
            return None;
        }
        self.seen = self.seen.saturating_add(1);
        let struck = self.fault.occurrence == 0 || self.fault.occurrence == self.seen;
        struck.then_some(self.fault.how)
    }
}

/// What a driver answers in the server's place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestAnswer {
    pub status: u16,
    pub reason: &'static str,
    pub headers: Vec<(&'static str, String)>,
    pub body: String,
}

impl NetworkFaultKind {
    /// The answer to a request of `origin`, if it comes from a script or a page of another origin; none if the
    /// connection breaks instead.
    pub fn answer(self, is_document: bool, origin: Option<&str>) -> Option<RequestAnswer> {
        let (status, reason, kind, body) = match (self, is_document) {
            (NetworkFaultKind::Fail, _) => return None,
            (NetworkFaultKind::Refuse { status }, _) => {
                let reason = reason_of(status);
                (status, reason, "text/plain; charset=utf-8", format!("{status} {reason}\n"))
            }
            (NetworkFaultKind::Swallow, true) => {
                (200, "OK", "text/html; charset=utf-8", "<!doctype html>\n".to_string())
            }
            (NetworkFaultKind::Swallow, false) => (200, "OK", "text/plain; charset=utf-8", String::new()),
        };
        Some(RequestAnswer { reason, ..RequestAnswer::new(status, kind.to_string(), body, origin) })
    }
}

impl RequestAnswer {
    /// An answer that a page of any origin may read.
    pub fn new(status: u16, content_type: String, body: String, origin: Option<&str>) -> RequestAnswer {
        let mut headers = vec![("Content-Type", content_type), ("Cache-Control", "no-store".to_string())];
        headers.extend(permission_headers(origin));
        RequestAnswer { status, reason: reason_of(status), headers, body }
    }

    /// The answer to a preflight request for a page of another origin.
    pub fn permission(origin: Option<&str>) -> RequestAnswer {
        const METHODS: &str = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";
        let mut headers = permission_headers(origin).to_vec();
        headers.push(("Access-Control-Allow-Methods", METHODS.to_string()));
        headers.push(("Access-Control-Allow-Headers", "*".to_string()));
        RequestAnswer { status: 204, reason: reason_of(204), headers, body: String::new() }
    }
}

/// Without permission a page of another origin would see a broken connection, not the answer.
fn permission_headers(origin: Option<&str>) -> [(&'static str, String); 2] {
    [
        ("Access-Control-Allow-Origin", origin.unwrap_or("*").to_string()),
        ("Access-Control-Allow-Credentials", "true".to_string()),
    ]
}

fn reason_of(status: u16) -> &'static str {
    match status {
        200 => "OK",
        201 => "Created",
        202 => "Accepted",
        204 => "No Content",
        301 => "Moved Permanently",
        302 => "Found",
        304 => "Not Modified",
        400 => "Bad Request",
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "Not Found",
        409 => "Conflict",
        422 => "Unprocessable Content",
        429 => "Too Many Requests",
        500 => "Internal Server Error",
        502 => "Bad Gateway",
        503 => "Service Unavailable",
        504 => "Gateway Timeout",
        _ => "Refused",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(shape: &str, url: &str, expected: bool) {
        let shape = UrlShape::with_query_names(shape).expect("an address");
        assert_eq!(shape.matches(url), expected, "{url}");
    }

    #[test]
    fn an_address_is_the_same_by_scheme_host_port_and_path() {
        check("http://a.test/order", "http://a.test/order", true);
        check("http://A.test:80/order", "http://a.test/order#top", true);
        check("http://a.test", "http://a.test/", true);
        check("http://a.test/order", "https://a.test/order", false);
        check("http://a.test/order", "http://a.test:8080/order", false);
        check("http://a.test/order", "http://b.test/order", false);
        check("http://a.test/order", "http://a.test/orders", false);
        check("http://a.test/order", "http://a.test/Order", false);
        check("http://[::1]:8080/order", "http://[::1]:8080/order", true);
        check("http://[::1]/order", "http://[::1]:80/order", true);
    }

    #[test]
    fn a_query_is_the_same_by_its_names_or_does_not_count() {
        check("http://a.test/find?q=ship&page=1", "http://a.test/find?page=2&q=berth", true);
        check("http://a.test/find?q=ship", "http://a.test/find", false);
        check("http://a.test/find", "http://a.test/find?q=ship", false);
        let any = UrlShape::any_query("http://a.test/find?q=ship").expect("an address");
        assert!(any.matches("http://a.test/find"));
    }

    #[test]
    fn what_no_server_answers_has_no_shape() {
        for url in ["about:blank", "data:text/plain,a", "file:///tmp/a", "http://", "nonsense"] {
            assert_eq!(UrlShape::any_query(url), None, "{url}");
        }
    }

    #[test]
    fn an_address_is_written_as_browsers_write_it() {
        let written = |url: &str| UrlShape::any_query(url).expect("an address").without_query();
        assert_eq!(written("HTTPS://user:word@A.test:443/a%20b?c#d"), "https://a.test/a%20b");
        assert_eq!(written("http://127.0.0.1:8080"), "http://127.0.0.1:8080/");
    }

    fn armed(method: Option<&str>, occurrence: u32) -> ArmedFault {
        ArmedFault::new(NetworkFault {
            method: method.map(str::to_string),
            url: UrlShape::any_query("http://a.test/order").expect("an address"),
            occurrence,
            how: NetworkFaultKind::Fail,
        })
    }

    #[test]
    fn the_wanted_occurrence_is_struck_and_no_other() {
        let mut second = armed(None, 2);
        let struck: Vec<bool> =
            (0..4).map(|_| second.strikes("POST", "http://a.test/order").is_some()).collect();
        assert_eq!(struck, [false, true, false, false]);
        let mut every = armed(None, 0);
        assert!((0..3).all(|_| every.strikes("GET", "http://a.test/order").is_some()));
    }

    #[test]
    fn other_methods_and_questions_for_permission_are_not_counted() {
        let mut post = armed(Some("POST"), 1);
        assert_eq!(post.strikes("GET", "http://a.test/order"), None);
        assert_eq!(post.strikes("OPTIONS", "http://a.test/order"), None);
        assert!(post.strikes("POST", "http://a.test/order").is_some());
        let mut any = armed(None, 1);
        assert_eq!(any.strikes("OPTIONS", "http://a.test/order"), None);
        assert!(any.strikes("PUT", "http://a.test/order").is_some());
    }

    #[test]
    fn an_answer_can_be_read_by_the_page_that_asked() {
        let answer = NetworkFaultKind::Refuse { status: 503 }.answer(false, Some("http://b.test"));
        let answer = answer.expect("an answer");
        assert_eq!((answer.status, answer.body.as_str()), (503, "503 Service Unavailable\n"));
        assert!(answer.headers.contains(&("Access-Control-Allow-Origin", "http://b.test".to_string())));
        assert_eq!(NetworkFaultKind::Fail.answer(true, None), None);
        let page = NetworkFaultKind::Swallow.answer(true, None).expect("an answer");
        assert_eq!((page.status, page.body.as_str()), (200, "<!doctype html>\n"));
        assert_eq!(NetworkFaultKind::Swallow.answer(false, None).expect("an answer").body, "");
    }
}
