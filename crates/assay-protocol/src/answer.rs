//! The answers to successful requests.

use serde::{Deserialize, Serialize};

use crate::{BrowserDialog, Change, Effect, ElementLine, ElementMap, Scene};

/// The typed answer of each kind of action; `--json` prints it as it is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    Effect(Box<Effect>),
    Page(PageLine),
    Text {
        text: String,
    },
    Texts {
        texts: Vec<String>,
    },
    Value {
        value: Option<String>,
    },
    Map(ElementMap),
    Scene(Box<Scene>),
    Elements {
        elements: Vec<ElementLine>,
        total: usize,
    },
    /// What lies at a point: the elements there that have a ref, the nearest first.
    At {
        elements: Vec<ElementLine>,
        /// The tag of what is hit, `canvas`; empty where nothing is.
        tag: String,
        /// Its words, where they are few.
        text: String,
    },
    Changes {
        changes: Vec<Change>,
    },
    Count {
        count: usize,
    },
    Is {
        state: String,
        holds: bool,
    },
    File {
        path: String,
        bytes: usize,
    },
    Json {
        value: serde_json::Value,
    },
    Tabs {
        tabs: Vec<TabLine>,
    },
    Frames {
        frames: Vec<FrameLine>,
    },
    Cookies {
        cookies: Vec<CookieInfo>,
    },
    Dialog {
        open: Option<BrowserDialog>,
    },
    Console {
        lines: Vec<ConsoleLine>,
    },
    Network {
        requests: Vec<NetworkLine>,
    },
    /// What was waited for is there; the element, where there is one.
    Waited {
        element: Option<ElementLine>,
    },
    /// The page has loaded. What it was still doing when the time was up.
    Loaded {
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        still_busy: Vec<String>,
    },
    Done {
        summary: String,
    },
}

/// A page as it is named in answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageLine {
    pub title: String,
    pub url: String,
    /// The HTTP status of the document, where there was one and it is an error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
}

impl PageLine {
    /// The address, shortened for a reader who was at `before`: without the part both share.
    pub fn address_from(&self, before: &str) -> &str {
        let origin_end =
            |url: &str| url.find("://").and_then(|at| url[at + 3..].find('/').map(|slash| at + 3 + slash));
        match (origin_end(&self.url), origin_end(before)) {
            (Some(own), Some(other)) if self.url[..own] == before[..other] => &self.url[own..],
            _ => &self.url,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TabLine {
    pub tab: String,
    pub title: String,
    pub url: String,
    pub current: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FrameLine {
    pub frame: String,
    pub name: String,
    pub url: String,
    pub depth: u32,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CookieInfo {
    pub name: String,
    pub value: String,
    pub domain: String,
    pub path: String,
    /// Seconds since 1970; -1 for a session cookie.
    pub expires: f64,
    pub http_only: bool,
    pub secure: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub same_site: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConsoleLine {
    pub level: String,
    pub text: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NetworkLine {
    pub method: String,
    pub url: String,
    pub kind: String,
    /// `200`, a network error, or `pending`.
    pub outcome: String,
    pub failed: bool,
    /// Names in what was sent; none where nothing was, or the browser does not tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fields: Option<Vec<String>>,
}
