//! Emulated properties of a page's environment: colours, language, place, network, device, time.
//!
//! An `Emulation` is the whole state, not a change: everything else is the browser's default. Knows names and numbers.
//! Does not know how an engine implements it.

use std::sync::LazyLock;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Everything that is emulated in one context; nothing by default.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Emulation {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub color_scheme: Option<ColorScheme>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reduced_motion: Option<ReducedMotion>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub media: Option<MediaType>,
    /// A language tag: `de-DE`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub locale: Option<String>,
    /// A name of the time zone database: `Europe/Madrid`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timezone: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub geolocation: Option<Geolocation>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub network: Option<NetworkCondition>,
    /// The network to have again once it is no longer offline.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub network_online: Option<NetworkCondition>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub device: Option<Device>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock: Option<PageClock>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ColorScheme {
    Light,
    Dark,
    NoPreference,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ReducedMotion {
    Reduce,
    NoPreference,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum MediaType {
    Screen,
    Print,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Geolocation {
    pub latitude: f64,
    pub longitude: f64,
    /// In metres.
    #[serde(default = "one_metre")]
    pub accuracy: f64,
}

fn one_metre() -> f64 {
    1.0
}

/// How the network is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum NetworkCondition {
    Offline,
    #[serde(rename = "slow-3g")]
    Slow3g,
    #[serde(rename = "fast-3g")]
    Fast3g,
    #[serde(rename = "4g")]
    Lte,
}

/// The numbers behind a condition under which something still comes through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NetworkProfile {
    pub latency_ms: u32,
    /// In bytes a second.
    pub download: u32,
    pub upload: u32,
}

impl NetworkCondition {
    pub const ALL: &'static [(&'static str, NetworkCondition)] = &[
        ("offline", NetworkCondition::Offline),
        ("slow-3g", NetworkCondition::Slow3g),
        ("fast-3g", NetworkCondition::Fast3g),
        ("4g", NetworkCondition::Lte),
    ];

    /// The figures of Chrome's developer tools, so that a page is as slow here as where its makers look at it. None when
    /// nothing comes through at all.
    pub fn profile(self) -> Option<NetworkProfile> {
        let profile = |latency_ms, download, upload| Some(NetworkProfile { latency_ms, download, upload });
        match self {
            NetworkCondition::Offline => None,
            NetworkCondition::Slow3g => profile(2000, 50_000, 50_000),
            NetworkCondition::Fast3g => profile(563, 180_000, 84_375),
            NetworkCondition::Lte => profile(165, 1_012_500, 168_750),
        }
    }
}

/// A phone, a tablet or a screen that a page takes the browser for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Device {
    pub name: String,
    /// The size of the page, in CSS pixels.
    pub width: u32,
    pub height: u32,
    /// Device pixels for one of the page.
    pub scale: f64,
    pub touch: bool,
    pub user_agent: String,
}

static DEVICES: LazyLock<Vec<Device>> = LazyLock::new(|| {
    // The file is part of the program, and a test reads all of it.
    serde_json::from_str(include_str!("../data/devices.json")).unwrap_or_default()
});

impl Device {
    /// Those that are known by name, in the order in which they are shown.
    pub fn all() -> &'static [Device] {
        &DEVICES
    }

    /// The device of this name, however its letters are written.
    pub fn named(name: &str) -> Option<&'static Device> {
        DEVICES.iter().find(|device| device.name.eq_ignore_ascii_case(name))
    }
}

/// The time in a page, beside the real one. It goes on as real time does.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PageClock {
    /// How far it is ahead of the real time, in milliseconds.
    pub ahead_ms: i64,
    /// How much of that was passed through, timers and all, and not jumped over.
    pub advanced_ms: u64,
}

/// One thing that a page is to believe from now on, beside what it believes already.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "what", rename_all = "kebab-case")]
pub enum EmulationChange {
    Media {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        color_scheme: Option<ColorScheme>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reduced_motion: Option<ReducedMotion>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        media: Option<MediaType>,
    },
    Locale {
        locale: String,
    },
    Timezone {
        timezone: String,
    },
    Geolocation(Geolocation),
    Offline {
        on: bool,
    },
    /// None: as the machine has it.
    Network {
        condition: Option<NetworkCondition>,
    },
    /// By its name in the list of devices.
    Device {
        name: String,
    },
    Clock(ClockOperation),
    /// Nothing is emulated any more.
    Reset,
}

impl EmulationChange {
    /// What is emulated once this has changed. The clock depends on the moment and is left as it is; None for a device
    /// that is not known.
    pub fn apply(&self, before: &Emulation) -> Option<Emulation> {
        let mut after = before.clone();
        match self {
            EmulationChange::Media { color_scheme, reduced_motion, media } => {
                after.color_scheme = color_scheme.or(after.color_scheme);
                after.reduced_motion = reduced_motion.or(after.reduced_motion);
                after.media = media.or(after.media);
            }
            EmulationChange::Locale { locale } => after.locale = Some(locale.clone()),
            EmulationChange::Timezone { timezone } => after.timezone = Some(timezone.clone()),
            EmulationChange::Geolocation(place) => after.geolocation = Some(*place),
            EmulationChange::Offline { on: true } if after.network != Some(NetworkCondition::Offline) => {
                after.network_online = after.network.replace(NetworkCondition::Offline);
            }
            EmulationChange::Offline { on: false } if after.network == Some(NetworkCondition::Offline) => {
                after.network = after.network_online.take();
            }
            EmulationChange::Offline { .. } => {}
            EmulationChange::Network { condition } => {
                after.network = *condition;
                after.network_online = None;
            }
            EmulationChange::Device { name } => after.device = Some(Device::named(name)?.clone()),
            EmulationChange::Clock(_) => {}
            EmulationChange::Reset => after = Emulation::default(),
        }
        Some(after)
    }
}

/// What can be done to the time in a page. Moments are milliseconds since 1970.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "operation", rename_all = "kebab-case")]
pub enum ClockOperation {
    /// From now on the page has a clock of its own, which begins at this moment.
    Install { at: i64 },
    /// Time passes: timers that become due run, in their order.
    Advance { ms: u64 },
    /// The clock is set, as by hand: no timer runs because of it.
    Set { at: i64 },
    /// The page has the real time again, from its next document on.
    Remove,
}

impl ClockOperation {
    /// The clock afterwards. None where the operation needs one that was never installed.
    pub fn apply(self, clock: Option<PageClock>, now: i64) -> Option<Option<PageClock>> {
        Some(match self {
            ClockOperation::Install { at } => Some(PageClock { ahead_ms: at - now, advanced_ms: 0 }),
            ClockOperation::Set { at } => Some(PageClock { ahead_ms: at - now, ..clock? }),
            ClockOperation::Advance { ms } => {
                let clock = clock?;
                Some(PageClock {
                    ahead_ms: clock.ahead_ms.saturating_add_unsigned(ms),
                    advanced_ms: clock.advanced_ms.saturating_add(ms),
                })
            }
            ClockOperation::Remove => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_emulation_is_written_in_the_words_of_the_web() {
        let json = r#"{"color_scheme":"dark","reduced_motion":"no-preference","locale":"de-DE","network":"slow-3g"}"#;
        let emulation: Emulation = serde_json::from_str(json).expect("an emulation");
        assert_eq!(emulation.network, Some(NetworkCondition::Slow3g));
        assert_eq!(serde_json::to_string(&emulation).expect("text"), json);
        assert_eq!(serde_json::to_string(&Emulation::default()).expect("text"), "{}");
        assert!(serde_json::from_str::<Emulation>(r#"{"colour":"dark"}"#).is_err());
    }

    #[test]
    fn the_network_of_before_comes_back_with_the_connection() {
        let change =
            |emulation: &Emulation, change: EmulationChange| change.apply(emulation).expect("a change");
        let slow = EmulationChange::Network { condition: Some(NetworkCondition::Slow3g) };
        let emulation = change(&Emulation::default(), slow);
        let offline = change(&emulation, EmulationChange::Offline { on: true });
        let offline = change(&offline, EmulationChange::Offline { on: true });
        assert_eq!(offline.network, Some(NetworkCondition::Offline));
        assert_eq!(change(&offline, EmulationChange::Offline { on: false }), emulation);
    }

    #[test]
    fn every_device_can_be_shown_and_found() {
        assert!(Device::all().len() >= 12);
        for device in Device::all() {
            assert_eq!(Device::named(&device.name.to_lowercase()), Some(device));
            assert!((1..=2000).contains(&device.width) && device.height > 0 && device.scale >= 1.0);
            assert!(device.user_agent.starts_with("Mozilla/5.0 ("));
        }
        assert_eq!(Device::named("Nokia 3310"), None);
    }

    #[test]
    fn a_clock_is_installed_before_it_is_advanced() {
        assert_eq!(ClockOperation::Advance { ms: 1 }.apply(None, 0), None);
        assert_eq!(ClockOperation::Set { at: 1 }.apply(None, 0), None);
        let installed = ClockOperation::Install { at: 1_000 }.apply(None, 400).flatten();
        assert_eq!(installed, Some(PageClock { ahead_ms: 600, advanced_ms: 0 }));
        let advanced = ClockOperation::Advance { ms: 50 }.apply(installed, 410).flatten();
        assert_eq!(advanced, Some(PageClock { ahead_ms: 650, advanced_ms: 50 }));
        let set = ClockOperation::Set { at: 0 }.apply(advanced, 500).flatten();
        assert_eq!(set, Some(PageClock { ahead_ms: -500, advanced_ms: 50 }));
        assert_eq!(ClockOperation::Remove.apply(set, 0), Some(None));
    }
}
