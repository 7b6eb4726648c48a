//! The console output of a run: one line for each test with its details below, and
//! a count at the end.
//!
//! On a terminal a progress line follows, which is rewritten in place and removed
//! before each permanent line. Otherwise there are only permanent lines.

use std::io::{self, Write};
use std::path::PathBuf;

use assay_protocol::{
    FoundAgain, Judgement, ModelCall, Proof, ProofJudgement, RunEvent, RunFact, Verdict, for_terminal,
};

use crate::Reporter;
use crate::folder::folder_name;
use crate::plain::{lines, one_line};
use crate::progress::Progress;
use crate::spending::call_words;
use crate::style::{Ink, Style};
use crate::summary::{Summary, Totals};
use crate::test_summary::{AttemptSummary, TestSummary};
use crate::time::duration_words;

/// More are counted, not listed.
const MAX_CANDIDATES: usize = 5;

pub struct Console<W: Write> {
    output: W,
    style: Style,
    progress: Progress,
    /// Where failure bundles are written, as it shall be shown; None when there are none.
    failures: Option<PathBuf>,
    /// Of tests that ended only how they did: a run may have any number of them.
    summary: Summary,
    /// Steps of tests that ended, whose locks were healed.
    healed: usize,
    /// Prints each question to a model.
    is_verbose: bool,
    trouble: Option<io::Error>,
}

impl<W: Write> Console<W> {
    pub fn new(output: W, style: Style, failures: Option<PathBuf>) -> Self {
        let progress = Progress::new(style);
        Console {
            output,
            style,
            progress,
            failures,
            summary: Summary::default(),
            healed: 0,
            is_verbose: false,
            trouble: None,
        }
    }

    /// Prints every question to a model when it is answered.
    #[must_use]
    pub fn verbose(mut self, is_verbose: bool) -> Self {
        self.is_verbose = is_verbose;
        self
    }

    /// Knows an event of before, without telling it again.
    pub fn recall(&mut self, event: &RunEvent) {
        self.summary.event(event);
        self.forget(event);
    }

    /// Forgets a test that has been printed.
    fn forget(&mut self, event: &RunEvent) {
        if let RunFact::TestFinished { test, will_retry: false, .. } = &event.what {
            self.summary.keep_the_ending_of(test);
        }
    }

    /// Removes the progress line and returns whether everything could be printed. A
    /// run does not stop because its output is no longer read.
    pub fn finish(mut self) -> io::Result<()> {
        self.progress.stop();
        self.print("");
        self.trouble.map_or(Ok(()), Err)
    }

    /// Prints text that stays, in one write, so that lines are never torn.
    fn print(&mut self, text: &str) {
        let whole = self.progress.around(text, &self.summary);
        if self.trouble.is_none() && !whole.is_empty() {
            let written = self.output.write_all(whole.as_bytes()).and_then(|()| self.output.flush());
            self.trouble = written.err();
        }
    }
}

impl<W: Write> Reporter for Console<W> {
    fn event(&mut self, event: &RunEvent) {
        self.summary.event(event);
        if let RunFact::TestFinished { test, will_retry: false, .. } = &event.what {
            self.healed += self.summary.test(test).map_or(0, |test| test.accepted_healings().count());
        }
        let text = match &event.what {
            RunFact::FileRejected { file, message } => self.rejected_lines(file, message),
            RunFact::TestFinished { test, will_retry: false, .. } => {
                self.summary.test(test).map(|test| self.test_lines(test)).unwrap_or_default()
            }
            RunFact::ModelCalled { test, call, .. } if self.is_verbose => self.call_lines(test, call),
            RunFact::Proved { test, proof } => self.proof_lines(test, proof),
            RunFact::RunFinished { .. } => self.closing_lines(),
            _ => String::new(),
        };
        self.forget(event);
        if matches!(event.what, RunFact::RunFinished { .. }) {
            self.progress.stop();
        }
        self.print(&text);
    }
}

impl<W: Write> Console<W> {
    fn rejected_lines(&self, file: &str, message: &str) -> String {
        let mut message = lines(message);
        let mut text = format!("{} {}", self.style.paint(Ink::Bad, "REJECTED"), one_line(file));
        text += &message.next().map(|first| format!(" — {first}")).unwrap_or_default();
        text.push('\n');
        for line in message {
            text += &format!("  {line}\n");
        }
        text
    }

    /// One question to a model, with what its provider said about caches.
    fn call_lines(&self, test: &str, call: &ModelCall) -> String {
        let mut text = format!("{} {}\n", one_line(test), one_line(&call_words(call)));
        for line in &call.lines {
            text += &format!("  {}\n", one_line(line));
        }
        text
    }

    fn test_lines(&self, test: &TestSummary) -> String {
        let (Some(verdict), Some(attempt)) = (test.verdict(), test.last_attempt()) else {
            return String::new();
        };
        let mut text = self.head_line(test, verdict, attempt);
        text.push('\n');
        for line in self.details(test, verdict, attempt) {
            text += &format!("  {}\n", self.style.paint(Ink::Quiet, &for_terminal(&line)));
        }
        text
    }

    fn head_line(&self, test: &TestSummary, verdict: Verdict, attempt: &AttemptSummary) -> String {
        let word = match verdict {
            Verdict::Passed => "PASS",
            Verdict::Failed => "FAIL",
            Verdict::Inconclusive => "INCONCLUSIVE",
            Verdict::Error => "ERROR",
        };
        let mut line = format!("{} {}", self.style.paint(Ink::of(verdict), word), one_line(&test.line.id));
        // How long it took to break says nothing about the application.
        if verdict != Verdict::Error {
            let flaky = match test.is_flaky() {
                true => format!(", flaky: passed on attempt {}", attempt.number),
                false => String::new(),
            };
            let healed = if test.accepted_healings().next().is_some() { ", healed" } else { "" };
            let hollow = if test.has_no_expectation() { ", no expectation" } else { "" };
            line += &format!(" ({}{flaky}{healed}{hollow})", duration_words(test.duration_ms()));
        }
        let reason = one_line(&test.reason());
        if verdict != Verdict::Passed && !reason.is_empty() {
            line += &format!(" — {reason}");
        }
        line
    }

    fn details(&self, test: &TestSummary, verdict: Verdict, attempt: &AttemptSummary) -> Vec<String> {
        let mut details = Vec::new();
        // A flaky pass has its own line, with the attempts below it.
        if let Some(triage) = test.triage().filter(|_| verdict != Verdict::Passed) {
            details.push(triage.line());
        }
        let requirements = test.line.requirement_words();
        if verdict != Verdict::Passed && !requirements.is_empty() {
            details.push(format!("requirements: {}", one_line(&requirements)));
        }
        if let Some(step) = attempt.decisive_step().filter(|_| verdict != Verdict::Passed) {
            details.push(match one_line(&step.text) {
                text if text.is_empty() => format!("at {}", step.place_words()),
                text => format!("at {}: {text}", step.place_words()),
            });
            if verdict == Verdict::Inconclusive {
                let judgements = step.ending.iter().flat_map(|ending| &ending.judgements);
                details.extend(candidates(judgements.filter(|it| it.verdict == Verdict::Inconclusive)));
            }
        }
        for (step, healing) in test.healings() {
            let found = healing.found.iter().map(healed_words).collect::<Vec<_>>().join("; ");
            let found = if found.is_empty() { "found another way".to_owned() } else { found };
            details.push(match verdict {
                Verdict::Passed => format!("healed at {}: {found}", step.place_words()),
                // `assay heal` has nothing to accept from it.
                _ => format!(
                    "changed at {}: {found}; not healed, because the test did not pass",
                    step.place_words()
                ),
            });
        }
        if let Some(words) = test.spending().words() {
            details.push(format!("models: {words}"));
        }
        let safety = attempt.steps.iter().flat_map(|step| &step.pilots).flat_map(|pilot| &pilot.safety);
        for event in safety {
            details.push(format!("safety: {}: {}", event.code, one_line(&event.message)));
        }
        for judgement in attempt.standing() {
            details.push(format!(
                "standing: \"{}\" was already true before the action",
                one_line(&judgement.claim)
            ));
        }
        details.extend(attempt.blocked().iter().map(|blocked| one_line(&blocked.to_string())));
        let earlier = test.attempts.iter().filter(|it| it.number != attempt.number);
        for ending in earlier.filter_map(|it| it.ending.as_ref().map(|ending| (it.number, ending))) {
            let (number, ending) = ending;
            details.push(format!(
                "attempt {number}: {} ({}) — {}",
                ending.verdict.name(),
                duration_words(ending.duration_ms),
                one_line(&ending.reason)
            ));
        }
        if let Some(failures) = self.failures.as_ref().filter(|_| verdict != Verdict::Passed) {
            let folder = failures.join(folder_name(&test.line.id));
            details.push(format!("see {}", one_line(&folder.to_string_lossy())));
        }
        details
    }

    /// The injected faults, and how the test reacted.
    fn proof_lines(&self, test: &str, proof: &Proof) -> String {
        let (ink, word) = match proof.judgement() {
            ProofJudgement::Proved => (Ink::Good, "PROVED"),
            ProofJudgement::Hollow => (Ink::Bad, "HOLLOW"),
            ProofJudgement::Open => (Ink::Doubtful, "NOT PROVED"),
        };
        let counts = match (proof.hollow.as_ref().or(proof.void.as_ref()), proof.counted()) {
            (Some(reason), _) => one_line(reason),
            (None, 0) => "no fault could be injected".to_owned(),
            (None, counted) => format!("{} of {counted} faults caught", proof.caught()),
        };
        let mut text = format!("{} {} — {counts}\n", self.style.paint(ink, word), one_line(test));
        for missed in proof.missed() {
            let at = one_line(&missed.at);
            let claim = match &missed.claim {
                Some(claim) => format!("\"{}\" should have caught it", one_line(claim)),
                None => "no later expectation could catch it".to_owned(),
            };
            let line = format!("missed: {}, at \"{at}\"; {claim}", one_line(&missed.fault));
            text += &format!("  {}\n", self.style.paint(Ink::Quiet, &line));
        }
        text
    }

    fn closing_lines(&self) -> String {
        let totals = self.summary.totals();
        let mut line = totals_words(&totals);
        if self.summary.ending.is_some_and(|ending| ending.interrupted) {
            line += "; interrupted";
        }
        line.push('\n');
        let healed = self.healed;
        if healed > 0 {
            let steps = if healed == 1 { "1 step was".to_owned() } else { format!("{healed} steps were") };
            line += &format!("{steps} healed; run `assay heal` to review and accept the changes\n");
        }
        for way in &self.summary.broken_ways {
            line += &format!("{}\n", one_line(&way.words()));
        }
        if let Some(words) = self.summary.spent.words() {
            line += &format!("models: {words}\n");
        }
        if let Some(proofs) = self.summary.proofs() {
            line += &format!("{}\n", proofs.words());
        }
        line
    }
}

/// `button "Save" is now "Save changes" (similarity 0.82)`.
pub(crate) fn healed_words(found: &FoundAgain) -> String {
    let (was, now) = (one_line(&found.was.name), one_line(&found.now.name));
    let now = match (was == now, found.was.role == found.now.role) {
        (false, true) => format!("is now \"{now}\""),
        (true, true) => "has different attributes now".to_owned(),
        (_, false) => format!("is now {} \"{now}\"", found.now.role),
    };
    format!("{} \"{was}\" {now} (similarity {:.2})", found.was.role, found.score)
}

fn candidates<'a>(judgements: impl Iterator<Item = &'a Judgement>) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for element in judgements.flat_map(|judgement| &judgement.elements) {
        let line =
            format!("could be: {} \"{}\" {}", element.role, one_line(&element.name), element.reference);
        let line = one_line(&line);
        if !all.contains(&line) {
            all.push(line);
        }
    }
    let more = all.len().saturating_sub(MAX_CANDIDATES);
    all.truncate(MAX_CANDIDATES);
    if more > 0 {
        all.push(format!("and {more} more"));
    }
    all
}

/// `4 tests: 3 passed (1 flaky), 1 failed; 1 file rejected`.
pub(crate) fn totals_words(totals: &Totals) -> String {
    let mut parts = Vec::new();
    let mut part = |count: usize, words: &str| {
        if count > 0 {
            parts.push(format!("{count} {words}"));
        }
    };
    let mut passed = Vec::new();
    if totals.flaky > 0 {
        passed.push(format!("{} flaky", totals.flaky));
    }
    if totals.no_expectation > 0 {
        passed.push(format!("{} without an expectation", totals.no_expectation));
    }
    match passed.is_empty() {
        true => part(totals.passed, "passed"),
        false => part(totals.passed, &format!("passed ({})", passed.join(", "))),
    }
    part(totals.failed, "failed");
    part(totals.inconclusive, "inconclusive");
    part(totals.errors, if totals.errors == 1 { "error" } else { "errors" });
    part(totals.not_run, "not run");
    let mut line = match totals.tests {
        0 => "0 tests: nothing was run".to_owned(),
        1 => format!("1 test: {}", parts.join(", ")),
        tests => format!("{tests} tests: {}", parts.join(", ")),
    };
    match totals.rejected_files {
        0 => {}
        1 => line += "; 1 file rejected",
        files => line += &format!("; {files} files rejected"),
    }
    line
}

#[cfg(test)]
#[path = "console_tests.rs"]
mod tests;
