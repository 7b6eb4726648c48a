//! One entry of a lock, act by act, on the pages of today.

use assay_language::{Recognition, find_again, make_lasting, quotation_mark, quotations, recognise};
use assay_protocol::{Action, EffectKind, FoundAgain, LastingAct, LockedEntry, Scene, Selector};

use super::RecordNumbers;

/// The next act according to the lock.
pub(crate) enum LockAdvice {
    /// Every act is done, or the entry was abandoned.
    Nothing,
    /// The described element is unchanged.
    Do(Action),
    /// The described element has changed, but is still clearly the same.
    Changed(Action, Vec<FoundAgain>),
    /// The described element is missing or ambiguous.
    Refused(String),
}

impl LockAdvice {
    /// Why the locked act cannot simply be replayed.
    pub fn why(&self) -> Option<String> {
        match self {
            LockAdvice::Nothing | LockAdvice::Do(_) => None,
            LockAdvice::Changed(_, found) => found.first().map(|found| {
                format!("{} \"{}\" has changed: {}", found.was.role, found.was.name, found.because)
            }),
            LockAdvice::Refused(why) => Some(why.clone()),
        }
    }
}

pub(crate) struct Replay {
    pub entry: LockedEntry,
    /// The entry with the numbers that the records of the test have today, where they differ.
    renumbered: Option<LockedEntry>,
    /// What a user refused in its place.
    refused: Vec<LockedEntry>,
    /// The quoted values of the sentence in this run.
    quoted: Vec<String>,
    at: usize,
    /// The interpreter or a pilot continues the act.
    left: Option<String>,
    /// Changed elements that were found again.
    pub found: Vec<FoundAgain>,
    /// The words of the step mean the same element.
    pub is_named: bool,
    /// Why the last look did not allow a plain replay.
    pub refusal: Option<String>,
}

impl Replay {
    pub fn new(
        entry: LockedEntry,
        refused: Vec<LockedEntry>,
        sentence: &str,
        records: &RecordNumbers,
    ) -> Replay {
        let renumbered = records.renumbered(&entry);
        let quoted = quotations(sentence);
        Replay {
            entry,
            renumbered,
            refused,
            quoted,
            at: 0,
            left: None,
            found: Vec::new(),
            is_named: false,
            refusal: None,
        }
    }

    /// Why this act must not take the place of the next one: a user refused it.
    pub fn refused_act(&self, action: &Action, scene: &Scene) -> Option<String> {
        let act = make_lasting(action, scene)?;
        let is_it = |refused: &LockedEntry| refused.acts.get(self.at).is_some_and(|it| it.is_like(&act));
        let is_refused = self.left.is_none() && self.refused.iter().any(is_it);
        is_refused.then(|| {
            let element = act.elements.values().next();
            let name = element.map(|it| format!("{} \"{}\"", it.role, it.name)).unwrap_or_default();
            format!("{name} was refused as a replacement; if the page is right, record the step again: assay run --lock")
        })
    }

    /// Whether a user refused what was done in place of the entry.
    pub fn is_refused(&self, now: &LockedEntry) -> bool {
        let acts = |entry: &LockedEntry| LockedEntry { step: self.entry.step.clone(), ..entry.clone() };
        self.refused.iter().any(|refused| acts(refused).is_replacement_like(&acts(now)))
    }

    pub fn advice(&self, scene: &Scene) -> LockAdvice {
        if self.left.is_some() {
            return LockAdvice::Nothing;
        }
        let advice = self.advice_of(&self.entry, scene);
        match self.renumbered.as_ref().map(|renumbered| self.advice_of(renumbered, scene)) {
            Some(today @ (LockAdvice::Do(_) | LockAdvice::Changed(..)))
                if !matches!(advice, LockAdvice::Do(_)) =>
            {
                today
            }
            _ => advice,
        }
    }

    fn advice_of(&self, entry: &LockedEntry, scene: &Scene) -> LockAdvice {
        let Some(act) = entry.acts.get(self.at) else { return LockAdvice::Nothing };
        let mut action = self.with_values(act);
        let mut found = Vec::new();
        for selector in action.selectors_mut() {
            let Some(signature) = act.elements.get(&selector.source) else { continue };
            let reference = match recognise(signature, scene) {
                Recognition::Same { reference } => reference,
                Recognition::Changed { reference, likeness, margin, runner_up, now } => {
                    found.push(FoundAgain {
                        was: signature.clone(),
                        now: *now,
                        score: likeness.score,
                        margin,
                        runner_up,
                        because: likeness.because,
                    });
                    reference
                }
                Recognition::Refused { why, .. } => {
                    return LockAdvice::Refused(format!(
                        "{} \"{}\" was not found again: {why}",
                        signature.role, signature.name
                    ));
                }
            };
            match Selector::parse(&reference) {
                Ok(own) => *selector = own,
                Err(err) => return LockAdvice::Refused(err.to_string()),
            }
        }
        if found.is_empty() { LockAdvice::Do(action) } else { LockAdvice::Changed(action, found) }
    }

    /// Whether another decision matches the entry. For an entry of several acts the whole effect is compared, not a
    /// single act.
    pub fn agrees(&self, action: &Action, scene: &Scene) -> Agreement {
        let entry = self.renumbered.as_ref().unwrap_or(&self.entry);
        let [act] = entry.acts.as_slice() else { return Agreement::OtherWay };
        if act.action.verb() != action.verb() {
            return Agreement::OtherWay;
        }
        let (mut locked, mut chosen) = (act.action.clone(), action.clone());
        let mut found = Vec::new();
        for (described, named) in locked.selectors_mut().into_iter().zip(chosen.selectors_mut()) {
            let Some(signature) = act.elements.get(&described.source) else { continue };
            match find_again(signature, scene, &named.source) {
                Ok(again) => found.push(again),
                Err(why) => return Agreement::Disagrees(why),
            }
        }
        Agreement::TheSame(found)
    }

    /// Why the effect is of another kind than the recorded one; none if the kinds match.
    pub fn differs_from(&self, now: &EffectKind) -> Option<String> {
        let differs = self.entry.effect.differs_from(now)?;
        match &self.renumbered {
            Some(renumbered) => renumbered.effect.differs_from(now),
            None => Some(differs),
        }
    }

    /// A record of the test has another number than in the lock.
    pub fn has_other_numbers(&self) -> bool {
        self.renumbered.is_some()
    }

    /// The locked act is done.
    pub fn done(&mut self, found: Vec<FoundAgain>) {
        self.at += 1;
        self.found.extend(found);
    }

    pub fn is_done(&self) -> bool {
        self.at >= self.entry.acts.len()
    }

    pub fn has_more(&self) -> bool {
        self.left.is_none() && self.at + 1 < self.entry.acts.len()
    }

    /// Hands the act over, for this reason.
    pub fn leave(&mut self, why: String) {
        self.left = Some(why);
    }

    /// Whether it was carried out differently from the record, and what changed.
    pub fn is_otherwise(&self) -> bool {
        self.left.is_some() || !self.found.is_empty()
    }

    pub fn why_left(&self) -> Option<&str> {
        self.left.as_deref()
    }

    /// Inserts the values of the sentence in this run.
    fn with_values(&self, act: &LastingAct) -> Action {
        let mut action = act.action.clone();
        for value in action.entered_values_mut() {
            if let Some(at) = (0..self.quoted.len()).find(|at| *value == quotation_mark(at + 1)) {
                *value = self.quoted[at].clone();
            }
        }
        action
    }
}

pub(crate) enum Agreement {
    TheSame(Vec<FoundAgain>),
    /// The step is carried out in another way, so the acts cannot be compared.
    OtherWay,
    /// The words mean one element, the record another.
    Disagrees(String),
}
