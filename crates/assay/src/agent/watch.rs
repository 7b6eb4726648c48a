//! `assay agent watch`: Guardian handles alerts, Sherlock analyses runs that have ended.

use std::time::{Duration, Instant};

use assay_agent::incident::{Guardian, Handled};
use assay_agent::{AgentEvent, AgentListener, EventKind, Library};
use assay_coordinator::{Coordinator, Delivery, Subscription, Trigger, this_process};
use assay_daemon::fork_guard;
use assay_host::state_failure;
use assay_protocol::{ErrorCode, Failure, Format, Owner, TaskId, event_types};
use assay_suite::{Agent, EventTrigger};
use serde_json::{Value, json};

use super::analyze::analysis_of;
use super::explain::Explainer;
use crate::command::Invocation;
use crate::environment::Environment;
use crate::own_program::OwnProgram;
use crate::{host, output, state};

const GUARDIAN: &str = "guardian";
const SHERLOCK: &str = "sherlock";

/// Longer than any skill takes. A process that dies loses its events at once.
const LEASE: Duration = Duration::from_secs(10 * 60);
/// How long one subscriber waits before the other is looked at.
const TURN: Duration = Duration::from_millis(300);

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
    let session = format!("{GUARDIAN}-{}", std::process::id());
    let monitor = agent_called("monitor", environment)?;
    // Only who names one pays for one: a watch works by itself.
    let connect = |model| Explainer::connect(model, &monitor.config.budget, environment);
    let explainer = model.map(connect).transpose()?;
    let watcher = Watcher {
        owner: this_process("assay agent watch").map_err(state_failure)?,
        evidence: coordinator.file().parent().map(|folder| folder.join("incidents")).unwrap_or_default(),
        coordinator,
        program,
        session,
        monitor,
        explainer,
        analyzer: agent_called("analyzer", environment)?,
        json: invocation.format == Format::Json,
        environment,
    };
    for agent in [&watcher.monitor, &watcher.analyzer].into_iter().filter(|agent| !agent.config.is_enabled) {
        output::tell(&format!("note: {} is not enabled", agent.nickname));
    }
    watcher.subscribe()?;
    let watched = watcher.work(once);
    // What it opened, and what it still controls, ends with it.
    let ended = watcher.program.end_session(&watcher.session);
    watched.and(ended)
}

/// One of the project replaces the one that is built in, if the user trusts the project: its triggers make us act.
fn agent_called(id: &str, environment: &Environment) -> Result<Agent, Failure> {
    let here = host::here()?;
    let library = Library::of_project(&here, environment.home.as_deref());
    let failed = |trouble: assay_agent::LibraryTrouble| Failure::new(ErrorCode::Usage, trouble.to_string());
    let agent = library.agent(id).map_err(failed)?;
    let Some(file) = &agent.file else { return Ok(agent.clone()) };
    if host::trusted(environment).contains(&library.folder) {
        return Ok(agent.clone());
    }
    output::tell(&format!("note: {} is not used, because the project is not trusted", file.display()));
    Library::built_in().agent(id).cloned().map_err(failed)
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
    session: String,
    monitor: Agent,
    analyzer: Agent,
    explainer: Option<Explainer>,
    owner: Owner,
    evidence: std::path::PathBuf,
    json: bool,
    environment: &'a Environment,
}

impl Watcher<'_> {
    /// The files of the agents say which events wake them.
    fn subscribe(&self) -> Result<(), Failure> {
        for (name, agent) in [(GUARDIAN, &self.monitor), (SHERLOCK, &self.analyzer)] {
            let triggers = match agent.config.is_enabled {
                true => agent.triggers.iter().map(trigger).collect(),
                false => Vec::new(),
            };
            let subscription = Subscription { name: name.to_string(), triggers };
            self.coordinator.subscribe(&subscription).map_err(state_failure)?;
        }
        Ok(())
    }

    fn work(&self, once: bool) -> Result<(), Failure> {
        loop {
            let mut is_idle = true;
            if let Some(delivery) = self.take(GUARDIAN)? {
                self.handle(&delivery)?;
                is_idle = false;
            } else if let Some(delivery) = self.take(SHERLOCK)? {
                self.analyse(&delivery)?;
                is_idle = false;
            }
            match (is_idle, once) {
                (true, true) => return Ok(()),
                (true, false) => self.wait()?,
                (false, _) => {}
            }
        }
    }

    fn take(&self, subscriber: &str) -> Result<Option<Delivery>, Failure> {
        self.coordinator.take_event(subscriber, &self.owner, LEASE).map_err(state_failure)
    }

    fn wait(&self) -> Result<(), Failure> {
        for subscriber in [GUARDIAN, SHERLOCK] {
            if self.coordinator.wait_for_bus(subscriber, &self.owner, TURN).map_err(state_failure)? {
                break;
            }
        }
        Ok(())
    }

    fn handle(&self, delivery: &Delivery) -> Result<(), Failure> {
        let until = Instant::now() + self.monitor.config.timeout;
        let handled = Guardian {
            coordinator: &self.coordinator,
            program: &self.program,
            session: &self.session,
            skills: &self.monitor.skills,
            evidence: self.evidence.clone(),
            listener: &Lines,
            is_stopped: &|| Instant::now() >= until,
        }
        .handle(delivery)
        .map_err(state_failure)?;
        self.coordinator.acknowledge(delivery).map_err(state_failure)?;
        self.say(&handled_line(delivery, &handled), &json!(handled));
        // The work is done and acknowledged: what a model says changes nothing.
        match (&self.explainer, handled.skill) {
            (Some(explainer), Some(_)) => {
                explainer.explain(&self.coordinator, handled.incident.number, &|| Instant::now() >= until)
            }
            _ => Ok(()),
        }
    }

    /// A run is analysed when it has ended; its single results wait for that.
    fn analyse(&self, delivery: &Delivery) -> Result<(), Failure> {
        let event = &delivery.event;
        if event.event_type == event_types::EXECUTION_DONE
            && let Some(run) = event.payload["run"].as_i64()
        {
            let answer = match self.coordinator.run(TaskId(run)).map_err(state_failure) {
                Ok(record) => analysis_of(&self.coordinator, &record, self.environment),
                Err(failure) => Err(failure),
            };
            match answer {
                Ok(analysis) => {
                    let counts: Vec<String> =
                        analysis.classes.iter().map(|(class, count)| format!("{count} {class}")).collect();
                    let first = analysis.first_look.first();
                    let first =
                        first.map(|look| format!("; first: {} {}", look.class, look.tests.join(", ")));
                    let line = format!("run {run}: {}{}", counts.join(", "), first.unwrap_or_default());
                    let value = json!({
                        "event": event.number, "run": run, "classes": analysis.classes,
                        "first_look": analysis.first_look,
                    });
                    self.say(&line, &value);
                }
                // It was removed, or it goes on after all: there is nothing to analyse, and nothing to wait for.
                Err(failure) if failure.code == ErrorCode::Usage => {
                    output::tell(&format!("note: event {}: {}", event.number, failure.message));
                }
                Err(failure) => return Err(failure),
            }
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
