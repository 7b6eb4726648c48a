//! Carries a workflow out. A call that fails ends the work; calls that clean up are made all the same.

use std::time::Duration;

use assay_protocol::Agreed;
use assay_suite::{Agent, Skill, WorkflowStep};
use assay_tools::{Need, Tool, ToolAnswer, find_tool};
use serde_json::{Map, Value};

use super::answer::answer;
use super::short::short;
use super::store::{Store, is_empty, items};
use crate::event::{AgentEvent, AgentListener, EventKind, EventMetrics, EventProgress};
use crate::library::{needs_approval, refused_tools};
use crate::matching::{Order, holds};

/// What a workflow needs of its surroundings.
pub trait ToolRunner {
    /// Calls a tool; `agreed` is what a person has just said yes to. The call ends soon after `is_stopped` says so.
    fn call(
        &self,
        tool: &'static Tool,
        arguments: Map<String, Value>,
        agreed: &Agreed,
        is_stopped: &dyn Fn() -> bool,
    ) -> ToolAnswer;

    /// Asks a person whether a call may be made.
    fn ask_consent(&self, question: &str) -> Consent;

    /// Milliseconds since 1970.
    fn now_ms(&self) -> u64;

    /// The report of the run that just ended, as a path to show.
    fn report(&self, _answer: &Value) -> Option<String> {
        None
    }

    fn is_stopped(&self) -> bool {
        false
    }

    /// The workflow is about to begin, with these values.
    fn begins(&self, _order: &Order) {}

    /// A call that an earlier process made, for what follows from it.
    fn remember(&self, _tool: &'static Tool, _arguments: &Map<String, Value>, _answer: &ToolAnswer) {}
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Consent {
    Given,
    Refused,
    /// Nobody is there to be asked.
    Nobody,
}

/// A call that was made.
#[derive(Debug, Clone, PartialEq)]
pub struct CallMade {
    pub tool: String,
    pub arguments: Map<String, Value>,
    pub ok: bool,
    /// The answer in a few words.
    pub short: String,
    pub value: Option<Value>,
    pub exit_code: u8,
    pub duration_ms: u64,
}

/// What came of the work.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct WorkDone {
    pub calls: Vec<CallMade>,
    /// In Markdown.
    pub answer: String,
    /// What somebody has to say or allow before it can go on.
    pub question: Option<String>,
    pub exit_code: u8,
}

const BROKEN: u8 = 4;
const OPEN: u8 = 3;
const USAGE: u8 = 2;
/// The first lines of a failure say what it is about.
const REASON_LINES: usize = 5;
/// Calls that clean up have so long, in milliseconds, also where the time of the turn is over.
const TIME_TO_CLEAN_UP: u64 = 30_000;

/// How long the work may take: as long as its skill and its agent both allow.
struct Clock<'a> {
    runner: &'a dyn ToolRunner,
    /// In milliseconds since 1970.
    until: u64,
    allowed: Duration,
}

impl Clock<'_> {
    fn is_over(&self) -> bool {
        self.runner.now_ms() >= self.until
    }

    fn is_stopped(&self) -> bool {
        self.is_over() || self.runner.is_stopped()
    }

    /// Why the work ends now.
    fn stop(&self) -> Option<Stop> {
        let answer = match (self.is_over(), self.runner.is_stopped()) {
            (true, _) => format!("The time of the turn is over: {} s.", self.allowed.as_secs()),
            (false, true) => "Stopped.".to_string(),
            (false, false) => return None,
        };
        Some(Stop { answer, question: None, exit_code: OPEN })
    }

    /// For calls that clean up.
    fn to_clean_up(&self) -> Clock<'_> {
        Clock { until: self.runner.now_ms().max(self.until) + TIME_TO_CLEAN_UP, ..*self }
    }
}

/// Carries out the workflow of a skill. The tools of `skill` and `agent` are checked here again.
pub fn carry_out(
    skill: &Skill,
    agent: &Agent,
    order: &Order,
    is_trusted: bool,
    runner: &dyn ToolRunner,
    listener: &dyn AgentListener,
) -> WorkDone {
    let mut done = WorkDone::default();
    let mut store = Store { slots: &order.slots, answers: Default::default() };
    let refused = refused_tools(skill, agent, is_trusted);
    if let Some(step) = skill.workflow.iter().find(|step| refused.contains(&step.tool.as_str())) {
        let (kind, name) = match skill.file.is_some() {
            true => ("skill", &skill.name),
            false => ("agent", &agent.id),
        };
        done.answer = format!(
            "The {kind} `{name}` came with this project, which is not trusted, so it may not use `{}`. Read its file, \
             then `assay trust`.",
            step.tool
        );
        done.exit_code = USAGE;
        return done;
    }
    if skill.workflow.is_empty() {
        done.answer = format!("The skill `{}` has no workflow; it works with a model only.", skill.name);
        done.exit_code = USAGE;
        return done;
    }
    runner.begins(order);
    let allowed = skill.timeout.min(agent.config.timeout);
    let clock = Clock { runner, until: runner.now_ms() + allowed.as_millis() as u64, allowed };
    let mut ended = false;
    let total = skill.workflow.iter().filter(|step| holds(&step.when, &order.slots)).count() as u64;
    let mut current = 0;
    for step in &skill.workflow {
        current += u64::from(holds(&step.when, &order.slots));
        // Where nothing was done, there is nothing to clean up.
        let is_left_out = ended && !(step.is_always && done.calls.iter().any(|call| call.ok));
        if is_left_out || !holds(&step.when, &order.slots) {
            continue;
        }
        if !ended
            && let Some((path, otherwise)) = &step.needs
            && store.value(path, None).is_none_or(|value| is_empty(&value))
        {
            done.answer = store.text(otherwise, None).unwrap_or_default();
            ended = true;
            continue;
        }
        if !ended && let Some(stop) = clock.stop() {
            done.answer = stop.answer;
            (done.exit_code, ended) = (stop.exit_code, true);
            if !(step.is_always && done.calls.iter().any(|call| call.ok)) {
                continue;
            }
        }
        listener.event(&AgentEvent {
            progress: Some(EventProgress { current, total }),
            ..AgentEvent::new(EventKind::Progress, &agent.id, step.tool.clone(), runner.now_ms())
        });
        let was_ended = ended;
        let to_clean_up = clock.to_clean_up();
        let clock = if step.is_always { &to_clean_up } else { &clock };
        if let Err(stop) = carry_out_step(step, agent, &mut store, &mut done, clock, listener)
            && !was_ended
        {
            done.answer = stop.answer;
            done.question = stop.question;
            done.exit_code = done.exit_code.max(stop.exit_code);
            ended = true;
        }
    }
    if !ended {
        done.answer = answer(skill, &store);
        // Whatever its file makes it say, nobody takes it for a result of assay.
        if skill.file.is_some() && !is_trusted {
            done.answer = format!(
                "(in the words of `{}`, a skill of this project, which is not trusted)\n{}",
                skill.name, done.answer
            );
        }
    }
    done
}

/// Why the work ends here.
struct Stop {
    answer: String,
    question: Option<String>,
    exit_code: u8,
}

fn carry_out_step(
    step: &WorkflowStep,
    agent: &Agent,
    store: &mut Store<'_>,
    done: &mut WorkDone,
    clock: &Clock<'_>,
    listener: &dyn AgentListener,
) -> Result<(), Stop> {
    let Some(tool) = find_tool(&step.tool) else {
        let answer = format!("There is no tool `{}`.", step.tool);
        return Err(Stop { answer, question: None, exit_code: BROKEN });
    };
    let rounds: Vec<Option<Value>> = match &step.each {
        Some(path) => items(store, path).into_iter().map(Some).collect(),
        None => vec![None],
    };
    let mut values = Vec::new();
    for (number, item) in rounds.iter().enumerate() {
        if number > 0
            && let Some(stop) = clock.stop()
        {
            return Err(stop);
        }
        let arguments: Map<String, Value> = step
            .arguments
            .iter()
            .filter_map(|(name, argument)| {
                let value = store.argument(argument, item.as_ref())?;
                Some((name.clone(), as_the_tool_takes_it(tool, name, value)))
            })
            .collect();
        let answer = call(tool, &arguments, agent, clock, listener, done);
        // Cut off, and no answer of its own.
        if (answer.is_error || answer.exit_code > 1)
            && let Some(stop) = clock.stop()
        {
            return Err(stop);
        }
        if let Some(need) = &answer.need {
            let question = match need {
                Need::Consent(question) => question.clone(),
                Need::Answers(questions) => {
                    questions.iter().map(|one| one.question.clone()).collect::<Vec<_>>().join("\n")
                }
            };
            return Err(Stop { answer: String::new(), question: Some(question), exit_code: OPEN });
        }
        if answer.is_error && !step.may_fail {
            let exit_code = if answer.exit_code == 0 { USAGE } else { answer.exit_code };
            let why: Vec<&str> = answer.text.trim().lines().take(REASON_LINES).collect();
            let text = format!("`{}` did not work: {}", tool.name, why.join("\n"));
            return Err(Stop { answer: text, question: None, exit_code });
        }
        if !answer.is_error && !tool.effects.reads_only {
            // A test that failed is an answer; to read of one is nothing that failed.
            done.exit_code = done.exit_code.max(answer.exit_code);
        }
        let mut value = answer.value.unwrap_or(Value::Object(Map::new()));
        if let (Value::Object(fields), false) = (&mut value, answer.is_error) {
            if fields.contains_key("tests") && fields.contains_key("run") {
                if let Some(report) = clock.runner.report(&Value::Object(fields.clone())) {
                    fields.insert("report".to_string(), Value::String(report));
                }
                fields.insert("host".to_string(), Value::String("local".to_string()));
            }
            for (name, argument) in &arguments {
                // So that later steps know what this one worked with.
                fields.entry(name.clone()).or_insert_with(|| argument.clone());
            }
        }
        values.push(value);
    }
    let value = match step.each {
        Some(_) => Value::Array(values),
        None => values.pop().unwrap_or(Value::Null),
    };
    store.answers.insert(step.tool.clone(), value);
    Ok(())
}

/// One value where the tool takes a list is a list of one.
fn as_the_tool_takes_it(tool: &Tool, name: &str, value: Value) -> Value {
    let kind =
        tool.input.get("properties").and_then(|all| all.get(name)?.get("type")).and_then(Value::as_str);
    match (kind, value) {
        (Some("array"), value @ (Value::String(_) | Value::Number(_) | Value::Bool(_))) => {
            Value::Array(vec![value])
        }
        (Some("string"), Value::Number(number)) => Value::String(number.to_string()),
        (_, value) => value,
    }
}

fn call(
    tool: &'static Tool,
    arguments: &Map<String, Value>,
    agent: &Agent,
    clock: &Clock<'_>,
    listener: &dyn AgentListener,
    done: &mut WorkDone,
) -> ToolAnswer {
    let runner = clock.runner;
    let is_stopped = || clock.is_stopped();
    let at = runner.now_ms();
    listener.event(&AgentEvent {
        tool_name: Some(tool.name.to_string()),
        tool_params: Some(Value::Object(arguments.clone())),
        ..AgentEvent::new(EventKind::ToolCall, &agent.id, tool.name, at)
    });
    let mut agreed = Agreed::Nothing;
    let mut answer = None;
    if needs_approval(tool, agent) {
        let question = format!("{}: {}", tool.title, Value::Object(arguments.clone()));
        match runner.ask_consent(&question) {
            Consent::Given => agreed = Agreed::Everything,
            Consent::Refused => answer = Some(refused()),
            Consent::Nobody => answer = Some(not_allowed(&question)),
        }
    }
    // A question that nobody answered is not asked twice.
    let was_asked = answer.is_some();
    let mut answer = answer.unwrap_or_else(|| runner.call(tool, arguments.clone(), &agreed, &is_stopped));
    if let Some(Need::Consent(question)) = answer.need.clone()
        && !was_asked
    {
        match runner.ask_consent(&question) {
            Consent::Given => {
                answer = runner.call(tool, arguments.clone(), &Agreed::To(question), &is_stopped);
            }
            Consent::Refused => answer = refused(),
            Consent::Nobody => {}
        }
    }
    let now = runner.now_ms();
    let short = short(answer.value.as_ref(), &answer.text);
    let ok = !answer.is_error;
    listener.event(&AgentEvent {
        tool_name: Some(tool.name.to_string()),
        tool_result: answer.value.clone().or_else(|| Some(Value::String(answer.text.clone()))),
        success: Some(ok),
        error: (!ok).then(|| answer.text.clone()),
        metrics: Some(EventMetrics { duration_ms: now.saturating_sub(at), ..EventMetrics::default() }),
        ..AgentEvent::new(EventKind::ToolResult, &agent.id, short.clone(), now)
    });
    done.calls.push(CallMade {
        tool: tool.name.to_string(),
        arguments: arguments.clone(),
        ok,
        short,
        value: answer.value.clone(),
        exit_code: answer.exit_code,
        duration_ms: now.saturating_sub(at),
    });
    answer
}

fn refused() -> ToolAnswer {
    ToolAnswer {
        text: "the user did not allow it; nothing was done".to_string(),
        is_error: true,
        exit_code: OPEN,
        ..ToolAnswer::default()
    }
}

fn not_allowed(question: &str) -> ToolAnswer {
    ToolAnswer {
        text: format!("a user has to allow this first; nothing was done:\n{question}"),
        is_error: true,
        need: Some(Need::Consent(question.to_string())),
        exit_code: OPEN,
        ..ToolAnswer::default()
    }
}
