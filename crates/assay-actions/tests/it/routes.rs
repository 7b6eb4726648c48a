//! Requests that are answered in the server's place.

use assay_driver::NetworkFaultKind;
use assay_protocol::{Action, Route, RouteAnswer, UrlPattern};

use crate::on_every_engine;
use crate::test_bench::{Bench, soon};

on_every_engine! {
    a_routed_request_is_answered_and_counted
    the_last_route_that_matches_answers
    routes_hold_in_popups_and_over_navigations
    requests_to_other_sites_are_answered_with_their_questions_for_permission
    a_document_can_be_routed
    a_fault_goes_before_a_route
}

fn pattern(text: &str) -> UrlPattern {
    UrlPattern::new(text).unwrap()
}

fn fulfil(text: &str, status: u16, body: &str) -> Route {
    let answer =
        RouteAnswer::Fulfill { status, body: body.to_string(), content_type: "application/json".to_string() };
    Route { pattern: pattern(text), method: None, answer }
}

async fn route(bench: &mut Bench, route: Route) {
    bench.session.route(&route, soon()).await.unwrap();
}

fn counts(bench: &mut Bench) -> Vec<u32> {
    bench.session.routes().unwrap().iter().map(|known| known.struck).collect()
}

async fn a_routed_request_is_answered_and_counted(bench: &mut Bench) {
    bench.go("/world").await;
    route(bench, fulfil("**/api/cart", 200, "{\"items\":[\"Köder\"]}")).await;
    for _ in 0..2 {
        bench.click("#cart").await;
        assert_eq!(bench.outcome().await, "200 {\"items\":[\"Köder\"]}");
    }
    assert_eq!(counts(bench), [2]);
    assert_eq!(bench.reached("GET /api/cart"), 0);
    route(bench, Route { answer: RouteAnswer::Abort, ..fulfil("**/api/cart", 200, "") }).await;
    bench.click("#cart").await;
    assert_eq!(bench.outcome().await, "broken");
    assert_eq!(counts(bench), [1], "it took the place of the one before");
    assert_eq!(bench.session.unroute(Some(&pattern("**/api/cart")), soon()).await.unwrap(), 1);
    bench.click("#cart").await;
    assert_eq!(bench.outcome().await, "200 taken");
    assert_eq!(bench.session.unroute(None, soon()).await.unwrap(), 0);
}

async fn the_last_route_that_matches_answers(bench: &mut Bench) {
    bench.go("/world").await;
    route(bench, fulfil("/api/**", 418, "all")).await;
    route(bench, fulfil("**/api/*", 201, "one")).await;
    route(bench, Route { method: Some("POST".to_string()), ..fulfil("**/api/cart", 500, "posted") }).await;
    bench.click("#cart").await;
    assert_eq!(bench.outcome().await, "201 one");
    assert_eq!(counts(bench), [0, 1, 0]);
    bench.session.unroute(Some(&pattern("**/api/*")), soon()).await.unwrap();
    bench.click("#cart").await;
    assert_eq!(bench.outcome().await, "418 all");
    assert_eq!(bench.session.unroute(None, soon()).await.unwrap(), 2);
    assert_eq!(counts(bench), [0; 0]);
}

async fn routes_hold_in_popups_and_over_navigations(bench: &mut Bench) {
    bench.go("/world").await;
    route(bench, fulfil("**/api/cart", 200, "routed")).await;
    bench.go("/world?again").await;
    bench.click("#cart").await;
    assert_eq!(bench.outcome().await, "200 routed");
    bench.click("#popup").await;
    bench.perform(Action::TabSwitch { tab: "t2".to_string() }).await.unwrap();
    bench.settled("typeof first").await;
    bench.click("#cart").await;
    assert_eq!(bench.outcome().await, "200 routed");
    assert_eq!(counts(bench), [2]);
    assert_eq!(bench.reached("GET /api/cart"), 0);
}

async fn requests_to_other_sites_are_answered_with_their_questions_for_permission(bench: &mut Bench) {
    bench.go("/world").await;
    route(bench, fulfil("**/far/away", 200, "near")).await;
    let far = bench.abroad("/far/away");
    let send = format!(
        "fetch('{far}', {{ method: 'PUT', headers: {{ 'X-Own': '1' }} }}).then((a) => a.text(), (e) => 'broken ' + e)"
    );
    assert_eq!(bench.said(&send).await, "near");
    assert_eq!(bench.reached("PUT /far/away") + bench.reached("OPTIONS /far/away"), 0);
    assert_eq!(counts(bench), [1]);
}

async fn a_document_can_be_routed(bench: &mut Bench) {
    bench.go("/world").await;
    let body = "<!doctype html><title>Maintenance</title><h1>Back soon</h1>".to_string();
    let answer =
        RouteAnswer::Fulfill { status: 200, body, content_type: "text/html; charset=utf-8".to_string() };
    route(bench, Route { pattern: pattern("**/shop"), method: None, answer }).await;
    bench.go("/shop").await;
    assert_eq!(bench.title().await, "Maintenance");
    assert_eq!(bench.reached("GET /shop"), 0);
}

async fn a_fault_goes_before_a_route(bench: &mut Bench) {
    bench.go("/world").await;
    route(bench, fulfil("**/api/cart", 200, "routed")).await;
    bench.strike(None, &bench.url("/api/cart"), 1, NetworkFaultKind::Refuse { status: 503 }).await;
    bench.click("#cart").await;
    assert_eq!(bench.outcome().await, "503 503 Service Unavailable");
    bench.lift().await;
    bench.click("#cart").await;
    assert_eq!(bench.outcome().await, "200 routed", "it is there when the fault is lifted");
    assert_eq!(bench.reached("GET /api/cart"), 0);
}
