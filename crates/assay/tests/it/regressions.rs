//! What once went wrong, or nearly: no wrong element, no success without the thing, no change left out.

use assay_testkit::{Response, Server};

use crate::context::Context;

/// Opens one page that is written here.
fn page(body: &'static str) -> (Context, Server) {
    let server =
        Server::start(move |_| Response::html(format!("<!doctype html><title>Page</title><body>{body}")));
    let context = Context::new();
    context.ok(&["go", &server.url("/")]);
    (context, server)
}

#[test]
fn small_words_count() {
    let (context, _server) = page("<button onclick=\"document.title='OUT'\">Log out</button>");
    assert!(context.fails(1, &["click", "Log in"]).contains("\"Log out\""));
    assert_eq!(context.run(&["is", "visible", "Log in"]).code, 1);
    assert_eq!(context.ok(&["title"]), "Page");
}

#[test]
fn what_is_in_scripts_or_hidden_is_not_shown_text() {
    let (context, _server) = page("<p>Hi</p><p hidden>Hidden words</p><script>var word = 'Zebra'</script>");
    assert_eq!(context.run(&["is", "visible", "text=Zebra"]).code, 1);
    assert_eq!(context.run(&["is", "visible", "text=Hidden words"]).code, 1);
    assert!(context.fails(1, &["find", "body:has-text('Zebra')"]).contains("no element matches"));
    assert_eq!(context.run(&["is", "visible", "text=Hi"]).code, 0);
}

#[test]
fn a_twin_is_not_taken_for_an_element_that_is_gone() {
    let (context, _server) = page(
        "<div id=list></div><script>\
         function draw(names) { list.innerHTML = names.map(n => `<div><b>${n}</b><button onclick=\"document.title='DELETED ${n}'\">Delete</button></div>`).join('') }\
         draw(['Oak', 'Elm']);</script>",
    );
    let map = context.json(&["map"]);
    let nodes = map["data"]["map"]["nodes"].as_array().unwrap();
    let first =
        nodes.iter().find(|node| node["name"] == "Delete").unwrap()["ref"].as_str().unwrap().to_string();
    context.ok(&["eval", "draw(['Elm']); 0"]);
    assert!(context.fails(3, &["click", &first]).contains("is gone from the page"));
    assert_eq!(context.ok(&["title"]), "Page");
}

#[test]
fn plain_words_with_two_meanings_are_refused() {
    let (context, _server) = page(
        "<div onclick=\"document.title='CARD'\" style=cursor:pointer>Oak <button onclick=\"document.title='DELETED'\">Delete Oak</button></div>\
         <address>Somewhere</address><button onclick=\"document.title='ADDRESS'\">Address</button>",
    );
    assert_eq!(context.run(&["click", "Oak"]).code, 0, "the card is named Oak, exactly");
    assert_eq!(context.ok(&["title"]), "CARD");
    context.ok(&["click", "address"]);
    assert_eq!(context.ok(&["title"]), "ADDRESS");
}

#[test]
fn a_control_inside_the_target_does_not_take_its_click() {
    let (context, _server) = page(
        "<div id=card onclick=\"document.title='CARD'\" style='width:200px;height:60px;background:#eee'>\
         <button style='width:120px;height:40px;margin-left:40px' onclick=\"event.stopPropagation();document.title='DELETED'\">Delete</button></div>",
    );
    context.ok(&["click", "#card"]);
    assert_eq!(context.ok(&["title"]), "CARD");
}

#[test]
fn a_field_that_the_page_replaces_is_not_called_filled() {
    let (context, _server) = page(
        "<div id=d></div><script>function draw() { d.innerHTML = '<input aria-label=Name oninput=draw()><input aria-label=Name>' } draw()</script>",
    );
    let refused = context.fails(1, &["fill", "input >> nth=1", "Ada"]);
    assert!(refused.contains("the page replaced it"), "{refused}");
}

#[test]
fn a_press_without_a_click_is_not_called_a_click() {
    let (context, _server) =
        page("<button onmousedown=\"this.disabled=true\" onclick=\"document.title='CLICKED'\">Once</button>");
    let refused = context.fails(1, &["click", "Once"]);
    assert!(refused.contains("no click followed"), "{refused}");
    assert_eq!(context.ok(&["title"]), "Page");
}

#[test]
fn changes_by_styles_and_properties_are_told_by_the_act_that_made_them() {
    let (context, _server) = page(
        "<style>.s{display:none}.m:hover .s{display:block}</style><div class=m><button>Menu</button><div class=s><a href=/one>One</a></div></div>\
         <input type=checkbox id=a aria-label=Alpha><button onclick=\"a.checked=true\">Select all</button>",
    );
    let said = context.ok(&["hover", "Menu"]);
    assert!(said.contains("link \"One\""), "{said}");
    let said = context.ok(&["click", "Select all"]);
    assert!(said.contains("checkbox \"Alpha\" checked"), "{said}");
}

#[test]
fn nobody_types_into_a_field_behind_something() {
    let (context, _server) = page(
        "<input aria-label=Name><select aria-label=Kind><option>cat<option>dog</select><div role=dialog aria-label=Modal style='position:fixed;inset:0;background:#fff'>Modal</div>",
    );
    for arguments in [&["fill", "Name", "x"][..], &["type", "Name", "x"][..], &["select", "Kind", "dog"][..]]
    {
        let refused = context.fails(1, &[arguments, &["--timeout", "300"]].concat());
        assert!(refused.contains("covered by dialog \"Modal\""), "{refused}");
    }
    assert_eq!(context.ok(&["eval", "document.querySelector('input').value"]), "");
}

#[test]
fn a_frame_under_another_frame_is_not_reached_through_it() {
    let (context, _server) = page(
        "<style>iframe{position:absolute;left:0;top:0;width:300px;height:150px;border:0}</style>\
         <iframe srcdoc=\"<button style='width:300px;height:150px' onclick=parent.document.title='PAID'>Pay</button>\"></iframe>\
         <iframe srcdoc=\"<button style='width:300px;height:150px' onclick=parent.document.title='AD'>Advert</button>\"></iframe>",
    );
    let refused = context.run(&["click", "button \"Pay\"", "--timeout", "800"]);
    assert_ne!(refused.code, 0, "{refused:?}");
    assert_eq!(context.ok(&["title"]), "Page");
    context.ok(&["click", "button \"Advert\""]);
    assert_eq!(context.ok(&["title"]), "AD");
}

#[test]
fn the_option_that_was_asked_for_is_the_one_that_is_chosen() {
    let (context, _server) = page(
        "<select aria-label=Tree><option value=0>Elm<option value=h hidden>Ash<option value=1>Oak<option value=2>Oak</select>",
    );
    assert!(context.fails(3, &["select", "Tree", "Oak"]).contains("matches 2 options"));
    context.ok(&["select", "Tree", "1"]);
    assert_eq!(context.ok(&["value", "Tree"]), "1");
    context.ok(&["select", "Tree", "2"]);
    assert_eq!(context.ok(&["value", "Tree"]), "2");
    assert!(context.ok(&["select", "Tree", "2"]).contains("already"));
    // Nothing is held back afterwards.
    context.ok(&["press", "Tab"]);
}

#[test]
fn a_half_checked_box_is_neither_checked_nor_unchecked() {
    let (context, _server) =
        page("<input type=checkbox aria-label=All id=a><script>a.indeterminate = true</script>");
    assert_eq!(context.run(&["is", "checked", "All"]).code, 1);
    assert_eq!(context.run(&["is", "unchecked", "All"]).code, 1);
}

#[test]
fn when_the_current_tab_closes_nothing_happens_in_another() {
    let (context, _server) = page(
        "<button onclick=\"document.title='WRONG TAB'\">Go on</button><button onclick=\"window.open('/x')\">Open</button>",
    );
    context.ok(&["click", "Open"]);
    context.ok(&["tab-switch", "t2"]);
    context.run(&["eval", "window.close()"]);
    context.run(&["wait", "--text", "never there", "--timeout", "300"]);
    context.ok(&["tab-new"]);
    context.ok(&["tab-switch", "t1"]);
    assert_eq!(context.ok(&["title"]), "Page");
    // The same, without asking anything in between: the first command after is told, not carried out.
    context.ok(&["click", "Open"]);
    let tabs = context.ok(&["tabs"]);
    let popup =
        tabs.lines().last().unwrap().trim_start_matches(['*', ' ']).split(' ').next().unwrap().to_string();
    context.ok(&["tab-switch", &popup]);
    context.ok(&["eval", "setTimeout(() => window.close(), 50); 0"]);
    std::thread::sleep(std::time::Duration::from_millis(400));
    let refused = context.fails(1, &["click", "Go on"]);
    assert!(refused.contains("the current tab has closed"), "{refused}");
    context.ok(&["tab-switch", "t1"]);
    assert_eq!(context.ok(&["title"]), "Page");
}

#[test]
fn secrets_are_not_repeated() {
    let (context, _server) = page("<input type=password aria-label=Pin maxlength=4>");
    let said = context.ok(&["fill", "Pin", "hunter2"]);
    assert!(!said.contains("hunt"), "{said}");
    assert!(!context.ok(&["map"]).contains("hunt"));
}

#[test]
fn promises_are_awaited_and_defaults_of_prompts_kept() {
    let (context, _server) = page("<button onclick=\"document.title = prompt('Name?', 'Ada')\">Ask</button>");
    assert_eq!(context.ok(&["eval", "Promise.resolve(6 * 7)"]), "42");
    assert_eq!(context.ok(&["eval", "await Promise.resolve(1); 2"]), "2");
    assert_eq!(context.ok(&["eval", "null"]), "null");
    let said = context.ok(&["click", "Ask"]);
    assert!(said.contains("prompt \"Name?\" = \"Ada\""), "{said}");
    context.ok(&["dialog", "accept"]);
    assert_eq!(context.ok(&["title"]), "Ada");
}

/// Many search fields only listen for keys.
#[test]
fn a_page_that_listens_for_keys_notices_a_filled_field() {
    let (context, _server) = page(
        "<input aria-label=Filter id=f><p role=status id=s></p><script>f.addEventListener('keyup', () => s.textContent = 'Looking for ' + f.value)</script>",
    );
    let said = context.ok(&["fill", "Filter", "oak"]);
    assert!(said.contains("Looking for oak"), "{said}");
}
