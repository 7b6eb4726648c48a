//! The nouns of assay as types, and their versioned JSON.
//!
//! Knows requests, answers and failures. Does no I/O, starts no task and knows no
//! browser.

mod action;
pub mod actions;
mod answer;
mod bus_event;
mod coordination;
mod device;
mod effect;
mod effect_kind;
mod emulation;
mod failure;
mod lasting;
mod lock;
mod map;
mod mark;
mod mask_text;
mod moment;
mod navigation;
mod one_line;
mod pilot;
mod proof;
mod raw;
mod request;
mod request_shape;
mod requirement;
mod route;
mod run;
mod scene;
mod secrets;
mod selector;
mod signature;
mod terminal;
mod turn;
mod verdict;

pub use action::{
    Action, CookieOperation, DialogAnswer, DropSide, ElementState, MouseButton, ScrollTo, StorageOperation,
    WaitFor, WaitState,
};
pub use actions::{EffectClass, UsageError};
pub use answer::{Answer, ConsoleLine, CookieInfo, FrameLine, NetworkLine, PageLine, TabLine};
pub use bus_event::{BusEvent, EventPriority, event_types, is_event_pattern, is_event_type};
pub use coordination::{
    ActionPhase, ActionRecord, ContextPatch, LockName, NotALockName, NumberedEvent, Owner, PastAction,
    Subtask, SubtaskStatus, Task, TaskContext, TaskError, TaskEvent, TaskId, TaskKind, TaskMessage,
    TaskReply, TaskState, TaskStatus, TaskTab,
};
pub use device::{DeviceInfo, DeviceLock, DeviceState, DeviceWaiter, HostInfo, LockPriority, UserInterface};
pub use effect::{
    Arrangement, BlockedRequests, BrowserDialog, Change, ChangeKind, Did, Download, Effect, FailedRequest,
    NewTab, RequestMade,
};
pub use effect_kind::EffectKind;
pub use emulation::{
    ClockOperation, ColorScheme, Device, Emulation, EmulationChange, Geolocation, MediaType,
    NetworkCondition, NetworkProfile, PageClock, ReducedMotion,
};
pub use failure::{Candidate, ErrorCode, Failure};
pub use lasting::LastingAct;
pub use lock::{FoundAgain, Healing, LockedEntry, LockedTest};
pub use map::{ElementLine, ElementMap, MapNode, ref_name};
pub use mark::{ElementMark, MarkedPicture, TargetMark};
pub use mask_text::MaskText;
pub use moment::{read_moment, write_moment};
pub use navigation::{
    ANY_SCREEN, AddressPattern, DirectedEdge, Edge, EdgeCommand, EdgeMetrics, ElementCondition, FactKind,
    LINK_TO, LearnedFact, NavigationTree, NoAddressPattern, NoEdgeCommand, NoElementCondition, Screen,
    fits_glob,
};
pub use one_line::in_one_line;
pub use pilot::{CallUsage, ModelCall, PilotEnding, PilotReport, SafetyEvent};
pub use proof::{FaultOutcome, FaultTried, Proof, ProofJudgement};
pub use raw::{RawInput, RawPlace, ViewPoint, ViewSize};
pub use request::{
    Agreed, Ask, BrowserSettings, Control, DaemonStatus, FollowOrder, Format, GREETING, GuestLimits, Outcome,
    PROTOCOL_VERSION, Reply, Request, RequestedBy,
};
pub use request_shape::{NoRequestShape, RequestShape, is_record_number};
pub use requirement::{CoverageKind, Priority, Requirement, RequirementLink, RequirementStatus};
pub use route::{Route, RouteAnswer, RouteCount, RouteReply, UrlPattern};
pub use run::{Basis, CommandRecord, LastPage, Part, Retry, RunEvent, RunFact, TestLine};
pub use scene::{Scene, SceneNode};
pub use secrets::Secrets;
pub use selector::{Selector, SelectorError, Step};
pub use signature::Signature;
pub use terminal::{for_terminal, json_for_terminal, steers_terminal};
pub use turn::{ActOutcome, PilotTurn, TurnAct};
pub use verdict::{Judgement, Verdict};
