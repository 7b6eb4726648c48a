use super::*;
use crate::corpora::answers;
use crate::corpora::pages;
use crate::corpora::sections;

/// A site with one list, to which something can be posted.
fn notes() -> SiteVersion {
    let text = "=== notes | sound | a list\n\
        --- page /\n<title>Notes</title>\n<ul>[[each note]]<li>[[it]]</li>[[end]]</ul>\n\
        --- data\nnote: Milk\n\
        --- answers\nPOST /add when note -> add note=[[note]]; redirect /\nPOST /add -> 422 page /\n";
    let cases = sections::split("x.txt", text).unwrap();
    let case = &cases[0];
    let rules = answers::parse("x.txt", case.section("answers", "").unwrap().unwrap()).unwrap();
    let data = Memory::parse("x.txt", case.section("data", "").unwrap().unwrap()).unwrap();
    SiteVersion::new(pages::whole(case, "page").unwrap(), rules, data)
}

fn post(stage: &mut Stage, path: &str, body: &str) -> u16 {
    let request =
        Request { method: "POST".to_owned(), path: path.to_owned(), body: body.into(), ..Request::default() };
    stage.answer(&request).status_code()
}

fn list(stage: &mut Stage) -> String {
    let request = Request { method: "GET".to_owned(), path: "/".to_owned(), ..Request::default() };
    let html = String::from_utf8(stage.answer(&request).body().to_vec()).unwrap();
    html[html.find("<ul>").unwrap()..html.find("</ul>").unwrap() + 5].to_owned()
}

#[test]
fn what_was_posted_is_kept_and_noted() {
    let mut stage = Stage::new(notes());
    assert_eq!(post(&mut stage, "/add", "note=Tea"), 303);
    assert_eq!(list(&mut stage), "<ul><li>Milk</li><li>Tea</li></ul>");
    assert_eq!(post(&mut stage, "/add", "note="), 422);
    assert_eq!(post(&mut stage, "/elsewhere", "a=1"), 404);
    let noted: Vec<String> = stage.received.iter().map(|one| format!("{one} {}", one.status)).collect();
    assert_eq!(noted, ["POST /add note=Tea 303", "POST /add note= 422", "POST /elsewhere a=1 404"]);
}

#[test]
fn a_failing_request_is_noted_and_keeps_nothing() {
    let mut stage = Stage::new(notes().with_failing_request("POST", "/add"));
    assert_eq!(post(&mut stage, "/add", "note=Tea"), 500);
    assert_eq!(list(&mut stage), "<ul><li>Milk</li></ul>");
    assert_eq!(stage.received.len(), 1);
}

#[test]
fn a_version_that_is_deployed_starts_afresh() {
    let site = notes().serve();
    post(&mut lock(&site.stage), "/add", "note=Tea");
    assert_eq!(site.received().len(), 1);
    site.deploy(notes());
    assert_eq!(site.received(), []);
    assert_eq!(list(&mut lock(&site.stage)), "<ul><li>Milk</li></ul>");
}

#[test]
fn a_deaf_control_is_named_in_the_page() {
    assert!(
        notes().with_deaf_control("Add \"now\"").shown("/").contains(r#"text?.trim() === "Add \"now\"""#)
    );
}
