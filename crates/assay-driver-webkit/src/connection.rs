//! The inspector's socket: frames, commands with their replies, and what the browser tells by itself.
//!
//! Commands go to a target (the automation session or a page) or, one level deeper, to the process that shows
//! a page at the moment. Events are handed on by the reader itself, before any reply that came after them:
//! callers rely on that order. A message that cannot be understood is passed over; only a broken frame ends
//! the connection, because nothing behind it could be found again.

use std::borrow::Cow;
use std::collections::HashMap;
use std::os::fd::AsRawFd;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use assay_driver::DriverError;
use assay_wire::{AwaitsReplies, CommandReply};
use serde::{Deserialize, Serialize};
use serde_json::json;
use serde_json::value::RawValue;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::net::tcp::OwnedReadHalf;
use tokio::sync::{mpsc, oneshot};

use crate::gvariant::{self, Listed};
use crate::refusal::{is_of_step_before, refusal};

/// Takes what the browser tells, in order, from the reader.
pub(crate) trait Handler: Send + Sync + 'static {
    fn session_started(&self, browser: String, version: String);
    fn listed(&self, targets: Vec<Listed>);
    fn event(&self, place: Recipient<'_>, method: &str, params: &RawValue);
    fn closed(&self);
}

/// Who is spoken to: a target, or a page's process inside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Recipient<'a> {
    pub target: u64,
    pub page: Option<&'a str>,
}

pub(crate) struct Connection {
    /// The browser's number in everything that is sent; told by its first list.
    number: AtomicU64,
    next_id: AtomicU64,
    pending: Mutex<HashMap<u64, Pending>>,
    outgoing: mpsc::UnboundedSender<Vec<u8>>,
    closed: AtomicBool,
}

struct Pending {
    method: String,
    target: u64,
    page: Option<String>,
    /// The frame whose document is asked: its end is the end of the question.
    frame: Option<String>,
    sender: oneshot::Sender<CommandReply>,
    at_once: Option<AtOnce>,
}

/// What the reader does with a good reply, before it takes in what came after it.
type AtOnce = Box<dyn FnOnce(&RawValue) + Send>;

#[derive(Serialize)]
struct Outgoing<'a, P> {
    id: u64,
    method: &'a str,
    params: P,
}

#[derive(Deserialize)]
struct Incoming<'a> {
    id: Option<u64>,
    #[serde(borrow)]
    method: Option<Cow<'a, str>>,
    #[serde(borrow)]
    params: Option<&'a RawValue>,
    #[serde(borrow)]
    result: Option<&'a RawValue>,
    error: Option<ProtocolError>,
}

#[derive(Deserialize)]
struct ProtocolError {
    message: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct FromPage<'a> {
    #[serde(borrow)]
    target_id: Cow<'a, str>,
    #[serde(borrow)]
    message: Cow<'a, str>,
}

impl Connection {
    pub fn over(stream: TcpStream, handler: Arc<dyn Handler>) -> std::io::Result<Arc<Connection>> {
        stream.set_nodelay(true)?;
        let (outgoing, mut queue) = mpsc::unbounded_channel::<Vec<u8>>();
        let connection = Arc::new(Connection {
            number: AtomicU64::new(0),
            next_id: AtomicU64::new(1),
            pending: Mutex::new(HashMap::new()),
            outgoing,
            closed: AtomicBool::new(false),
        });
        let (reader, mut writer) = stream.into_split();
        tokio::spawn(async move {
            while let Some(mut bytes) = queue.recv().await {
                while let Ok(more) = queue.try_recv() {
                    bytes.extend_from_slice(&more);
                }
                if writer.write_all(&bytes).await.is_err() {
                    return;
                }
            }
        });
        let shared = Arc::clone(&connection);
        tokio::spawn(async move {
            shared.read(reader, &*handler).await;
            shared.close(&*handler);
        });
        Ok(connection)
    }

    /// Asks to be the one that drives; the answer is the list of what there is.
    pub fn start_session(&self, session: &str) {
        self.write("StartAutomationSession", &gvariant::session_request(session));
    }

    /// Opens a target for commands.
    pub fn open_target(&self, target: u64) {
        self.write("Setup", &gvariant::numbers(self.number.load(Ordering::Acquire), target));
    }

    /// Puts a command on the wire at once. The reply may be awaited or dropped.
    pub fn send(
        self: &Arc<Self>,
        place: Recipient<'_>,
        method: &str,
        params: impl Serialize,
    ) -> PendingReply {
        self.put(place, None, method, params, None)
    }

    /// The same, for a question to the document of a frame.
    pub fn ask(
        self: &Arc<Self>,
        place: Recipient<'_>,
        frame: Option<&str>,
        method: &str,
        params: impl Serialize,
    ) -> PendingReply {
        self.put(place, frame, method, params, None)
    }

    /// The same, for an answer that holds only until the next event. Dropped before it came, it is not heard.
    pub fn ask_at_once(
        self: &Arc<Self>,
        place: Recipient<'_>,
        method: &str,
        at_once: impl FnOnce(&RawValue) + Send + 'static,
    ) -> PendingReply {
        self.put(place, None, method, json!({}), Some(Box::new(at_once)))
    }

    fn put(
        self: &Arc<Self>,
        place: Recipient<'_>,
        frame: Option<&str>,
        method: &str,
        params: impl Serialize,
        at_once: Option<AtOnce>,
    ) -> PendingReply {
        let id = self.next_id.fetch_add(1, Ordering::Relaxed);
        let (sender, receiver) = oneshot::channel();
        let refuse = |message: String| DriverError::Refused { method: method.to_string(), message };
        let encoded = encode(id, place.page, method, params).map_err(|err| refuse(err.to_string()));
        match encoded {
            Err(err) => drop(sender.send(Err(err))),
            Ok(_) if self.closed.load(Ordering::Acquire) => drop(sender.send(Err(DriverError::Lost))),
            Ok(text) => {
                let pending = Pending {
                    method: method.to_string(),
                    target: place.target,
                    page: place.page.map(str::to_string),
                    frame: frame.map(str::to_string),
                    sender,
                    at_once,
                };
                self.pending().insert(id, pending);
                let number = self.number.load(Ordering::Acquire);
                self.write("SendMessageToBackend", &gvariant::message(number, place.target, &text));
            }
        }
        PendingReply::new(id, receiver, Arc::clone(self))
    }

    pub fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Acquire)
    }

    /// Nothing more is expected of this connection.
    pub fn abandon(&self) {
        self.closed.store(true, Ordering::Release);
        self.end(|_| true, || DriverError::Lost);
    }

    /// Ends all questions to documents that are gone: WebKit itself never answers them.
    pub fn end_questions(&self, target: u64, page: &str, frame: Option<&str>) {
        self.end(
            |pending| {
                pending.target == target
                    && pending.page.as_deref() == Some(page)
                    && pending.frame.is_some()
                    && (frame.is_none() || pending.frame.as_deref() == frame)
            },
            || DriverError::DocumentGone,
        );
    }

    /// Ends everything that was put to a page's process that is no more.
    pub fn end_page(&self, target: u64, page: &str) {
        self.end(
            |pending| pending.target == target && pending.page.as_deref() == Some(page),
            || DriverError::DocumentGone,
        );
    }

    pub fn end_target(&self, target: u64) {
        self.end(|pending| pending.target == target, || DriverError::Closed);
    }

    fn end(&self, which: impl Fn(&Pending) -> bool, why: impl Fn() -> DriverError) {
        let mut pending = self.pending();
        let ids: Vec<u64> = pending.iter().filter(|(_, one)| which(one)).map(|(id, _)| *id).collect();
        let ended: Vec<Pending> = ids.iter().filter_map(|id| pending.remove(id)).collect();
        drop(pending);
        for one in ended {
            let _caller_may_have_left = one.sender.send(Err(why()));
        }
    }

    fn pending(&self) -> MutexGuard<'_, HashMap<u64, Pending>> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self, name: &str, body: &[u8]) {
        // When the writer is gone the reader ends too, and with it everything that waits.
        let _writer_may_be_gone = self.outgoing.send(frame(name, body));
    }

    async fn read(&self, mut reader: OwnedReadHalf, handler: &dyn Handler) {
        let mut buffer: Vec<u8> = Vec::with_capacity(64 * 1024);
        loop {
            buffer.reserve(64 * 1024);
            match reader.read_buf(&mut buffer).await {
                Ok(0) | Err(_) => return,
                Ok(_) => acknowledge_at_once(&reader),
            }
            let mut start = 0;
            loop {
                match next_frame(&buffer[start..]) {
                    Ok(Some(frame)) => {
                        self.take(frame.name, frame.body, handler);
                        start += frame.length;
                    }
                    Ok(None) => break,
                    Err(gvariant::Malformed) => return,
                }
            }
            buffer.drain(..start);
            // One large picture must not keep its memory for ever.
            if buffer.is_empty() && buffer.capacity() > 1024 * 1024 {
                buffer = Vec::with_capacity(64 * 1024);
            }
        }
    }

    fn take(&self, name: &str, body: &[u8], handler: &dyn Handler) {
        match name {
            "DidStartAutomationSession" => {
                if let Ok((browser, version)) = gvariant::read_texts(body) {
                    handler.session_started(browser, version);
                }
            }
            "SetTargetList" => {
                if let Ok((number, targets)) = gvariant::read_list(body)
                    && self.is_ours(number, &targets)
                {
                    handler.listed(targets);
                }
            }
            "SendMessageToFrontend" => {
                if let Ok((target, text)) = gvariant::read_message(body) {
                    self.take_message(Recipient { target, page: None }, text, handler);
                }
            }
            _ => {}
        }
    }

    /// Processes of pages have lists of their own, under other numbers. Ours is the first that holds a page or a session.
    fn is_ours(&self, number: u64, targets: &[Listed]) -> bool {
        match self.number.load(Ordering::Acquire) {
            0 if targets.iter().any(|target| matches!(target.kind.as_str(), "WebPage" | "Automation")) => {
                self.number.store(number, Ordering::Release);
                true
            }
            0 => false,
            ours => ours == number,
        }
    }

    fn take_message(&self, place: Recipient<'_>, text: &str, handler: &dyn Handler) {
        // A message that is not what the protocol promises is no reason to lose the others.
        let Ok(incoming) = serde_json::from_str::<Incoming<'_>>(text) else { return };
        if let Some(id) = incoming.id {
            self.take_reply(place, id, incoming);
            return;
        }
        let params = incoming.params.unwrap_or(RawValue::NULL);
        match incoming.method.as_deref() {
            Some("Target.dispatchMessageFromTarget") if place.page.is_none() => {
                let Ok(inner) = serde_json::from_str::<FromPage<'_>>(params.get()) else { return };
                let place = Recipient { target: place.target, page: Some(&inner.target_id) };
                self.take_message(place, &inner.message, handler);
            }
            Some(method) => handler.event(place, method, params),
            None => {}
        }
    }

    fn take_reply(&self, place: Recipient<'_>, id: u64, incoming: Incoming<'_>) {
        let mut pending = self.pending();
        let deeper = pending.get(&id).is_some_and(|one| one.page.is_some());
        // That a command was passed on to the page's process is not its answer yet.
        if deeper && place.page.is_none() && incoming.error.is_none() {
            return;
        }
        if let (Some(error), Some(one)) = (&incoming.error, pending.get(&id))
            && is_of_step_before(&one.method, &error.message)
        {
            return;
        }
        let Some(one) = pending.remove(&id) else { return };
        drop(pending);
        let reply = match (incoming.error, incoming.result) {
            // The page's process is gone before the command reached it.
            (Some(_), _) if deeper && place.page.is_none() => Err(DriverError::DocumentGone),
            (Some(error), _) => Err(refusal(one.method, error.message)),
            (None, Some(result)) => Ok(result.to_owned()),
            (None, None) => Ok(RawValue::NULL.to_owned()),
        };
        if let (Ok(result), Some(at_once)) = (&reply, one.at_once) {
            at_once(result);
        }
        let _caller_may_have_left = one.sender.send(reply);
    }

    fn close(&self, handler: &dyn Handler) {
        self.closed.store(true, Ordering::Release);
        handler.closed();
        self.end(|_| true, || DriverError::Lost);
    }
}

/// Without this every command takes 44 ms: the browser waits for our acknowledgement before it sends on,
/// and the kernel waits with it. The option holds for one read only.
fn acknowledge_at_once(reader: &OwnedReadHalf) {
    #[cfg(target_os = "linux")]
    {
        let on: libc::c_int = 1;
        let length = std::mem::size_of::<libc::c_int>() as libc::socklen_t;
        // SAFETY: the descriptor is open, and the option's value is an int that outlives the call.
        unsafe {
            libc::setsockopt(
                reader.as_ref().as_raw_fd(),
                libc::IPPROTO_TCP,
                libc::TCP_QUICKACK,
                std::ptr::from_ref(&on).cast(),
                length,
            );
        }
    }
}

fn encode(id: u64, page: Option<&str>, method: &str, params: impl Serialize) -> serde_json::Result<String> {
    let text = serde_json::to_string(&Outgoing { id, method, params })?;
    match page {
        None => Ok(text),
        Some(page) => {
            let params = json!({ "targetId": page, "message": text });
            serde_json::to_string(&Outgoing { id, method: "Target.sendMessageToTarget", params })
        }
    }
}

const LITTLE_ENDIAN: u8 = 1;
const HEADER: usize = 5;
/// Nothing the browser says is as long; what claims to be is not a frame.
const LONGEST: usize = 1 << 30;

#[derive(Debug, PartialEq, Eq)]
struct Framed<'a> {
    name: &'a str,
    body: &'a [u8],
    /// Of the whole frame.
    length: usize,
}

fn frame(name: &str, body: &[u8]) -> Vec<u8> {
    let length = name.len() + 1 + body.len();
    let mut bytes = Vec::with_capacity(HEADER + length);
    bytes.extend_from_slice(&(length as u32).to_be_bytes());
    bytes.push(LITTLE_ENDIAN);
    bytes.extend_from_slice(name.as_bytes());
    bytes.push(0);
    bytes.extend_from_slice(body);
    bytes
}

/// The first whole frame, and how many bytes it takes; none while it is not all there.
fn next_frame(bytes: &[u8]) -> Result<Option<Framed<'_>>, gvariant::Malformed> {
    let Some(header) = bytes.first_chunk::<HEADER>() else { return Ok(None) };
    let length = u32::from_be_bytes([header[0], header[1], header[2], header[3]]) as usize;
    if length > LONGEST || header[4] & LITTLE_ENDIAN == 0 {
        return Err(gvariant::Malformed);
    }
    let Some(frame) = bytes.get(HEADER..HEADER + length) else { return Ok(None) };
    let end = frame.iter().position(|byte| *byte == 0).ok_or(gvariant::Malformed)?;
    let name = std::str::from_utf8(&frame[..end]).map_err(|_| gvariant::Malformed)?;
    Ok(Some(Framed { name, body: &frame[end + 1..], length: HEADER + length }))
}

/// A command on its way. Dropping it forgets the reply.
pub(crate) type PendingReply = assay_wire::PendingReply<Connection>;

impl AwaitsReplies for Connection {
    fn forget(&self, id: u64) {
        self.pending().remove(&id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_is_read_when_it_is_all_there() {
        let bytes = [frame("Setup", b"abc"), frame("More", b"")].concat();
        assert_eq!(next_frame(&bytes), Ok(Some(Framed { name: "Setup", body: b"abc", length: 14 })));
        assert_eq!(next_frame(&bytes[14..]), Ok(Some(Framed { name: "More", body: b"", length: 10 })));
        for length in 0..14 {
            assert_eq!(next_frame(&bytes[..length]), Ok(None));
        }
    }

    #[test]
    fn what_is_no_frame_is_an_error() {
        assert_eq!(next_frame(b"GET / HTTP/1.1\r\n"), Err(gvariant::Malformed));
        assert_eq!(next_frame(b"\0\0\0\x03\x01abc"), Err(gvariant::Malformed));
        assert_eq!(next_frame(b"\0\0\0\x03\0ab\0"), Err(gvariant::Malformed));
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
}
