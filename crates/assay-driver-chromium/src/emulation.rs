//! What the pages of a context are made to believe, as commands to their sessions.

use std::sync::Arc;

use assay_driver::{Deadline, DriverError, Surface, Viewport};
use assay_protocol::{ColorScheme, Device, Emulation, MediaType, NetworkCondition, ReducedMotion};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::browser::{Shared, parse};
use crate::surface::ChromiumSurface;

type Command = (&'static str, Value);

/// What a browser is without any emulation.
pub(crate) struct Unemulated<'a> {
    pub user_agent: &'a str,
    /// None where sizes are not ours to set.
    pub viewport: Option<Viewport>,
}

/// What leads a session from one emulation to another. Both may be long: only what differs is sent.
pub(crate) fn commands(before: &Emulation, after: &Emulation, own: &Unemulated<'_>) -> Vec<Command> {
    let mut commands = Vec::new();
    let media = |emulation: &Emulation| (emulation.media, emulation.color_scheme, emulation.reduced_motion);
    if media(before) != media(after) {
        commands.push(("Emulation.setEmulatedMedia", media_of(after)));
    }
    if before.locale != after.locale {
        let params = after.locale.as_ref().map_or(json!({}), |locale| json!({ "locale": locale }));
        commands.push(("Emulation.setLocaleOverride", params));
    }
    if before.timezone != after.timezone {
        let zone = after.timezone.as_deref().unwrap_or_default();
        commands.push(("Emulation.setTimezoneOverride", json!({ "timezoneId": zone })));
    }
    if before.geolocation != after.geolocation {
        commands.push(match after.geolocation {
            Some(place) => ("Emulation.setGeolocationOverride", json!(place)),
            None => ("Emulation.clearGeolocationOverride", json!({})),
        });
    }
    if before.network != after.network {
        commands.push(("Network.emulateNetworkConditions", network_of(after.network)));
    }
    if before.device != after.device || before.locale != after.locale {
        let device = after.device.as_ref();
        let mut params = json!({ "userAgent": device.map_or(own.user_agent, |device| &device.user_agent) });
        if let Some(locale) = &after.locale {
            params["acceptLanguage"] = json!(accepted(locale));
        }
        commands.push(("Emulation.setUserAgentOverride", params));
    }
    if before.device != after.device {
        let touch = after.device.as_ref().is_some_and(|device| device.touch);
        let params =
            if touch { json!({ "enabled": true, "maxTouchPoints": 5 }) } else { json!({ "enabled": false }) };
        commands.push(("Emulation.setTouchEmulationEnabled", params));
        commands.push(match after.device.as_ref().map(view_of).or(own.viewport) {
            Some(view) => ("Emulation.setDeviceMetricsOverride", metrics(view, touch)),
            None => ("Emulation.clearDeviceMetricsOverride", json!({})),
        });
    }
    commands
}

/// A view as the browser takes it. On a phone the page says how wide it is, and is made to fit.
pub(crate) fn metrics(view: Viewport, is_phone: bool) -> Value {
    json!({ "width": view.width, "height": view.height, "deviceScaleFactor": view.scale, "mobile": is_phone })
}

pub(crate) fn view_of(device: &Device) -> Viewport {
    Viewport { width: device.width, height: device.height, scale: device.scale }
}

fn media_of(emulation: &Emulation) -> Value {
    let medium = match emulation.media {
        Some(MediaType::Screen) => "screen",
        Some(MediaType::Print) => "print",
        None => "",
    };
    // A feature without a value is as the browser has it.
    let scheme = match emulation.color_scheme {
        Some(ColorScheme::Light) => "light",
        Some(ColorScheme::Dark) => "dark",
        Some(ColorScheme::NoPreference) | None => "",
    };
    let motion = match emulation.reduced_motion {
        Some(ReducedMotion::Reduce) => "reduce",
        Some(ReducedMotion::NoPreference) => "no-preference",
        None => "",
    };
    json!({ "media": medium, "features": [
        { "name": "prefers-color-scheme", "value": scheme },
        { "name": "prefers-reduced-motion", "value": motion },
    ] })
}

fn network_of(condition: Option<NetworkCondition>) -> Value {
    match condition.and_then(NetworkCondition::profile) {
        Some(profile) => json!({
            "offline": false, "latency": profile.latency_ms,
            "downloadThroughput": profile.download, "uploadThroughput": profile.upload,
        }),
        None => json!({
            "offline": condition == Some(NetworkCondition::Offline), "latency": 0,
            "downloadThroughput": -1, "uploadThroughput": -1,
        }),
    }
}

/// The language, and without its region: `de-DE,de;q=0.9`.
fn accepted(locale: &str) -> String {
    match locale.split_once('-') {
        Some((language, _)) => format!("{locale},{language};q=0.9"),
        None => locale.to_string(),
    }
}

#[derive(Deserialize)]
struct ScriptAdded {
    identifier: String,
}

impl Shared {
    /// What a page of a context is without any emulation.
    pub(crate) fn unemulated(&self) -> Unemulated<'_> {
        Unemulated {
            user_agent: self.user_agent(),
            viewport: self.own_viewport.then_some(self.options.viewport),
        }
    }

    /// Sends what a session that just came needs to be as the others of its context. Nothing may be awaited.
    pub(crate) fn emulate_in(
        self: &Arc<Self>,
        surface: &Arc<ChromiumSurface>,
        session: &str,
        emulation: &Emulation,
    ) {
        for (method, params) in commands(&Emulation::default(), emulation, &self.unemulated()) {
            drop(self.connection().send(Some(session), method, params));
        }
        surface.take_device(emulation.device.as_ref());
        if emulation.clock.is_none() {
            return;
        }
        let script = json!({ "source": self.scripts.clock(emulation.clock) });
        let added = self.connection().send(Some(session), "Page.addScriptToEvaluateOnNewDocument", script);
        let (surface, session) = (Arc::downgrade(surface), session.to_string());
        tokio::spawn(async move {
            let Ok(raw) = added.await else { return };
            if let (Some(surface), Ok(script)) = (surface.upgrade(), parse::<ScriptAdded>(&raw)) {
                surface.clock_scripts().insert(session, script.identifier);
            }
        });
    }
}

impl ChromiumSurface {
    pub async fn emulate_in_context(&self, after: Emulation, deadline: Deadline) -> Result<(), DriverError> {
        let shared = self.browser();
        let before = shared.with_settings(self.context(), |settings| {
            std::mem::replace(&mut settings.emulation, after.clone())
        });
        if before.geolocation.is_some() != after.geolocation.is_some() {
            // `Browser.grantPermissions` would take all other permissions away.
            let setting = if after.geolocation.is_some() { "granted" } else { "prompt" };
            let params = json!({ "permission": { "name": "geolocation" }, "setting": setting });
            self.in_context("Browser.setPermission", params, deadline).await?;
        }
        for surface in shared.surfaces_in(self.context()) {
            surface.change_emulation(&before, &after, deadline).await?;
        }
        Ok(())
    }

    async fn change_emulation(
        &self,
        before: &Emulation,
        after: &Emulation,
        deadline: Deadline,
    ) -> Result<(), DriverError> {
        self.take_device(after.device.as_ref());
        let shared = self.browser();
        let commands = commands(before, after, &shared.unemulated());
        let mut replies = Vec::new();
        for session in shared.sessions_of(&self.id().0) {
            for (method, params) in &commands {
                let reply = shared.connection().send(Some(&session), method, params.clone());
                replies.push((reply, self.speaks_for_page(&session)));
            }
        }
        for (reply, is_page) in replies {
            match reply.until(deadline).await {
                // Frames in other processes take what concerns them, and refuse what is the page's alone.
                Err(DriverError::Closed | DriverError::Refused { .. }) if !is_page => {}
                other => drop(other?),
            }
        }
        if before.clock != after.clock {
            self.change_clock(after, deadline).await?;
        }
        Ok(())
    }

    /// The documents that are there have the clock moved; those that come begin with it.
    async fn change_clock(&self, after: &Emulation, deadline: Deadline) -> Result<(), DriverError> {
        let shared = self.browser();
        let connection = shared.connection();
        let script = shared.scripts.clock(after.clock);
        for session in shared.sessions_of(&self.id().0) {
            let before = self.clock_scripts().remove(&session);
            if let Some(identifier) = before {
                let params = json!({ "identifier": identifier });
                drop(connection.send(Some(&session), "Page.removeScriptToEvaluateOnNewDocument", params));
            }
            if after.clock.is_some() {
                let params = json!({ "source": script });
                let added = connection.call(
                    Some(&session),
                    "Page.addScriptToEvaluateOnNewDocument",
                    params,
                    deadline,
                );
                let added = parse::<ScriptAdded>(&added.await?)?;
                self.clock_scripts().insert(session, added.identifier);
            }
        }
        for frame in assay_driver::WebPage::frames(self) {
            let Some((session, _)) = self.frames().place(&frame.id.0) else { continue };
            let mut params = json!({ "expression": script });
            match self.frames().page(&frame.id.0) {
                Some(world) => params["uniqueContextId"] = json!(world),
                // The page of the session is what is asked without a name; other frames have to be named.
                None if frame.parent.is_some() => continue,
                None => {}
            }
            match connection.call(Some(&session), "Runtime.evaluate", params, deadline).await {
                // Another document has come, and has the clock from its beginning.
                Err(DriverError::DocumentGone | DriverError::Closed) => {}
                other => drop(other?),
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OWN: Unemulated<'static> = Unemulated { user_agent: "own", viewport: None };

    fn methods(before: &Emulation, after: &Emulation) -> Vec<&'static str> {
        commands(before, after, &OWN).into_iter().map(|(method, _)| method).collect()
    }

    #[test]
    fn only_what_differs_is_sent_and_taken_back() {
        let plain = Emulation::default();
        let german = Emulation { locale: Some("de-DE".to_string()), ..Emulation::default() };
        assert_eq!(methods(&plain, &plain), [""; 0]);
        let both = ["Emulation.setLocaleOverride", "Emulation.setUserAgentOverride"];
        assert_eq!(methods(&plain, &german), both);
        assert_eq!(methods(&german, &plain), both);
        let told = commands(&plain, &german, &OWN);
        assert_eq!(told[1].1, json!({ "userAgent": "own", "acceptLanguage": "de-DE,de;q=0.9" }));
        assert_eq!(commands(&german, &plain, &OWN)[0].1, json!({}));
    }

    #[test]
    fn a_device_is_a_size_a_touch_screen_and_a_name() {
        let phone = Emulation { device: Device::named("iPhone 16").cloned(), ..Emulation::default() };
        let told = commands(&Emulation::default(), &phone, &OWN);
        let metrics = json!({ "width": 393, "height": 852, "deviceScaleFactor": 3.0, "mobile": true });
        assert_eq!(told.last().map(|(_, params)| params.clone()), Some(metrics));
        assert_eq!(
            methods(&phone, &Emulation::default()).last(),
            Some(&"Emulation.clearDeviceMetricsOverride")
        );
    }
}
