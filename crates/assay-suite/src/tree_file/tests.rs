use std::path::Path;

use assay_protocol::{Edge, NavigationTree, Screen};

use super::TreeFile;

const SHOP: &str = "\
# Screens of the shop.
navigation: 1
interface: shop
entry: [Home]  # where people begin
screens:
  Home:
    address: /
    heading: Welcome   # changes at Christmas

  # Behind the account menu.
  Orders:
    address: /account/orders
    within: Home
    when: logged in
    has: ['link \"Order history\"']
    # of the login wall
    lacks: ['textbox \"Password\"']
  Order: {address: '/orders/{id}'}
  Billing:
    protected: true
edges:
  # by the menu
  - from: Home
    to: Orders
    do: ['click link \"Orders\"']
    back: ['click link \"Home\"']
  - from: Orders
    to: Order
    do: ['click link to /orders/{id}']
";

fn file(text: &str) -> TreeFile {
    TreeFile::parse(text, Path::new("navigation/shop.yaml")).unwrap()
}

#[track_caller]
fn mistakes(text: &str, expected: &[&str]) {
    let problems = TreeFile::parse(text, Path::new("shop.yaml")).err().unwrap_or_default();
    let told: Vec<String> = problems
        .iter()
        .map(|problem| {
            let place = problem.position.map(|position| format!("{position}: ")).unwrap_or_default();
            let hint = problem.mistake.hint().map(|hint| format!(" ({hint})")).unwrap_or_default();
            format!("{place}{}{hint}", problem.mistake)
        })
        .collect();
    assert_eq!(told, expected);
}

/// The lines that an edit removed and added.
#[track_caller]
fn check(text: &str, change: impl FnOnce(&mut NavigationTree), renamed: &[(&str, &str)], expected: &str) {
    let file = file(text);
    let mut tree = file.tree.clone();
    change(&mut tree);
    let renamed: Vec<(String, String)> =
        renamed.iter().map(|(from, to)| (from.to_string(), to.to_string())).collect();
    let now = file.text_with(&tree, &renamed).unwrap_or_else(|problem| panic!("{}", problem.mistake));
    let (before, after): (Vec<&str>, Vec<&str>) = (text.lines().collect(), now.lines().collect());
    let gone = before.iter().filter(|line| !after.contains(line)).map(|line| format!("-{line}\n"));
    let new = after.iter().filter(|line| !before.contains(line)).map(|line| format!("+{line}\n"));
    assert_eq!(gone.chain(new).collect::<String>(), expected);
}

fn screen<'t>(tree: &'t mut NavigationTree, name: &str) -> &'t mut Screen {
    tree.screens.iter_mut().find(|screen| screen.name == name).unwrap()
}

#[test]
fn a_tree_is_read_with_all_that_it_says() {
    let tree = file(SHOP).tree;
    let names: Vec<&str> = tree.screens.iter().map(|screen| screen.name.as_str()).collect();
    assert_eq!(names, ["Home", "Orders", "Order", "Billing"]);
    let orders = tree.screen("Orders").unwrap();
    assert_eq!(orders.when.as_deref(), Some("logged in"));
    assert_eq!(orders.lacks[0].to_string(), "textbox \"Password\"");
    assert!(tree.screen("Billing").unwrap().protected);
    assert_eq!((tree.edges.len(), tree.ways().count()), (2, 3));
}

#[test]
fn a_new_file_is_read_back_as_it_was() {
    let tree = file(SHOP).tree;
    let text = TreeFile::new(Path::new("x.yaml"), NavigationTree::default()).text_with(&tree, &[]).unwrap();
    assert_eq!(file(&text).tree, tree, "{text}");
    for name in ["true", "12", "a: b", "- x", "it's", "a #b", "Ünï", "[x]", "a, b", "say \"hi\"", "*"] {
        let mut odd = NavigationTree { interface: name.to_string(), ..NavigationTree::default() };
        odd.screens.push(Screen {
            name: format!("{name} screen"),
            heading: Some(name.to_string()),
            ..Screen::default()
        });
        odd.entry.push(format!("{name} screen"));
        let text =
            TreeFile::new(Path::new("x.yaml"), NavigationTree::default()).text_with(&odd, &[]).unwrap();
        assert_eq!(file(&text).tree, odd, "{text}");
    }
}

#[test]
fn nothing_changes_without_a_change() {
    check(SHOP, |_| {}, &[], "");
}

#[test]
fn only_the_lines_of_what_changed_are_replaced() {
    check(
        SHOP,
        |tree| screen(tree, "Home").heading = Some("Hello".to_string()),
        &[],
        "-    heading: Welcome   # changes at Christmas\n+    heading: Hello  # changes at Christmas\n",
    );
    check(SHOP, |tree| screen(tree, "Orders").when = None, &[], "-    when: logged in\n");
    check(
        SHOP,
        |tree| screen(tree, "Home").protected = true,
        &[],
        // The same line is there already, for another screen.
        "",
    );
    check(
        SHOP,
        |tree| screen(tree, "Order").heading = Some("Order *".to_string()),
        &[],
        "-  Order: {address: '/orders/{id}'}\n+  Order:\n+    address: /orders/{id}\n+    heading: 'Order *'\n",
    );
    check(
        SHOP,
        |tree| tree.entry.push("Orders".to_string()),
        &[],
        "-entry: [Home]  # where people begin\n+entry: [Home, Orders]  # where people begin\n",
    );
}

#[test]
fn new_entries_follow_the_last_and_comments_stay() {
    check(
        SHOP,
        |tree| {
            tree.screens.push(Screen { name: "Help".to_string(), ..Screen::default() });
            tree.edges.push(Edge {
                from: "*".to_string(),
                to: "Help".to_string(),
                acts: vec!["click link \"Help\"".to_string()],
                back: Vec::new(),
            });
        },
        &[],
        "+  Help: {}\n+  - from: '*'\n+    to: Help\n+    do: ['click link \"Help\"']\n",
    );
    check(
        SHOP,
        |tree| {
            tree.screens.retain(|screen| screen.name != "Billing");
            tree.edges.remove(0);
        },
        &[],
        "-  Billing:\n-    protected: true\n-  - from: Home\n-    to: Orders\n-    do: ['click link \"Orders\"']\n-    back: ['click link \"Home\"']\n",
    );
}

#[test]
fn a_screen_that_is_renamed_keeps_its_comments() {
    check(
        SHOP,
        |tree| {
            screen(tree, "Orders").name = "Order history".to_string();
            tree.edges[0].to = "Order history".to_string();
            tree.edges[1].from = "Order history".to_string();
        },
        &[("Orders", "Order history")],
        "-  Orders:\n-    to: Orders\n-  - from: Orders\n+  Order history:\n+    to: Order history\n+  - from: Order history\n",
    );
}

#[test]
fn lines_may_end_as_they_do_elsewhere() {
    let text = SHOP.replace('\n', "\r\n");
    let file = file(&text);
    let mut tree = file.tree.clone();
    screen(&mut tree, "Home").heading = Some("Hello".to_string());
    let now = file.text_with(&tree, &[]).unwrap();
    assert_eq!(now.matches("\r\n").count(), now.matches('\n').count());
}

#[test]
fn mistakes_have_a_place_and_the_nearest_word() {
    mistakes("screens: {}", &["1:1: expected `navigation: 1`, found `screens`"]);
    mistakes(
        "navigation: 1\nscreens:\n  Home:\n    adress: /\nedges:\n  - from: Home\n    to: Ordr\n    do: click link \"x\"\n",
        &[
            "4:5: unknown key `adress` (did you mean `address`?)",
            "7:9: unknown screen `Ordr` (valid: `Home`)",
        ],
    );
    mistakes(
        "navigation: 1\nscreens:\n  Home:\n    address: home\n    has: ['link \"']\n    within: Home\n",
        &[
            "4:14: expected a path that begins with `/`, found `home`",
            "5:11: expected a closing quote in `link \"`",
            "3:3: `Home` is within itself",
        ],
    );
    mistakes("navigation: 2\n", &["1:13: expected a whole number from 1 to 1, found the number 2"]);
    mistakes("", &["expected a navigation tree, found nothing"]);
}
