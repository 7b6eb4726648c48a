//! A suite without a browser: what there is, and what each sentence would mean.

use assay_host::part_name;
use assay_protocol::Format;
use assay_runner::{
    Claimed, Meanings, Plan, PlanStep, PreconditionMeans, Screens, StepBody, screen_of_precondition,
};
use serde_json::json;

use crate::output;

/// 2 when a file could not be read, or there is nothing at all.
fn code(plans: &[Plan], rejected: &[(String, String)]) -> u8 {
    if rejected.is_empty() && !plans.is_empty() { 0 } else { 2 }
}

fn complain(rejected: &[(String, String)]) {
    for (_, message) in rejected {
        output::tell(message);
    }
}

pub fn list(plans: &[Plan], rejected: &[(String, String)], format: Format) -> u8 {
    complain(rejected);
    match format {
        Format::Json => {
            let tests: Vec<_> = plans.iter().map(|plan| &plan.line).collect();
            output::print_json(&json!({ "ok": rejected.is_empty(), "data": { "tests": tests } }));
        }
        Format::Text => {
            for plan in plans {
                output::print_line(&format!("{}  {}", plan.line.id, plan.line.file));
            }
            let word = if plans.len() == 1 { "test" } else { "tests" };
            output::print_line(&format!("{} {word}", plans.len()));
        }
    }
    code(plans, rejected)
}

/// 3 when a sentence is not understood.
pub fn meanings(
    plans: &[Plan],
    rejected: &[(String, String)],
    screens: Option<&dyn Screens>,
    format: Format,
) -> u8 {
    complain(rejected);
    let mut unclear = 0;
    let mut tests = Vec::new();
    for plan in plans {
        if format == Format::Text {
            output::print_line(&format!("{}  {}", plan.line.id, plan.line.file));
        }
        let mut steps = Vec::new();
        for precondition in &plan.preconditions {
            let how = match &precondition.made {
                PreconditionMeans::Assumed => {
                    let known =
                        |screens| screen_of_precondition(&precondition.text, screens, &plan.selectors);
                    match screens.and_then(known) {
                        Some(screen) => {
                            format!("go to the screen {screen} of the navigation tree; the test begins there")
                        }
                        None => "assumed: nothing says how to make it true".to_string(),
                    }
                }
                PreconditionMeans::ByHost(_) => "made true by the project".to_string(),
                PreconditionMeans::Steps(inner) => format!("made true by {} steps", inner.len()),
            };
            tell(format, "precondition", &precondition.text, std::slice::from_ref(&how));
            steps.push(json!({ "part": "precondition", "text": precondition.text, "means": [how] }));
        }
        let mut read = Meanings::default();
        for step in plan.setup.iter().chain(&plan.steps).chain(&plan.expected).chain(&plan.teardown) {
            let (means, understood) = of_step(plan, step, screens, &mut read);
            unclear += usize::from(!understood);
            tell(format, part_name(step.part), &step.text, &means);
            steps.push(json!({
                "part": part_name(step.part), "text": step.text, "means": means, "understood": understood,
            }));
        }
        let no_expectation = plan.claimed() == Claimed::Nothing;
        if no_expectation && format == Format::Text {
            output::print_line("  no expectation: the test is hollow");
        }
        tests.push(json!({
            "id": plan.line.id, "file": plan.line.file, "steps": steps, "no_expectation": no_expectation,
        }));
    }
    match format {
        Format::Json => output::print_json(&json!({ "ok": unclear == 0, "data": { "tests": tests } })),
        Format::Text if unclear == 1 => output::print_line("1 sentence was not understood"),
        Format::Text if unclear > 1 => {
            output::print_line(&format!("{unclear} sentences were not understood"))
        }
        Format::Text => {}
    }
    match code(plans, rejected) {
        0 if unclear > 0 => 3,
        other => other,
    }
}

fn of_step(
    plan: &Plan,
    step: &PlanStep,
    screens: Option<&dyn Screens>,
    read: &mut Meanings,
) -> (Vec<String>, bool) {
    match &step.what {
        StepBody::Exact(action) => (vec![format!("exactly: {}", action.verb())], true),
        StepBody::Sentence(sentence) => {
            let (means, is_understood) = match read.of(sentence, &plan.selectors, screens) {
                Ok(means) => (means, true),
                Err(why) => (vec![why], false),
            };
            (means.iter().map(|line| plan.secrets.mask(line)).collect(), is_understood)
        }
    }
}

fn tell(format: Format, part: &str, text: &str, means: &[String]) {
    if format == Format::Json {
        return;
    }
    output::print_line(&format!("  {part}: {text}"));
    for line in means {
        output::print_line(&format!("    → {line}"));
    }
}
