//! A browser that breaks its word: too long, unreadable, or gone in the middle.

use std::time::Duration;

use futures_util::FutureExt;
use serde_json::json;

use super::*;

struct Deaf;

impl EventHandler for Deaf {
    fn event(&self, _: Option<&str>, _: &str, _: &RawValue) {}
    fn closed(&self) {}
}

fn refusal(method: String, _code: &str, message: String) -> DriverError {
    DriverError::Refused { method, message }
}

/// Nobody waits for it where all is well.
fn soon() -> Deadline {
    Deadline::after(Duration::from_secs(60))
}

/// A connection that reads no message of more than so many bytes, and the browser's side of it.
fn pipe(longest: usize) -> (Arc<Connection>, UnixStream) {
    let (ours, theirs) = UnixStream::pair().unwrap();
    (Connection::over_pipe_within(ours, refusal, Arc::new(Deaf), longest), theirs)
}

#[tokio::test]
async fn an_answer_that_is_too_long_is_refused_and_the_next_one_is_read() {
    let (connection, mut browser) = pipe(1000);
    let (long, short) =
        (connection.send(None, "Long.one", json!({})), connection.send(None, "Short.one", json!({})));
    let answer = cbor::write(&json!({ "id": 1, "result": "x".repeat(200_000) }));
    let told = format!(
        "Long.one was refused: the browser's answer has {} bytes, and at most 1000 bytes are read",
        answer.len()
    );
    // An event that is too long is passed over as well.
    let event = cbor::write(&json!({ "method": "Log.entry", "params": "x".repeat(5000) }));
    for bytes in [&answer[..100], &answer[100..], &event[..], &cbor::write(&json!({ "id": 2, "result": 5 }))]
    {
        browser.write_all(bytes).await.unwrap();
    }
    assert_eq!(long.until(soon()).await.unwrap_err().to_string(), told);
    assert_eq!(short.until(soon()).await.unwrap().get(), "5");
}

#[tokio::test]
async fn what_a_browser_does_not_read_cannot_fill_the_memory() {
    let (connection, _browser) = pipe(100_000);
    let mut sent = Vec::new();
    let refused = loop {
        let mut reply = connection.send(None, "Fill.up", json!({ "text": "x".repeat(10_000) }));
        match (&mut reply).now_or_never() {
            Some(refused) => break refused,
            None => sent.push(reply),
        }
        assert!(sent.len() < 1000, "nothing is refused");
    };
    let told = refused.unwrap_err().to_string();
    assert!(told.ends_with("would wait to be sent to the browser, and at most 100000 bytes may"), "{told}");
    assert!(!connection.is_closed());
}

#[tokio::test]
async fn an_answer_that_cannot_be_read_is_refused_at_once() {
    let (connection, _browser) = pipe(1000);
    let reply = connection.send(None, "Page.title", json!({}));
    connection.take(br#"{"id":1,"result":{"value":"\q"}}"#, &Deaf);
    let told = reply.until(soon()).await.unwrap_err().to_string();
    assert_eq!(told, "Page.title was refused: the browser's answer is unreadable");
}

/// Says which thread writes it.
struct Witness<'a>(&'a AtomicU64);

impl Serialize for Witness<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // SAFETY: a plain system call without arguments.
        self.0.store(unsafe { libc::gettid() } as u64, Ordering::SeqCst);
        serializer.serialize_unit()
    }
}

/// Whether a thread of ours waits for something.
fn is_waiting(thread: u64) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/self/task/{thread}/stat")).unwrap_or_default();
    stat.rsplit_once(") ").is_some_and(|(_, rest)| rest.starts_with('S'))
}

#[tokio::test]
async fn a_command_that_meets_the_end_of_the_connection_is_told_so() {
    let (connection, _queue) = Connection::new(Form::Cbor, refusal, LONGEST_MESSAGE);
    let thread = AtomicU64::new(0);
    let reply = std::thread::scope(|scope| {
        let mut pending = connection.pending();
        let sending = scope.spawn(|| connection.send(None, "Any.thing", Witness(&thread)));
        // Once it has written its command, it can only wait for the list.
        while !is_waiting(thread.load(Ordering::SeqCst)) {
            std::thread::yield_now();
        }
        // The connection ends meanwhile.
        connection.closed.store(true, Ordering::Release);
        pending.clear();
        drop(pending);
        sending.join().unwrap()
    });
    assert!(matches!(reply.until(soon()).await, Err(DriverError::Lost)));
}

/// A websocket whose other end is ours.
async fn websocket() -> (Arc<Connection>, tokio_tungstenite::WebSocketStream<tokio::net::TcpStream>) {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("ws://{}/", listener.local_addr().unwrap());
    let accepted =
        async { tokio_tungstenite::accept_async(listener.accept().await.unwrap().0).await.unwrap() };
    let (ours, theirs) = tokio::join!(crate::open_websocket(&url, soon()), accepted);
    (Connection::over_websocket(ours.unwrap(), refusal, Arc::new(Deaf)), theirs)
}

#[tokio::test]
async fn a_frame_that_claims_to_be_too_long_ends_the_connection_with_a_reason() {
    let (connection, browser) = websocket().await;
    let reply = connection.send(None, "Page.picture", json!({}));
    // The head of a text frame of 1 GiB; not a byte of it follows.
    let mut stream = browser.into_inner();
    stream.write_all(&[0x81, 127, 0, 0, 0, 0, 0x40, 0, 0, 0]).await.unwrap();
    let told = reply.until(soon()).await.unwrap_err().to_string();
    assert_eq!(
        told,
        "Page.picture was refused: the browser's answer has 1024 MiB, and at most 256 MiB are read; \
         the connection was ended"
    );
    assert!(matches!(connection.call(None, "More", json!({}), soon()).await, Err(DriverError::Lost)));
}
