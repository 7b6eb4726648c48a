//! A tab that an act has opened. A test stays where it is until it says "Switch to the new tab"; a sentence that fails on
//! the page before may be about the new one.

use assay_protocol::Verdict;

use crate::attempt::Attempt;
use crate::step::StepEnd;

impl Attempt<'_> {
    /// A failure on one page is no evidence while the last act's new tab was not looked at.
    pub(crate) fn unless_in_new_tab(&self, end: StepEnd) -> StepEnd {
        match &self.state.new_tab {
            Some(tab) if end.verdict == Verdict::Failed => {
                let reason = format!(
                    "{}; the last act opened tab {tab}: if that page is meant, add the step `Switch to the new tab`",
                    end.reason
                );
                let mut end = StepEnd { verdict: Verdict::Inconclusive, reason, ..end };
                if let Some(last) = end.judgements.last_mut() {
                    last.verdict = Verdict::Inconclusive;
                    last.reason = end.reason.clone();
                }
                end
            }
            _ => end,
        }
    }
}
