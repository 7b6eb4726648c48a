//! Faults of the network: requests that match are held back by the browser and answered here.

use assay_driver::{ArmedFault, Deadline, DriverError, DriverEvent, NetworkFault, Surface, UrlShape};
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

impl Shared {
    /// Decides on one request at once: the page waits for it. One that belongs to no tab of ours is let go.
    pub fn request_held(&self, event: &NetworkEvent) {
        let request = &event.request;
        let tab = event.context.as_deref().and_then(|context| self.of_context(context));
        let struck = tab.as_ref().and_then(|tab| {
            let mut fault = tab.fault();
            fault.armed.as_mut().and_then(|armed| armed.strikes(&request.method, &request.url))
        });
        let (method, mut params) = match struck {
            None => ("network.continueRequest", json!({})),
            Some(how) => match how.answer(event.navigation.is_some(), request.header("origin")) {
                None => ("network.failRequest", json!({})),
                Some(answer) => {
                    let header =
                        |(name, value): &(&str, String)| json!({ "name": name, "value": text(value) });
                    let params = json!({
                        "statusCode": answer.status,
                        "reasonPhrase": answer.reason,
                        "headers": answer.headers.iter().map(header).collect::<Vec<_>>(),
                        "body": text(&answer.body),
                    });
                    ("network.provideResponse", params)
                }
            },
        };
        params["request"] = json!(request.request);
        // A request whose page has gone needs no answer.
        drop(self.connection().send(None, method, params));
        if let (Some(tab), Some(_)) = (tab, struck) {
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
