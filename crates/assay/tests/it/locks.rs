//! Lock files: written by passed runs, replayed, and never in the way.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

use assay_testkit::{Request, Response, Server};

use crate::context::Context;
use crate::serving::Service;

const TEST: &str = r#"test: Save a name
steps:
  - Go to /
  - Enter "Ada" in the "Name" field
  - Click the "Save" button
expected:
  - The text "Hello Ada" is shown
"#;

/// A form that greets. What its button and its field are called is for the test to say.
struct Site {
    server: Server,
}

impl Site {
    fn with(button: &'static str, field: &'static str) -> Site {
        let answer = move |request: &Request| match request.path.as_str() {
            "/" => Response::html(format!(
                "<title>Form</title><form method=post action=/greet><label>{field} <input name=who></label>\
                 <button>{button}</button></form>"
            )),
            "/greet" => {
                let body = String::from_utf8_lossy(&request.body).into_owned();
                Response::html(format!("<title>Hi</title><p>Hello {}</p>", body.trim_start_matches("who=")))
            }
            _ => Response::status(404),
        };
        Site { server: Server::start(answer) }
    }
}

/// Runs the test against a site, and tells the exit code, what was printed, and who chose each command.
fn run(context: &Context, site: &Site, more: &[&str]) -> (i32, String, Vec<String>) {
    std::fs::write(context.folder().join("save.yaml"), TEST).unwrap();
    let url = site.server.url("");
    let said = context.run(&[&["run", "save.yaml", "--base-url", url.trim_end_matches('/')], more].concat());
    let report = std::fs::read_to_string(context.folder().join("assay-results/report.json")).unwrap();
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    let steps = report["tests"][0]["steps"].as_array().cloned().unwrap_or_default();
    let pilots = steps
        .iter()
        .flat_map(|step| step["commands"].as_array().cloned().unwrap_or_default())
        .filter_map(|command| command["pilot"].as_str().map(str::to_string))
        .collect();
    (said.code, format!("{}{}", said.out, said.err), pilots)
}

fn lock(context: &Context) -> String {
    std::fs::read_to_string(context.folder().join("save.lock.yaml")).unwrap_or_default()
}

#[test]
fn what_passed_is_locked_and_replayed() {
    let (context, site) = (Context::new(), Site::with("Save", "Name"));
    let (code, said, pilots) = run(&context, &site, &[]);
    assert_eq!((code, pilots.contains(&"replay".to_string())), (0, false), "{said}");
    assert_eq!(lock(&context), "", "nobody asked for a lock");
    let (code, said, _) = run(&context, &site, &["--lock"]);
    assert_eq!(code, 0, "{said}");
    let written = lock(&context);
    assert!(said.contains("locked 1 test in save.lock.yaml"), "{said}");
    for part in ["POST /greet (who)", "Enter \\\"⟦1⟧\\\" in the \\\"Name\\\" field"] {
        assert!(written.contains(part), "{part} is not in\n{written}");
    }
    for value in ["Ada", "Hello", "127.0.0.1"] {
        assert!(!written.contains(value), "{value} is in\n{written}");
    }
    let (code, said, pilots) = run(&context, &site, &[]);
    assert_eq!(
        (code, pilots.as_slice()),
        (0, &["builtin", "replay", "replay"].map(String::from)[..]),
        "{said}"
    );
    let (_, _, pilots) = run(&context, &site, &["--no-lock"]);
    assert!(!pilots.contains(&"replay".to_string()), "{pilots:?}");
    run(&context, &site, &["--lock"]);
    assert_eq!(lock(&context), written, "the same page makes the same lock");
}

/// Items with numbers of their own. A new one is shown by itself, or in the list.
fn items(shows_new: bool) -> Server {
    let items: Mutex<BTreeMap<u32, String>> = Mutex::default();
    let next = AtomicU32::new(12);
    let page = |title: &str, content: &str| {
        Response::html(format!("<title>{title}</title><h1>{title}</h1>{content}"))
    };
    let form = move |title: &str, to: &str| {
        page(
            title,
            &format!(
                "<form method=post action={to}><label>Name <input name=name></label><button>Save</button></form>"
            ),
        )
    };
    Server::start(move |request| {
        let mut items = items.lock().unwrap();
        let body = String::from_utf8_lossy(&request.body).into_owned();
        let name = body.trim_start_matches("name=").to_string();
        let mut parts = request.path.trim_start_matches('/').split('/').skip(1);
        let number = parts.next().and_then(|number| number.parse::<u32>().ok());
        match (request.method.as_str(), request.path.as_str(), number, parts.next()) {
            ("GET", "/", ..) => {
                let row =
                    |(number, name): (&u32, &String)| format!("<p><a href=/item/{number}>{name}</a></p>");
                page("Items", &(items.iter().map(row).collect::<String>() + "<a href=/new>New item</a>"))
            }
            ("GET", "/new", ..) => form("New", "/new"),
            ("POST", "/new", ..) => {
                let number = next.fetch_add(1, Ordering::SeqCst);
                items.insert(number, name);
                Response::redirect(&if shows_new { format!("/item/{number}") } else { "/".to_string() })
            }
            ("GET", _, Some(number), None) => page(
                "Item",
                &format!(
                    "<p>{}</p><a href=/item/{number}/edit>Edit</a> <a href=/>All</a>\
                     <form method=post action=/item/{number}/delete><button id=del-{number}>Delete</button></form>",
                    items.get(&number).map_or("nothing", String::as_str)
                ),
            ),
            ("GET", _, Some(number), Some(_)) => form("Edit", &format!("/item/{number}/edit")),
            ("POST", _, Some(number), Some("edit")) => {
                items.insert(number, name);
                Response::redirect(&format!("/item/{number}"))
            }
            ("POST", _, Some(number), Some(_)) => {
                items.remove(&number);
                Response::redirect("/")
            }
            _ => Response::status(404),
        }
    })
}

/// The test makes an item of its own each time, and each time it has another number.
#[test]
fn a_record_that_the_test_makes_may_have_another_number() {
    for (shows_new, way_there) in [(true, ""), (false, "  - Click the \"Hat\" link\n")] {
        let (context, server) = (Context::new(), items(shows_new));
        let test = format!(
            "test: Items\nsteps:\n  - Go to /\n  - Click the \"New item\" link\n  - Enter \"Hat\" in the \"Name\" field\n  \
             - Click the \"Save\" button\n{way_there}  - Click the \"Edit\" link\n  - Enter \"Cap\" in the \"Name\" field\n  \
             - Click the \"Save\" button\n  - Verify the text \"Cap\" is shown\n  - Click the \"Delete\" button\n\
             expected:\n  - The text \"Cap\" is not shown\n"
        );
        std::fs::write(context.folder().join("items.yaml"), test).unwrap();
        let url = server.url("");
        let run = |more: &[&str]| {
            let said = context
                .run(&[&["run", "items.yaml", "--base-url", url.trim_end_matches('/')], more].concat());
            assert_eq!(said.code, 0, "{}\n{}", said.out, said.err);
            assert!(!said.out.contains("healed"), "{}", said.out);
            std::fs::read_to_string(context.folder().join("items.lock.yaml")).unwrap_or_default()
        };
        let written = run(&["--lock"]);
        assert!(written.contains("/item/12/edit"), "{written}");
        for _ in 0..2 {
            assert_eq!(run(&["--frozen"]), written);
        }
        if shows_new {
            assert_eq!(run(&["--lock"]), written, "the same pages make the same lock");
        }
        assert_eq!(context.ok(&["heal"]), "nothing to accept: no test that passed was healed");
    }
}

#[test]
fn a_changed_page_is_healed_shown_and_accepted() {
    let context = Context::new();
    run(&context, &Site::with("Save", "Name"), &["--lock"]);
    let written = lock(&context);
    let changed = Site::with("Greet me", "Your first name");
    let (code, said, pilots) = run(&context, &changed, &["--frozen"]);
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("healed") && pilots.contains(&"replay".to_string()), "{said}\n{pilots:?}");
    assert_eq!(lock(&context), written, "a run never accepts by itself");
    let shown = context.ok(&["heal"]);
    let parts =
        ["button \"Save\"", "button \"Greet me\"", "POST /greet (who)", "score 0.", "--apply", "heals.html"];
    for part in parts {
        assert!(shown.contains(part), "{part} is not in\n{shown}");
    }
    assert_eq!(lock(&context), written, "to look changes nothing");
    context.ok(&["heal", "--apply"]);
    assert!(lock(&context).contains("Greet me"), "{}", lock(&context));
    let (code, said, _) = run(&context, &changed, &[]);
    assert!(code == 0 && !said.contains("healed"), "{said}");
}

/// The state of each change of the newest run, by its number.
fn states(context: &Context) -> Vec<String> {
    let said: serde_json::Value = serde_json::from_str(&context.ok(&["heal", "--json"])).unwrap();
    let changes = said["data"].as_array().unwrap().clone();
    changes.iter().map(|change| change["state"].as_str().unwrap().to_string()).collect()
}

#[test]
fn a_refused_heal_is_neither_proposed_nor_made_again() {
    let context = Context::new();
    run(&context, &Site::with("Save", "Name"), &["--lock"]);
    let changed = Site::with("Greet me", "Name");
    run(&context, &changed, &[]);
    assert_eq!(states(&context), ["open"]);
    let told = context.fails(2, &["heal", "--refuse", "--change", "2"]);
    assert!(told.contains("no change 2"), "{told}");
    context.fails(2, &["heal", "--refuse", "--apply"]);
    let told = context.ok(&["heal", "--refuse", "--change", "1"]);
    assert!(told.contains("1 change refused"), "{told}");
    let refused = lock(&context);
    assert!(refused.contains("refused:") && refused.contains("\"Save\""), "{refused}");
    assert_eq!(states(&context), ["refused"]);
    assert!(context.ok(&["heal", "--apply"]).contains("0 changes accepted"));
    // The step is no pass on what was refused, and no run proposes it.
    let (code, said, _) = run(&context, &changed, &[]);
    assert!(code == 3 && said.contains("button \"Greet me\" was refused"), "{code} {said}");
    assert!(context.ok(&["heal"]).contains("nothing to accept"));
    // Another replacement is another question.
    let (code, said, _) = run(&context, &Site::with("Say hello", "Name"), &[]);
    assert!(code == 0 && said.contains("healed"), "{code} {said}");
    assert_eq!(states(&context), ["open"]);
    // Who changes their mind names it.
    let told = context.ok(&["heal", "--run", "2", "--apply", "--change", "1"]);
    assert!(told.contains("1 change accepted"), "{told}");
    assert!(!lock(&context).contains("refused:"), "{}", lock(&context));
    let (code, said, _) = run(&context, &changed, &[]);
    assert!(code == 0 && !said.contains("healed"), "{code} {said}");
}

#[test]
fn heals_are_refused_and_accepted_over_the_service() {
    let context = Context::new();
    std::fs::write(context.folder().join("assay.yaml"), "suite: Names\n").unwrap();
    run(&context, &Site::with("Save", "Name"), &["--lock"]);
    let changed = Site::with("Greet me", "Your first name");
    run(&context, &changed, &[]);
    let service = Service::start(&context);
    let name = service.json("GET", "/server/runs", "", 200)["items"][0]["run"].as_str().unwrap().to_string();
    let heals = format!("/server/runs/{name}/heals");
    let states = |answer: serde_json::Value| -> Vec<String> {
        let changes = answer["changes"].as_array().unwrap();
        changes.iter().map(|change| change["state"].as_str().unwrap().to_string()).collect()
    };
    assert_eq!(states(service.json("GET", &heals, "", 200)), ["open", "open"]);
    let decide =
        |what: &str, body: &str, status: u16| service.json("POST", &format!("{heals}/{what}"), body, status);
    assert_eq!(decide("refuse", r#"{"changes": [7]}"#, 404)["code"], "not_found");
    assert_eq!(decide("refuse", r#"{"tests": ["none"]}"#, 422)["code"], "usage");
    assert_eq!(decide("refuse", r#"{"changes": [1], "tests": ["save_name"]}"#, 400)["code"], "usage");
    assert_eq!(states(decide("refuse", r#"{"changes": [2]}"#, 200)), ["open", "refused"]);
    assert_eq!(states(decide("accept", "{}", 200)), ["accepted", "refused"]);
    assert_eq!(decide("refuse", r#"{"changes": [1]}"#, 409)["code"], "conflict");
    // Who changes their mind names it.
    assert_eq!(states(decide("accept", r#"{"changes": [2]}"#, 200)), ["accepted", "accepted"]);
    assert!(!lock(&context).contains("refused:"), "{}", lock(&context));
}

/// What `assay heal --json` says of the change of the button.
fn healed_button(context: &Context) -> serde_json::Value {
    let said: serde_json::Value = serde_json::from_str(&context.ok(&["heal", "--json"])).unwrap();
    let proposals = said["data"].as_array().unwrap();
    let of_button = |proposal: &&serde_json::Value| proposal["step"].as_str().unwrap().contains("\"Save\"");
    proposals.iter().find(of_button).unwrap_or_else(|| panic!("{said}")).clone()
}

#[test]
fn a_heal_shows_both_pictures_with_the_target_marked() {
    let context = Context::new();
    let recorded = Site::with("Save", "Name");
    run(&context, &recorded, &["--lock"]);
    run(&context, &recorded, &[]);
    let changed = Site::with("Greet me", "Your first name");
    run(&context, &changed, &[]);
    // The one before this is a heal as well: no picture of what is locked.
    run(&context, &changed, &[]);
    let proposal = healed_button(&context);
    let (was, now) = (&proposal["pictures"][0]["was"], &proposal["pictures"][0]["now"]);
    for (picture, of) in [(was, "2"), (now, "4")] {
        assert_eq!(picture["run"], of, "{proposal}");
        assert!(std::path::Path::new(picture["path"].as_str().unwrap()).is_file(), "{proposal}");
        assert!(picture["target"]["width"].as_i64().unwrap() > 10, "{proposal}");
    }
    assert_ne!(was["path"], now["path"], "the pages look different");
    let found = &proposal["found"][0];
    assert!(found["score"].as_f64().unwrap() > 0.0 && found["margin"].is_number(), "{proposal}");
    assert!(proposal["recorded_effect"].as_str().unwrap().contains("POST /greet (who)"), "{proposal}");

    let shown = context.ok(&["heal"]);
    for path in [was, now].map(|picture| picture["path"].as_str().unwrap()) {
        let name = path.rsplit('/').next().unwrap();
        assert!(shown.contains(name), "{name} is not in\n{shown}");
    }
    let page = std::fs::read_to_string(context.folder().join("assay-results/heals.html")).unwrap();
    assert!(page.contains("data:image/png;base64,"), "the pictures are in the page");
}

#[test]
fn where_no_earlier_picture_is_on_record_that_is_said() {
    let elsewhere = Context::new();
    run(&elsewhere, &Site::with("Save", "Name"), &["--lock"]);
    // As in a fresh clone: the lock is there, and no run is on record.
    let context = Context::new();
    std::fs::write(context.folder().join("save.lock.yaml"), lock(&elsewhere)).unwrap();
    run(&context, &Site::with("Greet me", "Your first name"), &["--frozen"]);
    let proposal = healed_button(&context);
    let was = proposal["pictures"][0]["was"]["missing"].as_str().unwrap();
    assert!(was.starts_with("no earlier screenshot: "), "{was}");
    assert!(proposal["pictures"][0]["now"]["path"].is_string(), "{proposal}");
    assert!(context.ok(&["heal"]).contains("no earlier screenshot: "));
}

#[test]
fn a_pass_of_which_no_picture_was_taken_is_named() {
    let context = Context::new();
    run(&context, &Site::with("Save", "Name"), &["--lock", "--no-screenshots"]);
    run(&context, &Site::with("Greet me", "Your first name"), &[]);
    let was = healed_button(&context)["pictures"][0]["was"]["missing"].as_str().unwrap().to_string();
    assert!(was.contains("run 1 took none"), "{was}");
}

#[test]
fn a_test_that_fails_locks_nothing() {
    let (context, site) = (Context::new(), Site::with("Delete", "Name"));
    let (code, said, _) = run(&context, &site, &["--lock"]);
    assert!(code != 0 && lock(&context).is_empty(), "{said}");
}

#[test]
fn a_broken_lock_is_told_and_left_alone() {
    let (context, site) = (Context::new(), Site::with("Save", "Name"));
    let torn = "<<<<<<< ours\nlock: 1\n";
    std::fs::write(context.folder().join("save.lock.yaml"), torn).unwrap();
    let (code, said, pilots) = run(&context, &site, &["--lock"]);
    assert_eq!((code, pilots.contains(&"replay".to_string())), (0, false), "{said}");
    assert!(said.contains("save.lock.yaml"), "{said}");
    assert_eq!(lock(&context), torn);
}

#[test]
fn flags_that_contradict_each_other_are_refused() {
    let context = Context::new();
    for flags in [["--lock", "--frozen"], ["--lock", "--no-lock"]] {
        let said = context.run(&["run", ".", flags[0], flags[1]]);
        assert_eq!(said.code, 2, "{}", said.err);
    }
}
