//! Conversations with a model: it chooses a skill, then works with the prompt and the tools of that skill alone.
//!
//! Everything that is said and done stands in a session of the coordinator before the next thing happens. Knows
//! budgets, circles, claims without evidence, secrets and consent. Does not know a terminal: its caller shows what
//! happens.

mod asked_for;
mod asking;
mod calls;
mod choice;
mod classes;
mod facts;
mod guard;
mod history;
mod model;
mod prompts;
mod record;
mod results;
mod surroundings;
mod turn;
mod verdicts;

use std::time::Duration;

use assay_coordinator::{AgentSessionId, Coordinator, StateError};
use assay_protocol::Secrets;
use assay_provider::conversation::CacheLife;
use assay_provider::{Limits, ProviderError};
use assay_suite::Agent;
use assay_tools::{Program, find_tool};
use serde::Serialize;
use serde_json::Value;

use crate::{AgentListener, Library};

pub use history::UnreadableEntry;
pub use model::AskedModel;
pub use prompts::{Prefix, broad_tokens, choosing, working};
pub use surroundings::Surroundings;

/// All that a conversation needs.
pub struct Conversation<'a> {
    pub library: &'a Library,
    pub agent: &'a Agent,
    pub model: &'a AskedModel,
    pub program: &'a dyn Program,
    pub coordinator: &'a Coordinator,
    pub listener: &'a dyn AgentListener,
    /// Lines of talk: the cache, retries, doubts.
    pub note: &'a dyn Fn(&str),
    /// Values that nobody may see, the model included.
    pub secrets: &'a Secrets,
    /// Asks the user.
    pub decide: &'a dyn Fn(&ApprovalQuestion) -> Decision,
    /// Whether the user wants the turn to end.
    pub is_stopped: &'a dyn Fn() -> bool,
    pub terms: ConversationTerms,
}

/// What the user allows.
#[derive(Debug, Clone)]
pub struct ConversationTerms {
    /// The browser session that tools act in.
    pub browser_session: String,
    /// Whether the project is trusted.
    pub is_trusted: bool,
    pub cache: CacheLife,
    /// The user's own limits, beside those of the agent.
    pub limits: Limits,
    /// Whether the price of the model is known.
    pub has_price: bool,
    /// Whether the model takes pictures.
    pub pictures: bool,
    pub surroundings: Surroundings,
}

/// Something that a user has to decide.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApprovalQuestion {
    pub what: ApprovalKind,
    pub question: String,
    pub tool: String,
    pub arguments: Value,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ApprovalKind {
    /// A call that needs consent.
    Call,
    /// A call that was cut off: repeating it may do something twice.
    UnknownOutcome,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    Yes,
    No,
    /// Nobody can be asked now: the session waits.
    Later,
}

/// What came of a turn.
#[derive(Debug, Clone, PartialEq)]
pub struct ConversationReport {
    pub session: AgentSessionId,
    pub skill: Option<String>,
    pub calls: Vec<CallReport>,
    pub end: ConversationEnd,
}

/// A call of a tool in this turn.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CallReport {
    pub tool: String,
    pub arguments: Value,
    pub result: String,
    #[serde(rename = "ok")]
    pub worked: bool,
    pub exit_code: u8,
}

#[derive(Debug, Clone, PartialEq)]
pub enum ConversationEnd {
    Answered(String),
    /// The model asks the user.
    Asks(String),
    /// The session waits for a decision.
    Waits(String),
    /// It was ended: by the user, a budget, or because the model went round in circles.
    Stopped(String),
    /// There was nothing to go on with.
    Nothing,
}

impl ConversationReport {
    /// As of the same work on a command line: 0 passed, 1 a test failed, 3 open or stopped; else what failed.
    pub fn exit_code(&self) -> u8 {
        match &self.end {
            ConversationEnd::Asks(_) | ConversationEnd::Waits(_) | ConversationEnd::Stopped(_) => 3,
            ConversationEnd::Nothing => 0,
            ConversationEnd::Answered(_) => {
                verdict_of(self.calls.iter().map(|call| (call.tool.as_str(), call.exit_code, call.worked)))
            }
        }
    }
}

/// Gives back what was taken, whatever came before it.
const CLEANS_UP: &str = "release_control";

/// The verdict of several calls, each with its tool, its exit code and whether it worked: a failed test comes before anything
/// that is unclear. A call that failed counts unless it was corrected: the same tool worked later; or it did nothing (it
/// only reads, or was refused) and another one did the work.
fn verdict_of<'c>(calls: impl Iterator<Item = (&'c str, u8, bool)>) -> u8 {
    let calls: Vec<(&str, u8, bool)> = calls.collect();
    let verdicts: Vec<u8> = calls.iter().filter(|(_, _, worked)| *worked).map(|(_, code, _)| *code).collect();
    if verdicts.contains(&1) {
        return 1;
    }
    let is_corrected = |at: usize| {
        let (failed, code, _) = calls[at];
        let did_nothing = code == 2 || find_tool(failed).is_none_or(|tool| tool.effects.reads_only);
        let corrects = |tool: &str| tool == failed || (did_nothing && tool != CLEANS_UP);
        calls[at + 1..].iter().any(|(tool, _, worked)| *worked && corrects(tool))
    };
    let open = calls.iter().enumerate().filter(|(at, (_, _, worked))| !worked && !is_corrected(*at));
    match (verdicts.iter().copied().max(), open.map(|(_, (_, code, _))| *code).max()) {
        (None, Some(code)) => code.max(2),
        (worst, Some(code)) => worst.unwrap_or_default().max(code).max(3),
        (worst, None) => worst.unwrap_or_default(),
    }
}

/// Why a turn could not be carried out. The session can go on later.
#[derive(Debug, thiserror::Error)]
pub enum ConversationError {
    #[error(transparent)]
    State(#[from] StateError),
    #[error(transparent)]
    Model(#[from] ProviderError),
    #[error(transparent)]
    Unreadable(#[from] UnreadableEntry),
    #[error("a step of the conversation cannot be written: {0}")]
    Unwritable(#[from] serde_json::Error),
    #[error("agent `{agent}` has no skills that can be loaded")]
    NoSkills { agent: String },
}

/// How long a turn may take if the agent does not say.
const MOST_TIME: Duration = Duration::from_secs(3600);

impl Conversation<'_> {
    /// One request of the user, until it is answered.
    pub fn ask(
        &self,
        session: AgentSessionId,
        request: &str,
    ) -> Result<ConversationReport, ConversationError> {
        let mut work = turn::Work::begin(self, session)?;
        work.close_open_calls()?;
        work.take_request(request)?;
        work.carry_on(None)
    }

    /// Goes on after a crash or a decision. `decision` is what the user said about that for which the session waits.
    pub fn resume(
        &self,
        session: AgentSessionId,
        decision: Option<bool>,
    ) -> Result<ConversationReport, ConversationError> {
        let work = turn::Work::begin(self, session)?;
        let decision = decision.or(work.earlier_decision());
        work.carry_on(decision.map(|is_yes| if is_yes { Decision::Yes } else { Decision::No }))
    }
}

#[cfg(test)]
mod tests {
    use super::verdict_of;

    #[test]
    fn a_turn_ends_as_its_calls_did() {
        let run = |(code, worked): &(u8, bool)| ("execute_testcase", *code, *worked);
        let verdict = |calls: &[(u8, bool)]| verdict_of(calls.iter().map(run));
        assert_eq!(verdict(&[]), 0);
        assert_eq!(verdict(&[(0, true), (1, true)]), 1);
        assert_eq!(verdict(&[(3, true), (1, true), (0, true)]), 1);
        assert_eq!(verdict(&[(2, false), (0, true)]), 0, "the second call corrected the first");
        assert_eq!(verdict(&[(0, true), (2, false)]), 3, "it looked, and could not do the rest");
        assert_eq!(verdict(&[(4, false)]), 4);
        assert_eq!(verdict(&[(0, false)]), 2);
        let explored =
            [("take_control", 0, true), ("explore_interface", 4, false), ("release_control", 0, true)];
        assert_eq!(verdict_of(explored.into_iter()), 4, "what was asked for did not work");
        let refused = [("execute_testcase", 2, false), ("execute_script", 0, true)];
        assert_eq!(verdict_of(refused.into_iter()), 0, "the skill does not have the first tool");
        let looked = [("get_device_info", 2, false), ("list_hosts", 0, true)];
        assert_eq!(verdict_of(looked.into_iter()), 0, "another look told it");
    }
}
