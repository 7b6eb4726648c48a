//! An act in a form that outlives its browser: the same action, with its elements described instead of numbered.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{Action, Selector, Signature};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LastingAct {
    /// The action as carried out. References replace values that must stay secret.
    pub action: Action,
    /// The element behind each ref in it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub elements: BTreeMap<String, Signature>,
}

impl LastingAct {
    /// Whether both act in the same way on the same elements. What is entered may differ, and words beside an element.
    pub fn is_like(&self, other: &LastingAct) -> bool {
        let (mut action, mut others) = (self.action.clone(), other.action.clone());
        let (own, their) = (action.selectors_mut(), others.selectors_mut());
        let is_same = |(own, their): (&mut Selector, &mut Selector)| match (
            self.elements.get(&own.source),
            other.elements.get(&their.source),
        ) {
            (Some(own), Some(their)) => own.is_marked_like(their) && own.within == their.within,
            (None, None) => own.source == their.source,
            (Some(_), None) | (None, Some(_)) => false,
        };
        self.action.verb() == other.action.verb()
            && own.len() == their.len()
            && own.into_iter().zip(their).all(is_same)
    }
}
