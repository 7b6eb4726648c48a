//! Navigation trees as tools: commands of the command line with typed arguments, under the names that agents know.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::suite::{Row, operands, plain, row, switched, valued};
use crate::tool::{Effects, Tool};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Nothing {}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct WhichTree {
    /// Name of the tree; needed only if the project has several.
    tree: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct NewTree {
    /// Letters, digits, `-` and `_`.
    name: String,
    /// Address of the application.
    base_url: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct NamedTree {
    name: String,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Node {
    /// Name of the tree; needed only if the project has several.
    tree: Option<String>,
    /// Name of the screen.
    name: String,
    /// Path with data in braces: `/orders/{id}`.
    address: Option<String>,
    /// Heading of the screen; `*` stands for any words.
    heading: Option<String>,
    /// Title of the document; `*` stands for any words.
    title: Option<String>,
    /// Screen that it is a part of.
    within: Option<String>,
    /// State in which it can be reached, such as `logged in`.
    when: Option<String>,
    /// Elements that must be there, such as `button "Save"`.
    has: Option<Vec<String>>,
    /// Elements that must not be there.
    lacks: Option<Vec<String>>,
    /// Exploring leaves it alone.
    protected: Option<bool>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct NodeChange {
    #[serde(flatten)]
    node: Node,
    /// Another name for the screen. Change its other values in another call.
    rename_to: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct NamedNode {
    /// Name of the tree; needed only if the project has several.
    tree: Option<String>,
    /// Name of the screen.
    name: String,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct EdgeValues {
    /// Name of the tree; needed only if the project has several.
    tree: Option<String>,
    /// A screen, or `*` for any.
    from: String,
    to: String,
    /// Commands that lead there, such as `click link "Orders"`.
    #[serde(default, rename = "do")]
    acts: Vec<String>,
    /// Commands that lead back.
    #[serde(default)]
    back: Vec<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct EdgeEnds {
    /// Name of the tree; needed only if the project has several.
    tree: Option<String>,
    from: String,
    to: String,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Validation {
    /// Name of the tree; needed only if the project has several.
    tree: Option<String>,
    /// Address of the application, instead of the one in the files.
    base_url: Option<String>,
    /// Sentences that log in first.
    #[serde(default)]
    login: Vec<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Exploration {
    /// Address to begin at.
    url: String,
    /// Name of the tree.
    tree: Option<String>,
    depth: Option<u32>,
    screens: Option<u32>,
    /// Time at most.
    seconds: Option<u32>,
    /// Sentences that log in, after everything else was seen.
    #[serde(default)]
    login: Vec<String>,
    /// Remove screens that are gone.
    #[serde(default)]
    prune: bool,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct TreeList {
    trees: Vec<TreeEntry>,
    /// Files that cannot be read.
    #[serde(default)]
    problems: Vec<String>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct TreeEntry {
    tree: String,
    file: String,
    #[serde(default)]
    base_url: Option<String>,
    screens: usize,
    edges: usize,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct WholeTree {
    tree: String,
    file: String,
    #[serde(default)]
    entry: Vec<String>,
    screens: Vec<Value>,
    edges: Vec<Value>,
    /// How often each way worked, and how long it took.
    metrics: Vec<Value>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct NodeList {
    screens: Vec<Value>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct EdgeList {
    edges: Vec<Value>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Written {
    tree: String,
    #[serde(default)]
    file: String,
    #[serde(default)]
    written: bool,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Deleted {
    tree: String,
    deleted: bool,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Arrival {
    screen: String,
    address: String,
    /// The screens on the way.
    steps: Vec<String>,
    /// Ways that did not lead where the tree says.
    broken: Vec<String>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Validated {
    tree: String,
    /// Each way with its state: works, broken, unreached or left-out.
    edges: Vec<Value>,
    resets: usize,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Explored {
    file: String,
    written: bool,
    screens: usize,
    edges: usize,
    /// Addresses that asked for a login.
    behind_login: Vec<String>,
    /// What is new, gone and different.
    changes: Value,
    /// What was not opened or pressed, and why.
    left_out: Vec<Value>,
    #[serde(default)]
    stopped: Option<String>,
}

fn show(which: WhichTree) -> Vec<String> {
    [plain(&["tree", "show"]), valued("tree", which.tree)].concat()
}

fn list(_: Nothing) -> Vec<String> {
    plain(&["tree", "list"])
}

fn create(new: NewTree) -> Vec<String> {
    [plain(&["tree"]), valued("base-url", new.base_url), operands(vec!["create".to_string(), new.name])]
        .concat()
}

fn delete(tree: NamedTree) -> Vec<String> {
    [plain(&["tree"]), operands(vec!["delete".to_string(), tree.name])].concat()
}

fn edit(tree: Option<String>, flags: Vec<String>, words: &[&str], operand: Vec<String>) -> Vec<String> {
    let words = std::iter::once("edit").chain(words.iter().copied()).map(str::to_string).chain(operand);
    [plain(&["tree"]), valued("tree", tree), flags, operands(words.collect())].concat()
}

fn values(node: &Node) -> Vec<String> {
    // A list that was given and is empty takes the key away.
    let list = |name: &str, items: &Option<Vec<String>>| match items {
        None => Vec::new(),
        Some(items) if items.is_empty() => valued(name, Some("")),
        Some(items) => items.iter().flat_map(|item| valued(name, Some(item))).collect(),
    };
    [
        valued("address", node.address.as_ref()),
        valued("heading", node.heading.as_ref()),
        valued("title", node.title.as_ref()),
        valued("within", node.within.as_ref()),
        valued("when", node.when.as_ref()),
        list("has", &node.has),
        list("lacks", &node.lacks),
        valued("protected", node.protected.map(|is_on| if is_on { "yes" } else { "no" })),
    ]
    .concat()
}

fn add_node(node: Node) -> Vec<String> {
    let flags = values(&node);
    edit(node.tree, flags, &["add-screen"], vec![node.name])
}

fn change_node(change: NodeChange) -> Vec<String> {
    let NodeChange { node, rename_to } = change;
    match rename_to {
        Some(new) => edit(node.tree, Vec::new(), &["rename-screen"], vec![node.name, new]),
        None => {
            let flags = values(&node);
            edit(node.tree, flags, &["set-screen"], vec![node.name])
        }
    }
}

fn remove_node(node: NamedNode) -> Vec<String> {
    edit(node.tree, Vec::new(), &["remove-screen"], vec![node.name])
}

fn commands(edge: &EdgeValues) -> Vec<String> {
    let acts = edge.acts.iter().flat_map(|act| valued("do", Some(act)));
    acts.chain(edge.back.iter().flat_map(|act| valued("back", Some(act)))).collect()
}

fn add_edge(edge: EdgeValues) -> Vec<String> {
    let flags = commands(&edge);
    edit(edge.tree, flags, &["add-edge"], vec![edge.from, edge.to])
}

fn change_edge(edge: EdgeValues) -> Vec<String> {
    let flags = commands(&edge);
    edit(edge.tree, flags, &["set-edge"], vec![edge.from, edge.to])
}

fn remove_edge(edge: EdgeEnds) -> Vec<String> {
    edit(edge.tree, Vec::new(), &["remove-edge"], vec![edge.from, edge.to])
}

fn go(node: NamedNode) -> Vec<String> {
    [plain(&["goto"]), valued("tree", node.tree), operands(vec![node.name])].concat()
}

fn validate(validation: Validation) -> Vec<String> {
    let login = validation.login.into_iter().flat_map(|line| valued("login", Some(line)));
    [
        plain(&["tree", "validate"]),
        valued("tree", validation.tree),
        valued("base-url", validation.base_url),
        login.collect(),
    ]
    .concat()
}

fn explore(exploration: Exploration) -> Vec<String> {
    let login = exploration.login.into_iter().flat_map(|line| valued("login", Some(line)));
    [
        plain(&["explore"]),
        valued("name", exploration.tree),
        valued("depth", exploration.depth),
        valued("screens", exploration.screens),
        valued("time", exploration.seconds),
        switched("prune", exploration.prune),
        login.collect(),
        operands(vec![exploration.url]),
    ]
    .concat()
}

const DELETES: Effects = Effects { destroys: true, ..Effects::WRITES };

#[rustfmt::skip] // One tool, one entry.
const ROWS: &[Row] = &[
    row!("list_trees", "List navigation trees", "List the navigation trees of the project",
        Effects::READS, Navigation, Quick, Nothing, list, TreeList, ""),
    row!("get_tree", "Show a navigation tree", "Show the screens of an application, the ways between them, and how well these work",
        Effects::READS, Navigation, Quick, WhichTree, show, WholeTree, ""),
    row!("create_tree", "Make a navigation tree", "Make an empty navigation tree",
        Effects::WRITES, Navigation, Quick, NewTree, create, Written, ""),
    row!("delete_tree", "Delete a navigation tree", "Delete the file of a navigation tree",
        DELETES, Navigation, Quick, NamedTree, delete, Deleted, ""),
    row!("list_nodes", "List screens", "List the screens of a navigation tree and how each is recognised",
        Effects::READS, Navigation, Quick, WhichTree, show, NodeList, ""),
    row!("create_node", "Add a screen", "Add a screen to a navigation tree",
        Effects::WRITES, Navigation, Quick, Node, add_node, Written, ""),
    row!("update_node", "Change a screen", "Change how a screen is recognised, or its name; an empty text takes a value away",
        Effects::WRITES, Navigation, Quick, NodeChange, change_node, Written, ""),
    row!("delete_node", "Remove a screen", "Remove a screen and its edges from a navigation tree",
        DELETES, Navigation, Quick, NamedNode, remove_node, Written, ""),
    row!("list_edges", "List ways", "List the ways between the screens of a navigation tree",
        Effects::READS, Navigation, Quick, WhichTree, show, EdgeList, ""),
    row!("create_edge", "Add a way", "Add a way between two screens to a navigation tree",
        Effects::WRITES, Navigation, Quick, EdgeValues, add_edge, Written, ""),
    row!("update_edge", "Change a way", "Change the commands of a way between two screens",
        Effects::WRITES, Navigation, Quick, EdgeValues, change_edge, Written, ""),
    row!("delete_edge", "Remove a way", "Remove a way between two screens from a navigation tree",
        DELETES, Navigation, Quick, EdgeEnds, remove_edge, Written, ""),
    row!("navigate_to_node", "Go to a screen", "Go to a screen by its name; says so if it is not sure to be there",
        Effects::RUNS, Navigation, Moderate, NamedNode, go, Arrival, ""),
    row!("validate_tree", "Check ways", "Walk every way of a navigation tree in a real browser and report which are broken",
        Effects::RUNS, Navigation, Long, Validation, validate, Validated, ""),
    row!("explore_interface", "Explore an application", "Find the screens of an application and keep them in a tree; sends and deletes nothing",
        Effects { is_idempotent: true, ..Effects::RUNS }, Navigation, Long, Exploration, explore, Explored, ""),
];

pub(crate) fn tools() -> impl Iterator<Item = Tool> {
    ROWS.iter().map(Row::tool)
}
