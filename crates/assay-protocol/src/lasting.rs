//! An act in a form that outlives its browser: the same action, with its elements described instead of numbered.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{Action, Signature};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LastingAct {
    /// As it was carried out. Values that must not be told stand in it as references.
    pub action: Action,
    /// What each ref in it stood for.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub elements: BTreeMap<String, Signature>,
}
