//! Faults of the network: requests that match are held back by the page's process and answered here.

use std::collections::HashMap;

use assay_driver::{
    ArmedFault, Deadline, DriverError, DriverEvent, NetworkFault, RequestAnswer, Surface, UrlShape,
};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::protocol::{RequestIntercepted, read};
use crate::surface::WebKitSurface;

/// A command to the process that shows a page.
type Command = (&'static str, Value);

impl WebKitSurface {
    pub async fn arm(&self, fault: Option<NetworkFault>, deadline: Deadline) -> Result<(), DriverError> {
        let mut commands = match self.fault().take() {
            Some(before) => disarming(&before.fault().url),
            None => Vec::new(),
        };
        // Set before the processes are listed: one that comes later arms itself.
        *self.fault() = fault.map(ArmedFault::new);
        commands.extend(self.fault_commands());
        let replies: Vec<_> = self
            .processes()
            .iter()
            .flat_map(|process| commands.iter().map(move |command| (process, command)))
            .map(|(process, (method, params))| self.send_to(process, method, params.clone()))
            .collect();
        for reply in replies {
            match reply.until(deadline).await {
                // A process that went meanwhile has no requests any more.
                Err(DriverError::DocumentGone) => {}
                other => drop(other?),
            }
        }
        Ok(())
    }

    /// What a process is told to hold back; nothing while no fault is armed.
    pub fn fault_commands(&self) -> Vec<Command> {
        match self.fault().as_ref() {
            Some(armed) => vec![
                ("Network.setInterceptionEnabled", json!({ "enabled": true })),
                ("Network.addInterception", interception(&armed.fault().url)),
            ],
            None => Vec::new(),
        }
    }

    /// Decides on one request at once: the page waits for it. `process` may be one that is not shown yet, whose
    /// first request is for its document.
    pub fn request_held(&self, process: &str, params: &RawValue) -> Option<()> {
        let RequestIntercepted { request_id, request } = read(params)?;
        let struck = self.fault().as_mut().and_then(|armed| armed.strikes(&request.method, &request.url));
        let is_document = request.header("accept").is_some_and(|accept| accept.starts_with("text/html"));
        let (method, mut params) = match struck {
            None => ("Network.interceptContinue", json!({ "stage": "request" })),
            Some(how) => match how.answer(is_document, request.header("origin")) {
                None => ("Network.interceptRequestWithError", json!({ "errorType": "General" })),
                Some(answer) => ("Network.interceptRequestWithResponse", response(answer)),
            },
        };
        params["requestId"] = json!(request_id);
        // A request whose page has gone needs no answer.
        drop(self.send_to(process, method, params));
        if struck.is_some() {
            let (method, url) = (request.method, request.url);
            self.tell(DriverEvent::FaultStruck { surface: self.id(), method, url });
        }
        Some(())
    }
}

fn response(answer: RequestAnswer) -> Value {
    let kind = answer.headers.iter().find(|(name, _)| *name == "Content-Type");
    // The kind of the content is told apart from its character set.
    let mime_type = kind.and_then(|(_, value)| value.split(';').next()).unwrap_or("text/plain").to_string();
    let headers: HashMap<&str, String> = answer.headers.into_iter().collect();
    json!({
        "content": answer.body,
        "base64Encoded": false,
        "mimeType": mime_type,
        "status": answer.status,
        "statusText": answer.reason,
        "headers": headers,
    })
}

fn disarming(url: &UrlShape) -> Vec<Command> {
    vec![
        ("Network.removeInterception", interception(url)),
        ("Network.setInterceptionEnabled", json!({ "enabled": false })),
    ]
}

/// The address with any query. Without an expression only the whole address would do.
fn interception(url: &UrlShape) -> Value {
    let mut expression = "^".to_string();
    for character in url.without_query().chars() {
        if !character.is_ascii_alphanumeric() && character.is_ascii() {
            expression.push('\\');
        }
        expression.push(character);
    }
    expression.push_str("([?#]|$)");
    json!({ "url": expression, "stage": "request", "caseSensitive": true, "isRegex": true })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_stands_for_itself_in_the_expression() {
        let url = UrlShape::any_query("http://a.test/order(1)?q").expect("an address");
        assert_eq!(interception(&url)["url"], r"^http\:\/\/a\.test\/order\(1\)([?#]|$)");
    }

    #[test]
    fn an_answer_tells_its_kind_without_the_character_set() {
        let answer = assay_driver::NetworkFaultKind::Swallow.answer(true, None).expect("an answer");
        assert_eq!(response(answer)["mimeType"], "text/html");
    }
}
