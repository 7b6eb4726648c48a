//! Messages of a server, one a line.

use std::io;
use std::sync::{Arc, Mutex as PlainMutex, PoisonError};

use rmcp::RoleClient;
use rmcp::model::{ClientJsonRpcMessage, ServerJsonRpcMessage};
use rmcp::transport::Transport;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::Mutex;

use super::error::ClientError;
use crate::wire::{Line, LineReader, LineWriter};

/// No message of a server is longer.
const LONGEST: usize = 16 * 1024 * 1024;

/// The reason why the stream closed, for the callers that still wait.
#[derive(Clone, Default)]
pub struct Fault(Arc<PlainMutex<Option<ClientError>>>);

impl Fault {
    pub fn take(&self) -> Option<ClientError> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn set(&self, error: ClientError) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
    }
}

/// The streams of a server. Clones share them, so another opening can be tried after one was refused.
pub struct Lines<R, W> {
    input: Arc<Mutex<LineReader<R>>>,
    output: LineWriter<W>,
    fault: Fault,
}

impl<R, W> Clone for Lines<R, W> {
    fn clone(&self) -> Lines<R, W> {
        Lines { input: self.input.clone(), output: self.output.clone(), fault: self.fault.clone() }
    }
}

impl<R, W> Lines<R, W>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    pub fn new(input: R, output: W, fault: Fault) -> Lines<R, W> {
        let input = Arc::new(Mutex::new(LineReader::new(input, LONGEST)));
        Lines { input, output: LineWriter::new(output), fault }
    }

    async fn read(&self) -> Result<Option<ServerJsonRpcMessage>, ClientError> {
        let mut input = self.input.lock().await;
        loop {
            return match input.next().await {
                Ok(Line::Whole(line)) if line.iter().all(u8::is_ascii_whitespace) => continue,
                Ok(Line::Whole(line)) => serde_json::from_slice(&line)
                    .map(Some)
                    .map_err(|err| ClientError::NoMessage(err.to_string())),
                Ok(Line::TooLong) => Err(ClientError::TooLong { mebibytes: LONGEST / 1024 / 1024 }),
                Ok(Line::End) => Ok(None),
                Err(err) => Err(ClientError::Lost(err.to_string())),
            };
        }
    }
}

impl<R, W> Transport<RoleClient> for Lines<R, W>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    type Error = io::Error;

    fn send(
        &mut self,
        message: ClientJsonRpcMessage,
    ) -> impl Future<Output = Result<(), io::Error>> + Send + 'static {
        self.output.send(&message)
    }

    /// A server that breaks the protocol is not read further.
    async fn receive(&mut self) -> Option<ServerJsonRpcMessage> {
        match self.read().await {
            Ok(message) => message,
            Err(error) => {
                self.fault.set(error);
                None
            }
        }
    }

    async fn close(&mut self) -> Result<(), io::Error> {
        self.output.close().await
    }
}
