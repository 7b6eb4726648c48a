//! One page that was opened, as far as proposals need it.

use assay_protocol::{Scene, SceneNode};

/// A page that was opened and looked at.
#[derive(Debug, Clone, Default)]
pub struct PageSeen {
    pub scene: Scene,
    /// What fields say of themselves beyond the scene, by their refs.
    pub fields: Vec<FieldRules>,
    /// Refs of forms that do not let the browser check them.
    pub unchecked_forms: Vec<String>,
    /// Where links of the page lead, by having been followed.
    pub links: Vec<Linked>,
}

/// The rules of a field, by its own attributes.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FieldRules {
    pub reference: String,
    pub longest: Option<usize>,
    pub shortest: Option<usize>,
    pub least: Option<f64>,
    pub most: Option<f64>,
}

/// What a link says of itself beyond the scene.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LinkRules {
    /// It opens a tab of its own.
    pub opens_a_tab: bool,
    /// What is behind it is kept, not shown.
    pub downloads: bool,
}

/// A link and what came of following it.
#[derive(Debug, Clone, PartialEq)]
pub struct Linked {
    pub name: String,
    pub outcome: Result<Landing, String>,
}

/// Where a link led.
#[derive(Debug, Clone, PartialEq)]
pub struct Landing {
    pub url: String,
    pub title: String,
    pub heading: Option<String>,
}

impl PageSeen {
    /// The path of the address, with what stands behind it.
    pub fn path(&self) -> String {
        path_of(&self.scene.url)
    }

    pub fn title(&self) -> &str {
        self.scene.title.trim()
    }

    /// The first heading of the first level, else the first of all.
    pub fn heading(&self) -> Option<&str> {
        let headings =
            || self.scene.nodes.iter().filter(|node| node.role == "heading" && !node.name.trim().is_empty());
        let first_level = headings().find(|node| node.attribute("level") == Some("1"));
        first_level.or_else(|| headings().next()).map(|node| node.name.trim())
    }

    /// What people would call it.
    pub fn called(&self) -> String {
        let title = self.title();
        let name = if title.is_empty() { self.heading().unwrap_or_default() } else { title };
        let name = crate::words::one_line(name).replace("${", "$ {");
        if name.is_empty() { format!("The page {}", self.path()) } else { assay_prompt::shortened(&name, 60) }
    }

    /// As the result of following a link to it.
    pub fn landing(&self) -> Landing {
        Landing {
            url: self.scene.url.clone(),
            title: self.title().to_string(),
            heading: self.heading().map(str::to_string),
        }
    }

    pub(super) fn rules(&self, node: &SceneNode) -> FieldRules {
        let known = self.fields.iter().find(|rules| Some(&rules.reference) == node.reference.as_ref());
        known.cloned().unwrap_or_default()
    }
}

/// What stands behind the host, without the place in the page.
pub(super) fn path_of(url: &str) -> String {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let path = rest.find(['/', '?']).map_or("/", |at| &rest[at..]);
    let path = path.split('#').next().unwrap_or_default();
    if path.starts_with('/') { path.to_string() } else { format!("/{path}") }
}
