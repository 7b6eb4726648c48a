//! Live pages of the service: looked at, used by hand, stepped through and recorded, with a real browser.

use std::time::Duration;

use serde_json::{Value, json};

use crate::agent_desk::{Desk, await_that};
use crate::context::Context;
use crate::serving::Service;

/// A live page of a service.
struct Live<'a> {
    service: &'a Service,
    base: String,
}

impl<'a> Live<'a> {
    fn open(service: &'a Service, order: &Value) -> Live<'a> {
        let page = service.json("POST", "/server/live", &order.to_string(), 201);
        let live = Live { service, base: format!("/server/live/{}", page["page"].as_str().unwrap()) };
        live.until(|page| page["status"] == "paused");
        live
    }

    /// The page once it is as it should be, by waiting for changes as a client does.
    #[track_caller]
    fn until(&self, is_it: impl Fn(&Value) -> bool) -> Value {
        let begun = std::time::Instant::now();
        let mut state = 0;
        loop {
            let update = self.get(&format!("?state={state}&picture=999999&wait_ms=2000"));
            state = update["state"].as_u64().unwrap();
            if update["page"].is_object() && is_it(&update["page"]) {
                return update["page"].clone();
            }
            assert!(begun.elapsed() < Duration::from_secs(90), "{}", self.get("?state=0")["page"]);
        }
    }

    #[track_caller]
    fn get(&self, what: &str) -> Value {
        self.service.json("GET", &format!("{}{what}", self.base), "", 200)
    }

    #[track_caller]
    fn post(&self, what: &str, body: &Value) -> Value {
        self.service.json("POST", &format!("{}/{what}", self.base), &body.to_string(), 200)
    }

    /// The element with this role and name.
    #[track_caller]
    fn element(&self, role: &str, name: &str) -> Value {
        let found = self.get("/elements");
        let is_it = |one: &&Value| one["role"] == role && one["name"] == name;
        let element = found["items"].as_array().unwrap().iter().find(is_it).cloned();
        element.unwrap_or_else(|| panic!("{role} \"{name}\" in {found}"))
    }

    /// Presses in the middle of an element, as a pointer on the picture does.
    fn press(&self, role: &str, name: &str, record: bool) -> Value {
        let area = self.element(role, name)["box"].clone();
        let middle = |side: usize| area[side].as_f64().unwrap() + area[side + 2].as_f64().unwrap() / 2.0;
        let at = json!({ "x": middle(0), "y": middle(1) });
        let input = json!({ "kind": "click", "at": at, "button": "left", "times": 1 });
        self.post("acts", &json!({ "act": "pointer", "input": input, "record": record }))
    }

    fn end(&self) {
        self.service.json("DELETE", &self.base, "{}", 200);
    }
}

fn project(context: &Context) -> Service {
    let folder = context.folder();
    std::fs::create_dir_all(folder.join("tests")).unwrap();
    std::fs::write(folder.join("assay.yaml"), format!("suite: Shop\nbase_url: {}\n", context.url("")))
        .unwrap();
    Service::start(context)
}

#[test]
fn a_page_is_looked_at_and_used_by_hand() {
    let context = Context::new();
    let service = project(&context);
    let live = Live::open(&service, &json!({ "url": "/login" }));
    let seen = live.until(|page| page["url"].as_str().unwrap().ends_with("/login"));
    assert_eq!(seen["title"], "Log in");
    let first = live.get("?state=0&picture=0&wait_ms=5000");
    assert!(first["picture"]["data"].as_str().unwrap().len() > 1000, "a picture comes to those who look");
    live.press("textbox", "Email", false);
    live.post("acts", &json!({ "act": "type", "text": "test@example.com" }));
    assert_eq!(live.element("textbox", "Email")["value"], "test@example.com");
    live.post("acts", &json!({ "act": "go", "url": "/table" }));
    live.until(|page| page["url"].as_str().unwrap().ends_with("/table"));
    live.post("acts", &json!({ "act": "back" }));
    live.until(|page| page["url"].as_str().unwrap().ends_with("/login"));
    let (status, refused) =
        service.ask("POST", &format!("{}/acts", live.base), r#"{"act": "go", "url": "file:///etc/passwd"}"#);
    assert!(status >= 400, "{refused}");
    assert!(live.get("/log")["network"].to_string().contains("/login"));
    live.end();
    let (status, _) = service.ask("GET", &live.base, "");
    assert_eq!(status, 404);
    assert_eq!(service.interrupt(), 0);
}

const STEPPED: &str = "test: Log in\nsteps:\n  - Go to /login\n  - Enter \"test@example.com\" into the \"Email\" field\n  - \
                       Enter \"secret123\" into the \"Pasword\" field\n  - Click the \"Log in\" button\nexpected:\n  - The \
                       heading \"Welcome, test@example.com\" is shown\n";

#[test]
fn a_test_is_stepped_through_and_corrected_without_starting_anew() {
    let context = Context::new();
    let service = project(&context);
    let live = Live::open(&service, &json!({ "text": STEPPED, "path": "tests/login.yaml" }));
    let verdict = |page: &Value, at: usize| page["steps"][at]["outcome"]["verdict"].clone();
    let paused = |page: &Value| page["status"] == "paused";
    let before = live.until(paused);
    assert_eq!((&before["next"], &before["steps"][1]["line"]), (&json!(0), &json!(4)));
    live.post("steps", &json!({ "order": "next" }));
    let first = live.until(|page| paused(page) && page["next"] == 1);
    assert_eq!(verdict(&first, 0), "passed", "{first}");
    // Stops before a line, then goes on into the step that names no field of the page.
    let put = |what: &str, body: Value| {
        service.json("PUT", &format!("{}/{what}", live.base), &body.to_string(), 200)
    };
    put("stops", json!({ "lines": [5] }));
    live.post("steps", &json!({ "order": "go_on" }));
    live.until(|page| paused(page) && page["next"] == 2);
    live.post("steps", &json!({ "order": "next" }));
    let failed = live.until(|page| paused(page) && page["steps"][2]["outcome"].is_object());
    assert!(verdict(&failed, 2) != "passed" && failed["next"] == 2, "{failed}");
    // Any sentence may be tried; it is no step.
    let tried = live.post("tries", &json!({ "sentence": "The \"Email\" field is \"test@example.com\"" }));
    assert_eq!(tried["verdict"], "passed", "{tried}");
    put("text", json!({ "text": STEPPED.replace("Pasword", "Password") }));
    live.post("steps", &json!({ "order": "go_on" }));
    let done = live.until(|page| page["conclusion"].is_object());
    assert_eq!(done["conclusion"]["verdict"], "passed", "{done}");
    assert!((0..5).all(|at| verdict(&done, at) == "passed"), "{done}");
    assert!(!done.to_string().contains("secret123"), "a password is masked: {done}");
    live.end();
    // It is no result: nothing of it is on record, and no file is left.
    assert_eq!(service.json("GET", "/server/runs", "", 200)["items"], json!([]));
    assert_eq!(std::fs::read_dir(context.folder().join("tests")).unwrap().count(), 0);
}

#[test]
fn stepping_through_replays_the_lock_of_the_file() {
    let context = Context::new();
    let service = project(&context);
    let path = "tests/login.yaml";
    let test = STEPPED.replace("Pasword", "Password");
    std::fs::write(context.folder().join(path), &test).unwrap();
    let run = context.run(&["run", path, "--lock"]);
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    let lock = context.folder().join("tests/login.lock.yaml");
    // The button had another name when the lock was written.
    let older = std::fs::read_to_string(&lock).unwrap().replace("name: \"Log in\"", "name: \"Sign in\"");
    std::fs::write(&lock, &older).unwrap();
    let live = Live::open(&service, &json!({ "text": test, "path": path }));
    // What is tried is no step, and leaves the lock to the steps.
    live.post("tries", &json!({ "sentence": "Go to /login" }));
    live.post("steps", &json!({ "order": "go_on" }));
    let done = live.until(|page| page["conclusion"].is_object());
    assert_eq!(done["conclusion"]["verdict"], "passed", "{done}");
    let did = |at: usize| done["steps"][at]["outcome"]["did"].to_string();
    assert!(did(1).contains("as locked") && did(2).contains("as locked"), "{done}");
    assert!(did(3).contains("healed: button \\\"Sign in\\\" is now button \\\"Log in\\\""), "{}", did(3));
    live.end();
    assert_eq!(std::fs::read_to_string(&lock).unwrap(), older, "it is no run, so nothing is written");
}

#[test]
fn what_is_done_by_hand_becomes_sentences_that_pass() {
    let context = Context::new();
    let service = project(&context);
    let text = "test: Recorded\nsteps:\n  - Go to /login\n";
    let live = Live::open(&service, &json!({ "text": text, "path": "tests/recorded.yaml", "go_on": true }));
    live.until(|page| page["status"] == "paused" && page["next"] == 1);
    let typed = |text: &str| live.post("acts", &json!({ "act": "type", "text": text, "record": true }));
    live.press("textbox", "Email", true);
    typed("test@example");
    typed(".com");
    live.press("textbox", "Password", true);
    typed("secret123");
    live.press("button", "Log in", true);
    let heading = live.element("heading", "Welcome, test@example.com");
    let claims = live.post("checks", &json!({ "ref": heading["ref"] }));
    assert_eq!(claims["items"][0], "The heading \"Welcome, test@example.com\" is visible", "{claims}");
    live.post("claims", &json!({ "sentence": claims["items"][0] }));
    let page = live.until(|page| page["recorded"].as_array().unwrap().len() >= 4);
    let said: Vec<&str> =
        page["recorded"].as_array().unwrap().iter().map(|one| one["text"].as_str().unwrap()).collect();
    assert_eq!(
        said,
        [
            "Enter \"test@example.com\" into the \"Email\" field",
            "Enter \"${PASSWORD}\" into the \"Password\" field",
            "Click the \"Log in\" button",
            "The heading \"Welcome, test@example.com\" is visible",
        ]
    );
    assert!(!page.to_string().contains("secret123"), "{page}");
    let (status, refused) = service.ask(
        "POST",
        &format!("{}/claims", live.base),
        r#"{"sentence": "The heading \"Goodbye\" is visible"}"#,
    );
    assert_eq!(status, 404, "{refused}");
    live.end();
    // The recorded test passes as any other.
    let steps: Vec<String> = said[..3].iter().map(|one| format!("  - '{one}'\n")).collect();
    let whole = format!("{text}{}expected:\n  - '{}'\nsecrets: [PASSWORD]\n", steps.concat(), said[3]);
    std::fs::write(context.folder().join("tests/recorded.yaml"), whole).unwrap();
    let mut run = context.command(&["run", "tests/recorded.yaml", "--lock", "--trust"]);
    let run = run.env("PASSWORD", "secret123").output().unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stdout));
    assert!(context.folder().join("tests/recorded.lock.yaml").is_file());
}

#[test]
fn nothing_is_left_of_a_live_page_when_the_service_dies() {
    let context = Context::new();
    let mut service = project(&context);
    Live::open(&service, &json!({ "url": "/login" }));
    let ours = format!("assay-profile-run-{}-", service.pid());
    let profiles_left = || {
        let profiles = std::fs::read_dir("/dev/shm").into_iter().flatten().flatten();
        profiles.filter(|entry| entry.file_name().to_string_lossy().starts_with(&ours)).count()
    };
    let begun = std::time::Instant::now();
    assert!(profiles_left() > 0, "the page has a browser");
    service.kill();
    while profiles_left() > 0 {
        assert!(begun.elapsed() < Duration::from_secs(30), "the browser was left");
        std::thread::sleep(Duration::from_millis(100));
    }
}

#[test]
fn the_page_of_an_open_session_is_controlled_only_after_it_was_taken() {
    let context = Context::on("/login");
    let service = project(&context);
    let devices = service.json("GET", "/server/devices", "", 200);
    let is_session = |device: &&Value| device["device"].as_str().unwrap().starts_with("session:");
    let device = devices["items"].as_array().unwrap().iter().find(is_session).unwrap()["device"].clone();
    let live = Live::open(&service, &json!({ "device": device }));
    live.until(|page| page["title"] == "Log in");
    let act = r#"{"act": "go", "url": "/table"}"#;
    let (status, refused) = service.ask("POST", &format!("{}/acts", live.base), act);
    assert_eq!(status, 409, "{refused}");
    live.post("control", &json!({ "take": true }));
    live.post("acts", &json!({ "act": "go", "url": context.url("/table") }));
    // The user's own commands wait until it is given back.
    let told = context.fails(4, &["url"]);
    assert!(told.contains("controls"), "{told}");
    live.post("control", &json!({ "take": false }));
    assert!(context.ok(&["url"]).contains("/table"));
    live.end();
    assert!(context.ok(&["url"]).contains("/table"), "the session stays");
}

/// The task of a live page, once it is as it should be.
#[track_caller]
fn task_until(live: &Live<'_>, is_it: impl Fn(&Value) -> bool) -> Value {
    let begun = std::time::Instant::now();
    loop {
        let task = live.get("/task")["task"].clone();
        if is_it(&task) {
            return task;
        }
        assert!(begun.elapsed() < Duration::from_secs(90), "{task}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

fn parts(task: &Value) -> Vec<&str> {
    task["subtasks"].as_array().unwrap().iter().map(|part| part["status"].as_str().unwrap()).collect()
}

const LOG_IN: &str = "Enter \"test@example.com\" into the \"Email\" field, then enter \"secret123\" into the \"Password\" field, \
                      then click the \"Log in\" button. The heading \"Welcome, test@example.com\" is shown.";

#[test]
fn a_goal_is_carried_out_on_a_live_page_part_by_part() {
    let context = Context::new();
    let service = project(&context);
    let live = Live::open(&service, &json!({ "url": "/login" }));
    assert_eq!(live.get("/task"), json!({}));
    let task = |what: &str, body: Value, status: u16| {
        service.json("POST", &format!("{}/task{what}", live.base), &body.to_string(), status)
    };
    assert_eq!(task("/pause", json!({}), 404)["code"], "not_found");
    task("", json!({ "goal": " " }), 400);
    task("", json!({ "goal": LOG_IN }), 201);
    let done = task_until(&live, |task| task["status"] == "finished");
    assert_eq!(parts(&done), ["done"; 4], "{done}");
    assert!(done["tabs"][0]["url"].as_str().unwrap().contains('/'), "{done}");
    let acts = done["actions"].as_array().unwrap();
    assert!(acts.len() >= 3 && acts.iter().all(|act| act["end"] == "done"), "{done}");
    assert!(
        live.element("heading", "Welcome, test@example.com").is_object(),
        "it was done on this very page"
    );
    // Where only a user knows more, it pauses, and a part may be left out.
    task("", json!({ "goal": "Click the \"No such thing\" button, then go to /table" }), 201);
    let asks = task_until(&live, |task| task["status"] == "paused" && task["at_work"] == false);
    assert!(asks["reason"].as_str().unwrap().contains("No such thing"), "{asks}");
    assert_eq!(parts(&asks), ["pending", "pending"]);
    task("/resume", json!({ "part": "skip" }), 200);
    let done = task_until(&live, |task| task["status"] == "finished");
    assert_eq!(parts(&done), ["done", "done"], "{done}");
    live.until(|page| page["url"].as_str().unwrap().ends_with("/table"));
    // A pause holds before the next part, and the end of the page pauses what is at work.
    task("", json!({ "goal": "Wait until the page shows \"never to be seen\", then go to /login" }), 201);
    assert_eq!(task("", json!({ "goal": "Go to /login" }), 409)["code"], "conflict");
    let paused = task("/pause", json!({}), 200);
    assert_eq!(paused["task"]["status"], "paused", "{paused}");
    let left = task_until(&live, |task| task["at_work"] == false);
    assert_eq!((&left["status"], parts(&left)[1]), (&json!("paused"), "pending"), "{left}");
    task("/resume", json!({}), 200);
    let number = left["task"].to_string();
    live.end();
    let told = context.ok(&["task", "status", &number]);
    assert!(told.contains("paused"), "{told}");
}

#[test]
fn a_task_at_the_page_of_a_session_belongs_to_the_session() {
    let context = Context::on("/login");
    let mut service = project(&context);
    let live = Live::open(&service, &json!({ "device": "session:default" }));
    live.until(|page| page["title"] == "Log in");
    let base = live.base.clone();
    let goal = json!({ "goal": "Click the \"No such thing\" button, then go to /table" }).to_string();
    let refused = service.json("POST", &format!("{base}/task"), &goal, 409);
    assert_eq!(refused["code"], "device_busy", "{refused}");
    live.post("control", &json!({ "take": true }));
    let goal = goal.replace("/table", &context.url("/table"));
    service.json("POST", &format!("{base}/task"), &goal, 201);
    let asks = task_until(&live, |task| task["status"] == "paused" && task["at_work"] == false);
    // A service that dies leaves it with the session, where it goes on in the same browser.
    service.kill();
    let service = Service::start(&context);
    let live = Live::open(&service, &json!({ "device": "session:default" }));
    assert_eq!(live.get("/task")["task"]["task"], asks["task"]);
    live.post("control", &json!({ "take": true }));
    live.post("task/resume", &json!({ "part": "skip" }));
    let done = task_until(&live, |task| task["status"] == "finished");
    assert_eq!(parts(&done), ["done", "done"], "{done}");
    live.post("control", &json!({ "take": false }));
    assert!(context.ok(&["url"]).contains("/table"));
    live.end();
}

#[test]
fn an_agent_acts_on_the_page_beside_its_conversation() {
    let desk = Desk::new();
    desk.context.ok(&["open", &desk.context.url("/login")]);
    let service = Service::of(desk.command(&["serve", "--port", "0"]));
    let live = Live::open(&service, &json!({ "device": "session:default" }));
    let page = live.base.rsplit('/').next().unwrap().to_string();
    let session = service.json("POST", "/server/agent/sessions", "{}", 201)["session_id"].clone();
    let base = format!("/server/agent/sessions/{session}");
    let say = |body: Value, status: u16| {
        service.json("POST", &format!("{base}/messages"), &body.to_string(), status)
    };
    assert_eq!(say(json!({ "message": "What is here?", "page": page }), 409)["code"], "device_busy");
    assert_eq!(say(json!({ "message": "What is here?", "page": "none" }), 404)["code"], "not_found");
    live.post("control", &json!({ "take": true }));
    desk.loads("explore-web").calls("dump_ui_elements", json!({})).answers("A page to log in.");
    say(json!({ "message": "What is here?", "page": page }), 202);
    let entries = || service.json("GET", &format!("{base}/entries"), "", 200).to_string();
    await_that(|| entries().contains("A page to log in."));
    assert!(entries().contains("Password"), "{}", entries());
    // Control stays with the one who looks at the page.
    live.post("acts", &json!({ "act": "go", "url": desk.context.url("/table") }));
    live.post("control", &json!({ "take": false }));
    live.end();
    assert!(desk.context.ok(&["url"]).contains("/table"));
}

/// Everything that somebody does at a live page, in one engine: with the picture, its pointer and keyboard, tabs, dialogs, lists,
/// console and network, candidates, recording and a goal.
#[track_caller]
fn is_used_in(engine: &str) {
    let context = Context::new();
    std::fs::create_dir_all(context.folder().join("tests")).unwrap();
    let settings = format!("suite: Shop\nbase_url: {}\nbrowsers: [{engine}]\n", context.url(""));
    std::fs::write(context.folder().join("assay.yaml"), settings).unwrap();
    let service = Service::start(&context);
    let live = Live::open(&service, &json!({ "url": "/login" }));
    let seen = live.until(|page| page["url"].as_str().unwrap().ends_with("/login"));
    assert_eq!(seen["title"], "Log in");
    let first = live.get("?state=0&picture=0&wait_ms=10000");
    assert!(first["picture"]["data"].as_str().unwrap().len() > 1000, "a picture comes to those who look");
    // Pointer and keyboard.
    live.press("textbox", "Email", false);
    live.post("acts", &json!({ "act": "type", "text": "test@example.comx" }));
    live.post("acts", &json!({ "act": "press", "keys": ["Backspace"] }));
    assert_eq!(live.element("textbox", "Email")["value"], "test@example.com");
    let at = json!({ "x": 20, "y": 20 });
    live.post("acts", &json!({ "act": "pointer", "input": { "kind": "move", "at": at } }));
    // The address, and the way back.
    let is_at = |path: &'static str| move |page: &Value| page["url"].as_str().unwrap().ends_with(path);
    live.post("acts", &json!({ "act": "go", "url": "/table" }));
    live.until(is_at("/table"));
    let scroll = json!({ "kind": "scroll", "at": at, "by_x": 0, "by_y": 300 });
    live.post("acts", &json!({ "act": "pointer", "input": scroll }));
    live.post("acts", &json!({ "act": "back" }));
    live.until(is_at("/login"));
    live.post("acts", &json!({ "act": "forward" }));
    live.until(is_at("/table"));
    live.post("acts", &json!({ "act": "reload" }));
    // Tabs.
    live.post("acts", &json!({ "act": "new_tab", "url": context.url("/forms") }));
    let two = live.until(|page| page["tabs"].as_array().unwrap().len() == 2 && is_at("/forms")(page));
    let tab = |number: usize| two["tabs"][number]["tab"].clone();
    live.post("acts", &json!({ "act": "switch_tab", "tab": tab(0) }));
    live.until(is_at("/table"));
    live.post("acts", &json!({ "act": "switch_tab", "tab": tab(1) }));
    live.until(is_at("/forms"));
    // A list of the browser is chosen from beside the picture.
    let country = live.element("combobox", "Country");
    let list = live.post("acts", &json!({ "act": "click", "ref": country["ref"] }))["choice"].clone();
    assert!(list["options"].to_string().contains("Norway"), "{list}");
    live.post("acts", &json!({ "act": "choose", "ref": list["ref"], "options": ["Norway"] }));
    assert_eq!(live.element("combobox", "Country")["value"], "Norway");
    live.post("acts", &json!({ "act": "close_tab", "tab": tab(1) }));
    live.until(|page| page["tabs"].as_array().unwrap().len() == 1);
    // Dialogs of the browser.
    live.post("acts", &json!({ "act": "go", "url": "/dialogs" }));
    live.until(is_at("/dialogs"));
    live.press("button", "Ask for a name", false);
    let asks = live.until(|page| page["dialog"].is_object());
    assert_eq!((&asks["dialog"]["kind"], &asks["dialog"]["default"]), (&json!("prompt"), &json!("Aurora")));
    live.post("acts", &json!({ "act": "accept_dialog", "text": "Borealis" }));
    live.until(|page| page["dialog"].is_null());
    live.element("status", "prompt: Borealis");
    live.press("button", "Ask to confirm", false);
    live.until(|page| page["dialog"]["kind"] == "confirm");
    live.post("acts", &json!({ "act": "dismiss_dialog" }));
    live.until(|page| page["dialog"].is_null());
    // Console and network.
    live.post("acts", &json!({ "act": "go", "url": "/errors" }));
    live.press("button", "Console error", false);
    let log = live.get("/log");
    assert!(log["console"].to_string().contains("error:"), "{log}");
    assert!(log["network"].to_string().contains("/errors"), "{log}");
    // A sentence that may mean several elements has them marked.
    live.post("acts", &json!({ "act": "go", "url": "/dialogs" }));
    let unclear = live.post("tries", &json!({ "sentence": "Click the \"Show\" button" }));
    assert!(unclear["candidates"].as_array().unwrap().iter().any(|one| one["box"].is_array()), "{unclear}");
    // A goal.
    live.post("acts", &json!({ "act": "go", "url": "/login" }));
    service.json("POST", &format!("{}/task", live.base), &json!({ "goal": LOG_IN }).to_string(), 201);
    let done = task_until(&live, |task| task["at_work"] == false);
    assert_eq!(done["status"], "finished", "{done}");
    live.end();
    // A test is recorded, and stepped through.
    let text = "test: Recorded\nsteps:\n  - Go to /login\n";
    let live = Live::open(&service, &json!({ "text": text, "path": "tests/recorded.yaml", "go_on": true }));
    live.until(|page| page["status"] == "paused" && page["next"] == 1);
    live.press("textbox", "Email", true);
    live.post("acts", &json!({ "act": "type", "text": "test@example.com", "record": true }));
    live.press("textbox", "Password", true);
    live.post("acts", &json!({ "act": "type", "text": "secret123", "record": true }));
    live.press("button", "Log in", true);
    let page = live.until(|page| page["recorded"].as_array().unwrap().len() >= 3);
    let said: Vec<&str> =
        page["recorded"].as_array().unwrap().iter().map(|one| one["text"].as_str().unwrap()).collect();
    assert_eq!(
        said,
        [
            "Enter \"test@example.com\" into the \"Email\" field",
            "Enter \"${PASSWORD}\" into the \"Password\" field",
            "Click the \"Log in\" button"
        ]
    );
    live.end();
    let test = STEPPED.replace("Pasword", "Password");
    let live = Live::open(&service, &json!({ "text": test, "path": "tests/login.yaml", "go_on": true }));
    let done = live.until(|page| page["conclusion"].is_object());
    assert_eq!(done["conclusion"]["verdict"], "passed", "{done}");
    live.end();
}

#[test]
fn a_live_page_is_used_in_chromium() {
    is_used_in("chromium");
}

#[test]
fn a_live_page_is_used_in_firefox() {
    is_used_in("firefox");
}

#[test]
fn a_live_page_is_used_in_webkit() {
    is_used_in("webkit");
}
