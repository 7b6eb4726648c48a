//! Faults of the network and routes: requests that match are held back by the browser and answered here.

use assay_driver::{
    ArmedFault, Deadline, Decision, DriverError, DriverEvent, HeldRequest, NetworkFault, Surface, UrlShape,
    decide,
};
use assay_protocol::Route;
use serde_json::{Value, json};

use crate::browser::{Shared, parse};
use crate::protocol::{InterceptAdded, NetworkEvent};
use crate::surface::BidiSurface;

/// The fault of a tab, and the name under which the browser knows that requests are to be held back for it.
#[derive(Default)]
pub(crate) struct FaultState {
    armed: Option<ArmedFault>,
    intercept: Option<String>,
}

impl BidiSurface {
    pub async fn arm(&self, fault: Option<NetworkFault>, deadline: Deadline) -> Result<(), DriverError> {
        let connection = self.browser().connection();
        let before = self.fault().intercept.take();
        let params = fault.as_ref().map(|fault| intercept(&self.id().0, &fault.url));
        self.fault().armed = fault.map(ArmedFault::new);
        if let Some(before) = before {
            let params = json!({ "intercept": before });
            connection.call(None, "network.removeIntercept", params, deadline).await?;
        }
        let Some(params) = params else { return Ok(()) };
        let reply = connection.call(None, "network.addIntercept", params, deadline).await;
        match reply.and_then(|raw| parse::<InterceptAdded>(&raw)) {
            Ok(added) => {
                self.fault().intercept = Some(added.intercept);
                Ok(())
            }
            Err(err) => {
                self.fault().armed = None;
                Err(err)
            }
        }
    }
}

impl BidiSurface {
    /// Patterns of the browser have no stars, so that all requests wait for us while there are routes.
    pub async fn route_in_context(&self, routes: Vec<Route>, deadline: Deadline) -> Result<(), DriverError> {
        let shared = self.browser();
        shared.with_settings(self.user_context(), |settings| settings.routes.set(routes));
        match (shared.held_for_routes(), shared.has_routes()) {
            (None, true) => {
                let params = json!({ "phases": ["beforeRequestSent"] });
                let reply = shared.connection().call(None, "network.addIntercept", params, deadline).await?;
                shared.set_held_for_routes(Some(parse::<InterceptAdded>(&reply)?.intercept));
            }
            (Some(intercept), false) => {
                shared.set_held_for_routes(None);
                let params = json!({ "intercept": intercept });
                shared.connection().call(None, "network.removeIntercept", params, deadline).await?;
            }
            (None, false) | (Some(_), true) => {}
        }
        Ok(())
    }
}

impl Shared {
    /// Decides on one request at once: the page waits for it. One that belongs to no tab of ours is let go.
    pub fn request_held(&self, event: &NetworkEvent) {
        let request = &event.request;
        let tab = event.context.as_deref().and_then(|context| self.of_context(context));
        let held = HeldRequest {
            method: &request.method,
            url: &request.url,
            is_document: event.navigation.is_some(),
            origin: request.header("origin"),
            permission_for: request.header("access-control-request-method"),
        };
        let (decision, by_fault) = match &tab {
            Some(tab) => self.with_settings(tab.user_context(), |settings| {
                decide(tab.fault().armed.as_mut(), &mut settings.routes, held)
            }),
            None => (Decision::LetGo, false),
        };
        let (method, mut params) = match decision {
            Decision::LetGo => ("network.continueRequest", json!({})),
            Decision::Break => ("network.failRequest", json!({})),
            Decision::Answer(answer) => {
                let header = |(name, value): &(&str, String)| json!({ "name": name, "value": text(value) });
                let params = json!({
                    "statusCode": answer.status,
                    "reasonPhrase": answer.reason,
                    "headers": answer.headers.iter().map(header).collect::<Vec<_>>(),
                    "body": text(&answer.body),
                });
                ("network.provideResponse", params)
            }
        };
        params["request"] = json!(request.request);
        // A request whose page has gone needs no answer.
        drop(self.connection().send(None, method, params));
        if let Some(tab) = tab.filter(|_| by_fault) {
            let (method, url) = (request.method.clone(), request.url.clone());
            self.tell(DriverEvent::FaultStruck { surface: tab.id(), method, url });
        }
    }
}

fn text(value: &str) -> Value {
    json!({ "type": "string", "value": value })
}

/// What is held back: narrowed to the address, so that other requests do not wait for us. A port that goes
/// without saying is left out, which stands for any; what does not match after all is let go.
fn intercept(context: &str, url: &UrlShape) -> Value {
    let mut pattern = json!({
        "type": "pattern",
        "protocol": url.scheme(),
        "hostname": escaped(url.host()),
        "pathname": escaped(url.path()),
    });
    if let Some(port) = url.port() {
        pattern["port"] = json!(port.to_string());
    }
    json!({ "phases": ["beforeRequestSent"], "contexts": [context], "urlPatterns": [pattern] })
}

/// Signs that are reserved in a pattern stand for themselves.
fn escaped(part: &str) -> String {
    let mut escaped = String::new();
    for character in part.chars() {
        if matches!(character, '(' | ')' | '*' | '{' | '}' | '\\') {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_requests_to_the_address_are_held_back() {
        let url = UrlShape::any_query("http://a.test:8080/order(1)?q=2").expect("an address");
        let expected = json!({
            "phases": ["beforeRequestSent"],
            "contexts": ["tab"],
            "urlPatterns": [{
                "type": "pattern", "protocol": "http", "hostname": "a.test", "port": "8080",
                "pathname": "/order\\(1\\)",
            }],
        });
        assert_eq!(intercept("tab", &url), expected);
    }
}
