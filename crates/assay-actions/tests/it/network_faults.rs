//! Requests that fail on purpose.

use assay_driver::NetworkFaultKind::{Fail, Refuse, Swallow};

use crate::on_every_engine;
use crate::test_bench::Bench;

on_every_engine! {
    a_posted_form_does_not_reach_the_server
    what_page_code_sends_does_not_reach_the_server
    a_beacon_does_not_reach_the_server
    what_a_worker_sends_does_not_reach_the_server
    only_the_wanted_request_is_struck
    requests_of_frames_are_struck
    requests_to_other_sites_are_struck
    a_fault_stays_armed_over_navigations_until_it_is_lifted
}

async fn a_posted_form_does_not_reach_the_server(bench: &mut Bench) {
    for (how, title) in [(Refuse { status: 503 }, None), (Swallow, Some("")), (Fail, None)] {
        bench.go("/shop").await;
        bench.strike(Some("POST"), &bench.url("/order"), 1, how).await;
        bench.click("#form").await;
        bench.until("the form is struck", |bench| bench.session.faults_struck() == 1).await;
        if let Some(title) = title {
            assert_eq!(bench.title().await, title);
        }
        bench.lift().await;
    }
    assert_eq!(bench.reached("POST /order"), 0);
    bench.go("/shop").await;
    bench.click("#form").await;
    assert_eq!(bench.title().await, "Done");
    assert_eq!(bench.reached("POST /order"), 1);
}

async fn what_page_code_sends_does_not_reach_the_server(bench: &mut Bench) {
    bench.go("/shop").await;
    let answers =
        [(Fail, "broken"), (Refuse { status: 500 }, "500 500 Internal Server Error"), (Swallow, "200")];
    for (button, request) in [("#fetch", "POST /api/order"), ("#xhr", "PUT /api/put")] {
        let (method, path) = request.split_once(' ').unwrap();
        for (how, expected) in answers {
            bench.strike(Some(method), &bench.url(path), 1, how).await;
            bench.click(button).await;
            assert_eq!(bench.outcome().await, expected, "{request} {how:?}");
            assert_eq!(bench.session.faults_struck(), 1);
            bench.lift().await;
        }
        assert_eq!(bench.reached(request), 0);
        bench.click(button).await;
        assert_eq!(bench.outcome().await, "200 taken");
        assert_eq!(bench.reached(request), 1);
    }
}

async fn a_beacon_does_not_reach_the_server(bench: &mut Bench) {
    bench.go("/shop").await;
    bench.strike(Some("POST"), &bench.url("/api/beacon"), 1, Fail).await;
    bench.click("#beacon").await;
    bench.until("the beacon is struck", |bench| bench.session.faults_struck() == 1).await;
    // The second shows that the first would have been there by now.
    bench.click("#beacon").await;
    bench.until("the second beacon comes", |bench| bench.reached("POST /api/beacon") > 0).await;
    assert_eq!(bench.reached("POST /api/beacon"), 1);
}

async fn what_a_worker_sends_does_not_reach_the_server(bench: &mut Bench) {
    bench.go("/shop").await;
    for (button, request) in [("#keepalive", "/api/kept"), ("#worker", "/api/worker")] {
        bench.strike(Some("POST"), &bench.url(request), 1, Fail).await;
        bench.click(button).await;
        assert_eq!(bench.outcome().await, "broken", "{button}");
        assert_eq!((bench.session.faults_struck(), bench.reached(&format!("POST {request}"))), (1, 0));
        bench.lift().await;
        bench.click(button).await;
        assert!(bench.outcome().await.starts_with("200"), "{button}");
    }
}

async fn only_the_wanted_request_is_struck(bench: &mut Bench) {
    bench.go("/shop").await;
    bench.strike(Some("POST"), &bench.url("/api/order"), 2, Fail).await;
    bench.click("#get").await;
    assert_eq!(bench.outcome().await, "200 taken");
    let mut outcomes = Vec::new();
    for _ in 0..3 {
        bench.click("#fetch").await;
        outcomes.push(bench.outcome().await);
    }
    assert_eq!(outcomes, ["200 taken", "broken", "200 taken"]);
    assert_eq!((bench.reached("POST /api/order"), bench.reached("GET /api/order")), (2, 1));
    bench.strike(None, &bench.url("/api/order"), 0, Refuse { status: 404 }).await;
    for button in ["#fetch", "#get", "#query", "#fetch"] {
        bench.click(button).await;
        assert_eq!(bench.outcome().await, "404 404 Not Found");
    }
    bench.click("#xhr").await;
    assert_eq!(bench.outcome().await, "200 taken");
    assert_eq!(bench.session.faults_struck(), 5);
}

async fn requests_of_frames_are_struck(bench: &mut Bench) {
    bench.go("/shop").await;
    for (frame, url) in [("f2", bench.url("/api/inner")), ("f3", bench.abroad("/api/inner"))] {
        bench.strike(Some("POST"), &url, 1, Fail).await;
        for expected in ["broken", "200"] {
            bench.click(&format!("{frame} >> #inner")).await;
            assert_eq!(bench.text(&format!("{frame} >> #said")).await, expected, "{frame}");
        }
        assert_eq!(bench.session.faults_struck(), 1);
        bench.lift().await;
    }
    assert_eq!(bench.reached("POST /api/inner"), 2);
    // A frame that comes when the fault is there already.
    bench.strike(Some("POST"), &bench.abroad("/api/inner"), 1, Fail).await;
    bench.go("/shop").await;
    bench.click("f3 >> #inner").await;
    assert_eq!(bench.text("f3 >> #said").await, "broken");
    assert_eq!(bench.reached("POST /api/inner"), 2);
}

async fn requests_to_other_sites_are_struck(bench: &mut Bench) {
    bench.go("/shop").await;
    for (how, expected) in [(Fail, "broken"), (Refuse { status: 403 }, "403 403 Forbidden")] {
        bench.strike(None, &bench.abroad("/api/foreign"), 1, how).await;
        bench.click("#foreign").await;
        assert_eq!(bench.outcome().await, expected);
        assert_eq!(bench.session.faults_struck(), 1);
        bench.lift().await;
    }
    assert_eq!(bench.reached("POST /api/foreign"), 0);
    bench.strike(Some("POST"), &bench.abroad("/order"), 1, Refuse { status: 500 }).await;
    bench.click("#abroad").await;
    bench.until("the form is struck", |bench| bench.session.faults_struck() == 1).await;
    assert_eq!(bench.reached("POST /order"), 0);
}

async fn a_fault_stays_armed_over_navigations_until_it_is_lifted(bench: &mut Bench) {
    bench.strike(Some("POST"), &bench.url("/api/order"), 0, Fail).await;
    bench.go("/shop").await;
    bench.click("#fetch").await;
    assert_eq!(bench.outcome().await, "broken");
    bench.go("/words").await;
    bench.go("/shop").await;
    bench.click("#fetch").await;
    assert_eq!(bench.outcome().await, "broken");
    bench.lift().await;
    assert_eq!(bench.session.faults_struck(), 2);
    bench.click("#fetch").await;
    assert_eq!(bench.outcome().await, "200 taken");
    bench.go("/shop").await;
    bench.click("#fetch").await;
    assert_eq!(bench.outcome().await, "200 taken");
    assert_eq!((bench.reached("POST /api/order"), bench.session.faults_struck()), (2, 2));
}
