//! The analysis of one result, in the form that reports and the state keep.

use assay_protocol::Verdict;
use serde::{Deserialize, Serialize};

use super::class::{INCONCLUSIVE, ResultClass};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ResultAnalysis {
    /// The same in all runs and browsers.
    pub test: String,
    /// As the run names it.
    pub test_id: String,
    pub name: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub file: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub browser: String,
    /// None if it did not end.
    pub verdict: Option<Verdict>,
    /// None where the evidence does not decide.
    pub class: Option<ResultClass>,
    /// The classes that the evidence fits, where it does not decide.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<ResultClass>,
    /// The evidence that would decide.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub missing: String,
    /// The rule that decided.
    pub rule: String,
    /// What the run said.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
    pub evidence: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Why a failure may be a false one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub suspicions: Vec<String>,
    /// The error without what changes from run to run; empty for a pass.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub signature: String,
    /// How often this error was seen, this time included; 0 for a pass.
    pub times: usize,
    /// The first run with this error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<i64>,
    pub depth: Depth,
    /// Relative to the folder of the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub picture: Option<String>,
    /// It does not count.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub discarded: bool,
}

impl ResultAnalysis {
    /// The name of the class.
    pub fn class_name(&self) -> &'static str {
        self.class.map_or(INCONCLUSIVE, ResultClass::name)
    }

    pub fn is_flaky(&self) -> bool {
        !self.suspicions.is_empty()
    }
}

/// How far a result was looked into.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Depth {
    /// In full: the first time of this error.
    First,
    /// In full: each fifth time of this error.
    Fifth,
    /// As before: the rules still agree with the last full analysis of this error.
    Repeat,
    /// A pass, in full: chosen by a hash, or the first after a failure.
    Sampled,
    /// A pass, by its record alone.
    Record,
}

impl Depth {
    pub fn name(self) -> &'static str {
        match self {
            Depth::First => "first",
            Depth::Fifth => "fifth",
            Depth::Repeat => "repeat",
            Depth::Sampled => "sampled",
            Depth::Record => "record",
        }
    }

    pub fn is_full(self) -> bool {
        matches!(self, Depth::First | Depth::Fifth | Depth::Sampled)
    }

    /// Of an error that was seen so many times, this time included.
    pub fn of_repeat(times: usize) -> Depth {
        match times {
            0 | 1 => Depth::First,
            _ if times.is_multiple_of(5) => Depth::Fifth,
            _ => Depth::Repeat,
        }
    }

    /// Of a pass. The hash chooses the same ones each time.
    pub fn of_pass(run: &str, test: &str, follows_failure: bool) -> Depth {
        if follows_failure || hash(&format!("{run}\n{test}")).is_multiple_of(5) {
            Depth::Sampled
        } else {
            Depth::Record
        }
    }
}

/// FNV-1a, mixed once more: its low bits alone depend on the last letters only.
fn hash(text: &str) -> u64 {
    let sum = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |sum, byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    sum ^ (sum >> 32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_and_each_fifth_repeat_are_analysed_in_full() {
        let full: Vec<usize> = (1..=16).filter(|times| Depth::of_repeat(*times).is_full()).collect();
        assert_eq!(full, [1, 5, 10, 15]);
    }

    #[test]
    fn one_of_five_passes_is_sampled_and_always_the_same() {
        let sampled = (0..1000)
            .filter(|number| Depth::of_pass("run-1", &format!("test_{number}"), false) == Depth::Sampled)
            .count();
        assert!((150..=250).contains(&sampled), "{sampled}");
        assert_eq!(Depth::of_pass("r", "t", false), Depth::of_pass("r", "t", false));
        assert_eq!(Depth::of_pass("r", "t", true), Depth::Sampled);
    }
}
