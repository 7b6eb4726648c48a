//! Finding the websocket of a browser that runs already.

use assay_driver::{Deadline, DriverError};
use assay_wire::{WebSocket, open_websocket};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// Takes `ws://…`, `http://host:port`, `host:port` or a bare port.
pub(crate) async fn connect(address: &str, deadline: Deadline) -> Result<WebSocket, DriverError> {
    if address.starts_with("ws://") || address.starts_with("wss://") {
        return open_websocket(address, deadline).await;
    }
    let failed = |reason: String| DriverError::ConnectFailed { address: address.to_string(), reason };
    match tokio::time::timeout_at(deadline.instant(), ask_for_websocket(address)).await {
        Ok(Ok(url)) => open_websocket(&url, deadline).await,
        Ok(Err(reason)) => Err(failed(reason)),
        Err(_) => Err(failed("no answer within the time allowed".to_string())),
    }
}

/// The browser names its websocket under `/json/version`.
async fn ask_for_websocket(address: &str) -> Result<String, String> {
    let host = address.strip_prefix("http://").unwrap_or(address).trim_end_matches('/');
    if host.starts_with("https://") {
        return Err("expected ws://, http:// or host:port".to_string());
    }
    let host = if host.bytes().all(|byte| byte.is_ascii_digit()) {
        format!("127.0.0.1:{host}")
    } else {
        host.to_string()
    };
    let mut stream = TcpStream::connect(&host).await.map_err(|err| err.to_string())?;
    let request = format!("GET /json/version HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.map_err(|err| err.to_string())?;
    let body = read_body(&mut stream).await?;
    let version: serde_json::Value =
        serde_json::from_slice(&body).map_err(|_| "it does not speak the DevTools protocol".to_string())?;
    version["webSocketDebuggerUrl"]
        .as_str()
        .map(str::to_string)
        .ok_or_else(|| "it named no websocket under /json/version".to_string())
}

/// The browser keeps the connection open whatever it was asked, so the length decides.
async fn read_body(stream: &mut TcpStream) -> Result<Vec<u8>, String> {
    const LONGEST: usize = 1024 * 1024;
    let mut answer = Vec::new();
    loop {
        if let Some(end) = answer.windows(4).position(|part| part == b"\r\n\r\n") {
            let head = String::from_utf8_lossy(&answer[..end]).to_lowercase();
            let length = head
                .lines()
                .find_map(|line| line.strip_prefix("content-length:")?.trim().parse::<usize>().ok());
            if let Some(length) = length
                && answer.len() >= end + 4 + length
            {
                return Ok(answer[end + 4..end + 4 + length].to_vec());
            }
        }
        let read = stream.read_buf(&mut answer).await.map_err(|err| err.to_string())?;
        if read == 0 || answer.len() > LONGEST {
            return Err("it does not speak the DevTools protocol".to_string());
        }
    }
}
