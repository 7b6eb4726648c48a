//! Opening a websocket to something that runs already.

use assay_driver::{Deadline, DriverError};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

pub type WebSocket = WebSocketStream<MaybeTlsStream<TcpStream>>;

pub async fn open_websocket(url: &str, deadline: Deadline) -> Result<WebSocket, DriverError> {
    let failed = |reason: String| DriverError::ConnectFailed { address: url.to_string(), reason };
    // Pictures of large pages come in one message.
    let config = WebSocketConfig::default().max_message_size(None).max_frame_size(None);
    if url.starts_with("wss://") {
        crate::tls::install_tls_provider();
    }
    let opening = tokio_tungstenite::connect_async_with_config(url, Some(config), true);
    match tokio::time::timeout_at(deadline.instant(), opening).await {
        Ok(Ok((stream, _response))) => Ok(stream),
        Ok(Err(err)) => Err(failed(err.to_string())),
        Err(_) => Err(failed("no answer within the time allowed".to_string())),
    }
}
