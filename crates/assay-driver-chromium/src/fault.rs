//! Faults of the network: requests that match are held back by the browser and answered here.

use assay_driver::{ArmedFault, Deadline, DriverError, DriverEvent, NetworkFault, Surface, UrlShape};
use base64::Engine;
use serde_json::{Value, json};

use crate::browser::Shared;
use crate::protocol::RequestPaused;
use crate::surface::ChromiumSurface;

impl ChromiumSurface {
    pub async fn arm(&self, fault: Option<NetworkFault>, deadline: Deadline) -> Result<(), DriverError> {
        // Set before the sessions are listed: one that comes later arms itself.
        *self.fault() = fault.map(ArmedFault::new);
        let (method, params) = self.fault_command().unwrap_or(("Fetch.disable", json!({})));
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

    /// What a session of this tab is told to hold back; none while no fault is armed.
    pub fn fault_command(&self) -> Option<(&'static str, Value)> {
        let fault = self.fault();
        let pattern = pattern(&fault.as_ref()?.fault().url);
        let patterns = json!([{ "urlPattern": pattern, "requestStage": "Request" }]);
        Some(("Fetch.enable", json!({ "patterns": patterns })))
    }
}

impl Shared {
    /// Decides on one request at once: the page waits for it.
    pub fn request_paused(&self, surface: &ChromiumSurface, session: &str, event: RequestPaused) {
        let RequestPaused { request_id, request, kind } = event;
        let struck = surface.fault().as_mut().and_then(|armed| armed.strikes(&request.method, &request.url));
        let (method, params) = match struck {
            None => ("Fetch.continueRequest", json!({ "requestId": request_id })),
            Some(how) => match how.answer(kind == "Document", request.headers.get("origin")) {
                None => (
                    "Fetch.failRequest",
                    json!({ "requestId": request_id, "errorReason": "ConnectionReset" }),
                ),
                Some(answer) => {
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
            },
        };
        // A request whose page has gone needs no answer.
        drop(self.connection().send(Some(session), method, params));
        if struck.is_some() {
            let (method, url) = (request.method, request.url);
            self.tell(DriverEvent::FaultStruck { surface: surface.id(), method, url });
        }
    }
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
    }
}
