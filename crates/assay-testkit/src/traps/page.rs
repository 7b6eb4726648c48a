//! The page of a trap, and how its server answers.

use std::time::Duration;

use serde_json::Value;

#[derive(Debug, Clone)]
pub struct TrapPage {
    /// Without the block for the server.
    pub html: String,
    /// The address that a test opens.
    pub opened: String,
    /// The address of the page, which is another one where it is redirected to.
    pub at: String,
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub delay: Duration,
    pub endpoints: Vec<Endpoint>,
}

#[derive(Debug, Clone)]
pub struct Endpoint {
    pub method: String,
    pub path: String,
    /// Given in order; the last is repeated.
    pub answers: Vec<EndpointAnswer>,
}

#[derive(Debug, Clone)]
pub struct EndpointAnswer {
    pub status: u16,
    pub content_type: String,
    pub headers: Vec<(String, String)>,
    pub delay: Duration,
    pub body: String,
}

const OPEN: &str = "<script type=\"application/json\" id=\"server\">";
const CLOSE: &str = "</script>";

impl TrapPage {
    pub(crate) fn parse(source: &str, name: &str) -> Result<TrapPage, String> {
        let (html, described) = match source.split_once(OPEN) {
            None => (source.to_string(), Value::Null),
            Some((before, rest)) => {
                let (json, after) = rest.split_once(CLOSE).ok_or("the block for the server is not closed")?;
                let value =
                    serde_json::from_str(json).map_err(|err| format!("the block for the server: {err}"))?;
                (format!("{before}{after}"), value)
            }
        };
        let known = ["at", "status", "headers", "delay_ms", "redirect_from", "endpoints"];
        if let Some(key) = keys(&described).find(|key| !known.contains(&key.as_str())) {
            return Err(format!("the block for the server has an unknown key `{key}`"));
        }
        let at = text(&described, "at").unwrap_or_else(|| format!("/{name}.html"));
        let endpoints = described["endpoints"].as_array().cloned().unwrap_or_default();
        Ok(TrapPage {
            html,
            opened: text(&described, "redirect_from").unwrap_or_else(|| at.clone()),
            at,
            status: status(&described),
            headers: headers(&described),
            delay: delay(&described),
            endpoints: endpoints.iter().map(endpoint).collect::<Result<_, _>>()?,
        })
    }
}

fn endpoint(value: &Value) -> Result<Endpoint, String> {
    let path = text(value, "path").ok_or("an endpoint has no path")?;
    let answers = value["answers"].as_array().filter(|answers| !answers.is_empty());
    let answers = answers.ok_or_else(|| format!("the endpoint {path} has no answers"))?;
    Ok(Endpoint {
        method: text(value, "method").unwrap_or_else(|| "GET".to_string()).to_ascii_uppercase(),
        answers: answers.iter().map(answer).collect(),
        path,
    })
}

fn answer(value: &Value) -> EndpointAnswer {
    let body = match &value["body"] {
        Value::String(body) => body.clone(),
        Value::Null => String::new(),
        json => json.to_string(),
    };
    let given = text(value, "type");
    let guessed = if value["body"].is_string() { "text/html; charset=utf-8" } else { "application/json" };
    EndpointAnswer {
        status: status(value),
        content_type: given.unwrap_or_else(|| guessed.to_string()),
        headers: headers(value),
        delay: delay(value),
        body,
    }
}

fn keys(value: &Value) -> impl Iterator<Item = &String> {
    value.as_object().into_iter().flat_map(|object| object.keys())
}

fn text(value: &Value, key: &str) -> Option<String> {
    value[key].as_str().map(str::to_string)
}

fn status(value: &Value) -> u16 {
    value["status"].as_u64().and_then(|status| u16::try_from(status).ok()).unwrap_or(200)
}

fn delay(value: &Value) -> Duration {
    Duration::from_millis(value["delay_ms"].as_u64().unwrap_or(0))
}

fn headers(value: &Value) -> Vec<(String, String)> {
    let object = value["headers"].as_object().into_iter().flatten();
    object.map(|(name, value)| (name.clone(), value.as_str().unwrap_or_default().to_string())).collect()
}
