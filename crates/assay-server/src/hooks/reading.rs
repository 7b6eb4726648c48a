//! What a delivery says: whether something failed, and what. The texts are data of somebody else, and are cut.

use serde_json::{Map, Value};

use super::incoming::Source;

/// The longest text that is taken over.
const LONGEST: usize = 300;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    Failure,
    Success,
    /// It has not ended, or was cancelled, or is something else.
    Other,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    pub outcome: Outcome,
    /// In a line.
    pub summary: String,
    /// By name: `source`, `event`, `conclusion`, `repository`, `title`, `branch`, `commit`, `url`.
    pub facts: Map<String, Value>,
}

/// Where an event has what, as JSON pointers.
struct Shape {
    event: &'static str,
    conclusion: &'static str,
    title: &'static str,
    branch: &'static str,
    commit: &'static str,
    url: &'static str,
}

const GITHUB: &[Shape] = &[
    Shape {
        event: "workflow_run",
        conclusion: "/workflow_run/conclusion",
        title: "/workflow_run/name",
        branch: "/workflow_run/head_branch",
        commit: "/workflow_run/head_sha",
        url: "/workflow_run/html_url",
    },
    Shape {
        event: "workflow_job",
        conclusion: "/workflow_job/conclusion",
        title: "/workflow_job/name",
        branch: "/workflow_job/head_branch",
        commit: "/workflow_job/head_sha",
        url: "/workflow_job/html_url",
    },
    Shape {
        event: "check_run",
        conclusion: "/check_run/conclusion",
        title: "/check_run/name",
        branch: "/check_run/check_suite/head_branch",
        commit: "/check_run/head_sha",
        url: "/check_run/html_url",
    },
    Shape {
        event: "check_suite",
        conclusion: "/check_suite/conclusion",
        title: "/check_suite/app/name",
        branch: "/check_suite/head_branch",
        commit: "/check_suite/head_sha",
        url: "/check_suite/url",
    },
    Shape {
        event: "status",
        conclusion: "/state",
        title: "/context",
        branch: "/branches/0/name",
        commit: "/sha",
        url: "/target_url",
    },
    Shape {
        event: "deployment_status",
        conclusion: "/deployment_status/state",
        title: "/deployment/environment",
        branch: "/deployment/ref",
        commit: "/deployment/sha",
        url: "/deployment_status/target_url",
    },
];

const GITLAB: &[Shape] = &[
    Shape {
        event: "pipeline",
        conclusion: "/object_attributes/status",
        title: "/object_attributes/name",
        branch: "/object_attributes/ref",
        commit: "/object_attributes/sha",
        url: "/object_attributes/url",
    },
    Shape {
        event: "build",
        conclusion: "/build_status",
        title: "/build_name",
        branch: "/ref",
        commit: "/sha",
        url: "/commit/url",
    },
    Shape {
        event: "deployment",
        conclusion: "/status",
        title: "/environment",
        branch: "/ref",
        commit: "/short_sha",
        url: "/deployable_url",
    },
];

const GENERIC: &Shape = &Shape {
    event: "",
    conclusion: "/status",
    title: "/title",
    branch: "/branch",
    commit: "/commit",
    url: "/url",
};

impl Source {
    /// `event` is the name of the event, where a header has it.
    pub fn read(self, event: &str, body: &Value) -> Reading {
        let kind = body.get("object_kind").and_then(Value::as_str).unwrap_or_default();
        let (event, shape, repository) = match self {
            Source::Github => (event, shape_of(GITHUB, event), "/repository/full_name"),
            Source::Gitlab => (kind, shape_of(GITLAB, kind), "/project/path_with_namespace"),
            Source::Generic => ("delivery", Some(GENERIC), "/repository"),
        };
        let text = |pointer: &str| body.pointer(pointer).and_then(Value::as_str).map(cut);
        let mut facts = Map::new();
        let mut put = |name: &str, value: Option<String>| {
            if let Some(value) = value.filter(|value| !value.is_empty()) {
                facts.insert(name.to_string(), Value::String(value));
            }
        };
        put("source", Some(self.name().to_string()));
        put("event", Some(cut(event)));
        put("repository", text(repository));
        let conclusion = shape.and_then(|shape| text(shape.conclusion));
        put("conclusion", conclusion.clone());
        if let Some(shape) = shape {
            put("title", text(shape.title));
            put("branch", text(shape.branch));
            put("commit", text(shape.commit));
            put("url", text(shape.url));
        }
        let said = |name: &str| facts.get(name).and_then(Value::as_str);
        let parts = [said("event"), said("title"), said("conclusion"), said("repository"), said("branch")];
        let summary = parts.into_iter().flatten().collect::<Vec<_>>().join(" · ");
        Reading { outcome: outcome_of(conclusion.as_deref()), summary, facts }
    }
}

fn shape_of(shapes: &'static [Shape], event: &str) -> Option<&'static Shape> {
    shapes.iter().find(|shape| shape.event == event)
}

fn outcome_of(conclusion: Option<&str>) -> Outcome {
    match conclusion.unwrap_or_default() {
        "failure" | "failed" | "error" | "timed_out" | "startup_failure" => Outcome::Failure,
        "success" | "passed" => Outcome::Success,
        _ => Outcome::Other,
    }
}

fn cut(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_control()).take(LONGEST).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(source: Source, event: &str, body: &Value, outcome: Outcome, summary: &str) {
        let reading = source.read(event, body);
        assert_eq!((reading.outcome, reading.summary.as_str()), (outcome, summary));
    }

    #[test]
    fn a_failed_build_is_a_failure_wherever_it_failed() {
        let run = |conclusion: Value| {
            json!({
                "action": "completed", "repository": { "full_name": "shop/web" },
                "workflow_run": { "name": "CI", "conclusion": conclusion, "head_branch": "main", "head_sha": "a1" },
            })
        };
        let said = "workflow_run · CI · failure · shop/web · main";
        check(Source::Github, "workflow_run", &run(json!("failure")), Outcome::Failure, said);
        let said = "workflow_run · CI · success · shop/web · main";
        check(Source::Github, "workflow_run", &run(json!("success")), Outcome::Success, said);
        let said = "workflow_run · CI · shop/web · main";
        check(Source::Github, "workflow_run", &run(Value::Null), Outcome::Other, said);
        let pipeline = json!({
            "object_kind": "pipeline", "project": { "path_with_namespace": "shop/web" },
            "object_attributes": { "status": "failed", "ref": "main", "sha": "a1" },
        });
        check(
            Source::Gitlab,
            "Pipeline Hook",
            &pipeline,
            Outcome::Failure,
            "pipeline · failed · shop/web · main",
        );
        let own = json!({ "status": "failed", "title": "nightly build", "branch": "main" });
        check(Source::Generic, "", &own, Outcome::Failure, "delivery · nightly build · failed · main");
    }

    #[test]
    fn what_nobody_knows_is_nothing() {
        check(Source::Github, "star", &json!({ "action": "created" }), Outcome::Other, "star");
        check(Source::Github, "", &json!([]), Outcome::Other, "");
        check(Source::Gitlab, "", &json!({ "object_kind": 7 }), Outcome::Other, "");
        check(Source::Generic, "", &json!("failed"), Outcome::Other, "delivery");
        let long = json!({ "status": "x".repeat(5000), "title": "a\nb" });
        assert!(Source::Generic.read("", &long).summary.len() < 400);
    }
}
