//! Every act by real input, and what the page saw of it.

use crate::context::Context;

#[test]
fn fields_of_every_kind_are_filled() {
    let context = Context::on("/forms");
    for (target, text) in [
        ("#text", "Ada Lovelace"),
        ("#email", "ada@example.com"),
        ("#password", "s3cret!"),
        ("#number", "42"),
        ("#date", "1990-12-24"),
        ("#time", "13:45"),
        ("#range", "7"),
        ("#remarks", "two\nlines"),
        ("#note", "rich text"),
        ("Search by harbour", "Bergen"),
    ] {
        // The field itself is not repeated; only the page's own log, which it shows, is.
        let said = context.ok(&["fill", target, text]);
        assert!(said.lines().count() <= 1 && !said.contains("text\""), "{target}: {said}");
        assert_eq!(context.ok(&["value", target]), text, "{target}");
    }
    // Filling replaces, typing adds.
    context.ok(&["fill", "#text", "Grace"]);
    context.ok(&["type", "#text", " Hopper é 船"]);
    assert_eq!(context.ok(&["value", "#text"]), "Grace Hopper é 船");
    context.ok(&["clear", "#text"]);
    assert_eq!(context.ok(&["value", "#text"]), "");
    assert!(!context.log().iter().any(|line| line.contains("untrusted")));
}

#[test]
fn what_a_field_makes_of_the_text_is_told_or_refused() {
    let context = Context::on("/forms");
    let said = context.ok(&["fill", "#upper", "quiet"]);
    assert!(said.contains("= \"QUIET\""), "{said}");
    let said = context.ok(&["fill", "#limited", "too long"]);
    assert!(said.contains("= \"too l\""), "{said}");
    assert!(context.fails(1, &["fill", "#number", "many"]).contains("did not take `many`"));
    assert!(context.fails(1, &["fill", "#readonly", "x"]).contains("it is read-only"));
    assert!(context.fails(1, &["fill", "#disabled", "x", "--timeout", "1000"]).contains("it is disabled"));
    assert!(context.fails(1, &["fill", "#inside", "x", "--timeout", "1000"]).contains("it is disabled"));
    assert!(context.fails(2, &["fill", "#date", "tomorrow"]).contains("expected a date like `2026-05-31`"));
    assert!(context.fails(2, &["fill", "#range", "900"]).contains("expected a number from"));
    assert!(context.fails(4, &["fill", "#color", "#ff0000"]).contains("a colour field"));
    assert!(context.fails(1, &["fill", "#terms", "x"]).contains("it is a checkbox, not a text field"));
    assert!(context.fails(1, &["fill", "#country", "Norway"]).contains("assay select"));
}

#[test]
fn boxes_are_ticked_and_choices_made() {
    let context = Context::on("/forms");
    context.ok(&["check", "#terms"]);
    assert!(context.ok(&["check", "#terms"]).contains("was already checked"));
    assert_eq!(context.run(&["is", "checked", "#terms"]).code, 0);
    context.ok(&["uncheck", "#terms"]);
    let unticked = context.run(&["is", "checked", "#terms"]);
    assert_eq!((unticked.out.as_str(), unticked.code), ("false", 1));
    context.ok(&["check", "#second"]);
    assert_eq!(context.run(&["is", "checked", "#second"]).code, 0);
    context.ok(&["select", "#country", "pt"]);
    assert_eq!(context.ok(&["value", "#country"]), "pt");
    context.ok(&["select", "#country", "Norway"]);
    assert_eq!(context.ok(&["value", "#country"]), "no");
    // One choice is one change for the page, however far apart the options are.
    let changes = context.log().iter().filter(|line| line.starts_with("change country=")).count();
    assert_eq!(changes, 2, "{:?}", context.log());
    context.ok(&["select", "#extras", "meal", "dog"]);
    assert!(context.log().contains(&"change extras=meal,dog".to_string()), "{:?}", context.log());
    let refused = context.fails(1, &["select", "#country", "Atlantis"]);
    assert!(refused.contains("has no option `Atlantis`") && refused.contains("Norway"), "{refused}");
    assert!(context.fails(1, &["select", "#text", "x"]).contains("not a list of choices"));
    assert!(context.fails(1, &["check", "#text"]).contains("no checked state"));
    assert!(!context.log().iter().any(|line| line.contains("untrusted")));
}

#[test]
fn keys_are_pressed() {
    let context = Context::on("/forms");
    context.ok(&["fill", "#text", "abc"]);
    context.ok(&["press", "Control+a", "Delete", "--on", "#text"]);
    assert_eq!(context.ok(&["value", "#text"]), "");
    context.ok(&["focus", "#text"]);
    context.ok(&["type", "xyz"]);
    assert_eq!(context.ok(&["value", "#text"]), "xyz");
    let said = context.ok(&["press", "Enter", "--on", "#text"]);
    assert!(said.contains("Saved: text=xyz"), "{said}");
    assert!(context.fails(2, &["press", "Arrow"]).contains("did you mean ArrowUp"));
}

#[test]
fn clicks_land_on_what_moves_hides_and_scrolls() {
    let context = Context::on("/animate");
    for id in ["css", "raf", "timer"] {
        context.ok(&["reload"]);
        context.ok(&["click", &format!("#{id}")]);
        let log = context.log();
        assert!(log.contains(&format!("click {id} still")), "{id}: {log:?}");
        assert!(!log.iter().any(|line| line == "missed"), "{id}: {log:?}");
    }
    context.go("/scroll");
    for id in ["bottom", "nested", "deep", "right", "middle", "in-header"] {
        context.ok(&["click", &format!("#{id}")]);
        assert_eq!(context.log().last().unwrap(), &format!("click {id}"));
    }
    assert!(!context.log().contains(&"click header".to_string()));
    context.go("/overlay");
    context.ok(&["click", "#under"]);
    assert_eq!(context.log().last().unwrap(), "click under");
    let refused = context.fails(1, &["click", "#covered", "--timeout", "400"]);
    assert!(refused.contains("it is covered by"), "{refused}");
    context.ok(&["click", "#accept"]);
    context.ok(&["click", "#covered"]);
    context.ok(&["click", "#half"]);
    assert_eq!(context.log().last().unwrap(), "click half");
    context.ok(&["click", "#through"]);
    assert_eq!(context.log().last().unwrap(), "click through");
    assert!(context.fails(1, &["click", "#whole", "--timeout", "300"]).contains("covered"));
    assert!(!context.log().iter().any(|line| line.ends_with("-cover")), "{:?}", context.log());
}

#[test]
fn a_click_waits_until_the_button_is_enabled() {
    let context = Context::on("/delayed");
    context.ok(&["click", "#again"]);
    context.ok(&["click", "#later"]);
    let log = context.log();
    let enabled = log.iter().position(|line| line == "enabled").unwrap();
    let clicked = log.iter().position(|line| line == "click later").unwrap();
    assert!(enabled < clicked, "{log:?}");
}

#[test]
fn elements_are_dragged() {
    let context = Context::on("/drag");
    context.ok(&["drag", "#item-a", "#target"]);
    assert!(context.log().iter().any(|line| line.contains("drop item-a")), "{:?}", context.log());
    context.ok(&["drag", "#box", "#field"]);
    assert!(context.ok(&["text", "#status"]).starts_with("Box at"), "{}", context.ok(&["text", "#status"]));
}

#[test]
fn hovering_and_double_clicking_reach_the_page() {
    let context = Context::on("/crash");
    let listen = "for (const t of ['mouseover','dblclick','contextmenu','auxclick']) \
                  document.getElementById('button').addEventListener(t, e => window.log.push(t + ' ' + e.isTrusted)); 0";
    context.ok(&["eval", listen]);
    context.ok(&["hover", "#button"]);
    context.ok(&["dblclick", "#button"]);
    context.ok(&["click", "#button", "--button", "right"]);
    context.ok(&["click", "#button", "--button", "middle"]);
    let log = context.log();
    for wanted in ["mouseover true", "dblclick true", "contextmenu true", "auxclick true"] {
        assert!(log.contains(&wanted.to_string()), "{wanted}: {log:?}");
    }
    assert!(context.fails(2, &["click", "#button", "--hold", "Hyper"]).contains("expected Control"));
}

#[test]
fn the_page_is_scrolled_by_the_wheel_and_to_elements() {
    let context = Context::on("/scroll");
    let said = context.ok(&["scroll", "down", "300"]);
    assert!(said.contains("above"), "{said}");
    assert_eq!(context.ok(&["eval", "Math.round(scrollY)"]), "300");
    assert!(context.ok(&["scroll", "bottom"]).contains("at the bottom"));
    assert!(context.ok(&["scroll", "top"]).contains("at the top"));
    context.ok(&["scroll", "#bottom"]);
    assert_ne!(context.ok(&["eval", "scrollY"]), "0");
}

#[test]
fn a_list_that_adds_something_may_go_back_to_its_first_entry() {
    let context = Context::on("/login");
    let list = |does: &str| {
        format!(
            "document.body.innerHTML = '<select id=add><option value=\"\"></option><option>Priority</option></select><div id=to></div>';\
             document.getElementById('add').onchange = event => {{ {does}; event.target.selectedIndex = 0 }}"
        )
    };
    context.ok(&["eval", &list("document.getElementById('to').innerHTML = '<button>Priority is</button>'")]);
    assert!(context.ok(&["select", "css=#add", "Priority"]).contains("Priority is"));
    context.ok(&["eval", &list("0")]);
    assert!(context.fails(1, &["select", "css=#add", "Priority"]).contains("did not take \"Priority\""));
}
