//! What the query of a request says: version, transport and session.

use axum::http::{HeaderMap, Method, header};

use super::refusal::Refusal;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Transport {
    Polling,
    Websocket,
}

#[derive(Debug, PartialEq, Eq)]
pub struct Wanted<'a> {
    pub transport: Transport,
    /// None: a new session.
    pub session: Option<&'a str>,
}

pub fn read<'a>(method: &Method, query: &'a str, headers: &HeaderMap) -> Result<Wanted<'a>, Refusal> {
    let value = |name: &str| {
        let of_name = |pair: &'a str| pair.split_once('=').filter(|(known, _)| *known == name);
        query.split('&').find_map(of_name).map(|(_, value)| value)
    };
    let transport = match value("transport") {
        Some("polling") => Transport::Polling,
        Some("websocket") => Transport::Websocket,
        _ => return Err(Refusal::Transport),
    };
    if value("EIO") != Some("4") {
        return Err(Refusal::Protocol);
    }
    let session = value("sid");
    match transport {
        _ if !matches!(*method, Method::GET | Method::POST) => Err(Refusal::HandshakeMethod),
        Transport::Polling if session.is_none() && *method != Method::GET => Err(Refusal::HandshakeMethod),
        Transport::Websocket if *method != Method::GET => Err(Refusal::HandshakeMethod),
        Transport::Websocket if !is_upgrade(headers) => Err(Refusal::BadRequest),
        _ => Ok(Wanted { transport, session }),
    }
}

fn is_upgrade(headers: &HeaderMap) -> bool {
    let says = |name, word: &str| {
        let said = headers.get(name).and_then(|value: &header::HeaderValue| value.to_str().ok());
        said.is_some_and(|said| said.split(',').any(|part| part.trim().eq_ignore_ascii_case(word)))
    };
    says(header::UPGRADE, "websocket")
        && says(header::CONNECTION, "upgrade")
        && says(header::SEC_WEBSOCKET_VERSION, "13")
        && headers.contains_key(header::SEC_WEBSOCKET_KEY)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(method: Method, query: &str, expected: Result<Wanted<'_>, Refusal>) {
        assert_eq!(read(&method, query, &HeaderMap::new()), expected, "{query}");
    }

    #[test]
    fn requests_say_what_they_want() {
        let polling = |session| Ok(Wanted { transport: Transport::Polling, session });
        check(Method::GET, "EIO=4&transport=polling", polling(None));
        check(Method::POST, "EIO=4&transport=polling&t=x&sid=abc", polling(Some("abc")));
        check(Method::GET, "transport=polling&EIO=3", Err(Refusal::Protocol));
        check(Method::GET, "transport=polling", Err(Refusal::Protocol));
        check(Method::GET, "EIO=4", Err(Refusal::Transport));
        check(Method::GET, "EIO=4&transport=carrier-pigeon", Err(Refusal::Transport));
        check(Method::POST, "EIO=4&transport=polling", Err(Refusal::HandshakeMethod));
        check(Method::DELETE, "EIO=4&transport=polling&sid=abc", Err(Refusal::HandshakeMethod));
        check(Method::GET, "EIO=4&transport=websocket", Err(Refusal::BadRequest));
    }
}
