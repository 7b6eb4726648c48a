//! Following runs live: every event once, in order, from wherever a client was.

use crate::context::{Home, Running};

fn begun(service: &Running) -> String {
    let order = service.post("/server/runs", "{}").with(202).json();
    let run = order["run"].as_str().unwrap().to_string();
    service.gate.open(1);
    service.wait_for(&format!("/server/runs/{run}"), |run| run["status"] == "running");
    run
}

#[test]
fn a_follower_hears_a_run_from_its_beginning_to_its_end() {
    let home = Home::new();
    let service = Running::start(&home);
    let run = begun(&service);
    let mut events = service.follow(&format!("/server/runs/{run}/events"), &[]);
    let first = events.next().unwrap();
    assert_eq!((first.kind.as_str(), first.data["event"].as_str().unwrap()), ("run", "run-started"));
    service.gate.open(1);
    let second = events.next().unwrap();
    assert_eq!(second.data["event"], "test-finished");
    assert!(second.id > first.id);
    assert_eq!(events.next().unwrap().data["event"], "run-finished");
    assert_eq!(events.next().unwrap().kind, "end");
    assert_eq!(events.next(), None);
}

#[test]
fn whoever_comes_back_misses_nothing_and_hears_nothing_twice() {
    let home = Home::new();
    let service = Running::start(&home);
    let run = begun(&service);
    let path = format!("/server/runs/{run}/events");
    let first = service.follow(&path, &[]).next().unwrap().id.unwrap();
    service.gate.open(1);
    service.wait_for(&format!("/server/runs/{run}"), |run| run["status"] == "finished");
    let last = first.to_string();
    for (path, headers) in [
        (path.clone(), vec![("Last-Event-ID", last.as_str())]),
        (format!("{path}?after={first}"), Vec::new()),
    ] {
        let mut events = service.follow(&path, &headers);
        let kinds: Vec<String> = std::iter::from_fn(|| events.next())
            .map(|event| event.data["event"].as_str().unwrap_or("end").to_string())
            .collect();
        assert_eq!(kinds, ["test-finished", "run-finished", "end"]);
    }
    let page = service.get(&format!("/server/runs/{run}/history?limit=2"));
    assert_eq!(page["items"].as_array().unwrap().len(), 2);
    let next = page["next"].as_str().unwrap();
    let rest = service.get(&format!("/server/runs/{run}/history?cursor={next}"));
    assert_eq!(rest["items"][0]["event"]["event"], "run-finished");
    service.ask("GET", &format!("/server/runs/{run}/events"), &[("Last-Event-ID", "x")], "").with(400);
}

#[test]
fn many_follow_one_run_and_all_hear_all_of_it() {
    let home = Home::new();
    let service = Running::start(&home);
    let run = begun(&service);
    let path = format!("/server/runs/{run}/events");
    let counts: Vec<usize> = std::thread::scope(|scope| {
        let followers: Vec<_> = (0..50)
            .map(|_| {
                let mut events = service.follow(&path, &[]);
                scope.spawn(move || {
                    std::iter::from_fn(|| events.next()).filter(|event| event.kind == "run").count()
                })
            })
            .collect();
        service.gate.open(1);
        followers.into_iter().map(|follower| follower.join().unwrap()).collect()
    });
    assert_eq!(counts, vec![3; 50]);
}

#[test]
fn streams_end_when_the_service_stops() {
    let home = Home::new();
    let service = Running::start(&home);
    let run = begun(&service);
    let mut events = service.follow(&format!("/server/runs/{run}/events"), &[]);
    events.next().unwrap();
    let heard = std::thread::spawn(move || std::iter::from_fn(|| events.next()).count());
    service.stop();
    heard.join().unwrap();
    assert_eq!(home.coordinator().run_named(&run).unwrap().status.name(), "paused");
}
