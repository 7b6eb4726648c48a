//! Finding the websocket of a browser that runs already.

use assay_driver::{Deadline, DriverError};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

/// Takes `ws://…`, `http://host:port`, `host:port` or a bare port.
pub(crate) async fn connect(
    address: &str,
    deadline: Deadline,
) -> Result<WebSocketStream<MaybeTlsStream<TcpStream>>, DriverError> {
    let failed = |reason: String| DriverError::ConnectFailed { address: address.to_string(), reason };
    let attempt = async {
        let url = if address.starts_with("ws://") || address.starts_with("wss://") {
            address.to_string()
        } else {
            ask_for_websocket(address).await?
        };
        // Pictures of large pages come in one message.
        let config = WebSocketConfig::default().max_message_size(None).max_frame_size(None);
        let (stream, _response) = tokio_tungstenite::connect_async_with_config(url, Some(config), true)
            .await
            .map_err(|err| err.to_string())?;
        Ok::<_, String>(stream)
    };
    match tokio::time::timeout_at(deadline.instant(), attempt).await {
        Ok(Ok(stream)) => Ok(stream),
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
    let host = if host.bytes().all(|byte| byte.is_ascii_digit()) { format!("127.0.0.1:{host}") } else { host.to_string() };
    let mut stream = TcpStream::connect(&host).await.map_err(|err| err.to_string())?;
    let request = format!("GET /json/version HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.map_err(|err| err.to_string())?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.map_err(|err| err.to_string())?;
    let body = answer.split_once("\r\n\r\n").map(|(_, body)| body).unwrap_or_default();
    let version: serde_json::Value =
        serde_json::from_str(body).map_err(|_| "it does not speak the DevTools protocol".to_string())?;
    version["webSocketDebuggerUrl"]
        .as_str()
        .map(str::to_string)
        .ok_or_else(|| "it named no websocket under /json/version".to_string())
}
