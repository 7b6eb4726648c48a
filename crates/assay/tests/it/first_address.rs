//! What comes of the first address of a test. Where an engine can, the tab is opened at it, without an empty page before.

use std::sync::{Arc, Mutex};

use assay_testkit::{Request, Response, Server};

use crate::context::Context;

const FIRST: &str =
    "<!doctype html><title>Harbour</title><h1>Harbour</h1><p id=past></p><div id=berth>Berth 4</div><script>
    past.textContent = 'pages so far ' + history.length;
    berth.addEventListener('click', () => { berth.textContent = 'Berth taken'; });
</script>";

/// It speaks first, and lets nobody else speak for longer than a page is usually waited for.
const BUSY: &str = "<!doctype html><h1>Harbour</h1><script>
    console.error('Fog ahead');
    for (const since = performance.now(); performance.now() - since < 600;);
</script>";

const HEADING: &str = "The heading \"Harbour\" is shown";
const TAKEN: &str = "The text \"Berth taken\" is shown";

fn site(asked: &Arc<Mutex<Vec<String>>>) -> Server {
    let asked = Arc::clone(asked);
    Server::start(move |request: &Request| {
        asked.lock().unwrap().push(request.path.clone());
        match request.path.as_str() {
            "/first" => Response::html(FIRST),
            "/moved" => Response::status(302).header("location", "/first"),
            "/nothing" => Response::status(204),
            "/berths.csv" => {
                Response::bytes("text/csv", "4,taken").header("content-disposition", "attachment")
            }
            "/broken" => Response::status(500),
            "/asks" => Response::html("<h1>Harbour</h1><script>alert('Storm warning')</script>"),
            "/busy" => Response::html(BUSY),
            "/leaves" => Response::html("<script>location = '/first'</script>"),
            _ => Response::status(404),
        }
    })
}

fn test(server: &Server, title: &str, steps: &[&str]) -> String {
    let steps: Vec<String> = steps.iter().map(|step| format!("  - {step}\n")).collect();
    let base = server.url("");
    format!("test: {title}\nbase_url: {base}\nsteps:\n{}expected:\n  - {HEADING}\n", steps.concat())
}

/// What became of each test, by its title: its verdict, and all that is reported of it.
fn run(tests: &[String], workers: &str) -> Vec<(String, String, String)> {
    let context = Context::new();
    let folder = context.folder().join("tests");
    std::fs::create_dir_all(&folder).unwrap();
    for (number, test) in tests.iter().enumerate() {
        std::fs::write(folder.join(format!("t{number}.yaml")), test).unwrap();
    }
    let said =
        context.run(&["run", "tests", "--workers", workers, "--browser", "chromium", "--no-screenshots"]);
    let report = std::fs::read_to_string(context.folder().join("assay-results/report.json"));
    let report: serde_json::Value = serde_json::from_str(&report.expect(&said.err)).unwrap();
    let told = report["tests"].as_array().unwrap().iter().map(|test| {
        let text = |name: &str| test[name].as_str().unwrap_or_default().to_string();
        (text("title"), text("status"), test.to_string())
    });
    told.collect()
}

#[test]
fn a_test_begins_at_its_first_page_and_can_use_it_at_once() {
    let asked = Arc::default();
    let server = site(&asked);
    let steps = ["Go to /first", "The text \"pages so far 1\" is shown", "Click \"Berth 4\""];
    let tests: Vec<String> = (1..=3)
        .map(|number| test(&server, &format!("Visit {number}"), &steps).replace(HEADING, TAKEN))
        .collect();
    let told = run(&tests, "1");
    assert_eq!(told.len(), 3);
    for (title, verdict, told) in told {
        assert_eq!(verdict, "passed", "{title}: {told}");
    }
    assert_eq!(asked.lock().unwrap().iter().filter(|path| *path == "/first").count(), 3);
}

#[test]
fn whatever_a_first_address_leads_to_is_told_and_asked_for_once() {
    let asked = Arc::default();
    let server = site(&asked);
    let closed = Server::start(|_| Response::status(204)).url("/");
    let tests = [
        test(&server, "Moved", &["Go to /moved"]),
        test(&server, "Nothing", &["Go to /nothing"]),
        test(&server, "Closed", &[&format!("Go to {closed}")]),
        test(&server, "Broken", &["Go to /broken"]),
        test(&server, "No port", &["Go to http://localhost:80800/"]),
        test(&server, "File", &["Go to /berths.csv", "Go to /first"]),
        test(&server, "Asks", &["Go to /asks", "Accept the dialog"]),
        test(&server, "Busy", &["Go to /busy"]),
        test(&server, "Leaves", &["Go to /leaves"]),
        test(&server, "Back", &["Go to /first", "Go back"]),
        test(&server, "Sized", &["Go to /first"])
            .replace("steps:", "viewport: { width: 640, height: 480, scale: 2 }\nsteps:"),
    ];
    let wanted = [
        ("Moved", "passed", ""),
        ("Nothing", "failed", "did not load: the load was aborted"),
        ("Closed", "error", "did not load: nothing listens there"),
        ("Broken", "failed", "(status 500)"),
        ("No port", "failed", "http://localhost:80800/"),
        ("File", "passed", "downloads/berths.csv"),
        ("Asks", "passed", "Storm warning"),
        ("Busy", "passed", "Fog ahead"),
        ("Leaves", "passed", ""),
        ("Back", "failed", "there is no page before this one"),
        ("Sized", "passed", ""),
    ];
    let told = run(&tests, "2");
    for (title, verdict, part) in wanted {
        let (_, was, said) = told.iter().find(|(of, _, _)| of == title).unwrap();
        assert_eq!(was, verdict, "{title}: {said}");
        assert!(said.contains(part), "{title}: {said}");
    }
    let asked = asked.lock().unwrap();
    for path in ["/moved", "/nothing", "/berths.csv", "/asks", "/busy", "/leaves"] {
        assert_eq!(asked.iter().filter(|known| *known == path).count(), 1, "{path}: {asked:?}");
    }
}
