//! What the service counts, for `/metrics`.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use axum::http::StatusCode;

#[derive(Debug, Clone, Copy, Default)]
struct Answered {
    count: u64,
    seconds: f64,
}

#[derive(Default)]
pub struct Numbers {
    /// By the name of the route and the status.
    answered: Mutex<BTreeMap<(&'static str, u16), Answered>>,
    turned_away: Mutex<BTreeMap<u16, u64>>,
}

impl Numbers {
    pub fn answered(&self, route: &'static str, status: StatusCode, time: Duration) {
        let mut answered = self.answered.lock().unwrap_or_else(PoisonError::into_inner);
        let entry = answered.entry((route, status.as_u16())).or_default();
        entry.count += 1;
        entry.seconds += time.as_secs_f64();
    }

    /// A request that reached no route.
    pub fn turned_away(&self, status: StatusCode) {
        let mut turned = self.turned_away.lock().unwrap_or_else(PoisonError::into_inner);
        *turned.entry(status.as_u16()).or_default() += 1;
    }

    /// In the text format of Prometheus.
    pub fn write(&self, out: &mut String) {
        let answered = self.answered.lock().unwrap_or_else(PoisonError::into_inner).clone();
        head(out, "assay_requests_total", "counter", "Requests that a route answered.");
        for ((route, status), entry) in &answered {
            line(out, "assay_requests_total", &format!("route=\"{route}\",status=\"{status}\""), entry.count);
        }
        head(out, "assay_request_seconds_total", "counter", "Time until the answers of a route began.");
        for ((route, status), entry) in &answered {
            let labels = format!("route=\"{route}\",status=\"{status}\"");
            line(out, "assay_request_seconds_total", &labels, entry.seconds);
        }
        let turned = self.turned_away.lock().unwrap_or_else(PoisonError::into_inner).clone();
        head(out, "assay_requests_turned_away_total", "counter", "Requests that reached no route.");
        for (status, count) in &turned {
            line(out, "assay_requests_turned_away_total", &format!("status=\"{status}\""), count);
        }
    }
}

/// What a number is.
pub fn head(out: &mut String, name: &str, kind: &str, help: &str) {
    // Writing to a text does not fail.
    let _written = writeln!(out, "# HELP {name} {help}\n# TYPE {name} {kind}");
}

pub fn line(out: &mut String, name: &str, labels: &str, value: impl std::fmt::Display) {
    let labels = if labels.is_empty() { String::new() } else { format!("{{{labels}}}") };
    let _written = writeln!(out, "{name}{labels} {value}");
}
