//! Workers of one run share a browser process where the engine keeps them apart, and do not notice each other.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use assay_testkit::{Request, Response, Server};

use crate::context::{Context, Said};

/// Where tests wait for each other, so that they are surely under way at the same time.
#[derive(Default)]
struct Meeting {
    there: Mutex<BTreeMap<String, BTreeSet<String>>>,
    changed: Condvar,
    /// The browsers of the run when all had come, by their process ids.
    browsers: Mutex<Vec<Vec<i32>>>,
}

impl Meeting {
    /// Whether `count` were there before the patience of a test is over. `at_last` is called by the last to come.
    fn attend(&self, place: &str, who: &str, count: usize, at_last: impl FnOnce()) -> bool {
        let mut there = self.there.lock().unwrap();
        there.entry(place.to_string()).or_default().insert(who.to_string());
        if there[place].len() == count {
            at_last();
        }
        self.changed.notify_all();
        let (there, _) = self
            .changed
            .wait_timeout_while(there, Duration::from_secs(8), |there| there[place].len() < count)
            .unwrap();
        there[place].len() >= count
    }
}

/// What a page knows of its surroundings, each part of which another test could have spoiled.
const SHOW: &str = "<p id=out></p><script>
    let left = 0;
    addEventListener('blur', () => left++);
    const show = () => out.textContent = [
        'cookie ' + document.cookie, 'local ' + (localStorage.who || 'none'), 'session ' + (sessionStorage.who || 'none'),
        'width ' + innerWidth, 'pixels ' + devicePixelRatio, 'focus ' + document.hasFocus(), 'left ' + left].join(', ');
    setInterval(show, 20);
    show();
</script>";

/// Each visitor is known by a letter. `at_meeting` is called when all have come to a place.
fn site(meeting: Arc<Meeting>, visitors: usize, at_meeting: impl Fn() + Send + Sync + 'static) -> Server {
    Server::start(move |request: &Request| {
        let who = request.param("who").unwrap_or_default().to_string();
        match request.path.as_str() {
            "/enter" => Response::html(format!(
                "<title>Enter</title><h1>Enter</h1><script>
                    localStorage.who = sessionStorage.who = '{who}';
                    const ask = () => {{ if (confirm('Really, {who}?')) location.href = '/meet?place=asked&who={who}'; }};
                </script>
                <label>Name <input id=name></label>
                <a href='/meet?place=hall&who={who}'>Meet</a>
                <a href='/{who}.csv' download='{who}.csv'>Download</a>
                <button onclick='ask()'>Ask</button>
                <button onclick=\"window.open('/show', '_blank', 'noopener')\">Open apart</button>"
            ))
            .header("Set-Cookie", &format!("who={who}")),
            "/meet" => {
                let place = request.param("place").unwrap_or_default();
                if !meeting.attend(place, &who, visitors, &at_meeting) {
                    return Response::html("<title>Alone</title><h1>Nobody else came</h1>");
                }
                Response::html(format!("<title>Met</title><h1>Met</h1>{SHOW}"))
            }
            "/show" => Response::html(format!("<title>Show</title><h1>Show</h1>{SHOW}")),
            path if path.ends_with(".csv") => {
                Response::bytes("text/csv", path.to_string()).header("Content-Disposition", "attachment")
            }
            _ => Response::status(404),
        }
    })
}

fn write_tests(context: &Context, tests: &[(&str, String)]) {
    let folder = context.folder().join("tests");
    std::fs::create_dir_all(&folder).unwrap();
    for (name, text) in tests {
        std::fs::write(folder.join(format!("{name}.yaml")), text).unwrap();
    }
}

fn run(context: &Context, engine: &str, workers: &str) -> Said {
    context.run(&["run", "tests", "--workers", workers, "--browser", engine, "--no-screenshots"])
}

/// The browsers that were started for this context: main processes only.
fn browsers_of(folder: &Path) -> Vec<i32> {
    let folder = folder.display().to_string();
    let read = |path: PathBuf| String::from_utf8_lossy(&std::fs::read(path).unwrap_or_default()).to_string();
    let mut found: Vec<i32> = std::fs::read_dir("/proc")
        .unwrap()
        .flatten()
        .filter(|entry| {
            let line = read(entry.path().join("cmdline"));
            let is_main = line.contains("--user-data-dir=") && !line.contains("--type=")
                || line.contains("--no-remote") && !line.contains("-contentproc");
            is_main && read(entry.path().join("environ")).contains(&folder)
        })
        .filter_map(|entry| entry.file_name().to_string_lossy().parse().ok())
        .collect();
    found.sort_unstable();
    found
}

fn visitor(server: &Server, who: &str, width: u32, scale: u32) -> String {
    let state = |left: &str| {
        format!(
            "cookie who={who}, local {who}, session {left}, width {width}, pixels {scale}, focus true, left 0"
        )
    };
    format!(
        r#"test: Visitor {who}
viewport: {{ width: {width}, height: 480, scale: {scale} }}
steps:
  - Navigate to {enter}
  - Enter "{who}" in the "Name" field
  - Click the "Meet" link
  - The text "{state}" is shown
  - Navigate to {enter}
  - Click the "Download" link
  - Click the "Ask" button
  - Accept the dialog
  - The text "{state}" is shown
  - Navigate to {enter}
  - Click the "Open apart" button
  - Switch to the new tab
expected:
  - The text "cookie who={who}, local {who}, session none" is shown
"#,
        enter = server.url(&format!("/enter?who={who}")),
        state = state(who),
    )
}

fn check_isolation(engine: &str, browsers: usize) {
    let context = Context::new();
    let meeting = Arc::new(Meeting::default());
    let server = {
        let (seen, folder) = (Arc::clone(&meeting), context.folder().to_path_buf());
        site(Arc::clone(&meeting), 2, move || {
            let found = browsers_of(&folder);
            seen.browsers.lock().unwrap().push(found);
        })
    };
    let tests = [("a", visitor(&server, "a", 800, 1)), ("b", visitor(&server, "b", 640, 2))];
    write_tests(&context, &tests);
    let said = run(&context, engine, "2");
    assert_eq!(said.code, 0, "{engine}:\n{}\n{}", said.out, said.err);
    let seen = meeting.browsers.lock().unwrap();
    assert!(!seen.is_empty() && seen.iter().all(|found| found.len() == browsers), "{engine}: {seen:?}");
    // Each was told of its own download, and of no other.
    let report = std::fs::read_to_string(context.folder().join("assay-results/report.json")).unwrap();
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    for test in report["tests"].as_array().unwrap() {
        let own = test["title"].as_str().unwrap().trim_start_matches("Visitor ").to_string();
        let other = if own == "a" { "b.csv" } else { "a.csv" };
        let told = test["steps"].to_string();
        assert!(told.contains(&format!("downloads/{own}.csv")), "{engine}, {own}: {told}");
        assert!(!told.contains(other), "{engine}, {own}: {told}");
    }
    let left = browsers_of(context.folder());
    assert!(left.is_empty(), "{engine}: {left:?}");
}

#[test]
fn two_workers_share_one_chromium_and_do_not_notice_each_other() {
    check_isolation("chromium", 1);
}

/// Of all tabs of a Firefox one has the keyboard; so each worker has its own.
#[test]
fn two_workers_have_a_firefox_each() {
    check_isolation("firefox", 2);
}

#[test]
fn a_test_that_pastes_has_its_browser_to_itself() {
    let context = Context::new();
    let meeting = Arc::new(Meeting::default());
    let server = {
        let (seen, folder) = (Arc::clone(&meeting), context.folder().to_path_buf());
        site(Arc::clone(&meeting), 3, move || {
            let found = browsers_of(&folder);
            seen.browsers.lock().unwrap().push(found);
        })
    };
    let test = |who: &str, more: &str| {
        let enter = server.url(&format!("/enter?who={who}"));
        format!(
            "test: Copies {who}\nsteps:\n  - Navigate to {enter}\n  - Enter \"{who}\" in the \"Name\" field\n  \
             - Press Ctrl+A\n  - Press Ctrl+C\n  - Click the \"Meet\" link\n  - Navigate to {enter}\n  \
             - Click the \"Name\" field\n{more}"
        )
    };
    let pasted = "  - Press Ctrl+V\nexpected:\n  - The \"Name\" field contains \"a\"\n";
    let nothing =
        "  - Enter \"new\" in the \"Name\" field\nexpected:\n  - The \"Name\" field contains \"new\"\n";
    write_tests(&context, &[("a", test("a", pasted)), ("b", test("b", nothing)), ("c", test("c", nothing))]);
    let said = run(&context, "chromium", "3");
    assert_eq!(said.code, 0, "{}\n{}", said.out, said.err);
    let seen = meeting.browsers.lock().unwrap();
    assert_eq!(seen.iter().map(Vec::len).collect::<Vec<_>>(), [2], "{seen:?}");
}

/// All who used it are told, and the next tests get another.
#[test]
fn a_shared_browser_that_dies_takes_only_the_tests_that_used_it() {
    let context = Context::new();
    let server = {
        let folder = context.folder().to_path_buf();
        site(Arc::default(), 2, move || {
            for pid in browsers_of(&folder) {
                let killed =
                    std::process::Command::new("kill").args(["-9", &pid.to_string()]).status().unwrap();
                assert!(killed.success());
            }
        })
    };
    let enter = |who: &str| server.url(&format!("/enter?who={who}"));
    let doomed = |who: &str| {
        format!(
            "test: Doomed {who}\nsteps:\n  - Navigate to {}\n  - Click the \"Meet\" link\nexpected:\n  \
             - The heading \"Met\" is shown\n",
            enter(who)
        )
    };
    let sound = |who: &str| {
        format!(
            "test: Sound {who}\nsteps:\n  - Navigate to {}\nexpected:\n  - The heading \"Enter\" is shown\n",
            enter(who)
        )
    };
    let tests = [("1a", doomed("a")), ("2b", doomed("b")), ("3c", sound("c")), ("4d", sound("d"))];
    write_tests(&context, &tests);
    let said = run(&context, "chromium", "2");
    let told = |word: &str| said.out.lines().filter(|line| line.starts_with(word)).count();
    assert_eq!((told("PASS"), told("ERROR")), (2, 2), "{}\n{}", said.out, said.err);
    assert_eq!(said.code, 4, "{}\n{}", said.out, said.err);
    let left = browsers_of(context.folder());
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn a_run_that_is_killed_leaves_no_shared_browser() {
    let context = Context::new();
    let (met, all_there) = std::sync::mpsc::channel();
    let met = Mutex::new(met);
    let server = site(Arc::default(), 2, move || met.lock().unwrap().send(()).unwrap());
    let tests = [("a", visitor(&server, "a", 800, 1)), ("b", visitor(&server, "b", 640, 2))];
    write_tests(&context, &tests);
    let mut command = context.command(&["run", "tests", "--workers", "2"]);
    let mut run = command.stdout(std::process::Stdio::null()).spawn().unwrap();
    all_there.recv_timeout(Duration::from_secs(60)).unwrap();
    assert_eq!(browsers_of(context.folder()).len(), 1);
    run.kill().unwrap();
    run.wait().unwrap();
    let mark = format!("assay-profile-run-{}-", run.id());
    let profiles = || {
        let entries = std::fs::read_dir("/dev/shm").into_iter().flatten().flatten();
        entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(&mark)).count()
    };
    let until = std::time::Instant::now() + Duration::from_secs(10);
    while std::time::Instant::now() < until && (!browsers_of(context.folder()).is_empty() || profiles() > 0) {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!((browsers_of(context.folder()).len(), profiles()), (0, 0));
}
