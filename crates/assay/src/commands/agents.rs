//! Commands about agents and their skills.

use assay_protocol::Failure;
use assay_protocol::actions::{Arguments, Flag, UsageError};

use super::{CommandEntry, command, optional_text};
use crate::agent::{AgentOperation, AskOptions};
use crate::command::Command;

const VERBS: &str = "ask, list, show, check or skill, or nothing for a conversation";

pub(super) const AGENT: CommandEntry = command(
    "agent",
    "[ask REQUEST | list | show NAME | check [FILES] | skill list|show|new [NAME]]",
    "Ask an agent in plain words to run tests and scripts, to look at devices, or to keep requirements",
    "assay agent ask \"Run the login test on chromium\"",
    |words| Ok(Command::Agent(operation(words)?)),
)
.flags(&[
    Flag::value("agent", "NAME", "the agent (default: the one that a project or assay declares as default)"),
    Flag::switch("yes", "ask: agree to whatever needs a yes"),
    Flag::switch("dry-run", "ask: say which skill and values are meant, and do nothing"),
])
.counts_itself();

fn operation(words: &Arguments<'_>) -> Result<AgentOperation, Failure> {
    let options = || AskOptions {
        agent: words.flag("agent").map(str::to_string),
        is_agreed: words.has("yes"),
        is_dry: words.has("dry-run"),
    };
    let needs = |at: usize, what: &str| -> Result<String, UsageError> {
        optional_text(words, at).ok_or_else(|| UsageError::wrong_value(what, "nothing"))
    };
    let rest = |from: usize| (from..).map_while(|at| optional_text(words, at)).collect::<Vec<_>>();
    let most = |count: usize| -> Result<(), UsageError> {
        if words.optional(count).is_some() { Err(words.wrong_word(VERBS)) } else { Ok(()) }
    };
    Ok(match words.optional(0) {
        None => AgentOperation::Talk(options()),
        // People forget the quotes.
        Some("ask") => {
            needs(1, "a request")?;
            AgentOperation::Ask { request: rest(1).join(" "), options: options() }
        }
        Some("list") => {
            most(1)?;
            AgentOperation::List
        }
        Some("show") => {
            most(2)?;
            AgentOperation::Show { name: needs(1, "the name of an agent")? }
        }
        Some("check") => AgentOperation::Check { files: rest(1) },
        Some("skill") => {
            most(3)?;
            match words.optional(1) {
                Some("list") => AgentOperation::SkillList,
                Some("show") => AgentOperation::SkillShow { name: needs(2, "the name of a skill")? },
                Some("new") => AgentOperation::SkillNew { name: needs(2, "a name for the skill")? },
                _ => {
                    return Err(
                        UsageError::wrong_value("list, show NAME or new NAME", "something else").into()
                    );
                }
            }
        }
        Some(_) => return Err(words.wrong_word(VERBS).into()),
    })
}
