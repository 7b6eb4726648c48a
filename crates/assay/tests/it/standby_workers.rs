//! A test that only watches what it claims lets the next one begin, where tests may run side by side at all.

use std::collections::BTreeSet;
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use assay_testkit::{Request, Response, Server};

use crate::context::{Context, Said};

/// Who has come so far.
#[derive(Default)]
struct Visitors {
    come: Mutex<BTreeSet<String>>,
    changed: Condvar,
}

impl Visitors {
    /// Whether more than `count` have come before `patience` is over.
    fn are_more_than(&self, count: usize, patience: Duration) -> bool {
        let come = self.come.lock().unwrap();
        let (come, _) = self.changed.wait_timeout_while(come, patience, |come| come.len() <= count).unwrap();
        come.len() > count
    }
}

/// A page that says, after its button is clicked, whether more than `count` visitors came while it was watched.
fn site(count: usize, patience: Duration) -> Server {
    let visitors = Arc::new(Visitors::default());
    Server::start(move |request: &Request| match request.path.as_str() {
        "/enter" => {
            visitors.come.lock().unwrap().insert(request.param("who").unwrap_or_default().to_string());
            visitors.changed.notify_all();
            Response::html(
                "<title>Enter</title><h1>Wait for others</h1><button>Wait</button><p id=out></p><script>
                    document.querySelector('button').onclick = async () => {
                        const answer = await fetch('/wait');
                        document.querySelector('#out').textContent = await answer.text();
                    };
                </script>",
            )
        }
        "/wait" if visitors.are_more_than(count, patience) => Response::html("Others came"),
        "/wait" => Response::html("Nobody else came"),
        _ => Response::status(404),
    })
}

const FOUR: [&str; 4] = ["a", "b", "c", "d"];

/// A test for each visitor that claims what the page says in the end.
fn run(server: &Server, visitors: &[&str], said: &str, more: &[&str]) -> Said {
    let context = Context::new();
    let folder = context.folder().join("tests");
    std::fs::create_dir_all(&folder).unwrap();
    for who in visitors {
        let enter = server.url(&format!("/enter?who={who}"));
        let test = format!(
            "test: Visitor {who}\nsteps:\n  - Go to {enter}\n  - Click the \"Wait\" button\nexpected:\n  - The text \
             \"{said}\" is shown\n"
        );
        std::fs::write(folder.join(format!("{who}.yaml")), test).unwrap();
    }
    context.run(&[&["run", "tests", "--no-screenshots"], more].concat())
}

#[track_caller]
fn check(said: &Said) {
    assert_eq!(said.code, 0, "{}\n{}", said.out, said.err);
}

/// Which of the two that began together ends first is not known. For that one nobody came; for the other a third may have.
#[track_caller]
fn check_first(said: &Said) {
    let passed = ["PASS a", "PASS b"].iter().any(|line| said.out.contains(line));
    assert!(passed, "{}\n{}", said.out, said.err);
}

#[test]
fn a_third_test_begins_while_two_workers_watch() {
    let server = site(2, Duration::from_secs(7));
    check(&run(&server, &FOUR, "Others came", &["--workers", "2"]));
}

/// The first is alone all the while it is watched. Of those after it the page knows that others were there before.
#[test]
fn with_one_worker_a_test_begins_when_the_one_before_has_ended() {
    let server = site(1, Duration::from_secs(1));
    let said = run(&server, &["a", "b"], "Nobody else came", &["--workers", "1"]);
    assert!(said.out.contains("PASS a"), "{}\n{}", said.out, said.err);
}

#[test]
fn where_an_end_decides_whether_another_begins_it_is_awaited() {
    let server = site(2, Duration::from_secs(1));
    let said = run(&server, &FOUR, "Nobody else came", &["--workers", "2", "--fail-fast"]);
    check_first(&said);
}

/// One more Firefox would be one more process: nobody relieves.
#[test]
fn a_firefox_more_is_not_started_for_a_relief() {
    let server = site(2, Duration::from_secs(1));
    let said = run(&server, &FOUR, "Nobody else came", &["--workers", "2", "--browser", "firefox"]);
    check_first(&said);
}
