//! Plans: tests that are written from a page, a goal or a document, and the questions that come first.

use std::collections::BTreeMap;

use assay_coordinator::{Order, OrderStatus};
use axum::http::StatusCode;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::orders::shown_order;
use super::runs::accept;
use crate::orders::{AcceptedWork, PlanOrder, Wish, new_run_name, plan_result};
use crate::paging::{Page, PageQuery};
use crate::problem::Problem;
use crate::route::{Asked, Method, Nothing, Route};

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Plan")]
struct PlanView {
    /// Its name.
    plan: String,
    /// What was asked for.
    document: PlanOrder,
    order: AcceptedWork,
}

#[derive(Debug, Serialize, JsonSchema)]
struct PlanDetails {
    #[serde(flatten)]
    plan: PlanView,
    /// Questions that are open: answered with POST /server/plans/PLAN/answers.
    questions: Vec<PlanQuestion>,
    /// What came of it: files that were written, tests that passed or did not when they were tried, what was left out and
    /// why. Absent until it is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<Value>,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
struct PlanQuestion {
    id: String,
    question: String,
    #[serde(default)]
    why: String,
    /// Nothing is written before it is answered.
    #[serde(default)]
    blocking: bool,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct PlanAnswers {
    /// By the ids of the questions.
    answers: BTreeMap<String, String>,
    /// Goes on without the others; tests that depend on them are left out.
    #[serde(default)]
    goes_on: bool,
}

pub fn routes() -> Vec<Route> {
    vec![
        Route::get("/server/plans", "list_plans", "List plans, the newest first", list),
        Route::write_as(
            Method::Post,
            "/server/plans",
            "start_plan",
            "Have tests written; it is on record when this answers",
            StatusCode::ACCEPTED,
            start,
        ),
        Route::get("/server/plans/{plan}", "get_plan", "Look at a plan, its questions and its result", get),
        Route::write_as(
            Method::Post,
            "/server/plans/{plan}/answers",
            "answer_plan",
            "Answer questions of a plan: another plan goes on with them",
            StatusCode::ACCEPTED,
            answer,
        ),
    ]
}

fn document_of(order: &Order) -> Result<PlanOrder, Problem> {
    match serde_json::from_value(order.body.clone()) {
        Ok(Wish::Plan { order, .. }) => Ok(*order),
        _ => Err(Problem::not_found(format!("there is no plan `{}`", order.name))),
    }
}

fn view(order: &Order) -> Result<PlanView, Problem> {
    Ok(PlanView { plan: order.name.clone(), document: document_of(order)?, order: shown_order(order) })
}

fn list(asked: &Asked, page: PageQuery) -> Result<Page<PlanView>, Problem> {
    let found = asked.service.coordinator.orders_of_kind("plan", page.before()?, page.limit() + 1)?;
    let page = page.newest(found, |order| order.number, |order| view(&order));
    Ok(Page { items: page.items.into_iter().collect::<Result<_, Problem>>()?, next: page.next })
}

fn find(asked: &Asked) -> Result<Order, Problem> {
    let name = asked.part("plan");
    let order = asked.service.coordinator.order_named(name)?.filter(|order| order.kind == "plan");
    order.ok_or_else(|| {
        Problem::not_found(format!("there is no plan `{name}`")).hint("GET /server/plans lists them")
    })
}

fn get(asked: &Asked, _: Nothing) -> Result<PlanDetails, Problem> {
    let order = find(asked)?;
    let result = plan_result(&asked.service, &order.name)?;
    let questions = result.as_ref().map(|result| result["questions"].clone()).unwrap_or_default();
    Ok(PlanDetails {
        plan: view(&order)?,
        questions: serde_json::from_value(questions).unwrap_or_default(),
        result,
    })
}

fn start(asked: &Asked, order: PlanOrder) -> Result<AcceptedWork, Problem> {
    let words = order.words()?;
    // What reaches beyond the project takes a user at the terminal.
    if let Some(what) = asked.service.seams.program.reach_of(&words)? {
        return Err(Problem::forbidden(format!("a plan of the service may not do that: it {what}")));
    }
    accept(asked, &Wish::Plan { words, order: Box::new(order) }, &format!("plan-{}", new_run_name()))
}

fn answer(asked: &Asked, said: PlanAnswers) -> Result<AcceptedWork, Problem> {
    let before = find(asked)?;
    if !before.status.is_over() || before.status == OrderStatus::Withdrawn {
        let what = format!("plan `{}` is {}, so it has no questions yet", before.name, before.status.name());
        return Err(Problem::conflict(what));
    }
    let mut order = document_of(&before)?;
    order.answers.extend(said.answers);
    order.goes_on |= said.goes_on;
    start(asked, order)
}
