//! How a test came to its verdict, in enough detail that a person need not run it again.
//!
//! Step by step: the acts, who chose them and why, the obstacles, the expected and
//! the found values, and a clearer wording.

use std::fmt::Write;

use assay_protocol::{ActOutcome, Judgement, Retry, Verdict};

use crate::markdown::{code, escaped};
use crate::score::score_words;
use crate::spending::call_words;
use crate::test_summary::{AttemptSummary, StepRecord, TestSummary};
use crate::time::duration_words;
use crate::triage::Certainty;

/// The text of `agent_reasoning.md`.
pub fn story(test: &TestSummary) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = tell(&mut text, test);
    text
}

fn tell(out: &mut String, test: &TestSummary) -> std::fmt::Result {
    let line = &test.line;
    writeln!(out, "# {}\n", escaped(&line.name))?;
    let verdict = test.verdict().map_or("not run", Verdict::name);
    match test.reason() {
        reason if reason.is_empty() => writeln!(out, "**{verdict}**\n")?,
        reason => writeln!(out, "**{verdict}**: {}\n", escaped(&reason))?,
    }
    if let Some(triage) = test.triage() {
        let class = triage.class.words();
        let probably = if triage.certainty == Certainty::Probable { "Probably " } else { "" };
        writeln!(out, "{probably}**{class}**: {}\n", escaped(&triage.evidence))?;
    }
    for (label, value) in [("Test", &line.id), ("File", &line.file), ("Browser", &line.browser)] {
        if !value.is_empty() {
            writeln!(out, "- {label}: {}", code(value))?;
        }
    }
    let requirements = line.requirement_words();
    if !requirements.is_empty() {
        writeln!(out, "- Requirements: {}", escaped(&requirements))?;
    }
    for attempt in &test.attempts {
        tell_attempt(out, attempt, test.attempts.len())?;
    }
    let advice = test.last_attempt().map(|attempt| advice(test, attempt)).unwrap_or_default();
    if !advice.is_empty() {
        writeln!(out, "\n## What to do next\n")?;
        for line in advice {
            writeln!(out, "- {line}")?;
        }
    }
    Ok(())
}

fn tell_attempt(out: &mut String, attempt: &AttemptSummary, of: usize) -> std::fmt::Result {
    match of {
        1 => writeln!(out, "\n## What happened\n")?,
        _ => writeln!(out, "\n## What happened in attempt {} of {of}\n", attempt.number)?,
    }
    for step in &attempt.steps {
        tell_step(out, step)?;
    }
    for note in &attempt.notes {
        writeln!(out, "- Note: {}", escaped(note))?;
    }
    match &attempt.ending {
        Some(ending) => writeln!(
            out,
            "\nFinished after {}: {}.",
            duration_words(ending.duration_ms),
            ending.verdict.name()
        ),
        None => writeln!(out, "\nThe attempt did not finish."),
    }
}

fn tell_step(out: &mut String, step: &StepRecord) -> std::fmt::Result {
    let verdict = step.verdict().map_or("did not finish", Verdict::name);
    let place = step.place_words();
    match step.text.is_empty() {
        true => writeln!(out, "- **{place}**: {verdict}")?,
        false => writeln!(out, "- **{place}**: {} → {verdict}", escaped(&step.text))?,
    }
    for command in &step.commands {
        write!(out, "  - {} chose {}", escaped(&command.pilot), code(&command.command))?;
        if !command.because.is_empty() {
            write!(out, " because {}", escaped(&command.because))?;
        }
        if let Some(score) = command.score {
            let words = score_words(score, command.margin, command.runner_up.as_deref());
            write!(out, " ({})", escaped(&words))?;
        }
        let outcome = if command.outcome.is_empty() {
            String::new()
        } else {
            format!(": {}", escaped(&command.outcome))
        };
        let word = if command.ok { "done" } else { "not done" };
        writeln!(out, "; {word} in {}{outcome}", duration_words(command.duration_ms))?;
        for request in &command.failed_requests {
            let asked = code(&format!("{} {}", request.method, request.url));
            writeln!(out, "    - Failed request: {asked}: {}", escaped(&request.why))?;
        }
        for line in &command.console_errors {
            writeln!(out, "    - Console error: {}", escaped(line))?;
        }
    }
    if let Some(command) = &step.under_way {
        writeln!(out, "  - {} started, but its result was not recorded", code(command))?;
    }
    for (retry, reason) in &step.retries {
        writeln!(out, "  - {}: {}", retry_words(*retry), escaped(reason))?;
    }
    for recovery in &step.recoveries {
        writeln!(
            out,
            "  - {} (tier {}): {}",
            tier_words(recovery.tier),
            recovery.tier,
            escaped(&recovery.reason)
        )?;
    }
    for pilot in &step.pilots {
        let degraded = if pilot.degraded { ", degraded" } else { "" };
        let ending = format!("{:?}", pilot.ending).to_lowercase();
        writeln!(out, "  - Asked {}: {ending}{degraded}: {}", pilot.pilot, escaped(&pilot.message))?;
        for event in &pilot.safety {
            writeln!(out, "    - Safety: {}: {}", escaped(&event.code), escaped(&event.message))?;
        }
    }
    for (turn, call) in (1..).zip(&step.calls) {
        writeln!(out, "  - Model: {}", escaped(&call_words(call)))?;
        for act in step.turns.iter().filter(|known| known.turn == turn).flat_map(|known| &known.acts) {
            let told = match act.outcome {
                ActOutcome::Done => "done".to_owned(),
                ActOutcome::Failed => format!("failed: {}", escaped(&act.told)),
                ActOutcome::Refused => format!("refused: {}", escaped(&act.told)),
                ActOutcome::Stopped => format!("stopped the step: {}", escaped(&act.told)),
            };
            writeln!(out, "    - {}: {told}", escaped(&act.label))?;
        }
    }
    for note in &step.notes {
        writeln!(out, "  - Note: {}", escaped(note))?;
    }
    let Some(ending) = &step.ending else { return Ok(()) };
    if !ending.reason.is_empty() {
        writeln!(out, "  - Reason: {}", escaped(&ending.reason))?;
    }
    for judgement in &ending.judgements {
        tell_judgement(out, judgement)?;
    }
    Ok(())
}

fn tell_judgement(out: &mut String, judgement: &Judgement) -> std::fmt::Result {
    let standing = if judgement.standing { ", already true before the action" } else { "" };
    writeln!(out, "  - Claim {}: {}{standing}", code(&judgement.claim), judgement.verdict.name())?;
    if !judgement.reason.is_empty() {
        writeln!(out, "    - {}", escaped(&judgement.reason))?;
    }
    for (label, value) in [("expected", &judgement.expected), ("found", &judgement.found)] {
        if let Some(value) = value {
            writeln!(out, "    - {label}: {}", code(value))?;
        }
    }
    for element in &judgement.elements {
        writeln!(out, "    - looked at {}", element_words(&element.role, &element.name, &element.reference))?;
    }
    Ok(())
}

/// What the author of the test or the application can do next.
fn advice(test: &TestSummary, attempt: &AttemptSummary) -> Vec<String> {
    let Some(verdict) = test.verdict() else { return Vec::new() };
    let mut advice = Vec::new();
    let step = attempt.decisive_step();
    let judgements =
        || step.and_then(|step| step.ending.as_ref()).into_iter().flat_map(|ending| &ending.judgements);
    match verdict {
        Verdict::Passed => {}
        Verdict::Failed => {
            for judgement in judgements().filter(|it| it.verdict == Verdict::Failed) {
                if let (Some(expected), Some(found)) = (&judgement.expected, &judgement.found) {
                    advice.push(format!(
                        "The page shows {} where the test expects {}: one of the two is wrong.",
                        code(found),
                        code(expected)
                    ));
                }
            }
            if test.line.is_program() {
                advice.push("Read `stdout.txt` and `stderr.txt` in the folder of the run.".to_owned());
            } else if advice.is_empty() {
                advice.push(
                    "Compare `page_text.txt` and the screenshot with what the test expects.".to_owned(),
                );
            }
        }
        Verdict::Inconclusive => {
            for judgement in
                judgements().filter(|it| it.verdict == Verdict::Inconclusive && it.elements.len() > 1)
            {
                let names: Vec<String> = judgement
                    .elements
                    .iter()
                    .map(|it| element_words(&it.role, &it.name, &it.reference))
                    .collect();
                advice.push(format!("Say which of these you mean: {}.", names.join(", ")));
            }
            if attempt.standing().next().is_some() {
                advice.push(
                    "Expect something that the action changes; if it should simply stay as it is, write \
                     `standing: allowed`."
                        .to_owned(),
                );
            }
            if advice.is_empty() {
                let which = step.map_or("the step".to_owned(), StepRecord::place_words);
                advice.push(format!(
                    "In {which}, quote the control or text exactly as the page shows it, add it to `selectors`, or \
                     write an exact command with `run:`."
                ));
            }
        }
        Verdict::Error => advice.push(
            "The result says nothing about the application: fix the cause above and run the test again."
                .to_owned(),
        ),
    }
    advice
}

fn retry_words(retry: Retry) -> &'static str {
    match retry {
        Retry::MapRefreshed => "Looked at the page again",
        Retry::SignatureTried => "Looked for the same element by its signature",
        Retry::Replanned => "Asked for an alternative",
        Retry::GivenUp => "Gave up",
    }
}

fn tier_words(tier: u8) -> &'static str {
    match tier {
        1 => "Looked again",
        2 => "Something was in the way",
        _ => "Looked closer",
    }
}

fn element_words(role: &str, name: &str, reference: &str) -> String {
    code(&format!("{role} \"{name}\" {reference}"))
}

#[cfg(test)]
#[path = "story_tests.rs"]
mod tests;
