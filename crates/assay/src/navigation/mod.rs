//! `assay explore`, `assay goto` and `assay tree`: navigation trees on the command line.

mod edit;
mod explore;
mod goto;
mod tree;

use std::path::PathBuf;

use assay_host::ProjectTrees;
use assay_protocol::Failure;

use crate::environment::Environment;
use crate::host::here;
use crate::state;

pub use explore::run as explore;
pub use goto::run as goto;
pub use tree::run as tree;

/// What the command line says of an exploring.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ExploreOptions {
    /// None only if two trees are compared.
    pub url: Option<String>,
    pub name: Option<String>,
    pub depth: usize,
    pub screens: usize,
    pub seconds: u64,
    pub login: Vec<String>,
    pub is_fresh: bool,
    pub prunes: bool,
    pub ignores_robots: bool,
    pub reads_by_post: bool,
    pub compare: Option<String>,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct GotoOptions {
    /// None asks where one is.
    pub target: Option<String>,
    pub tree: Option<String>,
    pub base_url: Option<String>,
    /// Forget who is logged in first.
    pub logs_out: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub enum TreeOperation {
    List,
    Check {
        files: Vec<String>,
    },
    Show {
        tree: Option<String>,
        svg: Option<String>,
        mermaid: bool,
    },
    Edit {
        tree: Option<String>,
        edit: TreeEdit,
    },
    /// Joins another file into the tree.
    Merge {
        tree: Option<String>,
        other: String,
    },
    Validate {
        tree: Option<String>,
        base_url: Option<String>,
        login: Vec<String>,
        seconds: u64,
    },
    Facts {
        tree: Option<String>,
        drop: Option<i64>,
    },
    Create {
        name: String,
        base_url: Option<String>,
    },
    Delete {
        name: String,
    },
}

/// One small change of a tree.
#[derive(Debug, Clone, PartialEq)]
pub enum TreeEdit {
    RenameScreen { from: String, to: String },
    AddScreen { name: String, values: ScreenValues },
    SetScreen { name: String, values: ScreenValues },
    RemoveScreen { name: String },
    AddEdge { from: String, to: String, acts: Vec<String>, back: Vec<String> },
    SetEdge { from: String, to: String, acts: Vec<String>, back: Vec<String> },
    RemoveEdge { from: String, to: String },
    Entry { names: Vec<String> },
}

/// What is said of a screen; an empty text takes the key away.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ScreenValues {
    pub address: Option<String>,
    pub heading: Option<String>,
    pub title: Option<String>,
    pub within: Option<String>,
    pub when: Option<String>,
    pub has: Option<Vec<String>>,
    pub lacks: Option<Vec<String>>,
    pub protected: Option<bool>,
}

impl TreeOperation {
    /// The files that it names.
    pub fn files(&self) -> Vec<PathBuf> {
        match self {
            TreeOperation::Check { files } => files.iter().map(PathBuf::from).collect(),
            TreeOperation::Show { svg, tree, .. } => {
                svg.iter().chain(tree.iter().filter(|name| is_file(name))).map(PathBuf::from).collect()
            }
            TreeOperation::Merge { tree, other } => tree
                .iter()
                .filter(|name| is_file(name))
                .chain([other].into_iter().filter(|name| is_file(name)))
                .map(PathBuf::from)
                .collect(),
            TreeOperation::Edit { tree, .. }
            | TreeOperation::Validate { tree, .. }
            | TreeOperation::Facts { tree, .. } => {
                tree.iter().filter(|name| is_file(name)).map(PathBuf::from).collect()
            }
            TreeOperation::Create { .. } | TreeOperation::Delete { .. } | TreeOperation::List => Vec::new(),
        }
    }
}

fn is_file(name: &str) -> bool {
    name.contains('/') || name.ends_with(".yaml") || name.ends_with(".yml")
}

fn trees_here(environment: &Environment) -> Result<ProjectTrees, Failure> {
    ProjectTrees::around(&state::folder(environment), &here()?)
}
