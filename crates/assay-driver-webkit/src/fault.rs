//! Faults of the network and routes: requests that match are held back by the page's process and answered here.

use std::collections::HashMap;

use assay_driver::{
    ArmedFault, Deadline, Decision, DriverError, DriverEvent, HeldRequest, NetworkFault, RequestAnswer,
    Surface, UrlShape, decide,
};
use assay_protocol::Route;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::protocol::{RequestIntercepted, read};
use crate::surface::WebKitSurface;

/// A command to the process that shows a page.
type Command = (&'static str, Value);

impl WebKitSurface {
    pub async fn arm(&self, fault: Option<NetworkFault>, deadline: Deadline) -> Result<(), DriverError> {
        let before = self.interceptions();
        // Set before the processes are listed: one that comes later arms itself.
        *self.fault() = fault.map(ArmedFault::new);
        self.tell_processes(&leading(&before, &self.interceptions()), deadline).await
    }

    pub async fn route_everywhere(&self, routes: Vec<Route>, deadline: Deadline) -> Result<(), DriverError> {
        let surfaces = self.browser().surfaces();
        let windows = self.browser().new_windows();
        let before: Vec<Vec<Value>> = surfaces.iter().map(|surface| surface.interceptions()).collect();
        self.browser().with_settings(|settings| settings.routes.set(routes));
        for (surface, before) in surfaces.iter().zip(&before) {
            surface.tell_processes(&leading(before, &surface.interceptions()), deadline).await?;
        }
        self.change_windows(windows, deadline).await
    }

    /// What a process is told to hold back; nothing while there is neither a fault nor a route.
    pub fn fault_commands(&self) -> Vec<Command> {
        leading(&[], &self.interceptions())
    }

    /// What is to be held back for the fault of the tab and for routes.
    fn interceptions(&self) -> Vec<Value> {
        let fault = self.fault().as_ref().map(|armed| interception(&armed.fault().url));
        let routes = self.browser().with_settings(|settings| {
            let patterns = settings.routes.counts().iter().map(|known| known.route.pattern.as_str());
            patterns.map(|pattern| of_expression(route_expression(pattern))).collect::<Vec<Value>>()
        });
        let mut interceptions = Vec::new();
        // Two routes may differ by their method alone.
        for interception in fault.into_iter().chain(routes) {
            if !interceptions.contains(&interception) {
                interceptions.push(interception);
            }
        }
        interceptions
    }

    /// Decides on one request at once: the page waits for it. `process` may be one that is not shown yet, whose
    /// first request is for its document.
    pub fn request_held(&self, process: &str, params: &RawValue) -> Option<()> {
        let RequestIntercepted { request_id, request } = read(params)?;
        let held = HeldRequest {
            method: &request.method,
            url: &request.url,
            is_document: request.headers.get("accept").is_some_and(|accept| accept.starts_with("text/html")),
            origin: request.headers.get("origin"),
            permission_for: request.headers.get("access-control-request-method"),
        };
        let (decision, by_fault) = self
            .browser()
            .with_settings(|settings| decide(self.fault().as_mut(), &mut settings.routes, held));
        let (method, mut params) = match decision {
            Decision::LetGo => ("Network.interceptContinue", json!({ "stage": "request" })),
            Decision::Break => ("Network.interceptRequestWithError", json!({ "errorType": "General" })),
            Decision::Answer(answer) => ("Network.interceptRequestWithResponse", response(answer)),
        };
        params["requestId"] = json!(request_id);
        // A request whose page has gone needs no answer.
        drop(self.send_to(process, method, params));
        if by_fault {
            let (method, url) = (request.method, request.url);
            self.tell(DriverEvent::FaultStruck { surface: self.id(), method, url });
        }
        Some(())
    }
}

/// What leads a process from holding some requests back to holding others back.
fn leading(before: &[Value], after: &[Value]) -> Vec<Command> {
    let enabling = |enabled: bool| ("Network.setInterceptionEnabled", json!({ "enabled": enabled }));
    let mut commands = Vec::new();
    if before.is_empty() && !after.is_empty() {
        commands.push(enabling(true));
    }
    let gone = before.iter().filter(|known| !after.contains(known));
    commands.extend(gone.map(|known| ("Network.removeInterception", known.clone())));
    let new = after.iter().filter(|wanted| !before.contains(wanted));
    commands.extend(new.map(|wanted| ("Network.addInterception", wanted.clone())));
    if !before.is_empty() && after.is_empty() {
        commands.push(enabling(false));
    }
    commands
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

/// The address with any query. Without an expression only the whole address would do.
fn interception(url: &UrlShape) -> Value {
    let mut expression = "^".to_string();
    url.without_query().chars().for_each(|character| push_itself(&mut expression, character));
    expression.push_str("([?#]|$)");
    of_expression(expression)
}

/// The addresses of a route.
fn route_expression(pattern: &str) -> String {
    let mut expression =
        if pattern.starts_with('/') { "^[a-z]+://[^/]*".to_string() } else { "^".to_string() };
    let mut rest = pattern;
    while let Some(character) = rest.chars().next() {
        if let Some(after) = rest.strip_prefix("**") {
            expression.push_str(".*");
            rest = after;
            continue;
        }
        match character {
            '*' => expression.push_str("[^/]*"),
            other => push_itself(&mut expression, other),
        }
        rest = &rest[character.len_utf8()..];
    }
    expression.push_str(if pattern.contains('?') { "(#|$)" } else { "([?#]|$)" });
    expression
}

/// Signs that mean something in an expression stand for themselves.
fn push_itself(expression: &mut String, character: char) {
    if !character.is_ascii_alphanumeric() && character.is_ascii() {
        expression.push('\\');
    }
    expression.push(character);
}

fn of_expression(expression: String) -> Value {
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
    fn a_route_is_an_expression_with_its_stars() {
        assert_eq!(route_expression("**/api/*"), r"^.*\/api\/[^/]*([?#]|$)");
        assert_eq!(route_expression("/a?b"), r"^[a-z]+://[^/]*\/a\?b(#|$)");
    }

    #[test]
    fn only_what_is_new_is_held_back_and_what_is_left_goes_on() {
        let (one, two) = (json!(1), json!(2));
        let names = |before: &[Value], after: &[Value]| {
            leading(before, after).into_iter().map(|(method, _)| method).collect::<Vec<_>>()
        };
        let (one, two) = ([one], [two]);
        assert_eq!(names(&[], &one), ["Network.setInterceptionEnabled", "Network.addInterception"]);
        assert_eq!(names(&one, &two), ["Network.removeInterception", "Network.addInterception"]);
        assert_eq!(names(&one, &[]), ["Network.removeInterception", "Network.setInterceptionEnabled"]);
        assert_eq!(names(&one, &one), [""; 0]);
    }

    #[test]
    fn an_answer_tells_its_kind_without_the_character_set() {
        let answer = assay_driver::NetworkFaultKind::Swallow.answer(true, None).expect("an answer");
        assert_eq!(response(answer)["mimeType"], "text/html");
    }
}
