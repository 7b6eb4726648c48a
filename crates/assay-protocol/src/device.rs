//! Hosts, the devices that they offer, and who controls a device.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A machine that offers devices.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct HostInfo {
    /// `local` is this machine.
    pub host: String,
    /// The name of the machine.
    pub machine: String,
    /// Its system, such as `linux x86_64`.
    pub system: String,
    pub cores: usize,
    pub memory_mb: u64,
    /// The version of assay there.
    pub version: String,
    pub devices: Vec<DeviceInfo>,
}

/// Something that can be driven: a browser that a host can open, or one that is open.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DeviceInfo {
    /// `chromium`: a browser that can be opened. `session:default`: one that is open.
    pub device: String,
    pub host: String,
    /// The program and its version.
    pub model: String,
    /// `web`.
    pub platform: String,
    pub state: DeviceState,
    /// `ok`, or what is wrong.
    pub health: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tabs: Option<usize>,
    /// The command that it carries out now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub busy: Option<String>,
    /// Who controls it; without a lock, anybody may.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lock: Option<DeviceLock>,
    /// Who waits for control, the next one first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub queue: Vec<DeviceWaiter>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DeviceState {
    /// A browser that can be opened.
    Ready,
    /// A session with a browser.
    Open,
    /// A session whose browser starts with its first command.
    Starting,
    /// It is not installed, or it does not answer.
    Unavailable,
}

impl DeviceState {
    pub fn name(self) -> &'static str {
        match self {
            DeviceState::Ready => "ready",
            DeviceState::Open => "open",
            DeviceState::Starting => "starting",
            DeviceState::Unavailable => "unavailable",
        }
    }
}

/// Control of a device: its owner alone may drive it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DeviceLock {
    pub device: String,
    pub owner: String,
    /// What the owner does with it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub purpose: String,
    pub priority: LockPriority,
    /// Milliseconds since 1970.
    pub taken_at: u64,
    /// It ends after so many seconds, unless its owner drives the device or takes it again.
    pub expires_in_s: u64,
}

/// An owner that waits for a device.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DeviceWaiter {
    pub owner: String,
    pub priority: LockPriority,
    /// Milliseconds since 1970.
    pub since: u64,
}

/// Who is next when a device becomes free. Nobody loses control to a higher priority.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LockPriority {
    Low,
    #[default]
    Normal,
    High,
}

impl LockPriority {
    pub const ALL: [LockPriority; 3] = [LockPriority::Low, LockPriority::Normal, LockPriority::High];

    pub fn name(self) -> &'static str {
        match self {
            LockPriority::Low => "low",
            LockPriority::Normal => "normal",
            LockPriority::High => "high",
        }
    }

    pub fn named(name: &str) -> Option<LockPriority> {
        LockPriority::ALL.into_iter().find(|priority| priority.name() == name)
    }
}

/// An application that the project tests.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UserInterface {
    pub userinterface: String,
    /// Where it is reached.
    pub base_url: String,
    /// `web`.
    pub platform: String,
    /// The browsers that the project tests it with.
    pub browsers: Vec<String>,
    /// How many tests it has.
    pub testcases: usize,
}
