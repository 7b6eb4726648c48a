//! The events of a run: as a list, and live.

use assay_coordinator::RunRecord;
use axum::http::{HeaderValue, header};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::runs::{find_run, not_begun};
use crate::follow::stream;
use crate::paging::{Page, PageQuery};
use crate::problem::Problem;
use crate::route::{AnswerForm, Asked, Reply, Route, schema_of};
use crate::service::Service;

/// An event of a run as its reports know it.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "RecordedEvent")]
struct RunEventView {
    /// Grows from event to event.
    number: u64,
    /// `at` in milliseconds since 1970, `event` with its kind, and what belongs to it.
    event: Value,
}

/// The data of a live event.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "LiveRunEvent")]
struct LiveEvent {
    /// Milliseconds since 1970.
    at: u64,
    /// Its kind, such as `test-started`; the other fields belong to the kind.
    event: String,
}

#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct FollowQuery {
    /// Only events after this number; the header `Last-Event-ID` says the same and comes first.
    after: Option<u64>,
}

pub fn routes() -> Vec<Route> {
    vec![
        Route::get(
            "/server/runs/{run}/history",
            "list_run_events",
            "List the events of a run on record, the oldest first",
            list,
        ),
        Route::raw(
            "/server/runs/{run}/events",
            "follow_run",
            "Follow a run live, from its beginning or after an event",
            AnswerForm::Events(schema_of::<LiveEvent>),
            follow,
        ),
    ]
}

fn list(asked: &Asked, page: PageQuery) -> Result<Page<RunEventView>, Problem> {
    let run = find_run(&asked.service, asked.part("run"))?;
    let after = page.before()?.unwrap_or(0);
    let mut found = asked.service.coordinator.run_events_after(run.task, after, page.limit() + 1)?;
    let has_more = found.len() > page.limit();
    found.truncate(page.limit());
    let next = found.last().filter(|_| has_more).map(|(number, _)| number.to_string());
    let items = found.into_iter().map(|(number, event)| {
        let event = serde_json::to_value(event).map_err(|err| Problem::internal(err.to_string()))?;
        Ok(RunEventView { number, event })
    });
    Ok(Page { items: items.collect::<Result<_, Problem>>()?, next })
}

/// A run that was begun, by name or number.
pub fn run_to_follow(service: &Service, which: &str) -> Result<RunRecord, Problem> {
    if let Some(order) = service.coordinator.order_named(which)?
        && !service.coordinator.has_run(which)?
    {
        return Err(not_begun(&order));
    }
    find_run(service, which)
}

fn follow(asked: &Asked, query: FollowQuery) -> Result<Reply, Problem> {
    let service = &asked.service;
    let run = run_to_follow(service, asked.part("run"))?;
    let wrong = |_| Problem::usage("expected the number of an event in `Last-Event-ID`");
    let last = asked.header("last-event-id")?.map(|text| text.parse().map_err(wrong)).transpose()?;
    let after = last.or(query.after).unwrap_or(0);
    let follower = service.feeds.follow(run.task, after)?;
    Ok(Reply::stream("text/event-stream", stream(follower, service.stop.clone()))
        .with(header::CACHE_CONTROL, HeaderValue::from_static("no-cache, no-transform")))
}
