//! The map of one page is the same on every engine: roles, names, states, order.

use assay_testkit::{FixturePage, Server, fixture_pages, fixture_site};

use crate::engines::{ACTIVE, Session, Window};

#[test]
fn every_page_has_the_same_map_on_every_engine() {
    // One site for all, so that addresses in the maps are the same.
    let site = fixture_site();
    let mut maps = ACTIVE.iter().map(|engine| (*engine, maps_of(engine, &site)));
    let Some((first, wanted)) = maps.next() else { panic!("no engine is tested") };
    let mut differences = Vec::new();
    for (engine, found) in maps {
        for ((page, wanted), (_, found)) in wanted.iter().zip(&found) {
            differences.extend(first_difference(wanted, found).map(|(number, wanted, found)| {
                format!("{}, line {number}: {first} has `{wanted}`, {engine} has `{found}`", page.path)
            }));
        }
    }
    assert!(differences.is_empty(), "{} pages differ:\n{}", differences.len(), differences.join("\n"));
    println!("{} pages are the same on {}", wanted.len(), ACTIVE.join(", "));
}

fn maps_of(engine: &'static str, site: &Server) -> Vec<(FixturePage, String)> {
    let session = Session::start(engine, Window::None);
    let map = |page: FixturePage| {
        if session.ok(&["go", &site.url(page.path)]).contains("dialog ") {
            session.ok(&["dialog", "accept"]);
        }
        if !page.settled.is_empty() {
            session.ok(&["wait", "--text", page.settled, "--timeout", "10000"]);
        }
        let map = session.ok(&["map"]);
        assert!(!map.is_empty(), "{engine} has no map of {}", page.path);
        (page, without_refs(&map))
    };
    fixture_pages().into_iter().map(map).collect()
}

/// Refs count from the first page on, so they are no part of what a page is.
fn without_refs(map: &str) -> String {
    let is_ref = |word: &str| {
        word.strip_prefix('e')
            .is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|one| one.is_ascii_digit()))
    };
    let words = |line: &str| line.split(' ').filter(|word| !is_ref(word)).collect::<Vec<_>>().join(" ");
    map.lines().map(words).collect::<Vec<_>>().join("\n")
}

/// Number and both versions of the first line that is not the same.
fn first_difference(wanted: &str, found: &str) -> Option<(usize, String, String)> {
    let (mut wanted, mut found) = (wanted.lines(), found.lines());
    for number in 1.. {
        match (wanted.next(), found.next()) {
            (None, None) => return None,
            (one, other) if one == other => {}
            (one, other) => {
                let line = |line: Option<&str>| line.unwrap_or("nothing").to_string();
                return Some((number, line(one), line(other)));
            }
        }
    }
    None
}

#[test]
fn the_first_line_that_differs_is_named() {
    assert_eq!(first_difference("a\nb", "a\nb"), None);
    assert_eq!(first_difference("a\nb", "a"), Some((2, "b".to_string(), "nothing".to_string())));
    assert_eq!(without_refs("e1 heading \"e2e\"\n  e12 link \"Go\""), "heading \"e2e\"\n  link \"Go\"");
}
