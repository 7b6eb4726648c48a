//! The world around the page: its clock, its network, the device, the language and the place that the browser claims.
//!
//! Only whole clauses are read, each word of them. Anything else stays what it is without this file: "Set the Clock
//! field to 5" fills a field. A control of the page may bear the name that such a clause says; it goes along as a
//! rival, and the page decides whether the sentence is clear.

use assay_protocol::{
    ClockOperation, ColorScheme, Device, EmulationChange, Geolocation, MediaType, NetworkCondition,
    ReducedMotion,
};

use crate::{Act, Target};

use super::super::lexicon::inflection::{Inflection, form_of};
use super::super::lexicon::words::DETERMINERS;
use super::super::noun::Nouns;
use super::super::phrase::Phrase;
use super::enter::field;
use super::verbs::Verb;
use super::{Acts, Misread, moments, requests};

/// A change, and the controls that the same words could mean.
struct Emulated {
    change: EmulationChange,
    rivals: Vec<Target>,
}

type MaybeEmulated = Option<Result<Emulated, Misread>>;

/// The act of a clause that is about the world around the page. None for every other clause.
pub(crate) fn world(clause: Phrase<'_>, nouns: &Nouns<'_>) -> Option<Acts> {
    let clause = clause.trimmed().without_end(&["please", "now", "afterwards", "too"]).trimmed();
    if let Some(act) = requests::requests(clause) {
        return Some(Ok(vec![act]));
    }
    let clause = clause.without_end(&["again"]);
    let outer = clause.until(clause.len().saturating_sub(3));
    let names_browser = !outer.is_empty() && clause.from(outer.len()).is(&["in", "the", "browser"]);
    let plain = if names_browser { outer } else { clause };
    let emulated = going(plain)
        .or_else(|| setting(plain, names_browser, nouns))
        .or_else(|| passing(plain))
        .or_else(|| using(plain))?;
    Some(emulated.map(|Emulated { change, mut rivals }| {
        rivals.push(called(plain.text()));
        if names_browser || plain.has("browser") || plain.has("browser's") {
            rivals.clear();
        }
        vec![Act::Emulate { change, said: clause.text().to_string(), rivals }]
    }))
}

/// Whether a clause is about the world around the page, for those who look for the end of one.
pub(crate) fn is_about_world(clause: Phrase<'_>, nouns: &Nouns<'_>) -> bool {
    world(clause, nouns).is_some()
}

fn called(name: &str) -> Target {
    Target { said: format!("\"{name}\""), quoted: Some(name.to_string()), ..Target::default() }
}

/// Whether the clause begins with this verb, in a form that asks for something.
fn asks(clause: Phrase<'_>, verbs: &[&str]) -> bool {
    let form = verbs.iter().find_map(|verb| form_of(clause.word(0), verb));
    form.is_some_and(|form| form != Inflection::Past)
}

fn simple(change: EmulationChange) -> MaybeEmulated {
    Some(Ok(Emulated { change, rivals: Vec::new() }))
}

/// "Go offline", "Go back online", "Take the browser offline".
fn going(clause: Phrase<'_>) -> MaybeEmulated {
    let (state, after) = clause.tokens.split_last()?;
    let on = match state.low.as_str() {
        "offline" => true,
        "online" => false,
        _ => return None,
    };
    let before = Phrase { tokens: after, ..clause };
    let back = !on && before.last().is_some_and(|token| token.is("back"));
    let before = if back { before.until(before.len() - 1) } else { before };
    let is_going = before.len() == 1 && asks(before, &["go"]);
    let is_taken = asks(before, &["take", "bring"]) && before.from(1).is(&["the", "browser"]);
    if !is_going && !is_taken {
        return None;
    }
    let change = EmulationChange::Offline { on };
    let whole = format!("Go {}{}", if back { "back " } else { "" }, state.low);
    Some(Ok(Emulated { change, rivals: vec![called(&whole), called(&state.low)] }))
}

/// What of the browser a sentence sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Setting {
    Clock,
    Locale,
    Timezone,
    Location,
    Network,
}

/// "Set the clock to …": the noun, then the value behind "to".
fn setting(clause: Phrase<'_>, names_browser: bool, nouns: &Nouns<'_>) -> MaybeEmulated {
    if !asks(clause, &["set", "change"]) {
        return None;
    }
    let at = clause.find(&["to"])?;
    let (noun, value) = (clause.part(1, at), clause.from(at + 1));
    let (setting, is_browsers) = setting_named(noun, names_browser)?;
    let must_fit = is_browsers || names_browser;
    let change = if value.has_quoted() { Ok(None) } else { set_to(setting, value) };
    match change {
        Ok(Some(change)) => Some(Ok(Emulated { change, rivals: field(noun, nouns).into_iter().collect() })),
        Ok(None) if must_fit => Some(Err(Misread::new(Verb::Emulate, unfit(setting, value)))),
        Ok(None) => None,
        Err(misread) => Some(Err(misread)),
    }
}

/// Which setting the noun means, and whether it says that it is the browser's.
fn setting_named(noun: Phrase<'_>, names_browser: bool) -> Option<(Setting, bool)> {
    // "Set the Clock to 5": a word in capitals inside a sentence is the name of something on the page.
    if noun.has_quoted() || noun.tokens.iter().any(|token| token.is_capital()) {
        return None;
    }
    let plain = noun.without_front(&["the"]);
    let own = plain.without_front(&["browser", "browser's"]).without_front(&["the"]);
    let tail = own.until(own.len().saturating_sub(3));
    let (own, of_browser) = match own.from(tail.len()).is(&["of", "the", "browser"]) {
        true => (tail, true),
        false => (own, false),
    };
    let is_browsers = of_browser || plain.starts_any(&["browser", "browser's"]);
    let setting = match own.words().as_slice() {
        ["clock" | "time"] => Setting::Clock,
        ["date"] | ["date", "and", "time"] if is_browsers || names_browser => Setting::Clock,
        ["locale"] => Setting::Locale,
        ["language"] if is_browsers || names_browser => Setting::Locale,
        ["time", "zone"] | ["timezone"] => Setting::Timezone,
        ["location" | "geolocation"] => Setting::Location,
        ["network"] => Setting::Network,
        _ => return None,
    };
    Some((setting, is_browsers))
}

/// Nothing for a value that the setting cannot have: a field of the page may.
fn set_to(setting: Setting, value: Phrase<'_>) -> Result<Option<EmulationChange>, Misread> {
    let text = value.text();
    Ok(match setting {
        Setting::Clock => moments::moment(text)?.map(|at| EmulationChange::Clock(ClockOperation::Set { at })),
        Setting::Locale => is_locale(text).then(|| EmulationChange::Locale { locale: text.to_string() }),
        Setting::Timezone => {
            is_timezone(text).then(|| EmulationChange::Timezone { timezone: text.to_string() })
        }
        Setting::Location => location(text).map(EmulationChange::Geolocation),
        Setting::Network => network(value).map(|condition| EmulationChange::Network { condition }),
    })
}

fn unfit(setting: Setting, value: Phrase<'_>) -> String {
    let wanted = match setting {
        Setting::Clock => "a date such as 1 March 2027 or 2027-03-01 09:30",
        Setting::Locale => "a language tag such as de-DE",
        Setting::Timezone => "a time zone such as Europe/Madrid",
        Setting::Location => "a latitude and a longitude such as 40.4, -3.7",
        Setting::Network => "slow 3G, fast 3G, 4G, offline or normal",
    };
    format!("`{}` is not {wanted}", value.text())
}

fn is_locale(text: &str) -> bool {
    let mut parts = text.split('-');
    let language = parts.next().unwrap_or_default();
    matches!(language.len(), 2..=3)
        && language.chars().all(|c| c.is_ascii_lowercase())
        && parts.all(|part| matches!(part.len(), 2..=8) && part.chars().all(|c| c.is_ascii_alphanumeric()))
}

fn is_timezone(text: &str) -> bool {
    let is_name = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_uppercase())
            && part.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '+'))
    };
    text == "UTC" || text.contains('/') && text.split('/').all(is_name)
}

fn location(text: &str) -> Option<Geolocation> {
    let (latitude, longitude) = text.split_once(',')?;
    let degrees = |part: &str, most: f64| {
        let part = part.trim();
        let is_plain = part.chars().all(|c| c.is_ascii_digit() || matches!(c, '-' | '.'));
        part.parse::<f64>().ok().filter(|number| is_plain && number.abs() <= most)
    };
    let (latitude, longitude) = (degrees(latitude, 90.0)?, degrees(longitude, 180.0)?);
    Some(Geolocation { latitude, longitude, accuracy: 1.0 })
}

/// The outer None: no network of that name. The inner: as the machine has it.
fn network(words: Phrase<'_>) -> Option<Option<NetworkCondition>> {
    Some(match words.words().as_slice() {
        ["slow", "3g"] | ["slow-3g"] => Some(NetworkCondition::Slow3g),
        ["fast", "3g"] | ["fast-3g"] => Some(NetworkCondition::Fast3g),
        ["4g"] => Some(NetworkCondition::Lte),
        ["offline"] => Some(NetworkCondition::Offline),
        ["normal"] => None,
        _ => return None,
    })
}

/// "Advance the clock by 5 minutes", "Let 2 hours pass".
fn passing(clause: Phrase<'_>) -> MaybeEmulated {
    let time = if asks(clause, &["let"]) {
        let end = clause.find(&["pass", "elapse"]).or_else(|| clause.find(&["go"]))?;
        let rest = clause.from(end);
        if !(rest.len() == 1 && !rest.starts_any(&["go"]) || rest.is(&["go", "by"])) {
            return None;
        }
        clause.part(1, end)
    } else if asks(clause, &["advance", "fast-forward", "move"]) {
        let at = clause.find(&["by"])?;
        let noun = clause.part(1, at);
        let (noun, goes_on) = match noun.last() {
            Some(last) if last.is_any(&["forward", "ahead"]) => (noun.until(noun.len() - 1), true),
            _ => (noun, !asks(clause, &["move"])),
        };
        if !goes_on || setting_named(noun, false).is_none_or(|(setting, _)| setting != Setting::Clock) {
            return None;
        }
        clause.from(at + 1)
    } else {
        return None;
    };
    let ms = moments::duration(time)?;
    simple(EmulationChange::Clock(ClockOperation::Advance { ms }))
}

/// "Emulate …", "Use …", "Prefer …", "Stop …".
fn using(clause: Phrase<'_>) -> MaybeEmulated {
    let what = clause.from(1);
    let plain = what.without_front(&["the", "a", "an"]);
    if asks(clause, &["stop"]) {
        let stops = what.is(&["emulating"]) || plain.is(&["emulation"]) || what.is(&["all", "emulation"]);
        return if stops { simple(EmulationChange::Reset) } else { None };
    }
    let (emulates, prefers) = (asks(clause, &["emulate"]), asks(clause, &["prefer"]));
    if emulates || prefers {
        if let Some(change) = media(plain, prefers) {
            return simple(change);
        }
        if prefers {
            return None;
        }
    } else if !asks(clause, &["use"]) {
        return None;
    }
    if !emulates && (plain.is(&["real", "time"]) || plain.is(&["real", "clock"])) {
        return simple(EmulationChange::Clock(ClockOperation::Remove));
    }
    if let Some(condition) = network(plain.without_end(&["network", "connection"])) {
        return simple(EmulationChange::Network { condition });
    }
    let named = plain.without_front(&["device"]);
    let name = match named.tokens {
        [only] if only.is_quoted() => only.text.as_str(),
        _ => named.text(),
    };
    match Device::named(name) {
        Some(device) => simple(EmulationChange::Device { name: device.name.clone() }),
        None if emulates || named.len() < plain.len() => Some(Err(not_emulated(named))),
        None => None,
    }
}

fn media(what: Phrase<'_>, prefers: bool) -> Option<EmulationChange> {
    let (mut color_scheme, mut reduced_motion, mut media) = (None, None, None);
    match what.words().as_slice() {
        [scheme, "mode" | "theme"] | [scheme, "color" | "colour", "scheme"] => {
            color_scheme = Some(match *scheme {
                "dark" => ColorScheme::Dark,
                "light" => ColorScheme::Light,
                _ => return None,
            });
        }
        ["reduced", "motion"] => reduced_motion = Some(ReducedMotion::Reduce),
        ["print", "media"] if !prefers => media = Some(MediaType::Print),
        _ => return None,
    }
    Some(EmulationChange::Media { color_scheme, reduced_motion, media })
}

/// Why nothing can be emulated by these words, with the devices that can be.
pub(super) fn not_emulated(what: Phrase<'_>) -> Misread {
    let names: Vec<&str> = Device::all().iter().map(|device| device.name.as_str()).collect();
    let devices = names.join(", ");
    let why = match what.without_front(DETERMINERS).is_empty() {
        true => format!("it does not say what to emulate; devices are {devices}"),
        false => format!("`{}` cannot be emulated; devices are {devices}", what.text()),
    };
    Misread::new(Verb::Emulate, why)
}
