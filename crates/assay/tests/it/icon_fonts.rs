//! Icon fonts draw words and private characters as pictures. These are no text of the page.

use assay_testkit::{Response, Server};

use crate::engines::{ACTIVE, Session, Window};

const PAGE: &str = "<!doctype html><meta charset=utf-8><title>Icons</title>\
    <nav><a href=/hello><span class=material-icons>waving_hand</span><span>Hello</span></a></nav>\
    <details><summary><span style=\"font-family:'Material Symbols Rounded'\">keyboard_arrow_down</span> Details</summary><p>Region is West</p></details>\
    <h2><i class=material-symbols-outlined>home</i> Start</h2>\
    <button onclick=\"document.title='DELETED'\"><span class='material-symbols-outlined'>delete</span></button>\
    <button>\u{e001} Save \u{f0001}</button>\
    <p style='font-family:bootstrap-icons, sans-serif'>gear</p>\
    <p style='font-family:Lexicon, serif'>lexicon</p><p>keyboard</p>";

#[test]
fn pictures_of_icon_fonts_are_no_text_on_any_engine() {
    let server = Server::start(|_| Response::html(PAGE));
    for engine in ACTIVE {
        let session = Session::start(engine, Window::None);
        session.ok(&["go", &server.url("/")]);
        let map = session.ok(&["map", "--all"]);
        for clean in
            ["link \"Hello\"", "button \"Details\"", "heading \"Start\"", "button \"Save\"", "icon delete"]
        {
            assert!(map.contains(clean), "{engine}: {clean}\n{map}");
        }
        let text = session.ok(&["text"]);
        for word in ["Hello", "Details", "Start", "lexicon", "keyboard"] {
            assert!(text.lines().any(|line| line.trim() == word), "{engine}: {word}\n{text}");
        }
        for picture in ["waving_hand", "arrow_down", "home", "gear", "\u{e001}", "\u{f0001}"] {
            assert!(!map.contains(picture) && !text.contains(picture), "{engine}: {picture}\n{map}\n{text}");
        }
        session.ok(&["do", "The first link is \"Hello\""]);
        session.ok(&["do", "The heading is \"Start\""]);
        assert_eq!(session.run(&["do", "The text \"home\" is shown"]).exit, 1, "{engine}");
        session.ok(&["click", "delete"]);
        assert_eq!(session.ok(&["title"]), "DELETED", "{engine}");
    }
}

#[test]
fn a_control_is_found_by_the_name_of_its_picture() {
    let server = Server::start(|_| Response::html(PAGE));
    let session = Session::start("chromium", Window::None);
    session.ok(&["go", &server.url("/")]);
    session.ok(&["do", "Click the delete button"]);
    assert_eq!(session.ok(&["title"]), "DELETED");
}
