//! The bus from a shell: what is published, and what is refused.

use crate::context::Context;

#[test]
fn an_event_is_published_once_and_listed() {
    let context = Context::new();
    std::fs::write(context.folder().join("payload.json"), r#"{"message": "it is dark"}"#).unwrap();
    let publish = [
        "event",
        "publish",
        "alert.blackscreen",
        "--device",
        "chromium",
        "--payload",
        "payload.json",
        "--key",
        "k1",
    ];
    assert_eq!(context.ok(&publish), "event 1");
    assert_eq!(context.ok(&publish), "event 1 has this key already");
    context.ok(&["event", "publish", "my_team.lunch"]);
    let listed = context.json(&["event", "list"]);
    let events = listed["data"]["events"].as_array().unwrap();
    assert_eq!(events.len(), 2);
    assert_eq!((&events[0]["type"], &events[0]["priority"]), (&"my_team.lunch".into(), &"normal".into()));
    assert_eq!((&events[1]["priority"], &events[1]["device"]), (&"critical".into(), &"chromium".into()));
    assert_eq!(events[1]["payload"]["message"], "it is dark");
    let of_type = context.json(&["event", "list", "--type", "alert.blackscreen"]);
    assert_eq!(of_type["data"]["events"].as_array().unwrap().len(), 1);
}

#[test]
fn what_is_no_event_is_refused_with_a_reason() {
    let context = Context::new();
    let write = |name: &str, text: &str| std::fs::write(context.folder().join(name), text).unwrap();
    write("list.json", "[1]");
    write("broken.json", "{");
    write("large.json", &format!(r#"{{"x": "{}"}}"#, "y".repeat(70_000)));
    for (arguments, reason) in [
        (&["event", "publish", "crash"][..], "is not a type of events"),
        (&["event", "publish", "alert.anr", "--payload", "list.json"], "this is a list"),
        (&["event", "publish", "alert.anr", "--payload", "broken.json"], "not valid JSON"),
        (&["event", "publish", "alert.anr", "--payload", "large.json"], "65536 are the most"),
        (&["event", "publish", "alert.anr", "--payload", "none.json"], "cannot be read"),
        (&["event", "publish", "alert.anr", "--priority", "top"], "critical, high, normal or low"),
        (&["event", "publish"], "publish TYPE or list"),
    ] {
        let said = context.fails(2, arguments);
        assert!(said.contains(reason), "{arguments:?}: {said}");
    }
    assert_eq!(context.ok(&["event", "list"]), "no events");
}

#[test]
fn a_browser_that_dies_under_a_single_command_is_told_to_a_project_that_has_a_state() {
    let context = Context::on("/login");
    let kill_browser = || {
        let status = context.json(&["daemon", "status"]);
        let pid = i32::try_from(status["data"]["browser_pid"].as_i64().unwrap()).unwrap();
        // SAFETY: a plain system call; the browser is that of this test's own session.
        unsafe { libc::kill(pid, libc::SIGKILL) };
        context.run(&["click", "Email"])
    };
    assert_ne!(kill_browser().code, 0);
    assert_eq!(context.ok(&["event", "list"]), "no events", "a folder without a state gets none");
    context.ok(&["event", "publish", "my_team.begin"]);
    context.go("/login");
    assert_ne!(kill_browser().code, 0);
    let events = context.json(&["event", "list", "--type", "alert.app_crash"]);
    assert_eq!(events["data"]["events"][0]["device"], "session:default", "{events:#}");
}
