//! How the service is: health, readiness, numbers, and the description of its routes.

use assay_agent::Library;
use assay_coordinator::{MessagePage, MessageStatus, OrderPage, OrderStatus};
use assay_host::ModelOptions;
use assay_host::choose_model;
use axum::http::StatusCode;
use schemars::JsonSchema;
use serde::Serialize;

use crate::access::Role;
use crate::numbers::{head, line};
use crate::openapi;
use crate::problem::Problem;
use crate::route::{AnswerForm, Asked, Nothing, Reply, Route};

#[derive(Serialize, JsonSchema)]
struct Health {
    /// `ok`
    status: String,
    version: String,
}

#[derive(Serialize, JsonSchema)]
struct Readiness {
    ready: bool,
    /// The state of the project can be read.
    state: bool,
}

/// Who asks, for pages that show what can be done.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Caller")]
struct CallerView {
    /// The token, or the user of this machine.
    name: String,
    role: Role,
    /// A page that signed in with a token, and can sign out.
    is_signed_in: bool,
    suite: String,
    /// The version of assay.
    version: String,
}

#[derive(Serialize, JsonSchema)]
struct AgentHealth {
    /// `ok`
    status: String,
    /// Whether a model is configured. Without one, agents understand requests by rules.
    has_model: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<String>,
    agents: Vec<AgentOffer>,
    /// Mistakes in the files of the project's own agents and skills.
    problems: Vec<String>,
}

#[derive(Serialize, JsonSchema)]
struct AgentOffer {
    id: String,
    name: String,
    description: String,
    skills: Vec<String>,
    suggestions: Vec<String>,
}

pub fn routes() -> Vec<Route> {
    vec![
        Route::get("/health", "get_health", "Say that the service lives", health),
        Route::raw(
            "/ready",
            "get_readiness",
            "Say whether the service takes work",
            AnswerForm::Json(ready_schema),
            ready,
        ),
        Route::raw("/metrics", "get_metrics", "Numbers for Prometheus", AnswerForm::Text(METRICS), metrics),
        Route::raw("/openapi.json", "get_openapi", "Describe all routes", AnswerForm::Document, document),
        Route::get("/server/caller", "get_caller", "Say who asks, and with which role", caller),
        Route::get("/server/agent/health", "get_agent_health", "Say which agents there are", agent_health),
    ]
}

const METRICS: &str = "text/plain; version=0.0.4; charset=utf-8";

fn ready_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
    generator.subschema_for::<Readiness>()
}

fn health(asked: &Asked, _: Nothing) -> Result<Health, Problem> {
    Ok(Health { status: "ok".to_string(), version: asked.service.seams.version.to_string() })
}

fn ready(asked: &Asked, _: Nothing) -> Result<Reply, Problem> {
    let state = asked.service.coordinator.runs_before(None, None, 1).is_ok();
    let ready = state && asked.service.is_ready();
    let status = if ready { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    Reply::json(status, &Readiness { ready, state })
}

fn metrics(asked: &Asked, _: Nothing) -> Result<Reply, Problem> {
    let service = &asked.service;
    let mut out = String::new();
    head(&mut out, "assay_build_info", "gauge", "The version of assay.");
    line(&mut out, "assay_build_info", &format!("version=\"{}\"", service.seams.version), 1);
    head(&mut out, "assay_ready", "gauge", "1 while the service takes work.");
    line(&mut out, "assay_ready", "", u8::from(service.is_ready()));
    service.numbers.write(&mut out);
    head(&mut out, "assay_orders_waiting", "gauge", "Orders that wait for their turn.");
    let waiting = OrderPage { status: Some(OrderStatus::Accepted), before: None, limit: 10_000 };
    line(&mut out, "assay_orders_waiting", "", service.coordinator.orders(waiting)?.len());
    head(&mut out, "assay_runs_under_way", "gauge", "Runs that this service carries out.");
    line(&mut out, "assay_runs_under_way", "", service.desk.under_way().len());
    head(&mut out, "assay_followers", "gauge", "Clients that follow a run.");
    line(&mut out, "assay_followers", "", service.feeds.followers(service.options.limits.followers));
    head(&mut out, "assay_messages", "gauge", "Messages of webhooks that nobody has taken, by their status.");
    for status in [MessageStatus::Waiting, MessageStatus::Dead] {
        let page = MessagePage { hook: None, status: Some(status), before: None, limit: 10_000 };
        let count = service.coordinator.messages(page)?.len();
        line(&mut out, "assay_messages", &format!("status=\"{}\"", status.name()), count);
    }
    head(&mut out, "assay_sockets", "gauge", "Clients of Socket.IO.");
    line(&mut out, "assay_sockets", "", service.bound.count());
    Ok(Reply::text(StatusCode::OK, METRICS, out))
}

fn document(asked: &Asked, _: Nothing) -> Result<Reply, Problem> {
    Reply::json(StatusCode::OK, &openapi::document(asked.service.seams.version))
}

fn caller(asked: &Asked, _: Nothing) -> Result<CallerView, Problem> {
    let seams = &asked.service.seams;
    let project =
        assay_suite::project_of(&seams.folder, &seams.context.drivers.names(), &*seams.context.variables);
    Ok(CallerView {
        name: asked.caller.name.clone(),
        role: asked.caller.role,
        is_signed_in: asked.caller.is_signed_in,
        suite: project.suite,
        version: seams.version.to_string(),
    })
}

fn agent_health(asked: &Asked, _: Nothing) -> Result<AgentHealth, Problem> {
    let seams = &asked.service.seams;
    let context = &seams.context;
    let library = Library::of_project(&asked.service.root, context.state.home.as_deref());
    let project = assay_suite::project_of(&seams.folder, &context.drivers.names(), &*context.variables);
    let chosen = choose_model(context, &ModelOptions::default(), project.model.as_deref())?;
    let model = chosen.and_then(|chosen| chosen.name.ok()).map(|name| name.model);
    let offers = library.agents.iter().filter(|agent| agent.config.is_enabled).map(|agent| AgentOffer {
        id: agent.id.clone(),
        name: agent.nickname.clone(),
        description: agent.description.clone(),
        skills: agent.skills.clone(),
        suggestions: agent.suggestions.clone(),
    });
    Ok(AgentHealth {
        status: "ok".to_string(),
        has_model: model.is_some(),
        model,
        agents: offers.collect(),
        problems: library.problems.iter().map(ToString::to_string).collect(),
    })
}
