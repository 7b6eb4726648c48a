use std::collections::BTreeMap;

use assay_protocol::{Scene, SceneNode};

use super::*;
use crate::write_sheet;

fn node(
    parent: Option<usize>,
    reference: &str,
    role: &str,
    name: &str,
    attributes: &[(&str, &str)],
) -> SceneNode {
    let attributes: BTreeMap<String, String> =
        attributes.iter().map(|(key, value)| ((*key).to_string(), (*value).to_string())).collect();
    SceneNode {
        parent,
        reference: Some(reference.to_string()),
        role: role.to_string(),
        name: name.to_string(),
        attributes,
        ..SceneNode::default()
    }
}

fn page() -> PageSeen {
    let mut email = node(Some(1), "e3", "textbox", "Email", &[("type", "email"), ("tag", "input")]);
    email.states = vec!["required".to_string()];
    let nodes = vec![
        node(None, "e1", "heading", "Join us", &[("level", "1")]),
        node(None, "e2", "form", "", &[("tag", "form")]),
        email,
        node(Some(1), "e4", "textbox", "Nick", &[("type", "text"), ("tag", "input")]),
        node(Some(1), "e5", "button", "Join", &[("submits", "post /join")]),
        node(None, "e6", "link", "Help", &[("href", "/help")]),
        node(None, "e7", "link", "Log out", &[("href", "/bye")]),
        node(None, "e8", "link", "Elsewhere", &[("href", "https://other.example/")]),
        node(None, "e9", "link", "Remove", &[("href", "/items/delete?id=1")]),
        node(None, "e10", "link", "More", &[("href", "/a")]),
        node(None, "e11", "link", "More", &[("href", "/b")]),
        node(None, "e12", "link", "Say \"hi\"", &[("href", "/hi")]),
    ];
    let scene =
        Scene { url: "http://h.test/join".to_string(), title: "Join".to_string(), nodes, ..Scene::default() };
    let fields = vec![FieldRules { reference: "e4".to_string(), longest: Some(5), ..FieldRules::default() }];
    PageSeen { scene, fields, ..PageSeen::default() }
}

#[test]
fn only_links_that_change_nothing_and_mean_one_page_are_followed() {
    let (links, excluded) = followable(&page().scene);
    let found: Vec<(&str, &str)> = links.iter().map(|link| (link.name.as_str(), link.url.as_str())).collect();
    assert_eq!(found, [("Help", "http://h.test/help")]);
    let told: Vec<String> = excluded.iter().map(|one| format!("{}: {}", one.what, one.why)).collect();
    assert_eq!(
        told,
        [
            "link \"Log out\": `log out` in its name suggests that it changes something",
            "link \"Elsewhere\": it leads to another site",
            "link \"Remove\": `delete` in its address suggests that it changes something",
            "link \"More\": 2 links have this name",
            "link \"Say \"hi\"\": its name cannot be quoted",
        ]
    );
}

#[test]
fn a_form_is_tested_by_what_it_says_of_itself() {
    let proposals = propose(&[page()]);
    let stems: Vec<&str> = proposals.sheets.iter().map(|sheet| sheet.stem.as_str()).collect();
    assert_eq!(stems, ["pages", "form-join"]);
    let names: Vec<&str> = proposals.sheets[1].drafts.iter().map(|draft| draft.name.as_str()).collect();
    assert_eq!(
        names,
        [
            "The form Join is complete",
            "Email must not be empty",
            "Email refuses an invalid email address",
            "Nick accepts at most 5 characters",
            "Join without Email is refused",
        ]
    );
    let sending: Vec<DraftTrial> = proposals.sheets[1].drafts.iter().map(|draft| draft.trial).collect();
    assert_eq!(sending.iter().filter(|trial| **trial == DraftTrial::Sends).count(), 1);
    let text = write_sheet(&proposals.sheets[1], None);
    assert!(text.contains("# TODO: What should appear after the form \"Join\" is filled in"), "{text}");
    assert_eq!(proposals.questions.len(), 1);
}

#[test]
fn a_form_that_the_browser_does_not_check_is_not_said_to_be_refused() {
    let mut page = page();
    page.unchecked_forms.push("e2".to_string());
    let proposals = propose(&[page]);
    assert!(proposals.sheets[1].drafts.iter().all(|draft| draft.trial == DraftTrial::Harmless));
}

#[test]
fn a_form_without_a_name_is_called_by_its_page() {
    let mut page = page();
    page.scene.nodes.remove(4);
    page.scene.url = "http://h.test/members/sign-up.html?next=/".to_string();
    let proposals = propose(&[page]);
    assert_eq!(proposals.sheets[1].drafts[0].name, "The form members sign up is complete");
    assert!(proposals.excluded.iter().any(|one| one.why.contains("no submit button with a unique name")));
}

#[test]
fn a_link_is_tested_by_where_it_led() {
    let mut page = page();
    let landing = |title: &str, heading: Option<&str>| {
        Ok(Landing {
            url: "http://h.test/help".to_string(),
            title: title.to_string(),
            heading: heading.map(str::to_string),
        })
    };
    page.links = vec![
        Linked { name: "Help".to_string(), outcome: landing("Help", Some("How to")) },
        Linked { name: "Same".to_string(), outcome: landing("Join", Some("Join us")) },
        Linked { name: "Gone".to_string(), outcome: Err("it answered 404".to_string()) },
    ];
    let proposals = propose(&[page]);
    let navigation = &proposals.sheets[1];
    assert_eq!(navigation.drafts[0].expected, ["The title is \"Help\"", "The heading \"How to\" is shown"]);
    assert_eq!(navigation.drafts[1].expected, ["The URL contains \"/help\""]);
    assert!(proposals.excluded.iter().any(|one| one.why == "it answered 404"));
}
