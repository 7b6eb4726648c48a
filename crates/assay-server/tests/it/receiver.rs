//! Another system that takes messages: a small server that answers as its test wants.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

#[derive(Debug, Clone, PartialEq)]
pub struct Message {
    pub path: String,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Message {
    pub fn header(&self, name: &str) -> &str {
        let found = self.headers.iter().find(|(known, _)| known == name);
        &found.unwrap_or_else(|| panic!("no `{name}` in {:?}", self.headers)).1
    }

    pub fn id(&self) -> &str {
        self.header("webhook-id")
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    /// Whether the signature is right, as a receiver computes it.
    pub fn is_signed_with(&self, secret: &str) -> bool {
        let text =
            [self.id().as_bytes(), b".", self.header("webhook-timestamp").as_bytes(), b".", &self.body];
        let key = ring::hmac::Key::new(ring::hmac::HMAC_SHA256, secret.as_bytes());
        let tag = STANDARD.encode(ring::hmac::sign(&key, &text.concat()).as_ref());
        self.header("webhook-signature") == format!("v1,{tag}")
    }
}

pub struct Receiver {
    pub address: SocketAddr,
    taken: Arc<Mutex<Vec<Message>>>,
}

impl Receiver {
    /// `answer` gives the status for the last of the messages that came.
    pub fn start(answer: impl Fn(&[Message]) -> u16 + Send + 'static) -> Receiver {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let taken: Arc<Mutex<Vec<Message>>> = Arc::default();
        let kept = Arc::clone(&taken);
        // It ends with the process of the tests.
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let Ok(stream) = stream else { continue };
                let _broken = take(stream, |message| {
                    let mut kept = kept.lock().unwrap();
                    kept.push(message);
                    answer(&kept)
                });
            }
        });
        Receiver { address, taken }
    }

    pub fn url(&self) -> String {
        format!("http://{}/hook?x=1", self.address)
    }

    pub fn taken(&self) -> Vec<Message> {
        self.taken.lock().unwrap().clone()
    }

    /// Waits for so many messages.
    #[track_caller]
    pub fn wait_for(&self, count: usize) -> Vec<Message> {
        let begun = Instant::now();
        loop {
            let taken = self.taken();
            if taken.len() >= count {
                return taken;
            }
            assert!(begun.elapsed() < Duration::from_secs(30), "{} of {count} messages came", taken.len());
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

/// Reads a request, and answers it. A sender that is killed in the middle leaves half of one.
fn take(stream: TcpStream, answer: impl FnOnce(Message) -> u16) -> std::io::Result<()> {
    stream.set_read_timeout(Some(Duration::from_secs(5)))?;
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let path = line.split(' ').nth(1).unwrap_or_default().to_string();
    let mut headers = Vec::new();
    loop {
        line.clear();
        reader.read_line(&mut line)?;
        if !line.ends_with('\n') {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
        let Some((name, value)) = line.trim_end().split_once(':') else { break };
        headers.push((name.to_ascii_lowercase(), value.trim().to_string()));
    }
    let length = headers.iter().find(|(name, _)| name == "content-length");
    let length = length.and_then(|(_, value)| value.parse().ok()).unwrap_or(0);
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    let status = answer(Message { path, headers, body });
    let head = format!(
        "HTTP/1.1 {status} Status\r\nLocation: http://127.0.0.1:1/elsewhere\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    );
    reader.get_mut().write_all(head.as_bytes())
}
