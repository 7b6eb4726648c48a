//! Messages to other systems: sent until somebody has taken them, also after a restart, each under one name.

use std::sync::Arc;
use std::time::Duration;

use assay_coordinator::{Attempted, HookMessage, OutgoingHook};
use assay_suite::{PolicySettings, load_in};
use futures_util::future::join_all;
use ring::rand::{SecureRandom, SystemRandom};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::letter;
use super::signature::sign;
use super::target::{Clients, TargetAnswer, check_target};
use crate::clock::now_ms;
use crate::log::Log;
use crate::problem::Problem;
use crate::service::Service;

/// How often the record is looked at: other processes finish runs as well.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// After a trouble with the state.
const PAUSE: Duration = Duration::from_secs(2);

/// No attempt waits longer for the next.
const LONGEST_WAIT: Duration = Duration::from_secs(6 * 60 * 60);

/// The receiver is gone for good.
const GONE: u16 = 410;

/// How messages are written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Form {
    #[default]
    Json,
    /// A text, as Slack and those who follow it take it.
    Slack,
}

/// Where a webhook sends its messages, and how.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OutgoingHookSettings {
    /// http or https.
    pub url: String,
    #[serde(default)]
    pub form: Form,
    /// Messages may go to this machine and to private networks.
    #[serde(default)]
    pub private_addresses: bool,
}

/// What the project's files allow.
pub fn policy_of(service: &Service) -> PolicySettings {
    let context = &service.seams.context;
    let loaded = load_in(&service.seams.folder, &[], &context.drivers.names(), &*context.variables);
    loaded.project.policy.clone()
}

/// Works until the service stops. A message whose answer was not on record by then is sent again.
pub async fn send_messages(service: Arc<Service>) {
    let clients = Clients::default();
    while !service.stop.is_cancelled() {
        let sleep = tokio::select! {
            () = service.stop.cancelled() => return,
            done = send_due(&service, &clients) => match done {
                Ok(sleep) => sleep,
                Err(problem) => {
                    service.log.error("message.not_sent", &[("why", json!(problem.body.detail))]);
                    PAUSE
                }
            },
        };
        tokio::select! {
            () = service.stop.cancelled() => return,
            () = service.message_news.notified() => {}
            () = tokio::time::sleep(sleep) => {}
        }
    }
}

/// A message that is ready to be sent.
struct Parcel {
    message: HookMessage,
    url: reqwest::Url,
    may_be_private: bool,
    secret: String,
    body: Vec<u8>,
}

/// Sends what is due, and says how long nothing else is.
async fn send_due(service: &Arc<Service>, clients: &Clients) -> Result<Duration, Problem> {
    let held = Arc::clone(service);
    let due = blocking(move || due_parcels(&held)).await?;
    if due.is_empty() {
        let coordinator = service.coordinator.clone();
        let next = blocking(move || Ok(coordinator.next_message_at()?)).await?;
        let wait = next.map_or(LOOK_EVERY, |next| Duration::from_millis(next.saturating_sub(now_ms())));
        return Ok(wait.min(LOOK_EVERY));
    }
    let sent = join_all(due.into_iter().map(|(message, parcel)| async move {
        let answer = match parcel {
            Ok(parcel) => send(clients, parcel).await,
            Err(why) => Err(why),
        };
        (message, answer)
    }))
    .await;
    let held = Arc::clone(service);
    blocking(move || {
        for ((number, attempts), answer) in sent {
            let attempted = judged(&held, attempts + 1, answer);
            held.coordinator.attempted_message(number, &attempted)?;
            tell(&held.log, number, attempts + 1, &attempted);
        }
        Ok(())
    })
    .await?;
    Ok(Duration::ZERO)
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|err| Err(Problem::internal(format!("the work broke off: {err}"))))
}

/// Each message by its number and the attempts that were made, and why it cannot be sent where it cannot.
type Due = Vec<((u64, u32), Result<Parcel, String>)>;

fn due_parcels(service: &Service) -> Result<Due, Problem> {
    service.coordinator.tell_hooks()?;
    let due = service.coordinator.due_messages(now_ms())?;
    if due.is_empty() {
        return Ok(Vec::new());
    }
    let policy = policy_of(service);
    let parcels = due.into_iter().map(|(hook, message)| {
        let key = (message.number, message.attempts);
        (key, parcel_of(service, &policy, &hook, message).map_err(|problem| problem.body.detail.clone()))
    });
    Ok(parcels.collect())
}

fn parcel_of(
    service: &Service,
    policy: &PolicySettings,
    hook: &OutgoingHook,
    message: HookMessage,
) -> Result<Parcel, Problem> {
    let settings: OutgoingHookSettings = serde_json::from_value(hook.settings.clone())
        .map_err(|err| Problem::internal(format!("the webhook cannot be read: {err}")))?;
    let url = check_target(&settings.url, settings.private_addresses, policy)?;
    let secret = service.outgoing_secrets.find(&hook.name)?;
    let secret =
        secret.ok_or_else(|| Problem::not_found("the secret of the webhook is gone; give it again"))?;
    let body = match settings.form {
        Form::Json => letter::as_json(&message),
        Form::Slack => letter::as_slack(&message),
    };
    let body = body.to_string().into_bytes();
    Ok(Parcel { message, url, may_be_private: settings.private_addresses, secret, body })
}

async fn send(clients: &Clients, parcel: Parcel) -> Result<TargetAnswer, String> {
    let at = now_ms() / 1000;
    let headers = [
        ("webhook-id", parcel.message.id.clone()),
        ("webhook-timestamp", at.to_string()),
        ("webhook-signature", sign(&parcel.secret, &parcel.message.id, at, &parcel.body)),
    ];
    clients.post(parcel.url, parcel.may_be_private, &headers, parcel.body).await
}

/// What an answer means, after so many attempts.
fn judged(service: &Service, attempts: u32, answer: Result<TargetAnswer, String>) -> Attempted {
    let limits = &service.options.limits;
    let (status, wish, trouble) = match answer {
        Ok(TargetAnswer { status: answer @ 200..=299, .. }) => return Attempted::Taken { answer },
        Ok(answer) => (Some(answer.status), answer.retry_after, format!("it answered {}", answer.status)),
        Err(why) => (None, None, why),
    };
    let is_over = attempts >= limits.message_attempts || status == Some(GONE);
    let wait = wait_after(attempts, limits.first_retry, random_part()).max(wish.unwrap_or_default());
    let next_at = now_ms() + wait.min(LONGEST_WAIT).as_millis() as u64;
    Attempted::Failed { answer: status, trouble, next_at: (!is_over).then_some(next_at) }
}

/// The address of a webhook is as good as a secret, and errors may quote it.
fn tell(log: &Log, number: u64, attempts: u32, attempted: &Attempted) {
    let mut fields = vec![("message", json!(number)), ("attempt", json!(attempts))];
    match attempted {
        Attempted::Taken { answer } => {
            fields.push(("answer", json!(answer)));
            log.info("message.sent", &fields);
        }
        Attempted::Failed { answer, next_at, .. } => {
            fields.push(("answer", json!(answer)));
            match next_at {
                Some(next_at) => {
                    fields.push(("next_in_s", json!(next_at.saturating_sub(now_ms()) / 1000)));
                    log.warn("message.refused", &fields);
                }
                None => log.error("message.dead", &fields),
            }
        }
    }
}

/// Twice as long after each attempt, give or take a quarter. `part` is between 0 and 1.
fn wait_after(attempts: u32, first: Duration, part: f64) -> Duration {
    let doubled = first.saturating_mul(2_u32.saturating_pow(attempts.saturating_sub(1)));
    doubled.min(LONGEST_WAIT).mul_f64(0.75 + part / 2.0)
}

/// Messages that failed together must not come together again.
fn random_part() -> f64 {
    let mut byte = [0_u8];
    // Without random numbers, they do.
    let _same = SystemRandom::new().fill(&mut byte);
    f64::from(byte[0]) / 255.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_and_have_an_end() {
        let wait = |attempts: u32, part: f64| wait_after(attempts, Duration::from_secs(10), part);
        assert_eq!(wait(1, 0.5), Duration::from_secs(10));
        assert_eq!(wait(4, 0.5), Duration::from_secs(80));
        assert_eq!(wait(1, 0.0), Duration::from_millis(7500));
        assert_eq!(wait(1, 1.0), Duration::from_millis(12_500));
        assert_eq!(wait(60, 0.5), LONGEST_WAIT);
    }
}
