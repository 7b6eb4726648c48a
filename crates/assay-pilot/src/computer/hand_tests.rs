use assay_provider::formats::FormatName;
use assay_runner::PageView;

use super::*;
use crate::vision::Limit;

fn view() -> View {
    let png = assay_pixels::Pixels::plain(1000, 500, [255, 255, 255]).to_png().unwrap();
    let page = PageView { png, view: [1000.0, 500.0], scale: 1.0 };
    View::of(&page, Limit::of(FormatName::Responses)).unwrap()
}

fn none() -> Chord {
    Chord(Vec::new())
}

fn pixel(x: i64, y: i64) -> PointerTarget {
    PointerTarget::Pixel { x, y }
}

/// The commands of these wishes, as they could be typed, or what is told.
fn said(wishes: &[Wish]) -> Vec<String> {
    let mut hand = Hand::default();
    let mut said = Vec::new();
    for wish in wishes {
        match hand.planned_actions(wish, &view(), &Scene::default()) {
            Ok(planned_actions) => said.extend(planned_actions.iter().map(|planned| match planned {
                HandAction::Act(action) => action.command_line(),
                other => format!("{other:?}"),
            })),
            Err(why) => said.push(format!("told: {why}")),
        }
    }
    said
}

#[track_caller]
fn check(wish: Wish, expected: &[&str]) {
    assert_eq!(said(&[wish]), expected);
}

fn click(button: ComputerButton, times: u8, keys: &[&str]) -> Wish {
    let modifiers = Chord(keys.iter().map(|key| (*key).to_string()).collect());
    Wish::Click { at: pixel(10, 20), button, times, modifiers }
}

#[test]
fn every_button_is_that_button() {
    check(click(ComputerButton::Left, 1, &[]), &["raw click 10.5 20.5"]);
    check(click(ComputerButton::Right, 1, &[]), &["raw click 10.5 20.5 --button right"]);
    check(
        click(ComputerButton::Middle, 1, &["Control"]),
        &["raw click 10.5 20.5 --button middle --hold Control"],
    );
    check(click(ComputerButton::Left, 3, &[]), &["raw click 10.5 20.5 --times 3"]);
    check(click(ComputerButton::Back, 1, &[]), &["back"]);
    check(click(ComputerButton::Left, 1, &["a"]), &["told: `a` cannot be held while clicking"]);
}

#[test]
fn points_are_thousandths_pixels_or_where_the_pointer_is() {
    let at = PointerTarget::Thousandth { x: 500.0, y: 500.0 };
    check(Wish::Move { to: at, modifiers: none() }, &["raw move 500.5 250.5"]);
    let scroll = |at: PointerTarget, by: ScrollBy| Wish::Scroll { at, by, modifiers: none() };
    check(
        scroll(PointerTarget::Pointer, ScrollBy::Notches { x: 0.0, y: 3.0 }),
        &["raw scroll 500 250 0 300"],
    );
    let by = ScrollBy::Thousandths { x: 0.0, y: -800.0 };
    check(scroll(pixel(0, 0), by), &["raw scroll 0.5 0.5 0 -400"]);
    check(
        Wish::Move { to: pixel(4000, 5), modifiers: none() },
        &["told: the point 4000, 5 is outside of the picture, which is 1000 x 500"],
    );
    check(
        Wish::Move { to: PointerTarget::Ref("ref_7".to_string()), modifiers: none() },
        &["told: there is no element ref_7 on the page now"],
    );
}

#[test]
fn a_button_that_is_held_drags_when_it_is_let_go() {
    let way = [
        Wish::Move { to: pixel(1, 1), modifiers: none() },
        Wish::PointerDown { at: PointerTarget::Pointer },
        Wish::Move { to: pixel(50, 50), modifiers: none() },
        Wish::Move { to: pixel(99, 50), modifiers: none() },
        Wish::PointerUp { at: PointerTarget::Pointer },
        Wish::PointerUp { at: PointerTarget::Pointer },
    ];
    assert_eq!(
        said(&way),
        ["raw move 1.5 1.5", "raw drag 1.5 1.5 50.5 50.5 99.5 50.5", "told: no button is down"]
    );
    let press = [Wish::PointerDown { at: pixel(5, 5) }, Wish::PointerUp { at: pixel(5, 5) }];
    assert_eq!(said(&press), ["raw click 5.5 5.5"]);
    let path = vec![pixel(0, 0), pixel(9, 9)];
    check(Wish::Drag { path, modifiers: none() }, &["raw drag 0.5 0.5 9.5 9.5"]);
}

#[test]
fn line_ends_and_tabs_are_keys() {
    let typed = |text: &str| Wish::Type {
        text: text.to_string(),
        at: None,
        clears_first: false,
        presses_enter: true,
    };
    check(
        typed("a b\nc\td"),
        &["raw type \"a b\"", "press Enter", "raw type \"c\"", "press Tab", "raw type \"d\"", "press Enter"],
    );
    let at =
        Wish::Type { text: "x".to_string(), at: Some(pixel(1, 2)), clears_first: true, presses_enter: false };
    check(at, &["raw click 1.5 2.5", "press Control+a", "press Delete", "raw type \"x\""]);
    let keys = Wish::Keypress {
        chords: vec![Chord(vec!["Control".to_string(), "a".to_string()]), Chord(vec![" ".to_string()])],
        times: 2,
    };
    check(keys, &["press Control+a Space Control+a Space"]);
}

#[test]
fn what_cannot_be_done_is_told_and_not_guessed() {
    for wish in [
        Wish::HoldKeys { keys: none(), length: Duration::from_secs(1) },
        Wish::Navigate(Navigation::Search),
        Wish::Tab(TabAct::New),
        Wish::Read(assay_provider::answer::PageRead::Network),
        Wish::RunScript { text: "1".to_string() },
        Wish::Unknown { raw: serde_json::json!({"type": "teleport"}), why: "no such action".to_string() },
    ] {
        let said = said(&[wish]);
        assert!(said[0].starts_with("told: "), "{said:?}");
    }
}
