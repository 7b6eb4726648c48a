//! Repeats the acts of a task in a new browser.

use assay_language::revive;
use assay_protocol::{
    Action, ActionPhase, Answer, Ask, ErrorCode, Failure, LastingAct, Outcome, PastAction, Scene, TaskState,
};

use crate::record_limits::RecordLimits;

/// Asks the session that the task works in.
type AskSession<'a> = &'a dyn Fn(Ask) -> Result<Outcome, Failure>;

/// The acts of a task that commit something and would be repeated.
pub fn repeated_commits(state: &TaskState) -> Vec<String> {
    let repeated =
        |past: &&PastAction| past.action.commits && past.action.ok && past.action.phase == ActionPhase::Ended;
    state.action_history.iter().filter(repeated).map(|past| past.action.command.clone()).collect()
}

/// Carries out again all acts that ended well, in order. Each that commits something is named; one whose end is not
/// known is not repeated.
///
/// `say` gets a line for each act, before or after it.
pub fn replay_task(
    ask: AskSession<'_>,
    state: &TaskState,
    limits: &RecordLimits,
    say: &mut dyn FnMut(String),
) -> Result<(), Failure> {
    for past in &state.action_history {
        let command = &past.action.command;
        match (past.action.phase, past.action.ok) {
            (ActionPhase::Begun, _) => {
                say(format!("note: not repeated, because its result is unknown: {command}"));
            }
            (ActionPhase::Ended, false) => {}
            (ActionPhase::Ended, true) => {
                if past.action.commits {
                    say(format!("note: repeated, and it commits something: {command}"));
                }
                again(ask, past, limits).map_err(|failure| {
                    let message = format!("`{command}` could not be repeated: {}", failure.message);
                    Failure { message, ..failure }
                })?;
                say(format!("repeated: {command}"));
            }
        }
    }
    Ok(())
}

fn again(ask: AskSession<'_>, past: &PastAction, limits: &RecordLimits) -> Result<(), Failure> {
    let lasting =
        past.action.signature.clone().and_then(|value| serde_json::from_value::<LastingAct>(value).ok());
    let Some(lasting) = lasting else {
        return Err(Failure::new(ErrorCode::OutcomeUnknown, "the record does not say how to repeat it"));
    };
    limits.check_action(&lasting.action)?;
    let action = if lasting.elements.is_empty() { lasting.action } else { revived(ask, &lasting)? };
    ask(Ask::Act(action)).map(drop)
}

/// The act with the refs of the page at hand, once it shows the elements.
fn revived(ask: AskSession<'_>, lasting: &LastingAct) -> Result<Action, Failure> {
    const TRIES: u32 = 50;
    let mut why = String::new();
    for _ in 0..TRIES {
        match revive(lasting, &look(ask)?) {
            Ok(action) => return Ok(action),
            Err(reason) => why = reason,
        }
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    Err(Failure::new(ErrorCode::NotFound, why))
}

fn look(ask: AskSession<'_>) -> Result<Scene, Failure> {
    match ask(Ask::Act(Action::Scene))? {
        Outcome::Answer { answer, .. } => match *answer {
            Answer::Scene(scene) => Ok(*scene),
            _ => {
                Err(Failure::new(ErrorCode::Internal, "internal: expected a scene, found a different answer"))
            }
        },
        _ => Err(Failure::new(
            ErrorCode::Internal,
            "internal: expected data from the daemon, found a different answer",
        )),
    }
}
