//! Requests and replies over the daemon's socket.

use std::io::{BufRead, BufReader, ErrorKind, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use assay_protocol::{
    Ask, Control, ErrorCode, Failure, Format, GREETING, Outcome, PROTOCOL_VERSION, Reply, Request,
};

/// How a daemon is started when none runs. Returns when it takes requests.
pub type StartDaemon<'a> = &'a dyn Fn() -> Result<(), Failure>;

/// Whether nobody waits for the reply any more.
pub type IsStopped<'a> = Option<&'a dyn Fn() -> bool>;

/// A client of one session. Keeps its connection between requests.
pub struct Client {
    socket: PathBuf,
    connection: Option<BufReader<UnixStream>>,
}

/// What the client allows beyond the daemon's own deadline before it gives up.
const GRACE: Duration = Duration::from_secs(3);
/// How often a client that may be stopped looks whether it is.
const LOOK_EVERY: Duration = Duration::from_millis(50);
/// The first request of a session also waits for the browser.
const START_GRACE: Duration = Duration::from_secs(35);

enum Trouble {
    /// The request did not reach a daemon; it can be sent again.
    NotSent(std::io::Error),
    /// It was sent, and no reply came.
    NoReply(String),
    /// The daemon is there and says nothing.
    Silent(String),
    /// There is no daemon and none could be started.
    Failed(Failure),
}

impl Client {
    pub fn new(socket: PathBuf) -> Client {
        Client { socket, connection: None }
    }

    /// Sends a request and waits for its reply. A request that a daemon has heard is never sent twice: an act
    /// might happen twice, and a question would be answered by the empty page of a new browser.
    pub fn ask(&mut self, request: &Request, start: StartDaemon<'_>) -> Result<Reply, Failure> {
        self.ask_until(request, start, None)
    }

    /// [`Client::ask`] that ends soon after it was stopped. Its connection is closed then, by which the daemon knows that
    /// nobody waits.
    pub fn ask_until(
        &mut self,
        request: &Request,
        start: StartDaemon<'_>,
        is_stopped: IsStopped<'_>,
    ) -> Result<Reply, Failure> {
        let mut attempts = 0;
        loop {
            attempts += 1;
            match self.try_ask(request, start, is_stopped) {
                Ok(reply) => match &reply.outcome {
                    Outcome::Failed(failure) if failure.code == ErrorCode::WrongVersion && attempts < 3 => {
                        self.replace_daemon()?;
                        let mut reply = self.ask_until(request, start, is_stopped)?;
                        reply.notes.insert(0, "the daemon had a different version and was restarted; the new browser has none of the old tabs and logins".to_string());
                        return Ok(reply);
                    }
                    _ => return Ok(reply),
                },
                Err(Trouble::NotSent(_)) if attempts < 8 => {
                    self.connection = None;
                    continue;
                }
                Err(Trouble::NotSent(err)) => {
                    return Err(Failure::new(
                        ErrorCode::DaemonFailed,
                        format!("could not reach the daemon: {err}"),
                    )
                    .hint("run `assay doctor` to find the cause"));
                }
                Err(Trouble::Failed(failure)) => return Err(failure),
                Err(Trouble::NoReply(reason) | Trouble::Silent(reason)) => {
                    return Err(unanswered(request, &reason));
                }
            }
        }
    }

    /// Sends a request over the connection that is open, and leaves its reply to `finish`. Without a connection nothing
    /// is sent, and `ask` makes one.
    pub fn begin(&mut self, request: &Request) -> bool {
        let Some(connection) = self.connection.as_mut() else { return false };
        let is_sent = send(connection, request).is_ok();
        if !is_sent {
            self.connection = None;
        }
        is_sent
    }

    /// Where the reply to a request that has begun comes from.
    pub fn reply_source(&self) -> Option<BorrowedFd<'_>> {
        self.connection.as_ref().map(|connection| connection.get_ref().as_fd())
    }

    /// Reads the reply to a request that has begun, after its source became readable or its time was over. None if the daemon is of another version and has done nothing.
    pub fn finish(&mut self, request: &Request) -> Result<Option<Reply>, Failure> {
        let nobody = || Trouble::NoReply("the connection to the daemon is gone".to_string());
        let received = self
            .connection
            .as_mut()
            .ok_or_else(nobody)
            .and_then(|connection| receive(connection, GRACE, None));
        match received {
            Ok(reply) => {
                let is_other = matches!(&reply.outcome, Outcome::Failed(failure) if failure.code == ErrorCode::WrongVersion);
                Ok((!is_other).then_some(reply))
            }
            Err(trouble) => {
                self.connection = None;
                Err(match trouble {
                    Trouble::Silent(_) => {
                        unanswered(request, &silence(patience_for(request, Greeting::Read)))
                    }
                    Trouble::NoReply(reason) => unanswered(request, &reason),
                    Trouble::NotSent(err) => unanswered(request, &err.to_string()),
                    Trouble::Failed(failure) => failure,
                })
            }
        }
    }

    fn try_ask(
        &mut self,
        request: &Request,
        start: StartDaemon<'_>,
        is_stopped: IsStopped<'_>,
    ) -> Result<Reply, Trouble> {
        let fresh = self.connection.is_none();
        if fresh {
            self.connect(start)?;
        }
        let Some(connection) = self.connection.as_mut() else {
            return Err(Trouble::NotSent(std::io::Error::from(ErrorKind::NotConnected)));
        };
        let greeting = if fresh { Greeting::Awaited } else { Greeting::Read };
        let result = exchange(connection, request, patience_for(request, greeting), greeting, is_stopped);
        if result.is_err() {
            self.connection = None;
        }
        result
    }

    fn connect(&mut self, start: StartDaemon<'_>) -> Result<(), Trouble> {
        let stream = match UnixStream::connect(&self.socket) {
            Err(err) if matches!(err.kind(), ErrorKind::NotFound | ErrorKind::ConnectionRefused) => {
                start().map_err(Trouble::Failed)?;
                UnixStream::connect(&self.socket)
            }
            connected => connected,
        };
        self.connection = Some(BufReader::new(stream.map_err(Trouble::NotSent)?));
        Ok(())
    }

    /// Ends a daemon of another version. Its reply to `stop` is understood by all.
    fn replace_daemon(&mut self) -> Result<(), Failure> {
        self.connection = None;
        ask_running(&self.socket, Control::Stop, Duration::from_secs(10))?;
        let until = Instant::now() + Duration::from_secs(5);
        while self.socket.exists() && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(5));
        }
        Ok(())
    }
}

/// A request that was heard, and to which nothing came back.
fn unanswered(request: &Request, reason: &str) -> Failure {
    let changes = matches!(&request.ask, Ask::Act(action) if action.changes_the_page());
    let (code, what) = if changes {
        (ErrorCode::OutcomeUnknown, "the command may or may not have taken effect")
    } else {
        (ErrorCode::DaemonFailed, "the command was not answered")
    };
    Failure::new(code, format!("{reason}: {what}")).hint("assay url shows the current address")
}

fn silence(patience: Duration) -> String {
    format!("the daemon did not answer within {:.0}s", patience.as_secs_f64())
}

/// How long the reply to a request is waited for.
fn patience_for(request: &Request, greeting: Greeting) -> Duration {
    let grace = match greeting {
        Greeting::Awaited => START_GRACE,
        Greeting::Read => GRACE,
    };
    Duration::from_millis(request.deadline_ms) + grace
}

fn is_silence(err: &std::io::Error) -> bool {
    matches!(err.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut)
}

/// A daemon that is stopped or stuck can only be ended from outside.
fn silent(reason: String, peer: Option<i32>) -> Failure {
    let failure = Failure::new(ErrorCode::DaemonFailed, reason);
    match peer {
        Some(pid) => failure.hint(format!("kill it and its browser: kill -9 {pid}")),
        None => failure.hint("run `assay doctor` to find the cause"),
    }
}

/// Who listens on the other side.
fn peer_pid(stream: &UnixStream) -> Option<i32> {
    use std::os::fd::AsRawFd;
    let mut peer = libc::ucred { pid: 0, uid: 0, gid: 0 };
    let mut size = std::mem::size_of::<libc::ucred>() as libc::socklen_t;
    // SAFETY: the structure and its size belong together, and the kernel writes no more than that.
    let asked = unsafe {
        libc::getsockopt(
            stream.as_raw_fd(),
            libc::SOL_SOCKET,
            libc::SO_PEERCRED,
            std::ptr::from_mut(&mut peer).cast(),
            &mut size,
        )
    };
    (asked == 0 && peer.pid > 0).then_some(peer.pid)
}

/// How long a daemon may take to let a client in.
const GREETING_TIME: Duration = Duration::from_secs(5);

/// Reads the daemon's greeting. It is written before anything is read, so a request without it was never heard:
/// a daemon that is just dying takes connections it will never read.
fn read_greeting(connection: &mut BufReader<UnixStream>) -> std::io::Result<()> {
    connection.get_ref().set_read_timeout(Some(GREETING_TIME))?;
    let mut line = String::new();
    connection.read_line(&mut line)?;
    if line != GREETING {
        // A moment later there is another daemon, or none.
        std::thread::sleep(Duration::from_millis(20));
        return Err(std::io::Error::from(ErrorKind::ConnectionReset));
    }
    Ok(())
}

/// Whether this is the first request on a connection.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Greeting {
    Awaited,
    Read,
}

fn exchange(
    connection: &mut BufReader<UnixStream>,
    request: &Request,
    patience: Duration,
    greeting: Greeting,
    is_stopped: IsStopped<'_>,
) -> Result<Reply, Trouble> {
    send(connection, request).map_err(Trouble::NotSent)?;
    if greeting == Greeting::Awaited {
        let peer = peer_pid(connection.get_ref());
        read_greeting(connection).map_err(|err| match is_silence(&err) {
            true => Trouble::Failed(silent("the daemon does not answer".to_string(), peer)),
            false => Trouble::NotSent(err),
        })?;
    }
    receive(connection, patience, is_stopped)
}

/// A request that was not written to its end is never carried out: it has no final newline.
fn send(connection: &mut BufReader<UnixStream>, request: &Request) -> std::io::Result<()> {
    let mut line = serde_json::to_vec(request)?;
    line.push(b'\n');
    connection.get_mut().write_all(&line)
}

fn receive(
    connection: &mut BufReader<UnixStream>,
    patience: Duration,
    is_stopped: IsStopped<'_>,
) -> Result<Reply, Trouble> {
    let until = Instant::now() + patience;
    let mut reply = Vec::new();
    let read = loop {
        let left = until.saturating_duration_since(Instant::now()).max(Duration::from_millis(1));
        let look = if is_stopped.is_some() { left.min(LOOK_EVERY) } else { left };
        connection.get_ref().set_read_timeout(Some(look)).map_err(Trouble::NotSent)?;
        // What came before the time was over is kept in `reply`.
        match connection.read_until(b'\n', &mut reply) {
            Err(err) if is_silence(&err) && Instant::now() < until => {
                if is_stopped.is_some_and(|is_stopped| is_stopped()) {
                    return Err(Trouble::NoReply("nobody waits for the answer any more".to_string()));
                }
            }
            read => break read,
        }
    };
    match read {
        Ok(0) => Err(Trouble::NoReply("the daemon ended before it answered".to_string())),
        Ok(_) if reply.last() != Some(&b'\n') => {
            Err(Trouble::NoReply("the daemon ended while it answered".to_string()))
        }
        Ok(_) => serde_json::from_slice(&reply)
            .map_err(|err| Trouble::NoReply(format!("the daemon's answer could not be read ({err})"))),
        Err(err) if is_silence(&err) => Err(Trouble::Silent(silence(patience))),
        Err(err) => Err(Trouble::NoReply(format!("the connection to the daemon broke ({err})"))),
    }
}

/// Asks a daemon that runs; None when there is none.
pub fn ask_running(
    socket: &std::path::Path,
    control: Control,
    patience: Duration,
) -> Result<Option<Reply>, Failure> {
    let stream = match UnixStream::connect(socket) {
        Ok(stream) => stream,
        Err(err) if matches!(err.kind(), ErrorKind::NotFound | ErrorKind::ConnectionRefused) => {
            return Ok(None);
        }
        Err(err) => {
            return Err(Failure::new(
                ErrorCode::DaemonFailed,
                format!("could not reach {}: {err}", socket.display()),
            ));
        }
    };
    let request = Request {
        version: PROTOCOL_VERSION,
        build: String::new(),
        ask: Ask::Control(control),
        deadline_ms: patience.as_millis() as u64,
        wait: false,
        budget: None,
        format: Format::Text,
        browser: Default::default(),
        allow: Vec::new(),
        by: Default::default(),
    };
    let peer = peer_pid(&stream);
    match exchange(&mut BufReader::new(stream), &request, patience, Greeting::Awaited, None) {
        Ok(reply) => Ok(Some(reply)),
        // A daemon that ends instead of answering has stopped.
        Err(Trouble::NoReply(_)) if control == Control::Stop => Ok(None),
        Err(Trouble::NoReply(reason) | Trouble::Silent(reason)) => Err(silent(reason, peer)),
        Err(Trouble::Failed(failure)) => Err(failure),
        // It was on its way out.
        Err(Trouble::NotSent(err)) if err.kind() == ErrorKind::ConnectionReset => Ok(None),
        Err(Trouble::NotSent(err)) => {
            Err(Failure::new(ErrorCode::DaemonFailed, format!("could not reach the daemon: {err}")))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;
    use std::os::unix::net::UnixListener;

    use super::*;

    #[test]
    fn a_client_that_is_stopped_leaves_a_daemon_that_does_not_answer() {
        let socket = std::env::temp_dir().join(format!("assay-client-{}.sock", std::process::id()));
        // Gone already is as good as removed.
        let _gone = std::fs::remove_file(&socket);
        let listener = UnixListener::bind(&socket).unwrap();
        let daemon = std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            stream.write_all(GREETING.as_bytes()).unwrap();
            let mut heard = String::new();
            // It ends when the client has left, and not before.
            stream.read_to_string(&mut heard).unwrap();
            heard
        });
        let hour = 60 * 60 * 1000;
        let request = Request {
            version: PROTOCOL_VERSION,
            build: String::new(),
            ask: Ask::Control(Control::Status),
            deadline_ms: hour,
            wait: false,
            budget: None,
            format: Format::Text,
            browser: Default::default(),
            allow: Vec::new(),
            by: Default::default(),
        };
        let failure =
            Client::new(socket.clone()).ask_until(&request, &|| Ok(()), Some(&|| true)).unwrap_err();
        assert!(failure.message.contains("nobody waits"), "{failure:?}");
        assert!(daemon.join().unwrap().ends_with('\n'));
        std::fs::remove_file(&socket).unwrap();
    }
}
