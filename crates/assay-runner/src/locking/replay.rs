//! One entry of a lock, act by act, on the pages of today.

use assay_language::{Recognition, find_again, quotation_mark, quotations, recognise};
use assay_protocol::{Action, FoundAgain, LastingAct, LockedEntry, Scene, Selector};

/// What the lock says is to be done next.
pub(crate) enum LockAdvice {
    /// All of it was done, or it was left.
    Nothing,
    /// What it describes is there as it was.
    Do(Action),
    /// What it describes has changed, and is still clearly the one.
    Changed(Action, Vec<FoundAgain>),
    /// What it describes is not there, or not clearly.
    Refused(String),
}

impl LockAdvice {
    /// Why what is locked is not simply done.
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
    /// What the sentence has in quotation marks this time.
    quoted: Vec<String>,
    at: usize,
    /// Others go on with the act.
    left: Option<String>,
    /// Elements that were found again although they had changed.
    pub found: Vec<FoundAgain>,
    /// Why it was not simply done when the page was last looked at.
    pub refusal: Option<String>,
}

impl Replay {
    pub fn new(entry: LockedEntry, sentence: &str) -> Replay {
        Replay { entry, quoted: quotations(sentence), at: 0, left: None, found: Vec::new(), refusal: None }
    }

    pub fn advice(&self, scene: &Scene) -> LockAdvice {
        if self.left.is_some() {
            return LockAdvice::Nothing;
        }
        let Some(act) = self.entry.acts.get(self.at) else { return LockAdvice::Nothing };
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

    /// Whether what somebody else would do is what the entry describes. An entry of several acts is not held against a
    /// single one: its whole effect is.
    pub fn agrees(&self, action: &Action, scene: &Scene) -> Agreement {
        let [act] = self.entry.acts.as_slice() else { return Agreement::OtherWay };
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

    /// The act of the lock is done.
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

    /// Others go on, for this reason.
    pub fn leave(&mut self, why: String) {
        self.left = Some(why);
    }

    /// Whether it was carried out in another way than it is recorded, and what changed.
    pub fn is_otherwise(&self) -> bool {
        self.left.is_some() || !self.found.is_empty()
    }

    pub fn why_left(&self) -> Option<&str> {
        self.left.as_deref()
    }

    /// With what the sentence says this time.
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
    /// It is done in another way, so that the acts cannot be compared.
    OtherWay,
    /// By its words it is one element, by what was recorded another.
    Disagrees(String),
}
