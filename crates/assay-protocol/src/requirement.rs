//! Requirements of an application, and how tests refer to them.

use serde::{Deserialize, Serialize};

use crate::TestLine;

/// What the application should do, as a person agreed to it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Requirement {
    /// Unique in the project: `REQ-12`.
    pub code: String,
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub priority: Option<Priority>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<RequirementStatus>,
    /// What must be so for it to count as done.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub acceptance_criteria: Vec<String>,
}

impl Requirement {
    /// Whether somebody still wants it. One that is retired needs no test.
    pub fn is_wanted(&self) -> bool {
        self.status != Some(RequirementStatus::Retired)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Priority {
    Critical,
    High,
    Medium,
    Low,
}

impl Priority {
    pub const ALL: [(&'static str, Priority); 4] = [
        ("critical", Priority::Critical),
        ("high", Priority::High),
        ("medium", Priority::Medium),
        ("low", Priority::Low),
    ];

    pub fn name(self) -> &'static str {
        name_in(&Priority::ALL, self)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RequirementStatus {
    /// Not agreed yet.
    Draft,
    Approved,
    Implemented,
    /// Nobody wants it any more.
    Retired,
}

impl RequirementStatus {
    pub const ALL: [(&'static str, RequirementStatus); 4] = [
        ("draft", RequirementStatus::Draft),
        ("approved", RequirementStatus::Approved),
        ("implemented", RequirementStatus::Implemented),
        ("retired", RequirementStatus::Retired),
    ];

    pub fn name(self) -> &'static str {
        name_in(&RequirementStatus::ALL, self)
    }
}

/// How much of a requirement a test shows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CoverageKind {
    /// All of it.
    #[default]
    Full,
    /// A part of it.
    Partial,
    /// What must not work. That something works, it does not show.
    Negative,
}

impl CoverageKind {
    pub const ALL: [(&'static str, CoverageKind); 3] = [
        ("full", CoverageKind::Full),
        ("partial", CoverageKind::Partial),
        ("negative", CoverageKind::Negative),
    ];

    pub fn name(self) -> &'static str {
        name_in(&CoverageKind::ALL, self)
    }
}

fn name_in<T: Copy + PartialEq>(all: &[(&'static str, T)], wanted: T) -> &'static str {
    all.iter().find(|(_, value)| *value == wanted).map_or("", |(name, _)| name)
}

/// A test's word that it covers a requirement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RequirementLink {
    pub code: String,
    /// None where the project has no such requirement on file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(default)]
    pub coverage: CoverageKind,
}

impl RequirementLink {
    /// `REQ-12 checkout with a coupon (partial)`.
    pub fn words(&self) -> String {
        let name = self.name.as_ref().map(|name| format!(" {name}")).unwrap_or_default();
        let coverage = match self.coverage {
            CoverageKind::Full => String::new(),
            other => format!(" ({})", other.name()),
        };
        format!("{}{name}{coverage}", self.code)
    }
}

impl TestLine {
    /// Whether it is no test in a browser, but a script that is a program.
    pub fn is_program(&self) -> bool {
        self.browser.is_empty() && self.id.starts_with("script:")
    }

    /// Its requirements with what is known of them. A line of an older run has codes only.
    pub fn requirement_links(&self) -> Vec<RequirementLink> {
        if !self.links.is_empty() {
            return self.links.clone();
        }
        let link =
            |code: &String| RequirementLink { code: code.clone(), name: None, coverage: CoverageKind::Full };
        self.requirements.iter().map(link).collect()
    }

    /// All of them in one line; empty without any.
    pub fn requirement_words(&self) -> String {
        self.requirement_links().iter().map(RequirementLink::words).collect::<Vec<_>>().join(", ")
    }
}
