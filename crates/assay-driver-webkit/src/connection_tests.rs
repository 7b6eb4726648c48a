//! Commands as they are wrapped, and a browser that breaks its word.

use std::time::Duration;

use assay_driver::Deadline;
use tokio::net::TcpListener;

use super::*;
use crate::framing::frame;

struct Deaf;

impl Handler for Deaf {
    fn session_started(&self, _: String, _: String) {}
    fn listed(&self, _: Vec<Listed>) {}
    fn event(&self, _: Recipient<'_>, _: &str, _: &RawValue) {}
    fn closed(&self) {}
}

const SESSION: Recipient<'static> = Recipient { target: 1, page: None };
const PAGE: Recipient<'static> = Recipient { target: 1, page: Some("page-8") };

/// Nobody waits for it where all is well.
fn soon() -> Deadline {
    Deadline::after(Duration::from_secs(60))
}

/// A connection that reads no frame of more than so many bytes, and the browser's side of it.
async fn connection(longest: usize) -> (Arc<Connection>, TcpStream) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (ours, theirs) = tokio::join!(TcpStream::connect(address), listener.accept());
    (Connection::over_within(ours.unwrap(), Arc::new(Deaf), longest).unwrap(), theirs.unwrap().0)
}

fn from_browser(text: &str) -> Vec<u8> {
    frame("SendMessageToFrontend", &gvariant::message(1, 1, text))
}

/// A page's reply, in the event that carries it, in the order that WebKit writes it in.
fn from_page(reply: &str) -> Vec<u8> {
    let (target, message) = (json!("page-8"), json!(reply));
    from_browser(&format!(
        "{{\"method\":\"Target.dispatchMessageFromTarget\",\"params\":{{\"targetId\":{target},\"message\":{message}}}}}"
    ))
}

#[test]
fn a_command_for_a_page_is_wrapped_for_its_target() {
    let text = encode(4, Some("page-8"), "Page.enable", json!({})).unwrap();
    let outer: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(outer["method"], "Target.sendMessageToTarget");
    assert_eq!(outer["params"]["targetId"], "page-8");
    let inner: serde_json::Value =
        serde_json::from_str(outer["params"]["message"].as_str().unwrap()).unwrap();
    assert_eq!((inner["id"].as_u64(), inner["method"].as_str()), (Some(4), Some("Page.enable")));
}

#[tokio::test]
async fn an_answer_that_is_too_long_is_refused_and_the_next_one_is_read() {
    let (connection, mut browser) = connection(1000).await;
    let in_session = connection.send(SESSION, "Long.one", json!({}));
    let in_page = connection.send(PAGE, "Long.two", json!({}));
    let short = connection.send(SESSION, "Short.one", json!({}));
    let long = "x".repeat(100_000);
    browser.write_all(&from_browser(&format!("{{\"result\":\"{long}\",\"id\":1}}"))).await.unwrap();
    browser.write_all(&from_page(&format!("{{\"result\":\"{long}\",\"id\":2}}"))).await.unwrap();
    // An event of a page that says as much is passed over as well.
    browser.write_all(&from_page(&format!("{{\"method\":\"Log\",\"params\":\"{long}\"}}"))).await.unwrap();
    browser.write_all(&from_browser("{\"result\":5,\"id\":3}")).await.unwrap();
    for (reply, method) in [(in_session, "Long.one"), (in_page, "Long.two")] {
        let told = reply.until(soon()).await.unwrap_err().to_string();
        assert!(told.starts_with(&format!("{method} was refused: the browser's answer has 100")), "{told}");
        assert!(told.ends_with("and at most 1000 bytes are read"), "{told}");
    }
    assert_eq!(short.until(soon()).await.unwrap().get(), "5");
}

#[tokio::test]
async fn an_answer_that_cannot_be_read_is_refused_at_once() {
    let (connection, mut browser) = connection(10_000).await;
    let in_session = connection.send(SESSION, "Broken.one", json!({}));
    let in_page = connection.send(PAGE, "Broken.two", json!({}));
    let in_other_text = connection.send(SESSION, "Broken.three", json!({}));
    browser.write_all(&from_browser("{\"result\":{\"value\":nonsense},\"id\":1}")).await.unwrap();
    browser.write_all(&from_page("{\"result\":{\"value\":nonsense},\"id\":2}")).await.unwrap();
    let mut no_text = gvariant::message(1, 1, "{\"result\":\"?\",\"id\":3}");
    let at = no_text.iter().position(|byte| *byte == b'?').unwrap();
    no_text[at] = 0xff;
    browser.write_all(&frame("SendMessageToFrontend", &no_text)).await.unwrap();
    for (reply, method) in
        [(in_session, "Broken.one"), (in_page, "Broken.two"), (in_other_text, "Broken.three")]
    {
        let told = reply.until(soon()).await.unwrap_err().to_string();
        assert_eq!(told, format!("{method} was refused: the browser's answer is unreadable"));
    }
}

#[tokio::test]
async fn what_a_browser_does_not_read_cannot_fill_the_memory() {
    let (connection, _browser) = connection(1000).await;
    let reply = connection.send(SESSION, "Fill.up", json!({ "text": "x".repeat(2000) }));
    let told = reply.until(soon()).await.unwrap_err().to_string();
    assert!(told.ends_with("would wait to be sent to the browser, and at most 1000 bytes may"), "{told}");
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
    let (connection, _browser) = connection(LONGEST_MESSAGE).await;
    let thread = AtomicU64::new(0);
    let reply = std::thread::scope(|scope| {
        let mut pending = connection.pending();
        let sending = scope.spawn(|| connection.send(SESSION, "Any.thing", Witness(&thread)));
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
