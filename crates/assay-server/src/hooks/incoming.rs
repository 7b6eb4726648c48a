//! Deliveries of other systems: proved by their signature, on record with what they begin, and each counted once.

use assay_coordinator::{HookDelivery, IncomingHook, NewDelivery, StateError};
use assay_protocol::event_types;
use axum::http::{Method, StatusCode};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::reading::{Outcome, Reading};
use super::signature;
use crate::clock::now_ms;
use crate::orders::{Cause, PlannedEvent, PlannedWork, new_run_name};
use crate::problem::Problem;
use crate::route::Asked;

/// Below this, and nowhere else, a signature takes the place of a token.
pub const PATH: &str = "/server/hooks/";

/// A signature is believed for so long before and after the time it names, in seconds.
const WINDOW: u64 = 5 * 60;

/// The longest name of a delivery.
const LONGEST_ID: usize = 100;

/// How a webhook shows that it knows the secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// `X-Hub-Signature-256` over the body.
    Github,
    /// `X-Gitlab-Token`, the secret itself.
    Gitlab,
    /// `webhook-signature` over name, time and body, as Standard Webhooks have it.
    Generic,
}

/// Which deliveries begin something.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum When {
    /// Something failed.
    #[default]
    Failure,
    Success,
    /// Every delivery but a ping.
    Any,
}

/// How a webhook of another system is to be.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct IncomingSettings {
    pub source: Source,
    /// Which deliveries begin something; failures without it.
    #[serde(default)]
    pub when: When,
    /// What they begin; the event `webhook.ci_failure` without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub work: Option<PlannedWork>,
}

/// What became of a delivery.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Received {
    /// The delivery, as its sender names it.
    pub delivery: String,
    /// The order that it became.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order: Option<u64>,
    /// The event that it became.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event: Option<u64>,
}

impl Source {
    pub fn name(self) -> &'static str {
        match self {
            Source::Github => "github",
            Source::Gitlab => "gitlab",
            Source::Generic => "generic",
        }
    }

    fn is_proved(self, asked: &Asked, secret: &str) -> Result<bool, Problem> {
        let body = &asked.body;
        Ok(match self {
            Source::Github => asked
                .header("x-hub-signature-256")?
                .is_some_and(|said| signature::is_signed_by_github(secret, body, said)),
            Source::Gitlab => {
                asked.header("x-gitlab-token")?.is_some_and(|said| signature::is_secret(secret, said))
            }
            Source::Generic => {
                let parts = (
                    asked.header("webhook-id")?,
                    asked.header("webhook-timestamp")?,
                    asked.header("webhook-signature")?,
                );
                let (Some(id), Some(at), Some(said)) = parts else { return Ok(false) };
                signature::is_signed(secret, id, at, body, said)
            }
        })
    }

    /// The name of a delivery, as its sender chose it.
    fn delivery_of(self, asked: &Asked) -> Result<&str, Problem> {
        let (name, found) = match self {
            Source::Github => ("X-GitHub-Delivery", asked.header("x-github-delivery")?),
            Source::Gitlab => {
                // The same in every attempt, where GitLab is new enough to send it.
                let found = asked.header("idempotency-key")?;
                (
                    "X-Gitlab-Event-UUID",
                    found.map_or_else(|| asked.header("x-gitlab-event-uuid"), |id| Ok(Some(id)))?,
                )
            }
            Source::Generic => ("webhook-id", asked.header("webhook-id")?),
        };
        found
            .filter(|id| (1..=LONGEST_ID).contains(&id.len()))
            .ok_or_else(|| Problem::usage(format!("expected `{name}` with 1 to {LONGEST_ID} characters")))
    }

    fn event_of(self, asked: &Asked) -> Result<&str, Problem> {
        Ok(match self {
            Source::Github => asked.header("x-github-event")?.unwrap_or_default(),
            Source::Gitlab | Source::Generic => "",
        })
    }
}

/// Whether a request is a delivery: it needs a signature, and no token.
pub fn is_delivery(method: &Method, path: &str) -> bool {
    let name = path.strip_prefix(PATH).unwrap_or_default();
    *method == Method::POST && !name.is_empty() && !name.contains('/')
}

/// Says which webhook delivers. A webhook that is not there is refused like a wrong signature.
pub fn prove(asked: &Asked) -> Result<String, Problem> {
    let refused = || {
        // Whoever guesses waits. A right signature is never refused for the wrong ones of others.
        match asked.service.failures.take(&format!("deliveries {}", asked.caller.peer.ip())) {
            Ok(()) => Problem::new(StatusCode::UNAUTHORIZED, "unauthorized", "no webhook signs like this")
                .hint("compare name and secret of the webhook on both sides"),
            Err(wait) => Problem::too_many(wait),
        }
    };
    let (hook, settings) = match hook_of(asked) {
        Ok(found) => found,
        Err(StateError::NotFound { .. }) => return Err(refused()),
        Err(error) => return Err(error.into()),
    };
    let secret = asked.service.incoming_secrets.find(&hook.name)?.ok_or_else(refused)?;
    if !settings.source.is_proved(asked, &secret)? || !hook.is_enabled {
        return Err(refused());
    }
    if settings.source == Source::Generic {
        let said = asked.header("webhook-timestamp")?.and_then(|at| at.parse::<u64>().ok());
        if said.is_none_or(|at| (now_ms() / 1000).abs_diff(at) > WINDOW) {
            let what = format!("the delivery is older than {WINDOW} seconds, or the clocks differ");
            return Err(Problem::new(StatusCode::UNAUTHORIZED, "unauthorized", what));
        }
    }
    Ok(format!("webhook {}", hook.name))
}

/// Accepts a delivery that is proved.
pub fn receive(asked: &Asked, body: Value) -> Result<Received, Problem> {
    let (hook, settings) = hook_of(asked)?;
    let delivery = settings.source.delivery_of(asked)?;
    let event = settings.source.event_of(asked)?;
    let reading = settings.source.read(event, &body);
    if settings.source == Source::Github && event == "ping" {
        return Ok(Received { delivery: delivery.to_string(), order: None, event: None });
    }
    let accepted = accept(asked, &hook, &settings, delivery, &reading)?;
    let fields = [
        ("webhook", json!(hook.name)),
        ("delivery", json!(delivery)),
        ("order", json!(accepted.begun.order)),
        ("bus_event", json!(accepted.begun.event)),
    ];
    asked.service.log.info("delivery.accepted", &fields);
    if accepted.begun.order.is_some() {
        asked.service.desk.wake();
    }
    Ok(Received { delivery: delivery.to_string(), order: accepted.begun.order, event: accepted.begun.event })
}

fn accept(
    asked: &Asked,
    hook: &IncomingHook,
    settings: &IncomingSettings,
    delivery: &str,
    reading: &Reading,
) -> Result<HookDelivery, Problem> {
    let work = settings.work_for(reading.outcome).map(|work| {
        let mut facts = reading.facts.clone();
        facts.insert("webhook".to_string(), Value::String(hook.name.clone()));
        work.ready(Cause {
            run: new_run_name(),
            by: format!("webhook {}", hook.name),
            key: format!("webhook:{}:{delivery}", hook.name),
            facts: ("delivery", Value::Object(facts)),
        })
    });
    let work = work.transpose()?;
    // GitHub's signature does not cover the name of the delivery, so another name would be another delivery.
    let digest = (settings.source == Source::Github).then(|| signature::digest_of(&asked.body));
    let new = NewDelivery {
        hook: hook.number,
        id: delivery,
        digest: digest.as_deref(),
        summary: &reading.summary,
        work: work.as_ref().map(|work| work.as_new()),
    };
    asked
        .service
        .coordinator
        .accept_delivery(&new)?
        .ok_or_else(|| Problem::conflict(format!("delivery `{delivery}` was accepted before")))
}

impl IncomingSettings {
    /// What a delivery begins; none: nothing is to be done.
    fn work_for(&self, outcome: Outcome) -> Option<PlannedWork> {
        let is_wanted = match self.when {
            When::Failure => outcome == Outcome::Failure,
            When::Success => outcome == Outcome::Success,
            When::Any => true,
        };
        is_wanted.then(|| {
            self.work.clone().unwrap_or_else(|| {
                PlannedWork::Event(PlannedEvent {
                    event_type: event_types::CI_FAILURE.to_string(),
                    device: String::new(),
                    priority: None,
                    payload: Map::new(),
                })
            })
        })
    }
}

fn hook_of(asked: &Asked) -> Result<(IncomingHook, IncomingSettings), StateError> {
    let hook = asked.service.coordinator.incoming_hook(asked.part("hook"))?;
    let unknown =
        || StateError::NotFound { what: format!("webhook `{}` that this assay can read", hook.name) };
    let settings = serde_json::from_value(hook.settings.clone()).map_err(|_| unknown())?;
    Ok((hook, settings))
}
