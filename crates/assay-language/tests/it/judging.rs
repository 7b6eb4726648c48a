//! Whether a claim holds on a page, and why.

use assay_language::{
    About, Claim, ElementKind, Hints, Intent, Matcher, Nearness, NumberIs, Relation, SortOrder, StateWord,
    Target, Tone, judge, must_have_held, read,
};
use assay_protocol::{BrowserDialog, Judgement, Scene, Verdict};

use crate::scene_notation::{page, scene};

fn claim(about: About) -> Claim {
    Claim { said: format!("{about:?}"), negated: false, stays: false, about }
}

#[track_caller]
fn check(scene: &Scene, about: About, expected: [Verdict; 2]) -> Judgement {
    let positive = judge(&claim(about.clone()), scene, &Hints::default());
    assert_eq!(positive.verdict, expected[0], "{about:?}\n{positive:?}");
    let negative = judge(&Claim { negated: true, ..claim(about.clone()) }, scene, &Hints::default());
    assert_eq!(negative.verdict, expected[1], "not {about:?}\n{negative:?}");
    assert!(negative.may_stand && !positive.standing);
    positive
}

const HOLDS: [Verdict; 2] = [Verdict::Passed, Verdict::Failed];
const DOES_NOT: [Verdict; 2] = [Verdict::Failed, Verdict::Passed];
const NOT_QUITE: [Verdict; 2] = [Verdict::Failed, Verdict::Inconclusive];
const UNSURE: [Verdict; 2] = [Verdict::Inconclusive, Verdict::Inconclusive];

fn quoted(text: &str) -> Target {
    Target { said: format!("\"{text}\""), quoted: Some(text.to_string()), ..Target::default() }
}

fn words(text: &str) -> Target {
    Target {
        said: text.to_string(),
        words: text.split(' ').map(str::to_string).collect(),
        ..Target::default()
    }
}

fn kind(target: Target, kind: ElementKind) -> Target {
    Target { kind: Some(kind), ..target }
}

fn inside(target: Target, how: Nearness, to: Target) -> Target {
    Target { relations: vec![Relation { how, to }], ..target }
}

fn shows(text: &str) -> About {
    About::Text { text: Matcher::Contains(text.into()), place: None }
}

fn shows_in(text: &str, place: Target) -> About {
    About::Text { text: Matcher::Contains(text.into()), place: Some(place) }
}

fn is(target: Target, state: StateWord) -> About {
    About::State { target, state }
}

fn on(name: &str) -> About {
    About::Page { name: name.into() }
}

#[test]
fn text_counts_only_where_it_is_seen() {
    let dashboard = page("dashboard");
    check(&dashboard, shows("Welcome back, Anna"), HOLDS);
    // Only typed into a field: it does not count, and whoever says that it is not there sees it all the same.
    check(&dashboard, shows("Call Zoe"), NOT_QUITE);
    // Only a part of a longer word.
    check(&dashboard, shows("Task"), UNSURE);
    check(&dashboard, shows("2 March 202"), NOT_QUITE);
    // Elsewhere than named.
    check(&dashboard, shows_in("Call Bob", kind(quoted("Tasks"), ElementKind::Section)), HOLDS);
    check(&dashboard, shows_in("Call Bob", kind(quoted("Messages"), ElementKind::Section)), DOES_NOT);
    check(&dashboard, shows_in("Call Bob", kind(quoted("Archive"), ElementKind::Section)), UNSURE);
    // Covered by a dialog.
    check(&page("dialog"), shows("Gemini"), NOT_QUITE);
    // Only a name for those who cannot see.
    check(&page("player"), shows("Dislike"), DOES_NOT);
    // Text of two inline elements is one text; text of two cards is not.
    let parts = scene("paragraph\n  text \"Welcome,\"\n  text \"Anna\"\n  text \"!\"");
    check(&parts, shows("Welcome, Anna!"), HOLDS);
    let cards = scene(
        "list\n  listitem\n    text \"Price\"\n    text \"Lamp\"\n  listitem\n    text \"12\"\n    text \"Chair\"",
    );
    check(&cards, shows("Lamp 12"), UNSURE);
}

#[test]
fn a_page_is_known_by_what_it_says_of_itself() {
    check(&page("dashboard"), on("dashboard"), HOLDS);
    check(&page("dashboard"), on("settings"), DOES_NOT);
    check(&page("login"), on("sign in"), HOLDS);
    check(&page("login"), on("pricing"), DOES_NOT);
    check(&page("cart"), on("shopping cart"), HOLDS);
    // The address and the text repeat the name, but the page is an error.
    check(&page("error"), on("dashboard"), DOES_NOT);
    // A login form at the address of the page that was asked for.
    check(&page("guarded"), on("dashboard"), UNSURE);
    // The name is that of the site, or of the part of it that the page is in.
    let branded = "title: Settings – Acme Dashboard\nheading \"Settings\" {tag: h1}";
    check(&scene(&format!("url: https://a.example/settings\n{branded}")), on("dashboard"), UNSURE);
    check(&scene(&format!("url: https://a.example/dashboard/settings\n{branded}")), on("settings"), HOLDS);
    let below =
        scene("url: https://a.example/dashboard/settings\ntitle: Settings\nheading \"Settings\" {tag: h1}");
    check(&below, on("dashboard"), UNSURE);
    check(
        &scene("url: https://a.example/products/17\ntitle: Acme\nheading \"Lamp\" {tag: h1}"),
        on("product"),
        HOLDS,
    );
    // The name only in the query.
    let redirected =
        scene("url: https://a.example/login?next=/dashboard\ntitle: Welcome\nheading \"Hello\" {tag: h1}");
    check(&redirected, on("dashboard"), DOES_NOT);
}

#[test]
fn messages_are_told_from_other_text_and_by_their_tone() {
    let denied = page("denied");
    let message = |tone, text: Option<&str>| About::Message {
        tone,
        text: text.map(|text| Matcher::Contains(text.into())),
        topic: Vec::new(),
    };
    check(&denied, message(Tone::Error, None), HOLDS);
    check(&denied, message(Tone::Error, Some("account expired")), HOLDS);
    check(&denied, message(Tone::Success, None), DOES_NOT);
    check(&denied, message(Tone::Success, Some("successful")), DOES_NOT);
    check(&denied, message(Tone::Error, Some("welcome@example.com")), DOES_NOT);
    let told = check(&denied, message(Tone::Error, Some("Account locked")), DOES_NOT);
    assert_eq!(told.reason, "Expected \"Account locked\", got \"Login was not successful: account expired\"");
    let about = About::Message { tone: Tone::Error, text: None, topic: vec!["password".into()] };
    check(&denied, about, HOLDS);
    check(&page("dashboard"), message(Tone::Success, Some("Profile saved")), HOLDS);
    check(&page("dashboard"), message(Tone::Error, Some("Profile saved")), DOES_NOT);
    check(&page("login"), message(Tone::Error, None), DOES_NOT);
    // Nothing marks it as a message, but it may well be one.
    let unmarked = scene("heading \"Log in\"\ntext \"Invalid credentials\"");
    check(&unmarked, message(Tone::Error, None), UNSURE);
    // An alert that says neither good nor bad.
    check(&scene("alert\n  text \"Version 7\""), message(Tone::Error, None), UNSURE);
    let any = message(Tone::Any, None);
    check(&scene("heading \"Welcome\"\nalert"), any, [Verdict::Failed, Verdict::Inconclusive]);
    let empty = judge(
        &claim(message(Tone::Error, Some("Account expired"))),
        &scene("heading \"Welcome\""),
        &Hints::default(),
    );
    assert_eq!(empty.reason, "Expected \"Account expired\", got \"Welcome\"");
}

#[test]
fn a_message_about_something_else_is_no_evidence_for_a_failure() {
    let saved = scene("status \"Saved.\"\n  text \"Saved.\"");
    let about = |topic: &str, text: &str| About::Value {
        target: kind(words(topic), ElementKind::Message),
        text: Matcher::Contains(text.into()),
    };
    check(&saved, about("status", "Saved."), HOLDS);
    check(&saved, about("status", "Sent."), DOES_NOT);
    check(&saved, about("password", "Saved."), UNSURE);
    let says = |text: &str| About::Value { target: words("status"), text: Matcher::Contains(text.into()) };
    check(&saved, says("Saved."), HOLDS);
    check(&saved, says("Sent."), UNSURE);
}

#[test]
fn states_need_one_clear_element() {
    let denied = page("denied");
    check(&denied, is(kind(quoted("Sign up"), ElementKind::Button), StateWord::Disabled), HOLDS);
    check(&denied, is(kind(quoted("Log in"), ElementKind::Button), StateWord::Disabled), DOES_NOT);
    check(&page("admin"), is(kind(quoted("Delete"), ElementKind::Button), StateWord::Enabled), UNSURE);
    check(&page("admin"), is(kind(quoted("Archive"), ElementKind::Button), StateWord::Enabled), UNSURE);
    let settings = page("settings");
    check(&settings, is(quoted("Email notifications"), StateWord::Checked), HOLDS);
    check(&settings, is(quoted("Push notifications"), StateWord::Checked), DOES_NOT);
    check(&settings, is(kind(quoted("English"), ElementKind::Option), StateWord::Selected), HOLDS);
    check(&settings, is(kind(quoted("Deutsch"), ElementKind::Option), StateWord::Selected), DOES_NOT);
    let twins = scene("e1 button \"Save\" disabled\ne2 button \"Save\"");
    check(&twins, is(quoted("Save"), StateWord::Enabled), UNSURE);
    check(&page("tabs"), is(kind(quoted("Details"), ElementKind::Tab), StateWord::Selected), HOLDS);
}

#[test]
fn absence_answers_only_questions_of_existence() {
    let admin = page("admin");
    check(&admin, is(kind(quoted("Archive"), ElementKind::Button), StateWord::Visible), DOES_NOT);
    check(&admin, is(kind(quoted("Delete"), ElementKind::Button), StateWord::Visible), HOLDS);
    check(&admin, is(kind(quoted("Zoe"), ElementKind::Row), StateWord::Visible), DOES_NOT);
    // Part of a name is not the name.
    check(&admin, is(kind(quoted("Export"), ElementKind::Button), StateWord::Visible), NOT_QUITE);
    let in_row =
        |name: &str| inside(kind(quoted("Delete"), ElementKind::Button), Nearness::SameRow, quoted(name));
    check(&admin, is(in_row("Bob Jones"), StateWord::Visible), HOLDS);
    check(&admin, is(in_row("Zoe"), StateWord::Visible), NOT_QUITE);
}

#[test]
fn values_are_read_from_fields_labels_and_cells() {
    let value = |target: Target, text: &str| About::Value { target, text: Matcher::Equals(text.into()) };
    check(&page("dashboard"), value(quoted("Quick note"), "Call Zoe"), HOLDS);
    check(&page("dashboard"), value(words("balance"), "$1,250.00"), HOLDS);
    check(&page("dashboard"), value(words("balance"), "$1,250"), DOES_NOT);
    check(&page("denied"), value(kind(words("password"), ElementKind::Field), "secret"), UNSURE);
    check(&page("tabs"), value(kind(words("city"), ElementKind::Field), "Springfield"), UNSURE);
    let cell = |row: &str, column: &str, text: &str| About::Cell {
        row: quoted(row),
        column: column.into(),
        text: Matcher::Equals(text.into()),
    };
    check(&page("cart"), cell("Desk Lamp", "price", "$24.00"), HOLDS);
    check(&page("cart"), cell("Desk Lamp", "quantity", "2"), HOLDS);
    check(&page("cart"), cell("Floor Lamp", "quantity", "2"), DOES_NOT);
    check(&page("cart"), cell("Lava Lamp", "price", "$24.00"), UNSURE);
    check(&page("cart"), cell("Desk Lamp", "weight", "2"), UNSURE);
    check(&page("shop"), cell("Floor Lamp", "price", "$79.00"), HOLDS);
    let number = About::Value { target: words("balance"), text: Matcher::Number(NumberIs::AtLeast(1000.0)) };
    check(&page("dashboard"), number, HOLDS);
}

#[test]
fn things_are_counted_without_heads_and_hidden_rows() {
    let count = |target: Target, number: f64| About::Count { target, count: NumberIs::Exactly(number) };
    let positive = |scene: &Scene, about: About, verdict: Verdict| {
        let judged = judge(&claim(about), scene, &Hints::default());
        assert_eq!(judged.verdict, verdict, "{judged:?}");
    };
    let rows = || kind(Target { said: "rows".into(), ..Target::default() }, ElementKind::Row);
    positive(&page("cart"), count(rows(), 2.0), Verdict::Passed);
    positive(&page("cart"), count(rows(), 3.0), Verdict::Failed);
    positive(&page("shop"), count(kind(words("products"), ElementKind::Item), 3.0), Verdict::Passed);
    positive(&page("dashboard"), count(words("tasks"), 3.0), Verdict::Passed);
    positive(&page("dashboard"), count(words("unicorns"), 3.0), Verdict::Inconclusive);
    positive(&page("admin"), count(kind(quoted("Delete"), ElementKind::Button), 3.0), Verdict::Passed);
    let options = inside(
        kind(Target::default(), ElementKind::Option),
        Nearness::Inside,
        kind(words("language"), ElementKind::Dropdown),
    );
    positive(&page("settings"), count(options, 3.0), Verdict::Passed);
    let covered = scene("table\n  row\n    cell \"a\"\n  row covered\n    cell \"b\" covered");
    positive(&covered, count(rows(), 1.0), Verdict::Passed);
}

#[test]
fn order_needs_two_values_that_can_be_compared() {
    let sorted = |by: &str, order| About::Sorted { of: None, by: Some(by.into()), order };
    check(&page("cart"), sorted("price", SortOrder::Ascending), HOLDS);
    check(&page("cart"), sorted("price", SortOrder::Descending), DOES_NOT);
    check(&page("shop"), sorted("price", SortOrder::Ascending), DOES_NOT);
    let one = scene("table\n  row\n    columnheader \"Price\"\n  row\n    cell \"$1\"");
    check(&one, sorted("price", SortOrder::Ascending), UNSURE);
    let mixed =
        scene("table\n  row\n    columnheader \"Price\"\n  row\n    cell \"$1\"\n  row\n    cell \"free\"");
    check(&mixed, sorted("price", SortOrder::Ascending), UNSURE);
    let before = |one: &str, other: &str| About::Before { first: quoted(one), second: quoted(other) };
    check(&page("dashboard"), before("Write report", "Ship release"), HOLDS);
    check(&page("dashboard"), before("Ship release", "Write report"), DOES_NOT);
    check(&page("dashboard"), before("Ship release", "Nothing"), UNSURE);
}

#[test]
fn what_stays_must_have_been_so() {
    let held = |sentence: &str| match read(sentence, &Hints::default()).unwrap().as_slice() {
        [Intent::Claim(claim)] => must_have_held(claim),
        other => panic!("{other:?}"),
    };
    assert!(held("The total stays 9"));
    assert!(held("The login page is still displayed"));
    assert!(held("The user remains on the login page"));
    assert!(!held("The banner is no longer shown"));
    assert!(!held("The text \"Welcome\" is shown"));
}

#[test]
fn emptiness_is_seen_or_said() {
    let empty = |target: Target| is(target, StateWord::Empty);
    check(&page("emptycart"), empty(words("cart")), HOLDS);
    check(&page("cart"), empty(words("cart")), DOES_NOT);
    check(&page("shop"), empty(words("cart")), HOLDS);
    check(&page("login"), empty(kind(words("email"), ElementKind::Field)), HOLDS);
    check(&page("denied"), empty(kind(words("email"), ElementKind::Field)), DOES_NOT);
    check(&page("login"), empty(words("cart")), UNSURE);
}

#[test]
fn titles_addresses_and_dialogs_are_compared() {
    let dashboard = page("dashboard");
    let title = |text: Matcher| About::Title { text };
    let url = |text: Matcher| About::Url { text };
    check(&dashboard, title(Matcher::Contains("Dashboard".into())), HOLDS);
    check(&dashboard, title(Matcher::Equals("Dashboard".into())), DOES_NOT);
    check(&dashboard, url(Matcher::Contains("dash".into())), HOLDS);
    check(&dashboard, url(Matcher::Equals("/dashboard".into())), HOLDS);
    check(&dashboard, url(Matcher::EndsWith("/dashboard".into())), HOLDS);
    check(&dashboard, url(Matcher::EndsWith("/dashboard/".into())), DOES_NOT);
    check(&dashboard, url(Matcher::Equals("https://app.example.com/".into())), DOES_NOT);
    check(&dashboard, About::BrowserDialog { text: None }, DOES_NOT);
    let mut asking = page("dashboard");
    asking.dialog =
        Some(BrowserDialog { kind: "confirm".into(), message: "Really delete?".into(), default: None });
    check(&asking, About::BrowserDialog { text: Some(Matcher::Contains("delete".into())) }, HOLDS);
    check(&asking, shows("Welcome"), UNSURE);
    check(&dashboard, About::Unknown { why: "taste".into() }, UNSURE);
}
