//! The records that a test makes. Each run gives them other numbers: the order that was 12 in the lock is 13 today.

use assay_protocol::{EffectKind, FoundAgain, LockedEntry, RequestShape, Signature, is_record_number};

/// Which record of this run stands for which one of the lock.
#[derive(Debug, Clone, Default)]
pub(crate) struct RecordNumbers {
    pairs: Vec<Pair>,
    /// An earlier act sent something that can have made a record.
    has_sent: bool,
    /// A short number stands for a record only behind the word behind which it was seen.
    is_strict: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Pair {
    locked: String,
    today: String,
    /// The word before it in its address: `change` in `/change/12`.
    before: String,
}

impl RecordNumbers {
    /// An act of the lock was carried out. What it sent can have made a record, and then the page of the record is
    /// where it leads.
    pub fn learn(&mut self, locked: &EffectKind, today: &EffectKind) {
        self.has_sent |= locked.requests.iter().any(RequestShape::changes_something);
        if !self.has_sent {
            return;
        }
        if let (Some(locked), Some(today)) = (&locked.lands, &today.lands) {
            self.pairs = self.with(locked, today).unwrap_or(std::mem::take(&mut self.pairs));
        }
    }

    /// The entry with the numbers of today; none where they are the same.
    pub fn renumbered(&self, entry: &LockedEntry) -> Option<LockedEntry> {
        let mut renumbered = entry.clone();
        for act in &mut renumbered.acts {
            for signature in act.elements.values_mut() {
                self.renumber_signature(signature);
            }
        }
        let effect = &mut renumbered.effect;
        let paths = effect.requests.iter_mut().map(|request| &mut request.path);
        for path in paths.chain(&mut effect.lands) {
            *path = self.renumber(path);
        }
        (renumbered != *entry).then_some(renumbered)
    }

    /// An entry of this run with the numbers of the lock.
    pub fn as_locked(&self, entry: LockedEntry) -> LockedEntry {
        let turned = |pair: &Pair| {
            let Pair { locked, today, before } = pair.clone();
            Pair { locked: today, today: locked, before }
        };
        let pairs = self.pairs.iter().map(turned).collect();
        let back = RecordNumbers { pairs, has_sent: self.has_sent, is_strict: true };
        back.renumbered(&entry).unwrap_or(entry)
    }

    /// For an element that the words of the step mean, where the test has sent something before: whether nothing but
    /// the number of a record has changed, in the element and in its effect. Then the number is learnt.
    pub fn explains(&mut self, found: &[FoundAgain], locked: &EffectKind, today: &EffectKind) -> bool {
        if !self.has_sent || found.is_empty() {
            return false;
        }
        let mut trial = self.clone();
        for FoundAgain { was, now, .. } in found {
            for mark in ADDRESSES {
                let (Some(was), Some(now)) = (was.marks.get(*mark), now.marks.get(*mark)) else { continue };
                let Some(pairs) = trial.with(was, now) else { return false };
                trial.pairs = pairs;
            }
            let mut expected = was.clone();
            trial.renumber_signature(&mut expected);
            if !expected.is_marked_like(now) {
                return false;
            }
        }
        let mut expected = locked.clone();
        for path in expected.requests.iter_mut().map(|request| &mut request.path).chain(&mut expected.lands) {
            *path = trial.renumber(path);
        }
        let explained = expected.differs_from(today).is_none();
        if explained {
            *self = trial;
        }
        explained
    }

    /// The pairs with those that make one address of the other; none if the addresses differ in something else, or if
    /// a number would stand for two.
    fn with(&self, locked: &str, today: &str) -> Option<Vec<Pair>> {
        let mut pairs = self.pairs.clone();
        let (locked, today): (Vec<&str>, Vec<&str>) = (parts(locked).collect(), parts(today).collect());
        if locked.len() != today.len() {
            return None;
        }
        let mut before = "";
        for (locked, today) in locked.into_iter().zip(today) {
            if locked == today {
                before = if locked.starts_with(char::is_alphanumeric) { locked } else { before };
                continue;
            }
            if !is_record_number(locked) || !is_record_number(today) {
                return None;
            }
            match pairs.iter().find(|pair| pair.locked == locked || pair.today == today) {
                Some(pair) if pair.locked == locked && pair.today == today => {}
                Some(_) => return None,
                None => pairs.push(Pair {
                    locked: locked.to_string(),
                    today: today.to_string(),
                    before: before.to_string(),
                }),
            }
        }
        Some(pairs)
    }

    fn renumber_signature(&self, signature: &mut Signature) {
        for text in signature.marks.values_mut() {
            *text = self.renumber(text);
        }
        for text in [&mut signature.name].into_iter().chain(&mut signature.within).chain(&mut signature.near)
        {
            *text = self.renumber(text);
        }
    }

    fn renumber(&self, text: &str) -> String {
        if self.pairs.is_empty() {
            return text.to_string();
        }
        let mut renumbered = String::with_capacity(text.len());
        let mut before = "";
        for part in parts(text) {
            match self.today(part, before) {
                Some(today) => renumbered.push_str(today),
                // `del-12` holds a number, and `4fd1-99a0` is one.
                None => {
                    let pieces = part.split('-').map(|piece| self.today(piece, before).unwrap_or(piece));
                    renumbered.push_str(&pieces.collect::<Vec<&str>>().join("-"));
                }
            }
            if part.starts_with(char::is_alphanumeric) {
                before = part;
            }
        }
        renumbered
    }

    fn today(&self, part: &str, before: &str) -> Option<&str> {
        let fits = |pair: &&Pair| {
            pair.locked == part && (!self.is_strict || pair.before == before || part.len() > 2)
        };
        self.pairs.iter().find(fits).map(|pair| pair.today.as_str())
    }
}

/// The marks that hold an address.
const ADDRESSES: &[&str] = &["href", "submits", "sends"];

/// The words of a text and what stands between them, in order.
fn parts(text: &str) -> impl Iterator<Item = &str> {
    let in_word = |letter: char| letter.is_alphanumeric() || letter == '-';
    let mut rest = text;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let end = rest.find(|letter| in_word(letter) != in_word(first)).unwrap_or(rest.len());
        let (part, left) = rest.split_at(end);
        rest = left;
        Some(part)
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use assay_protocol::Part;

    use super::*;

    fn effect(request: &str, lands: &str) -> EffectKind {
        EffectKind {
            lands: Some(lands.to_string()),
            requests: request.parse().into_iter().collect(),
            ..EffectKind::default()
        }
    }

    fn link(href: &str) -> Signature {
        Signature {
            role: "link".to_string(),
            name: "Hat".to_string(),
            marks: BTreeMap::from([("href".to_string(), href.to_string())]),
            within: Vec::new(),
            near: Vec::new(),
            place: (1, 1),
            kind: (1, 1),
        }
    }

    fn found(was: &str, now: &str) -> Vec<FoundAgain> {
        let because = String::new();
        vec![FoundAgain { was: link(was), now: link(now), score: 1.0, margin: 1.0, runner_up: None, because }]
    }

    fn after_a_save() -> RecordNumbers {
        let mut numbers = RecordNumbers::default();
        numbers.learn(&effect("POST /new (name)", "/change/12"), &effect("POST /new (name)", "/change/13"));
        numbers
    }

    #[test]
    fn a_record_has_its_number_of_today_in_every_address() {
        let numbers = after_a_save();
        assert_eq!(numbers.renumber("/change/12/edit?tab=112"), "/change/13/edit?tab=112");
        assert_eq!(numbers.renumber("del-12"), "del-13");
        assert_eq!(numbers.renumber("/page/4"), "/page/4");
    }

    #[test]
    fn what_is_locked_anew_keeps_the_numbers_of_the_lock() {
        let numbers = after_a_save();
        let entry = |lands: &str| LockedEntry {
            part: Part::Step,
            step: String::new(),
            nth: 1,
            acts: Vec::new(),
            effect: effect("", lands),
        };
        assert_eq!(numbers.as_locked(entry("/change/13/edit")), entry("/change/12/edit"));
        assert_eq!(numbers.as_locked(entry("/page/13")), entry("/page/13"));
    }

    #[test]
    fn numbers_that_machines_give_out_are_numbers() {
        let mut numbers = RecordNumbers::default();
        let (then, now) =
            ("/o/3f2a9c10-77aa-4b1c-9d5e-000000000001", "/o/9b1c22d0-12ab-4fff-8e5e-00000000a002");
        numbers.learn(&effect("POST /o (name)", then), &effect("POST /o (name)", now));
        assert_eq!(numbers.renumber(&format!("{then}/lines")), format!("{now}/lines"));
    }

    #[test]
    fn without_a_save_no_number_is_learnt() {
        let mut numbers = RecordNumbers::default();
        numbers.learn(&effect("", "/change/12"), &effect("", "/change/13"));
        assert_eq!(numbers.renumber("/change/12"), "/change/12");
        let leads = |number: u32| effect("", &format!("/change/{number}"));
        assert!(!numbers.explains(&found("/change/12", "/change/13"), &leads(12), &leads(13)));
    }

    #[test]
    fn another_number_in_the_element_and_in_its_effect_is_the_same_record() {
        let mut numbers = RecordNumbers::default();
        numbers.learn(&effect("POST /new (name)", "/"), &effect("POST /new (name)", "/"));
        let leads = |address: &str| effect("", address);
        assert!(!numbers.explains(
            &found("/change/12", "/other/13"),
            &leads("/change/12"),
            &leads("/other/13")
        ));
        assert!(!numbers.explains(
            &found("/change/12", "/change/13"),
            &leads("/change/12"),
            &leads("/login")
        ));
        assert!(numbers.explains(
            &found("/change/12", "/change/13"),
            &leads("/change/12"),
            &leads("/change/13")
        ));
        assert_eq!(numbers.renumber("/change/12/delete"), "/change/13/delete");
        // Once it is known, no other record takes its place.
        assert!(!numbers.explains(
            &found("/change/12", "/change/14"),
            &leads("/change/12"),
            &leads("/change/14")
        ));
    }
}
