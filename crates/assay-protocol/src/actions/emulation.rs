//! What pages are made to believe: media, language, place, network, device, time.

use super::arguments::{Arguments, name_of, one_of, whole_number};
use super::entry::{ActionEntry, ActionProperty, syntax};
use super::parameters::ParameterVisitor;
use super::syntax::{Flag, Group};
use super::usage_error::UsageError;
use crate::moment::{read_moment, write_moment};
use crate::{
    Action, ClockOperation, ColorScheme, Device, EmulationChange, Geolocation, MediaType, NetworkCondition,
    ReducedMotion,
};

const FORMS: &str = "media, locale TAG, timezone NAME, geolocation LATITUDE LONGITUDE, offline on|off, network PROFILE, \
                     device NAME, clock install|set MOMENT, clock advance MS, clock remove, or reset";

pub(super) const EMULATE: ActionEntry = ActionEntry::acts(
    syntax(
        Group::State,
        "emulate",
        "media | locale TAG | timezone NAME | geolocation LAT LON | offline on|off | network PROFILE | device NAME | clock … | reset",
        "Make pages believe in another device, language, place, network or time",
        "assay emulate device \"Pixel 9\"",
    ),
    |words| Ok(Action::Emulate { change: read_change(words)? }),
)
.flags(&[
    Flag::value("color-scheme", "NAME", "media: light, dark or no-preference"),
    Flag::switch("reduced-motion", "media: the user prefers reduced motion"),
    Flag::switch("print", "media: the page is printed"),
    Flag::value("accuracy", "METRES", "geolocation: accuracy of the position (default 1)"),
])
.counts_itself()
.is(&[ActionProperty::NeedsNoPage]);

const COLOR_SCHEMES: &[(&str, ColorScheme)] = &[
    ("light", ColorScheme::Light),
    ("dark", ColorScheme::Dark),
    ("no-preference", ColorScheme::NoPreference),
];

fn read_change(words: &Arguments<'_>) -> Result<EmulationChange, UsageError> {
    let (first, second, third) = (words.optional(0), words.optional(1), words.optional(2));
    if words.all().len() > 3 {
        return Err(words.wrong_word(FORMS));
    }
    Ok(match (first, second, third) {
        (Some("media"), None, None) => read_media(words)?,
        (Some("locale"), Some(locale), None) => EmulationChange::Locale { locale: locale.to_string() },
        (Some("timezone"), Some(timezone), None) => {
            EmulationChange::Timezone { timezone: timezone.to_string() }
        }
        (Some("geolocation"), Some(latitude), Some(longitude)) => EmulationChange::Geolocation(Geolocation {
            latitude: degrees(latitude, 90.0)?,
            longitude: degrees(longitude, 180.0)?,
            accuracy: words.flag("accuracy").map(metres).transpose()?.unwrap_or(1.0),
        }),
        (Some("offline"), Some(state), None) => {
            EmulationChange::Offline { on: one_of(state, "a state", &[("on", true), ("off", false)])? }
        }
        (Some("network"), Some("none"), None) => EmulationChange::Network { condition: None },
        (Some("network"), Some(profile), None) => EmulationChange::Network {
            condition: Some(one_of(profile, "a network profile or none", NetworkCondition::ALL)?),
        },
        (Some("device"), Some(name), None) => EmulationChange::Device { name: device(name)? },
        (Some("clock"), Some(operation), moment) => {
            EmulationChange::Clock(read_clock(words, operation, moment)?)
        }
        (Some("reset"), None, None) => EmulationChange::Reset,
        _ => return Err(words.wrong_word(FORMS)),
    })
}

fn read_media(words: &Arguments<'_>) -> Result<EmulationChange, UsageError> {
    let scheme =
        words.flag("color-scheme").map(|name| one_of(name, "a colour scheme", COLOR_SCHEMES)).transpose()?;
    let reduced_motion = words.has("reduced-motion").then_some(ReducedMotion::Reduce);
    let media = words.has("print").then_some(MediaType::Print);
    if scheme.is_none() && reduced_motion.is_none() && media.is_none() {
        return Err(UsageError::wrong_value("--color-scheme, --reduced-motion or --print", "none of them"));
    }
    Ok(EmulationChange::Media { color_scheme: scheme, reduced_motion, media })
}

fn read_clock(
    words: &Arguments<'_>,
    operation: &str,
    argument: Option<&str>,
) -> Result<ClockOperation, UsageError> {
    let moment = |text: &str| {
        read_moment(text).ok_or_else(|| {
            UsageError::wrong_value(
                "a moment such as 2027-03-01 or 2027-03-01T09:30:00Z",
                format!("`{text}`"),
            )
        })
    };
    Ok(match (operation, argument) {
        ("install", Some(at)) => ClockOperation::Install { at: moment(at)? },
        ("set", Some(at)) => ClockOperation::Set { at: moment(at)? },
        ("advance", Some(ms)) => ClockOperation::Advance { ms: whole_number(ms, "clock advance")? },
        ("remove", None) => ClockOperation::Remove,
        _ => return Err(words.wrong_word("clock install MOMENT, set MOMENT, advance MS or remove")),
    })
}

fn degrees(text: &str, most: f64) -> Result<f64, UsageError> {
    let number = text.parse::<f64>().ok().filter(|number| number.abs() <= most);
    number.ok_or_else(|| {
        UsageError::wrong_value(format!("degrees from -{most} to {most}"), format!("`{text}`"))
    })
}

fn metres(text: &str) -> Result<f64, UsageError> {
    let number = text.parse::<f64>().ok().filter(|number| number.is_finite() && *number >= 0.0);
    number.ok_or_else(|| UsageError::wrong_value("metres after --accuracy", format!("`{text}`")))
}

/// The name as the list of devices has it.
fn device(name: &str) -> Result<String, UsageError> {
    Device::named(name).map(|device| device.name.clone()).ok_or_else(|| {
        let names: Vec<&str> = Device::all().iter().map(|device| device.name.as_str()).collect();
        UsageError::wrong_value(format!("a device ({})", names.join(", ")), format!("`{name}`"))
    })
}

pub(super) fn emulate(to: &mut dyn ParameterVisitor<'_>, change: &EmulationChange) {
    match change {
        EmulationChange::Media { color_scheme, reduced_motion, media } => {
            to.word("media");
            if let Some(scheme) = color_scheme {
                to.flag("color-scheme", name_of(scheme, COLOR_SCHEMES));
            }
            if *reduced_motion == Some(ReducedMotion::Reduce) {
                to.switch("reduced-motion");
            }
            if *media == Some(MediaType::Print) {
                to.switch("print");
            }
        }
        EmulationChange::Locale { locale } => pair(to, "locale", locale),
        EmulationChange::Timezone { timezone } => pair(to, "timezone", timezone),
        EmulationChange::Geolocation(Geolocation { latitude, longitude, accuracy }) => {
            pair(to, "geolocation", &latitude.to_string());
            to.word(&longitude.to_string());
            if *accuracy != 1.0 {
                to.flag("accuracy", &accuracy.to_string());
            }
        }
        EmulationChange::Offline { on } => pair(to, "offline", if *on { "on" } else { "off" }),
        EmulationChange::Network { condition } => {
            pair(
                to,
                "network",
                condition.as_ref().map_or("none", |known| name_of(known, NetworkCondition::ALL)),
            );
        }
        EmulationChange::Device { name } => {
            to.word("device");
            to.quoted(name);
        }
        EmulationChange::Clock(operation) => {
            to.word("clock");
            match operation {
                ClockOperation::Install { at } => pair(to, "install", &write_moment(*at)),
                ClockOperation::Set { at } => pair(to, "set", &write_moment(*at)),
                ClockOperation::Advance { ms } => pair(to, "advance", &ms.to_string()),
                ClockOperation::Remove => to.word("remove"),
            }
        }
        EmulationChange::Reset => to.word("reset"),
    }
}

fn pair(to: &mut dyn ParameterVisitor<'_>, what: &str, value: &str) {
    to.word(what);
    to.word(value);
}
