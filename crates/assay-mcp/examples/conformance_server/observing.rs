//! Tools by which tests see what the server did: whether work stopped, who called, who is gone.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use assay_mcp::{Call, CallerId, Era, RequestError, ToolResult};
use serde_json::{Map, Value, json};
use tokio::sync::watch;

use crate::fixtures::{Answer, Fixture, Fixtures};

pub const TOOLS: &[Fixture] = &[
    Fixture {
        name: "test_wait",
        description: "Reports progress once and works until it is cancelled",
        arguments: &["name"],
        run: wait,
    },
    Fixture {
        name: "test_stopped",
        description: "Answers when the work of this name has stopped",
        arguments: &["name"],
        run: stopped,
    },
    Fixture { name: "test_caller", description: "Tells who calls", arguments: &[], run: caller },
    Fixture {
        name: "test_gone",
        description: "Answers when the caller with this id is gone",
        arguments: &["id"],
        run: gone,
    },
    Fixture { name: "test_panic", description: "Panics", arguments: &[], run: panic },
];

/// What happened, for those who wait for it.
pub struct Observed {
    happened: Mutex<BTreeSet<String>>,
    changed: watch::Sender<()>,
}

impl Default for Observed {
    fn default() -> Observed {
        Observed { happened: Mutex::default(), changed: watch::channel(()).0 }
    }
}

impl Observed {
    pub fn gone(&self, caller: &CallerId) {
        self.note(format!("gone {caller}"));
    }

    fn note(&self, what: String) {
        self.happened().insert(what);
        self.changed.send_replace(());
    }

    async fn wait_for(&self, what: &str) {
        let mut changed = self.changed.subscribe();
        while !self.happened().contains(what) {
            if changed.changed().await.is_err() {
                return;
            }
        }
    }

    fn happened(&self) -> MutexGuard<'_, BTreeSet<String>> {
        self.happened.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn named<'a>(arguments: &'a Map<String, Value>, name: &str) -> &'a str {
    arguments.get(name).and_then(Value::as_str).unwrap_or_default()
}

fn wait<'a>(fixtures: &'a Fixtures, arguments: &'a Map<String, Value>, call: &'a Call) -> Answer<'a> {
    Box::pin(async move {
        call.progress(1.0, None, Some("waiting"));
        call.cancelled().await;
        fixtures.observed.note(format!("stopped {}", named(arguments, "name")));
        Err(RequestError::Cancelled)
    })
}

fn stopped<'a>(fixtures: &'a Fixtures, arguments: &'a Map<String, Value>, _: &'a Call) -> Answer<'a> {
    Box::pin(async move {
        fixtures.observed.wait_for(&format!("stopped {}", named(arguments, "name"))).await;
        Ok(ToolResult::text("stopped"))
    })
}

fn caller<'a>(_: &'a Fixtures, _: &'a Map<String, Value>, call: &'a Call) -> Answer<'a> {
    Box::pin(async move {
        let caller = call.caller();
        Ok(ToolResult::structured(json!({
            "id": caller.id.as_str(),
            "name": caller.name,
            "isModern": caller.era == Era::Modern,
            "lasts": caller.lasts,
        })))
    })
}

fn gone<'a>(fixtures: &'a Fixtures, arguments: &'a Map<String, Value>, _: &'a Call) -> Answer<'a> {
    Box::pin(async move {
        fixtures.observed.wait_for(&format!("gone {}", named(arguments, "id"))).await;
        Ok(ToolResult::text("gone"))
    })
}

fn panic<'a>(_: &'a Fixtures, _: &'a Map<String, Value>, _: &'a Call) -> Answer<'a> {
    Box::pin(async { panic!("a tool that panics") })
}
