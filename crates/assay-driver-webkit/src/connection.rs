//! The inspector's socket: frames, commands with their replies, and what the browser tells by itself.
//!
//! Commands go to a target (the automation session or a page) or, one level deeper, to the process that shows
//! a page at the moment. Events are handed on by the reader itself, before any reply that came after them:
//! callers rely on that order. The reader skips a message that it cannot parse or that exceeds the limit, and fails
//! the command that waits for it. Only a broken frame ends the connection: after one, no later frame can be found.

use std::borrow::Cow;
use std::collections::HashMap;
use std::os::fd::AsRawFd;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use assay_driver::DriverError;
use assay_wire::{
    AwaitsReplies, CommandReply, LONGEST_MESSAGE, Outbox, id_at_end, outbox, reply_id, size_words,
};
use serde::{Deserialize, Serialize};
use serde_json::json;
use serde_json::value::RawValue;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::net::tcp::OwnedReadHalf;
use tokio::sync::oneshot;

use crate::framing::{self, NextFrame, Tail, next_frame};
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
    outgoing: Outbox,
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
        Connection::over_within(stream, handler, LONGEST_MESSAGE)
    }

    fn over_within(
        stream: TcpStream,
        handler: Arc<dyn Handler>,
        longest: usize,
    ) -> std::io::Result<Arc<Connection>> {
        stream.set_nodelay(true)?;
        let (outgoing, mut queue) = outbox(longest);
        let connection = Arc::new(Connection {
            number: AtomicU64::new(0),
            next_id: AtomicU64::new(1),
            pending: Mutex::new(HashMap::new()),
            outgoing,
            closed: AtomicBool::new(false),
        });
        let (reader, mut writer) = stream.into_split();
        tokio::spawn(async move {
            while let Some(bytes) = queue.next_together().await {
                if writer.write_all(&bytes).await.is_err() {
                    return;
                }
            }
        });
        let shared = Arc::clone(&connection);
        tokio::spawn(async move {
            shared.read(reader, &*handler, longest).await;
            shared.close(&*handler);
        });
        Ok(connection)
    }

    /// Asks to be the one that drives; the answer is the list of what there is.
    pub fn start_session(&self, session: &str) {
        self.tell("StartAutomationSession", &gvariant::session_request(session));
    }

    /// Opens a target for commands.
    pub fn open_target(&self, target: u64) {
        self.tell("Setup", &gvariant::numbers(self.number.load(Ordering::Acquire), target));
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
            Ok(text) => {
                let pending = Pending {
                    method: method.to_string(),
                    target: place.target,
                    page: place.page.map(str::to_string),
                    frame: frame.map(str::to_string),
                    sender,
                    at_once,
                };
                let number = self.number.load(Ordering::Acquire);
                let message = gvariant::message(number, place.target, &text);
                if self.expect_reply(id, pending)
                    && let Err(why) = self.outgoing.put(framing::frame("SendMessageToBackend", &message))
                    && let Some(one) = self.pending().remove(&id)
                {
                    let _receiver_is_here = one.sender.send(Err(why.into_error(one.method)));
                }
            }
        }
        PendingReply::new(id, receiver, Arc::clone(self))
    }

    /// False where no reply can come: the sender then says so. Looked up while the list is held, so that no command falls
    /// between the end of the connection and the end of all who wait.
    fn expect_reply(&self, id: u64, one: Pending) -> bool {
        let mut pending = self.pending();
        let is_open = !self.closed.load(Ordering::Acquire);
        if is_open {
            pending.insert(id, one);
        } else {
            let _receiver_is_here = one.sender.send(Err(DriverError::Lost));
        }
        is_open
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

    /// What nobody waits for an answer to.
    fn tell(&self, name: &str, body: &[u8]) {
        // When the writer is gone the reader ends too, and with it everything that waits.
        let _writer_may_be_gone = self.outgoing.put(framing::frame(name, body));
    }

    async fn read(&self, mut reader: OwnedReadHalf, handler: &dyn Handler, longest: usize) {
        let mut buffer: Vec<u8> = Vec::with_capacity(64 * 1024);
        let mut passed_over: Option<Tail> = None;
        loop {
            buffer.reserve(64 * 1024);
            match reader.read_buf(&mut buffer).await {
                Ok(0) | Err(_) => return,
                Ok(_) => acknowledge_at_once(&reader),
            }
            let mut start = 0;
            loop {
                if let Some(tail) = &mut passed_over {
                    start += tail.pass(&buffer[start..]);
                    if !tail.is_over() {
                        break;
                    }
                    self.refuse_too_long(tail, longest);
                    passed_over = None;
                }
                match next_frame(&buffer[start..], longest) {
                    Ok(NextFrame::Whole(frame)) => {
                        self.take(frame.name, frame.body, handler);
                        start += frame.length;
                    }
                    Ok(NextFrame::TooLong(length)) => passed_over = Some(Tail::of(length)),
                    Ok(NextFrame::Part) => break,
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
            "SendMessageToFrontend" => match gvariant::read_message(body) {
                Ok((target, text)) => {
                    self.take_message(Recipient { target, page: None }, text, handler);
                }
                Err(gvariant::Malformed) => self.refuse_unreadable(body),
            },
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
        let Ok(incoming) = serde_json::from_str::<Incoming<'_>>(text) else {
            return self.refuse_unreadable(text.as_bytes());
        };
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

    fn refuse_unreadable(&self, message: &[u8]) {
        let message = text_of(message);
        let id = reply_id(message).or_else(|| id_of_page_reply(message));
        self.refuse(id, "the browser's answer is unreadable".to_string());
    }

    fn refuse_too_long(&self, tail: &Tail, longest: usize) {
        let end = text_of(tail.end());
        let message = format!(
            "the browser's answer has {}, and at most {} are read",
            size_words(tail.length()),
            size_words(longest)
        );
        self.refuse(id_at_end(end).or_else(|| id_of_page_reply(end)), message);
    }

    /// Fails the command that waits for this reply.
    fn refuse(&self, id: Option<u64>, message: String) {
        let Some(one) = id.and_then(|id| self.pending().remove(&id)) else { return };
        let _caller_may_have_left =
            one.sender.send(Err(DriverError::Refused { method: one.method, message }));
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

/// The JSON of a message, without the numbers before it and the zeros behind it.
fn text_of(message: &[u8]) -> &[u8] {
    let end = message.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
    let begin = message[..end].iter().position(|byte| *byte == b'{').unwrap_or_default();
    &message[begin..end]
}

/// The id of a page's reply inside the event that carries it: `…,\"id\":4}"}}`.
fn id_of_page_reply(event: &[u8]) -> Option<u64> {
    let reply = event.strip_suffix(b"\"}}")?.strip_suffix(b"}")?;
    let digits = reply.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let (name, digits) = reply.split_at(reply.len() - digits);
    name.ends_with(b"\\\"id\\\":").then(|| std::str::from_utf8(digits).ok()?.parse().ok())?
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

/// A command on its way. Dropping it forgets the reply.
pub(crate) type PendingReply = assay_wire::PendingReply<Connection>;

impl AwaitsReplies for Connection {
    fn forget(&self, id: u64) {
        self.pending().remove(&id);
    }
}

#[cfg(test)]
#[path = "connection_tests.rs"]
mod tests;
