//! Faults of the network and routes: requests that match are held back by the browser and answered here.

use assay_driver::{
    ArmedFault, ContextSettings, Deadline, Decision, DriverError, DriverEvent, HeldRequest, NetworkFault,
    Surface, UrlShape, decide,
};
use assay_protocol::Route;
use base64::Engine;
use serde_json::{Value, json};

use crate::browser::Shared;
use crate::protocol::RequestPaused;
use crate::surface::ChromiumSurface;

impl ChromiumSurface {
    pub async fn arm(&self, fault: Option<NetworkFault>, deadline: Deadline) -> Result<(), DriverError> {
        // Set before the sessions are listed: one that comes later arms itself.
        *self.fault() = fault.map(ArmedFault::new);
        self.hold_back(deadline).await
    }

    pub async fn route_in_context(&self, routes: Vec<Route>, deadline: Deadline) -> Result<(), DriverError> {
        self.browser().with_settings(self.context(), |settings| settings.routes.set(routes));
        for surface in self.browser().surfaces_in(self.context()) {
            surface.hold_back(deadline).await?;
        }
        Ok(())
    }

    /// Tells all sessions of this tab what to hold back.
    async fn hold_back(&self, deadline: Deadline) -> Result<(), DriverError> {
        let command =
            self.browser().with_settings(self.context(), |settings| self.fault_command(Some(settings)));
        let (method, params) = command.unwrap_or(("Fetch.disable", json!({})));
        let connection = self.browser().connection();
        let replies: Vec<_> = self
            .browser()
            .sessions_of(&self.id().0)
            .into_iter()
            .map(|session| (connection.send(Some(&session), method, params.clone()), session))
            .collect();
        for (reply, session) in replies {
            match reply.until(deadline).await {
                // A frame that went meanwhile has no requests any more.
                Err(DriverError::Closed) if !self.speaks_for_page(&session) => {}
                other => drop(other?),
            }
        }
        Ok(())
    }

    /// What a session of this tab is told to hold back; none while there is neither a fault nor a route.
    pub fn fault_command(&self, settings: Option<&ContextSettings>) -> Option<(&'static str, Value)> {
        interception(self.fault().as_ref(), settings)
    }
}

/// What a session is told to hold back for the fault of its tab and the routes of its context.
pub(crate) fn interception(
    fault: Option<&ArmedFault>,
    settings: Option<&ContextSettings>,
) -> Option<(&'static str, Value)> {
    let fault = fault.map(|armed| pattern(&armed.fault().url));
    let routes = settings.map_or(&[][..], |settings| settings.routes.counts());
    let patterns: Vec<Value> = fault
        .into_iter()
        .chain(routes.iter().map(|known| route_pattern(known.route.pattern.as_str())))
        .map(|pattern| json!({ "urlPattern": pattern, "requestStage": "Request" }))
        .collect();
    (!patterns.is_empty()).then(|| ("Fetch.enable", json!({ "patterns": patterns })))
}

impl Shared {
    /// Decides on one request at once: the page waits for it.
    pub fn request_paused(&self, surface: &ChromiumSurface, session: &str, event: RequestPaused) {
        let RequestPaused { request_id, request, kind } = event;
        let held = HeldRequest {
            method: &request.method,
            url: &request.url,
            is_document: kind == "Document",
            origin: request.headers.get("origin"),
            permission_for: request.headers.get("access-control-request-method"),
        };
        let (decision, by_fault) = self.with_settings(surface.context(), |settings| {
            decide(surface.fault().as_mut(), &mut settings.routes, held)
        });
        let (method, params) = match decision {
            Decision::LetGo => ("Fetch.continueRequest", json!({ "requestId": request_id })),
            Decision::Break => {
                ("Fetch.failRequest", json!({ "requestId": request_id, "errorReason": "ConnectionReset" }))
            }
            Decision::Answer(answer) => {
                let header = |(name, value): &(&str, String)| json!({ "name": name, "value": value });
                let params = json!({
                    "requestId": request_id,
                    "responseCode": answer.status,
                    "responsePhrase": answer.reason,
                    "responseHeaders": answer.headers.iter().map(header).collect::<Vec<_>>(),
                    "body": base64::engine::general_purpose::STANDARD.encode(answer.body),
                });
                ("Fetch.fulfillRequest", params)
            }
        };
        // A request whose page has gone needs no answer.
        drop(self.connection().send(Some(session), method, params));
        if by_fault {
            let (method, url) = (request.method, request.url);
            self.tell(DriverEvent::FaultStruck { surface: surface.id(), method, url });
        }
    }
}

/// At least what a route matches: the browser's star takes slashes too. What does not match after all is let go.
fn route_pattern(route: &str) -> String {
    let mut pattern = if route.starts_with('/') { "*://*".to_string() } else { String::new() };
    for character in route.chars() {
        if matches!(character, '?' | '\\') {
            pattern.push('\\');
        }
        pattern.push(character);
    }
    pattern.push('*');
    pattern
}

/// Everything that begins like the address; what does not match after all is let go. Signs that mean something
/// in a pattern stand for themselves.
fn pattern(url: &UrlShape) -> String {
    let mut pattern = String::new();
    for character in url.without_query().chars() {
        if matches!(character, '*' | '?' | '\\') {
            pattern.push('\\');
        }
        pattern.push(character);
    }
    pattern.push('*');
    pattern
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_of_an_address_are_no_signs_of_a_pattern() {
        let url = UrlShape::any_query("http://a.test/all*of\\it?q").expect("an address");
        assert_eq!(pattern(&url), "http://a.test/all\\*of\\\\it*");
        assert_eq!(route_pattern("/find?q=*"), "*://*/find\\?q=**");
    }
}
