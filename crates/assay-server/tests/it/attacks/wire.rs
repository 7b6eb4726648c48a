//! Requests that two servers in a row would understand differently, and what is no HTTP at all.

use super::*;

/// A request that hides behind another: nobody may answer it.
const HIDDEN: &str = "GET /hidden-behind-another HTTP/1.1\r\nHost: localhost\r\n\r\n";

#[test]
fn no_request_hides_behind_another() {
    let stage = Stage::new();
    let address = stage.service.address;
    let chunked = "Transfer-Encoding: chunked\r\n";
    for (what, headers, body) in [
        ("both lengths", format!("Content-Length: 4\r\n{chunked}"), "0\r\n\r\n".to_string()),
        ("both, the other way", format!("{chunked}Content-Length: 4\r\n"), "0\r\n\r\n".to_string()),
        ("two lengths", "Content-Length: 0\r\nContent-Length: 5\r\n".to_string(), String::new()),
        ("a list of lengths", "Content-Length: 0, 5\r\n".to_string(), String::new()),
        ("a signed length", "Content-Length: +0\r\n".to_string(), String::new()),
        ("a negative length", "Content-Length: -1\r\n".to_string(), String::new()),
        ("a hexadecimal length", "Content-Length: 0x0\r\n".to_string(), String::new()),
        ("an endless length", "Content-Length: 99999999999999999999\r\n".to_string(), String::new()),
        (
            "a blank before the colon",
            "Transfer-Encoding : chunked\r\nContent-Length: 0\r\n".to_string(),
            String::new(),
        ),
        (
            "an unknown encoding",
            "Transfer-Encoding: xchunked\r\nContent-Length: 0\r\n".to_string(),
            String::new(),
        ),
        (
            "chunked, then not",
            "Transfer-Encoding: chunked, identity\r\n".to_string(),
            "0\r\n\r\n".to_string(),
        ),
        ("chunked twice", format!("{chunked}{chunked}"), "0\r\n\r\n".to_string()),
        (
            "a tab before chunked",
            "Transfer-Encoding:\u{b}chunked\r\nContent-Length: 0\r\n".to_string(),
            String::new(),
        ),
        (
            "a folded header",
            "X-A: 1\r\n Transfer-Encoding: chunked\r\nContent-Length: 0\r\n".to_string(),
            String::new(),
        ),
        ("a size that is none", chunked.to_string(), "zz\r\n\r\n".to_string()),
        ("a size with a sign", chunked.to_string(), "+0\r\n\r\n".to_string()),
        ("an endless size", chunked.to_string(), "fffffffffffffffff\r\n".to_string()),
        ("a chunk that goes on", chunked.to_string(), "1\r\nxx\r\n0\r\n\r\n".to_string()),
        ("a line without an end", chunked.to_string(), "0\n\n".to_string()),
    ] {
        let sent = format!(
            "POST /server/webhooks/incoming HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\n\
             {headers}\r\n{body}{HIDDEN}"
        );
        let said = String::from_utf8_lossy(&exchange(address, sent.as_bytes())).into_owned();
        assert!(!said.contains("hidden-behind-another"), "{what}: the hidden request was answered\n{said}");
        // An encoding goes before a length, as RFC 9112 has it, and the connection ends with the answer.
        assert!(said.starts_with("HTTP/1.1 4"), "{what}: {said}");
        assert_eq!(said.matches("HTTP/1.1 ").count(), 1, "{what}: {said}");
    }
    stage.check_it_lives();
}

#[test]
fn what_is_no_http_is_refused_and_ends() {
    let stage = Stage::new();
    let address = stage.service.address;
    let long = format!("GET /{} HTTP/1.1\r\nHost: localhost\r\n\r\n", "a".repeat(200_000));
    let many: String = (0..2000).map(|number| format!("X-{number}: 1\r\n")).collect();
    let many = format!("GET /health HTTP/1.1\r\nHost: localhost\r\n{many}\r\n");
    for sent in [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03".to_vec(),
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec(),
        b"GET /health\r\n\r\n".to_vec(),
        b"GET /health HTTP/9.9\r\nHost: localhost\r\n\r\n".to_vec(),
        b"GET /a b HTTP/1.1\r\nHost: localhost\r\n\r\n".to_vec(),
        b"GET /health HTTP/1.1\r\nHost: localhost\r\nX: a\0b\r\n\r\n".to_vec(),
        b"GET /health HTTP/1.1\r\nHost: localhost\r\n: x\r\n\r\n".to_vec(),
        b"GET /health HTTP/1.1\r\n\r\n".to_vec(),
        b"GET http://evil.example/health HTTP/1.1\r\nHost: evil.example\r\n\r\n".to_vec(),
        b"CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n".to_vec(),
        b"GET * HTTP/1.1\r\nHost: evil.example\r\n\r\n".to_vec(),
        long.into_bytes(),
        many.into_bytes(),
    ] {
        let said = exchange(address, &sent);
        let shown = String::from_utf8_lossy(&sent[..sent.len().min(60)]).into_owned();
        if let Some(answer) = parse(&said) {
            assert!((400..500).contains(&answer.status), "{shown}: {}", answer.status);
            stage.check(&answer, &shown);
        }
    }
    stage.check_it_lives();
}
