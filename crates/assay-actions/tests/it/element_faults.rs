//! Elements that are deaf or disabled on purpose.

use assay_actions::{Call, Fault, Policy};
use assay_driver::Deadline;
use assay_protocol::{Action, ElementState, ErrorCode, Failure, MouseButton};
use std::time::Duration;

use crate::on_every_engine;
use crate::test_bench::{Bench, selector, soon};

on_every_engine! {
    a_deaf_button_is_pressed_and_nothing_happens
    a_deaf_button_sends_no_form
    a_deaf_element_stays_deaf_when_it_is_drawn_anew
    a_disabled_control_stays_disabled_until_the_fault_is_lifted
}

fn deaf(target: &str) -> Fault {
    Fault::Deaf { target: selector(target) }
}

fn disabled(target: &str) -> Fault {
    Fault::Disabled { target: selector(target) }
}

async fn a_deaf_button_is_pressed_and_nothing_happens(bench: &mut Bench) {
    bench.go("/controls").await;
    for target in ["#listener", "#inline", "#link", "#custom"] {
        bench.inject(deaf(target)).await;
        assert_eq!(bench.session.faults_struck(), 0);
        // It counts as delivered: a test must find out by what does not happen.
        bench.click(target).await;
        assert!(bench.session.faults_struck() > 0, "{target}");
        bench.lift().await;
    }
    assert_eq!((bench.text("#out").await.as_str(), bench.title().await.as_str()), ("", "Controls"));
    bench.inject(deaf("#listener")).await;
    bench.click("#other").await;
    assert_eq!(bench.outcome().await, "other");
    assert_eq!(bench.session.faults_struck(), 0);
    bench.lift().await;
    bench.click("#listener").await;
    assert!(bench.outcome().await.ends_with("listener"));
    bench.click("#inline").await;
    assert_eq!(bench.outcome().await, "inline");
    bench.click("#link").await;
    assert_eq!(bench.title().await, "Done");
}

async fn a_deaf_button_sends_no_form(bench: &mut Bench) {
    bench.go("/controls").await;
    bench.inject(deaf("#send")).await;
    bench.fill("#name", "Aurora").await;
    bench.click("#send").await;
    let struck = bench.session.faults_struck();
    assert!(struck > 0);
    bench.press("Enter", "#name").await;
    assert!(bench.session.faults_struck() > struck);
    assert_eq!((bench.title().await.as_str(), bench.reached("POST /order")), ("Controls", 0));
    bench.lift().await;
    bench.inject(deaf("#name")).await;
    bench.press("Enter", "#name").await;
    assert!(bench.session.faults_struck() > 0);
    assert_eq!((bench.title().await.as_str(), bench.reached("POST /order")), ("Controls", 0));
    bench.lift().await;
    bench.press("Enter", "#name").await;
    assert_eq!((bench.title().await.as_str(), bench.reached("POST /order")), ("Done", 1));
}

async fn a_deaf_element_stays_deaf_when_it_is_drawn_anew(bench: &mut Bench) {
    bench.go("/controls").await;
    bench.inject(deaf("#listener")).await;
    bench.inject(disabled("#inline")).await;
    bench.evaluate("redraw()").await;
    bench.click("#listener").await;
    assert_eq!(bench.text("#out").await, "");
    bench.evaluate("{ const old = document.querySelector('#inline'); old.outerHTML = '<button id=inline onclick=\"say(1)\">Inline</button>' }").await;
    assert!(bench.is(ElementState::Disabled, "#inline").await);
    // It ends with the document.
    bench.go("/controls").await;
    bench.click("#listener").await;
    assert!(bench.outcome().await.ends_with("listener"));
}

async fn a_disabled_control_stays_disabled_until_the_fault_is_lifted(bench: &mut Bench) {
    bench.go("/controls").await;
    for target in ["#send", "#custom", "#box"] {
        bench.inject(disabled(target)).await;
        assert_eq!(bench.session.faults_struck(), 1, "{target}");
        assert!(bench.is(ElementState::Disabled, target).await, "{target}");
        bench.evaluate(&format!("document.querySelector('{target}').disabled = false")).await;
        bench.evaluate(&format!("document.querySelector('{target}').removeAttribute('aria-disabled')")).await;
        assert!(bench.is(ElementState::Disabled, target).await, "{target}");
        assert_eq!(bench.session.faults_struck(), 2, "{target}");
        assert_eq!(hurried_click(bench, target).await.unwrap_err().code, ErrorCode::NotActionable);
        bench.lift().await;
        assert!(bench.is(ElementState::Enabled, target).await, "{target}");
    }
    assert_eq!(bench.reached("POST /order"), 0);
    // What the page itself has disabled meanwhile is so afterwards.
    bench.inject(disabled("#send")).await;
    bench.evaluate("document.querySelector('#send').disabled = true").await;
    bench.lift().await;
    assert!(bench.is(ElementState::Disabled, "#send").await);
    let missing = bench.session.inject(&disabled("#nothing"), soon()).await;
    assert_eq!(missing.unwrap_err().code, ErrorCode::NotFound);
}

/// Does not wait as long as a test would for a control to be enabled.
async fn hurried_click(bench: &mut Bench, target: &str) -> Result<(), Failure> {
    let call =
        Call { deadline: Deadline::after(Duration::from_secs(2)), wait: false, policy: Policy::default() };
    let (target, button, modifiers) = (selector(target), MouseButton::Left, Vec::new());
    bench.session.perform(&Action::Click { target, button, modifiers }, &call).await.map(drop)
}
