//! Webhooks that other systems call: made, changed, looked at, and called.

use assay_coordinator::{HookDelivery, IncomingHook};
use axum::http::StatusCode;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::access::Role;
use crate::hooks::{HookSecrets, IncomingSettings, PATH, prove, receive};
use crate::names::check_name;
use crate::paging::{Page, PageQuery};
use crate::problem::Problem;
use crate::route::{Asked, Method, Nothing, Route};

/// Deliberately without `Debug` and `Serialize`, as all that has a secret.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct NewIncomingHook {
    name: String,
    /// What both sides know, at least 16 characters. It is never given back.
    secret: String,
    #[serde(default = "yes")]
    enabled: bool,
    #[serde(flatten)]
    settings: IncomingSettings,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct IncomingHookChange {
    /// Without it, the secret stays as it is.
    secret: Option<String>,
    #[serde(default = "yes")]
    enabled: bool,
    #[serde(flatten)]
    settings: IncomingSettings,
}

fn yes() -> bool {
    true
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "IncomingHook")]
struct IncomingHookView {
    name: String,
    /// Where the other system delivers, below the address of the service.
    path: String,
    enabled: bool,
    #[serde(flatten)]
    settings: IncomingSettings,
    by: String,
    created_at: u64,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "HookDelivery")]
struct DeliveryView {
    number: u64,
    /// As its sender names it.
    delivery: String,
    at: u64,
    /// What it said, in a line.
    summary: String,
    /// What it became; neither where nothing was to be done.
    #[serde(skip_serializing_if = "Option::is_none")]
    order: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    event: Option<u64>,
}

pub fn routes() -> Vec<Route> {
    let (all, one) = ("/server/webhooks/incoming", "/server/webhooks/incoming/{hook}");
    vec![
        Route::get(all, "list_incoming_hooks", "List webhooks that other systems call", list),
        Route::write_as(
            Method::Post,
            all,
            "create_incoming_hook",
            "Let another system begin something",
            StatusCode::CREATED,
            create,
        )
        .for_role(Role::Admin)
        .without_key(),
        Route::get(one, "get_incoming_hook", "Look at a webhook that another system calls", get),
        Route::write(Method::Put, one, "change_incoming_hook", "Change such a webhook", change)
            .for_role(Role::Admin)
            .without_key(),
        Route::write(Method::Delete, one, "delete_incoming_hook", "Delete such a webhook", delete)
            .for_role(Role::Admin),
        Route::get(
            "/server/webhooks/incoming/{hook}/deliveries",
            "list_deliveries",
            "List what another system delivered, the newest first",
            deliveries,
        ),
        Route::write_as(
            Method::Post,
            "/server/hooks/{hook}",
            "deliver",
            "Deliver something to a webhook",
            StatusCode::ACCEPTED,
            receive,
        )
        .proved_by(prove),
    ]
}

fn list(asked: &Asked, page: PageQuery) -> Result<Page<IncomingHookView>, Problem> {
    let page = page.of_whole(asked.service.coordinator.incoming_hooks()?)?;
    let items = page.items.into_iter().map(view).collect::<Result<_, _>>()?;
    Ok(Page { items, next: page.next })
}

fn get(asked: &Asked, _: Nothing) -> Result<IncomingHookView, Problem> {
    view(asked.service.coordinator.incoming_hook(asked.part("hook"))?)
}

fn create(asked: &Asked, new: NewIncomingHook) -> Result<IncomingHookView, Problem> {
    let service = &asked.service;
    check_name(&new.name)?;
    HookSecrets::check(&new.secret)?;
    let settings = checked(asked, &new.settings)?;
    if service.coordinator.incoming_hooks()?.iter().any(|known| known.name == new.name) {
        return Err(taken(&new.name));
    }
    // A secret without its webhook is of no use to anybody; the other way round, nothing could be delivered.
    service.incoming_secrets.keep(&new.name, &new.secret)?;
    let by = &asked.caller.name;
    let added = service.coordinator.add_incoming_hook(&new.name, &settings, new.enabled, by)?;
    view(added.ok_or_else(|| taken(&new.name))?)
}

fn taken(name: &str) -> Problem {
    Problem::conflict(format!("there is an incoming webhook `{name}` already"))
}

fn change(asked: &Asked, change: IncomingHookChange) -> Result<IncomingHookView, Problem> {
    let service = &asked.service;
    let name = service.coordinator.incoming_hook(asked.part("hook"))?.name;
    let settings = checked(asked, &change.settings)?;
    if let Some(secret) = &change.secret {
        HookSecrets::check(secret)?;
        service.incoming_secrets.keep(&name, secret)?;
    }
    view(service.coordinator.change_incoming_hook(&name, &settings, change.enabled)?)
}

fn delete(asked: &Asked, _: Nothing) -> Result<IncomingHookView, Problem> {
    let gone = asked.service.coordinator.remove_incoming_hook(asked.part("hook"))?;
    asked.service.incoming_secrets.remove(&gone.name)?;
    view(gone)
}

fn deliveries(asked: &Asked, page: PageQuery) -> Result<Page<DeliveryView>, Problem> {
    let coordinator = &asked.service.coordinator;
    let hook = coordinator.incoming_hook(asked.part("hook"))?;
    let found = coordinator.deliveries(hook.number, page.before()?, page.limit() + 1)?;
    Ok(page.newest(found, |delivery| delivery.number, shown))
}

fn checked(asked: &Asked, settings: &IncomingSettings) -> Result<Value, Problem> {
    settings.work.as_ref().map_or(Ok(()), |work| work.check(&asked.service.seams))?;
    serde_json::to_value(settings).map_err(|err| Problem::internal(err.to_string()))
}

fn view(hook: IncomingHook) -> Result<IncomingHookView, Problem> {
    let settings = serde_json::from_value(hook.settings)
        .map_err(|err| Problem::internal(format!("webhook `{}` cannot be read: {err}", hook.name)))?;
    Ok(IncomingHookView {
        path: format!("{PATH}{}", hook.name),
        name: hook.name,
        enabled: hook.is_enabled,
        settings,
        by: hook.by,
        created_at: hook.created_at,
    })
}

fn shown(delivery: HookDelivery) -> DeliveryView {
    DeliveryView {
        number: delivery.number,
        delivery: delivery.id,
        at: delivery.at,
        summary: delivery.summary,
        order: delivery.begun.order,
        event: delivery.begun.event,
    }
}
