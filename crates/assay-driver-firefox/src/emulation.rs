//! What the pages of a user context are made to believe, as commands about the context: the browser itself gives it to
//! tabs that come later.

use assay_driver::{Deadline, DriverError, Viewport};
use assay_protocol::{Emulation, NetworkCondition};
use serde_json::{Value, json};

use crate::browser::{Shared, parse};
use crate::protocol::PreloadAdded;
use crate::surface::BidiSurface;

type Command = (&'static str, Value);

/// What leads a user context from one emulation to another. Only what differs is sent: browsers do not know all of it.
fn commands(before: &Emulation, after: &Emulation, own: Option<Viewport>) -> Vec<Command> {
    let mut commands = Vec::new();
    if before.locale != after.locale {
        commands.push(("emulation.setLocaleOverride", json!({ "locale": after.locale })));
    }
    if before.timezone != after.timezone {
        commands.push(("emulation.setTimezoneOverride", json!({ "timezone": after.timezone })));
    }
    if before.geolocation != after.geolocation {
        commands.push(("emulation.setGeolocationOverride", json!({ "coordinates": after.geolocation })));
    }
    if before.network != after.network {
        let is_lost = after.network == Some(NetworkCondition::Offline);
        let conditions = if is_lost { json!({ "type": "offline" }) } else { Value::Null };
        commands.push(("emulation.setNetworkConditions", json!({ "networkConditions": conditions })));
    }
    if before.device != after.device {
        let agent = after.device.as_ref().map(|device| &device.user_agent);
        commands.push(("emulation.setUserAgentOverride", json!({ "userAgent": agent })));
        let size = after.device.as_ref().map(|device| (device.width, device.height, device.scale));
        let size = size.or(own.map(|own| (own.width, own.height, own.scale)));
        let params = match size {
            Some((width, height, scale)) => {
                json!({ "viewport": { "width": width, "height": height }, "devicePixelRatio": scale })
            }
            None => json!({ "viewport": null, "devicePixelRatio": null }),
        };
        commands.push(("browsingContext.setViewport", params));
    }
    commands
}

impl Shared {
    /// A page asks for its place only where it was permitted to, site by site.
    pub fn permit_place(&self, user_context: &str, url: &str) {
        let is_wanted = self.with_settings(user_context, |settings| settings.emulation.geolocation.is_some());
        let Some(origin) = origin_of(url).filter(|_| is_wanted) else { return };
        let params = json!({
            "descriptor": { "name": "geolocation" }, "state": "granted",
            "origin": origin, "userContext": user_context,
        });
        // A page that was not permitted says so itself.
        drop(self.connection().send(None, "permissions.setPermission", params));
    }
}

fn origin_of(url: &str) -> Option<String> {
    let (scheme, rest) = url.split_once("://")?;
    let host = rest.split(['/', '?', '#']).next().filter(|host| !host.is_empty())?;
    matches!(scheme, "http" | "https").then(|| format!("{scheme}://{host}"))
}

impl BidiSurface {
    pub async fn emulate_in_context(&self, after: Emulation, deadline: Deadline) -> Result<(), DriverError> {
        let (shared, own) = (self.browser(), self.user_context());
        let before =
            shared.with_settings(own, |settings| std::mem::replace(&mut settings.emulation, after.clone()));
        for (method, mut params) in commands(&before, &after, shared.own_view()) {
            params["userContexts"] = json!([own]);
            shared.connection().call(None, method, params, deadline).await?;
        }
        let tabs = shared.surfaces_in(own);
        if after.geolocation.is_some() {
            tabs.iter().for_each(|tab| shared.permit_place(own, &tab.url()));
        }
        if before.clock != after.clock {
            self.change_clock(&after, deadline).await?;
            let script = shared.scripts.clock(after.clock);
            for tab in tabs {
                tab.run_in_all_frames(&script, deadline).await?;
            }
        }
        Ok(())
    }

    /// The clock of documents to come.
    async fn change_clock(&self, after: &Emulation, deadline: Deadline) -> Result<(), DriverError> {
        let (shared, own) = (self.browser(), self.user_context());
        let connection = shared.connection();
        if let Some(script) = shared.take_clock_script(own) {
            let params = json!({ "script": script });
            connection.call(None, "script.removePreloadScript", params, deadline).await?;
        }
        if after.clock.is_some() {
            let script = shared.scripts.clock(after.clock);
            let params = json!({
                "functionDeclaration": format!("() => {{\n{script}\n}}"), "userContexts": [own],
            });
            let added = connection.call(None, "script.addPreloadScript", params, deadline).await?;
            shared.put_clock_script(own, parse::<PreloadAdded>(&added)?.script);
        }
        Ok(())
    }

    /// Runs a script of ours in the page's own world.
    async fn run_in_all_frames(&self, script: &str, deadline: Deadline) -> Result<(), DriverError> {
        for frame in assay_driver::WebPage::frames(self) {
            let params = json!({
                "expression": script, "target": { "context": frame.id.0 }, "awaitPromise": false,
            });
            match self.browser().connection().call(None, "script.evaluate", params, deadline).await {
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

    #[test]
    fn only_what_differs_is_sent_and_taken_back() {
        let plain = Emulation::default();
        let tokyo = Emulation { timezone: Some("Asia/Tokyo".to_string()), ..Emulation::default() };
        assert_eq!(commands(&plain, &plain, None), []);
        let set = ("emulation.setTimezoneOverride", json!({ "timezone": "Asia/Tokyo" }));
        assert_eq!(commands(&plain, &tokyo, None), [set]);
        let taken = ("emulation.setTimezoneOverride", json!({ "timezone": null }));
        assert_eq!(commands(&tokyo, &plain, None), [taken]);
    }

    #[test]
    fn only_sites_have_an_origin() {
        assert_eq!(origin_of("http://a.test:81/b?c"), Some("http://a.test:81".to_string()));
        assert_eq!(origin_of("about:blank"), None);
        assert_eq!(origin_of("file:///tmp/a"), None);
    }
}
