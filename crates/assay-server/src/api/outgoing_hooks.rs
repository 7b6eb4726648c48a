//! Webhooks by which the project tells other systems what happened, and their messages.

use assay_coordinator::{
    HookMessage, MessageKind, MessagePage, MessageStatus, OutgoingHook, OutgoingSettings,
};
use axum::http::StatusCode;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::access::Role;
use crate::hooks::{HookSecrets, OutgoingHookSettings, check_target, policy_of};
use crate::names::check_name;
use crate::paging::{Page, PageQuery};
use crate::problem::Problem;
use crate::route::{Asked, Method, Nothing, Route};

/// What a webhook tells of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
enum Topic {
    #[serde(rename = "run.finished")]
    RunFinished,
    #[serde(rename = "test.flaky")]
    TestFlaky,
    #[serde(rename = "alert.raised")]
    AlertRaised,
    #[serde(rename = "incident.opened")]
    IncidentOpened,
}

impl Topic {
    fn kind(self) -> MessageKind {
        match self {
            Topic::RunFinished => MessageKind::RunFinished,
            Topic::TestFlaky => MessageKind::TestFlaky,
            Topic::AlertRaised => MessageKind::AlertRaised,
            Topic::IncidentOpened => MessageKind::IncidentOpened,
        }
    }
}

/// Deliberately without `Debug` and `Serialize`, as all that has a secret.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct NewOutgoingHook {
    name: String,
    /// Messages are signed with it; at least 16 characters. It is never given back.
    secret: String,
    tells: Vec<Topic>,
    #[serde(default = "yes")]
    enabled: bool,
    #[serde(flatten)]
    settings: OutgoingHookSettings,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct OutgoingHookChange {
    /// Without it, the secret stays as it is.
    secret: Option<String>,
    tells: Vec<Topic>,
    #[serde(default = "yes")]
    enabled: bool,
    #[serde(flatten)]
    settings: OutgoingHookSettings,
}

fn yes() -> bool {
    true
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "OutgoingHook")]
struct OutgoingHookView {
    name: String,
    tells: Vec<String>,
    enabled: bool,
    #[serde(flatten)]
    settings: OutgoingHookSettings,
    by: String,
    created_at: u64,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "HookMessage")]
struct MessageView {
    number: u64,
    webhook: String,
    /// The header `webhook-id`, the same in every attempt.
    id: String,
    #[serde(rename = "type")]
    kind: String,
    at: u64,
    data: Value,
    /// waiting, sent or dead.
    status: String,
    attempts: u32,
    /// When it is sent next, while it waits.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_at: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ended_at: Option<u64>,
    /// The status of the last answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<u16>,
    /// Why the last attempt failed.
    #[serde(skip_serializing_if = "String::is_empty")]
    trouble: String,
}

#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct MessagesQuery {
    /// `next` of the page before; without it the first page.
    cursor: Option<String>,
    /// At most so many; 50 without it, 500 at most.
    limit: Option<usize>,
    /// Only those of this webhook.
    webhook: Option<String>,
    /// waiting, sent or dead.
    status: Option<String>,
}

pub fn routes() -> Vec<Route> {
    let (all, one) = ("/server/webhooks/outgoing", "/server/webhooks/outgoing/{hook}");
    vec![
        Route::get(all, "list_outgoing_hooks", "List webhooks that tell other systems", list),
        Route::write_as(
            Method::Post,
            all,
            "create_outgoing_hook",
            "Tell another system what happens",
            StatusCode::CREATED,
            create,
        )
        .for_role(Role::Admin)
        .without_key(),
        Route::get(one, "get_outgoing_hook", "Look at a webhook that tells another system", get),
        Route::write(Method::Put, one, "change_outgoing_hook", "Change such a webhook", change)
            .for_role(Role::Admin)
            .without_key(),
        Route::write(Method::Delete, one, "delete_outgoing_hook", "Delete such a webhook", delete)
            .for_role(Role::Admin),
        Route::write_as(
            Method::Post,
            "/server/webhooks/outgoing/{hook}/ping",
            "ping_outgoing_hook",
            "Send a message that tells of nothing",
            StatusCode::ACCEPTED,
            ping,
        )
        .for_role(Role::Admin),
        Route::get("/server/webhooks/messages", "list_messages", "List messages, the newest first", messages),
        Route::write_as(
            Method::Post,
            "/server/webhooks/messages/{message}/resend",
            "resend_message",
            "Send a message again",
            StatusCode::ACCEPTED,
            resend,
        )
        .for_role(Role::Admin),
    ]
}

fn list(asked: &Asked, page: PageQuery) -> Result<Page<OutgoingHookView>, Problem> {
    let page = page.of_whole(asked.service.coordinator.outgoing_hooks()?)?;
    let items = page.items.into_iter().map(view).collect::<Result<_, _>>()?;
    Ok(Page { items, next: page.next })
}

fn get(asked: &Asked, _: Nothing) -> Result<OutgoingHookView, Problem> {
    view(asked.service.coordinator.outgoing_hook(asked.part("hook"))?)
}

fn create(asked: &Asked, new: NewOutgoingHook) -> Result<OutgoingHookView, Problem> {
    let service = &asked.service;
    check_name(&new.name)?;
    HookSecrets::check(&new.secret)?;
    let (settings, kinds) = checked(asked, &new.settings, &new.tells)?;
    if service.coordinator.outgoing_hooks()?.iter().any(|known| known.name == new.name) {
        return Err(taken(&new.name));
    }
    service.outgoing_secrets.keep(&new.name, &new.secret)?;
    let wanted = OutgoingSettings { settings: &settings, kinds: &kinds, is_enabled: new.enabled };
    let added = service.coordinator.add_outgoing_hook(&new.name, &wanted, &asked.caller.name)?;
    view(added.ok_or_else(|| taken(&new.name))?)
}

fn taken(name: &str) -> Problem {
    Problem::conflict(format!("there is an outgoing webhook `{name}` already"))
}

fn change(asked: &Asked, change: OutgoingHookChange) -> Result<OutgoingHookView, Problem> {
    let service = &asked.service;
    let name = service.coordinator.outgoing_hook(asked.part("hook"))?.name;
    let (settings, kinds) = checked(asked, &change.settings, &change.tells)?;
    if let Some(secret) = &change.secret {
        HookSecrets::check(secret)?;
        service.outgoing_secrets.keep(&name, secret)?;
    }
    let wanted = OutgoingSettings { settings: &settings, kinds: &kinds, is_enabled: change.enabled };
    let changed = service.coordinator.change_outgoing_hook(&name, &wanted)?;
    service.message_news.notify_one();
    view(changed)
}

fn delete(asked: &Asked, _: Nothing) -> Result<OutgoingHookView, Problem> {
    let gone = asked.service.coordinator.remove_outgoing_hook(asked.part("hook"))?;
    asked.service.outgoing_secrets.remove(&gone.name)?;
    view(gone)
}

fn ping(asked: &Asked, _: Nothing) -> Result<MessageView, Problem> {
    let message = asked.service.coordinator.ping_hook(asked.part("hook"))?;
    asked.service.message_news.notify_one();
    Ok(shown(message))
}

fn resend(asked: &Asked, _: Nothing) -> Result<MessageView, Problem> {
    let message = asked.service.coordinator.resend_message(asked.number("message")?)?;
    asked.service.message_news.notify_one();
    Ok(shown(message))
}

fn messages(asked: &Asked, query: MessagesQuery) -> Result<Page<MessageView>, Problem> {
    let page = PageQuery { cursor: query.cursor, limit: query.limit };
    let wrong =
        |name: &str| Problem::usage(format!("expected waiting, sent or dead as `status`, found `{name}`"));
    let status = query.status.as_deref().map(|name| MessageStatus::named(name).ok_or_else(|| wrong(name)));
    let found = asked.service.coordinator.messages(MessagePage {
        hook: query.webhook.as_deref(),
        status: status.transpose()?,
        before: page.before()?,
        limit: page.limit() + 1,
    })?;
    Ok(page.newest(found, |message| message.number, shown))
}

fn checked(
    asked: &Asked,
    settings: &OutgoingHookSettings,
    tells: &[Topic],
) -> Result<(Value, Vec<MessageKind>), Problem> {
    if tells.is_empty() {
        return Err(Problem::usage(
            "`tells` is empty: expected at least one of run.finished, test.flaky, alert.raised and incident.opened",
        ));
    }
    check_target(&settings.url, settings.private_addresses, &policy_of(&asked.service))?;
    let kinds = tells.iter().map(|topic| topic.kind()).collect();
    Ok((serde_json::to_value(settings).map_err(|err| Problem::internal(err.to_string()))?, kinds))
}

fn view(hook: OutgoingHook) -> Result<OutgoingHookView, Problem> {
    let settings = serde_json::from_value(hook.settings)
        .map_err(|err| Problem::internal(format!("webhook `{}` cannot be read: {err}", hook.name)))?;
    Ok(OutgoingHookView {
        name: hook.name,
        tells: hook.kinds.iter().map(|kind| kind.name().to_string()).collect(),
        enabled: hook.is_enabled,
        settings,
        by: hook.by,
        created_at: hook.created_at,
    })
}

fn shown(message: HookMessage) -> MessageView {
    let waits = message.status == MessageStatus::Waiting;
    MessageView {
        number: message.number,
        webhook: message.hook,
        id: message.id,
        kind: message.kind.name().to_string(),
        at: message.at,
        data: message.data,
        status: message.status.name().to_string(),
        attempts: message.attempts,
        next_at: waits.then_some(message.next_at),
        ended_at: message.ended_at,
        answer: message.answer,
        trouble: message.trouble,
    }
}
