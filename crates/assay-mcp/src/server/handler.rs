//! Requests of one client, answered by the service.
//!
//! Translates between the SDK's handler and the seam; carrying out and asking is the driver's.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use axum::http::request::Parts;
use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CancelTaskParams, CompleteRequestParams,
    CompleteResult, CreateTaskResult, CustomRequest, CustomResult, DiscoverResult, ErrorCode, ErrorData,
    GetPromptRequestParams, GetPromptResponse, GetTaskParams, GetTaskResult, Implementation,
    InitializeRequestParams, InitializeResult, ListPromptsResult, ListResourceTemplatesResult,
    ListResourcesResult, ListToolsResult, MetaObject, PaginatedRequestParams, PromptsCapability,
    ProtocolVersion, ReadResourceRequestParams, ReadResourceResponse, ResourcesCapability,
    ServerCapabilities, ServerConfig, SubscribeRequestParams, SubscriptionFilter, TASKS_EXTENSION_ID,
    Tool as WireTool, ToolsCapability, UnsubscribeRequestParams, UpdateTaskParams,
};
use rmcp::service::{RequestContext, SubscriptionContext};
use rmcp::{RoleServer, ServerHandler};
use serde_json::Map;
use tokio::sync::broadcast;

use super::drive::{Brought, Driven, Driver};
use super::follow;
use super::page::page;
use super::session::{Session, era};
use super::tasks::Tasks;
use super::waiting::Waiting;
use super::work::{Outcome, Task};
use crate::seam::{About, Change, Era, RequestError, Service};
use crate::wire::{self, Dialect, LevelParams};

/// What all clients of a server share.
#[derive(Clone)]
pub struct Shared {
    pub service: Arc<dyn Service>,
    pub waiting: Waiting,
    pub tasks: Tasks,
}

/// Who sent a request, as far as a door has checked that. States of one principal are of no use to another.
#[derive(Debug, Clone)]
pub struct Principal(pub String);

/// Requests without a principal come from this machine.
const LOCAL: &str = "local";

pub struct Handler {
    shared: Shared,
    session: Arc<Session>,
    /// One for each subscription that is about to begin: it must not miss a change made right after it was confirmed.
    followed: Mutex<VecDeque<broadcast::Receiver<Change>>>,
}

impl Handler {
    pub fn new(shared: Shared, session: Arc<Session>) -> Handler {
        Handler { shared, session, followed: Mutex::default() }
    }

    fn service(&self) -> &Arc<dyn Service> {
        &self.shared.service
    }

    async fn carry_out(
        &self,
        task: Task,
        brought: Brought,
        context: &RequestContext<RoleServer>,
    ) -> Result<Driven, ErrorData> {
        let follows = matches!(task, Task::Tool { .. }) && self.offers_tasks(context);
        let driver = Driver {
            service: self.service(),
            waiting: &self.shared.waiting,
            session: &self.session,
            context,
            tasks: follows.then_some(&self.shared.tasks),
            principal: principal(context),
        };
        driver.run(task, brought).await
    }

    /// How long a result stays fresh. Clients with a handshake do not know such hints.
    fn hints(&self, context: &RequestContext<RoleServer>) -> (Option<u64>, Option<CacheScope>) {
        match era(context) {
            Era::Legacy => (None, None),
            Era::Modern => {
                let cache = self.service().about().cache;
                (Some(cache.milliseconds), Some(wire::cache_scope(cache.scope)))
            }
        }
    }

    /// Where results of the stateless era name the server.
    fn meta(&self, context: &RequestContext<RoleServer>) -> Option<MetaObject> {
        (era(context) == Era::Modern).then(|| {
            let mut discovered = DiscoverResult::new(Vec::new(), ServerCapabilities::default());
            discovered.set_server_info(implementation(&self.service().about()));
            discovered.meta.unwrap_or_default()
        })
    }
}

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        let about = self.service().about();
        let mut info = ServerConfig::new(capabilities(&about, self.service().changes().is_some()))
            .with_protocol_version(ProtocolVersion::V_2025_11_25)
            .with_server_info(implementation(&about));
        info.instructions = about.instructions;
        info
    }

    async fn initialize(
        &self,
        mut request: InitializeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<InitializeResult, ErrorData> {
        let answer = self.negotiate_initialize(&request)?;
        request.protocol_version = answer.protocol_version.clone();
        context.peer.set_peer_info(request);
        // A second handshake on the same streams changes nothing here.
        if let Some(changes) = self.service().changes()
            && self.session.begin_telling()
        {
            let (watched, ended) = (self.session.watched(), self.session.ended.clone());
            tokio::spawn(follow::tell(changes.follow(), context.peer.clone(), watched, ended));
        }
        Ok(answer)
    }

    async fn discover(&self, _context: RequestContext<RoleServer>) -> Result<DiscoverResult, ErrorData> {
        let versions = self.supported_protocol_versions().into_owned();
        let mut discovered = DiscoverResult::from_server_info(versions, self.get_info());
        let cache = self.service().about().cache;
        discovered.ttl_ms = cache.milliseconds;
        discovered.cache_scope = wire::cache_scope(cache.scope);
        Ok(discovered)
    }

    fn get_tool(&self, name: &str) -> Option<WireTool> {
        let tool = self.service().tools().iter().find(|tool| tool.name == name)?;
        Some(wire::tool(tool, Dialect(Era::Modern), false))
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let dialect = Dialect(era(&context));
        let lasts = self.session.caller(&context).lasts;
        let tools = self.service().tools().iter().map(|tool| wire::tool(tool, dialect, lasts)).collect();
        let (tools, next) = page(tools, cursor(&request)).map_err(invalid)?;
        let mut list = ListToolsResult::with_all_items(tools);
        (list.next_cursor, list.meta) = (next, self.meta(&context));
        (list.ttl_ms, list.cache_scope) = self.hints(&context);
        Ok(list)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let name = request.name.into_owned();
        if !self.service().tools().iter().any(|tool| tool.name == name) {
            return Err(wire::request_error(RequestError::UnknownTool(name)));
        }
        let task = Task::Tool { name, arguments: request.arguments.unwrap_or_default() };
        let brought = Brought { answers: request.input_responses, state: request.request_state };
        match self.carry_out(task, brought, &context).await? {
            Driven::Finished(Outcome::Tool(result)) => {
                let mut result = wire::tool_result(result, Dialect(era(&context)));
                result.meta = self.meta(&context);
                Ok(result.into())
            }
            Driven::Asked(questions) => {
                Ok(questions.with_meta(self.meta(&context).unwrap_or_default()).into())
            }
            Driven::Kept(task) => Ok(CreateTaskResult::new(task).into()),
            Driven::Finished(_) => Err(mixed_up()),
        }
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        offered(self.service().about().offers.resources, "resources/list")?;
        let resources = self.service().resources().await.map_err(wire::request_error)?;
        let resources = resources.into_iter().map(wire::resource).collect();
        let (resources, next) = page(resources, cursor(&request)).map_err(invalid)?;
        let mut list = ListResourcesResult::with_all_items(resources);
        (list.next_cursor, list.meta) = (next, self.meta(&context));
        (list.ttl_ms, list.cache_scope) = self.hints(&context);
        Ok(list)
    }

    async fn list_resource_templates(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        offered(self.service().about().offers.resources, "resources/templates/list")?;
        let templates =
            self.service().resource_templates().into_iter().map(wire::resource_template).collect();
        let (templates, next) = page(templates, cursor(&request)).map_err(invalid)?;
        let mut list = ListResourceTemplatesResult::with_all_items(templates);
        (list.next_cursor, list.meta) = (next, self.meta(&context));
        (list.ttl_ms, list.cache_scope) = self.hints(&context);
        Ok(list)
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        offered(self.service().about().offers.resources, "resources/read")?;
        let brought = Brought { answers: request.input_responses, state: request.request_state };
        match self.carry_out(Task::Resource { uri: request.uri }, brought, &context).await? {
            Driven::Finished(Outcome::Contents(contents)) => {
                let mut result = wire::read_result(contents);
                result.meta = self.meta(&context);
                (result.ttl_ms, result.cache_scope) = self.hints(&context);
                Ok(result.into())
            }
            Driven::Asked(questions) => {
                Ok(questions.with_meta(self.meta(&context).unwrap_or_default()).into())
            }
            Driven::Finished(_) | Driven::Kept(_) => Err(mixed_up()),
        }
    }

    async fn list_prompts(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        offered(self.service().about().offers.prompts, "prompts/list")?;
        let prompts = self.service().prompts().into_iter().map(wire::prompt).collect();
        let (prompts, next) = page(prompts, cursor(&request)).map_err(invalid)?;
        let mut list = ListPromptsResult::with_all_items(prompts);
        (list.next_cursor, list.meta) = (next, self.meta(&context));
        (list.ttl_ms, list.cache_scope) = self.hints(&context);
        Ok(list)
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        offered(self.service().about().offers.prompts, "prompts/get")?;
        let arguments = request.arguments.unwrap_or_default();
        self.check_prompt(&request.name, &arguments).map_err(wire::request_error)?;
        let task = Task::Prompt { name: request.name, arguments };
        let brought = Brought { answers: request.input_responses, state: request.request_state };
        match self.carry_out(task, brought, &context).await? {
            Driven::Finished(Outcome::Prompt(reply)) => {
                let mut result = wire::prompt_reply(reply);
                result.meta = self.meta(&context);
                Ok(result.into())
            }
            Driven::Asked(questions) => {
                Ok(questions.with_meta(self.meta(&context).unwrap_or_default()).into())
            }
            Driven::Finished(_) | Driven::Kept(_) => Err(mixed_up()),
        }
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        offered(self.service().about().offers.completion, "completion/complete")?;
        let question = wire::completion_question(request).ok_or_else(|| {
            ErrorData::invalid_params("expected a reference to a prompt or a resource", None)
        })?;
        let completion = self.service().complete(question).await.map_err(wire::request_error)?;
        let mut result = CompleteResult::new(wire::completion(completion));
        result.meta = self.meta(&context);
        Ok(result)
    }

    async fn set_level(
        &self,
        request: LevelParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        let is_offered = self.service().about().offers.logging && era(&context) == Era::Legacy;
        offered(is_offered, "logging/setLevel")?;
        self.session.set_log_level(wire::level_asked(&request));
        Ok(())
    }

    async fn subscribe(
        &self,
        request: SubscribeRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        offered(self.follows_resources(), "resources/subscribe")?;
        self.session.watched().add(request.uri);
        Ok(())
    }

    async fn unsubscribe(
        &self,
        request: UnsubscribeRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        offered(self.follows_resources(), "resources/unsubscribe")?;
        self.session.watched().remove(&request.uri);
        Ok(())
    }

    async fn get_task(
        &self,
        request: GetTaskParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetTaskResult, ErrorData> {
        self.shared.tasks.look(&request.task_id, principal(&context)).map(GetTaskResult::new)
    }

    async fn update_task(
        &self,
        request: UpdateTaskParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.shared.tasks.answer(&request.task_id, principal(&context), &request.input_responses)
    }

    async fn cancel_task(
        &self,
        request: CancelTaskParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.shared.tasks.cancel(&request.task_id, principal(&context))
    }

    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        let changes = self.service().changes()?;
        self.followed.lock().unwrap_or_else(PoisonError::into_inner).push_back(changes.follow());
        Some(requested.clone())
    }

    async fn listen(&self, subscription: SubscriptionContext) -> Result<(), ErrorData> {
        let follows = self.followed.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
        if let Some(changes) = follows {
            follow::serve(changes, subscription).await;
        }
        Ok(())
    }

    /// The SDK brings here what it cannot read: methods that nobody knows, and known ones with unfitting parameters.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        if self.is_known(&request.method, era(&context)) {
            let message = format!("the parameters of `{}` are not as they should be", request.method);
            return Err(ErrorData::invalid_params(message, None));
        }
        Err(unknown_method(request.method))
    }
}

impl Handler {
    /// Whether a method is answered in this era, if its parameters are right.
    fn is_known(&self, method: &str, era: Era) -> bool {
        let offers = self.service().about().offers;
        match method {
            "tools/list" | "tools/call" => true,
            "initialize" => era == Era::Legacy,
            "server/discover" => era == Era::Modern,
            "subscriptions/listen" => era == Era::Modern && self.service().changes().is_some(),
            "resources/list" | "resources/templates/list" | "resources/read" => offers.resources,
            "resources/subscribe" | "resources/unsubscribe" => era == Era::Legacy && self.follows_resources(),
            "prompts/list" | "prompts/get" => offers.prompts,
            "completion/complete" => offers.completion,
            "tasks/get" | "tasks/update" | "tasks/cancel" => era == Era::Modern && offers.tasks,
            "logging/setLevel" => era == Era::Legacy && offers.logging,
            _ => false,
        }
    }

    /// Whether work of this request may go on as a task.
    fn offers_tasks(&self, context: &RequestContext<RoleServer>) -> bool {
        era(context) == Era::Modern
            && self.service().about().offers.tasks
            && context.client_capabilities().is_some_and(|capabilities| capabilities.supports_tasks())
    }

    fn follows_resources(&self) -> bool {
        self.service().about().offers.resources && self.service().changes().is_some()
    }

    fn check_prompt(
        &self,
        name: &str,
        arguments: &Map<String, serde_json::Value>,
    ) -> Result<(), RequestError> {
        let prompts = self.service().prompts();
        let prompt = prompts.iter().find(|prompt| prompt.name == name);
        let prompt = prompt.ok_or_else(|| RequestError::UnknownPrompt(name.to_string()))?;
        let mut required = prompt.arguments.iter().filter(|argument| argument.required);
        match required.find(|argument| !arguments.contains_key(&argument.name)) {
            Some(missing) => {
                Err(RequestError::InvalidParams(format!("the prompt `{name}` needs `{}`", missing.name)))
            }
            None => Ok(()),
        }
    }
}

pub fn principal(context: &RequestContext<RoleServer>) -> &str {
    let checked = context.extensions.get::<Parts>().and_then(|parts| parts.extensions.get::<Principal>());
    checked.map_or(LOCAL, |principal| &principal.0)
}

fn capabilities(about: &About, changes: bool) -> ServerCapabilities {
    let list_changed = changes.then_some(true);
    let mut capabilities = ServerCapabilities::default();
    let mut tools = ToolsCapability::default();
    tools.list_changed = list_changed;
    capabilities.tools = Some(tools);
    if about.offers.resources {
        let mut resources = ResourcesCapability::default();
        (resources.list_changed, resources.subscribe) = (list_changed, list_changed);
        capabilities.resources = Some(resources);
    }
    if about.offers.prompts {
        let mut prompts = PromptsCapability::default();
        prompts.list_changed = list_changed;
        capabilities.prompts = Some(prompts);
    }
    if about.offers.tasks {
        capabilities.extensions = Some([(TASKS_EXTENSION_ID.to_string(), Map::new())].into());
    }
    capabilities.completions = about.offers.completion.then(Map::new);
    capabilities.logging = about.offers.logging.then(Map::new);
    capabilities
}

fn implementation(about: &About) -> Implementation {
    let mut implementation = Implementation::new(about.name.clone(), about.version.clone());
    implementation.title = Some(about.title.clone());
    implementation
}

fn cursor(request: &Option<PaginatedRequestParams>) -> Option<&str> {
    request.as_ref().and_then(|request| request.cursor.as_deref())
}

fn invalid(error: impl std::fmt::Display) -> ErrorData {
    ErrorData::invalid_params(error.to_string(), None)
}

/// Refuses methods that the service does not offer.
fn offered(is_offered: bool, method: &'static str) -> Result<(), ErrorData> {
    if is_offered { Ok(()) } else { Err(unknown_method(method)) }
}

fn unknown_method(method: impl Into<String>) -> ErrorData {
    ErrorData::new(
        ErrorCode::METHOD_NOT_FOUND,
        format!("the method `{}` is not offered", method.into()),
        None,
    )
}

fn mixed_up() -> ErrorData {
    ErrorData::internal_error("the work ended with the result of other work", None)
}
