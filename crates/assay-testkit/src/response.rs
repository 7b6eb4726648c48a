//! What a handler answers: a status, headers and a body, possibly late, slow or never.

use std::time::Duration;

/// An answer to a request.
#[derive(Debug, Clone)]
pub struct Response {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Body,
    pub(crate) delay: Duration,
}

#[derive(Debug, Clone)]
pub(crate) enum Body {
    Whole(Vec<u8>),
    /// `count` times the same chunk, with a pause before each.
    Drip {
        chunk: Vec<u8>,
        count: usize,
        pause: Duration,
    },
    /// Pieces of a body whose length nobody knows beforehand, each sent by itself.
    Pieces {
        pieces: Vec<Vec<u8>>,
        ending: Ending,
    },
    /// The connection stays open and nothing is ever sent.
    Never,
    /// The connection is closed without a word.
    HangUp,
}

/// How a body in pieces ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    Whole,
    /// The connection is closed, though the body has not ended.
    Cut,
    /// The connection stays open, and nothing more is sent.
    Hang,
}

impl Response {
    pub fn html(page: impl Into<String>) -> Self {
        Self::bytes("text/html; charset=utf-8", page.into())
    }

    /// `json` is text that is JSON already; [`json_string`] helps to write it.
    pub fn json(json: impl Into<String>) -> Self {
        Self::bytes("application/json", json.into())
    }

    pub fn text(text: impl Into<String>) -> Self {
        Self::bytes("text/plain; charset=utf-8", text.into())
    }

    pub fn bytes(content_type: &str, bytes: impl Into<Vec<u8>>) -> Self {
        Response { status: 200, headers: Vec::new(), body: Body::Whole(bytes.into()), delay: Duration::ZERO }
            .header("Content-Type", content_type)
    }

    /// An answer that consists of a status and its usual wording.
    pub fn status(status: u16) -> Self {
        let body = if has_body(status) { format!("{status} {}\n", reason(status)) } else { String::new() };
        Self::text(body).with_status(status)
    }

    /// Sends the browser elsewhere, by `GET`.
    pub fn redirect(to: &str) -> Self {
        Self::text("").with_status(303).header("Location", to)
    }

    /// The request is accepted and never answered.
    pub fn never() -> Self {
        Response { body: Body::Never, ..Self::text("") }
    }

    /// The request is accepted, and the connection closed without an answer.
    pub fn hang_up() -> Self {
        Response { body: Body::HangUp, ..Self::text("") }
    }

    /// A body that arrives in `count` chunks with a pause before each. Its length is announced.
    pub fn drip(content_type: &str, chunk: impl Into<Vec<u8>>, count: usize, pause: Duration) -> Self {
        Response { body: Body::Drip { chunk: chunk.into(), count, pause }, ..Self::bytes(content_type, "") }
    }

    /// A body in pieces, each of which the other side can receive by itself.
    pub fn pieces(content_type: &str, pieces: Vec<Vec<u8>>, ending: Ending) -> Self {
        Response { body: Body::Pieces { pieces, ending }, ..Self::bytes(content_type, "") }
    }

    #[must_use]
    pub fn with_status(mut self, status: u16) -> Self {
        self.status = status;
        self
    }

    /// Adds a header. Control characters in the value are dropped: values often
    /// come from a query, and a line end there would start another header.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.chars().filter(|c| !c.is_control()).collect()));
        self
    }

    /// Sets a session cookie for the whole site that scripts cannot read. An empty value removes it.
    #[must_use]
    pub fn cookie(self, name: &str, value: &str) -> Self {
        let age = if value.is_empty() { "; Max-Age=0" } else { "" };
        self.header("Set-Cookie", &format!("{name}={value}; Path=/; HttpOnly; SameSite=Lax{age}"))
    }

    /// Has the browser save the answer under this name instead of showing it.
    #[must_use]
    pub fn attachment(self, file_name: &str) -> Self {
        let encoded = crate::percent_encode(file_name);
        self.header("Content-Disposition", &format!("attachment; filename*=UTF-8''{encoded}"))
    }

    /// Waits this long before anything is sent.
    #[must_use]
    pub fn delay(mut self, delay: Duration) -> Self {
        self.delay = delay;
        self
    }

    pub fn status_code(&self) -> u16 {
        self.status
    }

    pub fn headers(&self) -> impl Iterator<Item = (&str, &str)> {
        self.headers.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// The bytes of the body, for a test of a handler. Empty when they are sent slowly or never.
    pub fn body(&self) -> &[u8] {
        match &self.body {
            Body::Whole(bytes) => bytes,
            Body::Drip { .. } | Body::Pieces { .. } | Body::Never | Body::HangUp => &[],
        }
    }

    /// Status line and headers, as they are sent.
    pub(crate) fn head(&self, reuse: bool) -> String {
        let mut head = format!("HTTP/1.1 {} {}\r\n", self.status, reason(self.status));
        for (name, value) in &self.headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        if !self.headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("cache-control")) {
            head.push_str("Cache-Control: no-store\r\n");
        }
        match &self.body {
            _ if !has_body(self.status) => {}
            Body::Pieces { .. } => head.push_str("Transfer-Encoding: chunked\r\n"),
            body => head.push_str(&format!("Content-Length: {}\r\n", body.length())),
        }
        head.push_str(if reuse { "Connection: keep-alive\r\n\r\n" } else { "Connection: close\r\n\r\n" });
        head
    }
}

impl Body {
    fn length(&self) -> usize {
        match self {
            Body::Whole(bytes) => bytes.len(),
            Body::Drip { chunk, count, .. } => chunk.len() * count,
            Body::Pieces { .. } | Body::Never | Body::HangUp => 0,
        }
    }
}

/// Text as a JSON string, with its quotes.
pub fn json_string(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            // `<` too, so that the text may stand inside a script element.
            '<' | '\0'..='\u{1f}' | '\u{2028}' | '\u{2029}' => {
                out.push_str(&format!("\\u{:04x}", u32::from(c)))
            }
            _ => out.push(c),
        }
    }
    out.push('"');
    out
}

/// Whether an answer of this status has a body at all.
pub(crate) fn has_body(status: u16) -> bool {
    !matches!(status, 100..=199 | 204 | 304)
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        201 => "Created",
        204 => "No Content",
        301 => "Moved Permanently",
        302 => "Found",
        303 => "See Other",
        304 => "Not Modified",
        307 => "Temporary Redirect",
        308 => "Permanent Redirect",
        400 => "Bad Request",
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        413 => "Content Too Large",
        418 => "I'm a teapot",
        429 => "Too Many Requests",
        431 => "Request Header Fields Too Large",
        500 => "Internal Server Error",
        501 => "Not Implemented",
        502 => "Bad Gateway",
        503 => "Service Unavailable",
        504 => "Gateway Timeout",
        529 => "Site is overloaded",
        _ => "Status",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_end_cannot_smuggle_in_a_header() {
        let head = Response::redirect("/a\r\nSet-Cookie: x=1").head(true);
        assert!(head.contains("Location: /aSet-Cookie: x=1\r\n"), "{head}");
    }

    #[test]
    fn an_answer_without_a_body_announces_no_length() {
        assert!(!Response::status(204).head(true).contains("Content-Length"));
        assert!(Response::status(404).head(true).contains("Content-Length: 14\r\n"));
    }

    #[test]
    fn a_slow_body_announces_its_whole_length() {
        let response = Response::drip("text/plain", "abc", 4, Duration::from_millis(1));
        assert!(response.head(true).contains("Content-Length: 12\r\n"));
    }

    #[test]
    fn an_empty_cookie_is_removed() {
        let head = Response::text("").cookie("session", "").head(false);
        assert!(
            head.contains("Set-Cookie: session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0\r\n"),
            "{head}"
        );
    }

    #[test]
    fn json_strings_are_escaped() {
        assert_eq!(json_string("a\"b\\c\n</script>é"), "\"a\\\"b\\\\c\\u000a\\u003c/script>é\"");
    }
}
