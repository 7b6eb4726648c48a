//! Many clients at once, on many sessions and on one.

use std::time::{Duration, Instant};

use crate::context::Context;

const CLIENTS: usize = 8;
const TIME: Duration = Duration::from_secs(60);

#[test]
fn eight_clients_on_eight_sessions_never_see_each_others_page() {
    let context = Context::new();
    let done = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..CLIENTS)
            .map(|client| {
                let context = &context;
                scope.spawn(move || {
                    let session = format!("s{client}");
                    let url = context.url(&format!("/frame?name=n{client}"));
                    let until = Instant::now() + TIME;
                    let mut done = 0;
                    while Instant::now() < until {
                        let said = context.ok(&["go", &url, "-s", &session, "--timeout", "60000"]);
                        assert!(said.contains(&format!("name=n{client}")), "{said}");
                        let text = context.ok(&["text", "#heading", "-s", &session, "--timeout", "60000"]);
                        assert!(text.contains(&format!("n{client}")), "session {session} reads {text}");
                        context.ok(&["click", "#press", "-s", &session, "--timeout", "60000"]);
                        done += 3;
                    }
                    done
                })
            })
            .collect();
        workers.into_iter().map(|worker| worker.join().unwrap()).sum::<usize>()
    });
    println!("{CLIENTS} clients on {CLIENTS} sessions: {done} commands, none on a wrong page");
    assert!(done >= CLIENTS * 3);
}

#[test]
fn eight_clients_on_one_session_take_turns() {
    let context = Context::on("/list");
    let done = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..CLIENTS)
            .map(|client| {
                let context = &context;
                scope.spawn(move || {
                    let until = Instant::now() + TIME;
                    let mut done = 0;
                    while Instant::now() < until {
                        let said = match (client + done) % 4 {
                            0 => {
                                context.ok(&["click", &format!("#add-{}", client + 1), "--timeout", "60000"])
                            }
                            1 => context.ok(&["text", "h1", "--timeout", "60000"]),
                            2 => context.ok(&[
                                "eval",
                                &format!("{client} * 1000 + {done}"),
                                "--timeout",
                                "60000",
                            ]),
                            _ => context.ok(&["count", "li", "--timeout", "60000"]),
                        };
                        match (client + done) % 4 {
                            0 => assert!(said.starts_with("clicked e"), "{said}"),
                            2 => assert_eq!(said, format!("{}", client * 1000 + done)),
                            3 => assert_eq!(said, "50"),
                            _ => assert!(!said.is_empty()),
                        }
                        done += 1;
                    }
                    done
                })
            })
            .collect();
        workers.into_iter().map(|worker| worker.join().unwrap()).sum::<usize>()
    });
    // Every click arrived, once, on the button it was meant for.
    let log = context.log();
    let clicks = log.iter().filter(|line| line.starts_with("click add-")).count();
    assert_eq!(context.ok(&["text", "#count"]).trim(), clicks.to_string());
    println!("{CLIENTS} clients on one session: {done} commands, {clicks} clicks, all in turn");
}
