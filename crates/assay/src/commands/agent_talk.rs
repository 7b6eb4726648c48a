//! The words of `assay agent` about conversations, and what they cost.

use assay_host::Cassette;
use assay_protocol::Failure;
use assay_protocol::actions::{Arguments, UsageError};

use super::optional_text;
use crate::agent::{AgentTalk, SessionOperation, TalkOptions};

/// None: the words are about something else.
pub(super) fn agent_talk(words: &Arguments<'_>) -> Result<Option<AgentTalk>, Failure> {
    let options = TalkOptions {
        model: words.flag("model").map(str::to_string),
        agent: words.flag("agent").map(str::to_string),
        session: words.flag("in").map(session_number).transpose()?,
        agrees: words.has("yes"),
        cassette: words.flag("cassette").map(Cassette::read).transpose()?,
        is_dry: words.has("dry-run"),
    };
    // People forget the quotes.
    let said: Vec<&str> = (1..).map_while(|at| words.optional(at)).collect();
    Ok(Some(match (words.optional(0).unwrap_or_default(), optional_text(words, 1), words.optional(2)) {
        ("ask", Some(_), _) if !said.concat().trim().is_empty() => {
            AgentTalk::Ask { request: said.join(" "), options }
        }
        ("ask", _, _) => return Err(UsageError::wrong_value("a request", "nothing").into()),
        ("sessions" | "session", _, _) => {
            AgentTalk::Sessions { operation: session_operation(words)?, options }
        }
        ("", None, None) => AgentTalk::Converse { options },
        ("stats", None, None) => AgentTalk::Stats,
        _ => return Ok(None),
    }))
}

/// The words after `assay agent sessions`.
fn session_operation(words: &Arguments<'_>) -> Result<SessionOperation, Failure> {
    let wrong = || words.wrong_word("show N, resume N [REQUEST], clear N, stop N, approve N, or nothing");
    let Some(verb) = words.optional(1) else { return Ok(SessionOperation::List) };
    let Some(number) = words.optional(2) else { return Err(wrong().into()) };
    let session = session_number(number)?;
    let request = optional_text(words, 3);
    if request.is_some() && verb != "resume" || words.optional(4).is_some() {
        return Err(wrong().into());
    }
    Ok(match verb {
        "show" => SessionOperation::Show(session),
        "resume" => SessionOperation::Resume { session, request },
        "clear" => SessionOperation::Clear(session),
        "stop" => SessionOperation::Stop(session),
        "approve" => SessionOperation::Approve { session, is_approved: !words.has("no") },
        _ => return Err(wrong().into()),
    })
}

fn session_number(text: &str) -> Result<i64, Failure> {
    let wrong = |_| UsageError::wrong_value("the number of a session", format!("`{text}`")).into();
    text.parse().map_err(wrong)
}
