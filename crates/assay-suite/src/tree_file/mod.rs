//! Navigation trees as files: read with positions, and written so that everything a person wrote stays.
//!
//! An entry that did not change keeps its text byte for byte. One that changed gets new lines for the keys that
//! changed. New entries follow the last one.

mod edit;
mod layout;
mod read;
mod write;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use assay_protocol::NavigationTree;

use crate::files;
use crate::mistake::Mistake;
use crate::problem::Problem;
use crate::source::Source;

/// The folder of a project that holds its trees.
pub const TREE_FOLDER: &str = "navigation";

/// The form of the file. Another one is not read.
pub(crate) const VERSION: u64 = 1;
/// A tree of ten thousand edges has about a million bytes.
const MAX_SIZE: u64 = 16 * 1024 * 1024;

/// A tree file as it is.
#[derive(Debug, Clone)]
pub struct TreeFile {
    pub tree: NavigationTree,
    /// The text it was read from; empty for a tree that has no file yet.
    text: String,
    path: PathBuf,
    shown: PathBuf,
}

impl TreeFile {
    /// The tree of a file that does not exist yet.
    pub fn new(path: &Path, tree: NavigationTree) -> TreeFile {
        TreeFile { tree, text: String::new(), path: path.to_path_buf(), shown: path.to_path_buf() }
    }

    /// The tree at this path, or all mistakes in it. Problems name it as seen from `here`.
    pub fn load(path: &Path, here: &Path) -> Result<TreeFile, Vec<Problem>> {
        let shown = files::shown(path, Some(here));
        let source = files::read_up_to(path, shown, MAX_SIZE).map_err(|problem| vec![*problem])?;
        TreeFile::of(&source)
    }

    /// The same for text that is at hand.
    pub fn parse(text: &str, shown: &Path) -> Result<TreeFile, Vec<Problem>> {
        TreeFile::of(&Arc::new(Source::new(shown.to_path_buf(), shown.to_path_buf(), text.to_string())))
    }

    fn of(source: &Arc<Source>) -> Result<TreeFile, Vec<Problem>> {
        let tree = read::read(source)?;
        Ok(TreeFile {
            tree,
            text: source.text.clone(),
            path: source.path.clone(),
            shown: source.shown.clone(),
        })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn shown(&self) -> &Path {
        &self.shown
    }

    /// The name by which commands know the tree: that of its file.
    pub fn name(&self) -> String {
        self.path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// The text of the file with another tree in it. `renamed` names screens that are the same under another name.
    pub fn text_with(
        &self,
        tree: &NavigationTree,
        renamed: &[(String, String)],
    ) -> Result<String, Box<Problem>> {
        if self.text.trim().is_empty() {
            return Ok(write::whole(tree));
        }
        if *tree == self.tree {
            return Ok(self.text.clone());
        }
        let source = Arc::new(Source::new(self.shown.clone(), self.path.clone(), self.text.clone()));
        let text = edit::edited(&source, &self.tree, tree, renamed);
        // An edit that would say something else than meant is not made.
        match TreeFile::parse(&text, &self.shown) {
            Ok(read) if read.tree == *tree => Ok(text),
            _ => Err(Box::new(Problem::of_file(self.shown.clone(), Mistake::UneditableTree))),
        }
    }

    /// Replaces the file atomically, so no reader sees half of it. Returns false if nothing changed.
    pub fn save(
        &mut self,
        tree: &NavigationTree,
        renamed: &[(String, String)],
    ) -> Result<bool, Box<Problem>> {
        let text = self.text_with(tree, renamed)?;
        if self.path.exists() && text == self.text {
            return Ok(false);
        }
        replace(&self.path, &text).map_err(|err| {
            Box::new(Problem::of_file(self.shown.clone(), Mistake::Unwritable { reason: err.to_string() }))
        })?;
        self.tree = tree.clone();
        self.text = text;
        Ok(true)
    }
}

fn replace(path: &Path, text: &str) -> std::io::Result<()> {
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder)?;
    }
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(format!(".{}.tmp", std::process::id()));
    let beside = path.with_file_name(name);
    // Whatever has that name is left from a crash, or a link that came with the project.
    let _may_not_be_there = std::fs::remove_file(&beside);
    let written = std::fs::File::create_new(&beside)
        .and_then(|mut file| file.write_all(text.as_bytes()).and_then(|()| file.sync_all()))
        .and_then(|()| std::fs::rename(&beside, path));
    if written.is_err() {
        // The incomplete file is useless; the old file is unchanged.
        let _left_behind = std::fs::remove_file(&beside);
    }
    written
}

#[cfg(test)]
mod tests;
