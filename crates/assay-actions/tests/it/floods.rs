//! Pages that open more than anybody can follow.

use assay_protocol::{Action, Answer, MouseButton};

use crate::test_bench::{Bench, Engine, selector, soon};

/// More than are followed.
const MANY: usize = 80;

async fn tabs(bench: &mut Bench) -> usize {
    match bench.perform(Action::Tabs).await.unwrap() {
        Answer::Tabs { tabs } => tabs.len(),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn tabs_beyond_the_limit_are_closed_and_the_answer_says_so() {
    let mut bench = Bench::open(Engine::Chromium).await;
    bench.go("/shop").await;
    bench
        .evaluate(&format!(
            "document.body.innerHTML = '<button id=many>Many</button>'; \
             many.onclick = () => {{ for (let i = 0; i < {MANY}; i++) open('about:blank', '_blank'); }}"
        ))
        .await;
    let click = Action::Click { target: selector("#many"), button: MouseButton::Left, modifiers: Vec::new() };
    let mut notes = Vec::new();
    if let Answer::Effect(effect) = bench.perform(click).await.unwrap() {
        notes = effect.notes;
    }
    // The last tabs may be announced only after the answer: the next act then tells of them.
    let deadline = soon();
    while !notes.iter().any(|note| note.ends_with("closed: 64 tabs are open already")) {
        assert!(!deadline.is_past(), "{notes:?}");
        let again =
            Action::Click { target: selector("#many"), button: MouseButton::Left, modifiers: Vec::new() };
        if let Answer::Effect(effect) = bench.perform(again).await.unwrap() {
            notes.extend(effect.notes);
        }
    }
    assert_eq!(tabs(&mut bench).await, 64);
    let refused = bench.perform(Action::TabNew { url: None, isolated: false }).await.unwrap_err();
    assert_eq!(refused.message, "no more than 64 tabs can be open at the same time");
    // The tab of the test is still there, and still works.
    assert_eq!(bench.text("#many").await, "Many");
    bench.close().await;
}
