//! Input at points of the view, where no element stands for what is there.

use crate::context::Context;
use crate::engines::{ACTIVE, Session, Window};

#[test]
fn every_engine_gives_input_at_a_point() {
    for engine in ACTIVE {
        let session = Session::start(engine, Window::None);
        session.ok(&["go", &session.context.url("/canvas/app")]);
        session.ok(&["raw", "click", "140", "150"]);
        session.ok(&["raw", "click", "140", "150", "--times", "2"]);
        session.ok(&["raw", "type", "whale"]);
        session.ok(&["raw", "click", "140", "350"]);
        let state = session.ok(&["eval", "JSON.stringify(state())"]);
        assert_eq!(state, r#"{"count":3,"word":"whale","sent":"Sent: 3 whale"}"#, "{engine}");
        assert_eq!(session.ok(&["at", "140", "150"]), "canvas", "{engine}");
    }
}

#[test]
fn what_lies_at_a_point_is_told_and_points_outside_are_refused() {
    let context = Context::on("/login");
    context.ok(&["map"]);
    let at = context.ok(&[
        "eval",
        "var b = document.querySelector('button').getBoundingClientRect(); [b.x + 5, b.y + 5].join(' ')",
    ]);
    let (x, y) = at.split_once(' ').unwrap();
    assert!(context.ok(&["at", x, y]).contains("button \"Log in\""));
    let told = context.fails(2, &["raw", "click", "4000", "5"]);
    assert!(told.contains("expected a point within the view"), "{told}");
    let told = context.fails(2, &["raw", "jump", "1", "2"]);
    assert!(told.contains("expected click X Y"), "{told}");
}

#[test]
fn a_point_within_an_element_counts_from_its_corner() {
    let context = Context::on("/login");
    // Browsers round where a click was.
    context.ok(&[
        "eval",
        "window.hits = []; addEventListener('click', function (e) { var b = document.querySelector('button').getBoundingClientRect(); \
         hits.push(Math.abs(e.clientX - b.x - 13) <= 1 && Math.abs(e.clientY - b.y - 9) <= 1); e.preventDefault(); }, true); 1",
    ]);
    context.ok(&["raw", "click", "13", "9", "--within", "button \"Log in\""]);
    assert_eq!(context.ok(&["eval", "hits.join()"]), "true");
}
