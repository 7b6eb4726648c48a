//! Requests in people's own words, against the names of a small shop.

use assay_suite::Skill;
use serde_json::{Value, json};

use super::{Given, NameIndex, Understanding, understand};
use crate::library::Library;

fn shop() -> NameIndex {
    let test =
        |id: &str, name: &str, file: &str| json!({ "id": id, "name": name, "file": file, "tags": ["smoke"] });
    NameIndex::from_answers(&|tool: &str| -> Option<Value> {
        Some(match tool {
            "list_testcases" => json!({ "tests": [
                test("login_valid_credentials", "Login with valid credentials", "tests/login.yaml"),
                test("login_wrong_password", "Login with wrong password", "tests/login.yaml"),
                test("checkout_as_guest", "Checkout as guest", "tests/checkout.yaml"),
                test("events_device_list", "Scanner device list is sorted", "tests/events.yaml"),
            ] }),
            "list_scripts" => json!({ "scripts": [
                { "name": "clear_carts", "title": "Remove baskets", "parameters": [
                    { "name": "older_than", "type": "integer", "required": false, "description": "Minutes without a change" } ] },
                { "name": "fill_cart", "title": "Put tickets into the basket", "parameters": [
                    { "name": "tickets", "type": "integer", "required": true },
                    { "name": "category", "type": "text", "required": false, "allowed": ["standing", "vip"] } ] },
            ] }),
            "list_hosts" => json!({ "hosts": [{ "host": "local", "machine": "box", "devices": [
                { "device": "chromium", "platform": "web" }, { "device": "firefox", "platform": "web" } ] }] }),
            "list_userinterfaces" => json!({ "userinterfaces": [
                { "userinterface": "shop", "base_url": "http://127.0.0.1:8410", "testcases": 4 } ] }),
            "list_requirements" => json!({ "requirements": [
                { "code": "REQ-12", "name": "Guests can buy" }, { "code": "REQ-15", "name": "People sign in" } ] }),
            _ => return None,
        })
    })
}

/// `skill slot=value …`, `? text: candidates`, or `-` for nothing.
/// Scripts whose titles bring verbs of their own.
fn school() -> NameIndex {
    NameIndex::from_answers(&|tool: &str| -> Option<Value> {
        Some(match tool {
            "list_testcases" => json!({ "tests": [
                { "id": "cancel_lesson", "name": "Cancel a booked lesson", "file": "tests/cancel_lesson.yaml" },
                { "id": "room_double", "name": "A room cannot be booked twice", "file": "tests/room_double.yaml" },
                { "id": "switch_welsh", "name": "Switch the site to Welsh", "file": "tests/switch_welsh.yaml" },
            ] }),
            "list_scripts" => json!({ "scripts": [
                { "name": "wipe_bookings", "title": "Wipe all bookings of a room", "parameters": [
                    { "name": "room", "required": true, "type": "text", "description": "Name of the room" } ] },
                { "name": "reset_demo", "title": "Reset the demo data", "parameters": [] },
                { "name": "import_pupils", "title": "Import pupils of a new term", "parameters": [
                    { "name": "count", "type": "integer", "required": true, "description": "How many pupils" } ] },
                { "name": "tuning_reminder", "title": "Remind families about piano tuning", "parameters": [
                    { "name": "days", "type": "integer", "required": false, "description": "Days ahead" } ] },
                { "name": "send_invoices", "title": "Send invoices to parents", "parameters": [
                    { "name": "year", "type": "integer", "required": true },
                    { "name": "rehearsal", "type": "boolean", "required": false, "description": "Only pretend" } ] },
            ] }),
            "list_hosts" => json!({ "hosts": [{ "host": "local", "machine": "box", "devices": [
                { "device": "chromium", "platform": "web" }, { "device": "firefox", "platform": "web" } ] }] }),
            _ => return None,
        })
    })
}

#[track_caller]
fn check(request: &str, expected: &str) {
    assert_eq!(read(request, &shop()), expected, "{request}");
}

fn read(request: &str, index: &NameIndex) -> String {
    let library = Library::built_in();
    let agent = library.default_agent().unwrap();
    let (own, others): (Vec<&Skill>, Vec<&Skill>) = (library.skills_of(agent), library.skills_beside(agent));
    match understand(request, &own, &others, index, &Given::default()) {
        Understanding::Do(order) => {
            let mut words = vec![order.skill];
            for (name, values) in order.slots {
                let values: Vec<String> = values
                    .iter()
                    .map(|bound| bound.value.as_str().map_or_else(|| bound.value.to_string(), str::to_string))
                    .collect();
                words.push(format!("{name}={}", values.join(",")));
            }
            words.join(" ")
        }
        Understanding::Ask(question) => format!("? {}", question.candidates.join(", ")),
        Understanding::Nothing(_) => "-".to_string(),
    }
}

#[test]
fn tests_are_run_by_any_of_their_names() {
    let guest = "run-testcase testcase=checkout_as_guest";
    check("run checkout_as_guest", guest);
    check("could you kick off the guest checkout please", guest);
    check("Does the guest checkout still work? Run it", guest);
    check("checkout as guest", guest);
    check("checkout as guest. Run. Now.", guest);
    check("Somebody could not buy. Can you check if the guest checkout still passes?", guest);
    check(
        "please exectue the wrong password test in firefox",
        "run-testcase device=firefox testcase=login_wrong_password",
    );
    check("run \"Scanner device list is sorted\"", "run-testcase testcase=events_device_list");
}

#[test]
fn a_host_that_is_not_registered_is_a_question() {
    check("run checkout_as_guest on host lab-7", "? local");
    check("run checkout_as_guest on host local", "run-testcase host=local testcase=checkout_as_guest");
    check("run checkout_as_guest on my machine please", "run-testcase testcase=checkout_as_guest");
}

#[test]
fn scripts_get_their_parameters() {
    check(
        "fill_cart 4 tickets vip",
        "run-script params={\"category\":\"vip\",\"tickets\":\"4\"} script=fill_cart",
    );
    check("clear carts older than 5 minutes", "run-script params={\"older_than\":\"5\"} script=clear_carts");
    check("run fill_cart with tickets=many", "? ");
    check("run fill_cart", "? ");
}

#[test]
fn no_length_of_time_is_dropped() {
    let half_an_hour = "run-script params={\"older_than\":\"30\"} script=clear_carts";
    check("clear carts older than half an hour", half_an_hour);
    check("clear carts, half an hour", half_an_hour);
    check("clear carts older than a few hours", "? ");
    check("clear carts older than 2 months", "? ");
    check("clear carts of 5 customers", "? clear_carts");
    check("run checkout_as_guest in half an hour", "? checkout_as_guest");
}

#[test]
fn what_is_not_clear_is_a_question() {
    check("run the login test", "? login_valid_credentials, login_wrong_password");
    check("run login_expired_credentials", "? login_valid_credentials");
    check("run checkout with paypal", "? checkout_as_guest");
    check("check the device netscape", "? chromium, firefox");
    check(
        "list the scripts and also run checkout_as_guest",
        "? list the scripts, also run checkout_as_guest",
    );
    check("show me REQ-14", "? REQ-12, REQ-15");
    check("explore", "? explore-mobile, explore-web, explore-stb");
}

#[test]
fn what_was_not_wanted_is_not_done() {
    check("don't run anything, just list the tests", "list-resources what=testcases");
    check("delete checkout_as_guest", "-");
    check("wipe the customer database", "-");
    check("what's the weather tomorrow", "-");
    check("did the login test run yesterday?", "-");
}

#[test]
fn other_skills_are_found() {
    check("which applications can you test?", "list-resources what=userinterfaces");
    check("is firefox working?", "device-status device=firefox");
    check("which devices are healthy and free?", "device-status");
    check("are all browsers up and running?", "device-status device=chromium,firefox");
    check("never mind running, I only need the scripts", "list-resources what=scripts");
    check("explore the shop", "explore-web device=chromium userinterface=shop");
    check("build a navigation tree for the set-top box", "explore-stb name=Start");
    check(
        "write a new test that checks the basket is empty and runs a search",
        "create-testcase description=the basket is empty and runs a search",
    );
    check(
        "create a test that checks that the Basket page shows \"No seats\"",
        "create-testcase description=the Basket page shows \"No seats\"",
    );
    check("create a test called \"No seats\"", "create-testcase description=No seats");
    check(
        "link checkout_as_guest to REQ-12",
        "manage-requirements act=link requirement=REQ-12 testcase=checkout_as_guest",
    );
    check("Which tests cover REQ-15?", "manage-requirements act=coverage requirement=REQ-15");
    check(
        "create requirement REQ-40 \"Gift cards can be redeemed\" with priority high",
        "manage-requirements act=create code=REQ-40 name=Gift cards can be redeemed priority=high",
    );
    check(
        "create REQ-41 \"Orders can be tracked\" priority low",
        "manage-requirements act=create code=REQ-41 name=Orders can be tracked priority=low",
    );
}

#[test]
fn tests_and_scripts_are_found_by_what_they_are_about() {
    check("signing in with an incorrect passphrase, test that", "run-testcase testcase=login_wrong_password");
    check(
        "put two vip places into the cart",
        "run-script params={\"category\":\"vip\",\"tickets\":\"2\"} script=fill_cart",
    );
    check(
        "throw away baskets older than 3 hours",
        "run-script params={\"older_than\":\"180\"} script=clear_carts",
    );
    check("put vip tickets into the basket", "? ");
}

#[test]
fn a_word_that_is_left_over_is_a_question() {
    check("run checkout_as_guest with a gift card", "? checkout_as_guest");
    check("run checkout_as_guest on the tablet", "? chromium, firefox");
    check("run checkout_as_guest on opera", "? chromium, firefox");
    check("run fill_cart 2 tickets on all browsers", "? chromium, firefox");
    check("run fill_cart 2 gold tickets", "? fill_cart");
    check("refund my order", "-");
}

#[test]
fn what_is_excluded_is_not_taken() {
    check(
        "guest checkout, not in chromium, take firefox",
        "run-testcase device=firefox testcase=checkout_as_guest",
    );
    check("run checkout_as_guest but not in chromium", "? firefox");
    check("run all tests except the guest one", "? ");
    check(
        "checkout_as_guest in all browsers except firefox",
        "run-testcase device=chromium testcase=checkout_as_guest",
    );
}

#[test]
fn what_other_agents_do_is_handed_over() {
    check("health check of all browsers", "health-check device=chromium,firefox");
    check("firefox froze again, look into it", "incident-response device=firefox");
    check("write up the newest run", "generate-report");
    check("is checkout_as_guest flaky?", "detect-false-positive testcase=checkout_as_guest");
    check("an alert came in, how bad is it?", "alert-triage");
    check("firefox crashed in a demo, please handle the incident", "incident-response device=firefox");
    check("are the results backed by evidence?", "validate-result");
    check("make me a report on the last run, with the coverage of the requirements", "generate-report");
}

#[test]
fn a_name_that_is_an_act_is_an_order_and_what_is_told_is_none() {
    let cleared = "run-script params={\"older_than\":\"5\"} script=clear_carts";
    check("The shop is slow. Please clear carts older than 5 minutes", cleared);
    check("run checkout_as_guest. Then clear the carts.", "? run checkout_as_guest, clear the carts");
    check("I cleared the carts older than 5 minutes this morning, just so you know", "? clear_carts");
    check("We cleared the carts older than 5 minutes", "? clear_carts");
    check("What would happen to the customers if I clear the carts of 5 minutes?", "-");
    check("How do I run the guest checkout?", "? checkout_as_guest");
}

#[test]
fn an_act_is_heard_in_whatever_words_lead_to_it() {
    let guest = "run-testcase testcase=checkout_as_guest";
    check("please to make run the guest checkout", guest);
    check("before my call at 3 pm I need to know if the guest checkout still works", guest);
    check("They had to pay twice. Can you check whether guest checkout still works?", guest);
    check(
        "checkout as guest fails on my machine, once more on firefox please",
        "run-testcase device=firefox testcase=checkout_as_guest",
    );
    check("run a health check", "health-check");
    check(
        "We need a new test for the shop, please. It should check that guests see the total.",
        "create-testcase description=It should check that guests see the total userinterface=shop",
    );
    check(
        "Could you rebuild the navigation tree of the shop? We got a new menu on Tuesday.",
        "explore-web device=chromium userinterface=shop",
    );
}

/// A question or nothing, for each of them.
#[track_caller]
fn start_nothing(requests: &[&str]) {
    let index = school();
    let started: Vec<String> = requests
        .iter()
        .map(|request| format!("{request} -> {}", read(request, &index)))
        .filter(|line| !["-> ?", "-> -", "-> list-resources"].iter().any(|end| line.contains(end)))
        .collect();
    assert!(started.is_empty(), "{started:#?}");
}

#[track_caller]
fn starts(request: &str, expected: &str) {
    assert_eq!(read(request, &school()), expected, "{request}");
}

#[test]
fn a_plain_order_starts_a_script() {
    let reset = "run-script script=reset_demo";
    let blue = "run-script params={\"room\":\"Blue Room\"} script=wipe_bookings";
    starts("reset the demo data", reset);
    starts("please reset the demo data", reset);
    starts("could you reset the demo data?", reset);
    starts("I want you to reset the demo data", reset);
    starts("we need to reset the demo data, please", reset);
    starts("The pupils cannot sign in. Please reset the demo data.", reset);
    starts("wipe the bookings of the Blue Room", blue);
    starts("import 40 pupils", "run-script params={\"count\":\"40\"} script=import_pupils");
}

#[test]
fn a_negation_starts_no_script() {
    let not = [
        "don't",
        "dont",
        "don’t",
        "do not",
        "you must not",
        "we can't",
        "I want nobody to",
        "no need to",
        "not yet:",
        "please do not",
        "never",
        "no one should",
        "there is no reason to",
        "you shouldnt",
        "stop! don't",
        "I would rather not",
        "under no circumstances",
        "nobody may",
        "please avoid: ",
        "neither now nor later",
    ];
    let requests: Vec<String> = not.iter().map(|not| format!("{not} reset the demo data")).collect();
    start_nothing(&requests.iter().map(String::as_str).collect::<Vec<_>>());
    start_nothing(&[
        "don't wipe the bookings of the Blue Room",
        "do not import 40 pupils",
        "wipe no bookings of the Blue Room",
        "reset the demo data? no way",
        "reset the demo data. No, not now!",
        "wipe the bookings of every room but the Blue Room",
        "wipe the bookings of the room that is not the Blue Room",
        "wipe the bookings of all rooms except the Blue Room",
        "wipe all bookings other than those of the Blue Room",
        "import everything but 40 pupils",
        "avoid resetting the demo data",
        "hold off with wipe_bookings room=\"Blue Room\"",
        "wipe_bookings room=\"Blue Room\"? nope",
    ]);
}

#[test]
fn a_question_starts_no_script() {
    start_nothing(&[
        "should I wipe the bookings of the Blue Room?",
        "must I reset the demo data?",
        "do I need to reset the demo data",
        "would it help to reset the demo data?",
        "who can reset the demo data?",
        "how long does it take to reset the demo data",
        "who wiped the bookings of the Blue Room?",
        "do I have to send the invoices for year 2025?",
        "can we reset the demo data?",
        "is it time to reset the demo data?",
        "can you tell me who reset the demo data?",
        "why reset the demo data?",
        "what does reset the demo data do",
    ]);
}

#[test]
fn what_was_what_may_be_and_what_comes_later_starts_no_script() {
    start_nothing(&[
        "I already reset the demo data",
        "we reset the demo data this morning",
        "my colleague already wiped the bookings of the Blue Room",
        "Anna wipes the bookings of the Blue Room",
        "the bookings of the Blue Room were wiped",
        "reset the demo data later",
        "reset the demo data tomorrow",
        "reset the demo data. Tomorrow.",
        "reset the demo data when the demo is over",
        "reset the demo data if the backup passes",
        "suppose you reset the demo data",
        "maybe reset the demo data",
        "reset the demo data on Monday",
        "after lunch, reset the demo data",
        "we should reset the demo data",
    ]);
}

#[test]
fn a_refused_test_does_not_run() {
    start_nothing(&[
        "do not cancel a booked lesson",
        "don't switch the site to Welsh",
        "never run cancel_lesson",
        "should I run cancel_lesson?",
        "run cancel_lesson later",
        "cancel a booked lesson? no way",
        "run cancel_lesson when the demo is over",
        "do I need to run cancel_lesson?",
        "no need to run cancel_lesson",
    ]);
    starts("run the test A room cannot be booked twice", "run-testcase testcase=room_double");
    starts("does cancel a booked lesson still work?", "run-testcase testcase=cancel_lesson");
}

#[test]
fn what_is_said_to_be_a_label_names_no_test() {
    let index = NameIndex::from_answers(&|tool: &str| -> Option<Value> {
        let test = |id: &str, name: &str, tags: &[&str]| json!({ "id": id, "name": name, "file": format!("tests/{id}.yaml"), "tags": tags });
        (tool == "list_testcases").then(|| {
            json!({ "tests": [
                test("billing_page", "Billing page opens", &["billing", "slow"]),
                test("invoice_pdf", "Download the yearly invoice", &["billing"]),
                test("login", "People sign in", &["smoke"]),
            ] })
        })
    });
    for (request, expected) in [
        ("Run all tests tagged billing", "run-testcase scope=all tag=billing"),
        ("run the tests with the tag billing", "run-testcase tag=billing"),
        ("list the tests tagged billing", "list-resources tag=billing what=testcases"),
        ("show me the tests labelled billing", "list-resources tag=billing what=testcases"),
        ("run all tests tagged billing and smoke", "run-testcase scope=all tag=billing,smoke"),
        ("run all tests tagged payment", "? billing, slow, smoke"),
    ] {
        assert_eq!(read(request, &index), expected, "{request}");
    }
}

#[test]
fn a_switch_of_a_script_is_said_or_refused() {
    let with = |rehearsal: &str| {
        format!("run-script params={{\"rehearsal\":\"{rehearsal}\",\"year\":\"2025\"}} script=send_invoices")
    };
    starts("send the invoices for year 2025, not a rehearsal", &with("false"));
    starts("send the invoices for year 2025 for real, no rehearsal", &with("false"));
    starts("send the invoices for year 2025 as a rehearsal", &with("true"));
    starts("send_invoices year=2025 rehearsal=false", &with("false"));
    start_nothing(&[
        "do a real send of the invoices for year 2025",
        "send the invoices of year 2025 for real",
        "remind the families about piano tuning the day after tomorrow",
    ]);
}
