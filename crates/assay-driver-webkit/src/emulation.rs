//! What all pages of the browser are made to believe, as commands to the processes that show them. A browser of WebKit
//! is one context.

use assay_driver::{Deadline, DriverError, WebPage};
use assay_protocol::{ColorScheme, Emulation, MediaType, ReducedMotion};
use serde_json::{Value, json};

use crate::bootstrap::NewWindows;
use crate::surface::WebKitSurface;

type Command = (&'static str, Value);

/// What leads a process from one emulation to another.
pub(crate) fn commands(before: &Emulation, after: &Emulation) -> Vec<Command> {
    let mut commands = Vec::new();
    if before.color_scheme != after.color_scheme {
        commands.push(preference(
            "PrefersColorScheme",
            match after.color_scheme {
                Some(ColorScheme::Light) => Some("Light"),
                Some(ColorScheme::Dark) => Some("Dark"),
                Some(ColorScheme::NoPreference) | None => None,
            },
        ));
    }
    if before.reduced_motion != after.reduced_motion {
        commands.push(preference(
            "PrefersReducedMotion",
            match after.reduced_motion {
                Some(ReducedMotion::Reduce) => Some("Reduce"),
                Some(ReducedMotion::NoPreference) => Some("NoPreference"),
                None => None,
            },
        ));
    }
    if before.media != after.media {
        let medium = match after.media {
            Some(MediaType::Screen) => "screen",
            Some(MediaType::Print) => "print",
            None => "",
        };
        commands.push(("Page.setEmulatedMedia", json!({ "media": medium })));
    }
    commands
}

/// A preference without a value is as the system has it.
fn preference(name: &str, value: Option<&str>) -> Command {
    let mut params = json!({ "name": name });
    if let Some(value) = value {
        params["value"] = json!(value);
    }
    ("Page.overrideUserPreference", params)
}

impl WebKitSurface {
    pub async fn emulate_everywhere(&self, after: Emulation, deadline: Deadline) -> Result<(), DriverError> {
        let windows = self.browser().new_windows();
        let before = self
            .browser()
            .with_settings(|settings| std::mem::replace(&mut settings.emulation, after.clone()));
        for surface in self.browser().surfaces() {
            surface.change_emulation(&before, &after, deadline).await?;
        }
        self.change_windows(windows, deadline).await
    }

    /// Tells all documents what windows do that they open, where that is new.
    pub async fn change_windows(&self, before: NewWindows, deadline: Deadline) -> Result<(), DriverError> {
        let (browser, windows) = (self.browser(), self.browser().new_windows());
        if windows == before {
            return Ok(());
        }
        let clock = browser.with_settings(|settings| settings.emulation.clock);
        let source = browser.bootstrap.source_with(clock, windows);
        let command = ("Page.setBootstrapScript", json!({ "source": source }));
        for surface in browser.surfaces() {
            surface.tell_processes(std::slice::from_ref(&command), deadline).await?;
            surface.tell_documents(&browser.bootstrap.windows(windows), deadline).await?;
        }
        Ok(())
    }

    async fn change_emulation(
        &self,
        before: &Emulation,
        after: &Emulation,
        deadline: Deadline,
    ) -> Result<(), DriverError> {
        let mut commands = commands(before, after);
        let moves_clock = before.clock != after.clock;
        let bootstrap = &self.browser().bootstrap;
        if moves_clock {
            let source = bootstrap.source_with(after.clock, self.browser().new_windows());
            commands.push(("Page.setBootstrapScript", json!({ "source": source })));
        }
        self.tell_processes(&commands, deadline).await?;
        if !moves_clock {
            return Ok(());
        }
        self.tell_documents(&bootstrap.clock(after.clock), deadline).await
    }

    /// Runs a script of ours in all documents of the tab.
    async fn tell_documents(&self, script: &str, deadline: Deadline) -> Result<(), DriverError> {
        for frame in self.frames() {
            match self.ask_value(&frame.id.0, script, deadline).await {
                // Another document has come, which has all of it from its beginning.
                Err(DriverError::DocumentGone | DriverError::Closed) => {}
                other => drop(other?),
            }
        }
        Ok(())
    }

    /// Sends commands to the process that shows the page, and to those that may show the next one.
    pub async fn tell_processes(&self, commands: &[Command], deadline: Deadline) -> Result<(), DriverError> {
        let replies: Vec<_> = self
            .processes()
            .iter()
            .flat_map(|process| commands.iter().map(move |command| (process, command)))
            .map(|(process, (method, params))| self.send_to(process, method, params.clone()))
            .collect();
        for reply in replies {
            match reply.until(deadline).await {
                // A process that went meanwhile has nothing to show any more.
                Err(DriverError::DocumentGone) => {}
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
    fn a_preference_is_set_and_taken_back() {
        let plain = Emulation::default();
        let dark = Emulation { color_scheme: Some(ColorScheme::Dark), ..Emulation::default() };
        let set = json!({ "name": "PrefersColorScheme", "value": "Dark" });
        assert_eq!(commands(&plain, &dark), [("Page.overrideUserPreference", set)]);
        let taken = json!({ "name": "PrefersColorScheme" });
        assert_eq!(commands(&dark, &plain), [("Page.overrideUserPreference", taken)]);
    }
}
