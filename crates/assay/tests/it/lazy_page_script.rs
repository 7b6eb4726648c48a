//! What a page that has just been opened says, and that it can be used at once: the greater part of the page script
//! sleeps until then.

use assay_testkit::{Request, Response, Server};

use crate::engines::{ACTIVE, Session, Window};

/// Pages by path; one of them forbids every way of making code out of text.
fn answer(request: &Request) -> Response {
    let head = "<!doctype html><meta charset=utf-8><title>Harbour</title>";
    let body = match request.path.as_str() {
        "/closed" => "<h1>Harbour</h1><details><summary>More</summary><p>Open now</p></details>",
        "/alert" => {
            "<h1>Harbour</h1><p role=alert>Storm warning</p><p role=status hidden>Calm</p><button>Leave</button>"
        }
        "/hidden" => "<a href=/>Home</a><h1>Harbour</h1><p role=alert hidden>Storm warning</p>",
        "/contents" => "<h1>Harbour</h1><p role=alert style=display:contents>Storm warning</p>",
        "/dialog" => "<h1>Harbour</h1><dialog open>Choose a berth</dialog>",
        "/deaf" => {
            "<h1>Harbour</h1><div id=berth>Berth 4</div><script>\
             berth.addEventListener('click', () => { berth.textContent = 'Berth taken'; });</script>"
        }
        _ => return Response::status(404),
    };
    let page = Response::html(format!("{head}{body}"));
    if request.path == "/closed" {
        let policy = "default-src 'none'; require-trusted-types-for 'script'; trusted-types 'none'";
        return page.header("content-security-policy", policy);
    }
    page
}

fn check_all(check: impl Fn(&Session, &dyn Fn(&str) -> String)) {
    let server = Server::start(answer);
    for engine in ACTIVE {
        let session = Session::start(engine, Window::None);
        check(&session, &|path| session.ok(&["go", &server.url(path)]));
    }
}

#[test]
fn a_page_that_allows_no_code_at_all_can_be_used() {
    check_all(|session, go| {
        go("/closed");
        assert!(session.ok(&["click", "summary"]).contains("Open now"));
    });
}

#[test]
fn a_page_that_opens_tells_its_messages_and_no_heading() {
    check_all(|_, go| {
        for path in ["/alert", "/contents"] {
            let told = go(path);
            assert!(told.contains("alert \"Storm warning\""), "{path}: {told}");
            assert!(!told.contains("Calm") && !told.contains("heading"), "{path}: {told}");
        }
        assert!(go("/dialog").contains("dialog"));
        let told = go("/hidden");
        assert_eq!(told.lines().count(), 1, "{told}");
    });
}

#[test]
fn the_heading_has_the_first_ref_though_it_was_not_told() {
    check_all(|session, go| {
        go("/hidden");
        let map = session.ok(&["map"]);
        let ref_of = |element: &str| -> u32 {
            let line = map.lines().find(|line| line.contains(element)).unwrap_or_else(|| panic!("{map}"));
            line.split_once(' ').unwrap().0.trim_start_matches('e').parse().unwrap()
        };
        assert!(ref_of("heading \"Harbour\"") < ref_of("link \"Home\""), "{map}");
    });
}

#[test]
fn what_a_page_listens_for_while_it_loads_is_known_when_it_is_asked_later() {
    check_all(|session, go| {
        go("/deaf");
        assert!(session.ok(&["map"]).contains("clickable \"Berth 4\""));
        assert!(session.ok(&["click", "#berth"]).contains("Berth taken"));
    });
}
