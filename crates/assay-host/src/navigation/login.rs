//! Logs in with the sentences that a user gave.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::time::Duration;

use assay_actions::Policy;
use assay_protocol::{ErrorCode, Failure, RunFact, Secrets, Verdict};
use assay_runner::{Attempt, StepBody, TestContext, TestSurface};

use crate::context::Variables;

const STEP_TIME: Duration = Duration::from_secs(15);

/// Carries out each sentence. What stands in `${…}` is looked up, and said nowhere.
pub(super) async fn log_in(
    surface: &mut dyn TestSurface,
    sentences: &[String],
    base_url: &str,
    policy: &Policy,
    variables: &Variables,
) -> Result<(), Failure> {
    let (selectors, secrets) = (BTreeMap::new(), Secrets::default());
    let told = RefCell::new(Vec::new());
    let tell = |fact: RunFact| told.borrow_mut().push(fact);
    let context = TestContext::new(&selectors, &secrets).at(Some(base_url.to_string())).under(policy.clone());
    let mut attempt = Attempt::new(surface, &tell, context);
    for sentence in sentences {
        let whole = filled_in(sentence, variables)?;
        let end = attempt.run_step(&StepBody::Sentence(whole.clone()), STEP_TIME).await;
        if end.verdict != Verdict::Passed {
            let reason = end.reason.replace(&whole, sentence);
            // A reason may quote what was filled in.
            let reason = if whole == *sentence { reason } else { "it could not be carried out".to_string() };
            return Err(Failure::new(
                ErrorCode::Usage,
                format!("could not log in: \"{sentence}\": {reason}"),
            )
            .hint("try the sentence in a session: assay do \"…\""));
        }
    }
    Ok(())
}

fn filled_in(sentence: &str, variables: &Variables) -> Result<String, Failure> {
    let mut whole = String::new();
    let mut rest = sentence;
    while let Some((before, after)) = rest.split_once("${") {
        let Some((name, beyond)) = after.split_once('}') else { break };
        let value = variables(name).ok_or_else(|| {
            Failure::new(ErrorCode::Usage, format!("`${{{name}}}` is not set in the environment"))
        })?;
        whole.push_str(before);
        whole.push_str(&value);
        rest = beyond;
    }
    whole.push_str(rest);
    Ok(whole)
}
