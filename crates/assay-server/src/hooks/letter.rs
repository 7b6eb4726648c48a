//! How a message is written: as JSON for programs, or as a text for people in a chat.

use assay_coordinator::{HookMessage, MessageKind};
use serde_json::{Value, json};

/// The body for programs.
pub fn as_json(message: &HookMessage) -> Value {
    json!({ "type": message.kind.name(), "id": message.id, "at": message.at, "data": message.data })
}

/// The body that Slack takes, and those who take what Slack takes.
pub fn as_slack(message: &HookMessage) -> Value {
    json!({ "text": text_of(message.kind, &message.data) })
}

fn text_of(kind: MessageKind, data: &Value) -> String {
    let said = |name: &str| match &data[name] {
        Value::String(text) => escaped(text),
        Value::Null => String::new(),
        other => other.to_string(),
    };
    match kind {
        MessageKind::RunFinished => {
            let results = data["results"].as_object();
            let counts: Vec<String> =
                results.into_iter().flatten().map(|(verdict, count)| format!("{count} {verdict}")).collect();
            let counts = if counts.is_empty() { "no results".to_string() } else { counts.join(", ") };
            let ended = if data["interrupted"] == true { "was interrupted" } else { "finished" };
            let is_green =
                results.is_some_and(|all| !all.is_empty() && all.keys().all(|verdict| verdict == "passed"));
            let sign = if is_green { ":white_check_mark:" } else { ":x:" };
            format!("{sign} *{}*: run `{}` {ended}: {counts}", said("suite"), said("run"))
        }
        MessageKind::TestFlaky => {
            format!(
                ":warning: *{}*: test `{}` became flaky in run `{}`",
                said("suite"),
                said("name"),
                said("run")
            )
        }
        MessageKind::AlertRaised => {
            format!(":rotating_light: alert `{}`{}", said("type"), about(&said("device")))
        }
        MessageKind::IncidentOpened => format!(
            ":rotating_light: incident {}: {} (`{}`){}",
            said("number"),
            said("class"),
            said("type"),
            about(&said("device"))
        ),
        MessageKind::Ping => format!(":wave: webhook `{}` of assay works", said("webhook")),
    }
}

fn about(device: &str) -> String {
    if device.is_empty() { String::new() } else { format!(" on `{device}`") }
}

/// Nothing that a test or a page says mentions somebody, or looks like a link.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('`', "'")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(kind: MessageKind, data: Value, expected: &str) {
        assert_eq!(text_of(kind, &data), expected);
    }

    #[test]
    fn a_text_says_what_happened() {
        check(
            MessageKind::RunFinished,
            json!({ "run": "run-1", "suite": "Shop", "interrupted": false, "results": { "passed": 3, "failed": 1 } }),
            ":x: *Shop*: run `run-1` finished: 1 failed, 3 passed",
        );
        check(
            MessageKind::RunFinished,
            json!({ "run": "run-1", "suite": "Shop", "interrupted": false, "results": { "passed": 3 } }),
            ":white_check_mark: *Shop*: run `run-1` finished: 3 passed",
        );
        check(
            MessageKind::IncidentOpened,
            json!({ "number": 4, "class": "crash", "type": "alert.app_crash", "device": "session:tv" }),
            ":rotating_light: incident 4: crash (`alert.app_crash`) on `session:tv`",
        );
        check(MessageKind::AlertRaised, json!({ "type": "alert.anr" }), ":rotating_light: alert `alert.anr`");
    }

    #[test]
    fn nobody_is_called_by_the_name_of_a_test() {
        let data =
            json!({ "suite": "Shop", "name": "<!channel> `x` & <http://evil.example|here>", "run": "run-1" });
        check(
            MessageKind::TestFlaky,
            data,
            ":warning: *Shop*: test `&lt;!channel&gt; 'x' &amp; &lt;http://evil.example|here&gt;` became flaky in run `run-1`",
        );
    }
}
