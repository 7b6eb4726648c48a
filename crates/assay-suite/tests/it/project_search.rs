//! Where a project is looked for: not in folders that anybody can write to, nor in those of others.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::{Path, PathBuf};

use assay_suite::{Loaded, folders_above, load_in, project_of};

use crate::suite_folder::BROWSERS;

/// `top/middle/inner` in the temporary folder, without a repository.
struct Nested(PathBuf);

impl Nested {
    fn new(name: &str) -> Nested {
        let top = std::env::temp_dir().join(format!("assay-search-{}-{name}", std::process::id()));
        fs::create_dir_all(top.join("middle/inner")).unwrap();
        let nested = Nested(top.canonicalize().unwrap());
        fs::write(nested.inner().join("t.yaml"), "steps: [Go]\n").unwrap();
        nested
    }

    fn inner(&self) -> PathBuf {
        self.0.join("middle/inner")
    }

    fn write_project(&self, folder: &str) {
        fs::write(self.0.join(folder).join("assay.yaml"), "base_url: http://planted.example\n").unwrap();
    }

    /// Folders are written as seen from the top.
    fn searched(&self, home: Option<&Path>) -> Vec<String> {
        let below = |folder: &PathBuf| folder.strip_prefix(&self.0).ok().map(|it| it.display().to_string());
        folders_above(&self.inner(), home).iter().filter_map(below).collect()
    }

    fn load(&self, folder: &str, home: Option<&Path>) -> Loaded {
        let home = home.map(|home| home.display().to_string());
        let environment = |name: &str| home.clone().filter(|_| name == "HOME");
        load_in(&self.0.join(folder), &[], &BROWSERS, &environment)
    }

    fn allow_everybody(&self, folder: &str, mode: u32) {
        fs::set_permissions(self.0.join(folder), Permissions::from_mode(mode)).unwrap();
    }
}

impl Drop for Nested {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn the_search_ends_below_a_folder_that_everybody_can_write_to() {
    for mode in [0o777, 0o1777] {
        let nested = Nested::new(&format!("shared-{mode:o}"));
        nested.write_project("middle");
        nested.allow_everybody("middle", mode);
        assert_eq!(nested.searched(None), ["middle/inner"]);
        let loaded = nested.load("middle/inner", None);
        assert_eq!(loaded.project.base_url, None, "anybody could have planted it");
        assert_eq!(loaded.tests.len(), 1);
    }
}

#[test]
fn the_settings_of_a_project_are_the_same_without_its_tests() {
    let environment = |_: &str| None;
    let nested = Nested::new("settings");
    let same = |what: &str| {
        let loaded = nested.load("middle/inner", None).project;
        let alone = project_of(&nested.inner(), &BROWSERS, &environment);
        assert_eq!((&alone.suite, &alone.base_url), (&loaded.suite, &loaded.base_url), "{what}");
    };
    same("no project file");
    nested.write_project("middle");
    same("a project file above");
    nested.allow_everybody("middle", 0o777);
    same("a project file that anybody could have planted");
}

#[test]
fn a_project_in_a_shared_folder_is_refused_where_it_is_meant() {
    let nested = Nested::new("meant");
    nested.write_project("middle/inner");
    nested.allow_everybody("middle/inner", 0o1777);
    let loaded = nested.load("middle/inner", None);
    let folder = nested.inner();
    let problems: Vec<String> = loaded.problems.iter().map(ToString::to_string).collect();
    let expected = format!(
        "assay.yaml: is not used: everybody can write to the folder {0}\n  chmod o-w {0}",
        folder.display()
    );
    assert_eq!(problems, [expected]);
    assert!(loaded.tests.is_empty() && loaded.project.base_url.is_none());
}

#[test]
fn the_search_ends_with_a_repository_and_with_the_home_folder() {
    let nested = Nested::new("ends");
    nested.write_project("");
    assert_eq!(nested.searched(None), ["middle/inner", "middle", ""]);
    assert_eq!(nested.load("middle/inner", None).project.base_url.as_deref(), Some("http://planted.example"));
    let home = nested.0.join("middle");
    assert_eq!(nested.searched(Some(&home)), ["middle/inner", "middle"]);
    assert_eq!(nested.load("middle/inner", Some(&home)).project.base_url, None);
    fs::create_dir(nested.inner().join(".git")).unwrap();
    assert_eq!(nested.searched(None), ["middle/inner"]);
}

/// Only root can give a folder away.
#[test]
fn the_search_ends_below_a_folder_of_somebody_else() {
    let nested = Nested::new("owner");
    nested.write_project("middle");
    if chown(nested.0.join("middle"), Some(65534), None).is_err() {
        return;
    }
    assert_eq!(nested.searched(None), ["middle/inner"]);
    assert_eq!(nested.load("middle/inner", None).project.base_url, None);
    // A project that belongs to its owner throughout is one project, as in a container.
    chown(nested.inner(), Some(65534), None).unwrap();
    assert_eq!(nested.searched(None), ["middle/inner", "middle", ""]);
}
