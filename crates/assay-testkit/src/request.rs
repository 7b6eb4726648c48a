//! One HTTP request, and how it is read from a connection.

use std::io::{self, BufRead, Read};

use crate::params::percent_decode;
use crate::{Params, Upload, multipart};

const MAX_HEAD: u64 = 64 * 1024;
const MAX_BODY: usize = 64 * 1024 * 1024;

/// One request as a handler sees it.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// In upper case: `GET`, `POST`.
    pub method: String,
    /// Percent-decoded, without the query: `/list`.
    pub path: String,
    pub query: Params,
    /// Names in lower case.
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Request {
    /// The first query parameter of this name.
    pub fn param(&self, name: &str) -> Option<&str> {
        self.query.get(name)
    }

    /// A query parameter as a number, or `otherwise` when it is missing or not a number.
    pub fn number(&self, name: &str, otherwise: u64) -> u64 {
        self.param(name).and_then(|value| value.parse().ok()).unwrap_or(otherwise)
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    pub fn cookie(&self, name: &str) -> Option<&str> {
        let pairs = self.header("cookie")?.split(';').filter_map(|pair| pair.trim().split_once('='));
        pairs.into_iter().find(|(key, _)| *key == name).map(|(_, value)| value)
    }

    /// The fields of a posted form, in either encoding. Files are in [`Request::uploads`].
    pub fn form(&self) -> Params {
        match self.boundary() {
            Some(boundary) => multipart::parse(&self.body, boundary).0,
            None => Params::parse(&String::from_utf8_lossy(&self.body)),
        }
    }

    /// The files of a posted form.
    pub fn uploads(&self) -> Vec<Upload> {
        self.boundary().map(|boundary| multipart::parse(&self.body, boundary).1).unwrap_or_default()
    }

    fn boundary(&self) -> Option<&str> {
        multipart::boundary(self.header("content-type")?)
    }
}

/// What became of an attempt to read a request.
pub(crate) enum Incoming {
    /// A request. `reuse` is whether the connection stays open afterwards.
    Request { request: Request, reuse: bool },
    /// The other side went away before it sent a whole request.
    Closed,
    /// Not something this server answers otherwise than by this status.
    Refused(u16),
}

/// Reads one request. `go_on` is called when the client waits for a
/// `100 Continue` before it sends the body.
pub(crate) fn read(reader: &mut impl BufRead, go_on: impl FnOnce() -> io::Result<()>) -> Incoming {
    let mut head = Head::default();
    if let Err(incoming) = head.read(reader) {
        return incoming;
    }
    let request = &head.request;
    if request.header("transfer-encoding").is_some() {
        return Incoming::Refused(501);
    }
    let length = match request.header("content-length").map(str::parse::<usize>) {
        None => 0,
        Some(Ok(length)) if length <= MAX_BODY => length,
        Some(Ok(_)) => return Incoming::Refused(413),
        Some(Err(_)) => return Incoming::Refused(400),
    };
    let waits = request.header("expect").is_some_and(|value| value.eq_ignore_ascii_case("100-continue"));
    if waits && length > 0 && go_on().is_err() {
        return Incoming::Closed;
    }
    let mut body = Vec::new();
    match reader.take(length as u64).read_to_end(&mut body) {
        Ok(read) if read == length => {}
        _ => return Incoming::Closed,
    }
    let Head { mut request, reuse } = head;
    request.body = body;
    Incoming::Request { request, reuse }
}

#[derive(Default)]
struct Head {
    request: Request,
    reuse: bool,
}

impl Head {
    fn read(&mut self, reader: &mut impl BufRead) -> Result<(), Incoming> {
        let mut limited = reader.take(MAX_HEAD);
        let first = match next_line(&mut limited)? {
            // A stray line end between two requests is allowed.
            line if line.is_empty() => next_line(&mut limited)?,
            line => line,
        };
        self.request_line(&first).ok_or(Incoming::Refused(400))?;
        loop {
            let line = next_line(&mut limited)?;
            if line.is_empty() {
                break;
            }
            let (name, value) = line.split_once(':').ok_or(Incoming::Refused(400))?;
            if name.is_empty() || name.contains(char::is_whitespace) {
                return Err(Incoming::Refused(400));
            }
            self.request.headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
        }
        if let Some(connection) = self.request.header("connection") {
            self.reuse = !connection.eq_ignore_ascii_case("close");
        }
        Ok(())
    }

    fn request_line(&mut self, line: &str) -> Option<()> {
        let mut words = line.split(' ');
        let (method, target, version) = (words.next()?, words.next()?, words.next()?);
        let known = matches!(version, "HTTP/1.1" | "HTTP/1.0") && words.next().is_none();
        if !known || method.is_empty() || !method.bytes().all(|byte| byte.is_ascii_uppercase()) {
            return None;
        }
        // A proxy's client sends the whole address; only the part from the path on matters.
        let target = match target.strip_prefix("http://") {
            Some(rest) => &rest[rest.find('/')?..],
            None => target,
        };
        let target = target.split('#').next()?;
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        if !path.starts_with('/') && target != "*" {
            return None;
        }
        self.reuse = version == "HTTP/1.1";
        self.request.method = method.to_owned();
        self.request.path = percent_decode(path);
        self.request.query = Params::parse(query);
        Some(())
    }
}

/// One line without its end. Text that is not UTF-8 is replaced rather than refused.
fn next_line(reader: &mut io::Take<&mut impl BufRead>) -> Result<String, Incoming> {
    let mut line = Vec::new();
    match reader.read_until(b'\n', &mut line) {
        Ok(_) if line.ends_with(b"\n") => {}
        Ok(_) if reader.limit() == 0 => return Err(Incoming::Refused(431)),
        // A port scan or a preconnect that was not needed: no request at all.
        _ => return Err(Incoming::Closed),
    }
    line.pop();
    if line.ends_with(b"\r") {
        line.pop();
    }
    Ok(String::from_utf8_lossy(&line).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(bytes: &str, expected: &str) {
        let actual = match read(&mut bytes.as_bytes(), || Ok(())) {
            Incoming::Request { request, reuse } => {
                let query: Vec<_> =
                    request.query.iter().map(|(name, value)| format!("{name}={value}")).collect();
                let body = String::from_utf8_lossy(&request.body).into_owned();
                let end = if reuse { "open" } else { "close" };
                format!("{} {} [{}] `{body}` {end}", request.method, request.path, query.join(","))
            }
            Incoming::Closed => "closed".to_owned(),
            Incoming::Refused(status) => format!("refused {status}"),
        };
        assert_eq!(actual, expected);
    }

    #[test]
    fn a_request_is_taken_apart() {
        check("GET /a%20b?x=1%2B1&y HTTP/1.1\r\nHost: h\r\n\r\n", "GET /a b [x=1+1,y=] `` open");
        check("POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\nabcd", "POST / [] `abc` open");
        check("GET http://h:1/p HTTP/1.1\r\n\r\n", "GET /p [] `` open");
    }

    #[test]
    fn the_connection_stays_open_unless_told_otherwise() {
        check("GET / HTTP/1.1\r\nConnection: close\r\n\r\n", "GET / [] `` close");
        check("GET / HTTP/1.0\r\n\r\n", "GET / [] `` close");
        check("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", "GET / [] `` open");
    }

    #[test]
    fn nonsense_is_refused() {
        for line in
            ["hello", "GET /", "GET nowhere HTTP/1.1", "get / HTTP/1.1", "GET / HTTP/2", "GET / x HTTP/1.1"]
        {
            check(&format!("{line}\r\n\r\n"), "refused 400");
        }
        check("GET / HTTP/1.1\r\nno colon\r\n\r\n", "refused 400");
        check("GET / HTTP/1.1\r\nBad Name: x\r\n\r\n", "refused 400");
        check("POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", "refused 400");
    }

    #[test]
    fn too_much_is_refused() {
        check(&format!("GET / HTTP/1.1\r\nX: {}\r\n\r\n", "y".repeat(70_000)), "refused 431");
        check("POST / HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n", "refused 413");
        check("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", "refused 501");
    }

    #[test]
    fn a_request_that_is_cut_off_is_no_request() {
        check("", "closed");
        check("GET / HT", "closed");
        check("POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\nabc", "closed");
    }

    #[test]
    fn cookies_are_found_by_name() {
        let request =
            Request { headers: vec![("cookie".into(), "a=1; session=x=y; b=".into())], ..Request::default() };
        assert_eq!(request.cookie("session"), Some("x=y"));
        assert_eq!(request.cookie("b"), Some(""));
        assert_eq!(request.cookie("c"), None);
    }
}
