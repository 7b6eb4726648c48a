//! A client that sends just what it is told, so that tests can send what no library would.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use serde_json::Value;

#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(known, _)| known.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.as_str())
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|err| panic!("{err}: {}", self.text()))
    }

    #[track_caller]
    pub fn with(self, status: u16) -> Answer {
        assert_eq!(self.status, status, "{}", self.text());
        self
    }
}

/// One request on a connection of its own.
pub fn ask(address: SocketAddr, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
    let stream = open(address, method, path, headers, body);
    read_answer(stream)
}

fn open(
    address: SocketAddr,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &str,
) -> BufReader<TcpStream> {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    let mut head = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n");
    if !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("host")) {
        head.push_str(&format!("Host: {address}\r\n"));
    }
    if !body.is_empty() && !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("content-type")) {
        head.push_str("Content-Type: application/json\r\n");
    }
    for (name, value) in headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str(&format!("Content-Length: {}\r\n\r\n{body}", body.len()));
    // A server that refuses early may close before it was sent everything.
    let _refused = stream.write_all(head.as_bytes());
    BufReader::new(stream)
}

fn read_head(reader: &mut BufReader<TcpStream>) -> (u16, Vec<(String, String)>) {
    let mut line = String::new();
    reader.read_line(&mut line).unwrap();
    let status = line.split(' ').nth(1).unwrap_or_else(|| panic!("no answer: {line:?}")).parse().unwrap();
    let mut headers = Vec::new();
    loop {
        line.clear();
        reader.read_line(&mut line).unwrap();
        let Some((name, value)) = line.trim_end().split_once(':') else { break };
        headers.push((name.to_string(), value.trim().to_string()));
    }
    (status, headers)
}

fn read_answer(mut reader: BufReader<TcpStream>) -> Answer {
    let (status, headers) = read_head(&mut reader);
    let is_chunked = headers.iter().any(|(name, value)| name == "transfer-encoding" && value == "chunked");
    let mut body = Vec::new();
    if is_chunked {
        while let Some(chunk) = read_chunk(&mut reader) {
            body.extend(chunk);
        }
    } else {
        reader.read_to_end(&mut body).unwrap();
    }
    Answer { status, headers, body }
}

fn read_chunk(reader: &mut BufReader<TcpStream>) -> Option<Vec<u8>> {
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let size = usize::from_str_radix(line.trim(), 16).ok().filter(|size| *size > 0)?;
    let mut chunk = vec![0; size + 2];
    reader.read_exact(&mut chunk).ok()?;
    chunk.truncate(size);
    Some(chunk)
}

/// A stream of server-sent events.
pub struct Events {
    reader: BufReader<TcpStream>,
    text: String,
}

#[derive(Debug, PartialEq)]
pub struct Event {
    pub id: Option<u64>,
    pub kind: String,
    pub data: Value,
}

impl Events {
    pub fn open(address: SocketAddr, path: &str, headers: &[(&str, &str)]) -> Events {
        let mut reader = open(address, "GET", path, headers, "");
        let (status, headers) = read_head(&mut reader);
        assert_eq!(status, 200);
        assert!(
            headers.contains(&("content-type".to_string(), "text/event-stream".to_string())),
            "{headers:?}"
        );
        Events { reader, text: String::new() }
    }

    /// The next event; none when the stream is over.
    pub fn next(&mut self) -> Option<Event> {
        loop {
            if let Some((block, rest)) = self.text.split_once("\n\n") {
                let field =
                    |name: &str| block.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
                let event = field("data:").map(|data| Event {
                    id: field("id:").and_then(|id| id.parse().ok()),
                    kind: field("event:").unwrap_or("message").to_string(),
                    data: serde_json::from_str(data).unwrap(),
                });
                self.text = rest.to_string();
                if event.is_some() {
                    return event;
                }
                continue;
            }
            let chunk = read_chunk(&mut self.reader)?;
            self.text.push_str(std::str::from_utf8(&chunk).unwrap());
        }
    }
}
