//! What is done about an act on a page.

use assay_language::{
    Act, ClickKind, Decision, Destination, ElementKind, Hints, LastAct, Nearness, Ordinal, Relation,
    ScrollGoal, TabChoice, Target, Toggle, common_paths, ground,
};
use assay_protocol::{Action, BrowserDialog, DialogAnswer, MouseButton, Scene, ScrollTo, Selector};

use crate::scene_notation::{page, scene};

/// A decision in a few words: `click e7`, with `!` when it commits something, and `then …` when more is left.
pub fn told(decision: &Decision) -> String {
    match decision {
        Decision::Do(planned) => {
            let mark = if planned.commits { "!" } else { "" };
            let then = if planned.then.is_some() { " then more" } else { "" };
            format!("{}{mark}{then}", action(&planned.action))
        }
        Decision::NothingToDo { .. } => "nothing".to_string(),
        Decision::Unclear { .. } => "unclear".to_string(),
        Decision::Missing { .. } => "missing".to_string(),
    }
}

fn action(action: &Action) -> String {
    let on =
        |target: &Option<Selector>| target.as_ref().map(|target| format!(" on {target}")).unwrap_or_default();
    match action {
        Action::Click { target, button, .. } => match button {
            MouseButton::Left => format!("click {target}"),
            MouseButton::Right => format!("rightclick {target}"),
            MouseButton::Middle => format!("middleclick {target}"),
        },
        Action::Dblclick { target } => format!("dblclick {target}"),
        Action::Fill { target, text } => format!("fill {target} \"{text}\""),
        Action::Type { target, text } => {
            format!("type {} \"{text}\"", target.as_ref().expect("text is appended to a field"))
        }
        Action::Clear { target } => format!("clear {target}"),
        Action::Select { target, options } => {
            format!(
                "select {target} {}",
                options.iter().map(|one| format!("\"{one}\"")).collect::<Vec<_>>().join(" ")
            )
        }
        Action::Check { target } => format!("check {target}"),
        Action::Uncheck { target } => format!("uncheck {target}"),
        Action::Press { keys, target } => format!("press {}{}", keys.join(" "), on(target)),
        Action::Hover { target } => format!("hover {target}"),
        Action::Focus { target } => format!("focus {target}"),
        Action::Drag { from, to, .. } => format!("drag {from} {to}"),
        Action::Upload { target, files } => format!("upload {target} \"{}\"", files.join("\" \"")),
        Action::Scroll { to } => match to {
            ScrollTo::Top => "scroll top".to_string(),
            ScrollTo::Bottom => "scroll bottom".to_string(),
            ScrollTo::By { y, .. } if *y > 0.0 => "scroll down".to_string(),
            ScrollTo::By { .. } => "scroll up".to_string(),
            ScrollTo::Element { target } => format!("scroll to {target}"),
        },
        Action::Go { url } => format!("go {url}"),
        Action::Back => "back".to_string(),
        Action::Forward => "forward".to_string(),
        Action::Reload => "reload".to_string(),
        Action::TabSwitch { tab } => format!("tab {tab}"),
        Action::TabClose { .. } => "close tab".to_string(),
        Action::Dialog { answer: Some(DialogAnswer::Accept { .. }) } => "accept".to_string(),
        Action::Dialog { answer: Some(DialogAnswer::Dismiss) } => "dismiss".to_string(),
        other => other.verb().to_string(),
    }
}

fn words(text: &str) -> Target {
    Target {
        said: text.to_string(),
        words: text.split(' ').map(str::to_string).collect(),
        ..Target::default()
    }
}

fn quoted(text: &str) -> Target {
    Target { said: format!("\"{text}\""), quoted: Some(text.to_string()), ..Target::default() }
}

fn of_kind(kind: ElementKind) -> Target {
    Target { said: format!("{kind:?}"), kind: Some(kind), ..Target::default() }
}

trait Further {
    fn kind(self, kind: ElementKind) -> Self;
    fn nth(self, number: usize) -> Self;
    fn at(self, how: Nearness, to: Target) -> Self;
    fn called(self, said: &str) -> Self;
}

impl Further for Target {
    fn kind(mut self, kind: ElementKind) -> Self {
        self.kind = Some(kind);
        self
    }
    fn nth(mut self, number: usize) -> Self {
        self.ordinal = Some(Ordinal::Nth(number));
        self
    }
    fn at(mut self, how: Nearness, to: Target) -> Self {
        self.relations.push(Relation { how, to });
        self
    }
    fn called(mut self, said: &str) -> Self {
        self.said = said.to_string();
        self
    }
}

fn click(target: Target) -> Act {
    Act::Click { target, how: ClickKind::Single }
}

fn enter(target: Target, text: &str) -> Act {
    Act::Enter { target: Some(target), text: text.to_string() }
}

#[track_caller]
fn check(scene: &Scene, act: Act, expected: &str) {
    let decision = ground(&act, scene, &Hints::default());
    assert_eq!(told(&decision), expected, "{act:?}\n{decision:?}");
}

#[test]
fn two_equal_buttons_are_unclear_until_an_ordinal_or_a_place_decides() {
    let admin = page("admin");
    check(&admin, click(quoted("Delete")), "unclear");
    check(&admin, click(words("delete").kind(ElementKind::Button)), "unclear");
    check(&admin, click(quoted("Delete").kind(ElementKind::Button).nth(2)), "click e16!");
    check(&admin, click(quoted("Delete").at(Nearness::SameRow, quoted("Bob Jones"))), "click e16!");
    check(&admin, click(quoted("Edit").at(Nearness::Inside, of_kind(ElementKind::Row).nth(3))), "click e19");
    check(&admin, click(quoted("Edit").at(Nearness::SameRow, quoted("Zoe"))), "missing");
    check(&admin, click(words("edit").at(Nearness::SameRow, words("bob jones"))), "click e15");
    check(&admin, click(quoted("Edit").at(Nearness::For, quoted("Anna Smith"))), "click e11");
    check(&admin, click(quoted("Edit").at(Nearness::NextTo, quoted("Anna Smithson"))), "click e19");
}

#[test]
fn an_unclear_target_is_told_with_a_sentence_that_would_be_clear() {
    let decision =
        ground(&click(quoted("Delete").kind(ElementKind::Button)), &page("admin"), &Hints::default());
    let Decision::Unclear { clearer, candidates, .. } = decision else { panic!("{decision:?}") };
    assert_eq!(clearer, "say which: the \"Delete\" button in the row of \"Anna Smith\"");
    assert_eq!(candidates.len(), 3);
}

#[test]
fn plain_words_find_fields_and_buttons_by_synonyms() {
    let login = page("login");
    check(&login, enter(words("email"), "x"), "fill e5 \"x\"");
    check(&login, enter(words("username"), "x"), "fill e5 \"x\"");
    check(&login, enter(words("password"), "x"), "fill e6 \"x\"");
    check(&login, enter(words("phone"), "x"), "missing");
    check(&login, click(words("login").kind(ElementKind::Button)), "click e10!");
    check(&login, click(words("sign in").kind(ElementKind::Button)), "click e10!");
    check(&login, click(words("submit").kind(ElementKind::Button)), "click e10!");
    check(&login, click(words("register")), "click e4");
    check(&login, click(words("delete account")), "missing");
    check(&login, click(words("eye").kind(ElementKind::Icon)), "click e7");
    check(&login, click(of_kind(ElementKind::Link)), "unclear");
    check(&login, Act::Submit { target: None }, "click e10!");
}

#[test]
fn an_exact_name_beats_a_synonym() {
    let page = scene("e1 button \"Sign in\"\ne2 button \"Log in\"");
    check(&page, click(words("log in")), "click e2!");
    check(&page, click(words("login")), "click e2!");
}

#[test]
fn a_quoted_name_is_never_replaced() {
    let page = scene("e1 button \"Sign in\"\ne2 button \"Save draft\"\ne3 button \"Save all\"");
    check(&page, click(quoted("Log in")), "missing");
    check(&page, click(quoted("Save")), "missing");
    check(&page, click(quoted("Save draft")), "click e2!");
    check(&page, click(quoted("draft")), "missing");
}

#[test]
fn a_word_for_another_thing_is_not_enough() {
    let page = scene("list\n  listitem\n    text \"Lamp\"\n    e1 button \"Delete\"");
    check(&page, click(words("delete account").kind(ElementKind::Button)), "missing");
    check(&page, click(words("delete lamp").kind(ElementKind::Button)), "click e1!");
}

#[test]
fn a_dialog_over_the_page_comes_first() {
    let dialog = page("dialog");
    check(&dialog, click(quoted("Delete")), "click e9!");
    check(&dialog, click(quoted("New project")), "click e1");
    check(&dialog, Act::Close { target: of_kind(ElementKind::Dialog) }, "click e10");
    check(&dialog, Act::Enter { target: None, text: "Apollo".into() }, "fill e6 \"Apollo\"");
    let bare = scene("dialog \"Hello\"\n  text \"Hi\"\n  e1 link \"Read more\" {href: /more}");
    check(&bare, Act::Close { target: of_kind(ElementKind::Dialog) }, "unclear");
}

#[test]
fn a_disabled_twin_is_a_candidate_like_any_other() {
    let page = scene("e1 button \"Save\" disabled\ne2 button \"Save\"\ne3 button \"Send\" disabled");
    check(&page, click(quoted("Save")), "unclear");
    check(&page, click(quoted("Send")), "click e3!");
}

#[test]
fn what_is_wrapped_does_not_compete_with_its_wrapper() {
    let page = scene(
        "list\n  e1 listitem clickable\n    e2 link \"Lamp\" {href: /lamp}\n  e3 listitem clickable\n    e4 link \"Chair\" {href: /chair}\ne5 button \"Close\"\n  image \"Close\"",
    );
    check(&page, click(quoted("Lamp")), "click e2");
    check(&page, click(quoted("Close")), "click e5");
}

#[test]
fn places_are_told_by_geometry() {
    let page = scene(
        "text \"Left\" [0 0 100 20]\ntext \"Right\" [300 0 100 20]\ne1 button \"Go\" [0 40 80 20]\ne2 button \"Go\" [300 40 80 20]\ne3 button \"Go\" [0 200 80 20]",
    );
    check(&page, click(quoted("Go")), "unclear");
    check(&page, click(quoted("Go").at(Nearness::Under, quoted("Left"))), "click e1");
    check(&page, click(quoted("Go").at(Nearness::Under, quoted("Right"))), "click e2");
    check(&page, click(quoted("Go").at(Nearness::NextTo, quoted("Right"))), "click e2");
}

#[test]
fn choices_are_made_the_way_the_page_offers_them() {
    let form = page("combobox");
    let choose = |options: &[&str], from: Option<Target>| Act::Choose {
        options: options.iter().map(|one| (*one).to_string()).collect(),
        from,
    };
    check(&form, choose(&["High"], Some(quoted("Priority"))), "click e5");
    check(
        &form,
        choose(&["Maria"], Some(words("assignee").kind(ElementKind::Dropdown))),
        "click e1 then more",
    );
    check(&form, choose(&["docs", "bug"], Some(quoted("Labels"))), "select e6 \"docs\" \"bug\"");
    check(&form, choose(&["feature"], None), "select e6 \"feature\"");
    check(&form, choose(&["Critical"], Some(quoted("Priority"))), "missing");
    check(&page("tabs"), choose(&["Spain"], None), "unclear");
    check(&page("settings"), choose(&["Large"], Some(quoted("Text size"))), "check e10");
    check(&page("settings"), choose(&["Medium"], None), "nothing");
}

#[test]
fn boxes_and_switches_are_set_only_when_they_are_not_so_already() {
    let settings = page("settings");
    let set = |target: Target, to: Toggle| Act::Check { targets: vec![target], to };
    check(&settings, set(words("dark mode"), Toggle::On), "check e7");
    check(&settings, set(words("dark mode"), Toggle::Off), "nothing");
    check(&settings, set(words("dark mode"), Toggle::Other), "check e7");
    check(&settings, set(quoted("Email notifications"), Toggle::Other), "uncheck e3");
    check(&settings, set(quoted("Medium"), Toggle::Off), "unclear");
    check(
        &page("admin"),
        set(of_kind(ElementKind::Checkbox).at(Nearness::SameRow, quoted("Bob Jones")), Toggle::On),
        "check e13",
    );
    check(&page("inbox"), set(of_kind(ElementKind::Item).nth(1), Toggle::On), "check e11");
    let both = Act::Check { targets: vec![quoted("Weekly digest"), quoted("Product news")], to: Toggle::On };
    check(&settings, both, "check e6");
}

#[test]
fn logging_in_goes_field_by_field() {
    let mut login = page("login");
    let act = Act::LogIn { user: "anna@example.com".into(), password: Some("secret".into()) };
    let mut steps = Vec::new();
    let mut next = Some(act);
    while let Some(act) = next {
        let decision = ground(&act, &login, &Hints::default());
        steps.push(told(&decision).replace(" then more", ""));
        let Decision::Do(planned) = decision else { break };
        if let Action::Fill { target, text } = &planned.action {
            let node = login
                .nodes
                .iter_mut()
                .find(|node| node.reference.as_deref() == Some(&target.source))
                .unwrap();
            node.value = Some(text.clone());
        }
        next = planned.then;
    }
    assert_eq!(steps, ["fill e5 \"anna@example.com\"", "fill e6 \"secret\"", "click e10!"]);
    check(&login, Act::LogIn { user: "anna".into(), password: None }, "unclear");
}

#[test]
fn pages_are_reached_by_hints_then_by_links() {
    let login = page("login");
    let mut hints = Hints::default();
    hints.pages.insert("imprint_page".into(), "https://app.example.com/legal".into());
    let go = |name: &str| Act::Go { to: Destination::Page(name.into()) };
    assert_eq!(told(&ground(&go("imprint"), &login, &hints)), "go https://app.example.com/legal");
    check(&login, go("imprint"), "missing");
    check(&login, go("pricing"), "click e3");
    check(&login, go("login"), "nothing");
    check(&login, Act::Go { to: Destination::Home }, "go https://app.example.com/");
    assert!(common_paths("login").contains(&"/users/sign_in".to_string()));
    assert_eq!(common_paths("order history")[0], "/order-history");
}

#[test]
fn a_hint_decides_and_a_stale_one_is_ignored() {
    let page = scene("e1 textbox \"First\" = \"\"\ne2 textbox \"Second\" = \"\"");
    let mut hints = Hints::default();
    hints.elements.insert("email_input".into(), vec!["e2".into()]);
    assert_eq!(told(&ground(&enter(words("email"), "x"), &page, &hints)), "fill e2 \"x\"");
    hints.elements.insert("email_input".into(), Vec::new());
    assert_eq!(told(&ground(&enter(words("email"), "x"), &page, &hints)), "missing");
}

#[test]
fn text_after_a_double_click_goes_into_the_editor_that_it_opened_or_nowhere() {
    let acted = |known: &[&str]| Hints {
        acted: Some(LastAct {
            onto: None,
            reference: "e2".into(),
            area: [0.0, 40.0, 100.0, 20.0],
            known: known.iter().map(|one| (*one).to_string()).collect(),
            opens_editor: true,
        }),
        ..Hints::default()
    };
    let of_text =
        Act::Enter { target: Some(of_kind(ElementKind::Text).called("the text")), text: "x".into() };
    let typed = Act::Enter { target: None, text: "x".into() };
    let new = "e1 textbox focused {placeholder: New} = \"\" [0 0 100 20]";
    let unchanged = scene(&format!("{new}\nlist\n  listitem\n    e2 text \"Milk\" [0 40 100 20]"));
    let opened = scene(&format!(
        "{}\nlist\n  listitem\n    e3 textbox focused = \"Milk\" [0 40 100 20]",
        new.replace(" focused", "")
    ));
    let unfocused = scene(&format!("{new}\nlist\n  listitem\n    e3 textbox = \"Milk\" [0 40 100 20]"));
    for act in [&of_text, &typed] {
        let done = |page: &Scene| told(&ground(act, page, &acted(&["e1", "e2"])));
        assert_eq!(done(&unchanged), "unclear");
        assert_eq!(done(&opened), "fill e3 \"x\"");
        assert_eq!(done(&unfocused), "fill e3 \"x\"");
    }
    // Without a double click before it, what is typed goes to the focus.
    check(&unchanged, typed, "fill e1 \"x\"");
}

#[test]
fn a_dialog_of_the_browser_stops_everything_else() {
    let mut login = page("login");
    login.dialog = Some(BrowserDialog { kind: "alert".into(), message: "Sure?".into(), default: None });
    check(&login, click(quoted("Log in")), "unclear");
    check(&login, Act::AnswerDialog { accept: true, text: None }, "accept");
    check(&page("login"), Act::AnswerDialog { accept: true, text: None }, "missing");
}

#[test]
fn tabs_are_switched_by_number_place_and_name() {
    let tabs = page("tabs");
    let to = |to: TabChoice| Act::SwitchTab { to };
    check(&tabs, to(TabChoice::Number(3)), "tab t3");
    check(&tabs, to(TabChoice::Previous), "tab t1");
    check(&tabs, to(TabChoice::Named("invoice".into())), "tab t3");
    check(&tabs, to(TabChoice::Named("my account".into())), "nothing");
    check(&tabs, to(TabChoice::Number(9)), "missing");
    check(&tabs, Act::Scroll { to: ScrollGoal::Bottom }, "scroll bottom");
}

#[test]
fn a_dialog_without_an_obvious_answer_names_its_buttons() {
    let scene = scene("dialog \"Delete ticket\"\n  e1 button \"Cancel\"\n  e2 button \"Delete\"\n");
    let decision = ground(&Act::AnswerDialog { accept: true, text: None }, &scene, &Hints::default());
    let Decision::Unclear { why, clearer, .. } = decision else { panic!("{decision:?}") };
    assert_eq!(why, "it is unclear which button confirms the dialog: \"Cancel\" or \"Delete\"");
    assert_eq!(clearer, "say which: click the \"Delete\" button");
}

#[test]
fn adding_to_what_has_no_button_says_how_an_option_is_chosen() {
    let scene = scene("e1 combobox \"Choose countries\"\ne2 button \"Help\"\n");
    let intents = assay_language::read("Add \"Germany\" to Choose countries", &Hints::default());
    let Ok([assay_language::Intent::Act(act)]) = intents.as_deref() else { panic!("{intents:?}") };
    let decision = ground(act, &scene, &Hints::default());
    let Decision::Missing { why, .. } = decision else { panic!("{decision:?}") };
    assert_eq!(
        why,
        "no button on the page matches `Add \"Germany\" to Choose countries`; to choose an option, write: Select \"Germany\" from \"Choose countries\""
    );
}
