//! Orders: what the service accepted, and what became of it.

use assay_coordinator::{Order, OrderPage, OrderStatus};
use axum::http::StatusCode;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::orders::{AcceptedWork, Wish};
use crate::paging::{Page, PageQuery};
use crate::problem::Problem;
use crate::route::{Asked, Nothing, Reply, Route};

#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct OrdersQuery {
    /// `next` of the page before; without it the first page.
    cursor: Option<String>,
    /// At most so many; 50 without it, 500 at most.
    limit: Option<usize>,
    /// Only those that are accepted, begun, ended, failed, withdrawn or interrupted.
    status: Option<String>,
}

pub fn routes() -> Vec<Route> {
    vec![
        Route::get("/server/orders", "list_orders", "List what was asked for, the newest first", list),
        Route::get("/server/orders/{order}", "get_order", "Say what became of an order", get),
    ]
}

fn list(asked: &Asked, query: OrdersQuery) -> Result<Page<AcceptedWork>, Problem> {
    let page = PageQuery { cursor: query.cursor, limit: query.limit };
    let wrong = |name: &str| Problem::usage(format!("no order has the status `{name}`"));
    let status = query.status.as_deref().map(|name| OrderStatus::named(name).ok_or_else(|| wrong(name)));
    let which = OrderPage { status: status.transpose()?, before: page.before()?, limit: page.limit() + 1 };
    let found = asked.service.coordinator.orders(which)?;
    Ok(page.newest(found, |order| order.number, |order| shown_order(&order)))
}

fn get(asked: &Asked, _: Nothing) -> Result<AcceptedWork, Problem> {
    Ok(shown_order(&asked.service.coordinator.order(asked.number("order")?)?))
}

pub(super) fn shown_order(order: &Order) -> AcceptedWork {
    let wish = serde_json::from_value::<Wish>(order.body.clone());
    let (run, words) = match &wish {
        Ok(wish) => (wish.run(&order.name), wish.words()),
        Err(_) => (order.name.as_str(), Vec::new()),
    };
    AcceptedWork {
        order: order.number,
        kind: order.kind.clone(),
        run: run.to_string(),
        status: order.status.name().to_string(),
        command: format!("assay {}", words.join(" ")),
        by: order.by.clone(),
        accepted_at: order.accepted_at,
        ended_at: order.ended_at,
        trouble: order.trouble.clone(),
        notes: order.notes.clone(),
    }
}

/// The answer to a request that became this order.
pub fn answer_of_order(asked: &Asked, number: u64) -> Result<Reply, Problem> {
    Reply::json(StatusCode::ACCEPTED, &shown_order(&asked.service.coordinator.order(number)?))
}
