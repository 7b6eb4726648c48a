//! The paths of turn traces, relative to the folder of the run.

use crate::folder::folder_name;

const FOLDER: &str = "debug_screenshots";

/// The turns of a run, a line each.
pub fn turns_file(run: &str) -> String {
    format!("{FOLDER}/{}/turns.jsonl", folder_name(run))
}

/// The identity of one turn within its run.
#[derive(Debug, Clone, Copy)]
pub struct TurnPlace<'a> {
    pub run: &'a str,
    pub test: &'a str,
    /// From 1.
    pub attempt: u32,
    pub step: usize,
    pub turn: usize,
}

impl TurnPlace<'_> {
    /// `debug_screenshots/<run>/<step>/turn_<n>.png`, where the step is named with its test, and with the attempt from
    /// the second on.
    pub fn picture(&self) -> String {
        let attempt = match self.attempt {
            0 | 1 => String::new(),
            number => format!(".attempt-{number}"),
        };
        let (run, test) = (folder_name(self.run), folder_name(self.test));
        format!("{FOLDER}/{run}/{test}.step-{}{attempt}/turn_{}.png", self.step, self.turn)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_turn_of_a_run_has_a_place_of_its_own() {
        let first = TurnPlace { run: "run-1", test: "login", attempt: 1, step: 2, turn: 3 };
        assert_eq!(first.picture(), "debug_screenshots/run-1/login.step-2/turn_3.png");
        let again = TurnPlace { attempt: 2, ..first };
        assert_eq!(again.picture(), "debug_screenshots/run-1/login.step-2.attempt-2/turn_3.png");
        assert_eq!(turns_file("run-1"), "debug_screenshots/run-1/turns.jsonl");
        let evil = TurnPlace { test: "../../x", ..first };
        assert!(!evil.picture().contains(".."), "{}", evil.picture());
    }
}
