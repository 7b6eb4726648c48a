//! Alerts against a program that plays the devices.

use std::cell::RefCell;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

use assay_coordinator::{
    Coordinator, Delivery, IncidentEntryKind, IncidentStatus, LEASE, NewEvent, Severity, Subscription,
    Trigger, this_process,
};
use assay_protocol::{Action, DeviceLock, ErrorCode, Failure, HostInfo, Outcome, Reply, UserInterface};
use assay_suite::{Agent, AgentConfig, Approval};
use assay_tools::{CallSpec, CommandRun, DeviceWish, Program};
use serde_json::json;

use super::Guardian;
use crate::Library;
use crate::event::{AgentEvent, AgentListener};

/// What the devices do, and what was asked of them.
#[derive(Default)]
struct Devices {
    asked: Mutex<Vec<String>>,
    controlled_by: Option<&'static str>,
    shows_nothing: bool,
}

impl Devices {
    fn ask(&self, what: &str) {
        self.asked.lock().unwrap().push(what.to_string());
    }

    fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

fn lock(owner: &str) -> DeviceLock {
    serde_json::from_value(json!({
        "device": "chromium", "owner": owner, "purpose": "", "priority": "normal", "taken_at": 1, "expires_in_s": 60,
    }))
    .unwrap()
}

impl Program for Devices {
    fn folder(&self) -> PathBuf {
        std::env::temp_dir()
    }

    fn temporary(&self) -> PathBuf {
        std::env::temp_dir()
    }

    fn act(&self, _: &CallSpec<'_>, action: Action) -> Result<Reply, Failure> {
        self.ask("act");
        let Action::Screenshot { path, .. } = action else { panic!("{action:?}") };
        if self.shows_nothing {
            return Err(Failure::new(ErrorCode::BrowserFailed, "the browser did not start"));
        }
        std::fs::write(&path, b"\x89PNG").unwrap();
        Ok(Reply { outcome: Outcome::Text { text: String::new(), exit: 0 }, notes: Vec::new() })
    }

    fn action_of(&self, _: &[String]) -> Option<Action> {
        None
    }

    fn reach_of(&self, _: &[String]) -> Result<Option<&'static str>, Failure> {
        Ok(None)
    }

    fn run_command(&self, _: &CallSpec<'_>, words: &[String]) -> Result<CommandRun, Failure> {
        panic!("{words:?}")
    }

    fn host(&self) -> Result<HostInfo, Failure> {
        self.ask("host");
        let lock = self.controlled_by.map(lock);
        Ok(serde_json::from_value(json!({
            "host": "local", "machine": "m", "system": "linux", "cores": 1, "memory_mb": 1, "version": "1",
            "devices": [{
                "device": "chromium", "host": "local", "model": "Chromium 1", "platform": "web",
                "state": "ready", "health": "ok",
                "lock": lock, "queue": [],
            }],
        }))
        .unwrap())
    }

    fn take_control(&self, _: &CallSpec<'_>, wish: DeviceWish) -> Result<DeviceLock, Failure> {
        self.ask("take");
        assert_eq!(wish.purpose, "incident 1");
        match self.controlled_by {
            Some(owner) => {
                Err(Failure::new(ErrorCode::DeviceBusy, format!("{owner} controls `{}`", wish.device)))
            }
            None => Ok(lock("guardian")),
        }
    }

    fn check_control(&self, _: &CallSpec<'_>, _: &str) -> Result<(), Failure> {
        Ok(())
    }

    fn release_control(&self, _: &CallSpec<'_>, _: &str) -> Result<DeviceLock, Failure> {
        self.ask("release");
        Ok(lock("guardian"))
    }

    fn applications(&self) -> Result<Vec<UserInterface>, Failure> {
        Ok(Vec::new())
    }
}

/// The events in short.
#[derive(Default)]
struct Heard(RefCell<Vec<String>>);

impl AgentListener for Heard {
    fn event(&self, event: &AgentEvent) {
        let kind = serde_json::to_value(event.kind).unwrap();
        let what = event.tool_name.as_deref().unwrap_or(&event.content);
        self.0.borrow_mut().push(format!("{} {what}", kind.as_str().unwrap()));
    }
}

struct Home {
    folder: PathBuf,
    coordinator: Coordinator,
    /// Of Guardian; none as it is built in.
    config: Option<AgentConfig>,
}

impl Home {
    fn new() -> Home {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let name =
            format!("assay-guardian-{}-{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
        let folder = std::env::temp_dir().join(name);
        let coordinator = Coordinator::open(&folder).unwrap();
        let trigger = |event: &str| Trigger { event: event.to_string(), priority: None };
        let triggers = vec![trigger("alert.*"), trigger("schedule.health_check")];
        coordinator.subscribe(&Subscription { name: "guardian".to_string(), triggers }).unwrap();
        Home { folder, coordinator, config: None }
    }

    fn publish(&self, event_type: &str, device: &str) {
        let event = NewEvent {
            event_type: event_type.to_string(),
            device: device.to_string(),
            priority: None,
            key: None,
            payload: json!({}),
        };
        self.coordinator.publish(&event).unwrap();
    }

    fn take(&self) -> Delivery {
        let owner = this_process("a test").unwrap();
        self.coordinator.take_event("guardian", &owner, LEASE, None).unwrap().unwrap()
    }

    fn handle(&self, devices: &Devices, delivery: &Delivery) -> (super::Handled, Vec<String>) {
        let said = Heard::default();
        let library = Library::built_in();
        let agent = Agent {
            config: self.config.clone().unwrap_or(library.agent("monitor").unwrap().config.clone()),
            ..library.agent("monitor").unwrap().clone()
        };
        let handled = Guardian {
            coordinator: &self.coordinator,
            program: devices,
            session: "guardian-1",
            agent: &agent,
            library: &library,
            evidence: self.folder.join("incidents"),
            listener: &said,
            is_stopped: &|| false,
        }
        .handle(delivery)
        .unwrap();
        (handled, said.0.into_inner())
    }

    fn alert(&self, devices: &Devices, event_type: &str) -> super::Handled {
        self.publish(event_type, "chromium");
        let delivery = self.take();
        let (handled, _) = self.handle(devices, &delivery);
        self.coordinator.acknowledge(&delivery).unwrap();
        handled
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        // What is left of a test that failed is of use to nobody else.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

#[test]
fn a_crash_is_looked_at_under_control_which_is_released() {
    let (home, devices) = (Home::new(), Devices::default());
    home.publish("alert.app_crash", "chromium");
    let (handled, said) = home.handle(&devices, &home.take());
    assert_eq!(devices.asked(), ["take", "act", "host", "release"]);
    assert_eq!(handled.skill, Some("incident-response"));
    assert_eq!((handled.incident.class.as_str(), handled.incident.severity), ("crash", Severity::Major));
    let expected = [
        "skill_loaded incident-response",
        "tool_call take_control",
        "tool_result take_control",
        "tool_call capture_screenshot",
        "tool_result capture_screenshot",
        "tool_call get_device_info",
        "tool_result get_device_info",
        "tool_call release_control",
        "tool_result release_control",
    ];
    assert_eq!(said[..9], expected);
    assert_eq!(said.last().unwrap(), "session_ended ");
    let (_, entries) = home.coordinator.incident(1).unwrap();
    let evidence = entries.iter().find(|entry| entry.kind == IncidentEntryKind::Evidence).unwrap();
    assert!(std::fs::exists(evidence.body["file"].as_str().unwrap()).unwrap());
}

#[test]
fn control_is_released_also_where_nothing_can_be_seen() {
    let (home, devices) = (Home::new(), Devices { shows_nothing: true, ..Devices::default() });
    let handled = home.alert(&devices, "alert.anr");
    assert_eq!(devices.asked(), ["take", "act", "host", "release"]);
    assert_eq!(handled.incident.severity, Severity::Critical);
    assert!(handled.summary.contains("no picture"), "{}", handled.summary);
}

#[test]
fn a_device_of_somebody_else_is_left_alone() {
    let (home, devices) = (Home::new(), Devices { controlled_by: Some("ben"), ..Devices::default() });
    let handled = home.alert(&devices, "alert.app_crash");
    assert_eq!(devices.asked(), ["take", "host"]);
    assert!(
        handled.summary.starts_with("ben controls chromium; Guardian does not interfere"),
        "{}",
        handled.summary
    );
    // The next alert is looked at all the same.
    assert_eq!(home.alert(&Devices::default(), "alert.app_crash").skill, Some("incident-response"));
}

#[test]
fn repeats_are_counted_until_they_make_it_worse() {
    let (home, devices) = (Home::new(), Devices::default());
    let skills: Vec<Option<&str>> = (0..5).map(|_| home.alert(&devices, "alert.app_crash").skill).collect();
    let response = Some("incident-response");
    assert_eq!(skills, [response, None, response, None, None], "the third makes it critical");
    let incident = home.coordinator.incident(1).unwrap().0;
    assert_eq!((incident.repeats, incident.severity), (5, Severity::Critical));
}

#[test]
fn an_alert_that_was_handled_and_not_acknowledged_has_no_second_effect() {
    let (home, devices) = (Home::new(), Devices::default());
    home.publish("alert.app_crash", "chromium");
    let first = home.take();
    home.handle(&devices, &first);
    home.coordinator.give_back(&first).unwrap();
    let again = home.take();
    assert_eq!(again.attempt, 2);
    let (handled, _) = home.handle(&devices, &again);
    assert_eq!((handled.skill, handled.incident.repeats), (None, 1));
    assert_eq!(devices.asked().len(), 4, "nothing was asked again");
}

#[test]
fn what_was_cut_off_is_noted_and_begun_again() {
    let (home, devices) = (Home::new(), Devices::default());
    home.publish("alert.app_crash", "chromium");
    let first = home.take();
    // As far as a process got that was killed while it took control.
    let new = assay_coordinator::NewIncident { event: &first.event, class: "crash", joins_within: 1 };
    home.coordinator.join_incident(&new).unwrap();
    home.coordinator.enter_into_incident(1, IncidentEntryKind::Begun, "take_control", &json!({})).unwrap();
    home.coordinator.give_back(&first).unwrap();
    let (handled, _) = home.handle(&devices, &home.take());
    assert_eq!(handled.skill, Some("incident-response"));
    let (_, entries) = home.coordinator.incident(1).unwrap();
    let noted = entries.iter().any(|entry| entry.text.contains("ended during `take_control`"));
    assert!(noted, "{entries:?}");
}

#[test]
fn a_health_check_closes_itself() {
    let (home, devices) = (Home::new(), Devices::default());
    home.publish("schedule.health_check", "");
    let (handled, _) = home.handle(&devices, &home.take());
    assert_eq!(handled.skill, Some("health-check"));
    assert_eq!(handled.incident.status, IncidentStatus::Closed);
    assert_eq!(handled.incident.resolution, "1 of 1 devices are well");
}

#[test]
fn a_call_that_needs_a_person_is_not_made_and_stands_in_the_incident() {
    let (mut home, devices) = (Home::new(), Devices::default());
    let built_in = Library::built_in().agent("monitor").unwrap().config.clone();
    home.config = Some(AgentConfig { approval_required_for: vec![Approval::Writes], ..built_in });
    home.publish("alert.app_crash", "chromium");
    let (handled, said) = home.handle(&devices, &home.take());
    assert_eq!(devices.asked(), ["host"], "nobody took control");
    assert!(handled.summary.ends_with("waits for a person to allow take_control"), "{}", handled.summary);
    assert_eq!(handled.incident.severity, Severity::Major, "what waits is not broken");
    let (_, entries) = home.coordinator.incident(1).unwrap();
    let waiting = entries.iter().find(|entry| entry.kind == IncidentEntryKind::Waiting).unwrap();
    assert_eq!((waiting.text.as_str(), &waiting.body["device"]), ("take_control", &json!("chromium")));
    assert!(
        !entries.iter().any(|entry| entry.kind == IncidentEntryKind::Begun && entry.text == "take_control")
    );
    assert_eq!(
        said[1..4],
        ["tool_call take_control", "approval_required take_control", "tool_result take_control"]
    );
}

#[test]
fn where_the_time_is_over_only_control_is_given_back() {
    let (mut home, devices) = (Home::new(), Devices::default());
    let built_in = Library::built_in().agent("monitor").unwrap().config.clone();
    home.config = Some(AgentConfig { timeout: std::time::Duration::ZERO, ..built_in });
    let handled = home.alert(&devices, "alert.app_crash");
    assert_eq!(devices.asked(), Vec::<String>::new());
    assert!(handled.summary.contains("the time is over"), "{}", handled.summary);
}
