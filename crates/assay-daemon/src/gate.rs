//! The gate between a browser and the network: every connection is asked for here, and only those to hosts that the
//! policy allows are made.
//!
//! Only programs of this user are let in: others could use it as their own way to the allowed hosts.
//!
//! It stands below everything that a page can do: documents, redirects, frames, workers of all kinds, sockets, beacons and
//! downloads all begin with a connection. It sees names of hosts, and no content: what passes is carried as it is.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use assay_actions::Policy;
use assay_driver::{DriverEvent, EventSink};
use assay_wire::Ends;
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::{JoinHandle, JoinSet};

use crate::socks::{self, SocksDestination, SocksReply};

/// Open for as long as it is kept. When it goes, so do all connections that were made through it.
pub(crate) struct Gate {
    address: SocketAddr,
    keeper: JoinHandle<()>,
}

impl Gate {
    /// Opens a gate that tells `sink` of each connection it refuses, but for those to hosts that the browser asks by
    /// itself: nobody could do anything about them.
    pub async fn open(
        policy: Policy,
        own_hosts: &'static [&'static str],
        sink: Arc<dyn EventSink>,
    ) -> io::Result<Gate> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let keeper = tokio::spawn(keep(listener, Arc::new(DomainRules { policy, own_hosts, sink })));
        Ok(Gate { address, keeper })
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for Gate {
    fn drop(&mut self) {
        self.keeper.abort();
    }
}

struct DomainRules {
    policy: Policy,
    own_hosts: &'static [&'static str],
    sink: Arc<dyn EventSink>,
}

async fn keep(listener: TcpListener, rules: Arc<DomainRules>) {
    // Its end is the end of all that is in it.
    let mut passing = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => {
                // One that went before it was let in wants nothing any more.
                if let Ok((stream, _)) = accepted
                    && Ends::of(&stream).is_ok_and(|ends| ends.check_client().is_ok())
                {
                    let rules = Arc::clone(&rules);
                    // What breaks is told to the page by its browser.
                    passing.spawn(async move { drop(pass(stream, &rules).await) });
                }
            }
            Some(_ended) = passing.join_next() => {}
        }
    }
}

async fn pass(mut browser: TcpStream, rules: &DomainRules) -> io::Result<()> {
    // What is small waits for nothing: half of what a page says is small.
    browser.set_nodelay(true)?;
    let SocksDestination { host, port } = socks::hear(&mut browser).await?;
    if rules.policy.check_host(&host).is_err() {
        // Told first: whoever waits for the page learns of the failure only after it.
        if !rules.own_hosts.contains(&host.as_str()) {
            rules.sink.event(DriverEvent::ConnectionRefused { host });
        }
        return socks::answer(&mut browser, SocksReply::NotAllowed).await;
    }
    match TcpStream::connect((host.as_str(), port)).await {
        Ok(mut server) => {
            server.set_nodelay(true)?;
            socks::answer(&mut browser, SocksReply::Granted).await?;
            copy_bidirectional(&mut browser, &mut server).await?;
            Ok(())
        }
        Err(err) => {
            let reply = match err.kind() {
                io::ErrorKind::ConnectionRefused => SocksReply::ConnectionRefused,
                io::ErrorKind::HostUnreachable | io::ErrorKind::NetworkUnreachable => {
                    SocksReply::HostUnreachable
                }
                // A name that stands for no address has no kind of error of its own.
                _ if host.parse::<std::net::IpAddr>().is_err() => SocksReply::HostUnreachable,
                _ => SocksReply::Failed,
            };
            socks::answer(&mut browser, reply).await
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    use super::*;

    #[derive(Default)]
    struct Heard(Mutex<Vec<String>>);

    impl EventSink for Heard {
        fn event(&self, event: DriverEvent) {
            if let DriverEvent::ConnectionRefused { host } = event {
                self.0.lock().unwrap().push(host);
            }
        }
    }

    /// Asks the gate for a connection to a name, and says something when it is made: the reply, and what comes back.
    async fn asked(gate: &Gate, host: &str, port: u16) -> (u8, String) {
        let mut browser = TcpStream::connect(gate.address()).await.unwrap();
        let mut request = vec![5, 1, 0, 5, 1, 0, 3, host.len() as u8];
        request.extend(host.as_bytes());
        request.extend(port.to_be_bytes());
        browser.write_all(&request).await.unwrap();
        let mut reply = [0; 12];
        browser.read_exact(&mut reply).await.unwrap();
        // One that was refused is closed already.
        let _may_be_closed = browser.write_all(b"ping").await;
        let _may_be_closed = browser.shutdown().await;
        let mut said = String::new();
        let _may_be_closed = browser.read_to_string(&mut said).await;
        (reply[3], said)
    }

    #[tokio::test]
    async fn only_allowed_hosts_are_connected_to() {
        let server = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let port = server.local_addr().unwrap().port();
        let echo = tokio::spawn(async move {
            let (mut stream, _) = server.accept().await.unwrap();
            let mut said = String::new();
            stream.read_to_string(&mut said).await.unwrap();
            stream.write_all(said.to_uppercase().as_bytes()).await.unwrap();
            server
        });
        let policy = Policy { allowed_domains: Some(vec!["127.0.0.1".to_string()]), ..Policy::default() };
        let heard = Arc::new(Heard::default());
        let sink = Arc::clone(&heard) as Arc<dyn EventSink>;
        let gate = Gate::open(policy, &["updates.example"], sink).await.unwrap();
        assert_eq!(asked(&gate, "updates.example", 443).await.0, SocksReply::NotAllowed as u8);
        assert_eq!(asked(&gate, "localhost", port).await, (SocksReply::NotAllowed as u8, String::new()));
        assert_eq!(asked(&gate, "127.0.0.1", port).await, (SocksReply::Granted as u8, "PING".to_string()));
        assert_eq!(*heard.0.lock().unwrap(), ["localhost"]);
        // Nothing listens there any more.
        drop(echo.await.unwrap());
        assert_eq!(asked(&gate, "127.0.0.1", port).await.0, SocksReply::ConnectionRefused as u8);
    }

    /// Only root can start a program of another user.
    #[tokio::test]
    async fn programs_of_another_user_are_not_let_in() {
        use std::os::unix::process::CommandExt;
        // SAFETY: a plain system call.
        if unsafe { libc::geteuid() } != 0 {
            return;
        }
        let server = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let gate = Gate::open(Policy::default(), &[], Arc::new(Heard::default())).await.unwrap();
        let script = format!(
            "exec 3<>/dev/tcp/127.0.0.1/{}; printf '\\5\\1\\0' >&3; head -c 2 <&3 | wc -c",
            gate.address().port()
        );
        let mut command = std::process::Command::new("bash");
        command.args(["-c", &script]).current_dir("/").uid(65534).stdin(std::process::Stdio::null());
        let output = tokio::task::spawn_blocking(move || command.output()).await.unwrap().unwrap();
        // It hears nothing, not even the greeting.
        assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), "0", "{output:?}");
        drop(server);
    }
}
