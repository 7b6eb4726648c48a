//! Navigation trees: the screens of an application and the ways between them.

use assay_host::ProjectTrees;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::problem::Problem;
use crate::route::{Asked, Nothing, Route};

#[derive(Debug, Serialize, JsonSchema)]
struct Trees {
    items: Vec<TreeView>,
    /// Mistakes in tree files, with their places.
    problems: Vec<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Tree")]
struct TreeView {
    name: String,
    /// The application.
    interface: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    base_url: Option<String>,
    screens: usize,
    edges: usize,
}

#[derive(Debug, Serialize, JsonSchema)]
struct TreeDetails {
    name: String,
    /// As its file says it: `screens` with how each is recognised, `edges` with their acts.
    tree: Value,
    /// What was measured on its edges: tries, successes, time.
    metrics: Value,
}

pub fn routes() -> Vec<Route> {
    vec![
        Route::get("/server/trees", "list_trees", "List the navigation trees of the project", list),
        Route::get("/server/trees/{tree}", "get_tree", "Look at a navigation tree and its measures", get),
    ]
}

fn trees(asked: &Asked) -> ProjectTrees {
    ProjectTrees::at(&asked.service.root, &asked.service.seams.folder)
}

fn list(asked: &Asked, _: Nothing) -> Result<Trees, Problem> {
    let (loaded, problems) = trees(asked).load_all();
    let items = loaded.into_iter().map(|one| TreeView {
        name: one.name,
        screens: one.file.tree.screens.len(),
        edges: one.file.tree.edges.len(),
        base_url: one.file.tree.base_url,
        interface: one.file.tree.interface,
    });
    Ok(Trees {
        items: items.collect(),
        problems: problems.iter().map(|problem| problem.to_string().trim().to_string()).collect(),
    })
}

fn get(asked: &Asked, _: Nothing) -> Result<TreeDetails, Problem> {
    let (trees, name) = (trees(asked), asked.part("tree"));
    // A name, never a path.
    if !trees.names().iter().any(|known| known == name) {
        return Err(Problem::not_found(format!("no tree is called `{name}`")));
    }
    let loaded = trees.load(Some(name))?;
    let value = |done: serde_json::Result<Value>| done.map_err(|err| Problem::internal(err.to_string()));
    let metrics = asked.service.coordinator.edge_metrics(&loaded.name)?;
    Ok(TreeDetails {
        tree: value(serde_json::to_value(&loaded.file.tree))?,
        metrics: value(serde_json::to_value(metrics))?,
        name: loaded.name,
    })
}
