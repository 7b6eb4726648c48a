//! The Model Context Protocol at `/mcp`: the same tools, for callers with the same roles.
//!
//! The protocol is that of `assay-mcp`, what the tools do that of the program. Here it is looked at who may call what, and
//! calls are entered in the audit log.

use std::sync::Arc;
use std::time::Duration;

use assay_coordinator::NewAuditEntry;
use assay_mcp::{
    About, Call, CallerId, Changes, Completion, CompletionQuestion, Contents, HttpEndpoint, HttpError,
    Prompt, PromptReply, Reply, RequestError, Resource, ResourceTemplate, Service as McpService, Tool,
    ToolResult,
};
use assay_tools::find_tool;
use axum::body::Body;
use axum::extract::Request;
use axum::http::{Method, Response, StatusCode};
use serde_json::{Map, Value, json};

use crate::access::{Caller, Role};
use crate::api::is_for_readers;
use crate::problem::Problem;
use crate::route::whole_body;
use crate::service::Service;

/// A client with a handshake that is silent for so long is gone, and its browser with it.
const IDLE: Duration = Duration::from_secs(4 * 60 * 60);

pub fn is_mcp(path: &str) -> bool {
    path == "/mcp"
}

/// The role of a principal: of the `caller` that asks a tool of the program.
pub fn role_of(caller: &assay_mcp::Caller) -> Option<Role> {
    caller.principal.split_once(' ').and_then(|(role, _)| Role::named(role))
}

/// A role that changes makes another principal: nothing of the one before answers it.
fn principal_of(caller: &Caller) -> String {
    format!("{} {}", caller.role.name(), caller.name)
}

#[derive(Clone)]
pub struct McpDoor {
    service: Arc<Service>,
    endpoint: Arc<HttpEndpoint>,
}

impl McpDoor {
    pub fn open(service: &Arc<Service>) -> Result<McpDoor, HttpError> {
        let tools = Arc::new(RoleTools { service: Arc::clone(service) });
        let endpoint = HttpEndpoint::new(tools, IDLE, service.stop.child_token())?;
        Ok(McpDoor { service: Arc::clone(service), endpoint: Arc::new(endpoint) })
    }

    /// Answers a request of a caller who was let in.
    pub async fn answer(&self, caller: &Caller, request: Request) -> Result<Response<Body>, Problem> {
        let (parts, body) = request.into_parts();
        let body = match parts.method {
            Method::POST => whole_body(&self.service, body, self.service.options.limits.body).await?,
            _ => axum::body::Bytes::new(),
        };
        let request = Request::from_parts(parts, Body::from(body));
        Ok(self.endpoint.answer(&principal_of(caller), request).await)
    }
}

/// The tools of the program, for those who may call them.
struct RoleTools {
    service: Arc<Service>,
}

impl RoleTools {
    fn tools_of_program(&self) -> &Arc<dyn McpService> {
        &self.service.seams.mcp
    }

    async fn call(
        &self,
        name: &str,
        arguments: Map<String, Value>,
        call: &Call,
    ) -> Result<ToolResult, RequestError> {
        let tool = find_tool(name).ok_or_else(|| RequestError::UnknownTool(name.to_string()))?;
        let role = role_of(call.caller()).unwrap_or(Role::Read);
        let is_allowed = role >= Role::Run || is_for_readers(tool);
        let who = call.caller().principal.split_once(' ').map_or("", |(_, who)| who);
        let entry = match tool.effects.reads_only {
            true => None,
            // What cannot be entered is not done.
            false => Some(self.enter(who, name).await?),
        };
        let done = match (is_allowed, self.service.place_for_call()) {
            (false, _) => Ok(ToolResult::error(format!(
                "`{name}` needs the role `{}`; {who} has `{}`",
                Role::Run.name(),
                role.name()
            ))),
            (true, Err(_)) => Ok(ToolResult::error("too many calls at once; call again in a moment")),
            (true, Ok(_place)) => self.tools_of_program().call_tool(name, arguments, call).await,
        };
        self.service.feeds.wake();
        if let Some(entry) = entry {
            let status = match &done {
                _ if !is_allowed => StatusCode::FORBIDDEN,
                Ok(result) if result.is_error => StatusCode::UNPROCESSABLE_ENTITY,
                Ok(_) => StatusCode::OK,
                Err(_) => StatusCode::INTERNAL_SERVER_ERROR,
            };
            self.finish(entry, status).await;
        }
        done
    }

    async fn enter(&self, who: &str, tool: &str) -> Result<u64, RequestError> {
        let (coordinator, who, path) =
            (self.service.coordinator.clone(), who.to_string(), format!("/mcp/{tool}"));
        let entered = tokio::task::spawn_blocking(move || {
            coordinator.enter_audit(&NewAuditEntry { who: &who, peer: "", method: "post", path: &path })
        });
        let entered = entered.await.map_err(|err| RequestError::Internal(err.to_string()))?;
        entered.map_err(|err| RequestError::Internal(err.to_string()))
    }

    async fn finish(&self, entry: u64, status: StatusCode) {
        let coordinator = self.service.coordinator.clone();
        let finished = tokio::task::spawn_blocking(move || coordinator.finish_audit(entry, status.as_u16()));
        if let Ok(Err(error)) = finished.await {
            let fields = [("entry", json!(entry)), ("why", json!(error.to_string()))];
            self.service.log.error("audit.outcome_not_recorded", &fields);
        }
    }
}

impl McpService for RoleTools {
    fn about(&self) -> About {
        self.tools_of_program().about()
    }

    fn changes(&self) -> Option<&Changes> {
        self.tools_of_program().changes()
    }

    fn tools(&self) -> &[Tool] {
        self.tools_of_program().tools()
    }

    fn call_tool<'a>(
        &'a self,
        name: &'a str,
        arguments: Map<String, Value>,
        call: &'a Call,
    ) -> Reply<'a, Result<ToolResult, RequestError>> {
        Box::pin(self.call(name, arguments, call))
    }

    fn resources(&self) -> Reply<'_, Result<Vec<Resource>, RequestError>> {
        self.tools_of_program().resources()
    }

    fn resource_templates(&self) -> Vec<ResourceTemplate> {
        self.tools_of_program().resource_templates()
    }

    fn read_resource<'a>(
        &'a self,
        uri: &'a str,
        call: &'a Call,
    ) -> Reply<'a, Result<Vec<Contents>, RequestError>> {
        self.tools_of_program().read_resource(uri, call)
    }

    fn prompts(&self) -> Vec<Prompt> {
        self.tools_of_program().prompts()
    }

    fn get_prompt<'a>(
        &'a self,
        name: &'a str,
        arguments: Map<String, Value>,
        call: &'a Call,
    ) -> Reply<'a, Result<PromptReply, RequestError>> {
        self.tools_of_program().get_prompt(name, arguments, call)
    }

    fn complete(&self, question: CompletionQuestion) -> Reply<'_, Result<Completion, RequestError>> {
        self.tools_of_program().complete(question)
    }

    fn caller_gone<'a>(&'a self, caller: &'a CallerId) -> Reply<'a, ()> {
        self.tools_of_program().caller_gone(caller)
    }
}
