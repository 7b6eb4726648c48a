//! A small threaded HTTP/1.1 server on the loopback interface.
//!
//! One thread a connection, connections are kept open. Knows nothing of what
//! it serves: a handler turns each request into a response.

use std::collections::HashMap;
use std::io::{self, BufReader, Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::request::{self, Incoming};
use crate::response::{Body, Ending, has_body};
use crate::{Request, Response};

/// A running server. Dropping it closes all connections and waits for its threads.
pub struct Server {
    address: SocketAddr,
    shared: Arc<Shared>,
    acceptor: Option<JoinHandle<()>>,
}

impl Server {
    /// Serves on a free port of 127.0.0.1.
    pub fn start(handler: impl Fn(&Request) -> Response + Send + Sync + 'static) -> Server {
        Self::start_on(0, handler).expect("a free loopback port can always be bound")
    }

    /// Serves on this port of 127.0.0.1, or on a free one when it is 0.
    pub fn start_on(
        port: u16,
        handler: impl Fn(&Request) -> Response + Send + Sync + 'static,
    ) -> io::Result<Server> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        let address = listener.local_addr()?;
        let shared =
            Arc::new(Shared { handler: Box::new(handler), state: Mutex::default(), stopped: Condvar::new() });
        let acceptor = thread::Builder::new().name("testkit-accept".to_owned()).spawn({
            let shared = Arc::clone(&shared);
            move || accept(&listener, &shared)
        })?;
        Ok(Server { address, shared, acceptor: Some(acceptor) })
    }

    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// The address of a path: `server.url("/list")` is `http://127.0.0.1:1234/list`.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.shared.stop();
        // The acceptor sits in `accept`, which only a connection ends.
        drop(TcpStream::connect(self.address));
        if let Some(acceptor) = self.acceptor.take() {
            drop(acceptor.join());
        }
        // No thread is added any more. Those that serve end because their sockets were shut down.
        let threads = std::mem::take(&mut self.shared.state().threads);
        for thread in threads {
            drop(thread.join());
        }
    }
}

struct Shared {
    handler: Box<dyn Fn(&Request) -> Response + Send + Sync>,
    state: Mutex<State>,
    stopped: Condvar,
}

#[derive(Default)]
struct State {
    stop: bool,
    next_connection: u64,
    connections: HashMap<u64, TcpStream>,
    threads: Vec<JoinHandle<()>>,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn stop(&self) {
        let mut state = self.state();
        state.stop = true;
        for stream in state.connections.values() {
            // A socket that is closed already cannot be shut down, and need not be.
            drop(stream.shutdown(Shutdown::Both));
        }
        self.stopped.notify_all();
    }

    /// Waits, but no longer than the server lives. False when it was stopped.
    fn pause(&self, duration: Duration) -> bool {
        let end = Instant::now() + duration;
        let mut state = self.state();
        while !state.stop {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return true;
            }
            state = self.stopped.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        false
    }
}

fn accept(listener: &TcpListener, shared: &Arc<Shared>) {
    for stream in listener.incoming() {
        if shared.state().stop {
            return;
        }
        // Out of file descriptors, most likely: without a pause the loop would spin.
        let Ok(stream) = stream else {
            shared.pause(Duration::from_millis(10));
            continue;
        };
        drop(stream.set_nodelay(true));
        let Ok(handle) = stream.try_clone() else { continue };
        let mut state = shared.state();
        if state.stop {
            return;
        }
        let id = state.next_connection;
        state.next_connection += 1;
        state.connections.insert(id, handle);
        state.threads.retain(|thread| !thread.is_finished());
        let spawned = thread::Builder::new().name(format!("testkit-{id}")).spawn({
            let shared = Arc::clone(shared);
            move || {
                serve(&stream, &shared);
                drop(stream.shutdown(Shutdown::Both));
                shared.state().connections.remove(&id);
            }
        });
        match spawned {
            Ok(thread) => state.threads.push(thread),
            Err(_) => drop(state.connections.remove(&id)),
        }
    }
}

/// Answers the requests of one connection, one after the other.
fn serve(stream: &TcpStream, shared: &Shared) {
    let mut reader = BufReader::new(stream);
    loop {
        let go_on = || (&mut &*stream).write_all(b"HTTP/1.1 100 Continue\r\n\r\n");
        let (request, reuse) = match request::read(&mut reader, go_on) {
            Incoming::Request { request, reuse } => (request, reuse),
            Incoming::Closed => return,
            Incoming::Refused(status) => {
                refuse(stream, status, shared);
                return;
            }
        };
        // A handler that panics is a test's mistake. It must not look like a hanging network.
        let response = catch_unwind(AssertUnwindSafe(|| (shared.handler)(&request)))
            .unwrap_or_else(|_| Response::status(500));
        if matches!(response.body, Body::HangUp) {
            return;
        }
        if matches!(response.body, Body::Never) {
            wait_for_the_other_side_to_leave(stream);
            return;
        }
        if !shared.pause(response.delay)
            || send(stream, &request, &response, reuse, shared).is_err()
            || !reuse
        {
            return;
        }
    }
}

fn send(
    mut stream: &TcpStream,
    request: &Request,
    response: &Response,
    reuse: bool,
    shared: &Shared,
) -> io::Result<()> {
    let head = response.head(reuse);
    if request.method == "HEAD" || !has_body(response.status) {
        return stream.write_all(head.as_bytes());
    }
    match &response.body {
        Body::Whole(bytes) => {
            // In one write: two would be two packets, and the page would arrive later.
            let mut all = head.into_bytes();
            all.extend_from_slice(bytes);
            stream.write_all(&all)
        }
        Body::Drip { chunk, count, pause } => {
            stream.write_all(head.as_bytes())?;
            for _ in 0..*count {
                if !shared.pause(*pause) {
                    return Err(io::ErrorKind::Interrupted.into());
                }
                stream.write_all(chunk)?;
            }
            Ok(())
        }
        Body::Pieces { pieces, ending } => {
            stream.write_all(head.as_bytes())?;
            for piece in pieces.iter().filter(|piece| !piece.is_empty()) {
                let mut chunk = format!("{:x}\r\n", piece.len()).into_bytes();
                chunk.extend_from_slice(piece);
                chunk.extend_from_slice(b"\r\n");
                stream.write_all(&chunk)?;
            }
            match ending {
                Ending::Whole => stream.write_all(b"0\r\n\r\n"),
                // The error makes the caller close the connection.
                Ending::Cut => Err(io::ErrorKind::ConnectionAborted.into()),
                Ending::Hang => {
                    wait_for_the_other_side_to_leave(stream);
                    Err(io::ErrorKind::ConnectionAborted.into())
                }
            }
        }
        Body::Never | Body::HangUp => Ok(()),
    }
}

/// Answers with a status and gives the client a moment to read it. Closing while
/// unread bytes are still arriving would reset the connection and lose the answer.
fn refuse(mut stream: &TcpStream, status: u16, shared: &Shared) {
    let response = Response::status(status);
    if send(stream, &Request::default(), &response, false, shared).is_err() {
        return;
    }
    drop(stream.shutdown(Shutdown::Write));
    drop(stream.set_read_timeout(Some(Duration::from_millis(200))));
    let end = Instant::now() + Duration::from_secs(1);
    let mut rest = [0; 16 * 1024];
    while Instant::now() < end && matches!(stream.read(&mut rest), Ok(read) if read > 0) {}
}

fn wait_for_the_other_side_to_leave(mut stream: &TcpStream) {
    let mut ignored = [0; 1024];
    while matches!(stream.read(&mut ignored), Ok(read) if read > 0) {}
}

#[cfg(test)]
#[path = "server_tests.rs"]
mod tests;
