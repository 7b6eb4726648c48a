//! `assay agent watch`: Guardian handles alerts, Sherlock analyses runs that have ended, and other agents carry out their
//! workflows for the events of their files.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use assay_agent::incident::{Guardian, Handled};
use assay_agent::{AgentEvent, AgentListener, EventKind, Library, share_of, subscriber_of};
use assay_coordinator::{Coordinator, Delivery, Subscription, Trigger, this_process};
use assay_daemon::fork_guard;
use assay_host::state_failure;
use assay_protocol::{ErrorCode, Failure, Format, Owner, TaskId, event_types};
use assay_suite::{Agent, EventTrigger};
use serde_json::{Value, json};

use super::analyze::analysis_of;
use super::ask::is_trusted;
use super::explain::Explainer;
use super::library::library_here;
use super::woken::{self, OwnRuns};
use crate::command::Invocation;
use crate::environment::Environment;
use crate::own_program::OwnProgram;
use crate::{output, state};

/// Longer than any skill takes. A process that dies loses its events at once.
const LEASE: Duration = Duration::from_secs(10 * 60);
/// How long it waits before it looks again whether there is something to do.
const TURN: Duration = Duration::from_millis(300);

/// Who handles the events of an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Handler {
    Guardian,
    Sherlock,
    /// The workflow of one of its skills.
    Workflow,
}

/// An agent that events wake.
struct Watched {
    agent: Agent,
    subscriber: String,
    handler: Handler,
}

pub(super) fn watch(
    once: bool,
    model: Option<&str>,
    invocation: &Invocation,
    environment: &Environment,
) -> Result<(), Failure> {
    // Forks: before any thread exists.
    let guard = fork_guard()
        .map_err(|err| Failure::new(ErrorCode::DaemonFailed, format!("could not start the guard: {err}")))?;
    let program = OwnProgram::of_caretaker(invocation, environment, guard);
    let coordinator = state::open_here(environment)?;
    let library = library_here()?;
    let watched = watched(&library, is_trusted(&library, environment))?;
    // Only who names one pays for one: a watch works by itself.
    let guardian = watched.iter().find(|watched| watched.handler == Handler::Guardian);
    let explainer = match (model, guardian) {
        (Some(model), Some(guardian)) => {
            Some(Explainer::connect(model, &guardian.agent.config.budget, environment)?)
        }
        _ => None,
    };
    let watcher = Watcher {
        owner: this_process("assay agent watch").map_err(state_failure)?,
        evidence: coordinator.file().parent().map(|folder| folder.join("incidents")).unwrap_or_default(),
        coordinator,
        program,
        watched,
        explainer,
        library,
        json: invocation.format == Format::Json,
        invocation,
        environment,
        own_runs: OwnRuns::default(),
        failed: Mutex::default(),
        is_over: AtomicBool::new(false),
    };
    watcher.subscribe()?;
    watcher.work(once)
}

/// Guardian, Sherlock, and every other agent that an event wakes. One of the project replaces one that is built in, if
/// the user trusts the project: its triggers make us act.
fn watched(library: &Library, is_trusted: bool) -> Result<Vec<Watched>, Failure> {
    let built_in = Library::built_in();
    let mut watched = Vec::new();
    for agent in &library.agents {
        let mut agent = agent;
        let handler = match agent.id.as_str() {
            "monitor" => Handler::Guardian,
            "analyzer" => Handler::Sherlock,
            _ if agent.triggers.is_empty() => continue,
            _ => Handler::Workflow,
        };
        if let Some(file) = agent.file.as_ref().filter(|_| !is_trusted) {
            output::tell(&format!(
                "note: {} is not used, because the project is not trusted",
                file.display()
            ));
            match built_in.agent(&agent.id) {
                Ok(instead) => agent = instead,
                Err(_) => continue,
            }
        }
        if !agent.config.is_enabled {
            output::tell(&format!("note: {} is not enabled", agent.nickname));
        }
        if handler != Handler::Workflow {
            for file in library.skills_of(agent).iter().filter_map(|skill| skill.file.as_ref()) {
                let file = file.display();
                output::tell(&format!(
                    "note: {file} is not used here: {} works by its own rules, and the file holds for `assay agent ask`",
                    agent.nickname
                ));
            }
        }
        watched.push(Watched { subscriber: subscriber_of(&agent.id), agent: agent.clone(), handler });
    }
    Ok(watched)
}

fn trigger(trigger: &EventTrigger) -> Trigger {
    Trigger { event: trigger.event.clone(), priority: Some(trigger.priority) }
}

/// What an agent does, a line each.
struct Lines;

impl AgentListener for Lines {
    fn event(&self, event: &AgentEvent) {
        match (event.kind, &event.tool_name) {
            (EventKind::SkillLoaded, _) => output::tell(&format!("LOAD SKILL {}", event.content)),
            (EventKind::ToolResult, Some(tool)) => {
                output::tell(&format!("{tool} → {}", event.content.lines().next().unwrap_or_default()));
            }
            _ => {}
        }
    }
}

struct Watcher<'a> {
    coordinator: Coordinator,
    program: OwnProgram,
    watched: Vec<Watched>,
    explainer: Option<Explainer>,
    library: Library,
    owner: Owner,
    evidence: std::path::PathBuf,
    json: bool,
    invocation: &'a Invocation,
    environment: &'a Environment,
    own_runs: OwnRuns,
    /// Why the watch ends.
    failed: Mutex<Option<Failure>>,
    is_over: AtomicBool,
}

impl Watcher<'_> {
    /// The files of the agents say which events wake them.
    fn subscribe(&self) -> Result<(), Failure> {
        for Watched { agent, subscriber, .. } in &self.watched {
            let triggers = match agent.config.is_enabled {
                true => agent.triggers.iter().map(trigger).collect(),
                false => Vec::new(),
            };
            let subscription = Subscription { name: subscriber.clone(), triggers };
            self.coordinator.subscribe(&subscription).map_err(state_failure)?;
        }
        Ok(())
    }

    /// Each agent by itself. What one does may wake another, so an end is one at which nobody did anything.
    fn work(&self, once: bool) -> Result<(), Failure> {
        loop {
            let handled = AtomicUsize::new(0);
            thread::scope(|scope| {
                for watched in &self.watched {
                    let handled = &handled;
                    scope.spawn(move || self.follow(watched, once, handled));
                }
            });
            let failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner).take();
            match failed {
                Some(failure) => return Err(failure),
                None if handled.load(Ordering::Relaxed) == 0 => return Ok(()),
                None => {}
            }
        }
    }

    /// Hands the events of an agent to as many workers as it may have.
    fn follow(&self, watched: &Watched, once: bool, handled: &AtomicUsize) {
        let share = share_of(&watched.agent, &watched.subscriber);
        let at_work = AtomicUsize::new(0);
        thread::scope(|scope| {
            while !self.is_over.load(Ordering::Relaxed) {
                let taken =
                    self.coordinator.take_event(&watched.subscriber, &self.owner, LEASE, Some(&share));
                match taken {
                    Ok(Some(delivery)) => {
                        handled.fetch_add(1, Ordering::Relaxed);
                        at_work.fetch_add(1, Ordering::Relaxed);
                        let at_work = &at_work;
                        scope.spawn(move || {
                            self.fail_with(self.deal_with(watched, &delivery));
                            at_work.fetch_sub(1, Ordering::Relaxed);
                        });
                    }
                    Ok(None) if once && at_work.load(Ordering::Relaxed) == 0 => return,
                    // Something may be there that has to wait for a worker.
                    Ok(None) if at_work.load(Ordering::Relaxed) > 0 => thread::sleep(TURN / 6),
                    Ok(None) => {
                        let waited = self.coordinator.wait_for_bus(&watched.subscriber, &self.owner, TURN);
                        match waited {
                            Ok(true) => thread::sleep(TURN / 6),
                            waited => self.fail_with(waited.map(drop).map_err(state_failure)),
                        }
                    }
                    Err(error) => self.fail_with(Err(state_failure(error))),
                }
            }
        });
    }

    /// The first failure ends the watch.
    fn fail_with(&self, done: Result<(), Failure>) {
        if let Err(failure) = done {
            self.is_over.store(true, Ordering::Relaxed);
            self.failed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(failure);
        }
    }

    fn deal_with(&self, watched: &Watched, delivery: &Delivery) -> Result<(), Failure> {
        match watched.handler {
            Handler::Guardian => self.handle(watched, delivery),
            Handler::Sherlock => self.analyse(watched, delivery),
            Handler::Workflow => self.wake(watched, delivery),
        }
    }

    fn handle(&self, watched: &Watched, delivery: &Delivery) -> Result<(), Failure> {
        // Each worker controls devices for itself.
        let session = format!("{}-{}-{}", watched.subscriber, std::process::id(), delivery.event.number);
        let handled = Guardian {
            coordinator: &self.coordinator,
            program: &self.program,
            session: &session,
            agent: &watched.agent,
            library: &self.library,
            evidence: self.evidence.clone(),
            listener: &Lines,
            is_stopped: &|| self.is_over.load(Ordering::Relaxed),
        }
        .handle(delivery)
        .map_err(state_failure);
        // What it opened, and what it still controls, ends with it.
        let ended = self.program.end_session(&session);
        let handled = handled?;
        self.coordinator.acknowledge(delivery).map_err(state_failure)?;
        self.say(&handled_line(delivery, &handled), &json!(handled));
        ended?;
        // The work is done and acknowledged: what a model says changes nothing.
        match (&self.explainer, handled.skill) {
            (Some(explainer), Some(_)) => {
                let is_over = || self.is_over.load(Ordering::Relaxed);
                explainer.explain(&self.coordinator, handled.incident.number, &is_over)
            }
            _ => Ok(()),
        }
    }

    /// A run is analysed when it has ended; its single results wait for that.
    fn analyse(&self, watched: &Watched, delivery: &Delivery) -> Result<(), Failure> {
        let event = &delivery.event;
        if event.event_type == event_types::EXECUTION_DONE
            && let Some(run) = event.payload["run"].as_i64()
        {
            match self.analysed(run, self.time_of(&watched.agent)) {
                Ok((line, mut value)) => {
                    value["event"] = json!(event.number);
                    self.say(&line, &value);
                }
                // It was removed, or it goes on after all: there is nothing to analyse, and nothing to wait for.
                Err(failure) if matches!(failure.code, ErrorCode::Usage | ErrorCode::Timeout) => {
                    output::tell(&format!("note: event {}: {}", event.number, failure.message));
                }
                Err(failure) => return Err(failure),
            }
        }
        self.coordinator.acknowledge(delivery).map_err(state_failure)
    }

    /// As long as the agent and the skill that analyses both allow.
    fn time_of(&self, agent: &Agent) -> Duration {
        let of_skill = self.library.skill("validate-result").map(|skill| skill.timeout);
        of_skill.unwrap_or(agent.config.timeout).min(agent.config.timeout)
    }

    /// The analysis in a thread of its own, which nobody waits for when the time is over.
    fn analysed(&self, run: i64, allowed: Duration) -> Result<(String, Value), Failure> {
        let (coordinator, environment) = (self.coordinator.clone(), self.environment.clone());
        let (sender, answer) = mpsc::channel();
        thread::spawn(move || {
            let record = coordinator.run(TaskId(run)).map_err(state_failure);
            let analysis = record.and_then(|record| analysis_of(&coordinator, &record, &environment));
            // Nobody listens if it took too long.
            let _unheard = sender.send(analysis);
        });
        let late = || {
            let message = format!(
                "the analysis of run {run} took longer than {} s; `assay agent analyze {run}` takes its time",
                allowed.as_secs()
            );
            Failure::new(ErrorCode::Timeout, message)
        };
        let analysis = answer.recv_timeout(allowed).map_err(|_| late())??;
        let counts: Vec<String> =
            analysis.classes.iter().map(|(class, count)| format!("{count} {class}")).collect();
        let first = analysis.first_look.first();
        let first = first.map(|look| format!("; first: {} {}", look.class, look.tests.join(", ")));
        let line = format!("run {run}: {}{}", counts.join(", "), first.unwrap_or_default());
        let value = json!({ "run": run, "classes": analysis.classes, "first_look": analysis.first_look });
        Ok((line, value))
    }

    /// The workflow of a skill of the agent, with what the event says.
    fn wake(&self, watched: &Watched, delivery: &Delivery) -> Result<(), Failure> {
        let event = &delivery.event;
        if !self.own_runs.has(&watched.agent.id, event, &self.coordinator) {
            let begun = Instant::now();
            let agent = &watched.agent;
            let worked = woken::work(agent, delivery, &self.library, self.invocation, self.environment)?;
            let end = &worked.done.end;
            self.own_runs.note(&agent.id, end);
            let line = woken::line(agent, event, &worked);
            let value = json!({
                "event": event.number, "session": worked.session, "agent": watched.agent.id, "skill": end.skill, "answer": end.answer,
                "question": end.question.as_ref().map(|question| &question.text),
                "exit_code": end.exit_code, "duration_ms": begun.elapsed().as_millis() as u64,
            });
            self.say(&line, &value);
        }
        self.coordinator.acknowledge(delivery).map_err(state_failure)
    }

    fn say(&self, line: &str, value: &Value) {
        match self.json {
            true => output::print_json(value),
            false => output::print_line(line),
        }
    }
}

fn handled_line(delivery: &Delivery, handled: &Handled) -> String {
    let incident = &handled.incident;
    format!(
        "event {} {} → incident {} ({}, {}): {}",
        handled.event,
        delivery.event.event_type,
        incident.number,
        incident.class,
        incident.severity.name(),
        handled.summary
    )
}
