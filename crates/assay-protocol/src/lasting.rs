//! An act in a form that outlives its browser: the same action, with its elements described instead of numbered.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{Action, Signature};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LastingAct {
    /// The action as carried out. References replace values that must stay secret.
    pub action: Action,
    /// The element behind each ref in it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub elements: BTreeMap<String, Signature>,
}
