//! Texts that are missing or wrong on purpose.

use assay_actions::Fault;
use assay_protocol::{Action, WaitFor, WaitState};

use crate::on_every_engine;
use crate::test_bench::{Bench, selector};

on_every_engine! {
    a_text_is_taken_away_wherever_and_whenever_it_is_shown
    another_text_is_shown_in_its_place
    what_a_user_types_is_not_taken_away
}

const TEXT: &str = "Order confirmed";

fn blank(texts: &[&str]) -> Fault {
    Fault::Blank { texts: texts.iter().map(|text| (*text).to_string()).collect() }
}

/// Has the page show what it shows late, and waits for it.
async fn show_late(bench: &mut Bench) {
    bench.evaluate("later(), 0").await;
    let target = selector("body[data-late]");
    let until = WaitFor::Element { target, state: WaitState::Attached };
    bench.perform(Action::Wait { until }).await.unwrap();
}

async fn a_text_is_taken_away_wherever_and_whenever_it_is_shown(bench: &mut Bench) {
    bench.inject(blank(&[TEXT, "17"])).await;
    // Twice: in the document that is there when the fault comes, and in the next one.
    for _ in 0..2 {
        bench.go("/words").await;
        for late in [false, true] {
            if late {
                show_late(bench).await;
            }
            let scene = bench.scene().await;
            assert!(!scene.contains(TEXT), "{scene}");
            assert!(scene.contains("order confirmed") && scene.contains("in the shade"), "{scene}");
            assert_eq!(bench.title().await, "- Shop");
            assert_eq!(bench.text("#plain").await, "Your :");
            assert_eq!(bench.text("#spread").await, "So, now");
            assert_eq!(bench.text("#broken").await, "");
            assert_eq!(bench.text("#apart").await, "Order");
            assert_eq!(bench.value("#given").await.trim(), if late { "again" } else { "" });
            assert_eq!(bench.attribute("#typed", "placeholder").await, "");
            assert_eq!(bench.attribute("#picture", "alt").await, "");
            assert_eq!(bench.attribute("#named", "aria-label").await, "");
            assert_eq!(bench.attribute("#named", "title").await, "");
        }
        assert_eq!(bench.text("#late").await, "at last");
        assert!(bench.text("#again").await.starts_with(", turn"));
        assert!(bench.scene().await.contains("in a late shade"));
    }
    assert!(bench.session.faults_struck() > 10);
    bench.lift().await;
    assert_eq!(bench.text("#plain").await, "Your Order confirmed: 17");
    assert_eq!(bench.text("#spread").await, "So, Order confirmed now");
    assert_eq!(bench.value("#given").await, "Order confirmed again");
    assert_eq!(bench.attribute("#picture", "alt").await, TEXT);
    assert_eq!(bench.title().await, "Order confirmed - Shop");
    bench.go("/words").await;
    assert_eq!(bench.text("#plain").await, "Your Order confirmed: 17");
}

async fn another_text_is_shown_in_its_place(bench: &mut Bench) {
    bench.go("/words").await;
    // The other text holds the first: it is put in once.
    let pairs =
        vec![(TEXT.to_string(), "No Order confirmed".to_string()), ("17".to_string(), "18".to_string())];
    bench.inject(Fault::Swap { pairs }).await;
    show_late(bench).await;
    assert_eq!(bench.title().await, "No Order confirmed - Shop");
    assert_eq!(bench.text("#plain").await, "Your No Order confirmed: 18");
    assert_eq!(bench.text("#spread").await, "So, No Order confirmed now");
    assert_eq!(bench.text("#late").await, "No Order confirmed at last");
    assert!(bench.text("#again").await.starts_with("No Order confirmed, turn"));
    assert_eq!(bench.value("#given").await, "No Order confirmed again");
    assert_eq!(bench.attribute("#named", "aria-label").await, "No Order confirmed");
    let scene = bench.scene().await;
    assert!(scene.contains("No Order confirmed in the shade"), "{scene}");
    assert!(scene.contains("No Order confirmed inside"), "{scene}");
    assert!(!scene.contains("No No"), "{scene}");
    assert_eq!(bench.text("#lower").await, "order confirmed");
}

async fn what_a_user_types_is_not_taken_away(bench: &mut Bench) {
    bench.go("/words").await;
    bench.inject(blank(&["Aurora"])).await;
    bench.fill("#typed", "Aurora 4").await;
    assert_eq!(bench.value("#typed").await, "Aurora 4");
    // What the page makes of it is the page's.
    assert_eq!(bench.text("#echo").await, "4");
    assert_eq!(bench.session.faults_struck(), 1);
    bench.lift().await;
    // Neither is what was typed before.
    bench.inject(blank(&["Aurora"])).await;
    assert_eq!((bench.value("#typed").await.as_str(), bench.text("#echo").await.as_str()), ("Aurora 4", "4"));
}
