//! The part of SOCKS5 (RFC 1928) that a browser speaks with a server on the same machine: no authentication, and
//! connections by TCP only.
//!
//! Knows bytes. Does not know which host may be reached.

use std::io;
use std::net::{Ipv4Addr, Ipv6Addr};

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

const VERSION: u8 = 5;
const NO_AUTHENTICATION: u8 = 0;
const NO_METHOD_FITS: u8 = 0xFF;
const CONNECT: u8 = 1;

/// Where a connection is wanted to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SocksDestination {
    /// A name or an address, without brackets.
    pub host: String,
    pub port: u16,
}

/// What becomes of a connection that was asked for, by the numbers of the protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SocksReply {
    Granted = 0,
    Failed = 1,
    NotAllowed = 2,
    HostUnreachable = 4,
    ConnectionRefused = 5,
    CommandUnknown = 7,
    AddressUnknown = 8,
}

/// Hears out a browser up to where it wants to go. What cannot be understood has been answered when the error comes.
pub(crate) async fn hear(stream: &mut (impl AsyncRead + AsyncWrite + Unpin)) -> io::Result<SocksDestination> {
    let [version, methods] = read_bytes(stream).await?;
    if version != VERSION {
        return Err(not_understood("another version"));
    }
    let mut offered = vec![0; usize::from(methods)];
    stream.read_exact(&mut offered).await?;
    if !offered.contains(&NO_AUTHENTICATION) {
        stream.write_all(&[VERSION, NO_METHOD_FITS]).await?;
        return Err(not_understood("only authenticated methods"));
    }
    stream.write_all(&[VERSION, NO_AUTHENTICATION]).await?;
    let [_version, command, _reserved, kind] = read_bytes(stream).await?;
    if command != CONNECT {
        answer(stream, SocksReply::CommandUnknown).await?;
        return Err(not_understood("a command other than CONNECT"));
    }
    let host = match kind {
        1 => Ipv4Addr::from(read_bytes::<4>(stream).await?).to_string(),
        3 => {
            let [length] = read_bytes(stream).await?;
            let mut name = vec![0; usize::from(length)];
            stream.read_exact(&mut name).await?;
            String::from_utf8(name).map_err(|_| not_understood("a host name that is not UTF-8"))?
        }
        4 => Ipv6Addr::from(read_bytes::<16>(stream).await?).to_string(),
        _ => {
            answer(stream, SocksReply::AddressUnknown).await?;
            return Err(not_understood("an unknown address type"));
        }
    };
    let port = u16::from_be_bytes(read_bytes(stream).await?);
    Ok(SocksDestination { host, port })
}

/// The address that the protocol wants in an answer means nothing to a browser.
pub(crate) async fn answer(stream: &mut (impl AsyncWrite + Unpin), reply: SocksReply) -> io::Result<()> {
    stream.write_all(&[VERSION, reply as u8, 0, 1, 0, 0, 0, 0, 0, 0]).await
}

async fn read_bytes<const COUNT: usize>(stream: &mut (impl AsyncRead + Unpin)) -> io::Result<[u8; COUNT]> {
    let mut bytes = [0; COUNT];
    stream.read_exact(&mut bytes).await?;
    Ok(bytes)
}

fn not_understood(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("expected SOCKS5, found {what}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a browser says, and what is understood or answered.
    async fn said(request: &[u8]) -> (io::Result<SocksDestination>, Vec<u8>) {
        let (mut browser, mut gate) = tokio::io::duplex(256);
        browser.write_all(&[5, 1, 0]).await.unwrap();
        browser.write_all(request).await.unwrap();
        let heard = hear(&mut gate).await;
        drop(gate);
        let mut answered = Vec::new();
        browser.read_to_end(&mut answered).await.unwrap();
        (heard, answered)
    }

    async fn check(request: &[u8], host: &str, port: u16) {
        let (heard, answered) = said(request).await;
        assert_eq!(heard.unwrap(), SocksDestination { host: host.to_string(), port });
        assert_eq!(answered, [5, 0]);
    }

    #[tokio::test]
    async fn names_and_addresses_are_understood() {
        check(b"\x05\x01\x00\x03\x09localhost\x1f\x90", "localhost", 8080).await;
        check(&[5, 1, 0, 1, 127, 0, 0, 1, 0, 80], "127.0.0.1", 80).await;
        check(&[5, 1, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 187], "::1", 443).await;
    }

    #[tokio::test]
    async fn nothing_but_connections_is_made() {
        const BY_UDP: &[u8] = &[5, 3, 0, 1, 127, 0, 0, 1, 0, 80];
        let (heard, answered) = said(BY_UDP).await;
        assert!(heard.is_err());
        assert_eq!(answered[2..4], [5, 7]);
    }

    #[tokio::test]
    async fn one_who_speaks_otherwise_is_not_listened_to() {
        let (mut browser, mut gate) = tokio::io::duplex(256);
        browser.write_all(b"GET / HTTP/1.1\r\n\r\n").await.unwrap();
        assert_eq!(hear(&mut gate).await.unwrap_err().to_string(), "expected SOCKS5, found another version");
    }
}
