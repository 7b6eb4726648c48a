//! Opening a websocket to something that runs already.

use assay_driver::{Deadline, DriverError};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Error;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::error::UrlError;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

use crate::outbox::LONGEST_MESSAGE;
use crate::peer::Ends;
use crate::prompt::PromptStream;

pub type WebSocket = WebSocketStream<MaybeTlsStream<PromptStream>>;

pub async fn open_websocket(url: &str, deadline: Deadline) -> Result<WebSocket, DriverError> {
    open_until(url, Whose::Anybodys, deadline).await
}

/// A websocket to a program that we started ourselves: refused if another user's program answers.
pub async fn open_own_websocket(url: &str, deadline: Deadline) -> Result<WebSocket, DriverError> {
    open_until(url, Whose::Ours(deadline), deadline).await
}

/// Whose program may answer.
enum Whose {
    Anybodys,
    Ours(Deadline),
}

async fn open_until(url: &str, whose: Whose, deadline: Deadline) -> Result<WebSocket, DriverError> {
    let failed = |reason: String| DriverError::ConnectFailed { address: url.to_string(), reason };
    match tokio::time::timeout_at(deadline.instant(), open(url, whose)).await {
        Ok(Ok(stream)) => Ok(stream),
        Ok(Err(err)) => Err(failed(err.to_string())),
        Err(_) => Err(failed("no answer within the time allowed".to_string())),
    }
}

async fn open(url: &str, whose: Whose) -> Result<WebSocket, Error> {
    // Pictures of large pages come in one message, and one frame.
    let longest = Some(LONGEST_MESSAGE);
    let config = WebSocketConfig::default().max_message_size(longest).max_frame_size(longest);
    let request = url.into_client_request()?;
    let secure = request.uri().scheme_str() == Some("wss");
    if secure {
        crate::tls::install_tls_provider();
    }
    let host = request.uri().host().ok_or(Error::Url(UrlError::NoHostName))?;
    let host = host.trim_start_matches('[').trim_end_matches(']');
    let port = request.uri().port_u16().unwrap_or(if secure { 443 } else { 80 });
    let stream = TcpStream::connect((host, port)).await?;
    if let Whose::Ours(deadline) = whose {
        let checked = Ends::of(&stream)?.check_server(deadline).await;
        checked.map_err(|trouble| std::io::Error::other(trouble.to_string()))?;
    }
    let stream = PromptStream::new(stream)?;
    let opening = tokio_tungstenite::client_async_tls_with_config(request, stream, Some(config), None);
    let (stream, _response) = opening.await?;
    Ok(stream)
}
