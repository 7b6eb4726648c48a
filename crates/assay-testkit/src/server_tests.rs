use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use super::*;

/// A client that speaks HTTP by hand, so that the server is not tested against itself.
struct Client(BufReader<TcpStream>);

impl Client {
    fn connect(server: &Server) -> Client {
        let stream = TcpStream::connect(("127.0.0.1", server.port())).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
        Client(BufReader::new(stream))
    }

    fn send(&mut self, text: &str) {
        self.0.get_mut().write_all(text.as_bytes()).unwrap();
    }

    /// The status line, the headers and the body of the next answer.
    fn receive(&mut self) -> (String, Vec<String>, String) {
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            self.0.read_line(&mut line).unwrap();
            let line = line.trim_end().to_owned();
            if line.is_empty() {
                break;
            }
            lines.push(line);
        }
        let length = lines
            .iter()
            .find_map(|line| line.strip_prefix("Content-Length: "))
            .map_or(0, |n| n.parse().unwrap());
        let mut body = vec![0; length];
        self.0.read_exact(&mut body).unwrap();
        (lines.remove(0), lines, String::from_utf8(body).unwrap())
    }

    fn get(&mut self, path: &str) -> (String, Vec<String>, String) {
        self.send(&format!("GET {path} HTTP/1.1\r\nHost: x\r\n\r\n"));
        self.receive()
    }

    fn is_closed(&mut self) -> bool {
        matches!(self.0.read(&mut [0; 1]), Ok(0) | Err(_))
    }
}

fn echo() -> Server {
    Server::start(|request| match request.path.as_str() {
        "/never" => Response::never(),
        "/late" => Response::text("late").delay(Duration::from_millis(request.number("ms", 0))),
        "/drip" => Response::drip("text/plain", "ab", 3, Duration::from_millis(20)),
        "/panic" => panic!("a mistake in a handler"),
        "/away" => Response::redirect("/elsewhere"),
        "/cookie" => Response::text(request.cookie("session").unwrap_or("none")).cookie("session", "s1"),
        "/upload" => {
            let files: Vec<String> =
                request.uploads().iter().map(|file| format!("{} {}", file.file_name, file.size())).collect();
            Response::text(files.join(","))
        }
        path => {
            let form: Vec<String> =
                request.form().iter().map(|(name, value)| format!("{name}={value}")).collect();
            Response::text(format!("{} {path} {}", request.method, form.join(",")))
        }
    })
}

#[test]
fn one_connection_carries_many_requests() {
    let server = echo();
    let mut client = Client::connect(&server);
    for path in ["/a", "/b", "/c"] {
        let (status, headers, body) = client.get(path);
        assert_eq!((status.as_str(), body), ("HTTP/1.1 200 OK", format!("GET {path} ")));
        assert!(headers.contains(&"Connection: keep-alive".to_owned()));
    }
}

#[test]
fn requests_sent_ahead_are_answered_in_order() {
    let server = echo();
    let mut client = Client::connect(&server);
    client.send(
        "GET /1 HTTP/1.1\r\n\r\nPOST /2 HTTP/1.1\r\nContent-Length: 3\r\n\r\na=bGET /3 HTTP/1.1\r\n\r\n",
    );
    let bodies: Vec<String> = (0..3).map(|_| client.receive().2).collect();
    assert_eq!(bodies, ["GET /1 ", "POST /2 a=b", "GET /3 "]);
}

#[test]
fn many_connections_are_served_at_once() {
    let server = echo();
    let started = Instant::now();
    let mut clients: Vec<Client> = (0..8).map(|_| Client::connect(&server)).collect();
    for client in &mut clients {
        client.send("GET /late?ms=300 HTTP/1.1\r\n\r\n");
    }
    for client in &mut clients {
        assert_eq!(client.receive().2, "late");
    }
    assert!(started.elapsed() < Duration::from_millis(1500), "{:?}", started.elapsed());
}

#[test]
fn a_client_may_ask_for_the_end() {
    let server = echo();
    let mut client = Client::connect(&server);
    client.send("GET / HTTP/1.1\r\nConnection: close\r\n\r\n");
    assert!(client.receive().1.contains(&"Connection: close".to_owned()));
    assert!(client.is_closed());
}

#[test]
fn a_bad_request_gets_400_and_the_server_goes_on() {
    let server = echo();
    for nonsense in ["nonsense\r\n\r\n", "\u{16}\u{3}\u{1} tls\r\n", "GET / HTTP/1.1\r\nno colon\r\n\r\n"] {
        let mut client = Client::connect(&server);
        client.send(nonsense);
        assert_eq!(client.receive().0, "HTTP/1.1 400 Bad Request");
        assert!(client.is_closed());
    }
    assert_eq!(Client::connect(&server).get("/ok").2, "GET /ok ");
}

#[test]
fn a_body_that_is_too_large_gets_413() {
    let server = echo();
    let mut client = Client::connect(&server);
    client.send("POST / HTTP/1.1\r\nContent-Length: 9999999999\r\n\r\nsome of it");
    assert_eq!(client.receive().0, "HTTP/1.1 413 Content Too Large");
}

#[test]
fn a_client_that_waits_for_leave_to_send_gets_it() {
    let server = echo();
    let mut client = Client::connect(&server);
    client.send("POST /p HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n");
    assert_eq!(client.receive().0, "HTTP/1.1 100 Continue");
    client.send("x=y");
    assert_eq!(client.receive().2, "POST /p x=y");
}

#[test]
fn head_announces_a_body_and_sends_none() {
    let server = echo();
    let mut client = Client::connect(&server);
    client.send("HEAD /h HTTP/1.1\r\nConnection: close\r\n\r\n");
    let mut all = String::new();
    client.0.read_to_string(&mut all).unwrap();
    assert!(all.contains("Content-Length: 8\r\n") && all.ends_with("\r\n\r\n"), "{all}");
}

#[test]
fn a_handler_that_panics_is_a_500() {
    let server = echo();
    let mut client = Client::connect(&server);
    assert_eq!(client.get("/panic").0, "HTTP/1.1 500 Internal Server Error");
    assert_eq!(client.get("/after").2, "GET /after ");
}

#[test]
fn a_redirect_names_the_place() {
    let server = echo();
    let (status, headers, _) = Client::connect(&server).get("/away");
    assert_eq!(status, "HTTP/1.1 303 See Other");
    assert!(headers.contains(&"Location: /elsewhere".to_owned()));
}

#[test]
fn cookies_go_both_ways() {
    let server = echo();
    let mut client = Client::connect(&server);
    let (_, headers, body) = client.get("/cookie");
    assert_eq!(body, "none");
    assert!(headers.iter().any(|line| line.starts_with("Set-Cookie: session=s1;")));
    client.send("GET /cookie HTTP/1.1\r\nCookie: a=b; session=s1\r\n\r\n");
    assert_eq!(client.receive().2, "s1");
}

#[test]
fn uploads_are_told_by_name_and_size() {
    let server = echo();
    let mut client = Client::connect(&server);
    let part = |name: &str, body: &str| {
        format!("--B\r\nContent-Disposition: form-data; name=\"f\"; filename=\"{name}\"\r\n\r\n{body}\r\n")
    };
    let body = format!("{}{}--B--\r\n", part("a.txt", "12345"), part("b.bin", ""));
    client.send(&format!(
        "POST /upload HTTP/1.1\r\nContent-Type: multipart/form-data; boundary=B\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    ));
    assert_eq!(client.receive().2, "a.txt 5,b.bin 0");
}

#[test]
fn a_slow_body_arrives_whole() {
    let server = echo();
    let started = Instant::now();
    assert_eq!(Client::connect(&server).get("/drip").2, "ababab");
    assert!(started.elapsed() >= Duration::from_millis(60));
}

#[test]
fn dropping_the_server_ends_what_is_waiting() {
    let server = echo();
    let mut clients: Vec<Client> = (0..4).map(|_| Client::connect(&server)).collect();
    // One that never gets an answer, one that gets it late, one that sends half a request, one that is silent.
    clients[0].send("GET /never HTTP/1.1\r\n\r\n");
    clients[1].send("GET /late?ms=60000 HTTP/1.1\r\n\r\n");
    clients[2].send("GET /half HT");
    // An answer on another connection shows that the requests above had their turn to be accepted.
    assert_eq!(Client::connect(&server).get("/x").2, "GET /x ");
    let port = server.port();
    let started = Instant::now();
    drop(server);
    assert!(started.elapsed() < Duration::from_secs(2), "{:?}", started.elapsed());
    assert!(clients.iter_mut().all(Client::is_closed));
    assert!(TcpStream::connect(("127.0.0.1", port)).is_err());
}

#[test]
fn a_port_in_use_is_an_error() {
    let server = echo();
    assert!(Server::start_on(server.port(), |_| Response::status(204)).is_err());
}

#[test]
fn addresses_are_built_from_paths() {
    let server = echo();
    assert_eq!(server.url("/a?b=c"), format!("http://127.0.0.1:{}/a?b=c", server.port()));
}
