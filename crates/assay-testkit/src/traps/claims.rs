//! The text file of a trap: steps, and claims with the verdict that is right.

/// What a careful tester says about a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ClaimTruth {
    True,
    False,
    /// It cannot be decided from the page, or the sentence does not say enough.
    Unclear,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrapClaim {
    pub truth: ClaimTruth,
    pub sentence: String,
}

/// One test: steps, and a claim or none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrapTest {
    pub steps: Vec<String>,
    /// None when the last step is the one that cannot be carried out.
    pub claim: Option<TrapClaim>,
    /// The line of the claim or of that step, from 1.
    pub line: usize,
}

impl TrapTest {
    /// Whether a status of a test report is wrong: a false pass, or blame where nothing is wrong.
    pub fn is_wrong(&self, status: &str) -> bool {
        match self.claim.as_ref().map(|claim| claim.truth) {
            Some(ClaimTruth::True) => status == "failed",
            Some(ClaimTruth::Unclear) => matches!(status, "passed" | "failed"),
            Some(ClaimTruth::False) | None => status == "passed",
        }
    }
}

pub(crate) fn parse(text: &str) -> Result<Vec<TrapTest>, String> {
    let mut tests = Vec::new();
    let mut steps: Vec<String> = Vec::new();
    let mut has_claim = false;
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if line.is_empty() {
            steps.clear();
            has_claim = false;
            continue;
        }
        if line.starts_with('#') {
            continue;
        }
        let (key, sentence) = line
            .split_once(':')
            .ok_or_else(|| format!("line {number} has no `do:`, `pass:` or other key"))?;
        let sentence = sentence.trim().to_string();
        if sentence.is_empty() {
            return Err(format!("line {number} says nothing"));
        }
        let truth = match key.trim() {
            "do" if has_claim => return Err(format!("line {number}: a step behind a claim")),
            "do" => {
                steps.push(sentence);
                continue;
            }
            "do-fails" => {
                let steps = steps.iter().cloned().chain([sentence]).collect();
                tests.push(TrapTest { steps, claim: None, line: number });
                has_claim = true;
                continue;
            }
            "pass" => ClaimTruth::True,
            "fail" => ClaimTruth::False,
            "unclear" => ClaimTruth::Unclear,
            other => return Err(format!("line {number}: `{other}` is no key")),
        };
        has_claim = true;
        tests.push(TrapTest {
            steps: steps.clone(),
            claim: Some(TrapClaim { truth, sentence }),
            line: number,
        });
    }
    if tests.is_empty() { Err("it claims nothing".to_string()) } else { Ok(tests) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_claim_is_a_test_with_the_steps_of_its_block() {
        let tests =
            parse("do: Click Save\npass: A\nfail: B\n\n# none\nunclear: C\n\ndo: X\ndo-fails: Y\n").unwrap();
        let lines: Vec<(usize, usize, bool)> =
            tests.iter().map(|test| (test.line, test.steps.len(), test.claim.is_some())).collect();
        assert_eq!(lines, [(2, 1, true), (3, 1, true), (6, 0, true), (9, 2, false)]);
        assert!(tests[1].is_wrong("passed") && !tests[1].is_wrong("inconclusive"));
        assert!(tests[0].is_wrong("failed") && tests[3].is_wrong("passed"));
    }

    #[test]
    fn a_line_without_a_key_is_refused() {
        assert!(parse("Click Save").is_err());
        assert!(parse("hope: it works").is_err());
        assert!(parse("pass: A\ndo: B").is_err());
        assert!(parse("").is_err());
    }
}
