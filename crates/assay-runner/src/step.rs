//! One step: its sentence read, its acts carried out, its claims judged.

use std::time::{Duration, Instant};

use assay_driver::Deadline;
use assay_language::{About, Claim, Hints, Intent, NotUnderstood, mentioned, read};
use assay_protocol::{Action, Answer, ElementLine, Failure, Judgement, Part, Verdict};
use serde_json::Value;

use crate::attempt::{Attempt, CommandChoice};
use crate::committing::may_commit;
use crate::locked::ActPosition;
use crate::locking::is_lockable;
use crate::outcome::{may_be_tried_again, verdict_of};
use crate::plan::StepBody;

/// How a step ended.
#[derive(Debug, Clone)]
pub struct StepEnd {
    pub verdict: Verdict,
    /// Empty for a pass.
    pub reason: String,
    pub judgements: Vec<Judgement>,
    /// How many of the judgements were made before the last act of the step.
    pub before_act: usize,
    /// The interpreter was not sure what to do; a pilot may be.
    pub unsure: bool,
    /// Nothing on the page is what the step speaks of: the elements of the judgements are only the nearest.
    pub is_missing: bool,
    /// Why it was not sure, without advice for the author. Empty where the reason says no more.
    pub doubt: String,
}

impl StepEnd {
    pub(crate) fn passed() -> StepEnd {
        StepEnd::with(Verdict::Passed, String::new())
    }

    pub(crate) fn failed(reason: String) -> StepEnd {
        StepEnd::with(Verdict::Failed, reason)
    }

    pub(crate) fn inconclusive(reason: String) -> StepEnd {
        StepEnd::with(Verdict::Inconclusive, reason)
    }

    pub(crate) fn with(verdict: Verdict, reason: String) -> StepEnd {
        StepEnd {
            verdict,
            reason,
            judgements: Vec::new(),
            before_act: 0,
            unsure: false,
            is_missing: false,
            doubt: String::new(),
        }
    }

    /// The interpreter does not know what to do.
    pub(crate) fn not_sure(reason: String) -> StepEnd {
        StepEnd { unsure: true, ..StepEnd::inconclusive(reason) }
    }

    /// How a step that is one claim ended.
    pub(crate) fn judged(judgement: Judgement) -> StepEnd {
        let passed = judgement.verdict == Verdict::Passed;
        let reason = if passed { String::new() } else { judgement.reason.clone() };
        let verdict = judgement.verdict;
        StepEnd { judgements: vec![judgement], ..StepEnd::with(verdict, reason) }
    }

    pub(crate) fn unclear(why: String, candidates: Vec<ElementLine>, clearer: String) -> StepEnd {
        let reason = if clearer.is_empty() { why.clone() } else { format!("{why}; {clearer}") };
        let judgement = Judgement {
            claim: String::new(),
            verdict: Verdict::Inconclusive,
            standing: false,
            may_stand: false,
            reason: why.clone(),
            expected: None,
            found: None,
            elements: candidates,
        };
        StepEnd { judgements: vec![judgement], unsure: true, doubt: why, ..StepEnd::inconclusive(reason) }
    }

    pub(crate) fn of_failure(failure: &Failure) -> StepEnd {
        let verdict = verdict_of(failure);
        let reason = match failure.code {
            assay_protocol::ErrorCode::DialogOpen => {
                format!("{}; the test does not say how to answer it", failure.message)
            }
            _ => failure.message.clone(),
        };
        // Nothing was done, and the page did not refuse: a pilot may know another way.
        let unsure = verdict == Verdict::Inconclusive && may_be_tried_again(failure);
        StepEnd { unsure, ..StepEnd::with(verdict, reason) }
    }

    fn not_understood(err: &NotUnderstood) -> StepEnd {
        let mut reason = err.to_string();
        if let Some(instead) = err.instead.first() {
            reason.push_str(&format!("; a sentence like it: {instead}"));
        }
        StepEnd { doubt: err.to_string(), ..StepEnd::inconclusive(reason) }
    }

    /// Why the interpreter was not sure.
    pub(crate) fn doubt(&self) -> String {
        if self.doubt.is_empty() { self.reason.clone() } else { self.doubt.clone() }
    }
}

impl Attempt<'_> {
    /// Carries out one step, to the end or until it is clear that it does not pass.
    pub async fn run_step(&mut self, what: &StepBody, time: Duration) -> StepEnd {
        let deadline = Deadline::after(time);
        self.step.acts_done = 0;
        if let Some(trial) = &mut self.state.trial {
            trial.break_at_step(&self.step, &mut *self.surface).await;
        }
        match what {
            StepBody::Exact(action) => self.exact(action, deadline).await,
            StepBody::Sentence(sentence) => self.sentence(sentence, deadline).await,
        }
    }

    /// What sentences are read against.
    pub(crate) fn names(&self) -> Hints {
        Hints { mentioned: self.state.mentioned.clone(), ..self.context.names() }
    }

    async fn sentence(&mut self, sentence: &str, deadline: Deadline) -> StepEnd {
        let (sentence, deadline) = match self.first_on_screen(sentence, deadline).await {
            Some((end, rest)) if end.verdict != Verdict::Passed || rest.is_empty() => return end,
            // The way took its own time.
            Some((_, rest)) => (rest, Deadline::after(deadline.remaining().max(Duration::from_secs(5)))),
            None => (sentence, deadline),
        };
        let names = self.names();
        let intents = match read(sentence, &names) {
            Ok(intents) => {
                self.state.mentioned = mentioned(&intents, self.state.mentioned.as_ref());
                intents
            }
            Err(err) => {
                let end = StepEnd::not_understood(&err);
                return match self.step.part {
                    Part::Expected => self.unread_claim(sentence, end, deadline).await,
                    _ => self.whole_sentence(sentence, None, end, deadline).await,
                };
            }
        };
        let is_whole = self.takes_whole(sentence);
        let mut end = StepEnd::passed();
        let several = intents.len() > 1;
        let mut rest = (1..).zip(intents).peekable();
        while let Some((nth, intent)) = rest.next() {
            let deadline = deadline.later(self.step.asked_for);
            if matches!(intent, Intent::Act(_)) {
                end.before_act = end.judgements.len();
            }
            let part = match intent {
                Intent::Act(act) if is_whole && is_lockable(&act) => {
                    // A pilot gets all consecutive acts at once, because it may carry out the next ones too.
                    let mut acts = vec![act.meaning()];
                    while let Some((_, Intent::Act(next))) =
                        rest.next_if(|(_, next)| matches!(next, Intent::Act(act) if is_lockable(act)))
                    {
                        acts.push(next.meaning());
                    }
                    let is_all = nth == 1 && rest.peek().is_none();
                    let only = (!is_all).then(|| acts.join(", then "));
                    let nobody = StepEnd::inconclusive("no pilot can carry it out".to_string());
                    self.whole_sentence(sentence, only, nobody, deadline).await
                }
                Intent::Act(act) => self.act(act, ActPosition { sentence, nth, several }, deadline).await,
                Intent::Claim(claim) => {
                    let weighed = self.await_claim(&claim, sentence, deadline).await;
                    StepEnd::judged(self.put_to_judge(&claim, weighed).await)
                }
            };
            end.judgements.extend(part.judgements);
            end.verdict = part.verdict;
            end.reason = part.reason;
            end.is_missing = part.is_missing;
            if end.verdict != Verdict::Passed {
                break;
            }
        }
        self.unless_in_new_tab(end)
    }

    /// A judge, if there is one, decides about expectations that the interpreter does not understand.
    async fn unread_claim(&mut self, sentence: &str, end: StepEnd, deadline: Deadline) -> StepEnd {
        let claim = unread_claim(sentence, &end.reason);
        if self.state.available.judge.is_none() {
            return self.with_absent(end);
        }
        let weighed = self.await_claim(&claim, sentence, deadline).await;
        StepEnd::judged(self.put_to_judge(&claim, weighed).await)
    }

    async fn exact(&mut self, action: &Action, deadline: Deadline) -> StepEnd {
        let action = self.context.with_whole_address(action.clone());
        let mut seen = None;
        if action.changes_the_page()
            && let Ok(scene) = self.look(deadline).await
        {
            self.state.history.acting(&scene);
            seen = Some(scene);
        }
        let commits = may_commit(&action, seen.as_deref());
        let chosen = CommandChoice { commits, ..CommandChoice::harmless("exact", "the test says so") };
        self.until_it_holds(&action, deadline).await;
        match self.command(&action, chosen, deadline).await {
            Ok(Answer::Is { holds: false, state }) => {
                StepEnd::failed(format!("expected it to be {state}, but it is not"))
            }
            Ok(Answer::Count { count: 0 }) => {
                StepEnd::failed("expected at least one match, found none".to_string())
            }
            Ok(Answer::Json { value }) if is_no(&value, self.step.part) => {
                StepEnd::failed(format!("expected a true value, got {value}"))
            }
            Ok(Answer::Text { text }) if is_no_value(&action, &text, self.step.part) => {
                StepEnd::failed(format!("expected a true value, got {text}"))
            }
            Ok(_) => StepEnd::passed(),
            Err(failure) => StepEnd::of_failure(&failure),
        }
    }

    /// Repeats a question until the answer is yes or its time is up: only the last one is reported.
    async fn until_it_holds(&mut self, action: &Action, deadline: Deadline) {
        if !matches!(action, Action::Is { .. } | Action::Count { .. }) {
            return;
        }
        let patience = Instant::now() + deadline.remaining().min(Duration::from_secs(5));
        let call = self.context.call_until(deadline);
        while Instant::now() < patience {
            match self.surface.perform(action, &call).await {
                Ok(Answer::Is { holds: false, .. } | Answer::Count { count: 0 }) | Err(_) => {
                    tokio::time::sleep(Duration::from_millis(100)).await;
                }
                Ok(_) => return,
            }
        }
    }
}

/// A sentence that is not understood, as a claim.
pub(crate) fn unread_claim(sentence: &str, why: &str) -> Claim {
    let about = About::Unknown { why: why.to_string() };
    Claim { said: sentence.to_string(), negated: false, stays: false, about }
}

/// Answers of a script that mean no. An expectation also fails for every value that JavaScript treats as false and for an
/// empty list; a test that expects such a value compares with it.
fn is_no(value: &Value, part: Part) -> bool {
    let is_expected = part == Part::Expected;
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::Number(number) => is_expected && number.as_f64() == Some(0.0),
        Value::String(text) => is_expected && text.is_empty(),
        Value::Array(items) => is_expected && items.is_empty(),
        Value::Bool(true) | Value::Object(_) => false,
    }
}

/// The same for values that JSON does not have, which browsers describe in words.
fn is_no_value(action: &Action, words: &str, part: Part) -> bool {
    part == Part::Expected
        && matches!(action, Action::Eval { .. })
        && matches!(words, "undefined" | "NaN" | "0n" | "-0")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_expected_script_must_come_to_something() {
        let expected = |value: Value| is_no(&value, Part::Expected);
        for no in [json!(null), json!(false), json!(0), json!(-0.0), json!(""), json!([])] {
            assert!(expected(no.clone()), "{no}");
        }
        for yes in [json!(true), json!(1), json!("no"), json!([0]), json!({})] {
            assert!(!expected(yes.clone()), "{yes}");
        }
        let eval = Action::Eval { expression: String::new() };
        assert!(is_no_value(&eval, "undefined", Part::Expected) && is_no_value(&eval, "NaN", Part::Expected));
        assert!(!is_no_value(&eval, "a function", Part::Expected));
    }

    #[test]
    fn a_script_in_a_step_is_there_for_its_effect() {
        assert!(!is_no(&json!(0), Part::Step) && !is_no(&json!(""), Part::Step));
        let eval = Action::Eval { expression: String::new() };
        assert!(!is_no_value(&eval, "undefined", Part::Step));
        assert!(is_no(&json!(false), Part::Step));
    }
}
