//! The lock of one test, read from front to back.

use assay_language::{marks_in, with_marks};
use assay_protocol::{LockedEntry, LockedTest, Part};

/// Entries are used in order, each once: an entry that was passed over does not come back.
#[derive(Debug, Clone, Default)]
pub(crate) struct LockCursor {
    entries: Vec<LockedEntry>,
    refused: Vec<LockedEntry>,
    at: usize,
}

impl LockCursor {
    pub fn new(locked: LockedTest) -> LockCursor {
        LockCursor { entries: locked.entries, refused: locked.refused, at: 0 }
    }

    /// Whether an entry for the whole of this sentence is still to come.
    pub fn has_whole(&self, part: Part, sentence: &str) -> bool {
        self.entries[self.at..]
            .iter()
            .any(|entry| entry.is_for(part, &with_marks(sentence, &marks_in(&entry.step)), 0))
    }

    /// What a user refused in the place of an entry.
    pub fn refused_for(&self, entry: &LockedEntry) -> Vec<LockedEntry> {
        let is_for = |refused: &&LockedEntry| refused.is_for(entry.part, &entry.step, entry.nth);
        self.refused.iter().filter(is_for).cloned().collect()
    }

    /// The entry for this act of this sentence, or why there is none. Only the values of the sentence may differ.
    pub fn take(&mut self, part: Part, sentence: &str, nth: usize) -> Result<LockedEntry, String> {
        let fits =
            |entry: &LockedEntry| entry.is_for(part, &with_marks(sentence, &marks_in(&entry.step)), nth);
        let left = &self.entries[self.at..];
        if let Some(found) = left.iter().position(fits) {
            self.at += found + 1;
            return Ok(left[found].clone());
        }
        let was_before = self.entries[..self.at].iter().any(fits);
        Err(match left.first() {
            _ if was_before => "its entry in the lock is already used".to_string(),
            Some(next) => format!("the lock has nothing for it; its next entry is for \"{}\"", next.step),
            None => "the lock has nothing for it, and no more entries".to_string(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use assay_protocol::EffectKind;

    fn cursor(steps: &[&str]) -> LockCursor {
        let entry = |step: &&str| LockedEntry {
            part: Part::Step,
            step: step.to_string(),
            nth: 1,
            acts: Vec::new(),
            effect: EffectKind::default(),
        };
        LockCursor::new(LockedTest { entries: steps.iter().map(entry).collect(), refused: Vec::new() })
    }

    #[test]
    fn entries_are_used_in_order_and_once() {
        let mut cursor = cursor(&["Enter \"⟦1⟧\" in the \"Name\" field", "Click \"Next\"", "Click \"Next\""]);
        assert!(cursor.take(Part::Step, "Enter \"Ada\" in the \"Name\" field", 1).is_ok());
        assert!(cursor.take(Part::Step, "Click \"Next\"", 1).is_ok());
        assert!(cursor.take(Part::Step, "Click \"Next\"", 1).is_ok());
        let why = cursor.take(Part::Step, "Click \"Next\"", 1).unwrap_err();
        assert!(why.contains("already used"), "{why}");
    }

    #[test]
    fn another_target_is_another_entry() {
        let mut cursor = cursor(&["Enter \"⟦1⟧\" in the \"Name\" field"]);
        let why = cursor.take(Part::Step, "Enter \"Ada\" in the \"Email\" field", 1).unwrap_err();
        assert!(why.contains("next entry is for"), "{why}");
        assert!(cursor.take(Part::Setup, "Enter \"Ada\" in the \"Name\" field", 1).is_err());
        assert!(cursor.take(Part::Step, "Enter \"Ada\" in the \"Name\" field", 2).is_err());
        assert!(cursor.take(Part::Step, "Enter \"Bob\" in the \"Name\" field", 1).is_ok());
    }

    #[test]
    fn a_step_that_was_taken_out_is_passed_over() {
        let mut cursor = cursor(&["Click \"One\"", "Click \"Two\""]);
        assert!(cursor.take(Part::Step, "Click \"Two\"", 1).is_ok());
        assert!(cursor.take(Part::Step, "Click \"One\"", 1).is_err());
    }
}
