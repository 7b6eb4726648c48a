//! The conversation with a server.

use std::sync::Arc;
use std::time::Duration;

use rmcp::RoleClient;
use rmcp::model::{
    CallToolRequestParams, ContentBlock, PaginatedRequestParams, ProtocolVersion, Tool as WireTool,
};
use rmcp::service::{
    ClientInitializeError, ClientLifecycleMode, RunningService, ServiceError, serve_client_with_lifecycle,
};
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::transport::{StreamableHttpClientTransport, Transport, TransportAdapterIdentity};
use serde_json::{Map, Value};
use tokio::io::{AsyncRead, AsyncWrite};

use super::answering::{Answering, User};
use super::error::ClientError;
use super::process::ServerProcess;
use super::transport::{Fault, Lines};
use crate::seam::Era;

/// The maximum number of pages of tools.
const MOST_PAGES: usize = 20;

pub struct ClientOptions {
    pub name: String,
    pub version: String,
    pub opening: Opening,
    /// The user who fills in forms. Without one, the client declares no forms, and servers do not ask.
    pub user: Option<Arc<dyn User>>,
}

/// How a conversation begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Opening {
    /// With the handshake, which nearly all servers know; without it, if the server refuses it. The other way round,
    /// older servers end at a message that they do not expect.
    Either,
    /// Without a handshake.
    Modern,
}

/// A tool of a server.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolOffer {
    pub name: String,
    pub description: String,
    pub input_schema: Map<String, Value>,
    /// Whether the server says that the tool changes nothing.
    pub read_only: bool,
}

/// What a tool answered. Pictures and sounds are left out.
#[derive(Debug, Clone, PartialEq)]
pub struct CalledTool {
    pub text: String,
    pub structured: Option<Value>,
    pub is_error: bool,
}

/// A connected server. Dropping this ends the server.
pub struct Client {
    running: RunningService<RoleClient, Answering>,
    fault: Fault,
}

impl Client {
    /// Begins a conversation with a server that was just started.
    pub async fn of_process(
        process: &mut ServerProcess,
        options: ClientOptions,
        within: Duration,
    ) -> Result<Client, ClientError> {
        let (output, input) = process.take_streams()?;
        Client::connect(output, input, options, within).await
    }

    /// Begins a conversation on a pair of streams: what the server writes, and what it reads.
    pub async fn connect<R, W>(
        output: R,
        input: W,
        options: ClientOptions,
        within: Duration,
    ) -> Result<Client, ClientError>
    where
        R: AsyncRead + Send + Unpin + 'static,
        W: AsyncWrite + Send + Unpin + 'static,
    {
        let fault = Fault::default();
        let lines = Lines::new(output, input, fault.clone());
        Client::begin(|| lines.clone(), fault, options, within).await
    }

    /// Begins a conversation with the server at an address. How to reach it is the caller's: proxies, certificates.
    pub async fn of_address(
        http: reqwest::Client,
        url: &str,
        options: ClientOptions,
        within: Duration,
    ) -> Result<Client, ClientError> {
        let config = StreamableHttpClientTransportConfig::with_uri(url);
        let make = || StreamableHttpClientTransport::with_client(http.clone(), config.clone());
        Client::begin(make, Fault::default(), options, within).await
    }

    async fn begin<T: Transport<RoleClient> + 'static>(
        make: impl Fn() -> T,
        fault: Fault,
        options: ClientOptions,
        within: Duration,
    ) -> Result<Client, ClientError> {
        let answering = Answering { name: options.name, version: options.version, user: options.user };
        let opened = tokio::time::timeout(within, open(make, answering, options.opening));
        let method = match options.opening {
            Opening::Either => "initialize",
            Opening::Modern => "server/discover",
        };
        let running = match opened.await {
            Ok(Ok(running)) => running,
            Ok(Err(error)) => return Err(fault.take().unwrap_or_else(|| not_opened(error, method))),
            Err(_) => return Err(ClientError::TooSlow { method }),
        };
        let client = Client { running, fault };
        let spoken = client.revision();
        if spoken.as_ref().is_none_or(|spoken| !ProtocolVersion::KNOWN_VERSIONS.contains(spoken)) {
            return Err(ClientError::Revision(spoken.map(|spoken| spoken.to_string()).unwrap_or_default()));
        }
        Ok(client)
    }

    /// The era in which the server speaks to us.
    pub fn era(&self) -> Era {
        match self.revision() {
            Some(spoken) if spoken >= ProtocolVersion::V_2026_07_28 => Era::Modern,
            _ => Era::Legacy,
        }
    }

    fn revision(&self) -> Option<ProtocolVersion> {
        self.running.peer_info().map(|server| server.protocol_version.clone())
    }

    /// All tools, page by page.
    pub async fn tools(&self, within: Duration) -> Result<Vec<ToolOffer>, ClientError> {
        const METHOD: &str = "tools/list";
        let all = async {
            let mut offers = Vec::new();
            let mut from = PaginatedRequestParams::default();
            for _ in 0..MOST_PAGES {
                let page = self.running.list_tools(Some(from.clone())).await;
                let page = page.map_err(|error| self.failed(error, METHOD))?;
                offers.extend(page.tools.into_iter().map(offer));
                match page.next_cursor {
                    None => return Ok(offers),
                    next => from.cursor = next,
                }
            }
            Err(ClientError::TooManyPages(MOST_PAGES))
        };
        tokio::time::timeout(within, all).await.unwrap_or(Err(ClientError::TooSlow { method: METHOD }))
    }

    /// Calls a tool. A call that takes longer is cancelled.
    pub async fn call(
        &self,
        name: &str,
        arguments: Map<String, Value>,
        within: Duration,
    ) -> Result<CalledTool, ClientError> {
        const METHOD: &str = "tools/call";
        let request = CallToolRequestParams::new(name.to_string()).with_arguments(arguments);
        let called = tokio::time::timeout(within, self.running.call_tool(request)).await;
        let called = called.map_err(|_| ClientError::TooSlow { method: METHOD })?;
        let result = called.map_err(|error| self.failed(error, METHOD))?;
        let texts: Vec<&str> =
            result.content.iter().filter_map(ContentBlock::as_text).map(|text| text.text.as_str()).collect();
        Ok(CalledTool {
            text: texts.join("\n"),
            structured: result.structured_content,
            is_error: result.is_error == Some(true),
        })
    }

    fn failed(&self, error: ServiceError, method: &'static str) -> ClientError {
        match error {
            ServiceError::McpError(refused) => {
                ClientError::Refused { method, why: refused.message.to_string() }
            }
            ServiceError::UnexpectedResponse => ClientError::Unfitting { method },
            ServiceError::TransportClosed => self.fault.take().unwrap_or(ClientError::Ended { method }),
            ServiceError::TransportSend(error) => {
                self.fault.take().unwrap_or_else(|| ClientError::Lost(error.to_string()))
            }
            other => ClientError::Refused { method, why: other.to_string() },
        }
    }
}

async fn open<T: Transport<RoleClient> + 'static>(
    make: impl Fn() -> T,
    answering: Answering,
    opening: Opening,
) -> Result<RunningService<RoleClient, Answering>, ClientInitializeError> {
    if opening == Opening::Either {
        match open_as(make(), answering.clone(), ClientLifecycleMode::Initialize).await {
            Err(ClientInitializeError::JsonRpcError(_)) => {}
            opened => return opened,
        }
    }
    let mode = ClientLifecycleMode::Discover { preferred_versions: vec![ProtocolVersion::V_2026_07_28] };
    open_as(make(), answering, mode).await
}

async fn open_as<T: Transport<RoleClient> + 'static>(
    transport: T,
    answering: Answering,
    mode: ClientLifecycleMode,
) -> Result<RunningService<RoleClient, Answering>, ClientInitializeError> {
    serve_client_with_lifecycle::<_, T, T::Error, TransportAdapterIdentity>(answering, transport, mode).await
}

fn not_opened(error: ClientInitializeError, method: &'static str) -> ClientError {
    match error {
        ClientInitializeError::ConnectionClosed(_) => ClientError::Ended { method },
        ClientInitializeError::TransportError { error, .. } => ClientError::Lost(error.to_string()),
        ClientInitializeError::JsonRpcError(refused) => {
            ClientError::Refused { method, why: refused.message.to_string() }
        }
        ClientInitializeError::NoCompatibleProtocolVersion { server_supported, .. } => {
            let supported: Vec<String> = server_supported.iter().map(ToString::to_string).collect();
            ClientError::Revision(supported.join("`, `"))
        }
        _ => ClientError::Unfitting { method },
    }
}

fn offer(tool: WireTool) -> ToolOffer {
    ToolOffer {
        name: tool.name.into_owned(),
        description: tool.description.unwrap_or_default().into_owned(),
        input_schema: Arc::unwrap_or_clone(tool.input_schema),
        read_only: tool.annotations.and_then(|hints| hints.read_only_hint) == Some(true),
    }
}
