//! An act in a form that outlives its browser: the same action, with its elements described instead of numbered.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{Action, ScrollTo, Selector, Signature, WaitFor};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LastingAct {
    /// As it was carried out. Values that must not be told stand in it as references.
    pub action: Action,
    /// What each ref in it stood for.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub elements: BTreeMap<String, Signature>,
}

impl Action {
    /// The selectors in it, so that a ref can be put in place of another.
    pub fn selectors_mut(&mut self) -> Vec<&mut Selector> {
        match self {
            Action::Value { target }
            | Action::Attr { target, .. }
            | Action::Find { target }
            | Action::FindAll { target, .. }
            | Action::Count { target }
            | Action::Is { target, .. }
            | Action::Click { target, .. }
            | Action::Dblclick { target }
            | Action::Fill { target, .. }
            | Action::Clear { target }
            | Action::Hover { target }
            | Action::Focus { target }
            | Action::Select { target, .. }
            | Action::Check { target }
            | Action::Uncheck { target }
            | Action::Upload { target, .. }
            | Action::Highlight { target }
            | Action::Scroll { to: ScrollTo::Element { target } }
            | Action::Wait { until: WaitFor::Element { target, .. } } => vec![target],
            Action::Text { target }
            | Action::Html { target }
            | Action::Map { target, .. }
            | Action::Type { target, .. }
            | Action::Press { target, .. }
            | Action::Screenshot { target, .. }
            | Action::Scroll { to: ScrollTo::By { over: target, .. } } => target.iter_mut().collect(),
            Action::Drag { from, to } => vec![from, to],
            Action::Raw { place, .. } => place.within.iter_mut().collect(),
            Action::Go { .. }
            | Action::Back
            | Action::Forward
            | Action::Reload
            | Action::Url
            | Action::Title
            | Action::Scene
            | Action::At { .. }
            | Action::Diff
            | Action::Scroll { to: ScrollTo::Top | ScrollTo::Bottom }
            | Action::Dialog { .. }
            | Action::Wait { until: WaitFor::Text { .. } | WaitFor::Url { .. } }
            | Action::Pdf { .. }
            | Action::Eval { .. }
            | Action::Tabs
            | Action::TabNew { .. }
            | Action::TabSwitch { .. }
            | Action::TabClose { .. }
            | Action::Frames
            | Action::Cookies { .. }
            | Action::Storage { .. }
            | Action::Viewport { .. }
            | Action::Console { .. }
            | Action::Network { .. } => Vec::new(),
        }
    }
}
