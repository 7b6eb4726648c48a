//! Kill anything at any time: nothing left running, and the next command works.

use std::time::{Duration, Instant};

use crate::context::Context;

const ROUNDS: u32 = 200;

#[derive(Clone, Copy, Debug)]
enum Victim {
    Client,
    Daemon,
    Browser,
}

#[test]
fn two_hundred_kills_leave_nothing_behind() {
    let context = Context::new();
    let url = context.url("/list");
    let mut random = Random(0x5eed_1234);
    for round in 0..ROUNDS {
        let victim = [Victim::Client, Victim::Daemon, Victim::Browser][random.below(3) as usize];
        if context.run(&["go", &url]).code != 0 {
            panic!("round {round}: the command after a kill did not work");
        }
        let status = context.json(&["daemon", "status"]);
        let daemon = status["data"]["pid"].as_u64().unwrap() as i32;
        let browser = status["data"]["browser_pid"].as_u64().unwrap() as i32;
        // Something is under way when it happens.
        let busy = [&["wait", "#never"][..], &["click", "Add oak kettle"][..], &["map"][..]]
            [random.below(3) as usize];
        let mut client = context
            .command(busy)
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(u64::from(random.below(12))));
        match victim {
            Victim::Client => client.kill().unwrap(),
            Victim::Daemon => kill(daemon),
            Victim::Browser => kill(browser),
        }
        if !matches!(victim, Victim::Client) {
            // A client that waits for what will never come is ended as a user would end it.
            std::thread::sleep(Duration::from_millis(30));
            let _ended_already = client.kill();
        }
        client.wait().unwrap();
        if matches!(victim, Victim::Daemon) {
            let left = wait_until_gone(&context, Some(daemon));
            assert!(left.is_empty(), "round {round}, {victim:?}: still there after 5 s: {left:?}");
        }
    }
    context.ok(&["daemon", "stop"]);
    let left = wait_until_gone(&context, None);
    assert!(left.is_empty(), "{left:?}");
    println!("{ROUNDS} kills: nothing left, every next command worked");
}

/// What is there after five seconds of a daemon that was killed; of all daemons when none is named. A client that
/// came just after the kill may have started a new daemon, which has every right to be there.
fn wait_until_gone(context: &Context, killed: Option<i32>) -> Vec<String> {
    let socket = context.folder().join("r/default.sock");
    let until = Instant::now() + Duration::from_secs(5);
    loop {
        let mut left = processes_of(context);
        let successor = killed.is_some() && context.run(&["daemon", "status"]).code == 0;
        if let (Some(daemon), true) = (killed, successor) {
            let mark = format!("assay-profile-default-{daemon}-");
            let own = format!("{daemon} ");
            left.retain(|line| line.starts_with(&own) || line.contains(&mark));
        } else if socket.exists() {
            left.push(socket.display().to_string());
        }
        if left.is_empty() || Instant::now() > until {
            return left;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// `PID COMMAND` of everything that was started for this context: it names its folder.
fn processes_of(context: &Context) -> Vec<String> {
    let folder = context.folder().display().to_string();
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let name = entry.file_name().to_string_lossy().to_string();
        if name.parse::<u32>().is_err() || name == std::process::id().to_string() {
            continue;
        }
        let read = |what: &str| std::fs::read(entry.path().join(what)).unwrap_or_default();
        let state = String::from_utf8_lossy(&read("stat")).to_string();
        let zombie = state.rsplit(')').next().is_some_and(|rest| rest.trim_start().starts_with('Z'));
        let environment = String::from_utf8_lossy(&read("environ")).to_string();
        let line = String::from_utf8_lossy(&read("cmdline")).replace('\0', " ");
        if !zombie && (environment.contains(&folder) || line.contains(&folder)) {
            found.push(format!("{name} {line}"));
        }
    }
    found
}

fn kill(pid: i32) {
    let status = std::process::Command::new("kill").args(["-9", &pid.to_string()]).status().unwrap();
    assert!(status.success());
}

/// Small and always the same, so that a failure can be repeated.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % u64::from(limit)) as u32
    }
}

/// The guard is killed as well: then the next start cleans up, and only what is ours.
#[test]
fn the_next_start_cleans_up_when_even_the_guard_was_killed() {
    let context = Context::on("/list");
    let status = context.json(&["daemon", "status"]);
    let daemon = status["data"]["pid"].as_u64().unwrap() as i32;
    let guards: Vec<i32> = std::fs::read_dir("/proc")
        .unwrap()
        .flatten()
        .filter_map(|entry| entry.file_name().to_string_lossy().parse::<i32>().ok())
        .filter(|pid| {
            std::fs::read_to_string(format!("/proc/{pid}/stat"))
                .ok()
                .and_then(|stat| {
                    stat.rsplit(')')
                        .next()
                        .and_then(|rest| rest.split_whitespace().nth(1).map(str::to_string))
                })
                .is_some_and(|parent| parent == daemon.to_string())
        })
        .filter(|pid| {
            std::fs::read(format!("/proc/{pid}/cmdline"))
                .is_ok_and(|line| line.windows(8).any(|part| part == b"__daemon"))
        })
        .collect();
    assert_eq!(guards.len(), 1, "{guards:?}");
    kill(guards[0]);
    kill(daemon);
    std::thread::sleep(Duration::from_millis(200));
    // The socket is still there: nobody was left to remove it.
    assert!(context.folder().join("r/default.sock").exists());
    assert!(context.ok(&["doctor"]).contains("from crashed sessions: default"));
    context.go("/table");
    let profiles: Vec<String> = std::fs::read_dir("/dev/shm")
        .unwrap()
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().to_string())
        .filter(|name| name.starts_with(&format!("assay-profile-default-{daemon}-")))
        .collect();
    assert!(profiles.is_empty(), "{profiles:?}");
}

/// A question about a page that is gone has no answer: "is the error hidden?" must not be "yes".
#[test]
fn a_lost_page_is_told_before_anything_is_read_off_the_new_one() {
    let context = Context::on("/list");
    let browser = context.json(&["daemon", "status"])["data"]["browser_pid"].as_u64().unwrap() as i32;
    kill(browser);
    std::thread::sleep(Duration::from_millis(300));
    let told = context.fails(4, &["is", "hidden", "#no-such-error"]);
    assert!(told.contains("had ended") && told.contains("assay go ADDRESS"), "{told}");
    context.go("/list");
    context.ok(&["is", "hidden", "#no-such-error"]);
    let daemon = context.json(&["daemon", "status"])["data"]["pid"].as_u64().unwrap() as i32;
    kill(daemon);
    assert!(context.fails(4, &["count", ".error"]).contains("had ended"));
    context.go("/list");
}

#[test]
fn refs_are_not_given_again_after_a_crash() {
    let context = Context::on("/list");
    let line = context.ok(&["find", "Add brass lantern"]);
    let reference = line.split(' ').next().unwrap().to_string();
    let daemon = context.json(&["daemon", "status"])["data"]["pid"].as_u64().unwrap() as i32;
    kill(daemon);
    context.go("/list");
    let map = context.json(&["map"]);
    let nodes = map["data"]["map"]["nodes"].as_array().unwrap();
    assert!(nodes.iter().all(|node| node["ref"] != reference.as_str()), "{reference} was given again");
    let refused = context.fails(3, &["click", &reference]);
    assert!(refused.contains("earlier page"), "{refused}");
}
