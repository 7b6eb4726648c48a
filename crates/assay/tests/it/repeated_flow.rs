//! One flow, many times in a row, on every engine: every reply is right at the first attempt.

use crate::engines::{Session, Window};

const ROUNDS: u32 = 20;

#[test]
fn chromium_does_the_same_six_steps_twenty_times() {
    check("chromium");
}

#[test]
fn firefox_does_the_same_six_steps_twenty_times() {
    check("firefox");
}

#[test]
fn webkit_does_the_same_six_steps_twenty_times() {
    check("webkit");
}

fn check(engine: &'static str) {
    let session = Session::start(engine, Window::None);
    let login = session.context.url("/login");
    for round in 1..=ROUNDS {
        let email = format!("test{round}@example.com");
        let welcome = format!("Welcome, {email}");
        assert_eq!(session.ok(&["go", &login]), format!("Log in · {login}"), "round {round}");
        session.ok(&["fill", "Email", &email]);
        session.ok(&["fill", "Password", "secret123"]);
        let clicked = session.ok(&["click", "button \"Log in\""]);
        assert!(clicked.contains("→ Welcome"), "round {round}: {clicked}");
        assert_eq!(session.ok(&["text", "h1"]), welcome, "round {round}");
        let address = session.ok(&["url"]);
        assert!(address.starts_with(&session.context.url("/welcome?name=test")), "round {round}: {address}");
    }
}
