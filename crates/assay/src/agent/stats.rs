//! `assay agent stats`: what questions to models used, measured: the tools of one skill against those of all, and a cold
//! cache against a warm one.

use std::process::ExitCode;

use assay_coordinator::SkillUse;
use assay_host::state_failure;
use assay_protocol::Failure;
use serde_json::json;

use crate::environment::Environment;
use crate::{output, state};

pub fn run(json: bool, environment: &Environment) -> Result<ExitCode, Failure> {
    let uses = match state::look_here(environment)? {
        Some(coordinator) => coordinator.agent_use().map_err(state_failure)?,
        None => Vec::new(),
    };
    if json {
        output::print_json(&json!({ "ok": true, "data": { "skills": uses } }));
        return Ok(ExitCode::SUCCESS);
    }
    if uses.is_empty() {
        output::tell("no agent has asked a model yet");
        return Ok(ExitCode::SUCCESS);
    }
    output::print_line(
        "| Scenario | Model | Calls | Tools | All tools in one prompt | Cold | Savings | Cached, billed | Savings | Cost |",
    );
    output::print_line("|---|---|---|---|---|---|---|---|---|---|");
    for one in &uses {
        output::print_line(&row(one));
    }
    output::tell(
        "tokens of questions, per call; billed: at the price of tokens that are neither read from a cache nor written to one",
    );
    Ok(ExitCode::SUCCESS)
}

fn row(one: &SkillUse) -> String {
    let scenario = one.skill.as_deref().unwrap_or("(choosing a skill)");
    let tokens = |count: Option<f64>| count.map_or("–".to_string(), |count| format!("{count:.0}"));
    let saved = |count: Option<f64>| match count {
        Some(count) if one.broad > 0.0 => format!("{:.0}%", 100.0 * (1.0 - count / one.broad)),
        _ => "–".to_string(),
    };
    format!(
        "| {scenario} | {} | {} | {} | {} | {} | {} | {} | {} | ${:.4} |",
        one.model,
        one.calls,
        one.tools,
        tokens(Some(one.broad)),
        tokens(one.cold),
        saved(one.cold),
        tokens(one.cached_billed),
        saved(one.cached_billed),
        one.dollars
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_compares_what_was_measured() {
        let one = SkillUse {
            skill: Some("run-script".to_string()),
            model: "anthropic/claude-sonnet-4-6".to_string(),
            calls: 3,
            tools: 2,
            cold: Some(1600.0),
            cold_calls: 1,
            cached_billed: Some(250.0),
            cached_calls: 2,
            broad: 10_000.0,
            output: 50.0,
            dollars: 0.0123,
        };
        assert_eq!(
            row(&one),
            "| run-script | anthropic/claude-sonnet-4-6 | 3 | 2 | 10000 | 1600 | 84% | 250 | 98% | $0.0123 |"
        );
        let cold = SkillUse { cached_billed: None, skill: None, ..one };
        assert!(row(&cold).contains("| – | – | $0.0123 |"), "{}", row(&cold));
    }
}
