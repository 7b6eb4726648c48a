//! Each act answers with what it changed.

use crate::context::Context;

#[test]
fn a_login_is_told_step_by_step_in_few_words() {
    let context = Context::new();
    let said = context.go("/forms");
    assert!(said.contains(" · http://127.0.0.1"), "{said}");
    assert!(!context.ok(&["fill", "Full name", "Ada"]).contains("textbox"));
    let said = context.ok(&["click", "#submit"]);
    let mut lines = said.lines();
    assert!(lines.next().unwrap().starts_with("clicked e"), "{said}");
    assert!(said.contains("status \"Saved: text=Ada"), "{said}");
}

/// However late the text comes by the page's own doing, it is in the reply of the click.
#[test]
fn a_status_that_appears_after_a_click_is_in_the_reply_of_that_click() {
    let context = Context::on("/delayed");
    for id in ["sync", "promise", "raf", "t50", "t300", "t800", "fetch", "fetch-timeout", "fetch-fetch"] {
        let said = context.ok(&["click", &format!("#{id}")]);
        assert!(said.contains(&format!("\"Done: {id}\"")), "{id}: {said}");
    }
}

#[test]
fn a_page_that_is_never_idle_does_not_hold_back_the_reply() {
    let context = Context::on("/late");
    let said = context.ok(&["click", "#press"]);
    assert!(said.starts_with("clicked e"), "{said}");
    let said = context.ok(&["click", "#slow"]);
    assert!(said.contains("status"), "{said}");
}

#[test]
fn a_navigation_within_the_page_is_told_with_its_heading() {
    let context = Context::on("/spa");
    let said = context.ok(&["click", "#orders"]);
    assert!(said.contains("→ ") && said.contains("/spa/orders"), "{said}");
    assert!(said.contains("heading \"Orders\""), "{said}");
    let said = context.ok(&["back"]);
    assert!(!said.contains("/spa/orders"), "{said}");
}

/// A page of a test: its content, and what its script does.
fn furnish(context: &Context, content: &str, script: &str) {
    let content = serde_json::to_string(content).unwrap();
    context.ok(&["eval", &format!("document.body.innerHTML = {content}; {script}; 0")]);
}

#[test]
fn a_changed_cell_or_item_is_told() {
    let context = Context::on("/list");
    furnish(
        &context,
        "<table><tr><th>Stock</th><td id=a>9</td></tr><tr><th>Name</th><td id=b>old name</td></tr></table>\
         <ul><li id=f>6 pieces</li></ul><button id=x>Take</button><button id=y>Clear</button>",
        "x.onclick = () => { a.textContent = 8; b.textContent = 'new name'; f.textContent = '5 pieces' };\
         y.onclick = () => { a.textContent = ''; f.textContent = '4 pieces'; x.remove() }",
    );
    let said = context.ok(&["click", "#x"]);
    for change in ["~ \"8\" was \"9\"", "~ \"new name\" was \"old name\"", "~ \"5 pieces\" was \"6 pieces\""]
    {
        assert!(said.contains(change), "{change}: {said}");
    }
    // Also where elements come or go at the same time.
    let said = context.ok(&["click", "#y"]);
    for change in ["- \"8\"", "~ \"4 pieces\" was \"5 pieces\"", "- button \"Take\""] {
        assert!(said.contains(change), "{change}: {said}");
    }
}

/// An answer of the server may come after the first look at the page: what it changes belongs to the act, every time.
#[test]
fn a_counter_that_only_acts_move_is_told_each_time() {
    let context = Context::on("/list");
    furnish(
        &context,
        "<p id=n>4</p><p role=status id=s></p><ul id=l></ul><button id=x>Add</button>",
        "let k = 4; x.onclick = async () => { await (await fetch('/list')).text();\
         k++; n.textContent = k; s.textContent = 'Added: ' + k; l.innerHTML += '<li>row ' + k + '</li>' }",
    );
    for count in 5..11 {
        let said = context.ok(&["click", "#x"]);
        let changes = [format!("~ \"{count}\" was \"{}\"", count - 1), format!("status \"Added: {count}\"")];
        for change in changes {
            assert!(said.contains(&change), "{change}: {said}");
        }
    }
}

#[test]
fn what_changes_by_itself_is_not_told_and_a_counter_beside_it_is() {
    let context = Context::on("/list");
    // Its numbers are no time of day: that they move alone is all that speaks against them.
    furnish(
        &context,
        "<p id=c>10</p><p id=n>0</p><p id=w></p><p id=both>Price <i id=p>1</i>, cart <i id=m>0</i></p><button id=x>Add</button>",
        "let [t, k] = [10, 0];\
         const tick = () => { t++; c.textContent = t; p.textContent = t; document.querySelector('#ticks').textContent = t };\
         document.body.insertAdjacentHTML('beforeend', '<p>Ticks <b id=ticks>0</b></p>'); setInterval(tick, 350);\
         x.onclick = () => { k++; n.textContent = k; m.textContent = k; setTimeout(() => { w.textContent = 'waited ' + k }, 900) }",
    );
    context.ok(&["wait", "text=Ticks 14"]);
    for count in 1..4 {
        let said = context.ok(&["click", "#x"]);
        assert!(said.contains(&format!("~ \"{count}\" was \"{}\"", count - 1)), "{said}");
        assert!(said.contains(&format!("cart {count}\" was")), "{said}");
        assert!(said.contains(&format!("\"waited {count}\"")), "{said}");
        assert!(!said.contains("Ticks"), "{said}");
    }
}

#[test]
fn the_time_of_day_is_no_effect_of_the_first_act() {
    let context = Context::on("/list");
    furnish(
        &context,
        "<p>Now <b id=c></b></p><p>Lap <b id=lap>00:00:07</b></p><p id=w></p><button id=x>Lap</button>",
        "const tell = () => { c.textContent = new Date().toTimeString().slice(0, 8) }; tell();\
         x.onclick = () => { lap.textContent = '00:00:08'; setTimeout(() => { tell(); w.textContent = 'done' }, 950) }",
    );
    let said = context.ok(&["click", "#x"]);
    assert!(said.contains("~ \"Lap 00:00:08\" was \"Lap 00:00:07\"") && said.contains("done"), "{said}");
    assert!(!said.contains("Now "), "{said}");
}

#[test]
fn a_long_address_hides_no_message() {
    let context = Context::on("/list");
    let token = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIn0";
    let link = format!("<a id=x href='/forms?state={token}.{token}&code={token}'>Next</a>");
    furnish(&context, &link, "");
    let said = context.ok(&["click", "#x"]);
    assert!(said.contains("→ ") && said.contains("/forms?state=eyJhbGci…"), "{said}");
    assert!(said.contains("+ e") && said.contains("heading "), "{said}");
    assert!(context.ok(&["url"]).contains(token), "the address itself is whole");
}

#[test]
fn each_hop_of_a_redirect_ends_with_its_status() {
    let context = Context::on("/redirect?to=/list");
    let network = context.ok(&["network"]);
    assert!(network.contains("302 GET") && network.contains("200 GET"), "{network}");
    assert!(!network.contains("pending GET"), "{network}");
}

#[test]
fn failed_requests_and_console_errors_are_told() {
    let context = Context::on("/errors");
    assert!(context.ok(&["click", "#console-error"]).contains("! The hold is leaking"));
    assert!(context.ok(&["click", "#exception"]).contains("Mast broken"));
    assert!(context.ok(&["click", "#status-500"]).contains("! GET /api/status?code=500 500"));
    assert!(context.ok(&["click", "#refused"]).contains("ERR_CONNECTION_REFUSED"));
    let console = context.ok(&["console"]);
    assert!(console.contains("error: The hold is leaking"), "{console}");
    let network = context.ok(&["network", "--failed"]);
    assert!(network.contains("500 GET"), "{network}");
}

#[test]
fn dialogs_are_told_and_answered_and_block_nothing() {
    let context = Context::on("/dialogs");
    let said = context.ok(&["click", "#confirm"]);
    assert!(said.contains("dialog confirm \"Cast off?\""), "{said}");
    let refused = context.fails(1, &["click", "#alert"]);
    assert!(refused.contains("a dialog is open: confirm \"Cast off?\""), "{refused}");
    assert_eq!(context.ok(&["dialog"]), "confirm \"Cast off?\"");
    let said = context.ok(&["dialog", "accept"]);
    assert!(said.contains("confirm: true"), "{said}");
    context.ok(&["click", "#prompt"]);
    let said = context.ok(&["dialog", "accept", "Minke"]);
    assert!(said.contains("Minke"), "{said}");
    assert!(context.fails(1, &["dialog", "dismiss"]).contains("no dialog is open"));
    let said = context.ok(&["click", "#twice"]);
    assert!(said.contains("\"First\""), "{said}");
    let said = context.ok(&["dialog", "accept"]);
    assert!(said.contains("\"Second\""), "{said}");
    context.ok(&["dialog", "accept"]);
}

#[test]
fn a_page_that_asks_before_it_is_left_is_left_by_an_answer() {
    let context = Context::on("/dialogs/leave");
    context.ok(&["type", "#draft", "abc"]);
    let refused = context.fails(1, &["go", &context.url("/list")]);
    assert!(refused.contains("beforeunload"), "{refused}");
    let said = context.ok(&["dialog", "accept"]);
    assert!(said.contains("/list"), "{said}");
}

#[test]
fn new_tabs_are_told_and_can_be_switched_to() {
    let context = Context::on("/popup");
    let said = context.ok(&["click", "#open"]);
    assert!(said.contains("new tab t2 ") && said.contains("/popup/child"), "{said}");
    let tabs = context.ok(&["tabs"]);
    assert!(tabs.lines().next().unwrap().starts_with("*t1"), "{tabs}");
    context.ok(&["tab-switch", "t2"]);
    let said = context.ok(&["click", "#answer"]);
    assert!(said.starts_with("clicked"), "{said}");
    context.ok(&["tab-close"]);
    assert!(context.ok(&["url"]).ends_with("/popup"));
    // The opener hears of it by a message of the browser's, in its own time.
    context.ok(&["wait", "text=popup answered", "--timeout", "5000"]);
    assert!(context.fails(1, &["tab-switch", "t9"]).contains("there is no tab `t9`"));
}

#[test]
fn budgets_are_kept_and_say_what_they_left_out() {
    let context = Context::on("/table");
    let said = context.ok(&["map", "--budget", "100"]);
    assert!(said.lines().last().unwrap().contains("more lines"), "{said}");
    let said = context.ok(&["text", "--budget", "40"]);
    assert!(said.lines().last().unwrap().contains("more tokens"), "{said}");
    // A click that adds a hundred things still tells its status, and counts the rest.
    let crowd = "document.body.innerHTML='<button id=x>Go</button><p role=status id=s></p><div id=d></div>';\
                 document.getElementById('x').onclick=()=>{for(let i=0;i<100;i++){const a=document.createElement('a');\
                 a.href='/x'+i;a.textContent='Link number '+i;document.getElementById('d').append(a)}\
                 document.getElementById('s').textContent='All there.'};0";
    context.ok(&["eval", crowd]);
    let said = context.ok(&["click", "Go"]);
    assert!(said.contains("status \"All there.\""), "{said}");
    let tail = said.lines().last().unwrap();
    let told = said.lines().filter(|line| line.starts_with("+ ")).count();
    let left: usize = tail.trim_start_matches("… ").split(' ').next().unwrap().parse().unwrap();
    assert_eq!(told + left, 101, "{said}");
}

#[test]
fn json_gives_typed_data_and_error_codes() {
    let context = Context::on("/forms");
    let map = context.json(&["map"]);
    assert_eq!(map["ok"], true);
    let nodes = map["data"]["map"]["nodes"].as_array().unwrap();
    assert!(nodes.iter().any(|node| node["role"] == "textbox" && node["name"] == "Full name"), "{map}");
    let failed = context.json(&["click", "#nothing-like-this"]);
    assert_eq!(failed["ok"], false);
    assert_eq!(failed["error"]["code"], "not_found");
    let clicked = context.json(&["click", "#submit"]);
    assert_eq!(clicked["data"]["effect"]["did"]["deed"], "clicked");
    assert_eq!(context.json(&["clik"])["error"]["code"], "usage");
    assert!(context.json(&["count", "input"])["data"]["count"]["count"].as_u64().unwrap() > 5);
}

#[test]
fn changes_since_the_map_are_told_by_diff() {
    let context = Context::on("/list");
    assert!(context.fails(1, &["diff"]).contains("there is no map"));
    context.ok(&["map"]);
    assert_eq!(context.ok(&["diff"]), "no changes");
    context.ok(&["eval", "document.querySelector('h1').textContent='Changed'; 0"]);
    let said = context.ok(&["diff"]);
    assert!(said.contains("~ e") && said.contains("heading \"Changed\""), "{said}");
}

#[test]
fn a_value_of_a_script_is_told_as_it_is() {
    let context = Context::on("/list");
    let values =
        "[Number.MAX_VALUE, 5e-324, 2**60, 2**31, -(2**31), -0, 0.1, 'Größe \u{1f6a2}\\u0001\"', null]";
    let said = context.ok(&["eval", values]);
    let told = "[1.7976931348623157e+308,5e-324,1152921504606846976,2147483648,-2147483648,0,0.1,";
    assert_eq!(said, format!("{told}\"Größe \u{1f6a2}\\u0001\\\"\",null]"));
    // Half of a letter is no letter.
    assert_eq!(context.ok(&["eval", "'a\\ud800b'"]), "a\u{fffd}b");
    // What lies deeper than anyone reads is refused at once, not waited for.
    let nested = "(() => { let list = []; for (let i = 0; i < 900; i++) list = [list]; return list })()";
    assert!(context.fails(4, &["eval", nested]).contains("recursion limit"));
}

#[test]
fn an_expression_is_evaluated_once_whatever_it_comes_to() {
    let context = Context::on("/list");
    for (value, told) in
        [("window", "Window"), ("({ a: [1] })", "{\"a\":[1]}"), ("Symbol('s')", "Symbol(s)"), ("7", "7")]
    {
        let said = context.ok(&["eval", &format!("globalThis.times = (globalThis.times || 0) + 1, {value}")]);
        assert_eq!(said, told, "{value}");
    }
    assert_eq!(context.ok(&["eval", "times"]), "4");
    // Also when it takes its page away.
    context.ok(&["eval", "location.assign('/forms'), { going: true }"]);
    context.ok(&["wait", "--url", "/forms"]);
}
