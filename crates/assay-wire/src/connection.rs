//! One connection to a browser: ids, pending replies, events, over a pipe or a websocket.
//!
//! Messages in are only taken apart as far as needed, so an unknown event can never
//! break the connection. Events are handed on by the reader itself, before any reply
//! that came after them: callers rely on that order.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use assay_driver::{Deadline, DriverError};
use futures_util::{SinkExt, StreamExt};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::UnixStream;
use tokio::sync::oneshot;
use tokio_tungstenite::tungstenite::error::CapacityError;
use tokio_tungstenite::tungstenite::{Error, Message};

use crate::cbor;
use crate::outbox::{LONGEST_MESSAGE, Outbox, OutboxQueue, outbox, size_words};
use crate::pending::{AwaitsReplies, CommandReply, PendingReply};
use crate::reply_id::reply_id;
use crate::websocket::WebSocket;

/// Takes events in order, from the reader.
pub trait EventHandler: Send + Sync + 'static {
    fn event(&self, session: Option<&str>, method: &str, params: &RawValue);
    fn closed(&self);
}

type ReplySender = oneshot::Sender<CommandReply>;

/// Makes a browser's refusal into an error: its code, if it has one, and its words.
pub type Refusal = fn(method: String, code: &str, message: String) -> DriverError;

/// How messages are written.
#[derive(Clone, Copy)]
enum Form {
    Text,
    Cbor,
}

impl Form {
    fn write(self, message: &impl Serialize) -> serde_json::Result<Vec<u8>> {
        match self {
            Form::Text => serde_json::to_vec(message),
            Form::Cbor => serde_json::to_value(message).map(|message| cbor::write(&message)),
        }
    }
}

pub struct Connection {
    form: Form,
    refusal: Refusal,
    next_id: AtomicU64,
    pending: Mutex<HashMap<u64, (String, ReplySender)>>,
    outgoing: Outbox,
    closed: AtomicBool,
}

#[derive(Serialize)]
struct Outgoing<'a, P> {
    id: u64,
    method: &'a str,
    params: P,
    #[serde(rename = "sessionId", skip_serializing_if = "Option::is_none")]
    session: Option<&'a str>,
}

#[derive(Deserialize)]
struct Incoming<'a> {
    id: Option<u64>,
    #[serde(borrow)]
    method: Option<&'a str>,
    #[serde(borrow, rename = "sessionId")]
    session: Option<&'a str>,
    #[serde(borrow)]
    params: Option<&'a RawValue>,
    #[serde(borrow)]
    result: Option<&'a RawValue>,
    /// An object with a message (CDP), or a code with the message beside it (BiDi).
    #[serde(borrow)]
    error: Option<&'a RawValue>,
    #[serde(borrow)]
    message: Option<Cow<'a, str>>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum ProtocolError {
    Code(String),
    Words { message: String },
}

fn refusal_of(incoming: &Incoming<'_>, error: &RawValue) -> (String, String) {
    let beside = || incoming.message.as_ref().map(|text| text.to_string()).unwrap_or_default();
    match serde_json::from_str(error.get()) {
        Ok(ProtocolError::Code(code)) => (code, beside()),
        Ok(ProtocolError::Words { message }) => (String::new(), message),
        Err(_) => (String::new(), error.get().to_string()),
    }
}

impl Connection {
    /// Talks over one end of a socket pair whose other end is the browser's descriptors 3 and 4, in CBOR.
    ///
    /// A length precedes each message; anything else ends the connection. The connection skips a message that exceeds
    /// the limit, and the command that waits for it fails.
    pub fn over_pipe(
        stream: UnixStream,
        refusal: Refusal,
        handler: Arc<dyn EventHandler>,
    ) -> Arc<Connection> {
        Connection::over_pipe_within(stream, refusal, handler, LONGEST_MESSAGE)
    }

    fn over_pipe_within(
        stream: UnixStream,
        refusal: Refusal,
        handler: Arc<dyn EventHandler>,
        longest: usize,
    ) -> Arc<Connection> {
        let (connection, mut queue) = Connection::new(Form::Cbor, refusal, longest);
        let (mut reader, mut writer) = stream.into_split();
        tokio::spawn(async move {
            while let Some(messages) = queue.next_together().await {
                if writer.write_all(&messages).await.is_err() {
                    return;
                }
            }
        });
        let shared = Arc::clone(&connection);
        tokio::spawn(async move {
            let mut buffer: Vec<u8> = Vec::with_capacity(64 * 1024);
            let mut passed_over = 0;
            'stream: loop {
                buffer.reserve(64 * 1024);
                match reader.read_buf(&mut buffer).await {
                    Ok(0) | Err(_) => break,
                    Ok(_) => {}
                }
                let mut start = 0;
                loop {
                    // What is left of a message that is too long.
                    let passed = buffer.len().min(start + passed_over) - start;
                    (start, passed_over) = (start + passed, passed_over - passed);
                    match cbor::first(&buffer[start..], longest) {
                        cbor::First::Message(length) => {
                            let message = &buffer[start..start + length];
                            match cbor::read(message) {
                                Some(text) => shared.take(&text, &*handler),
                                None => shared.refuse(cbor::id(message), UNREADABLE),
                            }
                            start += length;
                        }
                        cbor::First::TooLong(length) => {
                            shared.refuse(cbor::id(&buffer[start..]), &too_long(length, longest));
                            passed_over = length;
                        }
                        cbor::First::Part => break,
                        cbor::First::Noise => break 'stream,
                    }
                }
                buffer.drain(..start);
                // One large picture must not keep its memory for ever.
                if buffer.is_empty() && buffer.capacity() > 1024 * 1024 {
                    buffer = Vec::with_capacity(64 * 1024);
                }
            }
            shared.close(&*handler, None);
        });
        connection
    }

    pub fn over_websocket(
        stream: WebSocket,
        refusal: Refusal,
        handler: Arc<dyn EventHandler>,
    ) -> Arc<Connection> {
        let (connection, mut queue) = Connection::new(Form::Text, refusal, LONGEST_MESSAGE);
        let (mut writer, mut reader) = stream.split();
        tokio::spawn(async move {
            while let Some(message) = queue.next().await {
                let Ok(text) = String::from_utf8(message) else { continue };
                if writer.send(Message::text(text)).await.is_err() {
                    return;
                }
            }
            // The far side is told, so that it can let go of what we attached to.
            let _unreachable_peer_is_fine = writer.close().await;
        });
        let shared = Arc::clone(&connection);
        tokio::spawn(async move {
            let mut why = None;
            while let Some(message) = reader.next().await {
                match message {
                    Ok(Message::Text(text)) => shared.take(text.as_bytes(), &*handler),
                    // Some proxies send text in binary frames.
                    Ok(Message::Binary(bytes)) => shared.take(&bytes, &*handler),
                    Ok(Message::Ping(_) | Message::Pong(_) | Message::Frame(_)) => {}
                    // Where the next message begins is not known any more.
                    Err(Error::Capacity(CapacityError::MessageTooLong { size, max_size })) => {
                        why = Some(format!("{}; the connection was ended", too_long(size, max_size)));
                        break;
                    }
                    Ok(Message::Close(_)) | Err(_) => break,
                }
            }
            shared.close(&*handler, why.as_deref());
        });
        connection
    }

    fn new(form: Form, refusal: Refusal, most_waiting: usize) -> (Arc<Connection>, OutboxQueue) {
        let (outgoing, queue) = outbox(most_waiting);
        let connection = Arc::new(Connection {
            form,
            refusal,
            next_id: AtomicU64::new(1),
            pending: Mutex::new(HashMap::new()),
            outgoing,
            closed: AtomicBool::new(false),
        });
        (connection, queue)
    }

    /// Puts a command on the wire at once. The reply may be awaited or dropped.
    pub fn send(
        self: &Arc<Self>,
        session: Option<&str>,
        method: &str,
        params: impl Serialize,
    ) -> PendingReply {
        let id = self.next_id.fetch_add(1, Ordering::Relaxed);
        let (sender, receiver) = oneshot::channel();
        let message = self.form.write(&Outgoing { id, method, params, session });
        match message {
            Err(err) => {
                let _receiver_is_here = sender
                    .send(Err(DriverError::Refused { method: method.to_string(), message: err.to_string() }));
            }
            Ok(message) => {
                if self.expect_reply(id, method, sender)
                    && let Err(why) = self.outgoing.put(message)
                    && let Some((method, sender)) = self.pending().remove(&id)
                {
                    let _receiver_is_here = sender.send(Err(why.into_error(method)));
                }
            }
        }
        PendingReply::new(id, receiver, Arc::clone(self))
    }

    /// False where no reply can come: the sender then says so. Looked up while the list is held, so that no command falls
    /// between the end of the connection and the end of all who wait.
    fn expect_reply(&self, id: u64, method: &str, sender: ReplySender) -> bool {
        let mut pending = self.pending();
        let is_open = !self.closed.load(Ordering::Acquire);
        if is_open {
            pending.insert(id, (method.to_string(), sender));
        } else {
            let _receiver_is_here = sender.send(Err(DriverError::Lost));
        }
        is_open
    }

    /// Sends a command and waits for its reply, at most until the deadline.
    pub async fn call(
        self: &Arc<Self>,
        session: Option<&str>,
        method: &str,
        params: impl Serialize,
        deadline: Deadline,
    ) -> CommandReply {
        self.send(session, method, params).until(deadline).await
    }

    pub fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Acquire)
    }

    fn pending(&self) -> std::sync::MutexGuard<'_, HashMap<u64, (String, ReplySender)>> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self, message: &[u8], handler: &dyn EventHandler) {
        // A message that is not what the protocol promises is no reason to lose the others.
        let Ok(incoming) = serde_json::from_slice::<Incoming<'_>>(message) else {
            return self.refuse(reply_id(message), UNREADABLE);
        };
        if let Some(id) = incoming.id {
            let Some((method, sender)) = self.pending().remove(&id) else { return };
            let reply = match (incoming.result, incoming.error) {
                (_, Some(error)) => {
                    let (code, message) = refusal_of(&incoming, error);
                    Err((self.refusal)(method, &code, message))
                }
                (Some(result), None) => Ok(result.to_owned()),
                (None, None) => Ok(RawValue::NULL.to_owned()),
            };
            let _caller_may_have_left = sender.send(reply);
        } else if let Some(method) = incoming.method {
            handler.event(incoming.session, method, incoming.params.unwrap_or(RawValue::NULL));
        }
    }

    /// Fails the command that waits for this reply.
    fn refuse(&self, id: Option<u64>, why: &str) {
        let Some((method, sender)) = id.and_then(|id| self.pending().remove(&id)) else { return };
        let _caller_may_have_left =
            sender.send(Err(DriverError::Refused { method, message: why.to_string() }));
    }

    /// Ends everything that waits, as lost, or refused if there is a reason to give.
    fn close(&self, handler: &dyn EventHandler, why: Option<&str>) {
        self.closed.store(true, Ordering::Release);
        handler.closed();
        let waiting: Vec<(String, ReplySender)> = self.pending().drain().map(|(_, entry)| entry).collect();
        for (method, sender) in waiting {
            let err = match why {
                Some(why) => DriverError::Refused { method, message: why.to_string() },
                None => DriverError::Lost,
            };
            let _caller_may_have_left = sender.send(Err(err));
        }
    }
}

const UNREADABLE: &str = "the browser's answer is unreadable";

fn too_long(length: usize, longest: usize) -> String {
    format!("the browser's answer has {}, and at most {} are read", size_words(length), size_words(longest))
}

impl AwaitsReplies for Connection {
    fn forget(&self, id: u64) {
        self.pending().remove(&id);
    }
}

#[cfg(test)]
#[path = "connection_tests.rs"]
mod tests;
