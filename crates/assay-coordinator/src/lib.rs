//! The only owner of live state: journal, run lock, task context, history, resume, events between processes.
//!
//! Knows one file of one project, and expects processes to die at any moment. Every change is one
//! transaction that is on the disk before anyone acts on it. Does not know what a browser is, how a run
//! is carried out or who calls it. Blocks, and starts no thread.

mod agent_session;
mod agent_share;
mod agent_turn;
mod agent_use;
mod analyses;
mod bus;
mod checksum;
mod coordinator;
mod copy;
mod device_lock;
mod error;
mod events;
mod fingerprint;
mod folder;
mod history;
mod incidents;
mod journal;
mod lock;
mod messages;
mod navigation;
mod process;
mod progress;
mod relocate;
mod replace;
mod restart;
mod results;
mod retention;
mod runs;
mod schema;
mod service;
mod state;
mod store;
mod tasks;
mod time;
mod watch;

pub use agent_session::{
    AgentEntry, AgentEntryKind, AgentSession, AgentSessionId, AgentStatus, AgentTotals, NewAgentSession,
};
pub use agent_share::{AgentShare, AgentWork};
pub use agent_turn::{AfterTurn, AgentTurn, BegunCall};
pub use agent_use::{AgentUse, SkillUse};
pub use analyses::{KeptAnalysis, ResultKey};
pub use bus::{
    Delivery, DeliveryState, EventError, EventKey, LEASE, ListedEvent, LostEvent, NewEvent, Published,
    Subscription, Trigger, check_event_type,
};
pub use coordinator::Coordinator;
pub use device_lock::{ControlWish, Controlled, DeviceQueue};
pub use error::{StateError, hint};
pub use fingerprint::fingerprint;
pub use history::{
    FlakyEngine, FlakyStep, FlakyTest, PastResult, Rate, Spread, Stats, TestDurations, TestFailures,
};
pub use incidents::{
    Incident, IncidentEntry, IncidentEntryKind, IncidentEvidence, IncidentStatus, Joined, NewIncident,
    Severity,
};
pub use lock::{HeldLock, Lease};
pub use navigation::{EdgeTry, UnfinishedExploring};
pub use process::{process, this_process};
pub use progress::{BegunAct, EndedAct, FinishedStep, FinishedTest, TestUnderWay, Unfinished};
pub use relocate::{prepare_state_folder, relocate_runs, runs_folders};
pub use replace::{replace_state, state_version};
pub use retention::{Cleared, Retention};
pub use runs::{RunOpening, RunRecord};
pub use service::{
    Attempted, AuditEntry, BegunWork, HookDelivery, HookMessage, IncomingHook, KeptAnswer, KeyState,
    MessageKind, MessagePage, MessageStatus, NewAuditEntry, NewDelivery, NewOrder, NewTick, NewWork, Order,
    OrderPage, OrderStatus, OutgoingHook, OutgoingSettings, RequestKey, Schedule, ScheduleSettings, Tick,
};
pub use store::Outlives;
