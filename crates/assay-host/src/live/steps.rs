//! The steps of a test that is stepped through: how each ended, which comes next, and where one stops.

use std::collections::BTreeSet;

use assay_protocol::Part;
use assay_runner::PlanStep;

use super::view::{LiveStep, StepOutcome};
use crate::run::part_name;

/// A step, and the line of the text where it begins.
#[derive(Debug, Clone)]
pub struct PlacedStep {
    pub step: PlanStep,
    pub line: usize,
}

#[derive(Debug)]
struct Held {
    placed: PlacedStep,
    outcome: Option<StepOutcome>,
}

#[derive(Debug, Default)]
pub struct StepList {
    held: Vec<Held>,
    next: usize,
    /// Lines at which going on stops.
    stops: BTreeSet<usize>,
}

impl StepList {
    pub fn new(steps: Vec<PlacedStep>) -> StepList {
        let held = steps.into_iter().map(|placed| Held { placed, outcome: None }).collect();
        StepList { held, ..StepList::default() }
    }

    pub fn next(&self) -> usize {
        self.next
    }

    pub fn next_step(&self) -> Option<PlanStep> {
        self.held.get(self.next).map(|held| held.placed.step.clone())
    }

    pub fn stops_here(&self) -> bool {
        self.held.get(self.next).is_some_and(|held| self.stops.contains(&held.placed.line))
    }

    pub fn stop_at(&mut self, lines: Vec<usize>) {
        self.stops = lines.into_iter().collect();
    }

    /// The next step has ended. One that passed, or was left out, is over.
    pub fn ended(&mut self, outcome: StepOutcome) {
        let is_over = matches!(outcome.verdict.as_str(), "passed" | "skipped");
        if let Some(held) = self.held.get_mut(self.next) {
            held.outcome = Some(outcome);
            self.next += usize::from(is_over);
        }
    }

    /// A sentence was done by hand: it is a step now, and over.
    pub fn recorded(&mut self, step: PlanStep) {
        let outcome = StepOutcome { verdict: "recorded".to_string(), ..StepOutcome::default() };
        let placed = PlacedStep { step, line: 0 };
        self.held.insert(self.next, Held { placed, outcome: Some(outcome) });
        self.next += 1;
    }

    /// Whether every step was carried out as it is written.
    pub fn all_passed(&self) -> bool {
        let passed = |held: &Held| {
            held.outcome
                .as_ref()
                .is_some_and(|outcome| matches!(outcome.verdict.as_str(), "passed" | "recorded"))
        };
        self.next >= self.held.len() && self.held.iter().all(passed)
    }

    /// The text was changed. What is over stays over: the steps before the next one where they are the same, else as many
    /// as leave those that are still to come.
    pub fn edit(&mut self, steps: Vec<PlacedStep>) {
        let same = |old: &Held, new: &PlacedStep| {
            old.placed.step.text == new.step.text && old.placed.step.part == new.step.part
        };
        let over = &self.held[..self.next];
        let to_come = &self.held[self.next..];
        let alike = over.iter().zip(&steps).take_while(|(old, new)| same(old, new)).count();
        let tail = steps.len().checked_sub(to_come.len());
        let keeps_tail = tail.is_some_and(|tail| {
            to_come.iter().zip(&steps[tail..]).all(|(old, new)| old.placed.step.text == new.step.text)
        });
        let next = match (alike == over.len(), tail) {
            (true, _) => over.len(),
            (false, Some(tail)) if keeps_tail => tail,
            (false, _) => over.len().min(steps.len()),
        };
        let mut known: Vec<(String, StepOutcome)> = over
            .iter()
            .filter_map(|held| Some((held.placed.step.text.clone(), held.outcome.clone()?)))
            .collect();
        // A claim that was recorded is worded by where it stands.
        let recorded = |at: usize| {
            let outcome = over.get(at).filter(|_| at < next).and_then(|held| held.outcome.clone());
            outcome.filter(|outcome| outcome.verdict == "recorded")
        };
        let held: Vec<Held> = steps
            .into_iter()
            .enumerate()
            .map(|(at, placed)| {
                let before = known.iter().position(|(text, _)| at < next && *text == placed.step.text);
                let outcome = before.map(|at| known.remove(at).1).or_else(|| recorded(at));
                Held { placed, outcome }
            })
            .collect();
        self.held = held;
        self.next = next;
    }

    pub fn shown(&self, mask: &dyn Fn(&str) -> String) -> Vec<LiveStep> {
        let shown = |held: &Held| LiveStep {
            part: part_name(held.placed.step.part).to_string(),
            text: mask(&held.placed.step.text),
            line: held.placed.line,
            outcome: held.outcome.clone(),
        };
        self.held.iter().map(shown).collect()
    }

    /// Boxes of candidates are known only after a look.
    pub fn last_outcome(&mut self) -> Option<&mut StepOutcome> {
        self.held.get_mut(self.next).and_then(|held| held.outcome.as_mut())
    }

    /// In which part a recorded sentence stands.
    pub fn part_here(&self) -> Part {
        match self.held.get(self.next) {
            Some(held) if held.placed.step.part == Part::Setup => Part::Setup,
            _ => Part::Step,
        }
    }
}

#[cfg(test)]
mod tests {
    use assay_runner::StepBody;

    use super::*;

    fn placed(text: &str) -> PlacedStep {
        let what = StepBody::Sentence(text.to_string());
        let step = PlanStep { part: Part::Step, text: text.to_string(), what, timeout: None };
        PlacedStep { step, line: 1 }
    }

    fn list(texts: &str) -> Vec<PlacedStep> {
        texts.split_whitespace().map(placed).collect()
    }

    fn passed() -> StepOutcome {
        StepOutcome { verdict: "passed".to_string(), ..StepOutcome::default() }
    }

    /// Two of the steps `a b c d` are over, and the text becomes another.
    #[track_caller]
    fn check(text: &str, next: usize) {
        let mut steps = StepList::new(list("a b c d"));
        steps.ended(passed());
        steps.ended(passed());
        steps.edit(list(text));
        assert_eq!(steps.next(), next, "{text}");
    }

    #[test]
    fn an_edit_does_not_begin_anew() {
        check("a b c d", 2);
        check("a b C d", 2);
        check("a b new c d", 2);
        check("a B c d", 2);
        check("a c d", 1);
        check("a new b c d", 3);
        check("a", 1);
        check("x y z", 2);
    }

    #[test]
    fn what_was_recorded_is_over_and_what_failed_is_not() {
        let mut steps = StepList::new(list("a b"));
        steps.recorded(placed("r").step);
        assert_eq!(steps.next(), 1);
        steps.edit(list("r-reworded a b"));
        assert_eq!(steps.next(), 1);
        assert!(steps.held[0].outcome.is_some());
        steps.ended(StepOutcome { verdict: "failed".to_string(), ..StepOutcome::default() });
        assert_eq!((steps.next(), steps.all_passed()), (1, false));
        steps.ended(passed());
        steps.ended(passed());
        assert!(steps.all_passed());
    }
}
