//! The user at the other end of a connection on this machine.
//!
//! Every user of the machine can reach a loopback port, and the first process to bind it gets the connection. The
//! system's table of connections names the owner of each end.

use std::fmt;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use assay_driver::Deadline;
use tokio::net::TcpStream;

/// Why a connection is not used.
#[derive(Debug)]
pub enum PeerTrouble {
    /// The program at the other end belongs to another user.
    OtherUser { peer: SocketAddr, uid: u32 },
    /// It is not known who is there.
    Unknown { source: io::Error },
}

impl fmt::Display for PeerTrouble {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PeerTrouble::OtherUser { peer, uid } => {
                write!(out, "a program of another user (uid {uid}) has the port {}", peer.port())
            }
            PeerTrouble::Unknown { source } => {
                write!(out, "the system does not say whose program has the port: {source}")
            }
        }
    }
}

/// The longest wait for a program to accept a connection that the system has accepted for it.
const ACCEPTING: Duration = Duration::from_secs(5);

/// Both ends of a connection on this machine.
#[derive(Debug, Clone, Copy)]
pub struct Ends {
    own: SocketAddr,
    peer: SocketAddr,
}

impl Ends {
    pub fn of(stream: &TcpStream) -> io::Result<Ends> {
        Ok(Ends { own: stream.local_addr()?, peer: stream.peer_addr()? })
    }

    /// Whether the program that we connected to is one of this user.
    pub async fn check_server(self, deadline: Deadline) -> Result<(), PeerTrouble> {
        let deadline = deadline.at_most(ACCEPTING);
        loop {
            match self.check_client() {
                // Until the program accepts the connection, nobody owns that end.
                Err(PeerTrouble::Unknown { source })
                    if source.kind() == io::ErrorKind::NotFound && !deadline.is_past() =>
                {
                    tokio::time::sleep(Duration::from_millis(5)).await;
                }
                result => return result,
            }
        }
    }

    /// Whether the program that connected to us is one of this user.
    pub fn check_client(self) -> Result<(), PeerTrouble> {
        let Ends { own, peer } = self;
        let uid = owner(peer, own).map_err(|source| PeerTrouble::Unknown { source })?;
        // SAFETY: a plain system call.
        if uid == unsafe { libc::geteuid() } { Ok(()) } else { Err(PeerTrouble::OtherUser { peer, uid }) }
    }
}

/// The owner of the end `local` of a connection to `remote`. An end that nobody holds is not found.
fn owner(local: SocketAddr, remote: SocketAddr) -> io::Result<u32> {
    // A program may speak IPv4 through a socket of IPv6.
    for table in ["/proc/net/tcp", "/proc/net/tcp6"] {
        let text = match std::fs::read_to_string(table) {
            Ok(text) => text,
            // A machine without IPv6 has no such table.
            Err(err) if err.kind() == io::ErrorKind::NotFound && table.ends_with('6') => continue,
            Err(err) => return Err(io::Error::other(format!("{table}: {err}"))),
        };
        if let Some(uid) = owner_in(&text, local, remote) {
            return Ok(uid);
        }
    }
    Err(io::Error::new(io::ErrorKind::NotFound, "the connection is not in its table"))
}

/// Columns of the table: number, local address, remote address, state, queues, timer, retransmits, uid, timeout, inode.
fn owner_in(table: &str, local: SocketAddr, remote: SocketAddr) -> Option<u32> {
    table.lines().skip(1).find_map(|line| {
        let columns: Vec<&str> = line.split_ascii_whitespace().collect();
        let is_it = address(columns.get(1)?)? == plain(local) && address(columns.get(2)?)? == plain(remote);
        let is_held = *columns.get(9)? != "0";
        if is_it && is_held { columns.get(7)?.parse().ok() } else { None }
    })
}

/// `0100007F:1F90`: each group of four bytes is a number as this machine keeps it.
fn address(text: &str) -> Option<SocketAddr> {
    let (ip, port) = text.split_once(':')?;
    let mut bytes = Vec::new();
    for group in ip.as_bytes().chunks(8) {
        let group = u32::from_str_radix(std::str::from_utf8(group).ok()?, 16).ok()?;
        bytes.extend(group.to_ne_bytes());
    }
    let ip = match bytes.len() {
        4 => IpAddr::from(<[u8; 4]>::try_from(bytes).ok()?),
        16 => IpAddr::from(<[u8; 16]>::try_from(bytes).ok()?),
        _ => return None,
    };
    Some(plain(SocketAddr::new(ip, u16::from_str_radix(port, 16).ok()?)))
}

fn plain(address: SocketAddr) -> SocketAddr {
    SocketAddr::new(address.ip().to_canonical(), address.port())
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;
    use std::os::unix::process::CommandExt;
    use std::process::{Command, Stdio};

    use tokio::net::TcpListener;

    use super::*;

    const TABLE: &str = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 4711 1 0 100 0 0 10 0
   1: 0100007F:1F90 0100007F:C350 01 00000000:00000000 00:00000000 00000000  1001        0 4712 1 0 20 4 30 10 -1
   2: 0100007F:1F90 0100007F:C351 01 00000000:00000000 00:00000000 00000000     0        0 0 1 0 20 4 30 10 -1\n";

    fn local(port: u16) -> SocketAddr {
        SocketAddr::from((Ipv4Addr::LOCALHOST, port))
    }

    #[test]
    #[cfg(target_endian = "little")]
    fn the_table_names_the_owner_of_an_end() {
        assert_eq!(owner_in(TABLE, local(8080), local(50000)), Some(1001));
        assert_eq!(owner_in(TABLE, local(8080), local(50001)), None, "nobody has accepted it");
        assert_eq!(owner_in(TABLE, local(50000), local(8080)), None);
        let six = TABLE
            .replace("0100007F", "0000000000000000FFFF00000100007F")
            .replace("00000000:0000 0A", "00000000000000000000000000000000:0000 0A");
        assert_eq!(owner_in(&six, local(8080), local(50000)), Some(1001));
        for broken in ["", "x\ny", "x\n 0: zz:1 0100007F:C350 01 a b c d e f g", "x\n 0: 01:1F90 01:C350"] {
            assert_eq!(owner_in(broken, local(8080), local(50000)), None);
        }
    }

    #[tokio::test]
    async fn our_own_programs_are_let_in() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        let checked = Ends::of(&client).unwrap().check_server(Deadline::after(Duration::from_secs(5)));
        let accepted = async { listener.accept().await.unwrap().0 };
        let (checked, server) = tokio::join!(checked, accepted);
        assert!(checked.is_ok(), "{checked:?}");
        assert!(Ends::of(&server).unwrap().check_client().is_ok());
    }

    #[tokio::test]
    async fn a_port_that_nobody_serves_is_not_trusted() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        let ends = Ends::of(&client).unwrap();
        let checked = ends.check_server(Deadline::after(Duration::from_millis(50))).await;
        assert!(matches!(checked, Err(PeerTrouble::Unknown { .. })), "{checked:?}");
    }

    /// Only root can start a program of another user.
    #[tokio::test]
    async fn programs_of_another_user_are_refused() {
        // SAFETY: a plain system call.
        if unsafe { libc::geteuid() } != 0 {
            return;
        }
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let mut stranger = Command::new("bash")
            .args(["-c", &format!("exec 3<>/dev/tcp/127.0.0.1/{port}; read -r -u 3")])
            .current_dir("/")
            .uid(65534)
            .stdin(Stdio::null())
            .spawn()
            .unwrap();
        let (stream, _) = listener.accept().await.unwrap();
        let checked = Ends::of(&stream).unwrap().check_client();
        drop(stream);
        stranger.wait().unwrap();
        match checked {
            Err(PeerTrouble::OtherUser { uid, .. }) => assert_eq!(uid, 65534),
            other => panic!("{other:?}"),
        }
    }
}
