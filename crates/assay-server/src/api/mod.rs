//! The routes of the service, by what they are about.

mod agent_keys;
mod agent_sessions;
mod alerts;
mod artifacts;
mod audit;
mod backup;
mod devices;
mod events;
mod flaky;
mod heals;
mod incidents;
mod incoming_hooks;
mod live;
mod live_tasks;
mod orders;
mod outgoing_hooks;
mod overview;
mod plans;
mod proofs;
mod requirements;
mod run_events;
mod runs;
mod schedules;
mod service;
mod statistics;
mod test_bin;
mod test_files;
mod tests;
mod tools;
mod trees;

use std::sync::{Arc, OnceLock};

use axum::Router;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodFilter, on};

use crate::problem::Problem;
use crate::route::{Method, Route, serve};
use crate::service::Service;

pub(crate) use artifacts::SANDBOX;
pub(crate) use orders::answer_of_order;
pub(crate) use run_events::run_to_follow;
pub(crate) use tools::is_for_readers;

/// All routes, in the order of the document that describes them.
pub fn routes() -> Vec<Route> {
    [
        service::routes(),
        overview::routes(),
        runs::routes(),
        run_events::routes(),
        artifacts::routes(),
        orders::routes(),
        tests::routes(),
        test_files::routes(),
        test_bin::routes(),
        plans::routes(),
        proofs::routes(),
        flaky::routes(),
        statistics::routes(),
        requirements::routes(),
        heals::routes(),
        trees::routes(),
        tools::routes(),
        devices::routes(),
        live::routes(),
        live_tasks::routes(),
        agent_sessions::routes(),
        agent_keys::routes(),
        events::routes(),
        alerts::routes(),
        incidents::routes(),
        schedules::routes(),
        incoming_hooks::routes(),
        outgoing_hooks::routes(),
        audit::routes(),
        backup::routes(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// The route of this name.
pub fn route_named(name: &str) -> Option<Arc<Route>> {
    static ALL: OnceLock<Vec<Arc<Route>>> = OnceLock::new();
    let all = ALL.get_or_init(|| routes().into_iter().map(Arc::new).collect());
    all.iter().find(|route| route.name == name).map(Arc::clone)
}

/// The routes, ready to be asked.
pub fn router(service: &Arc<Service>) -> Router {
    let mut router = Router::new();
    for route in routes() {
        let (route, service) = (Arc::new(route), Arc::clone(service));
        let filter = match route.method {
            Method::Get => MethodFilter::GET,
            Method::Post => MethodFilter::POST,
            Method::Put => MethodFilter::PUT,
            Method::Delete => MethodFilter::DELETE,
        };
        let path = route.path;
        let answering = move |request: Request| serve(Arc::clone(&service), Arc::clone(&route), request);
        router = router.route(path, on(filter, answering));
    }
    let router = crate::console::routes(router);
    router.fallback(nothing_here).method_not_allowed_fallback(wrong_method)
}

async fn nothing_here(request: Request) -> Response {
    Problem::not_found(format!("there is nothing at {}", request.uri().path()))
        .hint("GET /openapi.json lists what there is")
        .into_response()
}

async fn wrong_method(request: Request) -> Response {
    let what = format!("{} cannot be asked with {}", request.uri().path(), request.method());
    Problem::new(StatusCode::METHOD_NOT_ALLOWED, "usage", what).into_response()
}
