//! The kind of effect of an act, for comparing the effect of a healed act with the record.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::RequestShape;
use crate::request_shape::same_but_for_numbers;

/// The kind of effect of an act, without the values of one run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EffectKind {
    /// The path it led to, if the address changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lands: Option<String>,
    /// Its network requests, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub requests: Vec<RequestShape>,
    /// `confirm`, `tab`, `download`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub opens: Vec<String>,
    /// Its changes on the page itself: `added status`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<String>,
}

impl EffectKind {
    pub fn is_nothing(&self) -> bool {
        *self == EffectKind::default()
    }

    /// Adds the effect of the next act of the same sentence.
    pub fn and_then(&mut self, next: EffectKind) {
        if next.lands.is_some() {
            self.lands = next.lands;
        }
        self.requests.extend(next.requests);
        self.opens.extend(next.opens);
        for change in next.changes {
            if !self.changes.contains(&change) {
                self.changes.push(change);
            }
        }
        self.changes.sort();
    }

    /// This kind, with record numbers as wildcards where another run had different ones.
    pub fn opened_for(&self, other: &EffectKind) -> EffectKind {
        let lands = match (&self.lands, &other.lands) {
            (Some(was), Some(is)) if same_but_for_numbers(was, is) => Some(was.clone()),
            _ => other.lands.clone(),
        };
        let requests = other
            .requests
            .iter()
            .enumerate()
            .map(|(at, request)| {
                let was = self.requests.get(at);
                was.and_then(|was| was.opened_for(request)).unwrap_or_else(|| request.clone())
            })
            .collect();
        EffectKind { lands, requests, ..other.clone() }
    }

    /// Why the current effect is of another kind than this; None if the kinds match.
    pub fn differs_from(&self, now: &EffectKind) -> Option<String> {
        self.other_requests(now)
            .or_else(|| self.other_landing(now))
            .or_else(|| self.other_opening(now))
            .or_else(|| self.other_changes(now))
    }

    fn other_requests(&self, now: &EffectKind) -> Option<String> {
        let mut left: Vec<&RequestShape> = now.requests.iter().collect();
        for wanted in &self.requests {
            let Some(at) = left.iter().position(|made| wanted.is_made_by(made)) else {
                // The nearest match says most about the difference.
                let near = left
                    .iter()
                    .find(|made| made.path == wanted.path)
                    .or_else(|| left.iter().find(|made| made.changes_something()))
                    .map_or("it was not sent".to_string(), |made| format!("this time it is {made}"));
                return Some(format!("the recorded request is {wanted}; {near}"));
            };
            left.remove(at);
        }
        let more = left.into_iter().find(|made| made.changes_something())?;
        Some(format!("{more} was sent, but is not recorded"))
    }

    fn other_landing(&self, now: &EffectKind) -> Option<String> {
        // A newly created record has a new number every time.
        let creates = self.requests.iter().any(RequestShape::changes_something);
        let same = match (&self.lands, &now.lands) {
            (Some(then), Some(now)) => then == now || (creates && same_but_for_numbers(then, now)),
            (None, None) => true,
            _ => false,
        };
        let said = |path: &Option<String>| path.clone().unwrap_or("the same page".to_string());
        (!same).then(|| {
            format!("it used to lead to {}, and now leads to {}", said(&self.lands), said(&now.lands))
        })
    }

    fn other_opening(&self, now: &EffectKind) -> Option<String> {
        let said = |opened: &[String]| {
            if opened.is_empty() { "nothing".to_string() } else { opened.join(", ") }
        };
        (self.opens != now.opens)
            .then(|| format!("it used to open {}, and now opens {}", said(&self.opens), said(&now.opens)))
    }

    /// Changes on the page itself count only if there is no other evidence.
    fn other_changes(&self, now: &EffectKind) -> Option<String> {
        if self.lands.is_some() || !self.requests.is_empty() || !self.opens.is_empty() {
            return None;
        }
        if !self.changes.is_empty() && now.changes.is_empty() {
            return Some(format!(
                "it used to change the page ({}), and now nothing happened",
                self.changes.join(", ")
            ));
        }
        let missing = self.changes.iter().find(|change| !now.changes.contains(change))?;
        Some(format!("{missing} is recorded, but did not happen this time"))
    }
}

impl fmt::Display for EffectKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts: Vec<String> = self.requests.iter().map(RequestShape::to_string).collect();
        parts.extend(self.lands.iter().map(|path| format!("leads to {path}")));
        parts.extend(self.opens.iter().map(|what| format!("opens a {what}")));
        if parts.is_empty() {
            parts.extend(self.changes.iter().cloned());
        }
        if parts.is_empty() {
            parts.push("no other effect".to_string());
        }
        f.write_str(&parts.join(", "))
    }
}
