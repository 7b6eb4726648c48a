use assay_protocol::Verdict;
use serde_json::Value;

use super::*;
use crate::sample::{Story, every_ending, failed_login};

fn linked() -> HtmlOptions {
    HtmlOptions { run_folder: "/run".into(), pictures: PicturesInHtml::Linked }
}

fn page_of(events: &[assay_protocol::RunEvent]) -> String {
    html_report(&Summary::of(events), &linked(), Path::new("/run/report.html")).unwrap()
}

/// What the scripts of the page will read.
fn data_of(page: &str) -> Value {
    let (_, rest) = page.split_once("id=\"run-data\">").unwrap();
    serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
}

/// Where the pictures are.
fn addresses(data: &Value) -> Vec<String> {
    let pictures = data["pictures"].as_array().unwrap().iter();
    pictures.map(|picture| picture["src"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn the_page_holds_the_run_and_links_its_pictures() {
    let page = page_of(&failed_login());
    assert!(page.contains("<title>demo · 1 test: 1 failed</title>"));
    let data = data_of(&page);
    let test = &data["tests"][0];
    assert_eq!(test["triage"]["class"], "product-defect");
    assert_eq!(test["attempts"][0]["decisive"], 1);
    assert_eq!(test["attempts"][0]["steps"][0]["commands"][0]["because"], "the only button named `Log in`");
    assert_eq!(test["attempts"][0]["page"]["picture"], 1);
    assert_eq!(addresses(&data), ["shots/1.png", "shots/last.png"]);
}

#[test]
fn every_ending_is_in_the_page() {
    let data = data_of(&page_of(&every_ending()));
    let told: Vec<&str> =
        data["tests"].as_array().unwrap().iter().map(|test| test["status"].as_str().unwrap()).collect();
    assert_eq!(told, ["passed", "failed", "inconclusive", "error", "not-run", "not-run", "passed", "failed"]);
    assert_eq!(data["tests"][6]["flaky"], true);
    assert_eq!(data["tests"][7]["attempts"].as_array().unwrap().len(), 2);
    assert_eq!(data["rejected"][0]["file"], "bad.yaml");
}

#[test]
fn nothing_that_a_page_or_a_test_says_is_run() {
    let evil = "</script><script>alert(1)</script><img src=x onerror=alert(2)><!--";
    let mut events =
        Story::of(&[evil]).start(evil, 1).step(evil, 1, evil).end(evil, Verdict::Failed, evil, 10).finish();
    if let assay_protocol::RunFact::RunStarted { suite, .. } = &mut events[0].what {
        *suite = evil.into();
    }
    let page = page_of(&events);
    // Our own two scripts, and nothing that the data brought along.
    assert_eq!(page.matches("<script").count(), 2);
    assert_eq!(page.matches("</script").count(), 2);
    assert!(!page.contains("<img") && !page.contains("<!--"));
    assert_eq!(data_of(&page)["tests"][0]["name"].as_str().unwrap(), evil.replace('_', " "));
}

#[test]
fn the_scripts_of_the_page_never_make_markup_of_text() {
    for word in ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function"] {
        assert!(!SCRIPTS.iter().any(|script| script.contains(word)), "{word}");
    }
    for word in ["http://", "https://", "@import", "url("] {
        assert!(!STYLE.contains(word) && !BODY.contains(word), "{word}");
    }
}

#[test]
fn pictures_are_taken_into_the_page_as_far_as_there_is_room() {
    let folder = std::env::temp_dir().join(format!("assay-report-html-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("run/shots")).unwrap();
    std::fs::write(folder.join("run/shots/1.png"), [1; 30]).unwrap();
    std::fs::write(folder.join("run/shots/last.png"), [2; 30]).unwrap();
    let summary = Summary::of(&failed_login());
    let pictures = |most_bytes| {
        let options =
            HtmlOptions { run_folder: folder.join("run"), pictures: PicturesInHtml::Embedded { most_bytes } };
        let path = folder.join("out/report.html");
        write_html_report(&summary, &options, &path).unwrap();
        addresses(&data_of(&std::fs::read_to_string(path).unwrap()))
    };
    let last = "data:image/png;base64,AgICAgICAgICAgICAgICAgICAgICAgICAgICAgIC";
    let first = "data:image/png;base64,AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEB";
    assert_eq!(pictures(1000), [first, last]);
    // The one that shows the failure goes before the others.
    assert_eq!(pictures(40), ["../run/shots/1.png", last]);
    assert_eq!(pictures(10), ["../run/shots/1.png", "../run/shots/last.png"]);
    std::fs::remove_dir_all(folder).unwrap();
}
