//! A home and a project for one test.

use std::fs;
use std::path::{Path, PathBuf};

use assay_enrol::{Client, EnrolError, Places, Platform, Scope, Server, apply, plan, remove};

pub struct Scene {
    root: PathBuf,
    pub places: Places,
}

impl Scene {
    /// An empty one; the name is that of the test.
    pub fn new(name: &str) -> Scene {
        let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        if root.exists() {
            fs::remove_dir_all(&root).unwrap();
        }
        let places = Places {
            project: root.join("project"),
            home: root.join("home"),
            config: None,
            platform: Platform::Linux,
        };
        fs::create_dir_all(&places.project).unwrap();
        fs::create_dir_all(&places.home).unwrap();
        Scene { root, places }
    }

    pub fn path(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }

    pub fn write(&self, path: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    pub fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap()
    }

    /// The names in a folder, sorted.
    pub fn names(&self, path: &str) -> Vec<String> {
        let names = fs::read_dir(self.path(path)).unwrap();
        let mut names: Vec<String> =
            names.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    pub fn install(&self, client: Client, scope: Scope) -> Result<(), EnrolError> {
        apply(&plan(client, scope, &self.places, &server())?)
    }

    pub fn undo(&self, client: Client, scope: Scope) -> Result<(), EnrolError> {
        apply(&remove(client, scope, &self.places, "assay")?)
    }

    /// A message with the folder of the test left out.
    pub fn told(&self, err: &EnrolError) -> String {
        err.to_string().replace(&self.root.display().to_string(), "ROOT").replace('\\', "/")
    }
}

pub fn server() -> Server {
    Server { name: "assay".to_string(), command: "assay".to_string(), args: vec!["mcp".to_string()] }
}
