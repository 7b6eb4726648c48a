//! The door for a client that started us: one message a line, in both directions.

use std::io;
use std::sync::Arc;

use rmcp::model::{
    ClientJsonRpcMessage, ClientNotification, ClientRequest, ErrorData, ProtocolVersion, ServerConfig,
    ServerJsonRpcMessage, ServerResult,
};
use rmcp::service::{NotificationContext, RequestContext, Service as WireService, serve_directly};
use rmcp::transport::Transport;
use rmcp::{RoleServer, ServerHandler};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_util::sync::CancellationToken;

use super::handler::{Handler, Shared};
use super::random::RandomError;
use super::session::{Door, Session};
use super::tasks::Tasks;
use super::waiting::Waiting;
use crate::seam::Service;
use crate::wire::{Line, LineReader, LineWriter, Refusal, read_client_message};

/// No message of a client is longer.
const LONGEST: usize = 16 * 1024 * 1024;

#[derive(Debug, thiserror::Error)]
pub enum StdioError {
    #[error(transparent)]
    Random(#[from] RandomError),
    #[error("the server of the standard streams ended unexpectedly")]
    Broken(#[from] tokio::task::JoinError),
}

/// Serves the client on the standard streams until it closes them.
pub async fn serve_stdio(service: Arc<dyn Service>) -> Result<(), StdioError> {
    let (input, output) = rmcp::transport::stdio_pipes();
    serve_streams(service, input, output).await
}

/// Serves one client on a pair of streams until the input ends, and the service knows that the client is gone.
pub async fn serve_streams<R, W>(service: Arc<dyn Service>, input: R, output: W) -> Result<(), StdioError>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    let session = Arc::new(Session::new(service.clone(), Door::Streams)?);
    let shared = Shared { service, waiting: Waiting::new()?, tasks: Tasks::default() };
    let lines = Lines {
        input: LineReader::new(input, LONGEST),
        output: LineWriter::new(output),
        ended: session.ended.clone(),
    };
    let handler = EitherEra(Handler::new(shared, session.clone()));
    let served = serve_directly(handler, lines, None).waiting().await;
    session.leave().await;
    served?;
    Ok(())
}

/// Takes the first message for what it is, of whichever era. The SDK's own start would end at a stray notification, and
/// would hold a client to the era of its first message.
struct EitherEra(Handler);

impl WireService<RoleServer> for EitherEra {
    async fn handle_request(
        &self,
        request: ClientRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<ServerResult, ErrorData> {
        let is_opening = matches!(
            request,
            ClientRequest::InitializeRequest(_)
                | ClientRequest::PingRequest(_)
                | ClientRequest::DiscoverRequest(_)
        );
        if !is_opening && context.protocol_version().is_none() {
            let missing = context.meta.missing_required_keys(&ProtocolVersion::V_2026_07_28).join("`, `");
            let message = format!("expected `initialize` first, or `_meta` with `{missing}`");
            return Err(ErrorData::invalid_params(message, None));
        }
        WireService::handle_request(&self.0, request, context).await
    }

    async fn handle_notification(
        &self,
        notification: ClientNotification,
        context: NotificationContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        WireService::handle_notification(&self.0, notification, context).await
    }

    fn get_info(&self) -> ServerConfig {
        ServerHandler::get_info(&self.0)
    }
}

/// Messages as lines. What is no message is answered here, and the next line is read.
struct Lines<R, W> {
    input: LineReader<R>,
    output: LineWriter<W>,
    ended: CancellationToken,
}

impl<R, W> Transport<RoleServer> for Lines<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    type Error = io::Error;

    fn send(
        &mut self,
        message: ServerJsonRpcMessage,
    ) -> impl Future<Output = Result<(), io::Error>> + Send + 'static {
        self.output.send(&message)
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            let read = match self.input.next().await {
                Ok(Line::Whole(line)) if line.iter().all(u8::is_ascii_whitespace) => continue,
                Ok(Line::Whole(line)) => read_client_message(&line),
                Ok(Line::TooLong) => Err(Refusal::too_long(LONGEST)),
                Ok(Line::End) | Err(_) => {
                    self.ended.cancel();
                    return None;
                }
            };
            match read {
                Ok(message) => return Some(message),
                // Not awaited here: this future is dropped whenever there is something to send.
                Err(refusal) => drop(tokio::spawn(self.output.send(&refusal.message()))),
            }
        }
    }

    async fn close(&mut self) -> Result<(), io::Error> {
        self.output.close().await
    }
}
