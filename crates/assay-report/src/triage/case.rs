//! The facts about one test, in the form that the rules use.

use assay_protocol::{CommandRecord, ErrorCode, Judgement, Verdict};

use crate::plain::one_line;
use crate::test_summary::{AttemptSummary, StepRecord, TestSummary};

use super::trouble::{Trouble, TroubleKind, troubles_of};
use super::words;

/// The most that a reason quotes of one text.
const LONGEST_QUOTE: usize = 140;

pub struct Case<'a> {
    pub test: &'a TestSummary,
    /// The attempt that counts.
    pub attempt: Option<&'a AttemptSummary>,
    /// The step where it went wrong, if it is one step.
    pub step: Option<&'a StepRecord>,
    /// Earlier troubles that did not end the test, earliest first.
    pub troubles: Vec<Trouble<'a>>,
}

impl<'a> Case<'a> {
    pub fn of(test: &'a TestSummary) -> Self {
        let attempt = test.last_attempt();
        let step = attempt.and_then(AttemptSummary::decisive_step);
        let mut case = Case { test, attempt, step, troubles: Vec::new() };
        if let Some(attempt) = attempt {
            let troubles = troubles_of(attempt, step, &|words| case.test_speaks_of(words));
            case.troubles = troubles.into_iter().filter(|trouble| !case.intends(trouble.kind)).collect();
        }
        case
    }

    /// `step 2`, or `the test` without a known step.
    pub fn place(&self) -> String {
        self.step.map_or("the test".to_owned(), StepRecord::place_words)
    }

    /// The verdict of the decisive step; without one, of the whole test.
    pub fn verdict(&self) -> Option<Verdict> {
        self.step.and_then(StepRecord::verdict).or_else(|| self.test.verdict())
    }

    /// The message of the decisive step; without one, that of the test.
    pub fn said(&self) -> String {
        let of_step = self.step.and_then(|step| step.ending.as_ref()).map(|ending| ending.reason.as_str());
        match of_step.filter(|reason| !reason.is_empty()) {
            Some(reason) => reason.to_owned(),
            None => self.test.reason(),
        }
    }

    /// The command that ended the step: its last one, if that failed.
    pub fn failed_command(&self) -> Option<&'a CommandRecord> {
        self.step.and_then(|step| step.commands.last()).filter(|command| !command.ok)
    }

    pub fn code(&self) -> Option<ErrorCode> {
        self.failed_command().and_then(|command| command.code)
    }

    /// The judgement that ended the step.
    pub fn judgement(&self) -> Option<&'a Judgement> {
        let ending = self.step?.ending.as_ref()?;
        ending.judgements.iter().rev().find(|judgement| judgement.verdict == ending.verdict)
    }

    /// A claim that is plainly false: the place that it names shows something else.
    pub fn false_claim(&self) -> Option<&'a Judgement> {
        self.judgement().filter(|it| it.verdict == Verdict::Failed && !it.claim.is_empty())
    }

    /// The same, and the page showed what there is instead.
    pub fn plainly_false_claim(&self) -> Option<&'a Judgement> {
        self.false_claim()
            .filter(|it| it.found.is_some() || (it.expected.is_none() && !it.elements.is_empty()))
    }

    /// All that the page said last.
    pub fn page_text(&self) -> &'a str {
        let ending = self.attempt.and_then(|attempt| attempt.ending.as_ref());
        ending.and_then(|ending| ending.last_page.as_ref()).map(|page| page.text.as_str()).unwrap_or_default()
    }

    /// Whether the test wants just this to happen: then it is no trouble.
    fn intends(&self, kind: TroubleKind) -> bool {
        match kind {
            TroubleKind::KeptOut | TroubleKind::PageForbidden | TroubleKind::RequestForbidden => {
                self.is_about(words::REFUSAL)
            }
            TroubleKind::PageMissing => self.is_about(words::MISSING_PAGE),
            TroubleKind::ServerBroke | TroubleKind::ServerAway => self.is_about(words::SERVER_ERROR),
            TroubleKind::Unreachable | TroubleKind::Exception | TroubleKind::Complaint => false,
        }
    }

    /// Whether the test is about one of these matters.
    pub fn is_about(&self, matters: &[&str]) -> bool {
        matters.iter().any(|words| self.test_speaks_of(words))
    }

    /// Whether the author's own words speak of this: then it is what the test is
    /// about, and no evidence of trouble.
    pub fn test_speaks_of(&self, words: &str) -> bool {
        let speaks = |text: &str| text.to_lowercase().contains(words);
        speaks(&self.test.line.name)
            || self.attempt.is_some_and(|attempt| attempt.steps.iter().any(|step| speaks(&step.text)))
    }
}

/// The text as a reason quotes it.
pub fn quoted(text: &str) -> String {
    format!("\"{}\"", short(text))
}

/// The text in one line, cut to what a reason can hold.
pub fn short(text: &str) -> String {
    let line = one_line(text);
    match line.char_indices().nth(LONGEST_QUOTE) {
        Some((end, _)) => format!("{}…", line[..end].trim_end()),
        None => line,
    }
}
